// hd_lds_tm.sv - local data share with transactions: hd_lds, and what runs an attempt.
//
//   in -> hd_lds_pass ---> hd_lds_banks --words--> hd_lds_result -> cpl
//              | rows       ^ put     | line              ^
//              v            |         v                   | when
//         hd_tm_rows: marks, owners, backup words         |
//              | conflicts  ^ walk                        |
//              v            |                             |
//         hd_tm_phases: hd_tm_control ---------------------
//
// Paper 5 (sections 3 and 4). Ports as of hd_lds; and the operations TX_BEGIN and TX_COMMIT, whose
// lanes are those of the transaction and which have no words. An access of a wavefront whose
// attempt is open (hd_tm_control) is transactional: only lanes that have not lost take part, a bank
// serves one lane a pass. A word that a lane accesses first is put aside with the lane as its
// owner; a lane that meets another one's mark loses: at the end of the access the words it owns are
// put back. Accesses of other wavefronts are those of hd_lds, cycle for cycle.
// cpl     cpl_body_o has TCM in front: of a begin the lanes that do not run (all: it was sent back,
//         try again), of an access those that have lost their attempt, of a commit those that are
//         to try again. Status of a begin: mode of the attempt (hd_pkg TM_*). Words of lanes that
//         have lost mean nothing.
// hold_o  warps whose TX_BEGIN is not to issue now, from registers.
// ev_o.tm registered pulses, a cycle each: 0 pass of a transaction, 1 owners looked at, 2 words put
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

  if (TmWarps > Warps || TmWarps == 0 || TmRows > Rows || TmRows < 2) begin : g_bad
    $error("hd_lds_tm: TmWarps must be 1 to Warps, TmRows 2 to the rows of a bank");
  end

  // the operation on the port
  logic                     tx, run, block, simple, perf;
  logic [WfW-1:0]           wf;
  logic [Lanes-1:0]         mask, todo;
  logic [Lanes*AddrW-1:0]   word;
  logic [Lanes*(WordW+32)-1:0] data_cmp;
  // a pass
  hd_pkg::lds_pass_s        pass, word_pass;
  hd_pkg::lds_there_s       there, done;
  logic                     u_pass_stall, pass_alone, look, stall, result_stall, there_done;
  logic [Lanes-1:0]         serve;
  logic [Lanes*BankW-1:0]   bank;
  logic [Banks-1:0]         drop;
  logic [Banks*(1+RowW+LaneW)-1:0] banks;
  logic [Lanes*WordW-1:0]   words;
  logic [Banks*WordW-1:0]   line;
  logic [Banks*(1+RowW+WordW)-1:0] put;
  // rows and phases
  logic                     go, p1, p2, fresh, walking, still;
  hd_pkg::tm_walk_s         walk;
  logic [TmWarps-1:0]       walk_wfs, some;
  logic [Lanes-1:0]         lost, gone, tcm;
  logic [TmWarps*Lanes-1:0] clear;
  logic [1:0]               mode;
  logic                     pass_idle, result_idle, phase_idle;
  hd_pkg::access_s          bank_acc;
  hd_pkg::completion_s      result, cpl;
  logic [Lanes*(1+WordW)-1:0] cpl_words;
  hd_pkg::lds_ev_s          pass_ev;
  logic [7:0]               tm_ev;

  assign {mask, word, data_cmp} = in_body_i;
  assign pass_alone   = tx || in_acc_i.kind == hd_pkg::OP_ATOMIC;
  assign u_pass_stall = stall || block;
  hd_lds_pass #(
    .Lanes(Lanes),
    .Words(Words),
    .Banks(Banks)
  ) u_pass (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(run),
    .alone_i(pass_alone),
    .mask_i(todo),
    .word_i(word),
    .stall_i(u_pass_stall),
    .pass_o(word_pass),
    .serve_o(serve),
    .bank_o(bank),
    .banks_o(banks),
    .ev_o(pass_ev),
    .idle_o(pass_idle)
  );
  always_comb begin
    pass     = simple ? '1 : word_pass;
    bank_acc = in_acc_i;
    if (simple) bank_acc.kind = hd_pkg::OP_LOAD;
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
    .acc_i(bank_acc),
    .body_i(data_cmp),
    .bank_i(bank),
    .banks_i(banks),
    .stall_i(stall),
    .there_o(there),
    .words_o(words),
    .read_i(tx),
    .line_o(line),
    .drop_i(drop),
    .put_i(put)
  );

  assign look = word_pass.made && tx;
  hd_tm_rows #(
    .Banks(Banks),
    .BankRows(Rows),
    .TmRows(TmRows),
    .WordW(WordW),
    .Lanes(Lanes),
    .TmWarps(TmWarps),
    .Hash(Hash),
    .Detect(Detect)
  ) u_rows (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pass_i(pass.made),
    .look_i(look),
    .wf_i(wf),
    .banks_i(banks),
    .go_o(go),
    .lost_o(lost),
    .p1_i(p1),
    .p2_i(p2),
    .line_i(line),
    .fresh_o(fresh),
    .drop_o(drop),
    .walk_i(walk),
    .walk_wfs_i(walk_wfs),
    .gone_i(gone),
    .clear_i(clear),
    .walking_o(walking),
    .still_o(still),
    .put_o(put),
    .some_o(some)
  );

  assign perf = perf_valid_o && perf_i.ready;
  hd_tm_phases #(
    .Lanes(Lanes),
    .Warps(Warps),
    .TmWarps(TmWarps)
  ) u_phases (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(in_valid_i),
    .warp_i(in_acc_i.warp),
    .kind_i(in_acc_i.kind),
    .mask_i(mask),
    .ready_o(in_ready_o),
    .tx_o(tx),
    .run_o(run),
    .block_o(block),
    .simple_o(simple),
    .todo_o(todo),
    .wf_o(wf),
    .pass_i(word_pass.made),
    .last_i(word_pass.last),
    .go_i(go),
    .fresh_i(fresh),
    .lost_i(lost),
    .walking_i(walking),
    .still_i(still),
    .some_i(some),
    .p1_o(p1),
    .p2_o(p2),
    .walk_o(walk),
    .walk_wfs_o(walk_wfs),
    .gone_o(gone),
    .clear_o(clear),
    .there_i(there.valid),
    .there_o(there_done),
    .stall_i(result_stall),
    .stall_o(stall),
    .perf_i(perf),
    .tcm_o(tcm),
    .mode_o(mode),
    .hold_o(hold_o),
    .ev_o(tm_ev),
    .idle_o(phase_idle)
  );

  always_comb begin
    done       = there;
    done.valid = there_done;
  end
  hd_lds_result #(
    .Lanes(Lanes),
    .WordW(WordW),
    .SlotW(SlotW)
  ) u_result (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pass_i(pass),
    .acc_i(in_acc_i),
    .lanes_i({serve, mask}),
    .there_i(done),
    .words_i(words),
    .stall_o(result_stall),
    .perf_valid_o(perf_valid_o),
    .perf_o(perf_o),
    .perf_i(perf_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_body_o({result, cpl_words}),
    .idle_o(result_idle)
  );
  always_comb begin
    cpl             = result;
    cpl.status[1:0] = mode;
    ev_o            = pass_ev;
    ev_o.tm         = tm_ev;
  end
  assign cpl_body_o = {tcm, cpl, cpl_words};

  assign idle_o = !in_valid_i && pass_idle && result_idle && phase_idle;

  `HD_ASSERT(a_restored, !walking || (!pass.made && !perf_valid_o && lost == '0))
endmodule
`default_nettype wire
