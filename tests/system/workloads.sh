#!/bin/sh
# workloads.sh - every workload passes its checks under every ordering and scheduler on small machines, and
# with every queue as short as it can be; those of paper 1 in checked builds with random delays, too.
. tests/system/lib.sh
current

run() {
  config=$1
  order=$2
  scheduler=$3
  shift 3
  check "$1 on $config, $order, $scheduler" \
    "$HEDDLE" run --config "$config" --set order="$order" --set scheduler="$scheduler" "$@"
}

for order in rmo tso sc; do
  for scheduler in gto lrr; do
    run tiny $order $scheduler vecadd n=2001 threads=96
    run tiny $order $scheduler gemm nk=6 block_rows=2
    run tiny $order $scheduler histogram blocks=6 bins=40
    run tiny $order $scheduler chase warps=3 length=20 warm=1
    run tiny $order $scheduler reduce blocks=9 threads=64
    run tiny $order $scheduler spinlock blocks=4
    run tiny $order $scheduler stream items=5 threads=160
    run tiny $order $scheduler outstanding threads=94 loads=3
  done
  run min $order gto vecadd n=1000
  run min $order lrr gemm nk=3 block_rows=1
  run min $order gto histogram blocks=3 items=1
  run min $order gto chase warps=4 length=10
  run min $order lrr spinlock rounds=2
  run min $order gto stream items=3 threads=96
done
check "lanes that share bins" "$HEDDLE" run --config tiny histogram bins=1 blocks=4 items=2
check "more blocks than fit, one at a time" "$HEDDLE" run --config tiny vecadd n=6000 resident=1
check "firstlight prints a row per ordering" sh -c \
  "'$HEDDLE' firstlight tiny nk=4 block_rows=1 | grep -cE '^(RMO|TSO|SC) .* 5/5$|^(RMO|TSO|SC) .* 6/6$' | grep -qx 3"
# each COMMAND...: runs it with every workload of paper 1, at its smallest, in $1, its parameters behind it.
each() {
  for line in "2dconv block_cols=2" "3mm nk=4 block_rows=1" "b+tree queries=6 ranges=4 keys=300 fill=9" \
    "bfs nodes=100 threads=128" "dlb blocks=5 tasks=40 roots=3" "fdtd-2d block_cols=2 block_rows=2" \
    "heartwall blocks=1 outputs=3 steps=4" "hotspot cols=40 block_rows=2 grids=2" "memcached gets=200 items=300" \
    "mvt blocks=1 row_steps=3 column_steps=12 pitch=256" "pathfinder cols=500 rows=6 height=3" \
    "stn blocks=2 side=20" "streamcluster blocks=2 threads=128 dims=4 pitch=1024"; do
    "$@" $line
  done
}

# checked ORDER SEED WORKLOAD...: on tiny with ghosts, assertions and delays that depend on the seed.
checked() {
  order=$1
  seed=$2
  shift 2
  check "$1, checked, $order, seed $seed" "$HEDDLE" run --config tiny --set ghost_bits=32 --set jitter=9 \
    --set jitter_seed="$seed" --seed "$seed" --set order="$order" "$@"
}

# race_free WORKLOAD...: what blocks or warps tell each other is ordered by what the DRF model calls synchronisation.
race_free() {
  "$HEDDLE" run --config tiny --set ghost_bits=32 --set jitter=9 --log "$tmp/run.log" "$@" &&
    "$HEDDLE" check --model drf "$tmp/run.log"
}

for order in rmo tso sc; do
  each checked $order 1
  for seed in 2 3 4; do
    checked $order $seed b+tree queries=9 keys=1000 fill=5
    checked $order $seed dlb blocks=9 tasks=60
    checked $order $seed stn blocks=8 side=30 steps=6
  done
done
checked rmo 5 b+tree queries=9 keys=1000 fill=5 fenced=0
checked rmo 5 heartwall blocks=2 outputs=1 steps=2 fenced=0
each run min rmo lrr
each run min sc gto
check "b+tree has no race" race_free b+tree queries=6 ranges=4 keys=300 fill=9
check "dlb has no race" race_free dlb blocks=8 tasks=100
check "heartwall has no race" race_free heartwall blocks=1 outputs=3 steps=4
check "stn has no race" race_free stn blocks=8 side=30
# full_size: takes the values of the size, but for those given.
full_size() {
  json "$tmp/full" --config tiny 3mm size=full nk=2 block_rows=1 &&
    [ "$(number "$tmp/full" block_cols) $(number "$tmp/full" nk)" = "16 2" ]
}
check "full size" full_size


check "3mm, too long a row" refused "3mm: nk: a row of A has nk words, more than pitch" run 3mm nk=600
check "3mm, too many columns" refused "3mm: block_cols: a row of a product has" run 3mm block_cols=17
check "mvt, nothing to run" refused "mvt: row_steps and column_steps are both 0" run mvt row_steps=0 column_steps=0
check "mvt, too many columns" refused "mvt: blocks: the transposed product has" run mvt pitch=512
check "2dconv, no block" refused "2dconv: block_rows = 0: must be 1..512" run 2dconv block_rows=0
check "fdtd-2d, too many steps" refused "fdtd-2d: steps = 65: must be 1..64" run fdtd-2d steps=65
check "pathfinder, too many grids" refused "pathfinder: rows: (rows - 1) / height is more" run pathfinder rows=66 height=1
check "hotspot, narrow" refused "hotspot: cols = 31: must be 32..4096" run hotspot cols=31
check "heartwall, too many steps" refused "heartwall: steps = 184: must be 1..183" run heartwall steps=184
check "bfs, no node" refused "bfs: nodes = 0: must be 1.." run bfs nodes=0
check "bfs, block too large" refused "an SM has warps = 8 slots" run --config min bfs
check "memcached, percent" refused "memcached: absent = 101: must be 0..100" run memcached absent=101
check "b+tree, nothing to run" refused "b+tree: queries and ranges are both 0" run b+tree queries=0
check "streamcluster, too many points" refused "streamcluster: blocks * threads: more points than pitch" \
  run streamcluster pitch=4096
check "stn, more blocks than fit" refused "stn: blocks = 33: all must be on the SMs at once, which hold 32" run stn blocks=33
check "dlb, roots" refused "dlb: roots: more than tasks" run dlb tasks=4
check "size" refused "gemm: size = huge: must be reduced or full" run gemm size=huge
check "no size" refused "vecadd size=full: unknown key 'size'" run vecadd size=full
finish
