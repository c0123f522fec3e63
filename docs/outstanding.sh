#!/bin/sh
# outstanding.sh - writes the results of docs/results/outstanding.md and its plots again: all figures of paper 2, two machines
# inferred, and 20 drawn at random (seed 5). Points that are in build/results.db are not measured again.
set -eu
cd "$(dirname "$0")/.."
new=build/outstanding.$$
trap 'rm -f "$new" "$new".*' EXIT

status=0
build/heddle lab outstanding --paper >"$new.figures" || status=$?
[ $status -lt 2 ] || exit $status
{ build/heddle lab infer --config fermi-mshr && echo && build/heddle lab infer --config kepler-prt; } >"$new.infer"
build/heddle lab infer --trials 20 --seed 5 >"$new.trials" || status=$?
for figure in 2 3 4 5 6 7 8 9; do
  for kind in svg csv; do cp build/lab/figure$figure.$kind docs/results/outstanding-figure$figure.$kind; done
done

docs/fill.sh docs/results/outstanding.md figures "$new.figures" infer "$new.infer" trials "$new.trials"
exit $status
