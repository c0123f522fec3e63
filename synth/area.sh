#!/bin/sh
# area.sh [-t] [-f] ID... - what modules cost, mapped to standard cells. An ID is a module and, with commas, parameters:
# hd_fifo,Width=32,Depth=8. Prints a record (docs/area.md) for each ID and for every module below it:
#   module ID ; cells NAME COUNT AREA ; bits DECLARED KEPT SHARED CONSTANT UNUSED ; memory KIND WIDTH DEPTH
#   child ID ; ports BITS ; short REGISTER BITS CONSTANT UNUSED ; gone REGISTER BITS ; lost INSTANCE
#   -t: path NS START END (of the ID and all below it)
#   -f: fpga CELL COUNT (instead of cells, bits, short, gone, lost)
#
# A module is synthesized with its children as black boxes, with the parameters its parent gives them, once for each set
# of them; sums over children are the reader's. The memories of hd_sram.sv are never synthesized. Steps:
#   elaborate  Yosys reads module and children's headers: what is declared   build/area/ID.pre.il, .elab
#   map        gates of the OSU 180 nm cells, a netlist                      build/area/ID.v, .map
#   buffer     trees of buffers that abc does not make                       build/area/ID.buf.v, .buf
#   link       the netlist with the names that OpenSTA is to know            build/area/ID.sta.v, .rams
#   longest    OpenSTA on the netlists of the ID and all below it            build/area/ID.path
#   fpga       synth_ecp5                                                    build/area/ID.fpga
# Each is kept until something it reads has changed: the module, headers of its children, the package, these scripts,
# the cells, the tools. RTL: the source folder, default rtl. OSU018: where the cells are. JOBS: at once.
# Exit 2 after a message with the module, the log and its first error line.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
rtl=${RTL:-rtl}
out=${AREA:-build/area}
tech=${OSU018:-/usr/share/qflow/tech/osu018}
lib=$out/osu018.lib

# stem ID: the name of its files; long ones by number
stem() {
  if [ ${#1} -le 150 ]; then echo "$out/$1"; else echo "$out/${1%%,*},$(echo "$1" | sha256sum | cut -c 1-16)"; fi
}

# plain FILE: a name of it that ABC can read, whatever the path of the clone holds
plain() { case $1 in /*) echo "$1" ;; *) echo "$AREA_HERE/$1" ;; esac; }

# failed ID STEP LOG
failed() {
  first=$(grep -a -m 1 -iE '^ERROR|error:|assert' "$3" 2>/dev/null || tail -n 1 "$3" 2>/dev/null || echo 'no log')
  echo "area: $1: $2 failed, log $3: $first" >&2
  exit 2
}

source_of() { grep -lE "^module $1\b" $sources || true; }

# What a parent reads of a module: its header, without comments.
header() {
  awk -v name="$1" '$1 == "module" { on = $2 == name } on { sub(/\/\/.*/, ""); print } on && /^\);/ { exit }' "$2"
}

# step_text STEP: its commands, part of the key of what it makes
step_text() { sed -n "/^$1() {/,/^}/p" synth/area.sh; }

elaborate() {
  id=$1 s=$(stem "$1") module=${1%%,*}
  own=$(source_of "$module")
  children="" key="$id $yosys"
  for m in $(sed 's|//.*||' "$own" | grep -o '\bhd_[a-z0-9_]*' | LC_ALL=C sort -u); do
    case $m in "$module" | *_ideal) continue ;; esac # of simulation only: no hardware
    f=$(source_of "$m")
    [ -n "$f" ] && [ "$f" != "$own" ] || continue
    case " $children " in *" $f "*) ;; *) children="$children $f" ;; esac
    key="$key $(header "$m" "$f")"
  done
  key=$({ echo "$key"; step_text elaborate; cat "$own" "$rtl"/pkg/* synth/area_count.awk; } | sha256sum)
  [ "$(cat "$s.elab.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$s.elab.key"
  read_children=""
  for f in $children; do read_children="$read_children; read_verilog -lib -sv -I$rtl/pkg $f"; done
  set_params=$(echo "$id" | awk -F, '{ for (i = 2; i <= NF; i++) { sub(/=/, " ", $i); printf " -chparam %s", $i } }')
  yosys -q -l "$s.elab.log" -p "
    read_verilog -sv -I$rtl/pkg $rtl/pkg/hd_pkg.sv
    read_verilog -sv -defer -I$rtl/pkg $own $read_children
    hierarchy -check -top $module$set_params
    rename -top $module
    proc
    write_rtlil $s.tmp.il" >/dev/null 2>&1 || failed "$id" "Yosys (elaboration)" "$s.elab.log"
  awk -v top="$module" -f synth/area_count.awk "$s.tmp.il" >"$s.tmp" || failed "$id" "area_count.awk" "$s.tmp"
  mv "$s.tmp.il" "$s.pre.il"
  mv "$s.tmp" "$s.elab"
  echo "$key" >"$s.elab.key"
}

map() {
  id=$1 s=$(stem "$1") module=${1%%,*}
  key="$(cat "$s.elab.key") $({
    step_text map
    step_text constants
    cat synth/area.abc synth/area_words.awk synth/area_map.awk "$lib"
  } | sha256sum)"
  [ "$(cat "$s.map.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$s.map.key"
  echo "area: $id" >&2
  yosys -q -l "$s.map.log" -p "
    read_liberty -lib -ignore_miss_func $lib
    read_rtlil $s.pre.il
    memory_collect; setundef -undriven -zero; opt
    synth -run coarse:fine -nofsm -noshare -nordff
    opt -fast -full; memory_map
    write_rtlil $s.words.il; design -reset
    exec -expect-return 0 -- awk -v top=$module -f synth/area_words.awk $s.pre.il $s.words.il >$s.map.il
    read_liberty -lib -ignore_miss_func $lib; read_rtlil $s.map.il
    setundef -undriven -zero; opt -fast -full
    techmap; opt -fast; setundef -undriven -zero
    dfflibmap -liberty $lib
    abc -script $(plain synth/area.abc) -liberty $(plain $lib)
    opt_clean
    write_rtlil $s.map.il
    rename $module top
    write_verilog -noattr -noexpr $s.tmp.v" >/dev/null 2>&1 || failed "$id" "Yosys (mapping)" "$s.map.log"
  awk -v top="$module" -f synth/area_map.awk "$lib" "$s.pre.il" "$s.map.il" >"$s.tmp" ||
    failed "$id" "area_map.awk" "$s.tmp"
  constants "$id"
  rm "$s.map.il" "$s.words.il"
  mv "$s.tmp.v" "$s.v"
  mv "$s.tmp" "$s.map"
  echo "$key" >"$s.map.key"
}

# Registers and arrays of one-bit words of which nothing is left may be constants, such as the pointers of a queue of
# one entry: kept to the end as outputs, they show it.
constants() {
  s=$(stem "$1")
  outputs=$(awk '$1 == "gone" && $4 == 1 && $5 == "unused" { printf " w:%s*", $2 }' "$s.tmp")
  [ -n "$outputs" ] || return 0
  yosys -q -l "$s.constants.log" -p "
    read_rtlil $s.words.il
    expose $outputs
    opt -fast -full; techmap; opt -fast; opt_clean
    write_rtlil $s.words.il" >/dev/null 2>&1 || failed "$1" "Yosys (constants)" "$s.constants.log"
  awk 'FNR == 1 { file++ }
    file == 1 && $1 == "wire" { n = substr($NF, 2); sub(/\[[0-9]+\]$/, "", n); words[n]++ }
    file == 1 && $1 == "connect" && $3 ~ /^1.[01]$/ { n = substr($2, 2); sub(/\[[0-9]+\]$/, "", n); fixed[n]++ }
    file == 1 { next }
    $1 == "gone" && fixed[$2] && fixed[$2] == words[$2] { moved += $3; $0 = "short " $2 " " $3 " " $3 " 0" }
    { line[++lines] = $0 }
    END {
      for (i = 1; i <= lines; i++) {
        $0 = line[i]
        if ($1 == "bits") { $5 += moved; $6 -= moved }
        print
      }
    }' "$s.words.il" "$s.tmp" >"$s.tmp2"
  mv "$s.tmp2" "$s.tmp"
}

# Trees of buffers where abc puts none: the netlist ID.buf.v, what they cost in ID.buf.
buffer() {
  s=$(stem "$1")
  key="$(cat "$s.map.key") $(cat synth/area_buffer.awk | sha256sum)"
  [ "$(cat "$s.buf.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$s.buf.key"
  awk -v counts="$s.buf" -f synth/area_buffer.awk "$s.v" "$s.v" >"$s.buf.v" || failed "$1" area_buffer.awk "$s.buf"
  echo "$key" >"$s.buf.key"
}

# A netlist for OpenSTA: ID.sta.v, its memories ID.rams.
link() {
  s=$(stem "$1")
  key="$(cat "$s.elab.key" "$s.buf.key") $({ step_text link; cat synth/area_link.awk; } | sha256sum)"
  [ "$(cat "$s.link.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$s.link.key"
  : >"$s.rams"
  awk -v id="$1" -v rams="$s.rams" -f synth/area_link.awk "$s.elab" "$s.buf.v" >"$s.sta.v" ||
    failed "$1" area_link.awk "$s.sta.v"
  echo "$key" >"$s.link.key"
}

# join ID: it and all below it into $scratch.ids
join() {
  echo "$1" >"$scratch.ids"
  seen=0
  while [ "$(wc -l <"$scratch.ids")" -gt "$seen" ]; do
    seen=$(wc -l <"$scratch.ids")
    while read -r i; do sed -n 's/^child \([^ ]*\) .*/\1/p' "$(stem "$i").elab"; done <"$scratch.ids" >"$scratch.more"
    awk '!seen[$0]++' "$scratch.ids" "$scratch.more" >"$scratch.new"
    mv "$scratch.new" "$scratch.ids"
  done
}

# The longest path of an ID, from a register, memory or input to a register, memory or output, with all below it.
longest() {
  id=$1 s=$(stem "$1") scratch=$s.sta
  join "$id"
  key=$({
    step_text longest
    while read -r i; do cat "$(stem "$i").link.key"; done <"$scratch.ids"
    cat synth/area_rams.awk "$lib"
    sta -version
  } 2>/dev/null | sha256sum)
  [ "$(cat "$s.sta.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$s.sta.key"
  while read -r i; do cat "$(stem "$i").rams"; done <"$scratch.ids" | LC_ALL=C sort -u >"$scratch.rams"
  awk -f synth/area_rams.awk "$scratch.rams" >"$scratch.lib"
  {
    echo "read_liberty $lib"
    echo "read_liberty {$scratch.lib}"
    while read -r i; do echo "read_verilog {$(stem "$i").sta.v}"; done <"$scratch.ids"
    echo "link_design $(echo "$id" | tr ,= __)"
    cat <<'TCL'
set clocks [get_ports -quiet clk_i]
if {[llength $clocks]} { create_clock -name clk -period 10 $clocks } else { create_clock -name clk -period 10 }
set_input_transition 0.1 [all_inputs]
set_load 0.05 [all_outputs]
set inputs {}
foreach p [all_inputs] { if {[get_property $p full_name] != "clk_i"} { lappend inputs $p } }
if {[llength $inputs]} { set_input_delay 0 -clock clk $inputs }
set_output_delay 0 -clock clk [all_outputs]
report_checks -path_delay max -digits 3
TCL
  } >"$scratch.tcl"
  sta -no_splash -exit "$scratch.tcl" >"$s.sta.log" 2>&1 || failed "$id" OpenSTA "$s.sta.log"
  ! grep -q '^Error' "$s.sta.log" || failed "$id" OpenSTA "$s.sta.log"
  awk '/^Startpoint:/ { from = $2 } /^Endpoint:/ { to = $2 } /data arrival time/ && !time { time = $1 }
    END { gsub(/\\|~ff/, "", from); gsub(/\\|~ff/, "", to); if (time) print "path", time, from, to }' \
    "$s.sta.log" >"$s.path"
  rm -f "$scratch.ids" "$scratch.rams" "$scratch.lib" "$scratch.tcl" "$scratch.more"
  echo "$key" >"$s.sta.key"
}

# FPGA cells (Lattice ECP5) of an ID, children and memories as black boxes. synth_ecp5 but for two of its passes: share, which
# looks with a solver for multiplexers' inputs that one cell could compute, and autoname, which makes names that nobody reads,
# had not ended after several minutes on the wide modules of an SM.
fpga() {
  id=$1 s=$(stem "$1") module=${1%%,*}
  key="$(cat "$s.elab.key") $(step_text fpga | sha256sum)"
  [ "$(cat "$s.fpga.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$s.fpga.key"
  echo "area: $id on ECP5" >&2
  yosys -q -l "$s.fpga.log" -p "
    read_rtlil $s.pre.il
    synth_ecp5 -top $module -run begin:coarse
    proc; flatten; tribuf -logic; deminout; opt_expr; opt_clean; check; opt -nodffe -nosdff; fsm; opt; wreduce; peepopt
    opt_clean; techmap -map +/cmp2lut.v -D LUT_WIDTH=4; opt_expr; opt_clean
    techmap -map +/mul2dsp.v -map +/ecp5/dsp_map.v -D DSP_A_MAXWIDTH=18 -D DSP_B_MAXWIDTH=18 -D DSP_A_MINWIDTH=2 \
      -D DSP_B_MINWIDTH=2 -D DSP_NAME=\$__MUL18X18
    chtype -set \$mul t:\$__soft_mul; alumacc; opt; memory -nomap; opt_clean
    synth_ecp5 -top $module -run map_ram:check
    tee -q -o $s.stat stat -top $module" >/dev/null 2>&1 || failed "$id" "Yosys (synth_ecp5)" "$s.fpga.log"
  awk -v top="$module" '$1 == "===" { here = $2 == top }
    here && $1 ~ /^[A-Z][A-Z0-9_]*$/ && NF == 2 { print "fpga", $1, $2 }' "$s.stat" >"$s.fpga"
  rm "$s.stat"
  echo "$key" >"$s.fpga.key"
}

sources=$(find "$rtl" -name 'hd_*.sv' ! -path "$rtl/pkg/*" | LC_ALL=C sort)
if [ "${1:-}" = --step ]; then # called by xargs below
  yosys=$AREA_YOSYS
  exec 9>"$(stem "$3").$2.lock"
  flock 9 # two reports at once do a step once
  "$2" "$3"
  exit
fi

timing="" fpga=""
while :; do
  case ${1:-} in
    -t) timing=1 ;;
    -f) fpga=1 ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || { echo "area: no module given" >&2; exit 2; }
for id in "$@"; do
  [ -n "$(source_of "${id%%,*}")" ] || { echo "area: unknown module '${id%%,*}'" >&2; exit 2; }
done
for f in "$tech/osu018_stdcells.lef" "$tech/osu018_stdcells.lib"; do
  [ -r "$f" ] || { echo "area: no $f: the standard cells are in the Debian package qflow-tech-osu018" >&2; exit 2; }
done
AREA_YOSYS=$(yosys -V 2>/dev/null) || { echo "area: yosys does not run" >&2; exit 2; }
[ -z "$timing" ] || command -v sta >/dev/null ||
  { echo "area: no sta: OpenSTA is in the Debian package opensta" >&2; exit 2; }
export AREA_YOSYS
mkdir -p "$out"

# The liberty with the areas of the LEF (three of its own are wrong), without clock buffers, tristate cells and latches,
# which mapping is not to use.
awk 'FNR == NR { if ($1 == "MACRO") m = $2; if ($1 == "SIZE") a[m] = $2 * $4; next }
  /^[ \t]*cell[ \t]*\(/ { n = $0; gsub(/.*\([ "]*|[ "]*\).*/, "", n); skip = n ~ /^(CLKBUF|TBUF|LATCH)/ }
  /^[ \t]*area[ \t]*:/ && (n in a) { sub(/:.*/, ": " a[n] ";") }
  !skip { print }
  skip && /^}/ { skip = 0 }' "$tech/osu018_stdcells.lef" "$tech/osu018_stdcells.lib" >"$lib.$$"
if cmp -s "$lib.$$" "$lib"; then rm "$lib.$$"; else mv "$lib.$$" "$lib"; fi

todo=$out/todo.$$ all=$out/all.$$
link=
trap 'rm -f "$todo" "$all" "$todo.new"; [ -z "$link" ] || rm -r "$link"' EXIT
export AREA_HERE="$PWD"
case $PWD in
  *[!A-Za-z0-9_./+-]*)
    link=$(mktemp -d)
    AREA_HERE=$link/heddle
    ln -s "$PWD" "$AREA_HERE" ;;
esac
: >"$all"
for id in "$@"; do echo "$id"; done | LC_ALL=C sort -u >"$todo"

# steps STEP: of every ID of $todo, several at once
steps() { xargs -n 1 -P "${JOBS:-$(nproc)}" "$0" --step "$1" <"$todo" || exit 2; }

while [ -s "$todo" ]; do
  steps elaborate
  cat "$todo" >>"$all"
  while read -r id; do sed -n 's/^child \([^ ]*\) .*/\1/p' "$(stem "$id").elab"; done <"$todo" |
    LC_ALL=C sort -u | grep -vxF -f "$all" >"$todo.new" || true
  mv "$todo.new" "$todo"
done
# The largest first, or one is left to the end alone.
while read -r id; do echo "$(stat -c %s "$(stem "$id").pre.il") $id"; done <"$all" | sort -rn | cut -d' ' -f2 >"$todo"
if [ -n "$fpga" ]; then
  steps fpga
else
  steps map
  steps buffer
fi
if [ -n "$timing" ]; then
  steps link
  for id in "$@"; do echo "$id"; done >"$todo"
  steps longest
fi
while read -r id; do
  echo "module $id"
  s=$(stem "$id")
  cat "$s.elab"
  if [ -n "$fpga" ]; then cat "$s.fpga"; else cat "$s.map" "$s.buf"; fi
  [ -z "$timing" ] || ! grep -qxF "$id" "$todo" || cat "$s.path"
done <"$all"
