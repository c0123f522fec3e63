// hd_arb_age_fv.sv - proof of hd_arb_age: the grant goes to the oldest requester.
//
// Any two numbers a < b are watched, and who of them is older: a from reset, then the one that was
// not made the youngest last.
//@ proof arb_age_2 pdr N=2
//@ proof arb_age_4 pdr N=4
//@ bug row_only common/hd_arb_age.sv s/: older_q\[i\*N +: N\] & ~young;/: older_q[i*N +: N];/
//@ bug column_only common/hd_arb_age.sv s/young\[i\] ? ~young : //
//@ bug reset_order common/hd_arb_age.sv s/<= ~({N{1'b1}} << i)/<= {N{1'b1}} << (i + 1)/
`default_nettype none
module hd_arb_age_fv #(
  parameter int unsigned N    = 4,
  parameter int unsigned IdxW = hd_pkg::idx_w(N)
) (
  input logic            clk_i,
  input logic [N-1:0]    req_i,
  input logic            young_valid_i,
  input logic [IdxW-1:0] young_any_i,
  input logic [IdxW-1:0] a_i,
  input logic [IdxW-1:0] b_i
);
  logic            rst_q, valid, a_older_q;
  logic [N-1:0]    gnt;
  logic [IdxW-1:0] idx, a_q, b_q;
  wire  [IdxW-1:0] young = 32'(young_any_i) < N ? young_any_i : '0;
  initial begin rst_q = 1; a_q = 0; b_q = 1; a_older_q = 1; end
  hd_arb_age #(.N(N)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .req_i(req_i), .gnt_o(gnt), .idx_o(idx), .valid_o(valid),
    .young_valid_i(young_valid_i && !rst_q), .young_idx_i(young)
  );
  wire a_gets = 1'(gnt >> a_q), b_gets = 1'(gnt >> b_q);
  wire a_asks = 1'(req_i >> a_q), b_asks = 1'(req_i >> b_q);
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    if (rst_q && a_i < b_i && 32'(b_i) < N) begin a_q <= a_i; b_q <= b_i; end
    if (!rst_q && young_valid_i && young == a_q) a_older_q <= 1'b0;
    if (!rst_q && young_valid_i && young == b_q) a_older_q <= 1'b1;
  end
  always @* if (!rst_q) begin
    one_of_them: assert ((gnt & ~req_i) == 0 && (gnt & (gnt - 1'b1)) == 0);
    some:        assert (valid == (req_i != 0) && valid == (gnt != 0));
    number:      assert (valid ? 1'(gnt >> idx) : idx == 0);
    oldest:      assert (!(b_gets && a_asks && a_older_q) && !(a_gets && b_asks && !a_older_q));
    a_first:     cover (a_gets && b_asks);
    b_first:     cover (b_gets && a_asks && 32'(b_q) == N - 1);
  end
endmodule
`default_nettype wire
