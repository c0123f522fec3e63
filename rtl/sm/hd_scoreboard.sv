// hd_scoreboard.sv - uncompleted memory operations of every warp, at most Slots each.
//
// issue  issue_valid_i with the warp and class of the operation (an atomic sets is_ld and is_st;
//        issue_acq_i: later operations of the warp wait for it; issue_sync_i: later synchronizing
//        ones do). issue_slot_o is the warp's lowest
//        free slot, combinational from issue_warp_i; the edge marks it. full_o[issue_warp_i] must
//        be 0.
// open   the cycle after the issue: how many lanes the operation has. Before its first perform.
// perf   perf_lanes_i lanes of an operation were performed; perf_last_o (combinational) tells that
//        they were its last ones. Its slot is free from the next cycle on.
// state  full_o ld_pend_o st_pend_o acq_block_o sync_pend_o, bit w for warp w, and empty_o:
//        functions of registers. They show an issue or a last perform from the next cycle on.
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
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             issue_valid_i,
  input  logic [WarpW-1:0] issue_warp_i,
  input  logic             issue_is_ld_i,
  input  logic             issue_is_st_i,
  input  logic             issue_acq_i,
  input  logic             issue_sync_i,
  output logic [SlotW-1:0] issue_slot_o,

  input  logic             open_valid_i,
  input  logic [WarpW-1:0] open_warp_i,
  input  logic [SlotW-1:0] open_slot_i,
  input  logic [CntW-1:0]  open_lanes_i,

  input  logic             perf_valid_i,
  input  logic [WarpW-1:0] perf_warp_i,
  input  logic [SlotW-1:0] perf_slot_i,
  input  logic [CntW-1:0]  perf_lanes_i,
  output logic             perf_last_o,

  output logic [Warps-1:0] full_o,
  output logic [Warps-1:0] ld_pend_o,
  output logic [Warps-1:0] st_pend_o,
  output logic [Warps-1:0] acq_block_o,
  output logic [Warps-1:0] sync_pend_o,
  output logic             empty_o
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

  logic [CntW-1:0]  perf_rem;
  logic [Warps-1:0] any_busy, set, clr;
  logic [Warps-1:0] set_pl [0:Slots-1];  // set and clr, in the plane of their slot
  logic [Warps-1:0] clr_pl [0:Slots-1];

  always_comb begin
    full_o      = '1;
    ld_pend_o   = '0;
    st_pend_o   = '0;
    acq_block_o = '0;
    sync_pend_o = '0;
    any_busy    = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      full_o      = full_o & busy_q[s];
      any_busy    = any_busy | busy_q[s];
      ld_pend_o   = ld_pend_o | ld_q[s];
      st_pend_o   = st_pend_o | st_q[s];
      acq_block_o = acq_block_o | acq_q[s];
      sync_pend_o = sync_pend_o | sync_q[s];
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

  assign perf_rem = rem_q[{perf_warp_i, perf_slot_i}];

  always_comb begin
    clr         = '0;
    perf_last_o = perf_valid_i && perf_rem == perf_lanes_i;
    if (perf_last_o) clr[perf_warp_i] = 1'b1;
  end

  always_comb begin
    for (int unsigned s = 0; s < Slots; s++) begin
      set_pl[s] = (issue_slot_o == SlotW'(s)) ? set : '0;
      clr_pl[s] = (perf_slot_i == SlotW'(s)) ? clr : '0;
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
        ld_q[s]   <= (ld_q[s] & ~clr_pl[s]) | (issue_is_ld_i ? set_pl[s] : '0);
        st_q[s]   <= (st_q[s] & ~clr_pl[s]) | (issue_is_st_i ? set_pl[s] : '0);
        acq_q[s]  <= (acq_q[s] & ~clr_pl[s]) | (issue_acq_i ? set_pl[s] : '0);
        sync_q[s] <= (sync_q[s] & ~clr_pl[s]) | (issue_sync_i ? set_pl[s] : '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (open_valid_i) rem_q[{open_warp_i, open_slot_i}] <= open_lanes_i;
    if (perf_valid_i) rem_q[{perf_warp_i, perf_slot_i}] <= perf_rem - perf_lanes_i;
  end

`ifndef SYNTHESIS
  logic open_ok, perf_ok;
  assign open_ok = |(busy_q[open_slot_i] >> open_warp_i);
  assign perf_ok = |(busy_q[perf_slot_i] >> perf_warp_i);
`endif
  `HD_ASSERT(a_issue_finds_a_slot, !issue_valid_i || (full_o & set) == '0)
  `HD_ASSERT(a_issue_is_memory, !issue_valid_i || issue_is_ld_i || issue_is_st_i)
  `HD_ASSERT(a_open_of_a_taken_slot, !open_valid_i || open_ok)
  `HD_ASSERT(a_open_has_lanes, !open_valid_i || open_lanes_i != '0)
  `HD_ASSERT(a_perf_of_a_taken_slot, !perf_valid_i || perf_ok)
  `HD_ASSERT(a_perf_no_underflow,
             !perf_valid_i || (perf_lanes_i != '0 && perf_lanes_i <= perf_rem))
  `HD_ASSERT(a_perf_after_open, !(perf_valid_i && open_valid_i && perf_warp_i == open_warp_i
                                  && perf_slot_i == open_slot_i))
endmodule
`default_nettype wire
