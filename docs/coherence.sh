#!/bin/sh
# coherence.sh - writes the results of docs/results/coherence.md and their figures again: heddle lab coherence --reduced and
# latencies --quick. Runs that are in build/results.db are not measured again.
set -eu
cd "$(dirname "$0")/.."
new=build/coherence.$$ out=build/lab/coherence
trap 'rm -f "$new".*' EXIT
mkdir -p build/lab
rm -rf "$out"
build/heddle lab latencies --quick --out "$out" >"$new.latencies"
build/heddle lab coherence --reduced --out "$out" >"$new.coherence"
for f in "$out"/coherence-figure*.svg "$out"/coherence-figure*.csv; do cp "$f" "docs/results/${f##*/}"; done
docs/fill.sh docs/results/coherence.md latencies "$new.latencies" coherence "$new.coherence"
