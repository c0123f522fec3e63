// hd_l1.sv - the L1 data cache of an SM, of the family that is asked for.
//
// Family: hd_pkg::FAMILY_MESI, hd_l1_mesi (paper 1 section 5), FAMILY_VI, hd_l1_vi (3.6), or
// FAMILY_GPU, hd_l1_gpu (papers 3 and 4), which alone has scoped_i, begin_i and the
// parameters from SbWords on, but mark and Persist: VI too. Ports, timing and the other parameters
// are theirs; req_body_o and a down packet longer than a line are VI's and GPU's, rsp_data_o is
// MESI's.
// What families share is in modules of its own: hd_l1_arb (what is decided about in a cycle, flush
// walk), hd_l1_lines (lines held, evictions, fills), hd_l1_events and hd_pending_table; a family
// adds its table of states, its data and its queues, and a branch here.
`default_nettype none
module hd_l1 #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 4,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 3,
  parameter int unsigned Pending = hd_pkg::PENDING_MSHR,
  parameter int unsigned ReqCredits = 0,
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned MshrTargets = 512,
  parameter int unsigned StoreData = 128,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned WtOut = 64,
  parameter int unsigned GenBits = 10,
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                   // derived
  parameter int unsigned RegEntries = 64,
  parameter int unsigned Persist = 0,
  parameter int unsigned NvwDepth = 16,
  parameter int unsigned Inclusive = 0,
  parameter int unsigned HeadW = hd_pkg::family_head_w(Family, Lanes),  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords),
  parameter int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  input  logic                       scoped_i,     // GPU, DENOVO
  input  logic                       read_only_i,  // DENOVO
  input  logic [31:0]                nv_base_i,    // GPU
  // memory pipe
  input  logic                       la_valid_i,
  output logic                       la_ready_o,
  input  hd_pkg::access_s            la_acc_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [PlaceW-1:0]          la_place_i,
  input  logic [DataW-1:0]           la_data_i,
  input  logic [Lanes*32-1:0]        la_cmp_i,
  // down network
  input  logic                       dn_valid_i,
  output logic                       dn_ready_o,
  input  logic [HeadW-1:0]           dn_head_i,
  input  logic [DownW-1:0]           dn_data_i,
  // forwards: DENOVO, whose dn_* are those of RSP
  input  logic                       fw_valid_i,
  output logic                       fw_ready_o,
  input  logic [HeadW-1:0]           fw_head_i,
  // up networks
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [HeadW-1:0]           req_head_o,
  output logic [BodyW-1:0]           req_body_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [HeadW-1:0]           rsp_head_o,
  output logic [LineWords*WordW-1:0] rsp_data_o,
  // scoreboard and completion
  output logic                       perf_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  perf_warp_o,
  output logic [SlotW-1:0]           perf_slot_o,
  output logic [CntW-1:0]            perf_lanes_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output hd_pkg::completion_s        cpl_o,
  output logic [Lanes-1:0]           cpl_mask_o,
  output logic [Lanes*WordW-1:0]     cpl_data_o,
  // persist barriers: VI, GPU
  input  logic                       mark_valid_i,
  output logic                       mark_ready_o,
  input  logic [7:0]                 mark_id_i,
  // flush, observation
  input  logic                       flush_i,
  input  logic                       begin_i,      // GPU, DENOVO
  output logic                       flushing_o,
  output logic                       st_valid_o,
  output logic [LineW-1:0]           st_line_o,
  output logic [1:0]                 st_state_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]     mshr_busy_o,
  output logic                       idle_o
);
  if (Family != hd_pkg::FAMILY_GPU && Family != hd_pkg::FAMILY_DENOVO) begin : g_no_words
    logic unused_words;
    assign unused_words = ^{scoped_i, begin_i, nv_base_i};
  end
  if (Family != hd_pkg::FAMILY_GPU && Family != hd_pkg::FAMILY_VI) begin : g_no_marks
    logic unused_marks;
    assign mark_ready_o = 1'b0;
    assign unused_marks = ^{mark_valid_i, mark_id_i};
  end
  if (Family != hd_pkg::FAMILY_DENOVO) begin : g_no_forwards
    logic unused_forwards;
    assign fw_ready_o      = 1'b0;
    assign unused_forwards = ^{fw_valid_i, fw_head_i, read_only_i};
  end
  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    hd_l1_vi #(
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .SlotW(SlotW),
      .Sets(Sets),
      .Ways(Ways),
      .WbEntries(WbEntries),
      .PartBits(PartBits),
      .Pending(Pending),
      .ReqCredits(ReqCredits),
      .MshrEntries(MshrEntries),
      .MshrTargets(MshrTargets),
      .StoreData(StoreData),
      .MergeLanes(MergeLanes),
      .FlitWords(FlitWords), .Persist(Persist)
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .mark_valid_i(mark_valid_i), .mark_ready_o(mark_ready_o), .mark_id_i(mark_id_i),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_data_i(la_data_i),
      .la_cmp_i(la_cmp_i),
      .dn_valid_i(dn_valid_i),
      .dn_ready_o(dn_ready_o),
      .dn_head_i(dn_head_i),
      .dn_data_i(dn_data_i),
      .req_valid_o(req_valid_o),
      .req_ready_i(req_ready_i),
      .req_head_o(req_head_o),
      .req_body_o(req_body_o),
      .rsp_valid_o(rsp_valid_o),
      .rsp_ready_i(rsp_ready_i),
      .rsp_head_o(rsp_head_o),
      .perf_valid_o(perf_valid_o),
      .perf_warp_o(perf_warp_o),
      .perf_slot_o(perf_slot_o),
      .perf_lanes_o(perf_lanes_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o),
      .cpl_data_o(cpl_data_o),
      .flush_i(flush_i),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_line_o(st_line_o),
      .st_state_o(st_state_o),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign rsp_data_o = '0;
  end else if (Family == hd_pkg::FAMILY_GPU) begin : g_gpu
    logic [hd_pkg::HEAD_W-1:0] rsp_head;
    hd_l1_gpu #(
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .SlotW(SlotW),
      .Sets(Sets),
      .Ways(Ways),
      .WbEntries(WbEntries),
      .PartBits(PartBits),
      .MshrEntries(MshrEntries),
      .MshrTargets(MshrTargets),
      .StoreData(StoreData),
      .MergeLanes(MergeLanes),
      .FlitWords(FlitWords),
      .SbWords(SbWords),
      .SbRows(SbRows),
      .WtOut(WtOut),
      .GenW(GenBits),
      .Persist(Persist),
      .NvwDepth(NvwDepth),
      .Inclusive(Inclusive)
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .policy_i({scoped_i, nv_base_i}),
      .mark_valid_i(mark_valid_i),
      .mark_ready_o(mark_ready_o),
      .mark_id_i(mark_id_i),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_data_i(la_data_i),
      .la_cmp_i(la_cmp_i),
      .dn_valid_i(dn_valid_i),
      .dn_ready_o(dn_ready_o),
      .dn_head_i(dn_head_i),
      .dn_data_i(dn_data_i),
      .req_valid_o(req_valid_o),
      .req_ready_i(req_ready_i),
      .req_head_o(req_head_o),
      .req_body_o(req_body_o),
      .rsp_valid_o(rsp_valid_o),
      .rsp_ready_i(rsp_ready_i),
      .rsp_head_o(rsp_head),
      .perf_valid_o(perf_valid_o),
      .perf_o({perf_warp_o, perf_slot_o, perf_lanes_o}),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o),
      .cpl_data_o(cpl_data_o),
      .flush_i(flush_i),
      .begin_i(begin_i),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_line_o(st_line_o),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign st_state_o = '0;
    assign rsp_head_o = HeadW'(rsp_head);
    assign rsp_data_o = '0;
  end else if (Family == hd_pkg::FAMILY_DENOVO) begin : g_denovo
    logic [4*LineWords-1:0] st_words;
    hd_l1_denovo #(
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .SlotW(SlotW),
      .Sets(Sets),
      .Ways(Ways),
      .WbEntries(WbEntries),
      .PartBits(PartBits),
      .MshrEntries(MshrEntries),
      .MshrTargets(MshrTargets),
      .StoreData(StoreData),
      .CasData(CasData),
      .MergeLanes(MergeLanes),
      .RegEntries(RegEntries),
      .SbWords(SbWords),
      .SbRows(SbRows),
      .GenW(GenBits)
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .mode_i({scoped_i, read_only_i}),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_ops_i({la_cmp_i, la_data_i}),
      .rs_valid_i(dn_valid_i),
      .rs_ready_o(dn_ready_o),
      .rs_head_i(dn_head_i),
      .rs_data_i(dn_data_i),
      .fw_valid_i(fw_valid_i),
      .fw_ready_o(fw_ready_o),
      .fw_head_i(fw_head_i),
      .req_valid_o(req_valid_o),
      .req_ready_i(req_ready_i),
      .req_head_o(req_head_o),
      .rsp_valid_o(rsp_valid_o),
      .rsp_ready_i(rsp_ready_i),
      .rsp_head_o(rsp_head_o),
      .rsp_data_o(rsp_data_o),
      .perf_valid_o(perf_valid_o),
      .perf_o({perf_lanes_o, perf_slot_o, perf_warp_o}),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o),
      .cpl_data_o(cpl_data_o),
      .flush_i({flush_i, begin_i}),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_o({st_words, st_line_o}),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign st_state_o = '0;
    assign req_body_o = '0;
    logic unused_denovo;
    assign unused_denovo = ^{st_words, nv_base_i};
  end else begin : g_mesi
    hd_l1_mesi #(
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .SlotW(SlotW),
      .Sets(Sets),
      .Ways(Ways),
      .WbEntries(WbEntries),
      .PartBits(PartBits),
      .Pending(Pending),
      .ReqCredits(ReqCredits),
      .MshrEntries(MshrEntries),
      .MshrTargets(MshrTargets),
      .StoreData(StoreData),
      .CasData(CasData),
      .MergeLanes(MergeLanes)
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_data_i(la_data_i),
      .la_cmp_i(la_cmp_i),
      .dn_valid_i(dn_valid_i),
      .dn_ready_o(dn_ready_o),
      .dn_head_i(dn_head_i),
      .dn_data_i(dn_data_i),
      .req_valid_o(req_valid_o),
      .req_ready_i(req_ready_i),
      .req_head_o(req_head_o),
      .rsp_valid_o(rsp_valid_o),
      .rsp_ready_i(rsp_ready_i),
      .rsp_head_o(rsp_head_o),
      .rsp_data_o(rsp_data_o),
      .perf_valid_o(perf_valid_o),
      .perf_warp_o(perf_warp_o),
      .perf_slot_o(perf_slot_o),
      .perf_lanes_o(perf_lanes_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o),
      .cpl_data_o(cpl_data_o),
      .flush_i(flush_i),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_line_o(st_line_o),
      .st_state_o(st_state_o),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign req_body_o = '0;
  end
endmodule
`default_nettype wire
