#!/bin/sh
# starve.sh - no arbiter lets an access wait for ever behind others that come in every cycle: the workload `starve` and a run of
# random accesses on machines where something once did, and all that `starve` can do on small machines.
. tests/system/lib.sh
compile_fast -O0

# What stands behind hits of the L1.
for l1 in mesi vi; do
  check "copies behind hits, $l1" "$HEDDLE" run --config paper1-small --set l1=$l1 --set copies=32 --set max_cycles=300000 \
    starve local=3 wait=20 warps=8
done
check "DeNovo, a release behind hits" "$HEDDLE" run --config paper3-small --set coherence=dh --set max_cycles=300000 \
  starve local=1 wait=100 warps=24

# Type-aware ordering.
type="--set order=type"
# $type is a list of words
# shellcheck disable=SC2086
{
  check "types, a flag of the LDS" "$HEDDLE" run --config paper1-small $type --set max_cycles=300000 starve wait=1 warps=4
  check "types, the LDS and misses" "$HEDDLE" run --config paper1-small $type --set max_cycles=600000 starve local=2 wait=40 warps=40
  check "types, a classifier of one entry" "$HEDDLE" run --config tiny $type --set clk_ratio=1 --set mac_entries=1 --set mac_ways=1 \
    --set sector_bytes=128 --set type_requests=2 --set lat_sm_xbar=1 --set lat_xbar_l2=1 --set lat_l2_xbar=1 \
    --set lat_xbar_sm=1 --set lat_credit=1 --set max_cycles=1000000 racy ops=100 lines=8
}

# Each way to lead, on small machines: what it computes is right.
for machine in "tiny --set order=rmo" "tiny --set order=tso" "tiny --set order=sc" "tiny --set order=rmo --set l1=vi" \
  "paper3-small --set coherence=gh" "paper3-small --set coherence=dd"; do
  for local in 0 1 2 3 4; do
    # shellcheck disable=SC2086
    check "local=$local on $machine" "$HEDDLE" run --config $machine --set ghost_bits=32 --set copies=4 --set max_cycles=300000 \
      starve local=$local wait=4 warps=6
  done
done
check "a machine without copies" refused "local = 3: needs asynchronous copies" run --config tiny starve local=3
check "no turn" refused "wait = 0: with local = 1 or more" run --config tiny starve local=1
finish
