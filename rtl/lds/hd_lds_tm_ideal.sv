// hd_lds_tm_ideal.sv - hd_lds_tm without its time: the same decisions, one cycle a pass.
//
// For simulation only. Paper 5 (section 5.1.4) compares with transactions that cost nothing. Ports
// and decisions are those of hd_lds_tm; a word is put aside, gets its owner and its mark in the
// cycle of its pass, words of lanes that lose are put back with the last pass of the access, and a
// begin or a commit takes one cycle. The memories are plain arrays of which many words change at
// once: no hardware.
//
//   operation            what its last pass does beside the access
//   access in an attempt rows of lanes that met another one's mark are put back
//   begin                the attempt opens; alone: rows of all other attempts are put back
//   commit               the attempt's rows lose their owners
//
// Latency: of everything as of a pass of hd_lds. in_ready_o comes with the last pass.
// ev_tm_o: bits 0 pass of a transaction, 6 a begin, 7 a commit is made; the others stay 0.
// Parameters: as hd_lds_tm.
`include "hd_assert.svh"
`default_nettype none
module hd_lds_tm_ideal #(
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
  localparam int unsigned LaneW = hd_pkg::idx_w(Lanes);
  localparam int unsigned WfW = hd_pkg::idx_w(TmWarps);
  localparam int unsigned Cols = TmWarps * Lanes;
  localparam int unsigned ColW = hd_pkg::idx_w(Cols);
  localparam int unsigned AtW = hd_pkg::idx_w(Banks * Rows);

  if (TmWarps > Warps || TmWarps == 0 || TmRows > Rows || TmRows < 2) begin : g_bad
    $error("hd_lds_tm_ideal: TmWarps must be 1 to Warps, TmRows 2 to the rows of a bank");
  end

  logic                   may, is_begin, is_commit, scalar, simple, tx, runs, again, alone;
  logic                   pass, first, last, tx_pass, u_pass_valid, u_first, u_last, stall, lose;
  logic                   begin_now, commit_now, pass_idle, result_idle, there_q, gives_q, give;
  logic                   restore;
  logic [WfW-1:0]         wf;
  logic [TmWarps-1:0]     me, others, hold;
  logic [Lanes-1:0]       live, todo, tcm, serve, lost_q, lost_now, lost, snap, snap_q;
  logic [1:0]             mode, now, now_q, cpl_mode_q;
  logic [Lanes*BankW-1:0] bank;
  logic [Banks-1:0]       used, other;
  logic [Banks*RowW-1:0]  row;
  logic [Banks*LaneW-1:0] top;
  logic [Lanes*WordW-1:0] words_q;
  logic [Cols-1:0]        goes;  // lanes that leave their attempt
  hd_pkg::completion_s    result;

  assign wf         = WfW'(in_acc_i.warp);
  assign may        = 32'(in_acc_i.warp) < TmWarps;
  assign is_begin   = in_acc_i.kind == hd_pkg::OP_TX_BEGIN;
  assign is_commit  = in_acc_i.kind == hd_pkg::OP_TX_COMMIT;
  assign tx         = may && runs && !is_begin && !is_commit;
  assign todo       = tx ? in_mask_i & live : in_mask_i;
  assign scalar     = is_begin || is_commit || (tx && todo == '0);
  assign simple     = in_valid_i && scalar && !stall;
  assign begin_now  = simple && is_begin;
  assign commit_now = simple && is_commit;
  assign pass       = tx_pass || simple;
  assign first      = u_first || simple;
  assign last       = u_last || simple;
  assign u_pass_valid = in_valid_i && !scalar;

  hd_lds_pass #(
    .Lanes(Lanes), .Words(Words), .Banks(Banks)
  ) u_pass (
    .clk_i(clk_i), .rst_i(rst_i),
    .valid_i(u_pass_valid),
    .alone_i(tx || in_acc_i.kind == hd_pkg::OP_ATOMIC),
    .mask_i(todo), .word_i(in_word_i), .stall_i(stall),
    .pass_o(tx_pass), .first_o(u_first), .last_o(u_last), .serve_o(serve),
    .bank_o(bank), .used_o(used), .row_o(row), .top_o(top),
    .ev_access_o(ev_access_o), .ev_conflict_o(ev_conflict_o), .idle_o(pass_idle)
  );
  hd_tm_control #(
    .Lanes(Lanes), .TmWarps(TmWarps)
  ) u_control (
    .clk_i(clk_i), .rst_i(rst_i),
    .wf_i(wf), .mask_i(in_mask_i),
    .begin_i(begin_now), .commit_i(commit_now), .lose_i(lose), .lost_i(lost),
    .runs_o(runs), .live_o(live), .tcm_o(tcm), .mode_o(mode),
    .again_o(again), .alone_o(alone), .others_o(others), .hold_o(hold)
  );

  // ---- who loses, who leaves --------------------------------------------------------------------
  logic [WordW-1:0] mem    [0:Banks*Rows-1];
  logic [WordW-1:0] back   [0:Banks*Rows-1];
  logic [ColW-1:0]  owner  [0:Banks*Rows-1];
  logic             valid  [0:Banks*Rows-1];
  logic [Cols-1:0]  filter [0:Banks*Hash-1];

  always_comb begin
    me = '0;
    for (int unsigned v = 0; v < TmWarps; v++) me[v] = 32'(wf) == v;
    other    = '0;
    lost_now = '0;
    if (tx_pass && tx) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        if (used[b] && Detect == 0) begin
          other[b] = (filter[b*Hash + (32'(row[b*RowW +: RowW]) & (Hash - 1))]
                      & ~(Cols'(1) << (32'(wf) * Lanes + 32'(top[b*LaneW +: LaneW])))) != '0;
        end else if (used[b]) begin
          other[b] = valid[b*Rows + 32'(row[b*RowW +: RowW])]
                     && 32'(owner[b*Rows + 32'(row[b*RowW +: RowW])])
                        != 32'(wf) * Lanes + 32'(top[b*LaneW +: LaneW]);
        end
        if (other[b]) lost_now[top[b*LaneW +: LaneW]] = 1'b1;
      end
    end
    lost = lost_q | lost_now;
    lose = tx_pass && tx && last && lost != '0;
    restore = !commit_now;
    goes = '0;
    for (int unsigned v = 0; v < TmWarps; v++) begin
      if (lose && me[v]) goes[v*Lanes +: Lanes] = lost;
      if (commit_now && me[v]) goes[v*Lanes +: Lanes] = live;
    end
  end
  logic [Cols-1:0] leave;  // apart: alone depends on begin_now
  always_comb begin
    leave = goes;
    for (int unsigned v = 0; v < TmWarps; v++) begin
      if (alone && others[v]) leave[v*Lanes +: Lanes] = '1;
    end
    // what the operation tells: TCM and, of a begin, the mode afterwards
    now  = (tcm == '0) ? hd_pkg::TM_TX : mode;
    snap = may ? tcm : '0;
    if (lose) snap = tcm | lost;
    if (is_begin) begin
      snap = again ? in_mask_i : (now == hd_pkg::TM_TX) ? '0 : in_mask_i & (in_mask_i - 1'b1);
    end
  end

  // ---- the words --------------------------------------------------------------------------------
  int unsigned col, lane;
  logic [AtW-1:0] at;
  logic [31:0] amo;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned i = 0; i < Banks * Rows; i++) valid[i] = 1'b0;
      for (int unsigned i = 0; i < Banks * Hash; i++) filter[i] = '0;
    end else begin
      for (int unsigned b = 0; b < Banks; b++) begin
        if (tx_pass && used[b] && !other[b]) begin
          at  = AtW'(b * Rows + 32'(row[b*RowW +: RowW]));
          col = 32'(wf) * Lanes + 32'(top[b*LaneW +: LaneW]);
          for (int unsigned l = 0; l < Lanes; l++) begin
            if (serve[l] && 32'(bank[l*BankW +: BankW]) == b) words_q[l*WordW +: WordW] <= mem[at];
          end
          if (tx) begin
            if (!valid[at] || 32'(owner[at]) != col) begin
              back[at]  = mem[at];
              owner[at] = ColW'(col);
              valid[at] = 1'b1;
            end
            filter[b*Hash + (32'(row[b*RowW +: RowW]) & (Hash - 1))][col] = 1'b1;
          end
          lane = 32'(top[b*LaneW +: LaneW]);
          amo  = hd_pkg::amo(in_acc_i.fn, mem[at][31:0], in_data_i[lane*WordW +: 32],
                             in_cmp_i[lane*32 +: 32]);
          if (in_acc_i.kind != hd_pkg::OP_LOAD) mem[at] = in_data_i[lane*WordW +: WordW];
          if (in_acc_i.kind == hd_pkg::OP_ATOMIC) mem[at][31:0] = amo;
        end
      end
      if (leave != '0) begin
        for (int unsigned i = 0; i < Banks * Rows; i++) begin
          if (valid[i] && leave[owner[i]]) begin
            valid[i] = 1'b0;
            if (restore) mem[i] = back[i];
          end
        end
        for (int unsigned i = 0; i < Banks * Hash; i++) filter[i] = filter[i] & ~leave;
      end
    end
  end

  // ---- completion -------------------------------------------------------------------------------
  assign give = there_q && !stall && gives_q;
  hd_lds_result #(
    .Lanes(Lanes), .WordW(WordW), .SlotW(SlotW)
  ) u_result (
    .clk_i(clk_i), .rst_i(rst_i),
    .pass_i(pass), .first_i(first), .last_i(last), .serve_i(serve),
    .acc_i(in_acc_i), .mask_i(in_mask_i),
    .valid_i(there_q), .give_i(give), .words_i(words_q), .stall_o(stall),
    .perf_valid_o(perf_valid_o), .perf_ready_i(perf_ready_i), .perf_warp_o(perf_warp_o),
    .perf_slot_o(perf_slot_o), .perf_lanes_o(perf_lanes_o), .perf_last_i(perf_last_i),
    .cpl_valid_o(cpl_valid_o), .cpl_o(result), .cpl_mask_o(cpl_mask_o), .cpl_data_o(cpl_data_o),
    .idle_o(result_idle)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      there_q <= 1'b0;
      lost_q  <= '0;
      ev_tm_o <= '0;
    end else begin
      if (!stall) there_q <= pass;
      if (last) lost_q <= '0;
      else lost_q <= lost;
      ev_tm_o <= {commit_now, begin_now, 5'd0, tx_pass && tx};
    end
    if (pass) begin
      gives_q <= !simple && (WordW > 32 || in_acc_i.kind != hd_pkg::OP_STORE);
      snap_q  <= snap;
      now_q   <= is_begin ? now : '0;
    end
    if (perf_valid_o && perf_ready_i) begin
      cpl_tcm_o  <= snap_q;
      cpl_mode_q <= now_q;
    end
  end
  always_comb begin
    cpl_o             = result;
    cpl_o.status[1:0] = cpl_mode_q;
  end
  assign in_ready_o = last;
  assign hold_o     = Warps'(hold);
  assign idle_o     = !in_valid_i && pass_idle && result_idle && ev_tm_o == '0;

  `HD_ASSERT(a_tx_of_few, !in_valid_i || may || !(is_begin || is_commit))
  `HD_ASSERT(a_inside, !(pass && tx) || (in_mask_i & ~(live | tcm)) == '0)
endmodule
`default_nettype wire
