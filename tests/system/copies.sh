#!/bin/sh
# copies.sh - asynchronous copies to the LDS on whole machines: all checks pass under every order, L1 family and pending table,
# litmus tests show what orders allow and nothing else, ways of simulating change nothing, recorded runs replay, bad use is refused.
. tests/system/lib.sh
compile_fast -O1
tiny="--config tests/mutants/mutant.cfg --set lanes=8 --set copies=3"
words="tiles way=1 blocks=6 tiles=4 threads=24 words=3"

# $tiny, $words and the like are lists of words
for order in rmo tso sc tso-sb sc-pf type; do
  for l1 in mesi vi; do
    # shellcheck disable=SC2086
    check "tiles, $l1, $order" "$HEDDLE" run $tiny --set l1=$l1 --set order=$order $words
  done
done
for machine in "pending=prt --set prt_entries=8" copies=1; do
  # shellcheck disable=SC2086
  check "tiles, $machine" "$HEDDLE" run $tiny --set order=rmo --set $machine $words
done
for l1 in gpu denovo; do
  for order in drf hrf; do
    # shellcheck disable=SC2086
    check "tiles, $l1, $order" "$HEDDLE" run --config paper3-small --set copies=4 --set ghost_bits=32 --set l1=$l1 --set order=$order $words
  done
  # shellcheck disable=SC2086
  check "tiles, $l1, half of the words dirty" "$HEDDLE" run --config paper3-small --set copies=4 --set ghost_bits=32 --set l1=$l1 \
    --set order=drf $words dirty=1
done
# shellcheck disable=SC2086
check "tiles, 64 lanes" "$HEDDLE" run $tiny --set lanes=64 --set merge_lanes=64 --set lds_bytes=16384 tiles way=1 blocks=4 threads=96
# shellcheck disable=SC2086
check "tiles, persist barriers" "$HEDDLE" run --config paper4-small --set copies=4 $words

# seen PERCENT ARGUMENT...: nothing forbidden and at least PERCENT of the allowed outcomes.
seen() {
  percent=$1
  shift
  "$HEDDLE" litmus --brief "$@" tests/litmus/copy >"$tmp/out" 2>&1 || { tail -n 20 "$tmp/out"; return 1; }
  tail -n 1 "$tmp/out"
  sed -n 's/.*: \([0-9]*\) of \([0-9]*\) allowed outcomes seen .*, 0 forbidden$/\1 \2/p' "$tmp/out" |
    awk -v p="$percent" '{ good = $2 > 0 && 100 * $1 >= p * $2 } END { exit !good }'
}
tests="$tiny --runs 60" # on MESI 149 of 150 outcomes, on VI 148; 200 runs on MESI: all of them
for l1 in mesi vi; do
  # shellcheck disable=SC2086
  check "litmus, $l1" seen 95 $tests --set l1=$l1 --orders rmo,tso,sc,tso-sb,sc-pf,type
done
for l1 in gpu denovo; do
  check "litmus, $l1" seen 80 --config paper3-small --set copies=4 --set ghost_bits=32 --set l1=$l1 --orders drf,hrf --runs 150
done
# met TEST ORDER TIMES: how often the condition of the test was met, as a pattern.
met() {
  # shellcheck disable=SC2086
  "$HEDDLE" litmus $tests --runs 200 --set order=$2 "tests/litmus/copy/$1.litmus" | grep -q "condition (\*) met $3 times"
}
check "under RMO a warp passes its copies" met CP+po rmo '[1-9][0-9]*'
check "under SC it does not" met CP+po sc 0
check "a wait for one group leaves the youngest" met CP2+cw1 rmo '[1-9][0-9]*'

# same CHANGE: the run in $tmp/first again with another way of simulating.
same() {
  # shellcheck disable=SC2086
  json "$tmp/other" $tiny --set jitter=0 --set $1 $words || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}
# shellcheck disable=SC2086
check "a run to compare with" json "$tmp/first" $tiny --set jitter=0 $words
check "all edges" same skip_idle=false
check "cycle by cycle" same window=1
check "two threads" same threads=2
cycles() {
  json "$tmp/cycles" "$@" || return 1
  number "$tmp/cycles.all" cycles >"$tmp/number"
  [ -f "$tmp/want" ] || cp "$tmp/number" "$tmp/want"
  cmp "$tmp/want" "$tmp/number"
}
# shellcheck disable=SC2086
{
  check "checked" cycles $tiny --set jitter=0 $words
  check "the chip in one model" cycles $tiny --set jitter=0 --set flat=true $words
  check "without ghosts" cycles $tiny --set jitter=0 --set ghost_bits=0 $words
}

# replayed: a recorded run gives the same counters again.
replayed() {
  # shellcheck disable=SC2086
  json "$tmp/a" $tiny --set jitter=0 --record "$tmp/r.hdt" $words && json "$tmp/b" $tiny --set jitter=0 --trace "$tmp/r.hdt" || return 1
  for run in a b; do
    sed -n '/"counters"/,$p' "$tmp/$run" | sed 's/,$//; /"trace operations"/d' >"$tmp/$run.counters"
  done
  [ "$(wc -l <"$tmp/a.counters")" -gt 50 ] && diff "$tmp/a.counters" "$tmp/b.counters"
}
check "recorded and replayed" replayed

check "no copies on this machine" refused "way = 1: needs asynchronous copies, copies = 1 or more" run --config tiny tiles way=1
check "more words than the LDS has" refused "(ahead + 1) * threads * words" run --config tiny tiles threads=1024 words=64
check "copies and transactions" refused "copies = 4: must be 0 (local_tm" run --set local_tm=on --set copies=4 vecadd
check "too many" refused "copies = 65: must be 0..64" run --set copies=65 vecadd
check "a recorded copy on a machine without" refused "a copy to the LDS on a machine with copies = 0" \
  run --config tests/mutants/mutant.cfg --set lanes=8 --trace "$tmp/r.hdt"
skipped() {
  "$HEDDLE" litmus --runs 20 tests/litmus/copy/CP+cw0.litmus tests/litmus/open/SB.litmus >"$tmp/out" 2>"$tmp/err" &&
    grep -q "CP+cw0.litmus: skipped, the machine cannot run an asynchronous copy: copies = 0" "$tmp/err"
}
check "litmus tests of copies on a machine without" skipped
finish
