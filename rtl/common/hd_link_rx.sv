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

  // Slice v of a vector belongs to network v.
  logic [NumVn*PtrW-1:0]  rd_q, wr_q;  // where the oldest flit is, where the next one goes
  logic [NumVn-1:0]       some_q;      // the buffer is not empty
  logic [NumVn*Depth-1:0] tail_q;      // per buffer place
  logic [NumVn*CntW-1:0]  owed_q;      // credits for flits taken, not yet sent back
  logic [NumVn-1:0]       credit_q;
  logic [NumVn-1:0]       pop, emptied, owing;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] ptr);
    after = (ptr == PtrW'(Depth - 1)) ? '0 : ptr + PtrW'(1);
  endfunction

  assign pop         = some_q & out_ready_i;
  assign out_valid_o = some_q;

  for (genvar v = 0; v < NumVn; v++) begin : g_vn
    hd_regfile #(
      .Width(FlitW),
      .Depth(Depth)
    ) u_buf (
      .clk_i  (clk_i),
      .we_i   (valid_i && vn_i == hd_pkg::VN_W'(v)),
      .waddr_i(wr_q[v*PtrW +: PtrW]),
      .wmask_i(1'b1),
      .wdata_i(flit_i),
      .raddr_i(rd_q[v*PtrW +: PtrW]),
      .rdata_o(out_flit_o[v*FlitW +: FlitW])
    );
    assign out_tail_o[v] = tail_q[v*Depth + 32'(rd_q[v*PtrW +: PtrW])];

    `HD_ASSERT(a_no_overflow, !(valid_i && vn_i == hd_pkg::VN_W'(v) && some_q[v] &&
                                rd_q[v*PtrW +: PtrW] == wr_q[v*PtrW +: PtrW]))
  end

  always_comb begin
    emptied = '0;
    owing   = '0;
    if (pop != '0 || owed_q != '0) begin
      for (int unsigned v = 0; v < NumVn; v++) begin
        emptied[v] = pop[v] && after(rd_q[v*PtrW +: PtrW]) == wr_q[v*PtrW +: PtrW];
        owing[v]   = pop[v] || owed_q[v*CntW +: CntW] != '0;
      end
    end
  end

  // The link is decoded in here and not in a wire: simulators then look at it once an edge.
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rd_q     <= '0;
      wr_q     <= '0;
      some_q   <= '0;
      owed_q   <= '0;
      credit_q <= '0;
    end else begin
      some_q   <= (some_q & ~emptied) | (valid_i ? NumVn'(1) << vn_i : '0);
      credit_q <= tick_i ? owing : '0;
      if (valid_i) begin
        for (int unsigned v = 0; v < NumVn; v++) begin
          if (vn_i == hd_pkg::VN_W'(v)) begin
            wr_q[v*PtrW +: PtrW] <= after(wr_q[v*PtrW +: PtrW]);
            tail_q[v*Depth + 32'(wr_q[v*PtrW +: PtrW])] <= tail_i;
          end
        end
      end
      if (owing != '0) begin
        for (int unsigned v = 0; v < NumVn; v++) begin
          if (pop[v]) rd_q[v*PtrW +: PtrW] <= after(rd_q[v*PtrW +: PtrW]);
          owed_q[v*CntW +: CntW] <=
            owed_q[v*CntW +: CntW] + CntW'(pop[v]) - CntW'(tick_i && owing[v]);
        end
      end
    end
  end

  assign credit_o = credit_q;
  assign idle_o   = some_q == '0 && owed_q == '0 && credit_q == '0;

  `HD_ASSERT(a_vn_in_range, !valid_i || 32'(vn_i) < NumVn)
endmodule
`default_nettype wire
