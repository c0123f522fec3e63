// hd_sm_control.sv - what a whole SM tile follows: policy, clock of the links, kernels, flush.
//
// policy_o: policy_i, constant during a run, through a register so that no input reaches an output.
// tick_o: this cycle is one of the links, now_i % ClkRatio == 0. order_hold_i -> hold_o: warps
// that issue no memory operation, if the policy wants credit_issue.
// clear_o: types of sectors are learned anew: at a flush and at the first warp of a kernel (LAUNCH
// with fn bit 0).
// flush  flush_i: pulse, the L1's walk begins (flushing_i until it ends). flush_busy_o from the
//        next cycle on until it is over, the L1 idle and everything sent; then flush_done_o, a
//        pulse.
`default_nettype none
module hd_sm_control #(
  parameter int unsigned Warps    = 48,
  parameter int unsigned ClkRatio = 2
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [31:0]      now_i,
  output logic             tick_o,

  input  hd_pkg::policy_s  policy_i,
  output hd_pkg::policy_s  policy_o,
  input  logic [Warps-1:0] order_hold_i,
  output logic [Warps-1:0] hold_o,

  input  logic             op_valid_i,
  input  hd_pkg::access_s  op_acc_i,
  output logic             clear_o,

  input  logic             flush_i,
  input  logic             flushing_i,
  input  logic             l1_idle_i,
  input  logic             links_sent_i,
  output logic             flush_busy_o,
  output logic             flush_done_o
);
  if ((ClkRatio & (ClkRatio - 1)) != 0 || ClkRatio == 0) begin : g_bad_ratio
    $error("hd_sm_control: ClkRatio must be a power of two");
  end
  logic flush_end;

  always_ff @(posedge clk_i) policy_o <= policy_i;
  assign tick_o    = (now_i & (ClkRatio - 1)) == 32'd0;
  assign hold_o    = policy_o.credit_issue ? order_hold_i : '0;
  assign clear_o   = flush_i
      || (op_valid_i && op_acc_i.kind == hd_pkg::OP_LAUNCH && op_acc_i.fn[0]);
  assign flush_end = flush_busy_o && !flushing_i && l1_idle_i && links_sent_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      flush_busy_o <= 1'b0;
      flush_done_o <= 1'b0;
    end else begin
      flush_busy_o <= flush_i || (flush_busy_o && !flush_end);
      flush_done_o <= flush_end;
    end
  end

  logic unused;
  assign unused = ^op_acc_i;
endmodule
`default_nettype wire
