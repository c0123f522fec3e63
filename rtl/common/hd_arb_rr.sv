// hd_arb_rr.sv - round-robin arbiter.
//
// req_i   requesters. The grant is combinational: gnt_o is one-hot, idx_o its number, valid_o says
//         that somebody requests (gnt_o and idx_o are 0 otherwise).
// take_i  on an edge with take_i && valid_o the granted requester becomes the last in line. Without
//         take_i the order stands, but a requester that comes later may be in front of the granted
//         one.
// A requester that stays is granted after at most N-1 takes of others.
`default_nettype none
module hd_arb_rr #(
  parameter int unsigned N    = 4,
  parameter int unsigned IdxW = hd_pkg::idx_w(N)  // derived: leave at its default
) (
  input  logic            clk_i,
  input  logic            rst_i,

  input  logic [N-1:0]    req_i,
  input  logic            take_i,
  output logic [N-1:0]    gnt_o,
  output logic [IdxW-1:0] idx_o,
  output logic            valid_o
);
  if (N == 0) begin : g_bad_n
    $error("hd_arb_rr: N must be at least 1");
  end

  // Bit i of slice b is bit b of the number i: a one-hot vector gives its number without a search.
  function automatic logic [IdxW*N-1:0] number_bits(input int unsigned n);
    for (int unsigned k = 0; k < IdxW * n; k++)
      number_bits[k] = (((k % n) >> (k / n)) & 1) != 0;
  endfunction
  localparam logic [IdxW*N-1:0] NumberBits = number_bits(N);

  logic [N-1:0] front_q;  // requesters behind the last one taken: served before the others
  logic [N-1:0] pool;

  assign valid_o = |req_i;

  always_comb begin
    pool  = '0;
    gnt_o = '0;
    idx_o = '0;
    if (valid_o) begin
      pool  = ((req_i & front_q) != '0) ? req_i & front_q : req_i;
      gnt_o = pool & (~pool + N'(1));
      for (int unsigned b = 0; b < IdxW; b++) idx_o[b] = |(gnt_o & NumberBits[b*N +: N]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) front_q <= '0;
    else if (take_i && valid_o) front_q <= ~(gnt_o | (gnt_o - N'(1)));
  end
endmodule
`default_nettype wire
