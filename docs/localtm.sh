#!/bin/sh
# localtm.sh - writes the results of docs/results/localtm.md and its figures again: figures 3 to 5 of paper 5, five starts, and changes of the
# machine. Runs that are in build/results.db are not measured again; all of them take 10 CPU minutes.
set -eu
cd "$(dirname "$0")/.."
new=build/localtm.$$ out=build/lab/localtm
trap 'rm -f "$new"' EXIT

mkdir -p build/lab
rm -rf "$out"
build/heddle lab localtm --paper --out "$out" >"$new"
for f in "$out"/localtm-figure*.svg "$out"/localtm-figure*.csv; do cp "$f" docs/results/; done
docs/fill.sh docs/results/localtm.md paper "$new"
