// hd_sm_links.sv - both links of an SM tile: packets of the L1 to flits and back.
//
// req   requests, one flit each (VN_REQ). rsp answers and writebacks with their line (VN_RSP).
//       Valid/ready, each in order.
// type_req, type_ack: those of the ordering hardware, valid/ready, before the L1's.
// dn    packets that have arrived whole, valid/ready; type_dn_valid_o: one of a classifier, on the
//       same dn_head_o, taken at once.
// up_*, dn_* of the link: docs/tiles.md. Flits and credits leave only in cycles with tick_i.
// sent_o nothing that was taken waits to leave. credit_home_o every up credit is home.
// idle_o nothing moves while no input is valid and no credit comes back.
// Parameters: LineWords, WordW; RxDepth flits the down link buffers; TxCredits a network up;
// WideFill: a beat of the down link is a whole packet, head and line.
`default_nettype none
module hd_sm_links #(
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned RxDepth = 64,
  parameter int unsigned TxCredits = 64,
  parameter int unsigned WideFill = 0,
  parameter int unsigned FlitW = hd_pkg::FLIT_WORDS * WordW,           // derived
  // derived: the head fills whole 32-bit units
  parameter int unsigned HeadUnits = (hd_pkg::HEAD_W + 31) / 32,
  // derived
  parameter int unsigned WideW = 32 * HeadUnits + LineWords * WordW,
  parameter int unsigned DownW = (WideFill != 0) ? WideW : FlitW       // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic                         tick_i,
  // L1
  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    req_head_i,
  input  logic                         rsp_valid_i,
  output logic                         rsp_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    rsp_head_i,
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
  output logic [hd_pkg::HEAD_W-1:0]    dn_head_o,
  output logic [LineWords*WordW-1:0]   dn_data_o,
  // up link
  output logic                         up_valid_o,
  output logic [hd_pkg::VN_W-1:0]      up_vn_o,
  output logic                         up_tail_o,
  output logic [FlitW-1:0]             up_flit_o,
  input  logic [1:0]                   up_credit_i,
  // down link
  input  logic                         dn_valid_i,
  input  logic [hd_pkg::VN_W-1:0]      dn_vn_i,
  input  logic                         dn_tail_i,
  input  logic [DownW-1:0]             dn_flit_i,
  output logic [0:0]                   dn_credit_o,
  // observation
  output logic                         sent_o,
  output logic                         credit_home_o,
  output logic                         idle_o
);
  logic             pk_valid, pk_ready, pk_tail, pk_idle, tx_idle, rx_idle, rx_valid, rx_ready,
      rx_tail, un_idle;
  logic [FlitW-1:0] pk_flit;
  logic [DownW-1:0] rx_flit;
  // Messages about types are single flits, and few: they go first.
  logic                      pk_in_ready, req_ready, un_valid, un_ready, is_type;
  logic [hd_pkg::HEAD_W-1:0] req_head, pk_head;
  hd_pkg::head_s             dn_head;
  assign type_ack_ready_o = pk_in_ready;
  assign rsp_ready_o      = pk_in_ready && !type_ack_valid_i;
  assign pk_head          = type_ack_valid_i ? type_ack_head_i : rsp_head_i;
  assign type_req_ready_o = req_ready;
  assign req_ready_o      = req_ready && !type_req_valid_i;
  assign req_head         = type_req_valid_i ? type_req_head_i : req_head_i;
  assign dn_head          = dn_head_o;
  assign is_type          = dn_head.kind >= hd_pkg::MSG_TYPE_REP
      && dn_head.kind <= hd_pkg::MSG_TYPE_RECALL;
  assign type_dn_valid_o  = un_valid && is_type;
  assign dn_valid_o       = un_valid && !is_type;
  assign un_ready         = is_type || dn_ready_i;

  hd_flit_pack #(.LineWords(LineWords), .WordW(WordW)) u_pack (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(rsp_valid_i || type_ack_valid_i),
    .in_ready_o(pk_in_ready), .in_head_i(pk_head), .in_data_i(rsp_data_i), .out_valid_o(pk_valid),
    .out_ready_i(pk_ready), .out_tail_o(pk_tail), .out_flit_o(pk_flit), .idle_o(pk_idle)
  );
  hd_link_tx #(.FlitW(FlitW), .NumVn(2), .Credits(TxCredits)) u_up (
    .clk_i(clk_i), .rst_i(rst_i), .tick_i(tick_i),
    .in_valid_i({pk_valid, req_valid_i || type_req_valid_i}),
    .in_ready_o({pk_ready, req_ready}), .in_tail_i({pk_tail, 1'b1}),
    .in_flit_i({pk_flit, FlitW'(req_head)}), .valid_o(up_valid_o), .vn_o(up_vn_o),
    .tail_o(up_tail_o), .flit_o(up_flit_o), .credit_i(up_credit_i), .idle_o(tx_idle),
    .full_credit_o(credit_home_o)
  );
  hd_link_rx #(.FlitW(DownW), .NumVn(1), .Depth(RxDepth)) u_down (
    .clk_i(clk_i), .rst_i(rst_i), .tick_i(tick_i), .valid_i(dn_valid_i), .vn_i(dn_vn_i),
    .tail_i(dn_tail_i), .flit_i(dn_flit_i), .credit_o(dn_credit_o), .out_valid_o(rx_valid),
    .out_ready_i(rx_ready), .out_tail_o(rx_tail), .out_flit_o(rx_flit), .idle_o(rx_idle)
  );
  if (WideFill != 0) begin : g_wide
    assign un_valid   = rx_valid;
    assign rx_ready   = un_ready;
    assign un_idle    = 1'b1;
    assign dn_head_o  = rx_flit[hd_pkg::HEAD_W-1:0];
    assign dn_data_o  = rx_flit[WideW-1 -: LineWords*WordW];
    logic unused_tail;
    assign unused_tail = ^{rx_tail, rx_flit};
  end else begin : g_flits
    hd_flit_unpack #(.LineWords(LineWords), .WordW(WordW)) u_unpack (
      .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(rx_valid), .in_ready_o(rx_ready),
      .in_tail_i(rx_tail), .in_flit_i(rx_flit), .out_valid_o(un_valid),
      .out_ready_i(un_ready), .out_head_o(dn_head_o), .out_data_o(dn_data_o), .idle_o(un_idle)
    );
  end
  logic unused_head;
  assign unused_head = ^dn_head;
  assign sent_o = pk_idle && tx_idle;
  assign idle_o = sent_o && rx_idle && un_idle;
endmodule
`default_nettype wire
