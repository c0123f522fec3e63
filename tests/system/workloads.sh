#!/bin/sh
# workloads.sh - every workload passes its checks under every ordering and scheduler on small machines, and
# with every queue as short as it can be.
. tests/system/lib.sh

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
finish
