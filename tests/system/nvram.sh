#!/bin/sh
# nvram.sh - machines with non-volatile memory above nv_base: workloads whose arrays lie in it, or on both sides, pass all
# checks under each order of completion, every write completes; threads change nothing; keys that do not fit are refused.
. tests/system/lib.sh
current

machine="--config paper4-tiny --set ghost_bits=32"

# durable ARGUMENT...: all checks passed, memory was written, and every write is durable at the end.
durable() {
  # shellcheck disable=SC2086
  "$HEDDLE" run $machine "$@" --json >"$tmp/json" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/json"; return 1; }
  writes=$(sed -n 's/.*"nvram.writes": *\([0-9]*\).*/\1/p' "$tmp/json")
  done=$(sed -n 's/.*"nvram.completed": *\([0-9]*\).*/\1/p' "$tmp/json")
  [ "${writes:-0}" -gt 0 ] && [ "$writes" = "$done" ]
}

for order in pipe banks random newest epoch bank-slow; do
  check "vecadd, nv_order = $order" durable --set nv_base=16384 --set nv_order=$order --set nv_out=4 vecadd n=512
done
check "vecadd, only its result" durable --set nv_base=49152 vecadd n=512
# shellcheck disable=SC2086
check "racy, two of its four lines" "$HEDDLE" run $machine --set nv_base=16512 racy ops=50 lds=0
check "gemm" durable --set nv_base=16384 --set nv_journal=true gemm nk=2 block_rows=1

# What may differ are the keys themselves.
same() {
  # shellcheck disable=SC2086
  json "$tmp/one" $machine --set nv_base=16384 vecadd n=512 || return 1
  # shellcheck disable=SC2086
  json "$tmp/two" $machine --set nv_base=16384 --set threads=2 --set skip_idle=false vecadd n=512 || return 1
  for f in one two; do sed '/"threads"\|"skip_idle"/d' "$tmp/$f" >"$tmp/$f.cut"; done
  cmp "$tmp/one.cut" "$tmp/two.cut" && grep -q '"nvram.writes": [1-9]' "$tmp/one"
}
check "threads and idle skipping change nothing" same

# What is a maximum is no difference; loads are divided by the faster of two memories.
most() {
  json "$tmp/most" $machine --set nv_base=16384 --warmup 1000 vecadd n=512 && grep -q '"nvram.out_most": [1-9]' "$tmp/most" &&
    grep -q '"warmup_cycles": 1[0-9]*,' "$tmp/most"
}
check "writes under way at once, behind a warm-up" most
fast() {
  json "$tmp/fast" --config paper4-tiny --set nv_base=128 --set nv_read=1 --set dram_latency=2000 --latency chase || return 1
  sed -n '/"load_latency"/,$p' "$tmp/fast" | tr -d '":,{}' | awk '$1 == "memory" { m = 1 } m && $1 == "loads" { exit !($2 > 100) }'
}
check "loads of the faster memory" fast
energy() {
  "$HEDDLE" run --json --config paper4-tiny --set nv_base=16384 vecadd n=512 >"$tmp/nv" &&
    "$HEDDLE" run --json --config paper4-tiny --set nv_base=1048576 vecadd n=512 >"$tmp/dram" && "$HEDDLE" area --energy "$tmp/nv" "$tmp/dram" >"$tmp/out" && cat "$tmp/out" &&
    grep -Eq '^nvram.write_bytes +DRAM +244.0 +[1-9][0-9,]* +0$' "$tmp/out"
}
check "energy of its writes" energy

check "nv_base inside a line" refused "nv_base = 65540: must be a multiple of line_bytes = 64" \
  run --config paper4-tiny --set nv_base=65540 vecadd
check "journal without memory for it" refused "nv_journal = true: must be false" run --config tiny --set nv_journal=true vecadd
check "nv_order unknown" refused "nv_order" run --config paper4-tiny --set nv_order=lifo vecadd
finish
