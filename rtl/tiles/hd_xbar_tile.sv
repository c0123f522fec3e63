// hd_xbar_tile.sv - crossbar tile: wormhole switch between credited links (docs/tiles.md).
//
// in_*   Ins links, port i in slice i of every vector: in_valid_i pulse, in_vn_i, in_tail_i,
//        in_flit_i; in_credit_o[i*NumVn + v] returns a credit of network v.
// out_*  Outs links, the same with directions turned.
// ev_o   registered pulses hd_pkg::EV_XBAR_*: a flit went to an output; a flit had to wait.
// idle_o docs/tiles.md, Idle: no flit inside, no credit owed, every pulse output 0.
//
// A packet goes to output route_s.dst (below Outs; low bits of its first flit). From head to tail
// it has its (output, network) alone; the networks of an output share its link flit by flit, round
// robin. Inputs that want the same (output, network) are served round robin, packet by packet. So
// packets of one (input, output, network) keep their order, and an output with a flit and a credit
// sends every cycle. A flit received by one edge is sent by the next at the earliest. Every edge of
// the tile may send flits and credits. Paper 1, Table 2: one crossbar per direction, 32-byte flits.
//
// RxDepth: flits an input buffers per network. TxCredits: flits the receiver of an output buffers.
`include "hd_assert.svh"
`default_nettype none
module hd_xbar_tile #(
  parameter int unsigned Ins       = 4,
  parameter int unsigned Outs      = 2,
  parameter int unsigned NumVn     = 2,
  parameter int unsigned RxDepth   = 64,
  parameter int unsigned TxCredits = 64,
  parameter int unsigned FlitW     = 256
) (
  input  logic                           clk_i,
  input  logic                           rst_i,
  input  logic [31:0]                    now_i,

  input  logic [Ins-1:0]                 in_valid_i,
  input  logic [Ins*hd_pkg::VN_W-1:0]    in_vn_i,
  input  logic [Ins-1:0]                 in_tail_i,
  input  logic [Ins*FlitW-1:0]           in_flit_i,
  output logic [Ins*NumVn-1:0]           in_credit_o,

  output logic [Outs-1:0]                out_valid_o,
  output logic [Outs*hd_pkg::VN_W-1:0]   out_vn_o,
  output logic [Outs-1:0]                out_tail_o,
  output logic [Outs*FlitW-1:0]          out_flit_o,
  input  logic [Outs*NumVn-1:0]          out_credit_i,

  output logic [hd_pkg::EV_XBAR_NUM-1:0] ev_o,
  output logic                           idle_o
);
  localparam int unsigned InIdxW  = hd_pkg::idx_w(Ins);
  localparam int unsigned OutIdxW = hd_pkg::idx_w(Outs);
  localparam int unsigned Queues  = NumVn * Ins;  // queue v*Ins + i: network v of input i

  if (Ins == 0 || Outs == 0 || Outs > 2**hd_pkg::NODE_W) begin : g_bad_ports
    $error("hd_xbar_tile: Ins must be at least 1, Outs 1..2**NODE_W");
  end
  if (FlitW < hd_pkg::ROUTE_W) begin : g_bad_flit
    $error("hd_xbar_tile: a route must fit into a flit");
  end

  logic [FlitW-1:0]          front [0:Queues-1];  // front flit of each queue
  logic [Queues-1:0]         avail, tail, pop;    // a front flit exists, is a tail, leaves
  logic [Queues-1:0]         body_q;              // the next flit of the queue is not a head
  logic [Queues-1:0]         head;                // the front flit is a head
  logic [Outs*Queues-1:0]    want;     // at (o*NumVn + v)*Ins + i: that head is for output o
  logic [Outs*Queues-1:0]    out_pop;  // same place: it leaves through output o
  logic [Ins-1:0]            rx_idle;
  logic [Outs-1:0]           tx_idle, unused_full_credit;

  // ---- input buffers ---------------------------------------------------------------------------
  for (genvar i = 0; i < Ins; i++) begin : g_in
    logic [NumVn-1:0]       valid, ready, last;
    logic [NumVn*FlitW-1:0] flit;

    hd_link_rx #(
      .FlitW(FlitW),
      .NumVn(NumVn),
      .Depth(RxDepth)
    ) u_rx (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .tick_i     (1'b1),
      .valid_i    (in_valid_i[i]),
      .vn_i       (in_vn_i[i*hd_pkg::VN_W +: hd_pkg::VN_W]),
      .tail_i     (in_tail_i[i]),
      .flit_i     (in_flit_i[i*FlitW +: FlitW]),
      .credit_o   (in_credit_o[i*NumVn +: NumVn]),
      .out_valid_o(valid),
      .out_ready_i(ready),
      .out_tail_o (last),
      .out_flit_o (flit),
      .idle_o     (rx_idle[i])
    );

    for (genvar v = 0; v < NumVn; v++) begin : g_queue
      assign avail[v*Ins + i] = valid[v];
      assign tail[v*Ins + i]  = last[v];
      assign front[v*Ins + i] = flit[v*FlitW +: FlitW];
      assign ready[v]         = pop[v*Ins + i];
    end
  end

  // ---- which packet wants which output --------------------------------------------------------
  hd_pkg::route_s     packet;
  logic [OutIdxW-1:0] dst;
  logic               bad_dst, unused_packet;

  assign head = avail & ~body_q;

  always_comb begin
    want    = '0;
    packet  = '0;
    dst     = '0;
    bad_dst = 1'b0;
    if (head != '0) begin
      for (int unsigned v = 0; v < NumVn; v++) begin
        for (int unsigned i = 0; i < Ins; i++) begin
          if (head[v*Ins + i]) begin
            packet = front[v*Ins + i][hd_pkg::ROUTE_W-1:0];
            dst    = packet.dst[OutIdxW-1:0];
            if (32'(packet.dst) >= Outs) bad_dst = 1'b1;
            want[(32'(dst)*NumVn + v)*Ins + i] = 1'b1;
          end
        end
      end
    end
  end
  assign unused_packet = ^packet;

  // ---- outputs ---------------------------------------------------------------------------------
  for (genvar o = 0; o < Outs; o++) begin : g_out
    logic [NumVn-1:0]       valid, ready, last;
    logic [NumVn*FlitW-1:0] flit;

    for (genvar v = 0; v < NumVn; v++) begin : g_vn
      logic [InIdxW-1:0] from;

      hd_xbar_alloc #(.Ins(Ins)) u_alloc (
        .clk_i  (clk_i),
        .rst_i  (rst_i),
        .head_i (want[(o*NumVn + v)*Ins +: Ins]),
        .valid_i(avail[v*Ins +: Ins]),
        .tail_i (tail[v*Ins +: Ins]),
        .pop_o  (out_pop[(o*NumVn + v)*Ins +: Ins]),
        .valid_o(valid[v]),
        .idx_o  (from),
        .tail_o (last[v]),
        .ready_i(ready[v])
      );
      assign flit[v*FlitW +: FlitW] = front[v*Ins + 32'(from)];
    end

    hd_link_tx #(
      .FlitW  (FlitW),
      .NumVn  (NumVn),
      .Credits(TxCredits)
    ) u_tx (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .tick_i       (1'b1),
      .in_valid_i   (valid),
      .in_ready_o   (ready),
      .in_tail_i    (last),
      .in_flit_i    (flit),
      .valid_o      (out_valid_o[o]),
      .vn_o         (out_vn_o[o*hd_pkg::VN_W +: hd_pkg::VN_W]),
      .tail_o       (out_tail_o[o]),
      .flit_o       (out_flit_o[o*FlitW +: FlitW]),
      .credit_i     (out_credit_i[o*NumVn +: NumVn]),
      .idle_o       (tx_idle[o]),
      .full_credit_o(unused_full_credit[o])
    );
  end

  always_comb begin
    pop = '0;
    for (int unsigned o = 0; o < Outs; o++) pop = pop | out_pop[o*Queues +: Queues];
  end

  // ---- registers -------------------------------------------------------------------------------
  logic [hd_pkg::EV_XBAR_NUM-1:0] ev_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      body_q <= '0;
      ev_q   <= '0;
    end else begin
      body_q <= (body_q & ~pop) | (pop & ~tail);
      ev_q[hd_pkg::EV_XBAR_FLIT]    <= pop != '0;
      ev_q[hd_pkg::EV_XBAR_BLOCKED] <= (avail & ~pop) != '0;
    end
  end

  assign ev_o   = ev_q;
  assign idle_o = (&rx_idle) && (&tx_idle) && ev_q == '0;

  logic unused_now;
  assign unused_now = ^now_i;

  `HD_ASSERT(a_dst_exists, !bad_dst)
endmodule
`default_nettype wire
