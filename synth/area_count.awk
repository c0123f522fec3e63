# area_count.awk - counts the cells of one synthesized module in an RTLIL file.
# Usage: awk -v top=hd_x -f area_count.awk x.il; prints
#   own LOGIC_CELLS FLIP_FLOPS PORT_BITS
#   memory MODULE BITS             for each memory of hd_sram.sv
#   child MODULE[,Param=value...]  for each other instance: parameters that differ from the default
$1 == "module" { module = substr($2, 2); next }
$1 == "parameter" && !in_cell { # of a black box: name and default
  k = ++num_params[module]; param[module, k] = $2; default_of[module, $2] = number($3); next
}
$1 == "wire" && module == top {
  width = 1; port = 0
  for (i = 2; i <= NF; i++) {
    if ($i == "width") width = $(i + 1)
    if ($i == "input" || $i == "output") port = 1
  }
  if (port) ports += width
  next
}
$1 == "cell" && $2 ~ /^\$_/ { if ($2 ~ /(DFF|LATCH|SR_)/) flops++; else logic++; next }
$1 == "cell" { in_cell = 1; cells++; type[cells] = substr($2, 2); next }
in_cell && $1 == "parameter" { given[cells, $2] = number($NF); next }
in_cell && $1 == "end" { in_cell = 0; next }
function number(text,   i, v) { # decimal, or 32'0101
  if (text !~ /'/) return text + 0
  sub(/.*'/, "", text)
  for (i = 1; i <= length(text); i++) v = 2 * v + substr(text, i, 1)
  return v + 0
}
function value(c, p) { return (c, p) in given ? given[c, p] : default_of[type[c], p] }
END { # only here are the defaults of every black box known
  printf "own %d %d %d\n", logic, flops, ports
  for (c = 1; c <= cells; c++) {
    t = type[c]
    if (t == "hd_sram_banks") {
      for (k = 0; k < value(c, "\\Banks"); k++) printf "memory hd_sram_1r1w %d\n", value(c, "\\Width") * value(c, "\\Depth")
      continue
    }
    if (t ~ /^hd_(sram_1r1w|sram_1rw|regfile)$/) {
      printf "memory %s %d\n", t, value(c, "\\Width") * value(c, "\\Depth")
      continue
    }
    id = t
    for (k = 1; k <= num_params[t]; k++)
      if (value(c, param[t, k]) != default_of[t, param[t, k]]) id = id "," substr(param[t, k], 2) "=" value(c, param[t, k])
    print "child " id
  }
}
