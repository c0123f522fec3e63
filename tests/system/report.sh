#!/bin/sh
# report.sh - heddle query: forms of output, only reading, bad files; two writers at once and a killed one; heddle report: every
# figure, claim and missing run of a small database is named, the page is well-formed and asks for nothing from outside.
. tests/system/lib.sh
db=$tmp/r.db

query() { "$HEDDLE" query --db "$db" "$@"; }
is() { # TEXT ARGUMENT...: what the query prints as CSV, without its head
  want=$1
  shift
  [ "$(query --csv "$@" | sed 1d)" = "$want" ] || { query "$@"; return 1; }
}
curve() { "$HEDDLE" lab outstanding --db "$db" --out "$tmp/lab" --jobs 1 "$@" 2>&1; }

# ---- two writers at once, one of them killed in the middle
curve --to 40 --loads 2 >"$tmp/one" &
one=$!
curve --to 60 --step 2 >"$tmp/two" &
two=$!
for _ in $(seq 3000); do # its models may have to be built
  [ -s "$db" ] && [ "$(sqlite3 "$db" "SELECT count(*) >= 6 FROM point WHERE loads = 1" 2>/dev/null)" = 1 ] && break
  kill -0 "$two" 2>/dev/null || break
  sleep 0.02
done
kill -9 "$two" 2>/dev/null
check "a writer beside a killed one ends well" wait "$one"
wait "$two" 2>/dev/null
check "it lost nothing" is 60 "SELECT count(*) FROM points WHERE loads = 2 AND good"
check "every point has its run, every run its configuration" is "0,0" "SELECT sum(run.id IS NULL), sum(config.hash IS NULL) FROM point
  LEFT JOIN run ON run.id = point.run LEFT JOIN config ON config.hash = run.config"
check "the file is sound" sh -c "[ \$(sqlite3 -cmd '.timeout 5000' '$db' 'PRAGMA integrity_check') = ok ]"
n=$(query --csv "SELECT count(*) FROM points WHERE loads = 1" | tail -1)
check "the killed one left some" test "$n" -ge 6
check "it goes on where it was" sh -c "'$HEDDLE' lab outstanding --db '$db' --out '$tmp/lab' --to 60 2>&1 >/dev/null |
  grep -Eq '^lab: [0-9]+ of 90 runs are in'"
check "all are there" is 90 "SELECT count(*) FROM points WHERE loads = 1"

made() { # one that was just made, as the second of two sees it that open it at the same moment: the first is at it
  "$HEDDLE" run --config tiny --db "$tmp/made.db" vecadd n=64 >/dev/null 2>&1
  sqlite3 "$tmp/made.db" "PRAGMA journal_mode=DELETE" >/dev/null
  sqlite3 "$tmp/made.db" "BEGIN IMMEDIATE" ".shell touch '$tmp/reads'" ".shell sleep 1" >/dev/null &
  for _ in $(seq 1000); do [ -e "$tmp/reads" ] || sleep 0.01; done
  "$HEDDLE" run --config tiny --db "$tmp/made.db" vecadd n=64
}
check "two make a database" made

# ---- forms
check "aligned" sh -c "[ \"\$('$HEDDLE' query --db '$db' \"SELECT 'a' AS name, 7 AS number UNION ALL SELECT 'long', 123\")\" = \
'name  number
a          7
long     123' ]"
check "CSV quotes" is '"a,""b",' "SELECT 'a,\"b', NULL"
check "JSON" sh -c "[ \"\$('$HEDDLE' query --db '$db' --json \"SELECT 'x' AS a, 2 AS b, NULL AS c, 1.5 AS d\" | tr -d ' \n')\" = \
'[{\"a\":\"x\",\"b\":2,\"c\":null,\"d\":1.5}]' ]"

check "JSON: all digits, what is no number" sh -c "[ \"\$('$HEDDLE' query --db '$db' --json 'SELECT 1234567890.125 AS a, 0.1 AS b, 9e999 AS c, -9e999 AS d' | tr -d ' \n')\" = \
'[{\"a\":1234567890.125,\"b\":0.1,\"c\":null,\"d\":null}]' ]"
check "JSON: two columns of a name" refused "two columns are named id, an object has each name once: name them with AS" \
  query --db "$db" --json "SELECT a.id, b.id FROM run a, run b"
check "... with AS" query --json "SELECT a.id, b.id AS other FROM run a, run b WHERE a.id = 1 AND b.id = 1"

# ---- only reading, bad input
sqlite3 "$db" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
cp "$db" "$tmp/before"
for sql in "DELETE FROM run" "PRAGMA user_version = 9" "ATTACH '$tmp/new.db' AS n" "VACUUM INTO '$tmp/new.db'"; do
  check "$sql" refused "heddle: query: " query --db "$db" "$sql"
done
check "two statements" refused "must be one statement" query --db "$db" "SELECT 1; SELECT 2"
check "a wrong name" refused "no such table: nowhere" query --db "$db" "SELECT * FROM nowhere"
check "two forms" refused "one of them" query --db "$db" --csv --json "SELECT 1"
check "no SELECT" refused "needs a SELECT" query --db "$db"
check "no file" refused "is not there" query --db "$tmp/none.db" "SELECT 1"
check "nothing was made or changed" sh -c "[ ! -e '$tmp/none.db' ] && [ ! -e '$tmp/new.db' ] && cmp '$db' '$tmp/before'"
kept() { # TEXT FILE
  cp "$2" "$tmp/copy" && refused "$1" query --db "$2" "SELECT 1" && cmp "$2" "$tmp/copy" && [ ! -e "$2-wal" ]
}
echo "not a database, but a text that is longer than the head of one would be: a hundred bytes are what is looked at here" \
  >"$tmp/text.db"
check "a text" kept "is no results database" "$tmp/text.db"
cp "$tmp/before" "$tmp/damaged.db"
head -c 9000 /dev/zero | tr '\0' 'x' | dd of="$tmp/damaged.db" bs=4096 seek=3 conv=notrunc 2>/dev/null
check "a damaged file" kept "is damaged" "$tmp/damaged.db"
cp "$tmp/before" "$tmp/later.db"
sqlite3 "$tmp/later.db" 'PRAGMA user_version = 7' 'PRAGMA journal_mode = DELETE' >/dev/null
check "a later schema" kept "has schema version 7" "$tmp/later.db"

# ---- a file of the first version is brought up, with all its rows
cp "$tmp/before" "$tmp/first.db"
sqlite3 "$tmp/first.db" 'PRAGMA journal_mode = DELETE' 'DROP VIEW runs' 'DROP VIEW points' 'DROP VIEW claims' 'DROP TABLE study' \
  'DROP TABLE claim' 'DROP TABLE figure' 'PRAGMA user_version = 1' >/dev/null
check "the first schema, only reading" kept "has schema version 1" "$tmp/first.db"
check "a writer brings it up" "$HEDDLE" run --db "$tmp/first.db" --config tiny vecadd n=64
db=$tmp/first.db
check "all rows are there" is "1,150" "SELECT (SELECT count(*) FROM runs) >= 151, (SELECT count(*) FROM points)"
db=$tmp/r.db

# ---- the report of a small database: the two curves above are in none of its figures, transactions of two lanes are
sqlite3 "$db" "DELETE FROM config" "DELETE FROM run" "DELETE FROM point" >/dev/null
check "a small experiment" "$HEDDLE" lab ordering --quick --only streamcluster --db "$db" --out "$tmp/lab"
check "its claims and figures are kept" is "11,3" "SELECT (SELECT count(*) FROM claims), (SELECT count(*) FROM figure)"
report() { "$HEDDLE" report --db "$db" -o "$tmp/page" >"$tmp/said" 2>&1; }
page=$tmp/page/index.html
check "a report" report
check "well-formed" xmllint --noout "$page"
check "nothing from outside" sh -c "! grep -Eq '(src|href)=\"?(https?:|//)|@import|url\(http|<script|<link' '$page'"
names_all() {
  for n in figure6 figure8 stalls; do grep -q "<figure id=\"ordering-$n\"" "$page" && [ -s "$tmp/page/ordering-$n.csv" ] && [ -s "$tmp/page/ordering-$n.png" ] && grep -q '</svg>' "$tmp/page/ordering-$n.svg" || return 1; done
  [ "$(grep -c '<td data-label="verdict">' "$page")" = 11 ] && [ "$(grep -c '<svg' "$page")" = 3 ]
}
check "every figure with its data, every claim" names_all
missing_all() {
  for n in ordering-figure9 outstanding-figure2 outstanding-figure9 coherence-figure2a coherence-figure4c persistency-figure5 \
    localtm-figure3a localtm-figure5c; do
    grep -q "Missing: figure $n\. <code>build/heddle lab ${n%%-*} " "$page" && grep -q "missing: figure $n:" "$tmp/said" || return 1
  done
  for n in outstanding coherence latencies persistency localtm; do grep -q "Missing: all claims of $n\." "$page" || return 1; done
}
check "what is missing, with its command" missing_all
check "nothing is old" sh -c "! grep -q 'Older than the RTL' '$page' && grep -q ' 0 older' '$tmp/said'"
check "area of every paper, why a claim does not hold" sh -c "grep -q '>router of a 4x4 mesh' '$page' && grep -q 'hd_nvw_fifo' '$page' &&
  grep -q '<td>owner records, lists, walk</td>' '$page' && grep -q '<b>Why:</b> <b>0.1, ' '$page' && ! grep -q 'Missing: \(area\|energy\|why\)' '$page'"
check "bars say which they are" sh -c "[ \$(grep -c '>type</text>' '$page') = 1 ] && grep -q '>rmo</text>' '$page'"
sqlite3 "$db" "UPDATE study SET rtl = 'other'"
check "a report over other RTL" report
check "it is named, with its command" grep -q \
  'Older than the RTL.*<code>build/heddle lab ordering --quick --only streamcluster</code>' "$page"
check "-o is no folder" refused "is no folder" report --db "$db" -o "$db"
check "a report of no file" refused "is not there" report --db "$tmp/none.db" -o "$tmp/page"

# ---- an outlier breaks the axis, a paper's number is marked, text is escaped
data='{"title":"a < b & c","what":"time (ratio)","stacked":false,"series":["SC","RMO"],"groups":[{"name":"a<b","values":[1.5,1]},
  {"name":"c","values":[9,1]},{"name":"d","values":[1.2,1]},{"name":"e","values":[1.1,1]},{"name":"f","values":[1,1]},
  {"name":"g","values":[1,null]}],"stated":[{"group":"a<b","series":"SC","value":1.3,"text":"less than 1.3 & more"}]}'
sqlite3 "$db" "UPDATE figure SET data = '$data' WHERE name = 'ordering-figure6'"
check "a drawn figure" report
check "well-formed with < and &" xmllint --noout "$page"
check "one broken bar, with its value" sh -c "[ \$(grep -c 'class=.break.' '$page') = 1 ] && grep -q '>9.00</text>' '$page'"
check "one diamond on a bar, one in the legend" sh -c "[ \$(grep -c 'class=.stated.' '$page') = 2 ]"
check "SC and RMO have their colours" sh -c "grep -q 'fill=.#d55e00.' '$page' && grep -q 'fill=.#8c8c8c.' '$page'"
check "its data" sh -c "[ \$(wc -l <'$tmp/page/ordering-figure6.csv') = 7 ] && grep -q '^\"g\",1.0000,\$' '$tmp/page/ordering-figure6.csv'"

# ---- all experiments
check "all without a tier" refused "takes one of --quick, --paper" lab all
check "all takes no benchmarks" refused "unexpected '--only'" lab all --quick --only gemm

# ---- two databases
sqlite3 "$db" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
cp "$db" "$tmp/after.db"
cp "$db" "$tmp/before.db"
compare() { "$HEDDLE" report --compare "$db" "$tmp/after.db" "$@" >"$tmp/moved"; }
check "a database against itself" compare --threshold 0
check "nothing moved" sh -c "grep -q '^0 numbers of [1-9][0-9]* points' '$tmp/moved' && grep -q '^0 of 11 claims' '$tmp/moved'"
sqlite3 "$tmp/after.db" "UPDATE point SET latency = latency * 1.2 WHERE run = (SELECT min(run) FROM point)" \
  "UPDATE claim SET outcome = 'does not hold' WHERE number = '0.11'"
check "moved" compare
check "a point, a claim" sh -c "grep -q '^cycles .* +20.0 %  ordering' '$tmp/moved' && grep -q '^1 numbers of' '$tmp/moved' &&
  grep -q '^claim .* 0.11: .*before open, after does not hold' '$tmp/moved'"
now=$(git log -n 1 --format=%h -- synth/area.md 2>/dev/null)
then=$(git log -n 2 --format=%h -- synth/area.md 2>/dev/null | sed -n 2p)
if [ -n "$then" ]; then
  sqlite3 "$db" "UPDATE study SET revision = '$then'"
  sqlite3 "$tmp/after.db" "UPDATE study SET revision = '$now-dirty'"
  check "areas of two revisions" compare --threshold 0
  check "are in both pages" grep -Eq '^[1-9][0-9]* areas of [1-9][0-9]+ in both pages' "$tmp/moved"
fi
sqlite3 "$tmp/after.db" "UPDATE study SET revision = 'x; touch $tmp/bad'"
check "a revision that is none" compare
check "is named, and is no command" sh -c "grep -q '^area: git has no synth/area.md of' '$tmp/moved' && [ ! -e '$tmp/bad' ]"

# ---- two revisions of one database
cp "$tmp/before.db" "$tmp/both.db"
sqlite3 "$tmp/both.db" "UPDATE run SET time = '2020-01-01T00:00:00Z', revision = 'aaaa111'" \
  "UPDATE outcome SET time = '2020-01-01T00:00:00Z', revision = 'aaaa111'" \
  "INSERT INTO run SELECT NULL, '2021-01-01T00:00:00Z', 'bbbb222-dirty', build, config, name, workload, parameters, seed, cycles,
     instructions, passed, checked, verdicts, counters, cpu_seconds FROM run WHERE id = (SELECT min(run) FROM point)" \
  "INSERT INTO point SELECT experiment, config, 'other', pattern, loads, threads, offset, latency * 1.2, (SELECT max(id) FROM run)
     FROM point WHERE run = (SELECT min(run) FROM point)" \
  "INSERT INTO outcome SELECT NULL, experiment, options, number, claim, 'does not hold', '2021-01-01T00:00:00Z', 'bbbb222-dirty'
     FROM outcome WHERE number = '0.11'"
revisions() { "$HEDDLE" report --compare "$1" "$2" --db "$tmp/both.db" >"$tmp/moved"; }
check "a revision and the next" revisions aaaa111 bbbb222
check "a point, a claim of theirs" sh -c "grep -q '^cycles .* +20.0 %  ordering' '$tmp/moved' && grep -q '^1 numbers of' '$tmp/moved' &&
  grep -q '^claim .* 0.11: .*before open, after does not hold' '$tmp/moved' && grep -q '^1 of 11 claims' '$tmp/moved'"
check "backwards" revisions bbbb aaaa
check "the other way" grep -q '^cycles .* -16.7 %  ordering' "$tmp/moved"
check "a revision and a database" revisions aaaa111 "$tmp/before.db"
check "nothing between them" sh -c "grep -q '^0 numbers of [1-9]' '$tmp/moved' && grep -q '^0 of 11 claims' '$tmp/moved'"
check "a revision that wrote nothing" refused "that measured anything in $tmp/both.db (there: bbbb222-dirty, aaaa111)" \
  report --compare aaaa111 cccc333 --db "$tmp/both.db"
check "one name" refused "report: --compare: must be followed by two databases or revisions" report --compare aaaa111
check "no name" refused "--compare x'y: no file" report --compare "x'y" aaaa111 --db "$tmp/both.db"
check "less than the threshold" compare --threshold 25
check "nothing" grep -q '^0 numbers of' "$tmp/moved"
check "a threshold" refused "--threshold x: must be" report --threshold x

finish
