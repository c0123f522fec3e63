// hd_l1_words.sv - tags and word states of an L1 whose lines are valid word by word.
//
// Paper 3; docs/protocol_gpu.md. A row {set, way} has a tag, a mask of its words for each state
// (WORDS_V and up) and the generation of its valid clean words: of another generation than gen_i
// they count as invalid, so that a step of gen_i drops them all. A pinned row keeps its line:
// data for it are on the way.
//
// look    combinational, with valid_i, for set_i and tag_i; known_i names the way instead.
//         hit_o: the line is here (known_i: the row holds one), way_o, tag_o, masks_o of the row,
//         0 if not hit.
// victim  vict_ok_o: a way of the set may be taken: an empty one first, then one whose words are
//         all invalid, then the least recently used one that is not pinned and has no wanted word.
//         KeepDirty: and has no dirty word. vict_way_o, vict_tag_o, vict_masks_o describe it.
// update  at the edge, on way we_way_i of set_i: we_i writes tag, masks (generation: gen_i) and
//         whether the row holds a line; touch_i makes it the most recently used. pin_we_i writes
//         its pin. unpin_all_i: no row is pinned any more (pin_we_i comes after it).
// Parameters: Sets, Ways (powers of two, at least 2), TagW, LineWords, GenW, Masks of a line,
// KeepDirty. Latency 0 to read, 1 to write.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_words #(
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 8,
  parameter int unsigned TagW = 20,
  parameter int unsigned LineWords = 16,
  parameter int unsigned GenW = 10,
  parameter int unsigned Masks = hd_pkg::WORDS_GPU,
  parameter int unsigned KeepDirty = 0,
  parameter int unsigned SetW = hd_pkg::idx_w(Sets),      // derived
  parameter int unsigned WayW = hd_pkg::idx_w(Ways),      // derived
  parameter int unsigned MasksW = Masks * LineWords       // derived
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [GenW-1:0]   gen_i,
  // look
  input  logic              valid_i,
  input  logic [SetW-1:0]   set_i,
  input  logic [TagW-1:0]   tag_i,
  input  logic              known_i,
  input  logic [WayW-1:0]   way_i,
  output logic              hit_o,
  output logic [WayW-1:0]   way_o,
  output logic [TagW-1:0]   tag_o,
  output logic [MasksW-1:0] masks_o,
  // victim
  output logic              vict_ok_o,
  output logic [WayW-1:0]   vict_way_o,
  output logic [TagW-1:0]   vict_tag_o,
  output logic [MasksW-1:0] vict_masks_o,
  // update
  input  logic              we_i,
  input  logic [WayW-1:0]   we_way_i,
  input  logic              we_holds_i,
  input  logic [TagW-1:0]   we_tag_i,
  input  logic [MasksW-1:0] we_masks_i,
  input  logic              touch_i,
  input  logic              pin_we_i,
  input  logic              pin_i,
  input  logic              unpin_all_i
);
  localparam int unsigned RowW = TagW + GenW + MasksW;  // {tag, generation, masks}
  localparam int unsigned VLsb = hd_pkg::WORDS_V * LineWords;
  localparam int unsigned DLsb = hd_pkg::WORDS_D * LineWords;
  if (Sets < 2 || Ways < 2 || (Sets & (Sets - 1)) != 0 || (Ways & (Ways - 1)) != 0) begin : g_bad
    $error("hd_l1_words: Sets and Ways must be powers of two, at least 2");
  end

  logic [Sets*Ways-1:0] pin_q;                 // by row
  logic [Ways-1:0]      holds_q [0:Sets-1];
  logic [Ways*WayW-1:0] rank_q [0:Sets-1];     // 0: most recently used
  logic [Ways*RowW-1:0] rows;
  logic [Ways-1:0]      row_we, holds, pins, holds_new, match, wanted;
  logic [Ways*WayW-1:0] rank, rank_new, first_rank;
  logic [Ways*MasksW-1:0] masks;               // as they count

  hd_regfile #(
    .Width(Ways * RowW),
    .Depth(Sets),
    .Gran(RowW)
  ) u_rows (
    .clk_i(clk_i),
    .we_i(we_i),
    .waddr_i(set_i),
    .wmask_i(row_we),
    .wdata_i({Ways{we_tag_i, gen_i, we_masks_i}}),
    .raddr_i(set_i),
    .rdata_o(rows)
  );
  for (genvar w = 0; w < Ways; w++) begin : g_way
    assign first_rank[WayW*w +: WayW] = WayW'(w);
    assign match[w] = holds[w] && rows[RowW*w + GenW + MasksW +: TagW] == tag_i;
  end
  assign holds = holds_q[set_i];
  assign rank  = rank_q[set_i];
  assign pins  = pin_q[set_i*Ways +: Ways];

  always_comb begin
    masks = '0;
    if (valid_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (holds[w]) masks[MasksW*w +: MasksW] = rows[RowW*w +: MasksW];
        if (rows[RowW*w + MasksW +: GenW] != gen_i) masks[MasksW*w + VLsb +: LineWords] = '0;
      end
    end
  end

  always_comb begin
    hit_o = 1'b0;
    way_o = known_i ? way_i : '0;
    if (valid_i) begin
      if (known_i) begin
        hit_o = holds[way_i];
      end else begin
        for (int unsigned w = 0; w < Ways; w++) begin
          if (match[w]) begin
            hit_o = 1'b1;
            way_o = WayW'(w);
          end
        end
      end
    end
    tag_o   = rows[RowW*way_o + GenW + MasksW +: TagW];
    masks_o = hit_o ? masks[MasksW*way_o +: MasksW] : '0;
  end

  for (genvar w = 0; w < Ways; w++) begin : g_wanted  // DENOVO: words are on their way
    if (Masks > hd_pkg::WORDS_W) begin : g_mask
      assign wanted[w] = |masks[MasksW*w + hd_pkg::WORDS_W*LineWords +: LineWords];
    end else begin : g_none
      assign wanted[w] = 1'b0;
    end
  end

  // A way that may be taken; the better kind first, of a kind the least recently used.
  always_comb begin
    logic [1:0]      kind, best;
    logic [WayW-1:0] age;
    vict_ok_o  = 1'b0;
    vict_way_o = '0;
    best       = '0;
    age        = '0;
    kind       = '0;
    if (valid_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (!holds[w]) kind = 2'd3;
        else if (pins[w]) kind = 2'd0;
        else if (masks[MasksW*w +: MasksW] == '0) kind = 2'd2;
        else if (wanted[w]) kind = 2'd0;
        else if (KeepDirty != 0 && masks[MasksW*w + DLsb +: LineWords] != '0) kind = 2'd0;
        else kind = 2'd1;
        if (kind > best || (kind == best && kind != 2'd0 && rank[WayW*w +: WayW] > age)) begin
          vict_ok_o  = 1'b1;
          vict_way_o = WayW'(w);
          best       = kind;
          age        = rank[WayW*w +: WayW];
        end
      end
    end
    vict_tag_o   = rows[RowW*vict_way_o + GenW + MasksW +: TagW];
    vict_masks_o = masks[MasksW*vict_way_o +: MasksW];
  end

  always_comb begin
    row_we    = '0;
    holds_new = holds;
    rank_new  = rank;
    if (valid_i) begin
      row_we[we_way_i]    = 1'b1;
      holds_new[we_way_i] = we_holds_i;
      for (int unsigned w = 0; w < Ways; w++) begin
        if (WayW'(w) == we_way_i) rank_new[WayW*w +: WayW] = '0;
        else if (rank[WayW*w +: WayW] < rank[WayW*we_way_i +: WayW])
          rank_new[WayW*w +: WayW] = rank[WayW*w +: WayW] + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      pin_q <= '0;
      for (int i = 0; i < Sets; i++) begin
        holds_q[i] <= '0;
        rank_q[i]  <= first_rank;
      end
    end else begin
      if (unpin_all_i) pin_q <= '0;
      if (pin_we_i) pin_q[{set_i, we_way_i}] <= pin_i;
      if (we_i) holds_q[set_i] <= holds_new;
      if (touch_i) rank_q[set_i] <= rank_new;
    end
  end

  `HD_ASSERT(a_look_when_written, !(we_i || touch_i || pin_we_i) || valid_i)
  `HD_ASSERT(a_line_once, known_i || $onehot0(match))
  `HD_ASSERT(a_pinned_stays, !(we_i && holds[we_way_i] && pins[we_way_i])
             || (we_holds_i && we_tag_i == rows[RowW*we_way_i + GenW + MasksW +: TagW]))
endmodule
`default_nettype wire
