#!/bin/sh
# pending.sh - machines with a pending request table, and the ideal memory of one SM: all checks pass under every
# ordering, idle skipping and windows change nothing, the chip in one model is the same, bad settings are refused.
. tests/system/lib.sh
current

small="--config tests/mutants/mutant.cfg --set pending=prt --set prt_entries=6 --set prt_credits=14"
# $small is a list of words
for order in rmo tso sc; do
  for what in "racy ops=400" "histogram blocks=8 threads=32 bins=20 items=4" "spinlock rounds=3" "drf"; do
    # shellcheck disable=SC2086
    check "prt, $order, $what" "$HEDDLE" run $small --set order=$order $what
  done
done
# shellcheck disable=SC2086
check "prt: litmus" "$HEDDLE" litmus $small --orders rmo,tso,sc --runs 200 --brief tests/litmus/open/MP.litmus \
  tests/litmus/open/IRIW.litmus tests/litmus/open/CoRR.litmus tests/litmus/open/RMW2.litmus tests/litmus/open/SB+fs.litmus

# same CHANGE: the run in $tmp/first again with another way of simulating.
same() {
  # shellcheck disable=SC2086
  json "$tmp/other" $small --set jitter=0 --set $1 racy ops=200 || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}
# shellcheck disable=SC2086
check "prt: a run to compare with" json "$tmp/first" $small --set jitter=0 racy ops=200
check "prt: all edges" same skip_idle=false
check "prt: cycle by cycle" same window=1
check "prt: two threads" same threads=2

# The refusals of a table are counted by cause, and every cause occurs.
causes() {
  # shellcheck disable=SC2086
  json "$tmp/causes" $small --set prt_credits=5 --set prt_entries=$1 histogram blocks=8 threads=32 bins=20 items=4 || return 1
  [ "$(number "$tmp/causes.all" "l1.reject_$2")" -gt 0 ] || { echo "no reject_$2"; return 1; }
}
check "prt: refused for want of an entry" causes 2 entry
check "prt: ... of a credit" causes 6 credit
check "prt: ... because the line is on the way" causes 6 line

fixed="--config tests/mutants/mutant.cfg --set sms=1 --set partitions=1 --set clk_ratio=1 --set jitter=0 --set memory=fixed"
for latency in 16 440; do
  for pending in mshr prt; do
    for what in "racy ops=400" "vecadd n=600 threads=64" "histogram blocks=8 threads=32 bins=20 items=4"; do
      # shellcheck disable=SC2086
      check "fixed memory, $latency cycles, $pending, $what" "$HEDDLE" run $fixed --set fixed_latency=$latency \
        --set pending=$pending $what
    done
  done
done
# A chain of loads that all miss is as long as the latencies it names.
chain() {
  # shellcheck disable=SC2086
  json "$tmp/near" $fixed --set fixed_latency=500 chase warps=1 length=50 &&
    json "$tmp/far" $fixed --set fixed_latency=1500 chase warps=1 length=50 || return 1
  more=$(($(number "$tmp/far.all" cycles) - $(number "$tmp/near.all" cycles)))
  [ $((more % 1000)) = 0 ] && [ $((more / 1000)) -ge 50 ] || { echo "1000 cycles more a load make $more"; return 1; }
}
check "fixed memory: the latency is the one that was asked for" chain

check "fixed memory of several SMs" refused "sms = 4: must be 1 (memory = fixed)" run --config tests/mutants/mutant.cfg \
  --set memory=fixed vecadd
# shellcheck disable=SC2086
check "fixed latency too short" refused "fixed_latency = 15: must be 16 or more" run $fixed --set fixed_latency=15 vecadd
# shellcheck disable=SC2086
check "more credits than requests" refused "prt_credits = 25: must be at most prt_entries * lanes = 24" run $small \
  --set prt_credits=25 vecadd
check "unknown table" refused "pending = cam: must be mshr|prt" run --set pending=cam vecadd
finish
