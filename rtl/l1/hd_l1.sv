// hd_l1.sv - the L1 data cache of an SM, of the family that is asked for, and its packets up.
//
// Family: hd_pkg::FAMILY_MESI, hd_l1_mesi (paper 1 section 5), or FAMILY_VI, hd_l1_vi (3.6). Ports,
// timing and the other parameters are theirs, but that both up networks leave as flits:
// up    a ready/valid port a network (docs/tiles.md): requests of VN_REQ, which have data in VI,
//       and answers of VN_RSP, which have data in MESI.
// type  messages of the ordering hardware, heads alone, valid/ready: type_req to VN_REQ, type_ack to
//       VN_RSP. They are few and go before the L1's.
// dn_data_i  MESI: a line; VI: a line, or a word for each lane, as many words as the longer.
`default_nettype none
module hd_l1 #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 4,
  parameter int unsigned LdsRows = 384,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 3,
  parameter int unsigned Pending = hd_pkg::PENDING_MSHR,
  parameter int unsigned ReqCredits = 0,
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned MshrTargets = 512,
  parameter int unsigned StoreData = 128,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 32,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                   // derived
  parameter int unsigned FlitW = hd_pkg::FLIT_WORDS * WordW,                         // derived
  parameter int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW)  // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  // memory pipe
  input  logic                       la_valid_i,
  output logic                       la_ready_o,
  input  logic [hd_pkg::WARP_W-1:0]  la_warp_i,
  input  logic [SlotW-1:0]           la_slot_i,
  input  logic [3:0]                 la_kind_i,
  input  logic [3:0]                 la_fn_i,
  input  logic                       la_space_i,
  input  logic                       la_prefetch_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [Lanes-1:0]           la_mask_i,
  input  logic [Lanes*OffW-1:0]      la_offs_i,
  input  logic [LineWords-1:0]       la_wmask_i,
  input  logic [DataW-1:0]           la_data_i,
  input  logic [Lanes*32-1:0]        la_cmp_i,
  // down network
  input  logic                       dn_valid_i,
  output logic                       dn_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]  dn_head_i,
  input  logic [DownW-1:0]           dn_data_i,
  // messages of the ordering hardware
  input  logic                       type_req_valid_i,
  output logic                       type_req_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]  type_req_head_i,
  input  logic                       type_ack_valid_i,
  output logic                       type_ack_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]  type_ack_head_i,
  // up networks: VN_REQ in slice 0, VN_RSP in slice 1
  output logic [1:0]                 up_valid_o,
  input  logic [1:0]                 up_ready_i,
  output logic [1:0]                 up_tail_o,
  output logic [2*FlitW-1:0]         up_flit_o,
  // scoreboard and completion
  output logic                       perf_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  perf_warp_o,
  output logic [SlotW-1:0]           perf_slot_o,
  output logic [CntW-1:0]            perf_lanes_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  cpl_warp_o,
  output logic [SlotW-1:0]           cpl_slot_o,
  output logic                       cpl_last_o,
  output logic [Lanes-1:0]           cpl_mask_o,
  output logic [Lanes*WordW-1:0]     cpl_data_o,
  // flush, observation
  input  logic                       flush_i,
  output logic                       flushing_o,
  output logic                       st_valid_o,
  output logic [LineW-1:0]           st_line_o,
  output logic [1:0]                 st_state_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]     mshr_busy_o,
  output logic                       idle_o
);
  localparam int unsigned LnW = LineWords * WordW;
  logic                      req_valid, req_ready, rsp_valid, rsp_ready, pk_valid, pk_ready,
      pk_tail, pk_idle, l1_idle;
  logic                      reqs_valid, reqs_ready, rsps_valid, rsps_ready;  // with type messages
  logic [hd_pkg::HEAD_W-1:0] req_head, rsp_head, reqs_head, rsps_head;
  logic [FlitW-1:0]          pk_flit;

  assign reqs_valid       = req_valid || type_req_valid_i;
  assign reqs_head        = type_req_valid_i ? type_req_head_i : req_head;
  assign type_req_ready_o = reqs_ready;
  assign req_ready        = reqs_ready && !type_req_valid_i;
  assign rsps_valid       = rsp_valid || type_ack_valid_i;
  assign rsps_head        = type_ack_valid_i ? type_ack_head_i : rsp_head;
  assign type_ack_ready_o = rsps_ready;
  assign rsp_ready        = rsps_ready && !type_ack_valid_i;

  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    localparam int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW);
    logic [BodyW-1:0] req_body;
    hd_l1_vi #(
      .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .SlotW(SlotW), .Sets(Sets),
      .Ways(Ways),
      .WbEntries(WbEntries), .PartBits(PartBits), .Pending(Pending), .ReqCredits(ReqCredits),
      .MshrEntries(MshrEntries), .MshrTargets(MshrTargets), .StoreData(StoreData),
      .MergeLanes(MergeLanes)
    ) u_l1 (
      .clk_i, .rst_i, .sm_id_i, .la_valid_i, .la_ready_o, .la_warp_i, .la_slot_i, .la_kind_i,
      .la_fn_i, .la_prefetch_i, .la_line_i, .la_mask_i, .la_offs_i, .la_wmask_i, .la_data_i,
      .la_cmp_i, .dn_valid_i, .dn_ready_o, .dn_head_i, .dn_data_i, .req_valid_o(req_valid),
      .req_ready_i(req_ready), .req_head_o(req_head), .req_body_o(req_body),
      .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_head_o(rsp_head), .perf_valid_o,
      .perf_warp_o, .perf_slot_o, .perf_lanes_o, .perf_last_i, .cpl_valid_o, .cpl_warp_o,
      .cpl_slot_o, .cpl_last_o, .cpl_mask_o, .cpl_data_o, .flush_i, .flushing_o, .st_valid_o,
      .st_line_o, .st_state_o, .ev_o, .mshr_busy_o, .idle_o(l1_idle)
    );
    hd_flit_pack #(
      .LineWords(LineWords), .WordW(WordW), .AtomFlits(hd_pkg::atom_flits(Lanes))
    ) u_pack (
      .clk_i, .rst_i, .in_valid_i(reqs_valid), .in_ready_o(reqs_ready), .in_head_i(reqs_head),
      .in_data_i(req_body), .out_valid_o(pk_valid), .out_ready_i(pk_ready), .out_tail_o(pk_tail),
      .out_flit_o(pk_flit), .idle_o(pk_idle)
    );
    assign up_valid_o = {rsps_valid, pk_valid};
    assign up_tail_o  = {1'b1, pk_tail};
    assign up_flit_o  = {FlitW'(rsps_head), pk_flit};
    assign {rsps_ready, pk_ready} = up_ready_i;
    logic unused;
    assign unused = la_space_i;
  end else begin : g_mesi
    logic [LnW-1:0] rsp_data;
    hd_l1_mesi #(
      .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .SlotW(SlotW), .Sets(Sets),
      .Ways(Ways),
      .LdsRows(LdsRows), .WbEntries(WbEntries), .PartBits(PartBits), .Pending(Pending),
      .ReqCredits(ReqCredits), .MshrEntries(MshrEntries), .MshrTargets(MshrTargets),
      .StoreData(StoreData), .CasData(CasData), .MergeLanes(MergeLanes)
    ) u_l1 (
      .clk_i, .rst_i, .sm_id_i, .la_valid_i, .la_ready_o, .la_warp_i, .la_slot_i, .la_kind_i,
      .la_fn_i, .la_space_i, .la_prefetch_i, .la_line_i, .la_mask_i, .la_offs_i, .la_wmask_i,
      .la_data_i, .la_cmp_i, .dn_valid_i, .dn_ready_o, .dn_head_i, .dn_data_i,
      .req_valid_o(req_valid),
      .req_ready_i(req_ready), .req_head_o(req_head), .rsp_valid_o(rsp_valid),
      .rsp_ready_i(rsp_ready), .rsp_head_o(rsp_head), .rsp_data_o(rsp_data), .perf_valid_o,
      .perf_warp_o, .perf_slot_o, .perf_lanes_o, .perf_last_i, .cpl_valid_o, .cpl_warp_o,
      .cpl_slot_o, .cpl_last_o, .cpl_mask_o, .cpl_data_o, .flush_i, .flushing_o, .st_valid_o,
      .st_line_o, .st_state_o, .ev_o, .mshr_busy_o, .idle_o(l1_idle)
    );
    hd_flit_pack #(.LineWords(LineWords), .WordW(WordW)) u_pack (
      .clk_i, .rst_i, .in_valid_i(rsps_valid), .in_ready_o(rsps_ready), .in_head_i(rsps_head),
      .in_data_i(rsp_data), .out_valid_o(pk_valid), .out_ready_i(pk_ready), .out_tail_o(pk_tail),
      .out_flit_o(pk_flit), .idle_o(pk_idle)
    );
    assign up_valid_o = {pk_valid, reqs_valid};
    assign up_tail_o  = {pk_tail, 1'b1};
    assign up_flit_o  = {pk_flit, FlitW'(reqs_head)};
    assign {pk_ready, reqs_ready} = up_ready_i;
  end
  assign idle_o = l1_idle && pk_idle;
endmodule
`default_nettype wire
