#!/bin/sh
# same.sh - what must not change a result does not: a second run, the window, the skipping of idle tiles.
. tests/system/lib.sh
current

same_core() {
  core "$1" >"$tmp/one"
  core "$2" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}

for work in "gemm nk=6 block_rows=2" "histogram blocks=6" "spinlock"; do
  # $work is a list of words
  check "$work" json "$tmp/a" --config tiny --seed 5 $work
  check "$work again" json "$tmp/b" --config tiny --seed 5 $work
  check "$work: the same bytes twice" diff "$tmp/a" "$tmp/b"
  for change in window=1 window=3 skip_idle=false; do
    check "$work, $change" json "$tmp/b" --config tiny --seed 5 --set $change $work
    check "$work, $change: the same result" same_core "$tmp/a" "$tmp/b"
  done
done

check "seed 1" json "$tmp/a" --config tiny --seed 1 histogram
check "seed 2" json "$tmp/b" --config tiny --seed 2 histogram
check "another seed, other data" sh -c "! diff -q '$tmp/a' '$tmp/b'"
for member in config workload policy seed cycles warp_instructions checks counters host; do
  check "JSON has $member" grep -q "^  \"$member\": " "$tmp/a.all"
done
finish
