#!/bin/sh
# run.sh [MODULE...] - all tests: the unit tests (tests/unit/run_unit.sh), then every executable tests/system/*.sh, several
# at once. With modules: only their unit tests. Each system test runs in the top folder, prints its own lines and ends
# with "N passed, N failed"; they are shown when it ends. The last line printed here adds everything up; exit 1 if
# anything failed. JOBS: at once (default: processors, and one more system test, as some of them wait more than they work).
set -eu
cd "$(dirname "$0")/.."

# step NAME COMMAND...: shows the output, adds its closing line to $LOG.sums
step() {
  name=$1 out=$LOG.$$ status=0
  shift
  start=$(date +%s)
  if [ "$name" = "unit tests" ]; then
    { "$@" 2>&1 || echo "exit $?" >"$out.status"; } | tee "$out" | sed -u '${/^[0-9]* passed, [0-9]* failed$/d;}'
  else
    "$@" >"$out" 2>&1 || echo "exit $?" >"$out.status"
  fi
  [ ! -f "$out.status" ] || status=1
  counts=$(tail -n 1 "$out" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
  [ -n "$counts" ] || counts="0 1"
  [ $status = 0 ] || [ "${counts#* }" != 0 ] || counts="${counts% *} 1"
  echo "$counts" >>"$LOG.sums"
  closing="$name: ${counts% *} passed, ${counts#* } failed ($(($(date +%s) - start)) s)"
  if [ "$name" = "unit tests" ]; then
    echo "$closing"
  else # in one piece: others print too
    sed -i '${/^[0-9]* passed, [0-9]* failed$/d;}' "$out"
    echo "$closing" >>"$out"
    cat "$out"
  fi
}

if [ "${1:-}" = --step ]; then # called by xargs below
  step "$2" "$2"
  exit
fi
LONG="litmus_tx.sh heterosync.sh copies.sh stress.sh flat.sh persist.sh crash.sh mesh.sh fuzz.sh threads.sh local_tm.sh reference.sh lab.sh clone.sh c.sh wt.sh ranks.sh wide.sh"
LOG=build/test.$$
export LOG
mkdir -p build
trap 'rm -f "$LOG"*' EXIT
TEST_BEGAN=$PWD/$LOG.began # see current() of tests/system/lib.sh
export TEST_BEGAN
. tb/model/malloc.sh
: >"$TEST_BEGAN"

step "unit tests" tests/unit/run_unit.sh "$@"
if [ $# -eq 0 ]; then
  export HD_OPT="${HD_OPT:--O1}" # many short runs: models that compile in less time
  # Those that take longest first, so that none of them is left to run alone at the end; then by name.
  for t in $LONG $(ls tests/system); do echo "tests/system/$t"; done | awk '!seen[$0]++' | while read -r t; do [ ! -x "$t" ] || echo "$t"; done |
    xargs -n 1 -P "${JOBS:-$(($(nproc) + 1))}" tests/run.sh --step
fi
awk '{ p += $1; f += $2 } END { printf "%d passed, %d failed\n", p, f; exit f > 0 }' "$LOG.sums"
