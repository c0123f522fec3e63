// hd_fifo.sv - first-in first-out queue, ready/valid on both sides.
//
// in   a beat enters when in_valid_i && in_ready_o; in_ready_o is "not full", a function of state
//      only.
// out  out_valid_o is "not empty", out_data_o the oldest beat; it leaves when out_ready_i. No
//      fall-through: a beat that enters an empty queue can leave from the next cycle on. A full
//      queue refuses a beat even in the cycle one leaves, so Depth 1 moves a beat every other cycle
//      and Depth 2 or more one every cycle.
// count_o  beats held.
//
// Width: bits of a beat. Depth: beats, any number from 1. Storage is registers: for small queues.
`default_nettype none
module hd_fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 4,
  parameter int unsigned CntW  = $clog2(Depth + 1)  // derived: leave at its default
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,

  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o,

  output logic [CntW-1:0]  count_o
);
  localparam int unsigned PtrW = hd_pkg::idx_w(Depth);

  if (Width == 0 || Depth == 0) begin : g_bad_shape
    $error("hd_fifo: Width and Depth must be at least 1");
  end

  logic [Width-1:0] mem_q [0:Depth-1];
  logic [PtrW-1:0]  rd_q, wr_q;
  logic [CntW-1:0]  count_q;
  logic             push, pop;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] ptr);
    after = (ptr == PtrW'(Depth - 1)) ? '0 : ptr + PtrW'(1);
  endfunction

  assign in_ready_o  = count_q != CntW'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = mem_q[rd_q];
  assign count_o     = count_q;

  assign push = in_valid_i && in_ready_o;
  assign pop  = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rd_q    <= '0;
      wr_q    <= '0;
      count_q <= '0;
    end else begin
      if (push) wr_q <= after(wr_q);
      if (pop) rd_q <= after(rd_q);
      if (push != pop) count_q <= push ? count_q + CntW'(1) : count_q - CntW'(1);
    end
    if (push) mem_q[wr_q] <= in_data_i;
  end
endmodule
`default_nettype wire
