// hd_l1_mesi.sv - coherent write-back, write-allocate, non-blocking L1 data cache (MESI).
//
// Paper 1 section 5 and Table 2 (32 KB, 4-way, 128-byte lines, 128 MSHRs, LRU). State table:
// hd_l1_mesi_table. One decision a cycle ("T"), in this order: a target of the line that has just
// arrived; a message from the directory; a line access of the memory pipe; a step of the flush
// walk. Data arrive one cycle later ("G"). Targets come first so that a line is used before it can
// be taken away (no livelock).
//
// la    line accesses (hd_coalescer), valid/ready: access, line, place {lanes, word of each lane,
//       words touched}, la_ops_i {compare values, data}. Not ready: no room in the pending table;
//       it is tried again after the next arrival or replay, not every cycle. An access to a pending
//       line always joins its entry (MSHR) or waits (pending request table).
//       la_acc_i.prefetch: the access has no lane and asks only for the line (kind LOAD: to read,
//       STORE: to write); taken at once, dropped if the line is here or under way or no room is.
// dn    packets of the down network, valid/ready, always taken after finite time.
// req   requests; rsp answers and give-backs, which wait in the writeback buffer. Valid/ready, each
//       in order.
// perf  cycle G of a performed access: {number of lanes, slot, warp}, above the slot's own bits, if
//       SlotW has room, the tag; perf_last_i (same cycle) = the operation is complete.
// cpl   registers, the cycle after perf: {words of loads and atomics, lanes, completion_s}. A hit
//       completes 2 cycles after its T.
// st    registered pulse: {state, line}, a line changed to this state. ev_o registered pulses
//       (hd_pkg EV_SM_*).
// flush flush_i pulse (no access may be waiting): gives back and drops every line; flushing_o until
//       the walk ends.
// Parameters: Sets and Ways (powers of two, at least 2), WbEntries (writeback buffer, packets),
// PartBits = log2(partitions); Pending (hd_pkg PENDING_*) chooses hd_mshr_table or
// hd_pending_request_table, MshrEntries is the size of either, ReqCredits and ReqDepth (requests
// that wait for the network) are for the latter only; the rest is theirs. Latency: hit 2 cycles,
// fill 1 + 1 per target, eviction 1, atomic 2 + lanes.
// What is done in T is decided by hd_l1_mesi_decide.
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
  parameter int unsigned ByteW = $clog2(LineWords * 4),                              // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,                             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                   // derived
  parameter int unsigned PerfW = CntW + SlotW + hd_pkg::WARP_W,                      // derived
  parameter int unsigned CplW = Lanes * WordW + Lanes + hd_pkg::COMPLETION_W         // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  // memory pipe
  input  logic                       la_valid_i,
  output logic                       la_ready_o,
  input  hd_pkg::access_s            la_acc_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [PlaceW-1:0]          la_place_i,
  input  logic [Lanes*32+DataW-1:0]  la_ops_i,
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
  output logic [PerfW-1:0]           perf_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output logic [CplW-1:0]            cpl_o,
  // flush, observation
  input  logic                       flush_i,
  output logic                       flushing_o,
  output logic                       st_valid_o,
  output logic [LineW+1:0]           st_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]     mshr_busy_o,
  output logic                       idle_o
);
  localparam int unsigned IdxW = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned RowW = hd_pkg::idx_w(Sets * Ways);

  // ---- T: what to do in this cycle ---------------------------------------------------------
  hd_pkg::head_s     dn;
  hd_pkg::l1_sel_s   sel;
  hd_pkg::l1_do_s    act;
  hd_pkg::mesi_e     state, next;
  hd_pkg::msg_e      req_kind, rsp_kind;
  logic              dn_data, evict, fill, real_op, rsp_room, arb_idle;
  logic [LineW-1:0]  line, t_line;
  logic [RowW-1:0]   row, fl_row;

  // pending table
  localparam bit     IsPrt = Pending == hd_pkg::PENDING_PRT;
  hd_pkg::why_e      lk_why;
  hd_pkg::access_s   rp_acc, acc;  // acc: the one at hand
  logic              lk_hit, lk_room, rp_wait, rp_valid, rp_last, mshr_empty, mshr_idle, req_room,
      req_left;
  logic [IdxW-1:0]   lk_idx, rp_idx, rq_idx, req_idx;
  logic [LineW-1:0]  rp_line, rq_line;
  logic [hd_pkg::OPID_W-1:0] rq_opid;
  logic [CntW-1:0]   fr_lanes, rp_lanes;
  logic [PlaceW-1:0] rp_place;
  logic [DataW-1:0]  la_data, rp_data;
  logic [Lanes-1:0]  la_mask;
  logic [Lanes*32-1:0] la_cmp, rp_cmp;

  // data and queues
  logic              busy, rmw_lane, data_idle, queues_idle;
  logic [LineWords*WordW-1:0] line_out;

  assign dn       = dn_head_i[hd_pkg::HEAD_W-1:0];
  assign {la_cmp, la_data} = la_ops_i;
  assign la_mask  = la_place_i[PlaceW-1 -: Lanes];
  hd_l1_arb #(
    .Rows(Sets * Ways)
  ) u_arb (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(busy),
    .rp_wait_i(rp_wait),
    .rp_valid_i(rp_valid),
    .dn_go_i(dn_valid_i && rsp_room),
    .dn_hold_i(1'b0),
    .la_valid_i(la_valid_i),
    .fl_go_i(rsp_room),
    .sel_o(sel),
    .refuse_i(act.reject),
    .change_i(req_left),
    .flush_i(flush_i),
    .fl_row_o(fl_row),
    .flushing_o(flushing_o),
    .idle_o(arb_idle)
  );

  assign dn_data  = dn.kind >= hd_pkg::MSG_DATA_S && dn.kind <= hd_pkg::MSG_DATA_M;
  assign acc      = sel.rp ? rp_acc : la_acc_i;
  assign real_op  = sel.rp ? rp_lanes != '0 : !la_acc_i.prefetch;
  assign fr_lanes = sel.fr ? CntW'(hd_pkg::ones(64'(la_mask))) : '0;

  hd_l1_lines #(
    .Sets(Sets),
    .Ways(Ways),
    .LineW(LineW)
  ) u_lines (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel),
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
    .we_i(act.we),
    .next_i(next),
    .touch_i(act.touch),
    .st_valid_o(st_valid_o),
    .st_line_o(st_o[LineW-1:0]),
    .st_state_o(st_o[LineW +: 2])
  );
  hd_l1_mesi_decide #(
    .Pending(Pending)
  ) u_decide (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel),
    .kind_i(acc.kind),
    .real_i(real_op),
    .dn_kind_i(dn.kind),
    .state_i(state),
    .evict_i(evict),
    .fill_i(fill),
    .lk_hit_i(lk_hit),
    .lk_room_i(lk_room),
    .lk_why_i(lk_why),
    .req_room_i(req_room),
    .rmw_lane_i(rmw_lane),
    .do_o(act),
    .next_o(next),
    .req_kind_o(req_kind),
    .rsp_kind_o(rsp_kind),
    .ev_o(ev_o)
  );
  assign la_ready_o = sel.fr && !act.reject;
  assign dn_ready_o = sel.dn && !evict;
  assign req_left = IsPrt && req_valid_o && req_ready_i;  // room for a request again
  assign req_idx  = sel.rp ? rp_idx : (sel.dn ? IdxW'(dn.tid) : lk_idx);

  hd_pending_table #(
    .Pending(Pending),
    .ReqCredits(ReqCredits),
    .Entries(MshrEntries),
    .Targets(MshrTargets),
    .StoreData(StoreData),
    .CasData(CasData),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_pending (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(sel.fr),
    .lk_line_i(la_line_i),
    .lk_lanes_i(fr_lanes),
    .lk_hit_o(lk_hit),
    .lk_idx_o(lk_idx),
    .lk_room_o(lk_room),
    .lk_why_o(lk_why),
    .push_i(act.push),
    .push_acc_i(la_acc_i),
    .push_place_i(la_place_i),
    .push_data_i(la_data),
    .push_cmp_i(la_cmp),
    .rd_idx_i(rq_idx),
    .rd_line_o(rq_line),
    .rd_opid_o(rq_opid),
    .rp_start_i(act.start),
    .rp_idx_i(IdxW'(dn.tid)),
    .rp_line_i(line),
    .rp_mask_i(dn_head_i[hd_pkg::HEAD_LANES_LSB +: Lanes]),
    .rp_wait_o(rp_wait),
    .rp_valid_o(rp_valid),
    .rp_line_o(rp_line),
    .rp_idx_o(rp_idx),
    .rp_acc_o(rp_acc),
    .rp_lanes_o(rp_lanes),
    .rp_place_o(rp_place),
    .rp_data_o(rp_data),
    .rp_cmp_o(rp_cmp),
    .rp_last_o(rp_last),
    .rp_pop_i(sel.rp && act.perform),
    .rp_stop_i(act.stop),
    .empty_o(mshr_empty),
    .busy_o(mshr_busy_o),
    .idle_o(mshr_idle)
  );

  // ---- data and outgoing queues ------------------------------------------------------------
  hd_l1_data #(
    .Rows(Sets * Ways),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i(act.perform && real_op && acc.kind == hd_pkg::OP_LOAD),
    .store_i(act.perform && real_op && acc.kind == hd_pkg::OP_STORE),
    .atomic_i(act.perform && acc.kind == hd_pkg::OP_ATOMIC),
    .fill_i(fill),
    .read_i(act.rsp && act.data),
    .row_i(row),
    .acc_i(acc),
    .lanes_i(sel.rp ? rp_lanes : fr_lanes),
    .place_i(sel.rp ? rp_place : la_place_i),
    .data_i(sel.rp ? rp_data : la_data),
    .cmp_i(sel.rp ? rp_cmp : la_cmp),
    .fill_data_i(dn_data_i),
    .busy_o(busy),
    .line_o(line_out),
    .perf_valid_o(perf_valid_o),
    .perf_warp_o(perf_o[hd_pkg::WARP_W-1:0]),
    .perf_slot_o(perf_o[hd_pkg::WARP_W +: SlotW]),
    .perf_lanes_o(perf_o[hd_pkg::WARP_W+SlotW +: CntW]),
    .perf_last_i(perf_last_i),
    .rmw_lane_o(rmw_lane),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(cpl_o[hd_pkg::COMPLETION_W-1:0]),
    .cpl_mask_o(cpl_o[hd_pkg::COMPLETION_W +: Lanes]),
    .cpl_data_o(cpl_o[hd_pkg::COMPLETION_W+Lanes +: Lanes*WordW]),
    .idle_o(data_idle)
  );
  hd_l1_queues #(
    .MshrEntries(MshrEntries),
    .ReqDepth(IsPrt ? ReqDepth : 0),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .LineWords(LineWords),
    .WordW(WordW),
    .Lanes(Lanes)
  ) u_queues (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .push_req_i(act.req),
    .req_kind_i(req_kind),
    .req_idx_i(req_idx),
    .req_line_i(la_line_i),
    .req_lanes_i(hd_pkg::lane_w(Lanes)'(la_mask)),
    .req_room_o(req_room),
    .push_rsp_i(act.rsp),
    .rsp_kind_i(rsp_kind),
    .rsp_data_i(act.data),
    .rsp_line_i(t_line),
    .rsp_tid_i(evict ? hd_pkg::TID_W'(0) : dn.tid),
    .rsp_room_o(rsp_room),
    .line_i(line_out),
    .rq_idx_o(rq_idx),
    .rq_line_i(rq_line),
    .rq_opid_i(rq_opid),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .rsp_data_o(rsp_data_o),
    .idle_o(queues_idle)
  );

  assign idle_o = mshr_idle && data_idle && queues_idle && arb_idle && !st_valid_o && ev_o == '0;

  logic unused;
  assign unused = ^{dn_head_i, dn.route, dn.wmask.words, dn.opid, dn.addr[ByteW-1:0], dn.tid,
      act, rp_last, mshr_empty};

  `HD_ASSERT(a_grant_expected, !(sel.dn && (dn_data || dn.kind == hd_pkg::MSG_ACK_M)) ||
             mshr_busy_o[IdxW'(dn.tid)])
endmodule
`default_nettype wire
