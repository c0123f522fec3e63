# area_buffer.awk - buffers what abc leaves: nets of flip-flops, inputs and children with more than 16 loads get trees
# of BUFX4.
# Usage: awk -v counts=FILE -f area_buffer.awk x.v x.v >out.v; FILE gets the line "cells BUFX4 COUNT AREA".
FNR == 1 { file++ }
# One gate a block of lines: TYPE NAME ( / .PIN(NET), / );
$1 ~ /^[A-Z][A-Z0-9]*X[0-9]$|^DFF/ && $NF == "(" { gate = 1; if (file == 2) print; next }
gate && /^ *\);/ { gate = 0; if (file == 2) print; next }
gate {
  pin = $1; sub(/^\./, "", pin); sub(/\(.*/, "", pin)
  net = $0; sub(/^ *\.[A-Z0-9]+\(/, "", net); sub(/\),?$/, "", net)
  if (file == 1) {
    if (pin == "Y" || pin == "YC" || pin == "YS") by_gate[net] = 1
    else if (pin != "Q" && pin != "CLK" && net !~ /[{']/) loads[net]++
    next
  }
  if (pin != "Y" && pin != "Q" && pin != "CLK" && pin != "YC" && pin != "YS" && loads[net] > 16 && !(net in by_gate)) {
    name = leaf(net)
    $0 = substr($0, 1, index($0, "(")) name ($0 ~ /,$/ ? ")," : ")")
  }
  print
  next
}
file == 2 && /^endmodule/ {
  for (i = 1; i <= trees; i++) {
    net = tree[i]
    count = int((loads[net] + 15) / 16)
    for (level = 0; count > 0; level++) {
      above = int((count + 15) / 16)
      for (k = 0; k < count; k++)
        buffer(count <= 16 ? net : wire(i, level + 1, int(k / 16)), wire(i, level, k))
      if (count <= 16) break
      count = above
    }
  }
  print "cells BUFX4", buffers + 0, 32 * buffers >counts
}
file == 2 { print }
function wire(i, level, k) { return "fan_" i "_" level "_" k "_" }
function buffer(from, to) {
  buffers++
  print "  wire " to ";\n  BUFX4 b" to " (\n    .A(" from "),\n    .Y(" to ")\n  );"
}
function leaf(net) {
  if (!(net in number)) { tree[++trees] = net; number[net] = trees }
  used[net]++
  return wire(number[net], 0, int((used[net] - 1) / 16))
}
