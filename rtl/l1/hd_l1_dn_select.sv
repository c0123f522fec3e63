// hd_l1_dn_select.sv - what an L1 of family DENOVO decides about in a cycle; its generation.
//
// One of hd_pkg::dn_sel_s, in the order of its fields: who has waited, then RSP, words that leave,
// FWD, repeated READs, releases, flush steps, the access of the memory pipe. So RSP waits for
// nothing, FWD for room on RSP only. A release that may leave needs done_ok_i and keeps the access
// back until then: accesses that hit in every cycle would keep it for ever. While busy_i nothing;
// while a walk over all rows clears words, a row a cycle and nothing else; the walk of a flush
// writes a row back when nothing else is to do.
//
// in    rp_valid_i, st_valid_i, sv_valid_i: READs' and registrations' targets, words to serve;
//       rs_valid_i; ps_valid_i, fw_valid_i with rsp_room_i; rt_valid_i with req_room_i; la_valid_i,
//       la_fence_i: completes at once, needs done_ok_i; list_*: head is a marker, one is in it,
//       almost full. out_none_i: no dirty word is being registered; reg_free_i an entry is free.
// sel_o combinational. flush_can_o: a dirty word may be asked for: not while a marker is the head.
// refuse_i with sel_o.fr: no room; not tried again before something else was decided or change_i;
//       press_i: the dirty list must become shorter first.
// gen   step_i: gen_o steps; at its last number a walk follows. row_o, clear_o of the walk: V goes;
//       with clear_ro_o RO too; else the row is written back (row_ok_i: it can be).
// flush begin_i pulse: V and RO go; flush_i: the list is emptied and all registered, V and RO go,
//       and all rows are written back (wb_none_i: and acknowledged). flushing_o until then.
//       sel_o.ends with drop_o: step_i is due.
// idle_o nothing to decide. Parameters: Rows, GenW. Latency 0.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_select #(
  parameter int unsigned Rows = 512,
  parameter int unsigned GenW = 10,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows)  // derived: leave as is
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            busy_i,
  input  logic            rp_valid_i,
  input  logic            st_valid_i,
  input  logic            sv_valid_i,
  input  logic            rs_valid_i,
  input  logic            ps_valid_i,
  input  logic            fw_valid_i,
  input  logic            rt_valid_i,
  input  logic            rsp_room_i,
  input  logic            req_room_i,
  input  logic            reg_free_i,
  input  logic            done_ok_i,
  input  logic            la_valid_i,
  input  logic            la_fence_i,
  input  logic            list_valid_i,
  input  logic            list_marker_i,
  input  logic            list_marked_i,
  input  logic            list_full_i,
  input  logic            out_none_i,
  output hd_pkg::dn_sel_s sel_o,
  output logic            flush_can_o,
  input  logic            refuse_i,
  input  logic            press_i,
  input  logic            change_i,
  // generation
  input  logic            read_only_i,
  input  logic            step_i,
  output logic [GenW-1:0] gen_o,
  output logic [RowW-1:0] row_o,
  output logic            clear_o,
  output logic            clear_ro_o,
  input  logic            row_ok_i,
  // flush
  input  logic            flush_i,
  input  logic            begin_i,
  input  logic            wb_none_i,
  output logic            flushing_o,
  output logic            drop_o,
  output logic            idle_o
);
  logic refused_q, press_q, clear_q, clear_ro_q, drain_q, drop_q, write_q, walk_q;
  logic leaves, want_flush, ends, last_row, other;

  assign leaves      = list_marker_i && out_none_i;
  assign flush_can_o = !list_marker_i;
  assign want_flush  = list_valid_i && !list_marker_i && reg_free_i && req_room_i
                       && (list_marked_i || list_full_i || drain_q || (press_q && refused_q));
  assign ends        = (drain_q || drop_q) && (!drain_q || (!list_valid_i && out_none_i));
  assign last_row    = row_o == RowW'(Rows - 1);

  always_comb begin
    sel_o = '0;
    if (!busy_i) begin
      if (clear_q) sel_o.wrap = 1'b1;
      else if (rp_valid_i) sel_o.rp = 1'b1;
      else if (st_valid_i) sel_o.st = 1'b1;
      else if (sv_valid_i) sel_o.sv = 1'b1;
      else if (rs_valid_i) sel_o.rs = 1'b1;
      else if (ps_valid_i && rsp_room_i) sel_o.ps = 1'b1;
      else if (fw_valid_i && rsp_room_i) sel_o.fw = 1'b1;
      else if (rt_valid_i && req_room_i) sel_o.rt = 1'b1;
      else if (leaves && done_ok_i) sel_o.mk = 1'b1;
      else if (ends) sel_o.ends = 1'b1;
      else if (want_flush) sel_o.fl = 1'b1;
      else if (walk_q) sel_o.wrap = 1'b1;
      else if (la_valid_i && !refused_q && !leaves && (done_ok_i || !la_fence_i)) sel_o.fr = 1'b1;
    end
  end
  assign other      = (sel_o != '0) && !sel_o.fr;
  assign clear_o    = clear_q;
  assign clear_ro_o = clear_ro_q;
  assign drop_o     = drop_q;
  assign flushing_o = drain_q || drop_q || walk_q || (write_q && !wb_none_i) || clear_q;
  assign idle_o     = sel_o == '0 && !flushing_o && !busy_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      refused_q  <= 1'b0;
      press_q    <= 1'b0;
      clear_q    <= 1'b0;
      clear_ro_q <= 1'b0;
      drain_q    <= 1'b0;
      drop_q     <= 1'b0;
      write_q    <= 1'b0;
      walk_q     <= 1'b0;
      gen_o      <= '0;
      row_o      <= '0;
    end else begin
      if (refuse_i) press_q <= press_i;
      if (change_i || other) refused_q <= 1'b0;
      else if (refuse_i) refused_q <= 1'b1;
      if (flush_i) drain_q <= 1'b1;
      else if (sel_o.ends) drain_q <= 1'b0;
      if (flush_i || begin_i) drop_q <= 1'b1;
      else if (sel_o.ends) drop_q <= 1'b0;
      if (flush_i) write_q <= 1'b1;
      else if (wb_none_i && !walk_q && !drain_q) write_q <= 1'b0;
      if (sel_o.ends && write_q) walk_q <= 1'b1;
      else if (sel_o.wrap && !clear_q && row_ok_i && last_row) walk_q <= 1'b0;
      if (step_i) gen_o <= gen_o + 1'b1;
      if (sel_o.ends && drop_q && read_only_i && !write_q) begin
        clear_q    <= 1'b1;
        clear_ro_q <= 1'b1;
      end else if (step_i && gen_o == '1) begin
        clear_q    <= 1'b1;
        clear_ro_q <= 1'b0;
      end else if (clear_q && !busy_i && last_row) begin
        clear_q <= 1'b0;
      end
      if (sel_o.wrap && (clear_q || row_ok_i)) row_o <= last_row ? '0 : row_o + 1'b1;
    end
  end

  `HD_ASSERT(a_one, $onehot0(sel_o))
  `HD_ASSERT(a_leaving_first, !(sel_o.fw && ps_valid_i))
  `HD_ASSERT(a_refused_was_tried, !refuse_i || sel_o.fr)
  `HD_ASSERT(a_no_step_in_walk, !(step_i && (clear_q || walk_q)))
endmodule
`default_nettype wire
