#!/bin/sh
# persist.sh - persist barriers (paper 4): a commit number that a barrier follows is never durable before what it stands
# for, under each order of completion of the memory, at each scope, with each depth 1, also buffered; without a barrier, or with one of
# a narrower scope, it is. Machines that cannot are refused.
. tests/system/lib.sh

machine="--config paper4-small --set nv_base=16384 --set nv_journal=true"

# shellcheck disable=SC2086
plog() {
  "$HEDDLE" run $machine "$@" >"$tmp/out" 2>&1 && grep -q ', memory_model, persist$' "$tmp/out" || { cat "$tmp/out"; return 1; }
}
# out_of_order ARGUMENT...: the run's only fault is a commit number that came too early.
out_of_order() {
  # shellcheck disable=SC2086
  "$HEDDLE" run $machine "$@" >"$tmp/out" 2>&1 && return 1
  grep -q "commit .* was durable at" "$tmp/out" || { cat "$tmp/out"; return 1; }
}

for order in pipe banks random newest epoch bank-slow; do
  for scope in 0 1 2; do
    check "plog, nv_order = $order, scope $scope" plog --set nv_order=$order --set nv_out=16 \
      plog scope=$scope rounds=8 blocks=4 warps=3
  done
done
check "every depth 1" plog --set nvw_l1=1 --set nvw_l2=1 --set sb_rows=1 --set persist_epochs=2 --set l2_mshr=1 --set nv_out=1 --set mem_credits=1 \
  --set nv_order=random plog scope=1 rounds=4
check "one set" plog --set l2_sets=2 --set l2_ways=2 --set nv_order=newest plog scope=1 blocks=4 warps=4
check "no barrier" out_of_order --set nv_order=random plog barrier=0
check "narrower than judged" out_of_order --set nv_order=random plog scope=0 judged=1 warps=4 blocks=2

# covered PERCENT ARGUMENT...: of the litmus tests nothing forbidden, and PERCENT of what the reference machine reaches is seen.
covered() {
  percent=$1
  shift
  "$HEDDLE" litmus --brief --config paper4-small "$@" tests/litmus/persist >"$tmp/out" 2>&1 || { tail -n 20 "$tmp/out"; return 1; }
  tail -n 1 "$tmp/out"
  sed -n 's/^34 tests (0 skipped).*: \([0-9]*\) of \([0-9]*\) allowed outcomes seen .*, 0 forbidden$/\1 \2/p' "$tmp/out" |
    awk -v p="$percent" '{ good = $2 > 0 && 100 * $1 >= p * $2 } END { exit !good }'
}
check "litmus tests of power cuts" covered 95 --runs 64 --set nv_order=random
check "litmus tests, every depth 1" covered 90 --runs 16 --set nv_order=random --set nvw_l2=1 --set persist_epochs=2 --set l2_mshr=1 \
  --set nv_out=1 --set mem_credits=1

# l1 = vi: stores are at the L2 when they complete; visibility and persistence are judged by two checkers.
for order in rmo tso sc; do
  check "vi, $order: plog" plog --set l1=vi --set order=$order --set nv_order=random plog scope=1 rounds=8 blocks=4 warps=3
done
check "vi: every depth 1" plog --set l1=vi --set order=rmo --set nvw_l2=1 --set persist_epochs=2 --set l2_mshr=1 --set nv_out=1 \
  --set mem_credits=1 --set nv_order=random plog scope=1 rounds=4
check "vi: racy" plog --set l1=vi --set order=rmo --set nv_order=random racy ops=300
check "vi: no barrier" out_of_order --set l1=vi --set order=rmo --set nv_order=random plog barrier=0
check "vi: litmus tests of power cuts" covered 90 --runs 16 --set l1=vi --set order=tso --set nv_order=random
# Under RMO no store waits at a barrier of the block: what another warp stored in front of it is not made durable behind it.
reversed() {
  "$HEDDLE" litmus --config paper4-small --set l1=vi --set order=rmo --set nv_order=random --runs 3000 \
    tests/litmus/persist/P-MP+sb+wi.2wi.litmus >"$tmp/out" || { cat "$tmp/out"; return 1; }
  grep -q ' \* x=0;y=1$' "$tmp/out"
}
check "vi, rmo: litmus tests of power cuts" covered 90 --runs 16 --set l1=vi --set order=rmo --set nv_order=random
check "vi, rmo: a barrier of the block orders no store" reversed

# The buffered alternative: barriers order, only those of the kernel wait.
buffered="--set persist=buffered --set nv_order=random"
for scope in 0 1 2; do
  # shellcheck disable=SC2086
  check "buffered: plog, scope $scope" plog $buffered plog scope=$scope rounds=8 blocks=4 warps=3
done
# shellcheck disable=SC2086
check "buffered: commits by atomics" plog $buffered plog scope=0 atomic=1 rounds=8 blocks=4 warps=3
# shellcheck disable=SC2086
check "buffered: racy" plog $buffered racy ops=300
# shellcheck disable=SC2086
check "buffered: no barrier" out_of_order $buffered plog barrier=0
# shellcheck disable=SC2086
check "buffered: narrower than judged" out_of_order $buffered plog scope=0 judged=1 warps=4 blocks=2
# shellcheck disable=SC2086
check "buffered: litmus tests of power cuts" covered 90 --runs 64 $buffered
check "buffered with l1 = vi" refused "persist = buffered: must be fifo or off (l1 = vi" \
  run --config paper4-small --set persist=buffered --set l1=vi --set order=rmo vecadd

# An inclusive L2, as small as can be, takes copies out of L1s all the time: clean words, never dirty ones.
inclusive="--set l2_inclusive=true --set l2_sets=2 --set l2_ways=2 --set nv_order=random"
for what in "plog scope=1 rounds=8 blocks=4 warps=3" "racy ops=300" drf "plog scope=3 blocks=40 rounds=3"; do
  # shellcheck disable=SC2086
  check "inclusive: $what" plog $inclusive $what
done
# shellcheck disable=SC2086
check "inclusive, buffered" plog $inclusive --set persist=buffered plog scope=1 rounds=8 blocks=4 warps=3
# Reads and writes recall, and a write waits in front for its way beside all entries.
# shellcheck disable=SC2086
check "inclusive, buffered: recalls of both kinds" plog $inclusive --set persist=buffered histogram blocks=8 threads=32 bins=200 items=4
# shellcheck disable=SC2086
check "inclusive, buffered, one entry" plog $inclusive --set persist=buffered --set l2_mshr=1 vecadd n=4096 threads=64
# shellcheck disable=SC2086
check "inclusive, every depth 1" plog $inclusive --set nvw_l1=1 --set nvw_l2=1 --set sb_rows=1 --set persist_epochs=2 --set l2_mshr=1 --set nv_out=1 \
  --set mem_credits=1 plog scope=1 rounds=4
# shellcheck disable=SC2086
check "inclusive: litmus tests of power cuts" covered 95 --runs 64 $inclusive
# Without persist barriers, on a mesh: recalls were sent, and each was answered.
recalls() {
  json "$tmp/recalls" --config paper3-small --set l1=gpu --set order=hrf --set l2_inclusive=true --set l2_sets=2 --set l2_ways=2 uts || return 1
  [ "$(number "$tmp/recalls" l2.recall)" -gt 500 ] && [ "$(number "$tmp/recalls" l2.inv_sent)" = "$(number "$tmp/recalls" l1.inv)" ]
}
check "inclusive, a mesh" recalls
check "inclusive, with l1 = denovo" refused "l2_inclusive = true: must be false (l1 = denovo" \
  run --config paper3-small --set l1=denovo --set order=drf --set l2_inclusive=true vecadd

# Barriers of the whole grid, of which 8 blocks fit at once: parked warps, and each SM drained behind the last of them.
for set in nv_order=random nv_order=newest persist=buffered l1=vi nvw_l1=1; do
  order=
  [ $set != l1=vi ] || order="--set order=rmo"
  # shellcheck disable=SC2086
  check "barriers of the grid, $set" plog --set $set $order plog scope=3 blocks=40 rounds=3
done
check "barriers of the grid, copies in the L1 that are old" plog plog scope=3 blocks=10 rounds=3
check "a block's barrier is none of the grid" out_of_order --set nv_order=random plog scope=1 judged=3 blocks=40 rounds=2

# counted NAME VALUE...: counters of the last machine report, exactly.
counted() {
  # shellcheck disable=SC2086
  json "$tmp/counted" $machine plog "$1" blocks=12 warps=3 rounds=4 || return 1
  shift
  for pair; do
    [ "$(number "$tmp/counted" "persist.${pair%=*}")" = "${pair#*=}" ] || { echo "$pair"; grep '"persist\.' "$tmp/counted"; return 1; }
  done
}
# 36 warps of 8 lanes, 4 rounds: 5 barriers of the grid a round, one of them a persist barrier, for which 2 SMs are drained.
check "counters, a block's barriers" counted scope=1 barriers_wg=144 barriers_kr=0 store_words=2304 grid_barriers=0
check "counters, barriers of the grid" counted scope=3 barriers_wg=0 barriers_kr=8 store_words=4608 grid_barriers=20 grid_parked=720

# What may differ are the keys themselves.
same() {
  sets=$1
  shift
  # shellcheck disable=SC2086
  json "$tmp/one" $machine $sets plog "$@" || return 1
  for threads in 2 4; do
    # shellcheck disable=SC2086
    json "$tmp/two" $machine $sets --set threads=$threads --set skip_idle=false plog "$@" || return 1
    for f in one two; do sed '/"threads"\|"skip_idle"/d' "$tmp/$f" >"$tmp/$f.cut"; done
    cmp "$tmp/one.cut" "$tmp/two.cut" || return 1
  done
}
for persist in fifo buffered; do
  check "threads and idle skipping change nothing, $persist" same "--set persist=$persist --set nv_order=random" scope=1 warps=3
  check "the same, barriers of the grid" same "--set persist=$persist" scope=3 blocks=40
done

# Other programs than plog, whose stores meet in lines and are overwritten, loaded, replaced by atomics: durable in their order.
for what in "racy ops=300" "histogram blocks=8 threads=32 bins=20 items=4" "drf" "spinlock rounds=3"; do
  # shellcheck disable=SC2086
  check "$what" plog --set nv_order=random $what
done

for what in "barriers=0" "algorithm=1" "algorithm=2" "algorithm=1 log=1" "algorithm=2 log=1 batches=3"; do
  # shellcheck disable=SC2086
  check "ptree $what" plog --set nv_base=1048576 --set nv_order=random ptree leaves=60 keys=48 threads=32 groups=8 $what
done
check "a tree that runs into volatile memory" refused "nv_base lies in its volatile arrays" run --config paper4-small ptree
check "a tree no key fits into" refused "a node gets more than 16 keys at once" run --config paper4-small --set nv_base=16777216 \
  ptree leaves=4 keys=400 groups=1
check "the lab knows its benchmarks" refused "must be some of 1.6 MB none" lab persistency --quick --only tree

# A machine that answers a marker while one write before it is not durable, in a tree of its own: nothing but the persist checker
# sees it, and names the store.
broken() {
  tree=build/broken
  rm -rf $tree
  mkdir -p $tree/build/models
  cp -al rtl tb synth configs $tree && ln -s "$PWD/build/vrt" $tree/build || return 1
  for model in build/models/*-fast; do # finished ones only: other tests build theirs there meanwhile
    cp -al "$model" $tree/build/models || rm -rf "$tree/$model"
  done
  file=rtl/persist/hd_persist_epochs.sv
  rm $tree/$file
  sed "s/ count_q.old_q. == '0;/ count_q[old_q][CntW-1:1] == '0;/" $file >$tree/$file
  ! cmp -s $file $tree/$file || return 1
  # shellcheck disable=SC2086
  HEDDLE_ROOT=$PWD/$tree "$HEDDLE" run $machine --set nv_order=random --set check_golden=false plog scope=0 rounds=4 >"$tmp/out" 2>&1
  code=$?
  rm -rf $tree
  [ $code -eq 1 ] && grep -q 'watchdog, assertions, memory_model not run, persist cycle .* not durable though in front of it: store ' "$tmp/out"
}
check "a marker answered one write too early" broken
off() {
  # shellcheck disable=SC2086
  "$HEDDLE" run $machine --set check_persist=false plog | grep -q ' 7 of 7 passed.*, persist off$'
}
check "not asked" off

check "no non-volatile memory" refused "persist = fifo: must be off (nv_base = 0" \
  run --config paper4-small --set nv_base=0 vecadd
for l1 in "mesi --set order=rmo" denovo; do
  # shellcheck disable=SC2086
  check "an L1 that owns lines: $l1" refused "persist = fifo: must be off (l1 = mesi, denovo: written words leave" \
    run --config paper4-small --set l1=$l1 vecadd
done
check "gpu without scopes" refused "persist = fifo: must be off (l1 = gpu without order = hrf" \
  run --config paper4-small --set order=drf vecadd
check "two partitions" refused "persist = fifo: must be off" run --config paper4-small --set partitions=2 vecadd
finish
