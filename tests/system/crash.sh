#!/bin/sh
# crash.sh - heddle crash: pairs that are one grain survive a power cut at every moment under every order; key and value without a
# machine that orders them do not, with persist barriers they do; the command that is printed shows the same image alone.
. tests/system/lib.sh

machine="--set nv_base=16384"

# shellcheck disable=SC2086
whole() {
  "$HEDDLE" crash $machine kv threads=16 together=1 >"$tmp/whole" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/whole"; return 1; }
  [ "$(grep -c ' 0 bad' "$tmp/whole")" -eq 7 ]
}

# shellcheck disable=SC2086
torn() {
  "$HEDDLE" crash $machine --orders "$1" --points 20000 kv threads=16 scope=0 >"$tmp/torn" 2>"$tmp/err"
  [ $? -eq 1 ] && grep -q 'without its value at 0x[0-9a-f]* (0x0); power is cut behind cycle' "$tmp/torn"
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
  "$HEDDLE" crash $barriers kv scope=0 >"$tmp/unordered" 2>"$tmp/err"
  [ $? -eq 1 ] && grep -q 'without its value' "$tmp/unordered"
}
for scope in 1 2 3; do
  check "barriers of scope $scope, seven orders" ordered $scope
done
check "the same machine without barriers" unordered
check "unknown workload" refused "crash knows the workloads kv, not 'gemm'" crash gemm
check "unknown order" refused "nv_order" crash --orders lifo kv
check "memory below nv_base" refused "nv_base" crash --set nv_base=67108864 kv
check "number missing" refused "wants a number" crash --points x kv
finish
