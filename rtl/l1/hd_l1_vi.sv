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
// Parts: hd_l1_vi_decide, what is done; hd_l1_vi_loads, loads that wait for lines; hd_l1_vi_send,
// all that leaves and what of it is out; hd_l1_vi_data, data and completions.
//
// la    line accesses (hd_coalescer), valid/ready; la_ops_i {compare values, data}. Not ready: no
//       room in a table or queue; the access is tried again when something has changed, not every
//       cycle. la_acc_i.prefetch: as hd_l1_mesi; a prefetch to write is of no use here and dropped.
// dn    packets of the down network, valid/ready, taken after finite time, never waiting for req.
// req   requests and their data flits (hd_wt_queue, hd_flit_pack); rsp acknowledgements, single
//       flits. Valid/ready, each in order.
// mark  valid/ready, with Persist: a persist barrier; PMARK in req, behind all that went there.
// perf  a performed access: {number of lanes, slot, warp}; perf_last_i (same cycle): the operation
//       is complete.
// cpl   registers, the cycle after perf: {words of loads and atomics, lanes, completion_s}. A hit
//       completes 2 cycles after its T.
// st    registered pulse: {state, line}, a line changed to this state. ev_o registered pulses
//       (hd_pkg EV_SM_*).
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
  parameter int unsigned PerfW = CntW + SlotW + hd_pkg::WARP_W,                      // derived
  parameter int unsigned CplW = Lanes * WordW + Lanes + hd_pkg::COMPLETION_W,        // derived
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
  input  logic [Lanes*32+DataW-1:0]  la_ops_i,
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
  output logic [PerfW-1:0]           perf_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output logic [CplW-1:0]            cpl_o,
  // persist barriers
  input  logic                       mark_valid_i,
  output logic                       mark_ready_o,
  input  logic [7:0]                 mark_id_i,
  // flush, observation
  input  logic                       flush_i,
  output logic                       flushing_o,
  output logic                       st_valid_o,
  output logic [LineW+1:0]           st_o,
  output logic [hd_pkg::EV_SM_NUM-1:0] ev_o,
  output logic [MshrEntries-1:0]     mshr_busy_o,
  output logic                       idle_o
);
  localparam int unsigned OffW = hd_pkg::idx_w(LineWords);
  localparam int unsigned IdxW = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned RowW = hd_pkg::idx_w(Sets * Ways);
  localparam int unsigned LnW = LineWords * WordW;
  localparam int unsigned WhoW = hd_pkg::WARP_W + SlotW + Lanes;

  // ---- T: what to do in this cycle ---------------------------------------------------------
  hd_pkg::head_s     dn;
  hd_pkg::l1_sel_s   arb_sel, sel;  // sel.dn: but messages that complete an access, sel_done
  hd_pkg::l1_do_s    act;
  hd_pkg::mesi_e     state, next;
  hd_pkg::msg_e      req_kind, rsp_kind;
  logic              sel_done, dn_done, dn_data, evict, fill, is_load, line_busy;
  logic              send_idle, arb_idle, data_idle;
  logic [LineW-1:0]  line, t_line, rp_line;
  logic [RowW-1:0]   row, fl_row;

  // tables and queues
  hd_pkg::why_e      lk_why;
  logic              lk_hit, lk_room, rp_wait, rp_valid, rp_last, loads_idle;
  logic [IdxW-1:0]   lk_idx;
  hd_pkg::access_s   rp_acc;
  logic [WhoW-1:0]   who, st_who;  // of a load that is performed; of a store or atomic
  logic [Lanes-1:0]  la_mask, rp_mask;
  logic [Lanes*OffW-1:0] la_offs, rp_offs;
  logic [LineWords-1:0]  la_wmask, rp_wmask;
  logic [PlaceW-1:0] rp_place;
  hd_pkg::access_s   acc;
  logic              st_out, st_room, req_room, send_room, rsp_room, done_ok;

  assign dn       = dn_head_i[hd_pkg::HEAD_W-1:0];
  assign {la_mask, la_offs, la_wmask} = la_place_i;
  assign {rp_mask, rp_offs, rp_wmask} = rp_place;
  assign acc      = sel.rp ? rp_acc : la_acc_i;
  assign dn_done  = dn.kind == hd_pkg::MSG_WT_ACK || dn.kind == hd_pkg::MSG_AT_DATA;
  assign dn_data  = dn.kind == hd_pkg::MSG_DATA_S;
  hd_l1_arb #(
    .Rows(Sets * Ways)
  ) u_arb (
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
  hd_l1_vi_decide u_decide (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(sel),
    .kind_i(la_acc_i.kind),
    .prefetch_i(la_acc_i.prefetch),
    .st_out_i(st_out),
    .real_i(|rp_mask),
    .last_i(rp_last),
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
    .send_room_i(send_room),
    .do_o(act),
    .next_o(next),
    .req_kind_o(req_kind),
    .rsp_kind_o(rsp_kind),
    .ev_o(ev_o)
  );
  assign la_ready_o = sel.fr && !act.reject;
  assign dn_ready_o = sel_done || (sel.dn && !evict);

  hd_l1_vi_loads #(
    .Pending(Pending),
    .ReqCredits(ReqCredits),
    .Entries(MshrEntries),
    .Targets(MshrTargets),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_loads (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(sel.fr),
    .la_acc_i(la_acc_i),
    .la_line_i(la_line_i),
    .la_place_i(la_place_i),
    .hit_o(lk_hit),
    .idx_o(lk_idx),
    .room_o(lk_room),
    .why_o(lk_why),
    .line_busy_o(line_busy),
    .push_i(act.push),
    .send_i(act.send),
    .start_i(fill),
    .tid_i(dn.tid),
    .line_i(line),
    .mask_i(dn_head_i[hd_pkg::HEAD_LANES_LSB +: Lanes]),
    .wait_o(rp_wait),
    .valid_o(rp_valid),
    .line_o(rp_line),
    .acc_o(rp_acc),
    .place_o(rp_place),
    .last_o(rp_last),
    .pop_i(sel.rp),
    .busy_o(mshr_busy_o),
    .idle_o(loads_idle)
  );

  // ---- data, and what leaves -----------------------------------------------------------------
  assign who = {acc.warp, SlotW'({acc.tag, acc.slot}), sel.rp ? rp_mask : la_mask};
  hd_l1_vi_data #(
    .Rows(Sets * Ways),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i(act.perform),
    .store_i(act.write),
    .fill_i(fill),
    .row_i(row),
    .who_i(who),
    .offs_i(sel.rp ? rp_offs : la_offs),
    .wmask_i(la_wmask),
    .data_i(fill ? dn_data_i[LnW-1:0] : la_ops_i[LnW-1:0]),
    .done_ok_o(done_ok),
    .done_i(sel_done),
    .done_who_i(st_who),
    .done_data_i(dn_data_i[((Lanes > 32) ? 32 : Lanes)*WordW-1:0]),
    .perf_valid_o(perf_valid_o),
    .perf_o(perf_o),
    .perf_last_i(perf_last_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(cpl_o),
    .idle_o(data_idle)
  );
  hd_l1_vi_send #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .FlitWords(FlitWords),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .ReqDepth(ReqDepth),
    .StoreData(StoreData),
    .Persist(Persist)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .la_acc_i(la_acc_i),
    .la_line_i(la_line_i),
    .la_place_i(la_place_i),
    .la_ops_i(la_ops_i),
    .push_i(act.req),
    .kind_i(req_kind),
    .send_i(act.send),
    .read_tid_i(hd_pkg::TID_W'(lk_idx)),
    .req_room_o(req_room),
    .send_room_o(send_room),
    .lk_valid_i(sel.fr && is_load),
    .st_out_o(st_out),
    .st_room_o(st_room),
    .dn_i(dn),
    .done_i(sel_done),
    .st_who_o(st_who),
    .inv_i(act.rsp),
    .ack_room_o(rsp_room),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head_o),
    .req_body_o(req_body_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .idle_o(send_idle)
  );

  assign idle_o = loads_idle && data_idle && send_idle && arb_idle && !st_valid_o && ev_o == '0;

  logic unused;
  assign unused = ^{act, dn_head_i, t_line, rsp_kind, dn_data_i, acc, rp_acc, la_acc_i, rp_wmask};

  `HD_ASSERT(a_down_kind, !dn_valid_i || dn_data || dn_done || dn.kind == hd_pkg::MSG_INV)
endmodule
`default_nettype wire
