// hd_release_fence.sv - which warps of an SM send the L1 a fence before their operation (DRF, HRF).
//
// arrive  an operation comes to the warp of arrive_warp_i (one hot); arrive_fence_i: it wants a
//         fence in front of it. exit_i: warps whose operation is an exit, from the next cycle on.
// issue   gnt_i (one hot): with sent_i its fence issues, with leave_i its exit. launch_i: a warp
//         becomes live.
// fence_o a fence is what the warp issues next; registers. An exit wants one only if no other warp
//         is live, for a fence is for the words of all; and wants it again if a warp has left
//         since it was sent. One of others live passes, and is owed a fence.
//
// Warps: warp slots. Paper 3 section 2.2: a kernel ends with one release of each SM.
`include "hd_assert.svh"
`default_nettype none
module hd_release_fence #(
  parameter int unsigned Warps = 48
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             launch_i,
  input  logic             arrive_i,
  input  logic [Warps-1:0] arrive_warp_i,
  input  logic             arrive_fence_i,
  input  logic [Warps-1:0] exit_i,
  input  logic [Warps-1:0] gnt_i,
  input  logic             sent_i,
  input  logic             leave_i,
  output logic [Warps-1:0] fence_o
);
  localparam int unsigned LiveW = hd_pkg::idx_w(Warps + 1);

  logic [Warps-1:0] fence_q;  // wants one; of exits: if it is the last
  logic             owed_q;   // a warp left with no fence since
  logic [LiveW-1:0] live_q;   // warps between launch and exit

  always_comb begin
    fence_o = fence_q;
    if (live_q != LiveW'(1)) fence_o = fence_q & ~exit_i;
    else if (owed_q) fence_o = fence_q | exit_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      live_q <= '0;
      owed_q <= 1'b0;
    end else begin
      if (launch_i != leave_i) live_q <= launch_i ? live_q + 1'b1 : live_q - 1'b1;
      if (leave_i && (gnt_i & fence_q) != '0) owed_q <= 1'b1;
      else if (sent_i && (gnt_i & exit_i) != '0) owed_q <= 1'b0;
    end
    if (arrive_i || sent_i) begin
      fence_q <= (fence_q & ~(arrive_i ? arrive_warp_i : '0) & ~(sent_i ? gnt_i : '0))
                 | (arrive_i && arrive_fence_i ? arrive_warp_i : '0);
    end
  end

  `HD_ASSERT(a_a_live_warp_leaves, !leave_i || live_q != '0)
  `HD_ASSERT(a_no_more_than_all, !launch_i || 32'(live_q) < Warps)
endmodule
`default_nettype wire
