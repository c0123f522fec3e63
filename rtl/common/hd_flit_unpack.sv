// hd_flit_unpack.sv - gathers the flits of a packet; the counterpart of hd_flit_pack.
//
// in   flits of one packet after the other, head first, taken when in_valid_i && in_ready_o.
//      in_tail_i must be set on the flit that holds the last wanted words. in_ready_o is low while
//      a whole packet is held, except in the cycle it leaves, so it depends on out_ready_i.
// out  out_head_o (hd_pkg::head_s) and out_data_o (word 0 in the low bits) of the packet held, from
//      the cycle after its tail was taken. Words that are not in the head's wmask are unspecified.
// idle_o  holds nothing, not even a part of a packet.
//
// LineWords: words of a line, a multiple of 8, at most 32. WordW: bits of a word (32 + ghost bits).
// AtomFlits: 0, or the most data flits of a MSG_ATOMIC; its wmask names them by a bit each.
`include "hd_assert.svh"
`default_nettype none
module hd_flit_unpack #(
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
  input  logic                       in_tail_i,
  input  logic [FlitW-1:0]           in_flit_i,

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]  out_head_o,
  output logic [BodyW-1:0]           out_data_o,

  output logic                       idle_o
);
  localparam int unsigned LineFlits = LineWords / hd_pkg::FLIT_WORDS;
  localparam int unsigned DataFlits = hd_pkg::most(LineFlits, AtomFlits);

  if (LineWords == 0 || LineWords % hd_pkg::FLIT_WORDS != 0 || LineWords > hd_pkg::MASK_W)
  begin : g_bad_line
    $error("hd_flit_unpack: LineWords must be 8, 16, 24 or 32");
  end
  if (FlitW < hd_pkg::HEAD_W) begin : g_bad_word
    $error("hd_flit_unpack: a head must fit into a flit");
  end

  hd_pkg::head_s             in_head;
  logic [DataFlits-1:0]      wanted;         // data flits the head at in_flit_i announces
  logic [DataFlits-1:0]      left_q, left_after;  // announced data flits that have not come yet
  logic [DataFlits-1:0]      place;          // where a data flit goes, one-hot
  logic                      full_q, body_q; // a whole packet is held; the next flit is data
  logic [hd_pkg::HEAD_W-1:0] head_q;
  logic                      take, last;

  assign in_head = in_flit_i[hd_pkg::HEAD_W-1:0];
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

  assign in_ready_o = !full_q || out_ready_i;
  assign take       = in_valid_i && in_ready_o;
  assign left_after = body_q ? left_q & (left_q - 1'b1) : wanted;
  assign place      = left_q & ~left_after;
  assign last       = left_after == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      full_q <= 1'b0;
      body_q <= 1'b0;
      left_q <= '0;
    end else if (take) begin
      full_q <= last;
      body_q <= !last;
      left_q <= left_after;
    end else if (out_ready_i) begin
      full_q <= 1'b0;
    end
    if (take && !body_q) head_q <= in_head;
  end

  for (genvar k = 0; k < DataFlits; k++) begin : g_data
    logic [FlitW-1:0] data_q;
    always_ff @(posedge clk_i) begin
      if (take && body_q && place[k]) data_q <= in_flit_i;
    end
    assign out_data_o[k*FlitW +: FlitW] = data_q;
  end

  assign out_valid_o = full_q;
  assign out_head_o  = head_q;
  assign idle_o      = !full_q && !body_q;

  `HD_ASSERT(a_tail_is_last, !take || in_tail_i == last)
  if (LineWords < hd_pkg::MASK_W) begin : g_short_line
    logic beyond;
    assign beyond = |in_head.wmask[hd_pkg::MASK_W-1:LineWords];
    `HD_ASSERT(a_mask_inside_line, !take || body_q || in_head.kind == hd_pkg::MSG_ATOMIC
               || !beyond)
  end
endmodule
`default_nettype wire
