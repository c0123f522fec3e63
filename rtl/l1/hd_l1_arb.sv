// hd_l1_arb.sv - what an L1 decides about in a cycle, and the flush walk.
//
// One of four, in this order: a target of the line that has just arrived; a message of the down
// network; the line access of the memory pipe; a step of the flush walk. Targets come first so that
// a line is used before it can be taken away (no livelock).
//
// in    busy_i: nothing is decided. rp_wait_i: the next target is being read, nothing is decided;
//       rp_valid_i: it is there. dn_go_i: a message that can be taken; dn_hold_i: one that waits a
//       cycle, nothing but a target is decided. la_valid_i: an access. fl_go_i: a step of the walk
//       can be taken.
// sel   combinational, at most one.
// refuse_i with sel_o.fr: there is no room for the access. It is not tried again before a target or
//       message was decided about or change_i has told that there may be room.
// flush flush_i pulse: the walk begins, or begins anew; fl_row_o is the row of the step, flushing_o
//       until the last row was stepped on.
// idle_o no walk, and no access that would be tried.
// Parameters: Rows, a power of two.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_arb #(
  parameter int unsigned Rows = 256,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows)  // derived: leave as is
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            busy_i,
  input  logic            rp_wait_i,
  input  logic            rp_valid_i,
  input  logic            dn_go_i,
  input  logic            dn_hold_i,
  input  logic            la_valid_i,
  input  logic            fl_go_i,
  output hd_pkg::l1_sel_s sel_o,
  input  logic            refuse_i,
  input  logic            change_i,
  input  logic            flush_i,
  output logic [RowW-1:0] fl_row_o,
  output logic            flushing_o,
  output logic            idle_o
);
  if (Rows < 2 || (Rows & (Rows - 1)) != 0) begin : g_bad_rows
    $error("hd_l1_arb: Rows must be a power of two, at least 2");
  end

  logic t_free, rest, sel_rp, sel_dn, sel_fr, sel_fl;
  logic refused_q;  // the access was refused and nothing has changed since

  assign t_free   = !busy_i && !rp_wait_i;
  assign rest     = t_free && !rp_valid_i && !dn_hold_i;
  assign sel_rp   = t_free && rp_valid_i;
  assign sel_dn   = rest && dn_go_i;
  assign sel_fr   = rest && !sel_dn && la_valid_i && !refused_q;
  assign sel_fl   = rest && !sel_dn && !sel_fr && flushing_o && fl_go_i;
  assign sel_o    = {sel_rp, sel_dn, sel_fr, sel_fl};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      refused_q  <= 1'b0;
      flushing_o <= 1'b0;
      fl_row_o   <= '0;
    end else begin
      if (refuse_i) refused_q <= 1'b1;
      else if (sel_rp || sel_dn || change_i) refused_q <= 1'b0;
      if (flush_i) flushing_o <= 1'b1;
      else if (sel_fl && fl_row_o == '1) flushing_o <= 1'b0;
      if (flush_i) fl_row_o <= '0;
      else if (sel_fl) fl_row_o <= fl_row_o + 1'b1;
    end
  end
  assign idle_o = !flushing_o && (!la_valid_i || refused_q);

  `HD_ASSERT(a_one, $onehot0({sel_rp, sel_dn, sel_fr, sel_fl}))
  `HD_ASSERT(a_refused_was_tried, !refuse_i || sel_fr)
  `HD_ASSERT(a_held_does_not_go, !(dn_go_i && dn_hold_i))
endmodule
`default_nettype wire
