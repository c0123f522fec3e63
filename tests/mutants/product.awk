# product.awk - from the ports of module `gold` in an RTLIL file a module miter that holds the original (gold) and the
# netlist with mutants (gate) and asserts that nobody can tell them apart.
# Usage: awk -f product.awk GOLD.il
#
# Both get the same inputs: reset in the first cycle, anything afterwards, further resets too. Outside reset every
# output must be equal, with one exception: the payload of an output valid is compared only while it is high.
# Payload of P_valid_o is every output P_*_o but P_ready*, P_claim* and P_credit*; of a plain valid_o:
# data_o, flit_o, head_o, tail_o, vn_o.
# Ports with a dot in their name are those of a module inside that was cut out (Yosys: expose -evert): what it gets
# must be equal in every cycle, then it does the same in both.
# sel_q selects the mutant. Its input is free here; the caller makes it a constant in the AIGER file.
/^module / { inside = ($2 == "\\gold") }
inside && /^  wire .*(input|output) [0-9]+ / {
  name = substr($NF, 2)
  port[++n] = name
  width[name] = 1
  for (i = 2; i < NF; i++) {
    if ($i == "width") width[name] = $(i + 1)
    if ($i == "output") out[name] = 1
  }
}
function valid_of(name,    stem) {
  if (name ~ /^(data|flit|head|tail|vn)_o$/ && ("valid_o" in out)) return "valid_o"
  for (stem = name; sub(/_[a-z0-9]*$/, "", stem) && stem != "";)
    if ((stem "_valid_o") in out && name != stem "_valid_o" && name !~ ("^" stem "_(ready|claim|credit)"))
      return stem "_valid_o"
  return ""
}
END {
  printf "module miter (input clk_i"
  for (i = 1; i <= n; i++) {
    number[port[i]] = i
    if (!(port[i] in out) && port[i] != "clk_i") printf ", input [%d:0] in%d", width[port[i]] - 1, i
  }
  print ", input [15:0] sel_i);"
  print "  (* keep *) reg [15:0] sel_q;\n  always @(posedge clk_i) sel_q <= sel_i;"
  for (side = 1; side <= 2; side++) {
    name = side == 1 ? "gold" : "gate"
    for (i = 1; i <= n; i++) if (port[i] in out) printf "  wire [%d:0] %s%d;\n", width[port[i]] - 1, name, i
    printf "  %s u_%s (", name, name
    for (i = 1; i <= n; i++)
      printf("%s.\\%s (%s)", (i > 1 ? ", " : ""), port[i],
             (port[i] in out ? name i : port[i] == "clk_i" ? "clk_i" : "in" i))
    print (side == 2 ? ", .mutsel(sel_q));" : ");")
  }
  rst = ("rst_i" in number) ? "in" number["rst_i"] : ""
  if (rst != "") {
    print "  reg past = 1'b0;\n  always @(posedge clk_i) past <= 1'b1;"
    print "  always @* assume (past || " rst ");"
  }
  for (i = 1; i <= n; i++)
    if (port[i] in out) {
      v = index(port[i], ".") ? "" : valid_of(port[i])
      term = "(" (v == "" ? "" : "!gold" number[v] " || ") "gold" i " == gate" i ")"
      if (index(port[i], ".")) inner = inner "\n    && " term
      else outer = outer "\n    && " term
    }
  print "  wire outer = 1'b1" outer ";\n  wire inner = 1'b1" inner ";"
  print "  always @* assert (inner && (outer" (rst == "" ? "" : " || !past || " rst) "));\nendmodule"
}
