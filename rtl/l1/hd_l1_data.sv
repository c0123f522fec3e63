// hd_l1_data.sv - data array of an L1 and what happens to a line one cycle after the tag decision.
//
// Cycle T (inputs): at most one of load_i, store_i, atomic_i (an access that hit), fill_i (a line
// arrives), read_i (a line is read to be sent away: its words are on line_o in cycle G). row_i
// names the line.
// Cycle G = T + 1: perf_* for a load or store; an atomic keeps busy_o high from G until its lanes
// have been served one by one (hd_atomic_unit), then perf_*. While busy_o nothing may be started.
// perf_last_i (same cycle as perf_valid_o): the operation is complete. cpl_* registers follow one
// cycle later. A read of a line written in an earlier cycle sees the write.
// Checked builds (words with ghosts): the completion of a store returns the old words of its lanes,
// so that its place in the order of stores is known.
// Parameters: Rows lines; Lanes, LineWords, WordW.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_data #(
  parameter int unsigned Rows = 256,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                                // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW, // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                                   // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  // cycle T
  input  logic                       load_i,
  input  logic                       store_i,
  input  logic                       atomic_i,
  input  logic                       fill_i,
  input  logic                       read_i,
  input  logic [RowW-1:0]            row_i,
  input  hd_pkg::access_s            acc_i,
  input  logic [CntW-1:0]            lanes_i,
  input  logic [PlaceW-1:0]          place_i,  // lanes, word of each lane, words a store writes
  input  logic [DataW-1:0]           data_i,   // store: in word order; atomic: operand per lane
  input  logic [Lanes*32-1:0]        cmp_i,
  input  logic [LineWords*WordW-1:0] fill_data_i,
  // cycle G
  output logic                       busy_o,
  output logic [LineWords*WordW-1:0] line_o,
  output logic                       perf_valid_o,
  output logic [hd_pkg::WARP_W-1:0]  perf_warp_o,
  output logic [SlotW-1:0]           perf_slot_o,
  output logic [CntW-1:0]            perf_lanes_o,
  input  logic                       perf_last_i,
  output logic                       rmw_lane_o,  // one lane's atomic is performed
  // completion registers
  output logic                       cpl_valid_o,
  output hd_pkg::completion_s        cpl_o,
  output logic [Lanes-1:0]           cpl_mask_o,
  output logic [Lanes*WordW-1:0]     cpl_data_o,
  output logic                       idle_o
);
  localparam int unsigned LnW = LineWords * WordW;
  localparam bit          Ghosts = WordW > 32;
  localparam int unsigned OffW = hd_pkg::idx_w(LineWords);

  logic                      busy_q, load_q, store_q;
  logic [hd_pkg::WARP_W-1:0] warp_q;
  logic [SlotW-1:0]          slot_q;
  logic [CntW-1:0]           lanes_q;
  logic [Lanes-1:0]          mask_q;
  logic [Lanes*OffW-1:0]     offs_q;
  logic [RowW-1:0]           row_q;
  logic [hd_pkg::WARP_W-1:0] cpl_warp_q;
  logic [hd_pkg::SLOT_W-1:0] cpl_slot_q;
  logic                      cpl_last_q;
  logic [Lanes-1:0]          mask;
  logic [Lanes*OffW-1:0]     offs;
  logic [LineWords-1:0]      st_wmask;

  logic                   at_done, at_idle, we;
  logic [LnW-1:0]         rdata, wdata, at_line;
  logic [LineWords-1:0]   wmask, at_wmask;
  logic [Lanes*WordW-1:0] at_old, words;

  assign {mask, offs, st_wmask} = place_i;
  assign we = store_i || fill_i || at_done;
  always_comb begin
    wdata = at_line;
    wmask = at_wmask;
    if (fill_i) begin
      wdata = fill_data_i;
      wmask = '1;
    end else if (store_i) begin
      wdata = data_i[LnW-1:0];
      wmask = st_wmask;
    end
  end

  hd_sram_1r1w #(
    .Width(LnW),
    .Depth(Rows),
    .Gran(WordW)
  ) u_data (
    .clk_i(clk_i),
    .we_i(we),
    .waddr_i(at_done ? row_q : row_i),
    .wmask_i(wmask),
    .wdata_i(wdata),
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
    .fn_i(acc_i.fn),
    .mask_i(mask),
    .offs_i(offs),
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
  hd_gather #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_gather (
    .en_i(load_q || (store_q && Ghosts)),
    .line_i(rdata),
    .offs_i(offs_q),
    .words_o(words)
  );

  assign perf_valid_o = load_q || store_q || at_done;
  assign perf_warp_o  = warp_q;
  assign perf_slot_o  = slot_q;
  assign perf_lanes_o = lanes_q;
  assign line_o       = rdata;
  assign busy_o       = busy_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q      <= 1'b0;
      load_q      <= 1'b0;
      store_q     <= 1'b0;
      cpl_valid_o <= 1'b0;
    end else begin
      busy_q      <= atomic_i || (busy_q && !at_done);
      load_q      <= load_i;
      store_q     <= store_i;
      cpl_valid_o <= perf_valid_o;
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (load_i || store_i || atomic_i) begin
      warp_q  <= acc_i.warp;
      slot_q  <= SlotW'({acc_i.tag, acc_i.slot});
      lanes_q <= lanes_i;
      mask_q  <= mask;
      offs_q  <= offs;
      row_q   <= row_i;
    end
    if (perf_valid_o) begin
      cpl_warp_q <= warp_q;
      cpl_slot_q <= slot_q[hd_pkg::SLOT_W-1:0];
      cpl_last_q <= perf_last_i;
      cpl_mask_o <= mask_q;
    end
    if (load_q || (store_q && Ghosts)) cpl_data_o <= words;
    else if (at_done) cpl_data_o <= at_old;
  end

  assign cpl_o.warp = cpl_warp_q;
  assign cpl_o.slot = cpl_slot_q;
  assign cpl_o.last = cpl_last_q;
  assign cpl_o.status = '0;
  logic unused;
  assign unused = ^acc_i;
  assign idle_o = at_idle && !busy_q && !load_q && !store_q && !cpl_valid_o;

  `HD_ASSERT(a_one_at_a_time, $onehot0({load_i, store_i, atomic_i, fill_i, read_i}))
  `HD_ASSERT(a_nothing_while_busy, !(busy_q && (load_i || store_i || atomic_i || fill_i || read_i)))
endmodule
`default_nettype wire
