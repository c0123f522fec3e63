#!/bin/sh
# gate.sh [-o NETLIST.v] [-p] TOP [Param=Value...] - reads a module into Yosys and makes sure that what Yosys
# understood is what was written: the warnings that hide a misread construct are errors here.
# -o  also writes the netlist (memories kept as memories) that the unit tests run on
# -p  also proves that no combinational path leads from an input to an output (what a tile must keep)
# RTL: the source folder, default rtl. Silent on success, exit 1 with the reason otherwise.
set -eu
netlist="" paths=""
while :; do
  case $1 in
    -o) netlist=$2; shift 2 ;;
    -p) paths=1; shift ;;
    *) break ;;
  esac
done
top=$1
shift
case $netlist in
  "" | /*) ;;
  *) netlist=$PWD/$netlist ;;
esac
here=.
case $0 in */*) here=${0%/*} ;; esac
rtl=$(cd "${RTL:-$here/../rtl}" && pwd)
# Paths in the top folder are relative to it: its own may hold blanks.
cd "$here/.."
netlist=${netlist#"$PWD/"} rtl=${rtl#"$PWD/"}
. tb/model/malloc.sh
set_params=""
for p in "$@"; do set_params="$set_params -chparam ${p%%=*} ${p#*=}"; done
modules=""
for f in "$rtl"/*/hd_*.sv; do case $f in */pkg/*) ;; *) modules="$modules $f" ;; esac; done
# shellcheck disable=SC2086
files=${HD_RTL_FILES:-$(awk -v top="$top" -f tb/model/rtlfiles.awk $modules)} # or what build_model.sh has found
# A path ends at a flip-flop. Memories are still separate read and write cells at this point: a write cell has no
# output, a read cell leads from its address to its data, and a synchronous read is such a cell in front of a flip-flop.
# Each module is simplified before all become one: less time than to simplify every instance. For a netlist that is only to be
# simulated `opt` once through is enough: again until nothing changes takes up to a third longer and hardly makes it smaller.
simplify=opt
[ -n "$paths" ] || simplify="opt_expr; opt_merge -nomux; opt_muxtree; opt_reduce; opt_merge; opt_dff; opt_clean; opt_expr"
stop='-$dff,$dffe,$sdff,$sdffe,$sdffce'
with_jemalloc yosys -q -e 'implicitly declared|no driver|conflicting drivers|Resizing cell port' -p "
  read_verilog -sv -I$rtl/pkg $rtl/pkg/hd_pkg.sv
  read_verilog -sv -defer -I$rtl/pkg $(echo $files)
  hierarchy -check -top $top$set_params
  proc -noopt; opt_expr; opt_clean; flatten; $simplify
  rename -top $top
  ${paths:+design -save flat}
  opt_mem; memory_collect; opt_clean; check -assert
  ${netlist:+splitnets -driver; write_verilog -noattr $netlist}
  ${paths:+design -load flat; splitnets -ports
  tee -q -o /dev/stderr select -list i:* %co*:$stop o:* %i
  select -assert-none o:* %ci*:$stop i:* %i}"
