// hd_xbar_net.sv - the two crossbars of a flat chip with the pipes that join them to the tiles.
//
// clk_i core clock; clk_slow_i clock of crossbars and L2 tiles (hd_gpu_top), slow_new_i: its
// registers are new in this cycle.
// sm_*, l2_*  the ends of the tiles' links, tile 0 in the low bits; what is sent by one edge is
//             there the link's latency later (hd_link_pipe). Networks UP_* to the L2, DOWN_* to the
//             SM.
// ev_o   up crossbar low, down crossbar high. idle_o: crossbars idle, pipes empty.
// Parts: L2 tiles; the others are those of hd_keys.svh.
`default_nettype none
module hd_xbar_net #(
  parameter int unsigned Sms = 4,
  parameter int unsigned Parts = 2,
  parameter int unsigned RxDepth = 64,
  parameter int unsigned TxCredits = 64,
  parameter int unsigned FlitW = 256,
  parameter int unsigned LatSmXbar = 78,
  parameter int unsigned LatXbarL2 = 78,
  parameter int unsigned LatL2Xbar = 78,
  parameter int unsigned LatXbarSm = 78,
  parameter int unsigned LatCredit = 32,
  parameter int unsigned UpNets = hd_pkg::UP_NETS,     // derived
  parameter int unsigned DownNets = hd_pkg::DOWN_NETS  // derived
) (
  input  logic                          clk_i,
  input  logic                          clk_slow_i,
  input  logic                          rst_i,
  input  logic [31:0]                   now_i,
  input  logic                          slow_new_i,
  // flits from SMs, to SMs
  input  logic [Sms-1:0]                sm_valid_i,
  input  logic [Sms*hd_pkg::VN_W-1:0]   sm_vn_i,
  input  logic [Sms-1:0]                sm_tail_i,
  input  logic [Sms*FlitW-1:0]          sm_flit_i,
  output logic [Sms*UpNets-1:0]         sm_credit_o,
  output logic [Sms-1:0]                sm_valid_o,
  output logic [Sms*hd_pkg::VN_W-1:0]   sm_vn_o,
  output logic [Sms-1:0]                sm_tail_o,
  output logic [Sms*FlitW-1:0]          sm_flit_o,
  input  logic [Sms*DownNets-1:0]       sm_credit_i,
  // flits from L2 tiles, to L2 tiles
  input  logic [Parts-1:0]              l2_valid_i,
  input  logic [Parts*hd_pkg::VN_W-1:0] l2_vn_i,
  input  logic [Parts-1:0]              l2_tail_i,
  input  logic [Parts*FlitW-1:0]        l2_flit_i,
  output logic [Parts*DownNets-1:0]     l2_credit_o,
  output logic [Parts-1:0]              l2_valid_o,
  output logic [Parts*hd_pkg::VN_W-1:0] l2_vn_o,
  output logic [Parts-1:0]              l2_tail_o,
  output logic [Parts*FlitW-1:0]        l2_flit_o,
  input  logic [Parts*UpNets-1:0]       l2_credit_i,
  output logic [2*hd_pkg::EV_XBAR_NUM-1:0] ev_o,
  output logic                          idle_o
);
  localparam int unsigned VnW = hd_pkg::VN_W;

  // Crossbar ports: u = up (SM to L2), d = down.
  logic [Sms-1:0] u_in_valid, u_in_tail;
  logic [Sms*VnW-1:0] u_in_vn;
  logic [Sms*FlitW-1:0] u_in_flit;
  logic [Sms*UpNets-1:0] u_in_credit;
  logic [Parts-1:0] u_out_valid, u_out_tail;
  logic [Parts*VnW-1:0] u_out_vn;
  logic [Parts*FlitW-1:0] u_out_flit;
  logic [Parts*UpNets-1:0] u_out_credit;
  logic [Parts-1:0] d_in_valid, d_in_tail;
  logic [Parts*VnW-1:0] d_in_vn;
  logic [Parts*FlitW-1:0] d_in_flit;
  logic [Parts*DownNets-1:0] d_in_credit;
  logic [Sms-1:0] d_out_valid, d_out_tail;
  logic [Sms*VnW-1:0] d_out_vn;
  logic [Sms*FlitW-1:0] d_out_flit;
  logic [Sms*DownNets-1:0] d_out_credit;
  logic [Sms-1:0] sm_up_empty, sm_down_empty;
  logic [Parts-1:0] l2_up_empty, l2_down_empty;
  logic u_idle, d_idle;

  for (genvar s = 0; s < Sms; s++) begin : g_sm
    hd_link_pipe #(
      .FlitW(FlitW),
      .NumVn(UpNets),
      .Latency(LatSmXbar),
      .CreditLatency(LatCredit)
    ) u_up (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .s_capture_i(1'b1),
      .s_valid_i  (sm_valid_i[s]),
      .s_beat_i   ({sm_vn_i[s*VnW +: VnW], sm_tail_i[s], sm_flit_i[s*FlitW +: FlitW]}),
      .s_credit_o (sm_credit_o[s*UpNets +: UpNets]),
      .r_valid_o  (u_in_valid[s]),
      .r_beat_o   ({u_in_vn[s*VnW +: VnW], u_in_tail[s], u_in_flit[s*FlitW +: FlitW]}),
      .r_capture_i(slow_new_i),
      .r_credit_i (u_in_credit[s*UpNets +: UpNets]),
      .empty_o    (sm_up_empty[s])
    );
    hd_link_pipe #(
      .FlitW(FlitW),
      .NumVn(DownNets),
      .Latency(LatXbarSm),
      .CreditLatency(LatCredit)
    ) u_down (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .s_capture_i(slow_new_i),
      .s_valid_i  (d_out_valid[s]),
      .s_beat_i   ({d_out_vn[s*VnW +: VnW], d_out_tail[s], d_out_flit[s*FlitW +: FlitW]}),
      .s_credit_o (d_out_credit[s*DownNets +: DownNets]),
      .r_valid_o  (sm_valid_o[s]),
      .r_beat_o   ({sm_vn_o[s*VnW +: VnW], sm_tail_o[s], sm_flit_o[s*FlitW +: FlitW]}),
      .r_capture_i(1'b1),
      .r_credit_i (sm_credit_i[s*DownNets +: DownNets]),
      .empty_o    (sm_down_empty[s])
    );
  end

  for (genvar p = 0; p < Parts; p++) begin : g_l2
    hd_link_pipe #(
      .FlitW(FlitW),
      .NumVn(UpNets),
      .Latency(LatXbarL2),
      .CreditLatency(LatCredit)
    ) u_up (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .s_capture_i(slow_new_i),
      .s_valid_i  (u_out_valid[p]),
      .s_beat_i   ({u_out_vn[p*VnW +: VnW], u_out_tail[p], u_out_flit[p*FlitW +: FlitW]}),
      .s_credit_o (u_out_credit[p*UpNets +: UpNets]),
      .r_valid_o  (l2_valid_o[p]),
      .r_beat_o   ({l2_vn_o[p*VnW +: VnW], l2_tail_o[p], l2_flit_o[p*FlitW +: FlitW]}),
      .r_capture_i(slow_new_i),
      .r_credit_i (l2_credit_i[p*UpNets +: UpNets]),
      .empty_o    (l2_up_empty[p])
    );
    hd_link_pipe #(
      .FlitW(FlitW),
      .NumVn(DownNets),
      .Latency(LatL2Xbar),
      .CreditLatency(LatCredit)
    ) u_down (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .s_capture_i(slow_new_i),
      .s_valid_i  (l2_valid_i[p]),
      .s_beat_i   ({l2_vn_i[p*VnW +: VnW], l2_tail_i[p], l2_flit_i[p*FlitW +: FlitW]}),
      .s_credit_o (l2_credit_o[p*DownNets +: DownNets]),
      .r_valid_o  (d_in_valid[p]),
      .r_beat_o   ({d_in_vn[p*VnW +: VnW], d_in_tail[p], d_in_flit[p*FlitW +: FlitW]}),
      .r_capture_i(slow_new_i),
      .r_credit_i (d_in_credit[p*DownNets +: DownNets]),
      .empty_o    (l2_down_empty[p])
    );
  end

  hd_xbar_tile #(
    .Ins(Sms),
    .Outs(Parts),
    .NumVn(UpNets),
    .RxDepth(RxDepth),
    .TxCredits(TxCredits),
    .FlitW(FlitW)
  ) u_up (
    .clk_i       (clk_slow_i),
    .rst_i       (rst_i),
    .now_i       (now_i),
    .in_valid_i  (u_in_valid),
    .in_vn_i     (u_in_vn),
    .in_tail_i   (u_in_tail),
    .in_flit_i   (u_in_flit),
    .in_credit_o (u_in_credit),
    .out_valid_o (u_out_valid),
    .out_vn_o    (u_out_vn),
    .out_tail_o  (u_out_tail),
    .out_flit_o  (u_out_flit),
    .out_credit_i(u_out_credit),
    .ev_o        (ev_o[hd_pkg::EV_XBAR_NUM-1:0]),
    .idle_o      (u_idle)
  );

  hd_xbar_tile #(
    .Ins(Parts),
    .Outs(Sms),
    .NumVn(DownNets),
    .RxDepth(RxDepth),
    .TxCredits(TxCredits),
    .FlitW(FlitW)
  ) u_down (
    .clk_i       (clk_slow_i),
    .rst_i       (rst_i),
    .now_i       (now_i),
    .in_valid_i  (d_in_valid),
    .in_vn_i     (d_in_vn),
    .in_tail_i   (d_in_tail),
    .in_flit_i   (d_in_flit),
    .in_credit_o (d_in_credit),
    .out_valid_o (d_out_valid),
    .out_vn_o    (d_out_vn),
    .out_tail_o  (d_out_tail),
    .out_flit_o  (d_out_flit),
    .out_credit_i(d_out_credit),
    .ev_o        (ev_o[2*hd_pkg::EV_XBAR_NUM-1:hd_pkg::EV_XBAR_NUM]),
    .idle_o      (d_idle)
  );

  assign idle_o = u_idle && d_idle && (&sm_up_empty) && (&sm_down_empty) && (&l2_up_empty)
                  && (&l2_down_empty);
endmodule
`default_nettype wire
