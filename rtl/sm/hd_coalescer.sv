// hd_coalescer.sv - cuts a warp's memory operation into line accesses, one per cycle.
//
// issue  issue_valid_i: one-cycle pulse in the cycle after the operation's issue. Its description
//        issue_acc_i (its fields tag, last, prefetch mean nothing) and its payload lanes_i (of
//        hd_op_buffer) are valid in that cycle and hold until the next pulse. open_lanes_o in that
//        cycle: lanes of the operation, for the scoreboard. mem_ready_o in cycle t: an operation
//        may be issued by the edge of cycle t, so that its pulse comes in t + 1. It is high when
//        no operation is held and in the cycle the held one's last access is taken.
// la     line accesses, valid/ready. The first lane not yet served names the line; the access takes
//        every remaining lane of that line. la_ready_i must be a function of registers, because
//        mem_ready_o follows it. The first access is offered in the cycle of the pulse: an
//        operation in one line passes in one cycle, and such operations can follow each other each
//        cycle. Field last: the last access of the operation. la_body_o, from the top: line, place,
//        data, cmp. place: lanes of the access; word in the line, per lane; words those lanes
//        touch; without SplitLds also the word in the LDS, per lane. data: LOAD nothing; STORE
//        word w of the line at w*WordW, the highest lane wins a word, other words 0; ATOMIC
//        operand of lane l at l*WordW. cmp: compare value per lane.
//        With more than 32 lanes a global ATOMIC takes lanes of one half only, 0..31 or 32..63,
//        since its message has room for 32. A COPY goes as a load of its global addresses; its LDS
//        addresses are compare values here.
// LDS    an operation of SPACE_LDS leaves as one access with all its lanes, whatever their lines
//        (its line and words touched mean nothing), unless SplitLds, which has it cut into lines,
//        too. STORE, too: data of lane l at l*WordW.
// idle_o nothing held: nothing moves while issue_valid_i is low.
//
// Addresses are aligned to words and the mask is not empty. kind, fn, order, scope: encodings of
// hd_pkg. Warps, Lanes, LineWords (words of a line, a power of two), WordW (bits of a word), Slots
// (scoreboard), LdsRows (the LDS in lines). Papers 1 and 2, "coalescing".
`include "hd_assert.svh"
`default_nettype none
module hd_coalescer #(
  parameter int unsigned Warps     = 48,
  parameter int unsigned Lanes     = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW     = 32,
  parameter int unsigned Slots     = 4,
  parameter int unsigned LdsRows   = 384,
  parameter int unsigned SplitLds  = 0,
  parameter int unsigned CntW      = $clog2(Lanes + 1),                // derived: leave as is
  parameter int unsigned OffW      = $clog2(LineWords),                // derived
  parameter int unsigned LineW     = hd_pkg::ADDR_W - 2 - OffW,        // derived
  parameter int unsigned LdsW      = hd_pkg::idx_w(LdsRows * LineWords),     // derived
  parameter int unsigned PlaceW    = hd_pkg::place_w(Lanes, LineWords)
                                     + ((SplitLds != 0) ? 0 : Lanes * LdsW), // derived
  parameter int unsigned DataW     = ((Lanes > LineWords) ? Lanes : LineWords) * WordW, // derived
  parameter int unsigned BodyW     = LineW + PlaceW + DataW + Lanes * 32,                // derived
  parameter int unsigned OpW       = Lanes * (1 + hd_pkg::ADDR_W + WordW + 32)           // derived
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             issue_valid_i,
  input  hd_pkg::access_s  issue_acc_i,
  input  logic [OpW-1:0]   lanes_i,
  output logic             mem_ready_o,
  output logic [CntW-1:0]  open_lanes_o,

  output logic             la_valid_o,
  input  logic             la_ready_i,
  output hd_pkg::access_s  la_acc_o,
  output logic [BodyW-1:0] la_body_o,

  output logic             idle_o
);
  localparam int unsigned Half = 32;  // lanes of a message
  localparam int unsigned AddrW = hd_pkg::ADDR_W;

  if (LineWords < 2 || (LineWords & (LineWords - 1)) != 0) begin : g_bad_line
    $error("hd_coalescer: LineWords must be a power of two of at least 2");
  end

  if (Lanes > 2 * Half || Warps > (1 << hd_pkg::WARP_W) || Slots > (1 << hd_pkg::SLOT_W))
  begin : g_bad_size
    $error("hd_coalescer: at most 64 lanes, 64 warps and 8 slots");
  end

  logic [Lanes-1:0]       mask;
  logic [Lanes*AddrW-1:0] addr;
  logic [Lanes*WordW-1:0] data;
  logic [Lanes*32-1:0]    cmp;
  assign {mask, addr, data, cmp} = lanes_i;

  logic             more_q;  // the held operation has unserved lanes from an earlier cycle: rem_q
  logic [Lanes-1:0] rem_q;
  logic [Lanes-1:0] rem;     // lanes not served before this cycle
  logic [Lanes-1:0] same;    // ... of them, those this access serves
  logic             last;    // this access serves the rest
  logic             is_fence, is_store;
  logic             is_lds, whole;  // whole: all lanes at once
  logic             halves, upper;  // lanes of one half only; of this one
  localparam int unsigned LaneW = Lanes > 1 ? $clog2(Lanes) : 1;
  logic [LaneW-1:0]       first;    // lowest lane that is left
  logic [LineW-1:0]       line;
  logic [Lanes*OffW-1:0]  offs;
  logic [Lanes*LdsW-1:0]  words;    // in the LDS
  logic [LineWords-1:0]   wmask;
  logic [PlaceW-1:0]      place;
  logic [DataW-1:0]       la_data;

  assign la_valid_o = issue_valid_i || more_q;
  assign is_fence   = hd_pkg::op_class(issue_acc_i.kind) == hd_pkg::OPC_FENCE;
  assign is_store   = issue_acc_i.kind == hd_pkg::OP_STORE;
  assign is_lds     = issue_acc_i.space == hd_pkg::SPACE_LDS;
  assign whole      = is_lds && SplitLds == 0;
  assign halves     = Lanes > Half && !is_lds && issue_acc_i.kind == hd_pkg::OP_ATOMIC;

  always_comb begin
    rem   = is_fence ? '0 : issue_valid_i ? mask : rem_q;
    same  = '0;
    line  = '0;
    offs  = '0;
    words = '0;
    wmask = '0;
    upper = 1'b0;
    first = '0;
    if (la_valid_o) begin
      for (int unsigned l = Lanes; l > 0; l--) if (rem[l-1]) first = LaneW'(l - 1);
      if (rem != '0) begin
        line  = addr[32'(first)*AddrW + 2 + OffW +: LineW];
        upper = halves && 32'(first) >= Half;
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        offs[l*OffW +: OffW] = addr[l*AddrW + 2 +: OffW];
        if (is_lds) words[l*LdsW +: LdsW] = addr[l*AddrW + 2 +: LdsW];
        same[l] = rem[l] && (whole || addr[l*AddrW + 2 + OffW +: LineW] == line)
            && !(halves && (l >= Half) != upper);
        if (same[l]) wmask[addr[l*AddrW + 2 +: OffW]] = 1'b1;
      end
    end
    last = (rem & ~same) == '0;
  end

  // Store data in word layout: the highest lane of each word first, then one multiplexer a word.
  // Moving the data lane by lane would cost a multiplexer for each lane and word.
  logic [LaneW-1:0] top_lane [0:LineWords-1];
  always_comb begin
    for (int unsigned w = 0; w < LineWords; w++) top_lane[w] = '0;
    la_data = '0;
    if (!is_store || is_lds) begin
      la_data[Lanes*WordW-1:0] = data;
    end else if (la_valid_o) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (same[l]) top_lane[addr[l*AddrW + 2 +: OffW]] = LaneW'(l);
      end
      for (int unsigned w = 0; w < LineWords; w++) begin
        if (wmask[w]) la_data[w*WordW +: WordW] = data[top_lane[w]*WordW +: WordW];
      end
    end
  end

  always_comb begin
    open_lanes_o = '0;
    if (issue_valid_i && is_fence) open_lanes_o = CntW'(1);
    else if (issue_valid_i) begin
      for (int unsigned l = 0; l < Lanes; l++) open_lanes_o = open_lanes_o + CntW'(mask[l]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) more_q <= 1'b0;
    else if (la_valid_o) more_q <= !(la_ready_i && last);
  end

  always_ff @(posedge clk_i) begin
    if (la_valid_o) rem_q <= la_ready_i ? (rem & ~same) : rem;
  end

  assign mem_ready_o  = !la_valid_o || (la_ready_i && last);
  assign idle_o       = !more_q;

  always_comb begin
    la_acc_o      = issue_acc_i;
    la_acc_o.last = last;
  end
  assign la_body_o = {line, place, la_data, cmp};
  if (SplitLds != 0) begin : g_split
    assign place = {same, offs, wmask};
    logic unused_words;
    assign unused_words = ^words;
  end else begin : g_whole
    assign place = {same, offs, wmask, words};
  end

  // The two low address bits serve the alignment check only.
  logic misaligned;
  always_comb begin
    misaligned = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      misaligned = misaligned || (mask[l] && addr[l*AddrW +: 2] != 2'd0);
    end
  end
`ifdef SYNTHESIS
  logic unused_misaligned;
  assign unused_misaligned = misaligned;
`endif
  `HD_ASSERT(a_issue_when_ready, !(issue_valid_i && more_q))
  `HD_ASSERT(a_issue_is_memory, !issue_valid_i || is_fence || hd_pkg::op_memory(issue_acc_i.kind))
  `HD_ASSERT(a_issue_has_lanes, !issue_valid_i || is_fence || mask != '0)
  `HD_ASSERT(a_aligned, !issue_valid_i || is_fence || !misaligned)
endmodule
`default_nettype wire
