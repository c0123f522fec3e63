// hd_l2_types.sv - messages about types at an L2 tile: they pass the bank by, to the classifier.
//
// Paper 1 section 4.2. With Mac, TYPE_REQ and TYPE_ACK among what came up go to hd_mac, which takes
// them at once; all else goes to the bank. Without, all does, and there is no classifier.
//
// req, rsp   valid/ready and valid: what came up. bank_req, bank_rsp: those of the bank, whose
//            heads are the same.
// bank_dn    valid/ready: what the bank sends; dn what the tile sends, hd_mac's first. Their data
//            are the bank's: messages of types have none.
// Combinational but for hd_mac. clear_i: forget all sectors (hd_mac). ev_o: registered pulses.
// idle_o of hd_mac.
// Parameters: Mac, the rest as of hd_l2_tile. SectorBytes in bytes, TypeReqs requests of an SM.
`default_nettype none
module hd_l2_types #(
  parameter int unsigned Mac = 1,
  parameter int unsigned Sms = 16,
  parameter int unsigned Lanes = 32,
  parameter int unsigned MacEntries = 512,
  parameter int unsigned MacWays = 8,
  parameter int unsigned MacBusy = 8,
  parameter int unsigned TypeReqs = 16,
  parameter int unsigned PartBits = 3,
  parameter int unsigned SectorBytes = hd_pkg::SECTOR_BYTES,
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes)  // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  input  logic                         clear_i,
  // up
  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [HeadW-1:0]             req_head_i,
  input  logic                         rsp_valid_i,
  input  logic [HeadW-1:0]             rsp_head_i,
  // bank
  output logic                         bank_req_valid_o,
  input  logic                         bank_req_ready_i,
  output logic                         bank_rsp_valid_o,
  input  logic                         bank_dn_valid_i,
  output logic                         bank_dn_ready_o,
  input  logic [HeadW-1:0]             bank_dn_head_i,
  // down
  output logic                         dn_valid_o,
  input  logic                         dn_ready_i,
  output logic [HeadW-1:0]             dn_head_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  hd_pkg::head_s   req, rsp;
  hd_pkg::mac_ev_s ev;  // of hd_mac
  assign req = req_head_i[hd_pkg::HEAD_W-1:0];
  assign rsp = rsp_head_i[hd_pkg::HEAD_W-1:0];

  if (Mac != 0) begin : g_mac
    logic                      is_req, is_ack, valid;
    logic [hd_pkg::HEAD_W-1:0] head;

    assign is_req           = req_valid_i && req.kind == hd_pkg::MSG_TYPE_REQ;
    assign is_ack           = rsp_valid_i && rsp.kind == hd_pkg::MSG_TYPE_ACK;
    assign bank_req_valid_o = req_valid_i && !is_req;
    assign bank_rsp_valid_o = rsp_valid_i && !is_ack;
    assign req_ready_o      = is_req || bank_req_ready_i;
    assign dn_valid_o       = bank_dn_valid_i || valid;
    assign dn_head_o        = valid ? HeadW'(head) : bank_dn_head_i;
    assign bank_dn_ready_o  = dn_ready_i && !valid;

    hd_mac #(
      .Sms(Sms),
      .Entries(MacEntries),
      .Ways(MacWays),
      .Busy(MacBusy),
      .Requests(Sms * TypeReqs),
      .PartBits(PartBits),
      .SectorBytes(SectorBytes)
    ) u_mac (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .part_id_i(part_id_i),
      .clear_i(clear_i),
      .req_valid_i(is_req),
      .req_head_i(req),
      .ack_valid_i(is_ack),
      .ack_head_i(rsp),
      .dn_valid_o(valid),
      .dn_ready_i(dn_ready_i),
      .dn_head_o(head),
      .ev_o(ev),
      .idle_o(idle_o)
    );
    always_comb begin
      ev_o = '0;
      ev_o[hd_pkg::EV_L2_TYPE_REQ]    = ev.request;
      ev_o[hd_pkg::EV_L2_TYPE_INV]    = ev.inval;
      ev_o[hd_pkg::EV_L2_TYPE_RECALL] = ev.recall;
    end
  end else begin : g_no_mac
    assign bank_req_valid_o = req_valid_i;
    assign bank_rsp_valid_o = rsp_valid_i;
    assign req_ready_o      = bank_req_ready_i;
    assign dn_valid_o       = bank_dn_valid_i;
    assign dn_head_o        = bank_dn_head_i;
    assign bank_dn_ready_o  = dn_ready_i;
    assign ev_o             = '0;
    assign idle_o           = 1'b1;
    assign ev               = '0;
    logic unused_mac;
    assign unused_mac = ^{clk_i, rst_i, part_id_i, clear_i, ev};
  end

  logic unused;
  assign unused = ^{req, rsp, req_head_i, rsp_head_i};
endmodule
`default_nettype wire
