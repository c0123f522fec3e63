#!/bin/sh
# litmus_gpu.sh - litmus tests on GPU coherence (l1 = gpu) under drf and hrf: nothing forbidden and nothing that the
# memory-model checker objects to, on crossbar and mesh, with tiny caches; relaxed outcomes (stale words) are seen.
. tests/system/lib.sh
current
open=tests/litmus/open
gpu="--set l1=gpu --set line_bytes=64"
tiny="--set l1_sets=2 --set l1_ways=2 --set l2_sets=2 --set l2_ways=4 --set sb_words=16 --set sb_rows=1 --set wt_out=1 --set gen_bits=2"

# all_met ARGUMENT...: each test's condition, a relaxed outcome, must have been met.
all_met() {
  "$HEDDLE" litmus "$@" >"$tmp/table" || return 1
  sed -n '/^seen/,$p' "$tmp/table" | grep -v '/.*/.*\*$' | sed '/^seen/d; /^test /d; /tests\{0,1\} (/d' >"$tmp/unmet"
  cat "$tmp/unmet"
  [ ! -s "$tmp/unmet" ]
}

# shellcheck disable=SC2086
check "nothing forbidden" "$HEDDLE" litmus $gpu --orders drf,hrf --set ghost_bits=32 --runs 40 --brief $open
# shellcheck disable=SC2086
check "tests whose verdicts come from the models" "$HEDDLE" litmus $gpu --orders drf,hrf --set ghost_bits=32 \
  --runs 40 --brief tests/litmus/more
# shellcheck disable=SC2086
check "tiny caches, mesh" "$HEDDLE" litmus $gpu $tiny --set noc=mesh --set sms=3 --set partitions=4 --set flit_bytes=16 \
  --set order=hrf --set ghost_bits=32 --runs 40 --brief $open/MP*.litmus $open/RMW2*.litmus $open/LOCK2.litmus \
  $open/ISA2*.litmus $open/IRIW*.litmus
# shellcheck disable=SC2086
check "relaxed: stale words, stores late" all_met $gpu --set order=drf --set ghost_bits=32 --runs 1500 $open/MP.litmus \
  $open/SB.litmus $open/R.litmus $open/2+2W.litmus $open/IRIW.litmus
# shellcheck disable=SC2086
check "relaxed: small dirty list, scopes" all_met $gpu --set order=hrf --set sb_words=16 --set sb_rows=1 --runs 4000 \
  $open/WRC.litmus $open/ISA2.litmus $open/MP+f+po.litmus $open/MP+ra-wg.2SM.litmus
finish
