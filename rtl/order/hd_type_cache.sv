// hd_type_cache.sv - an SM's copy of the types of sectors, and how many accesses to each are out.
//
// Paper 1 section 4.2. An entry says whether accesses of this SM to the sector are SM-safe and
// whether the SM may write it. Table (docs/type_aware.md):
//
//   lookup    no entry: unknown.  safe, no write right: known to readers only.  Else known.
//   install   the reply of the classifier: a new entry, or the new type of the one that is there
//   drop      invalidation or recall: the entry goes (no entry: nothing happens)
//   clear     all entries go (between kernels)
//
// After an invalidation the sector is unknown, not unsafe: only the answer of the classifier says
// that every SM has acknowledged. An SM that was done earlier and went on with unsafe stores could
// change what another one, which has not acknowledged yet, reads as safe.
//
// In-flight counters: accesses that are past classification and not performed, and markers in the
// unsafe queues, counted by the sector's low bits, so that an SM knows when it may acknowledge an
// invalidation (out_o.safe == 0) or a recall (out_o.any == 0 too). The
// other way is to count in the entries and to pin them; then a reply could find a set
// full of pinned entries and would have to wait in the down network, in front of the grants that
// unpin them. A counter too many shared by two sectors only makes an acknowledgement wait longer.
//
// lk_*     combinational. Not in a cycle with install or drop of the same sector.
// up_*     install or drop; clear_i.
// count_i  an access that goes has hash add_hash_i.
// out_o    of hash out_hash_i: combinational from registers.
// busy_o   some counter is not 0 (checks).
// Entries, Ways: powers of two; Counters: a power of two; SectorW: bits of a sector number.
// Replacement: an empty way, else round robin in the set.
`include "hd_assert.svh"
`default_nettype none
module hd_type_cache #(
  parameter int unsigned Entries  = 64,
  parameter int unsigned Ways     = 4,
  parameter int unsigned Counters = 64,
  parameter int unsigned SectorW  = 18,
  parameter int unsigned CountW   = 14,
  parameter int unsigned HashW    = hd_pkg::idx_w(Counters)  // derived: leave at its default
) (
  input  logic                clk_i,
  input  logic                rst_i,

  input  logic [SectorW-1:0]  lk_sector_i,
  input  logic                lk_write_i,
  output logic                lk_known_o,
  output logic                lk_safe_o,

  input  hd_pkg::type_up_s    up_i,
  input  logic [SectorW-1:0]  up_sector_i,
  input  logic                clear_i,

  input  hd_pkg::type_count_s count_i,
  input  logic [HashW-1:0]    add_hash_i,
  input  logic [HashW-1:0]    out_hash_i,
  output hd_pkg::type_out_s   out_o,
  output logic                busy_o
);
  localparam int unsigned Sets = Entries / Ways;
  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned WayW = hd_pkg::idx_w(Ways);
  localparam int unsigned TagW = SectorW - SetW;
  localparam int unsigned RowW = hd_pkg::idx_w(Sets);
  if (Entries != Sets * Ways || Sets != (1 << SetW) || (Ways & (Ways - 1)) != 0) begin : g_bad
    $error("hd_type_cache: Entries and Ways must be powers of two, Ways at most Entries");
  end

  logic [Ways-1:0] valid_q [0:Sets-1];
  logic [Ways-1:0] safe_q [0:Sets-1];
  logic [Ways-1:0] write_q [0:Sets-1];
  logic [TagW-1:0] tag_q [0:Entries-1];
  logic [WayW-1:0] next_q [0:Sets-1];     // way that is replaced next
  logic [CountW-1:0] safe_cnt_q [0:Counters-1];
  logic [CountW-1:0] unsafe_cnt_q [0:Counters-1];
  logic [31:0]     total_q;               // of all counters

  logic [RowW-1:0] lk_set, up_set;
  logic [Ways-1:0] lk_way, up_way, up_hit, up_free;
  logic [WayW-1:0] up_idx;

  always_comb begin
    lk_set = (Sets == 1) ? '0 : RowW'(lk_sector_i);
    lk_way = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      lk_way[w] = valid_q[lk_set][w]
          && tag_q[32'(lk_set) * Ways + w] == lk_sector_i[SectorW-1 -: TagW];
    end
    lk_safe_o  = (lk_way & safe_q[lk_set]) != '0;
    lk_known_o = lk_way != '0
        && (!lk_safe_o || !lk_write_i || (lk_way & write_q[lk_set]) != '0);
  end

  always_comb begin
    up_set = (Sets == 1) ? '0 : RowW'(up_sector_i);
    up_hit = '0;
    if (up_i.install || up_i.drop) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        up_hit[w] = valid_q[up_set][w]
            && tag_q[32'(up_set) * Ways + w] == up_sector_i[SectorW-1 -: TagW];
      end
    end
    up_free = ~valid_q[up_set] & (valid_q[up_set] + Ways'(1));
    if (up_hit != '0) up_way = up_hit;
    else if (up_free != '0) up_way = up_free;
    else up_way = Ways'(1) << next_q[up_set];
    up_idx = '0;
    for (int unsigned w = 0; w < Ways; w++) if (up_way[w]) up_idx = WayW'(w);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      for (int unsigned s = 0; s < Sets; s++) valid_q[s] <= '0;
    end else if (up_i.install) valid_q[up_set] <= valid_q[up_set] | up_way;
    else if (up_i.drop) valid_q[up_set] <= valid_q[up_set] & ~up_hit;
    if (rst_i) begin
      for (int unsigned s = 0; s < Sets; s++) next_q[s] <= '0;
    end else if (up_i.install && up_hit == '0 && up_free == '0) begin
      next_q[up_set] <= next_q[up_set] + WayW'(Ways > 1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (up_i.install) begin
      tag_q[32'(up_set) * Ways + 32'(up_idx)] <= up_sector_i[SectorW-1 -: TagW];
      safe_q[up_set]  <= (safe_q[up_set] & ~up_way) | (up_i.safe ? up_way : '0);
      write_q[up_set] <= (write_q[up_set] & ~up_way) | (up_i.write ? up_way : '0);
    end
  end

  // ---- in-flight counters -----------------------------------------------------------------------
  logic add, sub, moves;
  logic [CountW-1:0] sub_safe, sub_unsafe, marker_safe;  // checks
  logic [HashW-1:0]  sub_hash, marker_hash;
  assign add         = count_i.add_safe || count_i.add_unsafe;
  assign sub         = count_i.sub_safe || count_i.sub_unsafe;
  assign moves       = add || sub || count_i.sub_marker;
  assign sub_hash    = HashW'(count_i.sub_hash);
  assign marker_hash = HashW'(count_i.marker_hash);
  assign sub_safe    = safe_cnt_q[sub_hash];
  assign sub_unsafe  = unsafe_cnt_q[sub_hash];
  assign marker_safe = safe_cnt_q[marker_hash];
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned i = 0; i < Counters; i++) begin
        safe_cnt_q[i]   <= '0;
        unsafe_cnt_q[i] <= '0;
      end
      total_q <= '0;
    end else if (moves) begin
      for (int unsigned i = 0; i < Counters; i++) begin
        safe_cnt_q[i] <= safe_cnt_q[i]
            + ((count_i.add_safe && add_hash_i == HashW'(i))
               ? CountW'(1) + CountW'(count_i.add_marker) : '0)
            - CountW'(count_i.sub_safe && sub_hash == HashW'(i))
            - CountW'(count_i.sub_marker && marker_hash == HashW'(i));
        unsafe_cnt_q[i] <= unsafe_cnt_q[i]
            + CountW'(count_i.add_unsafe && add_hash_i == HashW'(i))
            - CountW'(count_i.sub_unsafe && sub_hash == HashW'(i));
      end
      total_q <= total_q + 32'(add) + 32'(count_i.add_safe && count_i.add_marker) - 32'(sub)
                 - 32'(count_i.sub_marker);
    end
  end
  always_comb begin
    out_o.safe = safe_cnt_q[out_hash_i] != '0;
    out_o.any  = out_o.safe || unsafe_cnt_q[out_hash_i] != '0;
  end
  assign busy_o = total_q != '0;

  logic unused;
  assign unused = ^{up_i, count_i};

`ifndef SYNTHESIS
  logic [31:0] sum;
  logic        room;  // for what comes, whatever goes in this cycle
  always_comb begin
    sum  = '0;
    for (int unsigned i = 0; i < Counters; i++) begin
      sum = sum + 32'(safe_cnt_q[i]) + 32'(unsafe_cnt_q[i]);
    end
    room = (!count_i.add_safe || 32'(safe_cnt_q[add_hash_i]) + 32'(count_i.add_marker)
                                 < (1 << CountW) - 1)
           && (!count_i.add_unsafe || 32'(unsafe_cnt_q[add_hash_i]) < (1 << CountW) - 1);
  end
`endif
  `HD_ASSERT(a_room, room)
  `HD_ASSERT(a_total, total_q == sum)
  `HD_ASSERT(a_one_update, !(up_i.install && up_i.drop))
  `HD_ASSERT(a_one_class, !(count_i.add_safe && count_i.add_unsafe)
             && !(count_i.sub_safe && count_i.sub_unsafe))
  `HD_ASSERT(a_safe_was_out, !count_i.sub_safe || sub_safe != '0)
  `HD_ASSERT(a_unsafe_was_out, !count_i.sub_unsafe || sub_unsafe != '0)
  `HD_ASSERT(a_marker_was_out, !count_i.sub_marker || marker_safe != '0)
endmodule
`default_nettype wire
