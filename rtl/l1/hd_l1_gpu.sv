// hd_l1_gpu.sv - L1 data cache of family GPU: dirty words until a release, self-invalidation.
//
// Paper 3 section 2.2; docs/protocol_gpu.md. Data stores make words dirty here and are complete at
// once; a release (a fence of device scope) writes all dirty words through to the L2 and is done
// when that has been acknowledged; an acquire invalidates all valid clean words when it is done
// (a generation, hd_l1_words). Synchronization of the device is performed at the L2; with scoped_i
// that of a thread block is performed here.
// One decision a cycle ("T"), hd_l1_word_select; data come one cycle later ("G"). Words:
// hd_l1_words, hd_l1_gpu_table; access: hd_l1_gpu_front; READs: hd_l1_reads; order of dirty rows
// and releases: hd_dirty_list; dirty rows of non-volatile memory, persist barriers: hd_persist_l1;
// what is sent: hd_l1_gpu_out; data: hd_l1_word_data. A row that is sent is read in T; nothing is
// decided in its G.
//
// la    line accesses, valid/ready, and fences (OP_FENCE, no lanes). Not ready: no room, or words
//       that loads wait for; tried again when something has changed.
// dn    DATA_S, WT_ACK, AT_DATA, valid/ready, taken after finite time, never waiting for req. With
//       Inclusive INV too: clean words of the line go, dirty ones stay; it waits for room for its
//       INV_ACK on rsp, valid/ready, and for one look of an access at a line that has just come.
// req   GETS, WT, ATOMIC in order (hd_l1_gpu_out), valid/ready.
// perf  performed lanes: warp, slot, lanes, 1 for a fence; perf_last_i (same cycle): the operation
//       is complete. cpl: registers, the cycle after. A hit completes 2 cycles after its T.
// mark  valid/ready, with Persist: a persist barrier; its PMARK follows in req all words that were
//       dirty before it (paper 4 section 6.1).
// st    registered pulse: words of a line have changed.
// flush flush_i pulse: all dirty words are written through and what is valid goes; begin_i: the
//       latter (a kernel begins). flushing_o until it is done, acknowledgements included.
// Parameters: Sets, Ways; MshrEntries READs out, MshrTargets accesses that wait, MergeLanes lanes
// of a READ; StoreData synchronizing accesses out; SbWords, SbRows dirty words and rows; WtOut WTs
// out; GenW bits of a generation; Markers releases out (warps); ReqDepth, WbEntries of hd_wt_queue;
// Persist (hd_persist_l1), NvwDepth entries of the NVW-FIFO; Inclusive: the L2 is.
// Latency: hit 2 cycles, fill 1 + 1 per access that waited, flush 2 per row.
`include "hd_assert.svh"
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
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned ByteW = $clog2(LineWords * 4),                              // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,                             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                   // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned DnWords = hd_pkg::down_words(LineWords, Lanes, FlitWords),  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords)                     // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    sm_id_i,
  input  logic                         scoped_i,
  input  logic [31:0]                  nv_base_i,
  // memory pipe
  input  logic                         la_valid_i,
  output logic                         la_ready_o,
  input  hd_pkg::access_s              la_acc_i,
  input  logic [LineW-1:0]             la_line_i,
  input  logic [PlaceW-1:0]            la_place_i,
  input  logic [DataW-1:0]             la_data_i,
  input  logic [Lanes*32-1:0]          la_cmp_i,
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
  output logic [hd_pkg::WARP_W-1:0]    perf_warp_o,
  output logic [SlotW-1:0]             perf_slot_o,
  output logic [CntW-1:0]              perf_lanes_o,
  input  logic                         perf_last_i,
  output logic                         cpl_valid_o,
  output hd_pkg::completion_s          cpl_o,
  output logic [Lanes-1:0]             cpl_mask_o,
  output logic [Lanes*WordW-1:0]       cpl_data_o,
  // persist barriers
  input  logic                         mark_valid_i,
  output logic                         mark_ready_o,
  input  logic [7:0]                   mark_id_i,
  // flush, observation
  input  logic                         flush_i,
  input  logic                         begin_i,
  output logic                         flushing_o,
  output logic                         st_valid_o,
  output logic [LineW-1:0]             st_line_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]       mshr_busy_o,
  output logic                         idle_o
);
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned WayW  = $clog2(Ways);
  localparam int unsigned RowW  = SetW + WayW;
  localparam int unsigned TagW  = LineW - SetW;
  localparam int unsigned WhoW  = 1 + hd_pkg::WARP_W + SlotW;  // a fence: acquires, warp, slot
  localparam int unsigned HalfL = (Lanes > 32) ? 32 : Lanes;

  hd_pkg::head_s       dn;
  hd_pkg::l1_sync_s    what;
  hd_pkg::word_sel_s     sel;
  hd_pkg::word_do_s      act;
  hd_pkg::word_event_e ev;
  hd_pkg::msg_e        req, push_kind;
  hd_pkg::why_e        t_why, wait_why, why, why_ev;
  hd_pkg::access_s     rp_acc, acc;  // acc: of an access that is performed
  logic                dn_data, dn_flush, dn_done, dn_inv, inv_room, look, hit, vict_ok, evict, pin;
  logic                came_q, acks_idle, done, inv;
  logic                missing, again, joins, wt_go, fills, gen_step, drop, write_row, update;
  logic                own_row, serve, load_go, store_go, local_go, sends, select_idle;
  logic [LineW-1:0]    line, st_line, nv_num, rd_line;
  logic [RowW-1:0]     row, fl_row, wrap_row;
  logic [WayW-1:0]     way, hit_way, vict_way;
  logic [TagW-1:0]     tag, vict_tag;
  logic [GenW-1:0]     gen;
  logic [LineWords-1:0] v, d, look_v, look_d, vict_v, vict_d, v_new, d_new, v_put, d_put, need;
  logic [LineWords-1:0] clean;
  logic [LineWords-1:0] words, hit_words, miss_words, write_words, guard, skip, rd_skip;
  logic [Lanes-1:0]    la_mask, hit_mask, miss_mask, do_mask;
  logic [Lanes*OffW-1:0] la_offs, do_offs;
  logic [SlotW-1:0]    la_slot, do_slot, mk_slot, st_slot, done_slot, cpl_slot;
  logic [hd_pkg::WARP_W-1:0] mk_warp, st_warp, done_warp, cpl_warp;
  logic [CntW-1:0]     fr_lanes;
  // tables and queues
  logic                pending, read_room, rd_old, rp_valid, reads_idle, mk_acquires, st_acquires;
  logic [hd_pkg::TID_W-1:0] read_tid;
  logic [Lanes-1:0]    rp_mask, st_mask, done_mask;
  logic [Lanes*OffW-1:0] rp_offs;
  logic [LineWords-1:0] rp_words;
  logic                req_room, data_room, at_room, out_room, wt_room, wt_none, wt_busy, wt_can;
  logic                nv_room, nv_pop, nv_mark, nv_tracked, nv_line, nv_idle, pop_line, pop_mark;
  logic                nv_leave, nv_list, nv_one;
  logic [7:0]          nv_id;
  logic                dl_room, dl_full, dl_valid, dl_marker, dl_marked;
  logic                out_idle, data_idle, data_busy, done_ok, rmw_lane, cpl_last;
  logic [LineWords*WordW-1:0] sent_line;
  logic [HalfL*WordW-1:0] done_data;
  logic [3:0]          fn;
  logic [hd_pkg::EV_SM_NUM-1:0] own;

  assign {la_mask, la_offs, words} = la_place_i;
  assign la_slot  = SlotW'({la_acc_i.tag, la_acc_i.slot});
  assign what     = hd_pkg::l1_sync(la_acc_i.kind, la_acc_i.order, la_acc_i.scope, scoped_i);
  assign dn       = dn_head_i[hd_pkg::HEAD_W-1:0];
  assign dn_data  = dn.kind == hd_pkg::MSG_DATA_S;
  assign dn_flush = dn.kind == hd_pkg::MSG_WT_ACK && dn.tid == '1;
  assign dn_inv   = Inclusive != 0 && dn.kind == hd_pkg::MSG_INV;
  assign dn_done  = !dn_data && !dn_flush && !dn_inv;

  // ---- T: what to do in this cycle -----------------------------------------------------------
  hd_l1_word_select #(
    .Rows(Sets * Ways),
    .GenW(GenW)
  ) u_select (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(data_busy || wt_busy),
    .rp_valid_i(rp_valid),
    .dn_valid_i(dn_valid_i && (!dn_inv || (inv_room && !(came_q && la_valid_i)))),
    .dn_done_i(dn_done),
    .done_ok_i(done_ok),
    .la_valid_i(la_valid_i),
    .la_fence_i(what.fence),
    .list_valid_i(dl_valid),
    .list_marker_i(dl_marker),
    .list_marked_i(dl_marked),
    .list_full_i(dl_full),
    .list_ok_i(nv_list),
    .wt_none_i(wt_none),
    .wt_room_i(wt_room),
    .pop_i(nv_pop),
    .pop_mark_i(nv_mark),
    .req_room_i(req_room),
    .sel_o(sel),
    .wt_can_o(wt_can),
    .refuse_i(act.reject && !(req_valid_o && req_ready_i)),
    .change_i(req_valid_o && req_ready_i),
    .step_i(gen_step),
    .gen_o(gen),
    .row_o(wrap_row),
    .flush_i(flush_i),
    .begin_i(begin_i),
    .flushing_o(flushing_o),
    .drop_o(drop),
    .idle_o(select_idle)
  );

  assign inv = sel.dn && dn_inv;

  // ---- the line: what it is, what becomes of it ------------------------------------------------
  assign own_row = sel.fl || sel.wrap;  // the row is named
  assign pop_line = sel.pp && !nv_mark;
  assign pop_mark = sel.pp && nv_mark;
  assign look    = sel.fr || sel.dn || own_row || pop_line;
  assign evict   = sel.fr && !what.fence && !what.sync && !hit && vict_ok && vict_d != '0;
  assign v       = evict ? vict_v : look_v;
  assign d       = evict ? vict_d : look_d;
  assign way     = hit ? hit_way : vict_way;
  always_comb begin
    line = la_line_i;
    if (sel.dn) line = dn_inv ? dn.addr[hd_pkg::ADDR_W-1 -: LineW] : rd_line;
    else if (sel.pp) line = nv_num;
  end
  always_comb begin
    if (sel.wrap) row = wrap_row;
    else if (sel.fl) row = fl_row;
    else row = {line[SetW-1:0], way};
  end
  always_comb begin
    if (sel.fl || sel.pp) ev = hd_pkg::WEV_FLUSH;
    else if (sel.dn) ev = dn_inv ? hd_pkg::WEV_INV : hd_pkg::WEV_FILL;
    else if (evict) ev = hd_pkg::WEV_EVICT;
    else if (what.sync) ev = hd_pkg::WEV_SYNC;
    else if (what.atomic) ev = hd_pkg::WEV_LOCAL;
    else ev = what.load ? hd_pkg::WEV_LOAD : hd_pkg::WEV_STORE;
  end
  assign v_put  = sel.wrap ? '0 : v_new;
  assign d_put  = sel.wrap ? look_d : d_new;
  assign pin    = (act.push && !pending) || fills;

  hd_l1_words #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW),
    .LineWords(LineWords),
    .GenW(GenW)
  ) u_words (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .gen_i(gen),
    .valid_i(look),
    .set_i(own_row ? (sel.wrap ? wrap_row[RowW-1 -: SetW] : fl_row[RowW-1 -: SetW])
                   : line[SetW-1:0]),
    .tag_i(line[LineW-1:SetW]),
    .known_i(own_row),
    .way_i(sel.wrap ? wrap_row[WayW-1:0] : fl_row[WayW-1:0]),
    .hit_o(hit),
    .way_o(hit_way),
    .tag_o(tag),
    .masks_o({look_d, look_v}),
    .vict_ok_o(vict_ok),
    .vict_way_o(vict_way),
    .vict_tag_o(vict_tag),
    .vict_masks_o({vict_d, vict_v}),
    .we_i(write_row),
    .we_way_i(way),
    .we_holds_i(!evict),
    .we_tag_i(hit ? tag : line[LineW-1:SetW]),
    .we_masks_i({d_put, v_put}),
    .touch_i(act.accept && !what.fence && !what.sync),
    .pin_we_i(pin),
    .pin_i(sel.fr),
    .unpin_all_i(gen_step)
  );
  hd_l1_gpu_table #(
    .LineWords(LineWords)
  ) u_table (
    .ev_i(ev),
    .words_i(words),
    .v_i(v),
    .d_i(d),
    .guard_i(guard),
    .pending_i(pending),
    .skip_i(sel.dn ? rd_skip : skip),
    .v_o(v_new),
    .d_o(d_new),
    .hit_o(hit_words),
    .miss_o(miss_words),
    .write_o(write_words),
    .req_o(req),
    .join_o(joins),
    .again_o(again),
    .why_o(t_why)
  );
  `HD_COVER_SETS(g_l1gpu_pair, sel.fl || (pop_line && nv_leave) || fills
                 || (sel.fr && !what.fence && (!act.reject || t_why != hd_pkg::WHY_NONE)),
                 hd_pkg::gpu_rows(hd_pkg::gpu_of(ev, 16'({LineWords{1'b1}}), 16'(d), 16'(words),
                                                again), 16'(v), 16'(d)), 3, ev, 7)

  // ---- the access of the memory pipe ---------------------------------------------------------
  assign missing = miss_words != '0;
  hd_l1_gpu_front u_front (
    .sel_i(sel.fr),
    .what_i(what),
    .evict_i(evict),
    .why_i(t_why),
    .again_i(again),
    .missing_i(missing),
    .row_i(hit || vict_ok),
    .wt_can_i(wt_can && nv_leave),
    .req_room_i(req_room),
    .data_room_i(data_room),
    .at_room_i(at_room),
    .out_room_i(out_room && (nv_one || !nv_line)),
    .list_room_i(dl_room),
    .pending_i(pending),
    .read_room_i(read_room),
    .wait_why_i(wait_why),
    .do_o(act),
    .why_o(why)
  );
  always_comb begin
    {hit_mask, miss_mask, fr_lanes} = '0;
    if (sel.fr) begin
      for (int unsigned l = 0; l < Lanes; l++)
        {hit_mask[l], miss_mask[l]} = {2{la_mask[l]}}
            & {hit_words[la_offs[OffW*l +: OffW]], miss_words[la_offs[OffW*l +: OffW]]};
      fr_lanes = CntW'(hd_pkg::ones(64'(miss_mask)));
    end
  end
  assign la_ready_o = act.accept;
  assign dn_ready_o = sel.dn;
  assign load_go    = act.accept && what.load && !what.sync && hit_mask != '0;
  assign store_go   = act.accept && what.store && !what.sync;
  assign local_go   = act.accept && what.atomic && !what.sync;
  assign fills      = sel.dn && dn_data && !rd_old;
  assign wt_go      = (sel.fl || (pop_line && nv_leave) || act.step) && req == hd_pkg::MSG_WT;
  assign update     = fills || inv || sel.fl || (pop_line && nv_leave) || act.step
                      || (act.push && !pending) || store_go || local_go || act.send;
  assign write_row  = (update && (hit || (sel.fr && !act.send))) || (sel.wrap && hit);
  assign gen_step   = (sel.dn && dn_done && st_acquires) || (sel.mk && mk_acquires)
                      || (act.accept && what.fence && !act.marker && what.acquire)
                      || (sel.ends && drop);

  // ---- dirty rows and releases -----------------------------------------------------------------
  assign clean = words & ~d;
  hd_l1_gpu_dirty #(
    .Rows(Sets * Ways),
    .LineWords(LineWords),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .Markers(Markers),
    .WhoW(WhoW),
    .Persist(Persist),
    .NvwDepth(NvwDepth),
    .LineW(LineW),
    .ByteW(ByteW)
  ) u_dirty (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .nv_base_i(nv_base_i),
    .write_i(write_row && !sel.wrap),
    .put_i(store_go || local_go),
    .hit_i(hit),
    .row_i(row),
    .num_i(st_line),
    .d_i(d),
    .d_new_i(d_new),
    .fit_i(sel.fr ? clean : {LineWords{1'b0}}),
    .room_o(dl_room),
    .nv_room_o(nv_room),
    .put_marker_i(act.marker),
    .who_i({what.acquire, la_acc_i.warp, la_slot}),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .list_valid_o(dl_valid),
    .list_marker_o(dl_marker),
    .list_marked_o(dl_marked),
    .list_full_o(dl_full),
    .list_leave_o(nv_list),
    .head_row_o(fl_row),
    .head_who_o({mk_acquires, mk_warp, mk_slot}),
    .list_pop_i(sel.fl || sel.mk),
    .pop_o(nv_pop),
    .pop_mark_o(nv_mark),
    .pop_num_o(nv_num),
    .pop_id_o(nv_id),
    .pop_i(sel.pp),
    .nv_o(nv_line),
    .tracked_o(nv_tracked),
    .leave_o(nv_leave),
    .one_o(nv_one),
    .idle_o(nv_idle)
  );

  // ---- READs and what waits for them -----------------------------------------------------------
  always_comb begin
    need = miss_words;
    if (inv) need = look_v;  // may be of a WT that the READ which is out has overtaken
    else if (act.send) need = words;
    else if (act.fetch) need = '0;
  end
  hd_l1_reads #(
    .Entries(MshrEntries),
    .Targets(MshrTargets),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_reads (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(sel.fr || inv),
    .lk_line_i(inv ? line : la_line_i),
    .lanes_i(fr_lanes),
    .pending_o(pending),
    .room_o(read_room),
    .skip_o(skip),
    .guard_o(guard),
    .why_o(wait_why),
    .tid_o(read_tid),
    .push_i(act.push),
    .acc_i(la_acc_i),
    .place_i({miss_mask, la_offs, words}),
    .need_i(need),
    .skip_i(act.send || inv),
    .old_i(gen_step),
    .rd_tid_i(dn.tid),
    .rd_line_o(rd_line),
    .rd_old_o(rd_old),
    .rd_skip_o(rd_skip),
    .start_i(sel.dn && dn_data),
    .valid_o(rp_valid),
    .acc_o(rp_acc),
    .place_o({rp_mask, rp_offs, rp_words}),
    .pop_i(sel.rp),
    .busy_o(mshr_busy_o),
    .idle_o(reads_idle)
  );

  // ---- what is sent ----------------------------------------------------------------------------
  assign sends   = act.send || (act.push && !pending) || pop_mark;
  assign fn      = what.load ? hd_pkg::AT_READ : la_acc_i.fn;
  assign st_line = evict ? {vict_tag, line[SetW-1:0]}
                 : own_row ? {tag, row[RowW-1 -: SetW]} : line;
  always_comb begin
    push_kind = hd_pkg::MSG_GETS;
    if (pop_mark) push_kind = hd_pkg::MSG_PMARK;
    else if (act.send) push_kind = what.store ? hd_pkg::MSG_WT : hd_pkg::MSG_ATOMIC;
  end
  hd_l1_gpu_out #(
    .ReqDepth(ReqDepth),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .Entries(StoreData),
    .WtOut(WtOut),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .FlitWords(FlitWords)
  ) u_out (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .push_i(sends),
    .kind_i(push_kind),
    .acquire_i(what.acquire),
    .tid_i(read_tid),
    .mark_id_i(nv_id),
    .warp_i(la_acc_i.warp),
    .slot_i(la_slot),
    .fn_i(fn),
    .line_i(pop_mark ? {LineW{1'b0}} : la_line_i),
    .place_i(la_place_i),
    .data_i(la_data_i),
    .cmp_i(la_cmp_i),
    .req_room_o(req_room),
    .data_room_o(data_room),
    .at_room_o(at_room),
    .out_room_o(out_room),
    .wt_i(wt_go),
    .wt_line_i(st_line),
    .wt_mask_i(d),
    .wt_data_i(sent_line),
    .wt_busy_o(wt_busy),
    .wt_room_o(wt_room),
    .wt_none_o(wt_none),
    .ack_i(sel.dn && dn_flush),
    .done_i(sel.dn && dn_done),
    .done_tid_i(dn.tid),
    .done_warp_o(st_warp),
    .done_slot_o(st_slot),
    .done_mask_o(st_mask),
    .done_acquire_o(st_acquires),
    .valid_o(req_valid_o),
    .ready_i(req_ready_i),
    .head_o(req_head_o),
    .body_o(req_body_o),
    .idle_o(out_idle)
  );

  hd_l1_acks #(
    .Depth(WbEntries),
    .Enable(Inclusive)
  ) u_acks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .inv_i(inv),
    .head_i(dn),
    .room_o(inv_room),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .idle_o(acks_idle)
  );

  // ---- G: data, completions --------------------------------------------------------------------
  assign serve   = sel.rp && rp_mask != '0;  // else data were fetched for an access in front
  assign acc     = sel.rp ? rp_acc : la_acc_i;
  assign do_slot = SlotW'({acc.tag, acc.slot});
  assign do_mask = sel.rp ? rp_mask : what.load ? hit_mask : la_mask;
  assign do_offs = sel.rp ? rp_offs : la_offs;
  // What is complete without the array: an answer, a release whose marker leaves, a fence.
  assign done = (sel.dn && dn_done) || sel.mk || (act.accept && what.fence && !act.marker);
  always_comb begin
    done_warp = st_warp;
    done_slot = st_slot;
    done_mask = st_mask;
    if (!sel.dn) begin
      done_warp = sel.mk ? mk_warp : la_acc_i.warp;
      done_slot = sel.mk ? mk_slot : la_slot;
      done_mask = '0;
    end
  end
  // Only an atomic brings words: a store that was performed there has none to tell (ghosts).
  assign done_data = dn_data_i[HalfL*WordW-1:0]
                     & {HalfL*WordW{WordW == 32 || dn.kind == hd_pkg::MSG_AT_DATA}};
  hd_l1_word_data #(
    .Rows(Sets * Ways),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i(load_go),
    .store_i(store_go),
    .atomic_i(local_go),
    .fill_i(sel.dn && dn_data),
    .serve_i(serve),
    .read_i(wt_go),
    .row_i(row),
    .warp_i(acc.warp),
    .slot_i(do_slot),
    .fn_i(la_acc_i.fn),
    .mask_i(do_mask),
    .offs_i(do_offs),
    .wmask_i((sel.dn && !(fills && hit)) ? {LineWords{1'b0}} : write_words),
    .old_i(d),
    .data_i(sel.dn ? DataW'(dn_data_i[LineWords*WordW-1:0]) : la_data_i),
    .cmp_i(la_cmp_i),
    .busy_o(data_busy),
    .line_o(sent_line),
    .done_ok_o(done_ok),
    .done_i(done),
    .done_warp_i(done_warp),
    .done_slot_i(done_slot),
    .done_mask_i(done_mask),
    .done_data_i(done_data),
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

  // in the order of its fields
  assign cpl_o = hd_pkg::COMPLETION_W'({cpl_last, cpl_slot[hd_pkg::SLOT_W-1:0], cpl_warp});

  // An access that sent for its line must find it once, or accesses that take lines from each other
  // at the L2 might go on so for ever.
  if (Inclusive != 0) begin : g_came
    always_ff @(posedge clk_i) begin
      if (rst_i || sel.fr) came_q <= 1'b0;
      else if (sel.dn && dn_data) came_q <= 1'b1;
    end
  end else begin : g_no_inv
    assign came_q = 1'b0;
  end

  // ---- observation -----------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) st_valid_o <= 1'b0;
    else st_valid_o <= write_row && !sel.wrap;
    if (write_row) st_line_o <= st_line;
  end
  // The events know words that loads wait for as a busy line, the dirty list as a queue.
  always_comb begin
    why_ev = why;
    if (why == hd_pkg::WHY_GUARD) why_ev = hd_pkg::WHY_LINE;
    if (why == hd_pkg::WHY_LIST) why_ev = hd_pkg::WHY_QUEUE;
  end
  always_comb begin
    own = '0;
    own[hd_pkg::EV_SM_FILL]        = sel.dn && dn_data;
    own[hd_pkg::EV_SM_INV]         = inv;
    own[hd_pkg::EV_SM_REPLAY]      = serve;
    own[hd_pkg::EV_SM_EVICT_CLEAN] = evict && act.step;
    own[hd_pkg::EV_SM_RMW_LANE]    = rmw_lane;
    own[hd_pkg::EV_SM_WT]          = act.send;
    own[hd_pkg::EV_SM_WT_DIRTY]    = wt_go;
    own[hd_pkg::EV_SM_FLUSH_DONE]  = sel.ends;
    own[hd_pkg::EV_SM_NVW_DRAIN:hd_pkg::EV_SM_NVW_PUSH] = {
      nv_pop, sel.fr && act.reject && !nv_room, pop_line && !wt_go, pop_line && wt_go,
      (store_go || local_go) && nv_line && !nv_tracked};
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel.fr && !what.fence && (act.accept || act.reject)),
    .prefetch_i(1'b0),
    .kind_i(la_acc_i.kind),
    .hit_i(act.accept && !act.push && !act.send && !what.fence),
    .push_i(act.push && !act.fetch),
    .join_i(pending),
    .accept_i(act.accept && !what.fence),
    .reject_i(act.reject),
    .why_i(why_ev),
    .own_i(own),
    .ev_o(ev_o)
  );
  assign idle_o = select_idle && reads_idle && data_idle && out_idle && nv_idle && acks_idle
                  && ev_o == '0;

  logic unused;
  assign unused = ^{la_acc_i, dn, dn_head_i, dn_data_i, joins, vict_v,
                    acc, rp_acc, rp_words, cpl_slot};

  `HD_ASSERT(a_answer_kind, !dn_valid_i || dn_data || dn_inv || dn.kind == hd_pkg::MSG_WT_ACK
             || dn.kind == hd_pkg::MSG_AT_DATA)
  `HD_ASSERT(a_no_prefetch, !(la_valid_i && la_acc_i.prefetch))
  `HD_ASSERT(a_line_of_a_read_stays, !fills || hit)
  `HD_ASSERT(a_dirty_row_is_here, !sel.fl || hit || req == hd_pkg::MSG_NONE)
  // Paper 4: a dirty line of non-volatile memory is tracked.
  `HD_ASSERT(a_dirty_is_tracked, Persist == 0 || !hit || sel.wrap || look_d == '0 || !nv_line
             || nv_tracked)
  // Buffered barriers: what goes past the rows to non-volatile memory leaves no marker behind.
  `HD_ASSERT(a_sync_behind_no_marker, !(act.send && nv_line) || nv_one)
  `HD_ASSERT(a_word_in_one_state, (v & d) == '0)
  `HD_ASSERT(a_half, !(act.send && what.atomic) || 64'(la_mask) >> 32 == 0 || 32'(la_mask) == 0)
endmodule
`default_nettype wire
