// hd_link_rx.sv - receiving end of a credited link, a buffer per virtual network (docs/tiles.md).
//
// link    valid_i: pulse, a flit that cannot be refused; the sender counts credits. vn_i < NumVn.
//         credit_o[v]: pulse register, one flit of network v was taken. Raised only by edges with
//         tick_i, by the edge that takes the flit at the earliest; flits taken in between are
//         counted.
// tick_i  this edge may send credits. A tile on the fast clock raises it once per slow cycle.
// out     one ready/valid port per network, network v in slice v, oldest flit first. A flit can
//         leave from the cycle after it came. out_tail_o and out_flit_o mean nothing without
//         out_valid_o.
// idle_o  all buffers are empty, no credit is owed and credit_o is 0.
//
// FlitW: bits. NumVn: networks, 1..2**VN_W. Depth: flits per network, the credits of the sender.
`include "hd_assert.svh"
`default_nettype none
module hd_link_rx #(
  parameter int unsigned FlitW = 256,
  parameter int unsigned NumVn = 2,
  parameter int unsigned Depth = 8
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  logic                    tick_i,

  input  logic                    valid_i,
  input  logic [hd_pkg::VN_W-1:0] vn_i,
  input  logic                    tail_i,
  input  logic [FlitW-1:0]        flit_i,
  output logic [NumVn-1:0]        credit_o,

  output logic [NumVn-1:0]        out_valid_o,
  input  logic [NumVn-1:0]        out_ready_i,
  output logic [NumVn-1:0]        out_tail_o,
  output logic [NumVn*FlitW-1:0]  out_flit_o,

  output logic                    idle_o
);
  localparam int unsigned PtrW = hd_pkg::idx_w(Depth);
  localparam int unsigned CntW = $clog2(Depth + 1);

  if (NumVn == 0 || NumVn > 2**hd_pkg::VN_W || Depth == 0) begin : g_bad_shape
    $error("hd_link_rx: NumVn must be 1..2**VN_W and Depth at least 1");
  end

  logic [NumVn-1:0] push, pop, owing, credit_q;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] ptr);
    after = (ptr == PtrW'(Depth - 1)) ? '0 : ptr + PtrW'(1);
  endfunction

  assign pop = out_valid_o & out_ready_i;

  for (genvar v = 0; v < NumVn; v++) begin : g_vn
    logic [PtrW-1:0]  rd_q, wr_q;
    logic [CntW-1:0]  count_q;
    logic [CntW-1:0]  owed_q, owed_d;  // credits for flits taken and not yet sent back
    logic [Depth-1:0] tail_q;          // per buffer place

    assign push[v]        = valid_i && vn_i == hd_pkg::VN_W'(v);
    assign out_valid_o[v] = count_q != '0;
    assign out_tail_o[v]  = tail_q[rd_q];

    hd_regfile #(
      .Width(FlitW),
      .Depth(Depth)
    ) u_buf (
      .clk_i  (clk_i),
      .we_i   (push[v]),
      .waddr_i(wr_q),
      .wmask_i(1'b1),
      .wdata_i(flit_i),
      .raddr_i(rd_q),
      .rdata_o(out_flit_o[v*FlitW +: FlitW])
    );

    assign owed_d   = owed_q + CntW'(pop[v]);
    assign owing[v] = owed_d != '0;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        rd_q    <= '0;
        wr_q    <= '0;
        count_q <= '0;
        owed_q  <= '0;
      end else begin
        if (push[v]) wr_q <= after(wr_q);
        if (pop[v]) rd_q <= after(rd_q);
        if (push[v] != pop[v]) count_q <= push[v] ? count_q + CntW'(1) : count_q - CntW'(1);
        owed_q <= owed_d - CntW'(tick_i && owing[v]);
      end
      if (push[v]) tail_q[wr_q] <= tail_i;
    end

    `HD_ASSERT(a_no_overflow, !push[v] || count_q != CntW'(Depth))
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) credit_q <= '0;
    else credit_q <= tick_i ? owing : '0;
  end

  logic [NumVn-1:0] at_rest;
  for (genvar v = 0; v < NumVn; v++) begin : g_at_rest
    assign at_rest[v] = g_vn[v].count_q == '0 && g_vn[v].owed_q == '0;
  end

  assign credit_o = credit_q;
  assign idle_o   = (&at_rest) && credit_q == '0;

  `HD_ASSERT(a_vn_in_range, !valid_i || 32'(vn_i) < NumVn)
endmodule
`default_nettype wire
