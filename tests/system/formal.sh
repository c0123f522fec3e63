#!/bin/sh
# formal.sh - a slice of `make formal`: one proof of each kind, each with two of its seeded bugs; and that no proof has
# fallen behind the RTL: each file is read, each seeded bug changes something.
set -eu
synth/formal/run.sh -r
BUGS=2 exec synth/formal/run.sh mesi_2 denovo_2 gpu_2 route_4x4 switch_2x2 fifo_3 link_2 arb_rr_5 arb_age_4 freelist_3 idle_link_rx idle_barrier
