// hd_issue.sv - operation table and warp scheduler of one SM: one issue slot per cycle.
//
// op      the tile's warp port, stored by the edge; op_acc_i: what it says of the operation. Each
//         warp holds one; the caller offers the next one only after op_taken_o. LAUNCH (warp joins
//         block op_block_i and becomes the youngest) and FLUSH (flush_o) are host operations: acted
//         on at once, no op_taken_o. All warps of a block are launched before the first operation
//         of any of them is offered. An operation that arrives at the edge of cycle t can issue in
//         cycle t + 1.
// policy  policy_model_i (hd_pkg::model_e), policy_sched_i (hd_pkg::sched_e): constant during a
//         run.
// issue   each cycle at most one of: an ALU instruction in front of an operation (op_alu_i of them,
//         one slot each), a memory operation (hd_order_naive allows it, the warp has a scoreboard
//         slot, mem_ready_i), a control operation (fence, barrier, exit, clock, nop: hd_order_naive
//         allows it). A warp that waits at a barrier issues nothing. GTO: the warp issued last
//         while it can, else the oldest that can; a launch ends its slot's claim to be the last.
//         LRR: round robin over warps that can.
//         Under DRF and HRF a release of the device, a fence and the exit of the SM's last live
//         warp are preceded by a fence for the L1, a memory operation of its own (OP_FENCE, pending
//         as a store); no op_taken_o. An exit with others live is none: its warp's stores are in
//         the L1, and the last warp's fence, which it sends again if a warp has left since, covers
//         the words of all.
// sb      issue_valid_o issue_warp_o issue_is_ld_o issue_is_st_o issue_acq_o issue_sync_o:
//         combinational in the cycle a memory operation issues. They also are the read port of
//         hd_op_buffer.
//         issue_slot_i answers in that cycle. Vectors full_i .. acq_block_i: registered state of
//         hd_scoreboard.
// order   of the ordering hardware behind the coalescer, registers: order_busy_i: earlier
//         operations of the warp are not ordered yet (hd_order_naive); order_last_i: GTO takes it
//         if it issued last or no other can; order_hold_i: the warp issues no memory operation.
// mem     to hd_coalescer, registers: mem_valid_o pulses in the cycle after the issue, together
//         with the op buffer's read data; mem_acc_o holds until the next pulse.
// done    registers. op_taken_o pulses in the cycle after the issue; op_taken_slot_o is the
//         scoreboard slot of a memory operation, else 0. ctl_done_o[w] pulses in that same cycle
//         for fence, exit, clock and nop, for all warps of a barrier two cycles after the issue of
//         the arrival or exit that completes it. ctl_clock_o: now_i of the cycle in which the CLOCK
//         that is done issued; it holds between.
// ev      registers, in the cycle after: an issue slot was spent (alu, mem, ctl: pulses), or a
//         memory operation could have issued but for mem_ready_i (stall_pipe: a level while it
//         lasts).
// cause   cause0_o .. cause3_o: with Stalls, of hd_stalls: what became of each warp in the cycle
//         before; else 0.
// idle_o  no pulse is out or due, no warp can issue and stall_pipe shows what it will show: with
//         mem_ready_i and scoreboard vectors constant and op_valid_i low nothing moves. Warps that
//         wait for completions, for partners at a barrier or for the pipe are idle.
//
// tm      with Tm: tm_hold_i, registers of the LDS: warps whose TX_BEGIN is not to issue (paper 5);
//         policy_gap_i: a warp issues again policy_gap_i + 1 cycles after its last issue.
//
// copy   of hd_copy_groups: copy_is_i: the operation of warp w is a COPY; copy_wait_i: it waits for
//        copies; copy_pend_i: warp w has copies under way.
// pb     with Persist: pb_arrive_o, pb_exit_o: a persist barrier of pb_scope_o, an exit issues, of
//        issue_warp_o, combinational (hd_pbarrier). Both wait for all that the warp did before,
//        also for a fence of the L1. pb_wait_i: it waits; pb_done_i: its barrier is done:
//        ctl_done_o in the cycle after.
//
// Warps, Blocks, Slots: warp slots, thread block slots, scoreboard slots of a warp. Stalls: 1 =
// causes of stalls can be observed.
// Papers: 1 sections 2.1 and 3 (GTO, LRR, ordering at issue).
`include "hd_assert.svh"
`default_nettype none
module hd_issue #(
  parameter int unsigned Warps  = 48,
  parameter int unsigned Blocks = 8,
  parameter int unsigned Slots  = 4,
  parameter int unsigned Stalls = 0,
  parameter int unsigned Tm     = 0,
  parameter int unsigned Persist = 0,
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps),   // derived: leave at its default
  parameter int unsigned BlockW = hd_pkg::idx_w(Blocks),  // derived
  parameter int unsigned SlotW  = hd_pkg::idx_w(Slots)    // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  input  logic [31:0]              now_i,

  input  logic                     op_valid_i,
  input  hd_pkg::access_s          op_acc_i,
  input  logic [hd_pkg::ALU_W-1:0] op_alu_i,
  input  logic [BlockW-1:0]        op_block_i,

  input  logic [3:0]               policy_model_i,
  input  logic [1:0]               policy_sched_i,
  input  logic [1:0]               policy_gap_i,

  output logic                     issue_valid_o,
  output logic [WarpW-1:0]         issue_warp_o,
  output logic                     issue_is_ld_o,
  output logic                     issue_is_st_o,
  output logic                     issue_acq_o,
  output logic                     issue_sync_o,
  input  logic [SlotW-1:0]         issue_slot_i,
  input  logic [Warps-1:0]         full_i,
  input  logic [Warps-1:0]         tm_hold_i,
  input  logic [Warps-1:0]         ld_pend_i,
  input  logic [Warps-1:0]         st_pend_i,
  input  logic [Warps-1:0]         acq_block_i,
  input  logic [Warps-1:0]         sync_pend_i,
  input  logic [Warps-1:0]         order_busy_i,
  input  logic [Warps-1:0]         order_last_i,
  input  logic [Warps-1:0]         order_hold_i,

  input  logic                     mem_ready_i,
  output logic                     mem_valid_o,
  output hd_pkg::access_s          mem_acc_o,

  output logic                     op_taken_o,
  output logic [WarpW-1:0]         op_taken_warp_o,
  output logic [SlotW-1:0]         op_taken_slot_o,
  output logic [Warps-1:0]         ctl_done_o,
  output logic [31:0]              ctl_clock_o,
  output logic                     flush_o,

  output logic                     pb_arrive_o,
  output logic                     pb_exit_o,
  output logic [1:0]               pb_scope_o,
  input  logic [Warps-1:0]         pb_wait_i,
  input  logic [Warps-1:0]         pb_done_i,

  input  logic [Warps-1:0]         copy_is_i,
  input  logic [Warps-1:0]         copy_wait_i,
  input  logic [Warps-1:0]         copy_pend_i,

  output logic                     ev_issue_alu_o,
  output logic                     ev_issue_mem_o,
  output logic                     ev_issue_ctl_o,
  output logic                     ev_stall_pipe_o,
  output logic [Warps-1:0]         cause0_o,
  output logic [Warps-1:0]         cause1_o,
  output logic [Warps-1:0]         cause2_o,
  output logic [Warps-1:0]         cause3_o,
  output logic                     idle_o
);
  localparam int unsigned AluW = hd_pkg::ALU_W;

  if (Warps == 0 || Blocks == 0 || Slots == 0) begin : g_bad_size
    $error("hd_issue: Warps, Blocks and Slots must be at least 1");
  end

  // ---- operation table: bit w of a vector belongs to warp w ---------------------------------
  logic [Warps-1:0] has_q;    // an operation waits; the vectors below describe it
  logic [Warps-1:0] ld_q, st_q, at_q, bar_q, exit_q, clock_q;  // its kind, at most one
  logic [Warps-1:0] pb_q;     // it is a persist barrier
  logic [Warps-1:0] rel_q;    // it waits for all earlier operations of its warp
  logic [Warps-1:0] sync_q;   // it synchronizes: waits for earlier ones that do
  logic [Warps-1:0] fence;    // DRF, HRF: it issues a fence for the L1 first
  logic [Warps-1:0] early, held;  // Tm: too early after its last issue; waits for a token
  logic [Warps-1:0] more_alu_q;               // alu_q is not 0
  logic [AluW-1:0]  alu_q [0:Warps-1];        // ALU instructions still in front; two write ports

  logic             launch, arrive_op;        // what the warp port brings in this cycle
  logic [Warps-1:0] op_bit, released;
  logic             op_ld, op_st, op_rel;     // pending as a load, as a store; waits
  logic             op_sync, op_mem, wide;    // synchronizing; a memory access; wider than a lane
  logic [2:0]       op_class;
  logic             coherent, device;         // DRF, HRF; the operation is wider than an L1
  logic             op_marked, op_fence;      // release; a fence goes to the L1 first

  // ---- scheduler --------------------------------------------------------------------------------
  logic [Warps-1:0] ok, at_barrier, ready, is_mem, can_alu, can_mem, can_ctl, can;
  logic [Warps-1:0] greedy_q, gnt_rr, gnt_age, gnt;
  logic [WarpW-1:0] idx_rr, idx_age, idx, last_q;
  logic             valid_rr, valid_age;      // both follow from `can`
  logic             lrr, stalled, stay, any, pick_alu, pick_mem, pick_ctl;
  logic [Warps-1:0] req_rr, req_age;
  logic             arrives, leaves, fences, bar_idle, gap_idle;

  // Description of operations, read at issue; and of the one on its way to the coalescer.
  logic [hd_pkg::DESC_W-1:0] desc_bits, mem_bits_q;
  hd_pkg::access_s           desc;
  logic [WarpW-1:0]          op_warp, mem_warp_q;
  logic [SlotW-1:0]          mem_slot_q;
  logic                      fence_out_q;  // what is on its way is the fence in front of it
  logic [hd_pkg::OP_W-1:0]   op_kind;
  assign op_warp = WarpW'(op_acc_i.warp);
  assign op_kind = op_acc_i.kind;
  assign desc    = hd_pkg::ACCESS_W'(desc_bits);
  logic unused_desc;
  assign unused_desc = ^desc;

  always_comb begin
    launch    = op_valid_i && op_kind == hd_pkg::OP_LAUNCH;
    {op_class, op_mem, arrive_op, wide, op_ld, op_st, op_marked, op_rel, op_sync} = '0;
    {op_bit, op_fence, device} = '0;
    coherent  = policy_model_i == hd_pkg::MODEL_DRF || policy_model_i == hd_pkg::MODEL_HRF;
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
      device = wide && (policy_model_i == hd_pkg::MODEL_DRF || op_acc_i.scope != hd_pkg::SCOPE_WG);
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
    .wdata_i(hd_pkg::described(op_acc_i)), .raddr_i(idx), .rdata_o(desc_bits)
  );

  hd_order_naive #(.Warps(Warps)) u_order (
    .model_i(policy_model_i), .is_ld_i(ld_q), .is_st_i(st_q), .is_at_i(at_q), .is_bar_i(bar_q),
    .is_exit_i(exit_q | pb_q), .rel_i(rel_q), .is_sync_i(sync_q), .is_copy_i(copy_is_i),
    .ld_pend_i(ld_pend_i), .st_pend_i(st_pend_i), .copy_pend_i(copy_pend_i),
    .acq_block_i(acq_block_i), .sync_pend_i(sync_pend_i), .order_busy_i(order_busy_i), .ok_o(ok)
  );

  always_comb begin
    ready   = has_q & ~at_barrier & ~early & ~pb_wait_i & ~copy_wait_i;
    is_mem  = ld_q | st_q | at_q | fence;
    can_alu = ready & more_alu_q;
    can_mem = ready & ~more_alu_q & ok & is_mem & ~full_i & ~order_hold_i & ~held;
    can_ctl = ready & ~more_alu_q & ok & ~is_mem;
    can     = can_alu | can_ctl | (mem_ready_i ? can_mem : '0);
    lrr     = policy_sched_i == hd_pkg::SCHED_LRR;
    stalled = !mem_ready_i && can_mem != '0;
    stay    = !lrr && (can & greedy_q) != '0;
    req_rr  = lrr ? can : '0;
    req_age = '0;
    if (!lrr && !stay) req_age = ((can & ~order_last_i) != '0) ? can & ~order_last_i : can;
  end

  hd_arb_rr #(.N(Warps)) u_rr (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(req_rr), .take_i(1'b1),
    .gnt_o(gnt_rr), .idx_o(idx_rr), .valid_o(valid_rr)
  );
  hd_arb_age #(.N(Warps)) u_age (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(req_age),
    .gnt_o(gnt_age), .idx_o(idx_age), .valid_o(valid_age),
    .young_valid_i(launch), .young_idx_i(op_warp)
  );

  always_comb begin
    gnt      = stay ? greedy_q : (gnt_rr | gnt_age);
    idx      = stay ? last_q : (idx_rr | idx_age);
    any      = stay || valid_rr || valid_age;
    pick_alu = any && (gnt & can_alu) != '0;
    pick_mem = any && (gnt & can_mem) != '0;
    pick_ctl = any && !pick_alu && !pick_mem;
    arrives  = pick_ctl && (gnt & bar_q) != '0;
    leaves   = pick_ctl && (gnt & exit_q) != '0;
    fences   = pick_mem && (gnt & fence) != '0;
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
  assign pb_arrive_o = pick_ctl && (gnt & pb_q) != '0;
  assign pb_exit_o   = leaves;
  assign pb_scope_o  = desc.scope;

  // ---- transactions ---------------------------------------------------------------------------
  if (Tm != 0) begin : g_tm
    logic [Warps-1:0] begin_q;
    logic [1:0]       gap_q [0:Warps-1];  // cycles until the warp may issue
    always_ff @(posedge clk_i) begin
      if (arrive_op) begin
        begin_q <= (begin_q & ~op_bit) | (op_kind == hd_pkg::OP_TX_BEGIN ? op_bit : '0);
      end
      for (int unsigned w = 0; w < Warps; w++) begin
        if (rst_i) gap_q[w] <= '0;
        else if (any && gnt[w]) gap_q[w] <= policy_gap_i;
        else if (gap_q[w] != '0) gap_q[w] <= gap_q[w] - 1'b1;
      end
    end
    always_comb begin
      for (int unsigned w = 0; w < Warps; w++) early[w] = gap_q[w] != '0;
    end
    assign held     = begin_q & tm_hold_i;
    assign gap_idle = early == '0;
  end else begin : g_no_tm
    logic unused_tm;
    assign early     = '0;
    assign held      = '0;
    assign gap_idle  = 1'b1;
    assign unused_tm = ^{policy_gap_i, tm_hold_i};
  end

  // ---- table updates ----------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) has_q <= '0;
    else if (arrive_op || any) begin
      has_q <= (has_q & ~(pick_alu || fences ? '0 : gnt)) | (arrive_op ? op_bit : '0);
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
    if (arrive_op || pick_alu) begin
      more_alu_q <= (more_alu_q & ~(arrive_op ? op_bit : '0)
                     & ~(pick_alu && alu_q[idx] == AluW'(1) ? gnt : '0))
                    | (arrive_op && op_alu_i != '0 ? op_bit : '0);
    end
    if (arrive_op) alu_q[op_warp] <= op_alu_i;
    if (pick_alu) alu_q[idx] <= alu_q[idx] - 1'b1;
  end

  hd_release_fence #(.Warps(Warps)) u_release_fence (
    .clk_i(clk_i), .rst_i(rst_i), .launch_i(launch), .arrive_i(arrive_op), .arrive_warp_i(op_bit),
    .arrive_fence_i(op_fence), .exit_i(exit_q), .gnt_i(gnt), .sent_i(fences), .leave_i(leaves),
    .fence_o(fence)
  );

  // The warp GTO stays with: none after reset and once the slot is launched anew.
  always_ff @(posedge clk_i) begin
    if (rst_i) greedy_q <= '0;
    else if (any || launch) greedy_q <= (any ? gnt : greedy_q) & ~(launch ? op_bit : '0);
    if (any) last_q <= idx;
  end

  hd_barrier #(.Warps(Warps), .Blocks(Blocks)) u_barrier (
    .clk_i(clk_i), .rst_i(rst_i),
    .launch_valid_i(launch), .launch_warp_i(op_warp), .launch_block_i(op_block_i),
    .arrive_valid_i(arrives), .arrive_warp_i(idx),
    .exit_valid_i(leaves), .exit_warp_i(idx),
    .release_o(released), .wait_o(at_barrier), .idle_o(bar_idle)
  );

  // ---- causes of stalls -----------------------------------------------------------------------
  logic causes_settled;
  if (Stalls != 0) begin : g_stalls
    logic [Warps-1:0] launched, issued, leaving, sync;
    always_comb begin
      launched = launch ? op_bit : '0;
      issued   = any ? gnt : '0;
      leaving  = pick_ctl ? exit_q : '0;
      sync     = ~is_mem | rel_q | (sync_q & sync_pend_i);
    end
    hd_stalls #(.Warps(Warps)) u_stalls (
      .clk_i(clk_i), .rst_i(rst_i), .launch_i(launched), .issue_i(issued), .exit_i(leaving),
      .barrier_i(at_barrier | pb_wait_i), .copy_i(copy_wait_i & has_q), .has_i(has_q), .can_i(can),
      .ok_i(ok), .sync_i(sync), .ld_pend_i(ld_pend_i), .acq_block_i(acq_block_i),
      .order_busy_i(order_busy_i), .full_i(full_i), .hold_i(order_hold_i), .early_i(early),
      .held_i(held), .cause0_o(cause0_o), .cause1_o(cause1_o), .cause2_o(cause2_o),
      .cause3_o(cause3_o), .settled_o(causes_settled)
    );
  end else begin : g_no_stalls
    assign cause0_o       = '0;
    assign cause1_o       = '0;
    assign cause2_o       = '0;
    assign cause3_o       = '0;
    assign causes_settled = 1'b1;
  end

  // ---- outputs ----------------------------------------------------------------------------------
  assign issue_valid_o = pick_mem;
  assign issue_warp_o  = idx;
  assign issue_is_ld_o = !fences && hd_pkg::op_class(desc.kind) != hd_pkg::OPC_STORE;
  assign issue_is_st_o = fences || hd_pkg::op_class(desc.kind) != hd_pkg::OPC_LOAD;
  assign issue_sync_o  = (gnt & sync_q) != '0;
  assign issue_acq_o   = !fences && desc.scope != hd_pkg::SCOPE_WI
                         && (desc.order == hd_pkg::ORD_ACQUIRE || desc.order == hd_pkg::ORD_ACQ_REL
                             || desc.order == hd_pkg::ORD_SEQ_CST);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      mem_valid_o     <= 1'b0;
      op_taken_o      <= 1'b0;
      ctl_done_o      <= '0;
      flush_o         <= 1'b0;
      ev_issue_alu_o  <= 1'b0;
      ev_issue_ctl_o  <= 1'b0;
      ev_stall_pipe_o <= 1'b0;
    end else begin
      mem_valid_o     <= pick_mem;
      op_taken_o      <= (pick_mem && !fences) || pick_ctl;
      ctl_done_o      <= released | pb_done_i | (pick_ctl ? gnt & ~bar_q & ~pb_q : '0);
      flush_o         <= op_valid_i && op_kind == hd_pkg::OP_FLUSH;
      ev_issue_alu_o  <= pick_alu;
      ev_issue_ctl_o  <= pick_ctl;
      ev_stall_pipe_o <= stalled;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pick_mem || pick_ctl) begin
      op_taken_warp_o <= idx;
      op_taken_slot_o <= pick_mem ? issue_slot_i : '0;
    end
    if (pick_ctl && (gnt & clock_q) != '0) ctl_clock_o <= now_i;
    if (pick_mem) begin
      mem_warp_q <= idx;
      mem_slot_q <= issue_slot_i;
      mem_bits_q <= desc_bits;
      fence_out_q <= fences;
    end
  end

  assign ev_issue_mem_o = mem_valid_o;
  always_comb begin
    mem_acc_o      = hd_pkg::ACCESS_W'(mem_bits_q);
    mem_acc_o.warp = hd_pkg::WARP_W'(mem_warp_q);
    mem_acc_o.slot = hd_pkg::SLOT_W'(mem_slot_q);
    if (fence_out_q) begin
      if (hd_pkg::op_class(mem_acc_o.kind) != hd_pkg::OPC_FENCE) begin
        mem_acc_o.order = hd_pkg::ORD_RELEASE;
      end
      mem_acc_o.kind  = hd_pkg::OP_FENCE;
      mem_acc_o.scope = hd_pkg::SCOPE_DEVICE;
      mem_acc_o.space = hd_pkg::SPACE_GLOBAL;
    end
  end

  assign idle_o = (can | ctl_done_o | pb_done_i) == '0 && bar_idle && !op_taken_o && !mem_valid_o
                  && !flush_o && !ev_issue_alu_o
                  && ev_stall_pipe_o == stalled && causes_settled && gap_idle;

  `HD_ASSERT(a_warp_in_range, !op_valid_i || 32'(op_warp) < Warps)
  `HD_ASSERT(a_buffer_is_empty, !arrive_op || (has_q & op_bit) == '0)
  `HD_ASSERT(a_kind_is_known, !op_valid_i || op_kind <= hd_pkg::OP_FLUSH
             || (Tm != 0 && op_kind <= hd_pkg::OP_TX_COMMIT)
             || (op_kind <= hd_pkg::OP_COPY_CTL
                 && op_kind > (Persist != 0 ? hd_pkg::OP_TX_COMMIT : hd_pkg::OP_PBARRIER)))
  `HD_ASSERT(a_launch_of_an_empty_slot, !launch || (has_q & op_bit) == '0)
endmodule
`default_nettype wire
