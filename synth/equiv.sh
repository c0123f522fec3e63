#!/bin/sh
# equiv.sh NETLIST.v TOP [Param=Value...] - proves a netlist of map.sh equal to the RTL, by the functions of the liberty:
# points of equal name (registers, outputs) are compared by SAT, at last by induction over all of them.
# Prints PROVEN/ALL, or "-" when that takes more than EQUIV seconds (120) of processor time; 0: not tried.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/.." && pwd)
[ "${EQUIV:-120}" != 0 ] || { echo -; exit 0; }
net=$1 base=${1%.v} top=$2
shift 2
set_params=""
for p in "$@"; do set_params="$set_params -chparam ${p%%=*} ${p#*=}"; done
# shellcheck disable=SC2046
files=$(awk -v top="$top" -f "$repo/tb/model/rtlfiles.awk" \
  $(find "$repo/rtl" -name 'hd_*.sv' ! -path "$repo/rtl/pkg/*" | LC_ALL=C sort))
# shellcheck disable=SC3045,SC2086  # every sh of Debian has ulimit -t
{ (ulimit -t "${EQUIV:-120}" && exec yosys -q -l "$base.equiv.log" -p "
  read_liberty -ignore_miss_func $base.lib
  read_verilog $net
  hierarchy -top $top; proc; flatten; memory -nordff; splitnets; opt_clean; rename $top gate; design -stash gate
  read_verilog -sv -I$repo/rtl/pkg $repo/rtl/pkg/hd_pkg.sv
  read_verilog -sv -defer -I$repo/rtl/pkg $(echo $files)
  hierarchy -check -top $top$set_params
  proc; flatten; memory_collect; setundef -zero; opt; rename -top $top
  memory -nordff; setundef -undriven -zero; opt_clean; splitnets -ports; rename $top gold; design -stash gold
  design -copy-from gold -as gold gold; design -copy-from gate -as gate gate
  equiv_make gold gate equiv
  hierarchy -top equiv
  async2sync; opt_clean
  equiv_simple -undef -seq 1; equiv_induct -undef; equiv_status") || true; } >/dev/null 2>&1
awk '/^Found [0-9]+ \$equiv cells/ { all = $2 } /^ *Of those cells [0-9]+ are proven/ { proven = $4 }
  END { print proven == "" ? "-" : proven "/" all }' "$base.equiv.log"
