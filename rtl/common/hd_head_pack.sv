// hd_head_pack.sv - sends packets that are heads alone as flits.
//
// in   in_head_i, a head of hd_pkg, taken when in_valid_i && in_ready_o.
// out  the flits of the head, low bits first; out_tail_o marks the last. A head of one flit passes
//      in the same cycle, so out_valid_o is in_valid_i and in_ready_o is out_ready_i; a longer one
//      is taken into registers first (hd_flit_pack).
// idle_o  nothing is held.
//
// WordW: bits of a word (32 + ghost bits). FlitWords: words of a flit, 4 or 8. Lanes: of a warp.
`default_nettype none
module hd_head_pack #(
  parameter int unsigned WordW     = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned Lanes     = 32,
  parameter int unsigned HeadW     = hd_pkg::head_w(Lanes),  // of the family
  parameter int unsigned FlitW     = FlitWords * WordW       // derived
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [HeadW-1:0] in_head_i,

  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic             out_tail_o,
  output logic [FlitW-1:0] out_flit_o,

  output logic             idle_o
);
  if (HeadW <= 32 * FlitWords) begin : g_one
    assign out_valid_o = in_valid_i;
    assign in_ready_o  = out_ready_i;
    assign out_tail_o  = 1'b1;
    assign out_flit_o  = FlitW'(in_head_i);
    assign idle_o      = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i};
  end else begin : g_more
    hd_flit_pack #(
      .LineWords(FlitWords),  // as short as can be, and no word of it is ever sent
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes),
      .HeadW(HeadW)
    ) u_pack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(in_valid_i),
      .in_ready_o(in_ready_o),
      .in_head_i(in_head_i),
      .in_data_i({FlitW{1'b0}}),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_tail_o(out_tail_o),
      .out_flit_o(out_flit_o),
      .idle_o(idle_o)
    );
  end
endmodule
`default_nettype wire
