// hd_l2_tags.sv - tags, directory state and LRU order of an L2 bank.
//
// Combinational lookup, writes on the clock edge, one set at a time: everything read and written in
// a cycle is about set_i and the way way_o, which is way_i if way_known_i, else the way that holds
// tag_i, else the victim: an empty unlocked way, else the least recently used unlocked one.
// With en_i low the outputs are 0 and nothing may be written.
//
// hit_o       an entry with tag_i is there (whatever way_o is)
// ok_o        way_o is a way: known, hit, or a victim was found
// recall_any_o some way of the set is locked by a recall
// valid_o lock_o recall_o tag_o  of way_o. lock: a transaction is on the line; recall: the line is
//             on its way out and a transaction for another line of the set waits for its way.
// dirty_o excl_o sharers_o txn_o of way_o; meaning only if valid_o (txn_o: if lock_o). txn_o is the
//             MSHR entry at work on the way.
// tag_we_i    writes valid (always 1 unless wvalid_i is low), lock, recall, tag
// dir_we_i    writes dirty, excl, sharers; txn_we_i writes txn
// touch_i     makes way_o the most recently used of the set. The first write of a set must touch.
//
// Nothing but one bit per set (seen_q) is reset: a set that was never written reads as empty.
// Paper 1 Table 2: 128 KB, 8-way, 128-byte lines.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_tags #(
  parameter int unsigned Sets = 128,  // a power of two, at least 2
  parameter int unsigned Ways = 8,    // a power of two, at least 2
  parameter int unsigned TagW = 15,   // bits of a tag
  parameter int unsigned Sms  = 16,   // L1s
  parameter int unsigned IdxW = 7,    // bits of an MSHR index
  parameter int unsigned SetW = $clog2(Sets),  // derived
  parameter int unsigned WayW = $clog2(Ways)   // derived
) (
  input  logic            clk_i,
  input  logic            rst_i,

  input  logic            en_i,
  input  logic [SetW-1:0] set_i,
  input  logic [TagW-1:0] tag_i,
  input  logic            way_known_i,
  input  logic [WayW-1:0] way_i,
  output logic            hit_o,
  output logic            ok_o,
  output logic            recall_any_o,
  output logic [WayW-1:0] way_o,
  output logic            valid_o,
  output logic            lock_o,
  output logic            recall_o,
  output logic [TagW-1:0] tag_o,
  output logic            dirty_o,
  output logic            excl_o,
  output logic [Sms-1:0]  sharers_o,
  output logic [IdxW-1:0] txn_o,

  input  logic            tag_we_i,
  input  logic            wvalid_i,
  input  logic            wlock_i,
  input  logic            wrecall_i,
  input  logic [TagW-1:0] wtag_i,
  input  logic            dir_we_i,
  input  logic            wdirty_i,
  input  logic            wexcl_i,
  input  logic [Sms-1:0]  wsharers_i,
  input  logic            txn_we_i,
  input  logic [IdxW-1:0] wtxn_i,
  input  logic            touch_i
);
  localparam int unsigned EntW = TagW + 3;  // {valid, lock, recall, tag}
  localparam int unsigned DirW = Sms + 2;   // {dirty, excl, sharers}
  if (Sets < 2 || Ways < 2 || Sets != (1 << SetW) || Ways != (1 << WayW)) begin : g_bad_shape
    $error("hd_l2_tags: Sets and Ways must be powers of two, at least 2");
  end

  logic [Sets-1:0]      seen_q;
  logic                 seen;
  logic [Ways*EntW-1:0] ents_mem, ents;
  logic [Ways*WayW-1:0] ages_mem, ages, ages_d;
  logic [Ways-1:0]      match, locks;
  logic [WayW-1:0]      hit_way, victim;
  logic                 victim_ok;
  logic [EntW-1:0]      ent;

  // Age of a way: 0 is the most recently used; the ages of a set are a permutation.
  function automatic logic [Ways*WayW-1:0] first_ages(input logic dummy);
    first_ages = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      first_ages[w*WayW +: WayW] = WayW'(w) & {WayW{dummy}};
    end
  endfunction

  always_comb begin
    logic [EntW-1:0] e;
    logic [WayW-1:0] best;
    logic            empty;
    seen         = 1'b0;
    ents         = '0;
    ages         = '0;
    match        = '0;
    locks        = '0;
    recall_any_o = 1'b0;
    hit_way      = '0;
    victim       = '0;
    victim_ok    = 1'b0;
    e            = '0;
    best         = '0;
    empty        = 1'b0;
    if (en_i) begin
      seen = seen_q[set_i];
      ents = seen ? ents_mem : '0;
      ages = seen ? ages_mem : first_ages(1'b1);
      for (int unsigned w = 0; w < Ways; w++) begin
        e        = ents[w*EntW +: EntW];
        match[w] = e[EntW-1] && e[TagW-1:0] == tag_i;
        locks[w] = e[EntW-2];
        if (e[EntW-3]) recall_any_o = 1'b1;
        if (match[w]) hit_way = WayW'(w);
      end
      if (!way_known_i && match == '0) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          e = ents[w*EntW +: EntW];
          if (!locks[w] && !empty && (!e[EntW-1] || !victim_ok
                                      || ages[w*WayW +: WayW] > best)) begin
            victim    = WayW'(w);
            victim_ok = 1'b1;
            best      = ages[w*WayW +: WayW];
            empty     = !e[EntW-1];
          end
        end
      end
    end
  end

  always_comb begin
    way_o = hit_way;
    if (way_known_i) way_o = way_i;
    else if (match == '0) way_o = victim;
    hit_o    = match != '0;
    ok_o     = en_i && (way_known_i || hit_o || victim_ok);
    ent      = ents[way_o*EntW +: EntW];
    valid_o  = ent[EntW-1];
    lock_o   = ent[EntW-2];
    recall_o = ent[EntW-3];
    tag_o    = ent[TagW-1:0];
  end

  always_comb begin
    ages_d = ages;
    if (touch_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (ages[w*WayW +: WayW] < ages[way_o*WayW +: WayW]) begin
          ages_d[w*WayW +: WayW] = ages[w*WayW +: WayW] + 1'b1;
        end
      end
      ages_d[way_o*WayW +: WayW] = '0;
    end
  end

  logic [Ways*EntW-1:0] ents_d;
  logic [Ways-1:0]      ents_mask;
  always_comb begin
    ents_d    = '0;
    ents_mask = '0;
    if (tag_we_i) begin
      ents_d[way_o*EntW +: EntW] = {wvalid_i, wlock_i, wrecall_i, wtag_i};
      ents_mask                  = {Ways{!seen}};
      ents_mask[way_o]           = 1'b1;
    end
  end

  hd_regfile #(
    .Width(Ways * EntW),
    .Depth(Sets),
    .Gran(EntW)
  ) u_ents (
    .clk_i(clk_i),
    .we_i(tag_we_i),
    .waddr_i(set_i),
    .wmask_i(ents_mask),
    .wdata_i(ents_d),
    .raddr_i(set_i),
    .rdata_o(ents_mem)
  );
  hd_regfile #(
    .Width(Ways * WayW),
    .Depth(Sets)
  ) u_ages (
    .clk_i(clk_i),
    .we_i(touch_i),
    .waddr_i(set_i),
    .wmask_i(1'b1),
    .wdata_i(ages_d),
    .raddr_i(set_i),
    .rdata_o(ages_mem)
  );
  hd_regfile #(
    .Width(DirW),
    .Depth(Sets * Ways)
  ) u_dir (
    .clk_i(clk_i),
    .we_i(dir_we_i),
    .waddr_i({set_i, way_o}),
    .wmask_i(1'b1),
    .wdata_i({wdirty_i, wexcl_i, wsharers_i}),
    .raddr_i({set_i, way_o}),
    .rdata_o({dirty_o, excl_o, sharers_o})
  );
  hd_regfile #(
    .Width(IdxW),
    .Depth(Sets * Ways)
  ) u_txn (
    .clk_i(clk_i),
    .we_i(txn_we_i),
    .waddr_i({set_i, way_o}),
    .wmask_i(1'b1),
    .wdata_i(wtxn_i),
    .raddr_i({set_i, way_o}),
    .rdata_o(txn_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) seen_q <= '0;
    else if (tag_we_i) seen_q[set_i] <= 1'b1;
  end

  `HD_ASSERT(a_write_needs_lookup, en_i || !(tag_we_i || dir_we_i || txn_we_i || touch_i))
  `HD_ASSERT(a_write_needs_way, ok_o || !(tag_we_i || dir_we_i || txn_we_i || touch_i))
  `HD_ASSERT(a_one_match, (match & (match - 1'b1)) == '0)
  `HD_ASSERT(a_first_write_touches, !tag_we_i || seen || touch_i)

endmodule
`default_nettype wire
