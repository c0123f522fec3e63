// hd_sm_front.sv - front of an SM tile: from an operation of a warp to the line accesses it makes.
//
//   op -> hd_issue + hd_op_buffer -> hd_coalescer -> queue of 2 -> la
//            ^  ^
//            |  '-- hd_scoreboard <- perf
//            '-- hd_pbarrier <- pack, -> mark
//
// Papers: 1 (sections 2 and 3.1, Table 2), 4 (section 6.1).
// op     warp port: at most one operation a cycle into the one-deep buffer of a warp; op_lanes_i
//        from the top: mask, addr, data, cmp. op_taken_* when it issues. ctl: fences, barriers,
//        exits, clocks; flush_o: pulse, a FLUSH issues.
// issue  pulse: a memory operation of issue_warp_o issues, in this cycle. order_*: warps that the
//        ordering hardware keeps from it (hd_issue).
// mark   with Persist: markers of persist barriers, valid/ready; pack: pulse, the answer to one
//        (hd_pbarrier).
// la     line accesses in order, valid/ready, from registers; an access is offered the cycle after
//        the coalescer made it. la_body_o from the top: line, place, data, cmp.
// perf   pulse: an access of a warp and slot was performed; perf_i from the top: how many lanes,
//        hd_pkg::performed_s. perf_last_o, in the same cycle: its operation is complete.
// ev_o   issued alu, mem, ctl, stalled for the pipe, from bit 0. dbg_o, vectors of Warps bits, from
//        the top: with Stalls bits 3 to 0 of hd_pkg::stall_e, uncompleted stores, loads.
// idle_o: no operation waits and the coalescer does nothing, or cannot while the queue is full; no
// persist barrier moves.
// Parameters: hd_keys.svh. SplitLds: LDS operations are cut into lines, as ordering hardware wants
// them.
`include "hd_assert.svh"
`default_nettype none
module hd_sm_front #(
  `include "hd_params.svh"
  parameter int unsigned SplitLds = (Order != hd_pkg::ORDER_NONE) ? 1 : 0,
  parameter int unsigned LineW  = hd_pkg::ADDR_W - $clog2(LineWords * 4),     // derived
  parameter int unsigned LdsW   = hd_pkg::idx_w(LdsRows * LineWords),         // derived
  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords)
                                  + ((SplitLds != 0) ? 0 : Lanes * LdsW),
  parameter int unsigned DataW  = ((Lanes > LineWords) ? Lanes : LineWords) * WordW, // derived
  parameter int unsigned BodyW  = LineW + PlaceW + DataW + Lanes * 32,        // derived
  parameter int unsigned OpW    = Lanes * (1 + 32 + WordW + 32),              // derived
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps),                       // derived
  parameter int unsigned CntW   = $clog2(Lanes + 1)                           // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [31:0]                now_i,
  input  hd_pkg::policy_s            policy_i,

  input  logic                       op_valid_i,
  input  hd_pkg::access_s            op_acc_i,
  input  logic [hd_pkg::ALU_W-1:0]   op_alu_i,
  input  logic [hd_pkg::BLOCK_W-1:0] op_block_i,
  input  logic [OpW-1:0]             op_lanes_i,
  output logic                       op_taken_o,
  output logic [hd_pkg::WARP_W-1:0]  op_taken_warp_o,
  output logic [hd_pkg::SLOT_W-1:0]  op_taken_slot_o,
  output logic [Warps-1:0]           ctl_done_o,
  output logic [31:0]                ctl_clock_o,
  output logic                       flush_o,

  output logic                       mark_valid_o,
  input  logic                       mark_ready_i,
  output logic [7:0]                 mark_id_o,
  input  logic                       pack_valid_i,
  input  logic [7:0]                 pack_id_i,

  output logic                       issue_valid_o,
  output logic [WarpW-1:0]           issue_warp_o,
  input  logic [Warps-1:0]           order_busy_i,
  input  logic [Warps-1:0]           order_last_i,
  input  logic [Warps-1:0]           order_hold_i,
  input  logic [Warps-1:0]           tm_hold_i,    // hd_issue

  output logic                       la_valid_o,
  input  logic                       la_ready_i,
  output hd_pkg::access_s            la_acc_o,
  output logic [BodyW-1:0]           la_body_o,

  input  logic                       perf_valid_i,
  input  logic [CntW+hd_pkg::PERFORMED_W-1:0] perf_i,
  output logic                       perf_last_o,

  output logic [3:0]                 ev_o,
  output logic [6*Warps-1:0]         dbg_o,
  output logic                       idle_o
);
  localparam int unsigned SlotW = hd_pkg::idx_w(Slots);
  localparam int unsigned BlockW = hd_pkg::idx_w(Blocks);
  `include "hd_fits.svh"

  // Signals have the prefix of the block that drives them.
  hd_pkg::access_s           is_acc, co_acc;
  hd_pkg::issue_mem_s        is;
  hd_pkg::issue_pb_s         is_pb;
  hd_pkg::performed_s        perf;
  logic                      is_mem, is_idle, pb_idle;
  logic [Warps-1:0]          pb_wait, pb_done;
  logic [4*Warps-1:0]        is_cause;
  logic [WarpW-1:0]          is_taken_warp;
  logic [SlotW-1:0]          is_taken_slot, sb_slot;
  logic [OpW-1:0]            ob_lanes;
  logic                      sb_empty;
  logic [Warps-1:0]          gr_is, gr_wait, gr_pend;
  logic [5*Warps-1:0]        sb_state;
  logic                      co_ready, co_valid, co_idle;
  logic [CntW-1:0]           co_open_lanes;
  logic [BodyW-1:0]          co_body;
  logic                      la_room;
  logic [1:0]                la_count;
  assign perf = perf_i[hd_pkg::PERFORMED_W-1:0];

  hd_issue #(
    .Warps(Warps), .Blocks(Blocks), .Slots(Slots), .Stalls(Stalls), .Tm(LocalTm),
    .Persist(Persist)
  ) u_issue (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .now_i(now_i),
    .op_valid_i(op_valid_i),
    .op_acc_i(op_acc_i),
    .op_alu_i(op_alu_i),
    .op_block_i(op_block_i[BlockW-1:0]),
    .policy_i(policy_i),
    .tm_hold_i(tm_hold_i),
    .issue_valid_o(issue_valid_o),
    .issue_warp_o(issue_warp_o),
    .issue_o(is),
    .issue_slot_i(sb_slot),
    .sb_i(sb_state),
    .order_busy_i(order_busy_i),
    .order_last_i(order_last_i),
    .order_hold_i(order_hold_i),
    .mem_ready_i(co_ready),
    .mem_valid_o(is_mem),
    .mem_acc_o(is_acc),
    .op_taken_o(op_taken_o),
    .op_taken_warp_o(is_taken_warp),
    .op_taken_slot_o(is_taken_slot),
    .ctl_done_o(ctl_done_o),
    .ctl_clock_o(ctl_clock_o),
    .flush_o(flush_o),
    .pb_o(is_pb),
    .pb_wait_i(pb_wait),
    .pb_done_i(pb_done),
    .copy_is_i(gr_is),
    .copy_wait_i(gr_wait),
    .copy_pend_i(gr_pend),
    .ev_o(ev_o),
    .cause_o(is_cause),
    .idle_o(is_idle)
  );
  if (Copies != 0) begin : g_copies
    hd_copy_groups #(
      .Warps(Warps), .Slots(Slots)
    ) u_groups (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .op_valid_i(op_valid_i),
      .op_acc_i(op_acc_i),
      .taken_i(op_taken_o),
      .taken_warp_i(is_taken_warp),
      .taken_slot_i(is_taken_slot),
      .done_i(perf_last_o),
      .done_warp_i(perf.warp[WarpW-1:0]),
      .done_slot_i(perf.slot[SlotW-1:0]),
      .is_o(gr_is),
      .wait_o(gr_wait),
      .pend_o(gr_pend)
    );
  end else begin : g_no_copies
    assign gr_is   = '0;
    assign gr_wait = '0;
    assign gr_pend = '0;
    `HD_ASSERT(a_no_copies, !op_valid_i || (op_acc_i.kind != hd_pkg::OP_COPY
                                            && op_acc_i.kind != hd_pkg::OP_COPY_CTL))
  end
  if (Persist != 0) begin : g_persist
    hd_pbarrier #(
      .Warps(Warps), .Blocks(Blocks), .Buffered((Persist == 2) ? 1 : 0)
    ) u_pbarrier (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .launch_i(op_valid_i && op_acc_i.kind == hd_pkg::OP_LAUNCH),
      .launch_at_i({op_acc_i.warp, op_block_i}),
      .pb_i(is_pb),
      .warp_i(issue_warp_o),
      .wait_o(pb_wait),
      .done_o(pb_done),
      .mark_valid_o(mark_valid_o),
      .mark_ready_i(mark_ready_i),
      .mark_id_o(mark_id_o),
      .pack_valid_i(pack_valid_i),
      .pack_id_i(pack_id_i),
      .idle_o(pb_idle)
    );
  end else begin : g_no_persist
    assign {mark_valid_o, mark_id_o, pb_wait, pb_done} = '0;
    assign pb_idle = 1'b1;
    logic unused_persist;
    assign unused_persist = ^{is_pb, mark_ready_i, pack_valid_i, pack_id_i};
  end
  hd_op_buffer #(
    .Warps(Warps), .Lanes(Lanes), .WordW(WordW)
  ) u_op_buffer (
    .clk_i(clk_i),
    .op_valid_i(op_valid_i),
    .op_acc_i(op_acc_i),
    .op_lanes_i(op_lanes_i),
    .re_i(issue_valid_o),
    .re_warp_i(issue_warp_o),
    .lanes_o(ob_lanes)
  );
  hd_scoreboard #(
    .Warps(Warps), .Lanes(Lanes), .Slots(Slots)
  ) u_scoreboard (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .issue_valid_i(issue_valid_o),
    .issue_warp_i(issue_warp_o),
    .issue_i(is),
    .issue_slot_o(sb_slot),
    .open_valid_i(is_mem),
    .open_acc_i(is_acc),
    .open_lanes_i(co_open_lanes),
    .perf_valid_i(perf_valid_i),
    .perf_i(perf_i),
    .perf_last_o(perf_last_o),
    .state_o(sb_state),
    .empty_o(sb_empty)
  );
  hd_coalescer #(
    .Warps(Warps), .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .Slots(Slots),
    .LdsRows(LdsRows), .SplitLds(SplitLds)
  ) u_coalescer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .issue_valid_i(is_mem),
    .issue_acc_i(is_acc),
    .lanes_i(ob_lanes),
    .mem_ready_o(co_ready),
    .open_lanes_o(co_open_lanes),
    .la_valid_o(co_valid),
    .la_ready_i(la_room),
    .la_acc_o(co_acc),
    .la_body_o(co_body),
    .idle_o(co_idle)
  );
  hd_fifo #(
    .Width(hd_pkg::ACCESS_W + BodyW), .Depth(2)
  ) u_line_accesses (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(co_valid),
    .in_ready_o(la_room),
    .in_data_i({co_acc, co_body}),
    .out_valid_o(la_valid_o),
    .out_ready_i(la_ready_i),
    .out_data_o({la_acc_o, la_body_o}),
    .count_o(la_count)
  );

  assign op_taken_warp_o = hd_pkg::WARP_W'(is_taken_warp);
  assign op_taken_slot_o = hd_pkg::SLOT_W'(is_taken_slot);
  // The coalescer cannot move while the queue is full, and what is behind it (when idle) does not
  // move the queue.
  assign idle_o = pb_idle && is_idle && (co_idle || !la_room);
  assign dbg_o  = {is_cause, sb_state[Warps +: 2*Warps]};

  // The op buffer's read data belong to the coalescer from the cycle after an issue on, and it
  // holds one operation.
  `HD_ASSERT(a_coalescer_is_free, !issue_valid_o || co_ready)

  logic unused;
  assign unused = ^{op_block_i, policy_i, perf, la_count, sb_empty};
endmodule
`default_nettype wire
