#!/bin/sh
# heterosync.sh - the benchmarks of synchronization (sw/kernels/sync.h), tree search and applications of paper 3 on the protocols of
# a mesh, GPU coherence on the crossbar too, with all checks; without their locks the checks fail; what does not fit is refused.
. tests/system/lib.sh
current

small="--config tests/mutants/mutant.cfg --set lanes=8 --set warps=32 --set ghost_bits=32"
mesh="$small --set noc=mesh --set sms=3 --set partitions=4 --set clk_ratio=1 --set flit_bytes=16 --set queue_depth=2 --set lat_hop=3"
forms="spin_mutex backoff_mutex ticket_mutex sleep_mutex spin_sem backoff_sem tree_barrier flag_barrier"

# passes ARGUMENT...: a run with every check there is.
passes() {
  "$HEDDLE" run "$@" >"$tmp/text" 2>&1 && grep -q 'checks  *[67] of [67] passed: golden, warp_port, conservation, coherence' "$tmp/text"
}

# all_forms LOCAL OPTION...: every form
all_forms() {
  local=$1
  shift
  for form in $forms "tree_barrier exchange=1" "flag_barrier exchange=1 padded=1"; do
    # shellcheck disable=SC2086
    passes "$@" $form "local=$local" visits=3 n=3 || { echo "$form:"; cat "$tmp/text"; return 1; }
  done
}

# applications OPTION...
applications() {
  for form in "uts nodes=200" "nn records=300" "stencil x=10 y=9" "sgemm n=16 k=16" "lavamd particles=20 partners=3" \
    "backprop inputs=32" "lud n=12 tile=4" "nw n=16 tile=8" "srad n=16 tile=8 steps=2"; do
    # shellcheck disable=SC2086
    passes "$@" $form || { echo "$form:"; cat "$tmp/text"; return 1; }
  done
}

# unlocked FORM...: the golden result must differ, or words be of the wrong visit.
unlocked() {
  "$HEDDLE" run "$@" locked=0 >"$tmp/text" 2>&1
  code=$?
  cat "$tmp/text"
  [ $code -eq 1 ] && grep -q 'check golden: ' "$tmp/text"
}

while read -r machine options; do
  # shellcheck disable=SC2086
  for local in 0 1; do
    check "$machine, local = $local" all_forms $local $options
  done
  # shellcheck disable=SC2086
  check "$machine, applications" applications $options
done <<END
gpu_drf_mesh $mesh --set l1=gpu --set order=drf
gpu_hrf_mesh $mesh --set l1=gpu --set order=hrf
denovo_drf_mesh $mesh --set coherence=dd
denovo_ro_mesh $mesh --set coherence=dd-ro
denovo_hrf_mesh $mesh --set coherence=dh
mesi_rmo_mesh $mesh --set order=rmo
vi_rmo_mesh $mesh --set l1=vi --set order=rmo
gpu_hrf_crossbar $small --set l1=gpu --set order=hrf
END
# shellcheck disable=SC2086
for form in $forms; do
  check "$form without its lock fails" unlocked $mesh --set l1=gpu --set order=hrf $form visits=6 n=3
done
# What a visit does repeats the last one's accesses word for word: for longer than a look at spinning warps takes.
check "visits that repeat each other are no livelock" passes --config paper3-small --set coherence=dd --set ghost_bits=32 --set watchdog=1500 \
  spin_mutex per_sm=1 visits=200 n=4 strong=0
# The L2s have 1024 lines, which the flush behind a kernel looks at one by one.
check "a walk through a cache is no deadlock" passes --config paper3-small --set coherence=dd --set ghost_bits=32 --set watchdog=1000 reduce
# shellcheck disable=SC2086
check "more blocks than run at once" refused "per_sm: all blocks must run at once" run $mesh --set order=rmo spin_mutex per_sm=9
finish
