// hd_sm_events.sv - event vector of an SM tile, bit numbers hd_pkg::EV_SM_*.
//
// memory_ev_i: those of L1 and LDS, other bits 0. issue_ev_i: hd_issue's alu, mem, ctl, stall_pipe,
// from bit 0. order_ev_i: from bit ORDER_EV_FIRST. Combinational.
`default_nettype none
module hd_sm_events (
  input  logic [hd_pkg::EV_SM_NUM-1:0]    memory_ev_i,
  input  logic [3:0]                      issue_ev_i,
  input  logic [hd_pkg::ORDER_EV_NUM-1:0] order_ev_i,
  input  logic                            flush_done_i,
  output logic [hd_pkg::EV_SM_NUM-1:0]    ev_o
);
  always_comb begin
    ev_o = memory_ev_i;
    ev_o[hd_pkg::EV_SM_ISSUE_ALU]  = issue_ev_i[0];
    ev_o[hd_pkg::EV_SM_ISSUE_MEM]  = issue_ev_i[1];
    ev_o[hd_pkg::EV_SM_ISSUE_CTL]  = issue_ev_i[2];
    ev_o[hd_pkg::EV_SM_STALL_PIPE] = issue_ev_i[3];
    ev_o[hd_pkg::EV_SM_FLUSH_DONE] = flush_done_i;
    ev_o[hd_pkg::ORDER_EV_FIRST +: hd_pkg::ORDER_EV_NUM] = order_ev_i;
  end
endmodule
`default_nettype wire
