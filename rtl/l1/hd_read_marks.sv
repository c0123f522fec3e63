// hd_read_marks.sv - what an L1 with word states knows about its READs that are out.
//
// Paper 3; docs/protocol_gpu.md. An entry for each READ: its line; need, the words that lanes wait
// for; skip, words that were given away since, which its data must not bring back; old: an acquire
// has been performed since, its data serve those who wait and do not stay. At most one entry of a
// line is not old. The accesses that wait are elsewhere (hd_mshr_table).
//
// look    combinational, with lk_valid_i, about line lk_line_i. pending_o: it has an entry that is
//         not old, idx_o, with skip_o; else idx_o is the entry a new one would take, if room_o.
//         guard_o: words that some entry of the line needs, old or not.
// note    at the edge, about the line looked up: new_i makes an entry (only with room_o, without
//         pending_o) with need need_i; join_i adds need_i to the one that is pending. skip_i: every
//         entry of the line skips the words need_i. old_i: every entry becomes old (one made in
//         the same cycle, too).
// data    rd_idx_i: rd_line_o, rd_old_o, rd_skip_o are combinational; done_i frees it.
// empty_o no entry in use.
// Parameters: Entries; LineWords; LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_read_marks #(
  parameter int unsigned Entries = 64,
  parameter int unsigned LineWords = 16,
  parameter int unsigned LineW = 26,
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)  // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  // look
  input  logic                 lk_valid_i,
  input  logic [LineW-1:0]     lk_line_i,
  output logic                 pending_o,
  output logic                 room_o,
  output logic [IdxW-1:0]      idx_o,
  output logic [LineWords-1:0] skip_o,
  output logic [LineWords-1:0] guard_o,
  // note
  input  logic                 new_i,
  input  logic                 join_i,
  input  logic                 skip_i,
  input  logic [LineWords-1:0] need_i,
  input  logic                 old_i,
  // data
  input  logic [IdxW-1:0]      rd_idx_i,
  output logic [LineW-1:0]     rd_line_o,
  output logic                 rd_old_o,
  output logic [LineWords-1:0] rd_skip_o,
  input  logic                 done_i,
  output logic                 empty_o
);
  logic [Entries-1:0]   valid_q, old_q, same;
  logic [LineW-1:0]     line_q [0:Entries-1];  // registers: the comparators see all of them
  logic [LineWords-1:0] need_q [0:Entries-1];
  logic [Entries*LineWords-1:0] skip_q;        // slice i: of entry i
  logic [IdxW-1:0]      free_idx, pend_idx;
  logic [$clog2(Entries+1)-1:0] free_count;

  hd_freelist #(
    .N(Entries)
  ) u_free (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(room_o),
    .idx_o(free_idx),
    .take_i(new_i),
    .free_i(done_i),
    .free_idx_i(rd_idx_i),
    .count_o(free_count)
  );

  always_comb begin
    same      = '0;
    pending_o = 1'b0;
    pend_idx  = '0;
    guard_o   = '0;
    if (lk_valid_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (valid_q[i] && line_q[i] == lk_line_i) begin
          same[i] = 1'b1;
          guard_o = guard_o | need_q[i];
          if (!old_q[i]) begin
            pending_o = 1'b1;
            pend_idx  = pend_idx | IdxW'(i);
          end
        end
      end
    end
  end
  assign idx_o     = pending_o ? pend_idx : free_idx;
  assign skip_o    = pending_o ? skip_q[32'(pend_idx)*LineWords +: LineWords] : '0;
  assign rd_line_o = line_q[rd_idx_i];
  assign rd_old_o  = old_q[rd_idx_i];
  assign rd_skip_o = skip_q[32'(rd_idx_i)*LineWords +: LineWords];
  assign empty_o   = valid_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= '0;
      old_q   <= '0;
    end else begin
      if (done_i) valid_q[rd_idx_i] <= 1'b0;
      if (new_i) begin
        valid_q[free_idx] <= 1'b1;
        old_q[free_idx]   <= 1'b0;
      end
      if (old_i) old_q <= '1;
    end
    if (new_i) begin
      line_q[free_idx] <= lk_line_i;
      need_q[free_idx] <= need_i;
    end
    if (join_i) need_q[pend_idx] <= need_q[pend_idx] | need_i;
    // One assignment of the whole: simulators look at each of several in every cycle.
    if (new_i || skip_i) begin : skip
      logic [Entries*LineWords-1:0] next;
      next = skip_q;
      for (int unsigned i = 0; i < Entries; i++) begin
        if (new_i && free_idx == IdxW'(i)) next[i*LineWords +: LineWords] = '0;
        if (skip_i && same[i])
          next[i*LineWords +: LineWords] = skip_q[i*LineWords +: LineWords] | need_i;
      end
      skip_q <= next;
    end
  end

  logic unused;
  assign unused = ^free_count;

  `HD_ASSERT(a_one_note, $onehot0({new_i, join_i, skip_i}))
  `HD_ASSERT(a_new_has_room, !new_i || (lk_valid_i && room_o && !pending_o))
  `HD_ASSERT(a_join_pending, !join_i || pending_o)
  `HD_ASSERT(a_one_pending, !pending_o || $onehot(same & ~old_q))
  `HD_ASSERT(a_done_is_out, !done_i || valid_q[rd_idx_i])
endmodule
`default_nettype wire
