// hd_l1_gpu_decide.sv - what an L1 of family GPU does in a cycle ("T"), and the events it counts.
//
// Paper 3 section 2.2; docs/protocol_gpu.md. Which of all that waits has its turn:
// hd_l1_word_select; what becomes of the access of the memory pipe: hd_l1_gpu_front. In one cycle:
// turn_o, with which hd_l1_gpu_line and hd_l1_gpu_dirty find look_i and dirty_i, and then act_o.
//
// la      la_valid_i, la_ready_o: the access la_acc_i, taken if act_o.la.accept; scoped_i: scopes
//         narrower than the device count.
// dn      dn_valid_i, dn_ready_o: the message, its head dn_i. An INV waits for ack_room_i, and for
//         one look of an access at a line that has just come.
// rp      rp_valid_i: an access that waited, served_i: it has lanes. busy_i, done_ok_i: of
//         hd_l1_word_data; rmw_lane_i an event of it.
// acquire st_acquires_i: the synchronizing access whose answer is offered acquires; mk_acquires_i:
//         so does the release at the head of the dirty list.
// moves_i a request has left: an access that found no room is tried again.
// gen_o   the generation; with turn_o.sel.wrap wrap_row_o, the row that forgets it.
// flush   flush_i, begin_i, flushing_o: hd_l1_word_select.
// ev_o    registered pulses (hd_pkg EV_SM_*). idle_o: nothing to decide, no event.
// Parameters: Rows; GenW bits of a generation; Inclusive: there are INVs. Latency 0; ev_o 1.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_decide #(
  parameter int unsigned Rows = 512,
  parameter int unsigned GenW = 10,
  parameter int unsigned Inclusive = 0,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows)  // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  // memory pipe
  input  logic                         scoped_i,
  input  logic                         la_valid_i,
  output logic                         la_ready_o,
  input  hd_pkg::access_s              la_acc_i,
  // answers
  input  logic                         dn_valid_i,
  output logic                         dn_ready_o,
  input  hd_pkg::head_s                dn_i,
  input  logic                         ack_room_i,
  input  logic                         st_acquires_i,
  // what waits, and room
  input  logic                         rp_valid_i,
  input  logic                         served_i,
  input  logic                         busy_i,
  input  logic                         done_ok_i,
  input  logic                         rmw_lane_i,
  input  logic                         mk_acquires_i,
  input  logic                         moves_i,
  input  hd_pkg::gpu_room_s            room_i,
  input  hd_pkg::gpu_heads_s           heads_i,
  // the line
  output hd_pkg::gpu_turn_s            turn_o,
  output logic [GenW-1:0]              gen_o,
  output logic [RowW-1:0]              wrap_row_o,
  input  hd_pkg::gpu_look_s            look_i,
  input  hd_pkg::gpu_dirty_s           dirty_i,
  output hd_pkg::gpu_do_s              act_o,
  // flush, observation
  input  logic                         flush_i,
  input  logic                         begin_i,
  output logic                         flushing_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic                         idle_o
);
  hd_pkg::l1_sync_s  what;
  hd_pkg::gpu_msg_s  msg;
  hd_pkg::word_sel_s sel;
  hd_pkg::word_do_s  act;
  hd_pkg::why_e      why, why_ev;
  logic              came_q, inv, pop_line, leave, load_go, store_go, local_go, wt_go, update;
  logic              write_row, gen_step, drop, wt_can, select_idle;
  logic [hd_pkg::EV_SM_NUM-1:0] own;

  assign what = hd_pkg::l1_sync(la_acc_i.kind, la_acc_i.order, la_acc_i.scope, scoped_i);
  always_comb begin
    msg.data  = dn_i.kind == hd_pkg::MSG_DATA_S;
    msg.ack   = dn_i.kind == hd_pkg::MSG_WT_ACK && dn_i.tid == '1;
    msg.inv   = Inclusive != 0 && dn_i.kind == hd_pkg::MSG_INV;
    msg.done  = !(msg.data || msg.ack || msg.inv);
    msg.lanes = dn_i.kind == hd_pkg::MSG_AT_DATA;
  end
  assign turn_o = {sel, msg, what};

  // ---- whose turn it is ------------------------------------------------------------------------
  hd_l1_word_select #(
    .Rows(Rows),
    .GenW(GenW)
  ) u_select (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(busy_i || room_i.wt_busy),
    .rp_valid_i(rp_valid_i),
    .dn_valid_i(dn_valid_i && (!msg.inv || (ack_room_i && !(came_q && la_valid_i)))),
    .dn_done_i(msg.done),
    .done_ok_i(done_ok_i),
    .la_valid_i(la_valid_i),
    .la_fence_i(what.fence),
    .heads_i(heads_i),
    .room_i(room_i),
    .sel_o(sel),
    .wt_can_o(wt_can),
    .refuse_i(act.reject && !moves_i),
    .change_i(moves_i),
    .step_i(gen_step),
    .gen_o(gen_o),
    .row_o(wrap_row_o),
    .flush_i(flush_i),
    .begin_i(begin_i),
    .flushing_o(flushing_o),
    .drop_o(drop),
    .idle_o(select_idle)
  );
  // An access that sent for its line must find it once, or accesses that take lines from each other
  // at the L2 might go on so for ever.
  if (Inclusive != 0) begin : g_came
    always_ff @(posedge clk_i) begin
      if (rst_i || sel.fr) came_q <= 1'b0;
      else if (sel.dn && msg.data) came_q <= 1'b1;
    end
  end else begin : g_no_inv
    assign came_q = 1'b0;
  end

  // ---- what is done ----------------------------------------------------------------------------
  hd_l1_gpu_front u_front (
    .sel_i(sel.fr),
    .what_i(what),
    .look_i(look_i),
    .dirty_i(dirty_i),
    .room_i(room_i),
    .wt_can_i(wt_can),
    .do_o(act),
    .why_o(why)
  );
  assign la_ready_o = act.accept;
  assign dn_ready_o = sel.dn;
  assign inv        = sel.dn && msg.inv;
  assign pop_line   = sel.pp && !heads_i.pop_mark;
  assign leave      = sel.fl || (pop_line && dirty_i.leave);
  assign load_go    = act.accept && what.load && !what.sync && look_i.hits;
  assign store_go   = act.accept && what.store && !what.sync;
  assign local_go   = act.accept && what.atomic && !what.sync;
  assign wt_go      = (leave || act.step) && look_i.wt;
  assign update     = look_i.fill || inv || leave || act.step || (act.push && !look_i.pending)
                      || store_go || local_go || act.send;
  assign write_row  = (update && (look_i.hit || (sel.fr && !act.send))) || (sel.wrap && look_i.hit);
  assign gen_step   = (sel.dn && msg.done && st_acquires_i) || (sel.mk && mk_acquires_i)
                      || (act.accept && what.fence && !act.marker && what.acquire)
                      || (sel.ends && drop);
  assign act_o      = {act, load_go, store_go, local_go, leave, wt_go, write_row, gen_step};

  // ---- observation -----------------------------------------------------------------------------
  // The events know words that loads wait for as a busy line, the dirty list as a queue.
  always_comb begin
    why_ev = why;
    if (why == hd_pkg::WHY_GUARD) why_ev = hd_pkg::WHY_LINE;
    if (why == hd_pkg::WHY_LIST) why_ev = hd_pkg::WHY_QUEUE;
  end
  always_comb begin
    own = '0;
    own[hd_pkg::EV_SM_FILL]        = sel.dn && msg.data;
    own[hd_pkg::EV_SM_INV]         = inv;
    own[hd_pkg::EV_SM_REPLAY]      = served_i;
    own[hd_pkg::EV_SM_EVICT_CLEAN] = look_i.evict && act.step;
    own[hd_pkg::EV_SM_RMW_LANE]    = rmw_lane_i;
    own[hd_pkg::EV_SM_WT]          = act.send;
    own[hd_pkg::EV_SM_WT_DIRTY]    = wt_go;
    own[hd_pkg::EV_SM_FLUSH_DONE]  = sel.ends;
    own[hd_pkg::EV_SM_ACQUIRE]     = gen_step;
    own[hd_pkg::EV_SM_MARKER]      = sel.mk;
    own[hd_pkg::EV_SM_NVW_DRAIN:hd_pkg::EV_SM_NVW_PUSH] = {
      heads_i.pop, act.reject && !dirty_i.nv_room, pop_line && !wt_go, pop_line && wt_go,
      (store_go || local_go) && dirty_i.nv && !dirty_i.tracked};
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel.fr && !what.fence && (act.accept || act.reject)),
    .prefetch_i(1'b0),
    .kind_i(la_acc_i.kind),
    .hit_i(act.accept && !act.push && !act.send && !what.fence),
    .push_i(act.push && !act.fetch),
    .join_i(look_i.pending),
    .accept_i(act.accept && !what.fence),
    .reject_i(act.reject),
    .why_i(why_ev),
    .own_i(own),
    .ev_o(ev_o)
  );
  assign idle_o = select_idle && ev_o == '0;

  logic unused;
  assign unused = ^{la_acc_i, dn_i};

  `HD_ASSERT(a_answer_kind, !dn_valid_i || msg.data || msg.inv || msg.lanes
             || dn_i.kind == hd_pkg::MSG_WT_ACK)
  `HD_ASSERT(a_no_prefetch, !(la_valid_i && la_acc_i.prefetch))
endmodule
`default_nettype wire
