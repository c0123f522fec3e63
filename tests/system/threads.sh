#!/bin/sh
# threads.sh - how many threads run the tiles, and which tiles each of them has, changes nothing: the same bytes of
# the result, of the events at all ports and of the event log; and the thread sanitizer finds no race.
. tests/system/lib.sh
current

# one OUTPUT OPTION...: a run with everything kept that it can tell; on a machine with ghosts also the event log.
one() {
  out=$1
  shift
  case "$*" in
    *ghost_bits=32*) json "$out" --log "$out.log" "$@" ;;
    *) json "$out" --port-log "$out.log" "$@" ;;
  esac
}

# same THREADS SEED OPTION...: as $tmp/first, with other threads
same() {
  threads=$1 lot=$2
  shift 2
  one "$tmp/other" --set threads="$threads" --set thread_seed="$lot" "$@" || return 1
  cmp "$tmp/first.log" "$tmp/other.log" || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}

# MACHINE, WORKLOAD
seed=1
while read -r machine work; do
  order=$(echo rmo tso sc | cut -d' ' -f$((seed % 3 + 1)))
  # lists of words
  case $machine in tiny) set="--set ghost_bits=32 --set jitter=9" ;; *) set="" ;; esac
  what="--config $machine $set --seed $seed --set order=$order $work"
  check "$what: 1 thread" one "$tmp/first" $what
  check "$what: 2 threads" same 2 0 $what
  check "$what: 2 threads, tiles by lot" same 2 $seed $what
  check "$what: 4 threads, tiles by lot" same 4 $seed $what
  seed=$((seed + 1))
done <<'END'
tests/mutants/mutant.cfg racy ops=60
tests/mutants/mutant.cfg drf
tests/mutants/mutant.cfg spinlock rounds=2
tiny histogram blocks=6
tiny gemm nk=6 block_rows=2
tiny racy ops=20
END
check "windows of 3 cycles" same 2 7 --set window=3 $what
# histogram FILE OPTION...: what a litmus test shows
histogram() {
  file=$1
  shift
  "$HEDDLE" litmus --runs 200 "$@" tests/litmus/open/IRIW.litmus | sed 's/, [0-9.]* CPU s//' >"$file"
}
litmus() {
  histogram "$tmp/one" && histogram "$tmp/two" --set threads=2 --set thread_seed=5 && diff "$tmp/one" "$tmp/two"
}
check "a litmus test" litmus
check "more threads than tiles" same 64 0 $what
check "0 threads" refused "1..64" run --set threads=0 vecadd
check "flat" refused "the flat model is one tile" run --set flat=true --set threads=2 vecadd

# The program once more with the sanitizer; the tiles' models, each one thread's at a time, stay as they are.
cflags="-std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g1 -fsanitize=thread -Ibuild/gen -Itb -Itb/model -Isw -Isw/simt -Isw/kernels -Isw/litmus"
# tsan EXE EXCHANGE.c: the rest of the program is compiled once.
tsan() {
  # shellcheck disable=SC2046,SC2086
  [ -f "$tmp/rest.o" ] ||
    gcc $cflags -r -o "$tmp/rest.o" sw/*/*.c $(ls tb/*.c tb/*/*.c | grep -v -e exchange.c -e wire_mpi.c) || return 1
  # shellcheck disable=SC2086
  gcc $cflags -o "$1" "$tmp/rest.o" "$2" -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread
}
# races EXE OPTION...: true when a race is found. Without setarch the sanitizer fails on kernels that spread memory
# more widely than it expects.
races() {
  exe=$1
  shift
  HEDDLE_ROOT=$PWD TSAN_OPTIONS=exitcode=66 setarch -R "$exe" run --config tests/mutants/mutant.cfg "$@" >"$tmp/races" 2>&1
  code=$?
  cat "$tmp/races"
  # A run whose threads race may also crash behind the report.
  ! grep -q "ThreadSanitizer: data race" "$tmp/races" || return 0
  [ $code -eq 0 ] && return 1
  return 2
}
no_races() {
  races "$@"
  [ $? -eq 1 ]
}
no_races_in_litmus() {
  HEDDLE_ROOT=$PWD TSAN_OPTIONS=exitcode=66 setarch -R "$tmp/tsan" litmus --runs 50 --set threads=2 \
    tests/litmus/open/IRIW.litmus
}
check "the sanitizer builds" tsan "$tmp/tsan" tb/exchange.c
for threads in 2 4; do
  for work in "racy ops=30" "histogram blocks=6 threads=32" "drf"; do
    # $work is a list of words
    check "no race: $threads threads, $work" no_races "$tmp/tsan" --set threads=$threads --set thread_seed=$threads $work
  done
done
check "no race: a litmus test" no_races_in_litmus
# It can find one: an exchange that does not wait.
sed "s/hd_bell_wait(&x.*/(void)mine;/" tb/exchange.c >"$tmp/exchange.c"
check "the sanitizer builds a wrong one" tsan "$tmp/tsan" "$tmp/exchange.c"
check "a race is found" races "$tmp/tsan" --set threads=2 histogram blocks=6 threads=32
finish
