#!/bin/sh
# bench_flags.sh [-n RUNS] [ROW...] - speed of gemm on 4 SMs when the models are built with other compilers, flags and
# options of Verilator; docs/results/bench.md has the table. Rows are named in the first column below; all when none is given.
# Every row has a tree of its own under build/bench/flags, so its models are built once. The runs are interleaved.
set -eu
cd "$(dirname "$0")/.."
runs=5
[ "${1:-}" != -n ] || { runs=$2; shift 2; }
work="gemm nk=128"
native="-O3 -march=native"

# name, what is said about it, environment of build_model.sh
table() {
  cat <<END
base|clang++ $native|HD_OPT=$native
gxx|g++ $native|HD_CXX=g++ HD_OPT=$native
o2|clang++ -O2 -march=native|HD_OPT=-O2 -march=native
o1|clang++ -O1 -march=native|HD_OPT=-O1 -march=native
portable|clang++ -O3|HD_OPT=-O3
assert|... with assertions|HD_VARIANT=checked HD_OPT=$native
assert1|... with assertions, -O1|HD_VARIANT=checked HD_OPT=-O1
wave|... with assertions and waves, none written|HD_VARIANT=wave HD_OPT=$native
cov|... with assertions and coverage|HD_VARIANT=cov HD_OPT=$native
nodfg|Verilator -fno-dfg|HD_VERILATOR=-fno-dfg
noreloop|Verilator -fno-reloop|HD_VERILATOR=-fno-reloop
notable|Verilator -fno-table|HD_VERILATOR=-fno-table
nomerge|Verilator -fno-merge-cond|HD_VERILATOR=-fno-merge-cond
END
}

rows=${*:-$(table | cut -d'|' -f1)}
field() { table | sed -n "s/^$1|//p" | cut -d'|' -f"$2"; }
# run ROW: gemm in the row's tree, with its environment: words NAME=, each up to the next NAME=
run() {
  row=$1
  (
    HEDDLE_ROOT=$(pwd)/build/bench/flags/$row
    export HEDDLE_ROOT
    field "$row" 2 | sed 's/ \(HD_[A-Z]*=\)/\n\1/g' >"build/bench/flags/$row.env"
    while read -r assignment; do export "${assignment?}"; done <"build/bench/flags/$row.env"
    # shellcheck disable=SC2086
    build/heddle run $work 2>&1
  )
}

mkdir -p build/bench/flags build/vrt
for row in $rows; do
  [ -n "$(field "$row" 1)" ] || { echo "bench_flags.sh: no row $row" >&2; exit 2; }
  tree=build/bench/flags/$row
  mkdir -p "$tree/build"
  for folder in rtl tb synth configs; do
    rm -rf "${tree:?}/$folder"
    cp -r $folder "$tree/"
  done
  [ -e "$tree/build/vrt" ] || ln -s ../../../../vrt "$tree/build/vrt"
  run "$row" >"$tree/log" || { cat "$tree/log" >&2; exit 1; }
  ! grep -q '^built sm_tile' "$tree/log" || sed -n 's/^built sm_tile in \([0-9]*\) s$/\1/p' "$tree/log" >"$tree/seconds"
  : >"$tree/speeds"
done
i=0
while [ $i -lt "$runs" ]; do
  for row in $rows; do
    run "$row" | sed -n 's/^  host .* s, \([0-9,]*\) core.*/\1/p' | tr -d , >>"build/bench/flags/$row/speeds"
  done
  i=$((i + 1))
done

printf '%-46s%16s%18s%9s%9s\n' "models built with" "sm_tile built" "cycles per CPU s" "spread" "times"
first=""
for row in $rows; do
  tree=build/bench/flags/$row
  median=$(sort -n "$tree/speeds" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }')
  first=${first:-$median}
  sort -n "$tree/speeds" | awk -v text="$(field "$row" 1)" -v m="$median" -v first="$first" -v s="$(cat "$tree/seconds")" '
    NR == 1 { low = $1 } { high = $1 }
    END { printf "%-46s%14s s%18d%7.0f %%%9.2f\n", text, s, m, 100 * (high - low) / m, m / first }'
done
