#!/bin/sh
# skip.sh - leaving out the edges of idle tiles and running tiles in windows is exact: random programs give the same
# events at every port, each in its cycle, and the same result, however the tiles were run.
. tests/system/lib.sh
current

# same CHANGE OPTION...: the run in $tmp/first again with the change.
same() {
  change=$1
  shift
  json "$tmp/other" --port-log "$tmp/other.ports" "$@" --set $change racy ops=60 lines=8 barriers=17 || return 1
  if ! cmp -s "$tmp/first.ports" "$tmp/other.ports"; then
    echo "skipping (<) and $change (>):"
    diff "$tmp/first.ports" "$tmp/other.ports" | head -n 10
    return 1
  fi
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}
skips() {
  json "$tmp/first" --port-log "$tmp/first.ports" "$@" racy ops=60 lines=8 barriers=17 && [ "$(number "$tmp/first.all" sm_skipped)" -gt 0 ]
}

seed=1
while [ $seed -le 6 ]; do
  for machine in "tiny" "min" "tiny --set jitter=9 --set jitter_seed=$seed"; do
    order=$(echo rmo tso sc | cut -d' ' -f$((seed % 3 + 1)))
    what="--config $machine --seed $seed --set order=$order"
    # $what is a list of words
    check "$what: runs and skips" skips $what
    check "$what: all edges" same skip_idle=false $what
    check "$what: windows of 1" same "skip_idle=true --set window=1" $what
    check "$what: windows of 3, all edges" same "skip_idle=false --set window=3" $what
  done
  seed=$((seed + 1))
done
# Causes of stalls, those of the edges that were left out included.
for order in rmo sc; do
  what="--config tiny --set stall_causes=true --set order=$order"
  check "$what: runs and skips" skips $what
  check "$what: all edges" same skip_idle=false $what
done
finish
