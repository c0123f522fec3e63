// hd_l1_word_select.sv - what an L1 with word states decides about in a cycle; its generation.
//
// One of these, in this order (hd_pkg::word_sel_s): an access that waited for data that have just
// arrived; a message; the marker of a release that may leave; the head of the NVW-FIFO; the end of
// a drain; a flush step; the access of the memory pipe. While busy_i nothing; while numbers of
// generations come round, a row of the walk a cycle and nothing else.
//
// in    rp_valid_i; dn_valid_i, dn_done_i: the message completes an access, which needs done_ok_i,
//       and waits until then; la_valid_i, la_fence_i: the same of the access. heads_i: of the dirty
//       list and of the NVW-FIFO, whose markers need room_i.req; room_i.wt, room_i.wt_none: of WTs.
// sel_o combinational. wt_can_o: a WT may be sent now: not while a marker is the head.
// refuse_i with sel_o.fr: no room for the access; it is not tried again before something else was
//       decided or change_i.
// gen   step_i: gen_o steps; at its last number a walk over all rows follows (row_o, sel_o.wrap).
// flush flush_i pulse: the list is emptied, WTs are answered, a generation ends; begin_i: the last
//       alone. flushing_o until then; sel_o.ends with drop_o: step_i is due.
// idle_o nothing to decide.
// Parameters: Rows, GenW. Latency 0.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_word_select #(
  parameter int unsigned Rows = 512,
  parameter int unsigned GenW = 10,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows)  // derived: leave as is
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic               busy_i,
  input  logic               rp_valid_i,
  input  logic               dn_valid_i,
  input  logic               dn_done_i,
  input  logic               done_ok_i,
  input  logic               la_valid_i,
  input  logic               la_fence_i,
  input  hd_pkg::gpu_heads_s heads_i,
  input  hd_pkg::gpu_room_s  room_i,
  output hd_pkg::word_sel_s  sel_o,
  output logic               wt_can_o,
  input  logic               refuse_i,
  input  logic               change_i,
  // generation
  input  logic               step_i,
  output logic [GenW-1:0]    gen_o,
  output logic [RowW-1:0]    row_o,
  // flush
  input  logic               flush_i,
  input  logic               begin_i,
  output logic               flushing_o,
  output logic               drop_o,
  output logic               idle_o
);
  logic            refused_q, wrap_q, drain_q, drop_q;
  logic            rest, quiet, leaves, want_flush, can_pop, pops, ends, flushes;

  assign leaves     = heads_i.marker && room_i.wt_none;
  assign rest       = !busy_i && !wrap_q && !rp_valid_i;
  assign quiet      = rest && !dn_valid_i && !leaves;
  assign wt_can_o   = room_i.wt && !heads_i.marker;
  assign can_pop    = heads_i.pop && (heads_i.pop_mark ? room_i.req : wt_can_o);
  assign pops       = quiet && can_pop;
  assign want_flush = (heads_i.marked || heads_i.full || drain_q) && heads_i.valid;
  assign ends       = quiet && !can_pop && (drain_q || drop_q)
                      && (!drain_q || (!heads_i.valid && room_i.wt_none));
  assign flushes    = quiet && !can_pop && !ends && want_flush && wt_can_o && heads_i.leave;
  assign sel_o.wrap = wrap_q && !busy_i;
  assign sel_o.rp   = !busy_i && !wrap_q && rp_valid_i;
  assign sel_o.dn   = rest && dn_valid_i && (done_ok_i || !dn_done_i);
  assign sel_o.mk   = rest && !dn_valid_i && leaves && done_ok_i;
  assign sel_o.pp   = pops;
  assign sel_o.ends = ends;
  assign sel_o.fl   = flushes;
  assign sel_o.fr   = quiet && !can_pop && !ends && !flushes && la_valid_i && !refused_q
                      && (done_ok_i || !la_fence_i);
  assign drop_o     = drop_q;
  assign flushing_o = drain_q || drop_q;
  assign idle_o     = !wrap_q && !flushing_o && !leaves && !can_pop
                      && !(want_flush && wt_can_o && heads_i.leave) && (!la_valid_i || refused_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      refused_q <= 1'b0;
      wrap_q    <= 1'b0;
      drain_q   <= 1'b0;
      drop_q    <= 1'b0;
      gen_o     <= '0;
      row_o     <= '0;
    end else begin
      if (refuse_i) refused_q <= 1'b1;
      if (change_i || sel_o.rp || sel_o.dn || sel_o.mk || sel_o.pp || sel_o.fl
          || sel_o.ends) begin
        refused_q <= 1'b0;
      end
      if (flush_i) drain_q <= 1'b1;
      else if (ends) drain_q <= 1'b0;
      if (flush_i || begin_i) drop_q <= 1'b1;
      else if (ends) drop_q <= 1'b0;
      if (step_i) gen_o <= gen_o + 1'b1;
      if (step_i && gen_o == '1) wrap_q <= 1'b1;
      else if (sel_o.wrap && row_o == RowW'(Rows - 1)) wrap_q <= 1'b0;
      if (sel_o.wrap) row_o <= (row_o == RowW'(Rows - 1)) ? '0 : row_o + 1'b1;
    end
  end

  logic unused;
  assign unused = ^room_i;

  `HD_ASSERT(a_one, $onehot0(sel_o))
  `HD_ASSERT(a_refused_was_tried, !refuse_i || sel_o.fr)
  `HD_ASSERT(a_no_step_in_walk, !(step_i && wrap_q))
endmodule
`default_nettype wire
