// hd_l2_tags.sv - tags, directory state and LRU order of an L2 bank.
//
// Combinational lookup, writes on the clock edge, one set at a time: everything read and written in
// a cycle is about line num_i, {tag, set}, and the way way_o, which is way_i if way_known_i, else
// the way that holds the tag, else the victim: an empty unlocked way, else the least recently used
// unlocked one. With en_i low the outputs are 0 and nothing may be written.
//
// line_o      hit: an entry with the tag is there (whatever way_o is). ok: way_o is a way: known,
//             hit, or a victim was found. The rest is of way_o; dirty and excl have a meaning only
//             if it is valid.
// recall_any_o some way of the set is locked by a recall
// holds_o     of way_o: {tag, txn, sharers}. txn, the MSHR entry at work on the way, has a meaning
//             only if it is locked, sharers if it is valid.
// do_i        what is written; holds_i: as holds_o. The first write of a set must touch.
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
  parameter int unsigned WayW = $clog2(Ways),  // derived
  parameter int unsigned HoldW = TagW + IdxW + Sms  // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  input  logic                 en_i,
  input  logic [TagW+SetW-1:0] num_i,
  input  logic                 way_known_i,
  input  logic [WayW-1:0]      way_i,
  output hd_pkg::l2_line_s     line_o,
  output logic                 recall_any_o,
  output logic [WayW-1:0]      way_o,
  output logic [HoldW-1:0]     holds_o,

  input  hd_pkg::l2_way_do_s   do_i,
  input  logic [HoldW-1:0]     holds_i
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
  logic                 victim_ok, dirty, excl;
  logic [EntW-1:0]      ent;
  logic [SetW-1:0]      set;
  logic [TagW-1:0]      tag, wtag;
  logic [IdxW-1:0]      txn, wtxn;
  logic [Sms-1:0]       sharers, wsharers;

  assign {tag, set} = num_i;
  assign {wtag, wtxn, wsharers} = holds_i;
  assign holds_o = {ent[TagW-1:0], txn, sharers};

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
      seen = seen_q[set];
      ents = seen ? ents_mem : '0;
      ages = seen ? ages_mem : first_ages(1'b1);
      for (int unsigned w = 0; w < Ways; w++) begin
        e        = ents[w*EntW +: EntW];
        match[w] = e[EntW-1] && e[TagW-1:0] == tag;
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
    ent = ents[way_o*EntW +: EntW];
  end
  always_comb begin
    line_o.hit    = match != '0;
    line_o.ok     = en_i && (way_known_i || line_o.hit || victim_ok);
    line_o.valid  = ent[EntW-1];
    line_o.lock   = ent[EntW-2];
    line_o.recall = ent[EntW-3];
    line_o.dirty  = dirty;
    line_o.excl   = excl;
  end

  always_comb begin
    ages_d = ages;
    if (do_i.touch) begin
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
    if (do_i.tag_we) begin
      ents_d[way_o*EntW +: EntW] = {do_i.valid, do_i.lock, do_i.recall, wtag};
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
    .we_i(do_i.tag_we),
    .waddr_i(set),
    .wmask_i(ents_mask),
    .wdata_i(ents_d),
    .raddr_i(set),
    .rdata_o(ents_mem)
  );
  hd_regfile #(
    .Width(Ways * WayW),
    .Depth(Sets)
  ) u_ages (
    .clk_i(clk_i),
    .we_i(do_i.touch),
    .waddr_i(set),
    .wmask_i(1'b1),
    .wdata_i(ages_d),
    .raddr_i(set),
    .rdata_o(ages_mem)
  );
  hd_regfile #(
    .Width(DirW),
    .Depth(Sets * Ways)
  ) u_dir (
    .clk_i(clk_i),
    .we_i(do_i.dir_we),
    .waddr_i({set, way_o}),
    .wmask_i(1'b1),
    .wdata_i({do_i.dirty, do_i.excl, wsharers}),
    .raddr_i({set, way_o}),
    .rdata_o({dirty, excl, sharers})
  );
  hd_regfile #(
    .Width(IdxW),
    .Depth(Sets * Ways)
  ) u_txn (
    .clk_i(clk_i),
    .we_i(do_i.txn_we),
    .waddr_i({set, way_o}),
    .wmask_i(1'b1),
    .wdata_i(wtxn),
    .raddr_i({set, way_o}),
    .rdata_o(txn)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) seen_q <= '0;
    else if (do_i.tag_we) seen_q[set] <= 1'b1;
  end

  logic writes;
  assign writes = do_i.tag_we || do_i.dir_we || do_i.txn_we || do_i.touch;
  `HD_ASSERT(a_write_needs_lookup, en_i || !writes)
  `HD_ASSERT(a_write_needs_way, line_o.ok || !writes)
  `HD_ASSERT(a_one_match, (match & (match - 1'b1)) == '0)
  `HD_ASSERT(a_first_write_touches, !do_i.tag_we || seen || do_i.touch)

endmodule
`default_nettype wire
