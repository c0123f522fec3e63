#!/bin/sh
# ordering.sh - writes the results of docs/ordering.md and its figures again: the reduced tier with sensitivity runs.
# Runs that are in build/results.db are not measured again.
set -eu
cd "$(dirname "$0")/.."
new=build/ordering.$$
trap 'rm -f "$new" "$new".*' EXIT

rm -f build/lab/ordering-*.svg
build/heddle lab ordering --reduced --sensitivity >"$new.results"
cp build/lab/ordering-*.svg docs/

# Between `<!-- results -->` and `<!-- end -->`: what was printed.
awk -v results="$new.results" '
  /^<!-- end -->$/ { inside = 0 }
  !inside { print }
  /^<!-- results -->$/ {
    inside = 1
    print "```"
    while ((getline line <results) > 0) print line
    print "```"
  }' docs/ordering.md >"$new"
cp "$new" docs/ordering.md
