#!/bin/sh
# coherence.sh - heddle lab coherence and latencies: one benchmark under the five configurations of paper 3, what the bars and layers
# say, nothing measured twice; latencies of the small mesh; bad input.
. tests/system/lib.sh

db=$tmp/r.db
lab() { # NAME ARGUMENT...
  "$HEDDLE" lab "$@" --quick --db "$db" --out "$tmp/lab" >"$tmp/text" 2>"$tmp/err" || { cat "$tmp/text" "$tmp/err"; return 1; }
}
# smaller A B: of the ticket mutex of each SM, time of configuration A is less than that of B (columns of the table).
smaller() {
  awk -v a="$1" -v b="$2" '/^FAM_L/ && !seen++ { found = $a < $b } END { exit !found }' "$tmp/first"
}

check "a benchmark" lab coherence --only FAM_L
cp "$tmp/text" "$tmp/first"
check "scopes help GPU coherence" smaller 4 3
check "DeNovo is faster than GD" smaller 5 3
check "read-only words help" smaller 6 5
check "scopes help DeNovo" smaller 7 5
check "five runs, all checks passed" sh -c "[ \"\$(sqlite3 '$db' \"SELECT count(*), sum(passed < checked) FROM run\")\" = '5|0' ]"
check "layers of GD's energy are 100" grep -Eq '^FAM_L  *GD .* 100.0$' "$tmp/text"
check "traffic of GH has no atomics" sh -c "sed -n '/^figure 4c/,\$p' '$tmp/text' | grep -Eq '^  *GH  *[0-9.]+  *0.0  *[0-9.]+  *0.0 '"
check "figures" sh -c "[ -s '$tmp/lab/coherence-figure4a.csv' ] && [ -s '$tmp/lab/coherence-figure4c.csv' ] &&
  [ ! -e '$tmp/lab/coherence-figure2c.csv' ]"
check "claims on others are not judged" grep -Eq '^2.1 .*: not measured$' "$tmp/text"
check "nor on some of what they are about" sh -c "grep -Eq '^2.3 .*: not measured\$' '$tmp/text' && grep -Eq '^2.4 .*: not measured\$' '$tmp/text'"
# Each row of a table has the cells of its head, whatever is in them.
cells() { # FILE CONDITION: on its rows, t
  printf '.mode csv\n.import "%s" t\nSELECT %s FROM t;\n' "$1" "$2" | sqlite3 2>"$tmp/err" | tr -d '\r' | grep -qx 1 && [ ! -s "$tmp/err" ]
}
check "a table, of a machine with a comma, too" cells "$tmp/lab/coherence.csv" "sum(machine = 'denovo, read-only') = 1 AND count(*) = 5"
links() {
  "$HEDDLE" run --json --config paper3-small --set coherence=dd --interval 500 --links --out "$tmp" uts >"$tmp/uts" &&
    cells "$tmp/uts.csv" "sum(\"l1.miss\") = $(sed -n 's/^ *"l1.miss": \([0-9]*\),/\1/p' "$tmp/uts")"
}
check "rows with links of a mesh" links
check "again" lab coherence --only FAM_L
check "the same page" cmp "$tmp/first" "$tmp/text"

check "latencies" lab latencies
check "inside the paper's ranges" sh -c "[ \$(grep -c '^2.6[abc] .*: holds\$' '$tmp/text') = 3 ]"
check "another L1 is behind the L2" awk '/^L2/ { l2 = $4 } /^remote/ { found = $5 > l2 } END { exit !found }' "$tmp/text"

check "an L1 that does not hold what others ask for" refused "kind: an L1 has fewer lines" run --config paper3-small \
  --set coherence=dd --set l1_sets=2 --set l1_ways=2 probe kind=1
check "benchmark" refused "--only FAM: must be some of" lab coherence --quick --only FAM --db "$db" --out "$tmp/lab"
check "tier" refused "takes one of --quick, --reduced, --paper" lab latencies --db "$db" --out "$tmp/lab"
finish
