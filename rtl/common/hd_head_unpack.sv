// hd_head_unpack.sv - gathers the flits of packets that are heads alone; see hd_head_pack.
//
// in   flits of one head after the other, low bits first, taken when in_valid_i && in_ready_o;
//      in_tail_i must be set on the last.
// out  out_head_o, a head of hd_pkg. One of a single flit passes in the same cycle; a longer one is
//      gathered in registers (hd_flit_unpack).
// idle_o  nothing is held.
//
// WordW: bits of a word (32 + ghost bits). FlitWords: words of a flit, 4 or 8. Lanes: of a warp.
`include "hd_assert.svh"
`default_nettype none
module hd_head_unpack #(
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
  input  logic             in_tail_i,
  input  logic [FlitW-1:0] in_flit_i,

  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [HeadW-1:0] out_head_o,

  output logic             idle_o
);
  if (HeadW <= 32 * FlitWords) begin : g_one
    assign out_valid_o = in_valid_i;
    assign in_ready_o  = out_ready_i;
    assign out_head_o  = in_flit_i[HeadW-1:0];
    assign idle_o      = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i, in_tail_i, in_flit_i};
    `HD_ASSERT(a_head_is_one_flit, !in_valid_i || in_tail_i)
  end else begin : g_more
    logic [FlitW-1:0] none;
    hd_flit_unpack #(
      .LineWords(FlitWords),  // as short as can be, and no word of it ever comes
      .WordW(WordW),
      .FlitWords(FlitWords),
      .Lanes(Lanes),
      .HeadW(HeadW)
    ) u_unpack (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(in_valid_i),
      .in_ready_o(in_ready_o),
      .in_tail_i(in_tail_i),
      .in_flit_i(in_flit_i),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_head_o(out_head_o),
      .out_data_o(none),
      .idle_o(idle_o)
    );
    logic unused;
    assign unused = ^none;
  end
endmodule
`default_nettype wire
