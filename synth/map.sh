#!/bin/sh
# map.sh OUT.v TOP [Param=Value...] - maps a module, all its hierarchy flattened, to the OSU 180 nm standard cells (Debian
# qflow-tech-osu018). Arrays of more than 16 words stay arrays, written by Yosys as Verilog that starts at 0 while
# `bench.clear` is 1; smaller ones become flip-flops. Constants and what is undefined in the RTL are 0.
# Also writes OUT.lib, the liberty with the areas of the LEF: three of its own are wrong, which makes abc prefer one
# cell everywhere. Kept while nothing changes (OUT.key). RTL: the source folder, default rtl. OSU018: where the cells are.
# SPOIL: a sed command on the netlist. Exit 1 with the end of Yosys's output when it fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/.." && pwd)
rtl=${RTL:-$repo/rtl}
tech=${OSU018:-/usr/share/qflow/tech/osu018}
out=$1 base=${1%.v} top=$2
shift 2
set_params=""
for p in "$@"; do set_params="$set_params -chparam ${p%%=*} ${p#*=}"; done
# shellcheck disable=SC2046
files=$(awk -v top="$top" -f "$repo/tb/model/rtlfiles.awk" \
  $(find "$rtl" -name 'hd_*.sv' ! -path "$rtl/pkg/*" | LC_ALL=C sort))
# shellcheck disable=SC2086
key="$top $* ${SPOIL:-} $(cat $files "$rtl"/pkg/* "$here/map.sh" "$tech"/*.lib "$tech"/*.lef | sha256sum) $(yosys -V)"
[ ! -f "$out" ] || [ "$(cat "$base.key" 2>/dev/null)" != "$key" ] || exit 0
rm -f "$base.key"
. "$repo/tb/model/malloc.sh"

awk 'FNR == NR { if ($1 == "MACRO") m = $2; if ($1 == "SIZE") a[m] = $2 * $4; next }
  /^[ \t]*cell[ \t]*\(/ { n = $0; gsub(/.*\([ "]*|[ "]*\).*/, "", n) }
  /^[ \t]*area[ \t]*:/ && (n in a) { sub(/:.*/, ": " a[n] ";") }
  { print }' "$tech/osu018_stdcells.lef" "$tech/osu018_stdcells.lib" >"$base.lib"
# shellcheck disable=SC2086
with_jemalloc yosys -q -l "$base.log" -p "
  read_liberty -lib -ignore_miss_func $base.lib
  read_verilog -sv -I$rtl/pkg $rtl/pkg/hd_pkg.sv
  read_verilog -sv -defer -I$rtl/pkg $(echo $files)
  hierarchy -check -top $top$set_params
  proc; flatten; memory_collect; setundef -zero; opt
  rename -top $top
  synth -run coarse:fine -nofsm -noshare -nordff
  opt -fast -full
  memory_map t:\$mem_v2 r:SIZE<=16 %i; setundef -undriven -zero
  opt -undriven -fine; techmap; setundef -undriven -zero; opt -fast
  dfflibmap -liberty $base.lib; abc -liberty $base.lib
  splitnets -ports; opt_clean; check -assert
  write_verilog -noattr $base.tmp" >/dev/null 2>&1 || { tail -n 3 "$base.log"; exit 1; }
awk 'name != "" && !/^  initial begin/ { # what has contents is a table of constants
    printf "`ifndef YOSYS\n  integer i%d;\n  initial #1 if (bench.clear)\n", ++n
    printf "    for (i%d = 0; i%d <= %d; i%d = i%d + 1) %s [i%d] = 0;\n`endif\n", n, n, last, n, n, name, n
  }
  { print; name = "" }
  /^  reg .*\] *;$/ {
    array = $0; sub(/^  reg (\[[0-9]+:[0-9]+\] )?/, "", array)
    if (!sub(/ \[[0-9]+:[0-9]+\] *;$/, "", array)) next
    words = $0; sub(/.*\[/, "", words); split(words, w, /[:\]]/)
    name = array; last = w[1] > w[2] ? w[1] : w[2]
  }' "$base.tmp" | sed "${SPOIL:-}" >"$out"
rm "$base.tmp"
echo "$key" >"$base.key"
