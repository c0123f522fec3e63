// hd_xbar_alloc.sv - gives one network of one crossbar output to one packet at a time (wormhole).
//
// head_i[i]   the front flit of input i is the head of a packet for this output. It stays until
//             popped.
// valid_i[i]  input i has a front flit on this network (implied by head_i[i]). tail_i[i]: it is a
//             tail.
// valid_o, idx_o, tail_o  the flit on offer is the front flit of input idx_o. Once offered it stays
//             on offer until taken.
// ready_i     the flit on offer is taken on this edge; pop_o is its input, one-hot, 0 when none is.
//
// A free output is held at once by a packet that offers a head, in that same cycle, and until its
// tail is taken. Inputs are served round robin, packet by packet. A holder whose next flit has not
// come yet offers nothing.
`include "hd_assert.svh"
`default_nettype none
module hd_xbar_alloc #(
  parameter int unsigned Ins  = 4,
  parameter int unsigned IdxW = hd_pkg::idx_w(Ins)  // derived: leave at its default
) (
  input  logic            clk_i,
  input  logic            rst_i,

  input  logic [Ins-1:0]  head_i,
  input  logic [Ins-1:0]  valid_i,
  input  logic [Ins-1:0]  tail_i,
  output logic [Ins-1:0]  pop_o,

  output logic            valid_o,
  output logic [IdxW-1:0] idx_o,
  output logic            tail_o,
  input  logic            ready_i
);
  logic            held_q;      // a packet is on its way
  logic [Ins-1:0]  holder_q;    // its input, one-hot, and its number
  logic [IdxW-1:0] holder_idx_q;
  logic [Ins-1:0]  gnt;
  logic [Ins-1:0]  from;        // input of the flit on offer, one-hot, 0 when there is none
  logic [IdxW-1:0] gnt_idx;
  logic            unused_gnt_valid;

  hd_arb_rr #(.N(Ins)) u_arb (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .req_i  (head_i),
    .take_i (!held_q),
    .gnt_o  (gnt),
    .idx_o  (gnt_idx),
    .valid_o(unused_gnt_valid)
  );

  assign from    = held_q ? holder_q & valid_i : gnt;
  assign valid_o = from != '0;
  assign idx_o   = held_q ? holder_idx_q : gnt_idx;
  assign tail_o  = (from & tail_i) != '0;
  assign pop_o   = ready_i ? from : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) held_q <= 1'b0;
    else if (valid_o) held_q <= !(ready_i && tail_o);
    if (!held_q && valid_o) begin
      holder_q     <= gnt;
      holder_idx_q <= gnt_idx;
    end
  end

  `HD_ASSERT(a_head_is_valid, (head_i & ~valid_i) == '0)
endmodule
`default_nettype wire
