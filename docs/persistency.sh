#!/bin/sh
# persistency.sh - writes the results of docs/results/persistency.md and their figures again: heddle lab persistency --paper. Runs that
# are in build/results.db are not measured again.
set -eu
cd "$(dirname "$0")/.."
new=build/persistency.$$ out=build/lab/persistency
trap 'rm -f "$new"' EXIT
mkdir -p build/lab
rm -rf "$out"
build/heddle lab persistency --paper --out "$out" >"$new"
for f in "$out"/persistency-*.svg "$out"/persistency-*.csv; do cp "$f" "docs/results/${f##*/}"; done
docs/fill.sh docs/results/persistency.md persistency "$new"
