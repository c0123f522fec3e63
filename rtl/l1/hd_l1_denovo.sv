// hd_l1_denovo.sv - L1 data cache of family DENOVO: written words are registered, acquires
// invalidate what is not.
//
// Paper 3 section 3; docs/protocol_denovo.md. Data stores make words dirty here and are complete at
// once; a release (a fence of device scope) registers all dirty words with the L2 and is done when
// that has been acknowledged; an acquire invalidates valid words that are not registered when it is
// done (a generation, hd_l1_words). Synchronization of the device registers its word and is
// performed here; with scopes that of a thread block is performed here at once. Registered words
// are read and taken over by other L1s: forwards, answered here or by the writeback buffer, or kept
// for the own acknowledgement (hd_reg_table, the distributed queue).
// One decision a cycle ("T"), data come one cycle later ("G"). hd_l1_dn_decide: which, and the
// access in front, in steps; hd_l1_dn_words: the line decided about, dirty rows and releases,
// registrations; hd_l1_dn_data: READs, who waits for them or for registrations, the data array;
// hd_l1_dn_send: what is sent, answers to forwards.
//
// mode  {scoped, read only words outlive acquires}, constant.
// la    line accesses, valid/ready, and fences (OP_FENCE, no lanes). la_ops {compare values, data}.
// rs    DATA_S, NACK, REG_DATA, REG_ACK, valid/ready, taken after finite time, never waiting for
//       anything sent. fw: FWD_READ, FWD_REG, RECALL, WB_ACK, valid/ready, waits for rsp only.
// req   GETS, REG. rsp: answers to forwards, WB, RECALL_DATA, with data. Valid/ready.
// perf  performed: {number of lanes (of a fence 1), slot, warp}; perf_last_i (same cycle): the
//       operation is complete. cpl: registers, the cycle after, {words, lanes, completion_s}. A hit
//       completes 2 cycles after its T.
// st    registered pulse: {RO, registered, dirty, valid words; line} of a line that changed.
// flush pulses {all dirty words are registered, what is valid goes, all words are written back;
//       what is valid goes (a kernel begins)}. flushing_o until it is done.
// Parameters: Sets, Ways; MshrEntries READs out, MshrTargets accesses that wait for them,
// MergeLanes lanes of a READ; StoreData, CasData synchronizing accesses that wait; RegEntries rows
// with wanted words; SbWords, SbRows dirty words and rows; GenW bits of a generation; Markers
// releases out (warps); ReqDepth requests queued; WbEntries lines in write-back.
// Latency: hit 2 cycles, forward 2, fill 1 + 1 per access that waited.
`default_nettype none
module hd_l1_denovo #(
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
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned RegEntries = 64,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned GenW = 10,
  parameter int unsigned Markers = 48,
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                                    // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    sm_id_i,
  input  logic [1:0]                   mode_i,
  // memory pipe
  input  logic                         la_valid_i,
  output logic                         la_ready_o,
  input  hd_pkg::access_s              la_acc_i,
  input  logic [LineW-1:0]             la_line_i,
  input  logic [PlaceW-1:0]            la_place_i,
  input  logic [Lanes*32+DataW-1:0]    la_ops_i,
  // answers
  input  logic                         rs_valid_i,
  output logic                         rs_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    rs_head_i,
  input  logic [LineWords*WordW-1:0]   rs_data_i,
  // forwards
  input  logic                         fw_valid_i,
  output logic                         fw_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    fw_head_i,
  // requests
  output logic                         req_valid_o,
  input  logic                         req_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]    req_head_o,
  // answers to forwards, writebacks
  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]    rsp_head_o,
  output logic [LineWords*WordW-1:0]   rsp_data_o,
  // scoreboard and completion
  output logic                         perf_valid_o,
  output logic [CntW+SlotW+hd_pkg::WARP_W-1:0] perf_o,
  input  logic                         perf_last_i,
  output logic                         cpl_valid_o,
  output logic [Lanes*WordW+Lanes+hd_pkg::COMPLETION_W-1:0] cpl_o,
  // flush, observation
  input  logic [1:0]                   flush_i,
  output logic                         flushing_o,
  output logic                         st_valid_o,
  output logic [4*LineWords+LineW-1:0] st_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]       mshr_busy_o,
  output logic                         idle_o
);
  localparam int unsigned Rows   = Sets * Ways;
  localparam int unsigned RowW   = $clog2(Sets) + $clog2(Ways);
  localparam int unsigned WhoW   = hd_pkg::WARP_W + SlotW;
  localparam int unsigned ReadW  = LineW + LineWords + 2 * hd_pkg::TID_W;
  localparam int unsigned PassW  = LineWords + hd_pkg::COH_CLS_W + 2 + hd_pkg::NODE_W;

  logic [SlotW-1:0]     la_slot;
  // decided
  hd_pkg::dn_sel_s      sel;
  hd_pkg::dn_do_s       act;
  hd_pkg::l1_sync_s     what;
  logic [LineWords-1:0] left;
  logic [PlaceW-1:0]    step;
  logic [hd_pkg::idx_w(LineWords)-1:0] word;
  logic [2*CntW-1:0]    counts;
  logic [GenW:0]        gen;
  logic [RowW+1:0]      scan;
  // words
  hd_pkg::dn_found_s    found;
  hd_pkg::dn_leave_s    leave;
  logic [LineW-1:0]     line, to_line;
  logic [RowW-1:0]      row;
  logic [4*LineWords-1:0] says;
  logic [2*LineWords-1:0] held;
  logic [LineWords-1:0] served;
  logic [WhoW-1:0]      mk_who;
  logic [PassW-1:0]     pass;
  // data
  hd_pkg::dn_due_s      due;
  hd_pkg::dn_did_s      did;
  hd_pkg::dn_places_s   places;
  logic [LineWords:0]   join_read;
  logic [LineWords-1:0] guard;
  logic [LineW+4+2*LineWords:0] rd;
  logic [ReadW-1:0]     request;
  logic [LineWords*WordW-1:0] sent_line;
  // sent
  hd_pkg::dn_room_s     room;
  logic [LineWords-1:0] fw_left;
  logic [2:0]           tells;
  logic                 put, waits, wb_hit, change, send, decide_idle, data_idle, send_idle;

  assign la_slot = SlotW'({la_acc_i.tag, la_acc_i.slot});
  assign change  = (req_valid_o && req_ready_i) || (rsp_valid_o && rsp_ready_i);
  hd_l1_dn_decide #(
    .Rows(Rows),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .GenW(GenW)
  ) u_decide (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .mode_i(mode_i),
    .la_valid_i(la_valid_i),
    .la_ready_o(la_ready_o),
    .la_acc_i(la_acc_i),
    .la_place_i(la_place_i),
    .rs_valid_i(rs_valid_i),
    .fw_valid_i(fw_valid_i),
    .due_i(due),
    .leave_i(leave),
    .room_i(room),
    .change_i(change),
    .found_i(found),
    .says_i(says),
    .join_i(join_read),
    .places_i(places),
    .wb_hit_i(wb_hit),
    .work_o(sel),
    .act_o(act),
    .what_o(what),
    .words_o(left),
    .word_o(word),
    .counts_o(counts),
    .place_o(step),
    .gen_o(gen),
    .scan_o(scan),
    .flush_i(flush_i),
    .flushing_o(flushing_o),
    .put_i(put),
    .waits_i(waits),
    .tells_i(tells),
    .did_i(did),
    .ev_o(ev_o),
    .idle_o(decide_idle)
  );
  hd_l1_dn_words #(
    .LineWords(LineWords),
    .SlotW(SlotW),
    .Sets(Sets),
    .Ways(Ways),
    .GenW(GenW),
    .RegEntries(RegEntries),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .Markers(Markers)
  ) u_words (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .work_i(sel),
    .act_i(act),
    .gen_i(gen),
    .scan_i(scan),
    .back_i({wb_hit, room.rsp && room.wb}),
    .what_i(what),
    .who_i({la_acc_i.warp, la_slot}),
    .la_line_i(la_line_i),
    .la_words_i(left),
    .word_i(word),
    .rs_head_i(rs_head_i),
    .rd_i(rd),
    .guard_i(guard),
    .fw_head_i(fw_head_i),
    .fw_left_i(fw_left),
    .line_o(line),
    .row_o(row),
    .says_o(says),
    .held_o(held),
    .found_o(found),
    .to_line_o(to_line),
    .leave_o(leave),
    .mk_who_o(mk_who),
    .put_o(put),
    .pass_o(pass),
    .served_o(served),
    .waits_o(waits),
    .st_valid_o(st_valid_o),
    .st_o(st_o)
  );
  // Its name and those of its ports are behind u_decide.u_select's: Yosys calls sel after the first
  // of the ports it goes to, and of a netlist in which that is not the one it comes from Verilator
  // 5.006 evaluates what follows from sel before sel.
  hd_l1_dn_data #(
    .Rows(Rows),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .MshrEntries(MshrEntries),
    .MshrTargets(MshrTargets),
    .StoreData(StoreData),
    .CasData(CasData),
    .MergeLanes(MergeLanes)
  ) u_perform (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .mode_i(mode_i),
    .work_i(sel),
    .act_i(act),
    .what_i(what),
    .la_acc_i(la_acc_i),
    .la_place_i(step),
    .la_ops_i(la_ops_i),
    .line_i(line),
    .row_i(row),
    .says_i(says),
    .held_i(held[2*LineWords-1:LineWords] | held[LineWords-1:0]),
    .word_i(word),
    .counts_i(counts),
    .join_o(join_read),
    .places_o(places),
    .rs_head_i(rs_head_i),
    .rs_data_i(rs_data_i),
    .rs_ready_o(rs_ready_o),
    .served_i(served),
    .old_i(gen[0]),
    .guard_o(guard),
    .rd_o(rd),
    .request_o(request),
    .send_i(send),
    .line_o(sent_line),
    .mk_who_i(mk_who),
    .due_o(due),
    .did_o(did),
    .perf_valid_o(perf_valid_o),
    .perf_o(perf_o),
    .perf_last_i(perf_last_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(cpl_o[hd_pkg::COMPLETION_W-1:0]),
    .cpl_mask_o(cpl_o[hd_pkg::COMPLETION_W +: Lanes]),
    .cpl_data_o(cpl_o[hd_pkg::COMPLETION_W+Lanes +: Lanes*WordW]),
    .busy_o(mshr_busy_o),
    .idle_o(data_idle)
  );
  hd_l1_dn_send #(
    .WbEntries(WbEntries),
    .ReqDepth(ReqDepth),
    .PartBits(PartBits),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .sel_i(sel),
    .act_i(act),
    .line_i(line),
    .to_line_i(to_line),
    .hits_i(says[LineWords-1:0]),
    .asks_i(says[2*LineWords-1:LineWords]),
    .put_i(put),
    .put_words_i(held[2*LineWords-1:LineWords]),
    .tid_i(request[ReadW-1 -: hd_pkg::TID_W]),
    .opid_i(sel.fr ? hd_pkg::OPID_W'({la_acc_i.slot, la_acc_i.warp}) : {hd_pkg::OPID_W{1'b0}}),
    .retry_i(request[ReadW-hd_pkg::TID_W-1:0]),
    .pass_i(pass),
    .data_i(sent_line),
    .fw_valid_i(fw_valid_i),
    .fw_ready_o(fw_ready_o),
    .fw_head_i(fw_head_i),
    .fw_left_o(fw_left),
    .wb_hit_o(wb_hit),
    .wb_room_o(room.wb),
    .wb_empty_o(room.wb_none),
    .req_room_o(room.req),
    .rsp_room_o(room.rsp),
    .push_rsp_o(send),
    .tells_o(tells),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .rsp_data_o(rsp_data_o),
    .idle_o(send_idle)
  );
  assign idle_o = decide_idle && data_idle && send_idle && !st_valid_o;
endmodule
`default_nettype wire
