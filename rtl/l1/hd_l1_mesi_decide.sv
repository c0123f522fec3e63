// hd_l1_mesi_decide.sv - what hd_l1_mesi does in a cycle, from its table of states, and its events.
//
// in    sel_i: what is decided about (hd_l1_arb). kind_i, real_i: the access at hand, and it has
//       lanes (0: a prefetch). dn_kind_i: the message. state_i of the line it is about, evict_i and
//       fill_i from hd_l1_lines. lk_*: what the pending table says about the access of the pipe;
//       req_room_i: there is room for a request.
// out   combinational: do_o (hd_pkg), the line's next state, the kinds of what leaves.
// ev    registers: the events of an L1 (hd_l1_events); rmw_lane_i is one of them.
// An access to a pending line joins its entry even if there is a (shared) copy: later accesses of a
// warp may not pass its earlier ones to the same line. With the pending request table (Pending) a
// store to a shared line drops the copy and asks for the line again.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_mesi_decide #(
  parameter int unsigned Pending = hd_pkg::PENDING_MSHR
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  hd_pkg::l1_sel_s              sel_i,
  input  logic [hd_pkg::OP_W-1:0]      kind_i,
  input  logic                         real_i,
  input  hd_pkg::msg_e                 dn_kind_i,
  input  hd_pkg::mesi_e                state_i,
  input  logic                         evict_i,
  input  logic                         fill_i,
  input  logic                         lk_hit_i,
  input  logic                         lk_room_i,
  input  hd_pkg::why_e                 lk_why_i,
  input  logic                         req_room_i,
  input  logic                         rmw_lane_i,
  output hd_pkg::l1_do_s               do_o,
  output hd_pkg::mesi_e                next_o,
  output hd_pkg::msg_e                 req_kind_o,
  output hd_pkg::msg_e                 rsp_kind_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o
);
  localparam bit IsPrt = Pending == hd_pkg::PENDING_PRT;

  hd_pkg::l1_event_e ev;
  hd_pkg::mesi_e     next;
  hd_pkg::msg_e      req_kind;
  hd_pkg::why_e      why;
  logic              dn_grant, hit, legal, rsp_data;
  logic              perform, push, reject, drop, start, stop, req, rsp, we, touch;
  logic [hd_pkg::EV_SM_NUM-1:0] own;

  assign dn_grant = dn_kind_i >= hd_pkg::MSG_DATA_S && dn_kind_i <= hd_pkg::MSG_ACK_M;
  always_comb begin
    if (evict_i) ev = hd_pkg::L1E_EVICT;
    else if (sel_i.dn) begin
      unique case (dn_kind_i)
        hd_pkg::MSG_DATA_S: ev = hd_pkg::L1E_DATA_S;
        hd_pkg::MSG_DATA_E: ev = hd_pkg::L1E_DATA_E;
        hd_pkg::MSG_DATA_M: ev = hd_pkg::L1E_DATA_M;
        hd_pkg::MSG_ACK_M:  ev = hd_pkg::L1E_ACK_M;
        hd_pkg::MSG_INV:    ev = hd_pkg::L1E_INV;
        hd_pkg::MSG_FETCH:  ev = hd_pkg::L1E_FETCH;
        default:            ev = hd_pkg::L1E_FETCH_INV;
      endcase
    end else ev = (kind_i == hd_pkg::OP_LOAD) ? hd_pkg::L1E_LOAD : hd_pkg::L1E_STORE;
  end
  hd_l1_mesi_table u_table (
    .state_i(state_i),
    .ev_i(ev),
    .next_o(next),
    .hit_o(hit),
    .req_o(req_kind),
    .rsp_o(rsp_kind_o),
    .data_o(rsp_data),
    .legal_o(legal)
  );

  assign perform = hit && (sel_i.rp || (sel_i.fr && !lk_hit_i));
  assign push    = sel_i.fr && !perform && lk_room_i && req_room_i && (real_i || !lk_hit_i);
  assign reject  = sel_i.fr && !perform && !push && real_i;
  assign drop    = IsPrt && push && state_i == hd_pkg::ST_S;
  assign stop    = sel_i.rp && !hit;
  assign start   = sel_i.dn && dn_grant && !evict_i && req_kind == hd_pkg::MSG_NONE;
  assign req     = (push && !lk_hit_i) || stop
                   || (sel_i.dn && !evict_i && req_kind != hd_pkg::MSG_NONE);
  assign rsp     = (sel_i.dn || sel_i.fl) && rsp_kind_o != hd_pkg::MSG_NONE;
  assign we      = (((perform && real_i) || sel_i.dn || sel_i.fl) && next != state_i) || drop;
  assign touch   = (perform && real_i) || fill_i;
  assign next_o  = drop ? hd_pkg::ST_I : next;
  assign req_kind_o = drop ? hd_pkg::MSG_GETM : req_kind;
  assign do_o = {perform, push, 1'b0, reject, start, stop, req, rsp, rsp_data, 1'b0, we, touch};

  assign why = lk_room_i ? hd_pkg::WHY_QUEUE : lk_why_i;  // room there, none for its request
  always_comb begin
    own = '0;
    own[hd_pkg::EV_SM_FILL]        = start;
    own[hd_pkg::EV_SM_REPLAY]      = sel_i.rp && hit && real_i;
    own[hd_pkg::EV_SM_EVICT_CLEAN] = evict_i && we && !rsp_data;
    own[hd_pkg::EV_SM_EVICT_DIRTY] = evict_i && we && rsp_data;
    own[hd_pkg::EV_SM_INV]         = sel_i.dn && dn_kind_i == hd_pkg::MSG_INV;
    own[hd_pkg::EV_SM_FETCH]       = sel_i.dn && (dn_kind_i == hd_pkg::MSG_FETCH
                                                  || dn_kind_i == hd_pkg::MSG_FETCH_INV);
    own[hd_pkg::EV_SM_UPGRADE]     = req && req_kind == hd_pkg::MSG_UPG && !drop;
    own[hd_pkg::EV_SM_LOST_COPY]   = sel_i.dn && dn_kind_i == hd_pkg::MSG_ACK_M
                                     && req_kind != hd_pkg::MSG_NONE;
    own[hd_pkg::EV_SM_RMW_LANE]    = rmw_lane_i;
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel_i.fr),
    .prefetch_i(!real_i),
    .kind_i(kind_i),
    .hit_i(sel_i.fr && perform),
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

  `HD_ASSERT(a_request_has_room, !req || req_room_i)
  `HD_ASSERT(a_legal, sel_i == '0 || legal)
  `HD_ASSERT(a_replay_not_lost, !stop || state_i == hd_pkg::ST_S)
  `HD_ASSERT(a_kind, !(sel_i.rp || sel_i.fr) || kind_i <= hd_pkg::OP_ATOMIC)
  `HD_ASSERT(a_down_kind, !sel_i.dn || dn_grant || dn_kind_i == hd_pkg::MSG_INV
             || dn_kind_i == hd_pkg::MSG_FETCH || dn_kind_i == hd_pkg::MSG_FETCH_INV)
  `HD_COVER_PAIRS(g_l1_pair, sel_i.rp || sel_i.dn || sel_i.fl
                  || (sel_i.fr && !lk_hit_i && !reject), state_i, 4, ev, 10)
endmodule
`default_nettype wire
