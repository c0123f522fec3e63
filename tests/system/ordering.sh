#!/bin/sh
# ordering.sh - heddle lab ordering: one benchmark, its files, what is measured again and what is not, an interrupted
# experiment, a damaged database, bad input.
. tests/system/lib.sh
current

db=$tmp/r.db
ordering() { # ARGUMENT...: streamcluster, the shortest of the quick tier
  "$HEDDLE" lab ordering --quick --only streamcluster --db "$db" --out "$tmp/lab" "$@" >"$tmp/text" 2>"$tmp/err"
}
query() { # SQL ANSWER
  [ "$(sqlite3 "$db" "$1")" = "$2" ]
}
points="SELECT count(*) FROM point WHERE experiment = 'ordering'"

# ---- killed while it measures, then finished
interrupted() {
  "$HEDDLE" lab ordering --quick --only streamcluster --jobs 1 --db "$db" --out "$tmp/lab" >"$tmp/text" 2>&1 &
  pid=$!
  while kill -0 $pid 2>"$tmp/err"; do
    [ -s "$db" ] && [ "$(sqlite3 "$db" "$points" 2>"$tmp/err")" -gt 1 ] 2>"$tmp/err" && break
    sleep 0.1
  done
  kill -9 $pid
  wait $pid
  [ "$(sqlite3 "$db" "$points")" -gt 1 ]
}
check "killed" interrupted
check "finished" ordering
check "a run a point, nothing twice" query "SELECT count(*), count(DISTINCT run) FROM point" "10|10"
check "all checks passed" query "SELECT count(*) FROM run WHERE passed < checked" 0
check "six orders" query "SELECT count(DISTINCT json_extract(settings, '\$.order')) FROM config" 6
check "counters are kept" query "SELECT count(*) FROM run WHERE json_extract(counters, '\$.\"l1.miss\"') > 0" \
  "$(sqlite3 "$db" 'SELECT count(*) FROM run')"
check "a row" grep -q '^streamcluster  *[0-9,]* *[0-9.]* *[0-9.]* *[0-9.]* *[0-9.]* *[0-9.]* ' "$tmp/text"
check "the claim on merging is judged" grep -Eq '^0.4 .*: (holds|DOES NOT HOLD)$' "$tmp/text"
check "claims on the fourteen are not" grep -Eq '^0.1 .*: not measured$' "$tmp/text"

check "every issue slot is a warp-cycle of its own" query "SELECT count(*) FROM run WHERE
  json_extract(counters, '\$.\"stall.none_issued\"') = json_extract(counters, '\$.\"sm.issue_alu\"')
    + json_extract(counters, '\$.\"sm.issue_mem\"') + json_extract(counters, '\$.\"sm.issue_ctl\"')" 10
check "causes of stalls" grep -Eq '^streamcluster  rmo .* 100.0$' "$tmp/text"
check "a bar for RMO, SC and type-aware SC" sh -c "grep -c '^\"streamcluster\",' '$tmp/lab/ordering-stalls.csv' | grep -qx 3"

# ---- times come from the database
ratio() {
  want=$(sqlite3 "$db" "SELECT printf('%.2f', 1.0 * s.latency / r.latency) FROM point s JOIN config cs ON cs.hash = s.config
    AND json_extract(cs.settings, '\$.order') = 'sc' AND json_extract(cs.settings, '\$.merge_lanes') = 1024, point r
    JOIN config cr ON cr.hash = r.config AND json_extract(cr.settings, '\$.order') = 'rmo' AND
    json_extract(cr.settings, '\$.merge_lanes') = 1024")
  awk -v want="$want" '/^streamcluster/ && !seen++ { found = $5 == want } END { exit !found }' "$tmp/text"
}
check "SC over RMO" ratio
cp "$tmp/text" "$tmp/first"
check "again" ordering
check "nothing is measured again" grep -q '10 of 10 runs are in' "$tmp/err"
check "the same page" cmp "$tmp/first" "$tmp/text"
check "bars" sh -c "head -1 '$tmp/lab/ordering-figure6.csv' | grep -q '^\"group\",\"TSO\",\"TSO, store buffer\",' &&
  grep -q '</svg>' '$tmp/lab/ordering-figure6.svg' && [ -s '$tmp/lab/ordering-figure8.png' ]"
check "a line a run" sh -c "[ \$(wc -l <'$tmp/lab/ordering.csv') = 11 ]"
check "JSON" sh -c "'$HEDDLE' lab ordering --quick --only streamcluster --db '$db' --out '$tmp/lab' --json >'$tmp/json' \
  2>'$tmp/err' && [ \$(grep -c '\"cycles\"' '$tmp/json') = 10 ] && [ \$(grep -c '\"criterion\"' '$tmp/json') = 11 ]"

# ---- bad input
cp "$db" "$tmp/bad.db"
head -c 9000 /dev/zero | tr '\0' 'x' | dd of="$tmp/bad.db" bs=4096 seek=3 conv=notrunc 2>"$tmp/err"
cp "$tmp/bad.db" "$tmp/copy"
bad() { # TEXT ARGUMENT...
  text=$1
  shift
  refused "$text" lab ordering --out "$tmp/lab" --db "$tmp/none.db" "$@" && [ ! -e "$tmp/none.db" ]
}
check "a damaged database" refused "is damaged" lab ordering --quick --only streamcluster --db "$tmp/bad.db" --out "$tmp/lab"
check "... is left as it was" cmp "$tmp/bad.db" "$tmp/copy"
check "no tier" bad "takes one of --quick, --reduced, --paper"
check "two tiers" bad "takes one of --quick, --reduced, --paper" --quick --paper
check "benchmark" bad "--only gem: must be some of gemm, 3mm" --quick --only gem
check "one of several" bad "--only stream: must be some of" --quick --only gemm,stream
check "no benchmark" bad "must be some of" --quick --only ''
check "none of the tier" bad "runs none of --only" --quick --only mvt
check "settings" bad "unexpected '--set'" --quick --set mshr=1
check "another command's option" refused "unexpected '--only'" lab outstanding --only gemm
check "jobs" bad "--jobs 0: must be 1..64" --quick --jobs 0
check "folder" refused "is no folder" lab ordering --quick --db "$db" --out "$db"
finish
