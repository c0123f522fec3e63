// hd_barrier.sv - block barriers of one SM.
//
// launch   launch_valid_i: warp launch_warp_i joins thread block launch_block_i. All warps of a
//          block join before any of them arrives or exits, else the early ones would pass alone.
// arrive   arrive_valid_i: a live warp reached the barrier; wait_o[warp] is 1 from the next cycle
//          on, up to and including the cycle of its release.
// exit     exit_valid_i: a live warp that is not waiting leaves its block; this can complete a
//          barrier the others wait at. Not in the same cycle as an arrival.
// release  release_o[w]: one-cycle pulse, all warps of the block at once, in the cycle after the
//          arrival or exit that completed the barrier. A function of registers.
// idle_o   no release is due: nothing moves while the three valids are low.
//
// Warps: warp slots. Blocks: thread block slots.
`include "hd_assert.svh"
`default_nettype none
module hd_barrier #(
  parameter int unsigned Warps  = 48,
  parameter int unsigned Blocks = 8,
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps),  // derived: leave at its default
  parameter int unsigned BlockW = hd_pkg::idx_w(Blocks)  // derived
) (
  input  logic              clk_i,
  input  logic              rst_i,

  input  logic              launch_valid_i,
  input  logic [WarpW-1:0]  launch_warp_i,
  input  logic [BlockW-1:0] launch_block_i,

  input  logic              arrive_valid_i,
  input  logic [WarpW-1:0]  arrive_warp_i,

  input  logic              exit_valid_i,
  input  logic [WarpW-1:0]  exit_warp_i,

  output logic [Warps-1:0]  release_o,
  output logic [Warps-1:0]  wait_o,
  output logic              idle_o
);
  if (Warps == 0 || Blocks == 0) begin : g_bad_size
    $error("hd_barrier: Warps and Blocks must be at least 1");
  end

  logic [Blocks*Warps-1:0] live_q;  // slice b: warps of block b; a warp is in one block at most
  logic [Warps-1:0]  arrived_q;            // of all blocks
  logic [BlockW-1:0] block_q [0:Warps-1];  // block of each live warp
  logic              check_q;              // the last edge took an arrival or exit of check_block_q
  logic [BlockW-1:0] check_block_q;

  logic [Warps-1:0]  members, launch_bit, arrive_bit, exit_bit;

  always_comb begin
    members   = '0;
    release_o = '0;
    if (check_q) begin
      for (int unsigned b = 0; b < Blocks; b++)
        if (check_block_q == BlockW'(b)) members = live_q[b*Warps +: Warps];
      if ((members & ~arrived_q) == '0) release_o = members;
    end
  end

  always_comb begin
    launch_bit = '0;
    arrive_bit = '0;
    exit_bit   = '0;
    if (launch_valid_i) launch_bit[launch_warp_i] = 1'b1;
    if (arrive_valid_i) arrive_bit[arrive_warp_i] = 1'b1;
    if (exit_valid_i) exit_bit[exit_warp_i] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      check_q   <= 1'b0;
      arrived_q <= '0;
    end else begin
      check_q <= arrive_valid_i || exit_valid_i;
      if (check_q || arrive_valid_i) arrived_q <= (arrived_q & ~release_o) | arrive_bit;
    end
    if (rst_i) live_q <= '0;
    else if (exit_valid_i || launch_valid_i) begin : change  // one assignment: simulators look at
      logic [Blocks*Warps-1:0] next;                         // each in every cycle
      for (int unsigned b = 0; b < Blocks; b++)
        next[b*Warps +: Warps] = (live_q[b*Warps +: Warps] & ~exit_bit)
                                 | ((launch_block_i == BlockW'(b)) ? launch_bit : '0);
      live_q <= next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (launch_valid_i) block_q[launch_warp_i] <= launch_block_i;
    if (arrive_valid_i) check_block_q <= block_q[arrive_warp_i];
    if (exit_valid_i) check_block_q <= block_q[exit_warp_i];
  end

  assign wait_o = arrived_q;
  assign idle_o = !check_q;

`ifndef SYNTHESIS
  logic [Warps-1:0] live, launch_members;
  always_comb begin
    live           = '0;
    launch_members = '0;
    for (int unsigned b = 0; b < Blocks; b++) begin
      live = live | live_q[b*Warps +: Warps];
      if (launch_block_i == BlockW'(b)) launch_members = live_q[b*Warps +: Warps];
    end
  end
`endif
  `HD_ASSERT(a_one_arrival_or_exit, !(arrive_valid_i && exit_valid_i))
  `HD_ASSERT(a_launch_of_a_free_warp, (launch_bit & live) == '0)
  `HD_ASSERT(a_launch_before_arrivals, !launch_valid_i || (launch_members & arrived_q) == '0)
  `HD_ASSERT(a_arrival_of_a_live_warp, (arrive_bit & (~live | arrived_q)) == '0)
  `HD_ASSERT(a_exit_of_a_live_warp, (exit_bit & (~live | arrived_q)) == '0)
endmodule
`default_nettype wire
