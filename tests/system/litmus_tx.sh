#!/bin/sh
# litmus_tx.sh - litmus tests with transactions in the LDS (paper 5) with all checks on: no outcome outside the contract, at
# least 95 % of what the reference machine reaches is seen; on machines without transactions they are named and counted.
. tests/system/lib.sh
compile_fast -O1
tm=tests/litmus/tm
paper5="--config paper5 --set ghost_bits=32"
# 8 lanes, 8 banks: fast. Least: every row aliases, short queues, one access a warp.
small="$paper5 --set lanes=8 --set lds_banks=8 --set lds_bytes=4096 --set tm_rows=64"
least="$paper5 --set lanes=8 --set lds_banks=8 --set lds_bytes=4096 --set tm_rows=17 --set tm_hash=1 --set queue_depth=2
  --set scoreboard=1 --set issue_gap=1"

# covered PERCENT ARGUMENT...: nothing forbidden and at least PERCENT of the reachable outcomes seen.
covered() {
  percent=$1
  shift
  "$HEDDLE" litmus --brief "$@" >"$tmp/out" 2>&1 || { tail -n 20 "$tmp/out"; return 1; }
  tail -n 1 "$tmp/out"
  sed -n 's/.*: \([0-9]*\) of \([0-9]*\) allowed outcomes seen .*, 0 forbidden$/\1 \2/p' "$tmp/out" |
    awk -v p="$percent" '{ good = $2 > 0 && 100 * $1 >= p * $2 } END { exit !good }'
}

# skipped: a machine without transactions runs the other tests.
skipped() {
  cp "$tm/TM-inc.wave.litmus" tests/litmus/open/SB.litmus "$tmp/"
  "$HEDDLE" litmus --runs 20 "$tmp/TM-inc.wave.litmus" "$tmp/SB.litmus" >"$tmp/out" 2>"$tmp/err" &&
    grep -q "TM-inc.wave.litmus: skipped, the machine cannot run transactions: local_tm = off" "$tmp/err" &&
    grep -q "^2 tests (1 skipped)" "$tmp/out"
}

# forbidden: an outcome that is not in expected.csv beside the test ends with 1 and is marked.
forbidden() {
  mkdir -p "$tmp/mine"
  cp "$tm/TM-inc.wave.litmus" "$tmp/mine/"
  sed -n 1p "$tm/expected.csv" >"$tmp/mine/expected.csv"
  grep '^TM-inc.wave,' "$tm/expected.csv" | sed 's/x=2/x=1/' >>"$tmp/mine/expected.csv"
  # shellcheck disable=SC2086
  "$HEDDLE" litmus $small --runs 10 "$tmp/mine" >"$tmp/out" 2>&1
  [ $? -eq 1 ] && grep -q 'x=2   FORBIDDEN$' "$tmp/out"
}

same() {
  for set in "--set window=0" "--set window=1 --set skip_idle=false"; do
    # shellcheck disable=SC2086
    "$HEDDLE" litmus $small $set --runs 50 "$tm/TM-token.litmus" "$tm/TM-observer.litmus" | sed 's/, [0-9.]* CPU s//' >>"$tmp/same"
  done
  awk '{ line[NR] = $0 } END { n = NR / 2; for (i = 1; i <= n; i++) if (line[i] != line[i + n]) exit 1; exit n < 1 }' "$tmp/same"
}

# shellcheck disable=SC2086
check "8 lanes: 95 % of what the reference reaches" covered 95 $small --runs 600 $tm
# shellcheck disable=SC2086
check "owner records instead of filters" covered 90 $small --set tm_detect=true --runs 200 $tm
# shellcheck disable=SC2086
check "one filter bit, short queues, gap 1" covered 50 $least --runs 200 $tm
# shellcheck disable=SC2086
check "paper5, 64 lanes" covered 80 $paper5 --runs 60 $tm
for order in tso sc; do
  # shellcheck disable=SC2086
  check "8 lanes, order = $order" covered 90 $small --set order=$order --runs 200 $tm
done
check "machines without transactions skip them" skipped
check "an outcome outside expected.csv" forbidden
check "other ways to simulate: the same outcomes" same
# shellcheck disable=SC2086
check "a machine with too few warps" refused "waves; an SM has 2 that may use transactions" litmus $small --set tm_warps=2 --set warps=2 \
  --runs 10 $tm/TM-inc.3waves.litmus
# shellcheck disable=SC2086
check "a machine with too few banks" refused "words in 4 banks; lds_banks = 2" litmus $small --set lds_banks=2 --set lds_bytes=1024 \
  --runs 10 $tm/TM-banks.litmus
finish
