#!/bin/sh
# energy.sh - writes the results of docs/results/energy.md and its figure again: gemm on configs/paper1-small.cfg under six orders.
set -eu
cd "$(dirname "$0")/.."
new=build/energy.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new"
runs=""
for order in rmo tso sc tso-sb sc-pf type; do
  build/heddle run --config paper1-small --set order=$order gemm --json >"$new/$order.json"
  runs="$runs $new/$order.json"
done
# shellcheck disable=SC2086
build/heddle area --svg docs/results/energy.svg --energy $runs >"$new/results"

docs/fill.sh docs/results/energy.md results "$new/results"
