# area_count.awk - adds up the cells of a synthesized RTLIL file through its hierarchy and prints one table row.
# Usage: awk -v top=hd_x -f area_count.awk x.il
# FIELDS of a total: 1 logic cells, 2 flip-flops, 3 SRAM bits, 4 SRAMs, 5 register file bits, 6 register files
$1 == "module" { module = $2; next }
$1 == "attribute" && $2 ~ /blackbox/ { next }
$1 == "parameter" && !in_cell { default_of[module, $2] = $3; next } # of a black box
$1 == "wire" {
  width = 1; port = 0
  for (i = 2; i <= NF; i++) {
    if ($i == "width") width = $(i + 1)
    if ($i == "input" || $i == "output" || $i == "inout") port = 1
  }
  if (port) ports[module] += width
  next
}
$1 == "cell" {
  in_cell = 1; type = $2; delete given
  if (type ~ /^\$_.*(DFF|LATCH|SR_)/) own[module, 2]++
  else if (type ~ /^\$_/) own[module, 1]++
  next
}
in_cell && $1 == "parameter" { given[$2] = $3; next }
in_cell && $1 == "end" {
  in_cell = 0
  if (type ~ /^\\hd_(sram_1r1w|sram_1rw|regfile)$/) {
    bits = number(get("\\Width")) * number(get("\\Depth")); f = type == "\\hd_regfile" ? 5 : 3
    own[module, f] += bits; own[module, f + 1]++
  } else if (type !~ /^\$_/) {
    k = ++children[module]; child[module, k] = type
  }
  next
}
function get(name) { return (name in given) ? given[name] : default_of[type, name] }
function number(text,   i, v) { # decimal, or 32'0101
  if (text !~ /'/) return text + 0
  sub(/.*'/, "", text)
  for (i = 1; i <= length(text); i++) v = 2 * v + substr(text, i, 1)
  return v
}
function total(m, f,   k, sum) {
  if ((m, f) in known) return known[m, f]
  sum = own[m, f] + 0
  for (k = 1; k <= children[m]; k++) sum += total(child[m, k], f)
  return known[m, f] = sum
}
END {
  t = "\\" top
  printf "| `%s` |", top
  for (f = 1; f <= 6; f++) printf " %d |", total(t, f)
  printf " %d |\n", ports[t]
}
