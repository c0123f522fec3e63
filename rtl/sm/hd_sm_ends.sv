// hd_sm_ends.sv - link ends of an SM tile, of the kind that its family has, and who gets a packet.
//
//   req, rsp of the L1 -.                    .-> dn, fw of the L1
//   ty ----------------+-> up        down ->-+-> ty_dn
//                                            '-> pack
//
// Family DENOVO: hd_coh_links; else hd_sm_links, whose headers say more. What one of them does not
// have is 0. From the top a packet is head, words; a beat of a link vn, tail, flit.
// req rsp  of the L1, valid/ready, each in order. dn, fw: packets for the L1, valid/ready; fw are
//        heads of the network of forwards (DENOVO).
// ty     heads of the ordering hardware, valid/ready, before the L1's: bit and head 0 beside req,
//        1 (acknowledgements) beside rsp. ty_dn_valid_o: one of a classifier, taken at once.
// pack   with Persist: pack_valid_o: the answer to marker pack_id_o of hd_pbarrier, taken at once.
// up_*, dn_* of the link: docs/tiles.md. Flits and credits leave only in cycles with tick_i.
// sent_o nothing that was taken waits to leave. credit_home_o every up credit is home.
// idle_o nothing moves while no input is valid and no credit comes back.
// Parameters: hd_keys.svh.
`include "hd_assert.svh"
`default_nettype none
module hd_sm_ends #(
  `include "hd_params.svh"
  parameter int unsigned FlitW = FlitWords * WordW,                          // derived
  // derived
  parameter int unsigned WideW = hd_pkg::wide_w(Lanes, LineWords * WordW),
  parameter int unsigned DownW = (WideFill != 0) ? WideW : FlitW,            // derived
  parameter int unsigned HeadW = hd_pkg::family_head_w(Family, Lanes),       // derived
  // derived: words of a request, an answer, a packet down
  parameter int unsigned ReqW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords),
  parameter int unsigned RspW = LineWords * WordW,
  parameter int unsigned DnW  = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      tick_i,
  // L1
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  logic [HeadW+ReqW-1:0]     req_packet_i,
  input  logic                      rsp_valid_i,
  output logic                      rsp_ready_o,
  input  logic [HeadW+RspW-1:0]     rsp_packet_i,
  output logic                      dn_valid_o,
  input  logic                      dn_ready_i,
  output logic [HeadW+DnW-1:0]      dn_packet_o,
  output logic                      fw_valid_o,
  input  logic                      fw_ready_i,
  output logic [HeadW-1:0]          fw_head_o,
  // ordering hardware, persist barriers
  input  logic [1:0]                ty_valid_i,
  output logic [1:0]                ty_ready_o,
  input  logic [2*hd_pkg::HEAD_W-1:0] ty_head_i,
  output logic                      ty_dn_valid_o,
  output logic [hd_pkg::HEAD_W-1:0] ty_dn_head_o,
  output logic                      pack_valid_o,
  output logic [7:0]                pack_id_o,
  // up link
  output logic                      up_valid_o,
  output logic [hd_pkg::VN_W+FlitW:0] up_beat_o,
  input  logic [UpNets-1:0]         up_credit_i,
  // down link
  input  logic                      dn_valid_i,
  input  logic [hd_pkg::VN_W+DownW:0] dn_beat_i,
  output logic [DownNets-1:0]       dn_credit_o,
  // observation
  output logic                      sent_o,
  output logic                      credit_home_o,
  output logic                      idle_o
);
  if (WideFill != 0 && Family != hd_pkg::FAMILY_MESI) begin : g_bad_fill
    $error("hd_sm_ends: WideFill needs Family MESI");
  end

  logic [HeadW-1:0] req_head, rsp_head, dn_head;
  logic [ReqW-1:0]  req_body;
  logic [RspW-1:0]  rsp_data;
  logic [DnW-1:0]   dn_data;
  logic [FlitW-1:0] up_flit;
  logic [DownW-1:0] dn_flit;
  logic             li_valid, up_tail, dn_tail;
  logic [hd_pkg::VN_W-1:0] up_vn, dn_vn;
  hd_pkg::head_s    arrived;
  assign {req_head, req_body} = req_packet_i;
  assign {rsp_head, rsp_data} = rsp_packet_i;
  assign {dn_vn, dn_tail, dn_flit} = dn_beat_i;
  assign up_beat_o    = {up_vn, up_tail, up_flit};
  assign dn_packet_o  = {dn_head, dn_data};
  assign arrived      = dn_head[hd_pkg::HEAD_W-1:0];
  assign pack_valid_o = Persist != 0 && li_valid && arrived.kind == hd_pkg::MSG_PACK;
  assign dn_valid_o   = li_valid && !pack_valid_o;
  assign pack_id_o    = arrived.opid[7:0];
  assign ty_dn_head_o = arrived;

  if (Family == hd_pkg::FAMILY_DENOVO) begin : g_denovo
    hd_coh_links #(
      .LineWords(LineWords), .WordW(WordW), .RxDepth(RxDepth), .TxCredits(TxCredits),
      .FlitWords(FlitWords)
    ) u_links (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .tick_i(tick_i),
      .tx_head_valid_i(req_valid_i),
      .tx_head_ready_o(req_ready_o),
      .tx_head_i(req_head),
      .tx_rsp_valid_i(rsp_valid_i),
      .tx_rsp_ready_o(rsp_ready_o),
      .tx_rsp_head_i(rsp_head),
      .tx_rsp_data_i(rsp_data),
      .rx_head_valid_o(fw_valid_o),
      .rx_head_ready_i(fw_ready_i),
      .rx_head_o(fw_head_o),
      .rx_rsp_valid_o(li_valid),
      .rx_rsp_ready_i(dn_ready_i || pack_valid_o),
      .rx_rsp_head_o(dn_head),
      .rx_rsp_data_o(dn_data),
      .up_valid_o(up_valid_o),
      .up_vn_o(up_vn),
      .up_tail_o(up_tail),
      .up_flit_o(up_flit),
      .up_credit_i(up_credit_i),
      .dn_valid_i(dn_valid_i),
      .dn_vn_i(dn_vn),
      .dn_tail_i(dn_tail),
      .dn_flit_i(dn_flit),
      .dn_credit_o(dn_credit_o),
      .sent_o(sent_o),
      .credit_home_o(credit_home_o),
      .idle_o(idle_o)
    );
    assign ty_ready_o    = '0;
    assign ty_dn_valid_o = 1'b0;
    logic unused_denovo;
    assign unused_denovo = ^{req_body, ty_valid_i, ty_head_i};
  end else begin : g_links
    hd_sm_links #(
      .Family(Family), .Noc(Noc), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
      .RxDepth(RxDepth), .TxCredits(TxCredits), .WideFill(WideFill), .FlitWords(FlitWords)
    ) u_links (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .tick_i(tick_i),
      .req_valid_i(req_valid_i),
      .req_ready_o(req_ready_o),
      .req_head_i(req_head),
      .req_body_i(req_body),
      .rsp_valid_i(rsp_valid_i),
      .rsp_ready_o(rsp_ready_o),
      .rsp_head_i(rsp_head),
      .rsp_data_i(rsp_data),
      .type_req_valid_i(ty_valid_i[0]),
      .type_req_ready_o(ty_ready_o[0]),
      .type_req_head_i(ty_head_i[0 +: hd_pkg::HEAD_W]),
      .type_ack_valid_i(ty_valid_i[1]),
      .type_ack_ready_o(ty_ready_o[1]),
      .type_ack_head_i(ty_head_i[hd_pkg::HEAD_W +: hd_pkg::HEAD_W]),
      .type_dn_valid_o(ty_dn_valid_o),
      .dn_valid_o(li_valid),
      .dn_ready_i(dn_ready_i || pack_valid_o),
      .dn_head_o(dn_head),
      .dn_data_o(dn_data),
      .up_valid_o(up_valid_o),
      .up_vn_o(up_vn),
      .up_tail_o(up_tail),
      .up_flit_o(up_flit),
      .up_credit_i(up_credit_i),
      .dn_valid_i(dn_valid_i),
      .dn_vn_i(dn_vn),
      .dn_tail_i(dn_tail),
      .dn_flit_i(dn_flit),
      .dn_credit_o(dn_credit_o),
      .sent_o(sent_o),
      .credit_home_o(credit_home_o),
      .idle_o(idle_o)
    );
    assign fw_valid_o = 1'b0;
    assign fw_head_o  = '0;
    logic unused_forwards;
    assign unused_forwards = fw_ready_i;
  end
  // A packet is for the L1, for the ordering hardware or for hd_pbarrier.
  `HD_ASSERT(a_packet_for_one, !(li_valid && ty_dn_valid_o))

  logic unused;
  assign unused = ^arrived;
endmodule
`default_nettype wire
