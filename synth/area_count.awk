# area_count.awk - what an elaborated module (RTLIL, children as black boxes) is made of.
# Usage: awk -v top=hd_x -f area_count.awk x.il; prints
#   ports BITS
#   memory KIND WIDTH DEPTH GRAN BANKS INSTANCE   for each memory of hd_sram.sv
#   child MODULE[,Param=value...] INSTANCE        for each other instance: parameters that differ from the default
$1 == "module" { module = substr($2, 2); next }
$1 == "parameter" && !in_cell { # of a black box: name and default
  k = ++num_params[module]; param[module, k] = $(NF - 1); default_of[module, $(NF - 1)] = number($NF); next
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
$1 == "cell" && $2 ~ /^\\/ {
  in_cell = 1; cells++; type[cells] = substr($2, 2)
  name = $3; sub(/^\\/, "", name); instance[cells] = name
  next
}
in_cell && $1 == "parameter" { given[cells, $(NF - 1)] = number($NF); next }
in_cell && $1 == "end" { in_cell = 0; next }
function number(text,   i, v) { # decimal, or 32'0101
  if (text !~ /'/) return text + 0
  sub(/.*'/, "", text)
  for (i = 1; i <= length(text); i++) v = 2 * v + substr(text, i, 1)
  return v + 0
}
function value(c, p) { return (c, p) in given ? given[c, p] : default_of[type[c], p] }
END { # only here are the defaults of every black box known
  print "ports " ports + 0
  for (c = 1; c <= cells; c++) {
    t = type[c]
    if (t ~ /^hd_(sram_1r1w|sram_1rw|sram_banks|regfile)$/) {
      width = value(c, "\\Width")
      gran = t == "hd_sram_banks" ? width : ((c, "\\Gran") in given ? given[c, "\\Gran"] : width)
      banks = t == "hd_sram_banks" ? value(c, "\\Banks") : 1
      print "memory", t, width, value(c, "\\Depth"), gran, banks, instance[c]
      continue
    }
    id = t
    for (k = 1; k <= num_params[t]; k++)
      if (value(c, param[t, k]) != default_of[t, param[t, k]])
        id = id "," substr(param[t, k], 2) "=" value(c, param[t, k])
    print "child " id " " instance[c]
  }
}
