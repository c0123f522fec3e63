// hd_l1_events.sv - the event pulses of an L1 (hd_pkg EV_SM_*), registers.
//
// access   sel_i: the access of the memory pipe is decided about, prefetch_i and kind_i say what it
//          is; hit_i: it is performed; push_i: it takes a place in the pending table, join_i: where
//          its line is on the way already; accept_i: it is taken, reject_i: it is refused, why_i.
// own      pulses of the same cycle that the family makes itself, by the numbers of ev_o: all but
//          those of the access.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_events (
  input  logic         clk_i,
  input  logic         rst_i,
  // access
  input  logic         sel_i,
  input  logic         prefetch_i,
  input  logic [hd_pkg::OP_W-1:0] kind_i,  // hd_pkg::op_e
  input  logic         hit_i,
  input  logic         push_i,
  input  logic         join_i,
  input  logic         accept_i,
  input  logic         reject_i,
  input  hd_pkg::why_e why_i,
  // the family's own
  input  logic [hd_pkg::EV_SM_NUM-1:0] own_i,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o
);
  always_ff @(posedge clk_i) begin
    ev_o <= rst_i ? '0 : own_i;
    if (!rst_i) begin
      ev_o[hd_pkg::EV_SM_ACCESS]      <= sel_i && !prefetch_i;
      ev_o[hd_pkg::EV_SM_HIT]         <= hit_i && !prefetch_i;
      ev_o[hd_pkg::EV_SM_MISS]        <= push_i && !join_i && !prefetch_i;
      ev_o[hd_pkg::EV_SM_MERGE]       <= push_i && join_i;
      ev_o[hd_pkg::EV_SM_PREFETCH]    <= push_i && prefetch_i;
      ev_o[hd_pkg::EV_SM_PF_DROP]     <= sel_i && prefetch_i && !push_i;
      ev_o[hd_pkg::EV_SM_ACC_STORE]   <= accept_i && !prefetch_i && kind_i == hd_pkg::OP_STORE;
      ev_o[hd_pkg::EV_SM_ACC_ATOMIC]  <= accept_i && kind_i == hd_pkg::OP_ATOMIC;
      ev_o[hd_pkg::EV_SM_REJECT]      <= reject_i;
      ev_o[hd_pkg::EV_SM_REJ_ENTRY]   <= reject_i && why_i == hd_pkg::WHY_ENTRY;
      ev_o[hd_pkg::EV_SM_REJ_MERGE]   <= reject_i && why_i == hd_pkg::WHY_MERGE;
      ev_o[hd_pkg::EV_SM_REJ_CREDIT]  <= reject_i && why_i == hd_pkg::WHY_CREDIT;
      ev_o[hd_pkg::EV_SM_REJ_QUEUE]   <= reject_i && why_i == hd_pkg::WHY_QUEUE;
      ev_o[hd_pkg::EV_SM_REJ_LINE]    <= reject_i && why_i == hd_pkg::WHY_LINE;
    end
  end

  `HD_ASSERT(a_of_the_access, sel_i || !(hit_i || push_i || accept_i || reject_i))
  `HD_ASSERT(a_taken_or_refused, !sel_i || accept_i != reject_i)
  `HD_ASSERT(a_refused_for_a_reason, !reject_i || why_i != hd_pkg::WHY_NONE)
  `HD_ASSERT(a_hits_or_waits, !(hit_i && push_i))
endmodule
`default_nettype wire
