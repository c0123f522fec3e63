// hd_flit_pack.sv - sends a packet as flits: the head, then the data flits with wanted words.
//
// in   in_head_i is a head of hd_pkg, in_data_i the line, word 0 in the low bits. Taken into
//      registers when in_valid_i && in_ready_o; in_ready_o is high when nothing is held and in the
//      cycle in which the last flit leaves, so it depends on out_ready_i.
// out  one flit a cycle from the cycle after: the flits of the head, low bits first, then data flit
//      k (words FlitWords*k and up) for each k with a bit of wmask.words there set, rising.
//      out_tail_o marks the last. Words outside wmask travel as given.
// idle_o  nothing is held.
//
// LineWords: words of a line, a multiple of FlitWords, at most 32. WordW: bits of a word (32 +
//   ghost bits). FlitWords: words of a flit, 4 or 8. Lanes: of a warp. AtomFlits: 0, or the most
//   data flits of a MSG_ATOMIC; wmask.flits names them.
`include "hd_assert.svh"
`default_nettype none
module hd_flit_pack #(
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
  input  logic [HeadW-1:0]           in_head_i,
  input  logic [BodyW-1:0]           in_data_i,

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic                       out_tail_o,
  output logic [FlitW-1:0]           out_flit_o,

  output logic                       idle_o
);
  localparam int unsigned LineFlits = LineWords / FlitWords;
  localparam int unsigned DataFlits = hd_pkg::most(LineFlits, AtomFlits);
  localparam int unsigned HeadFlits = hd_pkg::ceil_div(HeadW, 32 * FlitWords);
  localparam int unsigned PartW     = 32 * FlitWords;  // bits of the head in a flit

  if (LineWords == 0 || LineWords % FlitWords != 0 || LineWords > hd_pkg::MASK_W) begin : g_bad_line
    $error("hd_flit_pack: LineWords must be a multiple of FlitWords, at most 32");
  end
  if (PartW < hd_pkg::HEAD_W || DataFlits > hd_pkg::MASK_W) begin : g_bad_flit
    $error("hd_flit_pack: FlitWords is too small");
  end

  hd_pkg::head_s              in_head;
  logic [DataFlits-1:0]       wanted;
  logic [HeadW-1:0]           head_q;
  logic [HeadFlits*PartW-1:0] parts;  // head_q, in whole flits
  logic [BodyW-1:0]           data_q;
  // to send: the flits of the head, above them data flits; and the flit on offer, one-hot
  logic [HeadFlits+DataFlits-1:0] left_q, left_after, now;
  logic                       take, bare;

  assign in_head = in_head_i[hd_pkg::HEAD_W-1:0];
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

  assign parts       = (HeadFlits * PartW)'(head_q);
  assign left_after  = left_q & (left_q - 1'b1);
  assign now         = left_q & ~left_after;
  assign out_valid_o = left_q != '0;
  assign out_tail_o  = left_after == '0;
  assign in_ready_o  = !out_valid_o || (out_ready_i && out_tail_o);
  assign take        = in_valid_i && in_ready_o;
  assign idle_o      = !out_valid_o;

  always_comb begin
    out_flit_o = FlitW'(parts[PartW-1:0]);
    for (int unsigned h = 1; h < HeadFlits; h++) begin
      if (now[h]) out_flit_o = FlitW'(parts[h*PartW +: PartW]);
    end
    for (int unsigned k = 0; k < DataFlits; k++) begin
      if (now[HeadFlits+k]) out_flit_o = data_q[k*FlitW +: FlitW];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) left_q <= '0;
    else if (take) left_q <= {wanted, {HeadFlits{1'b1}}};
    else if (out_ready_i) left_q <= left_after;
    if (take) begin
      head_q <= in_head_i;
      data_q <= in_data_i;
    end
  end

  logic unused_head;
  assign unused_head = ^in_head;

  if (LineWords < hd_pkg::MASK_W && HeadW != hd_pkg::HEAD_W) begin : g_short_line
    logic beyond;
    assign beyond = |in_head.wmask.words[hd_pkg::MASK_W-1:LineWords];
    `HD_ASSERT(a_mask_inside_line, !take || in_head.kind == hd_pkg::MSG_ATOMIC
               || !beyond)
  end
endmodule
`default_nettype wire
