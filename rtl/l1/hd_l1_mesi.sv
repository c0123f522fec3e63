// hd_l1_mesi.sv - coherent write-back, write-allocate, non-blocking L1 data cache (MESI).
//
// Paper 1 section 5 and Table 2 (32 KB, 4-way, 128-byte lines, 128 MSHRs, LRU). State table:
// hd_l1_mesi_table. One decision a cycle ("T"), in this order: a target of the line that has just
// arrived; a message from the directory; a line access of the memory pipe; a step of the flush
// walk. Data arrive one cycle later ("G"). Targets come first so that a line is used before it can
// be taken away (no livelock).
//
// la    line accesses (hd_coalescer), valid/ready. Not ready: no room in the pending table; the
//       access is tried again after the next arrival or replay, not every cycle. An access to a
//       pending line always joins its entry (MSHR) or waits (pending request table).
//       la_prefetch_i: the access has no lane and asks only for the line (kind LOAD: to read,
//       STORE: to write); taken at once, dropped if the line is here or under way or no room is.
//       la_slot_i is opaque: scoreboard slot and, above it, what the ordering hardware wants back.
// dn    packets of the down network, valid/ready, always taken after finite time.
// req   requests; rsp answers and give-backs, which wait in the writeback buffer. Valid/ready, each
//       in order.
// perf  cycle G of a performed access: warp, slot, lanes; perf_last_i (same cycle) = the operation
//       is complete.
// cpl   registers, the cycle after perf; lanes' words of loads and atomics. A hit completes 2
//       cycles after its T.
// st    registered pulse: a line changed to this state. ev_o registered pulses (hd_pkg EV_SM_*).
// flush flush_i pulse (no access may be waiting): gives back and drops every line; flushing_o until
//       the walk ends.
// Parameters: Sets and Ways (powers of two, at least 2), WbEntries (writeback buffer, packets),
// PartBits = log2(partitions); Pending (hd_pkg PENDING_*) chooses hd_mshr_table or
// hd_pending_request_table, MshrEntries is the size of either, ReqCredits and ReqDepth (requests
// that wait for the network) are for the latter only; the rest is theirs. Latency: hit 2 cycles,
// fill 1 + 1 per target, eviction 1, atomic 2 + lanes.
// With the pending request table a store to a shared line drops the copy and asks for the line
// again: no upgrade, so no grant ever makes a new request, and few request places are enough.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_mesi #(
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
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned MshrTargets = 512,
  parameter int unsigned StoreData = 128,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 32,
  // derived
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),
  // derived
  parameter int unsigned ByteW = $clog2(LineWords * 4),
  // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,
  // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,
  // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),               // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  // memory pipe
  input  logic                       la_valid_i,
  output logic                       la_ready_o,
  input  logic [hd_pkg::WARP_W-1:0]  la_warp_i,
  input  logic [SlotW-1:0]  la_slot_i,
  input  logic [hd_pkg::OP_W-1:0]                 la_kind_i,
  input  logic [3:0]                 la_fn_i,
  input  logic                       la_prefetch_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [Lanes-1:0]           la_mask_i,
  input  logic [Lanes*OffW-1:0]      la_offs_i,
  input  logic [LineWords-1:0]       la_wmask_i,
  input  logic [DataW-1:0]           la_data_i,
  input  logic [Lanes*32-1:0]        la_cmp_i,
  // down network
  input  logic                       dn_valid_i,
  output logic                       dn_ready_o,
  input  logic [HeadW-1:0]           dn_head_i,
  input  logic [LineWords*WordW-1:0] dn_data_i,
  // up networks
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [HeadW-1:0]           req_head_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [HeadW-1:0]           rsp_head_o,
  output logic [LineWords*WordW-1:0] rsp_data_o,
  // scoreboard and completion
  output logic                       perf_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  perf_warp_o,
  output logic [SlotW-1:0]  perf_slot_o,
  output logic [CntW-1:0]            perf_lanes_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  cpl_warp_o,
  output logic [SlotW-1:0]  cpl_slot_o,
  output logic                       cpl_last_o,
  output logic [Lanes-1:0]           cpl_mask_o,
  output logic [Lanes*WordW-1:0]     cpl_data_o,
  // flush, observation
  input  logic                       flush_i,
  output logic                       flushing_o,
  output logic                       st_valid_o,
  output logic [LineW-1:0]           st_line_o,
  output logic [1:0]                 st_state_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]     mshr_busy_o,
  output logic                       idle_o
);
  localparam int unsigned IdxW = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned RowW = hd_pkg::idx_w(Sets * Ways);

  // ---- T: what to do in this cycle ---------------------------------------------------------
  hd_pkg::head_s     dn;
  hd_pkg::l1_event_e ev;
  hd_pkg::mesi_e     state, next, next_st;
  hd_pkg::msg_e      req_kind, rsp_kind;
  hd_pkg::why_e      why;
  logic              sel_rp, sel_dn, sel_fr, sel_fl, arb_idle;
  logic              dn_grant, dn_data, evict, fill, hit, rsp_data, legal, perform, reject, push,
      real_op;
  logic [LineW-1:0]  line, t_line;
  logic [RowW-1:0]   row, fl_row;
  logic [hd_pkg::OP_W-1:0] kind, rp_kind;
  logic [3:0]        rp_fn;
  logic [CntW-1:0]   fr_lanes;
  logic              tag_we, touch, req_push, rsp_push, rsp_room;
  logic [IdxW-1:0]   req_idx;
  logic [hd_pkg::EV_SM_NUM-1:0] own;  // events

  // pending table
  localparam bit     IsPrt = Pending == hd_pkg::PENDING_PRT;
  hd_pkg::why_e      lk_why;
  logic              lk_hit, lk_room, rp_wait, rp_valid, rp_last, rp_start, rp_stop, mshr_empty,
      mshr_idle, req_room, req_left, drop;
  logic [IdxW-1:0]   lk_idx, rp_idx, rq_idx;
  logic [LineW-1:0]  rp_line, rq_line;
  logic [hd_pkg::WARP_W-1:0] rp_warp;
  logic [SlotW-1:0] rp_slot;
  logic [hd_pkg::OPID_W-1:0] rq_opid;
  logic [CntW-1:0]   rp_lanes;
  logic [Lanes-1:0]  rp_mask;
  logic [Lanes*OffW-1:0] rp_offs;
  logic [LineWords-1:0]  rp_wmask;
  logic [DataW-1:0]  rp_data;
  logic [Lanes*32-1:0] rp_cmp;

  logic              busy, rmw_lane, data_idle, queues_idle;
  logic [LineWords*WordW-1:0] line_out;

  assign dn = dn_head_i[hd_pkg::HEAD_W-1:0];
  hd_l1_arb #(.Rows(Sets * Ways)) u_arb (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(busy),
    .rp_wait_i(rp_wait),
    .rp_valid_i(rp_valid),
    .dn_go_i(dn_valid_i && rsp_room),
    .dn_hold_i(1'b0),
    .la_valid_i(la_valid_i),
    .fl_go_i(rsp_room),
    .sel_rp_o(sel_rp),
    .sel_dn_o(sel_dn),
    .sel_fr_o(sel_fr),
    .sel_fl_o(sel_fl),
    .refuse_i(reject),
    .change_i(req_left),
    .flush_i(flush_i),
    .fl_row_o(fl_row),
    .flushing_o(flushing_o),
    .idle_o(arb_idle)
  );

  always_comb begin
    dn_data  = dn.kind >= hd_pkg::MSG_DATA_S && dn.kind <= hd_pkg::MSG_DATA_M;
    dn_grant = dn_data || dn.kind == hd_pkg::MSG_ACK_M;
    kind     = sel_rp ? rp_kind : la_kind_i;
    fr_lanes = '0;
    if (sel_fr) fr_lanes = CntW'(hd_pkg::ones(64'(la_mask_i)));
    if (evict) ev = hd_pkg::L1E_EVICT;
    else if (sel_dn) begin
      unique case (dn.kind)
        hd_pkg::MSG_DATA_S: ev = hd_pkg::L1E_DATA_S;
        hd_pkg::MSG_DATA_E: ev = hd_pkg::L1E_DATA_E;
        hd_pkg::MSG_DATA_M: ev = hd_pkg::L1E_DATA_M;
        hd_pkg::MSG_ACK_M:  ev = hd_pkg::L1E_ACK_M;
        hd_pkg::MSG_INV:    ev = hd_pkg::L1E_INV;
        hd_pkg::MSG_FETCH:  ev = hd_pkg::L1E_FETCH;
        default:            ev = hd_pkg::L1E_FETCH_INV;
      endcase
    end else ev = (kind == hd_pkg::OP_LOAD) ? hd_pkg::L1E_LOAD : hd_pkg::L1E_STORE;
  end

  hd_l1_lines #(.Sets(Sets), .Ways(Ways), .LineW(LineW)) u_lines (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_rp_i(sel_rp),
    .sel_dn_i(sel_dn),
    .sel_fr_i(sel_fr),
    .sel_fl_i(sel_fl),
    .rp_line_i(rp_line),
    .dn_line_i(dn.addr[hd_pkg::ADDR_W-1:ByteW]),
    .la_line_i(la_line_i),
    .fl_row_i(fl_row),
    .dn_data_i(dn_data),
    .evict_o(evict),
    .fill_o(fill),
    .line_o(line),
    .about_o(t_line),
    .row_o(row),
    .state_o(state),
    .we_i(tag_we),
    .next_i(next_st),
    .touch_i(touch),
    .st_valid_o(st_valid_o),
    .st_line_o(st_line_o),
    .st_state_o(st_state_o)
  );
  hd_l1_mesi_table u_table (
    .state_i(state), .ev_i(ev), .next_o(next), .hit_o(hit), .req_o(req_kind), .rsp_o(rsp_kind),
    .data_o(rsp_data), .legal_o(legal)
  );

  // An access to a pending line joins its entry even if the cache holds a (shared) copy: later
  // accesses of a warp may not pass its earlier ones to the same line.
  assign perform  = hit && (sel_rp || (sel_fr && !lk_hit));
  assign push     = sel_fr && !perform && lk_room && req_room && !(la_prefetch_i && lk_hit);
  assign reject   = sel_fr && !perform && !push && !la_prefetch_i;
  assign real_op  = sel_rp ? rp_lanes != '0 : !la_prefetch_i;
  assign drop     = IsPrt && push && state == hd_pkg::ST_S;
  assign rp_stop  = sel_rp && !hit;
  assign rp_start = sel_dn && dn_grant && !evict && req_kind == hd_pkg::MSG_NONE;
  assign req_push = (push && !lk_hit) || rp_stop
      || (sel_dn && !evict && req_kind != hd_pkg::MSG_NONE);
  assign rsp_push = (sel_dn || sel_fl) && rsp_kind != hd_pkg::MSG_NONE;
  assign tag_we   = (((perform && real_op) || sel_dn || sel_fl) && next != state) || drop;
  assign next_st  = drop ? hd_pkg::ST_I : next;
  assign touch    = (perform && real_op) || fill;
  assign la_ready_o = sel_fr && !reject;
  assign dn_ready_o = sel_dn && !evict;
  assign req_left = IsPrt && req_valid_o && req_ready_i;  // room for a request again
  assign req_idx  = sel_rp ? rp_idx : (sel_dn ? IdxW'(dn.tid) : lk_idx);

  hd_pending_table #(
    .Pending(Pending), .ReqCredits(ReqCredits), .Entries(MshrEntries), .Targets(MshrTargets),
    .StoreData(StoreData), .CasData(CasData), .MergeLanes(MergeLanes), .Lanes(Lanes),
    .LineWords(LineWords), .WordW(WordW), .SlotW(SlotW), .LineW(LineW)
  ) u_pending (
    .clk_i(clk_i), .rst_i(rst_i), .lk_valid_i(sel_fr), .lk_line_i(la_line_i),
    .lk_lanes_i(fr_lanes), .lk_store_i(la_kind_i != hd_pkg::OP_LOAD),
    .lk_cas_i(la_kind_i == hd_pkg::OP_ATOMIC && la_fn_i == hd_pkg::AT_CAS), .lk_hit_o(lk_hit),
    .lk_idx_o(lk_idx), .lk_room_o(lk_room), .lk_why_o(lk_why), .push_i(push),
    .push_warp_i(la_warp_i), .push_slot_i(la_slot_i), .push_kind_i(la_kind_i),
    .push_fn_i(la_fn_i), .push_mask_i(la_mask_i), .push_offs_i(la_offs_i),
    .push_wmask_i(la_wmask_i), .push_data_i(la_data_i), .push_cmp_i(la_cmp_i), .rd_idx_i(rq_idx),
    .rd_line_o(rq_line), .rd_opid_o(rq_opid), .rp_start_i(rp_start), .rp_idx_i(IdxW'(dn.tid)),
    .rp_line_i(line),
    .rp_mask_i(dn_head_i[hd_pkg::HEAD_LANES_LSB +: Lanes]),
    .rp_wait_o(rp_wait), .rp_valid_o(rp_valid),
    .rp_line_o(rp_line), .rp_idx_o(rp_idx), .rp_warp_o(rp_warp), .rp_slot_o(rp_slot),
    .rp_kind_o(rp_kind), .rp_fn_o(rp_fn), .rp_lanes_o(rp_lanes), .rp_mask_o(rp_mask),
    .rp_offs_o(rp_offs), .rp_wmask_o(rp_wmask), .rp_data_o(rp_data), .rp_cmp_o(rp_cmp),
    .rp_last_o(rp_last), .rp_pop_i(sel_rp && hit), .rp_stop_i(rp_stop), .empty_o(mshr_empty),
    .busy_o(mshr_busy_o), .idle_o(mshr_idle)
  );

  // ---- data and outgoing queues ------------------------------------------------------------
  hd_l1_data #(.Rows(Sets * Ways), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
    .SlotW(SlotW)) u_data (
    .clk_i(clk_i), .rst_i(rst_i), .load_i(perform && real_op && kind == hd_pkg::OP_LOAD),
    .store_i(perform && real_op && kind == hd_pkg::OP_STORE),
    .atomic_i(perform && kind == hd_pkg::OP_ATOMIC),
    .fill_i(fill), .read_i(rsp_push && rsp_data), .row_i(row),
    .warp_i(sel_rp ? rp_warp : la_warp_i), .slot_i(sel_rp ? rp_slot : la_slot_i),
    .fn_i(sel_rp ? rp_fn : la_fn_i), .lanes_i(sel_rp ? rp_lanes : fr_lanes),
    .mask_i(sel_rp ? rp_mask : la_mask_i), .offs_i(sel_rp ? rp_offs : la_offs_i),
    .wmask_i(sel_rp ? rp_wmask : la_wmask_i), .data_i(sel_rp ? rp_data : la_data_i),
    .cmp_i(sel_rp ? rp_cmp : la_cmp_i), .fill_data_i(dn_data_i), .busy_o(busy), .line_o(line_out),
    .perf_valid_o(perf_valid_o), .perf_warp_o(perf_warp_o), .perf_slot_o(perf_slot_o),
    .perf_lanes_o(perf_lanes_o), .perf_last_i(perf_last_i), .rmw_lane_o(rmw_lane),
    .cpl_valid_o(cpl_valid_o), .cpl_warp_o(cpl_warp_o), .cpl_slot_o(cpl_slot_o),
    .cpl_last_o(cpl_last_o), .cpl_mask_o(cpl_mask_o), .cpl_data_o(cpl_data_o), .idle_o(data_idle)
  );
  hd_l1_queues #(
    .MshrEntries(MshrEntries), .ReqDepth(IsPrt ? ReqDepth : 0), .WbEntries(WbEntries),
    .PartBits(PartBits), .LineWords(LineWords),
    .WordW(WordW), .Lanes(Lanes)
  ) u_queues (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .push_req_i(req_push),
    .req_kind_i(drop ? hd_pkg::MSG_GETM : req_kind), .req_idx_i(req_idx), .req_line_i(la_line_i),
    .req_lanes_i(hd_pkg::lane_w(Lanes)'(la_mask_i)), .req_room_o(req_room), .push_rsp_i(rsp_push),
    .rsp_kind_i(rsp_kind), .rsp_data_i(rsp_data), .rsp_line_i(t_line),
    .rsp_tid_i(evict ? hd_pkg::TID_W'(0) : dn.tid), .rsp_room_o(rsp_room), .line_i(line_out),
    .rq_idx_o(rq_idx), .rq_line_i(rq_line), .rq_opid_i(rq_opid), .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i), .req_head_o(req_head_o), .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i), .rsp_head_o(rsp_head_o), .rsp_data_o(rsp_data_o),
    .idle_o(queues_idle)
  );

  assign why = lk_room ? hd_pkg::WHY_QUEUE : lk_why;  // room there, none for its request
  always_comb begin
    own = '0;
    own[hd_pkg::EV_SM_FILL]        = rp_start;
    own[hd_pkg::EV_SM_REPLAY]      = sel_rp && hit && real_op;
    own[hd_pkg::EV_SM_EVICT_CLEAN] = evict && tag_we && !rsp_data;
    own[hd_pkg::EV_SM_EVICT_DIRTY] = evict && tag_we && rsp_data;
    own[hd_pkg::EV_SM_INV]         = sel_dn && dn.kind == hd_pkg::MSG_INV;
    own[hd_pkg::EV_SM_FETCH]       = sel_dn && (dn.kind == hd_pkg::MSG_FETCH
                                                || dn.kind == hd_pkg::MSG_FETCH_INV);
    own[hd_pkg::EV_SM_UPGRADE]     = req_push && req_kind == hd_pkg::MSG_UPG && !drop;
    own[hd_pkg::EV_SM_LOST_COPY]   = sel_dn && dn.kind == hd_pkg::MSG_ACK_M
                                     && req_kind != hd_pkg::MSG_NONE;
    own[hd_pkg::EV_SM_RMW_LANE]    = rmw_lane;
  end
  hd_l1_events u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel_fr),
    .prefetch_i(la_prefetch_i),
    .kind_i(la_kind_i),
    .hit_i(sel_fr && perform),
    .push_i(push),
    .join_i(lk_hit),
    .accept_i(la_ready_o),
    .reject_i(reject),
    .why_i(why),
    .own_i(own),
    .ev_o(ev_o)
  );
  assign idle_o = mshr_idle && data_idle && queues_idle && arb_idle && !st_valid_o && ev_o == '0;

  logic unused;
  assign unused = ^{dn_head_i, dn.route, dn.wmask.words, dn.opid, dn.addr[ByteW-1:0], dn.tid,
      rp_last, mshr_empty, legal};

  `HD_ASSERT(a_request_has_room, !req_push || req_room)
  `HD_ASSERT(a_legal, !(sel_rp || sel_dn || sel_fr || sel_fl) || legal)
  `HD_ASSERT(a_grant_expected, !(sel_dn && dn_grant) || mshr_busy_o[IdxW'(dn.tid)])
  `HD_ASSERT(a_replay_not_lost, !rp_stop || state == hd_pkg::ST_S)
  `HD_ASSERT(a_kind, !(sel_rp || sel_fr) || kind <= hd_pkg::OP_ATOMIC)
  `HD_ASSERT(a_down_kind, !dn_valid_i || dn_grant || dn.kind == hd_pkg::MSG_INV
             || dn.kind == hd_pkg::MSG_FETCH || dn.kind == hd_pkg::MSG_FETCH_INV)
  `HD_COVER_PAIRS(g_l1_pair, sel_rp || sel_dn || sel_fl || (sel_fr && !lk_hit && !reject),
                  state, 4, ev, 10)
endmodule
`default_nettype wire
