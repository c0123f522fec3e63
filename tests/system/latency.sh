#!/bin/sh
# latency.sh - the paper's machine has the paper's least latencies: L2 at least 340 core cycles, memory at
# least 460 (Table 2 of paper 1), and not much more; the reference configuration is the default one.
. tests/system/lib.sh
current

# hop LOW HIGH ARGUMENT...: mean cycles from a load to its use.
hop() {
  low=$1
  high=$2
  shift 2
  json "$tmp/chase" --config paper1-small chase blocks=1 "$@" || return 1
  n=$(number "$tmp/chase" chase.cycles_per_hop)
  echo "$n cycles a hop, must be $low..$high"
  [ "$n" -ge "$low" ] && [ "$n" -le "$high" ]
}

check "L1 hit" hop 2 12 length=64 warm=1
check "L2 hit" hop 340 350 length=512 warm=1
check "memory" hop 460 475 length=64
finish
