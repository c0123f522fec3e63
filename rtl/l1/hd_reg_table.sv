// hd_reg_table.sv - registrations of an L1 that are out, row by row, and who waits.
//
// Paper 3; docs/protocol_denovo.md, the distributed queue. A row with wanted words has an entry.
// Per word: local, an access of this SM waits for it; next, somebody else does (a forward came
// before the own acknowledgement); pass: the word has come and leaves to that one when there is
// room. Which words are wanted says the row itself (hd_l1_words).
//
// look    combinational, row_i: next_o words somebody else waits for; local_o words an access here
//         waits for; free_o: an entry is free; room_o: one is, or row_i has one.
// note    do_i, at the edge, about row_i and words_i; who_i is somebody else who waits. Words that
//         have come are to pass if they are next_o.
// pass    pass_o: words pass_words_o of row pass_row_o are to leave to pass_who_o, all with the
//         same one; do_i.pass is about just these.
// Parameters: Entries; LineWords; RowW, WhoW bits.
`include "hd_assert.svh"
`default_nettype none
module hd_reg_table #(
  parameter int unsigned Entries = 64,
  parameter int unsigned LineWords = 16,
  parameter int unsigned RowW = 9,
  parameter int unsigned WhoW = 12,
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)  // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [RowW-1:0]      row_i,
  output logic                 room_o,
  output logic                 free_o,
  output logic [LineWords-1:0] next_o,
  output logic [LineWords-1:0] local_o,
  input  logic [LineWords-1:0] words_i,
  input  hd_pkg::reg_do_s      do_i,
  input  logic [WhoW-1:0]      who_i,
  output logic                 pass_o,
  output logic [RowW-1:0]      pass_row_o,
  output logic [LineWords-1:0] pass_words_o,
  output logic [WhoW-1:0]      pass_who_o
);
  logic                      hit;
  logic [Entries-1:0]        valid_q, passes;
  logic [RowW-1:0]           row_q [0:Entries-1];
  logic [LineWords-1:0]      local_q [0:Entries-1];
  logic [LineWords-1:0]      next_q [0:Entries-1];
  logic [LineWords-1:0]      pass_q [0:Entries-1];
  logic [LineWords*WhoW-1:0] who_q [0:Entries-1];
  logic [LineWords*WhoW-1:0] whos;
  logic [LineWords-1:0]      taken;  // words that somebody else waits for
  logic [IdxW-1:0]           hit_idx, free_idx, idx, pass_idx;

  always_comb begin
    free_idx = '0;
    pass_idx = '0;
    passes   = '0;
    if (valid_q != '0) begin
      for (int i = Entries - 1; i >= 0; i--) begin
        passes[i] = valid_q[i] && pass_q[i] != '0;
        if (!valid_q[i]) free_idx = IdxW'(i);
        if (passes[i]) pass_idx = IdxW'(i);
      end
    end
  end
  // Apart from the row that is passed on, which row_i may follow: in one block both form a circle.
  always_comb begin
    hit     = 1'b0;
    hit_idx = '0;
    if (valid_q != '0) begin
      for (int i = Entries - 1; i >= 0; i--) begin
        if (valid_q[i] && row_q[i] == row_i) begin
          hit     = 1'b1;
          hit_idx = IdxW'(i);
        end
      end
    end
  end
  assign taken      = hit ? next_q[hit_idx] | pass_q[hit_idx] : '0;
  assign free_o     = valid_q != '1;
  assign room_o     = hit || free_o;
  assign next_o     = hit ? next_q[hit_idx] : '0;
  assign local_o    = hit ? local_q[hit_idx] : '0;
  assign idx        = hit ? hit_idx : free_idx;
  assign pass_o     = passes != '0;
  assign pass_row_o = row_q[pass_idx];
  assign whos       = who_q[pass_idx];

  // All words that leave to the one who waits for the lowest.
  always_comb begin
    pass_who_o   = '0;
    pass_words_o = '0;
    if (pass_o) begin
      for (int w = LineWords - 1; w >= 0; w--) begin
        if (pass_q[pass_idx][w]) pass_who_o = whos[WhoW*w +: WhoW];
      end
      for (int unsigned w = 0; w < LineWords; w++) begin
        pass_words_o[w] = pass_q[pass_idx][w] && whos[WhoW*w +: WhoW] == pass_who_o;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= '0;
    else if (do_i.last) valid_q[hit_idx] <= 1'b0;
    else if (do_i.ask) valid_q[idx] <= 1'b1;
    if (do_i.ask && !hit) begin
      row_q[idx]   <= row_i;
      local_q[idx] <= do_i.stay ? words_i : '0;
      next_q[idx]  <= '0;
      pass_q[idx]  <= '0;
    end else if (do_i.stay) begin
      local_q[idx] <= local_q[idx] | words_i;
    end else if (do_i.follow) begin
      next_q[idx] <= next_q[idx] | words_i;
      for (int unsigned w = 0; w < LineWords; w++) begin
        if (words_i[w]) who_q[idx][WhoW*w +: WhoW] <= who_i;
      end
    end else if (do_i.ack) begin
      local_q[idx] <= local_q[idx] & ~words_i;
      next_q[idx]  <= next_q[idx] & ~words_i;
      pass_q[idx]  <= pass_q[idx] | (next_q[idx] & words_i);
    end else if (do_i.pass) begin
      pass_q[idx] <= pass_q[idx] & ~words_i;
    end
  end

  logic unused;
  assign unused = ^taken;

  `HD_ASSERT(a_known, !(do_i.follow || do_i.ack || do_i.pass || do_i.last) || hit)
  `HD_ASSERT(a_room, !do_i.ask || room_o)
  `HD_ASSERT(a_one_waiter, !do_i.follow || (words_i & taken) == '0)
  `HD_ASSERT(a_local_is_asked, !do_i.stay || hit || do_i.ask)
endmodule
`default_nettype wire
