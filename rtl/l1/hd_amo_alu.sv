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
  logic less, uless;
  assign less  = $signed(old_i) < $signed(b_i);
  assign uless = old_i < b_i;

  always_comb begin
    unique case (fn_i)
      hd_pkg::AT_ADD:  new_o = old_i + b_i;
      hd_pkg::AT_MIN:  new_o = less ? old_i : b_i;
      hd_pkg::AT_MAX:  new_o = less ? b_i : old_i;
      hd_pkg::AT_AND:  new_o = old_i & b_i;
      hd_pkg::AT_OR:   new_o = old_i | b_i;
      hd_pkg::AT_XOR:  new_o = old_i ^ b_i;
      hd_pkg::AT_EXCH: new_o = b_i;
      hd_pkg::AT_CAS:  new_o = (old_i == cmp_i) ? b_i : old_i;
      hd_pkg::AT_INC:  new_o = uless ? old_i + 32'd1 : 32'd0;
      hd_pkg::AT_DEC:  new_o = (old_i == 32'd0 || old_i > b_i) ? b_i : old_i - 32'd1;
      hd_pkg::AT_UMIN: new_o = uless ? old_i : b_i;
      hd_pkg::AT_UMAX: new_o = uless ? b_i : old_i;
      default:         new_o = old_i;
    endcase
  end
endmodule
`default_nettype wire
