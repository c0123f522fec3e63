// hd_arb_age.sv - oldest-first arbiter: a matrix remembers who is older than whom.
//
// req_i          requesters. The grant is combinational and does not change the order: gnt_o is
//                one-hot, idx_o its number, valid_o says that somebody requests (gnt_o, idx_o are 0
//                otherwise).
// young_valid_i  pulse: young_idx_i becomes the youngest, seen by the grant from the next cycle on.
// After reset index 0 is the oldest, N-1 the youngest.
`include "hd_assert.svh"
`default_nettype none
module hd_arb_age #(
  parameter int unsigned N    = 4,
  parameter int unsigned IdxW = hd_pkg::idx_w(N)  // derived: leave at its default
) (
  input  logic            clk_i,
  input  logic            rst_i,

  input  logic [N-1:0]    req_i,
  output logic [N-1:0]    gnt_o,
  output logic [IdxW-1:0] idx_o,
  output logic            valid_o,

  input  logic            young_valid_i,
  input  logic [IdxW-1:0] young_idx_i
);
  if (N == 0) begin : g_bad_n
    $error("hd_arb_age: N must be at least 1");
  end

  // Bit i of slice b is bit b of the number i: a one-hot vector gives its number without a search.
  function automatic logic [IdxW*N-1:0] number_bits(input int unsigned n);
    for (int unsigned k = 0; k < IdxW * n; k++)
      number_bits[k] = (((k % n) >> (k / n)) & 1) != 0;
  endfunction
  localparam logic [IdxW*N-1:0] NumberBits = number_bits(N);

  logic [N*N-1:0] older_q;  // slice i: those older than i; bit i itself is 0
  logic [N-1:0]   young;    // one-hot young_idx_i

  assign valid_o = |req_i;

  always_comb begin
    gnt_o = '0;
    idx_o = '0;
    if (valid_o) begin
      for (int unsigned i = 0; i < N; i++) begin
        if (req_i[i]) gnt_o[i] = (req_i & older_q[i*N +: N]) == '0;
      end
      for (int unsigned b = 0; b < IdxW; b++) idx_o[b] = |(gnt_o & NumberBits[b*N +: N]);
    end
  end

  assign young = N'(1) << young_idx_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned i = 0; i < N; i++) older_q[i*N +: N] <= ~({N{1'b1}} << i);
    // One assignment: simulators look at each of several in every cycle.
    end else if (young_valid_i) begin : renew
      logic [N*N-1:0] next;
      for (int unsigned i = 0; i < N; i++)
        next[i*N +: N] = young[i] ? ~young : older_q[i*N +: N] & ~young;
      older_q <= next;
    end
  end

  `HD_ASSERT(a_young_in_range, !young_valid_i || 32'(young_idx_i) < N)
endmodule
`default_nettype wire
