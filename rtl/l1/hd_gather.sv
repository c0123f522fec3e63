// hd_gather.sv - picks a word of a line for each lane.
//
// Combinational. line_i and one word offset per lane -> words_o in lane order; inactive lanes get
// the word of their offset. en_i = 0 gives zeros (so that an idle stage costs nothing).
// Parameters: Lanes, LineWords, WordW.
`default_nettype none
module hd_gather #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords)  // derived
) (
  input  logic                       en_i,
  input  logic [LineWords*WordW-1:0] line_i,
  input  logic [Lanes*OffW-1:0]      offs_i,
  output logic [Lanes*WordW-1:0]     words_o
);
  always_comb begin
    words_o = '0;
    if (en_i) begin
      for (int i = 0; i < Lanes; i++) begin
        words_o[WordW*i +: WordW] = line_i[WordW*offs_i[OffW*i +: OffW] +: WordW];
      end
    end
  end
endmodule
`default_nettype wire
