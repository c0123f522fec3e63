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
// in    one access, a whole operation or any part of it: in_acc_i, lanes in_mask_i (not empty) and
//       of each lane its LDS word, data (store, atomic operand) and compare value (CAS).
//       Valid/ready: it stays on the port until its last pass. Lanes that store to one word: the
//       highest wins. A copy brings words as a store does; its completion says so (status bit 2).
// perf  valid/ready: the access is performed when it is taken; perf_last_i (same cycle) = the
//       operation is complete. Until then no further pass is made.
// cpl   registers, the cycle after perf is taken; lanes' words of loads and atomics. Words with
//       ghosts: the completion of a store returns the old words of its lanes.
// ev    registered pulses: an access has made its last pass; it has made one before the last.
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
  parameter int unsigned AddrW = hd_pkg::idx_w(Words),  // derived: leave as is
  parameter int unsigned CntW = $clog2(Lanes + 1)       // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // accesses
  input  logic                      in_valid_i,
  output logic                      in_ready_o,
  input  hd_pkg::access_s           in_acc_i,   // its kind: load, store, atomic, copy
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
  // observation
  output logic                      ev_access_o,
  output logic                      ev_conflict_o,
  output logic                      idle_o
);
  localparam int unsigned Rows = (Words + Banks - 1) / Banks;
  localparam int unsigned BankW = hd_pkg::idx_w(Banks);
  localparam int unsigned RowW = hd_pkg::idx_w(Rows);
  localparam int unsigned LaneW = hd_pkg::idx_w(Lanes);

  logic                   pass, first, last, stall, there, give, pass_idle, result_idle;
  logic [Lanes-1:0]       serve;
  logic [Lanes*BankW-1:0] bank;
  logic [Banks-1:0]       used;
  logic [Banks*RowW-1:0]  row;
  logic [Banks*LaneW-1:0] top;
  logic [Lanes*WordW-1:0] words;
  logic                   no_tm;
  logic [Banks-1:0]       no_banks;
  logic [Banks*RowW-1:0]  no_rows;
  logic [Banks*WordW-1:0] no_words, line;

  assign no_tm    = 1'b0;
  assign no_banks = '0;
  assign no_rows  = '0;
  assign no_words = '0;

  hd_lds_pass #(
    .Lanes(Lanes),
    .Words(Words),
    .Banks(Banks)
  ) u_pass (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_i(in_valid_i),
    .alone_i(in_acc_i.kind == hd_pkg::OP_ATOMIC),
    .mask_i(in_mask_i),
    .word_i(in_word_i),
    .stall_i(stall),
    .pass_o(pass),
    .first_o(first),
    .last_o(last),
    .serve_o(serve),
    .bank_o(bank),
    .used_o(used),
    .row_o(row),
    .top_o(top),
    .ev_access_o(ev_access_o),
    .ev_conflict_o(ev_conflict_o),
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
    .first_i(first),
    .acc_i(in_acc_i),
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
    .read_i(no_tm),
    .line_o(line),
    .drop_i(no_banks),
    .put_i(no_banks),
    .put_row_i(no_rows),
    .put_data_i(no_words)
  );
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
    .valid_i(there),
    .give_i(give),
    .words_i(words),
    .stall_o(stall),
    .perf_valid_o(perf_valid_o),
    .perf_ready_i(perf_ready_i),
    .perf_warp_o(perf_warp_o),
    .perf_slot_o(perf_slot_o),
    .perf_lanes_o(perf_lanes_o),
    .perf_last_i(perf_last_i),
    .cpl_valid_o(cpl_valid_o),
    .cpl_o(cpl_o),
    .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o),
    .idle_o(result_idle)
  );
  assign in_ready_o = last;
  assign idle_o     = pass_idle && result_idle;

  logic unused;
  assign unused = ^line;
endmodule
`default_nettype wire
