// hd_flit_pack.sv - sends a packet as flits: the head, then the data flits with wanted words.
//
// in   in_head_i is a hd_pkg::head_s, in_data_i the line, word 0 in the low bits. Taken into
//      registers when in_valid_i && in_ready_o; in_ready_o is high when nothing is held and in the
//      cycle in which the last flit leaves, so it depends on out_ready_i.
// out  one flit a cycle from the cycle after; head first, then data flit k (words 8k..8k+7) for
//      each k with a bit of wmask[8k +: 8] set, rising. out_tail_o marks the last. Words outside
//      wmask travel as given.
// idle_o  nothing is held.
//
// LineWords: words of a line, a multiple of 8, at most 32. WordW: bits of a word (32 + ghost bits).
// AtomFlits: 0, or the most data flits of a MSG_ATOMIC; its wmask names them by a bit each.
`include "hd_assert.svh"
`default_nettype none
module hd_flit_pack #(
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW     = 32,
  parameter int unsigned AtomFlits = 0,
  parameter int unsigned FlitW     = hd_pkg::FLIT_WORDS * WordW,  // derived: leave at its default
  // derived
  parameter int unsigned BodyW     = hd_pkg::most(LineWords / hd_pkg::FLIT_WORDS, AtomFlits) * FlitW
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  input  logic                       in_valid_i,
  output logic                       in_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]  in_head_i,
  input  logic [BodyW-1:0]           in_data_i,

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic                       out_tail_o,
  output logic [FlitW-1:0]           out_flit_o,

  output logic                       idle_o
);
  localparam int unsigned LineFlits = LineWords / hd_pkg::FLIT_WORDS;
  localparam int unsigned DataFlits = hd_pkg::most(LineFlits, AtomFlits);

  if (LineWords == 0 || LineWords % hd_pkg::FLIT_WORDS != 0 || LineWords > hd_pkg::MASK_W)
  begin : g_bad_line
    $error("hd_flit_pack: LineWords must be 8, 16, 24 or 32");
  end
  if (FlitW < hd_pkg::HEAD_W) begin : g_bad_word
    $error("hd_flit_pack: a head must fit into a flit");
  end

  hd_pkg::head_s              in_head;
  logic [DataFlits-1:0]       wanted;
  logic [hd_pkg::HEAD_W-1:0]  head_q;
  logic [BodyW-1:0]           data_q;
  logic [DataFlits:0]         left_q, left_after;  // to send: bit 0 the head, bit k+1 data flit k
  logic [DataFlits:0]         now;                 // the flit on offer, one-hot
  logic                       take;

  assign in_head = in_head_i;
  for (genvar k = 0; k < DataFlits; k++) begin : g_wanted
    logic words;
    if (k < LineFlits) begin : g_words
      assign words = |in_head.wmask[k*hd_pkg::FLIT_WORDS +: hd_pkg::FLIT_WORDS];
    end else begin : g_no_words
      assign words = 1'b0;
    end
    if (AtomFlits != 0) begin : g_flits
      assign wanted[k] = (in_head.kind == hd_pkg::MSG_ATOMIC) ? in_head.wmask[k] : words;
    end else begin : g_no_flits
      assign wanted[k] = words;
    end
  end

  assign left_after  = left_q & (left_q - 1'b1);
  assign now         = left_q & ~left_after;
  assign out_valid_o = left_q != '0;
  assign out_tail_o  = left_after == '0;
  assign in_ready_o  = !out_valid_o || (out_ready_i && out_tail_o);
  assign take        = in_valid_i && in_ready_o;
  assign idle_o      = !out_valid_o;

  always_comb begin
    out_flit_o = FlitW'(head_q);
    for (int unsigned k = 0; k < DataFlits; k++) begin
      if (now[k+1]) out_flit_o = data_q[k*FlitW +: FlitW];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) left_q <= '0;
    else if (take) left_q <= {wanted, 1'b1};
    else if (out_ready_i) left_q <= left_after;
    if (take) begin
      head_q <= in_head;
      data_q <= in_data_i;
    end
  end

  if (LineWords < hd_pkg::MASK_W) begin : g_short_line
    logic beyond;
    assign beyond = |in_head.wmask[hd_pkg::MASK_W-1:LineWords];
    `HD_ASSERT(a_mask_inside_line, !take || in_head.kind == hd_pkg::MSG_ATOMIC
               || !beyond)
  end
endmodule
`default_nettype wire
