#!/bin/sh
# longrun.sh - counters over time, warm-up, links, latencies: rows add up to the counters, nothing changes a run, neither threads
# nor windows change a row.
set -u
. tests/system/lib.sh
current
run() { # FILE ARGUMENT...: vecadd in 500-cycle rows into FILE.csv, its JSON into FILE
  to=$1
  shift
  json "$tmp/$to" --config tiny --interval 500 --out "$tmp" "$@" vecadd && mv "$tmp/vecadd.csv" "$tmp/$to.csv"
}
# sums FILE [FROM]: "NAME SUM" of each counter with a dot in its name, over the rows that end behind cycle FROM
sums() {
  awk -F, -v from="${2:-0}" 'NR == 1 { for (i = 3; i <= NF; i++) name[i] = $i; next }
    $1 > from { for (i = 3; i in name; i++) sum[i] += $i }
    END { for (i in name) if (name[i] ~ /[.]/) print name[i], sum[i] + 0 }' "$tmp/$1.csv" | sort
}
counters() { # FILE: the same of the JSON
  sed -n '/^  "counters": {/,/^  }/s/^ *"\([a-z0-9_]*[.][a-z0-9_.]*\)": \([0-9]*\),*$/\1 \2/p' "$tmp/$1" | sort
}
same() { cmp "$tmp/$1" "$tmp/$2"; }
plain() { # without what was asked for
  json "$tmp/off" --config tiny vecadd && sed '/^  "links": {/,/^  }/d; /^  "load_latency": {/,/^  }/d' "$tmp/on" | cmp - "$tmp/off"
}
add_up() { sums on >"$tmp/a" && counters on >"$tmp/b" && [ -s "$tmp/b" ] && diff "$tmp/a" "$tmp/b"; }
other_ways() {
  run threads --links --latency --set threads=2 && run windows --links --latency --set window=1 --set skip_idle=false || return 1
  for f in threads windows; do
    same on.csv $f.csv && core "$tmp/$f" >"$tmp/other" && core "$tmp/on" | cmp - "$tmp/other" || return 1
  done
}
warm() {
  run warm --warmup 2000 --links --latency || return 1
  sums warm 2000 >"$tmp/a" && counters warm >"$tmp/b" && diff "$tmp/a" "$tmp/b" && same warm.csv on.csv &&
    [ $(($(number "$tmp/warm" cycles | head -n 1) + $(number "$tmp/warm" warmup_cycles))) = "$(number "$tmp/on" cycles | head -n 1)" ]
}
# Of three loads of each warp: buckets add up, and so do levels; those of a table that fits the L1 are the SM's.
latencies() { # WORKLOAD...: prints "LEVEL LOADS", fails when buckets do not add up
  "$HEDDLE" run --json --latency --config tiny "$@" | sed -n '/^  "load_latency": {/,/^  }/p' | tr -d '",:{}' | awk '
    NF == 1 && $1 != "histogram" && $1 != "load_latency" { level = $1 }
    $1 == "loads" { print level, $2; all[level] = $2 } $1 ~ /^[0-9]+$/ { sum[level] += $2 }
    END { for (l in all) if (all[l] != sum[l] + 0) exit 1 }'
}
levels() {
  latencies vecadd >"$tmp/levels" && cat "$tmp/levels" && grep -q '^sm 0$' "$tmp/levels" && grep -q '^memory [1-9]' "$tmp/levels" &&
    latencies gemm >"$tmp/levels" && cat "$tmp/levels" && grep -q '^sm [1-9]' "$tmp/levels"
}
links() { # flits of all links of the JSON are those of the counters of groups
  all=$(sed -n '/^  "links": {/,/^  }/p' "$tmp/on" | awk '$1 == "\"flits\":" { n += $2 } END { print n }')
  groups=$(awk '/^link[.](sm|xbar|l2)_/ { n += $2 } END { print n }' "$tmp/b")
  echo "$all $groups"
  [ "$all" = "$groups" ] && [ "$all" -gt 0 ] && ! sed -n 's/^ *"used": \([0-9.]*\),*$/\1/p' "$tmp/on" | grep -v '^0[.]'
}
database() {
  "$HEDDLE" run --config tiny --interval 500 --out "$tmp" --db "$tmp/db" vecadd &&
    [ "$(sqlite3 "$tmp/db" "SELECT count(*) FROM interval WHERE run = 1")" = $(($(wc -l <"$tmp/on.csv") - 1)) ] &&
    [ "$(sqlite3 "$tmp/db" "SELECT sum(json_extract(counters, '\$.\"sm.ops\"')) FROM interval")" = \
      "$(sqlite3 "$tmp/db" "SELECT json_extract(counters, '\$.\"sm.ops\"') FROM run")" ]
}
plot() {
  "$HEDDLE" run --config tiny --interval 500 --out "$tmp" --plot l1.hit,dram.read_bytes vecadd && grep -q 'dram.read_bytes' "$tmp/vecadd.svg"
}
kernels() { # of several grids the first is not counted
  "$HEDDLE" run --config tiny --warmup kernels=1 bfs | tee "$tmp/out" | grep -q warm-up || return 1
  refused "one must be left to count" run --config tiny --warmup kernels=1000 bfs
}

dead() { # a memory slower than the watchdog: rows and links up to the end, exit 1
  "$HEDDLE" run --config tiny --set watchdog=1000 --set dram_latency=3000 --warmup 300 --interval 100 --links --out "$tmp" vecadd \
    >"$tmp/text" 2>"$tmp/err"
  [ $? = 1 ] && [ "$(wc -l <"$tmp/vecadd.csv")" -gt 5 ] && grep -q '^  link 0 from SM to crossbar' "$tmp/text"
}

cut_short() { # a run that reaches max_cycles, or that Ctrl-C ends: the rows before it
  refused "its intervals up to then: $tmp/chase.csv" run --config tiny --set max_cycles=1500 --interval 500 --out "$tmp" chase || return 1
  [ "$(wc -l <"$tmp/chase.csv")" = 4 ] || return 1
  "$HEDDLE" run --config tiny --interval 5000 --out "$tmp" racy ops=1000000 2>"$tmp/err" &
  sleep 1
  kill -TERM $! && wait $!
  [ $? = 130 ] && grep -q "intervals up to then" "$tmp/err" && [ "$(wc -l <"$tmp/racy.csv")" -gt 1 ]
}

check "rows, links, latencies" run on --links --latency
check "a run is the same without" plain
check "rows of a run that is cut short" cut_short
check "rows add up to the counters" add_up
check "links add up to the counters" links
check "threads, windows, skipping change nothing" other_ways
check "warm-up by cycles" warm
check "warm-up by kernels" kernels
check "levels of latency" levels
check "rows in the database" database
check "a plot" plot
check "rows up to a deadlock" dead
check "warm-up too long" refused "the run ended before it" run --config tiny --warmup 10000000 vecadd
check "interval of nothing" refused "must be 1.." run --config tiny --interval 0 vecadd
check "interval without a number" refused "--interval 5x: must be" run --config tiny --interval 5x vecadd
check "plot without rows" refused "--plot needs --interval" run --config tiny --plot l1.hit vecadd
check "plot of no name" refused "--plot: expected names of counters" run --config tiny --interval 500 --out "$tmp" --plot , vecadd
check "no folder" refused "--out '': expected a folder" run --config tiny --interval 500 --out "" vecadd
mkfifo "$tmp/pipe"
check "a pipe as database" refused "expected a file, found a pipe" run --config tiny --db "$tmp/pipe" vecadd
# A name that is not UTF-8 loses neither the row nor the key of the JSON.
odd_name() {
  odd=$(printf '%s/odd\377.cfg' "$tmp")
  cp configs/tiny.cfg "$odd" && "$HEDDLE" run --json --config "$odd" --db "$tmp/odd.db" vecadd n=64 >"$tmp/odd" && grep -q '"config": "odd?"' "$tmp/odd" &&
    "$HEDDLE" query --db "$tmp/odd.db" "SELECT machine FROM runs" | grep -q 'odd?'
}
check "a configuration whose name is not UTF-8" odd_name
check "plot of nothing" refused "no counter l1.nothing" run --config tiny --interval 500 --out "$tmp" --plot l1.nothing vecadd
check "not for firstlight" refused "firstlight takes none" firstlight --interval 5
finish
