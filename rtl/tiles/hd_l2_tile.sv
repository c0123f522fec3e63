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
// type_clear_i pulse: a kernel begins, the classifier forgets its sectors (workloads.md A14).
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
  localparam int unsigned Nets = hd_pkg::UP_NETS;
  localparam int unsigned Req = hd_pkg::UP_REQ;
  localparam int unsigned Rsp = hd_pkg::UP_RSP;
  // Numbers on the wires.
  localparam int unsigned WireReq = hd_pkg::up_wire(Noc, Req);
  localparam int unsigned WireRsp = hd_pkg::up_wire(Noc, Rsp);
  localparam int unsigned WireFwd = hd_pkg::down_wire(Noc, hd_pkg::DOWN_FWD);
  localparam bit          Vi  = hd_pkg::writes_through(Family);
  localparam int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW,
                                                         FlitWords);
  localparam int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords);
  localparam int unsigned HeadW = hd_pkg::head_w(Lanes);

  logic                      links_idle, bank_idle, mem_idle, flush_q, mreq_valid, mreq_write;
  logic [hd_pkg::EV_L2_NUM-1:0] bank_ev, types_ev;
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
      .ev_o(bank_ev),
      .idle_o(bank_idle)
    );
    assign links_idle = 1'b1;
    assign {types_ev, obs_new_o, mreq_claim[1]} = '0;
    logic unused;
    assign unused = ^{type_clear_i, mreq_ok};
  end else begin : g_shared
    logic [Nets-1:0]         rx_valid, rx_ready, rx_tail, rx_credit;
    logic [Nets*FlitW-1:0]   rx_flit;
    logic                    rx_idle, unpack_idle, types_idle, pack_idle, tx_idle, req_idle;
    logic [hd_pkg::VN_W-1:0] rx_vn, tx_vn;
    logic                    rsp_valid, dn_valid, dn_ready, tx_valid, tx_ready, tx_tail;
    logic [HeadW-1:0]        rsp_head, dn_head, bank_dn_head, req_head;
    logic [LineW-1:0]        rsp_data;
    logic [DownW-1:0]        dn_data;
    logic                    req_valid, req_ready, bank_req_valid, bank_req_ready;
    logic                    bank_rsp_valid, bank_dn_valid, bank_dn_ready, credits_home;
    logic [BodyW-1:0]        req_body;
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
      .out_valid_o(rsp_valid),
      .out_ready_i(1'b1),
      .out_head_o(rsp_head),
      .out_data_o(rsp_data),
      .idle_o(unpack_idle)
    );

    if (Vi) begin : g_gather
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
        .out_valid_o(req_valid),
        .out_ready_i(req_ready),
        .out_head_o(req_head),
        .out_data_o(req_body),
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
        .out_valid_o(req_valid),
        .out_ready_i(req_ready),
        .out_head_o(req_head),
        .idle_o(req_idle)
      );
      assign req_body = '0;
    end

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
      .clear_i(flush_q || type_clear_i),
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
        .WritePlaces(L2Writes),
        .LineWords(LineWords),
        .Sets(L2Sets),
        .Ways(L2Ways),
        .MshrEntries(L2Mshr),
        .PartBits(PartBits),
        .WordW(WordW),
        .FlitWords(FlitWords),
        .Persist(Persist),
        .NvwDepth(NvwL2),
        .Epochs(PersistEpochs),
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
        .mrsp_valid_i(mrsp_valid),
        .mrsp_ready_o(mrsp_ready),
        .mrsp_tid_i(mrsp_tid),
        .mrsp_data_i(mrsp_data),
        .dn_valid_o(bank_dn_valid),
        .dn_ready_i(bank_dn_ready),
        .dn_head_o(bank_dn_head),
        .dn_data_o(dn_data),
        .mreq_ok_i(mreq_ok),
        .mreq_claim_o(mreq_claim),
        .mreq_valid_o(mreq_valid),
        .mreq_write_o(mreq_write),
        .mreq_addr_o(mreq_addr),
        .mreq_tid_o(mreq_tid),
        .mreq_data_o(mreq_data),
        .nv_base_i(policy_i.nv_base),
        .mack_valid_i(mack_valid_i),
        .mack_tid_i(mack_tid_i),
        .flush_i(flush_q),
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
        .WritePlaces(L2Writes),
        .LineWords(LineWords),
        .Sets(L2Sets),
        .Ways(L2Ways),
        .MshrEntries(L2Mshr),
        .PartBits(PartBits),
        .LaneMasks(LaneMasks),
        .WordW(WordW),
        .Persist(Persist),
        .NvwDepth(NvwL2), .Epochs(PersistEpochs),
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
        .mrsp_valid_i(mrsp_valid),
        .mrsp_ready_o(mrsp_ready),
        .mrsp_tid_i(mrsp_tid),
        .mrsp_data_i(mrsp_data),
        .dn_valid_o(bank_dn_valid),
        .dn_ready_i(bank_dn_ready),
        .dn_head_o(bank_dn_head),
        .dn_data_o(dn_data),
        .mreq_ok_i(mreq_ok),
        .mreq_claim_o(mreq_claim),
        .mreq_valid_o(mreq_valid),
        .mreq_write_o(mreq_write),
        .mreq_addr_o(mreq_addr),
        .mreq_tid_o(mreq_tid),
        .mreq_data_o(mreq_data),
        .nv_base_i(policy_i.nv_base),
        .mack_valid_i(mack_valid_i),
        .mack_tid_i(mack_tid_i),
        .flush_i(flush_q),
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

    hd_flit_pack #(
      .LineWords(DownW / WordW),
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes)
    ) u_pack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(dn_valid),
      .in_ready_o(dn_ready),
      .in_head_i(dn_head),
      .in_data_i(dn_data),
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
    assign links_idle = rx_idle && unpack_idle && req_idle && types_idle && pack_idle && tx_idle;
    logic unused;
    assign unused = ^{credits_home, rx_flit[Req*FlitW +: FlitW], tx_vn, rsp_head, rsp_data};
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

  assign ev_o   = bank_ev | types_ev;
  assign idle_o = links_idle && bank_idle && mem_idle && !flush_q;

  logic unused_ok;
  assign unused_ok = ^{now_i, policy_i, mack_valid_i, mack_tid_i};

  `HD_ASSERT(a_part_id, 32'(part_id_i) < 1 << PartBits)
  `HD_ASSERT(a_up_network, !up_valid_i || Family == hd_pkg::FAMILY_DENOVO
                           || up_vn_i == hd_pkg::VN_W'(WireReq)
                           || up_vn_i == hd_pkg::VN_W'(WireRsp))

endmodule
`default_nettype wire
