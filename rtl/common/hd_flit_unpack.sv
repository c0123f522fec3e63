// hd_flit_unpack.sv - gathers the flits of a packet; the counterpart of hd_flit_pack.
//
// in   flits of one packet after the other, head first, taken when in_valid_i && in_ready_o.
//      in_tail_i must be set on the flit that holds the last wanted words. in_ready_o is low while
//      a whole packet is held, except in the cycle it leaves, so it depends on out_ready_i.
// out  out_head_o (a head of hd_pkg) and out_data_o (word 0 in the low bits) of the packet held,
//      from the cycle after its tail was taken. Words that are not in wmask are unspecified.
// idle_o  holds nothing, not even a part of a packet.
//
// LineWords: words of a line, a multiple of FlitWords, at most 32. WordW: bits of a word (32 +
//   ghost bits). FlitWords: words of a flit, 4 or 8. Lanes: of a warp. AtomFlits: 0, or the most
//   data flits of a MSG_ATOMIC; wmask.flits names them.
`include "hd_assert.svh"
`default_nettype none
module hd_flit_unpack #(
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW     = 32,
  parameter int unsigned AtomFlits = 0,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned Lanes     = 32,
  parameter int unsigned HeadW     = hd_pkg::head_w(Lanes),  // of the family
  parameter int unsigned FlitW     = FlitWords * WordW,      // derived
  // derived
  parameter int unsigned BodyW     = hd_pkg::most(LineWords / FlitWords, AtomFlits) * FlitW
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  input  logic                       in_valid_i,
  output logic                       in_ready_o,
  input  logic                       in_tail_i,
  input  logic [FlitW-1:0]           in_flit_i,

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [HeadW-1:0]           out_head_o,
  output logic [BodyW-1:0]           out_data_o,

  output logic                       idle_o
);
  localparam int unsigned LineFlits = LineWords / FlitWords;
  localparam int unsigned DataFlits = hd_pkg::most(LineFlits, AtomFlits);
  localparam int unsigned HeadFlits = hd_pkg::ceil_div(HeadW, 32 * FlitWords);
  localparam int unsigned MoreFlits = HeadFlits - 1 + DataFlits;  // behind the first
  localparam int unsigned PartW     = 32 * FlitWords;             // bits of the head in a flit

  if (LineWords == 0 || LineWords % FlitWords != 0 || LineWords > hd_pkg::MASK_W) begin : g_bad_line
    $error("hd_flit_unpack: LineWords must be a multiple of FlitWords, at most 32");
  end
  if (PartW < hd_pkg::HEAD_W || DataFlits > hd_pkg::MASK_W) begin : g_bad_flit
    $error("hd_flit_unpack: FlitWords is too small");
  end

  hd_pkg::head_s             in_head;
  logic [DataFlits-1:0]      wanted;         // data flits the head at in_flit_i announces
  logic [MoreFlits-1:0]      first;          // flits that follow it: of the head, above them data
  logic [MoreFlits-1:0]      left_q, left_after;  // ... and have not come yet
  logic [MoreFlits-1:0]      place;          // where such a flit goes, one-hot
  logic                      full_q;         // a whole packet is held
  logic                      body_q;         // the next flit is not the first of a packet
  logic                      take, last, bare;

  assign in_head = in_flit_i[hd_pkg::HEAD_W-1:0];
  // Messages of DENOVO that name words and bring none.
  assign bare = HeadW == hd_pkg::HEAD_W && (in_head.kind == hd_pkg::MSG_REG_ACK
                                            || in_head.kind == hd_pkg::MSG_NACK);
  for (genvar k = 0; k < DataFlits; k++) begin : g_wanted
    logic words;
    if (k < LineFlits) begin : g_words
      assign words = !bare && |in_head.wmask.words[k*FlitWords +: FlitWords];
    end else begin : g_no_words
      assign words = 1'b0;
    end
    if (AtomFlits != 0) begin : g_flits
      assign wanted[k] = (in_head.kind == hd_pkg::MSG_ATOMIC) ? in_head.wmask.flits[k] : words;
    end else begin : g_no_flits
      assign wanted[k] = words;
    end
  end

  if (HeadFlits > 1) begin : g_long_head
    assign first = {wanted, {(HeadFlits - 1) {1'b1}}};
  end else begin : g_short_head
    assign first = wanted;
  end

  assign in_ready_o = !full_q || out_ready_i;
  assign take       = in_valid_i && in_ready_o;
  assign left_after = body_q ? left_q & (left_q - 1'b1) : first;
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
  end

  for (genvar h = 0; h < HeadFlits; h++) begin : g_head
    localparam int unsigned W = hd_pkg::least(HeadW - h*PartW, PartW);
    logic [W-1:0] head_q;
    if (h == 0) begin : g_first
      always_ff @(posedge clk_i) begin
        if (take && !body_q) head_q <= in_flit_i[W-1:0];
      end
    end else begin : g_more
      always_ff @(posedge clk_i) begin
        if (take && body_q && place[h-1]) head_q <= in_flit_i[W-1:0];
      end
    end
    assign out_head_o[h*PartW +: W] = head_q;
  end

  for (genvar k = 0; k < DataFlits; k++) begin : g_data
    logic [FlitW-1:0] data_q;
    always_ff @(posedge clk_i) begin
      if (take && body_q && place[HeadFlits-1+k]) data_q <= in_flit_i;
    end
    assign out_data_o[k*FlitW +: FlitW] = data_q;
  end

  assign out_valid_o = full_q;
  assign idle_o      = !full_q && !body_q;

  logic unused_head;
  assign unused_head = ^in_head;

  `HD_ASSERT(a_tail_is_last, !take || in_tail_i == last)
  if (LineWords < hd_pkg::MASK_W && HeadW != hd_pkg::HEAD_W) begin : g_short_line
    logic beyond;
    assign beyond = |in_head.wmask.words[hd_pkg::MASK_W-1:LineWords];
    `HD_ASSERT(a_mask_inside_line, !take || body_q || in_head.kind == hd_pkg::MSG_ATOMIC
               || !beyond)
  end
endmodule
`default_nettype wire
