// hd_amo_alu.sv - the new value of one word under an atomic function (hd_pkg::atomic_e).
//
// Combinational: old_i the word, b_i the lane's operand, cmp_i the compare value of CAS -> new_o.
// inc and dec wrap as in CUDA: inc gives 0 when old >= b, dec gives b when old is 0 or above b.
`default_nettype none
module hd_amo_alu (
  input  logic [3:0]  fn_i,   // hd_pkg::atomic_e
  input  logic [31:0] old_i,
  input  logic [31:0] b_i,
  input  logic [31:0] cmp_i,
  output logic [31:0] new_o
);
  assign new_o = hd_pkg::amo(fn_i, old_i, b_i, cmp_i);
endmodule
`default_nettype wire
