#!/bin/sh
# alloc.sh - while tiles run nothing allocates, prints, formats text or locks: in fast and checked machines, composed and
# flat, with every workload that uses another part of the runtime. What is planted on purpose is found.
. tests/system/lib.sh
[ -x build/heddle ] || { echo "build/heddle is missing: make build"; exit 1; }
cc=$(command -v gcc || command -v clang)
mkdir -p build/c
wrap="-Wl,--wrap=hd_crew_new -Wl,--wrap=hd_link_send"

# The objects of the command but its main(). HEDDLE_ROOT: the program is not where the command is.
builds() {
  # shellcheck disable=SC2046,SC2086
  $cc -std=c11 -O2 -g -Wall -Wextra -Werror -fno-builtin -Ibuild/gen -Itb -Itb/model -Isw -Isw/simt -Isw/kernels -Isw/litmus \
    $wrap -o build/c/alloc tests/c/alloc.c build/parts.a \
    -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread
}
quiet() { HEDDLE_ROOT=$(pwd) build/c/alloc "$@"; }
found() { # NAME
  HEDDLE_ROOT=$(pwd) build/c/alloc --plant "$1" tiny -- vecadd n=500 >"$tmp/planted"
  [ $? -eq 1 ] && grep -q "^$1: [1-9][0-9]* calls while tiles ran" "$tmp/planted"
}

check "builds" builds
[ "$failed" -eq 0 ] || { finish; exit 1; }
for work in "gemm nk=4 block_rows=1" "histogram blocks=4" "chase warps=2 length=16" "spinlock rounds=2" \
  "reduce blocks=3 threads=64" "stream items=3 threads=96" "drf warps=2 episodes=2 locks=40"; do
  # $work is a list of words
  check "$work" quiet tiny -- $work
done
check "racy, checked and judged" quiet tiny ghost_bits=32 jitter=9 -- racy ops=300
check "racy, checked, shortest queues" quiet min ghost_bits=32 -- racy ops=100 lds=0
check "paper 1, many blocks" quiet paper1-small -- stream items=16
check "flat" quiet tiny flat=true -- gemm nk=3 block_rows=1
check "windows of 1, all edges" quiet tiny window=1 skip_idle=false -- histogram blocks=4
if "$HEDDLE" list | grep -q '^  threads '; then
  check "two threads" quiet tiny threads=2 -- gemm nk=4 block_rows=1
fi
check "a run that is recorded" quiet --record "$tmp/r.hdt" tiny -- histogram blocks=4
check "a replay" quiet tiny -- "$tmp/r.hdt"
for name in malloc snprintf pthread_mutex_lock; do
  check "$name planted in the memory is found" found $name
done
finish
