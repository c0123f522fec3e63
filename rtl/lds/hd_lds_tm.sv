// hd_lds_tm.sv - local data share with transactions: hd_lds, and what runs an attempt.
//
//   in -> hd_lds_pass ---> hd_lds_banks --words--> hd_lds_result -> cpl
//              |            ^ put     | line
//              v            |         v
//   hd_tm_signatures   hd_tm_shadow, backup words
//              '--- conflicts ---> hd_tm_control
//
// Paper 5 (sections 3 and 4). Ports as of hd_lds; and the operations TX_BEGIN and TX_COMMIT, whose
// lanes are those of the transaction and which have no words. An access of a wavefront whose
// attempt is open (hd_tm_control) is transactional: only lanes that have not lost take part, a bank
// serves one lane a pass. A word that a lane accesses first is put aside with the lane as its
// owner; a lane that meets another one's mark loses: at the end of the access the words it owns are
// put back. Accesses of other wavefronts are those of hd_lds, cycle for cycle.
// cpl     cpl_tcm_o, beside the others: of a begin the lanes that do not run (all: it was sent
//         back, try again), of an access those that have lost their attempt, of a commit those that
//         are to try again. cpl_o.status of a begin: mode of the attempt (hd_pkg TM_*). Words of
//         lanes that have lost mean nothing.
// hold_o  warps whose TX_BEGIN is not to issue now, from registers.
// ev_tm_o registered pulses, a cycle each: 0 pass of a transaction, 1 owners looked at, 2 words put
//         aside, 3 walk of lanes that lost, 4 of a commit, 5 of a begin that is alone; 6 a begin,
//         7 a commit is done.
// idle_o  nothing moves while in_valid_i is low.
//
//   cycle      what                                              when
//   P0         signatures; words and records are read            a pass
//   P1         a lane's own row: done; else words are put aside  a lane without conflict
//   P2         the lane becomes the owner                        a row that was not the lane's
//   W0         lanes that lost: TCM, signatures; lists begin     after the last pass of an access,
//                                                                in a begin that is to be alone
//   WALK       an entry a cycle and bank                         W0 or a commit found entries
//   DONE       perf                                              it stayed on the port till here
//
// With Detect there are no signatures: P1 finds a conflict in the owner record.
// Latency: of a begin, a commit or an access of lanes that have all lost as of a pass of hd_lds;
// of a transactional pass 1 cycle more for a row of its own, 2 for a new one; of lost lanes 1 + the
// longest list of the banks; of a commit the longest list.
// Parameters: as hd_lds; Warps; TmWarps, warp slots that may use transactions; TmRows, rows of a
// bank that they may; Hash; Detect.
`include "hd_assert.svh"
`default_nettype none
module hd_lds_tm #(
  parameter int unsigned Lanes = 64,
  parameter int unsigned Words = 16384,
  parameter int unsigned Banks = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned Warps = 4,
  parameter int unsigned TmWarps = 4,
  parameter int unsigned TmRows = 227,
  parameter int unsigned Hash = 8,
  parameter int unsigned Detect = 0,
  parameter int unsigned AddrW = hd_pkg::idx_w(Words),  // derived: leave as is
  parameter int unsigned CntW = $clog2(Lanes + 1)       // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // accesses
  input  logic                      in_valid_i,
  output logic                      in_ready_o,
  input  hd_pkg::access_s           in_acc_i,
  input  logic [Lanes-1:0]          in_mask_i,
  input  logic [Lanes*AddrW-1:0]    in_word_i,
  input  logic [Lanes*WordW-1:0]    in_data_i,
  input  logic [Lanes*32-1:0]       in_cmp_i,
  // scoreboard and completion
  output logic                      perf_valid_o,
  input  logic                      perf_ready_i,
  output logic [hd_pkg::WARP_W-1:0] perf_warp_o,
  output logic [SlotW-1:0]          perf_slot_o,
  output logic [CntW-1:0]           perf_lanes_o,
  input  logic                      perf_last_i,
  output logic                      cpl_valid_o,
  output hd_pkg::completion_s       cpl_o,
  output logic [Lanes-1:0]          cpl_mask_o,
  output logic [Lanes*WordW-1:0]    cpl_data_o,
  output logic [Lanes-1:0]          cpl_tcm_o,
  output logic [Warps-1:0]          hold_o,
  // observation
  output logic                      ev_access_o,
  output logic                      ev_conflict_o,
  output logic [7:0]                ev_tm_o,
  output logic                      idle_o
);
  localparam int unsigned Rows = (Words + Banks - 1) / Banks;
  localparam int unsigned BankW = hd_pkg::idx_w(Banks);
  localparam int unsigned RowW = hd_pkg::idx_w(Rows);
  localparam int unsigned TmRowW = hd_pkg::idx_w(TmRows);
  localparam int unsigned LaneW = hd_pkg::idx_w(Lanes);
  localparam int unsigned WfW = hd_pkg::idx_w(TmWarps);
  localparam int unsigned HashW = hd_pkg::idx_w(Hash);

  if (TmWarps > Warps || TmWarps == 0 || TmRows > Rows || TmRows < 2) begin : g_bad
    $error("hd_lds_tm: TmWarps must be 1 to Warps, TmRows 2 to the rows of a bank");
  end

  typedef enum logic [2:0] {
    PH_NONE = 3'd0,
    PH_P1 = 3'd1,
    PH_P2 = 3'd2,
    PH_W0 = 3'd3,
    PH_WALK = 3'd4,
    PH_DONE = 3'd5
  } phase_e;
  phase_e phase_q, phase, after;

  // ---- the operation on the port ----------------------------------------------------------------
  logic               may, is_begin, is_commit, scalar, simple;
  logic               tx;  // a transactional access
  logic               runs, again, alone, begin_now, commit_now, lose, in_last;
  logic [WfW-1:0]     wf;
  logic [TmWarps-1:0] me, others, hold, some;
  logic [Lanes-1:0]   live, todo, tcm;
  logic [1:0]         mode;
  // ---- a pass -----------------------------------------------------------------------------------
  logic                      pass, first, last, u_first, u_last, u_pass_stall, stall, there, give;
  logic                      held, passing, pass_idle, result_idle, tx_pass, u_pass_valid;
  logic                      last_q, whole_q;  // of the pass in P1, P2; the last one is made
  logic [Lanes-1:0]          serve, lost_q, lost_now, lost_in_p1;
  logic [Lanes*BankW-1:0]    bank;
  logic [Banks-1:0]          used, used_q, drop_q, drop, sig_other, self_q, mine, taken;
  logic [Banks-1:0]          fresh, new_q, put, back_re, own, rec_other;
  logic [Banks*RowW-1:0]     row, put_row;
  logic [Banks*TmRowW-1:0]   tm_row, row_q, rest_row, back_row;
  logic [Banks*HashW-1:0]    hash;
  logic [Banks*LaneW-1:0]    top;
  logic [Lanes*WordW-1:0]    words;
  logic [Banks*WordW-1:0]    line, back_data;
  logic [TmWarps*Lanes-1:0]  clear;
  logic                      walk, walk_all, walk_restore, walking, again_q, begin_q, commit_q;
  logic                      alone_q, done_taken, look_rows;
  logic [TmWarps-1:0]        walk_wfs, others_q;
  logic [Lanes-1:0]          snap_q;
  logic [1:0]                snap_mode_q;
  hd_pkg::access_s           bank_acc;
  hd_pkg::completion_s       result;

  assign wf        = WfW'(in_acc_i.warp);
  assign may       = 32'(in_acc_i.warp) < TmWarps;
  assign is_begin  = in_acc_i.kind == hd_pkg::OP_TX_BEGIN;
  assign is_commit = in_acc_i.kind == hd_pkg::OP_TX_COMMIT;
  assign tx        = may && runs && !is_begin && !is_commit;
  assign todo      = tx ? in_mask_i & live : in_mask_i;
  assign scalar    = is_begin || is_commit || (tx && todo == '0);

  always_comb begin
    me = '0;
    for (int unsigned v = 0; v < TmWarps; v++) me[v] = 32'(wf) == v;
  end

  // A transactional operation has the LDS for itself from its first pass on.
  assign passing      = phase_q == PH_NONE && !whole_q;
  assign u_pass_valid = in_valid_i && !scalar && !whole_q;
  assign u_pass_stall = stall || !passing;
  assign simple       = in_valid_i && scalar && passing && !stall;  // its only pass
  assign begin_now    = simple && is_begin;
  assign commit_now   = simple && is_commit;
  assign pass         = tx_pass || simple;

  hd_lds_pass #(
    .Lanes(Lanes),
    .Words(Words),
    .Banks(Banks)
  ) u_pass (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(u_pass_valid),
    .alone_i(tx || in_acc_i.kind == hd_pkg::OP_ATOMIC),
    .mask_i(todo),
    .word_i(in_word_i),
    .stall_i(u_pass_stall),
    .pass_o(tx_pass),
    .first_o(u_first),
    .last_o(u_last),
    .serve_o(serve),
    .bank_o(bank),
    .used_o(used),
    .row_o(row),
    .top_o(top),
    .ev_access_o(ev_access_o),
    .ev_conflict_o(ev_conflict_o),
    .idle_o(pass_idle)
  );
  assign first = u_first || simple;
  assign last  = u_last || simple;
  always_comb begin
    bank_acc = in_acc_i;
    if (simple) bank_acc.kind = hd_pkg::OP_LOAD;
    tm_row = '0;
    hash   = '0;
    if (pass && tx) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        tm_row[b*TmRowW +: TmRowW] = TmRowW'(row[b*RowW +: RowW]);
        hash[b*HashW +: HashW] = HashW'(32'(row[b*RowW +: RowW]) & (Hash - 1));
      end
    end
  end

  hd_lds_banks #(
    .Lanes(Lanes),
    .Rows(Rows),
    .Banks(Banks),
    .WordW(WordW),
    .Tm(1)
  ) u_banks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pass_i(pass),
    .first_i(first),
    .acc_i(bank_acc),
    .data_i(in_data_i),
    .cmp_i(in_cmp_i),
    .bank_i(bank),
    .used_i(used),
    .row_i(row),
    .top_i(top),
    .stall_i(stall),
    .valid_o(there),
    .give_o(give),
    .words_o(words),
    .read_i(tx),
    .line_o(line),
    .drop_i(drop),
    .put_i(put),
    .put_row_i(put_row),
    .put_data_i(back_data)
  );

  // ---- who has accessed what --------------------------------------------------------------------
  if (Detect == 0) begin : g_signatures
    logic [Banks-1:0] sig_self;
    hd_tm_signatures #(
      .Banks(Banks),
      .Lanes(Lanes),
      .TmWarps(TmWarps),
      .Hash(Hash)
    ) u_signatures (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .look_i(look_rows),
      .wf_i(wf),
      .used_i(used),
      .hash_i(hash),
      .lane_i(top),
      .other_o(sig_other),
      .self_o(sig_self),
      .clear_i(clear)
    );
    assign lost_in_p1 = '0;
    always_ff @(posedge clk_i) if (pass && tx) self_q <= sig_self;
  end else begin : g_owners
    logic unused_clear;
    logic [Banks*LaneW-1:0] top_q;
    assign sig_other = '0;
    assign self_q    = '1;
    assign unused_clear = ^{clear, hash};
    always_comb begin
      lost_in_p1 = '0;
      for (int unsigned b = 0; b < Banks; b++)
        if (phase_q == PH_P1 && rec_other[b] && used_q[b])
          lost_in_p1[top_q[b*LaneW +: LaneW]] = 1'b1;
    end
    always_ff @(posedge clk_i) if (pass && tx) top_q <= top;
  end

  assign look_rows = tx_pass && tx;
  hd_tm_shadow #(
    .Banks(Banks),
    .Rows(TmRows),
    .Lanes(Lanes),
    .TmWarps(TmWarps)
  ) u_shadow (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .look_i(look_rows),
    .wf_i(wf),
    .used_i(used),
    .row_i(tm_row),
    .lane_i(top),
    .mine_o(mine),
    .other_o(rec_other),
    .own_i(own),
    .walk_i(walk),
    .walk_wfs_i(walk_wfs),
    .walk_all_i(walk_all),
    .walk_restore_i(walk_restore),
    .gone_i(lost_q),
    .busy_o(walking),
    .rest_we_o(put),
    .rest_row_o(rest_row),
    .back_re_o(back_re),
    .back_row_o(back_row),
    .some_o(some)
  );
  hd_sram_banks #(
    .Width(WordW),
    .Depth(TmRows),
    .Banks(Banks)
  ) u_backup (
    .clk_i(clk_i),
    .we_i(taken),
    .waddr_i(row_q),
    .wdata_i(line),
    .re_i(back_re),
    .raddr_i(back_row),
    .rdata_o(back_data)
  );
  hd_tm_control #(
    .Lanes(Lanes),
    .TmWarps(TmWarps)
  ) u_control (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .wf_i(wf),
    .mask_i(in_mask_i),
    .begin_i(begin_now),
    .commit_i(commit_now),
    .lose_i(lose),
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

  // ---- conflicts, new rows ----------------------------------------------------------------------
  always_comb begin
    put_row = '0;
    for (int unsigned b = 0; b < Banks; b++) begin
      put_row[b*RowW +: RowW] = RowW'(rest_row[b*TmRowW +: TmRowW]);
    end
    // in P1
    drop  = (Detect != 0 && phase_q == PH_P1) ? rec_other : drop_q;
    fresh = '0;
    if (phase_q == PH_P1) begin
      fresh = used_q & ~drop & ~(mine & self_q);
    end
    // in P0
    lost_now = '0;
    if (tx_pass && tx) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        if (sig_other[b]) lost_now[top[b*LaneW +: LaneW]] = 1'b1;
      end
    end
  end
  assign taken = fresh;
  assign own   = (phase_q == PH_P2) ? new_q : '0;

  // ---- phases -----------------------------------------------------------------------------------
  logic some_lost, still;  // still: the walk has entries after those of this cycle
  assign still     = back_re != '0;
  assign some_lost = (lost_q | lost_now | lost_in_p1) != '0;
  always_comb begin
    in_last = (phase_q == PH_NONE) ? last : last_q;
    after   = !in_last ? PH_NONE : some_lost ? PH_W0 : PH_DONE;
    phase   = phase_q;
    unique case (phase_q)
      PH_NONE: begin
        if (tx_pass && tx) phase = ((used & ~sig_other) != '0) ? PH_P1 : after;
        else if (begin_now && alone && (some & others) != '0) phase = PH_W0;
        else if (commit_now && (some & me) != '0) phase = PH_WALK;
        else if (simple) phase = PH_DONE;
      end
      PH_P1:   phase = (fresh != '0) ? PH_P2 : after;
      PH_P2:   phase = after;
      PH_W0:   phase = ((some & walk_wfs) != '0) ? PH_WALK : PH_DONE;
      PH_WALK: if (!still) phase = PH_DONE;
      PH_DONE: if (done_taken) phase = PH_NONE;
      default: phase = PH_NONE;
    endcase
  end
  // ---- lanes leave ------------------------------------------------------------------------------
  assign lose         = phase_q == PH_W0 && !alone_q;
  assign walk         = phase_q == PH_W0 || commit_now;
  assign walk_wfs     = alone_q ? others_q : me;
  assign walk_all     = alone_q || commit_now;
  assign walk_restore = !commit_now;
  always_comb begin
    clear = '0;
    for (int unsigned v = 0; v < TmWarps; v++) begin
      if (begin_now && alone && others[v]) clear[v*Lanes +: Lanes] = '1;
      if (lose && me[v]) clear[v*Lanes +: Lanes] = lost_q;
      if (commit_now && me[v]) clear[v*Lanes +: Lanes] = live;
    end
  end

  // ---- completion -------------------------------------------------------------------------------
  // What a transactional operation has read stays in the banks until the operation is done.
  logic there_done, result_stall;
  assign held       = phase_q != PH_NONE && phase_q != PH_DONE
                      && (last_q || fresh != '0 || phase_q == PH_W0 || phase_q == PH_WALK);
  assign there_done = there && !held;
  hd_lds_result #(
    .Lanes(Lanes),
    .WordW(WordW),
    .SlotW(SlotW)
  ) u_result (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pass_i(pass),
    .first_i(first),
    .last_i(last),
    .serve_i(serve),
    .acc_i(in_acc_i),
    .mask_i(in_mask_i),
    .valid_i(there_done),
    .give_i(give),
    .words_i(words),
    .stall_o(result_stall),
    .perf_valid_o(perf_valid_o),
    .perf_ready_i(perf_ready_i),
    .perf_warp_o(perf_warp_o),
    .perf_slot_o(perf_slot_o),
    .perf_lanes_o(perf_lanes_o),
    .perf_last_i(perf_last_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(result),
    .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o),
    .idle_o(result_idle)
  );
  assign stall      = result_stall || (there && held);
  assign done_taken = phase_q == PH_DONE && perf_valid_o && perf_ready_i;
  assign in_ready_o = whole_q ? done_taken : (last && !tx && !scalar);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      phase_q <= PH_NONE;
      whole_q <= 1'b0;
      lost_q  <= '0;
      alone_q <= 1'b0;
      ev_tm_o <= '0;
    end else begin
      phase_q <= phase;
      if (last && (tx || scalar)) whole_q <= 1'b1;
      else if (done_taken) whole_q <= 1'b0;
      if (done_taken) lost_q <= '0;
      else lost_q <= lost_q | lost_now | lost_in_p1;
      if (begin_now) alone_q <= alone;
      else if (done_taken) alone_q <= 1'b0;
      ev_tm_o <= {done_taken && commit_q, done_taken && begin_q,
                  phase_q == PH_WALK && begin_q, phase_q == PH_WALK && commit_q,
                  (phase_q == PH_W0 || phase_q == PH_WALK) && !begin_q && !commit_q,
                  phase_q == PH_P2, phase_q == PH_P1, tx_pass && tx};
    end
    // payload needs no reset
    if (pass) begin
      last_q   <= last;
      begin_q  <= is_begin;
      commit_q <= is_commit;
      again_q  <= again;
      others_q <= others;
      snap_q   <= may ? tcm : '0;
      if (tx) begin
        used_q <= used;
        drop_q <= sig_other;
        row_q  <= tm_row;
      end else drop_q <= '0;
    end
    if (phase_q == PH_P1) begin
      new_q <= fresh;
      if (Detect != 0) drop_q <= drop;
    end
    if (perf_valid_o && perf_ready_i) begin
      cpl_tcm_o   <= !whole_q ? snap_q : (begin_q && again_q) ? in_mask_i : may ? tcm : '0;
      snap_mode_q <= (whole_q && begin_q) ? mode : '0;
    end
  end
  always_comb begin
    cpl_o             = result;
    cpl_o.status[1:0] = snap_mode_q;
  end

  assign hold_o = Warps'(hold);
  assign idle_o = !in_valid_i && pass_idle && result_idle && phase_q == PH_NONE && ev_tm_o == '0;

  `HD_ASSERT(a_tx_of_few, !in_valid_i || may || !(is_begin || is_commit))
  `HD_ASSERT(a_inside, !(pass && tx) || (in_mask_i & ~(live | tcm)) == '0)
  `HD_ASSERT(a_stays, phase_q == PH_NONE || in_valid_i)
  `HD_ASSERT(a_walk_when_busy, walking == (phase_q == PH_WALK))
  `HD_ASSERT(a_restored, !walking || (!pass && !perf_valid_o && (lost_now | lost_in_p1) == '0))
  `HD_ASSERT(a_own_alone, own == '0 || !(pass || walk || walking))
  `HD_ASSERT(a_ready_when_there, phase_q != PH_DONE || there)
endmodule
`default_nettype wire
