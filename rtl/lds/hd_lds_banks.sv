// hd_lds_banks.sv - bank access of the LDS: the words, and what stores and atomics make of them.
//
// pass   a pass of hd_lds_pass: the access, bank of each lane; banks_i as of hd_lds_pass. With the
//        first pass of an access body_i {data, compare values} of its lanes.
// words  the cycle after: there_o, and of each lane the word of its bank in words_o. stall_i holds
//        the pass back: it stays and is not performed.
// A word is read by the pass, and changed and written when that pass leaves: a pass that reads it
// meanwhile gets the new value. Lanes that store to one word: the highest wins.
// The lanes of an atomic are computed where their words arrive, one ALU a lane: a bank would need
// the compare values brought to it as well.
// Tm: for hd_lds_tm. read_i: words are read whatever the access is; line_o: those of the banks, the
// cycle after. drop_i: banks that do not write. put_i {put, row, words}: words written from
// outside, while no pass writes. Without Tm the inputs mean nothing and line_o is 0.
// Parameters: Lanes; Rows and Banks (a power of two) of words of 32 bits and ghost (WordW). Words
// with ghosts: a store returns the old words.
`include "hd_assert.svh"
`default_nettype none
module hd_lds_banks #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Rows = 384,
  parameter int unsigned Banks = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned Tm = 0,
  parameter int unsigned BankW = hd_pkg::idx_w(Banks),  // derived
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),    // derived
  parameter int unsigned LaneW = hd_pkg::idx_w(Lanes)   // derived
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  // pass
  input  hd_pkg::lds_pass_s               pass_i,
  input  hd_pkg::access_s                 acc_i,   // its kind: load, store, atomic, copy (a store)
  input  logic [Lanes*(WordW+32)-1:0]     body_i,
  input  logic [Lanes*BankW-1:0]          bank_i,
  input  logic [Banks*(1+RowW+LaneW)-1:0] banks_i,
  // words
  input  logic                            stall_i,
  output hd_pkg::lds_there_s              there_o,
  output logic [Lanes*WordW-1:0]          words_o,
  // transactions
  input  logic                            read_i,
  output logic [Banks*WordW-1:0]          line_o,
  input  logic [Banks-1:0]                drop_i,
  input  logic [Banks*(1+RowW+WordW)-1:0] put_i
);
  localparam bit Ghosts = WordW > 32;

  logic                   valid_q, write_q, atomic_q, reads, fire, gives;
  logic [3:0]             fn_q;
  logic [Lanes*BankW-1:0] bank_q;
  logic [Banks-1:0]       used, used_q, re, we, we_in, newer, newer_q;  // see newer_word_q
  logic [Banks*RowW-1:0]  wrow;
  logic [Banks*WordW-1:0] win;
  logic [Banks*RowW-1:0]  row, row_q;
  logic [Banks*LaneW-1:0] top, top_q;
  logic [Lanes*WordW-1:0] data, data_q, value;
  logic [Lanes*32-1:0]    cmp, cmp_q;
  logic [Banks*WordW-1:0] rdata, wdata, line, newer_word_q;  // written while read

  assign {data, cmp}      = body_i;
  assign {used, row, top} = banks_i;

  assign reads = Ghosts || (acc_i.kind != hd_pkg::OP_STORE && acc_i.kind != hd_pkg::OP_COPY);
  assign fire  = valid_q && !stall_i;
  assign gives = Ghosts || !write_q || atomic_q;
  if (Tm != 0) begin : g_tm
    logic [Banks-1:0]       put;
    logic [Banks*RowW-1:0]  put_row;
    logic [Banks*WordW-1:0] put_data;
    assign {put, put_row, put_data} = put_i;
    assign we     = (fire && write_q) ? used_q & ~drop_i : '0;
    assign re     = (reads || read_i) ? used : '0;
    assign we_in  = we | put;
    assign wrow   = (|put) ? put_row : row_q;
    assign win    = (|put) ? put_data : wdata;
    assign line_o = line;
    `HD_ASSERT(a_one_writer, we == '0 || put == '0)
  end else begin : g_no_tm
    logic unused_tm;
    assign we     = (fire && write_q) ? used_q : '0;
    assign re     = reads ? used : '0;
    assign we_in  = we;
    assign wrow   = row_q;
    assign win    = wdata;
    assign line_o = '0;
    assign unused_tm = ^{read_i, drop_i, put_i};
  end

  hd_sram_banks #(
    .Width(WordW),
    .Depth(Rows),
    .Banks(Banks)
  ) u_words (
    .clk_i(clk_i),
    .we_i(we_in),
    .waddr_i(wrow),
    .wdata_i(win),
    .re_i(re),
    .raddr_i(row),
    .rdata_o(rdata)
  );

  always_comb begin
    line = '0;
    if (valid_q) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        line[b*WordW +: WordW] = newer_q[b] ? newer_word_q[b*WordW +: WordW]
                                            : rdata[b*WordW +: WordW];
      end
    end
  end
  hd_gather #(
    .Lanes(Lanes),
    .LineWords(Banks),
    .WordW(WordW)
  ) u_gather (
    .en_i(valid_q && gives),
    .line_i(line),
    .offs_i(bank_q),
    .words_o(words_o)
  );

  always_comb begin
    value = '0;
    wdata = '0;
    if (valid_q && write_q) begin
      value = data_q;
      if (atomic_q) begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          value[l*WordW +: 32] = hd_pkg::amo(fn_q, words_o[l*WordW +: 32], data_q[l*WordW +: 32],
                                             cmp_q[l*32 +: 32]);
        end
      end
      for (int unsigned b = 0; b < Banks; b++) begin
        wdata[b*WordW +: WordW] = value[top_q[b*LaneW +: LaneW]*WordW +: WordW];
      end
    end
  end

  always_comb begin
    newer = '0;
    if (we != '0) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        newer[b] = we[b] && used[b] && row_q[b*RowW +: RowW] == row[b*RowW +: RowW];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (!stall_i) valid_q <= pass_i.made;
    // payload needs no reset
    if (pass_i.made) begin
      write_q  <= acc_i.kind != hd_pkg::OP_LOAD;
      atomic_q <= acc_i.kind == hd_pkg::OP_ATOMIC;
      bank_q   <= bank_i;
      used_q   <= used;
      row_q    <= row;
      top_q    <= top;
      newer_q  <= newer;
      if (newer != '0) newer_word_q <= wdata;
    end
    if (pass_i.first) begin
      fn_q <= acc_i.fn;
      if (acc_i.kind != hd_pkg::OP_LOAD) data_q <= data;
      if (acc_i.kind == hd_pkg::OP_ATOMIC && acc_i.fn == hd_pkg::AT_CAS) cmp_q <= cmp;
    end
  end

  assign there_o.valid = valid_q;
  assign there_o.gives = gives;

  logic unused;
  assign unused = ^{acc_i, pass_i.last};

  `HD_ASSERT(a_kind, !pass_i.made || acc_i.kind <= hd_pkg::OP_ATOMIC
                     || acc_i.kind == hd_pkg::OP_COPY)
  `HD_ASSERT(a_pass_when_free, !(pass_i.made && stall_i))
  `HD_ASSERT(a_first_is_a_pass, !pass_i.first || pass_i.made)
  `HD_ASSERT(a_same_access, !pass_i.made || pass_i.first
             || {acc_i.kind != hd_pkg::OP_LOAD, acc_i.kind == hd_pkg::OP_ATOMIC, acc_i.fn}
                == {write_q, atomic_q, fn_q})
endmodule
`default_nettype wire
