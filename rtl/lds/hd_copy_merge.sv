// hd_copy_merge.sv - lets copies into the LDS beside the accesses of the warps.
//
// lo     accesses of the queue in front of L1 and LDS. copy: those of hd_copy_queue. out: to the
//        LDS. All valid/ready, with bodies {lanes, of each its LDS word, its data}; an access stays
//        on out until it is taken, so whoever is offered and not taken keeps the port. Else copies
//        go first: there are never more of them than entries in their queue while an access of lo
//        waits, as a copy enters behind it.
// Combinational but for who has the port. Parameters: Lanes, WordW bits of a word, LdsW bits of a
// word's number.
`include "hd_assert.svh"
`default_nettype none
module hd_copy_merge #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned LdsW  = 14,
  parameter int unsigned BodyW = Lanes * (1 + LdsW + WordW)  // derived: leave as is
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             lo_valid_i,
  output logic             lo_ready_o,
  input  hd_pkg::access_s  lo_acc_i,
  input  logic [BodyW-1:0] lo_body_i,

  input  logic             copy_valid_i,
  output logic             copy_ready_o,
  input  hd_pkg::access_s  copy_acc_i,
  input  logic [BodyW-1:0] copy_body_i,

  output logic             out_valid_o,
  input  logic             out_ready_i,
  output hd_pkg::access_s  out_acc_o,
  output logic [BodyW-1:0] out_body_o
);
  logic lo_has_q, copy;  // lo's access was offered and not taken; a copy has the port

  assign copy         = copy_valid_i && !lo_has_q;
  assign out_valid_o  = copy_valid_i || lo_valid_i;
  assign copy_ready_o = copy && out_ready_i;
  assign lo_ready_o   = !copy && out_ready_i;
  assign out_acc_o    = copy ? copy_acc_i : lo_acc_i;
  assign out_body_o   = copy ? copy_body_i : lo_body_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) lo_has_q <= 1'b0;
    else lo_has_q <= lo_valid_i && !copy && !out_ready_i;
  end

  `HD_ASSERT(a_lo_stays, !lo_has_q || lo_valid_i)
endmodule
`default_nettype wire
