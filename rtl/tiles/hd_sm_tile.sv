// hd_sm_tile.sv - one streaming multiprocessor: warp slots, scheduler, ordering, L1, LDS, links.
//
//   warp port -> hd_sm_front -> hd_order_stage -> hd_sm_memory <-> hd_sm_ends <-> up, down
//                    ^    issue ------^ ^                |  |            |
//                    '---- performed ---'----------------'  |            |
//   completions <-------------------------------------------'  types <---'  (hd_order_stage)
//
// Papers: 1 (sections 2 to 3.4, Table 2), 2 (MSHRs or pending request table). Every port group is
// described in docs/tiles.md; in short:
// op     warp port: at most one operation a cycle into the one-deep buffer of a warp; op_taken_*
//        when it issues.
// cpl    a line access was performed; ctl: fences, barriers, exits, clocks.
// up     link to crossbar or router: requests on REQ, answers and writebacks on RSP. dn: link
//        from it.
// st ev  observation; dbg_* registers for the watchdog: who waits for what.
// One queue in front of L1 and LDS keeps the order of a warp's operations. Together they complete
// one access a cycle, the L1 first.
// All outputs are functions of registers. Flits and credits leave only in cycles with
// now_i % ClkRatio == 0. An operation that hits the L1 shows its completion 5 cycles after the
// cycle in which it was offered: issue, coalesced and queued, tag decision, data, completion.
// Family (hd_pkg FAMILY_*): the L1, hd_l1.
// WideFill: a beat of the down link is a whole packet, head and line, instead of a flit: a line a
// cycle (for the micro-benchmark of paper 2, whose memory must not be the bottleneck).
// Parameters: hd_keys.svh; LdsRows lines of LDS.
`include "hd_assert.svh"
`default_nettype none
module hd_sm_tile #(
  `include "hd_params.svh"
  parameter int unsigned FlitW = FlitWords * WordW,                    // derived
  // derived
  parameter int unsigned WideW = hd_pkg::wide_w(Lanes, LineWords * WordW),
  parameter int unsigned DownW = (WideFill != 0) ? WideW : FlitW,      // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4) // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [31:0]                  now_i,
  input  logic [hd_pkg::NODE_W-1:0]    sm_id_i,
  input  hd_pkg::policy_s              policy_i,
  // warp port
  input  logic                         op_valid_i,
  input  logic [hd_pkg::WARP_W-1:0]    op_warp_i,
  input  logic [hd_pkg::OP_W-1:0]      op_kind_i,
  input  logic [3:0]                   op_fn_i,
  input  logic                         op_space_i,
  input  logic [2:0]                   op_order_i,
  input  logic [1:0]                   op_scope_i,
  input  logic                         op_ro_i,
  input  logic [hd_pkg::ALU_W-1:0]     op_alu_i,
  input  logic [hd_pkg::BLOCK_W-1:0]   op_block_i,
  input  logic [Lanes-1:0]             op_mask_i,
  input  logic [Lanes*32-1:0]          op_addr_i,
  input  logic [Lanes*WordW-1:0]       op_data_i,
  input  logic [Lanes*32-1:0]          op_cmp_i,
  output logic                         op_taken_o,
  output logic [hd_pkg::WARP_W-1:0]    op_taken_warp_o,
  output logic [hd_pkg::SLOT_W-1:0]    op_taken_slot_o,
  // completions
  output logic                         cpl_valid_o,
  output logic [hd_pkg::WARP_W-1:0]    cpl_warp_o,
  output logic [hd_pkg::SLOT_W-1:0]    cpl_slot_o,
  output logic                         cpl_last_o,
  output logic [hd_pkg::STATUS_W-1:0]  cpl_status_o,
  output logic [Lanes-1:0]             cpl_tcm_o,
  output logic [Lanes-1:0]             cpl_mask_o,
  output logic [Lanes*WordW-1:0]       cpl_data_o,
  output logic [Warps-1:0]             ctl_done_o,
  output logic [31:0]                  ctl_clock_o,
  output logic                         flush_done_o,
  // up link
  output logic                         up_valid_o,
  output logic [hd_pkg::VN_W-1:0]      up_vn_o,
  output logic                         up_tail_o,
  output logic [FlitW-1:0]             up_flit_o,
  input  logic [UpNets-1:0]            up_credit_i,
  // down link
  input  logic                         dn_valid_i,
  input  logic [hd_pkg::VN_W-1:0]      dn_vn_i,
  input  logic                         dn_tail_i,
  input  logic [DownW-1:0]             dn_flit_i,
  output logic [DownNets-1:0]          dn_credit_o,
  // observation
  output logic                         st_valid_o,
  output logic [LineW-1:0]             st_line_o,
  output logic [1:0]                   st_state_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]       dbg_mshr_o,        // entries in use
  output logic [Warps-1:0]             dbg_ld_o,          // warps with uncompleted loads
  output logic [Warps-1:0]             dbg_st_o,          // warps with uncompleted stores
  output logic [Warps-1:0]             dbg_cause0_o,      // with Stalls: bits of hd_pkg::stall_e
  output logic [Warps-1:0]             dbg_cause1_o,
  output logic [Warps-1:0]             dbg_cause2_o,
  output logic [Warps-1:0]             dbg_cause3_o,
  output logic                         dbg_pipe_o,        // an access waits in front of the L1
  output logic                         dbg_credit_home_o, // every up credit is home
  output logic                         idle_o
);
  localparam int unsigned WarpW = hd_pkg::idx_w(Warps);
  localparam int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW;
  localparam int unsigned LdsW = hd_pkg::idx_w(LdsRows * LineWords);
  // Ordering hardware sees LDS operations cut into lines; else they carry a word number a lane.
  localparam int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords)
                                   + ((Order != hd_pkg::ORDER_NONE) ? 0 : Lanes * LdsW);
  localparam int unsigned BodyW = LineW + PlaceW + DataW + Lanes * 32;
  localparam int unsigned ReqW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned HeadW = hd_pkg::family_head_w(Family, Lanes);
  localparam int unsigned DnW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned PerfW = $clog2(Lanes + 1) + hd_pkg::PERFORMED_W;
  `include "hd_fits.svh"

  // Signals have the prefix of the block that drives them.
  hd_pkg::policy_s           ct_policy;
  hd_pkg::access_s           op_acc, fr_acc, or_acc;
  logic                      ct_tick, ct_clear, ct_flush_busy;
  logic                      fr_valid, fr_issue, fr_flush, fr_last, fr_mark, fr_idle;
  logic                      or_valid, or_ready, or_drained, or_idle;
  logic                      me_ready, me_dn_ready, me_fw_ready, me_mark_ready, me_req, me_rsp;
  logic                      me_perf_valid, me_flushing, me_l1_idle, me_idle;
  logic                      en_req_ready, en_rsp_ready, en_dn, en_fw, en_ty_dn, en_pack;
  logic                      en_sent, en_idle;
  logic [1:0]                or_ty_valid, en_ty_ready;
  logic [WarpW-1:0]          fr_warp;
  logic [Warps-1:0]          ct_hold, or_busy, or_unsafe, or_hold, me_tm_hold;
  logic [BodyW-1:0]          fr_body, or_body;
  logic [7:0]                fr_mark_id, en_pack_id;
  logic [PerfW-1:0]          me_perf;
  logic [HeadW+ReqW-1:0]     me_req_packet;
  logic [HeadW+LineWords*WordW-1:0] me_rsp_packet;
  logic [HeadW+DnW-1:0]      en_dn_packet;
  logic [HeadW-1:0]          en_fw_head;
  logic [hd_pkg::HEAD_W-1:0] en_ty_dn_head;
  logic [2*hd_pkg::HEAD_W-1:0] or_ty_head;
  logic [3:0]                fr_ev;
  logic [hd_pkg::ORDER_EV_NUM-1:0] or_ev;
  logic [hd_pkg::EV_SM_NUM-1:0] me_ev;

  // ---- control ----------------------------------------------------------------------------------
  hd_sm_control #(
    .Warps(Warps), .ClkRatio(ClkRatio)
  ) u_control (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .now_i(now_i),
    .tick_o(ct_tick),
    .policy_i(policy_i),
    .policy_o(ct_policy),
    .order_hold_i(or_hold),
    .hold_o(ct_hold),
    .op_valid_i(op_valid_i),
    .op_acc_i(op_acc),
    .clear_o(ct_clear),
    .flush_i(fr_flush),
    .flushing_i(me_flushing),
    .l1_idle_i(me_l1_idle),
    .links_sent_i(en_sent),
    .flush_busy_o(ct_flush_busy),
    .flush_done_o(flush_done_o)
  );
  // ---- issue ------------------------------------------------------------------------------------
  hd_op_access u_op (
    .op_warp_i(op_warp_i),
    .op_kind_i(op_kind_i),
    .op_fn_i(op_fn_i),
    .op_space_i(op_space_i),
    .op_order_i(op_order_i),
    .op_scope_i(op_scope_i),
    .op_ro_i(op_ro_i),
    .acc_o(op_acc)
  );
  hd_sm_front #(
    `include "hd_pass.svh"
  ) u_front (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .now_i(now_i),
    .policy_i(ct_policy),
    .op_valid_i(op_valid_i),
    .op_acc_i(op_acc),
    .op_alu_i(op_alu_i),
    .op_block_i(op_block_i),
    .op_lanes_i({op_mask_i, op_addr_i, op_data_i, op_cmp_i}),
    .op_taken_o(op_taken_o),
    .op_taken_warp_o(op_taken_warp_o),
    .op_taken_slot_o(op_taken_slot_o),
    .ctl_done_o(ctl_done_o),
    .ctl_clock_o(ctl_clock_o),
    .flush_o(fr_flush),
    .mark_valid_o(fr_mark),
    .mark_ready_i(me_mark_ready),
    .mark_id_o(fr_mark_id),
    .pack_valid_i(en_pack),
    .pack_id_i(en_pack_id),
    .issue_valid_o(fr_issue),
    .issue_warp_o(fr_warp),
    .order_busy_i(or_busy),
    .order_last_i(or_unsafe),
    .order_hold_i(ct_hold),
    .tm_hold_i(me_tm_hold),
    .la_valid_o(fr_valid),
    .la_ready_i(or_ready),
    .la_acc_o(fr_acc),
    .la_body_o(fr_body),
    .perf_valid_i(me_perf_valid),
    .perf_i(me_perf),
    .perf_last_o(fr_last),
    .ev_o(fr_ev),
    .dbg_o({dbg_cause3_o, dbg_cause2_o, dbg_cause1_o, dbg_cause0_o, dbg_st_o, dbg_ld_o}),
    .idle_o(fr_idle)
  );
  // ---- order ------------------------------------------------------------------------------------
  hd_order_stage #(
    `include "hd_pass.svh"
  ) u_order (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .policy_i(ct_policy),
    .clear_i(ct_clear),
    .la_valid_i(fr_valid),
    .la_ready_o(or_ready),
    .la_acc_i(fr_acc),
    .la_body_i(fr_body),
    .lo_valid_o(or_valid),
    .lo_ready_i(me_ready),
    .lo_acc_o(or_acc),
    .lo_body_o(or_body),
    .perf_valid_i(me_perf_valid),
    .perf_i(me_perf[hd_pkg::PERFORMED_W-1:0]),
    .issue_i(fr_issue),
    .issue_warp_i(fr_warp),
    .dn_valid_i(en_ty_dn),
    .dn_head_i(en_ty_dn_head),
    .ty_valid_o(or_ty_valid),
    .ty_ready_i(en_ty_ready),
    .ty_head_o(or_ty_head),
    .busy_o(or_busy),
    .unsafe_o(or_unsafe),
    .hold_o(or_hold),
    .ev_o(or_ev),
    .drained_o(or_drained),
    .idle_o(or_idle)
  );
  // ---- L1 and LDS -------------------------------------------------------------------------------
  hd_sm_memory #(
    `include "hd_pass.svh"
  ) u_memory (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .policy_i(ct_policy),
    .lo_valid_i(or_valid),
    .lo_ready_o(me_ready),
    .lo_acc_i(or_acc),
    .lo_body_i(or_body),
    .dn_valid_i(en_dn),
    .dn_ready_o(me_dn_ready),
    .dn_packet_i(en_dn_packet),
    .fw_valid_i(en_fw),
    .fw_ready_o(me_fw_ready),
    .fw_head_i(en_fw_head),
    .req_valid_o(me_req),
    .req_ready_i(en_req_ready),
    .req_packet_o(me_req_packet),
    .rsp_valid_o(me_rsp),
    .rsp_ready_i(en_rsp_ready),
    .rsp_packet_o(me_rsp_packet),
    .perf_valid_o(me_perf_valid),
    .perf_o(me_perf),
    .perf_last_i(fr_last),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o({cpl_status_o, cpl_last_o, cpl_slot_o, cpl_warp_o, cpl_tcm_o, cpl_mask_o, cpl_data_o}),
    .tm_hold_o(me_tm_hold),
    .mark_valid_i(fr_mark),
    .mark_ready_o(me_mark_ready),
    .mark_id_i(fr_mark_id),
    .flush_begin_i({fr_flush, ct_clear}),
    .flushing_o(me_flushing),
    .st_valid_o(st_valid_o),
    .st_line_o(st_line_o),
    .st_state_o(st_state_o),
    .ev_o(me_ev),
    .mshr_busy_o(dbg_mshr_o),
    .l1_idle_o(me_l1_idle),
    .idle_o(me_idle)
  );
  // ---- links ------------------------------------------------------------------------------------
  hd_sm_ends #(
    `include "hd_pass.svh"
  ) u_ends (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(ct_tick),
    .req_valid_i(me_req),
    .req_ready_o(en_req_ready),
    .req_packet_i(me_req_packet),
    .rsp_valid_i(me_rsp),
    .rsp_ready_o(en_rsp_ready),
    .rsp_packet_i(me_rsp_packet),
    .dn_valid_o(en_dn),
    .dn_ready_i(me_dn_ready),
    .dn_packet_o(en_dn_packet),
    .fw_valid_o(en_fw),
    .fw_ready_i(me_fw_ready),
    .fw_head_o(en_fw_head),
    .ty_valid_i(or_ty_valid),
    .ty_ready_o(en_ty_ready),
    .ty_head_i(or_ty_head),
    .ty_dn_valid_o(en_ty_dn),
    .ty_dn_head_o(en_ty_dn_head),
    .pack_valid_o(en_pack),
    .pack_id_o(en_pack_id),
    .up_valid_o(up_valid_o),
    .up_beat_o({up_vn_o, up_tail_o, up_flit_o}),
    .up_credit_i(up_credit_i),
    .dn_valid_i(dn_valid_i),
    .dn_beat_i({dn_vn_i, dn_tail_i, dn_flit_i}),
    .dn_credit_o(dn_credit_o),
    .sent_o(en_sent),
    .credit_home_o(dbg_credit_home_o),
    .idle_o(en_idle)
  );
  // ---- what others see --------------------------------------------------------------------------
  hd_sm_events u_events (
    .memory_ev_i(me_ev),
    .issue_ev_i(fr_ev),
    .order_ev_i(or_ev),
    .flush_done_i(flush_done_o),
    .ev_o(ev_o)
  );
  assign dbg_pipe_o = fr_valid || or_valid;
  assign idle_o = fr_idle && or_idle && me_idle && en_idle && !ct_flush_busy && !flush_done_o;

  logic unused;
  assign unused = ^{ct_policy, me_perf, or_drained};
endmodule
`default_nettype wire
