#!/bin/sh
# wide.sh - every workload in warps of 64 lanes on lines of 64 bytes (configs/wide64.cfg), with all checks and judged by the
# memory-model checker, on every L1 and table of requests: workloads, and litmus tests with atomics under three orderings. An SM
# of one warp.
. tests/system/lib.sh
compile_fast -O0

# run L1 PENDING ORDER WORKLOAD...
run() {
  l1=$1 pending=$2 order=$3
  shift 3
  check "$1 on wide64, $l1, $pending, $order" "$HEDDLE" run --config wide64 --set ghost_bits=32 --set l1="$l1" \
    --set pending="$pending" --set order="$order" "$@"
}

# The workloads of `heddle list`, at small sizes.
cat >"$tmp/runs" <<END
2dconv block_cols=2 block_rows=1
3mm nk=2 block_cols=2
backprop inputs=32
b+tree queries=3 ranges=2 keys=300 fill=9
backoff_mutex visits=1 n=2
backoff_sem visits=1 n=2
bfs nodes=100 threads=128
chase warps=3 length=20 warm=1
dlb blocks=3 tasks=20 roots=3
drf episodes=1 warps=2 length=3
fdtd-2d block_cols=2 block_rows=1
flag_barrier visits=1 n=2 exchange=1
ga n=8
gemm nk=4 block_rows=1
heartwall blocks=1 outputs=1 steps=1
histogram blocks=4 items=1 bins=40
hotspot cols=40 block_rows=2 grids=1
ht n=64
km n=4
kv blocks=1 threads=64 puts=2
lavamd particles=4 partners=2
lud n=12 tile=4
memcached gets=100 items=200
mvt blocks=1 row_steps=2 column_steps=4 pitch=256
nn records=500
nw n=16 tile=8
outstanding threads=200 loads=2 lanes=50
pathfinder cols=300 rows=4 height=2
ptree leaves=64 threads=64 algorithm=1
racy ops=20
reduce blocks=5 threads=256
sgemm n=16 k=8
sleep_mutex visits=1 n=2
spin_mutex visits=1 n=2
spin_sem visits=1 n=2
spinlock blocks=2 rounds=2
srad n=16 tile=8 steps=1
starve warps=3
stencil x=16 y=8 z=3
stn blocks=2 side=16
stream items=2 threads=160
streamcluster blocks=2 threads=128 dims=2 pitch=1024
ticket_mutex visits=1 n=2
tree_barrier visits=1 n=2
uts nodes=31 warps=1
tiles blocks=3 tiles=3 threads=96
vecadd n=1001 threads=96
END

grep -E '^(histogram|memcached|racy) ' "$tmp/runs" >"$tmp/atomics"

# all_named: the list above has them all but txracy (transactions in the LDS), plog (persist barriers), probe (3 SMs).
all_named() {
  cut -d' ' -f1 "$tmp/runs" | sort >"$tmp/mine"
  "$HEDDLE" list | sed -n '/^workloads/,/^configurations/s/^  \([^ ][^ ]*\) .*/\1/p' | sort >"$tmp/theirs"
  sed -i '/^txracy$/d; /^plog$/d; /^probe$/d' "$tmp/theirs"
  [ -s "$tmp/theirs" ] && cmp "$tmp/mine" "$tmp/theirs"
}

check "every workload" all_named
for l1 in mesi vi; do
  [ $l1 = mesi ] && pending=mshr other=prt || pending=prt other=mshr
  # shellcheck disable=SC2086
  while read -r line; do run $l1 $pending rmo $line; done <"$tmp/runs"
  # shellcheck disable=SC2086
  while read -r line; do run $l1 $other rmo $line; done <"$tmp/atomics"
  for order in tso sc; do run $l1 $other $order --seed 2 racy ops=20 barriers=9; done
  check "litmus on wide64, $l1" "$HEDDLE" litmus --config wide64 --set ghost_bits=32 --set l1=$l1 --set pending=$pending \
    --orders rmo,tso,sc --runs 10 --brief tests/litmus/open/MP.litmus tests/litmus/open/MP+rmws.litmus \
    tests/litmus/open/SB+rmws.litmus tests/litmus/open/RMW2.litmus tests/litmus/open/LOCK2.litmus
done
for l1 in gpu denovo; do
  for order in drf hrf; do run $l1 mshr $order histogram blocks=4 items=1 bins=40; done
done
# The other end.
check "one warp an SM" "$HEDDLE" run --config tiny --set warps=1 --set blocks=1 --set ghost_bits=32 vecadd n=64 threads=16
finish
