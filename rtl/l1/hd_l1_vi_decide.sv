// hd_l1_vi_decide.sv - what hd_l1_vi does in a cycle, from its table of states, and its events.
//
// in    sel_i: what is decided about (hd_l1_arb; a message that completes a store or atomic is none
//       of them). kind_i and prefetch_i: the access of the pipe; st_out_i: a store of its line is
//       out. real_i: the access that waited has lanes (0: a prefetch); last_i: the line does not
//       stay. dn_kind_i: the message. state_i of the line, evict_i and fill_i from hd_l1_lines.
//       lk_*: what the pending table says about the access of the pipe; line_busy_i: it may not
//       join the request for its line. req_room_i: room for a request, st_room_i: for a store or
//       atomic that is out, send_room_i: for all that it sends.
// out   combinational: do_o (hd_pkg), the line's next state, the kinds of what leaves.
// ev    registers: the events of an L1 (hd_l1_events).
// A load of a line that is requested joins the request, even if there is a copy: accesses of a warp
// to a line stay in order.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_vi_decide (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  hd_pkg::l1_sel_s              sel_i,
  input  logic [hd_pkg::OP_W-1:0]      kind_i,
  input  logic                         prefetch_i,
  input  logic                         st_out_i,
  input  logic                         real_i,
  input  logic                         last_i,
  input  hd_pkg::msg_e                 dn_kind_i,
  input  hd_pkg::mesi_e                state_i,
  input  logic                         evict_i,
  input  logic                         fill_i,
  input  logic                         lk_hit_i,
  input  logic                         lk_room_i,
  input  hd_pkg::why_e                 lk_why_i,
  input  logic                         line_busy_i,
  input  logic                         req_room_i,
  input  logic                         st_room_i,
  input  logic                         send_room_i,
  output hd_pkg::l1_do_s               do_o,
  output hd_pkg::mesi_e                next_o,
  output hd_pkg::msg_e                 req_kind_o,
  output hd_pkg::msg_e                 rsp_kind_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o
);
  hd_pkg::l1_event_e ev;
  hd_pkg::why_e      why;
  logic              is_load, hit, write, legal, load_hit, waited, push, send, reject, we, touch;
  logic [hd_pkg::EV_SM_NUM-1:0] own;

  assign is_load = kind_i == hd_pkg::OP_LOAD;
  always_comb begin
    if (evict_i) ev = hd_pkg::L1E_EVICT;
    else if (sel_i.dn) ev = (dn_kind_i == hd_pkg::MSG_DATA_S) ? hd_pkg::L1E_DATA_S
                                                              : hd_pkg::L1E_INV;
    else if (sel_i.rp) ev = last_i ? hd_pkg::L1E_LAST : hd_pkg::L1E_LOAD;
    else if (is_load) ev = st_out_i ? hd_pkg::L1E_LOAD_OUT : hd_pkg::L1E_LOAD;
    else ev = (kind_i == hd_pkg::OP_ATOMIC) ? hd_pkg::L1E_ATOMIC : hd_pkg::L1E_STORE;
  end
  hd_l1_vi_table u_table (
    .state_i(state_i),
    .ev_i(ev),
    .next_o(next_o),
    .hit_o(hit),
    .req_o(req_kind_o),
    .rsp_o(rsp_kind_o),
    .write_o(write),
    .legal_o(legal)
  );

  assign load_hit = sel_i.fr && is_load && hit && !lk_hit_i && !prefetch_i;
  assign waited   = sel_i.rp && real_i;
  assign push     = sel_i.fr && is_load && !(hit && !lk_hit_i) && !line_busy_i && lk_room_i
                    && (lk_hit_i ? !prefetch_i : req_room_i);
  assign send     = sel_i.fr && !is_load && !prefetch_i && !line_busy_i && send_room_i;
  assign reject   = sel_i.fr && !load_hit && !push && !send && !prefetch_i;
  assign we       = (sel_i.rp || sel_i.dn || sel_i.fl || send) && next_o != state_i;
  assign touch    = load_hit || waited || fill_i || (send && write);
  assign do_o = {load_hit || waited, push, send, reject, 2'b00, (push && !lk_hit_i) || send,
                 sel_i.dn && rsp_kind_o != hd_pkg::MSG_NONE, 1'b0, send && write, we, touch};

  // Why a load or a store is refused: its line, the table's entries, or room for what it sends.
  always_comb begin
    if (line_busy_i) why = hd_pkg::WHY_LINE;
    else if (is_load ? lk_room_i : st_room_i) why = hd_pkg::WHY_QUEUE;
    else why = is_load ? lk_why_i : hd_pkg::WHY_ENTRY;
  end
  always_comb begin
    own = '0;
    own[hd_pkg::EV_SM_FILL]        = fill_i;
    own[hd_pkg::EV_SM_REPLAY]      = waited;
    own[hd_pkg::EV_SM_EVICT_CLEAN] = evict_i && we;
    own[hd_pkg::EV_SM_INV]         = sel_i.dn && dn_kind_i == hd_pkg::MSG_INV;
    own[hd_pkg::EV_SM_WT]          = send;
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel_i.fr),
    .prefetch_i(prefetch_i),
    .kind_i(kind_i),
    .hit_i(load_hit),
    .push_i(push),
    .join_i(lk_hit_i),
    .accept_i(sel_i.fr && !reject),
    .reject_i(reject),
    .why_i(why),
    .own_i(own),
    .ev_o(ev_o)
  );

  logic unused;
  assign unused = legal;

  `HD_ASSERT(a_legal, sel_i == '0 || legal)
  `HD_ASSERT(a_waiting_load_hits, !sel_i.rp || hit)
  `HD_COVER_PAIRS(g_l1vi_pair, sel_i.rp || sel_i.dn || sel_i.fl || (sel_i.fr && !reject),
                  state_i, 2, ev, 13)
endmodule
`default_nettype wire
