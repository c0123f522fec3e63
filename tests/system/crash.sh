#!/bin/sh
# crash.sh - heddle crash: pairs that are one grain survive a power cut at every moment under every order; key and value without a
# machine that orders them do not, with persist barriers they do; the command that is printed shows the same image alone.
. tests/system/lib.sh
current

machine="--set nv_base=16384"

# shellcheck disable=SC2086
whole() {
  "$HEDDLE" crash $machine kv threads=16 together=1 >"$tmp/whole" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/whole"; return 1; }
  [ "$(grep -c ' 0 bad' "$tmp/whole")" -eq 7 ]
}

# shellcheck disable=SC2086
torn() {
  "$HEDDLE" crash $machine --orders "$1" --points 20000 kv threads=16 scope=0 >"$tmp/torn" 2>"$tmp/err"
  [ $? -eq 1 ] && grep -q 'without its value at 0x[0-9a-f]* (0x0); power is cut behind cycle' "$tmp/torn" &&
    grep -q '^  persist = off: no barrier' "$tmp/torn"
}

again() {
  command=$(sed -n 's/^  again: heddle //p' "$tmp/torn")
  # shellcheck disable=SC2086
  "$HEDDLE" $command >"$tmp/again" 2>"$tmp/err"
  [ $? -eq 1 ] && grep -q ' 1 images .* 1 bad' "$tmp/again" && sed -n 2p "$tmp/torn" >"$tmp/a" && sed -n 2p "$tmp/again" | cmp - "$tmp/a"
}

check "pairs of one grain, seven orders" whole
check "no barrier, pipe" torn pipe
check "no barrier, newest" torn newest
check "no barrier, random" torn random:3
check "the image again by its command" again
# The barriers of persist = fifo: a key is never durable without its value; without them it is.
barriers="--config paper4-small --set nv_base=16384"
# shellcheck disable=SC2086
ordered() {
  "$HEDDLE" crash $barriers kv "scope=$1" >"$tmp/ordered" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/ordered"; return 1; }
  [ "$(grep -c ' 0 bad' "$tmp/ordered")" -eq 7 ]
}
# shellcheck disable=SC2086
unordered() {
  "$HEDDLE" crash $barriers --points 20000 kv scope=0 >"$tmp/unordered" 2>"$tmp/err"
  [ $? -eq 1 ] && grep -q 'without its value' "$tmp/unordered"
}
for scope in 1 2 3; do
  check "barriers of scope $scope, seven orders" ordered $scope
done
check "the same machine without barriers" unordered
# The B+tree with its undo log: recovered at every cycle and every subset of what was in flight, under each order, recovery cut off too.
tree="--config paper4-small --set nv_base=1048576"
tiny="ptree leaves=60 keys=48 groups=8 threads=32 log=1 switch=50"
# shellcheck disable=SC2086
recovers() {
  "$HEDDLE" crash $tree --points 3000 $tiny "$@" >"$tmp/tree" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/tree"; return 1; }
  [ "$(grep -c ' 0 bad' "$tmp/tree")" -eq 7 ]
}
# breaks FAULT INVARIANT: a program that is wrong on purpose is found out, and says which invariant.
breaks() {
  # shellcheck disable=SC2086
  "$HEDDLE" crash $tree --orders random:1,newest --points 20000 $tiny batches=3 "fault=$1" >"$tmp/tree" 2>"$tmp/err"
  [ $? -eq 1 ] && grep -q "^  $2.*power is cut" "$tmp/tree"
}
for algorithm in 1 2; do
  check "B+tree, algorithm $algorithm, seven orders" recovers batches=3 algorithm=$algorithm
done
check "a root that splits" recovers leaves=24 keys=40 groups=2 batches=3
check "wi for wg: the FIFO machine hides it" recovers fault=4
check "wg for the kernel: the FIFO machine hides it" recovers fault=5
# Recovery by warps leaves what recovery on the host leaves, and may be cut off itself.
# shellcheck disable=SC2086
on_machine() {
  "$HEDDLE" crash $tree --points 3000 --machine 4 --orders newest,random:2 $tiny batches=3 >"$tmp/tree" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/tree"; return 1; }
  [ "$(grep -c ' [1-4] of them recovered on the machine, [1-9].* 0 bad' "$tmp/tree")" -eq 2 ]
}
check "recovery on the machine" on_machine
# What was in flight is named, with the warps that stored it.
named() {
  # shellcheck disable=SC2086
  "$HEDDLE" crash $tree --orders random:1 --points 20000 $tiny batches=3 fault=2 >"$tmp/tree" 2>"$tmp/err"
  grep -q '^  lost: .* (node [0-9]* .*), stored by warp [0-9]* of block [0-9]* of grid [0-9]*$' "$tmp/tree"
}
check "persists and their warps" named
for fault in "1 I" "2 I" "3 I" "6 I" "7 I" "8 I3" "9 I" "10 I2" "11 I"; do
  check "fault $fault" breaks "${fault%% *}" "${fault#* }"
done
check "unknown workload" refused "crash knows the workloads kv ptree, not 'gemm'" crash gemm
check "unknown order" refused "nv_order" crash --orders lifo kv
check "no non-volatile memory" refused "nv_base = 0" crash --set nv_base=0 kv
check "number missing" refused "wants a number" crash --points x kv
# shellcheck disable=SC2086
for n in 0 999999999; do
  check "no image $n" refused "--image $n: " crash $machine --orders pipe --image $n kv threads=16 together=1
done
check "... how many there are" grep -Eq "under order pipe there are [1-9][0-9]*, from 1" "$tmp/err"
finish
