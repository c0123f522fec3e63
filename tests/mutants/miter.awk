# miter.awk - from the port table of a module (<module>_dut.h, see genshim.awk) a module miter that holds the
# original (gold) and the netlist with mutants (gate) and asserts that nobody can tell them apart.
# Usage: awk -f miter.awk <module>_dut.h
#
# Both get the same inputs: reset in the first cycle, anything afterwards, further resets too. Outside reset every
# output must be equal, with one exception: the payload of an output valid is compared only while it is high.
# Payload of P_valid_o is every output P_*_o but P_ready*, P_claim* and P_credit*; of a plain valid_o:
# data_o, flit_o, head_o, tail_o, vn_o.
# sel_q selects the mutant. Its input is free here; the caller makes it a constant in the AIGER file.
/^#define [A-Z0-9_]*_W_[a-z0-9_]* [0-9]+$/ {
  name = $2
  sub(/^[A-Z0-9_]*_W_/, "", name)
  width[name] = $3
}
/^    (const )?uint[0-9]+_t \*[a-z0-9_]+; / {
  name = $0
  sub(/^[^*]*\*/, "", name)
  sub(/;.*/, "", name)
  port[++n] = name
  out[name] = /^    const/
}
function valid_of(name,    stem) {
  if (name ~ /^(data|flit|head|tail|vn)_o$/ && ("valid_o" in out)) return "valid_o"
  for (stem = name; sub(/_[a-z0-9]*$/, "", stem) && stem != "";)
    if ((stem "_valid_o") in out && name != stem "_valid_o" &&
        name !~ ("^" stem "_(ready|claim|credit)"))
      return stem "_valid_o"
  return ""
}
END {
  rst = ("rst_i" in out)
  printf "module miter (input clk_i"
  for (i = 1; i <= n; i++)
    if (!out[port[i]] && port[i] != "clk_i") printf ", input [%d:0] %s", width[port[i]] - 1, port[i]
  print ", input [15:0] sel_i);"
  print "  (* keep *) reg [15:0] sel_q;\n  always @(posedge clk_i) sel_q <= sel_i;"
  for (side = 0; side <= 1; side++) {
    for (i = 1; i <= n; i++)
      if (out[port[i]]) printf "  wire [%d:0] %s_%s;\n", width[port[i]] - 1, side ? "gate" : "gold", port[i]
    printf "  %s u_%s (", side ? "gate" : "gold", side ? "gate" : "gold"
    for (i = 1; i <= n; i++)
      printf("%s.%s(%s%s)", (i > 1 ? ", " : ""), port[i], (out[port[i]] ? (side ? "gate_" : "gold_") : ""), port[i])
    print (side ? ", .mutsel(sel_q));" : ");")
  }
  if (rst) {
    print "  reg past = 1'b0;\n  always @(posedge clk_i) past <= 1'b1;"
    print "  always @* assume (past || rst_i);"
  }
  print "  wire same = 1'b1"
  for (i = 1; i <= n; i++)
    if (out[port[i]]) {
      v = valid_of(port[i])
      printf "    && (%sgold_%s == gate_%s)\n", v == "" ? "" : "!gold_" v " || ", port[i], port[i]
    }
  print "    ;\n  always @* " (rst ? "if (past && !rst_i) " : "") "assert (same);\nendmodule"
}
