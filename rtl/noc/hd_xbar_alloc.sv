// hd_xbar_alloc.sv - gives each network of a switch's output to one packet at a time (wormhole).
//
// Slice v of every vector belongs to network v; bit i of a slice of Ins to input i.
// head_i      the front flit of that input is the head of a packet for this output. It stays until
//             popped.
// valid_i     the input has a front flit on this network (implied by head_i). tail_i: it is a tail.
// valid_o, idx_o, tail_o  the flit on offer is the front flit of input idx_o. Once offered it stays
//             on offer until taken.
// ready_i     the flit on offer is taken on this edge; pop_o is its input, one-hot, 0 when none is.
//
// A free network is held at once by a packet that offers a head, in that same cycle, and until its
// tail is taken. Inputs are served round robin, packet by packet. A holder whose next flit has not
// come yet offers nothing.
//
// Ins: inputs. NumVn: networks.
`include "hd_assert.svh"
`default_nettype none
module hd_xbar_alloc #(
  parameter int unsigned Ins   = 4,
  parameter int unsigned NumVn = 1,
  parameter int unsigned IdxW  = hd_pkg::idx_w(Ins)  // derived: leave at its default
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  input  logic [NumVn*Ins-1:0]  head_i,
  input  logic [NumVn*Ins-1:0]  valid_i,
  input  logic [NumVn*Ins-1:0]  tail_i,
  output logic [NumVn*Ins-1:0]  pop_o,

  output logic [NumVn-1:0]      valid_o,
  output logic [NumVn*IdxW-1:0] idx_o,
  output logic [NumVn-1:0]      tail_o,
  input  logic [NumVn-1:0]      ready_i
);
  logic [NumVn-1:0]      held_q;        // a packet is on its way
  logic [NumVn*Ins-1:0]  holder_q;      // its input, one-hot, and its number
  logic [NumVn*IdxW-1:0] holder_idx_q;
  logic [NumVn*Ins-1:0]  gnt;
  logic [NumVn*IdxW-1:0] gnt_idx;
  logic [NumVn*Ins-1:0]  from;          // input of the flit on offer, one-hot, 0 when there is none
  logic [NumVn-1:0]      unused_gnt_valid;

  hd_arb_rr #(
    .N     (Ins),
    .Groups(NumVn)
  ) u_arb (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .req_i  (head_i),
    .take_i (~held_q),
    .gnt_o  (gnt),
    .idx_o  (gnt_idx),
    .valid_o(unused_gnt_valid)
  );

  // Most outputs of a mesh have nothing to do in most cycles: simulators skip the branches.
  always_comb begin
    from    = '0;
    idx_o   = '0;
    valid_o = '0;
    tail_o  = '0;
    if (held_q != '0 || head_i != '0) begin
      for (int unsigned v = 0; v < NumVn; v++) begin
        from[v*Ins +: Ins]    = held_q[v] ? holder_q[v*Ins +: Ins] & valid_i[v*Ins +: Ins]
                                          : gnt[v*Ins +: Ins];
        idx_o[v*IdxW +: IdxW] = held_q[v] ? holder_idx_q[v*IdxW +: IdxW]
                                          : gnt_idx[v*IdxW +: IdxW];
        valid_o[v]            = from[v*Ins +: Ins] != '0;
        tail_o[v]             = (from[v*Ins +: Ins] & tail_i[v*Ins +: Ins]) != '0;
      end
    end
  end

  always_comb begin
    pop_o = '0;
    if (ready_i != '0) begin
      for (int unsigned v = 0; v < NumVn; v++)
        if (ready_i[v]) pop_o[v*Ins +: Ins] = from[v*Ins +: Ins];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) held_q <= '0;
    else if (valid_o != '0) held_q <= (held_q & ~valid_o) | (valid_o & ~(ready_i & tail_o));
    if ((valid_o & ~held_q) != '0) begin
      for (int unsigned v = 0; v < NumVn; v++) begin
        if (valid_o[v] && !held_q[v]) begin
          holder_q[v*Ins +: Ins]       <= gnt[v*Ins +: Ins];
          holder_idx_q[v*IdxW +: IdxW] <= gnt_idx[v*IdxW +: IdxW];
        end
      end
    end
  end

  `HD_ASSERT(a_head_is_valid, (head_i & ~valid_i) == '0)
endmodule
`default_nettype wire
