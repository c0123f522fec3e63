// hd_l1_lines.sv - the lines an L1 holds: which line a decision is about, its state and its row.
//
// sel   at most one (hd_l1_arb): a target that waited for rp_line_i, a message about dn_line_i, an
//       access to la_line_i, a step of the flush walk at row fl_row_i {set, way}. dn_data_i: the
//       message brings the line.
// out   combinational. evict_o: the decision is about the line that must leave, because data come
//       and no way is free, or the walk steps on it; fill_o: data are installed. line_o is the line
//       of the access or message, about_o the line the decision is about, row_o its row, state_o
//       its state (I: not here).
// in    we_i: its state becomes next_i; touch_i: it is the most recently used of its set.
// st    registered pulse: a line changed to this state.
// Parameters: Sets, Ways (powers of two, at least 2), LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_lines #(
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 4,
  parameter int unsigned LineW = 25,
  parameter int unsigned RowW = hd_pkg::idx_w(Sets * Ways)  // derived: leave as is
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  hd_pkg::l1_sel_s  sel_i,
  input  logic [LineW-1:0] rp_line_i,
  input  logic [LineW-1:0] dn_line_i,
  input  logic [LineW-1:0] la_line_i,
  input  logic [RowW-1:0]  fl_row_i,
  input  logic             dn_data_i,
  output logic             evict_o,
  output logic             fill_o,
  output logic [LineW-1:0] line_o,
  output logic [LineW-1:0] about_o,
  output logic [RowW-1:0]  row_o,
  output hd_pkg::mesi_e    state_o,
  input  logic             we_i,
  input  hd_pkg::mesi_e    next_i,
  input  logic             touch_i,
  output logic             st_valid_o,
  output logic [LineW-1:0] st_line_o,
  output logic [1:0]       st_state_o
);
  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned WayW = $clog2(Ways);
  localparam int unsigned TagW = LineW - SetW;
  if (Sets < 2 || Ways < 2 || (Sets & (Sets - 1)) != 0 || (Ways & (Ways - 1)) != 0) begin : g_bad
    $error("hd_l1_lines: Sets and Ways must be powers of two, at least 2");
  end

  hd_pkg::mesi_e   hit_state, vict_state;
  logic            hit, free, brings;
  logic [SetW-1:0] set;
  logic [WayW-1:0] hit_way, vict_way, way;
  logic [TagW-1:0] vict_tag;

  always_comb begin
    if (sel_i.rp) line_o = rp_line_i;
    else if (sel_i.dn) line_o = dn_line_i;
    else line_o = la_line_i;
  end
  assign brings  = sel_i.dn && dn_data_i;
  assign evict_o = (brings && !hit && !free) || sel_i.fl;
  assign fill_o  = brings && (hit || free);
  assign set     = sel_i.fl ? fl_row_i[RowW-1 -: SetW] : line_o[SetW-1:0];
  assign way     = (evict_o || (fill_o && !hit)) ? vict_way : hit_way;
  assign state_o = evict_o ? vict_state : hit_state;
  assign about_o = evict_o ? {vict_tag, set} : line_o;
  assign row_o   = {set, way};

  hd_l1_tags #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW)
  ) u_tags (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(|sel_i),
    .set_i(set),
    .tag_i(line_o[LineW-1:SetW]),
    .hit_o(hit),
    .way_o(hit_way),
    .state_o(hit_state),
    .force_i(sel_i.fl),
    .force_way_i(fl_row_i[WayW-1:0]),
    .free_o(free),
    .vict_way_o(vict_way),
    .vict_state_o(vict_state),
    .vict_tag_o(vict_tag),
    .we_i(we_i),
    .we_way_i(way),
    .we_tag_i(about_o[LineW-1:SetW]),
    .we_state_i(next_i),
    .touch_i(touch_i),
    .touch_way_i(way)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) st_valid_o <= 1'b0;
    else st_valid_o <= we_i;
    if (we_i) begin
      st_line_o  <= about_o;
      st_state_o <= next_i;
    end
  end

  `HD_ASSERT(a_one, $onehot0(sel_i))
endmodule
`default_nettype wire
