# area_link.awk - joins the netlists of a module and of all below it (area.sh) for OpenSTA, and names what STA is to name.
# Usage: awk -v rams=FILE -f area_link.awk names x.elab x.v y.elab y.v ...
# names: lines "ID NAME"; the first ID is the top. Each netlist's module `top` gets its ID's name, children as well;
# a flip-flop is named after the net it drives. Memories become cells KIND_WIDTH_DEPTH_GRAN[_BANKS], listed in FILE.
FNR == 1 { file++ }
file == 1 { name_of[$1] = $2; order[++ids] = $1; next }
FNR == 1 && file % 2 == 0 { for (k in is) delete is[k]; current = order[file / 2] }
file % 2 == 0 && $1 == "child" { is[$3] = name_of[$2]; next }
file % 2 == 0 && $1 == "memory" {
  is[$7] = $2 "_" $3 "_" $4 "_" $5 ($6 > 1 ? "_" $6 : "")
  if (!listed[is[$7]]++) print is[$7], $2, $3, $4, $5, $6 >rams
  next
}
file % 2 == 0 { next }
$1 == "module" { sub(/module top/, "module " name_of[current]); print; next }
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
  if (q !~ /^_[0-9]+_$/ && !taken[current, q]++) sub(/_[0-9]+_ \($/, "\\" q "~ff (", head)
  print head body
  next
}
{ print }
