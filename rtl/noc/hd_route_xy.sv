// hd_route_xy.sv - port of a router that a packet takes: along the row first, then the column.
//
// Combinational. head_i: there is a packet; dst_kind_i, dst_i: where it goes (route_s). row_i,
// column_i: of this router. port_o: one-hot, ROUTER_*, 0 without head_i. bad_o: no endpoint of that
// name is on the mesh, port_o is then anything.
// A packet that has turned into a column never leaves it but at its node, so the links of a network
// never wait for each other in a circle; there is one way from a source to a destination, so
// packets between the two keep their order.
// MeshX, MeshY: columns and rows, 1..hd_pkg::MESH_MAX.
`default_nettype none
module hd_route_xy #(
  parameter int unsigned MeshX = 4,
  parameter int unsigned MeshY = 4
) (
  input  logic                            head_i,
  input  hd_pkg::end_e                    dst_kind_i,
  input  logic [hd_pkg::NODE_W-1:0]       dst_i,
  input  logic [hd_pkg::MESH_W-1:0]       row_i,
  input  logic [hd_pkg::MESH_W-1:0]       column_i,
  output logic [hd_pkg::ROUTER_PORTS-1:0] port_o,
  output logic                            bad_o
);
  if (MeshX == 0 || MeshX > hd_pkg::MESH_MAX || MeshY == 0 || MeshY > hd_pkg::MESH_MAX)
    begin : g_bad_mesh
    $error("hd_route_xy: MeshX and MeshY must be 1..MESH_MAX");
  end

  logic [hd_pkg::MESH_W-1:0] node, row, column;

  always_comb begin
    port_o = '0;
    bad_o  = 1'b0;
    node   = '0;
    row    = '0;
    column = '0;
    if (head_i) begin
      unique case (dst_kind_i)
        hd_pkg::END_SM: node = hd_pkg::MESH_W'(dst_i) + hd_pkg::MESH_W'(1);
        hd_pkg::END_L2: node = hd_pkg::MESH_W'(dst_i);
        default:        node = '0;
      endcase
      row    = hd_pkg::mesh_row(node, MeshX, MeshY);
      column = hd_pkg::mesh_column(node, row, MeshX);
      bad_o  = 32'(node) >= MeshX * MeshY;
      if (column > column_i) port_o[hd_pkg::ROUTER_E] = 1'b1;
      else if (column < column_i) port_o[hd_pkg::ROUTER_W] = 1'b1;
      else if (row > row_i) port_o[hd_pkg::ROUTER_S] = 1'b1;
      else if (row < row_i) port_o[hd_pkg::ROUTER_N] = 1'b1;
      else if (dst_kind_i == hd_pkg::END_L2) port_o[hd_pkg::ROUTER_L2] = 1'b1;
      else port_o[hd_pkg::ROUTER_SM] = 1'b1;
    end
  end
endmodule
`default_nettype wire
