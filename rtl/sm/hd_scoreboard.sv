// hd_scoreboard.sv - uncompleted memory operations of every warp, at most Slots each.
//
// issue  issue_valid_i with the warp and class of the operation (an atomic sets ld and st; acq:
//        later operations of the warp wait for it; sync: later synchronizing ones do).
//        issue_slot_o is the warp's lowest free slot, combinational from issue_warp_i; the edge
//        marks it. The warp must not be full.
// open   the cycle after the issue: how many lanes the operation has. Before its first perform.
// perf   lanes of an operation were performed; perf_i from the top: how many, hd_pkg::performed_s.
//        perf_last_o (combinational) tells that they were its last ones. Its slot is free from the
//        next cycle on.
// state  state_o, vectors of Warps bits, from the top: synchronizing ones, acquires, stores, loads
//        are pending, no slot is free; and empty_o: functions of registers. They show an issue or a
//        last perform from the next cycle on.
//
// Nothing moves unless one of the three valids is high, so there is no idle_o. The pending counters
// of paper 1 section 3.3 are the number of set bits of a warp over the planes ld_q and st_q; only
// "zero or not" is ever asked. Lane counts are flip-flops: they have two write ports. Warps: warp
// slots. Lanes: lanes of a warp. Slots: outstanding memory operations of a warp.
`include "hd_assert.svh"
`default_nettype none
module hd_scoreboard #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Slots = 4,
  parameter int unsigned WarpW = hd_pkg::idx_w(Warps),  // derived: leave at its default
  parameter int unsigned SlotW = hd_pkg::idx_w(Slots),  // derived
  parameter int unsigned CntW  = $clog2(Lanes + 1)      // derived
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               issue_valid_i,
  input  logic [WarpW-1:0]   issue_warp_i,
  input  hd_pkg::issue_mem_s issue_i,
  output logic [SlotW-1:0]   issue_slot_o,

  input  logic               open_valid_i,
  input  hd_pkg::access_s    open_acc_i,    // warp, slot
  input  logic [CntW-1:0]    open_lanes_i,

  input  logic               perf_valid_i,
  input  logic [CntW+hd_pkg::PERFORMED_W-1:0] perf_i,
  output logic               perf_last_o,

  output logic [5*Warps-1:0] state_o,
  output logic               empty_o
);
  // An index has a bit at least.
  localparam int unsigned Counts = ((Warps > 1) ? Warps : 2) << SlotW;

  if (Warps == 0 || Lanes == 0 || Slots == 0) begin : g_bad_size
    $error("hd_scoreboard: Warps, Lanes and Slots must be at least 1");
  end

  // One plane of Warps bits per slot. ld_q, st_q, acq_q, sync_q are set in busy slots only.
  logic [Warps-1:0] busy_q [0:Slots-1];
  logic [Warps-1:0] ld_q [0:Slots-1];
  logic [Warps-1:0] st_q [0:Slots-1];
  logic [Warps-1:0] acq_q [0:Slots-1];
  logic [Warps-1:0] sync_q [0:Slots-1];
  logic [CntW-1:0]  rem_q [0:Counts-1];  // lanes not yet performed; 0 once a slot is free again

  hd_pkg::performed_s perf;
  logic [WarpW-1:0] open_warp, perf_warp;
  logic [SlotW-1:0] open_slot, perf_slot;
  logic [CntW-1:0]  perf_lanes, perf_rem;
  logic [Warps-1:0] full, ld_pend, st_pend, acq_block, sync_pend, any_busy, set, clr;
  logic [Warps-1:0] set_pl [0:Slots-1];  // set and clr, in the plane of their slot
  logic [Warps-1:0] clr_pl [0:Slots-1];

  assign open_warp = open_acc_i.warp[WarpW-1:0];
  assign open_slot = open_acc_i.slot[SlotW-1:0];
  assign {perf_lanes, perf} = perf_i;
  assign perf_warp = perf.warp[WarpW-1:0];
  assign perf_slot = perf.slot[SlotW-1:0];
  assign state_o   = {sync_pend, acq_block, st_pend, ld_pend, full};

  always_comb begin
    full      = '1;
    ld_pend   = '0;
    st_pend   = '0;
    acq_block = '0;
    sync_pend = '0;
    any_busy  = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      full      = full & busy_q[s];
      any_busy  = any_busy | busy_q[s];
      ld_pend   = ld_pend | ld_q[s];
      st_pend   = st_pend | st_q[s];
      acq_block = acq_block | acq_q[s];
      sync_pend = sync_pend | sync_q[s];
    end
    empty_o = any_busy == '0;
  end

  always_comb begin
    set          = '0;
    issue_slot_o = '0;
    if (issue_valid_i) begin
      set[issue_warp_i] = 1'b1;
      for (int unsigned s = Slots; s > 0; s--) begin
        if ((busy_q[s-1] & set) == '0) issue_slot_o = SlotW'(s - 1);
      end
    end
  end

  assign perf_rem = rem_q[{perf_warp, perf_slot}];

  always_comb begin
    clr         = '0;
    perf_last_o = perf_valid_i && perf_rem == perf_lanes;
    if (perf_last_o) clr[perf_warp] = 1'b1;
  end

  always_comb begin
    for (int unsigned s = 0; s < Slots; s++) begin
      set_pl[s] = (issue_slot_o == SlotW'(s)) ? set : '0;
      clr_pl[s] = (perf_slot == SlotW'(s)) ? clr : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Slots; s++) begin
      if (rst_i) begin
        busy_q[s] <= '0;
        ld_q[s]   <= '0;
        st_q[s]   <= '0;
        acq_q[s]  <= '0;
        sync_q[s] <= '0;
      end else if (issue_valid_i || perf_last_o) begin
        busy_q[s] <= (busy_q[s] & ~clr_pl[s]) | set_pl[s];
        ld_q[s]   <= (ld_q[s] & ~clr_pl[s]) | (issue_i.ld ? set_pl[s] : '0);
        st_q[s]   <= (st_q[s] & ~clr_pl[s]) | (issue_i.st ? set_pl[s] : '0);
        acq_q[s]  <= (acq_q[s] & ~clr_pl[s]) | (issue_i.acq ? set_pl[s] : '0);
        sync_q[s] <= (sync_q[s] & ~clr_pl[s]) | (issue_i.sync ? set_pl[s] : '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (open_valid_i) rem_q[{open_warp, open_slot}] <= open_lanes_i;
    if (perf_valid_i) rem_q[{perf_warp, perf_slot}] <= perf_rem - perf_lanes;
  end

  logic unused;
  assign unused = ^{open_acc_i, perf};

`ifndef SYNTHESIS
  logic open_ok, perf_ok;
  assign open_ok = |(busy_q[open_slot] >> open_acc_i.warp);
  assign perf_ok = |(busy_q[perf_slot] >> perf.warp);
`endif
  `HD_ASSERT(a_issue_finds_a_slot, !issue_valid_i || (full & set) == '0)
  `HD_ASSERT(a_issue_is_memory, !issue_valid_i || issue_i.ld || issue_i.st)
  `HD_ASSERT(a_open_of_a_taken_slot, !open_valid_i || open_ok)
  `HD_ASSERT(a_open_has_lanes, !open_valid_i || open_lanes_i != '0)
  `HD_ASSERT(a_perf_of_a_taken_slot, !perf_valid_i || perf_ok)
  `HD_ASSERT(a_perf_no_underflow,
             !perf_valid_i || (perf_lanes != '0 && perf_lanes <= perf_rem))
  `HD_ASSERT(a_perf_after_open, !(perf_valid_i && open_valid_i && perf_warp == open_warp
                                  && perf_slot == open_slot))
endmodule
`default_nettype wire
