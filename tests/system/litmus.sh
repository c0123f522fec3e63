#!/bin/sh
# litmus.sh - a slice of the litmus suite: nothing forbidden under any order, what relaxes is really seen, a run can
# be repeated, malformed files are named. The whole suite: heddle litmus --orders rmo,tso,sc tests/litmus/open
. tests/system/lib.sh
current
open=tests/litmus/open

# all_met ARGUMENT...: each test's condition, a relaxed outcome, must have been met.
all_met() {
  "$HEDDLE" litmus "$@" >"$tmp/table" || return 1
  sed -n '/^seen/,$p' "$tmp/table" | grep -v '/.*/.*\*$' | sed '/^seen/d; /^test /d; /tests\{0,1\} (/d' >"$tmp/unmet"
  cat "$tmp/unmet"
  [ ! -s "$tmp/unmet" ]
}

# same ARGUMENT...: two runs print the same counts; the second with other ways of simulating.
same() {
  "$HEDDLE" litmus "$@" >"$tmp/one" && "$HEDDLE" litmus "$@" --set window=1 --set skip_idle=false >"$tmp/two" || return 1
  sed -i 's/, [0-9.]* CPU s//' "$tmp/one" "$tmp/two"
  cmp "$tmp/one" "$tmp/two"
}

# named TEXT LINE...: a test with these lines is refused.
named() {
  text=$tmp/bad.litmus:$1
  shift
  printf '%s\n' "$@" >"$tmp/bad.litmus"
  refused "$text" litmus "$open/SB.litmus" "$tmp/bad.litmus"
}

# forbidden: an outcome that the contract does not hold ends with 1, is marked and can be replayed.
forbidden() {
  mkdir -p "$tmp/mine"
  cp "$open/SB.litmus" "$tmp/mine/"
  printf 'test,config,set,verdict,nstates,states\nSB,TSO,tso,Never,1,0:r0=1;1:r0=1;x=1;y=1\n' >"$tmp/contract-mine.csv"
  "$HEDDLE" litmus --set order=tso --set jitter=8 --runs 100 --seed 5 "$tmp/mine" >"$tmp/table"
  [ $? -eq 1 ] || return 1
  grep -q '0:r0=0;1:r0=1;x=1;y=1   FORBIDDEN$' "$tmp/table" &&
    grep -q "replay: heddle litmus --config litmus --set jitter=8 --set order=tso --seed 5 --runs 100 $tmp/mine/SB.l" \
      "$tmp/table" && grep -q '^SB .* [0-9]*/1/[1-9]' "$tmp/table"
}

# disagrees: the contract forbids what the model allows, so the checker finds nothing: the tool says that it is at fault.
disagrees() {
  "$HEDDLE" litmus --set order=tso --set jitter=8 --set ghost_bits=32 --runs 100 --seed 5 "$tmp/mine" >"$tmp/table"
  [ $? -eq 1 ] && grep -Eq '^  outcome and checker disagree: instance [0-9]+ of seed 5 ends outside the model' "$tmp/table"
}

# too_large: a test whose outcomes are too many to enumerate is named and left out; the others are run.
too_large() {
  awk 'BEGIN { print "LISA large\n{ }\nP0 | P1 ;"
    for (i = 0; i < 7; i++) print "rmw[atomic,scar,agent] r0 (add r0 1) x | rmw[atomic,scar,agent] r0 (add r0 1) x ;"
    print "exists (x=1)" }' >"$tmp/large.litmus"
  refused "large.litmus: skipped, it has no row in the contract" litmus --runs 10 "$tmp/large.litmus" "$open/SB.litmus" &&
    grep -q '^2 tests (1 skipped)' "$tmp/out"
}

check "nothing forbidden" "$HEDDLE" litmus --orders rmo,tso,sc --runs 150 "$open"
check "relaxed under TSO" all_met --set order=tso --runs 6000 "$open/SB.litmus" "$open/R.litmus" "$open/RWC.litmus"
check "relaxed under RMO" all_met --set order=rmo --runs 2000 "$open/SB.litmus" "$open/R.litmus" "$open/RWC.litmus" \
  "$open/MP.litmus" "$open/LB.litmus" "$open/S.litmus" "$open/2+2W.litmus" "$open/WRC.litmus" "$open/ISA2.litmus" \
  "$open/IRIW.litmus"
check "nothing forbidden under type" "$HEDDLE" litmus --set order=type --runs 300 "$open"/Fig1*.litmus "$open"/TYPE*.litmus \
  "$open"/*bar*.litmus
check "tests whose verdicts come from the models" "$HEDDLE" litmus --orders rmo,tso,sc,type --runs 100 tests/litmus/more
check "a barrier orders no memory under RMO" all_met --set order=rmo --runs 1000 "$open/MP+bar.litmus"
check "tiny queues" "$HEDDLE" litmus --config tiny --orders rmo,tso,sc --runs 100 "$open/MP.litmus" \
  "$open/IRIW.litmus" "$open/LOCK2.litmus" "$open/CoWR.litmus" "$open/MP+group.litmus"
check "the same again" same --set order=rmo --runs 300 "$open/IRIW.litmus"
check "a forbidden outcome" forbidden
check "outcome and checker disagree" disagrees
check "malformed header" named "1:1: expected 'LISA'" "X86 SB"
check "malformed instruction" named "4:8: expected a register, an integer or '(' to store" "LISA a" "{ }" " P0 ;" \
  " w[] x y ;"
check "unknown label" named "4:9: expected a label of P0; it has no 'End'" "LISA a" "{ }" " P0 ;" " b[] r0 End ;" \
  "exists (x=1)"
check "a barrier alone" named "3:2: expected as many barriers in P1 as in P0 of its work-group" "LISA a" "{ }" " P0 | P1 ;" \
  " bar[] | ;" "scopes: (wg 0 1)" "exists (x=1)"
check "nothing is left to run" refused "no test is left that this machine can run; skipped: 27" litmus --runs 10 tests/litmus/tm
check "persist tests are read and skipped" refused "cannot run a power cut" litmus --runs 10 tests/litmus/persist
check "a test too large for a verdict" too_large
# faulty: an access that hits no variable has file and line; the other tests are run.
faulty() {
  printf 'LISA e\n{ }\n P0 ;\n mov r1 7 ;\n w[] r1 5 ;\nexists (0:r1=7)\n' >"$tmp/faulty.litmus"
  refused "faulty.litmus:5: an access that hits no variable" litmus --runs 10 "$tmp/faulty.litmus" "$open/SB.litmus" &&
    grep -q '^2 tests (1 skipped)' "$tmp/out" && grep -q '^SB rmo: 10 runs' "$tmp/out"
}
check "a test that cannot go on" faulty
# counted: loops that count are run to their end.
counted() {
  printf 'LISA c\n{ }\n P0 ;\n mov r9 10 ;\n K: mov r9 (add r9 -1) ;\n b[] r9 K ;\n w[] x 1 ;\nforall (x=1)\n' >"$tmp/counted.litmus"
  "$HEDDLE" litmus --runs 20 --set ghost_bits=32 "$tmp/counted.litmus" | grep -q '^c rmo: 20 runs, 1 of 1 allowed outcomes seen'
}
check "a loop of ten rounds" counted
check "no such file" refused "cannot be read" litmus "$tmp/nothing.litmus"
mkdir "$tmp/empty"
check "empty folder" refused "no file *.litmus or *.test in this folder" litmus "$tmp/empty"
check "bad order" refused "must be some of rmo,tso,sc" litmus --orders rmo,pso "$open"
check "bad number" refused "must be 1..10000000" litmus --runs 0 "$open"

check "two initial values" named "2:9: expected another name: this one already begins with 1" "LISA T" "{ x=1;  x=2; }" " P0       ;" " r[] r0 x ;" "exists (0:r0=1)"
check "two regions" named "5:20: expected another variable: this one already has a region" "LISA T" "{ }" " P0       ;" " r[] r0 x ;" \
  "regions: x: group, x: global" "exists (0:r0=1)"
# A table of verdicts that is none is said, and no test passes by it.
mkdir -p "$tmp/tests"
cp tests/litmus/open/MP.litmus "$tmp/tests"
table() { # TEXT LINE...
  text=$1
  shift
  printf '%s\n' "$@" >"$tmp/contract-tests.csv"
  refused "$tmp/contract-tests.csv:$text" litmus --orders rmo --runs 10 "$tmp/tests"
}
check "a table without states" table "1: expected the names of columns, test, config and states among them" test,config MP,RMO
check "a row cut off" table "3: expected 3 columns, found 2" test,config,states "" MP,RMO
check "a row without states" table "2: expected states as x=1;y=2|..., found 'Never'" test,config,states MP,RMO,Never
finish
