// hd_mesh_net.sv - the mesh of a flat chip: routers and the pipes of all their links.
//
// sm_*, l2_*  the ends of the tiles' links, tile 0 in the low bits; what is sent by one edge is
//             there the link's latency later (hd_link_pipe). All links have the networks VN_*.
// SM i is at node i + 1, L2 b at node b (hd_router_tile). Links between routers have LatHop, those
// between two columns (rows) neither of which is the first or last LatHopInner, if not 0.
// ev_o   of router n in slice n. idle_o: routers idle, pipes empty.
// Parts: L2 tiles; the others are those of hd_keys.svh, MeshX and MeshY not 0.
`default_nettype none
module hd_mesh_net #(
  parameter int unsigned Sms = 3,
  parameter int unsigned Parts = 4,
  parameter int unsigned MeshX = 2,
  parameter int unsigned MeshY = 2,
  parameter int unsigned RxDepth = 8,
  parameter int unsigned TxCredits = 8,
  parameter int unsigned FlitW = 128,
  parameter int unsigned LatSmXbar = 2,
  parameter int unsigned LatXbarL2 = 2,
  parameter int unsigned LatL2Xbar = 2,
  parameter int unsigned LatXbarSm = 2,
  parameter int unsigned LatHop = 2,
  parameter int unsigned LatHopInner = 0,
  parameter int unsigned LatCredit = 2,
  parameter int unsigned Nodes = MeshX * MeshY,  // derived
  parameter int unsigned Nets = hd_pkg::NETS     // derived
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic [31:0]                   now_i,
  // flits from SMs, to SMs
  input  logic [Sms-1:0]                sm_valid_i,
  input  logic [Sms*hd_pkg::VN_W-1:0]   sm_vn_i,
  input  logic [Sms-1:0]                sm_tail_i,
  input  logic [Sms*FlitW-1:0]          sm_flit_i,
  output logic [Sms*Nets-1:0]         sm_credit_o,
  output logic [Sms-1:0]                sm_valid_o,
  output logic [Sms*hd_pkg::VN_W-1:0]   sm_vn_o,
  output logic [Sms-1:0]                sm_tail_o,
  output logic [Sms*FlitW-1:0]          sm_flit_o,
  input  logic [Sms*Nets-1:0]       sm_credit_i,
  // flits from L2 tiles, to L2 tiles
  input  logic [Parts-1:0]              l2_valid_i,
  input  logic [Parts*hd_pkg::VN_W-1:0] l2_vn_i,
  input  logic [Parts-1:0]              l2_tail_i,
  input  logic [Parts*FlitW-1:0]        l2_flit_i,
  output logic [Parts*Nets-1:0]     l2_credit_o,
  output logic [Parts-1:0]              l2_valid_o,
  output logic [Parts*hd_pkg::VN_W-1:0] l2_vn_o,
  output logic [Parts-1:0]              l2_tail_o,
  output logic [Parts*FlitW-1:0]        l2_flit_o,
  input  logic [Parts*Nets-1:0]       l2_credit_i,
  output logic [Nodes*hd_pkg::EV_ROUTER_NUM-1:0] ev_o,
  output logic                          idle_o
);
  localparam int unsigned VnW   = hd_pkg::VN_W;
  localparam int unsigned Ports = hd_pkg::ROUTER_PORTS;
  localparam int unsigned Links = Nodes * Ports;  // link n*Ports + p: at port p of router n
  localparam int unsigned EvW   = hd_pkg::EV_ROUTER_NUM;
  localparam int unsigned Inner = (LatHopInner != 0) ? LatHopInner : LatHop;

  if (Nodes < Sms + 1 || Nodes < Parts) begin : g_bad_mesh
    $error("hd_mesh_net: wants a node for each SM beside node 0, and for each L2");
  end

  logic [Links-1:0]       in_valid, in_tail, out_valid, out_tail;
  logic [Links*VnW-1:0]   in_vn, out_vn;
  logic [Links*FlitW-1:0] in_flit, out_flit;
  logic [Links*Nets-1:0]  in_credit, out_credit;
  logic [Links-1:0]       empty;     // the pipe that leads to this port
  logic [Nodes-1:0]       idle;
  logic [Sms-1:0]         sm_empty;  // the pipe that leads to the tile
  logic [Parts-1:0]       l2_empty;

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    hd_router_tile #(
      .MeshX(MeshX),
      .MeshY(MeshY),
      .RxDepth(RxDepth),
      .TxCredits(TxCredits),
      .FlitW(FlitW)
    ) u_router (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .now_i       (now_i),
      .node_id_i   (hd_pkg::MESH_W'(n)),
      .in_valid_i  (in_valid[n*Ports +: Ports]),
      .in_vn_i     (in_vn[n*Ports*VnW +: Ports*VnW]),
      .in_tail_i   (in_tail[n*Ports +: Ports]),
      .in_flit_i   (in_flit[n*Ports*FlitW +: Ports*FlitW]),
      .in_credit_o (in_credit[n*Ports*Nets +: Ports*Nets]),
      .out_valid_o (out_valid[n*Ports +: Ports]),
      .out_vn_o    (out_vn[n*Ports*VnW +: Ports*VnW]),
      .out_tail_o  (out_tail[n*Ports +: Ports]),
      .out_flit_o  (out_flit[n*Ports*FlitW +: Ports*FlitW]),
      .out_credit_i(out_credit[n*Ports*Nets +: Ports*Nets]),
      .ev_o        (ev_o[n*EvW +: EvW]),
      .idle_o      (idle[n])
    );

    // Port p of this node is joined to the opposite one of its neighbour: the pipe to this node.
    for (genvar p = 0; p < 4; p++) begin : g_hop
      localparam int unsigned Row  = n / MeshX;
      localparam int unsigned Col  = n % MeshX;
      localparam bit          Here = (p == hd_pkg::ROUTER_N) ? Row > 0
                                   : (p == hd_pkg::ROUTER_E) ? Col + 1 < MeshX
                                   : (p == hd_pkg::ROUTER_S) ? Row + 1 < MeshY : Col > 0;
      localparam int unsigned To   = (p == hd_pkg::ROUTER_N) ? n - MeshX
                                   : (p == hd_pkg::ROUTER_E) ? n + 1
                                   : (p == hd_pkg::ROUTER_S) ? n + MeshX : n - 1;
      localparam int unsigned From = To * Ports + (p + 2) % 4;
      // Place of the link in its row or column, and how many there are.
      localparam int unsigned At   = (p == hd_pkg::ROUTER_N) ? Row - 1
                                   : (p == hd_pkg::ROUTER_E) ? Col
                                   : (p == hd_pkg::ROUTER_S) ? Row : Col - 1;
      localparam int unsigned Last = ((p % 2 == hd_pkg::ROUTER_N) ? MeshY : MeshX) - 2;
      if (Here) begin : g_pipe
        hd_link_pipe #(
          .FlitW(FlitW),
          .NumVn(Nets),
          .Latency((At > 0 && At < Last) ? Inner : LatHop),
          .CreditLatency(LatCredit)
        ) u_pipe (
          .clk_i      (clk_i),
          .rst_i      (rst_i),
          .s_capture_i(1'b1),
          .s_valid_i  (out_valid[From]),
          .s_beat_i   ({out_vn[From*VnW +: VnW], out_tail[From], out_flit[From*FlitW +: FlitW]}),
          .s_credit_o (out_credit[From*Nets +: Nets]),
          .r_valid_o  (in_valid[(n*Ports + p)]),
          .r_beat_o   ({in_vn[(n*Ports + p)*VnW +: VnW], in_tail[(n*Ports + p)],
                         in_flit[(n*Ports + p)*FlitW +: FlitW]}),
          .r_capture_i(1'b1),
          .r_credit_i (in_credit[(n*Ports + p)*Nets +: Nets]),
          .empty_o    (empty[n*Ports + p])
        );
      end else begin : g_edge
        assign in_valid[n*Ports + p] = 1'b0;
        assign in_vn[(n*Ports + p)*VnW +: VnW] = '0;
        assign in_tail[n*Ports + p] = 1'b0;
        assign in_flit[(n*Ports + p)*FlitW +: FlitW] = '0;
        assign out_credit[(n*Ports + p)*Nets +: Nets] = '0;
        assign empty[n*Ports + p] = 1'b1;
      end
    end

    localparam int unsigned SmPort = n*Ports + hd_pkg::ROUTER_SM;
    if (n > 0 && n <= Sms) begin : g_sm
      hd_link_pipe #(
        .FlitW(FlitW),
        .NumVn(Nets),
        .Latency(LatSmXbar),
        .CreditLatency(LatCredit)
      ) u_in (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .s_capture_i(1'b1),
        .s_valid_i  (sm_valid_i[(n - 1)]),
        .s_beat_i   ({sm_vn_i[(n - 1)*VnW +: VnW], sm_tail_i[(n - 1)],
                       sm_flit_i[(n - 1)*FlitW +: FlitW]}),
        .s_credit_o (sm_credit_o[(n - 1)*Nets +: Nets]),
        .r_valid_o  (in_valid[SmPort]),
        .r_beat_o   ({in_vn[SmPort*VnW +: VnW], in_tail[SmPort], in_flit[SmPort*FlitW +: FlitW]}),
        .r_capture_i(1'b1),
        .r_credit_i (in_credit[SmPort*Nets +: Nets]),
        .empty_o    (empty[SmPort])
      );
      hd_link_pipe #(
        .FlitW(FlitW),
        .NumVn(Nets),
        .Latency(LatXbarSm),
        .CreditLatency(LatCredit)
      ) u_out (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .s_capture_i(1'b1),
        .s_valid_i  (out_valid[SmPort]),
        .s_beat_i   ({out_vn[SmPort*VnW +: VnW], out_tail[SmPort],
                       out_flit[SmPort*FlitW +: FlitW]}),
        .s_credit_o (out_credit[SmPort*Nets +: Nets]),
        .r_valid_o  (sm_valid_o[(n - 1)]),
        .r_beat_o   ({sm_vn_o[(n - 1)*VnW +: VnW], sm_tail_o[(n - 1)],
                       sm_flit_o[(n - 1)*FlitW +: FlitW]}),
        .r_capture_i(1'b1),
        .r_credit_i (sm_credit_i[(n - 1)*Nets +: Nets]),
        .empty_o    (sm_empty[n - 1])
      );
    end else begin : g_no_sm
      assign in_valid[SmPort] = 1'b0;
      assign in_vn[SmPort*VnW +: VnW] = '0;
      assign in_tail[SmPort] = 1'b0;
      assign in_flit[SmPort*FlitW +: FlitW] = '0;
      assign out_credit[SmPort*Nets +: Nets] = '0;
      assign empty[SmPort] = 1'b1;
    end
    localparam int unsigned L2Port = n*Ports + hd_pkg::ROUTER_L2;
    if (n < Parts) begin : g_l2
      hd_link_pipe #(
        .FlitW(FlitW),
        .NumVn(Nets),
        .Latency(LatL2Xbar),
        .CreditLatency(LatCredit)
      ) u_in (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .s_capture_i(1'b1),
        .s_valid_i  (l2_valid_i[n]),
        .s_beat_i   ({l2_vn_i[n*VnW +: VnW], l2_tail_i[n], l2_flit_i[n*FlitW +: FlitW]}),
        .s_credit_o (l2_credit_o[n*Nets +: Nets]),
        .r_valid_o  (in_valid[L2Port]),
        .r_beat_o   ({in_vn[L2Port*VnW +: VnW], in_tail[L2Port], in_flit[L2Port*FlitW +: FlitW]}),
        .r_capture_i(1'b1),
        .r_credit_i (in_credit[L2Port*Nets +: Nets]),
        .empty_o    (empty[L2Port])
      );
      hd_link_pipe #(
        .FlitW(FlitW),
        .NumVn(Nets),
        .Latency(LatXbarL2),
        .CreditLatency(LatCredit)
      ) u_out (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .s_capture_i(1'b1),
        .s_valid_i  (out_valid[L2Port]),
        .s_beat_i   ({out_vn[L2Port*VnW +: VnW], out_tail[L2Port],
                       out_flit[L2Port*FlitW +: FlitW]}),
        .s_credit_o (out_credit[L2Port*Nets +: Nets]),
        .r_valid_o  (l2_valid_o[n]),
        .r_beat_o   ({l2_vn_o[n*VnW +: VnW], l2_tail_o[n], l2_flit_o[n*FlitW +: FlitW]}),
        .r_capture_i(1'b1),
        .r_credit_i (l2_credit_i[n*Nets +: Nets]),
        .empty_o    (l2_empty[n])
      );
    end else begin : g_no_l2
      assign in_valid[L2Port] = 1'b0;
      assign in_vn[L2Port*VnW +: VnW] = '0;
      assign in_tail[L2Port] = 1'b0;
      assign in_flit[L2Port*FlitW +: FlitW] = '0;
      assign out_credit[L2Port*Nets +: Nets] = '0;
      assign empty[L2Port] = 1'b1;
    end
  end

  logic unused_ends;  // of ports that nothing is joined to
  assign unused_ends = ^{out_valid, out_vn, out_tail, out_flit, in_credit};

  assign idle_o = (&idle) && (&empty) && (&sm_empty) && (&l2_empty);
endmodule
`default_nettype wire
