// hd_stalls.sv - why each warp did not issue: exactly one cause for every warp and cycle.
//
// An observer: built only where Stalls of the tile is set, read by nothing but the test bench.
// Inputs are vectors of Warps bits, named from the top; bit w of each belongs to warp w. Cause of a
// cycle, hd_pkg::stall_e, the first that holds:
//
//   EMPTY    no warp was launched into the slot since the last one's exit
//   ISSUED   issues
//   BARRIER  at_barrier
//   COPY     at_copy: it waits until groups of copies to the LDS are complete
//   no operation waits (not has): QUEUED: a load is out and accesses wait in the ordering
//            hardware (ld_pend, order_busy); DATA: a load is out; FRONT: else
//   SELECT   can
//   GAP      early: so soon after its last issue none of the warp may
//   TOKEN    held: its transaction waits for another warp's to end
//   not ok (hd_order_naive): SYNC: syncs, or an acquire of the warp is out (acq_block); ORDER: else
//   SLOTS    full
//   HOLD     order_hold
//   PIPE     else
//
// did_i    {leaves, issues, launch}. launch: one warp, for one cycle; its slot holds a warp from
//          the next cycle on. leaves: with issues, its exit issues.
// op_i     {syncs, ok, can, has}. has: an operation waits; can: it could issue now; ok: order lets
//          it; syncs: it is none of load, store, atomic, or it has release order, or it
//          synchronizes and an earlier access that does is out.
// wait_i   {held, early, at_copy, at_barrier}. sb_i: state_o of hd_scoreboard. order_i:
//          {order_hold, order_busy} of the ordering hardware.
// cause_o  {bits 3, 2, 1, 0 of the causes}, registers: of the cycle before.
// settled_o: in the next cycle the outputs will be what they are, with constant inputs.
// Warps: warp slots. Paper 1 section 6 (what the orders cost).
`default_nettype none
module hd_stalls #(
  parameter int unsigned Warps = 48
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [3*Warps-1:0] did_i,
  input  logic [4*Warps-1:0] op_i,
  input  logic [4*Warps-1:0] wait_i,
  input  logic [5*Warps-1:0] sb_i,
  input  logic [2*Warps-1:0] order_i,
  output logic [4*Warps-1:0] cause_o,
  output logic               settled_o
);
  logic [Warps-1:0] leaves, issues, launch, syncs, ok, can, has, held, early, at_copy, at_barrier;
  logic [Warps-1:0] sync_pend, acq_block, st_pend, ld_pend, full, order_hold, order_busy;
  assign {leaves, issues, launch} = did_i;
  assign {syncs, ok, can, has} = op_i;
  assign {held, early, at_copy, at_barrier} = wait_i;
  assign {sync_pend, acq_block, st_pend, ld_pend, full} = sb_i;
  assign {order_hold, order_busy} = order_i;

  logic [Warps-1:0] live_q, left, next0, next1, next2, next3;
  // The causes after EMPTY, one vector each; at most one bit of a warp is set.
  logic [Warps-1:0] issued, front, data, queued, barrier, select, pipe, slots, hold, order, sync;
  logic [Warps-1:0] gap, token, copy;

  always_comb begin
    issued  = live_q & issues;
    left    = live_q & ~issues;
    barrier = left & at_barrier;
    left    = left & ~at_barrier;
    copy    = left & at_copy;
    left    = left & ~copy;
    queued  = left & ~has & ld_pend & order_busy;
    data    = left & ~has & ld_pend & ~order_busy;
    front   = left & ~has & ~ld_pend;
    left    = left & has;
    select  = left & can;
    left    = left & ~can;
    gap     = left & early;
    left    = left & ~early;
    token   = left & held;
    left    = left & ~held;
    sync    = left & ~ok & (syncs | acq_block);
    order   = left & ~ok & ~syncs & ~acq_block;
    left    = left & ok;
    slots   = left & full;
    hold    = left & ~full & order_hold;
    pipe    = left & ~full & ~order_hold;

    // Bit k of a cause is bit k of its number.
    next0 = issued | data | barrier | pipe | hold | sync | gap;
    next1 = front | data | select | pipe | order | sync | copy | gap;
    next2 = queued | barrier | select | pipe | token | copy | gap;
    next3 = slots | hold | order | sync | token | copy | gap;
    settled_o = {next3, next2, next1, next0} == cause_o;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      live_q  <= '0;
      cause_o <= '0;
    end else begin
      live_q  <= (live_q | launch) & ~(issues & leaves);
      cause_o <= {next3, next2, next1, next0};
    end
  end

  logic unused;
  assign unused = ^{sync_pend, st_pend};
endmodule
`default_nettype wire
