// hd_sm_tile.sv - one streaming multiprocessor: warp slots, scheduler, ordering, L1, LDS, links.
//
//   warp port -> hd_sm_front -> hd_order_stage -> hd_sm_memory <-> hd_sm_links <-> up, down
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
  localparam int unsigned CntW = $clog2(Lanes + 1);
  localparam int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW;
  localparam int unsigned LdsW = hd_pkg::idx_w(LdsRows * LineWords);
  // Ordering hardware sees LDS operations cut into lines; else they carry a word number a lane.
  localparam int unsigned SplitLds = (Order != hd_pkg::ORDER_NONE) ? 1 : 0;
  localparam int unsigned L1PlaceW = hd_pkg::place_w(Lanes, LineWords);
  localparam int unsigned PlaceW = L1PlaceW + ((SplitLds != 0) ? 0 : Lanes * LdsW);
  // A tag of the ordering hardware goes with an access and comes back when it was performed.
  localparam int unsigned TagW = (Order != hd_pkg::ORDER_NONE) ? hd_pkg::TAG_W : 0;
  localparam int unsigned ReqW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned HeadW = hd_pkg::family_head_w(Family, Lanes);
  localparam int unsigned DnDataW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords);
  if (WideFill != 0 && Family != hd_pkg::FAMILY_MESI) begin : g_bad_fill
    $error("hd_sm_tile: WideFill needs Family MESI");
  end
  `include "hd_fits.svh"

  // Signals have the prefix of the block that drives them.
  hd_pkg::policy_s           ct_policy;
  logic [Warps-1:0]          me_tm_hold;
  logic                      ct_tick, ct_clear, ct_flush_busy, me_scoped, me_cpl_valid;
  logic [Warps-1:0]          ct_hold;
  hd_pkg::access_s           op_acc, la_acc, lo_acc;
  logic                      fr_issue, fr_flush, fr_last, fr_idle;
  logic [WarpW-1:0]          fr_warp;
  logic [3:0]                fr_ev;
  logic                      la_valid, lo_valid;
  logic [LineW-1:0]          la_line, lo_line;
  logic [PlaceW-1:0]         la_place, lo_place;
  logic [DataW-1:0]          la_data, lo_data;
  logic [Lanes*32-1:0]       la_cmp, lo_cmp;
  logic                      or_ready, or_req_valid, or_ack_valid, or_drained, or_idle;
  logic [hd_pkg::HEAD_W-1:0] or_req_head, or_ack_head;
  logic [Warps-1:0]          or_busy, or_unsafe, or_hold;
  logic [hd_pkg::ORDER_EV_NUM-1:0] or_ev;
  logic                      me_ready, me_dn_ready, me_req_valid, me_rsp_valid, me_perf_valid;
  logic                      me_flushing, me_l1_idle, me_idle;
  logic [HeadW-1:0]          me_req_head, me_rsp_head;
  logic [ReqW-1:0]           me_req_body;
  logic [LineWords*WordW-1:0] me_rsp_data;
  hd_pkg::performed_s        me_perf;
  logic [CntW-1:0]           me_perf_lanes;
  hd_pkg::completion_s       me_cpl;
  logic [hd_pkg::EV_SM_NUM-1:0] me_ev;
  logic                      li_req_ready, li_rsp_ready, li_or_req_ready, li_or_ack_ready;
  logic                      li_dn_valid, li_type_dn, li_sent, li_idle, li_fw_valid, me_fw_ready;
  logic [HeadW-1:0]          li_fw_head;
  logic [HeadW-1:0]          li_dn_head;
  logic [DnDataW-1:0]        li_dn_data;
  logic                      fr_pb_arrive, fr_pb_exit, pb_mark, pb_pack, pb_idle;
  logic [1:0]                fr_pb_scope;
  logic [Warps-1:0]          pb_wait, pb_done;
  logic                      me_mark_ready;
  hd_pkg::head_s             pb_answer;
  logic [7:0]                pb_id;

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
    .links_sent_i(li_sent),
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
    .SplitLds(SplitLds),
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
    .op_mask_i(op_mask_i),
    .op_addr_i(op_addr_i),
    .op_data_i(op_data_i),
    .op_cmp_i(op_cmp_i),
    .op_taken_o(op_taken_o),
    .op_taken_warp_o(op_taken_warp_o),
    .op_taken_slot_o(op_taken_slot_o),
    .ctl_done_o(ctl_done_o),
    .ctl_clock_o(ctl_clock_o),
    .flush_o(fr_flush),
    .pb_arrive_o(fr_pb_arrive),
    .pb_exit_o(fr_pb_exit),
    .pb_scope_o(fr_pb_scope),
    .pb_wait_i(pb_wait),
    .pb_done_i(pb_done),
    .issue_valid_o(fr_issue),
    .issue_warp_o(fr_warp),
    .order_busy_i(or_busy),
    .order_last_i(or_unsafe),
    .order_hold_i(ct_hold),
    .tm_hold_i(me_tm_hold),
    .la_valid_o(la_valid),
    .la_ready_i(or_ready),
    .la_acc_o(la_acc),
    .la_line_o(la_line),
    .la_place_o(la_place),
    .la_data_o(la_data),
    .la_cmp_o(la_cmp),
    .perf_valid_i(me_perf_valid),
    .perf_i(me_perf),
    .perf_lanes_i(me_perf_lanes),
    .perf_last_o(fr_last),
    .ev_o(fr_ev),
    .ld_pend_o(dbg_ld_o),
    .st_pend_o(dbg_st_o),
    .cause_o({dbg_cause3_o, dbg_cause2_o, dbg_cause1_o, dbg_cause0_o}),
    .idle_o(fr_idle)
  );
  // ---- order ------------------------------------------------------------------------------------
  hd_order_stage #(
    .LineW(LineW), .PlaceW(PlaceW), .DataW(DataW), .CmpW(Lanes * 32),
    `include "hd_pass.svh"
  ) u_order (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .merge_i(ct_policy.marker_merge),
    .ahead_i(ct_policy.type_prefetch),
    .clear_i(ct_clear),
    .la_valid_i(la_valid),
    .la_ready_o(or_ready),
    .la_acc_i(la_acc),
    .la_line_i(la_line),
    .la_place_i(la_place),
    .la_data_i(la_data),
    .la_cmp_i(la_cmp),
    .lo_valid_o(lo_valid),
    .lo_ready_i(me_ready),
    .lo_acc_o(lo_acc),
    .lo_line_o(lo_line),
    .lo_place_o(lo_place),
    .lo_data_o(lo_data),
    .lo_cmp_o(lo_cmp),
    .perf_valid_i(me_perf_valid),
    .perf_warp_i(me_perf.warp[WarpW-1:0]),
    .perf_tag_i(me_perf.tag),
    .issue_i(fr_issue),
    .issue_warp_i(fr_warp),
    .dn_valid_i(li_type_dn),
    .dn_head_i(li_dn_head[hd_pkg::HEAD_W-1:0]),
    .req_valid_o(or_req_valid),
    .req_ready_i(li_or_req_ready),
    .req_head_o(or_req_head),
    .ack_valid_o(or_ack_valid),
    .ack_ready_i(li_or_ack_ready),
    .ack_head_o(or_ack_head),
    .busy_o(or_busy),
    .unsafe_o(or_unsafe),
    .hold_o(or_hold),
    .ev_o(or_ev),
    .drained_o(or_drained),
    .idle_o(or_idle)
  );
  // ---- L1 and LDS -------------------------------------------------------------------------------
  hd_sm_memory #(
    .SplitLds(SplitLds), .TagW(TagW),
    `include "hd_pass.svh"
  ) u_memory (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .scoped_i(me_scoped),
    .read_only_i(ct_policy.read_only),
    .nv_base_i(ct_policy.nv_base),
    .lo_valid_i(lo_valid),
    .lo_ready_o(me_ready),
    .lo_acc_i(lo_acc),
    .lo_line_i(lo_line),
    .lo_place_i(lo_place),
    .lo_data_i(lo_data),
    .lo_cmp_i(lo_cmp),
    .dn_valid_i(li_dn_valid && !pb_pack),
    .dn_ready_o(me_dn_ready),
    .dn_head_i(li_dn_head),
    .dn_data_i(li_dn_data),
    .fw_valid_i(li_fw_valid),
    .fw_ready_o(me_fw_ready),
    .fw_head_i(li_fw_head),
    .req_valid_o(me_req_valid),
    .req_ready_i(li_req_ready),
    .req_head_o(me_req_head),
    .req_body_o(me_req_body),
    .rsp_valid_o(me_rsp_valid),
    .rsp_ready_i(li_rsp_ready),
    .rsp_head_o(me_rsp_head),
    .rsp_data_o(me_rsp_data),
    .perf_valid_o(me_perf_valid),
    .perf_o(me_perf),
    .perf_lanes_o(me_perf_lanes),
    .perf_last_i(fr_last),
    .cpl_valid_o(me_cpl_valid),
    .cpl_o(me_cpl),
    .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o),
    .cpl_tcm_o(cpl_tcm_o),
    .tm_hold_o(me_tm_hold),
    .mark_valid_i(pb_mark),
    .mark_ready_o(me_mark_ready),
    .mark_id_i(pb_id),
    .flush_i(fr_flush),
    .begin_i(ct_clear),
    .flushing_o(me_flushing),
    .st_valid_o(st_valid_o),
    .st_line_o(st_line_o),
    .st_state_o(st_state_o),
    .ev_o(me_ev),
    .mshr_busy_o(dbg_mshr_o),
    .l1_idle_o(me_l1_idle),
    .idle_o(me_idle)
  );
  assign me_scoped = ct_policy.model == hd_pkg::MODEL_HRF;
  // A fence that the L1 has done completes no operation of the warp port: its warp goes on.
  if (Family == hd_pkg::FAMILY_GPU || Family == hd_pkg::FAMILY_DENOVO) begin : g_fences
    assign cpl_valid_o = me_cpl_valid && cpl_mask_o != '0;
  end else begin : g_no_fences
    assign cpl_valid_o = me_cpl_valid;
  end
  // ---- persist barriers -------------------------------------------------------------------------
  assign pb_answer = li_dn_head[hd_pkg::HEAD_W-1:0];
  if (Persist != 0) begin : g_persist
    assign pb_pack = li_dn_valid && pb_answer.kind == hd_pkg::MSG_PACK;
    hd_pbarrier #(
      .Warps(Warps),
      .Blocks(Blocks),
      .Buffered((Persist == 2) ? 1 : 0)
    ) u_pbarrier (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .launch_i(op_valid_i && op_kind_i == hd_pkg::OP_LAUNCH),
      .launch_warp_i(op_warp_i[WarpW-1:0]),
      .launch_block_i(op_block_i[hd_pkg::idx_w(Blocks)-1:0]),
      .arrive_i(fr_pb_arrive),
      .exit_i(fr_pb_exit),
      .warp_i(fr_warp),
      .arrive_scope_i(fr_pb_scope),
      .wait_o(pb_wait),
      .done_o(pb_done),
      .mark_valid_o(pb_mark),
      .mark_ready_i(me_mark_ready),
      .mark_id_o(pb_id),
      .pack_valid_i(pb_pack),
      .pack_id_i(pb_answer.opid[7:0]),
      .idle_o(pb_idle)
    );
  end else begin : g_no_persist
    assign {pb_pack, pb_mark, pb_wait, pb_done, pb_id} = '0;
    assign pb_idle = 1'b1;
    logic unused_persist;
    assign unused_persist = ^{fr_pb_arrive, fr_pb_exit, fr_pb_scope, me_mark_ready};
  end
  // ---- links ------------------------------------------------------------------------------------
  if (Family == hd_pkg::FAMILY_DENOVO) begin : g_denovo
    hd_coh_links #(
      .LineWords(LineWords), .WordW(WordW), .RxDepth(RxDepth), .TxCredits(TxCredits),
      .FlitWords(FlitWords)
    ) u_links (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .tick_i(ct_tick),
      .tx_head_valid_i(me_req_valid),
      .tx_head_ready_o(li_req_ready),
      .tx_head_i(me_req_head),
      .tx_rsp_valid_i(me_rsp_valid),
      .tx_rsp_ready_o(li_rsp_ready),
      .tx_rsp_head_i(me_rsp_head),
      .tx_rsp_data_i(me_rsp_data),
      .rx_head_valid_o(li_fw_valid),
      .rx_head_ready_i(me_fw_ready),
      .rx_head_o(li_fw_head),
      .rx_rsp_valid_o(li_dn_valid),
      .rx_rsp_ready_i(me_dn_ready),
      .rx_rsp_head_o(li_dn_head),
      .rx_rsp_data_o(li_dn_data),
      .up_valid_o(up_valid_o),
      .up_vn_o(up_vn_o),
      .up_tail_o(up_tail_o),
      .up_flit_o(up_flit_o),
      .up_credit_i(up_credit_i),
      .dn_valid_i(dn_valid_i),
      .dn_vn_i(dn_vn_i),
      .dn_tail_i(dn_tail_i),
      .dn_flit_i(dn_flit_i),
      .dn_credit_o(dn_credit_o),
      .sent_o(li_sent),
      .credit_home_o(dbg_credit_home_o),
      .idle_o(li_idle)
    );
    assign li_type_dn      = 1'b0;
    assign li_or_req_ready = 1'b0;
    assign li_or_ack_ready = 1'b0;
    logic unused_denovo;
    assign unused_denovo = ^{me_req_body, or_req_valid, or_req_head, or_ack_valid, or_ack_head};
  end else begin : g_links
    hd_sm_links #(
      .Family(Family), .Noc(Noc), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
      .RxDepth(RxDepth), .TxCredits(TxCredits), .WideFill(WideFill),
      .FlitWords(FlitWords)
    ) u_links (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .tick_i(ct_tick),
      .req_valid_i(me_req_valid),
      .req_ready_o(li_req_ready),
      .req_head_i(me_req_head),
      .req_body_i(me_req_body),
      .rsp_valid_i(me_rsp_valid),
      .rsp_ready_o(li_rsp_ready),
      .rsp_head_i(me_rsp_head),
      .rsp_data_i(me_rsp_data),
      .type_req_valid_i(or_req_valid),
      .type_req_ready_o(li_or_req_ready),
      .type_req_head_i(or_req_head),
      .type_ack_valid_i(or_ack_valid),
      .type_ack_ready_o(li_or_ack_ready),
      .type_ack_head_i(or_ack_head),
      .type_dn_valid_o(li_type_dn),
      .dn_valid_o(li_dn_valid),
      .dn_ready_i(me_dn_ready || pb_pack),
      .dn_head_o(li_dn_head),
      .dn_data_o(li_dn_data),
      .up_valid_o(up_valid_o),
      .up_vn_o(up_vn_o),
      .up_tail_o(up_tail_o),
      .up_flit_o(up_flit_o),
      .up_credit_i(up_credit_i),
      .dn_valid_i(dn_valid_i),
      .dn_vn_i(dn_vn_i),
      .dn_tail_i(dn_tail_i),
      .dn_flit_i(dn_flit_i),
      .dn_credit_o(dn_credit_o),
      .sent_o(li_sent),
      .credit_home_o(dbg_credit_home_o),
      .idle_o(li_idle)
    );
    assign li_fw_valid = 1'b0;
    assign li_fw_head  = '0;
    logic unused_forwards;
    assign unused_forwards = me_fw_ready;
  end
  // ---- what others see --------------------------------------------------------------------------
  hd_sm_events u_events (
    .memory_ev_i(me_ev),
    .issue_ev_i(fr_ev),
    .order_ev_i(or_ev),
    .flush_done_i(flush_done_o),
    .ev_o(ev_o)
  );
  assign cpl_warp_o      = me_cpl.warp;
  assign cpl_slot_o      = me_cpl.slot;
  assign cpl_last_o      = me_cpl.last;
  assign cpl_status_o    = me_cpl.status;
  assign dbg_pipe_o      = la_valid || lo_valid;
  assign idle_o = pb_idle && fr_idle && or_idle && me_idle && li_idle && !ct_flush_busy
                  && !flush_done_o;

  // A packet from the crossbar is for the L1 or for the ordering hardware.
  `HD_ASSERT(a_packet_for_one, !(li_dn_valid && li_type_dn))

  logic unused;
  assign unused = ^{pb_answer, ct_policy, me_perf, me_cpl, or_drained};
endmodule
`default_nettype wire
