// hd_l2_tile.sv - L2 tile: link ends and memory port around an L2 bank with its directory.
//
// The tile runs on its own clock: every edge is a tile cycle. docs/tiles.md is the port contract.
// up    link from crossbar or router, networks REQ (may wait here) and RSP (always sunk), RxDepth
//       flits each; up_credit_o registered pulses.
// dn    link to crossbar or router, network FWD, TxCredits credits at the start; all registers.
// mreq  pulse: a line is read (tid) or written (data, no answer). MemCredits requests at the start,
//       mreq_credit_i gives one back; bit 1, with Persist: of non-volatile memory, which has as
//       many of its own. mrsp: pulse, the line of a read; MemCredits of them fit, mrsp_credit_o
//       pulses for each one taken. mack: with Persist a pulse for each write to non-volatile memory
//       that has become durable, with the tid of the write.
// flush_i pulse: every dirty line is written to memory, then idle_o rises. Links must be empty.
// type_clear_i pulse: a kernel begins, the classifier forgets its sectors.
// ev_o  registered pulses, bit numbers EV_L2_*.
// idle_o function of registers: as long as nothing comes in, nothing changes (docs/tiles.md).
// now_i is not needed, of policy_i nv_base (Persist). part_id_i: constant, this partition's number.
// obs   registers; in checked builds (GhostW), else 0. Family VI: a store was written, by whom, and
//       its line before it (hd_l2_bank); GPU: words were written (hd_coh_bank); DENOVO: words have
//       a new owner (hd_denovo_bank).
// Family VI: requests bring data and are gathered first (hd_flit_unpack), a cycle more.
// A grant for a hit leaves (dn_valid_o written) 3 edges after the edge that took in the request.
// Paper 1 section 5 and Table 2; docs/protocol_mesi.md.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_tile #(
  `include "hd_params.svh"
  parameter int unsigned FlitW = FlitWords * WordW,  // derived
  parameter int unsigned LineW = LineWords * WordW            // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [31:0]                  now_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  input  hd_pkg::policy_s              policy_i,

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

  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,
  input  logic [1:0]                   mreq_credit_i,
  input  logic                         mrsp_valid_i,
  input  logic [hd_pkg::TID_W-1:0]     mrsp_tid_i,
  input  logic [LineW-1:0]             mrsp_data_i,
  output logic                         mrsp_credit_o,
  input  logic                         mack_valid_i,
  input  logic [hd_pkg::TID_W-1:0]     mack_tid_i,

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
  `include "hd_fits.svh"

  logic                      bank_idle, mem_idle, flush_q, mreq_valid, mreq_write;
  logic [1:0]                mreq_ok, mreq_claim;
  logic [hd_pkg::ADDR_W-1:0] mreq_addr;
  logic [hd_pkg::TID_W-1:0]  mreq_tid, mrsp_tid;
  logic [LineW-1:0]          mreq_data, mrsp_data;
  logic                      mrsp_valid, mrsp_ready;

  if (Family == hd_pkg::FAMILY_DENOVO) begin : g_denovo
    hd_l2_denovo #(
      .Sms(Sms),
      .WbEntries(WbEntries),
      .LineWords(LineWords),
      .WordW(WordW),
      .Sets(L2Sets),
      .Ways(L2Ways),
      .MshrEntries(L2Mshr),
      .PartBits(PartBits),
      .Bonus(BonusWords),
      .RxDepth(RxDepth),
      .TxCredits(TxCredits),
      .FlitWords(FlitWords)
    ) u_l2 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .part_id_i(part_id_i),
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
      .mreq_ok_i(mreq_ok[0]),
      .mreq_claim_o(mreq_claim[0]),
      .mreq_valid_o(mreq_valid),
      .mreq_write_o(mreq_write),
      .mreq_addr_o(mreq_addr),
      .mreq_tid_o(mreq_tid),
      .mreq_data_o(mreq_data),
      .mrsp_valid_i(mrsp_valid),
      .mrsp_ready_o(mrsp_ready),
      .mrsp_tid_i(mrsp_tid),
      .mrsp_data_i(mrsp_data),
      .flush_i(flush_q),
      .obs_valid_o(obs_valid_o),
      .obs_src_o(obs_src_o),
      .obs_opid_o(obs_opid_o),
      .obs_addr_o(obs_addr_o),
      .obs_data_o(obs_data_o),
      .obs_mask_o(obs_mask_o),
      .ev_o(ev_o),
      .idle_o(bank_idle)
    );
    assign {obs_new_o, mreq_claim[1]} = '0;
    logic unused;
    assign unused = ^{type_clear_i, mreq_ok};
  end else begin : g_shared
    hd_l2_shared #(
      .Family(Family),
      .Noc(Noc),
      .UpNets(UpNets),
      .DownNets(DownNets),
      .Sms(Sms),
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .FlitWords(FlitWords),
      .RxDepth(RxDepth),
      .TxCredits(TxCredits),
      .Sets(L2Sets),
      .Ways(L2Ways),
      .MshrEntries(L2Mshr),
      .WritePlaces(L2Writes),
      .PartBits(PartBits),
      .LaneMasks(LaneMasks),
      .Persist(Persist),
      .NvwDepth(NvwL2),
      .Epochs(PersistEpochs),
      .Inclusive(Inclusive),
      .Mac(Mac),
      .MacEntries(MacEntries),
      .MacWays(MacWays),
      .MacBusy(MacBusy),
      .TypeReqs(TypeReqs),
      .SectorBytes(SectorBytes)
    ) u_l2 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .part_id_i(part_id_i),
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
      .mreq_ok_i(mreq_ok),
      .mreq_claim_o(mreq_claim),
      .mreq_valid_o(mreq_valid),
      .mreq_write_o(mreq_write),
      .mreq_addr_o(mreq_addr),
      .mreq_tid_o(mreq_tid),
      .mreq_data_o(mreq_data),
      .mrsp_valid_i(mrsp_valid),
      .mrsp_ready_o(mrsp_ready),
      .mrsp_tid_i(mrsp_tid),
      .mrsp_data_i(mrsp_data),
      .nv_base_i(policy_i.nv_base),
      .mack_valid_i(mack_valid_i),
      .mack_tid_i(mack_tid_i),
      .flush_i(flush_q),
      .type_clear_i(type_clear_i),
      .obs_valid_o(obs_valid_o),
      .obs_src_o(obs_src_o),
      .obs_opid_o(obs_opid_o),
      .obs_addr_o(obs_addr_o),
      .obs_data_o(obs_data_o),
      .obs_mask_o(obs_mask_o),
      .obs_new_o(obs_new_o),
      .ev_o(ev_o),
      .idle_o(bank_idle)
    );
  end

  hd_l2_mem #(
    .LineW(LineW),
    .Credits(MemCredits),
    .Two((Persist != 0) ? 1 : 0)
  ) u_mem (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .ok_o(mreq_ok),
    .claim_i(mreq_claim),
    .in_valid_i(mreq_valid),
    .in_write_i(mreq_write),
    .in_addr_i(mreq_addr),
    .in_tid_i(mreq_tid),
    .in_data_i(mreq_data),
    .mreq_valid_o(mreq_valid_o),
    .mreq_write_o(mreq_write_o),
    .mreq_addr_o(mreq_addr_o),
    .mreq_tid_o(mreq_tid_o),
    .mreq_data_o(mreq_data_o),
    .mreq_credit_i(mreq_credit_i),
    .mrsp_valid_i(mrsp_valid_i),
    .mrsp_tid_i(mrsp_tid_i),
    .mrsp_data_i(mrsp_data_i),
    .mrsp_credit_o(mrsp_credit_o),
    .out_valid_o(mrsp_valid),
    .out_ready_i(mrsp_ready),
    .out_tid_o(mrsp_tid),
    .out_data_o(mrsp_data),
    .idle_o(mem_idle)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) flush_q <= 1'b0;
    else flush_q <= flush_i;
  end

  assign idle_o = bank_idle && mem_idle && !flush_q;

  logic unused_ok;
  assign unused_ok = ^{now_i, policy_i, mack_valid_i, mack_tid_i};

  `HD_ASSERT(a_part_id, 32'(part_id_i) < 1 << PartBits)
endmodule
`default_nettype wire
