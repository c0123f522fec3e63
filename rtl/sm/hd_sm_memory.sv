// hd_sm_memory.sv - memory of an SM tile: L1 and LDS behind one stream of line accesses.
//
//   lo -> hd_access_route -> hd_l1 (packets dn, req, rsp) -> hd_completion -> perf, cpl
//                  |           '-- words of copies --.          ^
//                  '-----------------------> hd_sm_lds ---------'
//
// Papers: 1 (section 2), 2 (MSHRs or pending request table).
// Joined vectors are named from the top.
// lo     line accesses in order, valid/ready; ready is that of the side the access is for.
//        lo_body_i: line, place, data, cmp.
// dn req rsp: packets of the L1, valid/ready (hd_l1): head, words. fw: heads for it (DENOVO).
// perf   pulse: an access was performed; L1 and LDS together perform one a cycle, the L1 first; an
//        LDS that has waited 15 cycles is next as soon as the L1 has done what it was given.
//        perf_o: how many lanes, hd_pkg::performed_s. perf_last_i, in the same cycle: its operation
//        is complete. A hit shows perf 3 cycles after it was taken from lo.
// cpl    its completion, a cycle later: hd_pkg::completion_s, lanes in a transaction's conflict,
//        lanes, words. A fence that the L1 has done has no lane and shows none: its warp goes on.
// copy   with Copies: a line access of an OP_COPY is a load to the L1, performed in any number of
//        parts; they do not show as perf, their words as completions that are never the last one.
//        It is performed when the LDS has all of them.
// mark   persist barriers, valid/ready (hd_l1_gpu).
// flush_begin_i: pulses: the L1's walk begins, flushing_o until it ends; it or a kernel begins.
// st ev_o mshr_busy_o: observation. idle_o: L1 and LDS; l1_idle_o: the L1.
// tm     with LocalTm, of hd_lds_tm: the conflict's lanes, tm_hold_o; else 0.
// Parameters: hd_keys.svh. With ordering hardware SplitLds: LDS operations come cut into lines, and
// TagW: bits of a tag that comes back with perf.
`include "hd_assert.svh"
`default_nettype none
module hd_sm_memory #(
  `include "hd_params.svh"
  parameter int unsigned SplitLds = (Order != hd_pkg::ORDER_NONE) ? 1 : 0,
  parameter int unsigned TagW   = (Order != hd_pkg::ORDER_NONE) ? hd_pkg::TAG_W : 0,
  parameter int unsigned LineW  = hd_pkg::ADDR_W - $clog2(LineWords * 4),     // derived
  parameter int unsigned LdsW   = hd_pkg::idx_w(LdsRows * LineWords),         // derived
  parameter int unsigned L1PlaceW = hd_pkg::place_w(Lanes, LineWords),        // derived
  parameter int unsigned PlaceW = L1PlaceW + ((SplitLds != 0) ? 0 : Lanes * LdsW),   // derived
  parameter int unsigned DataW  = ((Lanes > LineWords) ? Lanes : LineWords) * WordW, // derived
  parameter int unsigned BodyW  = LineW + PlaceW + DataW + Lanes * 32,               // derived
  // derived
  parameter int unsigned ReqW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords),
  parameter int unsigned HeadW  = hd_pkg::family_head_w(Family, Lanes),       // derived
  // derived
  parameter int unsigned DnDataW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords),
  parameter int unsigned CntW   = $clog2(Lanes + 1),                          // derived
  // derived
  parameter int unsigned CplW   = hd_pkg::COMPLETION_W + 2 * Lanes + Lanes * WordW
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    sm_id_i,
  input  hd_pkg::policy_s              policy_i,

  input  logic                         lo_valid_i,
  output logic                         lo_ready_o,
  input  hd_pkg::access_s              lo_acc_i,
  input  logic [BodyW-1:0]             lo_body_i,

  input  logic                         dn_valid_i,
  output logic                         dn_ready_o,
  input  logic [HeadW+DnDataW-1:0]     dn_packet_i,
  input  logic                         fw_valid_i,
  output logic                         fw_ready_o,
  input  logic [HeadW-1:0]             fw_head_i,
  output logic                         req_valid_o,
  input  logic                         req_ready_i,
  output logic [HeadW+ReqW-1:0]        req_packet_o,
  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output logic [HeadW+LineWords*WordW-1:0] rsp_packet_o,

  output logic                         perf_valid_o,
  output logic [CntW+hd_pkg::PERFORMED_W-1:0] perf_o,
  input  logic                         perf_last_i,
  output logic                         cpl_valid_o,
  output logic [CplW-1:0]              cpl_o,
  output logic [Warps-1:0]             tm_hold_o,

  input  logic                         mark_valid_i,
  output logic                         mark_ready_o,
  input  logic [7:0]                   mark_id_i,

  input  logic [1:0]                   flush_begin_i,
  output logic                         flushing_o,
  output logic                         st_valid_o,
  output logic [LineW-1:0]             st_line_o,
  output logic [1:0]                   st_state_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]       mshr_busy_o,
  output logic                         l1_idle_o,
  output logic                         idle_o
);
  // What L1 and LDS call a slot: the scoreboard's and, above it, a tag of the ordering hardware.
  localparam int unsigned L1SlotW = hd_pkg::SLOT_W + TagW;

  // The L1 may perform lanes of an access before it takes it. The access stays on lo: the hardware
  // of its orders offers no other in its place.
  localparam bit Steps = Family == hd_pkg::FAMILY_DENOVO;

  // What the joined ports hold.
  logic [LineW-1:0]           lo_line;
  logic [PlaceW-1:0]          lo_place;
  logic [DataW-1:0]           lo_data;
  logic [Lanes*32-1:0]        lo_cmp;
  logic [HeadW-1:0]           dn_head, req_head, rsp_head;
  logic [DnDataW-1:0]         dn_data;
  logic [ReqW-1:0]            req_body;
  logic [LineWords*WordW-1:0] rsp_data;
  logic                       scoped, read_only;
  logic [31:0]                nv_base;
  assign {lo_line, lo_place, lo_data, lo_cmp} = lo_body_i;
  assign {dn_head, dn_data} = dn_packet_i;
  assign req_packet_o = {req_head, req_body};
  assign rsp_packet_o = {rsp_head, rsp_data};
  assign scoped    = policy_i.model == hd_pkg::MODEL_HRF;
  assign read_only = policy_i.read_only;
  assign nv_base   = policy_i.nv_base;

  // Signals have the prefix of the block that drives them.
  logic                      ro_l1_valid, ro_lds_valid;
  logic [L1PlaceW-1:0]       ro_l1_place;
  logic [Lanes-1:0]          ro_lds_mask;
  logic [Lanes*LdsW-1:0]     ro_lds_word;
  logic                      l1_ready, l1_perf_valid, l1_cpl_valid;
  logic [hd_pkg::WARP_W-1:0] l1_perf_warp, lds_perf_warp;
  logic [L1SlotW-1:0]        l1_perf_slot, lds_perf_slot;
  logic [CntW-1:0]           l1_perf_lanes, lds_perf_lanes;
  hd_pkg::completion_s       l1_cpl, lds_cpl, cp_cpl;
  logic [Lanes-1:0]          l1_cpl_mask, lds_cpl_mask, cp_mask, lds_tcm;
  logic [Lanes*WordW-1:0]    l1_cpl_data, lds_cpl_data, cp_data;
  hd_pkg::performed_s        cp_perf;
  logic [CntW-1:0]           cp_perf_lanes;
  logic [hd_pkg::EV_SM_NUM-1:0] l1_ev;
  logic                      lds_ready, lds_perf_valid, lds_cpl_valid, lds_idle;
  logic [1:0]                lds_ev;
  logic [7:0]                tm_ev;   // of transactions
  logic                      cp_lds_ready, cp_valid;
  // lo is of a copy, may go to the L1 as far as the LDS goes; what the L1 performs is of a copy.
  logic                      is_copy, copy_ok, ls_room, ls_mine, ls_ev;
  // The L1 is offered an access, unless that waits for the LDS's turn; how long that has waited.
  logic                      la_valid, hold_q;
  logic [3:0]                late_q;
  hd_pkg::access_s           l1_acc;

  hd_access_route #(
    .Lanes(Lanes), .LineWords(LineWords), .LdsW(LdsW), .SplitLds(SplitLds)
  ) u_route (
    .lo_valid_i(lo_valid_i),
    .lo_ready_o(lo_ready_o),
    .lo_space_i(lo_acc_i.space),
    .lo_prefetch_i(lo_acc_i.prefetch),
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
    .MergeLanes(MergeLanes), .FlitWords(FlitWords), .SbWords(SbWords), .SbRows(SbRows),
    .WtOut(WtOut), .GenBits(GenBits), .RegEntries(RegEntries), .Persist(Persist),
    .NvwDepth(NvwL1), .Inclusive(Inclusive), .Warps(Warps)
  ) u_l1 (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .policy_i({scoped, read_only, nv_base}),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .la_valid_i(la_valid),
    .la_ready_o(l1_ready),
    .la_acc_i(l1_acc),
    .la_line_i(lo_line),
    .la_place_i(ro_l1_place),
    .la_ops_i({lo_cmp, lo_data}),
    .dn_valid_i(dn_valid_i),
    .dn_ready_o(dn_ready_o),
    .dn_head_i(dn_head),
    .dn_data_i(dn_data),
    .fw_valid_i(fw_valid_i),
    .fw_ready_o(fw_ready_o),
    .fw_head_i(fw_head_i),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head),
    .req_body_o(req_body),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head),
    .rsp_data_o(rsp_data),
    .perf_valid_o(l1_perf_valid),
    .perf_o({l1_perf_lanes, l1_perf_slot, l1_perf_warp}),
    .perf_last_i(perf_last_i && !ls_mine),
    .cpl_valid_o(l1_cpl_valid),
    .cpl_o({l1_cpl_data, l1_cpl_mask, l1_cpl}),
    .flush_i(flush_begin_i),
    .flushing_o(flushing_o),
    .st_valid_o(st_valid_o),
    .st_o({st_state_o, st_line_o}),
    .ev_o(l1_ev),
    .mshr_busy_o(mshr_busy_o),
    .idle_o(l1_idle_o)
  );
  // A copy is a load to the L1; it is offered when there is room for what will come.
  assign is_copy = Copies != 0 && lo_acc_i.kind == hd_pkg::OP_COPY;
  assign copy_ok = !is_copy || ls_room;
  // hd_completion lets the L1 go first, and an L1 that hits in every cycle would keep the LDS, and
  // so a copy, from ever completing. When the LDS has waited long, the L1 is given nothing new
  // until the LDS has had its turn. What the L1 was offered stays: an INV may wait for its look at
  // a line that has come for it (hd_l1_gpu_decide).
  assign la_valid = ro_l1_valid && copy_ok && !hold_q;
  always_ff @(posedge clk_i) begin
    if (rst_i || !lds_perf_valid || cp_lds_ready) begin
      late_q <= '0;
      hold_q <= 1'b0;
    end else begin
      if (late_q != '1) late_q <= late_q + 1'b1;
      if (late_q == '1 && (!la_valid || l1_ready)) hold_q <= 1'b1;
    end
  end
  always_comb begin
    l1_acc = lo_acc_i;
    if (is_copy) l1_acc.kind = hd_pkg::OP_LOAD;
  end
  hd_sm_lds #(
    .SlotW(L1SlotW),
    `include "hd_pass.svh"
  ) u_lds (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lo_valid_i(ro_lds_valid),
    .lo_ready_o(lds_ready),
    .lo_acc_i(lo_acc_i),
    .lo_mask_i(ro_lds_mask),
    .lo_word_i(ro_lds_word),
    .lo_data_i(lo_data[Lanes*WordW-1:0]),
    .lo_cmp_i(lo_cmp),
    .copy_in_i(is_copy && (Steps ? ro_l1_valid : l1_ready)),
    .copy_taken_i(is_copy && l1_ready),
    .copy_room_o(ls_room),
    .copy_mine_o(ls_mine),
    .l1_perf_valid_i(l1_perf_valid),
    .l1_perf_warp_i(l1_perf_warp),
    .l1_perf_slot_i(l1_perf_slot),
    .l1_cpl_mask_i(l1_cpl_mask),
    .l1_cpl_data_i(l1_cpl_data),
    .perf_valid_o(lds_perf_valid),
    .perf_ready_i(cp_lds_ready),
    .perf_warp_o(lds_perf_warp),
    .perf_slot_o(lds_perf_slot),
    .perf_lanes_o(lds_perf_lanes),
    .perf_last_i(perf_last_i),
    .cpl_valid_o(lds_cpl_valid),
    .cpl_o(lds_cpl),
    .cpl_mask_o(lds_cpl_mask),
    .cpl_data_o(lds_cpl_data),
    .cpl_tcm_o(lds_tcm),
    .tm_hold_o(tm_hold_o),
    .ev_access_o(lds_ev[0]),
    .ev_conflict_o(lds_ev[1]),
    .ev_copy_o(ls_ev),
    .ev_tm_o(tm_ev),
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
    .l1_perf_hide_i(ls_mine),
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
    .perf_valid_o(perf_valid_o),
    .perf_o(cp_perf),
    .perf_lanes_o(cp_perf_lanes),
    .cpl_valid_o(cp_valid),
    .cpl_o(cp_cpl),
    .cpl_mask_o(cp_mask),
    .cpl_data_o(cp_data)
  );
  assign perf_o = {cp_perf_lanes, cp_perf};
  assign cpl_o  = {cp_cpl, lds_tcm, cp_mask, cp_data};
  if (Family == hd_pkg::FAMILY_GPU || Family == hd_pkg::FAMILY_DENOVO) begin : g_fences
    assign cpl_valid_o = cp_valid && cp_mask != '0;
  end else begin : g_no_fences
    assign cpl_valid_o = cp_valid;
  end

  always_comb begin
    ev_o = l1_ev;
    ev_o[hd_pkg::EV_SM_LDS]          = lds_ev[0];
    ev_o[hd_pkg::EV_SM_LDS_CONFLICT] = lds_ev[1];
    ev_o[hd_pkg::EV_SM_TM_PASS +: 8] = tm_ev;
    ev_o[hd_pkg::EV_SM_COPY] = ls_ev;
  end
  assign idle_o = l1_idle_o && lds_idle;

  // An access goes to one side.
  `HD_ASSERT(a_one_side, !(ro_l1_valid && ro_lds_valid))
  // What the L1 is ready for it takes.
  `HD_ASSERT(a_ready_for_it, !l1_ready || la_valid)
  // hd_completion takes the LDS's only beside an L1 that performs nothing.
  `HD_ASSERT(a_one_performed, !(l1_perf_valid && lds_perf_valid && cp_lds_ready))

  logic unused;
  assign unused = ^{lo_acc_i, policy_i};
endmodule
`default_nettype wire
