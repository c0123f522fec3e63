// hd_stalls.sv - why each warp did not issue: exactly one cause for every warp and cycle.
//
// An observer: built only where Stalls of the tile is set, read by nothing but the test bench. Bit
// w of every vector belongs to warp w. Cause of a cycle, hd_pkg::stall_e, the first that holds:
//
//   EMPTY    no warp was launched into the slot since the last one's exit
//   ISSUED   issue_i
//   BARRIER  barrier_i
//   COPY     copy_i: it waits until groups of copies to the LDS are complete
//   no operation waits (not has_i): QUEUED: a load is out and accesses wait in the ordering
//            hardware (ld_pend_i, order_busy_i); DATA: a load is out; FRONT: else
//   SELECT   can_i
//   GAP      early_i: so soon after its last issue none of the warp may
//   TOKEN    held_i: its transaction waits for another warp's to end
//   not ok_i (hd_order_naive): SYNC: sync_i, or an acquire of the warp is out (acq_block_i);
//            ORDER: else
//   SLOTS    full_i
//   HOLD     hold_i
//   PIPE     else
//
// launch_i: one warp, for one cycle; its slot holds a warp from the next cycle on. exit_i: with
// issue_i, its exit issues. has_i: an operation waits; can_i: it could issue now; ok_i: order lets
// it; sync_i: it is none of load, store, atomic, or it has release order, or it synchronizes and
// an earlier access that does is out.
// cause   cause0_o .. cause3_o: the bits of the causes, registers: of the cycle before.
// settled_o: in the next cycle the outputs will be what they are, with constant inputs.
// Warps: warp slots. Paper 1 section 6 (what the orders cost).
`default_nettype none
module hd_stalls #(
  parameter int unsigned Warps = 48
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [Warps-1:0] launch_i,
  input  logic [Warps-1:0] issue_i,
  input  logic [Warps-1:0] exit_i,
  input  logic [Warps-1:0] barrier_i,
  input  logic [Warps-1:0] copy_i,
  input  logic [Warps-1:0] has_i,
  input  logic [Warps-1:0] can_i,
  input  logic [Warps-1:0] ok_i,
  input  logic [Warps-1:0] sync_i,
  input  logic [Warps-1:0] ld_pend_i,
  input  logic [Warps-1:0] acq_block_i,
  input  logic [Warps-1:0] order_busy_i,
  input  logic [Warps-1:0] full_i,
  input  logic [Warps-1:0] hold_i,
  input  logic [Warps-1:0] early_i,
  input  logic [Warps-1:0] held_i,
  output logic [Warps-1:0] cause0_o,
  output logic [Warps-1:0] cause1_o,
  output logic [Warps-1:0] cause2_o,
  output logic [Warps-1:0] cause3_o,
  output logic             settled_o
);
  logic [Warps-1:0] live_q, left, next0, next1, next2, next3;
  // The causes after EMPTY, one vector each; at most one bit of a warp is set.
  logic [Warps-1:0] issued, front, data, queued, barrier, select, pipe, slots, hold, order, sync;
  logic [Warps-1:0] gap, token, copy;

  always_comb begin
    issued  = live_q & issue_i;
    left    = live_q & ~issue_i;
    barrier = left & barrier_i;
    left    = left & ~barrier_i;
    copy    = left & copy_i;
    left    = left & ~copy;
    queued  = left & ~has_i & ld_pend_i & order_busy_i;
    data    = left & ~has_i & ld_pend_i & ~order_busy_i;
    front   = left & ~has_i & ~ld_pend_i;
    left    = left & has_i;
    select  = left & can_i;
    left    = left & ~can_i;
    gap     = left & early_i;
    left    = left & ~early_i;
    token   = left & held_i;
    left    = left & ~held_i;
    sync    = left & ~ok_i & (sync_i | acq_block_i);
    order   = left & ~ok_i & ~sync_i & ~acq_block_i;
    left    = left & ok_i;
    slots   = left & full_i;
    hold    = left & ~full_i & hold_i;
    pipe    = left & ~full_i & ~hold_i;

    // Bit k of a cause is bit k of its number.
    next0 = issued | data | barrier | pipe | hold | sync | gap;
    next1 = front | data | select | pipe | order | sync | copy | gap;
    next2 = queued | barrier | select | pipe | token | copy | gap;
    next3 = slots | hold | order | sync | token | copy | gap;
    settled_o = next0 == cause0_o && next1 == cause1_o && next2 == cause2_o && next3 == cause3_o;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      live_q   <= '0;
      cause0_o <= '0;
      cause1_o <= '0;
      cause2_o <= '0;
      cause3_o <= '0;
    end else begin
      live_q   <= (live_q | launch_i) & ~(issue_i & exit_i);
      cause0_o <= next0;
      cause1_o <= next1;
      cause2_o <= next2;
      cause3_o <= next3;
    end
  end
endmodule
`default_nettype wire
