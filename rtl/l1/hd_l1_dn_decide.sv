// hd_l1_dn_decide.sv - what an L1 of family DENOVO does in a cycle, and the access in front of it.
//
// docs/protocol_denovo.md. hd_l1_dn_select chooses, work_o; if it is the access of the memory pipe,
// hd_l1_dn_access decides on its next step, act_o, by what the line and the tables answer in the
// same cycle. The generation is here, which acquires step, and the event pulses.
//
// la      valid/ready. what_o: what it is; words_o: its words that are left; word_o: the one whose
//         registration it would wait for; place_o {lanes of the step, places, words}; counts_o
//         {lanes that would wait for a READ, for the registration}.
// waits   due_i, leave_i, rs_valid_i, fw_valid_i: what can be chosen; room_i; change_i: a packet
//         has left, so the access in front is tried again.
// answers found_i, says_i {writes, joins, asks, hits} of hd_l1_dn_words; join_i {there is a READ to
//         join, its words}, places_i of hd_l1_dn_data; wb_hit_i: its line is being written back.
// gen_o   {generation, it moves}. scan_o, of a walk: {row; its valid words go; read-only ones too}.
// flush_i as in hd_l1_denovo.
// ev_o    event pulses, registers. put_i: words leave to the L2; waits_i: a forward is kept;
//         tells_i {a registration goes, a NACK goes, words are given}; did_i.
// idle_o  nothing to decide, no event. mode_i {scoped, read only}. Parameters: Rows, Lanes,
// LineWords, GenW. Latency 0; events 1.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_decide #(
  parameter int unsigned Rows = 512,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned GenW = 10,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),             // derived
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                     // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [1:0]                   mode_i,
  // memory pipe
  input  logic                         la_valid_i,
  output logic                         la_ready_o,
  input  hd_pkg::access_s              la_acc_i,
  input  logic [PlaceW-1:0]            la_place_i,
  // what waits
  input  logic                         rs_valid_i,
  input  logic                         fw_valid_i,
  input  hd_pkg::dn_due_s              due_i,
  input  hd_pkg::dn_leave_s            leave_i,
  input  hd_pkg::dn_room_s             room_i,
  input  logic                         change_i,
  // answers
  input  hd_pkg::dn_found_s            found_i,
  input  logic [4*LineWords-1:0]       says_i,
  input  logic [LineWords:0]           join_i,
  input  hd_pkg::dn_places_s           places_i,
  input  logic                         wb_hit_i,
  // decided
  output hd_pkg::dn_sel_s              work_o,
  output hd_pkg::dn_do_s               act_o,
  output hd_pkg::l1_sync_s             what_o,
  output logic [LineWords-1:0]         words_o,
  output logic [OffW-1:0]              word_o,
  output logic [2*CntW-1:0]            counts_o,
  output logic [PlaceW-1:0]            place_o,
  output logic [GenW:0]                gen_o,
  output logic [RowW+1:0]              scan_o,
  // flush, observation
  input  logic [1:0]                   flush_i,
  output logic                         flushing_o,
  input  logic                         put_i,
  input  logic                         waits_i,
  input  logic [2:0]                   tells_i,
  input  hd_pkg::dn_did_s              did_i,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic                         idle_o
);
  hd_pkg::why_e          why, why_ev;
  logic [LineWords-1:0]  writes, joins, asks, hits;
  logic                  scoped, read_only, step, drop, flush_can, clears, clears_ro, idle, busy_q;
  logic [GenW-1:0]       gen;
  logic [RowW-1:0]       row;
  logic [CntW-1:0]       read_count, sync_count;
  logic [Lanes-1:0]      lanes;
  logic [hd_pkg::EV_SM_NUM-1:0] own;

  assign {scoped, read_only} = mode_i;
  assign {writes, joins, asks, hits} = says_i;
  assign what_o = hd_pkg::l1_sync(la_acc_i.kind, la_acc_i.order, la_acc_i.scope, scoped);

  hd_l1_dn_select #(
    .Rows(Rows),
    .GenW(GenW)
  ) u_select (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(due_i.busy || busy_q),
    .rp_valid_i(due_i.rp),
    .st_valid_i(due_i.st),
    .sv_valid_i(due_i.sv),
    .rs_valid_i(rs_valid_i),
    .ps_valid_i(leave_i.pass),
    .fw_valid_i(fw_valid_i),
    .rt_valid_i(due_i.rt),
    .rsp_room_i(room_i.rsp),
    .req_room_i(room_i.req),
    .reg_free_i(leave_i.reg_free),
    .done_ok_i(due_i.done_ok),
    .la_valid_i(la_valid_i),
    .la_fence_i(what_o.fence),
    .list_valid_i(leave_i.valid),
    .list_marker_i(leave_i.marker),
    .list_marked_i(leave_i.marked),
    .list_full_i(leave_i.full),
    .out_none_i(leave_i.out_none),
    .sel_o(work_o),
    .flush_can_o(flush_can),
    .refuse_i(act_o.reject),
    .press_i(why == hd_pkg::WHY_LIST),
    .change_i(change_i),
    .read_only_i(read_only),
    .step_i(step),
    .gen_o(gen),
    .row_o(row),
    .clear_o(clears),
    .clear_ro_o(clears_ro),
    .row_ok_i(found_i.row_ok),
    .flush_i(flush_i[1]),
    .begin_i(flush_i[0]),
    .wb_none_i(room_i.wb_none),
    .flushing_o(flushing_o),
    .drop_o(drop),
    .idle_o(idle)
  );
  assign step = did_i.acquire || (work_o.mk && leave_i.acquires)
                || (act_o.hit && what_o.sync && what_o.acquire)
                || (act_o.accept && what_o.fence && !act_o.marker && what_o.acquire)
                || (work_o.ends && drop);
  assign gen_o  = {gen, step};
  assign scan_o = {row, clears, clears_ro};
  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else busy_q <= put_i;  // its data enter the writeback buffer
  end

  hd_l1_dn_access #(
    .Lanes(Lanes),
    .LineWords(LineWords)
  ) u_access (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(work_o.fr),
    .what_i(what_o),
    .place_i(la_place_i),
    .words_o(words_o),
    .hits_i(hits),
    .asks_i(asks),
    .joins_i(joins),
    .why_i(found_i.why),
    .writing_back_i(wb_hit_i),
    .here_i(found_i.here),
    .way_i(found_i.way),
    .vict_r_i(found_i.vict_r),
    .evict_ok_i(room_i.rsp && room_i.wb),
    .req_room_i(room_i.req),
    .list_room_i(found_i.list_room),
    .reg_room_i(found_i.reg_room),
    .read_join_i(join_i[LineWords]),
    .join_words_i(join_i[LineWords-1:0]),
    .read_room_i(places_i.read_room),
    .read_why_i(places_i.read_why),
    .sync_why_i(places_i.sync_why),
    .dirty_i(found_i.dirty),
    .flush_can_i(flush_can),
    .lanes_o(lanes),
    .read_lanes_o(read_count),
    .sync_lanes_o(sync_count),
    .word_o(word_o),
    .do_o(act_o),
    .why_o(why),
    .ready_o(la_ready_o)
  );
  assign counts_o = {read_count, sync_count};
  assign place_o  = {lanes, la_place_i[PlaceW-Lanes-1:0]};

  // ---- observation -----------------------------------------------------------------------------
  // The events know words that others wait for as a busy line, the dirty list as a queue.
  always_comb begin
    why_ev = why;
    if (why == hd_pkg::WHY_GUARD || why == hd_pkg::WHY_WRITEBACK) why_ev = hd_pkg::WHY_LINE;
    if (why == hd_pkg::WHY_LIST) why_ev = hd_pkg::WHY_QUEUE;
    own = '0;
    own[hd_pkg::EV_SM_FILL]       = did_i.fill;
    own[hd_pkg::EV_SM_REPLAY]     = did_i.serve || did_i.sync;
    own[hd_pkg::EV_SM_RMW_LANE]   = did_i.rmw;
    own[hd_pkg::EV_SM_FLUSH_DONE] = work_o.ends;
    own[hd_pkg::EV_SM_ACQUIRE]    = step;
    own[hd_pkg::EV_SM_MARKER]     = work_o.mk;
    own[hd_pkg::EV_SM_SYNC]       = did_i.sync || (act_o.hit && what_o.sync);
    own[hd_pkg::EV_SM_REG]        = tells_i[2];
    own[hd_pkg::EV_SM_WB]         = put_i;
    own[hd_pkg::EV_SM_FWD]        = tells_i[0];
    own[hd_pkg::EV_SM_NACK]       = tells_i[1];
    own[hd_pkg::EV_SM_RETRY]      = work_o.rt;
    own[hd_pkg::EV_SM_WAITER]     = waits_i;
    own[hd_pkg::EV_SM_PASS]       = work_o.ps;
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(act_o.part || act_o.reject),
    .prefetch_i(1'b0),
    .kind_i(la_acc_i.kind),
    .hit_i(act_o.hit),
    .push_i(act_o.merge || act_o.wait_reg || (act_o.read && !act_o.fetch)),
    .join_i(act_o.merge || (act_o.wait_reg && !act_o.ask)),
    .accept_i(act_o.part),
    .reject_i(act_o.reject),
    .why_i(why_ev),
    .own_i(own),
    .ev_o(ev_o)
  );
  assign idle_o = idle && !busy_q && ev_o == '0;

  logic unused;
  assign unused = ^{la_acc_i, la_place_i[PlaceW-1 -: Lanes], writes};

  `HD_ASSERT(a_no_prefetch, !(la_valid_i && la_acc_i.prefetch))
endmodule
`default_nettype wire
