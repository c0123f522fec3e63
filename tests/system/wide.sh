#!/bin/sh
# wide.sh - every workload in warps of 64 lanes on lines of 64 bytes (configs/wide64.cfg), with all checks; some with
# ghosts, judged by the memory-model checker, under every order.
. tests/system/lib.sh

# run ORDER GHOSTS WORKLOAD...
run() {
  order=$1
  ghosts=$2
  shift 2
  check "$1 on wide64, $order, ghost_bits $ghosts" \
    "$HEDDLE" run --config wide64 --set order="$order" --set ghost_bits="$ghosts" "$@"
}

# The workloads of `heddle list`, at small sizes.
cat >"$tmp/runs" <<END
2dconv block_cols=2 block_rows=1
3mm nk=2 block_cols=2
b+tree queries=3 ranges=2 keys=300 fill=9
bfs nodes=100 threads=128
chase warps=3 length=20 warm=1
dlb blocks=3 tasks=20 roots=3
drf episodes=2
fdtd-2d block_cols=2 block_rows=1
gemm nk=4 block_rows=1
heartwall blocks=1 outputs=2 steps=2
histogram blocks=4 items=1 bins=40
hotspot cols=40 block_rows=2 grids=1
memcached gets=100 items=200
mvt blocks=1 row_steps=2 column_steps=4 pitch=256
outstanding threads=200 loads=2 lanes=50
pathfinder cols=300 rows=4 height=2
racy ops=60
reduce blocks=5 threads=256
spinlock blocks=2 rounds=2
stn blocks=2 side=16
stream items=2 threads=160
streamcluster blocks=2 threads=128 dims=2 pitch=1024
vecadd n=1001 threads=96
END

# all_named: the list above has them all.
all_named() {
  cut -d' ' -f1 "$tmp/runs" | sort >"$tmp/mine"
  "$HEDDLE" list | sed -n '/^workloads/,/^configurations/s/^  \([^ ][^ ]*\) .*/\1/p' | sort >"$tmp/theirs"
  [ -s "$tmp/theirs" ] && cmp "$tmp/mine" "$tmp/theirs"
}

check "every workload" all_named
while read -r line; do
  # shellcheck disable=SC2086
  for order in rmo tso sc type; do run $order 0 $line; done
done <"$tmp/runs"
for order in rmo tso sc type; do
  for seed in 1 2; do run $order 32 --seed $seed racy ops=80 barriers=9; done
  run $order 32 drf episodes=2
  run $order 32 histogram blocks=4 items=1 bins=3
  run $order 32 b+tree queries=3 ranges=2 keys=300 fill=9
done
check "litmus on wide64" "$HEDDLE" litmus --config wide64 --set ghost_bits=32 --orders rmo,tso,sc --runs 300 --brief \
  tests/litmus/open/MP.litmus tests/litmus/open/IRIW.litmus tests/litmus/open/MP+group.litmus
check "idle tiles skipped, and not" sh -c "for skip in true false; do
    '$HEDDLE' run --config wide64 --set skip_idle=\$skip --port-log '$tmp/log.'\$skip racy ops=60 >/dev/null || exit 1
  done && cmp '$tmp/log.true' '$tmp/log.false'"
finish
