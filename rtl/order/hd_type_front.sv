// hd_type_front.sv - operations of each warp between issue and classification.
//
// in     in_i: an operation of warp in_warp_i was issued.
// out    out_i: the last access of an operation of warp out_warp_i was taken.
// front_o  bit w: warp w has operations in between. Register.
// A warp has at most 2**CountW - 1 of them.
`include "hd_assert.svh"
`default_nettype none
module hd_type_front #(
  parameter int unsigned Warps  = 48,
  parameter int unsigned CountW = 4,
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             in_i,
  input  logic [WarpW-1:0] in_warp_i,
  input  logic             out_i,
  input  logic [WarpW-1:0] out_warp_i,
  output logic [Warps-1:0] front_o
);
  logic [CountW-1:0] count_q [0:Warps-1];
  logic [Warps-1:0]  in_bit, out_bit;
  logic [CountW-1:0] in_count, out_count;
  logic              same;
  always_comb begin
    in_bit  = '0;
    out_bit = '0;
    if (in_i) in_bit[in_warp_i] = 1'b1;
    if (out_i) out_bit[out_warp_i] = 1'b1;
    in_count  = count_q[in_warp_i];
    out_count = count_q[out_warp_i];
    same = (in_bit & out_bit) != '0;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      front_o <= '0;
      for (int unsigned w = 0; w < Warps; w++) count_q[w] <= '0;
    end else begin
      if (in_i && !same) count_q[in_warp_i] <= in_count + CountW'(1);
      if (out_i && !same) count_q[out_warp_i] <= out_count - CountW'(1);
      if (in_i || out_i) begin
        front_o <= (front_o & ~((out_count == CountW'(1)) ? out_bit : '0)) | in_bit;
      end
    end
  end

  `HD_ASSERT(a_in_has_room, !in_i || same || in_count != '1)
  `HD_ASSERT(a_out_was_in, !out_i || out_count != '0)
endmodule
`default_nettype wire
