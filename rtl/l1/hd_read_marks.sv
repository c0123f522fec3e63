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
// note_i  at the edge, about the line looked up and the words need_i.
// data    of entry rd_idx_i: rd_o {line, old, skip} is combinational.
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
  input  logic                     clk_i,
  input  logic                     rst_i,
  // look
  input  logic                     lk_valid_i,
  input  logic [LineW-1:0]         lk_line_i,
  output logic                     pending_o,
  output logic                     room_o,
  output logic [IdxW-1:0]          idx_o,
  output logic [LineWords-1:0]     skip_o,
  output logic [LineWords-1:0]     guard_o,
  // note
  input  hd_pkg::read_note_s       note_i,
  input  logic [LineWords-1:0]     need_i,
  // data
  input  logic [IdxW-1:0]          rd_idx_i,
  output logic [LineW+LineWords:0] rd_o,
  output logic                     empty_o
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
    .take_i(note_i.makes),
    .free_i(note_i.ends),
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
  assign idx_o   = pending_o ? pend_idx : free_idx;
  assign skip_o  = pending_o ? skip_q[32'(pend_idx)*LineWords +: LineWords] : '0;
  assign rd_o    = {line_q[rd_idx_i], old_q[rd_idx_i],
                    skip_q[32'(rd_idx_i)*LineWords +: LineWords]};
  assign empty_o = valid_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= '0;
      old_q   <= '0;
    end else begin
      if (note_i.ends) valid_q[rd_idx_i] <= 1'b0;
      if (note_i.makes) begin
        valid_q[free_idx] <= 1'b1;
        old_q[free_idx]   <= 1'b0;
      end
      if (note_i.ages) old_q <= '1;
    end
    if (note_i.makes) begin
      line_q[free_idx] <= lk_line_i;
      need_q[free_idx] <= need_i;
    end
    if (note_i.joins) need_q[pend_idx] <= need_q[pend_idx] | need_i;
    // One assignment of the whole: simulators look at each of several in every cycle.
    if (note_i.makes || note_i.skips) begin : skip
      logic [Entries*LineWords-1:0] next;
      next = skip_q;
      for (int unsigned i = 0; i < Entries; i++) begin
        if (note_i.makes && free_idx == IdxW'(i)) next[i*LineWords +: LineWords] = '0;
        if (note_i.skips && same[i])
          next[i*LineWords +: LineWords] = skip_q[i*LineWords +: LineWords] | need_i;
      end
      skip_q <= next;
    end
  end

  logic unused;
  assign unused = ^free_count;

  `HD_ASSERT(a_one_note, $onehot0({note_i.makes, note_i.joins, note_i.skips}))
  `HD_ASSERT(a_new_has_room, !note_i.makes || (lk_valid_i && room_o && !pending_o))
  `HD_ASSERT(a_join_pending, !note_i.joins || pending_o)
  `HD_ASSERT(a_one_pending, !pending_o || $onehot(same & ~old_q))
  `HD_ASSERT(a_done_is_out, !note_i.ends || valid_q[rd_idx_i])
endmodule
`default_nettype wire
