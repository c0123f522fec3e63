// hd_l2_links.sv - link ends of an L2 tile of the families MESI, VI and GPU: packets of flits.
//
// up    link from crossbar or router; networks REQ and RSP, RxDepth flits each. up_credit_o:
//       registered pulses.
// req   valid/ready: a request, with Gather the words that it brings, which are gathered first.
// rsp   valid: a packet of RSP with its data, which is taken at once.
// dn    valid/ready: a packet to an SM; it leaves by the link dn_*, network FWD, TxCredits credits
//       at the start; all of these registers.
// idle_o: nothing is held or under way. Parameters: Noc and UpNets, DownNets as in hd_keys.svh say
// which number a network has on the wires; BodyW bits that a request brings, DownW a packet of FWD.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_links #(
  parameter int unsigned Noc = 0,
  parameter int unsigned UpNets = hd_pkg::UP_NETS,
  parameter int unsigned DownNets = hd_pkg::DOWN_NETS,
  parameter int unsigned Gather = 0,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned RxDepth = 8,
  parameter int unsigned TxCredits = 8,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned BodyW = 512,
  parameter int unsigned DownW = 512,
  parameter int unsigned FlitW = FlitWords * WordW,     // derived
  parameter int unsigned LineW = LineWords * WordW,     // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes)  // derived
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  // links
  input  logic                    up_valid_i,
  input  logic [hd_pkg::VN_W-1:0] up_vn_i,
  input  logic                    up_tail_i,
  input  logic [FlitW-1:0]        up_flit_i,
  output logic [UpNets-1:0]       up_credit_o,
  output logic                    dn_valid_o,
  output logic [hd_pkg::VN_W-1:0] dn_vn_o,
  output logic                    dn_tail_o,
  output logic [FlitW-1:0]        dn_flit_o,
  input  logic [DownNets-1:0]     dn_credit_i,
  // packets
  output logic                    req_valid_o,
  input  logic                    req_ready_i,
  output logic [HeadW-1:0]        req_head_o,
  output logic [BodyW-1:0]        req_body_o,
  output logic                    rsp_valid_o,
  output logic [HeadW-1:0]        rsp_head_o,
  output logic [LineW-1:0]        rsp_data_o,
  input  logic                    dn_valid_i,
  output logic                    dn_ready_o,
  input  logic [HeadW-1:0]        dn_head_i,
  input  logic [DownW-1:0]        dn_data_i,
  output logic                    idle_o
);
  localparam int unsigned Nets = hd_pkg::UP_NETS;
  localparam int unsigned Req = hd_pkg::UP_REQ;
  localparam int unsigned Rsp = hd_pkg::UP_RSP;
  // Numbers on the wires.
  localparam int unsigned WireReq = hd_pkg::up_wire(Noc, Req);
  localparam int unsigned WireRsp = hd_pkg::up_wire(Noc, Rsp);
  localparam int unsigned WireFwd = hd_pkg::down_wire(Noc, hd_pkg::DOWN_FWD);

  logic [Nets-1:0]         rx_valid, rx_ready, rx_tail, rx_credit;
  logic [Nets*FlitW-1:0]   rx_flit;
  logic [hd_pkg::VN_W-1:0] rx_vn, tx_vn;
  logic                    rx_idle, unpack_idle, req_idle, pack_idle, tx_idle, credits_home;
  logic                    tx_valid, tx_ready, tx_tail;
  logic [FlitW-1:0]        tx_flit;

  hd_link_rx #(
    .FlitW(FlitW),
    .NumVn(Nets),
    .Depth(RxDepth)
  ) u_rx (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(1'b1),
    .valid_i(up_valid_i),
    .vn_i(rx_vn),
    .tail_i(up_tail_i),
    .flit_i(up_flit_i),
    .credit_o(rx_credit),
    .out_valid_o(rx_valid),
    .out_ready_i(rx_ready),
    .out_tail_o(rx_tail),
    .out_flit_o(rx_flit),
    .idle_o(rx_idle)
  );

  assign rx_vn   = hd_pkg::VN_W'((up_vn_i == hd_pkg::VN_W'(WireRsp)) ? Rsp : Req);
  assign dn_vn_o = hd_pkg::VN_W'(WireFwd);
  for (genvar n = 0; n < UpNets; n++) begin : g_up_credit
    assign up_credit_o[n] = (rx_credit[Req] && n == WireReq) || (rx_credit[Rsp] && n == WireRsp);
  end

  hd_flit_unpack #(
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords),
    .Lanes(Lanes)
  ) u_unpack (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(rx_valid[Rsp]),
    .in_ready_o(rx_ready[Rsp]),
    .in_tail_i(rx_tail[Rsp]),
    .in_flit_i(rx_flit[Rsp*FlitW +: FlitW]),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(1'b1),
    .out_head_o(rsp_head_o),
    .out_data_o(rsp_data_o),
    .idle_o(unpack_idle)
  );

  if (Gather != 0) begin : g_gather
    hd_flit_unpack #(
      .LineWords(LineWords),
      .WordW(WordW),
      .AtomFlits(hd_pkg::atom_flits(Lanes, FlitWords)),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_unpack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(rx_valid[Req]),
      .in_ready_o(rx_ready[Req]),
      .in_tail_i(rx_tail[Req]),
      .in_flit_i(rx_flit[Req*FlitW +: FlitW]),
      .out_valid_o(req_valid_o),
      .out_ready_i(req_ready_i),
      .out_head_o(req_head_o),
      .out_data_o(req_body_o),
      .idle_o(req_idle)
    );
  end else begin : g_heads  // requests have no data flits
    hd_head_unpack #(
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_unpack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(rx_valid[Req]),
      .in_ready_o(rx_ready[Req]),
      .in_tail_i(rx_tail[Req]),
      .in_flit_i(rx_flit[Req*FlitW +: FlitW]),
      .out_valid_o(req_valid_o),
      .out_ready_i(req_ready_i),
      .out_head_o(req_head_o),
      .idle_o(req_idle)
    );
    assign req_body_o = '0;
  end

  hd_flit_pack #(
    .LineWords(DownW / WordW),
    .WordW(WordW),
    .FlitWords(FlitWords),
    .Lanes(Lanes)
  ) u_pack (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(dn_valid_i),
    .in_ready_o(dn_ready_o),
    .in_head_i(dn_head_i),
    .in_data_i(dn_data_i),
    .out_valid_o(tx_valid),
    .out_ready_i(tx_ready),
    .out_tail_o(tx_tail),
    .out_flit_o(tx_flit),
    .idle_o(pack_idle)
  );

  hd_link_tx #(
    .FlitW(FlitW),
    .NumVn(hd_pkg::DOWN_NETS),
    .Credits(TxCredits)
  ) u_tx (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(1'b1),
    .in_valid_i(tx_valid),
    .in_ready_o(tx_ready),
    .in_tail_i(tx_tail),
    .in_flit_i(tx_flit),
    .valid_o(dn_valid_o),
    .vn_o(tx_vn),
    .tail_o(dn_tail_o),
    .flit_o(dn_flit_o),
    .credit_i(dn_credit_i[WireFwd]),
    .idle_o(tx_idle),
    .full_credit_o(credits_home)
  );
  assign idle_o = rx_idle && unpack_idle && req_idle && pack_idle && tx_idle;

  logic unused;
  assign unused = ^{credits_home, rx_flit[Req*FlitW +: FlitW], tx_vn, dn_credit_i};

  `HD_ASSERT(a_up_network, !up_valid_i || up_vn_i == hd_pkg::VN_W'(WireReq)
                           || up_vn_i == hd_pkg::VN_W'(WireRsp))
endmodule
`default_nettype wire
