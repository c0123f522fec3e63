#!/bin/sh
# run.sh [MODULE...] - all tests: the unit tests (tests/unit/run_unit.sh), then every executable tests/system/*.sh.
# With modules: only their unit tests. Each system test runs in the top folder, prints its own lines and ends with
# "N passed, N failed". The last line printed here adds everything up; exit 1 if anything failed.
set -eu
cd "$(dirname "$0")/.."
log=build/test.$$
mkdir -p build
trap 'rm -f "$log"*' EXIT

# step NAME COMMAND...: shows the output, adds its closing line to $log.sums
step() {
  name=$1 status=0
  shift
  { "$@" 2>&1 || echo "exit $?" >"$log.status"; } | tee "$log.out" | sed -u '${/^[0-9]* passed, [0-9]* failed$/d;}'
  [ ! -f "$log.status" ] || { status=1; rm "$log.status"; }
  counts=$(tail -n 1 "$log.out" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
  [ -n "$counts" ] || counts="0 1"
  [ $status = 0 ] || [ "${counts#* }" != 0 ] || counts="${counts% *} 1"
  echo "$name: ${counts% *} passed, ${counts#* } failed"
  echo "$counts" >>"$log.sums"
}

step "unit tests" tests/unit/run_unit.sh "$@"
if [ $# -eq 0 ]; then
  for t in tests/system/*.sh; do
    [ ! -x "$t" ] || step "$t" "$t"
  done
fi
awk '{ p += $1; f += $2 } END { printf "%d passed, %d failed\n", p, f; exit f > 0 }' "$log.sums"
