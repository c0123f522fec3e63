#!/bin/sh
# ghosts.sh - ghosts cost a machine without them nothing: in the netlist of each tile with GhostW=0 nothing is named
# after a ghost, a word has 32 bits at every port, and each flip-flop vector and memory is that of GhostW=32 without the
# 32 ghost bits of each word it holds.
. tests/system/lib.sh
. tb/model/malloc.sh
current

# state OUT TOP Param=Value...: a line "name bits words" for each register and each memory, as written, and each port
state() {
  out=$1 top=$2
  shift 2
  params=""
  for p in "$@"; do params="$params -chparam ${p%%=*} ${p#*=}"; done
  # shellcheck disable=SC2046
  files=$(awk -v top="$top" -f tb/model/rtlfiles.awk $(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*' | LC_ALL=C sort))
  with_jemalloc yosys -q -p "read_verilog -sv -Irtl/pkg rtl/pkg/hd_pkg.sv; read_verilog -sv -defer -Irtl/pkg $(echo $files)
    hierarchy -check -top $top$params; proc; flatten; rename -top tile; write_rtlil $tmp/net.il" || return 1
  awk '
    function name_of(s) { gsub(/^[\\"]*|"$/, "", s); return s }
    $1 == "memory" { w = 1; n = 1; for (i = 2; i < NF; i++) { if ($i == "width") w = $(i + 1); if ($i == "size") n = $(i + 1) }
      print name_of($NF), w, n }
    $1 == "wire" { w = 1; io = 0; for (i = 2; i < NF; i++) { if ($i == "width") w = $(i + 1); io += $i == "input" || $i == "output" }
      if (io) print "port." name_of($NF), w, 1 }
    $1 == "cell" { type = $2 }
    $1 == "parameter" && $2 == "\\WIDTH" { width = $3 }
    $1 == "connect" && $2 == "\\Q" && type ~ /dff/ { print name_of($3) ($4 == "" ? "" : $4), width, 1 }' "$tmp/net.il" |
    grep -v "[$]" | LC_ALL=C sort >"$out" # names with $ are temporaries of the reader
  [ -s "$out" ]
}

# without_ghosts PLAIN GHOSTS: the rules above; prints the sums
without_ghosts() {
  awk '
    FNR == NR { if (tolower($1) ~ /ghost/) { print "named after a ghost: " $1; bad = 1 } plain[$1] = $2; size[$1] = $3; bits += $2 * $3; next }
    { all += $2 * $3 }
    $1 in plain {
      more = $2 - plain[$1]
      if ($3 != size[$1] || more < 0 || more % 32 || more > plain[$1]) { print $1 ": " plain[$1] " bits, with ghosts " $2; bad = 1 }
      words += more > 0
      delete plain[$1]
      next
    }
    { extra[$1] = $2 }
    END {
      for (name in plain) { print name ": only without ghosts"; bad = 1 }
      for (name in extra) { print name ": only with ghosts"; n++ }
      if (!words) { print "no difference: nothing was compared"; bad = 1 }
      printf "%d state and port bits, with ghosts %d; %d vectors hold words\n", bits, all, words
      exit bad
    }' "$1" "$2"
}

# ports FILE WORDS NAME...: each port has 32 bits a word
ports() {
  file=$1
  shift
  for p in "$@"; do
    grep -q "^port.${p%:*} $((${p#*:} * 32)) 1\$" "$file" || { echo "port ${p%:*} is not ${p#*:} words of 32 bits"; return 1; }
  done
}

fails() {
  ! "$@"
}

sm="hd_sm_tile Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 MshrEntries=3 MshrTargets=5 StoreData=3 CasData=2
  MergeLanes=6 L1Sets=2 L1Ways=2 LdsRows=3 WbEntries=2 PartBits=1 RxDepth=3 TxCredits=3 ClkRatio=2"
l2="hd_l2_tile Sms=3 LineWords=8 L2Sets=2 L2Ways=2 L2Mshr=4 PartBits=1 RxDepth=8 TxCredits=8 MemCredits=2"
# $sm and $l2 are lists of words
check "SM tile" state "$tmp/sm0" $sm GhostW=0
check "SM tile, ghosts" state "$tmp/sm32" $sm GhostW=32
check "SM tile: nothing of a ghost" without_ghosts "$tmp/sm0" "$tmp/sm32"
check "SM tile: ports" ports "$tmp/sm0" op_data_i:4 cpl_data_o:4 up_flit_o:8 dn_flit_i:8
check "L2 tile" state "$tmp/l20" $l2 GhostW=0
check "L2 tile, ghosts" state "$tmp/l232" $l2 GhostW=32
check "L2 tile: nothing of a ghost" without_ghosts "$tmp/l20" "$tmp/l232"
check "L2 tile: ports" ports "$tmp/l20" up_flit_i:8 dn_flit_o:8 mreq_data_o:8 mrsp_data_i:8
# It would see one: a register of the tile with ghosts in that without.
sed "s/^[a-z_.]*u_down.*mem_q 256 /u_down.ghost_q 512 /" "$tmp/sm0" >"$tmp/planted"
check "a planted ghost is seen" sh -c "! cmp -s '$tmp/sm0' '$tmp/planted'"
check "a planted ghost fails" fails without_ghosts "$tmp/planted" "$tmp/sm32"
finish
