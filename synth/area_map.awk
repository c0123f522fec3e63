# area_map.awk - a mapped module in cells and areas, and what has become of each register that was declared.
# Usage: awk -v top=hd_x -f area_map.awk cells.lib x.pre.il x.map.il; prints
#   cells NAME COUNT AREA      standard cells; AREA in um2, of all of them
#   flops COUNT
#   bits DECLARED KEPT SHARED CONSTANT UNUSED
#                              register bits of the elaborated module: those that are a flip-flop of their own, share
#                              that of another bit that always has the same value, always have one value, or reach no
#                              output
#   short NAME BITS CONSTANT UNUSED
#                              a register (an array: all its words) of which some bits are not flip-flops
#   gone NAME BITS WORD constant|unused
#                              one of which no bit is (one bit: unless its value is constant); WORD: bits of a word
#   lost INSTANCE              an instance that is there no more
FNR == 1 { file++ }
file == 1 && /^[ \t]*cell[ \t]*\(/ { lib = $0; gsub(/.*\([ "]*|[ "]*\).*/, "", lib); next }
file == 1 && /^[ \t]*area[ \t]*:/ { a = $0; gsub(/.*:[ \t]*|;.*/, "", a); area_of[lib] = a + 0; next }
file == 1 && /^[ \t]*(ff|latch)[ \t]*\(/ { is_flop[lib] = 1; next }
file == 1 { next }

$1 == "module" { here = substr($2, 2) == top; next }
!here { next }
$1 == "wire" {
  width = 1
  for (i = 2; i < NF; i++) if ($i == "width") width = $(i + 1)
  width_of[$NF] = width
  next
}
$1 == "memory" && file == 2 && $NF ~ /^\\/ { # not a table that Yosys makes of a case
  width = size = 1
  for (i = 2; i < NF; i++) {
    if ($i == "width") width = $(i + 1)
    if ($i == "size") size = $(i + 1)
  }
  mem[$NF] = width * size
  word[$NF] = width
  next
}
$1 == "cell" { type = $2; name = $3; in_cell = 1
  if (type ~ /^\\hd_/) { if (file == 2) instance[name] = 1; else delete instance[name] }
  else if (file == 3) { used[substr(type, 2)]++; if (is_flop[substr(type, 2)]) flops++ }
  next
}
in_cell && $1 == "end" { in_cell = 0; next }
in_cell && $1 == "connect" {
  if (file == 2 && $2 == "\\Q" && type ~ /^\$(a|s|al)?dff/) {
    split_bits(rest(3))
    for (i = 1; i <= n; i++) if (is_register(bit[i])) reg[++regs] = bit[i]
  }
  if (file == 3 && $2 == "\\Q" && is_flop[substr(type, 2)]) { split_bits(rest(3)); flop[++outs] = bit[1] }
  next
}
!in_cell && $1 == "connect" && file == 3 { alias[++aliases] = rest(2); next }

# Yosys makes registers of its own (for loop counters, function results, write ports, variables of a named block), none of which
# is meant to stay. What has a dot is in a block: of a generate loop it is a register if it ends in _q, as all do.
function is_register(b) {
  return b ~ /^\\/ && b !~ /\$func\$|\$fordecl_block\$/ && (b !~ /\./ || b ~ /_q(\[[0-9]+\])*( [0-9]+)?$/)
}
# Fields k and on.
function rest(k,   i, text) {
  text = $k
  for (i = k + 1; i <= NF; i++) text = text " " $i
  return text
}
# Puts the bits of a signal into bit[1..n], least first: "NAME INDEX", or "0", "1", "x" for constants.
function split_bits(text,   w, i, k, parts, lo, hi, c, stack, tops, from) {
  n = 0
  parts = split(text, w, " ")
  # A concatenation names its highest part first: parts are taken from the end.
  for (i = parts; i >= 1; i--) {
    if (w[i] == "{" || w[i] == "}") continue
    lo = -1
    if (w[i] ~ /^\[[0-9:]+\]$/) {
      c = substr(w[i], 2, length(w[i]) - 2)
      hi = c + 0; lo = c; sub(/.*:/, "", lo); lo += 0
      i--
    }
    if (w[i] ~ /^[0-9]+'/) {
      c = w[i]; sub(/.*'/, "", c)
      for (k = length(c); k >= 1; k--) bit[++n] = substr(c, k, 1)
    } else if (w[i] ~ /^-?[0-9]+$/) {
      c = w[i]
      for (k = 0; k < 32; k++) { bit[++n] = c % 2 ? "1" : "0"; c = int(c / 2) }
    } else {
      if (lo < 0) { lo = 0; hi = width_of[w[i]] - 1 }
      for (k = lo; k <= hi; k++) bit[++n] = w[i] " " k
    }
  }
}
function find(b) {
  while (b in up) b = up[b]
  return b
}
END {
  for (c in used) if (!(c in area_of)) { print "ERROR: cell " c " is not of the library: the module is not mapped"; exit 1 }
  for (i = 1; i <= aliases; i++) pair(alias[i])
  for (i = 1; i <= outs; i++) owner[find(flop[i])] = 1
  for (i = 1; i <= regs; i++) {
    b = find(reg[i])
    name = reg[i]; sub(/ .*/, "", name); sub(/(\[[0-9]+\])+$/, "", name)
    declared[name]++
    if (b in owner) {
      survivors[name]++
      if (owner[b]++ == 1) kept++; else shared++
    } else if (b == "0" || b == "1" || b == "x") { constant++; fixed[name]++ }
    else unused++
  }
  # Words of arrays have the array's name and an index.
  for (i = 1; i <= outs; i++) {
    name = flop[i]; sub(/ .*/, "", name); sub(/\[[0-9]+\]$/, "", name)
    if ((name in mem) && !(flop[i] in counted)) { counted[flop[i]] = 1; survivors[name]++; kept++ }
  }
  total = regs
  for (name in mem) { total += mem[name]; declared[name] += mem[name]; unused += mem[name] - survivors[name] }
  for (c in used) printf "cells %s %d %.0f\n", c, used[c], used[c] * area_of[c] | "LC_ALL=C sort"
  close("LC_ALL=C sort")
  printf "flops %d\n", flops
  printf "bits %d %d %d %d %d\n", total, kept, shared, constant, unused
  for (name in declared) {
    lost = declared[name] - survivors[name]
    if (!survivors[name] && (declared[name] > 1 || !fixed[name])) {
      why = fixed[name] == declared[name] ? "constant" : "unused"
      print "gone", substr(name, 2), declared[name], (name in word) ? word[name] : declared[name], why | "LC_ALL=C sort"
    } else if (lost > 0)
      print "short", substr(name, 2), declared[name], fixed[name] + 0, lost - fixed[name] | "LC_ALL=C sort"
  }
  close("LC_ALL=C sort")
  for (name in instance) print "lost " substr(name, 2)
}
# Bits that a connection ties together.
function pair(text,   w, parts, i, depth, cut, k, m, left_bit, a, b) {
  # The left side ends where its braces close, or behind the name and its index.
  parts = split(text, w, " ")
  cut = 1
  if (w[1] == "{") { while (w[cut] != "}") cut++ }
  else if (w[2] ~ /^\[[0-9:]+\]$/) cut = 2
  k = ""
  for (i = 1; i <= cut; i++) k = k " " w[i]
  split_bits(k)
  m = n
  for (i = 1; i <= m; i++) left_bit[i] = bit[i]
  k = ""
  for (i = cut + 1; i <= parts; i++) k = k " " w[i]
  split_bits(k)
  for (i = 1; i <= m; i++) {
    a = find(left_bit[i]); b = find(bit[i])
    if (a == b) continue
    if (a ~ /^[01x]$/) up[b] = a
    else up[a] = b
  }
}
