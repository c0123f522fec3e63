#!/bin/sh
# wt.sh - machines with write-through L1s: all checks pass under every ordering, what an ordering forbids is not seen and
# what relaxed memory allows is, ways of simulating change nothing, bad settings are refused.
. tests/system/lib.sh
current

small="--config tests/mutants/mutant.cfg --set l1=vi --set l2_writes=3"
# $small is a list of words
for order in rmo tso sc; do
  for what in "racy ops=400" "histogram blocks=8 threads=32 bins=20 items=4" "spinlock rounds=3" "drf"; do
    # shellcheck disable=SC2086
    check "$order, $what" "$HEDDLE" run $small --set order=$order $what
  done
done
# shellcheck disable=SC2086
check "pending request table" "$HEDDLE" run $small --set pending=prt --set prt_entries=6 --set prt_credits=14 racy ops=400
# shellcheck disable=SC2086
check "every table of one entry" "$HEDDLE" run --config min --set l1=vi --set l2_writes=1 --set ghost_bits=32 --set warps=4 \
  --set lanes=4 --set line_bytes=32 --set merge_lanes=4 --set lds_bytes=64 racy ops=200
for order in rmo tso sc; do
  check "gemm, $order" "$HEDDLE" run --config paper1-small-wt --set order=$order gemm nk=6 block_rows=2
done

check "drf in every slot of an SM ends, also when the oldest warp goes first" "$HEDDLE" run --config paper1-small-wt \
  --set scheduler=gto drf episodes=1

litmus() {
  # shellcheck disable=SC2086
  "$HEDDLE" litmus --config litmus --set l1=vi --orders rmo,tso,sc --runs 400 --brief $1 >"$tmp/litmus"
}
all=""
for t in MP IRIW CoRR CoWR RMW2 SB SB+fs WRC ISA2 MP+fs LB MP.1warp; do all="$all tests/litmus/open/$t.litmus"; done
check "litmus: nothing forbidden" litmus "$all"
relaxed() {
  "$HEDDLE" litmus --config litmus --set l1=vi --set order=$2 --runs 400 tests/litmus/open/$1.litmus |
    grep -q "condition (\*) met $3 times"
}
check "litmus: MP is relaxed under RMO" relaxed MP rmo '[1-9][0-9]*'
check "litmus: SB is relaxed under TSO" relaxed SB tso '[1-9][0-9]*'
check "litmus: MP is not under TSO" relaxed MP tso 0
check "litmus: SB is not under SC" relaxed SB sc 0

# same CHANGE: the run in $tmp/first again with another way of simulating.
same() {
  # shellcheck disable=SC2086
  json "$tmp/other" $small --set jitter=0 --set $1 racy ops=200 || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}
# shellcheck disable=SC2086
check "a run to compare with" json "$tmp/first" $small --set jitter=0 racy ops=200
check "all edges" same skip_idle=false
check "cycle by cycle" same window=1
check "two threads" same threads=2

# Fast and checked builds, and the chip in one model: the same cycles.
cycles() {
  json "$tmp/cycles" "$@" || return 1
  number "$tmp/cycles.all" cycles >"$tmp/number"
  [ -f "$tmp/want" ] || cp "$tmp/number" "$tmp/want"
  cmp "$tmp/want" "$tmp/number"
}
# shellcheck disable=SC2086
{
  check "cycles of a checked build" cycles $small --set jitter=0 vecadd n=600 threads=64
  check "cycles of a fast build" cycles $small --set jitter=0 --set ghost_bits=0 vecadd n=600 threads=64
  check "cycles of the flat chip" cycles $small --set jitter=0 --set sms=4 --set flat=true vecadd n=600 threads=64
}

check "ideal memory" refused "l1 = vi: must be mesi" run --config tests/mutants/mutant.cfg --set l1=vi --set sms=1 \
  --set partitions=1 --set clk_ratio=1 --set jitter=0 --set memory=fixed vecadd
check "unknown family" refused "l1 = wb: must be mesi|vi" run --set l1=wb vecadd
finish
