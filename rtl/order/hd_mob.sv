// hd_mob.sv - memory ordering buffer: unsafe queues with markers, safe queue, port to L1 and LDS.
//
// Paper 1 section 4.2. A classified access goes out at once if its class lets it and the port is
// free; else it waits in its queue. One access a cycle goes out: of the unsafe queues first, then
// of the safe queue, then the one that comes: the queues never wait for what is in
// front of them. After 15 unsafe accesses that went before it the head of the safe queue has its
// turn. Unsafe accesses: hd_unsafe_queues. A safe access never passes the safe queue, not even one
// to the LDS.
//
// t       the classified access: t_* describe it. unsafe_ok_o, safe_ok_o: it would go out or find
//         room, as an unsafe or as a safe one; marker_ok_o: there is room for a marker of its warp,
//         or none is needed because the queue ends with one of its sector (merge_i).
//         t_data_ok_i: its data have a place, in case it has to wait. put_unsafe_i or put_safe_i,
//         put_marker_i with the latter: it goes. direct_o: it goes straight out; marker_new_o: a
//         marker entered the queue.
// lo      valid/ready, may change while it is not taken. lo_direct_o: the access is t's.
//         lo_queue_o: it leaves a queue. lo_unsafe_o: its class.
// marker  marker_out_o: a marker leaves, the one of marker_sector_o.
// done    an unsafe access that went out was performed. pend_o seq_* done_seq_o: hd_unsafe_queues.
// moves_o something leaves a queue in this cycle (room for what waited).
// ready_o something could leave (idle: not ready_o).
// UnsafeDepth: entries of a warp; SafeDepth; CtlW: further bits of an access; SectorShift: line
// bits below the sector number.
`include "hd_assert.svh"
`default_nettype none
module hd_mob #(
  parameter int unsigned Warps       = 48,
  parameter int unsigned LineW       = 25,
  parameter int unsigned CtlW        = 32,
  parameter int unsigned UnsafeDepth = 4,
  parameter int unsigned SafeDepth   = 16,
  parameter int unsigned SectorShift = 7,
  parameter int unsigned SeqW        = hd_pkg::ORDER_SEQ_W,
  parameter int unsigned WarpW       = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  hd_pkg::access_s  t_acc_i,
  input  logic [LineW-1:0] t_line_i,
  input  logic [CtlW-1:0]  t_ctl_i,
  input  logic             t_data_ok_i,
  input  logic             merge_i,
  output logic             unsafe_ok_o,
  output logic             safe_ok_o,
  output logic             marker_ok_o,
  input  logic             put_unsafe_i,
  input  logic             put_safe_i,
  input  logic             put_marker_i,
  output logic             direct_o,
  output logic             marker_new_o,

  output logic             lo_valid_o,
  input  logic             lo_ready_i,
  output logic             lo_direct_o,
  output logic             lo_queue_o,
  output logic             lo_unsafe_o,
  output hd_pkg::access_s  lo_acc_o,
  output logic [LineW-1:0] lo_line_o,
  output logic [CtlW-1:0]  lo_ctl_o,

  output logic             marker_out_o,
  output logic [LineW-SectorShift-1:0] marker_sector_o,

  input  logic             done_i,
  input  logic [WarpW-1:0] done_warp_i,
  output logic [SeqW-1:0]  done_seq_o,
  output logic [SeqW-1:0]  seq_o,
  output logic             seq_pend_o,
  output logic [Warps-1:0] pend_o,

  output logic             moves_o,
  output logic             ready_o
);
  localparam int unsigned SqW  = WarpW + hd_pkg::SLOT_W + hd_pkg::QUEUED_W + LineW + CtlW;
  localparam int unsigned SecW = LineW - SectorShift;

  logic             uq_valid, uq_take, uq_marker, uq_port, uq_direct_ok, uq_push;
  hd_pkg::oq_e      uq_kind;
  hd_pkg::oq_do_s   todo;
  hd_pkg::access_s  uq_acc;
  logic [WarpW-1:0] t_warp, sq_warp;
  logic [hd_pkg::SLOT_W-1:0]   sq_slot;
  logic [hd_pkg::QUEUED_W-1:0] sq_bits;
  logic [LineW-1:0] uq_line, sq_line;
  logic [CtlW-1:0]  uq_ctl, sq_ctl;
  logic [Warps-1:0] uq_full, uq_empty;
  logic             sq_room, sq_valid, sq_take, sq_push, port_free;
  logic [$clog2(SafeDepth+1)-1:0] sq_count;
  logic             unsafe_direct, safe_direct, merge;

  hd_unsafe_queues #(
    .Warps(Warps), .Depth(UnsafeDepth), .Width(LineW + CtlW), .SeqW(SeqW)
  ) u_unsafe (
    .clk_i(clk_i), .rst_i(rst_i), .in_acc_i(t_acc_i), .in_data_i({t_line_i, t_ctl_i}),
    .direct_ok_o(uq_direct_ok), .do_i(todo), .out_valid_o(uq_valid), .out_kind_o(uq_kind),
    .out_acc_o(uq_acc), .out_data_o({uq_line, uq_ctl}), .done_i(done_i),
    .done_warp_i(done_warp_i), .state_o({pend_o, uq_empty, uq_full}),
    .seq_o({seq_pend_o, done_seq_o, seq_o})
  );
  assign todo.push   = uq_push;
  assign todo.kind   = put_unsafe_i ? hd_pkg::OQ_ORDERED : hd_pkg::OQ_MARKER;
  assign todo.direct = put_unsafe_i && unsafe_direct;
  assign todo.take   = uq_take;
  hd_fifo #(.Width(SqW), .Depth(SafeDepth)) u_safe (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(sq_push), .in_ready_o(sq_room),
    .in_data_i({t_warp, t_acc_i.slot, hd_pkg::queued(t_acc_i), t_line_i, t_ctl_i}),
    .out_valid_o(sq_valid),
    .out_ready_i(sq_take), .out_data_o({sq_warp, sq_slot, sq_bits, sq_line, sq_ctl}),
    .count_o(sq_count)
  );

  // ---- markers: does the queue of the access's warp end with one of its sector? -----------------
  logic [Warps-1:0] tail_q;                       // the queue's last entry is a marker
  logic [SecW-1:0]  tail_sector_q [0:Warps-1];
  always_ff @(posedge clk_i) begin
    if (rst_i) tail_q <= '0;
    else if (uq_push) tail_q[t_warp] <= !put_unsafe_i;
    if (uq_push) tail_sector_q[t_warp] <= t_line_i[LineW-1 -: SecW];
  end
  // Unsafe accesses of many warps could take the port in every cycle.
  logic [3:0] late_q;
  logic       turn;
  assign turn = late_q == '1;
  always_ff @(posedge clk_i) begin
    if (rst_i || !sq_valid || sq_take) late_q <= '0;
    else if (uq_port && lo_ready_i) late_q <= late_q + 1'b1;
  end
  assign t_warp = WarpW'(t_acc_i.warp);
  assign merge = merge_i && !uq_empty[t_warp] && tail_q[t_warp]
      && tail_sector_q[t_warp] == t_line_i[LineW-1 -: SecW];

  always_comb begin
    uq_marker     = uq_valid && uq_kind == hd_pkg::OQ_MARKER;
    uq_port       = uq_valid && !uq_marker && !turn;
    uq_take       = uq_marker || (uq_port && lo_ready_i);
    sq_take       = sq_valid && lo_ready_i && !uq_port;
    port_free     = lo_ready_i && !uq_port && !sq_valid;
    unsafe_direct = port_free && uq_direct_ok;
    safe_direct   = port_free;
    unsafe_ok_o   = unsafe_direct || (!uq_full[t_warp] && t_data_ok_i);
    safe_ok_o     = safe_direct || (sq_room && t_data_ok_i);
    marker_ok_o   = merge || !uq_full[t_warp];
  end
  always_comb begin
    direct_o      = (put_unsafe_i && unsafe_direct) || (put_safe_i && safe_direct);
    marker_new_o  = put_marker_i && !merge;
    uq_push       = (put_unsafe_i && !unsafe_direct) || marker_new_o;
    sq_push       = put_safe_i && !safe_direct;
  end
  always_comb begin
    lo_direct_o = direct_o;
    lo_queue_o  = uq_port || sq_valid;
    lo_valid_o  = lo_queue_o || direct_o;
    lo_unsafe_o = uq_port || (!sq_valid && put_unsafe_i);
    lo_acc_o = t_acc_i;
    if (uq_port) begin
      lo_acc_o      = uq_acc;
      lo_line_o     = uq_line;
      lo_ctl_o      = uq_ctl;
    end else if (sq_valid) begin
      lo_acc_o      = hd_pkg::ACCESS_W'(sq_bits);
      lo_acc_o.warp = hd_pkg::WARP_W'(sq_warp);
      lo_acc_o.slot = sq_slot;
      lo_line_o     = sq_line;
      lo_ctl_o      = sq_ctl;
    end else begin
      lo_line_o     = t_line_i;
      lo_ctl_o      = t_ctl_i;
    end
  end
  assign marker_out_o    = uq_marker;
  assign marker_sector_o = uq_line[LineW-1 -: SecW];
  assign moves_o         = uq_take || sq_take;
  assign ready_o         = uq_marker || ((uq_port || sq_valid) && lo_ready_i);

  logic unused;
  assign unused = ^sq_count;

  `HD_ASSERT(a_one_class, !(put_unsafe_i && (put_safe_i || put_marker_i)))
  `HD_ASSERT(a_marker_with_safe, !put_marker_i || (put_safe_i && marker_ok_o))
  `HD_ASSERT(a_put_has_room, (!put_unsafe_i || unsafe_ok_o) && (!put_safe_i || safe_ok_o))
endmodule
`default_nettype wire
