#!/bin/sh
# gate.sh [-o NETLIST.v] TOP [Param=Value...] - reads a module into Yosys and makes sure that what Yosys
# understood is what was written: the warnings that hide a misread construct are errors here.
# -o also writes the netlist (memories kept as memories) that the unit tests run on.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/.." && pwd)
netlist=""
[ "$1" != -o ] || { netlist=$2; shift 2; }
top=$1
shift
set_params=""
for p in "$@"; do set_params="$set_params -chparam ${p%%=*} ${p#*=}"; done
# shellcheck disable=SC2046
files=$(awk -v top="$top" -f "$repo/tb/model/rtlfiles.awk" \
  $(find "$repo/rtl" -name 'hd_*.sv' ! -path '*/rtl/pkg/*' | LC_ALL=C sort))
yosys -q -e 'implicitly declared|no driver|conflicting drivers|Resizing cell port' -p "
  read_verilog -sv -I$repo/rtl/pkg $repo/rtl/pkg/hd_pkg.sv
  read_verilog -sv -defer -I$repo/rtl/pkg $(echo $files)
  hierarchy -check -top $top$set_params
  proc; flatten; opt; memory -nomap; opt; check -assert
  rename -top $top
  ${netlist:+write_verilog -noattr $netlist}"
