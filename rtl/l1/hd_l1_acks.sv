// hd_l1_acks.sv - invalidations that an L1 has answered and not yet sent the answers of.
//
// in    inv_i (only with room_o): the message head_i, an INV, is answered.
// rsp   valid/ready: INV_ACK to who sent it, in order. Latency 1. idle_o: none waits.
// Parameters: Depth answers; Enable 0: none comes.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_acks #(
  parameter int unsigned Depth  = 4,
  parameter int unsigned Enable = 1
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  input  logic                      inv_i,
  input  logic [hd_pkg::HEAD_W-1:0] head_i,
  output logic                      room_o,
  output logic                      rsp_valid_o,
  input  logic                      rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] rsp_head_o,
  output logic                      idle_o
);
  hd_pkg::head_s ack;
  always_comb begin
    ack       = head_i;
    ack.kind  = hd_pkg::MSG_INV_ACK;
    ack.route = hd_pkg::route_up(sm_id_i, ack.route.src);
  end
  assign idle_o = !rsp_valid_o;
  if (Enable != 0) begin : g_acks
    logic [$clog2(Depth+1)-1:0] count;
    hd_fifo #(
      .Width(hd_pkg::HEAD_W),
      .Depth(Depth)
    ) u_acks (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(inv_i),
      .in_ready_o(room_o),
      .in_data_i(ack),
      .out_valid_o(rsp_valid_o),
      .out_ready_i(rsp_ready_i),
      .out_data_o(rsp_head_o),
      .count_o(count)
    );
    logic unused;
    assign unused = ^count;
    `HD_ASSERT(a_inv_has_room, !inv_i || room_o)
  end else begin : g_none
    assign room_o      = 1'b0;
    assign rsp_valid_o = 1'b0;
    assign rsp_head_o  = '0;
    logic unused;
    assign unused = ^{clk_i, rst_i, inv_i, ack, rsp_ready_i};
  end
endmodule
`default_nettype wire
