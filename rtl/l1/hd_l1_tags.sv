// hd_l1_tags.sv - tags, MESI states and replacement order of a set-associative L1.
//
// Plain modulo index: the caller passes set and tag (paper 1 section 6.1 needs the set conflicts).
// lookup  combinational for set_i/tag_i: hit_o, way_o, state_o (I on a miss).
// victim  combinational: an invalid way if the set has one (free_o), else the least recently used
//         one; force_i names the way instead (flush walk). vict_* describe it.
// update  at the edge, in the set of set_i: we_i writes tag and state of a way; touch_i makes a way
//         the most recently used one. Both may happen in one cycle.
// reset   all ways are invalid, way 0 is the most recently used one, the last one the least.
// Parameters: Sets (power of two), Ways, TagW bits. Latency 0 to read, 1 to write.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_tags #(
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 4,
  parameter int unsigned TagW = 19,
  parameter int unsigned SetW = hd_pkg::idx_w(Sets),  // derived
  parameter int unsigned WayW = hd_pkg::idx_w(Ways)   // derived
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            valid_i,      // set_i/tag_i mean something
  input  logic [SetW-1:0] set_i,
  input  logic [TagW-1:0] tag_i,
  output logic            hit_o,
  output logic [WayW-1:0] way_o,
  output hd_pkg::mesi_e   state_o,
  input  logic            force_i,
  input  logic [WayW-1:0] force_way_i,
  output logic            free_o,
  output logic [WayW-1:0] vict_way_o,
  output hd_pkg::mesi_e   vict_state_o,
  output logic [TagW-1:0] vict_tag_o,
  input  logic            we_i,
  input  logic [WayW-1:0] we_way_i,
  input  logic [TagW-1:0] we_tag_i,
  input  hd_pkg::mesi_e   we_state_i,
  input  logic            touch_i,
  input  logic [WayW-1:0] touch_way_i
);
  if (Sets < 1 || (Sets & (Sets - 1)) != 0) begin : g_bad_sets
    $error("hd_l1_tags: Sets must be a power of two");
  end

  logic [Ways*TagW-1:0] tags;
  logic [Ways-1:0]      tag_we;
  logic [2*Ways-1:0]    st_q [0:Sets-1];     // state per way
  logic [Ways*WayW-1:0] rank_q [0:Sets-1];   // 0 = most recently used
  logic [2*Ways-1:0]    st, st_new;
  logic [Ways*WayW-1:0] rank, rank_new;
  logic [1:0]           hit_st, vict_st;
  hd_pkg::mesi_s        hit_s, vict_s;
  logic [Ways*WayW-1:0] first_rank;           // constant: ways in order, way 0 most recently used

  hd_regfile #(.Width(Ways * TagW), .Depth(Sets), .Gran(TagW)) u_tags (
    .clk_i(clk_i),
    .we_i(we_i),
    .waddr_i(set_i),
    .wmask_i(tag_we),
    .wdata_i({Ways{we_tag_i}}),
    .raddr_i(set_i),
    .rdata_o(tags)
  );

  for (genvar w = 0; w < Ways; w++) begin : g_first_rank
    assign first_rank[WayW*w +: WayW] = WayW'(w);
  end

  assign st   = st_q[set_i];
  assign rank = rank_q[set_i];

  always_comb begin
    hit_o      = 1'b0;
    way_o      = '0;
    hit_st     = hd_pkg::ST_I;
    free_o     = 1'b0;
    vict_way_o = '0;
    vict_st    = hd_pkg::ST_I;
    vict_tag_o = '0;
    if (valid_i) begin
      for (int i = 0; i < Ways; i++) begin
        if (st[2*i +: 2] != hd_pkg::ST_I && tags[TagW*i +: TagW] == tag_i) begin
          hit_o  = 1'b1;
          way_o  = WayW'(i);
          hit_st = st[2*i +: 2];
        end
      end
      for (int i = Ways - 1; i >= 0; i--) begin
        if (rank[WayW*i +: WayW] == WayW'(Ways - 1) && !free_o) vict_way_o = WayW'(i);
        if (st[2*i +: 2] == hd_pkg::ST_I) begin
          free_o     = 1'b1;
          vict_way_o = WayW'(i);
        end
      end
      if (force_i) vict_way_o = force_way_i;
      vict_st    = st[2*vict_way_o +: 2];
      vict_tag_o = tags[TagW*vict_way_o +: TagW];
    end
  end

  // What an update would write: a block of its own, because its way comes from the lookup above.
  always_comb begin
    tag_we   = '0;
    st_new   = st;
    rank_new = rank;
    if (valid_i) begin
      tag_we[we_way_i] = 1'b1;
      st_new[2*we_way_i +: 2] = we_state_i;
      for (int i = 0; i < Ways; i++) begin
        if (WayW'(i) == touch_way_i) rank_new[WayW*i +: WayW] = '0;
        else if (rank[WayW*i +: WayW] < rank[WayW*touch_way_i +: WayW])
          rank_new[WayW*i +: WayW] = rank[WayW*i +: WayW] + 1'b1;
      end
    end
  end

  assign hit_s    = hit_st;
  assign vict_s   = vict_st;
  assign state_o  = hit_s.st;
  assign vict_state_o = vict_s.st;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int i = 0; i < Sets; i++) begin
        st_q[i]   <= '0;
        rank_q[i] <= first_rank;
      end
    end else begin
      if (we_i) st_q[set_i] <= st_new;
      if (touch_i) rank_q[set_i] <= rank_new;
    end
  end

  `HD_ASSERT(a_valid_when_written, !(we_i || touch_i) || valid_i)
endmodule
`default_nettype wire
