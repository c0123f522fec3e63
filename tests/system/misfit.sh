#!/bin/sh
# misfit.sh - a structural number that does not fit a width of the package is refused by Verilator and by Yosys: casts
# would cut it silently (rtl/pkg/hd_fits.svh). Each number just fits, and its next value does not.
. tests/system/lib.sh
. tb/model/malloc.sh

files=$(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*')
width() { sed -n "s/.*localparam int unsigned $1 = \([0-9]*\);.*/\1/p" rtl/pkg/hd_pkg.sv; }

# shellcheck disable=SC2046,SC2086
elaborate_verilator() {
  with_jemalloc verilator --lint-only -Wno-lint -Wno-style --unroll-count 1024 --top-module "$1" "-G$2=$3" -Irtl/pkg rtl/pkg/hd_pkg.sv \
    $(awk -v top="$1" -f tb/model/rtlfiles.awk $files)
}
# shellcheck disable=SC2046,SC2086
elaborate_yosys() {
  with_jemalloc yosys -q -p "read_verilog -sv -Irtl/pkg rtl/pkg/hd_pkg.sv
    read_verilog -sv -defer -Irtl/pkg $(echo $(awk -v top="$1" -f tb/model/rtlfiles.awk $files))
    hierarchy -check -top $1 -chparam $2 $3"
}
misfit() { # TOOL TOP PARAMETER VALUE TEXT
  ! "elaborate_$1" "$2" "$3" "$4" >"$tmp/out" 2>&1 && grep -q "do not fit $5" "$tmp/out"
}
check "Yosys: warps" misfit yosys hd_sm_tile Warps $(((1 << $(width WARP_W)) + 1)) WARP_W
check "Yosys: entries of the L2" misfit yosys hd_l2_tile L2Mshr $(((1 << $(width TID_W)) + 1)) TID_W
check "Verilator: warps" misfit verilator hd_sm_tile Warps $(((1 << $(width WARP_W)) + 1)) WARP_W
check "Verilator: slots" misfit verilator hd_sm_tile Slots $(((1 << $(width SLOT_W)) + 1)) WARP_W
check "Verilator: blocks" misfit verilator hd_sm_tile Blocks $(((1 << $(width BLOCK_W)) + 1)) WARP_W
check "Verilator: lanes" misfit verilator hd_sm_tile Lanes $(($(width LANES_MAX) * 2)) LANES_MAX
check "Verilator: line" misfit verilator hd_l2_tile LineBytes $(($(width MASK_W) * 8)) LANES_MAX
check "Verilator: entries of the L1" misfit verilator hd_sm_tile Mshr $(((1 << $(width TID_W)) + 1)) TID_W
check "Verilator: entries of the L2" misfit verilator hd_l2_tile L2Mshr $(((1 << $(width TID_W)) + 1)) TID_W
check "Verilator: SMs" misfit verilator hd_l2_tile Sms $(((1 << $(width NODE_W)) + 1)) NODE_W
# The widest legal value elaborates in every module below the tile, too.
check "Verilator: as many SMs as a key allows" elaborate_verilator hd_l2_tile Sms $((1 << $(width NODE_W)))
check "Verilator: as many partitions as a key allows" elaborate_verilator hd_sm_tile Partitions 64
finish
