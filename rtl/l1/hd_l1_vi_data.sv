// hd_l1_vi_data.sv - data array of a write-through L1 and its completions.
//
// Cycle T (inputs): at most one of load_i (an access that hit), store_i (the copy takes a store's
// words; not a completion), fill_i (a line arrives). row_i names the line.
// who_i {warp, slot, lanes} of an access. Cycle G = T + 1: perf_* for a load.
// done_i  (only while done_ok_o, and not with load_i's perf) a store or atomic of done_who_i {warp,
//         slot, lanes} that was performed by the L2: perf_* in the same cycle; done_data_i: old
//         words, in lane order. An atomic of more than 32 lanes has lanes of one half only: the
//         words are those of this half.
// perf_o  {number of lanes, slot, warp}; perf_last_i (same cycle as perf_valid_o): the operation is
//         complete. cpl_* registers follow one cycle later: cpl_o {words of loads or done_data_i,
//         lanes, completion_s}.
// A read sees writes of earlier cycles. Parameters: Rows lines; Lanes, LineWords, WordW.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_vi_data #(
  parameter int unsigned Rows = 256,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                             // derived
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                        // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                               // derived
  parameter int unsigned WhoW = hd_pkg::WARP_W + SlotW + Lanes,                  // derived
  parameter int unsigned PerfW = CntW + SlotW + hd_pkg::WARP_W,                  // derived
  parameter int unsigned CplW = Lanes * WordW + Lanes + hd_pkg::COMPLETION_W,    // derived
  parameter int unsigned HalfL = (Lanes > 32) ? 32 : Lanes  // derived: lanes of an atomic
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  // cycle T
  input  logic                       load_i,
  input  logic                       store_i,
  input  logic                       fill_i,
  input  logic [RowW-1:0]            row_i,
  input  logic [WhoW-1:0]            who_i,
  input  logic [Lanes*OffW-1:0]      offs_i,
  input  logic [LineWords-1:0]       wmask_i,  // of store_i
  input  logic [LineWords*WordW-1:0] data_i,   // of store_i and fill_i
  // performed elsewhere
  output logic                       done_ok_o,
  input  logic                       done_i,
  input  logic [WhoW-1:0]            done_who_i,
  input  logic [HalfL*WordW-1:0]     done_data_i,
  // performed
  output logic                       perf_valid_o,
  output logic [PerfW-1:0]           perf_o,
  input  logic                       perf_last_i,
  // completion registers
  output logic                       cpl_valid_o,
  output logic [CplW-1:0]            cpl_o,
  output logic                       idle_o
);
  localparam int unsigned LnW = LineWords * WordW;

  logic                      load_q;
  logic [WhoW-1:0]           who_q;
  logic [hd_pkg::WARP_W-1:0] warp;
  logic [SlotW-1:0]          slot;
  logic [Lanes-1:0]          mask, cpl_mask_q;
  logic [CntW-1:0]           lanes;
  logic [Lanes*OffW-1:0]     offs_q;
  logic [LnW-1:0]            rdata;
  logic [LineWords-1:0]      wmask;
  logic [Lanes*WordW-1:0]    words, done_words, cpl_data_q;
  logic [hd_pkg::SLOT_W+hd_pkg::WARP_W:0] cpl_of_q;  // last, slot, warp

  assign wmask = fill_i ? {LineWords{1'b1}} : wmask_i;
  hd_sram_1r1w #(
    .Width(LnW),
    .Depth(Rows),
    .Gran(WordW)
  ) u_data (
    .clk_i(clk_i),
    .we_i(store_i || fill_i),
    .waddr_i(row_i),
    .wmask_i(wmask),
    .wdata_i(data_i),
    .re_i(load_i),
    .raddr_i(row_i),
    .rdata_o(rdata)
  );
  hd_gather #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_gather (
    .en_i(load_q),
    .line_i(rdata),
    .offs_i(offs_q),
    .words_o(words)
  );

  for (genvar l = 0; l < Lanes; l++) begin : g_done
    assign done_words[l*WordW +: WordW] = done_data_i[(l%HalfL)*WordW +: WordW];
  end
  assign done_ok_o    = !load_q;
  assign perf_valid_o = load_q || done_i;
  assign {warp, slot, mask} = load_q ? who_q : done_who_i;
  always_comb begin
    lanes = '0;
    if (perf_valid_o) lanes = CntW'(hd_pkg::ones(64'(mask)));
  end
  assign perf_o = {lanes, slot, warp};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      load_q      <= 1'b0;
      cpl_valid_o <= 1'b0;
    end else begin
      load_q      <= load_i;
      cpl_valid_o <= perf_valid_o;
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (load_i) begin
      who_q  <= who_i;
      offs_q <= offs_i;
    end
    if (perf_valid_o) begin
      cpl_of_q   <= {perf_last_i, slot[hd_pkg::SLOT_W-1:0], warp};
      cpl_mask_q <= mask;
      cpl_data_q <= load_q ? words : done_words;
    end
  end

  // cpl_of_q is in the order of the fields of a completion, whose status is that of no transaction.
  assign cpl_o  = {cpl_data_q, cpl_mask_q, hd_pkg::COMPLETION_W'(cpl_of_q)};
  assign idle_o = !load_q && !cpl_valid_o;

  `HD_ASSERT(a_one_at_a_time, $onehot0({load_i, store_i, fill_i}))
  `HD_ASSERT(a_done_alone, !(done_i && load_q))
endmodule
`default_nettype wire
