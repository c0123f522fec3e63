// hd_freelist.sv - hands out the numbers 0..N-1, each to one holder at a time.
//
// take  idx_o is a free number while valid_o; take_i (only with valid_o) takes it on this edge.
// free  pulse: free_idx_i comes back. The caller frees only what was taken. It can be taken again
//       from the next cycle on.
// count_o  free numbers.
//
// After reset the numbers leave in rising order; once each has been out, in the order they came
// back. A counter serves the first round, so the ring of returned numbers needs no initialization.
`include "hd_assert.svh"
`default_nettype none
module hd_freelist #(
  parameter int unsigned N    = 8,
  parameter int unsigned IdxW = hd_pkg::idx_w(N),  // derived: leave at its default
  parameter int unsigned CntW = $clog2(N + 1)      // derived
) (
  input  logic            clk_i,
  input  logic            rst_i,

  output logic            valid_o,
  output logic [IdxW-1:0] idx_o,
  input  logic            take_i,

  input  logic            free_i,
  input  logic [IdxW-1:0] free_idx_i,

  output logic [CntW-1:0] count_o
);
  if (N == 0) begin : g_bad_n
    $error("hd_freelist: N must be at least 1");
  end

  logic [CntW-1:0] fresh_q;     // numbers below it have been out at least once
  logic [CntW-1:0] count_q;
  logic [IdxW-1:0] rd_q, wr_q;  // ring of returned numbers
  logic [IdxW-1:0] ring_idx;
  logic            first_round;

  function automatic logic [IdxW-1:0] after(input logic [IdxW-1:0] ptr);
    after = (ptr == IdxW'(N - 1)) ? '0 : ptr + IdxW'(1);
  endfunction

  hd_regfile #(
    .Width(IdxW),
    .Depth(N)
  ) u_ring (
    .clk_i  (clk_i),
    .we_i   (free_i),
    .waddr_i(wr_q),
    .wmask_i(1'b1),
    .wdata_i(free_idx_i),
    .raddr_i(rd_q),
    .rdata_o(ring_idx)
  );

  assign first_round = fresh_q != CntW'(N);
  assign valid_o     = count_q != '0;
  assign idx_o       = first_round ? IdxW'(fresh_q) : ring_idx;
  assign count_o     = count_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      fresh_q <= '0;
      count_q <= CntW'(N);
      rd_q    <= '0;
      wr_q    <= '0;
    end else begin
      if (take_i && first_round) fresh_q <= fresh_q + CntW'(1);
      if (take_i && !first_round) rd_q <= after(rd_q);
      if (free_i) wr_q <= after(wr_q);
      if (take_i != free_i) count_q <= free_i ? count_q + CntW'(1) : count_q - CntW'(1);
    end
  end

`ifndef SYNTHESIS
  logic [N-1:0] out_q;  // numbers that are taken, for the assertions
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      out_q <= '0;
    end else begin
      if (take_i) out_q[idx_o] <= 1'b1;
      if (free_i) out_q[free_idx_i] <= 1'b0;
    end
  end
`endif
  `HD_ASSERT(a_take_only_valid, !take_i || valid_o)
  `HD_ASSERT(a_free_in_range, !free_i || 32'(free_idx_i) < N)
  `HD_ASSERT(a_free_only_taken, !free_i || out_q[free_idx_i])
endmodule
`default_nettype wire
