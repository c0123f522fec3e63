# area_words.awk - takes out the words that memory_map adds to an array whose size is no power of two: nobody can read
# them, yet they would stay as flip-flops. Usage: awk -v top=hd_x -f area_words.awk x.pre.il x.il
FNR == 1 { file++ }
$1 == "module" { here = substr($2, 2) == top }
file == 1 {
  if (here && $1 == "memory") {
    size = 1
    for (i = 2; i < NF; i++) if ($i == "size") size = $(i + 1)
    words[$NF] = size
  }
  next
}
# An attribute belongs to what follows it.
here && ($1 == "attribute" || ($1 == "cell" && $2 ~ /^\$(s|a|al)?dff/)) && !in_cell {
  held = held $0 "\n"
  in_cell = $1 == "cell"
  next
}
in_cell {
  held = held $0 "\n"
  if ($1 == "connect" && $2 == "\\Q" && match($3, /\[[0-9]+\]$/)) {
    name = substr($3, 1, RSTART - 1)
    if ((name in words) && substr($3, RSTART + 1, RLENGTH - 2) + 0 >= words[name]) beyond = 1
  }
  if ($1 == "end") { if (!beyond) printf "%s", held; held = ""; in_cell = beyond = 0 }
  next
}
{ printf "%s%s\n", held, $0; held = "" }
