// hd_router_tile.sv - a node of the mesh: six links each way, switched along rows, then columns.
//
// One model for all routers: node_id_i, constant from reset on, says which one it is. docs/mesh.md.
// in_*   links by port ROUTER_* of hd_pkg: four neighbours, the SM and the L2 of the node. Port p
//        in slice p of every vector: in_valid_i pulse, in_vn_i, in_tail_i, in_flit_i;
//        in_credit_o[p*NETS + v] returns a credit of network v. Where nothing is joined nothing
//        comes, and no packet is sent there.
// out_*  the same with directions turned.
// ev_o   bits 0..ROUTER_PORTS-1: a flit left by that port, with out_valid_o; EV_ROUTER_BLOCKED: a
//        flit had to wait.
// idle_o docs/tiles.md, Idle: no flit inside, no credit owed, every pulse output 0.
//
// Every link has the three networks VN_*. They share its wires flit by flit and nothing else: each
// has its queue, credits and arbiter at each port, so what waits on one never stops another. The
// rest is hd_switch (fairness, wormhole, one cycle a router) and hd_route_xy (where).
//
// MeshX, MeshY: columns and rows. RxDepth: flits an input buffers per network. TxCredits: flits the
// receiver of an output buffers. FlitW: bits.
`include "hd_assert.svh"
`default_nettype none
module hd_router_tile #(
  parameter int unsigned MeshX     = 4,
  parameter int unsigned MeshY     = 4,
  parameter int unsigned RxDepth   = 8,
  parameter int unsigned TxCredits = 8,
  parameter int unsigned FlitW     = 128
) (
  input  logic                                          clk_i,
  input  logic                                          rst_i,
  input  logic [31:0]                                   now_i,
  input  logic [hd_pkg::MESH_W-1:0]                     node_id_i,

  input  logic [hd_pkg::ROUTER_PORTS-1:0]               in_valid_i,
  input  logic [hd_pkg::ROUTER_PORTS*hd_pkg::VN_W-1:0]  in_vn_i,
  input  logic [hd_pkg::ROUTER_PORTS-1:0]               in_tail_i,
  input  logic [hd_pkg::ROUTER_PORTS*FlitW-1:0]         in_flit_i,
  output logic [hd_pkg::ROUTER_PORTS*hd_pkg::NETS-1:0]  in_credit_o,

  output logic [hd_pkg::ROUTER_PORTS-1:0]               out_valid_o,
  output logic [hd_pkg::ROUTER_PORTS*hd_pkg::VN_W-1:0]  out_vn_o,
  output logic [hd_pkg::ROUTER_PORTS-1:0]               out_tail_o,
  output logic [hd_pkg::ROUTER_PORTS*FlitW-1:0]         out_flit_o,
  input  logic [hd_pkg::ROUTER_PORTS*hd_pkg::NETS-1:0]  out_credit_i,

  output logic [hd_pkg::EV_ROUTER_NUM-1:0]              ev_o,
  output logic                                          idle_o
);
  localparam int unsigned Ports  = hd_pkg::ROUTER_PORTS;
  localparam int unsigned Nets   = hd_pkg::NETS;
  localparam int unsigned Queues = Nets * Ports;  // queue v*Ports + p: network v of port p

  logic [Queues-1:0]                 head, bad;
  logic [Queues*hd_pkg::ROUTE_W-1:0] route;
  logic [Ports*Queues-1:0]           want;
  logic [hd_pkg::MESH_W-1:0]         row_q, column_q, own_row;
  logic                              moved, blocked;

  hd_switch #(
    .Ins(Ports),
    .Outs(Ports),
    .NumVn(Nets),
    .RxDepth(RxDepth),
    .TxCredits(TxCredits),
    .FlitW(FlitW)
  ) u_switch (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (in_valid_i),
    .in_beats_i  ({in_vn_i, in_tail_i, in_flit_i}),
    .in_credit_o (in_credit_o),
    .out_valid_o (out_valid_o),
    .out_beats_o ({out_vn_o, out_tail_o, out_flit_o}),
    .out_credit_i(out_credit_i),
    .head_o      (head),
    .route_o     (route),
    .want_i      (want),
    .moved_o     (moved),
    .blocked_o   (blocked),
    .idle_o      (idle_o)
  );

  logic [Queues*Ports-1:0] to;  // slice q: the port that queue q's head is for
  for (genvar q = 0; q < Queues; q++) begin : g_route
    hd_route_xy #(.MeshX(MeshX), .MeshY(MeshY)) u_xy (
      .head_i    (head[q]),
      .dst_kind_i(route[q*hd_pkg::ROUTE_W + hd_pkg::ROUTE_W - 1 -: 2]),
      .dst_i     (route[q*hd_pkg::ROUTE_W + hd_pkg::ROUTE_W - 3 -: hd_pkg::NODE_W]),
      .row_i     (row_q),
      .column_i  (column_q),
      .port_o    (to[q*Ports +: Ports]),
      .bad_o     (bad[q])
    );
  end
  // Without a head nothing is wanted: simulators skip what the branches hold, most of it mostly.
  always_comb begin
    want = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (head[q]) begin
        for (int unsigned o = 0; o < Ports; o++) if (to[q*Ports + o]) want[o*Queues + q] = 1'b1;
      end
    end
  end

  assign own_row = hd_pkg::mesh_row(node_id_i, MeshX, MeshY);
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      row_q    <= own_row;
      column_q <= hd_pkg::mesh_column(node_id_i, own_row, MeshX);
    end
  end

  assign ev_o[Ports-1:0]                 = out_valid_o;
  assign ev_o[hd_pkg::EV_ROUTER_BLOCKED] = blocked;

  logic unused_ok;
  assign unused_ok = ^{now_i, moved, bad, route};

  // ---- what the neighbours and the tables promise ---------------------------------------------
  logic leaves, turns;  // off the mesh; out of its column, or back to where it came from
  always_comb begin
    leaves = 1'b0;
    turns  = 1'b0;
    for (int unsigned q = 0; q < Queues; q++) begin
      leaves = leaves || (want[hd_pkg::ROUTER_N*Queues + q] && row_q == '0)
                      || (want[hd_pkg::ROUTER_W*Queues + q] && column_q == '0)
                      || (want[hd_pkg::ROUTER_S*Queues + q] && 32'(row_q) + 1 == MeshY)
                      || (want[hd_pkg::ROUTER_E*Queues + q] && 32'(column_q) + 1 == MeshX);
      if (q % Ports == hd_pkg::ROUTER_N || q % Ports == hd_pkg::ROUTER_S)
        turns = turns || want[hd_pkg::ROUTER_E*Queues + q] || want[hd_pkg::ROUTER_W*Queues + q];
      if (q % Ports < hd_pkg::ROUTER_SM) turns = turns || want[(q % Ports)*Queues + q];
    end
  end
  logic unused_checks;
  assign unused_checks = leaves || turns;

  `HD_ASSERT(a_on_the_mesh, bad == '0 && !leaves)
  `HD_ASSERT(a_turn, !turns)
  `HD_ASSERT(a_node, 32'(node_id_i) < MeshX * MeshY && 32'(column_q) < MeshX
                     && 32'(row_q) * MeshX + 32'(column_q) == 32'(node_id_i))
endmodule
`default_nettype wire
