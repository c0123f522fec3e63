// hd_persist_epochs.sv - persist epochs of an L2: which markers have all writes before durable.
//
// Every write to non-volatile memory counts in the epoch that is current when it is sent; a marker
// that leaves the NVW-FIFO ends the epoch. Markers are answered in the order in which they came.
//
//  event                                    does
//  sent_i                                   count[epoch_o] + 1
//  mack_valid_i: one of mack_tid_i durable  count[mack_tid_i] - 1
//  close_valid_i && close_ready_o           close_mark_i ends epoch_o, the next one begins
//  oldest epoch ended and its count is 0    pack_valid_o, pack_mark_o; pack_ready_i: it is free
//
// close_ready_o: an epoch is free, a function of state. A write sent in the cycle of a close counts
// in the epoch that ends. idle_o: no ended epoch waits. Paper 4 section 6.1.
// Parameters: Epochs (power of two), CntW bits of writes under way, MarkW bits of a marker.
`include "hd_assert.svh"
`default_nettype none
module hd_persist_epochs #(
  parameter int unsigned Epochs = 8,
  parameter int unsigned CntW   = 12,
  parameter int unsigned MarkW  = 25,
  parameter int unsigned EpW    = $clog2(Epochs)  // derived
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             sent_i,
  output logic [EpW-1:0]   epoch_o,
  input  logic             mack_valid_i,
  input  logic [EpW-1:0]   mack_tid_i,
  input  logic             close_valid_i,
  output logic             close_ready_o,
  input  logic [MarkW-1:0] close_mark_i,
  output logic             pack_valid_o,
  input  logic             pack_ready_i,
  output logic [MarkW-1:0] pack_mark_o,
  output logic             idle_o
);
  if (Epochs < 2 || (Epochs & (Epochs - 1)) != 0) begin : g_bad_epochs
    $error("hd_persist_epochs: Epochs must be a power of two, at least 2");
  end
  logic [EpW-1:0]   cur_q, old_q, next;
  logic [CntW-1:0]  count_q [0:Epochs-1];
  logic [MarkW-1:0] mark_q [0:Epochs-1];

  assign next          = cur_q + 1'b1;
  assign epoch_o       = cur_q;
  assign close_ready_o = next != old_q;
  assign idle_o        = old_q == cur_q;
  assign pack_valid_o  = !idle_o && count_q[old_q] == '0;
  assign pack_mark_o   = mark_q[old_q];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      cur_q <= '0;
      old_q <= '0;
    end else begin
      if (close_valid_i && close_ready_o) cur_q <= next;
      if (pack_valid_o && pack_ready_i) old_q <= old_q + 1'b1;
    end
    if (close_valid_i && close_ready_o) mark_q[cur_q] <= close_mark_i;
    for (int unsigned e = 0; e < Epochs; e++) begin
      if (rst_i) count_q[e] <= '0;
      else if ((sent_i && cur_q == EpW'(e)) != (mack_valid_i && mack_tid_i == EpW'(e))) begin
        count_q[e] <= (sent_i && cur_q == EpW'(e)) ? count_q[e] + 1'b1 : count_q[e] - 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  logic none, most;  // writes of the epoch of mack_tid_i; of the current one
  always_comb begin
    none = count_q[mack_tid_i] == '0;
    most = count_q[cur_q] == '1;
  end
`endif
  `HD_ASSERT(a_write_is_under_way, !mack_valid_i || !none)
  `HD_ASSERT(a_count_fits, !sent_i || !most)
endmodule
`default_nettype wire
