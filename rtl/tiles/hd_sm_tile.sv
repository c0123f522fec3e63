// hd_sm_tile.sv - one streaming multiprocessor: warp slots, scheduler, ordering, L1, LDS, links.
//
//   warp port -> hd_issue + hd_op_buffer -> hd_coalescer -> queue of 2 -> hd_order_stage
//                    ^                                                           |
//                    |                       links <-> hd_l1 <- hd_access_route -'
//                    |                                   |          '-> hd_lds
//               hd_scoreboard <----- hd_completion <-----'-----------------'
//
// Papers: 1 (sections 2 to 3.4, Table 2), 2 (MSHRs or pending request table). Every port group is
// described in docs/tiles.md; in short:
// op     warp port: at most one operation a cycle into the one-deep buffer of a warp; op_taken_*
//        when it issues.
// cpl    a line access was performed; ctl: fences, barriers, exits, clocks.
// up     link to the crossbar: UP_REQ requests, UP_RSP answers and writebacks. dn: link
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
  input  logic [hd_pkg::UP_NETS-1:0]   up_credit_i,
  // down link
  input  logic                         dn_valid_i,
  input  logic [hd_pkg::VN_W-1:0]      dn_vn_i,
  input  logic                         dn_tail_i,
  input  logic [DownW-1:0]             dn_flit_i,
  output logic [hd_pkg::DOWN_NETS-1:0] dn_credit_o,
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
  localparam int unsigned SlotW = hd_pkg::idx_w(Slots);
  localparam int unsigned BlockW = hd_pkg::idx_w(Blocks);
  localparam int unsigned CntW = $clog2(Lanes + 1);
  localparam int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW;
  localparam int unsigned LdsW = hd_pkg::idx_w(LdsRows * LineWords);
  // Ordering hardware sees LDS operations cut into lines; else they carry a word number a lane.
  localparam int unsigned SplitLds = (Order != hd_pkg::ORDER_NONE) ? 1 : 0;
  localparam int unsigned L1PlaceW = hd_pkg::place_w(Lanes, LineWords);
  localparam int unsigned PlaceW = L1PlaceW + ((SplitLds != 0) ? 0 : Lanes * LdsW);
  localparam int unsigned LaW = hd_pkg::ACCESS_W + LineW + PlaceW + DataW + Lanes * 32;
  // What L1 and LDS call a slot: the scoreboard's and, above it, a tag of the ordering hardware.
  localparam int unsigned TagW = (Order != hd_pkg::ORDER_NONE) ? hd_pkg::TAG_W : 0;
  localparam int unsigned L1SlotW = hd_pkg::SLOT_W + TagW;
  localparam int unsigned ReqW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned HeadW = hd_pkg::head_w(Lanes);
  localparam int unsigned DnDataW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords);
  if (WideFill != 0 && Family != hd_pkg::FAMILY_MESI) begin : g_bad_fill
    $error("hd_sm_tile: WideFill needs Family MESI");
  end
  `include "hd_fits.svh"

  // Signals have the prefix of the block that drives them.
  hd_pkg::policy_s           ct_policy;
  logic                      ct_tick, ct_clear, ct_flush_busy;
  logic [Warps-1:0]          ct_hold;
  hd_pkg::access_s           op_acc, is_acc, co_acc, la_acc, lo_acc;
  logic                      is_valid, is_ld, is_st, is_acq, is_mem, is_flush, is_idle;
  logic [WarpW-1:0]          is_warp, is_taken_warp;
  logic [SlotW-1:0]          is_taken_slot, sb_slot;
  logic [3:0]                is_ev;
  logic [Lanes-1:0]          ob_mask;
  logic [Lanes*32-1:0]       ob_addr, ob_cmp;
  logic [Lanes*WordW-1:0]    ob_data;
  logic                      sb_last, sb_empty;
  logic [Warps-1:0]          sb_full, sb_acq;
  logic                      co_ready, co_open, co_valid, co_idle;
  logic [WarpW-1:0]          co_open_warp;
  logic [SlotW-1:0]          co_open_slot;
  logic [CntW-1:0]           co_open_lanes;
  logic                      la_valid, la_room, lo_valid;
  logic [1:0]                la_count;
  logic [LineW-1:0]          co_line, la_line, lo_line;
  logic [PlaceW-1:0]         co_place, la_place, lo_place;
  logic [DataW-1:0]          co_data, la_data, lo_data;
  logic [Lanes*32-1:0]       co_cmp, la_cmp, lo_cmp;
  logic                      or_ready, or_req_valid, or_ack_valid, or_drained, or_idle;
  logic [hd_pkg::HEAD_W-1:0] or_req_head, or_ack_head;
  logic [Warps-1:0]          or_busy, or_unsafe, or_hold;
  logic [hd_pkg::ORDER_EV_NUM-1:0] or_ev;
  logic                      ro_ready, ro_l1_valid, ro_lds_valid;
  logic [L1PlaceW-1:0]       ro_l1_place;
  logic [Lanes-1:0]          ro_lds_mask;
  logic [Lanes*LdsW-1:0]     ro_lds_word;
  logic                      l1_ready, l1_dn_ready, l1_req_valid, l1_rsp_valid, l1_perf_valid;
  logic                      l1_cpl_valid, l1_flushing, l1_idle;
  logic [HeadW-1:0]          l1_req_head, l1_rsp_head;
  logic [ReqW-1:0]           l1_req_body;
  logic [LineWords*WordW-1:0] l1_rsp_data;
  logic [hd_pkg::WARP_W-1:0] l1_perf_warp, lds_perf_warp, cp_warp;
  logic [L1SlotW-1:0]        l1_perf_slot, lds_perf_slot;
  logic [CntW-1:0]           l1_perf_lanes, lds_perf_lanes, cp_lanes;
  hd_pkg::completion_s       l1_cpl, lds_cpl, cp_cpl;
  logic [Lanes-1:0]          l1_cpl_mask, lds_cpl_mask;
  logic [Lanes*WordW-1:0]    l1_cpl_data, lds_cpl_data;
  logic [hd_pkg::EV_SM_NUM-1:0] l1_ev;
  logic                      lds_ready, lds_perf_valid, lds_cpl_valid, lds_idle;
  logic [1:0]                lds_ev;
  logic                      cp_valid, cp_lds_ready;
  logic [hd_pkg::SLOT_W-1:0] cp_slot;
  logic [hd_pkg::TAG_W-1:0]  cp_tag;
  logic                      li_req_ready, li_rsp_ready, li_or_req_ready, li_or_ack_ready;
  logic                      li_dn_valid, li_type_dn, li_sent, li_idle;
  logic [HeadW-1:0]          li_dn_head;
  logic [DnDataW-1:0]        li_dn_data;

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
    .flush_i(is_flush),
    .flushing_i(l1_flushing),
    .l1_idle_i(l1_idle),
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
  hd_issue #(
    .Warps(Warps), .Blocks(Blocks), .Slots(Slots), .Stalls(Stalls)
  ) u_issue (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .now_i(now_i),
    .op_valid_i(op_valid_i),
    .op_acc_i(op_acc),
    .op_alu_i(op_alu_i),
    .op_block_i(op_block_i[BlockW-1:0]),
    .policy_model_i(ct_policy.model),
    .policy_sched_i(ct_policy.scheduler),
    .issue_valid_o(is_valid),
    .issue_warp_o(is_warp),
    .issue_is_ld_o(is_ld),
    .issue_is_st_o(is_st),
    .issue_acq_o(is_acq),
    .issue_slot_i(sb_slot),
    .full_i(sb_full),
    .ld_pend_i(dbg_ld_o),
    .st_pend_i(dbg_st_o),
    .acq_block_i(sb_acq),
    .order_busy_i(or_busy),
    .order_last_i(or_unsafe),
    .order_hold_i(ct_hold),
    .mem_ready_i(co_ready),
    .mem_valid_o(is_mem),
    .mem_acc_o(is_acc),
    .op_taken_o(op_taken_o),
    .op_taken_warp_o(is_taken_warp),
    .op_taken_slot_o(is_taken_slot),
    .ctl_done_o(ctl_done_o),
    .ctl_clock_o(ctl_clock_o),
    .flush_o(is_flush),
    .ev_issue_alu_o(is_ev[0]),
    .ev_issue_mem_o(is_ev[1]),
    .ev_issue_ctl_o(is_ev[2]),
    .ev_stall_pipe_o(is_ev[3]),
    .cause0_o(dbg_cause0_o),
    .cause1_o(dbg_cause1_o),
    .cause2_o(dbg_cause2_o),
    .cause3_o(dbg_cause3_o),
    .idle_o(is_idle)
  );
  hd_op_buffer #(
    .Warps(Warps), .Lanes(Lanes), .WordW(WordW)
  ) u_op_buffer (
    .clk_i(clk_i),
    .op_valid_i(op_valid_i),
    .op_warp_i(op_warp_i[WarpW-1:0]),
    .op_kind_i(op_kind_i),
    .op_fn_i(op_fn_i),
    .op_mask_i(op_mask_i),
    .op_addr_i(op_addr_i),
    .op_data_i(op_data_i),
    .op_cmp_i(op_cmp_i),
    .re_i(is_valid),
    .re_warp_i(is_warp),
    .mask_o(ob_mask),
    .addr_o(ob_addr),
    .data_o(ob_data),
    .cmp_o(ob_cmp)
  );
  hd_scoreboard #(
    .Warps(Warps), .Lanes(Lanes), .Slots(Slots)
  ) u_scoreboard (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .issue_valid_i(is_valid),
    .issue_warp_i(is_warp),
    .issue_is_ld_i(is_ld),
    .issue_is_st_i(is_st),
    .issue_acq_i(is_acq),
    .issue_slot_o(sb_slot),
    .open_valid_i(co_open),
    .open_warp_i(co_open_warp),
    .open_slot_i(co_open_slot),
    .open_lanes_i(co_open_lanes),
    .perf_valid_i(cp_valid),
    .perf_warp_i(cp_warp[WarpW-1:0]),
    .perf_slot_i(cp_slot[SlotW-1:0]),
    .perf_lanes_i(cp_lanes),
    .perf_last_o(sb_last),
    .full_o(sb_full),
    .ld_pend_o(dbg_ld_o),
    .st_pend_o(dbg_st_o),
    .acq_block_o(sb_acq),
    .empty_o(sb_empty)
  );
  // ---- line accesses ----------------------------------------------------------------------------
  hd_coalescer #(
    .Warps(Warps), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .Slots(Slots),
    .LdsRows(LdsRows), .SplitLds(SplitLds)
  ) u_coalescer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .issue_valid_i(is_mem),
    .issue_acc_i(is_acc),
    .mask_i(ob_mask),
    .addr_i(ob_addr),
    .data_i(ob_data),
    .cmp_i(ob_cmp),
    .mem_ready_o(co_ready),
    .open_valid_o(co_open),
    .open_warp_o(co_open_warp),
    .open_slot_o(co_open_slot),
    .open_lanes_o(co_open_lanes),
    .la_valid_o(co_valid),
    .la_ready_i(la_room),
    .la_acc_o(co_acc),
    .la_line_o(co_line),
    .la_place_o(co_place),
    .la_data_o(co_data),
    .la_cmp_o(co_cmp),
    .idle_o(co_idle)
  );
  hd_fifo #(
    .Width(LaW), .Depth(2)
  ) u_line_accesses (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(co_valid),
    .in_ready_o(la_room),
    .in_data_i({co_acc, co_line, co_place, co_data, co_cmp}),
    .out_valid_o(la_valid),
    .out_ready_i(or_ready),
    .out_data_o({la_acc, la_line, la_place, la_data, la_cmp}),
    .count_o(la_count)
  );
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
    .lo_ready_i(ro_ready),
    .lo_acc_o(lo_acc),
    .lo_line_o(lo_line),
    .lo_place_o(lo_place),
    .lo_data_o(lo_data),
    .lo_cmp_o(lo_cmp),
    .perf_valid_i(cp_valid),
    .perf_warp_i(cp_warp[WarpW-1:0]),
    .perf_tag_i(cp_tag),
    .issue_i(is_valid),
    .issue_warp_i(is_warp),
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
  hd_access_route #(
    .Lanes(Lanes), .LineWords(LineWords), .LdsW(LdsW), .SplitLds(SplitLds)
  ) u_route (
    .lo_valid_i(lo_valid),
    .lo_ready_o(ro_ready),
    .lo_space_i(lo_acc.space),
    .lo_prefetch_i(lo_acc.prefetch),
    .lo_line_i(lo_line),
    .lo_place_i(lo_place),
    .l1_valid_o(ro_l1_valid),
    .l1_ready_i(l1_ready),
    .l1_place_o(ro_l1_place),
    .lds_valid_o(ro_lds_valid),
    .lds_ready_i(lds_ready),
    .lds_mask_o(ro_lds_mask),
    .lds_word_o(ro_lds_word)
  );
  hd_l1 #(
    .Family(Family), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .SlotW(L1SlotW),
    .Sets(L1Sets), .Ways(L1Ways), .WbEntries(WbEntries), .PartBits(PartBits),
    .Pending(Pending), .ReqCredits(ReqCredits), .MshrEntries(MshrEntries),
    .MshrTargets(MshrTargets), .StoreData(StoreData), .CasData(CasData),
    .MergeLanes(MergeLanes), .FlitWords(FlitWords)
  ) u_l1 (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .la_valid_i(ro_l1_valid),
    .la_ready_o(l1_ready),
    .la_acc_i(lo_acc),
    .la_line_i(lo_line),
    .la_place_i(ro_l1_place),
    .la_data_i(lo_data),
    .la_cmp_i(lo_cmp),
    .dn_valid_i(li_dn_valid),
    .dn_ready_o(l1_dn_ready),
    .dn_head_i(li_dn_head),
    .dn_data_i(li_dn_data),
    .req_valid_o(l1_req_valid),
    .req_ready_i(li_req_ready),
    .req_head_o(l1_req_head),
    .req_body_o(l1_req_body),
    .rsp_valid_o(l1_rsp_valid),
    .rsp_ready_i(li_rsp_ready),
    .rsp_head_o(l1_rsp_head),
    .rsp_data_o(l1_rsp_data),
    .perf_valid_o(l1_perf_valid),
    .perf_warp_o(l1_perf_warp),
    .perf_slot_o(l1_perf_slot),
    .perf_lanes_o(l1_perf_lanes),
    .perf_last_i(sb_last),
    .cpl_valid_o(l1_cpl_valid),
    .cpl_o(l1_cpl),
    .cpl_mask_o(l1_cpl_mask),
    .cpl_data_o(l1_cpl_data),
    .flush_i(is_flush),
    .flushing_o(l1_flushing),
    .st_valid_o(st_valid_o),
    .st_line_o(st_line_o),
    .st_state_o(st_state_o),
    .ev_o(l1_ev),
    .mshr_busy_o(dbg_mshr_o),
    .idle_o(l1_idle)
  );
  hd_lds #(
    .Lanes(Lanes), .Words(LdsRows * LineWords), .Banks(LdsBanks), .WordW(WordW),
    .SlotW(L1SlotW)
  ) u_lds (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(ro_lds_valid),
    .in_ready_o(lds_ready),
    .in_acc_i(lo_acc),
    .in_mask_i(ro_lds_mask),
    .in_word_i(ro_lds_word),
    .in_data_i(lo_data[Lanes*WordW-1:0]),
    .in_cmp_i(lo_cmp),
    .perf_valid_o(lds_perf_valid),
    .perf_ready_i(cp_lds_ready),
    .perf_warp_o(lds_perf_warp),
    .perf_slot_o(lds_perf_slot),
    .perf_lanes_o(lds_perf_lanes),
    .perf_last_i(sb_last),
    .cpl_valid_o(lds_cpl_valid),
    .cpl_o(lds_cpl),
    .cpl_mask_o(lds_cpl_mask),
    .cpl_data_o(lds_cpl_data),
    .ev_access_o(lds_ev[0]),
    .ev_conflict_o(lds_ev[1]),
    .idle_o(lds_idle)
  );
  hd_completion #(
    .Lanes(Lanes), .WordW(WordW), .TagW(TagW)
  ) u_completion (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .l1_perf_valid_i(l1_perf_valid),
    .l1_perf_warp_i(l1_perf_warp),
    .l1_perf_slot_i(l1_perf_slot),
    .l1_perf_lanes_i(l1_perf_lanes),
    .l1_cpl_valid_i(l1_cpl_valid),
    .l1_cpl_i(l1_cpl),
    .l1_cpl_mask_i(l1_cpl_mask),
    .l1_cpl_data_i(l1_cpl_data),
    .lds_perf_valid_i(lds_perf_valid),
    .lds_perf_ready_o(cp_lds_ready),
    .lds_perf_warp_i(lds_perf_warp),
    .lds_perf_slot_i(lds_perf_slot),
    .lds_perf_lanes_i(lds_perf_lanes),
    .lds_cpl_valid_i(lds_cpl_valid),
    .lds_cpl_i(lds_cpl),
    .lds_cpl_mask_i(lds_cpl_mask),
    .lds_cpl_data_i(lds_cpl_data),
    .perf_valid_o(cp_valid),
    .perf_warp_o(cp_warp),
    .perf_slot_o(cp_slot),
    .perf_tag_o(cp_tag),
    .perf_lanes_o(cp_lanes),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(cp_cpl),
    .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o)
  );
  // ---- links ------------------------------------------------------------------------------------
  hd_sm_links #(
    .Family(Family), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
    .RxDepth(RxDepth), .TxCredits(TxCredits), .WideFill(WideFill),
    .FlitWords(FlitWords)
  ) u_links (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(ct_tick),
    .req_valid_i(l1_req_valid),
    .req_ready_o(li_req_ready),
    .req_head_i(l1_req_head),
    .req_body_i(l1_req_body),
    .rsp_valid_i(l1_rsp_valid),
    .rsp_ready_o(li_rsp_ready),
    .rsp_head_i(l1_rsp_head),
    .rsp_data_i(l1_rsp_data),
    .type_req_valid_i(or_req_valid),
    .type_req_ready_o(li_or_req_ready),
    .type_req_head_i(or_req_head),
    .type_ack_valid_i(or_ack_valid),
    .type_ack_ready_o(li_or_ack_ready),
    .type_ack_head_i(or_ack_head),
    .type_dn_valid_o(li_type_dn),
    .dn_valid_o(li_dn_valid),
    .dn_ready_i(l1_dn_ready),
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
  // ---- what others see --------------------------------------------------------------------------
  hd_sm_events u_events (
    .l1_ev_i(l1_ev),
    .issue_ev_i(is_ev),
    .order_ev_i(or_ev),
    .lds_ev_i(lds_ev),
    .flush_done_i(flush_done_o),
    .ev_o(ev_o)
  );
  assign op_taken_warp_o = hd_pkg::WARP_W'(is_taken_warp);
  assign op_taken_slot_o = hd_pkg::SLOT_W'(is_taken_slot);
  assign cpl_warp_o      = cp_cpl.warp;
  assign cpl_slot_o      = cp_cpl.slot;
  assign cpl_last_o      = cp_cpl.last;
  assign dbg_pipe_o      = la_valid || lo_valid;
  // The coalescer cannot move while the queue is full, and L1 and LDS (when idle) do not move the
  // queue.
  assign idle_o = is_idle && (co_idle || !la_room) && or_idle && l1_idle && lds_idle && li_idle
      && !ct_flush_busy && !flush_done_o;

  logic unused;
  assign unused = ^{op_block_i, ct_policy, cp_warp, cp_slot, cp_cpl, lo_acc, la_count, or_drained,
      sb_empty};
endmodule
`default_nettype wire
