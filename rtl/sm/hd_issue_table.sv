// hd_issue_table.sv - operations of the warps of an SM: what each warp waits to do.
//
// op      the tile's warp port, as in hd_issue; model_i: policy (hd_pkg::model_e). launch_o: it
//         launches op_bit_o (one hot, 0 without op_valid_i); combinational.
// issue   gnt_i (one hot) idx_i pick_i: what issues in this cycle (hd_issue_select). An ALU
//         instruction counts down, a fence goes in front of its operation, which stays; any other
//         pick takes the operation.
// is_o    vectors of Warps bits, registers; bit w of each belongs to warp w: {CLOCK, persist
//         barrier, TX_BEGIN, synchronizes, waits for all earlier ones (release, fence), exit,
//         barrier, pending as load and store, as a store, as a load, a fence goes first, ALU
//         instructions are left, an operation waits}. Without the last the others say nothing.
// desc_o  what is kept of the operation of warp idx_i (DESC_W bits of access_s), combinational.
//
// An operation that arrives at the edge of cycle t can issue in cycle t + 1. A synchronizing access
// waits for earlier ones that do; under DRF and HRF atomics are such. A fence goes first under DRF
// and HRF (hd_release_fence): in front of a release of the device and of an exit.
// Warps: warp slots. Tm, Persist: TX_BEGIN, persist barriers are told from others.
`include "hd_assert.svh"
`default_nettype none
module hd_issue_table #(
  parameter int unsigned Warps   = 48,
  parameter int unsigned Tm      = 0,
  parameter int unsigned Persist = 0,
  parameter int unsigned WarpW   = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  input  logic                      op_valid_i,
  input  hd_pkg::access_s           op_acc_i,
  input  logic [hd_pkg::ALU_W-1:0]  op_alu_i,
  input  logic [3:0]                model_i,
  output logic                      launch_o,
  output logic [Warps-1:0]          op_bit_o,

  input  logic [Warps-1:0]          gnt_i,
  input  logic [WarpW-1:0]          idx_i,
  input  hd_pkg::issue_pick_s       pick_i,

  output logic [13*Warps-1:0]       is_o,
  output logic [hd_pkg::DESC_W-1:0] desc_o
);
  localparam int unsigned AluW = hd_pkg::ALU_W;

  logic [Warps-1:0] has_q;    // an operation waits; the vectors below describe it
  logic [Warps-1:0] ld_q, st_q, at_q, bar_q, exit_q, clock_q;  // its kind, at most one
  logic [Warps-1:0] pb_q, tx_q;
  logic [Warps-1:0] rel_q;    // it waits for all earlier operations of its warp
  logic [Warps-1:0] sync_q;   // it synchronizes: waits for earlier ones that do
  logic [Warps-1:0] fence;    // DRF, HRF: it issues a fence for the L1 first
  logic [Warps-1:0] more_alu_q;               // alu_q is not 0
  logic [AluW-1:0]  alu_q [0:Warps-1];        // ALU instructions still in front; two write ports

  logic             arrive_op;
  logic [Warps-1:0] op_bit;
  logic             op_ld, op_st, op_rel;     // pending as a load, as a store; waits
  logic             op_sync, op_mem, wide;    // synchronizing; a memory access; wider than a lane
  logic [2:0]       op_class;
  logic             coherent, device;         // DRF, HRF; the operation is wider than an L1
  logic             op_marked, op_fence;      // release; a fence goes to the L1 first
  logic [WarpW-1:0] op_warp;
  logic [hd_pkg::OP_W-1:0] op_kind;

  assign op_warp  = WarpW'(op_acc_i.warp);
  assign op_kind  = op_acc_i.kind;
  assign op_bit_o = op_bit;
  assign is_o     = {clock_q, pb_q, tx_q, sync_q, rel_q, exit_q, bar_q, at_q, st_q, ld_q, fence,
                     more_alu_q, has_q};

  always_comb begin
    launch_o  = op_valid_i && op_kind == hd_pkg::OP_LAUNCH;
    {op_class, op_mem, arrive_op, wide, op_ld, op_st, op_marked, op_rel, op_sync} = '0;
    {op_bit, op_fence, device} = '0;
    coherent  = model_i == hd_pkg::MODEL_DRF || model_i == hd_pkg::MODEL_HRF;
    if (op_valid_i) begin  // the rest is skipped by a simulator while the warp port rests
      op_class = hd_pkg::op_class(op_kind);
      op_mem   = hd_pkg::op_memory(op_kind);
      arrive_op       = op_class != hd_pkg::OPC_HOST;
      op_bit[op_warp] = 1'b1;
      wide   = op_acc_i.scope != hd_pkg::SCOPE_WI;
      op_ld  = op_mem && op_class != hd_pkg::OPC_STORE;
      op_st  = op_mem && op_class != hd_pkg::OPC_LOAD;
      op_marked = op_acc_i.order == hd_pkg::ORD_RELEASE || op_acc_i.order == hd_pkg::ORD_ACQ_REL
                  || op_acc_i.order == hd_pkg::ORD_SEQ_CST;
      device = wide && (model_i == hd_pkg::MODEL_DRF || op_acc_i.scope != hd_pkg::SCOPE_WG);
      op_rel = wide && (op_class == hd_pkg::OPC_FENCE || (op_mem && op_marked));
      op_sync = wide && op_mem && (op_acc_i.order != hd_pkg::ORD_RELAXED
                || (coherent && op_ld && op_st && op_kind != hd_pkg::OP_COPY));
      // EXIT of the last live warp is a release of the device: the kernel may end with it.
      op_fence = coherent && (op_kind == hd_pkg::OP_EXIT
          || (device && op_class == hd_pkg::OPC_FENCE && op_acc_i.order != hd_pkg::ORD_RELAXED)
          || (device && op_mem && op_marked && op_acc_i.space == hd_pkg::SPACE_GLOBAL));
    end
  end

  hd_regfile #(.Width(hd_pkg::DESC_W), .Depth(Warps)) u_desc (
    .clk_i(clk_i), .we_i(arrive_op), .waddr_i(op_warp), .wmask_i(1'b1),
    .wdata_i(hd_pkg::described(op_acc_i)), .raddr_i(idx_i), .rdata_o(desc_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) has_q <= '0;
    else if (arrive_op || pick_i.any) begin
      has_q <= (has_q & ~(pick_i.alu || pick_i.fence ? '0 : gnt_i)) | (arrive_op ? op_bit : '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (arrive_op) begin
      ld_q    <= (ld_q & ~op_bit) | (op_ld && !op_st ? op_bit : '0);
      st_q    <= (st_q & ~op_bit) | (op_st && !op_ld ? op_bit : '0);
      at_q    <= (at_q & ~op_bit) | (op_ld && op_st ? op_bit : '0);
      bar_q   <= (bar_q & ~op_bit) | (op_kind == hd_pkg::OP_BARRIER ? op_bit : '0);
      exit_q  <= (exit_q & ~op_bit) | (op_kind == hd_pkg::OP_EXIT ? op_bit : '0);
      clock_q <= (clock_q & ~op_bit) | (op_kind == hd_pkg::OP_CLOCK ? op_bit : '0);
      rel_q   <= (rel_q & ~op_bit) | (op_rel ? op_bit : '0);
      sync_q  <= (sync_q & ~op_bit) | (op_sync ? op_bit : '0);
    end
    if (arrive_op || pick_i.alu) begin
      more_alu_q <= (more_alu_q & ~(arrive_op ? op_bit : '0)
                     & ~(pick_i.alu && alu_q[idx_i] == AluW'(1) ? gnt_i : '0))
                    | (arrive_op && op_alu_i != '0 ? op_bit : '0);
    end
    if (arrive_op) alu_q[op_warp] <= op_alu_i;
    if (pick_i.alu) alu_q[idx_i] <= alu_q[idx_i] - 1'b1;
  end

  if (Persist != 0) begin : g_persist
    always_ff @(posedge clk_i) begin
      if (arrive_op) begin
        pb_q <= (pb_q & ~op_bit) | (op_kind == hd_pkg::OP_PBARRIER ? op_bit : '0);
      end
    end
  end else begin : g_no_persist
    assign pb_q = '0;
  end
  if (Tm != 0) begin : g_tm
    always_ff @(posedge clk_i) begin
      if (arrive_op) begin
        tx_q <= (tx_q & ~op_bit) | (op_kind == hd_pkg::OP_TX_BEGIN ? op_bit : '0);
      end
    end
  end else begin : g_no_tm
    assign tx_q = '0;
  end

  hd_release_fence #(.Warps(Warps)) u_release_fence (
    .clk_i(clk_i), .rst_i(rst_i), .launch_i(launch_o), .arrive_i(arrive_op),
    .arrive_warp_i(op_bit), .arrive_fence_i(op_fence), .exit_i(exit_q), .gnt_i(gnt_i),
    .sent_i(pick_i.fence), .leave_i(pick_i.leave), .fence_o(fence)
  );

  logic unused;
  assign unused = ^{op_acc_i, pick_i};

  `HD_ASSERT(a_warp_in_range, !op_valid_i || 32'(op_warp) < Warps)
  `HD_ASSERT(a_buffer_is_empty, !arrive_op || (has_q & op_bit) == '0)
  `HD_ASSERT(a_kind_is_known, !op_valid_i || op_kind <= hd_pkg::OP_FLUSH
             || (Tm != 0 && op_kind <= hd_pkg::OP_TX_COMMIT)
             || (op_kind <= hd_pkg::OP_COPY_CTL
                 && op_kind > (Persist != 0 ? hd_pkg::OP_TX_COMMIT : hd_pkg::OP_PBARRIER)))
  `HD_ASSERT(a_launch_of_an_empty_slot, !launch_o || (has_q & op_bit) == '0)
endmodule
`default_nettype wire
