// hd_tm_signatures.sv - Bloom filters of the transactions in the LDS: who may have accessed a row.
//
// Paper 5 (sections 3.1, 3.3). Each bank has Hash filters, one for the rows with equal number
// modulo Hash, with a bit (column) a lane of every wavefront. Reads and writes set the same bits.
// look_i  banks used_i, each with the filter hash_i of its row and the one lane lane_i of wavefront
//         wf_i that it serves. In the same cycle other_o: another lane has the bit, a conflict,
//         maybe a false one; self_o: the lane itself has it. By the edge the lane's bit is set in
//         the banks without a conflict.
// clear_i columns to clear in all banks and filters, by the edge: bit wf * Lanes + lane. Not
//         together with look_i.
//
//   look, other   lane is lost     bits stay
//   look, !other  self_o           the lane's bit is set
//   clear         column           0
//
// Parameters: Banks; Lanes of a wavefront; TmWarps wavefronts; Hash, a power of two.
`include "hd_assert.svh"
`default_nettype none
module hd_tm_signatures #(
  parameter int unsigned Banks   = 32,
  parameter int unsigned Lanes   = 64,
  parameter int unsigned TmWarps = 4,
  parameter int unsigned Hash    = 8,
  parameter int unsigned HashW   = hd_pkg::idx_w(Hash),     // derived: leave as is
  parameter int unsigned LaneW   = hd_pkg::idx_w(Lanes),    // derived
  parameter int unsigned WfW     = hd_pkg::idx_w(TmWarps)   // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  input  logic                     look_i,
  input  logic [WfW-1:0]           wf_i,
  input  logic [Banks-1:0]         used_i,
  input  logic [Banks*HashW-1:0]   hash_i,
  input  logic [Banks*LaneW-1:0]   lane_i,
  output logic [Banks-1:0]         other_o,
  output logic [Banks-1:0]         self_o,
  input  logic [TmWarps*Lanes-1:0] clear_i
);
  localparam int unsigned Cols = TmWarps * Lanes;
  localparam int unsigned ColW = hd_pkg::idx_w(Cols);

  if (Hash == 0 || (Hash & (Hash - 1)) != 0) begin : g_bad
    $error("hd_tm_signatures: Hash must be a power of two");
  end

  logic clear;
  assign clear = |clear_i;

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    logic [Cols-1:0]  filter_q [0:Hash-1];
    logic [Cols-1:0]  row, own;
    logic [HashW-1:0] hash;
    logic [ColW-1:0]  col;

    assign hash = hash_i[b*HashW +: HashW];
    always_comb begin
      col        = '0;
      row        = '0;
      own        = '0;
      other_o[b] = 1'b0;
      self_o[b]  = 1'b0;
      if (look_i && used_i[b]) begin
        col        = ColW'(32'(wf_i) * Lanes + 32'(lane_i[b*LaneW +: LaneW]));
        row        = filter_q[hash];
        own        = Cols'(1) << col;
        other_o[b] = (row & ~own) != '0;
        self_o[b]  = (row & own) != '0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        for (int unsigned h = 0; h < Hash; h++) filter_q[h] <= '0;
      end else if (clear) begin
        for (int unsigned h = 0; h < Hash; h++) filter_q[h] <= filter_q[h] & ~clear_i;
      end else if (look_i && used_i[b] && !other_o[b]) begin
        filter_q[hash] <= row | own;
      end
    end
  end

  `HD_ASSERT(a_one_at_a_time, !(look_i && clear))
endmodule
`default_nettype wire
