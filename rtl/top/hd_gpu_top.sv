// hd_gpu_top.sv - the whole chip flat: SM tiles, two crossbars, L2 tiles, and RTL pipes as links.
//
// The same tiles as the composed machine (tb/machine.h), joined by hd_link_pipe instead of C rings.
// It exists for synthesis and as the witness that composing, windows and skipping of idle tiles
// change nothing: same cycles, same events (docs/tiles.md, gpu_top).
// clk_i core clock; clk_slow_i clock of crossbars and L2, its edges coincide with the core edges of
// cycles that are multiples of ClkRatio. now_i number of the coming core edge. At reset both clocks
// run.
// Per SM the warp port and observation (op_* .. dbg_*, sm_idle_o), per partition the memory port
// (mreq_* .. ev_l2_o, l2_idle_o) as in docs/tiles.md; vectors with tile 0 in the low bits. What is
// not per tile: ev_xbar_o (up crossbar low, down crossbar high) and idle_o: every tile is idle and
// every pipe is empty.
// Parameters: hd_keys.svh; latencies are multiples of ClkRatio. policy_i goes to every tile.
`default_nettype none
module hd_gpu_top #(
  `include "hd_params.svh"
  parameter int unsigned Parts = 1 << PartBits,                           // derived
  parameter int unsigned FlitW = FlitWords * WordW,                      // derived
  parameter int unsigned LineW = LineWords * WordW,                       // derived
  parameter int unsigned LnoW = hd_pkg::ADDR_W - $clog2(LineWords * 4)    // derived
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
  input  logic [Parts-1:0]                  mreq_credit_i,
  input  logic [Parts-1:0]                  mrsp_valid_i,
  input  logic [Parts*hd_pkg::TID_W-1:0]    mrsp_tid_i,
  input  logic [Parts*LineW-1:0]            mrsp_data_i,
  output logic [Parts-1:0]                  mrsp_credit_o,
  input  logic [Parts-1:0]                  flush_i,
  input  logic [Parts-1:0]                  type_clear_i,
  output logic [Parts-1:0]                  obs_valid_o,
  output logic [Parts*hd_pkg::NODE_W-1:0]   obs_src_o,
  output logic [Parts*hd_pkg::OPID_W-1:0]   obs_opid_o,
  output logic [Parts*hd_pkg::ADDR_W-1:0]   obs_addr_o,
  output logic [Parts*LineW-1:0]            obs_data_o,
  output logic [Parts*hd_pkg::EV_L2_NUM-1:0] ev_l2_o,
  output logic [Parts-1:0]                  l2_idle_o,
  output logic [2*hd_pkg::EV_XBAR_NUM-1:0]  ev_xbar_o,
  output logic                              idle_o
);
  `include "hd_fits.svh"
  localparam int unsigned VnW = hd_pkg::VN_W;
  localparam int unsigned UpNets = hd_pkg::UP_NETS;
  localparam int unsigned DownNets = hd_pkg::DOWN_NETS;

  logic slow_new;  // registers of the slow clock are new in this cycle
  assign slow_new = (now_i & (ClkRatio - 1)) == (32'd1 & (ClkRatio - 1));

  // Crossbar ports: u = up (SM to L2), d = down.
  logic [Sms-1:0]         u_in_valid, u_in_tail;
  logic [Sms*VnW-1:0]     u_in_vn;
  logic [Sms*FlitW-1:0]   u_in_flit;
  logic [Sms*UpNets-1:0]  u_in_credit;
  logic [Parts-1:0]       u_out_valid, u_out_tail;
  logic [Parts*VnW-1:0]   u_out_vn;
  logic [Parts*FlitW-1:0] u_out_flit;
  logic [Parts*UpNets-1:0] u_out_credit;
  logic [Parts-1:0]       d_in_valid, d_in_tail;
  logic [Parts*DownNets-1:0] d_in_credit;
  logic [Parts*VnW-1:0]   d_in_vn;
  logic [Parts*FlitW-1:0] d_in_flit;
  logic [Sms-1:0]         d_out_valid, d_out_tail;
  logic [Sms*DownNets-1:0] d_out_credit;
  logic [Sms*VnW-1:0]     d_out_vn;
  logic [Sms*FlitW-1:0]   d_out_flit;
  logic [Sms-1:0]         sm_pipes_empty;
  logic [Parts-1:0]       l2_pipes_empty;
  logic                   u_idle, d_idle;

  for (genvar s = 0; s < Sms; s++) begin : g_sm
    logic             up_valid, up_tail, dn_valid, dn_tail;
    logic [VnW-1:0]   up_vn, dn_vn;
    logic [FlitW-1:0] up_flit, dn_flit;
    logic [UpNets-1:0]   up_credit;
    logic [DownNets-1:0] dn_credit;
    logic             up_empty, dn_empty;

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
      .cpl_mask_o(cpl_mask_o[s*Lanes +: Lanes]),
      .cpl_data_o(cpl_data_o[s*Lanes*WordW +: Lanes*WordW]),
      .ctl_done_o(ctl_done_o[s*Warps +: Warps]), .ctl_clock_o(ctl_clock_o[s*32 +: 32]),
      .flush_done_o(flush_done_o[s]),
      .up_valid_o(up_valid), .up_vn_o(up_vn), .up_tail_o(up_tail), .up_flit_o(up_flit),
      .up_credit_i(up_credit),
      .dn_valid_i(dn_valid), .dn_vn_i(dn_vn), .dn_tail_i(dn_tail), .dn_flit_i(dn_flit),
      .dn_credit_o(dn_credit),
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
    hd_link_pipe #(
      .FlitW(FlitW), .NumVn(UpNets), .Latency(LatSmXbar), .CreditLatency(LatCredit)
    ) u_up (
      .clk_i(clk_i), .rst_i(rst_i), .s_capture_i(1'b1), .s_valid_i(up_valid), .s_vn_i(up_vn),
      .s_tail_i(up_tail), .s_flit_i(up_flit), .s_credit_o(up_credit), .r_valid_o(u_in_valid[s]),
      .r_vn_o(u_in_vn[s*VnW +: VnW]), .r_tail_o(u_in_tail[s]),
      .r_flit_o(u_in_flit[s*FlitW +: FlitW]), .r_capture_i(slow_new),
      .r_credit_i(u_in_credit[s*UpNets +: UpNets]), .empty_o(up_empty)
    );
    hd_link_pipe #(
      .FlitW(FlitW), .NumVn(DownNets), .Latency(LatXbarSm), .CreditLatency(LatCredit)
    ) u_down (
      .clk_i(clk_i), .rst_i(rst_i), .s_capture_i(slow_new), .s_valid_i(d_out_valid[s]),
      .s_vn_i(d_out_vn[s*VnW +: VnW]), .s_tail_i(d_out_tail[s]),
      .s_flit_i(d_out_flit[s*FlitW +: FlitW]),
      .s_credit_o(d_out_credit[s*DownNets +: DownNets]),
      .r_valid_o(dn_valid), .r_vn_o(dn_vn), .r_tail_o(dn_tail),
      .r_flit_o(dn_flit), .r_capture_i(1'b1), .r_credit_i(dn_credit), .empty_o(dn_empty)
    );
    assign sm_pipes_empty[s] = up_empty && dn_empty;
  end

  hd_xbar_tile #(
    .Ins(Sms), .Outs(Parts), .NumVn(UpNets), .RxDepth(RxDepth), .TxCredits(TxCredits), .FlitW(FlitW)
  ) u_xbar_up (
    .clk_i(clk_slow_i), .rst_i(rst_i), .now_i(now_i), .in_valid_i(u_in_valid), .in_vn_i(u_in_vn),
    .in_tail_i(u_in_tail), .in_flit_i(u_in_flit), .in_credit_o(u_in_credit),
    .out_valid_o(u_out_valid), .out_vn_o(u_out_vn), .out_tail_o(u_out_tail),
    .out_flit_o(u_out_flit), .out_credit_i(u_out_credit),
    .ev_o(ev_xbar_o[hd_pkg::EV_XBAR_NUM-1:0]), .idle_o(u_idle)
  );
  hd_xbar_tile #(
    .Ins(Parts), .Outs(Sms), .NumVn(DownNets), .RxDepth(RxDepth), .TxCredits(TxCredits),
    .FlitW(FlitW)
  ) u_xbar_down (
    .clk_i(clk_slow_i), .rst_i(rst_i), .now_i(now_i), .in_valid_i(d_in_valid), .in_vn_i(d_in_vn),
    .in_tail_i(d_in_tail), .in_flit_i(d_in_flit), .in_credit_o(d_in_credit),
    .out_valid_o(d_out_valid), .out_vn_o(d_out_vn), .out_tail_o(d_out_tail),
    .out_flit_o(d_out_flit), .out_credit_i(d_out_credit),
    .ev_o(ev_xbar_o[2*hd_pkg::EV_XBAR_NUM-1:hd_pkg::EV_XBAR_NUM]), .idle_o(d_idle)
  );

  for (genvar p = 0; p < Parts; p++) begin : g_l2
    logic             up_valid, up_tail, dn_valid, dn_tail;
    logic [VnW-1:0]   up_vn, dn_vn;
    logic [FlitW-1:0] up_flit, dn_flit;
    logic [UpNets-1:0]   up_credit;
    logic [DownNets-1:0] dn_credit;
    logic             up_empty, dn_empty;

    hd_l2_tile #(
      `include "hd_pass.svh"
    ) u_l2 (
      .clk_i(clk_slow_i), .rst_i(rst_i), .now_i(now_i), .part_id_i(hd_pkg::NODE_W'(p)),
      .policy_i(policy_i),
      .up_valid_i(up_valid), .up_vn_i(up_vn), .up_tail_i(up_tail), .up_flit_i(up_flit),
      .up_credit_o(up_credit),
      .dn_valid_o(dn_valid), .dn_vn_o(dn_vn), .dn_tail_o(dn_tail), .dn_flit_o(dn_flit),
      .dn_credit_i(dn_credit),
      .mreq_valid_o(mreq_valid_o[p]), .mreq_write_o(mreq_write_o[p]),
      .mreq_addr_o(mreq_addr_o[p*hd_pkg::ADDR_W +: hd_pkg::ADDR_W]),
      .mreq_tid_o(mreq_tid_o[p*hd_pkg::TID_W +: hd_pkg::TID_W]),
      .mreq_data_o(mreq_data_o[p*LineW +: LineW]),
      .mreq_credit_i(mreq_credit_i[p]), .mrsp_valid_i(mrsp_valid_i[p]),
      .mrsp_tid_i(mrsp_tid_i[p*hd_pkg::TID_W +: hd_pkg::TID_W]),
      .mrsp_data_i(mrsp_data_i[p*LineW +: LineW]),
      .mrsp_credit_o(mrsp_credit_o[p]), .flush_i(flush_i[p]),
      .type_clear_i(type_clear_i[p]), .obs_valid_o(obs_valid_o[p]),
      .obs_src_o(obs_src_o[p*hd_pkg::NODE_W +: hd_pkg::NODE_W]),
      .obs_opid_o(obs_opid_o[p*hd_pkg::OPID_W +: hd_pkg::OPID_W]),
      .obs_addr_o(obs_addr_o[p*hd_pkg::ADDR_W +: hd_pkg::ADDR_W]),
      .obs_data_o(obs_data_o[p*LineW +: LineW]),
      .ev_o(ev_l2_o[p*hd_pkg::EV_L2_NUM +: hd_pkg::EV_L2_NUM]), .idle_o(l2_idle_o[p])
    );
    hd_link_pipe #(
      .FlitW(FlitW), .NumVn(UpNets), .Latency(LatXbarL2), .CreditLatency(LatCredit)
    ) u_up (
      .clk_i(clk_i), .rst_i(rst_i), .s_capture_i(slow_new), .s_valid_i(u_out_valid[p]),
      .s_vn_i(u_out_vn[p*VnW +: VnW]), .s_tail_i(u_out_tail[p]),
      .s_flit_i(u_out_flit[p*FlitW +: FlitW]),
      .s_credit_o(u_out_credit[p*UpNets +: UpNets]),
      .r_valid_o(up_valid), .r_vn_o(up_vn), .r_tail_o(up_tail),
      .r_flit_o(up_flit), .r_capture_i(slow_new), .r_credit_i(up_credit), .empty_o(up_empty)
    );
    hd_link_pipe #(
      .FlitW(FlitW), .NumVn(DownNets), .Latency(LatL2Xbar), .CreditLatency(LatCredit)
    ) u_down (
      .clk_i(clk_i), .rst_i(rst_i), .s_capture_i(slow_new), .s_valid_i(dn_valid), .s_vn_i(dn_vn),
      .s_tail_i(dn_tail), .s_flit_i(dn_flit), .s_credit_o(dn_credit), .r_valid_o(d_in_valid[p]),
      .r_vn_o(d_in_vn[p*VnW +: VnW]), .r_tail_o(d_in_tail[p]),
      .r_flit_o(d_in_flit[p*FlitW +: FlitW]), .r_capture_i(slow_new),
      .r_credit_i(d_in_credit[p*DownNets +: DownNets]), .empty_o(dn_empty)
    );
    assign l2_pipes_empty[p] = up_empty && dn_empty;
  end

  assign idle_o = (&sm_idle_o) && (&l2_idle_o) && u_idle && d_idle && (&sm_pipes_empty)
                  && (&l2_pipes_empty);
endmodule
`default_nettype wire
