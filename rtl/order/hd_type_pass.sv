// hd_type_pass.sv - whether an access of a known type goes, and what leaves towards L1 and LDS.
//
// Paper 1 section 4.2; docs/type_aware.md. Joins hd_sync_table and hd_mob: an unsafe access goes if
// it leaves or finds room in its queue; a safe one if it does not conflict with what passed unsafe
// accesses of another warp, and if it passes some of its own warp, only with an entry in the table
// and (not of the LDS) a marker behind them. None goes while its sector drains. Once one of a
// type-wait queue has met an entry of another warp, no other warp makes or renews one that it would
// meet until it has gone.
//
// t      the access that is tried (hd_type_choose); held_i: its sector drains. Combinational: go_o:
//        it goes; conflict_o: it is safe and conflicts; direct_o: it leaves at once.
// lo     line accesses, valid/ready; may change while it is not taken. Tag: {unsafe, safe in
//        memory, low bits of the sector}. lo_kept_o: its data are those of one that waited.
// perf   an access was performed.
// count_o  what hd_type_known counts: hash_o is the hash of the access that is tried.
// pend_o bit w: warp w has unsafe accesses that are not performed; registers. moves_o: something
//        leaves a queue. ready_o: something could. drained_o: no access has passed unsafe ones.
// merge_i policy: no marker behind one of its sector.
//
// Warps; LineW; CtlW: bits of an access that are kept; UnsafeDepth, SafeDepth: entries of a warp's
// unsafe queue, of the safe queue; SyncEntries; SectorShift: line bits below the sector number.
// Latency: 0.
`default_nettype none
module hd_type_pass #(
  parameter int unsigned Warps       = 48,
  parameter int unsigned LineW       = 25,
  parameter int unsigned CtlW        = 41,
  parameter int unsigned UnsafeDepth = 4,
  parameter int unsigned SafeDepth   = 16,
  parameter int unsigned SyncEntries = 64,
  parameter int unsigned SectorShift = 7,
  parameter int unsigned HashW       = hd_pkg::TAG_W - 2  // derived: leave at its default
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  input  logic                     merge_i,

  input  hd_pkg::type_try_s        t_i,
  input  hd_pkg::access_s          t_acc_i,
  input  logic [LineW-1:0]         t_line_i,
  input  logic [CtlW-1:0]          t_ctl_i,
  input  logic                     held_i,
  output logic                     go_o,
  output logic                     conflict_o,
  output logic                     direct_o,

  output logic                     lo_valid_o,
  input  logic                     lo_ready_i,
  output hd_pkg::access_s          lo_acc_o,
  output logic [LineW-1:0]         lo_line_o,
  output logic [CtlW-1:0]          lo_ctl_o,
  output logic                     lo_kept_o,

  input  logic                     perf_valid_i,
  input  hd_pkg::performed_s       perf_i,

  output hd_pkg::type_count_s      count_o,
  output logic [HashW-1:0]         hash_o,
  output logic [Warps-1:0]         pend_o,
  output logic                     moves_o,
  output logic                     ready_o,
  output logic                     drained_o
);
  localparam int unsigned SecW = LineW - SectorShift;
  localparam int unsigned SeqW = hd_pkg::ORDER_SEQ_W;
  localparam int unsigned WarpW = hd_pkg::idx_w(Warps);

  hd_pkg::access_s  lo_acc;
  logic             t_lds, t_write, t_bypass, t_held, pass, sync_room, done;
  logic             unsafe_ok, safe_ok, marker_ok, marker_new, marker_out;
  logic             lo_direct, lo_queue, lo_unsafe, seq_pend;
  logic [SecW-1:0]  marker_sector;
  logic [SeqW-1:0]  seq, done_seq;
  logic [WarpW-1:0] perf_warp;

  assign t_lds = t_acc_i.space == hd_pkg::SPACE_LDS;
  // Not in a block: Yosys gives a function the value from before the block.
  assign t_write = hd_pkg::op_writes(t_acc_i.kind);
  assign hash_o = HashW'(t_line_i[LineW-1 -: SecW]);
  assign perf_warp = WarpW'(perf_i.warp);
  assign done = perf_valid_i && perf_i.tag[hd_pkg::TAG_W-1];

  hd_sync_table #(.Entries(SyncEntries), .Warps(Warps), .LineW(LineW)) u_sync (
    .clk_i(clk_i), .rst_i(rst_i), .look_i(t_i.valid && t_i.safe), .look_acc_i(t_acc_i),
    .look_line_i(t_line_i), .conflict_o(conflict_o), .room_o(sync_room), .pass_i(pass),
    .pass_seq_i(seq), .done_i(done), .done_warp_i(perf_warp), .done_seq_i(done_seq),
    .empty_o(drained_o)
  );

  // Warps that poll a line pass unsafe accesses again and again: their entries would be renewed for
  // ever before an access that conflicts with them. One that is in its type-wait queue has all it
  // needs to go, and is the next of its warp: those that yield to it wait for nothing else.
  logic             want_q, want_write_q, yields;
  logic [LineW:0]   want_line_q;  // space, line
  logic [WarpW-1:0] want_warp_q, t_warp;
  assign t_warp = WarpW'(t_acc_i.warp);
  assign yields = want_q && t_warp != want_warp_q && (t_write || want_write_q)
      && want_line_q == {t_acc_i.space, t_line_i};
  always_ff @(posedge clk_i) begin
    if (rst_i) want_q <= 1'b0;
    else if (want_q) want_q <= !(go_o && t_warp == want_warp_q);
    else want_q <= t_i.queued && conflict_o;
    if (!want_q) begin
      want_write_q <= t_write;
      want_line_q  <= {t_acc_i.space, t_line_i};
      want_warp_q  <= t_warp;
    end
  end

  always_comb begin
    t_bypass = t_i.safe && seq_pend;
    t_held   = held_i && !t_lds;
    if (t_i.safe) begin
      go_o = t_i.valid && !t_held && !conflict_o && safe_ok
          && (!t_bypass || (!yields && sync_room && (t_lds || marker_ok)));
    end else go_o = t_i.valid && !t_held && unsafe_ok;
  end
  assign pass = go_o && t_bypass;

  hd_mob #(
    .Warps(Warps), .LineW(LineW), .CtlW(CtlW), .UnsafeDepth(UnsafeDepth), .SafeDepth(SafeDepth),
    .SectorShift(SectorShift)
  ) u_mob (
    .clk_i(clk_i), .rst_i(rst_i), .t_acc_i(t_acc_i), .t_line_i(t_line_i), .t_ctl_i(t_ctl_i),
    .t_data_ok_i(t_i.data_ok), .merge_i(merge_i), .unsafe_ok_o(unsafe_ok), .safe_ok_o(safe_ok),
    .marker_ok_o(marker_ok), .put_unsafe_i(go_o && !t_i.safe), .put_safe_i(go_o && t_i.safe),
    .put_marker_i(pass && !t_lds), .direct_o(direct_o), .marker_new_o(marker_new),
    .lo_valid_o(lo_valid_o), .lo_ready_i(lo_ready_i), .lo_direct_o(lo_direct),
    .lo_queue_o(lo_queue), .lo_unsafe_o(lo_unsafe), .lo_acc_o(lo_acc), .lo_line_o(lo_line_o),
    .lo_ctl_o(lo_ctl_o), .marker_out_o(marker_out), .marker_sector_o(marker_sector),
    .done_i(done), .done_warp_i(perf_warp), .done_seq_o(done_seq), .seq_o(seq),
    .seq_pend_o(seq_pend), .pend_o(pend_o), .moves_o(moves_o), .ready_o(ready_o)
  );
  always_comb begin
    lo_acc_o     = lo_acc;
    lo_acc_o.tag = {lo_unsafe, !lo_unsafe && lo_acc.space == hd_pkg::SPACE_GLOBAL,
                    HashW'(lo_line_o[LineW-1 -: SecW])};
  end
  assign lo_kept_o     = lo_queue || t_i.queued;
  assign count_o.add_safe    = go_o && t_i.safe && !t_lds;
  assign count_o.add_unsafe  = go_o && !t_i.safe;
  assign count_o.add_marker  = marker_new;
  assign count_o.sub_safe    = perf_valid_i && perf_i.tag[HashW];
  assign count_o.sub_unsafe  = done;
  assign count_o.sub_marker  = marker_out;
  assign count_o.sub_hash    = perf_i.tag[HashW-1:0];
  assign count_o.marker_hash = HashW'(marker_sector);

  logic unused;
  assign unused = ^{lo_direct, marker_sector, perf_i};
endmodule
`default_nettype wire
