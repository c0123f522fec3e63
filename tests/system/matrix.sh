#!/bin/sh
# matrix.sh - two of the 24 machines of `make matrix` (tests/matrix.sh).
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
check "GPU coherence with buffered persist barriers on a mesh" says "^4 passed, 0 failed" hrf 64 buffered
finish
