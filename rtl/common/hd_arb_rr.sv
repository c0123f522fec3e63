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

  logic [N-1:0] front_q;  // requesters behind the last one taken: served before the others
  logic [N-1:0] in_front, pool;

  // Bit b of the numbers 0..N-1, as a vector: the number of a one-hot vector without a search.
  function automatic logic [N-1:0] numbers_bit(input int unsigned b);
    for (int unsigned i = 0; i < N; i++) numbers_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  assign valid_o  = |req_i;
  assign in_front = req_i & front_q;
  assign pool     = (in_front != '0) ? in_front : req_i;
  assign gnt_o    = pool & (~pool + N'(1));

  for (genvar b = 0; b < IdxW; b++) begin : g_idx
    localparam logic [N-1:0] Numbers = numbers_bit(b);
    assign idx_o[b] = |(gnt_o & Numbers);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) front_q <= '0;
    else if (take_i && valid_o) front_q <= ~(gnt_o | (gnt_o - N'(1)));
  end
endmodule
`default_nettype wire
