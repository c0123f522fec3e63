// hd_type_choose.sv - which access of an SM is tried in a cycle: one that waits, or one offered.
//
// Paper 1 section 4.2; docs/type_aware.md. An access of a known type is tried in the cycle it is
// offered, unless its warp has some in its type-wait queue (hd_type_wait_queues) or the head of a
// queue is tried. One that is refused or of unknown type goes into the queue of its warp, and asks
// for its type. Heads of a known type take turns, those that must ask likewise. The former go
// first; after 15 of them one that must ask has its turn. One that was refused is tried again when
// something has moved. In a cycle with a message nothing is tried.
//
// la     line accesses, valid/ready; ready depends on what is offered. la_ctl_i: bits of it that
//        are kept. room_i: for those of one that waits.
// dn     dn_valid_i: a message comes; up_i, up_sector_i: what it means (hd_type_known).
// lk     what is looked up: a head without a type, else the one offered; lk_i answers in the same
//        cycle. ask_o: its type is asked for.
// t      the access that is tried, combinational; go_i answers in the same cycle: it goes.
//        moved_i: something left a queue, was performed or acknowledged: what was refused is tried
//        again.
// push_o the one offered goes into its queue; unknown_o: and waits for its type. Combinational.
// full_o empty_o: queues, registers. waits_o: there is a head to be tried or looked up.
//
// Warps; LineW; CtlW; Depth entries of a queue; SectorW bits of a sector number. Latency: 0.
`default_nettype none
module hd_type_choose #(
  parameter int unsigned Warps   = 48,
  parameter int unsigned LineW   = 25,
  parameter int unsigned CtlW    = 41,
  parameter int unsigned Depth   = 4,
  parameter int unsigned SectorW = 18
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               la_valid_i,
  output logic               la_ready_o,
  input  hd_pkg::access_s    la_acc_i,
  input  logic [LineW-1:0]   la_line_i,
  input  logic [CtlW-1:0]    la_ctl_i,
  input  hd_pkg::keep_s      room_i,

  input  logic               dn_valid_i,
  input  hd_pkg::type_up_s   up_i,
  input  logic [SectorW-1:0] up_sector_i,

  output logic [SectorW-1:0] lk_sector_o,
  output logic               lk_write_o,
  input  hd_pkg::type_look_s lk_i,
  output logic               ask_o,

  output hd_pkg::type_try_s  t_o,
  output hd_pkg::access_s    t_acc_o,
  output logic [LineW-1:0]   t_line_o,
  output logic [CtlW-1:0]    t_ctl_o,
  input  logic               go_i,
  input  logic               moved_i,

  output logic               push_o,
  output logic               unknown_o,
  output logic [Warps-1:0]   full_o,
  output logic [Warps-1:0]   empty_o,
  output logic               waits_o
);
  localparam int unsigned WarpW = hd_pkg::idx_w(Warps);
  localparam int unsigned TqW   = hd_pkg::SLOT_W + hd_pkg::QUEUED_W + LineW + CtlW;

  logic [WarpW-1:0]   la_warp, tq_warp, t_warp;
  logic               la_cas, la_lds, la_write, la_keeps, la_data, la_known, la_safe;
  logic [SectorW-1:0] la_sector, tq_sector;
  logic               fr_look, fr_try, fr_ask;
  logic [Warps-1:0]   known, ask, gnt;  // heads
  logic [1:0]         pick_valid;       // {one that must ask, of a known type}
  logic [2*Warps-1:0] pick_gnt;
  logic [2*WarpW-1:0] pick_warp;
  logic [3:0]         late_q;           // heads of a known type that went before one that must ask
  logic               asks;
  logic [Warps-1:0]   blocked_q;  // heads that were refused; nothing has moved since
  logic               tq_valid, tq_use, tq_known, tq_safe, tq_write, tq_try, tq_look;
  logic [TqW-1:0]     la_bits, tq_bits;
  logic               t_try, t_safe;
  logic [hd_pkg::SLOT_W-1:0]   t_slot;
  logic [hd_pkg::QUEUED_W-1:0] t_bits;

  assign la_warp  = WarpW'(la_acc_i.warp);
  assign la_data  = !la_keeps || (room_i.data && (!la_cas || room_i.cas));
  assign la_known = la_lds || lk_i.known;
  assign la_safe  = la_lds || lk_i.safe;
  assign fr_look  = la_valid_i && !dn_valid_i && !tq_look;
  assign fr_try   = fr_look && !tq_try && la_known && empty_o[la_warp];
  always_comb begin
    la_cas    = hd_pkg::op_cas(la_acc_i.kind, la_acc_i.fn);
    la_lds    = la_acc_i.space == hd_pkg::SPACE_LDS;
    la_write  = hd_pkg::op_writes(la_acc_i.kind);
    la_keeps  = la_acc_i.kind != hd_pkg::OP_LOAD;  // a copy has addresses to be kept
    la_sector = la_line_i[LineW-1 -: SectorW];
  end
  always_comb begin
    // The queues first; a head without a type looks into the Type-cache, then nobody else can.
    tq_use      = tq_valid && !dn_valid_i;
    tq_try      = tq_use && tq_known;
    tq_look     = tq_use && !tq_known;
    lk_sector_o = tq_look ? tq_sector : la_sector;
    lk_write_o  = tq_look ? tq_write : la_write;
  end
  assign fr_ask = push_o && !la_known && lk_i.ask_ok;
  assign ask_o  = (tq_look && !lk_i.known && lk_i.ask_ok) || fr_ask;

  // A message may take the type from a head again before it is tried, the more so the more heads
  // ask meanwhile. These could in turn wait for ever behind those of a known type, as of the LDS.
  hd_arb_rr #(.N(Warps), .Groups(2)) u_pick (
    .clk_i(clk_i), .rst_i(rst_i), .req_i({ask & ~blocked_q, known & ~blocked_q}),
    .take_i({tq_use && asks, tq_use && !asks}), .gnt_o(pick_gnt), .idx_o(pick_warp),
    .valid_o(pick_valid)
  );
  assign asks     = pick_valid[1] && (!pick_valid[0] || late_q == '1);
  assign tq_valid = pick_valid != '0;
  assign gnt      = asks ? pick_gnt[Warps +: Warps] : pick_gnt[0 +: Warps];
  assign tq_warp  = asks ? pick_warp[WarpW +: WarpW] : pick_warp[0 +: WarpW];
  always_ff @(posedge clk_i) begin
    if (rst_i || tq_look) late_q <= '0;
    else if (tq_try && pick_valid[1]) late_q <= late_q + 1'b1;
  end
  assign la_bits = {la_acc_i.slot, hd_pkg::queued(la_acc_i), la_line_i, la_ctl_i};
  hd_type_wait_queues #(.Warps(Warps), .Depth(Depth), .Width(TqW), .SectorW(SectorW)) u_wait (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_o), .push_warp_i(la_warp), .push_lds_i(la_lds),
    .push_sector_i(la_sector), .push_write_i(la_write), .push_known_i(la_known),
    .push_safe_i(la_safe), .push_asked_i(fr_ask), .push_data_i(la_bits), .up_i(dn_valid_i),
    .up_sector_i(up_sector_i), .up_reply_i(up_i.reply), .up_safe_i(up_i.safe),
    .up_write_i(up_i.write), .up_again_i(up_i.again), .known_o(known), .ask_o(ask),
    .rd_warp_i(tq_warp), .rd_known_o(tq_known), .rd_safe_o(tq_safe), .rd_write_o(tq_write),
    .rd_sector_o(tq_sector), .rd_data_o(tq_bits), .pop_i(go_i && tq_try),
    .rd_ask_i(tq_look && !lk_i.known && lk_i.ask_ok), .rd_known_i(tq_look && lk_i.known),
    .rd_safe_i(lk_i.safe), .full_o(full_o), .empty_o(empty_o)
  );

  // ---- the access that is tried -----------------------------------------------------------------
  always_comb begin
    t_try  = tq_try || fr_try;
    t_warp = la_warp;
    t_safe = la_safe;
    {t_slot, t_bits, t_line_o, t_ctl_o} = la_bits;
    if (tq_try) begin
      t_warp = tq_warp;
      t_safe = tq_safe;
      {t_slot, t_bits, t_line_o, t_ctl_o} = tq_bits;
    end
  end
  always_comb begin
    t_acc_o      = hd_pkg::ACCESS_W'(t_bits);
    t_acc_o.warp = hd_pkg::WARP_W'(t_warp);
    t_acc_o.slot = t_slot;
  end
  assign t_o = {t_try, t_safe, tq_try, tq_try || la_data};

  assign push_o     = fr_look && !(go_i && fr_try) && !full_o[la_warp] && la_data;
  assign la_ready_o = (go_i && fr_try) || push_o;
  assign unknown_o  = push_o && !la_known;
  assign waits_o    = tq_valid;

  always_ff @(posedge clk_i) begin
    if (rst_i || moved_i || dn_valid_i) blocked_q <= '0;
    else if ((tq_try && !go_i) || (tq_look && !lk_i.known && !lk_i.ask_ok)) begin
      blocked_q <= blocked_q | gnt;
    end
  end

  logic unused;
  assign unused = ^up_i;
endmodule
`default_nettype wire
