#!/bin/sh
# rooms.sh - includes of the C side only go down, by the table of docs/rooms.md, and files of a room include each other
# without a circle. Half of the RTL modules have at most 14 ports. What is planted on purpose is found.
. tests/system/lib.sh

# arrows FOLDER: every include of FOLDER's sw/ and tb/ by its own files, "FILE INCLUDED" with paths from FOLDER
arrows() {
  (cd "$1" && find sw tb -name '*.[ch]') | sort >"$tmp/files"
  (cd "$1" && xargs grep -H '^ *# *include *"' <"$tmp/files" | sed 's/^\([^:]*\): *# *include *"\([^"]*\)".*/\1 \2/') |
    awk -v files="$tmp/files" '
      BEGIN { while ((getline f < files) > 0) there[f] = 1; n = split("sw sw/simt sw/kernels sw/litmus tb tb/model", at, " ") }
      { folder = $1; sub("/[^/]*$", "", folder)
        to = (folder "/" $2) in there ? folder "/" $2 : ""
        for (i = 1; i <= n && to == ""; i++) if ((at[i] "/" $2) in there) to = at[i] "/" $2
        if (to != "") print $1, to
        else if ($2 !~ /^hd_(pkg|keys|revision)\.h$|_dut\.h$/) { print $1 ": no file for " $2 >"/dev/stderr"; bad = 1 } }
      END { exit bad }'
}

# walk ARROWS: says which of them run up; puts the arrows between modules of a room into $tmp/modules
walk() {
  awk -v modules="$tmp/modules" '
    function room(file,   r, best) { # the longest name of the table that the file is in
      for (r in level) if (index(file, r "/") == 1 || index(file, r ".") == 1) if (length(r) > length(best)) best = r
      return best
    }
    function module(file,   m) {
      for (m in whole) if (index(file, m) == 1) return m
      sub("(_parts)?[.][ch]$", "", file)
      return file
    }
    FILENAME == ARGV[1] && /^```/ { table = $0 == "```rooms"; next }
    FILENAME == ARGV[1] { if (table && $1 == "module") whole[$2] = 1
      else if (table) for (i = 2; $i ~ "^(sw|tb)(/|$)"; i++) { level[$i] = $1; line[$i] = NR }
      next }
    { a = room($1); b = room($2)
      if (a == "" || b == "") { print $1 " -> " $2 ": " (a == "" ? $1 : $2) " is in no room"; bad = 1 }
      else if (line[a] != line[b] && level[b] + 0 >= level[a] + 0) { print $1 " -> " $2 " runs up, from " a " to " b; bad = 1 }
      if (module($1) != module($2)) print module($1), module($2) >modules }
    END { exit bad }' docs/rooms.md "$1"
}
down() { # FOLDER
  arrows "$1" >"$tmp/arrows" && walk "$tmp/arrows"
}
no_circle() { # FOLDER
  : >"$tmp/modules"
  arrows "$1" >"$tmp/arrows" && walk "$tmp/arrows" >"$tmp/up"
  tsort "$tmp/modules" 2>&1 >"$tmp/sorted" | sed 's/^tsort: //' >"$tmp/circle"
  [ ! -s "$tmp/circle" ] || { cat "$tmp/circle"; return 1; }
}
# few_ports FOLDER: half of the modules of this rtl folder have at most 14, chips and what has the ports of a tile aside
few_ports() {
  find "$1" -name 'hd_*.sv' ! -path '*/tiles/*' ! -path '*/top/*' ! -path '*/pkg/*' -exec cat {} + | sed 's|//.*||' |
    awk '/^module / { head = 1; n = 0 } head { n += gsub(/(^|[ (,])(input|output) /, "&") } head && /^\);/ { print n; head = 0 }' |
    sort -n | awk '{ n[NR] = $1 } END { m = n[int((NR + 1) / 2)]; print NR " modules, median " m " ports"; exit !(m > 0 && m <= 14) }'
}
more_ports() { # each module has two more
  rm -rf "$tmp/rtl"
  cp -r rtl "$tmp/rtl" && find "$tmp/rtl" -name 'hd_*.sv' -exec sed -i 's|^);|  , input one_i, input two_i\n);|' {} + && ! few_ports "$tmp/rtl"
}
planted() { # FILE INCLUDED: a copy of the sources with one more include
  rm -rf "$tmp/copy"
  mkdir -p "$tmp/copy" && cp -r sw tb "$tmp/copy" && printf '#include "%s"\n' "$2" >>"$tmp/copy/$1"
}
runs_up() { # FILE INCLUDED TEXT
  planted "$1" "$2" && ! down "$tmp/copy" >"$tmp/text" 2>&1 && grep -q "$3" "$tmp/text"
}
circle() { # FILE INCLUDED
  planted "$1" "$2" && ! no_circle "$tmp/copy" >"$tmp/text" 2>&1
}

check "includes go down" down .
check "no circle" no_circle .
check "every room has files" sh -c "sed -n '/^\`\`\`rooms/,/^\`\`\`\$/p' docs/rooms.md | tr ' ' '\n' | grep '^[st][wb]/\|^tb\$' |
  while read -r r; do [ \"\$(ls -d \$r \$r.[ch] \${r}_*.[ch] 2>/dev/null)\" ] || { echo \"\$r\"; exit 1; }; done"
check "half of the modules have at most 14 ports" few_ports rtl

check "planted: the runtime includes an experiment" runs_up sw/simt/simt.h lab/lab.h "sw/simt/simt.h -> sw/lab/lab.h runs up"
check "planted: a checker includes the machine" runs_up tb/check/coherence.c machine.h "runs up, from tb/check to tb"
check "planted: a memory includes a checker" runs_up tb/mem/dram.c check/map.h "runs up, from tb/mem to tb/check"
check "planted: the bench includes an experiment" runs_up sw/bench/bench.c lab/lab.h "runs up, from sw/bench to sw/lab"
check "planted: a report includes a run" runs_up sw/report/files.c run/run.h "runs up, from sw/report to sw/run"
check "planted: a file that is not there" runs_up sw/run/run.c nowhere.h "no file for nowhere.h"
check "planted: two files of a room include each other" circle sw/run/run.h report.h
check "planted: two more ports at each module" more_ports
finish
