# area_link.awk - a mapped netlist as OpenSTA is to read it: named after its ID, as are those below it.
# Usage: awk -v id=ID -v rams=FILE -f area_link.awk x.elab x.buf.v. A flip-flop is named after the net it drives.
# Memories become cells KIND_WIDTH_DEPTH_GRAN[_BANKS], listed in FILE with their shapes.
function called(id) { gsub(/[,=]/, "_", id); return id }
FNR == 1 { file++ }
file == 1 && $1 == "child" { is[$3] = called($2); next }
file == 1 && $1 == "memory" {
  is[$7] = $2 "_" $3 "_" $4 "_" $5 ($6 > 1 ? "_" $6 : "")
  if (!listed[is[$7]]++) print is[$7], $2, $3, $4, $5, $6 >rams
  next
}
file == 1 { next }
$1 == "module" { sub(/module top/, "module " called(id)); print; next }
$1 ~ /^hd_/ && NF >= 2 { # type and instance, parameters between them
  if ($2 == "#(") { while ((getline line) > 0 && line !~ /^ *\) /); sub(/^ *\) /, "", line) }
  else { line = $0; sub(/^ *[^ ]* /, "", line) }
  key = line; sub(/^\\/, "", key); sub(/ *\($/, "", key); sub(/ $/, "", key)
  print "  " is[key] " " line
  next
}
$1 ~ /^DFF/ { # buffered up to its Q
  head = $0; body = ""
  while ((getline line) > 0) {
    if (line ~ /^ *\.Q\(/) { q = line; sub(/^ *\.Q\(/, "", q); sub(/\),?$/, "", q) }
    body = body "\n" line
    if (line ~ /^ *\);/) break
  }
  gsub(/[\\ ]/, "", q)
  if (q !~ /^_[0-9]+_$/ && !taken[q]++) sub(/_[0-9]+_ \($/, "\\" q "~ff (", head)
  print head body
  next
}
$1 ~ /^(wire|input|output|reg)$/ {
  line = $0; sub(/^ *[a-z]+ */, "", line); sub(/ *;$/, "", line)
  w = 1
  if (match(line, /^\[[0-9]+:[0-9]+\] */)) { w = substr(line, 2) + 1; line = substr(line, RLENGTH + 1) }
  width_of[line] = w
  print
  next
}
# OpenSTA takes no concatenation on the left: one assignment for each part.
$1 == "assign" && $2 == "{" {
  line = $0; sub(/^ *assign */, "", line); sub(/;$/, "", line)
  cut = index(line, "} = ")
  left = substr(line, 2, cut - 2); right = substr(line, cut + 4)
  sub(/^ *\{/, "", right); sub(/\} *$/, "", right)
  n = expand(right)
  parts = split(left, part, /, /)
  at = 0
  for (i = 1; i <= parts; i++) {
    gsub(/^ *| *$/, "", part[i])
    wide = measure(part[i])
    text = ""
    for (k = 1; k <= wide; k++) text = text (k > 1 ? ", " : "") bit[at + k]
    at += wide
    print "  assign " part[i] " = " (wide > 1 ? "{ " text " }" : text) ";"
  }
  next
}
{ print }
# Width of a part of a concatenation: a name, with an index or a range, or a constant.
function measure(p,   r) {
  if (p ~ /^[0-9]+'/) return p + 0
  if (match(p, /\[[0-9]+:[0-9]+\]$/)) {
    r = substr(p, RSTART + 1, RLENGTH - 2)
    return r + 0 - substr(r, index(r, ":") + 1) + 1
  }
  if (p ~ /[^ ]\[[0-9]+\]$/ && !(p in width_of)) return 1
  if (p ~ / \[[0-9]+\]$/) return 1
  return p in width_of ? width_of[p] : 1
}
# Bits of a concatenation, first to last, into bit[]. @return how many
function expand(text,   p, q, i, k, n, hi, lo, r, base, value, digit) {
  p = split(text, q, /, /)
  n = 0
  for (i = 1; i <= p; i++) {
    gsub(/^ *| *$/, "", q[i])
    k = measure(q[i])
    if (q[i] ~ /^[0-9]+'h/) {
      value = q[i]; sub(/.*'h/, "", value)
      for (hi = k - 1; hi >= 0; hi--) {
        digit = length(value) - int(hi / 4)
        r = digit < 1 ? 0 : index("0123456789abcdef", tolower(substr(value, digit, 1))) - 1
        bit[++n] = "1'b" int(r / 2 ^ (hi % 4)) % 2
      }
    } else if (q[i] ~ /^[0-9]+'b/) {
      value = q[i]; sub(/.*'b/, "", value)
      for (hi = 1; hi <= k; hi++) bit[++n] = "1'b" (substr(value, hi, 1) == "1" ? 1 : 0)
    } else if (match(q[i], /\[[0-9]+:[0-9]+\]$/)) {
      base = substr(q[i], 1, RSTART - 1); r = substr(q[i], RSTART + 1, RLENGTH - 2)
      lo = substr(r, index(r, ":") + 1) + 0
      for (hi = r + 0; hi >= lo; hi--) bit[++n] = base "[" hi "]"
    } else if (k == 1) bit[++n] = q[i]
    else for (hi = k - 1; hi >= 0; hi--) bit[++n] = q[i] (q[i] ~ /^\\/ ? " " : "") "[" hi "]"
  }
  return n
}
