# rtlfiles.awk - prints the RTL files that module `top` needs, itself included, one a line, in the order given.
# Usage: awk -v top=hd_x -f rtlfiles.awk FILES      (FILES: every module file)
# A file is needed if a module of it is named, outside comments, in a needed file. Exit 1: nobody declares top.
{ sub(/\/\/.*/, "") }
FNR == 1 { order[++count] = FILENAME }
/^module hd_/ { name = $2; sub(/[^a-z0-9_].*/, "", name); file[name] = FILENAME }
{ line = $0
  while (match(line, /hd_[a-z0-9_]+/)) {
    used[FILENAME] = used[FILENAME] " " substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
  } }
END {
  if (!(top in file)) { print "no RTL file declares module " top > "/dev/stderr"; exit 1 }
  todo[last = 1] = file[top]; need[file[top]] = 1
  for (i = 1; i <= last; i++) {
    n = split(used[todo[i]], names, " ")
    for (k = 1; k <= n; k++)
      if ((names[k] in file) && !(file[names[k]] in need)) {
        need[file[names[k]]] = 1; todo[++last] = file[names[k]]
      }
  }
  for (i = 1; i <= count; i++) if (order[i] in need) print order[i]
}
