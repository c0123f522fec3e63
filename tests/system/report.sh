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
for _ in $(seq 200); do
  [ -s "$db" ] && [ "$(sqlite3 "$db" "SELECT count(*) >= 6 FROM point WHERE loads = 1" 2>/dev/null)" = 1 ] && break
  sleep 0.02
done
kill -9 "$two" 2>/dev/null
check "a writer beside a killed one ends well" wait "$one"
wait "$two" 2>/dev/null
check "it lost nothing" is 60 "SELECT count(*) FROM points WHERE loads = 2 AND good"
check "every point has its run, every run its configuration" is "0,0" "SELECT sum(run.id IS NULL), sum(config.hash IS NULL) FROM point
  LEFT JOIN run ON run.id = point.run LEFT JOIN config ON config.hash = run.config"
check "the file is sound" sh -c "[ \$(sqlite3 '$db' 'PRAGMA integrity_check') = ok ]"
n=$(query --csv "SELECT count(*) FROM points WHERE loads = 1" | tail -1)
check "the killed one left some" test "$n" -ge 6
check "it goes on where it was" sh -c "'$HEDDLE' lab outstanding --db '$db' --out '$tmp/lab' --to 60 2>&1 >/dev/null |
  grep -Eq '^lab: [0-9]+ of 90 runs are in'"
check "all are there" is 90 "SELECT count(*) FROM points WHERE loads = 1"

# ---- forms
check "aligned" sh -c "[ \"\$('$HEDDLE' query --db '$db' \"SELECT 'a' AS name, 7 AS number UNION ALL SELECT 'long', 123\")\" = \
'name  number
a          7
long     123' ]"
check "CSV quotes" is '"a,""b",' "SELECT 'a,\"b', NULL"
check "JSON" sh -c "[ \"\$('$HEDDLE' query --db '$db' --json \"SELECT 'x' AS a, 2 AS b, NULL AS c, 1.5 AS d\" | tr -d ' \n')\" = \
'[{\"a\":\"x\",\"b\":2,\"c\":null,\"d\":1.5}]' ]"

# ---- only reading, bad input
sqlite3 "$db" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
cp "$db" "$tmp/before"
for sql in "DELETE FROM run" "PRAGMA user_version = 9" "ATTACH '$tmp/new.db' AS n" "VACUUM INTO '$tmp/new.db'"; do
  check "$sql" refused "heddle: query: " query --db "$db" "$sql"
done
check "two statements" refused "must be one statement" query --db "$db" "SELECT 1; SELECT 2"
check "a wrong name" refused "no such table: nowhere" query --db "$db" "SELECT * FROM nowhere"
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
check "all rows are there" is "151,150" "SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM points)"
db=$tmp/r.db

finish
