#!/bin/sh
# coherence.sh [paper] - writes the results of docs/results/coherence.md and their figures again: heddle lab coherence
# and latencies --quick, or with `paper` both on the 15 SMs of the paper at its sizes (half an hour). Runs that are in
# build/results.db are not measured again.
set -eu
cd "$(dirname "$0")/.."
tier=${1:-quick}
case $tier in
  quick) prefix=coherence blocks="latencies coherence" ;;
  paper) prefix=coherence-paper blocks="latencies-paper coherence-paper" ;;
  *) echo "coherence.sh: $tier: must be paper or nothing" >&2; exit 2 ;;
esac
new=build/coherence.$$ out=build/lab/coherence-$tier
trap 'rm -f "$new".*' EXIT
mkdir -p build/lab
rm -rf "$out"
build/heddle lab latencies "--$tier" --out "$out" >"$new.latencies"
build/heddle lab coherence "--$tier" --out "$out" >"$new.coherence"
for f in "$out"/coherence-figure*.svg "$out"/coherence-figure*.csv; do cp "$f" "docs/results/$prefix-${f##*/coherence-}"; done
# shellcheck disable=SC2086
set -- $blocks
docs/fill.sh docs/results/coherence.md "$1" "$new.latencies" "$2" "$new.coherence"
