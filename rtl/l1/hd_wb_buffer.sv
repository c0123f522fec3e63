// hd_wb_buffer.sv - registered words of evicted lines, until the L2 has acknowledged them.
//
// Paper 3; docs/protocol_denovo.md: a forward that meets its own writeback finds the words here.
// look   combinational: line_i is in the buffer (hit_o): its entry and words, idx_o, words_o.
// put    put_i (only with room_o, not of a line that is in it): put_line_i, put_words_i take entry
//        put_idx_o; their data are put_data_i in the next cycle.
// read   rd_idx_i: data_o, combinational, from two cycles after put_i on.
// free   free_i: the writeback of entry free_idx_i is acknowledged.
// Parameters: Entries; LineWords, WordW; LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_wb_buffer #(
  parameter int unsigned Entries = 4,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned LineW = 26,
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)  // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [LineW-1:0]           line_i,
  output logic                       hit_o,
  output logic [IdxW-1:0]            idx_o,
  output logic [LineWords-1:0]       words_o,
  output logic                       room_o,
  input  logic                       put_i,
  output logic [IdxW-1:0]            put_idx_o,
  input  logic [LineW-1:0]           put_line_i,
  input  logic [LineWords-1:0]       put_words_i,
  input  logic [LineWords*WordW-1:0] put_data_i,
  input  logic [IdxW-1:0]            rd_idx_i,
  output logic [LineWords*WordW-1:0] data_o,
  input  logic                       free_i,
  input  logic [IdxW-1:0]            free_idx_i,
  output logic                       empty_o
);
  logic [Entries-1:0]   valid_q;
  logic [LineW-1:0]     line_q [0:Entries-1];
  logic [LineWords-1:0] words_q [0:Entries-1];
  logic [IdxW-1:0]      put_idx_q;
  logic                 put_q;

  always_comb begin
    hit_o     = 1'b0;
    idx_o     = '0;
    put_idx_o = '0;
    for (int i = Entries - 1; i >= 0; i--) begin
      if (!valid_q[i]) put_idx_o = IdxW'(i);
      if (valid_q[i] && line_q[i] == line_i) begin
        hit_o = 1'b1;
        idx_o = IdxW'(i);
      end
    end
  end
  assign words_o = hit_o ? words_q[idx_o] : '0;
  assign room_o  = valid_q != '1;
  assign empty_o = valid_q == '0;

  hd_regfile #(
    .Width(LineWords * WordW),
    .Depth(Entries)
  ) u_data (
    .clk_i(clk_i),
    .we_i(put_q),
    .waddr_i(put_idx_q),
    .wmask_i(1'b1),
    .wdata_i(put_data_i),
    .raddr_i(rd_idx_i),
    .rdata_o(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= '0;
      put_q   <= 1'b0;
    end else begin
      put_q <= put_i;
      if (free_i) valid_q[free_idx_i] <= 1'b0;
      if (put_i) valid_q[put_idx_o] <= 1'b1;
    end
    if (put_i) begin
      put_idx_q          <= put_idx_o;
      line_q[put_idx_o]  <= put_line_i;
      words_q[put_idx_o] <= put_words_i;
    end
  end

  `HD_ASSERT(a_room, !put_i || room_o)
  `HD_ASSERT(a_once, !put_i || !hit_o || put_line_i != line_i)
  `HD_ASSERT(a_acknowledged_once, !free_i || valid_q[free_idx_i])
endmodule
`default_nettype wire
