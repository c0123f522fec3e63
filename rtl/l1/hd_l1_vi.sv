// hd_l1_vi.sv - coherent write-through, no-write-allocate, non-blocking L1 data cache.
//
// Paper 1 sections 3.6, 5 and 6.5. State table: hd_l1_vi_table; docs/protocol_vi.md. One decision a
// cycle ("T"), in this order: a load that waits for the line that has just arrived; a message from
// the directory; a line access of the memory pipe; a step of the flush walk. Loads that wait come
// first so that a line is used before it can be taken away (no livelock). Data arrive one cycle
// later ("G").
//
// A store writes a valid copy in place, a store or atomic leaves at once for the L2 and is complete
// when its answer comes. Until then a load of its line does not hit: it is requested, behind the
// store on the same ordered network, so nobody sees a store before all do. A store or atomic that
// follows the request for its line marks the entry: the data serve the loads that wait and do not
// stay; later loads of the line wait in front of the L1 until they have come.
//
// la    line accesses (hd_coalescer), valid/ready. Not ready: no room in a table or queue; the
//       access is tried again when something has changed, not every cycle. la_acc_i.prefetch:
//       as hd_l1_mesi; a prefetch to write is of no use here and dropped.
// dn    packets of the down network, valid/ready, taken after finite time, never waiting for req.
// req   requests and their data flits (hd_wt_queue, hd_flit_pack); rsp acknowledgements, single
//       flits. Valid/ready, each in order.
// mark  valid/ready, with Persist: a persist barrier; PMARK in req, behind all that went there.
// perf  a performed access: warp, slot, lanes; perf_last_i (same cycle): the operation is complete.
// cpl   registers, the cycle after perf; lanes' words of loads and atomics. A hit completes 2
//       cycles after its T.
// st    registered pulse: a line changed to this state. ev_o registered pulses (hd_pkg EV_SM_*).
// flush flush_i pulse (no access may be waiting): drops every line; flushing_o until the walk ends.
// Parameters: as hd_l1_mesi; StoreData stores and atomics that are out, WbEntries of them in the
// queue to the network, DnWords words of a down packet.
// Latency: hit 2 cycles, fill 1 + 1 per load, eviction 1.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_vi #(
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
  parameter int unsigned MergeLanes = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned Persist = 0,
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
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  // memory pipe
  input  logic                       la_valid_i,
  output logic                       la_ready_o,
  input  hd_pkg::access_s            la_acc_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [PlaceW-1:0]          la_place_i,
  input  logic [DataW-1:0]           la_data_i,
  input  logic [Lanes*32-1:0]        la_cmp_i,
  // down network
  input  logic                       dn_valid_i,
  output logic                       dn_ready_o,
  input  logic [HeadW-1:0]           dn_head_i,
  input  logic [DnWords*WordW-1:0]   dn_data_i,
  // up networks
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [HeadW-1:0]           req_head_o,
  output logic [BodyW-1:0]           req_body_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [HeadW-1:0]           rsp_head_o,
  // scoreboard and completion
  output logic                       perf_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  perf_warp_o,
  output logic [SlotW-1:0]           perf_slot_o,
  output logic [CntW-1:0]            perf_lanes_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output hd_pkg::completion_s        cpl_o,
  output logic [Lanes-1:0]           cpl_mask_o,
  output logic [Lanes*WordW-1:0]     cpl_data_o,
  // persist barriers
  input  logic                       mark_valid_i,
  output logic                       mark_ready_o,
  input  logic [7:0]                 mark_id_i,
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
  localparam int unsigned OffW = hd_pkg::idx_w(LineWords);
  localparam int unsigned IdxW = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned StW = hd_pkg::idx_w(StoreData);
  localparam int unsigned RowW = hd_pkg::idx_w(Sets * Ways);
  localparam int unsigned LnW = LineWords * WordW;
  localparam bit          IsPrt = Pending == hd_pkg::PENDING_PRT;

  // ---- T: what to do in this cycle ---------------------------------------------------------
  hd_pkg::head_s     dn;
  hd_pkg::l1_sel_s   arb_sel, sel;  // sel.dn: but messages that complete an access, sel_done
  hd_pkg::l1_do_s    act;
  hd_pkg::mesi_e     state, next;
  hd_pkg::msg_e      req_kind, rsp_kind;
  logic              sel_done, dn_done, dn_data, evict, fill, is_load, is_at, line_busy;
  logic              queue_idle, arb_idle, data_idle, cpl_last, mark;
  logic [LineW-1:0]  line, t_line, rp_line, rd_line;
  logic [RowW-1:0]   row, fl_row;
  logic [CntW-1:0]   fr_lanes, rp_lanes;

  // tables and queues
  hd_pkg::why_e      lk_why;
  logic              lk_hit, lk_room, rp_wait, rp_valid, rp_last, mshr_empty, mshr_idle;
  logic [IdxW-1:0]   lk_idx, rp_idx;
  hd_pkg::access_s   rp_acc;
  logic [hd_pkg::WARP_W-1:0] st_warp, cpl_warp;
  logic [SlotW-1:0]  la_slot, st_slot, cpl_slot;
  logic [Lanes-1:0]  la_mask, rp_mask, st_mask;
  logic [Lanes*OffW-1:0] la_offs, rp_offs;
  logic [LineWords-1:0]  la_wmask, rp_wmask;
  logic [PlaceW-1:0] rp_place;
  hd_pkg::access_s   acc;             // of a load that is performed
  logic [MshrEntries-1:0] leaves_q;   // the data of the entry do not stay: a store followed it
  logic              st_out, st_room, st_empty, req_room, data_room, at_room, rsp_room, done_ok;
  logic [StW-1:0]    st_idx;
  // the request that is sent
  hd_pkg::msg_e              out_kind;
  logic [LineW-1:0]          out_line;
  logic [hd_pkg::TID_W-1:0]  out_tid;
  logic [hd_pkg::OPID_W-1:0] out_opid;
  logic [Lanes-1:0]          out_lanes;
  // outputs of the pending table that loads do not need
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  logic [DataW-1:0]  rp_data;
  logic [Lanes*32-1:0] rp_cmp;

  assign dn       = dn_head_i[hd_pkg::HEAD_W-1:0];
  assign {la_mask, la_offs, la_wmask} = la_place_i;
  assign {rp_mask, rp_offs, rp_wmask} = rp_place;
  assign acc      = sel.rp ? rp_acc : la_acc_i;
  assign dn_done  = dn.kind == hd_pkg::MSG_WT_ACK || dn.kind == hd_pkg::MSG_AT_DATA;
  assign dn_data  = dn.kind == hd_pkg::MSG_DATA_S;
  hd_l1_arb #(.Rows(Sets * Ways)) u_arb (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .busy_i(1'b0),
    .rp_wait_i(rp_wait),
    .rp_valid_i(rp_valid),
    .dn_go_i(dn_valid_i && (dn_done ? done_ok : (dn_data || rsp_room))),
    .dn_hold_i(dn_valid_i && dn_done && !done_ok),  // a hit completes; one cycle
    .la_valid_i(la_valid_i),
    .fl_go_i(1'b1),
    .sel_o(arb_sel),
    .refuse_i(act.reject && !(req_valid_o && req_ready_i)),
    .change_i(req_valid_o && req_ready_i),
    .flush_i(flush_i),
    .fl_row_o(fl_row),
    .flushing_o(flushing_o),
    .idle_o(arb_idle)
  );
  assign sel_done = arb_sel.dn && dn_done;
  always_comb begin
    sel    = arb_sel;
    sel.dn = arb_sel.dn && !dn_done;
  end

  assign is_load  = la_acc_i.kind == hd_pkg::OP_LOAD;
  assign is_at    = la_acc_i.kind == hd_pkg::OP_ATOMIC;
  assign fr_lanes = sel.fr ? CntW'(hd_pkg::ones(64'(la_mask))) : '0;
  assign line_busy = lk_hit && (IsPrt || (is_load && leaves_q[lk_idx]));  // it may not join

  hd_l1_lines #(.Sets(Sets), .Ways(Ways), .LineW(LineW)) u_lines (
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
    .st_line_o(st_line_o),
    .st_state_o(st_state_o)
  );
  hd_l1_vi_decide u_decide (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel),
    .kind_i(la_acc_i.kind),
    .prefetch_i(la_acc_i.prefetch),
    .st_out_i(st_out),
    .real_i(|rp_mask),
    .last_i(rp_last && !IsPrt && leaves_q[rp_idx]),
    .dn_kind_i(dn.kind),
    .state_i(state),
    .evict_i(evict),
    .fill_i(fill),
    .lk_hit_i(lk_hit),
    .lk_room_i(lk_room),
    .lk_why_i(lk_why),
    .line_busy_i(line_busy),
    .req_room_i(req_room),
    .st_room_i(st_room),
    .send_room_i(st_room && req_room && data_room && (!is_at || at_room)),
    .do_o(act),
    .next_o(next),
    .req_kind_o(req_kind),
    .rsp_kind_o(rsp_kind),
    .ev_o(ev_o)
  );
  assign la_ready_o = sel.fr && !act.reject;
  assign dn_ready_o = sel_done || (sel.dn && !evict);

  hd_pending_table #(
    .Pending(Pending), .ReqCredits(ReqCredits), .Entries(MshrEntries), .Targets(MshrTargets),
    .StoreData(1), .CasData(1), .MergeLanes(MergeLanes), .Lanes(Lanes), .LineWords(LineWords),
    .WordW(WordW), .SlotW(SlotW), .LineW(LineW)
  ) u_pending (
    .clk_i(clk_i), .rst_i(rst_i), .lk_valid_i(sel.fr), .lk_line_i(la_line_i),
    .lk_lanes_i(fr_lanes), .lk_hit_o(lk_hit), .lk_idx_o(lk_idx), .lk_room_o(lk_room),
    .lk_why_o(lk_why), .push_i(act.push), .push_acc_i(la_acc_i), .push_place_i(la_place_i),
    .push_data_i(la_data_i), .push_cmp_i(la_cmp_i), .rd_idx_i(lk_idx), .rd_line_o(rd_line),
    .rd_opid_o(rd_opid), .rp_start_i(fill), .rp_idx_i(IdxW'(dn.tid)), .rp_line_i(line),
    .rp_mask_i(dn_head_i[hd_pkg::HEAD_LANES_LSB +: Lanes]), .rp_wait_o(rp_wait),
    .rp_valid_o(rp_valid), .rp_line_o(rp_line), .rp_idx_o(rp_idx), .rp_acc_o(rp_acc),
    .rp_lanes_o(rp_lanes), .rp_place_o(rp_place), .rp_data_o(rp_data), .rp_cmp_o(rp_cmp),
    .rp_last_o(rp_last), .rp_pop_i(sel.rp), .rp_stop_i(1'b0), .empty_o(mshr_empty),
    .busy_o(mshr_busy_o), .idle_o(mshr_idle)
  );
  // All that a barrier's warps did is at the L2; the queue of requests is free beside an access.
  assign mark         = Persist != 0 && mark_valid_i && !act.req && req_room;
  assign mark_ready_o = mark;
  always_comb begin
    out_kind  = req_kind;
    out_line  = la_line_i;
    out_tid   = is_load ? hd_pkg::TID_W'(lk_idx) : hd_pkg::TID_W'(st_idx);
    out_opid  = hd_pkg::OPID_W'({la_acc_i.slot, la_acc_i.warp});
    out_lanes = la_mask;
    if (mark) begin
      out_kind  = hd_pkg::MSG_PMARK;
      out_line  = '0;
      out_tid   = '0;
      out_opid  = hd_pkg::OPID_W'(mark_id_i);
      out_lanes = '0;
    end
  end
  assign la_slot = SlotW'({la_acc_i.tag, la_acc_i.slot});
  hd_wt_table #(.Entries(StoreData), .Lanes(Lanes), .SlotW(SlotW), .LineW(LineW)) u_stores (
    .clk_i(clk_i), .rst_i(rst_i), .line_i(la_line_i), .lk_valid_i(sel.fr && is_load),
    .out_o(st_out), .room_o(st_room), .idx_o(st_idx), .put_i(act.send),
    .who_i({la_acc_i.warp, la_slot, la_mask}),
    .done_i(sel_done), .done_idx_i(StW'(dn.tid)), .who_o({st_warp, st_slot, st_mask}),
    .empty_o(st_empty)
  );

  // ---- data and outgoing queues ------------------------------------------------------------
  hd_l1_vi_data #(
    .Rows(Sets * Ways), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW),
    .SlotW(SlotW)
  ) u_data (
    .clk_i(clk_i), .rst_i(rst_i), .load_i(act.perform), .store_i(act.write),
    .fill_i(fill), .row_i(row), .warp_i(acc.warp),
    .slot_i(SlotW'({acc.tag, acc.slot})), .mask_i(sel.rp ? rp_mask : la_mask),
    .offs_i(sel.rp ? rp_offs : la_offs), .wmask_i(la_wmask),
    .data_i(fill ? dn_data_i[LnW-1:0] : la_data_i[LnW-1:0]), .done_ok_o(done_ok),
    .done_i(sel_done), .done_warp_i(st_warp), .done_slot_i(st_slot), .done_mask_i(st_mask),
    .done_data_i(dn_data_i[((Lanes > 32) ? 32 : Lanes)*WordW-1:0]), .perf_valid_o(perf_valid_o),
    .perf_warp_o(perf_warp_o), .perf_slot_o(perf_slot_o), .perf_lanes_o(perf_lanes_o),
    .perf_last_i(perf_last_i), .cpl_valid_o(cpl_valid_o), .cpl_warp_o(cpl_warp),
    .cpl_slot_o(cpl_slot), .cpl_last_o(cpl_last), .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o), .idle_o(data_idle)
  );
  hd_wt_queue #(
    .ReqDepth(ReqDepth), .WbEntries(WbEntries), .PartBits(PartBits), .Lanes(Lanes),
    .LineWords(LineWords), .WordW(WordW), .FlitWords(FlitWords)
  ) u_requests (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .push_i(act.req || mark),
    .kind_i(out_kind), .line_i(out_line), .tid_i(out_tid), .opid_i(out_opid),
    .wmask_i(la_wmask), .lanes_i(out_lanes),
    .data_i(la_data_i), .fn_i(la_acc_i.fn), .offs_i(la_offs), .cmp_i(la_cmp_i), .room_o(req_room),
    .data_room_o(data_room), .at_room_o(at_room), .valid_o(req_valid_o), .ready_i(req_ready_i),
    .head_o(req_head_o), .body_o(req_body_o), .idle_o(queue_idle)
  );
  logic [hd_pkg::HEAD_W-1:0] rsp_head;
  logic                      acks_idle;
  assign rsp_head_o = HeadW'(rsp_head);
  hd_l1_acks #(.Depth(WbEntries)) u_acks (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .inv_i(act.rsp), .head_i(dn),
    .room_o(rsp_room), .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head), .idle_o(acks_idle)
  );

  always_ff @(posedge clk_i) begin
    if (act.push && !lk_hit) leaves_q[lk_idx] <= 1'b0;
    else if (act.send && lk_hit) leaves_q[lk_idx] <= 1'b1;
  end

  // in the order of its fields
  assign cpl_o = hd_pkg::COMPLETION_W'({cpl_last, cpl_slot[hd_pkg::SLOT_W-1:0], cpl_warp});
  assign idle_o = mshr_idle && data_idle && queue_idle && arb_idle && acks_idle && !st_valid_o
                  && ev_o == '0;

  logic unused;
  assign unused = ^{mark_valid_i, mark_id_i, act, dn_head_i,
      mshr_empty, st_empty, t_line, rsp_kind, dn_data_i, rd_line,
      rd_opid, acc, rp_acc, la_acc_i, cpl_slot, rp_lanes, rp_wmask, rp_data, rp_cmp};

  `HD_ASSERT(a_half, !(act.send && is_at) || 64'(la_mask) >> 32 == 0 || 32'(la_mask) == 0)
  `HD_ASSERT(a_data_expected, !fill || mshr_busy_o[IdxW'(dn.tid)])
  `HD_ASSERT(a_down_kind, !dn_valid_i || dn_data || dn_done || dn.kind == hd_pkg::MSG_INV)
endmodule
`default_nettype wire
