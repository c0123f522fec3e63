// hd_arb_rr.sv - round-robin arbiter.
//
// req_i   requesters. The grant is combinational: gnt_o is one-hot, idx_o its number, valid_o says
//         that somebody requests (gnt_o and idx_o are 0 otherwise).
// take_i  on an edge with take_i && valid_o the granted requester becomes the last in line. Without
//         take_i the order stands, but a requester that comes later may be in front of the granted
//         one.
// A requester that stays is granted after at most N-1 takes of others.
//
// N: requesters. Groups: arbiters side by side that have nothing to do with each other; slice g of
// every vector belongs to arbiter g.
`default_nettype none
module hd_arb_rr #(
  parameter int unsigned N      = 4,
  parameter int unsigned Groups = 1,
  parameter int unsigned IdxW   = hd_pkg::idx_w(N)  // derived: leave at its default
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  input  logic [Groups*N-1:0]    req_i,
  input  logic [Groups-1:0]      take_i,
  output logic [Groups*N-1:0]    gnt_o,
  output logic [Groups*IdxW-1:0] idx_o,
  output logic [Groups-1:0]      valid_o
);
  if (N == 0 || Groups == 0) begin : g_bad_n
    $error("hd_arb_rr: N and Groups must be at least 1");
  end

  // Bit i of slice b is bit b of the number i: a one-hot vector gives its number without a search.
  function automatic logic [IdxW*N-1:0] number_bits(input int unsigned n);
    for (int unsigned k = 0; k < IdxW * n; k++)
      number_bits[k] = (((k % n) >> (k / n)) & 1) != 0;
  endfunction
  localparam logic [IdxW*N-1:0] NumberBits = number_bits(N);

  logic [Groups*N-1:0] front_q;  // requesters behind the last one taken: served before the others
  logic [N-1:0]        req, front, pool, gnt;

  always_comb begin
    gnt_o   = '0;
    idx_o   = '0;
    valid_o = '0;
    req     = '0;
    front   = '0;
    pool    = '0;
    gnt     = '0;
    if (req_i != '0) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        req   = req_i[g*N +: N];
        front = req & front_q[g*N +: N];
        pool  = (front != '0) ? front : req;
        gnt   = pool & (~pool + N'(1));
        gnt_o[g*N +: N] = gnt;
        valid_o[g]      = req != '0;
        for (int unsigned b = 0; b < IdxW; b++) idx_o[g*IdxW + b] = |(gnt & NumberBits[b*N +: N]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) front_q <= '0;
    else if ((take_i & valid_o) != '0) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        if (take_i[g] && valid_o[g])
          front_q[g*N +: N] <= ~(gnt_o[g*N +: N] | (gnt_o[g*N +: N] - N'(1)));
      end
    end
  end
endmodule
`default_nettype wire
