// hd_l2_denovo.sv - links and bank of an L2 tile of family DENOVO (hd_coh_links, hd_denovo_bank).
//
// up_*, dn_* as in hd_l2_tile; mreq_*, mrsp_* to hd_l2_mem. ev_o, idle_o, obs_* of the bank; idle_o
// of the links, too. Parameters: Sms, WbEntries: WB_ACKs that can be owed; Bonus of hd_l2_emit; the
// others are those of the parts.
`default_nettype none
module hd_l2_denovo #(
  parameter int unsigned Sms = 15,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned Sets = 256,
  parameter int unsigned Ways = 16,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned PartBits = 4,
  parameter int unsigned Bonus = 1,
  parameter int unsigned RxDepth = 8,
  parameter int unsigned TxCredits = 8,
  parameter int unsigned FlitWords = 4,
  parameter int unsigned FlitW = FlitWords * WordW,  // derived
  parameter int unsigned LineW = LineWords * WordW   // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  input  logic                         up_valid_i,
  input  logic [hd_pkg::VN_W-1:0]      up_vn_i,
  input  logic                         up_tail_i,
  input  logic [FlitW-1:0]             up_flit_i,
  output logic [hd_pkg::NETS-1:0]      up_credit_o,
  output logic                         dn_valid_o,
  output logic [hd_pkg::VN_W-1:0]      dn_vn_o,
  output logic                         dn_tail_o,
  output logic [FlitW-1:0]             dn_flit_o,
  input  logic [hd_pkg::NETS-1:0]      dn_credit_i,
  input  logic                         mreq_ok_i,
  output logic                         mreq_claim_o,
  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,
  input  logic                         mrsp_valid_i,
  output logic                         mrsp_ready_o,
  input  logic [hd_pkg::TID_W-1:0]     mrsp_tid_i,
  input  logic [LineW-1:0]             mrsp_data_i,
  input  logic                         flush_i,
  output logic                         obs_valid_o,
  output logic [hd_pkg::NODE_W-1:0]    obs_src_o,
  output logic [hd_pkg::OPID_W-1:0]    obs_opid_o,
  output logic [hd_pkg::ADDR_W-1:0]    obs_addr_o,
  output logic [LineW-1:0]             obs_data_o,
  output logic [LineWords-1:0]         obs_mask_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  logic                      req_valid, req_ready, rsp_valid, rsp_ready, rs_valid, rs_ready;
  logic                      fw_valid, fw_ready, sent, home, links_idle, bank_idle;
  logic [hd_pkg::HEAD_W-1:0] req_head, rsp_head, rs_head, fw_head;
  logic [LineW-1:0]          rsp_data, rs_data;

  hd_coh_links #(
    .TxHead(hd_pkg::VN_FWD),
    .RxHead(hd_pkg::VN_REQ),
    .LineWords(LineWords),
    .WordW(WordW),
    .RxDepth(RxDepth),
    .TxCredits(TxCredits),
    .FlitWords(FlitWords)
  ) u_links (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .tick_i(1'b1),
    .tx_head_valid_i(fw_valid),
    .tx_head_ready_o(fw_ready),
    .tx_head_i(fw_head),
    .tx_rsp_valid_i(rs_valid),
    .tx_rsp_ready_o(rs_ready),
    .tx_rsp_head_i(rs_head),
    .tx_rsp_data_i(rs_data),
    .rx_head_valid_o(req_valid),
    .rx_head_ready_i(req_ready),
    .rx_head_o(req_head),
    .rx_rsp_valid_o(rsp_valid),
    .rx_rsp_ready_i(rsp_ready),
    .rx_rsp_head_o(rsp_head),
    .rx_rsp_data_o(rsp_data),
    .up_valid_o(dn_valid_o),
    .up_vn_o(dn_vn_o),
    .up_tail_o(dn_tail_o),
    .up_flit_o(dn_flit_o),
    .up_credit_i(dn_credit_i),
    .dn_valid_i(up_valid_i),
    .dn_vn_i(up_vn_i),
    .dn_tail_i(up_tail_i),
    .dn_flit_i(up_flit_i),
    .dn_credit_o(up_credit_o),
    .sent_o(sent),
    .credit_home_o(home),
    .idle_o(links_idle)
  );
  hd_denovo_bank #(
    .LineWords(LineWords),
    .Sets(Sets),
    .Ways(Ways),
    .MshrEntries(MshrEntries),
    .PartBits(PartBits),
    .WordW(WordW),
    .Owed(Sms * WbEntries),
    .Bonus(Bonus)
  ) u_bank (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_head_i(req_head),
    .rsp_valid_i(rsp_valid),
    .rsp_ready_o(rsp_ready),
    .rsp_head_i(rsp_head),
    .rsp_data_i(rsp_data),
    .mrsp_valid_i(mrsp_valid_i),
    .mrsp_ready_o(mrsp_ready_o),
    .mrsp_tid_i(mrsp_tid_i),
    .mrsp_data_i(mrsp_data_i),
    .rs_valid_o(rs_valid),
    .rs_ready_i(rs_ready),
    .rs_head_o(rs_head),
    .rs_data_o(rs_data),
    .fw_valid_o(fw_valid),
    .fw_ready_i(fw_ready),
    .fw_head_o(fw_head),
    .mreq_ok_i(mreq_ok_i),
    .mreq_claim_o(mreq_claim_o),
    .mreq_valid_o(mreq_valid_o),
    .mreq_write_o(mreq_write_o),
    .mreq_addr_o(mreq_addr_o),
    .mreq_tid_o(mreq_tid_o),
    .mreq_data_o(mreq_data_o),
    .flush_i(flush_i),
    .obs_valid_o(obs_valid_o),
    .obs_src_o(obs_src_o),
    .obs_opid_o(obs_opid_o),
    .obs_addr_o(obs_addr_o),
    .obs_data_o(obs_data_o),
    .obs_mask_o(obs_mask_o),
    .ev_o(ev_o),
    .idle_o(bank_idle)
  );
  assign idle_o = links_idle && bank_idle;

  logic unused;
  assign unused = ^{sent, home};
endmodule
`default_nettype wire
