// hd_route_xy_fv.sv - proof of the mesh's routing: every packet arrives, and no circle of waiting.
//
// hd_route_xy itself decides; a packet goes from any node to any endpoint of a MeshX x MeshY mesh,
// hop by hop. Each hop must bring it one node closer, so it arrives and passes no node twice. Each
// link has a number (links along rows: how far they have come along the row; along columns: more
// than any of a row); a packet must take links of growing numbers only. Then links that wait for
// each other (a packet holds one and wants the next) cannot form a circle. docs/formal.md.
//@ proof route_4x4 pdr MeshX=4 MeshY=4
//@ bug columns_first noc/hd_route_xy.sv s/if (column > column_i)/if (row > row_i \&\& column > column_i) port_o[hd_pkg::ROUTER_S] = 1'b1; else if (column > column_i)/
//@ bug wrong_way noc/hd_route_xy.sv s/(row < row_i) port_o.hd_pkg::ROUTER_N/(row < row_i) port_o[hd_pkg::ROUTER_S/
//@ bug stops_short noc/hd_route_xy.sv s/else if (row > row_i)/else if (row > row_i + 1)/
//@ bug wrong_endpoint noc/hd_route_xy.sv s/dst_kind_i == hd_pkg::END_L2) port/dst_kind_i == hd_pkg::END_SM) port/
`default_nettype none
module hd_route_xy_fv #(
  parameter int unsigned MeshX = 4,
  parameter int unsigned MeshY = 4
) (
  input logic       clk_i,
  input logic       start_i,       // a new packet
  input logic [3:0] row_i,         // where it starts
  input logic [3:0] column_i,
  input logic [7:0] node_i,        // the node it is for
  input logic       l2_i           // its L2, else its SM
);
  logic       on_q, l2_q;
  logic [7:0] row_q, column_q, node_q;
  logic [5:0] rank_q, far_q;       // number of the link it came by, nodes left to go
  initial begin
    on_q = 0; l2_q = 0; row_q = 0; column_q = 0; node_q = 0; rank_q = 0; far_q = 0;
  end
  // node 0 has no SM
  wire       named = 32'(node_i) < MeshX * MeshY && (l2_i || node_i != 0) && 32'(row_i) < MeshY
                     && 32'(column_i) < MeshX;
  wire [7:0] to_row    = 8'(32'(node_q) / MeshX);
  wire [7:0] to_column = 8'(32'(node_q) % MeshX);
  wire [5:0] far = 6'(to_row > row_q ? to_row - row_q : row_q - to_row)
                   + 6'(to_column > column_q ? to_column - column_q : column_q - to_column);

  logic [hd_pkg::ROUTER_PORTS-1:0] port;
  logic                            bad;
  hd_route_xy #(.MeshX(MeshX), .MeshY(MeshY)) u_route (
    .head_i(on_q), .dst_kind_i(l2_q ? hd_pkg::END_L2 : hd_pkg::END_SM),
    .dst_i(hd_pkg::NODE_W'(l2_q ? node_q : node_q - 8'd1)), .row_i(row_q), .column_i(column_q),
    .port_o(port), .bad_o(bad)
  );
  wire n = port[hd_pkg::ROUTER_N], e = port[hd_pkg::ROUTER_E], s = port[hd_pkg::ROUTER_S];
  wire w = port[hd_pkg::ROUTER_W];
  wire arrives = port[hd_pkg::ROUTER_SM] || port[hd_pkg::ROUTER_L2];
  logic [5:0] rank;
  always_comb begin
    rank = 6'd0;
    if (e) rank = 6'(column_q) + 6'd1;
    if (w) rank = 6'(MeshX) - 6'(column_q);
    if (s) rank = 6'(MeshX) + 6'(row_q) + 6'd1;
    if (n) rank = 6'(MeshX + MeshY) - 6'(row_q);
  end
  always @(posedge clk_i) begin
    if (start_i && named) begin
      on_q     <= 1'b1;
      l2_q     <= l2_i;
      node_q   <= node_i;
      row_q    <= 8'(row_i);
      column_q <= 8'(column_i);
      rank_q   <= 6'd0;
      far_q    <= 6'(MeshX + MeshY);
    end else if (arrives) begin
      on_q <= 1'b0;
    end else if (on_q) begin
      row_q    <= s ? row_q + 8'd1 : n ? row_q - 8'd1 : row_q;
      column_q <= e ? column_q + 8'd1 : w ? column_q - 8'd1 : column_q;
      rank_q   <= rank;
      far_q    <= far;
    end
  end
  always @* begin
    one_port:  assert (!on_q || (port != 0 && (port & (port - 1'b1)) == 0 && !bad));
    closer:    assert (!on_q || far < far_q);
    on_mesh:   assert (!on_q || (32'(row_q) < MeshY && 32'(column_q) < MeshX));
    no_circle: assert (!(on_q && !arrives) || rank > rank_q);
    its_own:   assert (!(on_q && arrives) || (far == 0 && port[hd_pkg::ROUTER_L2] == l2_q));
    arrived:   cover (on_q && arrives && 32'(rank_q) == MeshX + MeshY - 1);
    from_far:  cover (on_q && 32'(far) == MeshX + MeshY - 2);
  end
endmodule
`default_nettype wire
