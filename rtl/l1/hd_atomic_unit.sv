// hd_atomic_unit.sv - performs the lanes of one atomic line access on a line, one lane a cycle.
//
// Lanes are served in ascending order, so lanes on one word see each other's results in lane order.
// start  start_i (only while idle_o) brings the access; line_i brings its line in the next cycle
//        (the cache's data arrives one cycle after the access).
// done   done_o for one cycle, popcount(mask) + 2 cycles after start_i: line_o is the new line,
//        wmask_o the words written, old_o the old word of each active lane (others unspecified).
//        Idle in the next cycle.
// A word's ghost (bits above 31, checked builds) is replaced by the operand's. AT_READ writes none.
// Parameters: Lanes, LineWords, WordW = 32 + ghost bits.
`include "hd_assert.svh"
`default_nettype none
module hd_atomic_unit #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords)  // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic                       start_i,
  input  logic [3:0]                 fn_i,     // hd_pkg::atomic_e
  input  logic [Lanes-1:0]           mask_i,
  input  logic [Lanes*OffW-1:0]      offs_i,   // word of the line per lane
  input  logic [Lanes*WordW-1:0]     data_i,   // operand per lane
  input  logic [Lanes*32-1:0]        cmp_i,    // CAS compare per lane
  input  logic [LineWords*WordW-1:0] line_i,
  output logic                       done_o,
  output logic                       lane_o,   // a lane is performed in this cycle
  output logic [LineWords*WordW-1:0] line_o,
  output logic [LineWords-1:0]       wmask_o,
  output logic [Lanes*WordW-1:0]     old_o,
  output logic                       idle_o
);
  localparam int unsigned LaneW = hd_pkg::idx_w(Lanes);

  logic                       wait_q, busy_q;  // the line comes in this cycle; lanes are served
  logic [3:0]                 fn_q;
  logic [Lanes-1:0]           mask_q;   // lanes still to do
  logic [Lanes*OffW-1:0]      offs_q;
  logic [Lanes*WordW-1:0]     data_q, old_q;
  logic [Lanes*32-1:0]        cmp_q;
  logic [LineWords*WordW-1:0] line_q;
  logic [LineWords-1:0]       wmask_q;

  logic [LaneW-1:0] lane;
  logic [OffW-1:0]  off;
  logic [WordW-1:0] word, operand, new_word;
  logic [31:0]      result;
  logic             last;

  always_comb begin
    lane    = '0;
    off     = '0;
    word    = '0;
    operand = '0;
    if (busy_q) begin
      for (int i = Lanes - 1; i >= 0; i--) begin
        if (mask_q[i]) lane = LaneW'(i);
      end
      off     = offs_q[OffW*lane +: OffW];
      word    = line_q[WordW*off +: WordW];
      operand = data_q[WordW*lane +: WordW];
    end
  end

  hd_amo_alu u_alu (
    .fn_i(fn_q),
    .old_i(word[31:0]),
    .b_i(operand[31:0]),
    .cmp_i(cmp_q[32*lane +: 32]),
    .new_o(result)
  );

  if (WordW > 32) begin : g_ghost
    assign new_word = {operand[WordW-1:32], result};
  end else begin : g_plain
    assign new_word = result;
  end

  assign last   = mask_q == '0;
  assign lane_o = busy_q && !last;
  assign done_o = busy_q && last;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wait_q <= 1'b0;
      busy_q <= 1'b0;
    end else begin
      wait_q <= start_i;
      busy_q <= wait_q || (busy_q && !done_o);
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (start_i) begin
      fn_q    <= fn_i;
      mask_q  <= mask_i;
      offs_q  <= offs_i;
      data_q  <= data_i;
      cmp_q   <= cmp_i;
    end
    if (wait_q) begin
      line_q  <= line_i;
      wmask_q <= '0;
    end
    if (lane_o) begin
      mask_q[lane] <= 1'b0;
      if (fn_q != hd_pkg::AT_READ) begin
        wmask_q[off] <= 1'b1;
        line_q[WordW*off +: WordW] <= new_word;
      end
      old_q[WordW*lane +: WordW] <= word;
    end
  end

  assign line_o  = line_q;
  assign wmask_o = wmask_q;
  assign old_o   = old_q;
  assign idle_o  = !wait_q && !busy_q;

  `HD_ASSERT(a_start_when_idle, !start_i || idle_o)
  `HD_ASSERT(a_start_has_lanes, !start_i || mask_i != '0)
endmodule
`default_nettype wire
