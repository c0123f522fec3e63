#!/bin/sh
# coherence.sh - heddle lab coherence and latencies: one benchmark under the five configurations of paper 3, MESI and VI, what the bars
# and layers say, nothing measured twice; latencies of the small mesh; bad input.
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
check "seven runs, all checks passed" sh -c "[ \"\$(sqlite3 '$db' \"SELECT count(*), sum(passed < checked) FROM run\")\" = '7|0' ]"
check "layers of GD's energy are 100" grep -Eq '^FAM_L  *GD .* 100.0$' "$tmp/text"
# Layers of a bar are what heddle area --energy says of such a run, less DRAM; so the events that only some protocols have count.
layers() {
  ticket="ticket_mutex per_sm=3 n=10 visits=10 strong=0 local=1"
  for bar in "GD coherence=gd" "DD coherence=dd" "MESI l1=mesi" "VI l1=vi"; do
    # shellcheck disable=SC2086
    "$HEDDLE" run --json --config paper3-small --set "${bar#* }" $ticket >"$tmp/${bar% *}" || return 1
  done
  "$HEDDLE" area --energy "$tmp/GD" "$tmp/DD" "$tmp/MESI" "$tmp/VI" >"$tmp/energy" && cat "$tmp/energy" &&
    sed -n '/^figure 4b/,/^core:/p' "$tmp/text" | awk '
      function near(a, b) { found++; if (a - b > 0.2 || b - a > 0.2) { print name ": " a " and " b; bad = 1 } }
      NR == FNR && /^ticket_mutex/ { name = toupper($2); for (i = 3; i <= 8; i++) e[name, i] = $i
        if (!base) base = $3 + $4 + $5 + $7 + $8; next }
      NR > FNR { if ($1 == "FAM_L") $1 = ""; $0 = $0; name = $1 }
      NR > FNR && (name, 3) in e { near($2, 100 * e[name, 3] / base); near($4, 100 * e[name, 5] / base)
        near($5, 100 * e[name, 7] / base); near($6, 100 * e[name, 8] / base) }
      END { exit bad || found != 16 }' "$tmp/energy" -
}
check "layers of energy are those of its table of events" layers
# Classes of traffic leave no flit out: the last column is all flits over links.
classes() {
  sqlite3 "$db" "SELECT json_extract(settings, '\$.l1') || json_extract(settings, '\$.order') || json_extract(settings, '\$.read_only'),
    json_extract(counters, '\$.\"link.hops\"') FROM run JOIN config ON config.hash = run.config" | tr '|' ' ' >"$tmp/hops"
  cat "$tmp/hops"
  sed -n '/^figure 4c/,/^claims/p' "$tmp/text" | awk '
    NR == FNR { hops[$1] = $2; next }
    { if ($1 == "FAM_L") $1 = ""; $0 = $0 }
    $1 in is { x = 100 * hops[is[$1]] / hops["gpudrf0"]; found++; if (x - $7 > 0.2 || $7 - x > 0.2) { print $1 ": " x; bad = 1 } }
    BEGIN { is["GD"] = "gpudrf0"; is["GH"] = "gpuhrf0"; is["DD"] = "denovodrf0"; is["DD+RO"] = "denovodrf1"; is["DH"] = "denovohrf0"
      is["MESI"] = "mesirmo0"; is["VI"] = "virmo0" }
    END { exit bad || found != 7 }' "$tmp/hops" -
}
check "classes of traffic are all of it" classes
check "MESI and VI are bars" sh -c "grep -q ',.MESI.,' '$tmp/lab/coherence-figure4c.csv' && head -n 1 '$tmp/lab/coherence-figure4a.csv' | grep -q 'MESI.*VI'"
check "traffic of GH has no atomics" sh -c "sed -n '/^figure 4c/,\$p' '$tmp/text' | grep -Eq '^  *GH  *[0-9.]+  *0.0  *[0-9.]+  *0.0 '"
check "figures" sh -c "[ -s '$tmp/lab/coherence-figure4a.csv' ] && [ -s '$tmp/lab/coherence-figure4c.csv' ] &&
  [ ! -e '$tmp/lab/coherence-figure2c.csv' ]"
check "claims on others are not judged" grep -Eq '^2.1 .*: not measured$' "$tmp/text"
check "nor on some of what they are about" sh -c "grep -Eq '^2.3 .*: not measured\$' '$tmp/text' && grep -Eq '^2.4 .*: not measured\$' '$tmp/text'"
# Each row of a table has the cells of its head, whatever is in them.
cells() { # FILE CONDITION: on its rows, t
  printf '.mode csv\n.import "%s" t\nSELECT %s FROM t;\n' "$1" "$2" | sqlite3 2>"$tmp/err" | tr -d '\r' | grep -qx 1 && [ ! -s "$tmp/err" ]
}
check "a table, of a machine with a comma, too" cells "$tmp/lab/coherence.csv" "sum(machine = 'denovo, read-only') = 1 AND count(*) = 7"
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
