// hd_arb_rr_fv.sv - proof of hd_arb_rr: one grant, and at most N-1 takes pass a requester by.
//@ proof arb_rr_2 pdr N=2
//@ proof arb_rr_5 pdr N=5
//@ bug always_first common/hd_arb_rr.sv s/else if ((take_i & valid_o) != '0)/else if (1'b0)/
//@ bug moves_untaken common/hd_arb_rr.sv s/(take_i & valid_o) != '0/valid_o != '0/;s/take_i\[g\] && valid_o/valid_o/
//@ bug two_grants common/hd_arb_rr.sv s/= pool & (~pool + N'(1))/= pool/
//@ bug wrong_number common/hd_arb_rr.sv s/|(gnt & Number/|(pool \& Number/
`default_nettype none
module hd_arb_rr_fv #(
  parameter int unsigned N    = 5,
  parameter int unsigned IdxW = hd_pkg::idx_w(N)
) (
  input logic            clk_i,
  input logic [N-1:0]    req_i,
  input logic            take_i,
  input logic [IdxW-1:0] watch_i   // the requester that is watched, sampled in reset
);
  logic            rst_q, valid;
  logic [N-1:0]    gnt;
  logic [IdxW-1:0] idx, watch_q;
  logic [IdxW:0]   waited_q;
  initial begin rst_q = 1; waited_q = 0; watch_q = 0; end
  hd_arb_rr #(.N(N)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .req_i(req_i), .take_i(take_i), .gnt_o(gnt), .idx_o(idx),
    .valid_o(valid)
  );
  wire asks = 1'(req_i >> watch_q), gets = 1'(gnt >> watch_q);
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    if (rst_q) watch_q <= 32'(watch_i) < N ? watch_i : '0;
    if (!asks || (take_i && gets)) waited_q <= 0;
    else if (!rst_q && take_i && valid) waited_q <= waited_q + 1'b1;
  end
  always @* if (!rst_q) begin
    one_of_them: assert ((gnt & ~req_i) == 0 && (gnt & (gnt - 1'b1)) == 0);
    some:        assert (valid == (req_i != 0) && valid == (gnt != 0));
    number:      assert (valid ? 1'(gnt >> idx) : idx == 0);
    fair:        assert (32'(waited_q) <= N - 1 && !(32'(waited_q) == N - 1 && asks && !gets &&
        take_i));
    worst:       cover (32'(waited_q) == N - 1 && gets);
    all_ask:     cover (&req_i && gets && 32'(watch_q) == N - 1);
  end
endmodule
`default_nettype wire
