#!/bin/sh
# litmus_denovo.sh - litmus tests on DeNovo coherence (l1 = denovo) under drf and hrf: no outcome that the models forbid, and nothing
# that the memory-model checker objects to.
. tests/system/lib.sh
denovo="--set l1=denovo --set line_bytes=64 --set ghost_bits=32"

# shellcheck disable=SC2086
check "nothing forbidden" "$HEDDLE" litmus $denovo --orders drf,hrf --runs 20 --brief tests/litmus/open
# shellcheck disable=SC2086
check "tests whose verdicts come from the models" "$HEDDLE" litmus $denovo --orders drf,hrf --runs 20 --brief tests/litmus/more
finish
