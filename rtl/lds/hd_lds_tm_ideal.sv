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
// ev_o.tm: bits 0 pass of a transaction, 6 a begin, 7 a commit is made; the others stay 0.
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
  parameter int unsigned AddrW = hd_pkg::idx_w(Words),                 // derived: leave as is
  parameter int unsigned BodyW = Lanes * (1 + AddrW + WordW + 32),     // derived
  parameter int unsigned CplW = hd_pkg::COMPLETION_W + Lanes * (2 + WordW)  // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // accesses
  input  logic                   in_valid_i,
  output logic                   in_ready_o,
  input  hd_pkg::access_s        in_acc_i,
  input  logic [BodyW-1:0]       in_body_i,
  // scoreboard and completion
  output logic                   perf_valid_o,
  output hd_pkg::lds_perf_s      perf_o,
  input  hd_pkg::lds_answer_s    perf_i,
  output logic                   cpl_valid_o,
  output logic [CplW-1:0]        cpl_body_o,
  output logic [Warps-1:0]       hold_o,
  // observation
  output hd_pkg::lds_ev_s        ev_o,
  output logic                   idle_o
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
  logic                   tx_pass, last, u_pass_valid, stall, lose, restore;
  logic                   begin_now, commit_now, pass_idle, result_idle;
  logic [WfW-1:0]         wf;
  logic [TmWarps-1:0]     me, others, hold;
  logic [Lanes-1:0]       mask, live, todo, tcm, serve, lost_q, lost_now, lost, snap, snap_q;
  logic [Lanes-1:0]       cpl_tcm_q;
  logic [Lanes*AddrW-1:0] word;
  logic [Lanes*WordW-1:0] data;
  logic [Lanes*32-1:0]    cmp;
  logic [1:0]             mode, now, now_q, cpl_mode_q;
  logic [Lanes*BankW-1:0] bank;
  logic [Banks-1:0]       used, other;
  logic [Banks*RowW-1:0]  row;
  logic [Banks*LaneW-1:0] top;
  logic [Lanes*WordW-1:0] words_q;
  logic [Cols-1:0]        goes;  // lanes that leave their attempt
  hd_pkg::completion_s    result, cpl;
  logic [Lanes*(1+WordW)-1:0] cpl_words;
  logic [7:0]             ev_tm_q;
  hd_pkg::tm_event_s      ev;
  hd_pkg::lds_ev_s        pass_ev;
  hd_pkg::lds_pass_s      pass, word_pass;
  hd_pkg::lds_there_s     there_q;

  assign {mask, word, data, cmp} = in_body_i;
  assign wf         = WfW'(in_acc_i.warp);
  assign may        = 32'(in_acc_i.warp) < TmWarps;
  assign is_begin   = in_acc_i.kind == hd_pkg::OP_TX_BEGIN;
  assign is_commit  = in_acc_i.kind == hd_pkg::OP_TX_COMMIT;
  assign tx         = may && runs && !is_begin && !is_commit;
  assign todo       = tx ? mask & live : mask;
  assign scalar     = is_begin || is_commit || (tx && todo == '0);
  assign simple     = in_valid_i && scalar && !stall;
  assign begin_now  = simple && is_begin;
  assign commit_now = simple && is_commit;
  assign tx_pass    = word_pass.made;
  assign pass       = simple ? '1 : word_pass;
  assign last       = pass.last;
  assign u_pass_valid = in_valid_i && !scalar;

  hd_lds_pass #(
    .Lanes(Lanes), .Words(Words), .Banks(Banks)
  ) u_pass (
    .clk_i(clk_i), .rst_i(rst_i),
    .valid_i(u_pass_valid),
    .alone_i(tx || in_acc_i.kind == hd_pkg::OP_ATOMIC),
    .mask_i(todo), .word_i(word), .stall_i(stall),
    .pass_o(word_pass), .serve_o(serve), .bank_o(bank), .banks_o({used, row, top}),
    .ev_o(pass_ev), .idle_o(pass_idle)
  );
  hd_tm_control #(
    .Lanes(Lanes), .TmWarps(TmWarps)
  ) u_control (
    .clk_i(clk_i), .rst_i(rst_i),
    .wf_i(wf), .mask_i(mask),
    .ev_i(ev), .lost_i(lost),
    .runs_o(runs), .live_o(live), .tcm_o(tcm), .mode_o(mode),
    .again_o(again), .alone_o(alone), .others_o(others), .hold_o(hold)
  );

  always_comb begin
    ev.start  = begin_now;
    ev.commit = commit_now;
    ev.lose   = lose;
  end

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
      snap = again ? mask : (now == hd_pkg::TM_TX) ? '0 : mask & (mask - 1'b1);
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
          amo  = hd_pkg::amo(in_acc_i.fn, mem[at][31:0], data[lane*WordW +: 32],
                             cmp[lane*32 +: 32]);
          if (in_acc_i.kind != hd_pkg::OP_LOAD) mem[at] = data[lane*WordW +: WordW];
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
  hd_lds_result #(
    .Lanes(Lanes), .WordW(WordW), .SlotW(SlotW)
  ) u_result (
    .clk_i(clk_i), .rst_i(rst_i),
    .pass_i(pass), .acc_i(in_acc_i), .lanes_i({serve, mask}),
    .there_i(there_q), .words_i(words_q), .stall_o(stall),
    .perf_valid_o(perf_valid_o), .perf_o(perf_o), .perf_i(perf_i),
    .cpl_valid_o(cpl_valid_o), .cpl_body_o({result, cpl_words}), .idle_o(result_idle)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      there_q.valid <= 1'b0;
      lost_q        <= '0;
      ev_tm_q       <= '0;
    end else begin
      if (!stall) there_q.valid <= pass.made;
      if (last) lost_q <= '0;
      else lost_q <= lost;
      ev_tm_q <= {commit_now, begin_now, 5'd0, tx_pass && tx};
    end
    if (pass.made) begin
      there_q.gives <= !simple && (WordW > 32 || in_acc_i.kind != hd_pkg::OP_STORE);
      snap_q <= snap;
      now_q  <= is_begin ? now : '0;
    end
    if (perf_valid_o && perf_i.ready) begin
      cpl_tcm_q  <= snap_q;
      cpl_mode_q <= now_q;
    end
  end
  always_comb begin
    cpl             = result;
    cpl.status[1:0] = cpl_mode_q;
    ev_o            = pass_ev;
    ev_o.tm         = ev_tm_q;
  end
  assign cpl_body_o = {cpl_tcm_q, cpl, cpl_words};
  assign in_ready_o = last;
  assign hold_o     = Warps'(hold);
  assign idle_o     = !in_valid_i && pass_idle && result_idle && ev_tm_q == '0;

  `HD_ASSERT(a_tx_of_few, !in_valid_i || may || !(is_begin || is_commit))
  `HD_ASSERT(a_inside, !(pass.made && tx) || (mask & ~(live | tcm)) == '0)
endmodule
`default_nettype wire
