#!/bin/sh
# flat.sh [long | smoke] - composed tiles and the chip verilated as a whole (rtl/top/hd_gpu_top.sv) are the same machine: equal
# cycles, counters and events at every port, each in its cycle. `long`: with the structure of paper 1 (make flat); `smoke`: a little on the smallest (make smoke).
. tests/system/lib.sh
how=${1:-}
seeds=20
[ "$how" != smoke ] || seeds=2

# What both ways report: not the settings and the host's part, and no C links, which a flat machine does not have.
core() {
  sed -e '/^  "settings": {/,/^  }/d' -e '/"conservation":/d' -e '/"link\./d' -e 's/,$//' "$1"
}

# same ARGUMENT...: one run each way; shows the first difference.
same() {
  json "$tmp/composed" --port-log "$tmp/composed.ports" "$@" && json "$tmp/flat" --port-log "$tmp/flat.ports" --set flat=true "$@" ||
    return 1
  core "$tmp/composed" >"$tmp/one"
  core "$tmp/flat" >"$tmp/two"
  if ! cmp -s "$tmp/composed.ports" "$tmp/flat.ports"; then
    echo "composed (<) and flat (>):"
    diff "$tmp/composed.ports" "$tmp/flat.ports" | head -n 10
    return 1
  fi
  diff "$tmp/one" "$tmp/two" || return 1
  events=$((events + $(wc -l <"$tmp/composed.ports")))
  cycles=$((cycles + $(number "$tmp/composed" cycles)))
}

# shape NAME OPTION...: all programs on one structure. Words of the LDS that no store has written are random in builds
# with assertions: racy programs leave it alone there.
shape() {
  shape=$1
  shift
  events=0 cycles=0 racy="ops=40 lines=12 barriers=13"
  case "$*" in *ghost_bits=32*) racy="$racy lds=0" ;; esac
  check "$shape gemm" same "$@" gemm nk=3 block_rows=1
  check "$shape histogram" same "$@" histogram blocks=4 items=2
  check "$shape spinlock" same "$@" spinlock rounds=2
  seed=1
  while [ $seed -le $seeds ]; do
    order=$(echo rmo tso sc | cut -d' ' -f$((seed % 3 + 1)))
    check "$shape racy, seed $seed" same "$@" --seed $seed --set order=$order racy $racy
    seed=$((seed + 1))
  done
  echo "$shape: $cycles cycles, $events events, the same composed and flat"
}

if [ "$how" = smoke ]; then
  shape "2x1" --config tiny
elif [ "$how" = long ]; then
  shape "2x1, structure of paper 1" --config paper1 --set sms=2 --set partitions=1
  shape "4x2, structure of paper 1" --config paper1-small
else
  shape "2x1" --config tiny
  shape "4x2 with ghosts and assertions" --config tiny --set sms=4 --set partitions=2 --set ghost_bits=32
  for scope in 1 3; do
    check "buffered persist barriers, scope $scope" same --config paper4-small --set persist=buffered --set nv_base=16384 \
      --set nv_journal=true --set nv_order=random plog scope=$scope warps=3
  done
fi
finish
