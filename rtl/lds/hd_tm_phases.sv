// hd_tm_phases.sv - phases of an operation of a transaction in the LDS, from a pass to perf.
//
// Paper 5 (sections 3.1 to 3.4). The operation stays on the port (valid_i, warp_i, kind_i, mask_i)
// until ready_o; masks and modes are those of hd_tm_control, which is in here.
// run_o   its words go through passes (pass_i, last_i: a pass, the last one), of lanes todo_o;
//         block_o: none now. tx_o: an access within an attempt. simple_o: it has no words; this is
//         its only pass.
// go_i, lost_i, fresh_i, walking_i, still_i, some_i, p1_o, p2_o, walk_wfs_o, clear_o, gone_o: from
//         and to hd_tm_rows.
// there_i words of a pass are at the banks; there_o: hd_lds_result may take them, for what a
//         transactional operation has read stays in the banks until its phases are over. stall_i,
//         hd_lds_result takes none; stall_o, the pass is not to go on. perf_i: perf is taken.
// tcm_o, mode_o  registered by perf_i: of a begin the lanes that do not run, of an access those
//         that have lost, of a commit those that are to try again; the mode of a begin.
// hold_o  warps whose TX_BEGIN is not to issue. ev_o: as hd_lds_tm's ev_tm_o. idle_o: no phase.
//
//   phase   in it                            next
//   NONE    pass P0                          P1 some bank goes on; else W0, DONE, NONE as below
//           a begin that is to be alone      W0 when another wavefront owns rows, else DONE
//           a commit                         WALK when it owns rows, else DONE
//   P1      rows are looked at, put aside    P2 when some row is new; else as below
//   P2      they get owners                  after the last pass: W0 when lanes have lost, else
//                                            DONE; after another one NONE
//   W0      lost lanes: TCM, marks           WALK when there are rows to walk over, else DONE
//   WALK    an entry a cycle and bank        DONE behind the last one
//   DONE    perf                             NONE when it is taken
//
// Parameters: Lanes of a wavefront; Warps; TmWarps, warp slots that may use transactions.
`include "hd_assert.svh"
`default_nettype none
module hd_tm_phases #(
  parameter int unsigned Lanes   = 64,
  parameter int unsigned Warps   = 4,
  parameter int unsigned TmWarps = 4,
  parameter int unsigned WfW     = hd_pkg::idx_w(TmWarps)  // derived: leave as is
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      valid_i,
  input  logic [hd_pkg::WARP_W-1:0] warp_i,
  input  logic [hd_pkg::OP_W-1:0]   kind_i,
  input  logic [Lanes-1:0]          mask_i,
  output logic                      ready_o,
  // passes
  output logic                      tx_o,
  output logic                      run_o,
  output logic                      block_o,
  output logic                      simple_o,
  output logic [Lanes-1:0]          todo_o,
  output logic [WfW-1:0]            wf_o,
  input  logic                      pass_i,
  input  logic                      last_i,
  // rows
  input  logic                      go_i,
  input  logic                      fresh_i,
  input  logic [Lanes-1:0]          lost_i,
  input  logic                      walking_i,
  input  logic                      still_i,
  input  logic [TmWarps-1:0]        some_i,
  output logic                      p1_o,
  output logic                      p2_o,
  output hd_pkg::tm_walk_s          walk_o,
  output logic [TmWarps-1:0]        walk_wfs_o,
  output logic [Lanes-1:0]          gone_o,
  output logic [TmWarps*Lanes-1:0]  clear_o,
  // completion
  input  logic                      there_i,
  output logic                      there_o,
  input  logic                      stall_i,
  output logic                      stall_o,
  input  logic                      perf_i,
  output logic [Lanes-1:0]          tcm_o,
  output logic [1:0]                mode_o,
  output logic [Warps-1:0]          hold_o,
  output logic [7:0]                ev_o,
  output logic                      idle_o
);
  typedef enum logic [2:0] {
    PH_NONE = 3'd0,
    PH_P1 = 3'd1,
    PH_P2 = 3'd2,
    PH_W0 = 3'd3,
    PH_WALK = 3'd4,
    PH_DONE = 3'd5
  } phase_e;
  phase_e phase_q, phase, after;

  logic               may, is_begin, is_commit, tx, scalar, passing, simple, last, held, in_last;
  logic               runs, again, alone, begin_now, commit_now, lose, some_lost, done_taken;
  logic [TmWarps-1:0] me, others, hold;
  logic [Lanes-1:0]   live, tcm;
  logic [1:0]         mode;
  hd_pkg::tm_event_s  ev;
  // of the operation: its last pass is made; of that pass
  logic               whole_q, last_q, begin_q, commit_q, again_q, alone_q;
  logic [TmWarps-1:0] others_q;
  logic [Lanes-1:0]   lost_q, snap_q;

  // ---- the operation on the port ----------------------------------------------------------------
  assign wf_o      = WfW'(warp_i);
  assign may       = 32'(warp_i) < TmWarps;
  assign is_begin  = kind_i == hd_pkg::OP_TX_BEGIN;
  assign is_commit = kind_i == hd_pkg::OP_TX_COMMIT;
  assign tx        = may && runs && !is_begin && !is_commit;
  assign tx_o      = tx;
  assign todo_o    = tx ? mask_i & live : mask_i;
  assign scalar    = is_begin || is_commit || (tx && todo_o == '0);
  always_comb begin
    me = '0;
    for (int unsigned v = 0; v < TmWarps; v++) me[v] = 32'(wf_o) == v;
  end

  // A transactional operation has the LDS for itself from its first pass on.
  assign passing    = phase_q == PH_NONE && !whole_q;
  assign run_o      = valid_i && !scalar && !whole_q;
  assign block_o    = !passing;
  assign simple     = valid_i && scalar && passing && !stall_o;
  assign simple_o   = simple;
  assign last       = last_i || simple;
  assign begin_now  = simple && is_begin;
  assign commit_now = simple && is_commit;

  always_comb begin
    ev.start  = begin_now;
    ev.commit = commit_now;
    ev.lose   = lose;
  end
  hd_tm_control #(
    .Lanes(Lanes),
    .TmWarps(TmWarps)
  ) u_control (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .wf_i(wf_o),
    .mask_i(mask_i),
    .ev_i(ev),
    .lost_i(lost_q),
    .runs_o(runs),
    .live_o(live),
    .tcm_o(tcm),
    .mode_o(mode),
    .again_o(again),
    .alone_o(alone),
    .others_o(others),
    .hold_o(hold)
  );

  // ---- phases -----------------------------------------------------------------------------------
  assign some_lost = (lost_q | lost_i) != '0;
  always_comb begin
    in_last = (phase_q == PH_NONE) ? last : last_q;
    after   = !in_last ? PH_NONE : some_lost ? PH_W0 : PH_DONE;
    phase   = phase_q;
    unique case (phase_q)
      PH_NONE: begin
        if (pass_i && tx) phase = go_i ? PH_P1 : after;
        else if (begin_now && alone && (some_i & others) != '0) phase = PH_W0;
        else if (commit_now && (some_i & me) != '0) phase = PH_WALK;
        else if (simple) phase = PH_DONE;
      end
      PH_P1:   phase = fresh_i ? PH_P2 : after;
      PH_P2:   phase = after;
      PH_W0:   phase = ((some_i & walk_wfs_o) != '0) ? PH_WALK : PH_DONE;
      PH_WALK: if (!still_i) phase = PH_DONE;
      PH_DONE: if (done_taken) phase = PH_NONE;
      default: phase = PH_NONE;
    endcase
  end
  assign p1_o = phase_q == PH_P1;
  assign p2_o = phase_q == PH_P2;

  // ---- lanes leave ------------------------------------------------------------------------------
  assign lose       = phase_q == PH_W0 && !alone_q;
  assign walk_wfs_o = alone_q ? others_q : me;
  assign gone_o     = lost_q;
  always_comb begin
    walk_o.start   = phase_q == PH_W0 || commit_now;
    walk_o.all     = alone_q || commit_now;
    walk_o.restore = !commit_now;
    clear_o = '0;
    for (int unsigned v = 0; v < TmWarps; v++) begin
      if (begin_now && alone && others[v]) clear_o[v*Lanes +: Lanes] = '1;
      if (lose && me[v]) clear_o[v*Lanes +: Lanes] = lost_q;
      if (commit_now && me[v]) clear_o[v*Lanes +: Lanes] = live;
    end
  end

  // ---- completion -------------------------------------------------------------------------------
  assign held       = phase_q != PH_NONE && phase_q != PH_DONE
                      && (last_q || fresh_i || phase_q == PH_W0 || phase_q == PH_WALK);
  assign there_o    = there_i && !held;
  assign stall_o    = stall_i || (there_i && held);
  assign done_taken = phase_q == PH_DONE && perf_i;
  assign ready_o    = whole_q ? done_taken : (last && !tx && !scalar);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      phase_q <= PH_NONE;
      whole_q <= 1'b0;
      lost_q  <= '0;
      alone_q <= 1'b0;
      ev_o    <= '0;
    end else begin
      phase_q <= phase;
      if (last && (tx || scalar)) whole_q <= 1'b1;
      else if (done_taken) whole_q <= 1'b0;
      if (done_taken) lost_q <= '0;
      else lost_q <= lost_q | lost_i;
      if (begin_now) alone_q <= alone;
      else if (done_taken) alone_q <= 1'b0;
      ev_o <= {done_taken && commit_q, done_taken && begin_q,
               phase_q == PH_WALK && begin_q, phase_q == PH_WALK && commit_q,
               (phase_q == PH_W0 || phase_q == PH_WALK) && !begin_q && !commit_q,
               phase_q == PH_P2, phase_q == PH_P1, pass_i && tx};
    end
    // payload needs no reset
    if (pass_i || simple) begin
      last_q   <= last;
      begin_q  <= is_begin;
      commit_q <= is_commit;
      again_q  <= again;
      others_q <= others;
      snap_q   <= may ? tcm : '0;
    end
    if (perf_i) begin
      tcm_o  <= !whole_q ? snap_q : (begin_q && again_q) ? mask_i : may ? tcm : '0;
      mode_o <= (whole_q && begin_q) ? mode : '0;
    end
  end

  assign hold_o = Warps'(hold);
  assign idle_o = phase_q == PH_NONE && ev_o == '0;

  `HD_ASSERT(a_tx_of_few, !valid_i || may || !(is_begin || is_commit))
  `HD_ASSERT(a_inside, !((pass_i || simple) && tx) || (mask_i & ~(live | tcm)) == '0)
  `HD_ASSERT(a_stays, phase_q == PH_NONE || valid_i)
  `HD_ASSERT(a_walk_when_busy, walking_i == (phase_q == PH_WALK))
  `HD_ASSERT(a_ready_when_there, phase_q != PH_DONE || there_i)
endmodule
`default_nettype wire
