#!/bin/sh
# genmutants.sh - generated mutants of two small modules: their unit tests see them, a test without teeth fails.
# The whole of it: make genmutants.
set -u
. tests/system/lib.sh
export WORK=build/genmutants-slice SEEDS=1

generated() { tests/mutants/generated.sh "$@"; }
# The unit test of the queue with everything but its comparisons: it drives the same traffic and notices nothing.
toothless() {
  sed '/^#include "hd_fifo_dut.h"/a #undef assert_int_equal\
#undef assert_true\
#define assert_int_equal(a, b) ((void)(a), (void)(b))\
#define assert_true(a) ((void)(a))' tests/unit/test_hd_fifo.c >"$tmp/toothless.c"
  TEST=$tmp/toothless.c MUTANTS=30 generated hd_fifo >"$tmp/out" 2>&1
  code=$?
  cat "$tmp/out"
  [ $code = 1 ] && grep -q '^hd_fifo  *30  *0  .* 0\.0%.* WEAK' "$tmp/out" && grep -q '^0 passed, 1 failed$' "$tmp/out"
}

# A proof that somebody stops: no row, and none of what was measured before in its place.
stopped() {
  mkdir -p "$tmp/bin"
  printf '#!/bin/sh\ncase "$*" in *--prove*) exit 125 ;; esac\nexec %s "$@"\n' "$(command -v xargs)" >"$tmp/bin/xargs"
  chmod +x "$tmp/bin/xargs"
  PATH="$tmp/bin:$PATH" MUTANTS=99 generated hd_arb_rr >"$tmp/out" 2>&1
  code=$?
  cat "$tmp/out"
  [ $code = 1 ] && grep -q 'hd_arb_rr: a proof was stopped' "$tmp/out" && [ ! -f $WORK/hd_arb_rr/key ]
}

check "a proof that is stopped leaves no row" stopped
check "round-robin arbiter" env MUTANTS=100 tests/mutants/generated.sh hd_arb_rr
check "queue" env MUTANTS=100 tests/mutants/generated.sh hd_fifo
check "a test without teeth fails" toothless
check "an unknown module is refused" sh -c '! tests/mutants/generated.sh hd_nothing'
finish
