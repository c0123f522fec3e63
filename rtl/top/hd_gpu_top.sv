// hd_gpu_top.sv - the whole chip flat: SM tiles, crossbars or mesh, L2 tiles, RTL pipes as links.
//
// The same tiles as the composed machine (tb/machine.h), joined by hd_link_pipe instead of C rings:
// by hd_xbar_net or, with Noc NOC_MESH, by hd_mesh_net.
// It exists for synthesis and as the witness that composing, windows and skipping of idle tiles
// change nothing: same cycles, same events (docs/tiles.md, gpu_top).
// clk_i core clock; clk_slow_i clock of crossbars and L2, its edges coincide with the core edges of
// cycles that are multiples of ClkRatio. now_i number of the coming core edge. At reset both clocks
// run.
// Per SM the warp port and observation (op_* .. dbg_*, sm_idle_o), per partition the memory port
// (mreq_* .. ev_l2_o, l2_idle_o) as in docs/tiles.md; vectors with tile 0 in the low bits. What is
// not per tile: ev_xbar_o (up crossbar low, down crossbar high; 0 in a mesh), ev_router_o (router n
// in slice n; 0 without a mesh) and idle_o: every tile is idle and every pipe is empty.
// Parameters: hd_keys.svh; latencies are multiples of ClkRatio. policy_i goes to every tile.
`default_nettype none
module hd_gpu_top #(
  `include "hd_params.svh"
  parameter int unsigned Parts = 1 << PartBits,                           // derived
  parameter int unsigned FlitW = FlitWords * WordW,                      // derived
  parameter int unsigned LineW = LineWords * WordW,                       // derived
  parameter int unsigned LnoW = hd_pkg::ADDR_W - $clog2(LineWords * 4),   // derived
  parameter int unsigned Nodes = (Noc == hd_pkg::NOC_MESH) ? MeshX * MeshY : 1  // derived
) (
  input  logic                              clk_i,
  input  logic                              clk_slow_i,
  input  logic                              rst_i,
  input  logic [31:0]                       now_i,
  input  hd_pkg::policy_s                   policy_i,
  // warp ports
  input  logic [Sms-1:0]                    op_valid_i,
  input  logic [Sms*hd_pkg::WARP_W-1:0]     op_warp_i,
  input  logic [Sms*hd_pkg::OP_W-1:0]       op_kind_i,
  input  logic [Sms*4-1:0]                  op_fn_i,
  input  logic [Sms-1:0]                    op_space_i,
  input  logic [Sms*3-1:0]                  op_order_i,
  input  logic [Sms*2-1:0]                  op_scope_i,
  input  logic [Sms-1:0]                    op_ro_i,
  input  logic [Sms*hd_pkg::ALU_W-1:0]      op_alu_i,
  input  logic [Sms*hd_pkg::BLOCK_W-1:0]    op_block_i,
  input  logic [Sms*Lanes-1:0]              op_mask_i,
  input  logic [Sms*Lanes*32-1:0]           op_addr_i,
  input  logic [Sms*Lanes*WordW-1:0]        op_data_i,
  input  logic [Sms*Lanes*32-1:0]           op_cmp_i,
  output logic [Sms-1:0]                    op_taken_o,
  output logic [Sms*hd_pkg::WARP_W-1:0]     op_taken_warp_o,
  output logic [Sms*hd_pkg::SLOT_W-1:0]     op_taken_slot_o,
  output logic [Sms-1:0]                    cpl_valid_o,
  output logic [Sms*hd_pkg::WARP_W-1:0]     cpl_warp_o,
  output logic [Sms*hd_pkg::SLOT_W-1:0]     cpl_slot_o,
  output logic [Sms-1:0]                    cpl_last_o,
  output logic [Sms*hd_pkg::STATUS_W-1:0]   cpl_status_o,
  output logic [Sms*Lanes-1:0]              cpl_tcm_o,
  output logic [Sms*Lanes-1:0]              cpl_mask_o,
  output logic [Sms*Lanes*WordW-1:0]        cpl_data_o,
  output logic [Sms*Warps-1:0]              ctl_done_o,
  output logic [Sms*32-1:0]                 ctl_clock_o,
  output logic [Sms-1:0]                    flush_done_o,
  output logic [Sms-1:0]                    st_valid_o,
  output logic [Sms*LnoW-1:0]               st_line_o,
  output logic [Sms*2-1:0]                  st_state_o,
  output logic [Sms*hd_pkg::EV_SM_NUM-1:0]  ev_sm_o,
  output logic [Sms*MshrEntries-1:0]        dbg_mshr_o,
  output logic [Sms*Warps-1:0]              dbg_ld_o,
  output logic [Sms*Warps-1:0]              dbg_st_o,
  output logic [Sms*Warps-1:0]              dbg_cause0_o,
  output logic [Sms*Warps-1:0]              dbg_cause1_o,
  output logic [Sms*Warps-1:0]              dbg_cause2_o,
  output logic [Sms*Warps-1:0]              dbg_cause3_o,
  output logic [Sms-1:0]                    dbg_pipe_o,
  output logic [Sms-1:0]                    dbg_credit_home_o,
  output logic [Sms-1:0]                    sm_idle_o,
  // memory ports and observation, slow clock
  output logic [Parts-1:0]                  mreq_valid_o,
  output logic [Parts-1:0]                  mreq_write_o,
  output logic [Parts*hd_pkg::ADDR_W-1:0]   mreq_addr_o,
  output logic [Parts*hd_pkg::TID_W-1:0]    mreq_tid_o,
  output logic [Parts*LineW-1:0]            mreq_data_o,
  input  logic [Parts*2-1:0]                mreq_credit_i,
  input  logic [Parts-1:0]                  mrsp_valid_i,
  input  logic [Parts*hd_pkg::TID_W-1:0]    mrsp_tid_i,
  input  logic [Parts*LineW-1:0]            mrsp_data_i,
  output logic [Parts-1:0]                  mrsp_credit_o,
  input  logic [Parts-1:0]                  mack_valid_i,
  input  logic [Parts*hd_pkg::TID_W-1:0]    mack_tid_i,
  input  logic [Parts-1:0]                  flush_i,
  input  logic [Parts-1:0]                  type_clear_i,
  output logic [Parts-1:0]                  obs_valid_o,
  output logic [Parts*hd_pkg::NODE_W-1:0]   obs_src_o,
  output logic [Parts*hd_pkg::OPID_W-1:0]   obs_opid_o,
  output logic [Parts*hd_pkg::ADDR_W-1:0]   obs_addr_o,
  output logic [Parts*LineW-1:0]            obs_data_o,
  output logic [Parts*LineWords-1:0]        obs_mask_o,
  output logic [Parts*LineW-1:0]            obs_new_o,
  output logic [Parts*hd_pkg::EV_L2_NUM-1:0] ev_l2_o,
  output logic [Parts-1:0]                  l2_idle_o,
  output logic [2*hd_pkg::EV_XBAR_NUM-1:0]  ev_xbar_o,
  output logic [Nodes*hd_pkg::EV_ROUTER_NUM-1:0] ev_router_o,
  output logic                              idle_o
);
  `include "hd_fits.svh"
  localparam int unsigned VnW = hd_pkg::VN_W;

  logic slow_new;  // registers of the slow clock are new in this cycle
  assign slow_new = (now_i & (ClkRatio - 1)) == (32'd1 & (ClkRatio - 1));

  // Links of the tiles; up: towards the L2.
  logic [Sms-1:0]            sm_up_valid, sm_up_tail, sm_dn_valid, sm_dn_tail;
  logic [Sms*VnW-1:0]        sm_up_vn, sm_dn_vn;
  logic [Sms*FlitW-1:0]      sm_up_flit, sm_dn_flit;
  logic [Sms*UpNets-1:0]     sm_up_credit;
  logic [Sms*DownNets-1:0]   sm_dn_credit;
  logic [Parts-1:0]          l2_up_valid, l2_up_tail, l2_dn_valid, l2_dn_tail;
  logic [Parts*VnW-1:0]      l2_up_vn, l2_dn_vn;
  logic [Parts*FlitW-1:0]    l2_up_flit, l2_dn_flit;
  logic [Parts*UpNets-1:0]   l2_up_credit;
  logic [Parts*DownNets-1:0] l2_dn_credit;
  logic                       net_idle;

  for (genvar s = 0; s < Sms; s++) begin : g_sm
    hd_sm_tile #(
      `include "hd_pass.svh"
    ) u_sm (
      .clk_i(clk_i), .rst_i(rst_i), .now_i(now_i), .sm_id_i(hd_pkg::NODE_W'(s)),
      .policy_i(policy_i),
      .op_valid_i(op_valid_i[s]), .op_warp_i(op_warp_i[s*hd_pkg::WARP_W +: hd_pkg::WARP_W]),
      .op_kind_i(op_kind_i[s*hd_pkg::OP_W +: hd_pkg::OP_W]), .op_fn_i(op_fn_i[s*4 +: 4]),
      .op_space_i(op_space_i[s]),
      .op_order_i(op_order_i[s*3 +: 3]), .op_scope_i(op_scope_i[s*2 +: 2]), .op_ro_i(op_ro_i[s]),
      .op_alu_i(op_alu_i[s*hd_pkg::ALU_W +: hd_pkg::ALU_W]),
      .op_block_i(op_block_i[s*hd_pkg::BLOCK_W +: hd_pkg::BLOCK_W]),
      .op_mask_i(op_mask_i[s*Lanes +: Lanes]),
      .op_addr_i(op_addr_i[s*Lanes*32 +: Lanes*32]),
      .op_data_i(op_data_i[s*Lanes*WordW +: Lanes*WordW]),
      .op_cmp_i(op_cmp_i[s*Lanes*32 +: Lanes*32]),
      .op_taken_o(op_taken_o[s]),
      .op_taken_warp_o(op_taken_warp_o[s*hd_pkg::WARP_W +: hd_pkg::WARP_W]),
      .op_taken_slot_o(op_taken_slot_o[s*hd_pkg::SLOT_W +: hd_pkg::SLOT_W]),
      .cpl_valid_o(cpl_valid_o[s]), .cpl_warp_o(cpl_warp_o[s*hd_pkg::WARP_W +: hd_pkg::WARP_W]),
      .cpl_slot_o(cpl_slot_o[s*hd_pkg::SLOT_W +: hd_pkg::SLOT_W]), .cpl_last_o(cpl_last_o[s]),
      .cpl_status_o(cpl_status_o[s*hd_pkg::STATUS_W +: hd_pkg::STATUS_W]),
      .cpl_tcm_o(cpl_tcm_o[s*Lanes +: Lanes]),
      .cpl_mask_o(cpl_mask_o[s*Lanes +: Lanes]),
      .cpl_data_o(cpl_data_o[s*Lanes*WordW +: Lanes*WordW]),
      .ctl_done_o(ctl_done_o[s*Warps +: Warps]), .ctl_clock_o(ctl_clock_o[s*32 +: 32]),
      .flush_done_o(flush_done_o[s]),
      .up_valid_o(sm_up_valid[s]), .up_vn_o(sm_up_vn[s*VnW +: VnW]), .up_tail_o(sm_up_tail[s]),
      .up_flit_o(sm_up_flit[s*FlitW +: FlitW]), .up_credit_i(sm_up_credit[s*UpNets +: UpNets]),
      .dn_valid_i(sm_dn_valid[s]), .dn_vn_i(sm_dn_vn[s*VnW +: VnW]), .dn_tail_i(sm_dn_tail[s]),
      .dn_flit_i(sm_dn_flit[s*FlitW +: FlitW]),
      .dn_credit_o(sm_dn_credit[s*DownNets +: DownNets]),
      .st_valid_o(st_valid_o[s]), .st_line_o(st_line_o[s*LnoW +: LnoW]),
      .st_state_o(st_state_o[s*2 +: 2]),
      .ev_o(ev_sm_o[s*hd_pkg::EV_SM_NUM +: hd_pkg::EV_SM_NUM]),
      .dbg_mshr_o(dbg_mshr_o[s*MshrEntries +: MshrEntries]),
      .dbg_ld_o(dbg_ld_o[s*Warps +: Warps]), .dbg_st_o(dbg_st_o[s*Warps +: Warps]),
      .dbg_cause0_o(dbg_cause0_o[s*Warps +: Warps]), .dbg_cause1_o(dbg_cause1_o[s*Warps +: Warps]),
      .dbg_cause2_o(dbg_cause2_o[s*Warps +: Warps]), .dbg_cause3_o(dbg_cause3_o[s*Warps +: Warps]),
      .dbg_pipe_o(dbg_pipe_o[s]), .dbg_credit_home_o(dbg_credit_home_o[s]),
      .idle_o(sm_idle_o[s])
    );
  end

  for (genvar p = 0; p < Parts; p++) begin : g_l2
    hd_l2_tile #(
      `include "hd_pass.svh"
    ) u_l2 (
      .clk_i(clk_slow_i), .rst_i(rst_i), .now_i(now_i), .part_id_i(hd_pkg::NODE_W'(p)),
      .policy_i(policy_i),
      .up_valid_i(l2_up_valid[p]), .up_vn_i(l2_up_vn[p*VnW +: VnW]), .up_tail_i(l2_up_tail[p]),
      .up_flit_i(l2_up_flit[p*FlitW +: FlitW]), .up_credit_o(l2_up_credit[p*UpNets +: UpNets]),
      .dn_valid_o(l2_dn_valid[p]), .dn_vn_o(l2_dn_vn[p*VnW +: VnW]), .dn_tail_o(l2_dn_tail[p]),
      .dn_flit_o(l2_dn_flit[p*FlitW +: FlitW]),
      .dn_credit_i(l2_dn_credit[p*DownNets +: DownNets]),
      .mreq_valid_o(mreq_valid_o[p]), .mreq_write_o(mreq_write_o[p]),
      .mreq_addr_o(mreq_addr_o[p*hd_pkg::ADDR_W +: hd_pkg::ADDR_W]),
      .mreq_tid_o(mreq_tid_o[p*hd_pkg::TID_W +: hd_pkg::TID_W]),
      .mreq_data_o(mreq_data_o[p*LineW +: LineW]),
      .mreq_credit_i(mreq_credit_i[p*2 +: 2]), .mrsp_valid_i(mrsp_valid_i[p]),
      .mrsp_tid_i(mrsp_tid_i[p*hd_pkg::TID_W +: hd_pkg::TID_W]),
      .mrsp_data_i(mrsp_data_i[p*LineW +: LineW]),
      .mrsp_credit_o(mrsp_credit_o[p]), .mack_valid_i(mack_valid_i[p]),
      .mack_tid_i(mack_tid_i[p*hd_pkg::TID_W +: hd_pkg::TID_W]), .flush_i(flush_i[p]),
      .type_clear_i(type_clear_i[p]), .obs_valid_o(obs_valid_o[p]),
      .obs_src_o(obs_src_o[p*hd_pkg::NODE_W +: hd_pkg::NODE_W]),
      .obs_opid_o(obs_opid_o[p*hd_pkg::OPID_W +: hd_pkg::OPID_W]),
      .obs_addr_o(obs_addr_o[p*hd_pkg::ADDR_W +: hd_pkg::ADDR_W]),
      .obs_data_o(obs_data_o[p*LineW +: LineW]),
      .obs_mask_o(obs_mask_o[p*LineWords +: LineWords]),
      .obs_new_o(obs_new_o[p*LineW +: LineW]),
      .ev_o(ev_l2_o[p*hd_pkg::EV_L2_NUM +: hd_pkg::EV_L2_NUM]), .idle_o(l2_idle_o[p])
    );
  end

  if (Noc == hd_pkg::NOC_MESH) begin : g_mesh
    if (ClkRatio != 1) begin : g_bad_clock
      $error("hd_gpu_top: a mesh has one clock, ClkRatio 1");
    end
    hd_mesh_net #(
      .Sms(Sms),
      .Parts(Parts),
      .MeshX(MeshX),
      .MeshY(MeshY),
      .RxDepth(RxDepth),
      .TxCredits(TxCredits),
      .FlitW(FlitW),
      .LatSmXbar(LatSmXbar),
      .LatXbarL2(LatXbarL2),
      .LatL2Xbar(LatL2Xbar),
      .LatXbarSm(LatXbarSm),
      .LatHop(LatHop),
      .LatHopInner(LatHopInner),
      .LatCredit(LatCredit)
    ) u_net (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .now_i      (now_i),
      .sm_valid_i (sm_up_valid),
      .sm_vn_i    (sm_up_vn),
      .sm_tail_i  (sm_up_tail),
      .sm_flit_i  (sm_up_flit),
      .sm_credit_o(sm_up_credit),
      .sm_valid_o (sm_dn_valid),
      .sm_vn_o    (sm_dn_vn),
      .sm_tail_o  (sm_dn_tail),
      .sm_flit_o  (sm_dn_flit),
      .sm_credit_i(sm_dn_credit),
      .l2_valid_i (l2_dn_valid),
      .l2_vn_i    (l2_dn_vn),
      .l2_tail_i  (l2_dn_tail),
      .l2_flit_i  (l2_dn_flit),
      .l2_credit_o(l2_dn_credit),
      .l2_valid_o (l2_up_valid),
      .l2_vn_o    (l2_up_vn),
      .l2_tail_o  (l2_up_tail),
      .l2_flit_o  (l2_up_flit),
      .l2_credit_i(l2_up_credit),
      .ev_o       (ev_router_o),
      .idle_o     (net_idle)
    );
    assign ev_xbar_o = '0;
    logic unused_clock;
    assign unused_clock = ^{clk_slow_i, slow_new};
  end else begin : g_xbar
    hd_xbar_net #(
      .Sms(Sms),
      .Parts(Parts),
      .RxDepth(RxDepth),
      .TxCredits(TxCredits),
      .FlitW(FlitW),
      .LatSmXbar(LatSmXbar),
      .LatXbarL2(LatXbarL2),
      .LatL2Xbar(LatL2Xbar),
      .LatXbarSm(LatXbarSm),
      .LatCredit(LatCredit)
    ) u_net (
      .clk_i      (clk_i),
      .clk_slow_i (clk_slow_i),
      .rst_i      (rst_i),
      .now_i      (now_i),
      .slow_new_i (slow_new),
      .sm_valid_i (sm_up_valid),
      .sm_vn_i    (sm_up_vn),
      .sm_tail_i  (sm_up_tail),
      .sm_flit_i  (sm_up_flit),
      .sm_credit_o(sm_up_credit),
      .sm_valid_o (sm_dn_valid),
      .sm_vn_o    (sm_dn_vn),
      .sm_tail_o  (sm_dn_tail),
      .sm_flit_o  (sm_dn_flit),
      .sm_credit_i(sm_dn_credit),
      .l2_valid_i (l2_dn_valid),
      .l2_vn_i    (l2_dn_vn),
      .l2_tail_i  (l2_dn_tail),
      .l2_flit_i  (l2_dn_flit),
      .l2_credit_o(l2_dn_credit),
      .l2_valid_o (l2_up_valid),
      .l2_vn_o    (l2_up_vn),
      .l2_tail_o  (l2_up_tail),
      .l2_flit_o  (l2_up_flit),
      .l2_credit_i(l2_up_credit),
      .ev_o       (ev_xbar_o),
      .idle_o     (net_idle)
    );
    assign ev_router_o = '0;
  end

  assign idle_o = (&sm_idle_o) && (&l2_idle_o) && net_idle;
endmodule
`default_nettype wire
