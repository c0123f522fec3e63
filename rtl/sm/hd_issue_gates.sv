// hd_issue_gates.sv - which warps of an SM may issue, and as what.
//
// Bit w of every vector of Warps bits belongs to warp w. A warp may issue if it has an operation,
// waits neither at a barrier (hd_barrier) nor for copies or a persist barrier and its last issue is
// long enough ago. An ALU instruction then may; the operation only behind those, and if its order
// lets it (hd_order_naive: papers 1 and 3); a memory operation, and the fence in front of one, also
// needs a scoreboard slot, room in its ordering queue and, to begin a transaction, a token
// (paper 5).
//
// is_i    hd_issue_table. policy_i: model and, with Tm, issue_gap: a warp issues again issue_gap
//         + 1 cycles after its last issue.
// state   registers, as in hd_issue: sb_i of hd_scoreboard {sync_pend, acq_block, st_pend, ld_pend,
//         full}, wait_i of others {tm_hold, pb_wait, copy_pend, copy_wait, copy_is, order_hold,
//         order_busy}. launch_i: a warp joins a block.
// issue   gnt_i (one hot) idx_i pick_i: what issues in this cycle (hd_issue_select).
// can_o   {control operation, memory operation, ALU instruction}: combinational from registers.
//         why_o, for hd_stalls {TX_BEGIN waits for a token, too early after the last issue, the
//         order lets the operation go, waits at a barrier}.
// released_o  warps of a barrier that is complete: pulse, in the cycle after the arrival or exit
//         that completes it. idle_o: no such pulse and no end of a gap is due.
// Warps, Blocks: warp slots, thread block slots. Tm: transactions. Latency: 0.
`default_nettype none
module hd_issue_gates #(
  parameter int unsigned Warps  = 48,
  parameter int unsigned Blocks = 8,
  parameter int unsigned Tm     = 0,
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps),  // derived: leave at its default
  parameter int unsigned BlockW = hd_pkg::idx_w(Blocks)  // derived
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  hd_pkg::policy_s       policy_i,

  input  logic [13*Warps-1:0]   is_i,
  input  logic [5*Warps-1:0]    sb_i,
  input  logic [7*Warps-1:0]    wait_i,

  input  logic [Warps-1:0]      gnt_i,
  input  logic [WarpW-1:0]      idx_i,
  input  hd_pkg::issue_pick_s   pick_i,
  input  hd_pkg::issue_launch_s launch_i,

  output logic [3*Warps-1:0]    can_o,
  output logic [4*Warps-1:0]    why_o,
  output logic [Warps-1:0]      released_o,
  output logic                  idle_o
);
  logic [Warps-1:0] clock, pb, tx, sync, rel, leaves, bar, at, st, ld, fence, more_alu, has;
  logic [Warps-1:0] full, order_hold, order_busy;
  logic [Warps-1:0] copy_pend, copy_wait, copy_is, pb_wait, tm_hold;
  logic [Warps-1:0] ok, at_barrier, early, held;
  logic [Warps-1:0] ready, is_mem, can_alu, can_mem, can_ctl;
  logic             bar_idle;

  assign {clock, pb, tx, sync, rel, leaves, bar, at, st, ld, fence, more_alu, has} = is_i;
  assign full = sb_i[0 +: Warps];
  assign {tm_hold, pb_wait, copy_pend, copy_wait, copy_is, order_hold, order_busy} = wait_i;

  hd_order_naive #(.Warps(Warps)) u_order (
    .model_i(policy_i.model), .is_ld_i(ld), .is_st_i(st), .is_at_i(at), .is_bar_i(bar),
    .is_exit_i(leaves | pb), .rel_i(rel), .is_sync_i(sync), .is_copy_i(copy_is),
    .sb_i(sb_i[Warps +: 4*Warps]), .copy_pend_i(copy_pend), .order_busy_i(order_busy), .ok_o(ok)
  );

  always_comb begin
    ready   = has & ~at_barrier & ~early & ~pb_wait & ~copy_wait;
    is_mem  = ld | st | at | fence;
    can_alu = ready & more_alu;
    can_mem = ready & ~more_alu & ok & is_mem & ~full & ~order_hold & ~held;
    can_ctl = ready & ~more_alu & ok & ~is_mem;
  end
  assign can_o = {can_ctl, can_mem, can_alu};
  assign why_o = {held, early, ok, at_barrier};

  hd_barrier #(.Warps(Warps), .Blocks(Blocks)) u_barrier (
    .clk_i(clk_i), .rst_i(rst_i),
    .launch_valid_i(launch_i.now), .launch_warp_i(launch_i.warp[WarpW-1:0]),
    .launch_block_i(launch_i.block[BlockW-1:0]),
    .arrive_valid_i(pick_i.arrive), .arrive_warp_i(idx_i),
    .exit_valid_i(pick_i.leave), .exit_warp_i(idx_i),
    .release_o(released_o), .wait_o(at_barrier), .idle_o(bar_idle)
  );

  // ---- transactions ---------------------------------------------------------------------------
  if (Tm != 0) begin : g_tm
    logic [1:0] gap_q [0:Warps-1];  // cycles until the warp may issue
    always_ff @(posedge clk_i) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        if (rst_i) gap_q[w] <= '0;
        else if (pick_i.any && gnt_i[w]) gap_q[w] <= policy_i.issue_gap;
        else if (gap_q[w] != '0) gap_q[w] <= gap_q[w] - 1'b1;
      end
    end
    always_comb begin
      for (int unsigned w = 0; w < Warps; w++) early[w] = gap_q[w] != '0;
    end
    assign held   = tx & tm_hold;
    assign idle_o = bar_idle && early == '0;
  end else begin : g_no_tm
    logic unused_tm;
    assign early     = '0;
    assign held      = '0;
    assign idle_o    = bar_idle;
    assign unused_tm = ^{tm_hold, gnt_i, tx};
  end

  logic unused;
  assign unused = ^{clock, pick_i, policy_i, launch_i};
endmodule
`default_nettype wire
