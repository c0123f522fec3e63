#!/bin/sh
# run.sh [-r | -u | -l] [-o TABLE.md] [NAME...] - builds hand-placed bugs into the RTL and says which check kills each.
#
# A mutant is tests/mutants/NAME.mut: a line that explains it; `file` the file, RTL or C of tb/; `row` of the bug list or a
# subject; `set KEY=VALUE...` for all its whole runs; `order ORDER` instead of the orderings of the runs below;
# `run WORKLOAD PARAM=VALUE...` a whole run made for it, before all others; `litmus ORDER [KEY=VALUE]... TEST...` litmus
# tests made for it (of tests/litmus/open, or FOLDER/TEST), with these settings instead of those of `set`; `unit` the unit test if it is not that of the module;
# between <<<<, ==== and >>>> the text it replaces, which the file must hold exactly once, and the new text. A bug in
# several places has several of these, each behind the `file` it is in or in that of the one before; the first file is
# the mutated one. One in C is linked into a command of its own, its unit test is the tests/c/test_NAME.c of the file.
#
# Whole runs come first, cheapest first, until one fails: workloads under every ordering with all checks, the
# mutant's litmus tests (on configuration litmus), a run with idle skipping off that must be the same,
# test_machine. The unit test of the mutated module (on the RTL) is run in any case, with -r only for those that
# survive; -u: the unit test first, whole runs only for those that survive it; -l: nothing but the litmus tests made
# for them. Killed: a check of a run or the unit test failed. A mutant
# that does not apply or build is an error; so is, when all are run, a check that fails without any mutant.
# Before anything is built, all mutants are looked at, chosen or not: each must apply and name tests that exist.
# A mutant that was killed is not tried again while all that it was tried with is the same (build/mutants/kept): a run that was
# interrupted goes on where it was. All anew: remove build/mutants.
# JOBS: mutants at once (default: processors). All that a mutant changes is in build/mutants/JOB; NAME: its start
# or all of it. Prints a line each, the survivors, and "N passed, N failed" (passed = killed).
set -u
cd "$(dirname "$0")/../.."
top=$PWD
work=build/mutants
config=tests/mutants/mutant.cfg
cc=$(command -v gcc || command -v clang)
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -O2 -I. -Ibuild/gen -Itb -Itb/model -Itb/mem -Itb/check -Isw"
libs="-lcmocka -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread"
[ -x build/heddle ] || { echo "build/heddle is missing: make build"; exit 1; }

# One whole run a line: ordering, workload and parameters.
runs="rmo racy ops=400
rmo histogram blocks=8 threads=32 bins=20 items=4
sc histogram blocks=8 threads=32 bins=2 items=2
sc racy
tso spinlock rounds=3
tso racy ops=1000
rmo vecadd n=600 threads=64
rmo drf
rmo stream items=3 threads=64
tso vecadd n=300 threads=64
rmo spinlock rounds=3
tso chase warps=3 length=20 warm=1"

shapes=""
for t in MP WRC CoRR IRIW CoWR RMW2; do shapes="$shapes tests/litmus/open/$t.litmus"; done

# ---- one job: a private tree, mutants one after the other --------------------------------------------------------

# apply MUT FILE <ORIGINAL: the mutated text of FILE
apply() {
  awk -v mut="$1" -v file="$2" '
    function replace(  at) {
      at = index(text, old)
      if (old == "" || !at || index(substr(text, at + length(old)), old)) { bad = 1; return }
      text = substr(text, 1, at - 1) new substr(text, at + length(old))
      some = 1
    }
    { text = text $0 "\n" }
    END {
      while ((getline line <mut) > 0) {
        if (line == "<<<<") { part = line; fresh = 1; old = new = ""; continue }
        if (line == "====") { part = line; fresh = 1; continue }
        if (line == ">>>>") { part = ""; if (in_file == file) replace(); continue }
        if (part == "" && line ~ /^file /) in_file = substr(line, 6)
        if (part == "<<<<") old = old (fresh ? "" : "\n") line
        if (part == "====") new = new (fresh ? "" : "\n") line
        fresh = 0
      }
      if (bad || !some) exit 1
      printf "%s", text
    }'
}

# files MUT: the files it changes
files() {
  sed -n 's/^file //p' "$1" | awk '!seen[$0]++'
}

field() {
  sed -n "s/^$2 //p" "$1" | head -n 1
}

# litmus_file NAME: where a test of a `litmus` line is
litmus_file() {
  case $1 in */*) echo "tests/litmus/$1.litmus" ;; *) echo "tests/litmus/open/$1.litmus" ;; esac
}

# unit_of MUT: the module or file whose unit test is run
unit_of() {
  module=$(field "$1" unit)
  [ -n "$module" ] || module=$(basename "$(field "$1" file)" | sed 's/\..*//')
  echo "$module"
}

# stale: the mutants whose text has moved or whose unit test or litmus test is not there
stale() {
  for m in tests/mutants/*.mut; do
    for f in $(files "$m"); do
      apply "$m" "$f" <"$f" >/dev/null 2>&1 || echo "  $(basename "$m" .mut): the text is not exactly once in $f"
    done
    u=$(unit_of "$m")
    [ -f "tests/unit/test_$u.c" ] || [ -f "tests/c/test_$u.c" ] || echo "  $(basename "$m" .mut): no unit test of $u"
    for t in $(field "$m" litmus | cut -d' ' -f2-); do
      case $t in *=*) ;; *) [ -f "$(litmus_file "$t")" ] || echo "  $(basename "$m" .mut): no $(litmus_file "$t")" ;; esac
    done
  done
}

# judge CODE LOG: sets killer from a finished command; "" = it passed, "build" = no model
judge() {
  killer=""
  case $1 in
    0) ;;
    124) killer="error: timeout" ;;
    2)
      killer="error: refused"
      ! grep -q 'has not ended within max_cycles' "$2" || killer="the run does not end"
      ;;
    *)
      killer=$(grep -v ': not run' "$2" | sed -n 's/^heddle: .*: check \([a-z_]*\): .*/\1/p; s/^  check failed: \([a-z_]*\):.*/\1/p
        s/.*, [1-9][0-9]* forbidden$/forbidden outcome/p' |
        awk '!seen[$0]++' | tr '\n' ',' | sed 's/,$//; s/,/, /g')
      [ -n "$killer" ] || killer="the run ended early"
      ;;
  esac
  ! grep -q '^heddle: building .* failed' "$2" || killer=build
}

# attempt COMMAND...: true when it passed; else killer says why
attempt() {
  HEDDLE_ROOT=$tree timeout 300 "$@" >"$tree/log" 2>&1
  judge $? "$tree/log"
  [ -z "$killer" ]
}

same_without_skipping() {
  for skip in true false; do
    HEDDLE_ROOT=$tree timeout 60 "$heddle" run --json --config $config $sets --set "order=${only:-rmo}" \
      --set skip_idle=$skip histogram blocks=4 \
      threads=32 items=2 2>"$tree/log" | sed '/^  "host": {/,/^  }/d; /"skip_idle"/d' >"$tree/skip.$skip"
  done
  cmp -s "$tree/skip.true" "$tree/skip.false"
}

# system MUT: sets killer and run
system() {
  sets=$(field "$1" set | sed 's/[^ ][^ ]*/--set &/g')
  only=$(field "$1" order)
  own=$(sed -n 's/^run /rmo /p' "$1")
  [ -n "${LITMUS_ONLY:-}" ] || while read -r order what; do
    order=${only:-$order}
    run="$what, $order"
    # shellcheck disable=SC2086
    attempt "$heddle" run --config $config $sets --set "order=$order" $what </dev/null || return
  done <<EOF
${own:+$own
}$runs
EOF
  run="litmus, all orderings"
  # shellcheck disable=SC2086
  [ -n "${LITMUS_ONLY:-}" ] ||
    attempt "$heddle" litmus --config $config $sets --orders "${only:-rmo,tso,sc}" --runs 200 --brief $shapes || return
  litmus=$(field "$1" litmus)
  if [ -n "$litmus" ]; then
    files="" own=""
    for t in ${litmus#* }; do
      case $t in *=*) own="$own --set $t" ;; *) files="$files $(litmus_file "$t")" ;; esac
    done
    run="litmus ${litmus#* }, ${litmus%% *}"
    # shellcheck disable=SC2086
    attempt "$heddle" litmus ${own:-$sets} --orders "${litmus%% *}" --runs 10000 --brief $files || return
  fi
  [ -z "${LITMUS_ONLY:-}" ] || { run="" killer=""; return; }
  run="skip_idle=false"
  same_without_skipping || { killer="not the same"; return; }
  [ -z "$only" ] || { run="" killer=""; return; }  # test_machine is about the others
  run=test_machine
  HEDDLE_ROOT=$tree timeout 600 $work/test_machine >"$tree/log" 2>&1 && code=0 || code=$?
  if grep -q '^heddle: building .* failed' "$tree/log"; then killer=build; return; fi
  if [ $code != 0 ]; then
    killer=$(sed -n 's/^\[  FAILED  \] \([a-z_]*\)$/\1/p' "$tree/log" | head -n 1)
    killer=${killer:-exit $code}
    return
  fi
  run="" killer=""
}

# unit MODULE: sets unit
unit() {
  if [ "$heddle" != build/heddle ]; then
    # shellcheck disable=SC2086
    $cc $flags -o "$tree/test" "$tree/tests/c/test_$1.c" "$tree/mutated.o" build/parts.a $libs >"$tree/unit.log" 2>&1 || { unit=build; return; }
    timeout 600 "$tree/test" >"$tree/unit.log" 2>&1 && { unit=-; return; }
  else
    (cd "$tree" && JOBS=1 timeout 600 tests/unit/run_unit.sh "$1") >"$tree/unit.log" 2>&1 && { unit=-; return; }
  fi
  unit=$(sed -n 's/^\[  *\(FAILED\|ERROR\)  *\] \([a-z0-9_]*\)$/\2/p' "$tree/unit.log" | head -n 1)
  ! grep -q 'the model does not build' "$tree/unit.log" || unit=build
  unit=${unit:-fails}
}

# mutate MUT: the files of the tree are mutated; for one in C $heddle is a command with it. False: killer says why
mutate() {
  heddle=build/heddle
  for file in $(files "$1"); do
    apply "$1" "$file" <"$file" >"$tree/mutated" || { killer="error: the text is not exactly once in $file"; return 1; }
    rm "$tree/$file"
    mv "$tree/mutated" "$tree/$file"
    case $file in
      *.c)
        heddle=$tree/heddle
        # shellcheck disable=SC2086
        $cc $flags -c -o "$tree/mutated.o" "$tree/$file" >"$tree/log" 2>&1 &&
          $cc -o "$heddle" build/obj/sw/cli/main.o "$tree/mutated.o" build/parts.a $libs >>"$tree/log" 2>&1 ||
          { killer=build; return 1; } ;;
    esac
  done
}

restore() {
  for file in $(files "$1"); do
    rm "$tree/$file"
    ln "$file" "$tree/$file" 2>/dev/null || cp "$file" "$tree/$file"
  done
}

# keep: the result stands until $key changes
keep() {
  rm -f "$work/kept/$name.key"
  cp "$work/result/$name" "$work/kept/$name"
  echo "$key" >"$work/kept/$name.key"
}

# base_key: what every mutant is tried with
base_key() {
  echo "${RUNS_ONLY:-} ${UNITS_FIRST:-} ${LITMUS_ONLY:-} ${HD_OPT:-} ${HD_CXX:-} ${CC:-}"
  # shellcheck disable=SC2046
  stat -Lc '%n %s %Y' $(command -v verilator_bin yosys clang++ g++ "$cc" || true)
  {
    find rtl tb sw configs synth/waivers.vlt tests/litmus tests/unit tests/c/test_machine.c -type f ! -name 'test_hd_*.c'
    echo tests/mutants/mutant.cfg
  } | LC_ALL=C sort | xargs -d '\n' cat | sha256sum
  sed '/^# ---- all of them/,$d' tests/mutants/run.sh | sha256sum
}

job() {
  tree=$top/$work/$1
  base=$(base_key)
  for d in rtl tb synth tests configs; do
    rm -rf "${tree:?}/$d"
    mkdir -p "$tree/$d"
    cp -al $d/. "$tree/$d"
  done
  rm -rf "$tree/sw"
  cp -al sw "$tree/sw"
  mkdir -p build/vrt "$tree/build"
  [ -e "$tree/build/vrt" ] || ln -s "$top/build/vrt" "$tree/build" # what all models share, whatever the bug
  # The netlists have the same bugs: the RTL will do. sed -i makes new files, the originals stay.
  sed -i 's|^/\* dut: |/* dut-rtl: |; /^\/\* dut-net: /d' "$tree"/tests/unit/test_*.c
  while read -r name; do
    start=$(date +%s)
    mut=tests/mutants/$name.mut heddle=build/heddle key=$base
    if [ "$name" != none ]; then
      module=$(unit_of "$mut")
      key="$base $(cat "$mut" tests/unit/test_"$module".c tests/c/test_"$module".c 2>/dev/null | sha256sum)"
    fi
    if [ "$(cat "$work/kept/$name.key" 2>/dev/null)" = "$key" ]; then
      cp "$work/kept/$name" "$work/result/$name"
      echo "$name" >>"$work/before.$1"
      continue
    fi
    if [ "$name" = none ]; then
      system /dev/null
      echo "none||||${killer:+error: $killer in $run}||$(($(date +%s) - start))" >"$work/result/$name"
      [ -n "$killer" ] || keep
      continue
    fi
    run="" killer="" unit=-
    if mutate $mut; then
      [ -z "${UNITS_FIRST:-}" ] || unit "$module"
      [ "$unit" != - ] || system $mut
      [ -n "${LITMUS_ONLY:-}${UNITS_FIRST:-}" ] || { [ -n "$killer" ] && [ -n "${RUNS_ONLY:-}" ]; } || unit "$module"
    fi
    restore $mut
    [ "$killer" != build ] && [ "$unit" != build ] || { killer="error: it does not build" run="" unit=-; }
    result="$name|$(field $mut file)|$(field $mut row)|$(sed -n 1p $mut)|$killer${run:+ ($run)}|$unit|$(($(date +%s) - start))"
    echo "$result" >"$work/result/$name"
    verdict=killed
    case $killer in error*) verdict=ERROR ;; esac
    [ -n "$killer" ] || [ "$unit" != - ] || verdict=SURVIVED
    [ $verdict != killed ] || keep
    printf '%-8s %-34s %-50s unit: %-50s %3d s\n' "$verdict" "$name" "${killer:-none}${run:+ ($run)}" "$unit" \
      $(($(date +%s) - start))
  done
}

if [ "${1:-}" = --job ]; then
  job "$2" <"$work/list.$2"
  exit
fi

# ---- all of them --------------------------------------------------------------------------------------------------
table=""
if [ "${1:-}" = -r ]; then
  RUNS_ONLY=1
  export RUNS_ONLY
  shift
elif [ "${1:-}" = -u ]; then
  UNITS_FIRST=1
  export UNITS_FIRST
  shift
elif [ "${1:-}" = -l ]; then
  LITMUS_ONLY=1
  export LITMUS_ONLY
  shift
fi
if [ "${1:-}" = -o ]; then
  table=$2
  shift 2
fi
jobs=${JOBS:-$(nproc)}
mkdir -p $work
exec 9>$work/lock
flock 9
rm -rf $work/result $work/list.* $work/before.*
mkdir -p $work/result $work/kept
# shellcheck disable=SC2086
$cc $flags -o $work/test_machine tests/c/test_machine.c build/parts.a $libs || { echo "run.sh: tests/c/test_machine.c does not compile"; exit 1; }
for n in "$@"; do
  ls tests/mutants/"$n"*.mut >/dev/null 2>&1 || { echo "run.sh: no mutant begins with $n (tests/mutants)" >&2; exit 2; }
done
for m in tests/mutants/*.mut; do
  name=$(basename "$m" .mut)
  [ $# -gt 0 ] || echo "$name"
  for n in "$@"; do case $name in "$n"*) echo "$name" ;; esac; done
done >$work/list
if [ -n "${LITMUS_ONLY:-}" ]; then
  while read -r name; do
    [ -z "$(field "tests/mutants/$name.mut" litmus)" ] || echo "$name"
  done <$work/list >$work/list.l
  mv $work/list.l $work/list
  [ -s $work/list ] || { echo "run.sh: $* has no litmus tests of its own, for -l (without -l: whole runs and the unit test)" >&2; exit 2; }
fi
stale >$work/stale
{ [ $# -gt 0 ] || [ -n "${LITMUS_ONLY:-}" ] || echo none; cat $work/list; } |
  awk -v jobs="$jobs" -v work=$work '{ print > (work "/list." (NR - 1) % jobs) }'
for j in $(seq 0 $((jobs - 1))); do
  [ ! -f $work/list."$j" ] || "$0" --job "$j" &
done
wait
cat $work/before.* 2>/dev/null | awk -v n="$(wc -l <$work/list)" '
  { if ($1 != "none") k++ } END { if (k) print "killed before, with the same sources and tests: " k " of " n }'

cat $work/result/* | sort | awk -F'|' -v table="$table" -v stale="$(cat $work/stale)" '
  $1 == "none" { if ($5 != "") { print "ERROR    without a mutant: " $5; bad = 1 } next }
  {
    n++
    error = $5 ~ /^error/
    if (error || ($5 == "" && $6 == "-")) { failed++; list = list "\n  " $1 (error ? ": " $5 : "") }
    else { killed++; whole += $5 != ""; units += $6 != "-" }
    seconds += $7
    out[n] = "| " $1 " | " $3 " | " $4 " | " ($5 == "" ? "-" : $5) " | " $6 " |"
  }
  END {
    if (table != "") {
      print "# Mutants\n\nMade by `make mutants`, which builds each of these bugs into the RTL (`tests/mutants/*.mut`) and runs whole\nmachines and the unit test of the mutated module until a check fails. Row: of the list of bugs in\n[mutants](../../tests/mutants/README.md), or a subject. Whole run: all checks that the first failing run reports.\n" > table
      printf "%d mutants, %d killed: %d by whole runs, %d by unit tests; %d CPU s.\n\n", n, killed, whole, units, seconds > table
      print "| mutant | row | bug | whole run | unit test |\n|---|---|---|---|---|" > table
      for (i = 1; i <= n; i++) print out[i] > table
    }
    if (list != "") print "survivors and errors:" list
    if (stale != "") { print "stale:\n" stale; bad += split(stale, lines, "\n") }
    printf "%d of %d killed by whole runs, %d by unit tests, %d s\n", whole, n, units, seconds
    printf "%d passed, %d failed\n", killed, failed + bad
    exit failed + bad > 0
  }'
