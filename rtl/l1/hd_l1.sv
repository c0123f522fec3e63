// hd_l1.sv - the L1 data cache of an SM, of the family that is asked for.
//
// Family: hd_pkg::FAMILY_MESI, hd_l1_mesi (paper 1 section 5), FAMILY_VI, hd_l1_vi (3.6),
// FAMILY_GPU, hd_l1_gpu, or FAMILY_DENOVO, hd_l1_denovo (papers 3 and 4). Ports, timing and
// parameters are theirs; what a family does not have does nothing or is 0. Joined, the same way for
// all:
//
// policy_i constant, hd_pkg says of which family each field is.
// la       ready only for what is offered: hd_sm_memory relies on it.
// la_ops_i {compare values, data} of la.
// perf_o   {number of lanes, slot, warp}. cpl_o {words of the lanes, lanes, completion_s}.
// flush_i  pulses {everything goes; what is valid goes: a kernel begins (GPU, DENOVO)}.
// st_o     {state (MESI, VI), line}.
// dn, fw   of DENOVO dn is RSP, fw forwards. req_body_o and a down packet longer than a line are
//          VI's and GPU's, rsp_data_o is MESI's and DENOVO's, mark VI's and GPU's.
//
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
  parameter int unsigned Warps = 48,  // each has a release out at the most (GPU, DENOVO)
  parameter int unsigned PerfW = CntW + SlotW + hd_pkg::WARP_W,                // derived
  parameter int unsigned CplW = Lanes * WordW + Lanes + hd_pkg::COMPLETION_W,  // derived
  parameter int unsigned HeadW = hd_pkg::family_head_w(Family, Lanes),  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW, FlitWords),
  parameter int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW, FlitWords)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  input  hd_pkg::l1_policy_s         policy_i,
  // memory pipe
  input  logic                       la_valid_i,
  output logic                       la_ready_o,
  input  hd_pkg::access_s            la_acc_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [PlaceW-1:0]          la_place_i,
  input  logic [Lanes*32+DataW-1:0]  la_ops_i,
  // down network
  input  logic                       dn_valid_i,
  output logic                       dn_ready_o,
  input  logic [HeadW-1:0]           dn_head_i,
  input  logic [DownW-1:0]           dn_data_i,
  // forwards
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
  output logic [PerfW-1:0]           perf_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output logic [CplW-1:0]            cpl_o,
  // persist barriers
  input  logic                       mark_valid_i,
  output logic                       mark_ready_o,
  input  logic [7:0]                 mark_id_i,
  // flush, observation
  input  logic [1:0]                 flush_i,
  output logic                       flushing_o,
  output logic                       st_valid_o,
  output logic [LineW+1:0]           st_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]     mshr_busy_o,
  output logic                       idle_o
);
  if (Warps < 1 || Warps > 2**hd_pkg::WARP_W) begin : g_bad_warps
    $error("hd_l1: Warps must be at least 1 and fit WARP_W");
  end
  logic unused;  // of the other families
  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    hd_l1_vi #(
      .Pending(Pending),
      .ReqCredits(ReqCredits),
      .FlitWords(FlitWords),
      .Persist(Persist),
      `include "hd_l1_pass.svh"
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .mark_valid_i(mark_valid_i),
      .mark_ready_o(mark_ready_o),
      .mark_id_i(mark_id_i),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_ops_i(la_ops_i),
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
      .perf_o(perf_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .flush_i(flush_i[1]),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_o(st_o),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign {fw_ready_o, rsp_data_o} = '0;
    assign unused = ^{policy_i, fw_valid_i, fw_head_i, flush_i[0]};
  end else if (Family == hd_pkg::FAMILY_GPU) begin : g_gpu
    logic [hd_pkg::HEAD_W-1:0] rsp_head;
    hd_l1_gpu #(
      .FlitWords(FlitWords),
      .SbWords(SbWords),
      .SbRows(SbRows),
      .WtOut(WtOut),
      .GenW(GenBits),
      .Markers(Warps),
      .Persist(Persist),
      .NvwDepth(NvwDepth),
      .Inclusive(Inclusive),
      `include "hd_l1_pass.svh"
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .policy_i(policy_i),
      .mark_valid_i(mark_valid_i),
      .mark_ready_o(mark_ready_o),
      .mark_id_i(mark_id_i),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_ops_i(la_ops_i),
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
      .perf_o(perf_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .flush_i(flush_i),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_o(st_o[LineW-1:0]),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign rsp_head_o = HeadW'(rsp_head);
    assign {fw_ready_o, rsp_data_o, st_o[LineW +: 2]} = '0;
    assign unused = ^{fw_valid_i, fw_head_i};
  end else if (Family == hd_pkg::FAMILY_DENOVO) begin : g_denovo
    logic [4*LineWords-1:0] st_words;
    hd_l1_denovo #(
      .CasData(CasData),
      .RegEntries(RegEntries),
      .SbWords(SbWords),
      .SbRows(SbRows),
      .GenW(GenBits),
      .Markers(Warps),
      `include "hd_l1_pass.svh"
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .mode_i({policy_i.scoped, policy_i.read_only}),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_ops_i(la_ops_i),
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
      .perf_o(perf_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .flush_i(flush_i),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_o({st_words, st_o[LineW-1:0]}),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign {mark_ready_o, req_body_o, st_o[LineW +: 2]} = '0;
    assign unused = ^{mark_valid_i, mark_id_i, policy_i.nv_base, st_words};
  end else begin : g_mesi
    hd_l1_mesi #(
      .Pending(Pending),
      .ReqCredits(ReqCredits),
      .CasData(CasData),
      `include "hd_l1_pass.svh"
    ) u_l1 (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .sm_id_i(sm_id_i),
      .la_valid_i(la_valid_i),
      .la_ready_o(la_ready_o),
      .la_acc_i(la_acc_i),
      .la_line_i(la_line_i),
      .la_place_i(la_place_i),
      .la_ops_i(la_ops_i),
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
      .perf_o(perf_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .flush_i(flush_i[1]),
      .flushing_o(flushing_o),
      .st_valid_o(st_valid_o),
      .st_o(st_o),
      .ev_o(ev_o),
      .mshr_busy_o(mshr_busy_o),
      .idle_o(idle_o)
    );
    assign {mark_ready_o, fw_ready_o, req_body_o} = '0;
    assign unused = ^{mark_valid_i, mark_id_i, policy_i, fw_valid_i, fw_head_i, flush_i[0]};
  end
endmodule
`default_nettype wire
