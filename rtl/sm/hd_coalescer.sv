// hd_coalescer.sv - cuts a warp's memory operation into line accesses, one per cycle.
//
// issue  issue_valid_i: one-cycle pulse in the cycle after the operation's issue. Its description
//        and the payload (mask_i addr_i data_i cmp_i: the op buffer's read data) are valid in that
//        cycle and hold until the next pulse. mem_ready_o in cycle t: an operation may be issued by
//        the edge of cycle t, so that its pulse comes in t + 1. It is high when no operation is
//        held and in the cycle the held one's last access is taken.
// open   open_valid_o in the cycle of the pulse: lanes of the operation, for the scoreboard.
// out    line accesses, valid/ready. The first lane not yet served names the line; the access takes
//        every remaining lane of that line. out_ready_i must be a function of registers, because
//        mem_ready_o follows it. The first access is offered in the cycle of the pulse: an
//        operation in one line passes in one cycle, and such operations can follow each other each
//        cycle. out_last_o: the last access of the operation. out_offs_o: word in the line, per
//        lane of out_mask_o. out_wmask_o: words those lanes touch. out_data_o: LOAD nothing; STORE
//        word w of the line at w*WordW, the highest lane wins a word, other words 0; ATOMIC operand
//        of lane l at l*WordW. out_cmp_o: compare value per lane.
// LDS    an operation of SPACE_LDS leaves as one access with all its lanes, whatever their lines
//        (out_line_o and out_wmask_o mean nothing), unless split_lds_i (constant), which has it cut
//        into lines, too. out_lds_o: word in the LDS, per lane. STORE, too: data of lane l at
//        l*WordW.
// idle_o nothing held: nothing moves while issue_valid_i is low.
//
// Addresses are aligned to words and the mask is not empty. kind, fn, order, scope: encodings of
// hd_pkg. Warps, Lanes, LineWords (words of a line, a power of two), WordW (bits of a word), Slots
// (scoreboard), LdsRows (the LDS in lines). Papers 1 and 2, "coalescing"; architecture section 3.
`include "hd_assert.svh"
`default_nettype none
module hd_coalescer #(
  parameter int unsigned Warps     = 48,
  parameter int unsigned Lanes     = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW     = 32,
  parameter int unsigned Slots     = 4,
  parameter int unsigned LdsRows   = 384,
  parameter int unsigned WarpW     = hd_pkg::idx_w(Warps),             // derived: leave as is
  parameter int unsigned SlotW     = hd_pkg::idx_w(Slots),             // derived
  parameter int unsigned CntW      = $clog2(Lanes + 1),                // derived
  parameter int unsigned OffW      = $clog2(LineWords),                // derived
  parameter int unsigned LineNumW  = hd_pkg::ADDR_W - 2 - OffW,        // derived
  parameter int unsigned LdsW      = hd_pkg::idx_w(LdsRows * LineWords),      // derived
  parameter int unsigned OutWords  = (Lanes > LineWords) ? Lanes : LineWords  // derived
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  input  logic                            split_lds_i,

  input  logic                            issue_valid_i,
  input  logic [WarpW-1:0]                issue_warp_i,
  input  logic [SlotW-1:0]                issue_slot_i,
  input  logic [hd_pkg::OP_W-1:0]                      issue_kind_i,
  input  logic [3:0]                      issue_fn_i,
  input  logic [2:0]                      issue_order_i,
  input  logic [1:0]                      issue_scope_i,
  input  logic                            issue_ro_i,
  input  logic                            issue_space_i,
  input  logic [Lanes-1:0]                mask_i,
  input  logic [Lanes*hd_pkg::ADDR_W-1:0] addr_i,
  input  logic [Lanes*WordW-1:0]          data_i,
  input  logic [Lanes*32-1:0]             cmp_i,
  output logic                            mem_ready_o,

  output logic                            open_valid_o,
  output logic [WarpW-1:0]                open_warp_o,
  output logic [SlotW-1:0]                open_slot_o,
  output logic [CntW-1:0]                 open_lanes_o,

  output logic                            out_valid_o,
  input  logic                            out_ready_i,
  output logic [WarpW-1:0]                out_warp_o,
  output logic [SlotW-1:0]                out_slot_o,
  output logic [hd_pkg::OP_W-1:0]                      out_kind_o,
  output logic [3:0]                      out_fn_o,
  output logic [2:0]                      out_order_o,
  output logic [1:0]                      out_scope_o,
  output logic                            out_ro_o,
  output logic                            out_space_o,
  output logic                            out_last_o,
  output logic [LineNumW-1:0]             out_line_o,
  output logic [Lanes-1:0]                out_mask_o,
  output logic [Lanes*OffW-1:0]           out_offs_o,
  output logic [Lanes*LdsW-1:0]           out_lds_o,
  output logic [LineWords-1:0]            out_wmask_o,
  output logic [OutWords*WordW-1:0]       out_data_o,
  output logic [Lanes*32-1:0]             out_cmp_o,

  output logic                            idle_o
);
  localparam int unsigned AddrW = hd_pkg::ADDR_W;

  if (LineWords < 2 || (LineWords & (LineWords - 1)) != 0) begin : g_bad_line
    $error("hd_coalescer: LineWords must be a power of two of at least 2");
  end

  logic             more_q;  // the held operation has unserved lanes from an earlier cycle: rem_q
  logic [Lanes-1:0] rem_q;
  logic [Lanes-1:0] rem;     // lanes not served before this cycle
  logic [Lanes-1:0] same;    // ... of them, those this access serves
  logic             last;    // this access serves the rest
  logic             is_store;
  logic             is_lds, whole;  // whole: all lanes at once

  assign out_valid_o = issue_valid_i || more_q;
  assign is_store    = issue_kind_i == hd_pkg::OP_STORE;
  assign is_lds      = issue_space_i == hd_pkg::SPACE_LDS;
  assign whole       = is_lds && !split_lds_i;

  always_comb begin
    rem         = issue_valid_i ? mask_i : rem_q;
    same        = '0;
    out_line_o  = '0;
    out_offs_o  = '0;
    out_lds_o   = '0;
    out_wmask_o = '0;
    if (out_valid_o) begin
      for (int unsigned l = Lanes; l > 0; l--) begin
        if (rem[l-1]) out_line_o = addr_i[(l-1)*AddrW + 2 + OffW +: LineNumW];
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        out_offs_o[l*OffW +: OffW] = addr_i[l*AddrW + 2 +: OffW];
        if (is_lds) out_lds_o[l*LdsW +: LdsW] = addr_i[l*AddrW + 2 +: LdsW];
        same[l] = rem[l] && (whole || addr_i[l*AddrW + 2 + OffW +: LineNumW] == out_line_o);
        if (same[l]) out_wmask_o[addr_i[l*AddrW + 2 +: OffW]] = 1'b1;
      end
    end
    last = (rem & ~same) == '0;
  end

  // Store data in word layout: the highest lane of each word first, then one multiplexer a word.
  // Moving the data lane by lane would cost a multiplexer for each lane and word.
  localparam int unsigned LaneW = Lanes > 1 ? $clog2(Lanes) : 1;
  logic [LaneW-1:0] top_lane [0:LineWords-1];
  always_comb begin
    for (int unsigned w = 0; w < LineWords; w++) top_lane[w] = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (same[l]) top_lane[addr_i[l*AddrW + 2 +: OffW]] = LaneW'(l);
    end
  end

  always_comb begin
    out_data_o = '0;
    if (!is_store || is_lds) begin
      out_data_o[Lanes*WordW-1:0] = data_i;
    end else if (out_valid_o) begin
      for (int unsigned w = 0; w < LineWords; w++) begin
        if (out_wmask_o[w]) out_data_o[w*WordW +: WordW] = data_i[top_lane[w]*WordW +: WordW];
      end
    end
  end

  always_comb begin
    open_lanes_o = '0;
    if (issue_valid_i) begin
      for (int unsigned l = 0; l < Lanes; l++) open_lanes_o = open_lanes_o + CntW'(mask_i[l]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) more_q <= 1'b0;
    else if (out_valid_o) more_q <= !(out_ready_i && last);
  end

  always_ff @(posedge clk_i) begin
    if (out_valid_o) rem_q <= out_ready_i ? (rem & ~same) : rem;
  end

  assign mem_ready_o  = !out_valid_o || (out_ready_i && last);
  assign idle_o       = !more_q;

  assign open_valid_o = issue_valid_i;
  assign open_warp_o  = issue_warp_i;
  assign open_slot_o  = issue_slot_i;

  assign out_last_o   = last;
  assign out_mask_o   = same;
  assign out_warp_o   = issue_warp_i;
  assign out_slot_o   = issue_slot_i;
  assign out_kind_o   = issue_kind_i;
  assign out_fn_o     = issue_fn_i;
  assign out_order_o  = issue_order_i;
  assign out_scope_o  = issue_scope_i;
  assign out_ro_o     = issue_ro_i;
  assign out_space_o  = issue_space_i;
  assign out_cmp_o    = cmp_i;

  // The two low address bits serve the alignment check only.
  logic misaligned;
  always_comb begin
    misaligned = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      misaligned = misaligned || (mask_i[l] && addr_i[l*AddrW +: 2] != 2'd0);
    end
  end
`ifdef SYNTHESIS
  logic unused_misaligned;
  assign unused_misaligned = misaligned;
`endif
  `HD_ASSERT(a_issue_when_ready, !(issue_valid_i && more_q))
  `HD_ASSERT(a_issue_is_memory, !issue_valid_i || hd_pkg::op_memory(issue_kind_i))
  `HD_ASSERT(a_issue_has_lanes, !issue_valid_i || mask_i != '0)
  `HD_ASSERT(a_aligned, !issue_valid_i || !misaligned)
endmodule
`default_nettype wire
