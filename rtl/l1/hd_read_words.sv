// hd_read_words.sv - what an L1 of family DENOVO knows about its READs that are out.
//
// Paper 3; docs/protocol_denovo.md. An entry for each READ: its line; need, the words asked for;
// got, those of them that have come; retry, those an owner refused; skip, words that were
// registered here since, which its data must not bring back; old: an acquire has been performed
// since, its data serve those who wait and do not stay; ro: words asked for outlive acquires.
// Several entries may have a line. The accesses that wait are elsewhere (hd_mshr_table).
//
// look    combinational, with lk_valid_i, about line lk_line_i. guard_o: words that some entry of
//         the line needs. join_o: an entry that is not old needs some of words_i, join_idx_o and
//         join_words_o say which; free_idx_o is the entry a new one takes, if room_o.
// note    at the edge, about the line looked up: new_i makes an entry (only with room_o) with need
//         need_i, ro ro_i and transaction id tid_i. skip_i: every entry of the line skips
//         skip_words_i. old_i: every entry becomes old (one made in the same cycle, too).
// data    rd_idx_i: rd_*_o are combinational; rd_more_o: the line looked up, its, has another entry
//         that is not old. got_i, nack_i: words rd_words_i have come, were refused. done_i frees
//         it.
// retry   retry_o: some READ is to be repeated: retry_tid_o, retry_line_o, retry_words_o,
//         until retry_pop_i. Only when all its words have come or were refused: the L2 answers the
//         repeated one with all words that it has, and one whose owner's answer is still on its way
//         may have got back there meanwhile and would come twice, the second time too late.
// empty_o no entry in use. Parameters: Entries; LineWords; LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_read_words #(
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
  input  logic [LineWords-1:0]     words_i,
  output logic [LineWords-1:0]     guard_o,
  output logic                     join_o,
  output logic [IdxW-1:0]          join_idx_o,
  output logic [LineWords-1:0]     join_words_o,
  output logic                     room_o,
  output logic [IdxW-1:0]          free_idx_o,
  // note
  input  logic                     new_i,
  input  logic [LineWords-1:0]     need_i,
  input  logic                     ro_i,
  input  logic [hd_pkg::TID_W-1:0] tid_i,
  input  logic                     skip_i,
  input  logic [LineWords-1:0]     skip_words_i,
  input  logic                     old_i,
  // data
  input  logic [IdxW-1:0]          rd_idx_i,
  output logic [LineW-1:0]         rd_line_o,
  output logic                     rd_old_o,
  output logic                     rd_ro_o,
  output logic                     rd_more_o,
  output logic [LineWords-1:0]     rd_need_o,
  output logic [LineWords-1:0]     rd_got_o,
  output logic [LineWords-1:0]     rd_skip_o,
  input  logic [LineWords-1:0]     rd_words_i,
  input  logic                     got_i,
  input  logic                     nack_i,
  input  logic                     done_i,
  // retry
  output logic                     retry_o,
  output logic [hd_pkg::TID_W-1:0] retry_tid_o,
  output logic [LineW-1:0]         retry_line_o,
  output logic [LineWords-1:0]     retry_words_o,
  input  logic                     retry_pop_i,
  output logic                     empty_o
);
  logic [Entries-1:0]       valid_q, old_q, ro_q, retry_any, same;
  logic [LineW-1:0]         line_q [0:Entries-1];  // registers: the comparators see all of them
  logic [LineWords-1:0]     need_q [0:Entries-1];
  logic [LineWords-1:0]     got_q [0:Entries-1];
  logic [LineWords-1:0]     retry_q [0:Entries-1];
  logic [Entries*LineWords-1:0] skip_q;            // slice i: of entry i
  logic [hd_pkg::TID_W-1:0] tid_q [0:Entries-1];
  logic [IdxW-1:0]          retry_idx;
  logic [$clog2(Entries+1)-1:0] free_count;

  hd_freelist #(
    .N(Entries)
  ) u_free (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(room_o),
    .idx_o(free_idx_o),
    .take_i(new_i),
    .free_i(done_i),
    .free_idx_i(rd_idx_i),
    .count_o(free_count)
  );

  always_comb begin
    same      = '0;
    guard_o   = '0;
    rd_more_o = 1'b0;
    if (lk_valid_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (valid_q[i] && line_q[i] == lk_line_i) begin
          same[i] = 1'b1;
          guard_o = guard_o | need_q[i];
          if (!old_q[i] && IdxW'(i) != rd_idx_i) rd_more_o = 1'b1;
        end
      end
    end
  end
  // Apart from guard_o, which words_i may follow: in one block both form a circle.
  always_comb begin
    join_o     = 1'b0;
    join_idx_o = '0;
    if (same != '0) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (same[i] && !old_q[i]
            && (need_q[i] & ~skip_q[i*LineWords +: LineWords] & words_i) != '0) begin
          join_o     = 1'b1;
          join_idx_o = IdxW'(i);
        end
      end
    end
  end
  always_comb begin
    retry_o   = 1'b0;
    retry_idx = '0;
    if (retry_any != '0) begin
      for (int i = Entries - 1; i >= 0; i--) begin
        if (retry_any[i] && (need_q[i] & ~(got_q[i] | retry_q[i])) == '0) begin
          retry_o   = 1'b1;
          retry_idx = IdxW'(i);
        end
      end
    end
  end
  assign join_words_o  = join_o ? need_q[join_idx_o] & words_i
                                  & ~skip_q[32'(join_idx_o)*LineWords +: LineWords] : '0;
  assign rd_line_o     = line_q[rd_idx_i];
  assign rd_old_o      = old_q[rd_idx_i];
  assign rd_ro_o       = ro_q[rd_idx_i];
  assign rd_need_o     = need_q[rd_idx_i];
  assign rd_got_o      = got_q[rd_idx_i];
  assign rd_skip_o     = skip_q[32'(rd_idx_i)*LineWords +: LineWords];
  assign retry_tid_o   = tid_q[retry_idx];
  assign retry_line_o  = line_q[retry_idx];
  assign retry_words_o = retry_q[retry_idx];
  assign empty_o       = valid_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q   <= '0;
      old_q     <= '0;
      retry_any <= '0;
    end else begin
      if (done_i) valid_q[rd_idx_i] <= 1'b0;
      if (retry_pop_i) retry_any[retry_idx] <= 1'b0;
      if (nack_i) retry_any[rd_idx_i] <= 1'b1;
      if (new_i) begin
        valid_q[free_idx_o] <= 1'b1;
        old_q[free_idx_o]   <= 1'b0;
      end
      if (old_i) old_q <= '1;
    end
    // One assignment of the whole: simulators look at each of several in every cycle.
    if (new_i || skip_i) begin : skip
      logic [Entries*LineWords-1:0] next;
      next = skip_q;
      for (int unsigned i = 0; i < Entries; i++) begin
        if (new_i && free_idx_o == IdxW'(i)) next[i*LineWords +: LineWords] = '0;
        if (skip_i && same[i])
          next[i*LineWords +: LineWords] = skip_q[i*LineWords +: LineWords] | skip_words_i;
      end
      skip_q <= next;
    end
    if (got_i) got_q[rd_idx_i] <= got_q[rd_idx_i] | rd_words_i;
    if (nack_i) retry_q[rd_idx_i] <= (retry_any[rd_idx_i] ? retry_q[rd_idx_i] : '0) | rd_words_i;
    if (new_i) begin
      line_q[free_idx_o]  <= lk_line_i;
      need_q[free_idx_o]  <= need_i;
      got_q[free_idx_o]   <= '0;
      ro_q[free_idx_o]    <= ro_i;
      tid_q[free_idx_o]   <= tid_i;
    end
  end

  logic unused;
  assign unused = ^free_count;

  `HD_ASSERT(a_one_note, $onehot0({new_i, skip_i, got_i, nack_i, retry_pop_i}))
  `HD_ASSERT(a_new_has_room, !new_i || (lk_valid_i && room_o))
  `HD_ASSERT(a_asked_for, !nack_i || (rd_words_i & ~(rd_need_o & ~rd_got_o)) == '0)
  `HD_ASSERT(a_data_is_out, !(got_i || nack_i || done_i) || valid_q[rd_idx_i])
  `HD_ASSERT(a_retry_is_due, !retry_pop_i || retry_o)
endmodule
`default_nettype wire
