// hd_l1_word_data.sv - data array of an L1 with word states, and the data that wait beside it.
//
// Cycle T (inputs), at most one of: load_i, store_i, atomic_i (served from the array), fill_i (data
// arrived: kept beside the array, and the words wmask_i written into it), serve_i (lanes that
// waited are served from the data kept), read_i (a row is read to be sent: on line_o in cycle G).
// row_i names the row, wmask_i the words that are written.
// Cycle G = T + 1: perf_* of load, store and serve; an atomic keeps busy_o high from G until its
// lanes have been served one by one (hd_atomic_unit), then perf_*. While busy_o nothing starts.
// done  done_i (only while done_ok_o): an access completed elsewhere, its lanes' words in
//       done_data_i; without lanes it counts as one (a fence).
// perf_last_i (same cycle as perf_valid_o): the operation is complete. cpl_* registers follow one
// cycle later. A read of a row written in an earlier cycle sees the write.
// Checked builds (words with ghosts): the completion of a store returns the old words of its lanes,
// those of old_i; all else 0. With TellOld bit 63 of an old word of a store or an atomic says that
// it was one of old_i.
// Parameters: Rows; Lanes, LineWords, WordW, SlotW; TellOld.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_word_data #(
  parameter int unsigned Rows = 512,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned TellOld = 0,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                                 // derived
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned LineW = LineWords * WordW,                                  // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned HalfL = (Lanes > 32) ? 32 : Lanes,                          // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                                    // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // cycle T
  input  logic                      load_i,
  input  logic                      store_i,
  input  logic                      atomic_i,
  input  logic                      fill_i,
  input  logic                      serve_i,
  input  logic                      read_i,
  input  logic [RowW-1:0]           row_i,
  input  logic [hd_pkg::WARP_W-1:0] warp_i,
  input  logic [SlotW-1:0]          slot_i,
  input  logic [3:0]                fn_i,     // hd_pkg::atomic_e
  input  logic [Lanes-1:0]          mask_i,
  input  logic [Lanes*OffW-1:0]     offs_i,
  input  logic [LineWords-1:0]      wmask_i,
  input  logic [LineWords-1:0]      old_i,
  input  logic [DataW-1:0]          data_i,   // store, fill: word order; atomic: a lane's operand
  input  logic [Lanes*32-1:0]       cmp_i,
  // cycle G
  output logic                      busy_o,
  output logic [LineW-1:0]          line_o,
  output logic                      done_ok_o,
  input  logic                      done_i,
  input  logic [hd_pkg::WARP_W-1:0] done_warp_i,
  input  logic [SlotW-1:0]          done_slot_i,
  input  logic [Lanes-1:0]          done_mask_i,
  input  logic [HalfL*WordW-1:0]    done_data_i,
  output logic                      perf_valid_o,
  output logic [hd_pkg::WARP_W-1:0] perf_warp_o,
  output logic [SlotW-1:0]          perf_slot_o,
  output logic [CntW-1:0]           perf_lanes_o,
  input  logic                      perf_last_i,
  output logic                      rmw_lane_o,  // one lane's atomic is performed
  // completion registers
  output logic                      cpl_valid_o,
  output logic [hd_pkg::WARP_W-1:0] cpl_warp_o,
  output logic [SlotW-1:0]          cpl_slot_o,
  output logic                      cpl_last_o,
  output logic [Lanes-1:0]          cpl_mask_o,
  output logic [Lanes*WordW-1:0]    cpl_data_o,
  output logic                      idle_o
);
  localparam bit Ghosts = WordW > 32;

  logic                      busy_q, load_q, serve_q, store_q, g_valid;
  logic [hd_pkg::WARP_W-1:0] warp_q;
  logic [SlotW-1:0]          slot_q;
  logic [Lanes-1:0]          mask_q, perf_mask;
  logic [Lanes*OffW-1:0]     offs_q;
  logic [RowW-1:0]           row_q;
  logic [LineWords-1:0]      old_q;
  logic [LineW-1:0]          kept_q;   // the data that arrived last
  logic                      at_done, at_idle;
  logic [LineWords-1:0]      at_wmask;
  logic [LineW-1:0]          rdata, at_line, seen;
  logic [Lanes*WordW-1:0]    at_old, words, done_words, told;

  hd_sram_1r1w #(
    .Width(LineW),
    .Depth(Rows),
    .Gran(WordW)
  ) u_data (
    .clk_i(clk_i),
    .we_i(store_i || fill_i || at_done),
    .waddr_i(at_done ? row_q : row_i),
    .wmask_i(at_done ? at_wmask : wmask_i),
    .wdata_i(at_done ? at_line : data_i[LineW-1:0]),
    .re_i(load_i || atomic_i || read_i || (store_i && Ghosts)),
    .raddr_i(row_i),
    .rdata_o(rdata)
  );
  hd_atomic_unit #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_atomic (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .start_i(atomic_i),
    .fn_i(fn_i),
    .mask_i(mask_i),
    .offs_i(offs_i),
    .data_i(data_i[Lanes*WordW-1:0]),
    .cmp_i(cmp_i),
    .line_i(rdata),
    .done_o(at_done),
    .lane_o(rmw_lane_o),
    .line_o(at_line),
    .wmask_o(at_wmask),
    .old_o(at_old),
    .idle_o(at_idle)
  );
  always_comb begin
    seen = serve_q ? kept_q : rdata;
    if (store_q) begin
      for (int unsigned w = 0; w < LineWords; w++) begin
        if (!old_q[w]) seen[WordW*w +: WordW] = '0;
      end
    end
  end
  hd_gather #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_gather (
    .en_i(load_q || serve_q || (store_q && Ghosts)),
    .line_i(seen),
    .offs_i(offs_q),
    .words_o(words)
  );
  for (genvar l = 0; l < Lanes; l++) begin : g_done
    assign done_words[l*WordW +: WordW] = done_data_i[(l%HalfL)*WordW +: WordW];
  end

  if (Ghosts && TellOld != 0) begin : g_tell
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      logic old;
      assign old = !load_q && !serve_q && old_q[offs_q[OffW*l +: OffW]];
      assign told[l*WordW +: WordW] = (at_done ? at_old[l*WordW +: WordW] : words[l*WordW +: WordW])
                                      | (WordW'(old) << (WordW - 1));
    end
  end else begin : g_do_not_tell
    assign told = at_done ? at_old : words;
  end

  assign g_valid      = load_q || serve_q || store_q || at_done;
  assign done_ok_o    = !g_valid;
  assign busy_o       = busy_q;
  assign line_o       = rdata;
  assign perf_valid_o = g_valid || done_i;
  assign perf_warp_o  = g_valid ? warp_q : done_warp_i;
  assign perf_slot_o  = g_valid ? slot_q : done_slot_i;
  assign perf_mask    = g_valid ? mask_q : done_mask_i;
  always_comb begin
    perf_lanes_o = '0;
    if (perf_valid_o) perf_lanes_o = CntW'(hd_pkg::ones(64'(perf_mask)));
    if (done_i && done_mask_i == '0) perf_lanes_o = CntW'(1);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q      <= 1'b0;
      load_q      <= 1'b0;
      serve_q     <= 1'b0;
      store_q     <= 1'b0;
      cpl_valid_o <= 1'b0;
    end else begin
      busy_q      <= atomic_i || (busy_q && !at_done);
      load_q      <= load_i;
      serve_q     <= serve_i;
      store_q     <= store_i;
      cpl_valid_o <= perf_valid_o;
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (load_i || store_i || atomic_i || serve_i) begin
      warp_q <= warp_i;
      slot_q <= slot_i;
      mask_q <= mask_i;
      offs_q <= offs_i;
      row_q  <= row_i;
      old_q  <= old_i;
    end
    if (fill_i) kept_q <= data_i[LineW-1:0];
    if (perf_valid_o) begin
      cpl_warp_o <= perf_warp_o;
      cpl_slot_o <= perf_slot_o;
      cpl_last_o <= perf_last_i;
      cpl_mask_o <= perf_mask;
    end
    if (load_q || serve_q || (store_q && Ghosts) || at_done) cpl_data_o <= told;
    else if (done_i) cpl_data_o <= done_words;
  end

  assign idle_o = at_idle && !busy_q && !g_valid && !cpl_valid_o;

  `HD_ASSERT(a_one_at_a_time, $onehot0({load_i, store_i, atomic_i, fill_i, serve_i, read_i}))
  `HD_ASSERT(a_nothing_while_busy, !(busy_q && (load_i || store_i || atomic_i || fill_i || serve_i
                                                || read_i)))
  `HD_ASSERT(a_done_alone, !(done_i && g_valid))
endmodule
`default_nettype wire
