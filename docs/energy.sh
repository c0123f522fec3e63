#!/bin/sh
# energy.sh - writes the results of docs/results/energy.md and its figure again: gemm on configs/paper1-small.cfg under six orders, and a
# few runs on the machines of papers 4 and 5.
set -eu
cd "$(dirname "$0")/.."
new=build/energy.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new"

# run PAPER NAME ARGUMENT...: one more for the table of a paper
run() {
  file=$new/$2.json paper=$1
  shift 2
  build/heddle run --json "$@" >"$file"
  echo "$file" >>"$new/runs.$paper"
}
for order in rmo tso sc tso-sb sc-pf type; do run 1 $order --config paper1-small --set order=$order gemm; done
run 4 none --config paper4 ptree barriers=0
run 4 wg --config paper4 ptree
run 4 kernel --config paper4 ptree algorithm=1
run 5 serial --config paper5 ht way=1
run 5 transactions --config paper5 ht way=0
run 5 locks --config paper5 ht way=2
run 5 lock --config paper5 ht way=3
# shellcheck disable=SC2046
for paper in 1 4 5; do build/heddle area --svg "$new/energy$paper.svg" --energy $(cat "$new/runs.$paper") >"$new/$paper"; done
cp "$new/energy1.svg" docs/results/energy.svg
cp "$new/energy1.csv" docs/results/energy.csv
for paper in 4 5; do sed '/^$/,$d' "$new/$paper" >"$new/$paper.head"; done

docs/fill.sh docs/results/energy.md results "$new/1" paper-4 "$new/4.head" paper-5 "$new/5.head"
