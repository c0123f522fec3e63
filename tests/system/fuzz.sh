#!/bin/sh
# fuzz.sh - damaged inputs: heddle, built with the address and undefined-behaviour sanitizers, ends by itself on each of
# them, with exit code 0, 1 or 2, a message unless it is 0, and without a word from a sanitizer. N: inputs of each kind.
. tests/system/lib.sh
current
N=${N:-80}
cc=$(command -v clang || command -v gcc) # gcc at -O1 takes four times as long for it
HEDDLE=build/heddle-sanitized
ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 # models are plug-ins without sanitizers
export ASAN_OPTIONS

builds() {
  includes="-Ibuild/gen -Itb -Itb/model -Isw -Isw/simt -Isw/kernels -Isw/litmus"
  # shellcheck disable=SC2046,SC2086
  [ $HEDDLE -nt build/heddle ] ||
    $cc -std=c11 -D_POSIX_C_SOURCE=200809L -O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all $includes \
      -o $HEDDLE $(ls sw/*/*.c tb/*.c tb/*/*.c | grep -v wire_mpi) -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread || return 1
  # shellcheck disable=SC2086
  $cc -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -Wall -Wextra -Werror $includes -o "$tmp/fuzz" tests/c/fuzz.c tb/check/evlog.c
}
inputs() {
  $HEDDLE run --config litmus --set ghost_bits=32 --log "$tmp/good.log" --db "$tmp/good.db" --json racy ops=30 warps=2 \
    >"$tmp/good.json"
}

# survives KIND FILE COMMAND...: the command, with INPUT for the damaged file, N times
survives() {
  kind=$1 file=$2
  shift 2
  seed=1
  while [ $seed -le "$N" ]; do
    "$tmp/fuzz" "$kind" $seed "$file" "$tmp/input" || return 1
    code=0
    timeout 60 "$HEDDLE" "$@" >"$tmp/out" 2>&1 </dev/null || code=$?
    if [ $code -gt 2 ] || grep -qE 'Sanitizer|runtime error' "$tmp/out" || { [ $code != 0 ] && [ ! -s "$tmp/out" ]; }; then
      echo "heddle $*: exit code $code; the input: fuzz $kind $seed $file"
      tail -n 12 "$tmp/out"
      return 1
    fi
    seed=$((seed + 1))
  done
}

check "heddle with sanitizers" builds
check "a run, its log, its results" inputs
for model in rmo sc hrf-indirect; do
  check "wrong records, $model" survives log "$tmp/good.log" check --model $model "$tmp/input"
done
check "logs that are damaged" survives bytes "$tmp/good.log" check "$tmp/input"
for test in SB.litmus "MP+ra-wg.2SM.litmus" "MP+bar.litmus"; do
  check "litmus tests, $test" survives text "tests/litmus/open/$test" litmus --runs 4 --brief "$tmp/input"
done
for test in mp-gpu.litmus mp-vulkan.litmus mp-opencl.litmus mp-khronos.test; do
  check "litmus tests, $test" survives text "tests/litmus/scoped/$test" litmus --runs 4 --brief "$tmp/input"
done
check "configurations" survives text configs/paper1-wt.cfg run --config "$tmp/input" --set lanes=0 vecadd
check "energies" survives text configs/energy.cfg area --table "$tmp/input" --energy "$tmp/good.json"
check "results of a run" survives text "$tmp/good.json" area --energy "$tmp/input"
check "results databases" survives bytes "$tmp/good.db" run --config litmus --set ghost_bits=32 --db "$tmp/input" racy ops=2 warps=1
finish
