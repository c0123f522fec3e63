#!/bin/sh
# replay.sh - a slice of `make replay`: three small modules; and the replay and the proof themselves are tested, each
# planted fault must be seen.
set -u
. tests/system/lib.sh

# fails TEXT MODULE: the replay must end with 1 and its output must hold TEXT (a pattern).
fails() {
  OUT=$tmp/replay synth/replay.sh "$2" >"$tmp/out" 2>&1
  code=$?
  cat "$tmp/out"
  [ $code -eq 1 ] && grep -q "$1" "$tmp/out"
}

# A gate of the netlist is another one: both see it.
wrong_gate() { SPOIL='0,/^  NAND2X1 /s//  NOR2X1 /' fails "$@"; }

not_all_proven() {
  sed -n 's/.*equivalent \([0-9]*\)\/\([0-9]*\) .*/\1 \2/p' "$tmp/out" | awk '{ ok = $1 < $2 } END { exit !ok }'
}

# A register has lost its reset: from 0 nothing differs, and only the unknown start shows it.
no_reset() {
  mkdir -p "$tmp/rtl" && cp -r rtl/pkg rtl/common "$tmp/rtl/" &&
    sed -i '/count_q *<= .0;/d' "$tmp/rtl/common/hd_fifo.sv" &&
    ! cmp -s rtl/common/hd_fifo.sv "$tmp/rtl/common/hd_fifo.sv" &&
    RTL=$tmp/rtl EQUIV=0 fails "$@"
}

check "recorded vectors through the netlists" env EQUIV=20 synth/replay.sh hd_arb_rr hd_fifo hd_freelist
check "a wrong gate gives mismatches" wrong_gate 'mismatches [1-9]' hd_arb_rr
check "a wrong gate is not proven" not_all_proven
check "a lost reset is an unknown control output" no_reset 'in_ready_o is X' hd_fifo
finish
