// hd_sm_tile.sv - one streaming multiprocessor: warp slots, scheduler, ordering, L1, LDS, links.
//
//   warp port -> hd_issue + hd_op_buffer -> hd_coalescer -> hd_l1_mesi + pending table -> links
//                    ^                                  '-> hd_lds |
//                    |        hd_scoreboard <- completions <--'----'
//
// Papers: 1 (sections 2 to 3.4, Table 2), 2 (MSHRs or pending request table). Every port group is
// described in docs/tiles.md; in short:
// op     warp port: at most one operation a cycle into the one-deep buffer of a warp; op_taken_*
//        when it issues.
// cpl    a line access was performed; ctl: fences, barriers, exits, clocks.
// up     link to the crossbar: VN_REQ single-flit requests, VN_RSP answers and writebacks. dn: link
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
  input  logic [hd_pkg::OP_W-1:0]                   op_kind_i,
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
  localparam int unsigned OffW = $clog2(LineWords);
  localparam int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW;
  localparam int unsigned LdsW = hd_pkg::idx_w(LdsRows * LineWords);
  // Ordering hardware sees LDS operations cut into lines; else they carry a word number a lane.
  localparam bit          Ordered = Order != hd_pkg::ORDER_NONE;
  localparam int unsigned HeadW = hd_pkg::head_w(Lanes);
  localparam int unsigned AccW  = 4 + Lanes + Lanes * OffW + LineWords;  // fn, mask, offs, wmask
  localparam int unsigned BodyW = AccW + (Ordered ? 1 : Lanes * LdsW);
  localparam int unsigned LaW = 1 + WarpW + SlotW + hd_pkg::OP_W + 1 + LineW + BodyW + DataW + Lanes * 32;
  // What L1 and LDS call a slot: the scoreboard's and, above it, a tag of the ordering hardware.
  localparam int unsigned TagW = Ordered ? hd_pkg::TAG_W : 0;
  localparam int unsigned L1SlotW = hd_pkg::SLOT_W + TagW;
  `include "hd_fits.svh"
  if (WideFill != 0 && Family != hd_pkg::FAMILY_MESI) begin : g_bad_fill
    $error("hd_sm_tile: WideFill needs Family MESI");
  end
  if ((ClkRatio & (ClkRatio - 1)) != 0 || ClkRatio == 0) begin : g_bad_ratio
    $error("hd_sm_tile: ClkRatio must be a power of two");
  end

  // Constant during a run; registered so that no input reaches an output.
  hd_pkg::policy_s policy_q;
  always_ff @(posedge clk_i) policy_q <= policy_i;

  logic tick;
  assign tick = (now_i & (ClkRatio - 1)) == 32'd0;

  // ---- issue -------------------------------------------------------------------------------
  logic             issue_valid, issue_ld, issue_st, issue_acq, mem_ready, mem_valid, mem_ro,
      mem_space;
  logic [WarpW-1:0] issue_warp, mem_warp, taken_warp;
  logic [SlotW-1:0] issue_slot, mem_slot, taken_slot;
  logic [Warps-1:0] sb_full, sb_ld, sb_st, sb_acq;
  logic [hd_pkg::OP_W-1:0] mem_kind;
  logic [3:0]       mem_fn, ev_issue;
  logic [2:0]       mem_order;
  logic [1:0]       mem_scope;
  logic             flush, issue_idle, sb_empty;
  logic [Warps-1:0] or_busy, or_unsafe, or_hold, hold;
  assign hold = policy_q.credit_issue ? or_hold : '0;

  hd_issue #(.Warps(Warps), .Blocks(Blocks), .Slots(Slots), .Stalls(Stalls)) u_issue (
    .clk_i(clk_i), .rst_i(rst_i), .now_i(now_i), .op_valid_i(op_valid_i),
    .op_warp_i(op_warp_i[WarpW-1:0]), .op_kind_i(op_kind_i), .op_fn_i(op_fn_i),
    .op_space_i(op_space_i), .op_order_i(op_order_i), .op_scope_i(op_scope_i), .op_ro_i(op_ro_i),
    .op_alu_i(op_alu_i), .op_block_i(op_block_i[BlockW-1:0]), .policy_model_i(policy_q.model),
    .policy_sched_i(policy_q.scheduler), .issue_valid_o(issue_valid), .issue_warp_o(issue_warp),
    .issue_is_ld_o(issue_ld), .issue_is_st_o(issue_st), .issue_acq_o(issue_acq),
    .issue_slot_i(issue_slot), .full_i(sb_full), .ld_pend_i(sb_ld), .st_pend_i(sb_st),
    .acq_block_i(sb_acq), .order_busy_i(or_busy), .order_last_i(or_unsafe),
    .order_hold_i(hold), .mem_ready_i(mem_ready),
    .mem_valid_o(mem_valid), .mem_warp_o(mem_warp),
    .mem_slot_o(mem_slot), .mem_kind_o(mem_kind), .mem_fn_o(mem_fn), .mem_order_o(mem_order),
    .mem_scope_o(mem_scope), .mem_ro_o(mem_ro), .mem_space_o(mem_space), .op_taken_o(op_taken_o),
    .op_taken_warp_o(taken_warp), .op_taken_slot_o(taken_slot), .ctl_done_o(ctl_done_o),
    .ctl_clock_o(ctl_clock_o), .flush_o(flush), .ev_issue_alu_o(ev_issue[0]),
    .ev_issue_mem_o(ev_issue[1]), .ev_issue_ctl_o(ev_issue[2]), .ev_stall_pipe_o(ev_issue[3]),
    .cause0_o(dbg_cause0_o), .cause1_o(dbg_cause1_o), .cause2_o(dbg_cause2_o),
    .cause3_o(dbg_cause3_o), .idle_o(issue_idle)
  );
  assign op_taken_warp_o = hd_pkg::WARP_W'(taken_warp);
  assign op_taken_slot_o = hd_pkg::SLOT_W'(taken_slot);

  logic [Lanes-1:0]       pay_mask;
  logic [Lanes*32-1:0]    pay_addr, pay_cmp;
  logic [Lanes*WordW-1:0] pay_data;
  hd_op_buffer #(.Warps(Warps), .Lanes(Lanes), .WordW(WordW)) u_op_buffer (
    .clk_i(clk_i), .op_valid_i(op_valid_i), .op_warp_i(op_warp_i[WarpW-1:0]),
    .op_kind_i(op_kind_i), .op_fn_i(op_fn_i), .op_mask_i(op_mask_i), .op_addr_i(op_addr_i),
    .op_data_i(op_data_i), .op_cmp_i(op_cmp_i), .re_i(issue_valid), .re_warp_i(issue_warp),
    .mask_o(pay_mask), .addr_o(pay_addr), .data_o(pay_data), .cmp_o(pay_cmp)
  );

  // ---- scoreboard --------------------------------------------------------------------------
  logic             open_valid, perf_valid, perf_last;
  logic [WarpW-1:0] open_warp;
  logic [SlotW-1:0] open_slot;
  logic [CntW-1:0]  open_lanes, perf_lanes;
  logic [hd_pkg::WARP_W-1:0] perf_warp;
  logic [L1SlotW-1:0] perf_slot;
  hd_scoreboard #(.Warps(Warps), .Lanes(Lanes), .Slots(Slots)) u_scoreboard (
    .clk_i(clk_i), .rst_i(rst_i), .issue_valid_i(issue_valid), .issue_warp_i(issue_warp),
    .issue_is_ld_i(issue_ld), .issue_is_st_i(issue_st), .issue_acq_i(issue_acq),
    .issue_slot_o(issue_slot), .open_valid_i(open_valid), .open_warp_i(open_warp),
    .open_slot_i(open_slot), .open_lanes_i(open_lanes), .perf_valid_i(perf_valid),
    .perf_warp_i(perf_warp[WarpW-1:0]), .perf_slot_i(perf_slot[SlotW-1:0]),
    .perf_lanes_i(perf_lanes), .perf_last_o(perf_last), .full_o(sb_full), .ld_pend_o(sb_ld),
    .st_pend_o(sb_st), .acq_block_o(sb_acq), .empty_o(sb_empty)
  );

  // ---- coalescer and the queue behind it ---------------------------------------------------
  logic                   co_valid, co_ready, co_ro, co_space, co_last, la_space, la_last, co_idle,
      la_valid, la_ready;
  logic [WarpW-1:0]       co_warp, la_warp;
  logic [SlotW-1:0]       co_slot, la_slot;
  logic [hd_pkg::OP_W-1:0] co_kind, la_kind;
  logic [3:0]             co_fn, la_fn;
  logic [2:0]             co_order;
  logic [1:0]             co_scope, la_count;
  logic [LineW-1:0]       co_line, la_line;
  logic [Lanes-1:0]       co_mask;
  logic [Lanes*OffW-1:0]  co_offs;
  logic [Lanes*LdsW-1:0]  co_lds;
  logic [LineWords-1:0]   co_wmask;
  logic [BodyW-1:0]       co_body, la_body;
  logic [DataW-1:0]       co_data, la_data;
  logic [Lanes*32-1:0]    co_cmp, la_cmp;
  logic                   split_lds;
  assign split_lds = Ordered;
  hd_coalescer #(.Warps(Warps), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
    .Slots(Slots), .LdsRows(LdsRows)) u_coalescer (
    .clk_i(clk_i), .rst_i(rst_i), .split_lds_i(split_lds), .issue_valid_i(mem_valid),
    .issue_warp_i(mem_warp), .issue_slot_i(mem_slot), .issue_kind_i(mem_kind), .issue_fn_i(mem_fn),
    .issue_order_i(mem_order), .issue_scope_i(mem_scope), .issue_ro_i(mem_ro),
    .issue_space_i(mem_space), .mask_i(pay_mask), .addr_i(pay_addr), .data_i(pay_data),
    .cmp_i(pay_cmp), .mem_ready_o(mem_ready), .open_valid_o(open_valid), .open_warp_o(open_warp),
    .open_slot_o(open_slot), .open_lanes_o(open_lanes), .out_valid_o(co_valid),
    .out_ready_i(co_ready), .out_warp_o(co_warp), .out_slot_o(co_slot), .out_kind_o(co_kind),
    .out_fn_o(co_fn), .out_order_o(co_order), .out_scope_o(co_scope), .out_ro_o(co_ro),
    .out_space_o(co_space), .out_last_o(co_last), .out_line_o(co_line), .out_mask_o(co_mask),
    .out_offs_o(co_offs), .out_lds_o(co_lds), .out_wmask_o(co_wmask), .out_data_o(co_data),
    .out_cmp_o(co_cmp),
    .idle_o(co_idle)
  );
  hd_fifo #(.Width(LaW), .Depth(2)) u_line_accesses (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(co_valid), .in_ready_o(co_ready),
    .in_data_i({co_last, co_warp, co_slot, co_kind, co_space, co_line, co_body, co_data, co_cmp}),
    .out_valid_o(la_valid), .out_ready_i(la_ready),
    .out_data_o({la_last, la_warp, la_slot, la_kind, la_space, la_line, la_body, la_data, la_cmp}),
    .count_o(la_count)
  );
  assign la_fn = la_body[BodyW-1 -: 4];

  // ---- ordering ------------------------------------------------------------------------------
  logic                   lo_valid, lo_ready, lo_prefetch, lo_space, or_idle, or_drained;
  logic                   type_dn, or_req_valid, or_req_ready, or_ack_valid, or_ack_ready;
  logic [hd_pkg::HEAD_W-1:0] or_req_head, or_ack_head;
  logic [HeadW-1:0]          l1_dn_head;
  logic [WarpW-1:0]       lo_warp;
  logic [L1SlotW-1:0]     lo_slot;
  logic [hd_pkg::OP_W-1:0] lo_kind;
  logic [3:0]             lo_fn;
  logic [LineW-1:0]       lo_line;
  logic [BodyW-1:0]       lo_body;
  logic [Lanes*LdsW-1:0]  lo_lds;
  logic [Lanes-1:0]       lo_mask;
  logic [Lanes*OffW-1:0]  lo_offs;
  logic [LineWords-1:0]   lo_wmask;
  logic [DataW-1:0]       lo_data;
  logic [Lanes*32-1:0]    lo_cmp;
  logic [hd_pkg::ORDER_EV_NUM-1:0] or_ev;
  // The first warp of a kernel: types are learned anew (workloads.md A14).
  logic new_kernel;
  assign new_kernel = op_valid_i && op_kind_i == hd_pkg::OP_LAUNCH && op_fn_i[0];
  hd_order_stage #(
    .Order(Order), .Warps(Warps), .LineW(LineW), .BodyW(BodyW), .DataW(DataW), .CmpW(Lanes * 32),
    .BufferDepth(BufferDepth), .Unified(Unified), .WaitDepth(WaitDepth),
    .UnsafeDepth(UnsafeDepth), .SafeDepth(SafeDepth), .SyncEntries(SyncEntries),
    .TypeEntries(TypeEntries), .TypeWays(TypeWays), .TypeReqs(TypeReqs), .Stores(OrderStores),
    .Cas(CasData), .AckEntries(AckEntries), .PartBits(PartBits), .SectorBytes(SectorBytes)
  ) u_order (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .merge_i(policy_q.marker_merge),
    .ahead_i(policy_q.type_prefetch),
    .clear_i(flush || new_kernel),
    .la_valid_i(la_valid), .la_ready_o(la_ready), .la_warp_i(la_warp),
    .la_slot_i(hd_pkg::SLOT_W'(la_slot)), .la_kind_i(la_kind),
    .la_cas_i(la_kind == hd_pkg::OP_ATOMIC && la_fn == hd_pkg::AT_CAS), .la_space_i(la_space),
    .la_last_i(la_last), .la_line_i(la_line), .la_body_i(la_body), .la_data_i(la_data),
    .la_cmp_i(la_cmp), .lo_valid_o(lo_valid), .lo_ready_i(lo_ready), .lo_prefetch_o(lo_prefetch),
    .lo_warp_o(lo_warp), .lo_slot_o(lo_slot), .lo_kind_o(lo_kind), .lo_space_o(lo_space),
    .lo_line_o(lo_line), .lo_body_o(lo_body), .lo_data_o(lo_data), .lo_cmp_o(lo_cmp),
    .perf_valid_i(perf_valid), .perf_warp_i(perf_warp[WarpW-1:0]), .perf_slot_i(perf_slot),
    .issue_i(issue_valid), .issue_warp_i(issue_warp), .dn_valid_i(type_dn),
    .dn_head_i(l1_dn_head[hd_pkg::HEAD_W-1:0]),
    .req_valid_o(or_req_valid), .req_ready_i(or_req_ready),
    .req_head_o(or_req_head), .ack_valid_o(or_ack_valid), .ack_ready_i(or_ack_ready),
    .ack_head_o(or_ack_head), .busy_o(or_busy), .unsafe_o(or_unsafe), .hold_o(or_hold),
    .ev_o(or_ev), .drained_o(or_drained), .idle_o(or_idle)
  );
  assign {lo_fn, lo_mask, lo_offs, lo_wmask} = lo_body[BodyW-1 -: AccW];

  if (Ordered) begin : g_lds_line
    assign co_body = {co_fn, co_mask, co_offs, co_wmask, 1'b0};
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      assign lo_lds[l*LdsW +: LdsW] = LdsW'({lo_line, lo_offs[l*OffW +: OffW]});
    end
    logic unused_lds;
    assign unused_lds = ^{co_lds, lo_body[0]};
  end else begin : g_lds_words
    assign co_body = {co_fn, co_mask, co_offs, co_wmask, co_lds};
    assign lo_lds  = lo_body[Lanes*LdsW-1:0];
  end

  // ---- L1 ----------------------------------------------------------------------------------
  logic                       l1_ready, l1_dn_valid, l1_dn_ready, req_valid, req_ready, rsp_valid,
      rsp_ready, flushing, l1_idle, links_sent, links_idle, lo_is_lds;
  logic [HeadW-1:0]           req_head, rsp_head;
  logic [Lanes-1:0]           l1_mask;
  logic [LineWords-1:0]       l1_wmask;
  assign lo_is_lds = lo_space == hd_pkg::SPACE_LDS;
  assign l1_mask   = lo_prefetch ? '0 : lo_mask;
  assign l1_wmask  = lo_prefetch ? '0 : lo_wmask;
  localparam int unsigned ReqW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned DnDataW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords);
  logic [ReqW-1:0]            req_body;
  logic [DnDataW-1:0]         l1_dn_data;
  logic [LineWords*WordW-1:0] rsp_data;
  logic [hd_pkg::EV_SM_NUM-1:0] l1_ev;
  logic                       l1_perf_valid, l1_cpl_valid, l1_cpl_last;
  logic [hd_pkg::WARP_W-1:0]  l1_perf_warp, l1_cpl_warp;
  logic [L1SlotW-1:0]         l1_perf_slot, l1_cpl_slot;
  logic [CntW-1:0]            l1_perf_lanes;
  logic [Lanes-1:0]           l1_cpl_mask;
  logic [Lanes*WordW-1:0]     l1_cpl_data;
  hd_l1 #(
    .Family(Family), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
    .SlotW(L1SlotW), .Sets(L1Sets),
    .Ways(L1Ways), .WbEntries(WbEntries), .PartBits(PartBits), .Pending(Pending),
    .ReqCredits(ReqCredits),
    .MshrEntries(MshrEntries), .MshrTargets(MshrTargets), .StoreData(StoreData),
    .CasData(CasData), .MergeLanes(MergeLanes), .FlitWords(FlitWords)
  ) u_l1 (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .la_valid_i(lo_valid && !lo_is_lds),
    .la_ready_o(l1_ready), .la_warp_i(hd_pkg::WARP_W'(lo_warp)), .la_slot_i(lo_slot),
    .la_kind_i(lo_kind), .la_fn_i(lo_fn), .la_prefetch_i(lo_prefetch), .la_line_i(lo_line),
    .la_mask_i(l1_mask), .la_offs_i(lo_offs), .la_wmask_i(l1_wmask), .la_data_i(lo_data),
    .la_cmp_i(lo_cmp), .dn_valid_i(l1_dn_valid), .dn_ready_o(l1_dn_ready), .dn_head_i(l1_dn_head),
    .dn_data_i(l1_dn_data), .req_valid_o(req_valid), .req_ready_i(req_ready), .req_head_o(req_head),
    .req_body_o(req_body), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_head_o(rsp_head), .rsp_data_o(rsp_data),
    .perf_valid_o(l1_perf_valid), .perf_warp_o(l1_perf_warp), .perf_slot_o(l1_perf_slot),
    .perf_lanes_o(l1_perf_lanes), .perf_last_i(perf_last), .cpl_valid_o(l1_cpl_valid),
    .cpl_warp_o(l1_cpl_warp), .cpl_slot_o(l1_cpl_slot), .cpl_last_o(l1_cpl_last),
    .cpl_mask_o(l1_cpl_mask), .cpl_data_o(l1_cpl_data), .flush_i(flush), .flushing_o(flushing),
    .st_valid_o(st_valid_o), .st_line_o(st_line_o), .st_state_o(st_state_o), .ev_o(l1_ev),
    .mshr_busy_o(dbg_mshr_o), .idle_o(l1_idle)
  );

  // ---- LDS, and completions of both --------------------------------------------------------
  logic                      lds_ready, lds_perf_valid, lds_cpl_valid, lds_cpl_last, lds_idle;
  logic [1:0]                lds_ev;
  logic [hd_pkg::WARP_W-1:0] lds_perf_warp, lds_cpl_warp;
  logic [L1SlotW-1:0]        lds_perf_slot, lds_cpl_slot, cpl_slot;
  logic [CntW-1:0]           lds_perf_lanes;
  logic [Lanes-1:0]          lds_cpl_mask;
  logic [Lanes*WordW-1:0]    lds_cpl_data;
  hd_lds #(
    .Lanes(Lanes), .Words(LdsRows * LineWords), .Banks(LdsBanks), .WordW(WordW),
    .SlotW(L1SlotW)
  ) u_lds (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(lo_valid && lo_is_lds), .in_ready_o(lds_ready),
    .in_warp_i(hd_pkg::WARP_W'(lo_warp)), .in_slot_i(lo_slot), .in_kind_i(lo_kind),
    .in_fn_i(lo_fn), .in_mask_i(lo_mask), .in_word_i(lo_lds), .in_data_i(lo_data[Lanes*WordW-1:0]),
    .in_cmp_i(lo_cmp), .perf_valid_o(lds_perf_valid), .perf_ready_i(!l1_perf_valid),
    .perf_warp_o(lds_perf_warp), .perf_slot_o(lds_perf_slot), .perf_lanes_o(lds_perf_lanes),
    .perf_last_i(perf_last), .cpl_valid_o(lds_cpl_valid), .cpl_warp_o(lds_cpl_warp),
    .cpl_slot_o(lds_cpl_slot), .cpl_last_o(lds_cpl_last), .cpl_mask_o(lds_cpl_mask),
    .cpl_data_o(lds_cpl_data), .ev_access_o(lds_ev[0]), .ev_conflict_o(lds_ev[1]), .idle_o(lds_idle)
  );
  assign lo_ready   = lo_is_lds ? lds_ready : l1_ready;
  assign perf_valid = l1_perf_valid || lds_perf_valid;
  assign {perf_warp, perf_slot, perf_lanes} = l1_perf_valid
      ? {l1_perf_warp, l1_perf_slot, l1_perf_lanes}
      : {lds_perf_warp, lds_perf_slot, lds_perf_lanes};
  assign cpl_valid_o = l1_cpl_valid || lds_cpl_valid;
  assign cpl_slot_o  = cpl_slot[hd_pkg::SLOT_W-1:0];
  assign {cpl_warp_o, cpl_slot, cpl_last_o, cpl_mask_o, cpl_data_o} = l1_cpl_valid
      ? {l1_cpl_warp, l1_cpl_slot, l1_cpl_last, l1_cpl_mask, l1_cpl_data}
      : {lds_cpl_warp, lds_cpl_slot, lds_cpl_last, lds_cpl_mask, lds_cpl_data};

  // ---- links -------------------------------------------------------------------------------
  hd_sm_links #(
    .Family(Family), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
    .RxDepth(RxDepth), .TxCredits(TxCredits),
    .WideFill(WideFill), .FlitWords(FlitWords)
  ) u_links (
    .clk_i(clk_i), .rst_i(rst_i), .tick_i(tick), .req_valid_i(req_valid), .req_ready_o(req_ready),
    .req_head_i(req_head), .req_body_i(req_body), .rsp_valid_i(rsp_valid),
    .rsp_ready_o(rsp_ready), .rsp_head_i(rsp_head),
    .rsp_data_i(rsp_data), .type_req_valid_i(or_req_valid), .type_req_ready_o(or_req_ready),
    .type_req_head_i(or_req_head), .type_ack_valid_i(or_ack_valid),
    .type_ack_ready_o(or_ack_ready), .type_ack_head_i(or_ack_head), .type_dn_valid_o(type_dn),
    .dn_valid_o(l1_dn_valid), .dn_ready_i(l1_dn_ready),
    .dn_head_o(l1_dn_head), .dn_data_o(l1_dn_data), .up_valid_o(up_valid_o), .up_vn_o(up_vn_o),
    .up_tail_o(up_tail_o), .up_flit_o(up_flit_o), .up_credit_i(up_credit_i),
    .dn_valid_i(dn_valid_i), .dn_vn_i(dn_vn_i), .dn_tail_i(dn_tail_i), .dn_flit_i(dn_flit_i),
    .dn_credit_o(dn_credit_o), .sent_o(links_sent), .credit_home_o(dbg_credit_home_o),
    .idle_o(links_idle)
  );

  // ---- flush, events, idle -----------------------------------------------------------------
  logic flush_q;  // a flush has begun and not everything has left
  logic flush_end;
  assign flush_end = flush_q && !flushing && l1_idle && links_sent;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      flush_q      <= 1'b0;
      flush_done_o <= 1'b0;
    end else begin
      flush_q      <= flush || (flush_q && !flush_end);
      flush_done_o <= flush_end;
    end
  end

  always_comb begin
    ev_o = l1_ev;
    ev_o[hd_pkg::EV_SM_ISSUE_ALU]  = ev_issue[0];
    ev_o[hd_pkg::EV_SM_ISSUE_MEM]  = ev_issue[1];
    ev_o[hd_pkg::EV_SM_ISSUE_CTL]  = ev_issue[2];
    ev_o[hd_pkg::EV_SM_STALL_PIPE] = ev_issue[3];
    ev_o[hd_pkg::EV_SM_FLUSH_DONE] = flush_done_o;
    ev_o[hd_pkg::ORDER_EV_FIRST +: hd_pkg::ORDER_EV_NUM] = or_ev;
    ev_o[hd_pkg::EV_SM_LDS]          = lds_ev[0];
    ev_o[hd_pkg::EV_SM_LDS_CONFLICT] = lds_ev[1];
  end
  assign dbg_ld_o   = sb_ld;
  assign dbg_st_o   = sb_st;
  assign dbg_pipe_o = la_valid || lo_valid;
  // The coalescer cannot move while the queue is full, and L1 and LDS (when idle) do not move the
  // queue.
  assign idle_o = issue_idle && (co_idle || !co_ready) && or_idle && l1_idle && lds_idle
      && links_idle && !flush_q && !flush_done_o;

  logic unused;
  assign unused = ^{op_warp_i, op_block_i, perf_warp, perf_slot, co_order, co_scope, co_ro,
      la_count, or_drained, cpl_slot, sb_empty, policy_q};

endmodule
`default_nettype wire
