#!/bin/sh
# lab.sh - heddle lab: curves, files, the results database, an interrupted experiment, the figures of paper 2 in short,
# what is inferred of machines drawn at random, bad input.
. tests/system/lib.sh
current

lab() { # ARGUMENT...: a short curve
  "$HEDDLE" lab outstanding --db "$tmp/r.db" --out "$tmp/lab" "$@" 2>"$tmp/err"
}
lab_refused() { # TEXT ARGUMENT...
  text=$1
  shift
  refused "$text" lab outstanding --db "$tmp/bad.db" --out "$tmp/lab" "$@"
}
# kept TEXT FILE: it is refused as database and not touched, and nothing is left beside it
kept() {
  cp "$2" "$tmp/copy" && refused "$1" lab outstanding --to 4 --db "$2" --out "$tmp/lab" && cmp "$2" "$tmp/copy" &&
    [ ! -e "$2-wal" ] && [ ! -e "$2-shm" ]
}

# ---- the workload
check "a warp in part" "$HEDDLE" run --config fermi-mshr outstanding threads=38 loads=3 merger=4 offset=7
check "patterns of the inference" "$HEDDLE" run --config fermi-mshr outstanding threads=94 loads=7 beyond=1 lanes=5 \
  requests=40 probe=90
check "all on one line" "$HEDDLE" run --config fermi-mshr outstanding threads=256 loads=2 shared=1 merger=32
check "checked build" "$HEDDLE" run --config fermi-mshr --set ghost_bits=32 outstanding threads=66 loads=2
check "odd threads" refused "threads: must be even" run --config fermi-mshr outstanding threads=7
check "no threads" refused "threads = 0: must be 2..2048" run --config fermi-mshr outstanding threads=0
check "threads over the warps" refused "must be at most 1536 (warps = 48 of 32 lanes; warps is set in" \
  run --config fermi-mshr outstanding threads=1538
check "loads over the scoreboard" refused "scoreboard = 4, a warp's outstanding operations (scoreboard is set in" \
  run --config fermi-mshr outstanding loads=5
check "merger" refused "merger: must be a power of two" run --config fermi-mshr outstanding merger=3

# ---- a curve and its files
check "a curve" lab --from 2 --to 20
check "columns" grep -qx 'threads,latency_offset_0,latency_offset_7,latency_offset_13,latency,variance' \
  "$tmp/lab/outstanding-fermi-mshr-unique-1.csv"
check "a row a point" sh -c "[ \$(wc -l <'$tmp/lab/outstanding-fermi-mshr-unique-1.csv') = 11 ]"
check "SVG" grep -q '</svg>' "$tmp/lab/outstanding-fermi-mshr-unique-1.svg"
check "PNG" sh -c "head -c 8 '$tmp/lab/outstanding-fermi-mshr-unique-1.png' | od -An -c | grep -q 'P   N   G'"
check "harmonic mean and variance" awk -F, 'NR > 1 {
    mean = 3 / (1 / $2 + 1 / $3 + 1 / $4); d = mean - $5; if (d * d > 1e-4) exit 1
    if (NR > 3) { m = (a + b + mean) / 3; v = ((a - m)^2 + (b - m)^2 + (mean - m)^2) / 2 - want; if (v * v > 1) exit 1 }
    a = b; b = mean; want = $6 }' "$tmp/lab/outstanding-fermi-mshr-unique-1.csv"
check "JSON" sh -c "'$HEDDLE' lab outstanding --to 8 --db '$tmp/r.db' --out '$tmp/lab' --json >'$tmp/json' &&
  grep -q '\"pattern\": \"unique\"' '$tmp/json' && [ \$(grep -c '\"threads\"' '$tmp/json') = 4 ]"

# ---- its runs
busy() { # TEXT DATABASE: lab beside another one that holds the folder
  flock -s "$tmp/lab/jobs" "$HEDDLE" lab outstanding --to 4 --db "$2" --out "$tmp/lab" >"$tmp/text" 2>"$tmp/err"
  [ $? = "$3" ] && grep -q "$1" "$tmp/err"
}
check "beside another one, with its database" busy "6 of 6 runs are in" "$tmp/r.db" 0
check "beside another one, with another database" busy "is at work in this folder with another database" "$tmp/bad.db" 2
moment() { # two that enter at once: one has the folder alone while it puts its database down
  flock "$tmp/lab/jobs" sleep 1 &
  for _ in $(seq 100); do
    flock -n "$tmp/lab/jobs" true || break
    sleep 0.01
  done
  "$HEDDLE" lab outstanding --to 4 --db "$tmp/r.db" --out "$tmp/lab" >"$tmp/text" 2>"$tmp/err"
}
check "where another one enters at the same moment" moment
check "nothing runs" sh -c "'$HEDDLE' lab outstanding --watch 0 --out '$tmp/lab' | grep -q 'nothing runs in'"
check "no files of jobs are left" sh -c "[ -z \"\$(ls '$tmp/lab/jobs')\" ]"

# ---- the database
check "a run a row, a point a row" sh -c "[ \$(sqlite3 '$tmp/r.db' 'SELECT count(*) FROM run') = 30 ] &&
  [ \$(sqlite3 '$tmp/r.db' 'SELECT count(*) FROM point') = 30 ]"
check "one configuration, with all keys" sh -c "sqlite3 '$tmp/r.db' 'SELECT settings FROM config' | grep -c '\"sms\":1,' |
  grep -qx 1"
check "what is there is not measured again" sh -c "'$HEDDLE' lab outstanding --to 20 --db '$tmp/r.db' --out '$tmp/lab' \
  2>&1 >/dev/null | grep -q '30 of 30 runs are in' && [ \$(sqlite3 '$tmp/r.db' 'SELECT count(*) FROM run') = 30 ]"
check "another configuration is" sh -c "'$HEDDLE' lab outstanding --to 4 --db '$tmp/r.db' --out '$tmp/lab' \
  --set lat_dispatch=40 >/dev/null && [ \$(sqlite3 '$tmp/r.db' 'SELECT count(*) FROM run') = 36 ]"
sqlite3 "$tmp/r.db" "UPDATE run SET passed = checked - 1 WHERE id = (SELECT min(run) FROM point)"
check "a run that failed a check counts for nothing" sh -c "'$HEDDLE' lab outstanding --to 20 --db '$tmp/r.db' \
  --out '$tmp/lab' 2>&1 >/dev/null | grep -q '29 of 30 runs are in' &&
  [ \$(sqlite3 '$tmp/r.db' 'SELECT count(*) FROM run') = 37 ]"
check "heddle run adds a row" sh -c "'$HEDDLE' run --db '$tmp/r.db' --config tiny vecadd n=64 >/dev/null &&
  [ \"\$(sqlite3 '$tmp/r.db' \"SELECT count(*) FROM run WHERE workload = 'vecadd' AND passed = checked\")\" = 1 ]"

echo 'no database at all, but long enough for a header: 0123456789 0123456789 0123456789 0123456789 0123456789' \
  >"$tmp/text.db"
check "a text file" kept "is no results database" "$tmp/text.db"
sqlite3 "$tmp/foreign.db" 'CREATE TABLE t(a)'
check "another program's database" kept "is no results database" "$tmp/foreign.db"
sqlite3 "$tmp/r.db" ".backup '$tmp/version.db'"
sqlite3 "$tmp/version.db" 'PRAGMA user_version = 7' 'PRAGMA journal_mode = DELETE' >/dev/null
check "another schema version" kept "has schema version 7" "$tmp/version.db"
sqlite3 "$tmp/r.db" ".backup '$tmp/damaged.db'"
head -c 9000 /dev/zero | tr '\0' 'x' | dd of="$tmp/damaged.db" bs=4096 seek=3 conv=notrunc 2>/dev/null
check "a damaged database" kept "is damaged" "$tmp/damaged.db"
head -c 10000 "$tmp/r.db" >"$tmp/short.db"
check "a database cut off" kept "is damaged" "$tmp/short.db"
check "no such folder" refused "cannot be made" lab outstanding --to 4 --db "$tmp/no/r.db" --out "$tmp/lab"

# ---- kill -9 in the middle, several times; then two at once; the database stays sound and nothing is measured twice
resume() {
  db=$tmp/kill.db
  for _ in 1 2 3; do
    "$HEDDLE" lab outstanding --from 34 --to 160 --db "$db" --out "$tmp/lab" >"$tmp/text" 2>&1 &
    pid=$!
    sleep 0.4
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
  done
  "$HEDDLE" lab outstanding --from 34 --to 160 --jobs 1 --db "$db" --out "$tmp/lab" >"$tmp/text" 2>&1 &
  "$HEDDLE" lab outstanding --from 34 --to 160 --db "$db" --out "$tmp/two" || return 1
  wait $! || return 1
  [ "$(sqlite3 "$db" 'PRAGMA integrity_check')" = ok ] && [ "$(sqlite3 "$db" 'SELECT count(*) FROM point')" = 192 ] &&
    cmp "$tmp/lab/outstanding-fermi-mshr-unique-1.csv" "$tmp/two/outstanding-fermi-mshr-unique-1.csv"
}
check "killed, resumed, two at once" resume

# ---- the paper's figures, in short
spike() { # FIGURE THREADS: where our spike of a figure is
  awk -v f="$1" -v t="$2" '$1 == f { found = $(f == "1," ? 7 : 6) == t && $0 !~ /NOT/ } END { exit !found }' "$tmp/paper"
}
check "all figures" sh -c "'$HEDDLE' lab outstanding --paper --quick --db '$tmp/p.db' --out '$tmp/paper.d' \
  >'$tmp/paper'"
check "figures 1 and 2: 128" spike "1," 128
check "figure 3: 64" spike 3 64
for figure in 4 5 6; do
  check "figure $figure: 256" spike $figure 256
done
check "figure 7: none" spike 7 none
check "figure 8: 680" spike 8 680
check "figure 9: 454" spike 9 454
check "files of figure 8" sh -c "grep -q '^680,' '$tmp/paper.d/figure8.csv' && [ -s '$tmp/paper.d/figure8.png' ] &&
  grep -q '680 threads' '$tmp/paper.d/figure8.svg'"
check "the spike moves with the table" sh -c "! '$HEDDLE' lab outstanding --set mshr=64 --db '$tmp/p.db' \
  --out '$tmp/paper.d' --from 34 --to 160 | grep -q 'after 128' && '$HEDDLE' lab outstanding --set mshr=64 \
  --db '$tmp/p.db' --out '$tmp/paper.d' --from 34 --to 160 | grep -q 'after 64 threads'"

# ---- inference
infer="lab infer --db $tmp/i.db --out $tmp/infer"
check "MSHR table" sh -c "'$HEDDLE' $infer | tr -s ' ' >'$tmp/text' && grep -q ' entries 128 lines' '$tmp/text' &&
  grep -q ' merge limit 1024 lanes' '$tmp/text' && grep -q ' scoreboard 4 ' '$tmp/text'"
check "pending request table" sh -c "'$HEDDLE' $infer --config kepler-prt | tr -s ' ' >'$tmp/text' &&
  grep -q ' entries 64 warp instructions' '$tmp/text' && grep -q ' credits 1362 ' '$tmp/text' &&
  grep -q ' scoreboard 3 ' '$tmp/text'"
check "JSON of the inference" sh -c "'$HEDDLE' $infer --json | grep -q '\"table\": \"mshr\"'"
# shellcheck disable=SC2086
check "20 machines, 4 models (make infer: 20)" "$HEDDLE" $infer --trials 20 --structures 4 --seed 11
asked() { sqlite3 "$tmp/i.db" "SELECT count(*), count(DISTINCT run) FROM point WHERE experiment = 'infer'"; }
again() {
  before=$(asked)
  sqlite3 "$tmp/i.db" "DELETE FROM point WHERE run IN (SELECT run FROM point ORDER BY run DESC LIMIT 9)"
  # shellcheck disable=SC2086
  "$HEDDLE" $infer --trials 20 --structures 4 --seed 11 >"$tmp/text" && grep -q '20 of 20 machines right' "$tmp/text" && [ "$(asked)" = "$before" ] &&
    [ "$(sqlite3 "$tmp/i.db" "SELECT (SELECT count(*) FROM run) - (SELECT count(*) FROM point)")" = 9 ]
}
check "what is there is not asked again" again
check "a machine too quick" refused "too few to fill a table" lab infer --set fixed_latency=64
check "infer, option" refused "unexpected '--paper'" lab infer --paper
check "infer, seed" refused "--seed x: must be 0.." lab infer --trials 1 --seed x

# ---- bad input
check "quick without paper" refused "--quick goes with --paper" lab outstanding --quick
check "paper with settings" refused "it takes no --set" lab outstanding --paper --set mshr=1
check "pattern" lab_refused "--pattern spread: must be unique, merger2" --pattern spread
check "odd end" lab_refused "--to 5 --step 2: must be even" --to 5
check "no threads" lab_refused "--from 0: must be 2..1024" --from 0
check "backwards" lab_refused "and --from at most --to" --from 64 --to 32
check "loads over the scoreboard" lab_refused "must be at most scoreboard = 4" --loads 5
check "threads over the warps" lab_refused "must be at most 128 (warps = 4 of 32 lanes; warps is set by --set)" \
  --set warps=4 --to 256
check "configuration" lab_refused "no file" --config nowhere
check "option" lab_refused "unexpected '--treads'" --treads 8
check "value" lab_refused "--to needs a value" --to
check "jobs" lab_refused "--jobs 0: must be 1..64" --jobs 0
check "folder" refused "is no folder" lab outstanding --to 4 --db "$tmp/r.db" --out "$tmp/r.db"
check "experiment" refused "must be followed by" lab outsanding
check "help" "$HEDDLE" lab --help
finish
