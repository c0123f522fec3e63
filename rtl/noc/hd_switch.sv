// hd_switch.sv - wormhole switch between credited links: buffers, arbitration, credits, no routing.
//
// in_*   Ins links: in_valid_i pulse; in_beats_i {vn, tail, flit}, each a vector with link i in
//        slice i; in_credit_o[i*NumVn + v] returns a credit of network v.
// out_*  Outs links, the same with directions turned.
// route  for the tile around it, within the cycle. head_o: the front flit of that queue is the head
//        of a packet; queue v*Ins + i is network v of input i. route_o: its low bits, route_s;
//        means nothing without head_o. want_i[(o*NumVn + v)*Ins + i]: that head is for output o,
//        exactly one; 0 without head_o.
// moved_o, blocked_o  registered pulses: a flit went to an output; a flit had to wait.
// idle_o docs/tiles.md, Idle: no flit inside, no credit owed, every pulse output 0.
//
// From head to tail a packet has its (output, network) alone; the networks of an output share its
// link flit by flit, round robin. Inputs that want the same (output, network) are served round
// robin, packet by packet. So packets of one (input, output, network) keep their order, an output
// with a flit and a credit sends every cycle, and no network waits for another: they share links,
// no buffer and no credit. A flit received by one edge is sent by the next at the earliest. Every
// edge of the tile may send flits and credits.
//
// RxDepth: flits an input buffers per network. TxCredits: flits the receiver of an output buffers.
`include "hd_assert.svh"
`default_nettype none
module hd_switch #(
  parameter int unsigned Ins       = 4,
  parameter int unsigned Outs      = 2,
  parameter int unsigned NumVn     = 2,
  parameter int unsigned RxDepth   = 64,
  parameter int unsigned TxCredits = 64,
  parameter int unsigned FlitW     = 256,
  parameter int unsigned Queues    = NumVn * Ins,               // derived: leave as is
  parameter int unsigned BeatW     = hd_pkg::VN_W + 1 + FlitW   // derived
) (
  input  logic                              clk_i,
  input  logic                              rst_i,

  input  logic [Ins-1:0]                    in_valid_i,
  input  logic [Ins*BeatW-1:0]              in_beats_i,
  output logic [Ins*NumVn-1:0]              in_credit_o,

  output logic [Outs-1:0]                   out_valid_o,
  output logic [Outs*BeatW-1:0]             out_beats_o,
  input  logic [Outs*NumVn-1:0]             out_credit_i,

  output logic [Queues-1:0]                 head_o,
  output logic [Queues*hd_pkg::ROUTE_W-1:0] route_o,
  input  logic [Outs*Queues-1:0]            want_i,

  output logic                              moved_o,
  output logic                              blocked_o,
  output logic                              idle_o
);
  localparam int unsigned InIdxW = hd_pkg::idx_w(Ins);

  if (Ins == 0 || Outs == 0) begin : g_bad_ports
    $error("hd_switch: Ins and Outs must be at least 1");
  end
  if (FlitW < hd_pkg::ROUTE_W) begin : g_bad_flit
    $error("hd_switch: a route must fit into a flit");
  end

  logic [FlitW-1:0]       front [0:Queues-1];  // front flit of each queue
  logic [Queues-1:0]      avail, tail, pop;    // a front flit exists, is a tail, leaves
  logic [Queues-1:0]      body_q;              // the next flit of the queue is not a head
  logic [Outs*Queues-1:0] out_pop;             // as want_i: it leaves through output o
  logic [Ins-1:0]         rx_idle;
  logic [Outs-1:0]        tx_idle, unused_full_credit;

  logic [Ins*hd_pkg::VN_W-1:0]  in_vn;
  logic [Ins-1:0]               in_tail;
  logic [Ins*FlitW-1:0]         in_flit;
  logic [Outs*hd_pkg::VN_W-1:0] out_vn;
  logic [Outs-1:0]              out_tail;
  logic [Outs*FlitW-1:0]        out_flit;
  assign {in_vn, in_tail, in_flit} = in_beats_i;
  assign out_beats_o = {out_vn, out_tail, out_flit};

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
      .vn_i       (in_vn[i*hd_pkg::VN_W +: hd_pkg::VN_W]),
      .tail_i     (in_tail[i]),
      .flit_i     (in_flit[i*FlitW +: FlitW]),
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
      assign route_o[(v*Ins + i)*hd_pkg::ROUTE_W +: hd_pkg::ROUTE_W] =
        flit[v*FlitW +: hd_pkg::ROUTE_W];
    end
  end

  assign head_o = avail & ~body_q;

  // ---- outputs ---------------------------------------------------------------------------------
  for (genvar o = 0; o < Outs; o++) begin : g_out
    logic [NumVn-1:0]       valid, ready, last;
    logic [NumVn*FlitW-1:0] flit;

    logic [NumVn*InIdxW-1:0] from;

    hd_xbar_alloc #(
      .Ins  (Ins),
      .NumVn(NumVn)
    ) u_alloc (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .head_i (want_i[o*Queues +: Queues]),
      .valid_i(avail),
      .tail_i (tail),
      .pop_o  (out_pop[o*Queues +: Queues]),
      .valid_o(valid),
      .idx_o  (from),
      .tail_o (last),
      .ready_i(ready)
    );
    for (genvar v = 0; v < NumVn; v++) begin : g_vn
      assign flit[v*FlitW +: FlitW] = front[v*Ins + 32'(from[v*InIdxW +: InIdxW])];
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
      .vn_o         (out_vn[o*hd_pkg::VN_W +: hd_pkg::VN_W]),
      .tail_o       (out_tail[o]),
      .flit_o       (out_flit[o*FlitW +: FlitW]),
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
  logic moved_q, blocked_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      body_q    <= '0;
      moved_q   <= 1'b0;
      blocked_q <= 1'b0;
    end else begin
      body_q    <= (body_q & ~pop) | (pop & ~tail);
      moved_q   <= pop != '0;
      blocked_q <= (avail & ~pop) != '0;
    end
  end

  assign moved_o   = moved_q;
  assign blocked_o = blocked_q;
  assign idle_o    = (&rx_idle) && (&tx_idle) && !moved_q && !blocked_q;

`ifndef SYNTHESIS
  logic [Queues-1:0] wanted, twice;  // heads that are for an output, for more than one
  always_comb begin
    wanted = '0;
    twice  = '0;
    for (int unsigned o = 0; o < Outs; o++) begin
      twice  = twice | (wanted & want_i[o*Queues +: Queues]);
      wanted = wanted | want_i[o*Queues +: Queues];
    end
  end
  `HD_ASSERT(a_one_output, wanted == head_o && twice == '0)
`endif
endmodule
`default_nettype wire
