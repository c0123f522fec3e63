// hd_link_tx.sv - sending end of a credited link (docs/tiles.md).
//
// in      one ready/valid port per virtual network, network v in slice v. in_ready_o[v] depends on
//         in_valid_i: it is high for the one network chosen in this cycle, round robin over those
//         with a flit and a credit, and only with tick_i. in_flit_i of a network without in_valid_i
//         is not read.
// tick_i  this edge may send. A tile on the fast clock raises it once per slow cycle.
// link    valid_o, vn_o, tail_o, flit_o are registers written by the edge that takes the flit;
//         valid_o is high for one cycle of clk_i. vn_o, tail_o and flit_o mean nothing without it.
//         credit_i[v]: pulse, on any edge; the receiver took one flit of network v out of its
//         buffer.
// idle_o         no flit is on the link.
// full_credit_o  every credit is home: the receiver's buffers are empty and nothing is on the way.
//
// FlitW: bits. NumVn: networks, 1..2**VN_W. Credits: flits the receiver holds per network.
`include "hd_assert.svh"
`default_nettype none
module hd_link_tx #(
  parameter int unsigned FlitW   = 256,
  parameter int unsigned NumVn   = 2,
  parameter int unsigned Credits = 8
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  logic                    tick_i,

  input  logic [NumVn-1:0]        in_valid_i,
  output logic [NumVn-1:0]        in_ready_o,
  input  logic [NumVn-1:0]        in_tail_i,
  input  logic [NumVn*FlitW-1:0]  in_flit_i,

  output logic                    valid_o,
  output logic [hd_pkg::VN_W-1:0] vn_o,
  output logic                    tail_o,
  output logic [FlitW-1:0]        flit_o,
  input  logic [NumVn-1:0]        credit_i,

  output logic                    idle_o,
  output logic                    full_credit_o
);
  localparam int unsigned CredW = $clog2(Credits + 1);
  localparam int unsigned VnIdxW = hd_pkg::idx_w(NumVn);

  if (NumVn == 0 || NumVn > 2**hd_pkg::VN_W || Credits == 0) begin : g_bad_shape
    $error("hd_link_tx: NumVn must be 1..2**VN_W and Credits at least 1");
  end

  logic                    valid_q, tail_q;
  logic [hd_pkg::VN_W-1:0] vn_q;
  logic [FlitW-1:0]        flit_q;
  logic [NumVn-1:0]        req, all_home, chosen, sent;
  logic [VnIdxW-1:0]       vn;
  logic                    any;

  hd_arb_rr #(.N(NumVn)) u_arb (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .req_i  (req),
    .take_i (tick_i),
    .gnt_o  (chosen),
    .idx_o  (vn),
    .valid_o(any)
  );

  assign sent       = tick_i ? chosen : '0;
  assign in_ready_o = sent;

  logic [NumVn*CredW-1:0] credit_q;

  // Without a flit nobody asks for credits: simulators skip what the branches hold.
  always_comb begin
    req = '0;
    if (in_valid_i != '0) begin
      for (int unsigned v = 0; v < NumVn; v++)
        req[v] = in_valid_i[v] && credit_q[v*CredW +: CredW] != '0;
    end
  end
  always_comb begin
    for (int unsigned v = 0; v < NumVn; v++)
      all_home[v] = credit_q[v*CredW +: CredW] == CredW'(Credits);
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) credit_q <= {NumVn{CredW'(Credits)}};
    else if (credit_i != sent) begin
      for (int unsigned v = 0; v < NumVn; v++) begin
        if (credit_i[v] != sent[v])
          credit_q[v*CredW +: CredW] <= sent[v] ? credit_q[v*CredW +: CredW] - CredW'(1)
                                                : credit_q[v*CredW +: CredW] + CredW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else valid_q <= tick_i && any;
    if (tick_i && any) begin
      vn_q   <= hd_pkg::VN_W'(vn);
      tail_q <= |(in_tail_i & chosen);
      for (int unsigned v = 0; v < NumVn; v++) begin
        if (chosen[v]) flit_q <= in_flit_i[v*FlitW +: FlitW];
      end
    end
  end

  assign valid_o       = valid_q;
  assign vn_o          = vn_q;
  assign tail_o        = tail_q;
  assign flit_o        = flit_q;
  assign idle_o        = !valid_q;
  assign full_credit_o = &all_home;

  `HD_ASSERT(a_credit_was_out, (credit_i & all_home) == '0)
endmodule
`default_nettype wire
