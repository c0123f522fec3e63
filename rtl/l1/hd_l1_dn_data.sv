// hd_l1_dn_data.sv - data of an L1 of family DENOVO: accesses performed at once, or after a wait.
//
// docs/protocol_denovo.md. What work_i, act_i decide about in cycle T is performed on the data
// array (hd_l1_word_data) one cycle later: the step of the access in front, an access whose READ
// has all its data (hd_l1_dn_reads), one whose word has been registered (hd_l1_dn_syncs).
//
// la      the access in front, what_i it is: its lanes of this step and places la_place_i, operands
//         la_ops_i {compare values, data}. word_i, counts_i {lanes for a READ, for a registration}:
//         what would wait. join_o {there is a READ to join, its words}, places_o: whether it can.
//         line_i, row_i: looked up; says_i {writes, joins, asks, hits} of hd_l1_dn_words; held_i:
//         words that are dirty or registered.
// rs      RSP, taken with rs_ready_o. Data are kept until the last words of a READ and written with
//         them; if others came before, that takes a second cycle. served_i: words that come
//         registered, and accesses here wait for. old_i: an acquire is done.
//         guard_o: words of the line that are on the way. rd_o: about the READ of rs_head_i {its
//         last words wait for the second cycle; line, old, read only, others wait, last; skipped,
//         needed words}. request_o {id of a new READ; one to repeat: line, words, id}.
// send_i  row_i is on line_o in the next cycle. mk_who_i {warp, slot}: whose marker leaves.
// due_o, did_o: as hd_pkg says. perf, cpl: as in hd_l1_denovo, perf_o {lanes, slot, warp}. busy_o:
//         entries of READs in use. idle_o: nothing is performed, served or to be repeated.
// mode_i {scoped, read only}. Parameters: Rows; the others as in hd_l1_denovo. Latency 1 to perf.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_data #(
  parameter int unsigned Rows = 512,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned MshrTargets = 256,
  parameter int unsigned StoreData = 64,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                                 // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                                    // derived
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic [1:0]                    mode_i,
  input  hd_pkg::dn_sel_s               work_i,
  input  hd_pkg::dn_do_s                act_i,
  // the access in front, its line
  input  hd_pkg::l1_sync_s              what_i,
  input  hd_pkg::access_s               la_acc_i,
  input  logic [PlaceW-1:0]             la_place_i,
  input  logic [Lanes*32+DataW-1:0]     la_ops_i,
  input  logic [LineW-1:0]              line_i,
  input  logic [RowW-1:0]               row_i,
  input  logic [4*LineWords-1:0]        says_i,
  input  logic [LineWords-1:0]          held_i,
  input  logic [OffW-1:0]               word_i,
  input  logic [2*CntW-1:0]             counts_i,
  output logic [LineWords:0]            join_o,
  output hd_pkg::dn_places_s            places_o,
  // answers
  input  logic [hd_pkg::HEAD_W-1:0]     rs_head_i,
  input  logic [LineWords*WordW-1:0]    rs_data_i,
  output logic                          rs_ready_o,
  input  logic [LineWords-1:0]          served_i,
  input  logic                          old_i,
  output logic [LineWords-1:0]          guard_o,
  output logic [LineW+4+2*LineWords:0]  rd_o,
  output logic [LineW+LineWords+2*hd_pkg::TID_W-1:0] request_o,
  // the array
  input  logic                          send_i,
  output logic [LineWords*WordW-1:0]    line_o,
  input  logic [hd_pkg::WARP_W+SlotW-1:0] mk_who_i,
  output hd_pkg::dn_due_s               due_o,
  output hd_pkg::dn_did_s               did_o,
  // scoreboard and completion
  output logic                          perf_valid_o,
  output logic [CntW+SlotW+hd_pkg::WARP_W-1:0] perf_o,
  input  logic                          perf_last_i,
  output logic                          cpl_valid_o,
  output hd_pkg::completion_s           cpl_o,
  output logic [Lanes-1:0]              cpl_mask_o,
  output logic [Lanes*WordW-1:0]        cpl_data_o,
  output logic [MshrEntries-1:0]        busy_o,
  output logic                          idle_o
);
  localparam int unsigned HalfL = (Lanes > 32) ? 32 : Lanes;

  hd_pkg::access_s            rp_acc, st_acc, acc;
  hd_pkg::l1_sync_s           st_what;
  hd_pkg::head_s              rs;
  hd_pkg::why_e               read_why, sync_why;
  logic                       scoped, read_only, is_data, is_nack, merge, merged_q, join_it;
  logic                       read_room;
  logic                       rd_old, rd_ro, rd_more, rd_last, rd_parts, retry, rp_valid, st_valid;
  logic                       syncs_busy, syncs_empty, data_busy, done_ok, cpl_last, rmw_lane;
  logic                       reads_idle, syncs_idle, data_idle;
  logic [LineW-1:0]           rd_line, st_line;
  logic [RowW-1:0]            st_row;
  logic [LineWords-1:0]       writes, joins, asks, hits, join_words, rs_words, rd_need, rd_skip;
  logic [LineWords-1:0]       rp_words, st_words, at_word;
  logic [LineW+LineWords+hd_pkg::TID_W-1:0] retry_read;
  logic [Lanes-1:0]           la_mask, rp_mask, st_mask, do_mask;
  logic [Lanes*OffW-1:0]      la_offs, rp_offs, st_offs, do_offs;
  logic [OffW-1:0]            st_word;
  logic [CntW-1:0]            read_count, sync_count, perf_lanes;
  logic [Lanes*32-1:0]        la_cmp, st_cmp;
  logic [DataW-1:0]           la_data, st_data;
  logic [LineWords*WordW-1:0] whole;
  logic [SlotW-1:0]           la_slot, do_slot, mk_slot, perf_slot, cpl_slot;
  logic [hd_pkg::WARP_W-1:0]  mk_warp, perf_warp, cpl_warp;
  logic [hd_pkg::TID_W-1:0]   tid;

  assign rs = rs_head_i;
  assign is_data  = rs.kind == hd_pkg::MSG_DATA_S;
  assign is_nack  = rs.kind == hd_pkg::MSG_NACK;
  assign rs_words = rs.wmask.words[LineWords-1:0];
  assign {scoped, read_only} = mode_i;
  assign {writes, joins, asks, hits} = says_i;
  assign {read_count, sync_count} = counts_i;
  assign {la_mask, la_offs, at_word} = la_place_i;
  assign {la_cmp, la_data} = la_ops_i;
  assign {mk_warp, mk_slot} = mk_who_i;
  assign la_slot = SlotW'({la_acc_i.tag, la_acc_i.slot});

  // ---- READs and what waits for them -----------------------------------------------------------
  assign merge      = work_i.rs && is_data && rd_last && rd_parts && !merged_q;
  assign rs_ready_o = work_i.rs && !merge;
  always_ff @(posedge clk_i) begin
    if (rst_i) merged_q <= 1'b0;
    else merged_q <= merge;
  end
  hd_l1_dn_reads #(
    .Entries(MshrEntries),
    .Targets(MshrTargets),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_reads (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(work_i.fr || work_i.rs),
    .lk_line_i(line_i),
    .words_i(work_i.fr ? asks : {LineWords{1'b0}}),
    .lanes_i(read_count),
    .new_i(!join_it || what_i.atomic),
    .join_o(join_it),
    .room_o(read_room),
    .join_words_o(join_words),
    .guard_o(guard_o),
    .why_o(read_why),
    .tid_o(tid),
    .push_i(act_i.read || act_i.merge),
    .acc_i(la_acc_i),
    .place_i(la_place_i),
    .need_i({la_acc_i.ro && read_only && what_i.load, asks}),
    .skip_i(work_i.rs && !is_data && !is_nack),
    .skip_words_i(rs_words),
    .old_i(old_i),
    .rd_tid_i(rs.tid),
    .rd_o({rd_line, rd_old, rd_ro, rd_skip, rd_need}),
    .rd_more_o(rd_more),
    .rd_last_o(rd_last),
    .rd_parts_o(rd_parts),
    .rd_words_i(rs_words & rd_need),
    .rd_data_i(rs_data_i),
    .got_i(work_i.rs && is_data && !rd_last),
    .nack_i(work_i.rs && is_nack),
    .merge_i(merge),
    .line_o(whole),
    .start_i(work_i.rs && is_data && rd_last && !merge),
    .valid_o(rp_valid),
    .leave_o({rp_mask, rp_offs, rp_words, rp_acc}),
    .pop_i(work_i.rp),
    .retry_o(retry),
    .retry_read_o(retry_read),
    .retry_pop_i(work_i.rt),
    .busy_o(busy_o),
    .idle_o(reads_idle)
  );
  assign join_o    = {join_it, join_words};
  assign rd_o      = {merge, rd_line, rd_old, rd_ro, rd_more, rd_last, rd_skip, rd_need};
  assign request_o = {tid, retry_read};

  // ---- what waits for registrations ------------------------------------------------------------
  hd_l1_dn_syncs #(
    .Entries(StoreData),
    .Targets(StoreData),
    .CasData(CasData),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .RowW(RowW),
    .LineW(LineW)
  ) u_syncs (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .row_i(row_i),
    .lk_valid_i(work_i.fr),
    .word_i(word_i),
    .lanes_i(sync_count),
    .why_o(sync_why),
    .push_i(act_i.wait_reg),
    .acc_i(la_acc_i),
    .place_i(la_place_i),
    .data_i(la_data),
    .cmp_i(la_cmp),
    .serve_i(|served_i),
    .words_i(served_i),
    .line_i(line_i),
    .busy_o(syncs_busy),
    .start_i(work_i.sv),
    .valid_o(st_valid),
    .acc_o(st_acc),
    .place_o({st_mask, st_offs, st_words}),
    .data_o(st_data),
    .cmp_o(st_cmp),
    .row_o(st_row),
    .line_o(st_line),
    .word_o(st_word),
    .pop_i(work_i.st),
    .empty_o(syncs_empty),
    .idle_o(syncs_idle)
  );
  assign st_what  = hd_pkg::l1_sync(st_acc.kind, st_acc.order, st_acc.scope, scoped);
  assign places_o = {read_room, read_why, sync_why};

  // ---- whose lanes are performed ---------------------------------------------------------------
  always_comb begin
    acc     = la_acc_i;
    do_mask = la_mask;
    do_offs = la_offs;
    if (work_i.rp) begin
      acc     = rp_acc;
      do_mask = rp_mask;
      do_offs = rp_offs;
    end else if (work_i.st) begin
      acc     = st_acc;
      do_mask = st_mask;
      do_offs = st_offs;
    end
  end
  assign do_slot = SlotW'({acc.tag, acc.slot});
  assign did_o.acquire = work_i.st && st_what.acquire;
  assign did_o.sync    = work_i.st;
  // else data were fetched for an access in front
  assign did_o.serve   = work_i.rp && rp_mask != '0;
  assign did_o.fill    = work_i.rs && is_data && !merge;
  assign did_o.rmw     = rmw_lane;
  hd_l1_word_data #(
    .Rows(Rows),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .TellOld(1)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i((act_i.hit && what_i.load) || (work_i.st && st_what.load)),
    .store_i((act_i.hit && what_i.store) || (work_i.st && st_what.store)),
    .atomic_i((act_i.hit && what_i.atomic) || (work_i.st && st_what.atomic)),
    .fill_i(work_i.rs && !is_nack && !merge),
    .serve_i(work_i.rp && |rp_mask),
    .read_i(send_i),
    .row_i(work_i.st ? st_row : row_i),
    .warp_i(acc.warp),
    .slot_i(do_slot),
    .fn_i(acc.fn),
    .mask_i(do_mask),
    .offs_i(do_offs),
    .wmask_i(work_i.st ? LineWords'(1) << st_word : work_i.rs ? writes : hits),
    .old_i(work_i.st ? {LineWords{1'b1}} : held_i),
    .data_i(work_i.rs ? DataW'(whole) : work_i.st ? st_data : la_data),
    .cmp_i(work_i.st ? st_cmp : la_cmp),
    .busy_o(data_busy),
    .line_o(line_o),
    .done_ok_o(done_ok),
    // What is complete without the array: a release whose marker leaves, a fence.
    .done_i(work_i.mk || (act_i.accept && what_i.fence && !act_i.marker)),
    .done_warp_i(work_i.mk ? mk_warp : la_acc_i.warp),
    .done_slot_i(work_i.mk ? mk_slot : la_slot),
    .done_mask_i({Lanes{1'b0}}),
    .done_data_i({(HalfL * WordW) {1'b0}}),
    .perf_valid_o(perf_valid_o),
    .perf_warp_o(perf_warp),
    .perf_slot_o(perf_slot),
    .perf_lanes_o(perf_lanes),
    .perf_last_i(perf_last_i),
    .rmw_lane_o(rmw_lane),
    .cpl_valid_o(cpl_valid_o),
    .cpl_warp_o(cpl_warp),
    .cpl_slot_o(cpl_slot),
    .cpl_last_o(cpl_last),
    .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o),
    .idle_o(data_idle)
  );
  assign perf_o = {perf_lanes, perf_slot, perf_warp};
  assign cpl_o  = hd_pkg::COMPLETION_W'({cpl_last, cpl_slot[hd_pkg::SLOT_W-1:0], cpl_warp});
  assign due_o  = {rp_valid, st_valid, syncs_busy, retry, data_busy, done_ok};
  assign idle_o = reads_idle && syncs_idle && data_idle;

  logic unused;
  assign unused = ^{work_i, act_i, what_i, la_acc_i, rs, rp_acc, st_acc, acc, rp_words, st_words,
                    at_word, st_line, st_what, cpl_slot, syncs_empty, joins};

  `HD_ASSERT(a_answer_kind, !work_i.rs || is_data || is_nack || rs.kind == hd_pkg::MSG_REG_DATA
             || rs.kind == hd_pkg::MSG_REG_ACK)
endmodule
`default_nettype wire
