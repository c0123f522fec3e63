// hd_freelist_fv.sv - proof of hd_freelist: no number has two holders, none is lost.
//
// The environment takes only what is on offer and returns only what is out (any of them).
//@ proof freelist_3 pdr N=3
//@ proof freelist_4 pdr N=4
//@ bug same_again common/hd_freelist.sv s/if (take_i \&\& !first_round) rd_q/if (1'b0) rd_q/
//@ bug first_round_short common/hd_freelist.sv s/first_round = fresh_q != CntW'(N)/first_round = fresh_q < CntW'(N - 1)/
//@ bug lost common/hd_freelist.sv s/if (free_i) wr_q/if (free_i \&\& !take_i) wr_q/
//@ bug count common/hd_freelist.sv s/if (take_i != free_i)/if (take_i || free_i)/
`default_nettype none
module hd_freelist_fv #(
  parameter int unsigned N    = 4,
  parameter int unsigned IdxW = hd_pkg::idx_w(N),
  parameter int unsigned CntW = $clog2(N + 1)
) (
  input logic            clk_i,
  input logic            want_i,
  input logic            return_i,
  input logic [IdxW-1:0] which_i
);
  logic            rst_q, valid;
  logic [IdxW-1:0] idx;
  logic [CntW-1:0] count, ones;
  logic [N-1:0]    out_q, after_take;
  integer i;
  initial begin rst_q = 1; out_q = 0; end
  wire take = want_i && valid && !rst_q;
  wire free = return_i && 1'(out_q >> which_i) && !rst_q;
  hd_freelist #(.N(N)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .valid_o(valid), .idx_o(idx), .take_i(take), .free_i(free),
    .free_idx_i(which_i), .count_o(count)
  );
  always_comb begin
    ones = 0;
    for (i = 0; i < N; i = i + 1) ones = ones + CntW'(out_q[i]);
    after_take = take ? out_q | (N'(1) << idx) : out_q;
  end
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    out_q <= free ? after_take & ~(N'(1) << which_i) : after_take;
  end
  always @* if (!rst_q) begin
    one_holder: assert (!valid || (32'(idx) < N && !(1'(out_q >> idx))));
    conserved:  assert (32'(count) + 32'(ones) == N);
    offered:    assert (valid == (count != 0));
    all_out:    cover (count == 0);
    both:       cover (take && free && 32'(count) == 1);
    reordered:  cover (valid && 32'(idx) == N - 1 && 32'(count) == N);
  end
endmodule
`default_nettype wire
