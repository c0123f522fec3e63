#!/bin/sh
# model.sh - checked builds are judged by their memory model, logs are saved and judged again, damage is refused.
. tests/system/lib.sh

log=$tmp/run.log
judged() {
  "$HEDDLE" run --config tiny --set ghost_bits=32 --set order="$1" --log "$log" $2 >"$tmp/out" || return 1
  cat "$tmp/out"
  grep -q '7 of 7 passed.*memory_model, persist off$' "$tmp/out" && "$HEDDLE" check "$log"
}
for order in rmo tso sc; do
  check "gemm, $order" judged $order "gemm nk=16"
  check "histogram, $order" judged $order "histogram bins=4"
  check "spinlock, $order" judged $order spinlock
done
check "the log of a race-free run under DRF" "$HEDDLE" check --model hrf-indirect "$log"
check "cycles do not change" sh -c '"$0" run --config tiny --set ghost_bits=32 --json vecadd | grep "\"cycles\"" >"$1.a" &&
  "$0" run --config tiny --json vecadd | grep "\"cycles\"" >"$1.b" && cmp "$1.a" "$1.b"' "$HEDDLE" "$tmp/cycles"
check "no ghosts, no log" refused "--log needs words that know their store" run --config tiny --log "$log" vecadd
head -c 1000 "$log" >"$tmp/cut.log"
check "a cut log" refused "cut.log: byte " check "$tmp/cut.log"
check "not a log" refused "byte 0: expected the header" check README.md
check "no file" refused "cannot be read" check "$tmp/none"
check "no such model" refused "--model pso: must be" check --model pso "$log"
finish
