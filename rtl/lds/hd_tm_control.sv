// hd_tm_control.sv - transactions of the wavefronts: masks, modes, the token of the serial mode.
//
// Paper 5 (sections 3.1, 3.4, Table 1). TCM: lanes of a wavefront that have lost their attempt.
// wf_i    wavefront of the operation at the LDS; of it, from registers: runs_o, an attempt is open;
//         live_o, its lanes that have not lost; tcm_o, TCM, 0 outside transactions; mode_o.
// ev_i    takes effect by the edge.
//  start  with lanes mask_i (of a retry: those that are to retry). again_o in the same cycle:
//         another wavefront holds the token or is to get it; nothing happens. alone_o: the attempt
//         is the only one from now on; attempts of the wavefronts others_o have lost.
//  commit of lanes live_o. lose: of lanes lost_i.
// hold_o  wavefronts whose TX_BEGIN would be sent back.
//
//   state, event     condition              next; T = TCM, lanes to retry; old: T of last time
//   IDLE  begin      not held               RUN    lanes mask_i, mode TX, TCM = 0, old = 0
//   RETRY begin      not held, mode TX      RUN    TCM = 0
//   RETRY begin      not held, mode WF      RUN    TCM = all but the lowest lane
//   RETRY begin      not held, mode WG      RUN    the same; takes the token, wants it no more;
//                                                  every other in RUN: TCM = its lanes, killed
//   any   begin      held                   -      again
//   RUN   commit     T = 0                  IDLE   gives the token back
//   RUN   commit     killed                 RETRY  lanes T
//   RUN   commit     T != old               RETRY  lanes T, old = T, mode TX, gives the token back
//   RUN   commit     T = old, mode TX       RETRY  mode WF
//   RUN   commit     T = old, mode WF       RETRY  mode WG, wants the token
//
// Held: a wavefront holds the token, else the lowest that wants it, and it is another one.
// Parameters: Lanes of a wavefront; TmWarps wavefronts.
`include "hd_assert.svh"
`default_nettype none
module hd_tm_control #(
  parameter int unsigned Lanes   = 64,
  parameter int unsigned TmWarps = 4,
  parameter int unsigned WfW     = hd_pkg::idx_w(TmWarps)  // derived: leave as is
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [WfW-1:0]     wf_i,
  input  logic [Lanes-1:0]   mask_i,
  input  hd_pkg::tm_event_s  ev_i,
  input  logic [Lanes-1:0]   lost_i,
  output logic               runs_o,
  output logic [Lanes-1:0]   live_o,
  output logic [Lanes-1:0]   tcm_o,
  output logic [1:0]         mode_o,
  output logic               again_o,
  output logic               alone_o,
  output logic [TmWarps-1:0] others_o,
  output logic [TmWarps-1:0] hold_o
);
  logic [TmWarps-1:0]       run_q, retry_q, killed_q, want_q, token_q;
  logic [TmWarps*2-1:0]     mode_q;
  logic [TmWarps*Lanes-1:0] lanes_q, tcm_q, old_q;  // lanes of the attempt

  logic [TmWarps-1:0] me, chosen;
  logic [Lanes-1:0]   lanes, old, rest;
  logic [1:0]         mode, now;
  logic               killed, idle, same, begins;

  always_comb begin
    me     = '0;
    lanes  = '0;
    old    = '0;
    rest   = '0;
    mode   = '0;
    for (int unsigned v = 0; v < TmWarps; v++) begin
      if (32'(wf_i) == v) begin
        me[v] = 1'b1;
        lanes = lanes_q[v*Lanes +: Lanes];
        rest  = tcm_q[v*Lanes +: Lanes];
        old   = old_q[v*Lanes +: Lanes];
        mode  = mode_q[v*2 +: 2];
      end
    end
    runs_o = (run_q & me) != '0;
    idle   = ((run_q | retry_q) & me) == '0;
    killed = (killed_q & me) != '0;
    chosen = (token_q != '0) ? token_q : want_q & (~want_q + 1'b1);
    hold_o = (chosen != '0) ? ~chosen : '0;
    tcm_o  = idle ? '0 : rest;
    live_o = runs_o ? lanes & ~rest : '0;
    mode_o = mode;
    others_o = run_q & ~me;
    same = rest == old;
  end
  // Apart from what is above, on which ev_i may depend.
  always_comb begin
    now      = idle ? hd_pkg::TM_TX : mode;
    again_o  = ev_i.start && (hold_o & me) != '0;
    begins   = ev_i.start && !again_o;
    alone_o  = begins && now == hd_pkg::TM_WG;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      run_q    <= '0;
      retry_q  <= '0;
      killed_q <= '0;
      want_q   <= '0;
      token_q  <= '0;
    end else begin
      if (begins) begin
        run_q    <= run_q | me;
        retry_q  <= retry_q & ~me;
        killed_q <= (killed_q & ~me) | (alone_o ? others_o : '0);
        if (alone_o) begin
          want_q  <= want_q & ~me;
          token_q <= me;
        end
      end
      if (ev_i.commit) begin
        run_q   <= run_q & ~me;
        token_q <= token_q & ~me;
        if (rest != '0) begin
          retry_q <= retry_q | me;
          if (!killed && same && mode != hd_pkg::TM_TX) want_q <= want_q | me;
        end
      end
    end
    // Of a wavefront outside transactions nothing below means anything.
    for (int unsigned v = 0; v < TmWarps; v++) begin
      if (begins && me[v]) begin
        if (idle) begin
          lanes_q[v*Lanes +: Lanes] <= mask_i;
          old_q[v*Lanes +: Lanes]   <= '0;
        end
        mode_q[v*2 +: 2] <= now;
        tcm_q[v*Lanes +: Lanes] <= (now == hd_pkg::TM_TX) ? '0 : lanes & (lanes - 1'b1);
      end
      if (alone_o && others_o[v]) tcm_q[v*Lanes +: Lanes] <= lanes_q[v*Lanes +: Lanes];
      if (ev_i.lose && me[v]) tcm_q[v*Lanes +: Lanes] <= rest | lost_i;
      if (ev_i.commit && me[v]) begin
        lanes_q[v*Lanes +: Lanes] <= rest;
        if (!killed) begin
          old_q[v*Lanes +: Lanes] <= rest;
          mode_q[v*2 +: 2] <= !same ? hd_pkg::TM_TX
                            : (mode == hd_pkg::TM_TX) ? hd_pkg::TM_WF : hd_pkg::TM_WG;
        end
      end
    end
  end

  `HD_ASSERT(a_one_event, 32'(ev_i.start) + 32'(ev_i.commit) + 32'(ev_i.lose) <= 1)
  `HD_ASSERT(a_begin_outside, !ev_i.start || !runs_o)
  `HD_ASSERT(a_begin_of_the_rest, !ev_i.start || idle || mask_i == lanes)
  `HD_ASSERT(a_begin_of_some, !ev_i.start || mask_i != '0)
  `HD_ASSERT(a_commit_of_the_attempt, !ev_i.commit || (runs_o && mask_i == lanes))
  `HD_ASSERT(a_lose_inside, !ev_i.lose || (runs_o && (lost_i & ~live_o) == '0))
  `HD_ASSERT(a_alone_never_loses, !ev_i.lose || mode != hd_pkg::TM_WG)
  `HD_ASSERT(a_alone_commits, !ev_i.commit || killed || mode != hd_pkg::TM_WG || !same)
  `HD_ASSERT(a_one_token, (token_q & (token_q - 1'b1)) == '0)
  `HD_ASSERT(a_token_runs_alone, token_q == '0 || (run_q & ~token_q & ~killed_q) == '0)
  `HD_ASSERT(a_tcm_within, (rest & ~lanes) == '0 || idle)
endmodule
`default_nettype wire
