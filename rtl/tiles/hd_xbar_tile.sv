// hd_xbar_tile.sv - crossbar tile: wormhole switch between credited links (docs/tiles.md).
//
// in_*   Ins links, port i in slice i of every vector: in_valid_i pulse, in_vn_i, in_tail_i,
//        in_flit_i; in_credit_o[i*NumVn + v] returns a credit of network v.
// out_*  Outs links, the same with directions turned.
// ev_o   registered pulses hd_pkg::EV_XBAR_*: a flit went to an output; a flit had to wait.
// idle_o docs/tiles.md, Idle: no flit inside, no credit owed, every pulse output 0.
//
// A packet goes to output route_s.dst (below Outs; low bits of its first flit) through hd_switch,
// which says who goes first. With Sms, a crossbar for all: SMs have the outputs below it, L2 tiles
// those above. Paper 1, Table 2: one crossbar per direction, 32-byte flits.
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
  parameter int unsigned FlitW     = 256,
  parameter int unsigned Sms       = 0
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
  localparam int unsigned OutIdxW = hd_pkg::idx_w(Outs);
  localparam int unsigned Queues  = NumVn * Ins;  // queue v*Ins + i: network v of input i

  if (Outs > 2**hd_pkg::NODE_W) begin : g_bad_ports
    $error("hd_xbar_tile: Outs must be 1..2**NODE_W");
  end

  logic [Queues-1:0]                head;
  logic [Queues*hd_pkg::ROUTE_W-1:0] route;
  logic [Outs*Queues-1:0]           want;

  hd_switch #(
    .Ins(Ins),
    .Outs(Outs),
    .NumVn(NumVn),
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
    .moved_o     (ev_o[hd_pkg::EV_XBAR_FLIT]),
    .blocked_o   (ev_o[hd_pkg::EV_XBAR_BLOCKED]),
    .idle_o      (idle_o)
  );

  // ---- which packet wants which output --------------------------------------------------------
  hd_pkg::route_s     packet;
  logic [OutIdxW-1:0] dst;
  logic [31:0]        port;
  logic               bad_dst, unused_packet;

  always_comb begin
    // Not all at once: Verilator refuses constants of more than 8192 bits, which 128 SMs need.
    for (int unsigned o = 0; o < Outs*NumVn; o++) want[o*Ins +: Ins] = '0;
    packet  = '0;
    dst     = '0;
    port    = '0;
    bad_dst = 1'b0;
    if (head != '0) begin
      for (int unsigned v = 0; v < NumVn; v++) begin
        for (int unsigned i = 0; i < Ins; i++) begin
          if (head[v*Ins + i]) begin
            packet = route[(v*Ins + i)*hd_pkg::ROUTE_W +: hd_pkg::ROUTE_W];
            port   = 32'(packet.dst);
            if (Sms != 0 && packet.dst_kind == hd_pkg::END_L2) port = port + Sms;
            dst    = port[OutIdxW-1:0];
            if (port >= Outs) bad_dst = 1'b1;
            want[(32'(dst)*NumVn + v)*Ins + i] = 1'b1;
          end
        end
      end
    end
  end
  assign unused_packet = ^{packet, port};

  logic unused_now;
  assign unused_now = ^now_i;

  `HD_ASSERT(a_dst_exists, !bad_dst)
endmodule
`default_nettype wire
