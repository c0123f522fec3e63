#!/bin/sh
# ordering.sh [paper] - writes the results of docs/results/ordering.md and their figures again: the reduced tier, or with `paper` the
# 16 SMs of the paper, both with sensitivity runs. Runs that are in build/results.db are not measured again.
set -eu
cd "$(dirname "$0")/.."
tier=${1:-reduced}
case $tier in
  reduced) prefix=ordering ;;
  paper) prefix=ordering-paper ;;
  *) echo "ordering.sh: $tier: must be reduced or paper" >&2; exit 2 ;;
esac
new=build/ordering.$$ out=build/lab/$tier
trap 'rm -f "$new" "$new".*' EXIT

mkdir -p build/lab
rm -rf "$out"
build/heddle lab ordering "--$tier" --sensitivity --out "$out" >"$new.results"
for f in "$out"/ordering-*.svg "$out"/ordering-*.csv; do cp "$f" "docs/results/$prefix-${f##*/ordering-}"; done

docs/fill.sh docs/results/ordering.md "$tier" "$new.results"
