// hd_coh_links.sv - both links of an SM or L2 tile of family DENOVO: packets to flits and back.
//
// Links have the three networks VN_* on crossbar and mesh alike. A tile sends heads on one, REQ up
// from an SM, FWD down from an L2, and packets with words on RSP; it receives heads on the other
// and packets on RSP. What of RSP comes is taken whatever the others do.
// tx_head, tx_rsp  in: valid/ready, each in order. rx_head, rx_rsp out: packets that have arrived
//       whole, valid/ready.
// up_*  the link out, dn_* the link in (docs/tiles.md). Flits and credits leave only in cycles with
//       tick_i.
// sent_o nothing that was taken waits to leave. credit_home_o every credit is home.
// idle_o nothing moves while no input is valid and no credit comes back.
// Parameters: TxHead, RxHead networks of heads sent and received; LineWords, WordW, FlitWords;
// RxDepth flits the link in buffers a network; TxCredits a network out.
`include "hd_assert.svh"
`default_nettype none
module hd_coh_links #(
  parameter int unsigned TxHead = hd_pkg::VN_REQ,
  parameter int unsigned RxHead = hd_pkg::VN_FWD,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned RxDepth = 8,
  parameter int unsigned TxCredits = 8,
  parameter int unsigned FlitWords = 4,
  parameter int unsigned FlitW = FlitWords * WordW,  // derived
  parameter int unsigned LineW = LineWords * WordW   // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      tick_i,
  input  logic                      tx_head_valid_i,
  output logic                      tx_head_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0] tx_head_i,
  input  logic                      tx_rsp_valid_i,
  output logic                      tx_rsp_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0] tx_rsp_head_i,
  input  logic [LineW-1:0]          tx_rsp_data_i,
  output logic                      rx_head_valid_o,
  input  logic                      rx_head_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] rx_head_o,
  output logic                      rx_rsp_valid_o,
  input  logic                      rx_rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] rx_rsp_head_o,
  output logic [LineW-1:0]          rx_rsp_data_o,
  output logic                      up_valid_o,
  output logic [hd_pkg::VN_W-1:0]   up_vn_o,
  output logic                      up_tail_o,
  output logic [FlitW-1:0]          up_flit_o,
  input  logic [hd_pkg::NETS-1:0]   up_credit_i,
  input  logic                      dn_valid_i,
  input  logic [hd_pkg::VN_W-1:0]   dn_vn_i,
  input  logic                      dn_tail_i,
  input  logic [FlitW-1:0]          dn_flit_i,
  output logic [hd_pkg::NETS-1:0]   dn_credit_o,
  output logic                      sent_o,
  output logic                      credit_home_o,
  output logic                      idle_o
);
  localparam int unsigned Rsp = hd_pkg::VN_RSP;

  logic [1:0]              tx_valid, tx_ready, tx_tail, pk_idle, rx_valid, rx_ready, rx_tail;
  logic [1:0]              un_idle, rx_credit;
  logic [2*FlitW-1:0]      tx_flit, rx_flit;
  logic [hd_pkg::VN_W-1:0] tx_vn, rx_vn;
  logic                    tx_idle, rx_idle;

  hd_head_pack #(
    .WordW(WordW),
    .FlitWords(FlitWords),
    .HeadW(hd_pkg::HEAD_W)
  ) u_pack_head (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(tx_head_valid_i),
    .in_ready_o(tx_head_ready_o),
    .in_head_i(tx_head_i),
    .out_valid_o(tx_valid[0]),
    .out_ready_i(tx_ready[0]),
    .out_tail_o(tx_tail[0]),
    .out_flit_o(tx_flit[0 +: FlitW]),
    .idle_o(pk_idle[0])
  );
  hd_flit_pack #(
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords),
    .HeadW(hd_pkg::HEAD_W)
  ) u_pack_rsp (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(tx_rsp_valid_i),
    .in_ready_o(tx_rsp_ready_o),
    .in_head_i(tx_rsp_head_i),
    .in_data_i(tx_rsp_data_i),
    .out_valid_o(tx_valid[1]),
    .out_ready_i(tx_ready[1]),
    .out_tail_o(tx_tail[1]),
    .out_flit_o(tx_flit[FlitW +: FlitW]),
    .idle_o(pk_idle[1])
  );
  hd_link_tx #(
    .FlitW(FlitW),
    .NumVn(2),
    .Credits(TxCredits)
  ) u_tx (
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
    .credit_i({up_credit_i[Rsp], up_credit_i[TxHead]}),
    .idle_o(tx_idle),
    .full_credit_o(credit_home_o)
  );
  assign up_vn_o = hd_pkg::VN_W'((tx_vn == hd_pkg::VN_W'(1)) ? Rsp : TxHead);
  assign rx_vn   = hd_pkg::VN_W'(dn_vn_i == hd_pkg::VN_W'(Rsp));
  for (genvar n = 0; n < hd_pkg::NETS; n++) begin : g_credit
    assign dn_credit_o[n] = (rx_credit[0] && n == RxHead) || (rx_credit[1] && n == Rsp);
  end
  hd_link_rx #(
    .FlitW(FlitW),
    .NumVn(2),
    .Depth(RxDepth)
  ) u_rx (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(tick_i),
    .valid_i(dn_valid_i),
    .vn_i(rx_vn),
    .tail_i(dn_tail_i),
    .flit_i(dn_flit_i),
    .credit_o(rx_credit),
    .out_valid_o(rx_valid),
    .out_ready_i(rx_ready),
    .out_tail_o(rx_tail),
    .out_flit_o(rx_flit),
    .idle_o(rx_idle)
  );
  hd_head_unpack #(
    .WordW(WordW),
    .FlitWords(FlitWords),
    .HeadW(hd_pkg::HEAD_W)
  ) u_unpack_head (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(rx_valid[0]),
    .in_ready_o(rx_ready[0]),
    .in_tail_i(rx_tail[0]),
    .in_flit_i(rx_flit[0 +: FlitW]),
    .out_valid_o(rx_head_valid_o),
    .out_ready_i(rx_head_ready_i),
    .out_head_o(rx_head_o),
    .idle_o(un_idle[0])
  );
  hd_flit_unpack #(
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords),
    .HeadW(hd_pkg::HEAD_W)
  ) u_unpack_rsp (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(rx_valid[1]),
    .in_ready_o(rx_ready[1]),
    .in_tail_i(rx_tail[1]),
    .in_flit_i(rx_flit[FlitW +: FlitW]),
    .out_valid_o(rx_rsp_valid_o),
    .out_ready_i(rx_rsp_ready_i),
    .out_head_o(rx_rsp_head_o),
    .out_data_o(rx_rsp_data_o),
    .idle_o(un_idle[1])
  );
  assign sent_o = (&pk_idle) && tx_idle;
  assign idle_o = sent_o && rx_idle && (&un_idle);

  logic unused;
  assign unused = ^up_credit_i;

  `HD_ASSERT(a_network, !dn_valid_i || dn_vn_i == hd_pkg::VN_W'(RxHead)
             || dn_vn_i == hd_pkg::VN_W'(Rsp))
endmodule
`default_nettype wire
