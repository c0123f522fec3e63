// hd_l1_denovo.sv - L1 data cache of family DENOVO: written words are registered, acquires
// invalidate what is not.
//
// Paper 3 section 3; docs/protocol_denovo.md. Data stores make words dirty here and are complete at
// once; a release (a fence of device scope) registers all dirty words with the L2 and is done when
// that has been acknowledged; an acquire invalidates valid words that are not registered when it is
// done (a generation, hd_l1_words). Synchronization of the device registers its word and is
// performed here; with scoped_i that of a thread block is performed here at once. Registered words
// are read and taken over by other L1s: forwards, answered here or by the writeback buffer, or kept
// for the own acknowledgement (hd_reg_table, the distributed queue).
// One decision a cycle ("T"), hd_l1_dn_select; data come one cycle later ("G"). The line decided
// about: hd_l1_dn_line; access: hd_l1_dn_access, in steps; READs: hd_l1_dn_reads; those
// who wait for registrations: hd_l1_dn_syncs; order of dirty rows and releases: hd_dirty_list; what
// is sent, answers to forwards: hd_l1_dn_send; data: hd_l1_word_data.
//
// la    line accesses, valid/ready, and fences (OP_FENCE, no lanes).
// rs    DATA_S, NACK, REG_DATA, REG_ACK, valid/ready, taken after finite time, never waiting for
//       anything sent. fw: FWD_READ, FWD_REG, RECALL, WB_ACK, valid/ready, waits for rsp only.
// req   GETS, REG. rsp: answers to forwards, WB, RECALL_DATA, with data. Valid/ready.
// perf  performed lanes: warp, slot, lanes, 1 for a fence; perf_last_i (same cycle): the operation
//       is complete. cpl: registers, the cycle after. A hit completes 2 cycles after its T.
// st    registered pulse: the words of a line that changed, {RO, registered, dirty, valid}.
// flush begin_i pulse: what is valid goes (a kernel begins); flush_i: all dirty words are
//       registered, what is valid goes, all words are written back. flushing_o until it is done.
// Parameters: Sets, Ways; MshrEntries READs out, MshrTargets accesses that wait for them,
// MergeLanes lanes of a READ; StoreData, CasData synchronizing accesses that wait; RegEntries rows
// with wanted words; SbWords, SbRows dirty words and rows; GenW bits of a generation; Markers
// releases out (warps); ReqDepth requests queued; WbEntries lines in write-back.
// Latency: hit 2 cycles, forward 2, fill 1 + 1 per access that waited.
`include "hd_assert.svh"
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
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned ByteW = $clog2(LineWords * 4),                              // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,                             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                                    // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    sm_id_i,
  input  logic                         scoped_i,
  input  logic                         read_only_i,
  // memory pipe
  input  logic                         la_valid_i,
  output logic                         la_ready_o,
  input  hd_pkg::access_s              la_acc_i,
  input  logic [LineW-1:0]             la_line_i,
  input  logic [PlaceW-1:0]            la_place_i,
  input  logic [DataW-1:0]             la_data_i,
  input  logic [Lanes*32-1:0]          la_cmp_i,
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
  output logic [hd_pkg::WARP_W-1:0]    perf_warp_o,
  output logic [SlotW-1:0]             perf_slot_o,
  output logic [CntW-1:0]              perf_lanes_o,
  input  logic                         perf_last_i,
  output logic                         cpl_valid_o,
  output hd_pkg::completion_s          cpl_o,
  output logic [Lanes-1:0]             cpl_mask_o,
  output logic [Lanes*WordW-1:0]       cpl_data_o,
  // flush, observation
  input  logic                         flush_i,
  input  logic                         begin_i,
  output logic                         flushing_o,
  output logic                         st_valid_o,
  output logic [LineW-1:0]             st_line_o,
  output logic [4*LineWords-1:0]       st_words_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]       mshr_busy_o,
  output logic                         idle_o
);
  localparam int unsigned RowW  = $clog2(Sets) + $clog2(Ways);
  localparam int unsigned WhoW  = 1 + hd_pkg::WARP_W + SlotW;  // a fence: acquires, warp, slot
  localparam int unsigned NumW  = $clog2(LineWords + 1);
  localparam int unsigned HalfL = (Lanes > 32) ? 32 : Lanes;
  localparam int unsigned ClsW  = hd_pkg::COH_CLS_W;
  localparam int unsigned NextW = ClsW + 2 + hd_pkg::NODE_W;   // {class, recall, sync, SM}
  localparam int unsigned OutW  = $clog2(SbWords + 1);

  hd_pkg::dn_sel_s      sel;
  hd_pkg::dn_do_s       act;
  hd_pkg::l1_sync_s     what, st_what;
  hd_pkg::access_s      rp_acc, st_acc, acc;
  hd_pkg::head_s        rs, fw;
  hd_pkg::why_e         t_why, read_why, sync_why, why, why_ev;
  // the line and its words
  logic                 hit, vict_ok, vict_r, row_ok, wanted;
  logic [LineW-1:0]     line, rd_line, at_line, st_line, retry_line;
  logic [RowW-1:0]      row, fl_row, wrap_row, pass_row, serve_row;
  logic [GenW-1:0]      gen;
  logic [LineWords-1:0] d, r, d_new, made, gone, clean, dirty, hits, asks, joins, writes, guard;
  logic [LineWords-1:0] put_words;
  // the access in front
  logic [Lanes-1:0]     la_mask, step_lanes;
  logic [Lanes*OffW-1:0] la_offs;
  logic [LineWords-1:0] left_words, join_words;
  logic [OffW-1:0]      pick_word, serve_word;
  logic [SlotW-1:0]     la_slot;
  logic [CntW-1:0]      read_count, sync_count;
  logic                 load_go, store_go, atomic_go, serve, gen_step, drop;
  logic                 clears, clears_ro;
  // tables and queues
  logic                 read_join, read_room, rd_old, rd_ro, rd_more, rd_last, rd_parts;
  logic                 rp_valid, reads_idle, retry, merged_q, merge, got;
  logic [hd_pkg::TID_W-1:0] read_tid, retry_tid;
  logic [LineWords-1:0] rd_need, rd_skip, retry_words, rs_words, rs_mask;
  logic [Lanes-1:0]     rp_mask, st_mask;
  logic [Lanes*OffW-1:0] rp_offs, st_offs;
  logic [LineWords-1:0] rp_words, st_words, at_word;
  logic [LineWords*WordW-1:0] whole, sent_line;
  logic [DataW-1:0]     st_data;
  logic [Lanes*32-1:0]  st_cmp;
  logic                 st_valid, syncs_busy, syncs_empty, syncs_idle;
  logic                 reg_room, reg_free, reg_empty;
  logic                 reg_hit, pass;
  logic [LineWords-1:0] next, local_words, pass_words;
  logic [NextW-1:0]     pass_who;
  logic                 wb_hit, wb_room, wb_empty, wb_put, busy_q;
  logic                 dl_room, dl_full, dl_valid, dl_marker, dl_marked, dl_empty, flush_can;
  logic                 mk_acquires;
  logic [hd_pkg::WARP_W-1:0] mk_warp;
  logic [SlotW-1:0]     mk_slot;
  logic [OutW-1:0]      dl_words, out_q;  // out_q: dirty words whose registration is out
  logic [NumW-1:0]      add, sub, fit, out_add;
  logic                 req_room, rsp_room, push_rsp, out_idle;
  logic                 select_idle, data_busy, data_idle;
  logic                 done_ok, done, rmw_lane;
  // messages
  logic                 is_data, is_nack, is_ack, is_wback, is_fread, is_recall;
  logic                 gives, sends_reg, sends_nack, waits;
  logic [LineWords-1:0] fw_left;
  // completion
  logic [Lanes-1:0]     do_mask;
  logic [Lanes*OffW-1:0] do_offs;
  logic [SlotW-1:0]     do_slot, done_slot, cpl_slot;
  logic [hd_pkg::WARP_W-1:0] done_warp, cpl_warp;
  logic                 cpl_last;
  logic [hd_pkg::EV_SM_NUM-1:0] own;

  assign rs = rs_head_i;
  assign fw = fw_head_i;
  assign is_data   = rs.kind == hd_pkg::MSG_DATA_S;
  assign is_nack   = rs.kind == hd_pkg::MSG_NACK;
  assign is_ack    = !is_data && !is_nack;
  assign rs_words  = rs.wmask.words[LineWords-1:0];
  assign is_wback  = fw.kind == hd_pkg::MSG_WB_ACK;
  assign is_fread  = fw.kind == hd_pkg::MSG_FWD_READ;
  assign is_recall = fw.kind == hd_pkg::MSG_RECALL;

  // ---- T: what to do in this cycle -----------------------------------------------------------
  hd_l1_dn_select #(
    .Rows(Sets * Ways),
    .GenW(GenW)
  ) u_select (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(data_busy || busy_q),
    .rp_valid_i(rp_valid),
    .st_valid_i(st_valid),
    .sv_valid_i(syncs_busy),
    .rs_valid_i(rs_valid_i),
    .ps_valid_i(pass),
    .fw_valid_i(fw_valid_i),
    .rt_valid_i(retry),
    .rsp_room_i(rsp_room),
    .req_room_i(req_room),
    .reg_free_i(reg_free),
    .done_ok_i(done_ok),
    .la_valid_i(la_valid_i),
    .la_fence_i(what.fence),
    .list_valid_i(dl_valid),
    .list_marker_i(dl_marker),
    .list_marked_i(dl_marked),
    .list_full_i(dl_full),
    .out_none_i(!(|out_q)),
    .sel_o(sel),
    .flush_can_o(flush_can),
    .refuse_i(act.reject),
    .press_i(why == hd_pkg::WHY_LIST),
    .change_i((req_valid_o && req_ready_i) || (rsp_valid_o && rsp_ready_i)),
    .read_only_i(read_only_i),
    .step_i(gen_step),
    .gen_o(gen),
    .row_o(wrap_row),
    .clear_o(clears),
    .clear_ro_o(clears_ro),
    .row_ok_i(row_ok),
    .flush_i(flush_i),
    .begin_i(begin_i),
    .wb_none_i(wb_empty),
    .flushing_o(flushing_o),
    .drop_o(drop),
    .idle_o(select_idle)
  );

  // ---- the line: what it is, what becomes of it ------------------------------------------------
  // Its name is behind u_select's: Yosys calls sel after the first of the ports it goes to, and of
  // a netlist in which that is this one Verilator 5.006 evaluates u_words' valid_i before sel.
  hd_l1_dn_line #(
    .Sets(Sets),
    .Ways(Ways),
    .LineWords(LineWords),
    .GenW(GenW)
  ) u_state (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel),
    .act_i(act),
    .gen_i(gen),
    .moves_i(gen_step),
    .walk_i({clears, clears_ro}),
    .room_i(rsp_room && wb_room),
    .what_i(what),
    .la_line_i(la_line_i),
    .la_words_i(left_words),
    .rs_head_i(rs_head_i),
    .rd_i({rd_line, rd_old, rd_ro, rd_more, rd_last, rd_skip, rd_need}),
    .merge_i(merge),
    .fw_head_i(fw_head_i),
    .fw_left_i(fw_left),
    .fl_row_i(fl_row),
    .wrap_row_i(wrap_row),
    .pass_row_i(pass_row),
    .pass_words_i(pass_words),
    .guard_i(guard),
    .next_i(next),
    .local_i(local_words),
    .line_o(line),
    .row_o(row),
    .hit_o(hit),
    .vict_ok_o(vict_ok),
    .vict_r_o(vict_r),
    .masks_o({d_new, r, d}),
    .hits_o(hits),
    .asks_o(asks),
    .joins_o(joins),
    .writes_o(writes),
    .why_o(t_why),
    .wanted_o(wanted),
    .row_ok_o(row_ok),
    .to_line_o(at_line),
    .st_valid_o(st_valid_o),
    .st_line_o(st_line_o),
    .st_words_o(st_words_o)
  );
  `HD_COVER_SETS(g_l1dn_pair, sel.fl || sel.ps || (sel.fw && !is_wback) || (sel.rs && is_ack)
                 || u_state.data_here || (sel.wrap && hit && (clears || row_ok))
                 || (sel.fr && !what.fence && !wb_hit
                     && (!act.reject || t_why != hd_pkg::WHY_NONE)),
                 hd_pkg::dn_rows(hd_pkg::dn_of(u_state.ev, 16'({LineWords{1'b1}}), 16'(d),
                                 16'(u_state.words), 16'(hits) | 16'(asks) | 16'(joins)),
                                 16'(u_state.v), 16'(d), 16'(r), 16'(u_state.ro), 16'(u_state.w)),
                 8, u_state.ev, 12)

  // ---- the access of the memory pipe, in steps -------------------------------------------------
  assign {la_mask, la_offs, at_word} = la_place_i;
  assign la_slot = SlotW'({la_acc_i.tag, la_acc_i.slot});
  assign what    = hd_pkg::l1_sync(la_acc_i.kind, la_acc_i.order, la_acc_i.scope, scoped_i);
  hd_l1_dn_access #(
    .Lanes(Lanes),
    .LineWords(LineWords)
  ) u_access (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel.fr),
    .what_i(what),
    .place_i(la_place_i),
    .words_o(left_words),
    .hits_i(hits),
    .asks_i(asks),
    .joins_i(joins),
    .why_i(t_why),
    .writing_back_i(wb_hit),
    .here_i(hit),
    .way_i(vict_ok),
    .vict_r_i(vict_r),
    .evict_ok_i(rsp_room && wb_room),
    .req_room_i(req_room),
    .list_room_i(dl_room),
    .reg_room_i(reg_room),
    .read_join_i(read_join),
    .join_words_i(join_words),
    .read_room_i(read_room),
    .read_why_i(read_why),
    .sync_why_i(sync_why),
    .dirty_i(|dirty),
    .flush_can_i(flush_can),
    .lanes_o(step_lanes),
    .read_lanes_o(read_count),
    .sync_lanes_o(sync_count),
    .word_o(pick_word),
    .do_o(act),
    .why_o(why),
    .ready_o(la_ready_o)
  );

  // ---- what is written, dirty rows and releases ------------------------------------------------
  assign gen_step  = (sel.st && st_what.acquire) || (sel.mk && mk_acquires)
                     || (act.hit && what.sync && what.acquire)
                     || (act.accept && what.fence && !act.marker && what.acquire)
                     || (sel.ends && drop);
  assign made  = d_new & ~d;
  assign gone  = d & ~d_new;
  assign clean = left_words & ~(d | r);
  assign dirty = asks & d;
  always_comb begin
    add     = '0;
    sub     = '0;
    fit     = '0;
    out_add = '0;
    if (store_go || atomic_go) add = NumW'(hd_pkg::ones(64'(made)));
    if (sel.rs && is_ack) sub = NumW'(hd_pkg::ones(64'(gone)));
    if (sel.fr) fit = NumW'(hd_pkg::ones(64'(clean)));
    if (sel.fl || act.ask) out_add = NumW'(hd_pkg::ones(64'(dirty)));
  end
  hd_dirty_list #(
    .Rows(Sets * Ways),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .Markers(Markers),
    .WhoW(WhoW),
    .LineWords(LineWords)
  ) u_dirty (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .put_row_i(|add),
    .row_i(row),
    .add_i(add),
    .sub_i(sub),
    .put_marker_i(act.marker),
    .who_i({what.acquire, la_acc_i.warp, la_slot}),
    .fit_i(fit),
    .room_o(dl_room),
    .full_o(dl_full),
    .head_valid_o(dl_valid),
    .head_marker_o(dl_marker),
    .head_row_o(fl_row),
    .head_who_o({mk_acquires, mk_warp, mk_slot}),
    .pop_i(sel.fl || sel.mk),
    .marked_o(dl_marked),
    .words_o(dl_words),
    .empty_o(dl_empty)
  );

  // ---- READs and what waits for them -----------------------------------------------------------
  assign rs_mask = rs_words & rd_need;
  assign merge   = sel.rs && is_data && rd_last && rd_parts && !merged_q;
  assign got     = sel.rs && is_data && !rd_last;
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
    .lk_valid_i(sel.fr || sel.rs),
    .lk_line_i(line),
    .words_i(sel.fr ? asks : {LineWords{1'b0}}),
    .lanes_i(read_count),
    .new_i(!read_join || what.atomic),
    .join_o(read_join),
    .room_o(read_room),
    .join_words_o(join_words),
    .guard_o(guard),
    .why_o(read_why),
    .tid_o(read_tid),
    .push_i(act.read || act.merge),
    .acc_i(la_acc_i),
    .place_i({step_lanes, la_offs, at_word}),
    .need_i(asks),
    .ro_i(la_acc_i.ro && read_only_i && what.load),
    .skip_i(sel.rs && is_ack),
    .skip_words_i(rs_words),
    .old_i(gen_step),
    .rd_tid_i(rs.tid),
    .rd_line_o(rd_line),
    .rd_old_o(rd_old),
    .rd_ro_o(rd_ro),
    .rd_more_o(rd_more),
    .rd_need_o(rd_need),
    .rd_skip_o(rd_skip),
    .rd_last_o(rd_last),
    .rd_parts_o(rd_parts),
    .rd_words_i(rs_mask),
    .rd_data_i(rs_data_i),
    .got_i(got),
    .nack_i(sel.rs && is_nack),
    .merge_i(merge),
    .line_o(whole),
    .start_i(sel.rs && is_data && rd_last && !merge),
    .valid_o(rp_valid),
    .acc_o(rp_acc),
    .place_o({rp_mask, rp_offs, rp_words}),
    .pop_i(sel.rp),
    .retry_o(retry),
    .retry_tid_o(retry_tid),
    .retry_line_o(retry_line),
    .retry_words_o(retry_words),
    .retry_pop_i(sel.rt),
    .busy_o(mshr_busy_o),
    .idle_o(reads_idle)
  );
  assign rs_ready_o = sel.rs && !merge;
  always_ff @(posedge clk_i) begin
    if (rst_i) merged_q <= 1'b0;
    else merged_q <= merge;
  end

  // ---- registrations, who waits for them here and elsewhere ------------------------------------
  assign waits = sel.fw && !is_wback && !is_fread && joins != '0;
  always_comb begin
    put_words = rs_words;
    if (sel.fr) put_words = LineWords'(1) << pick_word;
    else if (sel.fw) put_words = joins;
    else if (sel.ps) put_words = pass_words;
  end
  hd_reg_table #(
    .Entries(RegEntries),
    .LineWords(LineWords),
    .RowW(RowW),
    .WhoW(NextW)
  ) u_regs (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .row_i(row),
    .hit_o(reg_hit),
    .room_o(reg_room),
    .free_o(reg_free),
    .next_o(next),
    .local_o(local_words),
    .words_i(put_words),
    .ask_i(act.ask || (sel.fl && (|asks))),
    .local_i(act.wait_reg),
    .wait_i(waits),
    .who_i({fw.wmask.words[hd_pkg::COH_CLS +: ClsW], is_recall, fw.wmask.words[hd_pkg::COH_SYNC],
            fw.wmask.words[hd_pkg::COH_REQ +: hd_pkg::NODE_W]}),
    .ack_i(sel.rs && is_ack),
    .last_i((sel.ps || (sel.rs && is_ack)) && !wanted),
    .pass_o(pass),
    .pass_row_o(pass_row),
    .pass_words_o(pass_words),
    .pass_who_o(pass_who),
    .pass_i(sel.ps),
    .empty_o(reg_empty)
  );
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
    .row_i(row),
    .lk_valid_i(sel.fr),
    .word_i(pick_word),
    .lanes_i(sync_count),
    .why_o(sync_why),
    .push_i(act.wait_reg),
    .acc_i(la_acc_i),
    .place_i({step_lanes, la_offs, at_word}),
    .data_i(la_data_i),
    .cmp_i(la_cmp_i),
    .serve_i(sel.rs && is_ack && (|(local_words & rs_words))),
    .words_i(local_words & rs_words),
    .line_i(line),
    .busy_o(syncs_busy),
    .start_i(sel.sv),
    .valid_o(st_valid),
    .acc_o(st_acc),
    .place_o({st_mask, st_offs, st_words}),
    .data_o(st_data),
    .cmp_o(st_cmp),
    .row_o(serve_row),
    .line_o(st_line),
    .word_o(serve_word),
    .pop_i(sel.st),
    .empty_o(syncs_empty),
    .idle_o(syncs_idle)
  );
  assign st_what = hd_pkg::l1_sync(st_acc.kind, st_acc.order, st_acc.scope, scoped_i);

  // ---- what is sent ----------------------------------------------------------------------------
  assign wb_put = act.evict || (sel.wrap && !clears && hit && row_ok && r != '0);
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
    .to_line_i(at_line),
    .hits_i(hits),
    .asks_i(asks),
    .put_i(wb_put),
    .put_words_i(r),
    .tid_i(read_tid),
    .opid_i(sel.fr ? hd_pkg::OPID_W'({la_acc_i.slot, la_acc_i.warp}) : {hd_pkg::OPID_W{1'b0}}),
    .retry_i({retry_line, retry_words, retry_tid}),
    .pass_i({pass_words, pass_who}),
    .data_i(sent_line),
    .fw_valid_i(fw_valid_i),
    .fw_ready_o(fw_ready_o),
    .fw_head_i(fw_head_i),
    .fw_left_o(fw_left),
    .wb_hit_o(wb_hit),
    .wb_room_o(wb_room),
    .wb_empty_o(wb_empty),
    .req_room_o(req_room),
    .rsp_room_o(rsp_room),
    .push_rsp_o(push_rsp),
    .tells_o({sends_reg, sends_nack, gives}),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .rsp_data_o(rsp_data_o),
    .idle_o(out_idle)
  );

  // ---- G: data, completions --------------------------------------------------------------------
  assign load_go   = (act.hit && what.load) || (sel.st && st_what.load);
  assign store_go  = act.hit && what.store;
  assign atomic_go = act.hit && what.atomic;
  assign serve     = sel.rp && rp_mask != '0;  // else data were fetched for an access in front
  always_comb begin
    acc     = la_acc_i;
    do_mask = step_lanes;
    do_offs = la_offs;
    if (sel.rp) begin
      acc     = rp_acc;
      do_mask = rp_mask;
      do_offs = rp_offs;
    end else if (sel.st) begin
      acc     = st_acc;
      do_mask = st_mask;
      do_offs = st_offs;
    end
  end
  assign do_slot = SlotW'({acc.tag, acc.slot});
  // What is complete without the array: a release whose marker leaves, a fence.
  assign done = sel.mk || (act.accept && what.fence && !act.marker);
  assign done_warp = sel.mk ? mk_warp : la_acc_i.warp;
  assign done_slot = sel.mk ? mk_slot : la_slot;
  hd_l1_word_data #(
    .Rows(Sets * Ways),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .TellOld(1)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i(load_go),
    .store_i(store_go || (sel.st && st_what.store)),
    .atomic_i(atomic_go || (sel.st && st_what.atomic)),
    .fill_i(sel.rs && !is_nack && !merge),
    .serve_i(serve),
    .read_i(push_rsp),
    .row_i(sel.st ? serve_row : row),
    .warp_i(acc.warp),
    .slot_i(do_slot),
    .fn_i(acc.fn),
    .mask_i(do_mask),
    .offs_i(do_offs),
    .wmask_i(sel.st ? LineWords'(1) << serve_word
             : sel.rs ? (hit ? writes : {LineWords{1'b0}}) : hits),
    .old_i(sel.st ? {LineWords{1'b1}} : d | r),
    .data_i(sel.rs ? DataW'(whole) : sel.st ? st_data : la_data_i),
    .cmp_i(sel.st ? st_cmp : la_cmp_i),
    .busy_o(data_busy),
    .line_o(sent_line),
    .done_ok_o(done_ok),
    .done_i(done),
    .done_warp_i(done_warp),
    .done_slot_i(done_slot),
    .done_mask_i({Lanes{1'b0}}),
    .done_data_i({(HalfL * WordW) {1'b0}}),
    .perf_valid_o(perf_valid_o),
    .perf_warp_o(perf_warp_o),
    .perf_slot_o(perf_slot_o),
    .perf_lanes_o(perf_lanes_o),
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
  assign cpl_o = hd_pkg::COMPLETION_W'({cpl_last, cpl_slot[hd_pkg::SLOT_W-1:0], cpl_warp});

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      out_q  <= '0;
    end else begin
      busy_q <= wb_put;  // its data enter the writeback buffer
      out_q  <= out_q + OutW'(out_add) - OutW'(sub);
    end
  end

  // ---- observation -----------------------------------------------------------------------------
  // The events know words that others wait for as a busy line, the dirty list as a queue.
  always_comb begin
    why_ev = why;
    if (why == hd_pkg::WHY_GUARD || why == hd_pkg::WHY_WRITEBACK) why_ev = hd_pkg::WHY_LINE;
    if (why == hd_pkg::WHY_LIST) why_ev = hd_pkg::WHY_QUEUE;
    own = '0;
    own[hd_pkg::EV_SM_FILL]       = sel.rs && is_data && !merge;
    own[hd_pkg::EV_SM_REPLAY]     = serve || sel.st;
    own[hd_pkg::EV_SM_RMW_LANE]   = rmw_lane;
    own[hd_pkg::EV_SM_FLUSH_DONE] = sel.ends;
    own[hd_pkg::EV_SM_ACQUIRE]    = gen_step;
    own[hd_pkg::EV_SM_MARKER]     = sel.mk;
    own[hd_pkg::EV_SM_SYNC]       = sel.st || (act.hit && what.sync);
    own[hd_pkg::EV_SM_REG]        = sends_reg;
    own[hd_pkg::EV_SM_WB]         = wb_put;
    own[hd_pkg::EV_SM_FWD]        = gives;
    own[hd_pkg::EV_SM_NACK]       = sends_nack;
    own[hd_pkg::EV_SM_RETRY]      = sel.rt;
    own[hd_pkg::EV_SM_WAITER]     = waits;
    own[hd_pkg::EV_SM_PASS]       = sel.ps;
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(act.part || act.reject),
    .prefetch_i(1'b0),
    .kind_i(la_acc_i.kind),
    .hit_i(act.hit),
    .push_i(act.merge || act.wait_reg || (act.read && !act.fetch)),
    .join_i(act.merge || (act.wait_reg && !act.ask)),
    .accept_i(act.part),
    .reject_i(act.reject),
    .why_i(why_ev),
    .own_i(own),
    .ev_o(ev_o)
  );
  assign idle_o = select_idle && reads_idle && syncs_idle && data_idle && out_idle && !st_valid_o
                  && !busy_q && ev_o == '0;

  logic unused;
  assign unused = ^{la_acc_i, la_mask, rs, fw, dl_empty, dl_words, rp_acc, rp_words, st_acc,
                    st_words, st_line, cpl_slot, reg_empty, reg_hit, syncs_empty, st_what, acc};

  `HD_ASSERT(a_answer_kind, !rs_valid_i || is_data || is_nack || rs.kind == hd_pkg::MSG_REG_DATA
             || rs.kind == hd_pkg::MSG_REG_ACK)
  `HD_ASSERT(a_no_prefetch, !(la_valid_i && la_acc_i.prefetch))
endmodule
`default_nettype wire
