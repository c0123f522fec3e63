// hd_type_aware.sv - type-aware SC: classification of accesses and what orders the unsafe ones.
//
//   la --> Type-cache --known--------------> synchronization table --> hd_mob --> lo
//             | unknown, or the warp waits      ^ (safe and LDS)
//             '--> type-wait queues ------------'
//
// Parts: hd_type_known: Type-cache, requests for types, acknowledgements; hd_type_choose: which
// access is tried, type-wait queues; hd_type_pass: whether it goes, synchronization table, hd_mob.
// Here: data of stores that wait (hd_store_data_array), operations that have not come to la.
//
// Paper 1 section 4; how its holes are filled, tables and the argument
// that nothing waits in a circle: docs/type_aware.md.
//
// la      line accesses of the coalescer, valid/ready; ready depends on what is offered.
// lo      line accesses towards L1 and LDS, valid/ready; may change while it is not taken. Their
//         tag comes back with perf_i: {unsafe, safe in memory, low bits of the sector}.
//         la_body_i, lo_body_o from the top: line, place, data, cmp.
// perf    an access was performed.
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
  parameter int unsigned BodyW       = LineW + PlaceW + DataW + CmpW,  // derived
  parameter int unsigned WarpW       = hd_pkg::idx_w(Warps)              // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  input  logic                      merge_i,
  input  logic                      clear_i,

  input  logic                      la_valid_i,
  output logic                      la_ready_o,
  input  hd_pkg::access_s           la_acc_i,
  input  logic [BodyW-1:0]          la_body_i,

  output logic                      lo_valid_o,
  input  logic                      lo_ready_i,
  output hd_pkg::access_s           lo_acc_o,
  output logic [BodyW-1:0]          lo_body_o,

  input  logic                      perf_valid_i,
  input  hd_pkg::performed_s        perf_i,
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
  localparam int unsigned StW    = hd_pkg::idx_w(Stores);
  localparam int unsigned CsW    = hd_pkg::idx_w(Cas);
  localparam int unsigned CtlW   = PlaceW + StW + CsW;
  localparam int unsigned FrontW = hd_pkg::SLOT_W + 1;  // counts a warp's operations in front of la

  hd_pkg::type_up_s    up;
  hd_pkg::type_look_s  lk;
  hd_pkg::type_try_s   t;
  hd_pkg::type_count_s count;
  hd_pkg::keep_s       room, take, free;
  hd_pkg::access_s     t_acc;
  logic [SecW-1:0]     up_sector, lk_sector;
  logic                lk_write, ask, held, go, conflict, direct, push, keeps, cas;
  logic [LineW-1:0]    la_line, t_line, lo_line;
  logic [PlaceW-1:0]   la_place, lo_place;
  logic [CtlW-1:0]     t_ctl;
  logic [HashW-1:0]    t_hash;
  logic [StW-1:0]      st_idx, lo_st;
  logic [CsW-1:0]      cas_idx, lo_cas_idx;
  logic                lo_kept, lo_cas, leaves, moves, ready, waits;
  logic [DataW-1:0]    la_data, st_data, lo_data;
  logic [CmpW-1:0]     la_cmp, st_cmp, lo_cmp;
  logic                known_drained, pass_drained;
  logic [Warps-1:0]    front, tq_empty;

  assign {la_line, la_place, la_data, la_cmp} = la_body_i;
  assign lo_body_o = {lo_line, lo_place, lo_data, lo_cmp};

  hd_type_known #(
    .Entries(TypeEntries), .Ways(TypeWays), .Reqs(TypeReqs), .AckEntries(AckEntries),
    .PartBits(PartBits), .SectorW(SecW)
  ) u_known (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .clear_i(clear_i), .dn_valid_i(dn_valid_i),
    .dn_head_i(dn_head_i), .up_o(up), .up_sector_o(up_sector), .lk_sector_i(lk_sector),
    .lk_write_i(lk_write), .lk_o(lk), .ask_i(ask), .try_hash_i(t_hash), .held_o(held),
    .count_i(count),
    .req_valid_o(req_valid_o), .req_ready_i(req_ready_i), .req_head_o(req_head_o),
    .ack_valid_o(ack_valid_o), .ack_ready_i(ack_ready_i), .ack_head_o(ack_head_o),
    .drained_o(known_drained)
  );
  hd_type_choose #(
    .Warps(Warps), .LineW(LineW), .CtlW(CtlW), .Depth(WaitDepth), .SectorW(SecW)
  ) u_choose (
    .clk_i(clk_i), .rst_i(rst_i), .la_valid_i(la_valid_i), .la_ready_o(la_ready_o),
    .la_acc_i(la_acc_i), .la_line_i(la_line), .la_ctl_i({la_place, st_idx, cas_idx}),
    .room_i(room), .dn_valid_i(dn_valid_i), .up_i(up), .up_sector_i(up_sector),
    .lk_sector_o(lk_sector), .lk_write_o(lk_write), .lk_i(lk), .ask_o(ask), .t_o(t),
    .t_acc_o(t_acc), .t_line_o(t_line), .t_ctl_o(t_ctl), .go_i(go),
    .moved_i(moves || perf_valid_i || (ack_valid_o && ack_ready_i)), .push_o(push),
    .unknown_o(unknown_o), .full_o(hold_o), .empty_o(tq_empty), .waits_o(waits)
  );
  hd_type_pass #(
    .Warps(Warps), .LineW(LineW), .CtlW(CtlW), .UnsafeDepth(UnsafeDepth), .SafeDepth(SafeDepth),
    .SyncEntries(SyncEntries), .SectorShift(ShiftW)
  ) u_pass (
    .clk_i(clk_i), .rst_i(rst_i), .merge_i(merge_i), .t_i(t), .t_acc_i(t_acc), .t_line_i(t_line),
    .t_ctl_i(t_ctl), .held_i(held), .go_o(go), .conflict_o(conflict), .direct_o(direct),
    .lo_valid_o(lo_valid_o), .lo_ready_i(lo_ready_i), .lo_acc_o(lo_acc_o), .lo_line_o(lo_line),
    .lo_ctl_o({lo_place, lo_st, lo_cas_idx}), .lo_kept_o(lo_kept), .perf_valid_i(perf_valid_i),
    .perf_i(perf_i), .count_o(count), .hash_o(t_hash),
    .pend_o(unsafe_o), .moves_o(moves), .ready_o(ready),
    .drained_o(pass_drained)
  );

  // ---- data of what waits -----------------------------------------------------------------------
  always_comb begin
    cas       = hd_pkg::op_cas(la_acc_i.kind, la_acc_i.fn);
    // A copy has addresses to be kept.
    keeps     = la_acc_i.kind != hd_pkg::OP_LOAD && (push || (go && !t.queued && !direct));
    take.data = keeps;
    take.cas  = keeps && cas;
    lo_cas    = hd_pkg::op_cas(lo_acc_o.kind, lo_acc_o.fn);
    leaves    = lo_valid_o && lo_ready_i && lo_kept;
    free.data = leaves && lo_acc_o.kind != hd_pkg::OP_LOAD;
    free.cas  = leaves && lo_cas;
  end
  hd_store_data_array #(.Stores(Stores), .Cas(Cas), .DataW(DataW), .CmpW(CmpW)) u_data (
    .clk_i(clk_i), .rst_i(rst_i), .room_o(room), .take_i(take),
    .data_i(la_data), .cmp_i(la_cmp), .idx_o(st_idx),
    .cas_idx_o(cas_idx), .rd_idx_i(lo_st), .rd_cas_idx_i(lo_cas_idx), .data_o(st_data),
    .cmp_o(st_cmp), .free_i(free)
  );
  assign lo_data = lo_kept ? st_data : la_data;
  assign lo_cmp  = lo_kept ? st_cmp : la_cmp;

  hd_type_front #(.Warps(Warps), .CountW(FrontW)) u_front (
    .clk_i(clk_i), .rst_i(rst_i), .in_i(issue_i), .in_warp_i(issue_warp_i),
    .out_i(la_valid_i && la_ready_o && la_acc_i.last), .out_warp_i(WarpW'(la_acc_i.warp)),
    .front_o(front)
  );
  assign busy_o = front | ~tq_empty | unsafe_o;

  // In the order of hd_pkg::EV_SM_ORD_*, the last one first.
  assign ev_o = {t.safe && conflict && (t.queued || (t.valid && push)),  // CONFLICT
                 dn_valid_i && !up.reply,                                // INVAL
                 req_valid_o && req_ready_i,                             // ASK
                 count.add_marker,                                       // MARKER
                 go && !t.safe,                                          // UNSAFE
                 go && t.safe,                                           // SAFE
                 push};                                                  // QUEUED
  assign drained_o = known_drained && pass_drained && busy_o == '0;
  assign idle_o = !(la_valid_i && la_ready_o) && !dn_valid_i && !waits && !ready && !ack_valid_o
                  && !req_valid_o;
endmodule
`default_nettype wire
