#!/bin/sh
# stress.sh - a slice of `make stress`: both random testers on the two smallest structures, and what the command
# refuses. That the testers find wrong machines is shown by tests/mutants.
. tests/system/lib.sh

slice() {
  "$HEDDLE" stress --seconds 25 --seed 7 least small >"$tmp/stress" || return 1
  grep "all checks passed" "$tmp/stress"
}
operations() { # NAME LEAST: at least so many operations of a tester
  n=$(sed -n "s/^  $1 *\([0-9]*\) operations checked.*/\1/p" "$tmp/stress")
  [ "${n:-0}" -ge "$2" ]
}
reached() { # TABLE LEAST
  n=$(sed -n "s/^$1.*: \([0-9]*\) of [0-9]* pairs reached/\1/p" "$tmp/stress")
  [ "${n:-0}" -ge "$2" ]
}
# In a tree without any model: says that it builds and for how long it tests, and takes not much longer than it was told.
unbuilt() {
  mkdir -p "$tmp/tree/build" build/vrt && cp -r Makefile rtl tb synth configs "$tmp/tree/" && ln -s "$PWD/build/vrt" "$tmp/tree/build/" || return 1
  HEDDLE_ROOT=$tmp/tree HD_OPT=-O0 timeout 500 "$HEDDLE" stress --seconds 1 >"$tmp/out" 2>"$tmp/err"
  code=$?
  cat "$tmp/err"
  [ $code = 0 ] && grep -q "^0 of 44 structures are built; others are built before the 1 s of tests begin" "$tmp/err" &&
    grep -q "^building took [0-9]* s; now 1 s of tests$" "$tmp/err" &&
    grep -q "^43 structures are not built and not run" "$tmp/err" &&
    grep -q "^1 of 44 structures; [1-9][0-9]* s of building before$" "$tmp/out"
}
same_again() { # the same run twice: the same cycles
  for i in 1 2; do
    "$HEDDLE" run --json --config tiny --set jitter=9 --seed 3 drf warps=2 episodes=3 locks=40 |
      sed '/^  "host": {/,/^  }/d' >"$tmp/run$i" || return 1
  done
  cmp "$tmp/run1" "$tmp/run2"
}

# Started again, runs behind the last; the rows' operations are those of all.
resumed() {
  for i in one two; do
    "$HEDDLE" stress --seconds 1 --seed 8 --db "$tmp/s.db" least >"$tmp/$i" 2>"$tmp/err" || return 1
  done
  first=$(sed -n 's/^in .*, with earlier ones: \([0-9]*\) runs.*/\1/p' "$tmp/one")
  cat "$tmp/one" "$tmp/two" "$tmp/err"
  grep -q "^$first runs are in .*; going on at run $first$" "$tmp/err" || return 1
  # of all seeds: the pairs of the first two commands are in the table of a third, of another seed
  "$HEDDLE" stress --seconds 1 --seed 9 --db "$tmp/s.db" least >"$tmp/three" 2>"$tmp/err" || return 1
  pairs=$("$HEDDLE" query --db "$tmp/s.db" --csv "SELECT sum(json_extract(counters, '$.\"pairs.l1.I.LOAD\"')) FROM run" | tail -n 1)
  grep '^  LOAD ' "$tmp/three"
  [ "$(awk '$1 == "LOAD" { print $2; exit }' "$tmp/three")" = "$pairs" ] || return 1
  all=$("$HEDDLE" query --db "$tmp/s.db" --csv "SELECT count(*) || ' runs, ' || sum(value) FROM points
    WHERE experiment = 'stress' AND pattern = 'seed 8'" | tail -n 1 | tr -d '"')
  grep -q "ones: $all operations checked" "$tmp/two"
}
# A machine whose adds lose carries: found, and the command printed is smaller than the run that found it and fails again.
found() {
  sed -i 's/AT_ADD:  amo = old + b;/AT_ADD:  amo = old | b;/' "$tmp/tree/rtl/pkg/hd_pkg.sv"
  HEDDLE_ROOT=$tmp/tree HD_OPT=-O0 "$HEDDLE" stress --seconds 60 --seed 9 least >"$tmp/out" 2>"$tmp/err"
  code=$?
  cat "$tmp/err"
  [ $code = 1 ] && grep -q "looking for a smaller run that fails" "$tmp/err" || return 1
  again=$(sed -n 's|^  build/heddle run ||p' "$tmp/err")
  # shellcheck disable=SC2086
  HEDDLE_ROOT=$tmp/tree HD_OPT=-O0 "$HEDDLE" run $again >"$tmp/out" 2>&1
  [ $? = 1 ] && echo "$again" | grep -Eq ' (ops=[1-9]?[0-9]|episodes=1) '
}

check "25 seconds" slice
check "drf checked operations" operations drf 50
check "racy checked operations" operations racy 10000
check "pairs of the L1 table" reached "L1 table, MESI (hd_l1_mesi_table)" 20
check "pairs of the directory table" reached "directory table, MESI (hd_dir_mesi)" 20
# Answers that overtake and L1s without room: pairs of DeNovo's tables that a million operations on other structures do not reach.
overtaken() { # STRUCTURE SEED EVENT COLUMN OPERATIONS: the first runs of the seed reach the pair
  "$HEDDLE" stress --operations "$5" --seed "$2" "$1" >"$tmp/stress" || return 1
  sed -n '/^L1 table, DeNovo/,$ { s/not reached/0/g; p }' "$tmp/stress" >"$tmp/pairs"
  cat "$tmp/pairs"
  awk -v event="$3" -v column="$4" '$1 == event && $column > 0 { there = 1 } END { exit !there }' "$tmp/pairs"
}
check "a load of a word that leaves" overtaken denovo-race 21 LOAD 8 5000
check "data for a word that leaves" overtaken denovo-deep-race 590 FILL 8 12000
check "a writeback of a line that has gone and is on its way in again" overtaken denovo-late-race 17 WB 5 6000
counted_out() { # without scopes and read-only regions their pairs are not asked for
  "$HEDDLE" stress --seconds 2 --seed 3 --coherence "$1" denovo-deep-race >"$tmp/stress" || return 1
  cat "$tmp/stress"
  grep -q "^L1 table, DeNovo.* of $2 pairs reached" "$tmp/stress"
}
check "dd: no scopes, no read-only regions" counted_out dd 49
check "dd-ro: no scopes" counted_out dd-ro 54
check "dh: no read-only regions" counted_out dh 56
check "a tree without models" unbuilt
check "a wrong machine is found, and a small run that shows it" found
check "goes on where it was" resumed
check "the same seed gives the same run" same_again
# Drawn machines: none is like its structure, the same seed draws the same ones again, and the command that a failure prints repeats it.
drawn() {
  rm -f "$tmp/d.db"
  for i in one two; do # the second goes on behind the runs of the first
    timeout 300 "$HEDDLE" stress --drawn 2 --seconds 2 --seed 5 --db "$tmp/d.db" tm-least copies-words >"$tmp/$i" 2>"$tmp/err" ||
      { cat "$tmp/err"; return 1; }
    cat "$tmp/$i"
  done
  grep -q "^2 of 2 structures; [0-9]" "$tmp/one" && grep -q "^2 of 2 structures; 0 s of building" "$tmp/two" && grep -q "runs are in" "$tmp/err" &&
    [ "$(sqlite3 "$tmp/d.db" "SELECT count(DISTINCT build) FROM run")" -ge 2 ]
}
drawn_found() {
  HEDDLE_ROOT=$tmp/tree HD_OPT=-O0 "$HEDDLE" stress --drawn 1 --seconds 60 --seed 2 litmus >"$tmp/out" 2>"$tmp/err"
  code=$?
  cat "$tmp/err"
  again=$(sed -n 's|^  HD_OPT=-O0 build/heddle run ||p' "$tmp/err")
  [ $code = 1 ] && ! echo "$again" | grep -Eq '(--set [a-z0-9_]*=).* \1' || return 1
  # shellcheck disable=SC2086
  HEDDLE_ROOT=$tmp/tree HD_OPT=-O0 "$HEDDLE" run $again >"$tmp/out" 2>&1
  [ $? = 1 ]
}
check "drawn machines" drawn
check "a drawn machine that is wrong" drawn_found
check "drawn with a coherence" refused "--drawn 3: not with --coherence" stress --drawn 3 --coherence gd
check "none drawn" refused "--drawn 0: must be 1.." stress --drawn 0
check "unknown structure" refused "must be --seconds N, --operations N, --seed N, --drawn N" stress tinny
check "unknown tester" refused "--tester plog: must be drf or racy" stress --tester plog
check "coherence without machines" refused "none of the structures has such L1s" stress --coherence gd denovo
check "no such coherence" refused "must be gd/gh/dd/dd-ro/dh" stress --coherence mesi
check "no number" refused "--seconds 0: must be 1.." stress --seconds 0
finish
