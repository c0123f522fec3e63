// hd_lds.sv - local data share of an SM: banks of words, conflicts served in turn, atomics.
//
// Three stages, a module each:
//
//          cycle T            cycle T + 1                             T + 2
//   in -> hd_lds_pass ---+--> hd_lds_banks --words--> hd_lds_result -> cpl
//         which lanes    |    arrays, atomics         perf, registers
//                        '---who, lanes-------------->
//
// Word w lies in bank w mod Banks, row w / Banks. A pass is one cycle: every bank serves one of its
// words, that of its lowest lane still to do, to all lanes that want it. An access takes as many
// passes as its worst bank has distinct words; an atomic, whose lanes on a bank go one by one in
// ascending order, as many as its worst bank has lanes. Paper 1, Table 2: 48 KB, 32 banks.
// in    one access, a whole operation or any part of it: in_acc_i, in_body_i {lanes (not empty),
//       and one lane after the other: LDS words, data (store, atomic operand), compare values
//       (CAS)}. Valid/ready: it stays on the port until its last pass. Lanes that store to one
//       word: the highest wins. A copy brings words as a store does; its completion says so (status
//       bit 2).
// perf  valid/ready: the access is performed when it is taken. Until then no further pass is made.
// cpl   registers, the cycle after perf is taken: cpl_body_o {completion_s, lanes, their words} of
//       loads and atomics. Words with ghosts: the completion of a store returns the old words of
//       its lanes.
// idle_o nothing moves while in_valid_i is low.
// Latency: last pass in cycle T, perf in T + 1, cpl in T + 2; without conflicts an access a cycle.
// Accesses take effect in the order in which they came.
// Parameters: Lanes; Words of 32 bits and ghost (WordW) in all; Banks, a power of two from 2; SlotW
// bits of the slot at perf, which has the tag above it, if there is room.
`default_nettype none
module hd_lds #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Words = 12288,
  parameter int unsigned Banks = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned AddrW = hd_pkg::idx_w(Words),                 // derived: leave as is
  parameter int unsigned BodyW = Lanes * (1 + AddrW + WordW + 32),     // derived
  parameter int unsigned CplW = hd_pkg::COMPLETION_W + Lanes * (1 + WordW)  // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // accesses
  input  logic                   in_valid_i,
  output logic                   in_ready_o,
  input  hd_pkg::access_s        in_acc_i,   // its kind: load, store, atomic, copy
  input  logic [BodyW-1:0]       in_body_i,
  // scoreboard and completion
  output logic                   perf_valid_o,
  output hd_pkg::lds_perf_s      perf_o,
  input  hd_pkg::lds_answer_s    perf_i,
  output logic                   cpl_valid_o,
  output logic [CplW-1:0]        cpl_body_o,
  // observation
  output hd_pkg::lds_ev_s        ev_o,
  output logic                   idle_o
);
  localparam int unsigned Rows = (Words + Banks - 1) / Banks;
  localparam int unsigned BankW = hd_pkg::idx_w(Banks);
  localparam int unsigned RowW = hd_pkg::idx_w(Rows);
  localparam int unsigned LaneW = hd_pkg::idx_w(Lanes);

  logic                            stall, pass_idle, result_idle, no_tm;
  logic [Lanes-1:0]                mask, serve;
  logic [Lanes*AddrW-1:0]          word;
  logic [Lanes*(WordW+32)-1:0]     data_cmp;
  logic [Lanes*BankW-1:0]          bank;
  logic [Banks*(1+RowW+LaneW)-1:0] banks;
  logic [Lanes*WordW-1:0]          words;
  logic [Banks*WordW-1:0]          line;
  logic [Banks-1:0]                no_banks;
  logic [Banks*(1+RowW+WordW)-1:0] no_put;
  hd_pkg::lds_pass_s               pass;
  hd_pkg::lds_there_s              there;

  assign {mask, word, data_cmp} = in_body_i;
  assign no_tm    = 1'b0;
  assign no_banks = '0;
  assign no_put   = '0;

  hd_lds_pass #(
    .Lanes(Lanes),
    .Words(Words),
    .Banks(Banks)
  ) u_pass (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(in_valid_i),
    .alone_i(in_acc_i.kind == hd_pkg::OP_ATOMIC),
    .mask_i(mask),
    .word_i(word),
    .stall_i(stall),
    .pass_o(pass),
    .serve_o(serve),
    .bank_o(bank),
    .banks_o(banks),
    .ev_o(ev_o),
    .idle_o(pass_idle)
  );
  hd_lds_banks #(
    .Lanes(Lanes),
    .Rows(Rows),
    .Banks(Banks),
    .WordW(WordW)
  ) u_banks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pass_i(pass),
    .acc_i(in_acc_i),
    .body_i(data_cmp),
    .bank_i(bank),
    .banks_i(banks),
    .stall_i(stall),
    .there_o(there),
    .words_o(words),
    .read_i(no_tm),
    .line_o(line),
    .drop_i(no_banks),
    .put_i(no_put)
  );
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
    .there_i(there),
    .words_i(words),
    .stall_o(stall),
    .perf_valid_o(perf_valid_o),
    .perf_o(perf_o),
    .perf_i(perf_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_body_o(cpl_body_o),
    .idle_o(result_idle)
  );
  assign in_ready_o = pass.last;
  assign idle_o     = pass_idle && result_idle;

  logic unused;
  assign unused = ^line;
endmodule
`default_nettype wire
