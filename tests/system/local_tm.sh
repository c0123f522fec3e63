#!/bin/sh
# local_tm.sh - transactions in the LDS on whole machines (paper 5): the benchmarks with every operation judged by the checker
# of transactions and the memory-model checker, under each order that has them, and what is refused.
. tests/system/lib.sh
compile_fast -O1

passes() { # ARGUMENT... all 7 checks are on and pass
  "$HEDDLE" run "$@" >"$tmp/run" 2>&1 && grep -q "checks  *7 of 7 passed" "$tmp/run" || { tail -n 5 "$tmp/run"; return 1; }
}
for order in rmo tso sc; do
  for k in "ht n=8" "km n=16" "ga n=32"; do
    # shellcheck disable=SC2086
    check "$k, transactions, $order" passes --config paper5 --set ghost_bits=32 --set order=$order $k way=0
  done
done
for k in "ht n=2 skew=3" "km n=64 kb=0" "ga n=256 skew=1"; do
  # shellcheck disable=SC2086
  check "$k, transactions" passes --config paper5 --set ghost_bits=32 $k way=0
done
for k in "ht n=8" "km n=64" "ga n=32"; do
  # shellcheck disable=SC2086
  check "$k, transactions in no time" passes --config paper5 --set ghost_bits=32 --set local_tm=ideal $k way=0
done
# 32 lanes, 8 warps; few filters; a warp may issue in each cycle.
small="--config paper5 --set ghost_bits=32 --set lanes=32 --set warps=8 --set tm_warps=8 --set tm_hash=2 --set tm_rows=64
  --set issue_gap=1 --set scheduler=gto"
for k in "ht n=8" "km n=8 kb=4" "ga n=16"; do
  # shellcheck disable=SC2086
  check "$k, 8 warps, 2 filters a bank" passes $small $k way=0
done
# shellcheck disable=SC2086
check "ht, 8 warps, owner records instead of filters" passes $small --set tm_detect=1 ht n=8 way=0
# shellcheck disable=SC2086
check "... in no time: one filter would see conflicts where none are" passes $small --set tm_detect=1 --set local_tm=ideal --set tm_hash=1 ht n=8 way=0

# Transactions in the LDS, loads from a global table inside them, atomics on global words between them: every order that has them.
both="--config paper5 --set ghost_bits=32 --set sms=2 --set lanes=8 --set lds_banks=8 --set lds_bytes=4096 --set tm_rows=64"
for l1 in mesi vi gpu denovo; do
  case $l1 in gpu | denovo) orders="drf hrf" ;; *) orders="rmo tso sc" ;; esac
  for order in $orders; do
    # shellcheck disable=SC2086
    check "global atomics beside transactions, $l1, $order" passes $both --set l1=$l1 --set order=$order --set jitter=20 \
      txracy transactions=60 global=100
  done
done
# Everything as small as it can be; 10^4 transactions of lanes under jitter on 8 lanes.
# shellcheck disable=SC2086
check "2 lanes, 2 rows, 1 filter" passes $both --set lanes=2 --set lds_banks=2 --set lds_bytes=64 --set tm_rows=2 --set tm_hash=1 \
  --set warps=2 --set tm_warps=2 --set queue_depth=2 --set scoreboard=1 txracy transactions=500

faster() { # transactions take less time than one thread after the other
  tm=$("$HEDDLE" run --config paper5 --set ghost_bits=32 ht n=256 way=0 | sed -n 's/,//g;s/ *tx.cycles *//p')
  serial=$("$HEDDLE" run --config paper5 --set ghost_bits=32 ht n=256 way=1 | sed -n 's/,//g;s/ *tx.cycles *//p')
  [ "$tm" -gt 0 ] && [ "$((tm * 30))" -lt "$serial" ]
}
check "ht of 256 buckets: at least 30 times as fast as serial" faster

causes() { # waiting for the token and for issue_gap are causes of their own; every warp-cycle has one (conservation checks the sum)
  # shellcheck disable=SC2086
  "$HEDDLE" run --json $both --set stall_causes=true txracy transactions=40 >"$tmp/run" &&
    [ "$(sed -n 's/.*"stall.token": \([0-9]*\),.*/\1/p' "$tmp/run")" -gt 0 ] &&
    [ "$(sed -n 's/.*"stall.gap": \([0-9]*\),.*/\1/p' "$tmp/run")" -gt 0 ]
}
check "causes of stalls" causes

# events FILE: pass owner aside lost kept alone begin commit
events() {
  for e in pass owner aside walk_lost walk_commit walk_alone begin commit; do number "$1" "lds.tm_$e"; done | tr '\n' ' '
}
counted() { # what transactions spend their cycles on; the ideal variant walks nowhere, one thread after the other makes no attempt
  json "$tmp/on" --config paper5 --set ghost_bits=32 ht way=0 && json "$tmp/ideal" --config paper5 --set ghost_bits=32 \
    --set local_tm=ideal ht way=0 && json "$tmp/serial" --config paper5 --set ghost_bits=32 ht way=1 || return 1
  events "$tmp/on"
  events "$tmp/ideal"
  events "$tmp/serial"
  events "$tmp/on" | awk '{ exit !($1 > $2 && $2 >= $3 && $3 > 0 && $4 > 0 && $5 > 0 && $7 >= $8 && $8 > 0) }' &&
    events "$tmp/ideal" | awk '{ exit !($1 > 0 && $2 + $3 + $4 + $5 + $6 == 0 && $7 >= $8 && $8 > 0) }' &&
    [ "$(events "$tmp/serial")" = "0 0 0 0 0 0 0 0 " ]
}
check "events of transactions" counted

refused() {
  text=$1
  shift
  ! "$HEDDLE" run "$@" >/dev/null 2>"$tmp/err" && grep -q "$text" "$tmp/err"
}
for order in tso-sb sc-pf type; do
  check "order = $order is refused" refused "order = $order: must be rmo, tso, sc, drf or hrf (local_tm" \
    --config paper5 --set order=$order ht way=0
done
check "a machine without transactions" refused "way = 0: needs transactions in the LDS, local_tm = on" --set lanes=32 ht way=0
check "issue_gap without transactions" refused "issue_gap = 4: must be 1 (without local_tm)" --set issue_gap=4 vecadd
check "more warps than slots" refused "tm_warps = 8: must be at most warps = 4" --config paper5 --set tm_warps=8 ht way=0
check "more rows than words" refused "tm_rows = 600: must be at most 512" --config paper5 --set tm_rows=600 ht way=0
finish
