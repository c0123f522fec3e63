// hd_issue.sv - operation table and warp scheduler of one SM: one issue slot per cycle.
//
// op      the tile's warp port, stored by the edge; op_acc_i: what it says of the operation. Each
//         warp holds one; the caller offers the next one only after op_taken_o. LAUNCH (warp joins
//         block op_block_i and becomes the youngest) and FLUSH (flush_o) are host operations: acted
//         on at once, no op_taken_o. All warps of a block are launched before the first operation
//         of any of them is offered. An operation that arrives at the edge of cycle t can issue in
//         cycle t + 1.
// policy  model, scheduler and issue_gap of policy_i: constant during a run.
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
// sb      issue_valid_o issue_warp_o issue_o: combinational in the cycle a memory operation issues.
//         They also are the read port of hd_op_buffer.
//         issue_slot_i answers in that cycle. sb_i: state_o of hd_scoreboard.
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
// ev      registers, in the cycle after: {a memory operation could have issued but for mem_ready_i
//         (a level while it lasts); an issue slot was spent: ctl, mem, alu (pulses)}.
// cause   with Stalls, bits 3 to 0 of hd_stalls for all warps: what became of each in the cycle
//         before; else 0.
// idle_o  no pulse is out or due, no warp can issue and stall_pipe shows what it will show: with
//         mem_ready_i and scoreboard vectors constant and op_valid_i low nothing moves. Warps that
//         wait for completions, for partners at a barrier or for the pipe are idle.
//
// tm      with Tm: tm_hold_i, registers of the LDS: warps whose TX_BEGIN is not to issue (paper 5);
//         a warp issues again issue_gap + 1 cycles after its last issue.
//
// copy   of hd_copy_groups: copy_is_i: the operation of warp w is a COPY; copy_wait_i: it waits for
//        copies; copy_pend_i: warp w has copies under way.
// pb     with Persist: pb_o: a persist barrier, an exit issues, of issue_warp_o, combinational
//        (hd_pbarrier). Both wait for all that the warp did before, also for a fence of the L1.
//        pb_wait_i: it waits; pb_done_i: its barrier is done: ctl_done_o in the cycle after.
//
// Parts: hd_issue_table: the operations; hd_issue_gates: which warps may issue; hd_issue_select:
// which one does. Here: what follows from that.
//
// Warps, Blocks, Slots: warp slots, thread block slots, scoreboard slots of a warp. Stalls: 1 =
// causes of stalls can be observed.
// Papers: 1 sections 2.1 and 3 (GTO, LRR, ordering at issue).
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

  input  hd_pkg::policy_s          policy_i,

  output logic                     issue_valid_o,
  output logic [WarpW-1:0]         issue_warp_o,
  output hd_pkg::issue_mem_s       issue_o,
  input  logic [SlotW-1:0]         issue_slot_i,
  input  logic [5*Warps-1:0]       sb_i,
  input  logic [Warps-1:0]         tm_hold_i,
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

  output hd_pkg::issue_pb_s        pb_o,
  input  logic [Warps-1:0]         pb_wait_i,
  input  logic [Warps-1:0]         pb_done_i,

  input  logic [Warps-1:0]         copy_is_i,
  input  logic [Warps-1:0]         copy_wait_i,
  input  logic [Warps-1:0]         copy_pend_i,

  output logic [3:0]               ev_o,
  output logic [4*Warps-1:0]       cause_o,
  output logic                     idle_o
);
  if (Warps == 0 || Blocks == 0 || Slots == 0) begin : g_bad_size
    $error("hd_issue: Warps, Blocks and Slots must be at least 1");
  end

  // Vectors of hd_issue_table: what the operation of each warp is.
  logic [13*Warps-1:0] is;
  logic [Warps-1:0] has, fence, ld, st, at, bar, leaves, rel, sync, tx, pb, clock;
  logic [Warps-1:0] more_alu;
  // Why a warp may not issue (hd_issue_gates), which may, which does.
  logic [3*Warps-1:0] may;
  logic [Warps-1:0] held, early, ok, at_barrier, can, gnt, op_bit, released;
  logic [WarpW-1:0] idx;
  logic             launched, stalled, gates_idle;
  logic             alu_q, ctl_q, stalled_q;  // ev_o
  hd_pkg::issue_pick_s   pick;
  hd_pkg::issue_launch_s launch;

  // Description of operations, read at issue; and of the one on its way to the coalescer.
  logic [hd_pkg::DESC_W-1:0] desc_bits, mem_bits_q;
  hd_pkg::access_s           desc;
  logic [WarpW-1:0]          mem_warp_q;
  logic [SlotW-1:0]          mem_slot_q;
  logic                      fence_out_q;  // what is on its way is the fence in front of it
  assign launch  = {launched, hd_pkg::BLOCK_W'(op_block_i), op_acc_i.warp};
  assign desc    = hd_pkg::ACCESS_W'(desc_bits);
  assign {clock, pb, tx, sync, rel, leaves, bar, at, st, ld, fence, more_alu, has} = is;

  hd_issue_table #(.Warps(Warps), .Tm(Tm), .Persist(Persist)) u_table (
    .clk_i(clk_i), .rst_i(rst_i), .op_valid_i(op_valid_i), .op_acc_i(op_acc_i),
    .op_alu_i(op_alu_i), .model_i(policy_i.model), .launch_o(launched), .op_bit_o(op_bit),
    .gnt_i(gnt), .idx_i(idx), .pick_i(pick), .is_o(is), .desc_o(desc_bits)
  );
  hd_issue_gates #(.Warps(Warps), .Blocks(Blocks), .Tm(Tm)) u_gates (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .policy_i(policy_i),
    .is_i(is),
    .sb_i(sb_i),
    .wait_i({tm_hold_i, pb_wait_i, copy_pend_i, copy_wait_i, copy_is_i, order_hold_i,
             order_busy_i}),
    .gnt_i(gnt),
    .idx_i(idx),
    .pick_i(pick),
    .launch_i(launch),
    .can_o(may),
    .why_o({held, early, ok, at_barrier}),
    .released_o(released),
    .idle_o(gates_idle)
  );
  hd_issue_select #(.Warps(Warps)) u_select (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sched_i(policy_i.scheduler),
    .can_i(may),
    .is_i({leaves, bar, fence}),
    .last_i(order_last_i),
    .mem_ready_i(mem_ready_i),
    .launch_i(launch),
    .launch_bit_i(op_bit),
    .gnt_o(gnt),
    .idx_o(idx),
    .pick_o(pick),
    .can_o(can),
    .stalled_o(stalled)
  );
  assign pb_o = {pick.ctl && (gnt & pb) != '0, pick.leave, desc.scope};

  // ---- causes of stalls -----------------------------------------------------------------------
  logic causes_settled;
  if (Stalls != 0) begin : g_stalls
    logic [Warps-1:0] joins, issued, leaving, syncs;
    always_comb begin
      joins   = launched ? op_bit : '0;
      issued  = pick.any ? gnt : '0;
      leaving = pick.ctl ? leaves : '0;
      syncs   = ~(ld | st | at | fence) | rel | (sync & sb_i[4*Warps +: Warps]);
    end
    hd_stalls #(.Warps(Warps)) u_stalls (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .did_i({leaving, issued, joins}),
      .op_i({syncs, ok, can, has}),
      .wait_i({held, early, copy_wait_i & has, at_barrier | pb_wait_i}),
      .sb_i(sb_i),
      .order_i({order_hold_i, order_busy_i}),
      .cause_o(cause_o),
      .settled_o(causes_settled)
    );
  end else begin : g_no_stalls
    assign cause_o        = '0;
    assign causes_settled = 1'b1;
    logic unused_causes;
    assign unused_causes = ^{held, early, ok, at_barrier, rel, op_bit, ld, st, at, has};
  end

  // ---- outputs ----------------------------------------------------------------------------------
  assign issue_valid_o = pick.mem;
  assign issue_warp_o  = idx;
  assign issue_o = {!pick.fence && hd_pkg::op_class(desc.kind) != hd_pkg::OPC_STORE,  // ld
                    pick.fence || hd_pkg::op_class(desc.kind) != hd_pkg::OPC_LOAD,    // st
                    !pick.fence && desc.scope != hd_pkg::SCOPE_WI
                    && (desc.order == hd_pkg::ORD_ACQUIRE || desc.order == hd_pkg::ORD_ACQ_REL
                        || desc.order == hd_pkg::ORD_SEQ_CST),                        // acq
                    (gnt & sync) != '0};                                              // sync

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      mem_valid_o     <= 1'b0;
      op_taken_o      <= 1'b0;
      ctl_done_o      <= '0;
      flush_o         <= 1'b0;
      alu_q           <= 1'b0;
      ctl_q           <= 1'b0;
      stalled_q       <= 1'b0;
    end else begin
      mem_valid_o     <= pick.mem;
      op_taken_o      <= (pick.mem && !pick.fence) || pick.ctl;
      ctl_done_o      <= released | pb_done_i | (pick.ctl ? gnt & ~bar & ~pb : '0);
      flush_o         <= op_valid_i && op_acc_i.kind == hd_pkg::OP_FLUSH;
      alu_q           <= pick.alu;
      ctl_q           <= pick.ctl;
      stalled_q       <= stalled;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pick.mem || pick.ctl) begin
      op_taken_warp_o <= idx;
      op_taken_slot_o <= pick.mem ? issue_slot_i : '0;
    end
    if (pick.ctl && (gnt & clock) != '0) ctl_clock_o <= now_i;
    if (pick.mem) begin
      mem_warp_q <= idx;
      mem_slot_q <= issue_slot_i;
      mem_bits_q <= desc_bits;
      fence_out_q <= pick.fence;
    end
  end

  assign ev_o = {stalled_q, ctl_q, mem_valid_o, alu_q};
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

  assign idle_o = (can | ctl_done_o | pb_done_i) == '0 && gates_idle && !op_taken_o && !mem_valid_o
                  && !flush_o && !alu_q && stalled_q == stalled && causes_settled;

  logic unused;
  assign unused = ^{desc, policy_i, tx, more_alu};
endmodule
`default_nettype wire
