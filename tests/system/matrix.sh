#!/bin/sh
# matrix.sh - one of the 24 machines of `make matrix` (tests/matrix.sh); one that the command refuses is named with its reason.
. tests/system/lib.sh
export RUNS=4

# says TEXT WORD...: those machines pass and the output holds TEXT
says() {
  text=$1
  shift
  tests/matrix.sh "$@" >"$tmp/out" 2>&1
  code=$?
  cat "$tmp/out"
  [ $code -eq 0 ] && grep -q "$text" "$tmp/out"
}
check "DeNovo with transactions on a mesh" says "^4 passed, 0 failed" drf 8
check "machines that wait are named" says "^waits: hrf .*buffered" hrf 64 buffered
finish
