#!/bin/sh
# run_unit.sh [MODULE...] - builds and runs tests/unit/test_<module>.c, all of them without arguments.
#
# The first lines of a test say what to build; each may occur several times:
#   /* dut: hd_fifo Width=32 Depth=3 */   module and parameters; runs on the RTL and on the netlist of it
#   /* dut-rtl: ... */ /* dut-net: ... */ the same for one of the two (a large tile gets a smaller netlist)
#   /* src: tb/mem/dram.c */              C files to link; without any dut line the test is one of C code
# Prints a line per run, the output of failed ones, and at last "N passed, N failed"; exit 1 if any failed.
# RECORD=DIR: each module runs once, with the parameters of a line `mutants: Param=Value...`, or else of the first line
# with a netlist, on model variant `fast` (registers without reset start at 0); what went through its ports is written to
# DIR/MODULE.rec (hd_unit.h), and `MODULE Param=Value...` to DIR/MODULE.spec.
# KINDS=rtl: the netlists are left out.
# JOBS: runs at once (default: processors). SEED: passed as --seed. V=1: the output of every run.
set -eu
case $0 in */*) cd "${0%/*}/../.." ;; *) cd ../.. ;; esac
unit=build/unit
# A run takes a second, its models many with the optimization of long runs.
export HD_OPT="${HD_OPT:--O0}"

# generated HEADER SCRIPT FILE...: as the Makefile does, in a clone in which nothing was built
generated() {
  header=build/gen/$1 script=tb/model/$2
  shift 2
  mkdir -p build/gen
  awk -f "$script" "$@" >"$header.$$"
  if cmp -s "$header.$$" "$header"; then rm "$header.$$"; else mv "$header.$$" "$header"; fi
}

# A test is compiled for each set of parameters and most run for less time than optimizing them takes; what all share is not.
CFLAGS="-std=c11 -D_POSIX_C_SOURCE=200809L -O0 -g1 -Wall -Wextra -Wpedantic -Werror -Itests/unit -Itb -Itb/model -Isw/simt
  -Isw/kernels -Ibuild/gen"

# compile_common: what every test links with, compiled once: COMMON, its objects, and COMMON_KEY, what they are made of and all
# headers that a test may include
compile_common() {
  # shellcheck disable=SC2046
  COMMON_KEY=$(echo "${CC:-gcc} $CFLAGS"; find tests/unit/hd_unit.c tb/model/hd_model.c build/gen/hd_pkg.h \
    $(find tests/unit tb sw -name '*.h') | LC_ALL=C sort | xargs cat | sha256sum)
  common=$unit/common-$(echo "$COMMON_KEY" | cksum | tr ' ' -)
  COMMON="$common/hd_unit.o $common/hd_model.o"
  export COMMON COMMON_KEY
  [ ! -d "$common" ] || return 0
  mkdir -p "$common.$$"
  for c in tests/unit/hd_unit.c tb/model/hd_model.c; do
    # shellcheck disable=SC2086
    ${CC:-gcc} $CFLAGS -O1 -c -o "$common.$$/$(basename "$c" .c).o" "$c" || return 1
  done
  mv -T "$common.$$" "$common" 2>/dev/null || rm -rf "$common.$$" # another run was first
}

# compile_test EXE TEST.c PARAMS SRC MODEL_DIR
compile_test() {
  exe=$1 test=$2 defines="" params=$3 src=$4 model=$5
  for p in $params; do defines="$defines -DP_$p"; done
  flags="$CFLAGS ${model:+-I$model} $defines"
  # shellcheck disable=SC2046,SC2086
  header=""
  [ -z "$model" ] || header=$(echo "$model"/*_dut.h)
  key="$flags $src $COMMON_KEY $(sha256sum "$test" $src $header)"
  [ ! -f "$exe" ] || [ "$(cat "$exe.key" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$exe" "$exe.key"
  # shellcheck disable=SC2086
  ${CC:-gcc} $flags -o "$exe" "$test" $COMMON $src -lcmocka -ldl -lm -lpthread || return 1
  echo "$key" >"$exe.key"
}

# run_one NAME KIND EXE [MODEL.so]: one line, result file, output of a failure
run_one() {
  name=$1 kind=$2 exe=$3
  shift 3
  log=$exe.$kind.log
  start=$(date +%s%N)
  status=0
  timeout "${TIMEOUT:-600}" "./$exe" "$@" ${SEED:+--seed "$SEED"} >"$log" 2>&1 || status=$?
  tenths=$((($(date +%s%N) - start) / 100000000))
  counts=$(sed -n 's/^hd_unit: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
  [ -n "$counts" ] || counts="0 1"
  passed=${counts% *} failed=${counts#* }
  [ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
  echo "$passed $failed" >>"$RESULT"
  verdict=ok
  [ "$failed" = 0 ] || verdict=FAIL
  printf '%-4s %-60s %-3s %3d passed, %d failed %5d.%d s\n' "$verdict" "$name" "$kind" "$passed" "$failed" \
    $((tenths / 10)) $((tenths % 10))
  if [ "$failed" != 0 ] || [ -n "${V:-}" ]; then
    grep -v '^\[ *\(RUN\|OK\) *\]' "$log" | tail -n 60
    [ "$failed" = 0 ] || echo "     (exit $status; again: $exe $*)"
  fi
}

# with_commas WORD...: id, the words with commas between them
with_commas() {
  IFS=,
  id="$*"
  unset IFS
}

TAB=$(printf '\t')
# job TEST.c<tab>KINDS<tab>MODULE PARAMS<tab>SRC
job() {
  test=${1%%"$TAB"*} rest=${1#*"$TAB"}
  kinds=${rest%%"$TAB"*} rest=${rest#*"$TAB"}
  spec=${rest%%"$TAB"*} src=${rest#*"$TAB"}
  base=${test##*/}
  base=${base%.c}
  # shellcheck disable=SC2086
  with_commas ${base#test_} ${spec#"${base#test_}" } $kinds
  [ ${#id} -le 120 ] || id=$base,$(echo "$id" | cksum | tr ' ' -)
  [ -z "${KINDS:-}" ] || [ "$kinds" = c ] || kinds=$KINDS # in the folder of all
  dir=$unit/$id exe=$unit/$id/test name=${spec:-$base}
  mkdir -p "$dir"
  exec 7>"$dir/lock"
  flock 7 # another run_unit.sh may be at the same test
  top=${spec%% *} params=""
  [ "$spec" = "$top" ] || params=${spec#* }
  header_dir=""
  for kind in $kinds; do
    case $kind in rtl) variant=checked ;; net) variant=net ;; rec) variant=fast ;; c) continue ;; esac
    # shellcheck disable=SC2086
    if ! tb/model/build_model.sh "$dir/$kind" "$top" $variant $params; then
      echo "FAIL $name $kind: the model does not build"
      echo "0 1" >>"$RESULT"
      return
    fi
    [ -n "$header_dir" ] || header_dir=$dir/$kind
  done
  if ! compile_test "$exe" "$test" "$params" "$src" "$header_dir"; then
    echo "FAIL $name: $test does not compile"
    echo "0 1" >>"$RESULT"
    return
  fi
  for kind in $kinds; do
    if [ "$kind" = rec ]; then
      export HD_RECORD="$RECORD/$top.rec"
      echo "$spec" >"$RECORD/$top.spec"
    fi
    if [ "$kind" = c ]; then run_one "$name" c "$exe"; else run_one "$name" "$kind" "$exe" "$dir/$kind/model.so"; fi
  done
}

if [ "${1:-}" = --job ]; then # called by xargs below: print a whole job at once
  RESULT=$RESULTS/$$
  out=$(job "$2" 2>&1) || out="$out
FAIL $2: the harness failed"
  [ -f "$RESULT" ] || echo "0 1" >"$RESULT"
  printf '%s\n' "$out"
  exit 0
fi

RESULTS=$unit/results.$$ # one file a job: "passed failed" a line
list=$RESULTS/jobs
rm -rf "$RESULTS"
mkdir -p "$RESULTS"
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
if [ $# -gt 0 ]; then
  tests=""
  for m in "$@"; do tests="$tests tests/unit/test_${m#test_}.c"; done
else
  tests=$(find tests/unit -name 'test_*.c' | LC_ALL=C sort)
fi
. tb/model/malloc.sh # found once for all builds
missing=0
if [ $# -eq 0 ]; then
  for m in $(find rtl -name '*.sv' -exec sed -n 's/^module \(hd_[a-z0-9_]*\).*/\1/p' {} + | LC_ALL=C sort); do
    t=tests/unit/test_$m.c
    [ -f "$t" ] || { echo "FAIL $m has no test $t"; missing=$((missing + 1)); }
  done
fi
generated hd_pkg.h genpkg.awk rtl/pkg/hd_pkg.sv rtl/pkg/hd_types_*.svh
generated hd_keys.h genkeys.awk rtl/pkg/hd_keys.svh
compile_common || { echo "run_unit.sh: what every test links with does not compile" >&2; exit 1; }
for t in $tests; do
  [ -f "$t" ] || { echo "run_unit.sh: no $t" >&2; exit 2; }
  awk -v test="$t" -v record="${RECORD:-}" -v only="${KINDS:-}" '
    FNR > 30 { exit }
    /^\/\* (dut|dut-rtl|dut-net|src): .* \*\/$/ {
      key = $2; line = $0; sub(/^\/\* [a-z-]*: */, "", line); sub(/ *\*\/$/, "", line); gsub(/ +/, " ", line)
      if (key == "src:") src = src " " line
      else { kinds[++n] = key == "dut:" ? "rtl net" : key == "dut-rtl:" ? "rtl" : "net"; spec[n] = line }
    }
    FNR <= 30 && /^\/\* mutants: .* \*\/$/ {
      chosen = test; sub(/.*test_/, "", chosen); sub(/\.c$/, "", chosen)
      line = $0; sub(/^\/\* mutants: */, "", line); sub(/ *\*\/$/, "", line); chosen = chosen " " line
    }
    END {
      if (!n) { kinds[n = 1] = "c"; spec[1] = "" }
      if (record) {
        for (i = 1; i <= n && kinds[i] !~ /net/; i++) continue
        kinds[1] = "rec"; spec[1] = chosen ? chosen : spec[i]; n = 1
      }
      for (i = 1; i <= n; i++) if (!only || kinds[i] ~ only || kinds[i] == "c") printf "%s\t%s\t%s\t%s\n", test, kinds[i], spec[i], src
    }' "$t"
done >"$list"
# Tiles take longest to build: they go first.
{ grep _tile "$list" || true; grep -v _tile "$list" || true; } |
  xargs -d '\n' -n 1 -P "${JOBS:-$(nproc)}" tests/unit/run_unit.sh --job
cat "$RESULTS"/[0-9]* 2>/dev/null | awk -v f="$missing" '
  { p += $1; f += $2 }
  END { printf "%d passed, %d failed\n", p, f; exit f > 0 }'
