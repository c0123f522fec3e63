// hd_l1_gpu.sv - L1 data cache of family GPU: dirty words until a release, self-invalidation.
//
// Paper 3 section 2.2; docs/protocol_gpu.md. Data stores make words dirty here and are complete at
// once; a release (a fence of device scope) writes all dirty words through to the L2 and is done
// when that has been acknowledged; an acquire invalidates all valid clean words when it is done
// (a generation, hd_l1_words). Synchronization of the device is performed at the L2; with scoped_i
// that of a thread block is performed here.
// One decision a cycle ("T"); data come one cycle later ("G"). Parts: hd_l1_gpu_decide, what is
// done; hd_l1_gpu_line, words of lines and READs; hd_l1_gpu_send, dirty words, requests,
// acknowledgements; hd_l1_gpu_data, data and completions. A row that is sent is read in T; nothing
// is decided in its G.
//
// la    line accesses, valid/ready, and fences (OP_FENCE, no lanes). la_ops_i {compare values,
//       data}. Not ready: no room, or words that loads wait for; tried again when something has
//       changed.
// dn    DATA_S, WT_ACK, AT_DATA, valid/ready, taken after finite time, never waiting for req. With
//       Inclusive INV too: clean words of the line go, dirty ones stay; it waits for room for its
//       INV_ACK on rsp, valid/ready, and for one look of an access at a line that has just come.
// req   GETS, WT, ATOMIC in order (hd_l1_gpu_out), valid/ready.
// perf  {number of performed lanes (of a fence 1), slot, warp}; perf_last_i (same cycle): the
//       operation is complete. cpl: registers, the cycle after, {words, lanes, completion_s}. A hit
//       completes 2 cycles after its T.
// mark  valid/ready, with Persist: a persist barrier; its PMARK follows in req all words that were
//       dirty before it (paper 4 section 6.1).
// st    registered pulse: words of line st_o have changed.
// flush pulses flush_i {all dirty words are written through and what is valid goes; what is valid
//       goes (a kernel begins)}. flushing_o until it is done, acknowledgements included.
// policy_i constant during a run.
// Parameters: Sets, Ways; MshrEntries READs out, MshrTargets accesses that wait, MergeLanes lanes
// of a READ; StoreData synchronizing accesses out; SbWords, SbRows dirty words and rows; WtOut WTs
// out; GenW bits of a generation; Markers releases out (warps); ReqDepth, WbEntries of hd_wt_queue;
// Persist (hd_persist_l1), NvwDepth entries of the NVW-FIFO; Inclusive: the L2 is.
// Latency: hit 2 cycles, fill 1 + 1 per access that waited, flush 2 per row.
`default_nettype none
module hd_l1_gpu #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 8,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 4,
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned MshrTargets = 256,
  parameter int unsigned StoreData = 64,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned WtOut = 64,
  parameter int unsigned GenW = 10,
  parameter int unsigned Markers = 48,
  parameter int unsigned Persist = 0,
  parameter int unsigned NvwDepth = 16,
  parameter int unsigned Inclusive = 0,
  parameter int unsigned ByteW = $clog2(LineWords * 4),                              // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,                             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned PerfW = $clog2(Lanes + 1) + SlotW + hd_pkg::WARP_W,         // derived
  parameter int unsigned CplW = Lanes * WordW + Lanes + hd_pkg::COMPLETION_W,        // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned DnWords = hd_pkg::down_words(LineWords, Lanes, FlitWords),  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords)                     // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    sm_id_i,
  input  hd_pkg::l1_policy_s           policy_i,
  // memory pipe
  input  logic                         la_valid_i,
  output logic                         la_ready_o,
  input  hd_pkg::access_s              la_acc_i,
  input  logic [LineW-1:0]             la_line_i,
  input  logic [PlaceW-1:0]            la_place_i,
  input  logic [Lanes*32+DataW-1:0]    la_ops_i,
  // answers
  input  logic                         dn_valid_i,
  output logic                         dn_ready_o,
  input  logic [HeadW-1:0]             dn_head_i,
  input  logic [DnWords*WordW-1:0]     dn_data_i,
  // requests
  output logic                         req_valid_o,
  input  logic                         req_ready_i,
  output logic [HeadW-1:0]             req_head_o,
  output logic [BodyW-1:0]             req_body_o,
  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]    rsp_head_o,
  // scoreboard and completion
  output logic                         perf_valid_o,
  output logic [PerfW-1:0]             perf_o,
  input  logic                         perf_last_i,
  output logic                         cpl_valid_o,
  output logic [CplW-1:0]              cpl_o,
  // persist barriers
  input  logic                         mark_valid_i,
  output logic                         mark_ready_o,
  input  logic [7:0]                   mark_id_i,
  // flush, observation
  input  logic [1:0]                   flush_i,
  output logic                         flushing_o,
  output logic                         st_valid_o,
  output logic [LineW-1:0]             st_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]       mshr_busy_o,
  output logic                         idle_o
);
  localparam int unsigned Rows = Sets * Ways;
  localparam int unsigned RowW = hd_pkg::idx_w(Rows);
  localparam int unsigned WhoW = 1 + hd_pkg::WARP_W + SlotW;  // a release: acquires, warp, slot

  hd_pkg::head_s            dn;
  hd_pkg::gpu_turn_s        turn;
  hd_pkg::gpu_look_s        look;
  hd_pkg::gpu_do_s          act;
  hd_pkg::gpu_room_s        room;
  hd_pkg::gpu_heads_s       heads;
  hd_pkg::gpu_dirty_s       dirty;
  hd_pkg::access_s          rp_acc;
  logic                     rp_valid, served, data_busy, done_ok, rmw_lane, ack_room;
  logic                     decide_idle, line_idle, send_idle, data_idle;
  logic [GenW-1:0]          gen;
  logic [RowW-1:0]          row, fl_row, wrap_row;
  logic [LineW-1:0]         num, pop_num;
  logic [2*LineWords-1:0]   masks;
  logic [LineWords-1:0]     wmask;
  logic [Lanes-1:0]         lanes;
  logic [PlaceW-1:0]        rp_place;
  logic [hd_pkg::TID_W-1:0] read_tid;
  logic [WhoW+Lanes-1:0]    st_who;
  logic [WhoW-1:0]          mk_who;
  logic [LineWords*WordW-1:0] sent_line;
  logic [DataW-1:0]         la_data;
  logic [Lanes*32-1:0]      la_cmp;

  assign {la_cmp, la_data} = la_ops_i;
  assign dn = dn_head_i[hd_pkg::HEAD_W-1:0];

  hd_l1_gpu_decide #(
    .Rows(Rows),
    .GenW(GenW),
    .Inclusive(Inclusive)
  ) u_decide (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .scoped_i(policy_i.scoped),
    .la_valid_i(la_valid_i),
    .la_ready_o(la_ready_o),
    .la_acc_i(la_acc_i),
    .dn_valid_i(dn_valid_i),
    .dn_ready_o(dn_ready_o),
    .dn_i(dn),
    .ack_room_i(ack_room),
    .st_acquires_i(st_who[WhoW+Lanes-1]),
    .rp_valid_i(rp_valid),
    .served_i(served),
    .busy_i(data_busy),
    .done_ok_i(done_ok),
    .rmw_lane_i(rmw_lane),
    .mk_acquires_i(mk_who[WhoW-1]),
    .moves_i(req_valid_o && req_ready_i),
    .room_i(room),
    .heads_i(heads),
    .turn_o(turn),
    .gen_o(gen),
    .wrap_row_o(wrap_row),
    .look_i(look),
    .dirty_i(dirty),
    .act_o(act),
    .flush_i(flush_i[1]),
    .begin_i(flush_i[0]),
    .flushing_o(flushing_o),
    .ev_o(ev_o),
    .idle_o(decide_idle)
  );
  hd_l1_gpu_line #(
    .Sets(Sets),
    .Ways(Ways),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .SlotW(SlotW),
    .GenW(GenW),
    .MshrEntries(MshrEntries),
    .MshrTargets(MshrTargets),
    .MergeLanes(MergeLanes)
  ) u_line (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .turn_i(turn),
    .act_i(act),
    .gen_i(gen),
    .la_acc_i(la_acc_i),
    .la_line_i(la_line_i),
    .la_place_i(la_place_i),
    .dn_i(dn),
    .fl_row_i(fl_row),
    .wrap_row_i(wrap_row),
    .pop_num_i(pop_num),
    .pop_mark_i(heads.pop_mark),
    .look_o(look),
    .row_o(row),
    .num_o(num),
    .masks_o(masks),
    .wmask_o(wmask),
    .lanes_o(lanes),
    .read_tid_o(read_tid),
    .rp_valid_o(rp_valid),
    .rp_acc_o(rp_acc),
    .rp_place_o(rp_place),
    .st_valid_o(st_valid_o),
    .st_line_o(st_o),
    .mshr_busy_o(mshr_busy_o),
    .idle_o(line_idle)
  );
  hd_l1_gpu_send #(
    .Rows(Rows),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .FlitWords(FlitWords),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .ReqDepth(ReqDepth),
    .StoreData(StoreData),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .WtOut(WtOut),
    .Markers(Markers),
    .Persist(Persist),
    .NvwDepth(NvwDepth),
    .Inclusive(Inclusive)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .nv_base_i(policy_i.nv_base),
    .turn_i(turn),
    .look_i(look),
    .act_i(act),
    .la_acc_i(la_acc_i),
    .la_line_i(la_line_i),
    .la_place_i(la_place_i),
    .la_data_i(la_data),
    .la_cmp_i(la_cmp),
    .read_tid_i(read_tid),
    .row_i(row),
    .num_i(num),
    .masks_i(masks),
    .wt_data_i(sent_line),
    .dn_i(dn),
    .st_who_o(st_who),
    .ack_room_o(ack_room),
    .room_o(room),
    .heads_o(heads),
    .dirty_o(dirty),
    .fl_row_o(fl_row),
    .mk_who_o(mk_who),
    .pop_num_o(pop_num),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head_o),
    .req_body_o(req_body_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .idle_o(send_idle)
  );
  hd_l1_gpu_data #(
    .Rows(Rows),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .DnWords(DnWords)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .turn_i(turn),
    .act_i(act),
    .la_acc_i(la_acc_i),
    .la_place_i(la_place_i),
    .la_data_i(la_data),
    .la_cmp_i(la_cmp),
    .lanes_i(lanes),
    .rp_acc_i(rp_acc),
    .rp_place_i(rp_place),
    .served_o(served),
    .row_i(row),
    .wmask_i(wmask),
    .old_i(masks[LineWords-1:0]),
    .line_o(sent_line),
    .dn_data_i(dn_data_i),
    .st_who_i(st_who),
    .mk_who_i(mk_who),
    .done_ok_o(done_ok),
    .perf_valid_o(perf_valid_o),
    .perf_o(perf_o),
    .perf_last_i(perf_last_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(cpl_o[hd_pkg::COMPLETION_W-1:0]),
    .cpl_mask_o(cpl_o[hd_pkg::COMPLETION_W +: Lanes]),
    .cpl_data_o(cpl_o[hd_pkg::COMPLETION_W+Lanes +: Lanes*WordW]),
    .busy_o(data_busy),
    .rmw_lane_o(rmw_lane),
    .idle_o(data_idle)
  );
  assign idle_o = decide_idle && line_idle && send_idle && data_idle && !st_valid_o;

  logic unused;
  assign unused = ^{dn_head_i, policy_i.read_only};
endmodule
`default_nettype wire
