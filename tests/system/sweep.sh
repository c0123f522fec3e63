#!/bin/sh
# sweep.sh - heddle sweep: means and spreads against the database, no second run of what is there, interruptions, failed and
# killed runs, which the next call repeats alone, and bad files.
. tests/system/lib.sh

db=$tmp/r.db
sweep() { # FILE OPTION...
  file=$1
  shift
  "$HEDDLE" sweep "$file" --db "$db" --out "$tmp/sweep" "$@" >"$tmp/text" 2>"$tmp/err"
}
query() { # SQL ANSWER
  [ "$(sqlite3 "$db" "$1")" = "$2" ] || { sqlite3 "$db" "$1"; return 1; }
}
cat >"$tmp/s.cfg" <<END
name = "two";
configs = "tiny";
set = ["jitter=2"];
keys: { order = ["rmo", "sc"]; };
workloads = ["racy ops=400", "vecadd n=64"];
seeds = [1, 2, 3];
counters = ["cycles", "l1.miss", "link.flits.persist"];
END

check "models" "$HEDDLE" run --config tiny vecadd n=64
# Points are one process each: the first call is killed in the middle, as by a power cut.
killed() {
  "$HEDDLE" sweep "$tmp/s.cfg" --db "$db" --out "$tmp/sweep" --jobs 1 >"$tmp/text" 2>"$tmp/err" &
  pid=$!
  for i in $(seq 1200); do
    [ -e "$db" ] && [ "$(sqlite3 "$db" 'SELECT count(*) >= 2 FROM point' 2>&1)" = 1 ] &&
      messages=$(ls "$tmp"/sweep/jobs/*.log 2>"$tmp/log") && break
    sleep 0.05
  done
  kill -KILL $pid
  wait $pid
  n=$(sqlite3 "$db" 'SELECT count(*) FROM point')
  [ "$n" -ge 2 ] && [ "$n" -lt 12 ]
}
check "killed in the middle" killed
first=$(sqlite3 "$db" 'SELECT count(*) FROM point')
check "goes on" sweep "$tmp/s.cfg" --jobs 2
check "says what was there" grep -q "of 12 runs are in" "$tmp/err"
check "each run once, none of the first again" query "SELECT count(*), count(DISTINCT run), (SELECT count(*) FROM run) FROM point" "12|12|12"
check "the first are the first" query "SELECT count(*) FROM run WHERE id <= $first AND name = 'tiny' AND passed = checked" "$first"
check "no files of jobs are left" sh -c "[ -z \"\$(ls '$tmp/sweep/jobs')\" ]"
cp "$tmp/text" "$tmp/first"
# A job may be killed when its result is there and its messages are not yet gone.
for f in $messages; do echo "sweep: killed" >"$f"; done
check "again" sweep "$tmp/s.cfg"
check "nor those of one that was killed after its result" sh -c "[ -n '$messages' ] && [ -z \"\$(ls '$tmp/sweep/jobs')\" ]"
check "nothing runs again" query "SELECT count(*) FROM run" 12
check "the same table" cmp "$tmp/first" "$tmp/text"

# A single run has the same cycles and counters as the point, and the table their mean and spread.
single() {
  cycles=$("$HEDDLE" run --config tiny --set jitter=2 --set order=sc --seed 2 --json racy ops=400 | sed -n 's/^  "cycles": \([0-9]*\),/\1/p')
  query "SELECT run.cycles FROM point JOIN run ON run.id = point.run JOIN config c ON c.hash = run.config WHERE pattern = 'racy ops=400'
    AND loads = 2 AND json_extract(c.settings, '\$.order') = 'sc'" "$cycles"
}
check "a point is that run" single
table() {
  want=$(sqlite3 "$db" "SELECT printf('%.1f', avg(run.cycles)), printf('%.1f', sqrt((sum(run.cycles * run.cycles) - sum(run.cycles) * sum(run.cycles) / 3.0) / 2))
    FROM point JOIN run ON run.id = point.run JOIN config c ON c.hash = run.config WHERE pattern = 'racy ops=400' AND json_extract(c.settings, '\$.order') = 'rmo'" |
    tr '|' ' ')
  awk -v want="$want" '$2 == "order=rmo" && $3 == "racy" { split(want, w); found = $6 + 0 == w[1] + 0 && $8 == w[2] && $8 > 0 } END { exit !found }' "$tmp/text"
}
check "mean and spread" table
check "CSV" sh -c "grep -q '^machine,workload,runs,cycles mean,cycles spread,cycles least,cycles most,l1.miss mean' '$tmp/sweep/two.csv' &&
  [ \$(wc -l <'$tmp/sweep/two.csv') = 5 ]"
check "error bars" sh -c "! command -v gnuplot >'$tmp/which' || grep -q '</svg>' '$tmp/sweep/two.svg'"

# A run that fails a check is named; others go on; the next call repeats it alone.
sed 's/^keys.*/keys: { max_cycles = [10000000, 1000]; };/; s/^name.*/name = "fails";/; s/"vecadd n=64"/"vecadd n=6000"/; s/^seeds.*//; s/"racy ops=400", //' \
  "$tmp/s.cfg" >"$tmp/f.cfg"
fails() {
  sweep "$tmp/f.cfg"
  [ $? = 1 ] && grep -q "tiny max_cycles=1000, vecadd n=6000, seed 1: vecadd: .* has not ended within max_cycles" "$tmp/err" && ! grep -q "max_cycles=10000000, vecadd" "$tmp/err"
}
check "a failed run is named" fails
check "its messages are kept" sh -c "grep -q 'max_cycles' '$tmp'/sweep/jobs/*.log"
check "the other one is there" query "SELECT count(*), sum(passed < checked) FROM run WHERE workload = 'vecadd' AND parameters LIKE '%6000%'" "1|0"
check "again" fails
check "the other one did not run again" query "SELECT count(*), sum(passed < checked) FROM run WHERE workload = 'vecadd' AND parameters LIKE '%6000%'" "1|0"

# A process of a run that is killed is named, too; the next call repeats it, and it passes.
sed 's/^keys.*//; s/^workloads.*/workloads = "racy ops=6000";/; s/^seeds.*/seeds = [1, 2];/; s/ops=400"/ops=6000"/; s/^name.*/name = "dies";/' "$tmp/s.cfg" >"$tmp/d.cfg"
running() { # waits for the process of a run, not of a builder: it has opened its log
  for i in $(seq 400); do
    ls "$tmp"/die/jobs/*.log >"$tmp/which" 2>&1 && [ -n "$(ps -o pid= --ppid "$pid")" ] && return
    sleep 0.05
  done
}
watch() { # what another terminal sees of it
  "$HEDDLE" sweep "$tmp/d.cfg" --db "$db" --out "$tmp/die" --watch 0 >"$tmp/watch"
  cat "$tmp/watch"
  [ "$(head -n 1 "$tmp/watch")" = "sweep: $1" ]
}
dies() {
  "$HEDDLE" sweep "$tmp/d.cfg" --db "$db" --out "$tmp/die" --jobs 1 >"$tmp/text" 2>"$tmp/err" &
  pid=$!
  running
  job=$(ps -o pid= --ppid $pid | tr -d ' ')
  kill -STOP "$job"
  watch "0 of 2 runs, 0 failed, 1 running, 1 to come" && grep -qx "  tiny, racy ops=6000, seed 1: $(hostname)" "$tmp/watch"
  seen=$?
  kill -KILL "$job"
  wait $pid
  [ $? = 1 ] && [ $seen = 0 ] && watch "1 of 2 runs, 1 failed, 0 running, 0 to come" &&
    grep -q "tiny, racy ops=6000, seed 1: crashed: Killed" "$tmp/err" && ! grep -q "seed 2:" "$tmp/err"
}
check "a killed run is named" dies
interrupted() {
  rm -f "$tmp"/die/jobs/*.log
  "$HEDDLE" sweep "$tmp/d.cfg" --db "$db" --out "$tmp/die" --jobs 1 >"$tmp/text" 2>"$tmp/err" &
  pid=$!
  running
  kill -TERM $pid
  wait $pid
  [ $? = 130 ] && grep -q "interrupted: 1 of 2 runs are done" "$tmp/err"
}
check "interrupted" interrupted
check "repeated" sweep "$tmp/d.cfg"
check "alone" query "SELECT count(*) FROM run WHERE workload = 'racy' AND parameters LIKE '%6000%'" 2

# Bad files: file, line, what was expected.
bad() { # NAME TEXT LINE...
  name=$1 text=$2
  shift 2
  printf '%s\n' "$@" >"$tmp/bad.cfg"
  check "$name" refused "$text" sweep "$tmp/bad.cfg" --db "$tmp/none.db" --out "$tmp/sweep"
}
bad "syntax" "bad.cfg:2: syntax error" 'configs = "tiny";' 'workloads = ;'
bad "unknown" "bad.cfg:2: unknown 'config'; must be one of name, configs, set" 'name = "a";' 'config = "tiny";'
bad "no workloads" "bad.cfg: has no \`workloads\`" 'configs = "tiny";'
bad "no such configuration" "bad.cfg:1: this configuration was asked for here: tinny" 'configs = "tinny";' 'workloads = "vecadd";'
bad "no such workload" "bad.cfg:2: vecad: must be a workload" 'configs = "tiny";' 'workloads = ("gemm", "vecad");'
bad "no such parameter" "bad.cfg:3: this workload was asked for here: vecadd m=3 on tiny" 'configs = "tiny";' '' 'workloads = "vecadd m=3";'
bad "value of a key" "bad.cfg:3: this configuration was asked for here: tiny order=xx" 'configs = "tiny";' 'workloads = "vecadd";' \
  'keys: { order = ["rmo", "xx"]; };'
bad "keys" "bad.cfg:2: keys: must be a group" 'configs = "tiny";' 'keys = 3;'
bad "seed" "bad.cfg:3: -1: must be a seed, 0..4294967295" 'configs = "tiny";' 'workloads = "vecadd";' 'seeds = [1, -1];'
bad "a number beyond 64 bits" "bad.cfg:2: sms = 99999999999999999999: the number is too large" 'configs = "tiny";' 'keys: { sms = [1, 99999999999999999999]; };'
bad "seed twice" "bad.cfg:3: 4: must be another seed" 'configs = "tiny";' 'workloads = "vecadd";' 'seeds = [4, 4];'
bad "configuration twice" "bad.cfg:1: tiny: must be another configuration: it is in the list already" 'configs = ["tiny", "tiny"];' 'workloads = "vecadd";'
bad "workload twice" "bad.cfg:2: vecadd n=64: must be another workload" 'configs = "tiny";' 'workloads = ["vecadd n=64", "vecadd  n=64"];'
bad "value of a key twice" "bad.cfg:3: sc: must be another value of order" 'configs = "tiny";' 'workloads = "vecadd";' 'keys: { order = ["sc", "rmo", "sc"]; };'
bad "counter twice" "bad.cfg:3: cycles: must be another counter" 'configs = "tiny";' 'workloads = "vecadd";' 'counters = ["cycles", "cycles"];'
bad "name" "bad.cfg:1: name: must be a short name" 'name = "../x";'
bad "a real number" "bad.cfg:1: configs: must be a configuration" 'configs = 1.5;'
check "no database was made" test ! -e "$tmp/none.db"
# A counter that nobody has: not of the machine, and no workload has it after its first run, which is a good row. Those of a workload
# are counters, and of runs that are there nothing runs again.
unknown() {
  printf '%s\n' 'configs = "tiny";' 'workloads = ["vecadd n=64", "chase warps=2 length=16"];' 'seeds = [1, 2, 3];' "counters = [\"cycles\", \"$1\"];" >"$tmp/u.cfg"
}
of_work() {
  unknown chase.hops
  "$HEDDLE" sweep "$tmp/u.cfg" --db "$tmp/u.db" --out "$tmp/u" >"$tmp/text" && grep -q '^tiny  *chase.* 3 .* [1-9][0-9]*[.]0 +- 0.0$' "$tmp/text"
}
unknown nosuch
check "a counter that nobody has" refused "u.cfg:4: nosuch: must be a counter that a machine or a workload of the table has" \
  sweep "$tmp/u.cfg" --db "$tmp/u.db" --out "$tmp/u"
check "... one run of each workload is there, no table" sh -c "[ \$(sqlite3 '$tmp/u.db' 'SELECT count(*) FROM run') = 2 ] && ! ls '$tmp'/u/*.csv"
check "a counter of a workload" of_work
unknown chase.hop
check "nearly one" refused "u.cfg:4: chase.hop: must be a counter" sweep "$tmp/u.cfg" --db "$tmp/u.db" --out "$tmp/u" --collect
check "a folder that another one works in" flock "$tmp/sweep/jobs" sh -c "'$HEDDLE' sweep '$tmp/s.cfg' --db '$tmp/none.db' --out '$tmp/sweep' 2>'$tmp/err'; [ \$? = 2 ] && grep -q 'another lab or sweep is at work in this folder' '$tmp/err'"
check "no file" refused "needs a file" sweep
check "no such file" refused "cannot be read" sweep "$tmp/nothing.cfg"
check "jobs" refused "--jobs 0: must be 1..64" sweep "$tmp/s.cfg" --jobs 0
check "option" refused "unexpected '--set'" sweep "$tmp/s.cfg" --set a=b
check "two ways at once" refused "takes one of --slurm, --collect, --watch" sweep "$tmp/s.cfg" --slurm --collect
finish
