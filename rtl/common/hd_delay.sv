// hd_delay.sv - data that are valid now are valid again a fixed number of cycles later.
//
// valid_i, data_i -> valid_o, data_o after Cycles cycles (0: combinational). data_o means nothing
// without valid_o. empty_o: nothing is on the way (function of registers, true if Cycles is 0).
// Data lie still in a memory whose pointer turns; only the valid bits shift. The pointer never
// rests, so this block has no idle_o.
// Parameters: Width bits, Cycles of clk_i.
`default_nettype none
module hd_delay #(
  parameter int unsigned Width = 8,
  parameter int unsigned Cycles = 4
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  output logic             empty_o
);
  if (Width == 0) begin : g_bad_width
    $error("hd_delay: Width must be at least 1");
  end

  if (Cycles == 0) begin : g_wire
    logic unused_clk;
    assign unused_clk = clk_i ^ rst_i;
    assign valid_o = valid_i;
    assign data_o  = data_i;
    assign empty_o = 1'b1;
  end else begin : g_ring
    localparam int unsigned PtrW = hd_pkg::idx_w(Cycles);
    logic [PtrW-1:0]   ptr_q;
    logic [Cycles-1:0] valid_q;  // youngest in bit 0

    hd_regfile #(.Width(Width), .Depth(Cycles)) u_ring (
      .clk_i(clk_i), .we_i(valid_i), .waddr_i(ptr_q), .wmask_i(1'b1), .wdata_i(data_i),
      .raddr_i(ptr_q), .rdata_o(data_o)
    );

    always_ff @(posedge clk_i) begin
      if (rst_i) valid_q <= '0;
      else valid_q <= Cycles'({valid_q, valid_i});
      if (rst_i || ptr_q == PtrW'(Cycles - 1)) ptr_q <= '0;
      else ptr_q <= ptr_q + 1'b1;
    end
    assign valid_o = valid_q[Cycles-1];
    assign empty_o = valid_q == '0;
  end
endmodule
`default_nettype wire
