#!/bin/sh
# localtm_lab.sh - heddle lab localtm: one benchmark of the quick tier, its files, what is measured again and what is not, medians
# against the database, bad input.
. tests/system/lib.sh

db=$tmp/r.db
localtm() { # ARGUMENT...: HT at three sizes
  "$HEDDLE" lab localtm --quick --only ht --db "$db" --out "$tmp/lab" "$@" >"$tmp/text" 2>"$tmp/err"
}
query() { # SQL ANSWER
  [ "$(sqlite3 "$db" "$1")" = "$2" ]
}
check "HT" localtm
check "a run a point, five starts, five variants" query "SELECT count(*), count(DISTINCT run), count(DISTINCT loads) FROM point" "75|75|5"
check "all checks passed" query "SELECT count(*) FROM run WHERE passed < checked" 0
check "perfect transactions" query "SELECT count(*) FROM config WHERE json_extract(settings, '\$.local_tm') = 'ideal'" 1

# median: HT32's speed-up is the third of the five ratios of serial over tm.
median() {
  want=$(sqlite3 "$db" "SELECT printf('%.2f', 1.0 * s.latency / t.latency) FROM point s, point t, config c WHERE s.loads = t.loads
    AND c.hash = t.config AND json_extract(c.settings, '\$.local_tm') = 'on' AND s.pattern LIKE 'ht n=32 way=1 %'
    AND t.pattern LIKE 'ht n=32 way=0 %' ORDER BY 1.0 * s.latency / t.latency LIMIT 1 OFFSET 2")
  awk -v want="$want" '$1 == "HT32" && !seen++ { found = $2 == want } END { exit !found }' "$tmp/text"
}
check "medians" median
check "HT256 is four attempts without a conflict" grep -Eq '^HT256 +4 +0\.0 +0\.0 +100\.0 +0 ' "$tmp/text"
check "the claim on commits is judged" grep -q '^4.3  *commit ratio of HT: holds$' "$tmp/text"
check "claims on other benchmarks are not" grep -q '^4.5 .*: not measured$' "$tmp/text"
cp "$tmp/text" "$tmp/first"
check "again" localtm
check "nothing is measured again" grep -q '75 of 75 runs are in' "$tmp/err"
check "the same page" cmp "$tmp/first" "$tmp/text"
check "figures" sh -c "for f in 3a 3b 3c; do grep -q '</svg>' '$tmp/lab/localtm-figure'\$f.svg || exit 1; done
  grep -q '^\"HT32\",' '$tmp/lab/localtm-figure3b.csv'"
check "a line a run" sh -c "[ \$(wc -l <'$tmp/lab/localtm.csv') = 76 ]"
check "JSON" sh -c "'$HEDDLE' lab localtm --quick --only ht --db '$db' --out '$tmp/lab' --json >'$tmp/json' 2>'$tmp/err' &&
  [ \$(grep -c '\"cycles\"' '$tmp/json') = 75 ] && [ \$(grep -c '\"criterion\"' '$tmp/json') = 9 ]"

check "no tier" refused "localtm takes one of --quick, --paper" lab localtm --db "$db"
check "no such benchmark" refused "--only hx: must be some of ht, km, ga" lab localtm --quick --only hx --db "$db" --out "$tmp/lab"
check "settings" refused "unexpected '--set'" lab localtm --quick --set lanes=8
check "a tier it has not" refused "unexpected '--reduced'" lab localtm --reduced
finish
