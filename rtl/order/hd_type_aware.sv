// hd_type_aware.sv - type-aware SC: classification of accesses and what orders the unsafe ones.
//
//   la --> Type-cache --known--------------> synchronization table --> hd_mob --> lo
//             | unknown, or the warp waits      ^ (safe and LDS)
//             '--> type-wait queues ------------'
//
// Paper 1 section 4; resolutions of its holes: workloads.md 7.A A1 to A20; tables and the argument
// that nothing waits in a circle: docs/type_aware.md.
//
// la      line accesses of the coalescer, valid/ready; ready depends on what is offered.
// lo      line accesses towards L1 and LDS, valid/ready; may change while it is not taken. Their
//         tag comes back with perf_tag_i: {unsafe, safe in memory, low bits of the sector}.
// perf    an access was performed: its warp and tag.
// issue   issue_i: an operation of issue_warp_i is on its way to la.
// dn      messages of the classifiers (TYPE_*), always taken in the cycle they come.
// req     type requests, ack: acknowledgements, heads of packets without data, valid/ready.
// busy_o  bit w: warp w has accesses that are not classified or unsafe ones not performed: it may
//         not arrive at a barrier (A12). unsafe_o: unsafe ones (A17). hold_o: its type-wait queue
//         is full. All of registers.
// unknown_o: pulse, the access taken waits for its type (combinational).
// merge_i policy: an access does not leave a marker if its warp's queue ends with one of the
//         sector. clear_i: forget all types (between kernels; nothing is under way).
// ev_o    pulses, combinational, numbered as in hd_order_stage. drained_o: nothing is counted as
//         under way (checks).
// idle_o  nothing moves while no access, message or completion comes and lo_ready_i is low.
//
// An access of a known type passes in the cycle it is offered. One that is refused (queues full,
// conflict, sector being invalidated) waits in the type-wait queue of its warp and is tried again
// when something has left a queue or was performed. Parameters: docs/tiles.md.
`include "hd_assert.svh"
`default_nettype none
module hd_type_aware #(
  parameter int unsigned Warps       = 48,
  parameter int unsigned LineW       = 25,
  parameter int unsigned PlaceW      = 32,
  parameter int unsigned DataW       = 1024,
  parameter int unsigned CmpW        = 1024,
  parameter int unsigned TypeEntries = 64,
  parameter int unsigned TypeWays    = 4,
  parameter int unsigned TypeReqs    = 16,
  parameter int unsigned WaitDepth   = 4,
  parameter int unsigned UnsafeDepth = 4,
  parameter int unsigned SafeDepth   = 16,
  parameter int unsigned SyncEntries = 64,
  parameter int unsigned Stores      = 64,
  parameter int unsigned Cas         = 8,
  parameter int unsigned AckEntries  = 64,   // invalidations that may wait: those of all partitions
  parameter int unsigned PartBits    = 3,    // log2 of the partitions
  parameter int unsigned SectorBytes = hd_pkg::SECTOR_BYTES,
  parameter int unsigned WarpW       = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  input  logic                      merge_i,
  input  logic                      clear_i,

  input  logic                      la_valid_i,
  output logic                      la_ready_o,
  input  hd_pkg::access_s           la_acc_i,
  input  logic [LineW-1:0]          la_line_i,
  input  logic [PlaceW-1:0]         la_place_i,
  input  logic [DataW-1:0]          la_data_i,
  input  logic [CmpW-1:0]           la_cmp_i,

  output logic                      lo_valid_o,
  input  logic                      lo_ready_i,
  output hd_pkg::access_s           lo_acc_o,
  output logic [LineW-1:0]          lo_line_o,
  output logic [PlaceW-1:0]         lo_place_o,
  output logic [DataW-1:0]          lo_data_o,
  output logic [CmpW-1:0]           lo_cmp_o,

  input  logic                      perf_valid_i,
  input  logic [WarpW-1:0]          perf_warp_i,
  input  logic [hd_pkg::TAG_W-1:0]  perf_tag_i,
  input  logic                      issue_i,
  input  logic [WarpW-1:0]          issue_warp_i,

  input  logic                      dn_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] dn_head_i,
  output logic                      req_valid_o,
  input  logic                      req_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] req_head_o,
  output logic                      ack_valid_o,
  input  logic                      ack_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] ack_head_o,

  output logic [Warps-1:0]          busy_o,
  output logic [Warps-1:0]          unsafe_o,
  output logic [Warps-1:0]          hold_o,
  output logic                      unknown_o,
  output logic [hd_pkg::ORDER_EV_NUM-1:0] ev_o,
  output logic                      drained_o,
  output logic                      idle_o
);
  localparam int unsigned ByteW  = hd_pkg::ADDR_W - LineW;
  localparam int unsigned ShiftW = $clog2(SectorBytes) - ByteW;  // line bits in a sector
  localparam int unsigned SecW   = LineW - ShiftW;
  localparam int unsigned HashW  = hd_pkg::TAG_W - 2;
  localparam int unsigned SeqW   = hd_pkg::ORDER_SEQ_W;
  localparam int unsigned StW    = hd_pkg::idx_w(Stores);
  localparam int unsigned CsW    = hd_pkg::idx_w(Cas);
  localparam int unsigned CtlW   = PlaceW + StW + CsW;
  localparam int unsigned TqW    = hd_pkg::SLOT_W + hd_pkg::QUEUED_W + LineW + CtlW;
  localparam int unsigned FrontW = hd_pkg::SLOT_W + 1;  // counts a warp's operations in front of la

  // ---- messages -----------------------------------------------------------------------------
  hd_pkg::head_s      dn, req;
  logic               msg_rep, msg_inv, msg_rec, ans_safe, ans_write, ans_install, ans_again;
  logic [SecW-1:0]    msg_sector, req_sector;
  logic               req_write, reqs_empty;
  assign dn         = dn_head_i;
  assign msg_rep    = dn_valid_i && dn.kind == hd_pkg::MSG_TYPE_REP;
  assign msg_inv    = dn_valid_i && dn.kind == hd_pkg::MSG_TYPE_INV;
  assign msg_rec    = dn_valid_i && dn.kind == hd_pkg::MSG_TYPE_RECALL;
  assign msg_sector = dn.addr[hd_pkg::ADDR_W-1 -: SecW];

  // ---- what is offered ------------------------------------------------------------------------
  logic [WarpW-1:0]   la_warp;
  logic               la_cas, la_lds, la_write, la_keeps, la_data, la_known, la_safe, la_room;
  logic               fr, fr_look, fr_try, fr_push, fr_ask;
  logic [SecW-1:0]    la_sector, lk_sector;
  logic               lk_known, lk_safe, lk_write, ask_ok, ask;
  logic [StW-1:0]     st_idx, t_st, lo_st;
  logic [CsW-1:0]     cas_idx, t_cas_idx, lo_cas_idx;
  logic               st_room, cas_room;
  logic [Warps-1:0]   tq_full, tq_empty, tq_cand, tq_gnt;
  logic [Warps-1:0]   blocked_q;  // heads that were refused; nothing has moved since
  logic               tq_valid, tq_use, tq_known, tq_safe, tq_write, tq_try, tq_look, tq_pop;
  logic [WarpW-1:0]   tq_warp;
  logic [SecW-1:0]    tq_sector;
  logic [TqW-1:0]     tq_data;
  // ---- the access that is tried ---------------------------------------------------------------
  logic               t_try, t_go, t_safe, t_lds, t_write, t_bypass, t_held;
  logic [WarpW-1:0]   t_warp;
  hd_pkg::access_s    lo_acc;
  hd_pkg::access_s    t_acc;
  logic [hd_pkg::SLOT_W-1:0]   t_slot;
  logic [hd_pkg::QUEUED_W-1:0] t_bits;
  logic [LineW-1:0]   t_line;
  logic [PlaceW-1:0]  t_place;
  logic [HashW-1:0]   t_hash;
  logic               conflict, sync_room, sync_empty, pass;
  logic               unsafe_ok, safe_ok, marker_ok, direct, marker_new, marker_out, moves, ready;
  logic               lo_direct, lo_queue, lo_unsafe, lo_cas, lo_has_data;
  logic [SecW-1:0]    marker_sector;
  logic [SeqW-1:0]    seq, done_seq;
  logic               seq_pend, done;
  logic [DataW-1:0]   st_data;
  logic [CmpW-1:0]    st_cmp;
  logic               take;
  // ---- invalidations --------------------------------------------------------------------------
  logic               safe_out, any_out, out_busy, acks_empty, acks_held;
  logic [HashW-1:0]   out_hash;
  logic [Warps-1:0]   front;

  assign la_warp   = WarpW'(la_acc_i.warp);
  assign la_data   = !la_keeps || (st_room && (!la_cas || cas_room));
  assign la_known  = la_lds || lk_known;
  assign la_safe   = la_lds || lk_safe;
  assign fr        = la_valid_i && !dn_valid_i;
  assign fr_look   = fr && !tq_look;
  assign fr_try    = fr_look && !tq_try && la_known && tq_empty[la_warp];
  always_comb begin
    la_cas    = hd_pkg::op_cas(la_acc_i.kind, la_acc_i.fn);
    la_lds    = la_acc_i.space == hd_pkg::SPACE_LDS;
    la_write  = hd_pkg::op_writes(la_acc_i.kind);
    la_keeps  = la_acc_i.kind != hd_pkg::OP_LOAD;  // a copy has addresses to be kept
    la_sector = la_line_i[LineW-1 -: SecW];
    // The queues first; a head without a type looks into the Type-cache, then nobody else can.
    tq_use    = tq_valid && !dn_valid_i;
    tq_try    = tq_use && tq_known;
    tq_look   = tq_use && !tq_known;
    lk_sector = tq_look ? tq_sector : la_sector;
    lk_write  = tq_look ? tq_write : la_write;
  end

  hd_type_cache #(.Entries(TypeEntries), .Ways(TypeWays), .Counters(1 << HashW), .SectorW(SecW))
  u_types (
    .clk_i(clk_i), .rst_i(rst_i), .lk_sector_i(lk_sector), .lk_write_i(lk_write),
    .lk_known_o(lk_known), .lk_safe_o(lk_safe), .install_i(ans_install),
    .drop_i(msg_inv || msg_rec), .up_sector_i(msg_sector), .up_safe_i(ans_safe),
    .up_write_i(ans_write),
    .clear_i(clear_i), .add_safe_i(t_go && t_safe && !t_lds), .add_unsafe_i(t_go && !t_safe),
    .add_marker_i(marker_new), .add_hash_i(t_hash),
    .sub0_safe_i(perf_valid_i && perf_tag_i[HashW]), .sub0_unsafe_i(done),
    .sub0_hash_i(perf_tag_i[HashW-1:0]), .sub1_i(marker_out),
    .sub1_hash_i(HashW'(marker_sector)), .out_hash_i(out_hash),
    .safe_out_o(safe_out), .any_out_o(any_out), .busy_o(out_busy)
  );

  assign fr_ask = fr_push && !la_known && ask_ok;
  assign ask    = (tq_look && !lk_known && ask_ok) || fr_ask;
  hd_type_requests #(.Entries(TypeReqs), .SectorW(SecW)) u_requests (
    .clk_i(clk_i), .rst_i(rst_i), .ask_sector_i(lk_sector), .ask_write_i(lk_write),
    .ask_ok_o(ask_ok), .ask_i(ask), .inval_i(msg_inv), .recall_i(msg_rec), .reply_i(msg_rep),
    .msg_sector_i(msg_sector), .reply_safe_i(dn.tid[hd_pkg::TYPE_SAFE]),
    .reply_write_i(dn.tid[hd_pkg::TYPE_MAY_WRITE]), .ans_safe_o(ans_safe),
    .ans_write_o(ans_write), .ans_install_o(ans_install), .ans_again_o(ans_again),
    .req_valid_o(req_valid_o), .req_ready_i(req_ready_i), .req_sector_o(req_sector),
    .req_write_o(req_write), .empty_o(reqs_empty)
  );

  hd_arb_rr #(.N(Warps)) u_pick (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(tq_cand & ~blocked_q), .take_i(tq_use), .gnt_o(tq_gnt),
    .idx_o(tq_warp), .valid_o(tq_valid)
  );
  hd_type_wait_queues #(.Warps(Warps), .Depth(WaitDepth), .Width(TqW), .SectorW(SecW)) u_wait (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(fr_push), .push_warp_i(la_warp), .push_lds_i(la_lds),
    .push_sector_i(la_sector), .push_write_i(la_write), .push_known_i(la_known),
    .push_safe_i(la_safe), .push_asked_i(fr_ask),
    .push_data_i({la_acc_i.slot, hd_pkg::queued(la_acc_i), la_line_i, la_place_i, st_idx,
      cas_idx}),
    .up_i(dn_valid_i), .up_sector_i(msg_sector), .up_reply_i(msg_rep),
    .up_safe_i(ans_safe), .up_write_i(ans_write), .up_again_i(ans_again), .cand_o(tq_cand),
    .rd_warp_i(tq_warp), .rd_known_o(tq_known), .rd_safe_o(tq_safe), .rd_write_o(tq_write),
    .rd_sector_o(tq_sector), .rd_data_o(tq_data), .pop_i(tq_pop),
    .rd_ask_i(tq_look && !lk_known && ask_ok), .rd_known_i(tq_look && lk_known),
    .rd_safe_i(lk_safe), .full_o(tq_full), .empty_o(tq_empty)
  );

  always_comb begin
    t_try   = tq_try || fr_try;
    t_warp  = la_warp;
    t_safe  = la_safe;
    {t_slot, t_bits, t_line, t_place, t_st, t_cas_idx} =
        {la_acc_i.slot, hd_pkg::queued(la_acc_i), la_line_i, la_place_i, st_idx, cas_idx};
    if (tq_try) begin
      t_warp = tq_warp;
      t_safe = tq_safe;
      {t_slot, t_bits, t_line, t_place, t_st, t_cas_idx} = tq_data;
    end
  end
  always_comb begin
    t_acc      = hd_pkg::ACCESS_W'(t_bits);
    t_acc.warp = hd_pkg::WARP_W'(t_warp);
    t_acc.slot = t_slot;
    t_lds   = t_acc.space == hd_pkg::SPACE_LDS;
    t_hash  = HashW'(t_line[LineW-1 -: SecW]);
  end
  // Not in there: Yosys gives a function the value from before the block.
  assign t_write = hd_pkg::op_writes(t_acc.kind);

  hd_sync_table #(.Entries(SyncEntries), .Warps(Warps), .LineW(LineW)) u_sync (
    .clk_i(clk_i), .rst_i(rst_i), .look_i(t_try && t_safe), .look_warp_i(t_warp),
    .look_space_i(t_acc.space), .look_line_i(t_line), .look_write_i(t_write), .conflict_o(conflict),
    .room_o(sync_room), .pass_i(pass), .pass_seq_i(seq), .done_i(done),
    .done_warp_i(perf_warp_i), .done_seq_i(done_seq), .empty_o(sync_empty)
  );

  assign done = perf_valid_i && perf_tag_i[hd_pkg::TAG_W-1];
  always_comb begin
    t_bypass = t_safe && seq_pend;
    t_held   = acks_held && !t_lds;
    if (t_safe) begin
      t_go = t_try && !t_held && !conflict && safe_ok
          && (!t_bypass || (sync_room && (t_lds || marker_ok)));
    end else t_go = t_try && !t_held && unsafe_ok;
  end
  always_comb begin
    pass     = t_go && t_bypass;
    tq_pop   = t_go && tq_try;
    fr_push  = fr_look && !(t_go && fr_try) && !tq_full[la_warp] && la_data;
    la_room  = t_go && fr_try;
    la_ready_o = la_room || fr_push;
  end

  hd_mob #(.Warps(Warps), .LineW(LineW), .CtlW(CtlW), .UnsafeDepth(UnsafeDepth),
           .SafeDepth(SafeDepth), .SectorShift(ShiftW)) u_mob (
    .clk_i(clk_i), .rst_i(rst_i), .t_acc_i(t_acc), .t_line_i(t_line),
    .t_ctl_i({t_place, t_st, t_cas_idx}),
    .t_data_ok_i(tq_try || la_data), .merge_i(merge_i), .unsafe_ok_o(unsafe_ok),
    .safe_ok_o(safe_ok), .marker_ok_o(marker_ok), .put_unsafe_i(t_go && !t_safe),
    .put_safe_i(t_go && t_safe), .put_marker_i(pass && !t_lds), .direct_o(direct),
    .marker_new_o(marker_new), .lo_valid_o(lo_valid_o), .lo_ready_i(lo_ready_i),
    .lo_direct_o(lo_direct), .lo_queue_o(lo_queue), .lo_unsafe_o(lo_unsafe),
    .lo_acc_o(lo_acc), .lo_line_o(lo_line_o), .lo_ctl_o({lo_place_o, lo_st, lo_cas_idx}),
    .marker_out_o(marker_out),
    .marker_sector_o(marker_sector), .done_i(done), .done_warp_i(perf_warp_i),
    .done_seq_o(done_seq), .seq_o(seq), .seq_pend_o(seq_pend), .pend_o(unsafe_o),
    .moves_o(moves), .ready_o(ready)
  );
  always_comb begin
    lo_acc_o     = lo_acc;
    lo_acc_o.tag = {lo_unsafe, !lo_unsafe && lo_acc.space == hd_pkg::SPACE_GLOBAL,
                    HashW'(lo_line_o[LineW-1 -: SecW])};
    lo_cas       = hd_pkg::op_cas(lo_acc.kind, lo_acc.fn);
  end

  // ---- data of what waits -----------------------------------------------------------------------
  always_comb begin
    lo_has_data = lo_acc.kind != hd_pkg::OP_LOAD;
    take        = la_keeps && (fr_push || (la_room && !direct));
  end
  hd_store_data_array #(.Stores(Stores), .Cas(Cas), .DataW(DataW), .CmpW(CmpW)) u_data (
    .clk_i(clk_i), .rst_i(rst_i), .room_o(st_room), .cas_room_o(cas_room), .take_i(take),
    .take_cas_i(take && la_cas), .data_i(la_data_i), .cmp_i(la_cmp_i), .idx_o(st_idx),
    .cas_idx_o(cas_idx), .rd_idx_i(lo_st), .rd_cas_idx_i(lo_cas_idx), .data_o(st_data),
    .cmp_o(st_cmp),
    .free_i(lo_valid_o && lo_ready_i && lo_has_data && (lo_queue || tq_try)),
    .free_cas_i(lo_valid_o && lo_ready_i && lo_cas && (lo_queue || tq_try))
  );
  assign lo_data_o = (lo_queue || tq_try) ? st_data : la_data_i;
  assign lo_cmp_o  = (lo_queue || tq_try) ? st_cmp : la_cmp_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || moves || perf_valid_i || dn_valid_i || (ack_valid_o && ack_ready_i)) begin
      blocked_q <= '0;
    end else if ((tq_try && !t_go) || (tq_look && !lk_known && !ask_ok)) begin
      blocked_q <= blocked_q | tq_gnt;
    end
  end

  // ---- invalidations and recalls: acknowledged when what they must wait for has drained ---------
  hd_type_acks #(.Entries(AckEntries), .SectorW(SecW), .HashW(HashW)) u_acks (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .msg_i(msg_inv || msg_rec),
    .msg_recall_i(msg_rec), .msg_sector_i(msg_sector), .msg_src_i(dn.route.src), .msg_tid_i(dn.tid),
    .try_hash_i(t_hash), .held_o(acks_held), .out_hash_o(out_hash), .safe_out_i(safe_out),
    .any_out_i(any_out), .ack_valid_o(ack_valid_o), .ack_ready_i(ack_ready_i),
    .ack_head_o(ack_head_o), .empty_o(acks_empty)
  );
  always_comb begin
    req      = '0;
    req.kind = hd_pkg::MSG_TYPE_REQ;
    req.route = hd_pkg::route_up(sm_id_i,
                                 hd_pkg::NODE_W'(req_sector & SecW'((1 << PartBits) - 1)));
    req.addr = {req_sector, {(hd_pkg::ADDR_W - SecW) {1'b0}}};
    req.tid[hd_pkg::TYPE_WANTS_WRITE] = req_write;
  end
  assign req_head_o = req;

  hd_type_front #(.Warps(Warps), .CountW(FrontW)) u_front (
    .clk_i(clk_i), .rst_i(rst_i), .in_i(issue_i), .in_warp_i(issue_warp_i),
    .out_i(la_valid_i && la_ready_o && la_acc_i.last), .out_warp_i(la_warp), .front_o(front)
  );
  assign busy_o = front | ~tq_empty | unsafe_o;
  assign hold_o = tq_full;
  assign unknown_o = fr_push && !la_known;

  // In the order of hd_pkg::EV_SM_ORD_*, the last one first.
  assign ev_o = {t_safe && conflict && (tq_try || (fr_try && fr_push)),  // CONFLICT
                 msg_inv || msg_rec,                                     // INVAL
                 req_valid_o && req_ready_i,                             // ASK
                 marker_new,                                             // MARKER
                 t_go && !t_safe,                                        // UNSAFE
                 t_go && t_safe,                                         // SAFE
                 fr_push};                                               // QUEUED
  assign drained_o = !out_busy && sync_empty && reqs_empty && acks_empty && busy_o == '0;
  assign idle_o = !(la_valid_i && la_ready_o) && !dn_valid_i && !tq_valid && !ready
                  && !ack_valid_o && !req_valid_o;

  logic unused;
  assign unused = ^{dn, lo_direct, marker_sector};

  `HD_ASSERT(a_known_message, !dn_valid_i || msg_rep || msg_inv || msg_rec)
  `HD_ASSERT(a_own_partition, !dn_valid_i || 32'(dn.route.src) < (1 << PartBits))
endmodule
`default_nettype wire
