#!/bin/sh
# localtm_bench.sh - the benchmarks of paper 5 (ht, km, ga) at all sizes: one thread after the other, a lock each, one lock; what
# they leave is compared with the host's.
. tests/system/lib.sh
current
small="--config paper1-small --set scheduler=lrr"

# cycles WAY N BENCH...: the time of the critical sections, in $tmp/cycles.
cycles() {
  way=$1 n=$2
  shift 2
  # shellcheck disable=SC2086
  "$HEDDLE" run $small --json "$@" n="$n" way="$way" >"$tmp/json" && sed -n 's/.*"tx.cycles": *\([0-9]*\).*/\1/p' "$tmp/json" >"$tmp/cycles" && [ -s "$tmp/cycles" ]
}

# faster LESS MORE: both are files with a number.
faster() {
  [ "$(cat "$1")" -lt "$(cat "$2")" ]
}

for n in 2 4 8 16 32 64 128 256; do
  for bench in ht "km kb=8" "km kb=4" "km kb=0" ga; do
    # shellcheck disable=SC2086
    check "$bench n=$n serial" cycles 1 $n $bench skew=$((n % 5))
    [ "$bench" = ht ] && [ $n -lt 16 ] && continue # spinning takes minutes
    # shellcheck disable=SC2086
    check "$bench n=$n locks" cycles 2 $n $bench --seed $n
    cp "$tmp/cycles" "$tmp/locks-$(echo "$bench" | tr ' ' -)-$n"
  done
done
# Where few conflict, a lock each is faster the more there are; one lock for all does not care.
check "ht: 256 locks are faster than 32" faster "$tmp/locks-ht-256" "$tmp/locks-ht-32"
check "ga: 256 locks are faster than 32" faster "$tmp/locks-ga-256" "$tmp/locks-ga-32"
check "km: 32 locks are faster than 4" faster "$tmp/locks-km-kb=8-32" "$tmp/locks-km-kb=8-4"
check "km with one lock" cycles 3 4 km
check "ga with one lock" cycles 3 256 ga
check "same seed, same time" sh -c "$HEDDLE run $small --json ga n=64 way=2 | grep tx.cycles >$tmp/a; $HEDDLE run $small --json ga n=64 way=2 | grep tx.cycles >$tmp/b; [ -s $tmp/a ] && cmp $tmp/a $tmp/b"

# Older warps that spin would keep a younger holder of a lock from issuing for ever: hd_issue_select gives it its turn.
for bench in "ga n=64" "km n=8"; do
  # shellcheck disable=SC2086
  check "$bench: locks under GTO end" "$HEDDLE" run --config paper1-small --set scheduler=gto --set max_cycles=3000000 $bench way=2
done
check "n is a power of two" refused "n must be a power of two" run $small ht n=3
check "kb at most the banks" refused "kb must be at most lds_banks" run $small km kb=33
check "no transactions without hardware" refused "needs transactions in the LDS, local_tm = on" run $small ht way=0
finish
