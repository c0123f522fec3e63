// hd_persist_tags.sv - which rows of a cache hold words to persist, and behind which barrier.
//
// The tags of the buffered alternative (paper 4 section 6.1, end): a row with words on their way to
// non-volatile memory is tracked and carries the number of the persist epoch in which they were
// written. Words of two epochs never share a row; a row leaves only in the oldest epoch.
//
//  event                          tracked, epoch of row_i    epochs
//  do_i.put                       1, newest                  -
//  do_i.drop (without put)        0                          -
//  do_i.open                      -                          newest + 1
//  do_i.close                     -                          oldest + 1
//
// state, combinational: row_o of row_i (another line may always take words: what was there has
// left); also_leave_o: also_i may be written out: not tracked, or of the oldest epoch.
// more_o: do_i.open is allowed; one_o: no marker is in the FIFO beside it.
// Parameters: Rows; Epochs numbers of epochs, a power of two: at most Epochs - 1 markers.
`include "hd_assert.svh"
`default_nettype none
module hd_persist_tags #(
  parameter int unsigned Rows   = 256,
  parameter int unsigned Epochs = 8,
  parameter int unsigned RowW   = hd_pkg::idx_w(Rows),  // derived
  parameter int unsigned EpW    = $clog2(Epochs)        // derived
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [RowW-1:0]   row_i,
  input  logic [RowW-1:0]   also_i,
  input  hd_pkg::ptag_do_s  do_i,
  output hd_pkg::ptag_row_s row_o,
  output logic              also_leave_o,
  output logic              more_o,
  output logic              one_o,
  output logic [EpW-1:0]    oldest_o
);
  if (Epochs < 2 || (Epochs & (Epochs - 1)) != 0) begin : g_bad_epochs
    $error("hd_persist_tags: Epochs must be a power of two, at least 2");
  end
  logic [Rows-1:0] tracked_q;
  logic [EpW-1:0]  tag_q [0:Rows-1];
  logic [EpW-1:0]  new_q, old_q, next, tag, also_tag;
  logic            tracked;

  assign next         = new_q + 1'b1;
  assign tag          = tag_q[row_i];
  assign also_tag     = tag_q[also_i];
  assign tracked      = tracked_q[row_i];
  assign row_o.tracked = tracked;
  assign row_o.put_ok  = !tracked || tag == new_q;
  assign row_o.leave   = !tracked || tag == old_q;
  assign also_leave_o = !tracked_q[also_i] || also_tag == old_q;
  assign more_o       = next != old_q;
  assign one_o        = new_q == old_q;
  assign oldest_o     = old_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tracked_q <= '0;
      new_q     <= '0;
      old_q     <= '0;
    end else begin
      if (do_i.put) tracked_q[row_i] <= 1'b1;
      else if (do_i.drop) tracked_q[row_i] <= 1'b0;
      if (do_i.open) new_q <= next;
      if (do_i.close) old_q <= old_q + 1'b1;
    end
    if (do_i.put) tag_q[row_i] <= new_q;
  end

  `HD_ASSERT(a_room_for_an_epoch, !do_i.open || more_o)
  `HD_ASSERT(a_an_epoch_ends_once, !do_i.close || !one_o)
endmodule
`default_nettype wire
