#!/bin/sh
# litmus_denovo.sh - litmus tests on DeNovo coherence (l1 = denovo) under drf and hrf: no outcome that the models forbid, and nothing
# that the memory-model checker objects to; relaxed outcomes (stale words) are seen.
. tests/system/lib.sh
current
open=tests/litmus/open
denovo="--set l1=denovo --set line_bytes=64 --set ghost_bits=32"
tiny="--set l1_sets=2 --set l1_ways=2 --set l2_sets=2 --set l2_ways=4 --set sb_words=16 --set sb_rows=1 --set reg_entries=2
  --set gen_bits=2"

# all_met ARGUMENT...: each test's condition, a relaxed outcome, must have been met.
all_met() {
  "$HEDDLE" litmus "$@" >"$tmp/table" || return 1
  sed -n '/^seen/,$p' "$tmp/table" | grep -v '/.*/.*\*$' | sed '/^seen/d; /^test /d; /tests\{0,1\} (/d' >"$tmp/unmet"
  cat "$tmp/unmet"
  [ ! -s "$tmp/unmet" ]
}

# shellcheck disable=SC2086
check "nothing forbidden" "$HEDDLE" litmus $denovo --orders drf,hrf --runs 20 --brief $open
# shellcheck disable=SC2086
check "tests whose verdicts come from the models" "$HEDDLE" litmus $denovo --orders drf,hrf --runs 20 --brief tests/litmus/more
# shellcheck disable=SC2086
check "tiny caches, mesh" "$HEDDLE" litmus $denovo $tiny --set noc=mesh --set sms=3 --set partitions=4 --set flit_bytes=16 \
  --orders drf,hrf --runs 10 --brief $open/MP*.litmus $open/RMW2*.litmus $open/LOCK2.litmus $open/ISA2*.litmus $open/IRIW*.litmus
# shellcheck disable=SC2086
check "relaxed: stale words" all_met $denovo --set order=drf --runs 300 $open/MP.litmus $open/SB.litmus $open/R.litmus
finish
