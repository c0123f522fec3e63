// hd_l2_shared.sv - links and bank of an L2 tile of the families MESI, VI and GPU.
//
// hd_l2_links; hd_l2_types, which messages about types pass the bank by; hd_l2_bank, or of family
// GPU hd_coh_bank, whose data go down as they are. Family DENOVO: hd_l2_denovo.
//
// up_*, dn_* as in hd_l2_tile; mreq_*, mrsp_* to hd_l2_mem. nv_base, mack, flush, obs of the bank;
// flush_i and type_clear_i make the classifier forget its sectors. ev_o, idle_o of all parts.
// Parameters: of the parts.
`default_nettype none
module hd_l2_shared #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Noc = hd_pkg::NOC_XBAR,
  parameter int unsigned UpNets = hd_pkg::UP_NETS,
  parameter int unsigned DownNets = hd_pkg::DOWN_NETS,
  parameter int unsigned Sms = 16,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned RxDepth = 8,
  parameter int unsigned TxCredits = 8,
  parameter int unsigned Sets = 128,
  parameter int unsigned Ways = 8,
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned WritePlaces = 32,
  parameter int unsigned PartBits = 3,
  parameter int unsigned LaneMasks = 0,
  parameter int unsigned Persist = 0,
  parameter int unsigned NvwDepth = 64,
  parameter int unsigned Epochs = 8,
  parameter int unsigned Inclusive = 0,
  parameter int unsigned Mac = 0,
  parameter int unsigned MacEntries = 512,
  parameter int unsigned MacWays = 8,
  parameter int unsigned MacBusy = 8,
  parameter int unsigned TypeReqs = 16,
  parameter int unsigned SectorBytes = hd_pkg::SECTOR_BYTES,
  parameter int unsigned FlitW = FlitWords * WordW,  // derived
  parameter int unsigned LineW = LineWords * WordW   // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  // links
  input  logic                         up_valid_i,
  input  logic [hd_pkg::VN_W-1:0]      up_vn_i,
  input  logic                         up_tail_i,
  input  logic [FlitW-1:0]             up_flit_i,
  output logic [UpNets-1:0]            up_credit_o,
  output logic                         dn_valid_o,
  output logic [hd_pkg::VN_W-1:0]      dn_vn_o,
  output logic                         dn_tail_o,
  output logic [FlitW-1:0]             dn_flit_o,
  input  logic [DownNets-1:0]          dn_credit_i,
  // memory
  input  logic [1:0]                   mreq_ok_i,
  output logic [1:0]                   mreq_claim_o,
  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,
  input  logic                         mrsp_valid_i,
  output logic                         mrsp_ready_o,
  input  logic [hd_pkg::TID_W-1:0]     mrsp_tid_i,
  input  logic [LineW-1:0]             mrsp_data_i,
  input  logic [31:0]                  nv_base_i,
  input  logic                         mack_valid_i,
  input  logic [hd_pkg::TID_W-1:0]     mack_tid_i,
  // observation
  input  logic                         flush_i,
  input  logic                         type_clear_i,
  output logic                         obs_valid_o,
  output logic [hd_pkg::NODE_W-1:0]    obs_src_o,
  output logic [hd_pkg::OPID_W-1:0]    obs_opid_o,
  output logic [hd_pkg::ADDR_W-1:0]    obs_addr_o,
  output logic [LineW-1:0]             obs_data_o,
  output logic [LineWords-1:0]         obs_mask_o,
  output logic [LineW-1:0]             obs_new_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  localparam int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW,
                                                         FlitWords);
  localparam int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned HeadW = hd_pkg::head_w(Lanes);

  logic                         req_valid, req_ready, rsp_valid, dn_valid, dn_ready;
  logic                         bank_req_valid, bank_req_ready, bank_rsp_valid;
  logic                         bank_dn_valid, bank_dn_ready, links_idle, types_idle, bank_idle;
  logic [HeadW-1:0]             req_head, rsp_head, dn_head, bank_dn_head;
  logic [BodyW-1:0]             req_body;
  logic [LineW-1:0]             rsp_data;
  logic [DownW-1:0]             dn_data;
  logic [hd_pkg::EV_L2_NUM-1:0] bank_ev, types_ev;

  hd_l2_links #(
    .Noc(Noc),
    .UpNets(UpNets),
    .DownNets(DownNets),
    .Gather(hd_pkg::writes_through(Family) ? 1 : 0),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .RxDepth(RxDepth),
    .TxCredits(TxCredits),
    .FlitWords(FlitWords),
    .BodyW(BodyW),
    .DownW(DownW)
  ) u_links (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .up_valid_i(up_valid_i),
    .up_vn_i(up_vn_i),
    .up_tail_i(up_tail_i),
    .up_flit_i(up_flit_i),
    .up_credit_o(up_credit_o),
    .dn_valid_o(dn_valid_o),
    .dn_vn_o(dn_vn_o),
    .dn_tail_o(dn_tail_o),
    .dn_flit_o(dn_flit_o),
    .dn_credit_i(dn_credit_i),
    .req_valid_o(req_valid),
    .req_ready_i(req_ready),
    .req_head_o(req_head),
    .req_body_o(req_body),
    .rsp_valid_o(rsp_valid),
    .rsp_head_o(rsp_head),
    .rsp_data_o(rsp_data),
    .dn_valid_i(dn_valid),
    .dn_ready_o(dn_ready),
    .dn_head_i(dn_head),
    .dn_data_i(dn_data),
    .idle_o(links_idle)
  );
  hd_l2_types #(
    .Mac(Mac),
    .Sms(Sms),
    .Lanes(Lanes),
    .MacEntries(MacEntries),
    .MacWays(MacWays),
    .MacBusy(MacBusy),
    .TypeReqs(TypeReqs),
    .PartBits(PartBits),
    .SectorBytes(SectorBytes)
  ) u_types (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .clear_i(flush_i || type_clear_i),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_head_i(req_head),
    .rsp_valid_i(rsp_valid),
    .rsp_head_i(rsp_head),
    .bank_req_valid_o(bank_req_valid),
    .bank_req_ready_i(bank_req_ready),
    .bank_rsp_valid_o(bank_rsp_valid),
    .bank_dn_valid_i(bank_dn_valid),
    .bank_dn_ready_o(bank_dn_ready),
    .bank_dn_head_i(bank_dn_head),
    .dn_valid_o(dn_valid),
    .dn_ready_i(dn_ready),
    .dn_head_o(dn_head),
    .ev_o(types_ev),
    .idle_o(types_idle)
  );

  if (Family == hd_pkg::FAMILY_GPU) begin : g_coh
    hd_coh_bank #(
      .Lanes(Lanes),
      .WritePlaces(WritePlaces),
      .LineWords(LineWords),
      .Sets(Sets),
      .Ways(Ways),
      .MshrEntries(MshrEntries),
      .PartBits(PartBits),
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Persist(Persist),
      .NvwDepth(NvwDepth),
      .Epochs(Epochs),
      .Inclusive(Inclusive),
      .Sms(Sms)
    ) u_bank (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .part_id_i(part_id_i),
      .req_valid_i(bank_req_valid),
      .req_ready_o(bank_req_ready),
      .req_head_i(req_head),
      .req_body_i(req_body),
      .ack_valid_i(bank_rsp_valid),
      .ack_head_i(rsp_head[hd_pkg::HEAD_W-1:0]),
      .mrsp_valid_i(mrsp_valid_i),
      .mrsp_ready_o(mrsp_ready_o),
      .mrsp_tid_i(mrsp_tid_i),
      .mrsp_data_i(mrsp_data_i),
      .dn_valid_o(bank_dn_valid),
      .dn_ready_i(bank_dn_ready),
      .dn_head_o(bank_dn_head),
      .dn_data_o(dn_data),
      .mreq_ok_i(mreq_ok_i),
      .mreq_claim_o(mreq_claim_o),
      .mreq_valid_o(mreq_valid_o),
      .mreq_write_o(mreq_write_o),
      .mreq_addr_o(mreq_addr_o),
      .mreq_tid_o(mreq_tid_o),
      .mreq_data_o(mreq_data_o),
      .nv_base_i(nv_base_i),
      .mack_valid_i(mack_valid_i),
      .mack_tid_i(mack_tid_i),
      .flush_i(flush_i),
      .obs_valid_o(obs_valid_o),
      .obs_src_o(obs_src_o),
      .obs_opid_o(obs_opid_o),
      .obs_addr_o(obs_addr_o),
      .obs_data_o(obs_data_o),
      .obs_mask_o(obs_mask_o),
      .obs_new_o(obs_new_o),
      .ev_o(bank_ev),
      .idle_o(bank_idle)
    );
  end else begin : g_bank
    hd_l2_bank #(
      .Family(Family),
      .Sms(Sms),
      .Lanes(Lanes),
      .WritePlaces(WritePlaces),
      .LineWords(LineWords),
      .Sets(Sets),
      .Ways(Ways),
      .MshrEntries(MshrEntries),
      .PartBits(PartBits),
      .LaneMasks(LaneMasks),
      .WordW(WordW),
      .Persist(Persist),
      .NvwDepth(NvwDepth),
      .Epochs(Epochs),
      .FlitWords(FlitWords)
    ) u_bank (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .part_id_i(part_id_i),
      .req_valid_i(bank_req_valid),
      .req_ready_o(bank_req_ready),
      .req_head_i(req_head),
      .req_body_i(req_body),
      .rsp_valid_i(bank_rsp_valid),
      .rsp_head_i(rsp_head),
      .rsp_data_i(rsp_data),
      .mrsp_valid_i(mrsp_valid_i),
      .mrsp_ready_o(mrsp_ready_o),
      .mrsp_tid_i(mrsp_tid_i),
      .mrsp_data_i(mrsp_data_i),
      .dn_valid_o(bank_dn_valid),
      .dn_ready_i(bank_dn_ready),
      .dn_head_o(bank_dn_head),
      .dn_data_o(dn_data),
      .mreq_ok_i(mreq_ok_i),
      .mreq_claim_o(mreq_claim_o),
      .mreq_valid_o(mreq_valid_o),
      .mreq_write_o(mreq_write_o),
      .mreq_addr_o(mreq_addr_o),
      .mreq_tid_o(mreq_tid_o),
      .mreq_data_o(mreq_data_o),
      .nv_base_i(nv_base_i),
      .mack_valid_i(mack_valid_i),
      .mack_tid_i(mack_tid_i),
      .flush_i(flush_i),
      .obs_valid_o(obs_valid_o),
      .obs_src_o(obs_src_o),
      .obs_opid_o(obs_opid_o),
      .obs_addr_o(obs_addr_o),
      .obs_data_o(obs_data_o),
      .obs_mask_o(obs_mask_o),
      .obs_new_o(obs_new_o),
      .ev_o(bank_ev),
      .idle_o(bank_idle)
    );
  end
  assign ev_o   = bank_ev | types_ev;
  assign idle_o = links_idle && types_idle && bank_idle;

  logic unused;
  assign unused = ^{rsp_head, rsp_data};
endmodule
`default_nettype wire
