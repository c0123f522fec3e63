// hd_sm_links.sv - both links of an SM tile: packets of the L1 to flits and back.
//
// req   requests (UP_REQ): heads, with Family VI with data (hd_wt_queue). rsp answers and
//       writebacks (UP_RSP): with their line, with Family VI heads. Valid/ready, each in order.
// type_req, type_ack: those of the ordering hardware, heads without lanes, valid/ready, before the
//       L1's.
// dn    packets that have arrived whole, valid/ready; type_dn_valid_o: one of a classifier, on the
//       same dn_head_o, taken at once.
// up_*, dn_* of the link: docs/tiles.md. Flits and credits leave only in cycles with tick_i. Of a
//       mesh the links have all networks; nothing comes on those that the SM does not use.
// sent_o nothing that was taken waits to leave. credit_home_o every up credit is home.
// idle_o nothing moves while no input is valid and no credit comes back.
// Parameters: Family (hd_pkg FAMILY_*), Noc (NOC_*), Lanes, LineWords, WordW, FlitWords;
// RxDepth flits the down link buffers; TxCredits a network up;
// WideFill: a beat of the down link is a whole packet, head and line.
`include "hd_assert.svh"
`default_nettype none
module hd_sm_links #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Noc = hd_pkg::NOC_XBAR,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned RxDepth = 64,
  parameter int unsigned TxCredits = 64,
  parameter int unsigned WideFill = 0,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned FlitW = FlitWords * WordW,                          // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                      // derived
  parameter int unsigned WideW = hd_pkg::wide_w(Lanes, LineWords * WordW),   // derived
  parameter int unsigned DownW = (WideFill != 0) ? WideW : FlitW,            // derived
  parameter int unsigned UpNets = hd_pkg::up_nets(Noc, Family),                      // derived
  parameter int unsigned DownNets = hd_pkg::down_nets(Noc, Family),                  // derived
  // derived: data of a request, of a packet down
  parameter int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords),
  parameter int unsigned DataW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords)
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic                         tick_i,
  // L1
  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [HeadW-1:0]             req_head_i,
  input  logic [BodyW-1:0]             req_body_i,
  input  logic                         rsp_valid_i,
  output logic                         rsp_ready_o,
  input  logic [HeadW-1:0]             rsp_head_i,
  input  logic [LineWords*WordW-1:0]   rsp_data_i,
  // ordering hardware
  input  logic                         type_req_valid_i,
  output logic                         type_req_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    type_req_head_i,
  input  logic                         type_ack_valid_i,
  output logic                         type_ack_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    type_ack_head_i,
  output logic                         type_dn_valid_o,
  output logic                         dn_valid_o,
  input  logic                         dn_ready_i,
  output logic [HeadW-1:0]             dn_head_o,
  output logic [DataW-1:0]             dn_data_o,
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
  output logic                         sent_o,
  output logic                         credit_home_o,
  output logic                         idle_o
);
  localparam int unsigned Nets = hd_pkg::UP_NETS;
  localparam int unsigned Req  = hd_pkg::UP_REQ;
  localparam int unsigned Rsp  = hd_pkg::UP_RSP;
  // Numbers on the wires.
  localparam int unsigned WireReq = hd_pkg::up_wire(Noc, Req);
  localparam int unsigned WireRsp = hd_pkg::up_wire(Noc, Rsp);
  localparam int unsigned WireFwd = hd_pkg::down_wire(Noc, hd_pkg::DOWN_FWD);
  localparam bit          Vi   = hd_pkg::writes_through(Family);

  logic                  req_valid, req_ready, rsp_valid, rsp_ready;
  logic                  rx_valid, rx_ready, rx_tail, rx_idle, tx_idle;
  logic                  un_valid, un_ready, un_idle, is_type;
  logic [DownW-1:0]      rx_flit;
  logic [HeadW-1:0]      req_head, rsp_head;
  logic [Nets-1:0]       tx_valid, tx_ready, tx_tail, pk_idle;
  logic [Nets*FlitW-1:0] tx_flit;
  logic                  rx_credit;
  logic [hd_pkg::VN_W-1:0] tx_vn;
  hd_pkg::head_s         dn_head;
  // Messages about types are heads, and few: they go first.
  assign type_ack_ready_o = rsp_ready;
  assign rsp_ready_o      = rsp_ready && !type_ack_valid_i;
  assign rsp_valid        = rsp_valid_i || type_ack_valid_i;
  assign rsp_head         = type_ack_valid_i ? HeadW'(type_ack_head_i) : rsp_head_i;
  assign type_req_ready_o = req_ready;
  assign req_ready_o      = req_ready && !type_req_valid_i;
  assign req_valid        = req_valid_i || type_req_valid_i;
  assign req_head         = type_req_valid_i ? HeadW'(type_req_head_i) : req_head_i;
  assign dn_head          = dn_head_o[hd_pkg::HEAD_W-1:0];
  assign is_type          = dn_head.kind >= hd_pkg::MSG_TYPE_REP
      && dn_head.kind <= hd_pkg::MSG_TYPE_RECALL;
  assign type_dn_valid_o  = un_valid && is_type;
  assign dn_valid_o       = un_valid && !is_type;
  assign un_ready         = is_type || dn_ready_i;

  if (Vi) begin : g_req_body
    hd_flit_pack #(
      .LineWords(LineWords),
      .WordW(WordW),
      .AtomFlits(hd_pkg::atom_flits(Lanes, FlitWords)),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_pack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(req_valid),
      .in_ready_o(req_ready),
      .in_head_i(req_head),
      .in_data_i(req_body_i),
      .out_valid_o(tx_valid[Req]),
      .out_ready_i(tx_ready[Req]),
      .out_tail_o(tx_tail[Req]),
      .out_flit_o(tx_flit[Req*FlitW +: FlitW]),
      .idle_o(pk_idle[Req])
    );
  end else begin : g_req_head
    hd_head_pack #(
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_pack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(req_valid),
      .in_ready_o(req_ready),
      .in_head_i(req_head),
      .out_valid_o(tx_valid[Req]),
      .out_ready_i(tx_ready[Req]),
      .out_tail_o(tx_tail[Req]),
      .out_flit_o(tx_flit[Req*FlitW +: FlitW]),
      .idle_o(pk_idle[Req])
    );
    logic unused_body;
    assign unused_body = ^req_body_i;
  end
  if (Vi) begin : g_rsp_head
    hd_head_pack #(
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_pack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(rsp_valid),
      .in_ready_o(rsp_ready),
      .in_head_i(rsp_head),
      .out_valid_o(tx_valid[Rsp]),
      .out_ready_i(tx_ready[Rsp]),
      .out_tail_o(tx_tail[Rsp]),
      .out_flit_o(tx_flit[Rsp*FlitW +: FlitW]),
      .idle_o(pk_idle[Rsp])
    );
    logic unused_data;
    assign unused_data = ^rsp_data_i;
  end else begin : g_rsp_line
    hd_flit_pack #(
      .LineWords(LineWords),
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_pack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(rsp_valid),
      .in_ready_o(rsp_ready),
      .in_head_i(rsp_head),
      .in_data_i(rsp_data_i),
      .out_valid_o(tx_valid[Rsp]),
      .out_ready_i(tx_ready[Rsp]),
      .out_tail_o(tx_tail[Rsp]),
      .out_flit_o(tx_flit[Rsp*FlitW +: FlitW]),
      .idle_o(pk_idle[Rsp])
    );
  end
  hd_link_tx #(
    .FlitW(FlitW),
    .NumVn(Nets),
    .Credits(TxCredits)
  ) u_up (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(tick_i),
    .in_valid_i(tx_valid),
    .in_ready_o(tx_ready),
    .in_tail_i(tx_tail),
    .in_flit_i(tx_flit),
    .valid_o(up_valid_o),
    .vn_o(tx_vn),
    .tail_o(up_tail_o),
    .flit_o(up_flit_o),
    .credit_i({up_credit_i[WireRsp], up_credit_i[WireReq]}),
    .idle_o(tx_idle),
    .full_credit_o(credit_home_o)
  );
  assign up_vn_o = hd_pkg::VN_W'((tx_vn == hd_pkg::VN_W'(Rsp)) ? WireRsp : WireReq);
  for (genvar n = 0; n < DownNets; n++) begin : g_down_credit
    assign dn_credit_o[n] = rx_credit && n == WireFwd;
  end
  hd_link_rx #(
    .FlitW(DownW),
    .NumVn(hd_pkg::DOWN_NETS),
    .Depth(RxDepth)
  ) u_down (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(tick_i),
    .valid_i(dn_valid_i),
    .vn_i(hd_pkg::VN_W'(hd_pkg::DOWN_FWD)),
    .tail_i(dn_tail_i),
    .flit_i(dn_flit_i),
    .credit_o(rx_credit),
    .out_valid_o(rx_valid),
    .out_ready_i(rx_ready),
    .out_tail_o(rx_tail),
    .out_flit_o(rx_flit),
    .idle_o(rx_idle)
  );
  if (WideFill != 0) begin : g_wide
    assign un_valid   = rx_valid;
    assign rx_ready   = un_ready;
    assign un_idle    = 1'b1;
    assign dn_head_o  = rx_flit[HeadW-1:0];
    assign dn_data_o  = rx_flit[WideW-1 -: LineWords*WordW];
    logic unused_tail;
    assign unused_tail = ^{rx_tail, rx_flit};
  end else begin : g_flits
    hd_flit_unpack #(
      .LineWords(DataW / WordW),
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_unpack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(rx_valid),
      .in_ready_o(rx_ready),
      .in_tail_i(rx_tail),
      .in_flit_i(rx_flit),
      .out_valid_o(un_valid),
      .out_ready_i(un_ready),
      .out_head_o(dn_head_o),
      .out_data_o(dn_data_o),
      .idle_o(un_idle)
    );
  end
  logic unused_head;
  assign unused_head = ^{dn_head, up_credit_i, dn_vn_i};
  assign sent_o = (&pk_idle) && tx_idle;
  assign idle_o = sent_o && rx_idle && un_idle;

  `HD_ASSERT(a_down_network, !dn_valid_i || dn_vn_i == hd_pkg::VN_W'(WireFwd))
endmodule
`default_nettype wire
