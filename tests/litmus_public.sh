#!/bin/sh
# litmus_public.sh FOLDER [PAGE] - other people's litmus tests against their verdicts. FOLDER has expected.csv (model,test,expected)
# and *.litmus in PTX, Vulkan, OpenCL or LISA spelling in its subfolders, or tests.tar.gz with them, or *.test of the Vulkan memory
# model, which have verdicts of their own. Outcomes are looked at under every order
# of every coherence family, and every program with a loop is run under every order, family and warp scheduler, its threads in lanes
# of a warp, warps of an SM and other SMs. The table goes to PAGE. RUNS: instances of each test (400). LIVE: of each program (64).
# BOUND: steps of a process (20000).
set -u
folder=${1:?FOLDER}
page=${2:-/dev/null}
RUNS=${RUNS:-400}
LIVE=${LIVE:-64}
BOUND=${BOUND:-20000}
FAMILIES=${FAMILIES:-mesi vi gpu denovo}
. tests/system/lib.sh
verdicts=$folder/expected.csv
if [ ! -f "$verdicts" ]; then
  verdicts=""
  find "$folder" -name '*.test' | grep -q . || { echo "litmus_public.sh: $folder has no expected.csv"; exit 2; }
fi
if [ -f "$folder/tests.tar.gz" ]; then
  mkdir "$tmp/tests" && tar -xzf "$folder/tests.tar.gz" -C "$tmp/tests" || exit 2
  folder=$tmp/tests
fi
# Spellings without a reader, and what the archive has besides tests, are left out and counted.
files=$(find "$folder" -name '*.litmus' -o -name '*.test' | wc -l)
{
  [ -z "$verdicts" ] || grep -rlE --include='*.litmus' '^(PTX|VULKAN|Vulkan|OPENCL|LISA)[[:blank:]]' "$folder"
  find "$folder" -name '*.test'
} | sort >"$tmp/files"
read_=$(wc -l <"$tmp/files")
[ "$read_" -gt 0 ] || { echo "litmus_public.sh: $folder has no test that can be read"; exit 2; }

orders_of() {
  case $1 in
    gpu | denovo) echo drf,hrf ;;
    *) echo rmo,tso,sc,tso-sb,sc-pf,type ;;
  esac
}
settings_of() {
  echo "--set l1=$1"
  case $1 in gpu | denovo) echo "--set line_bytes=64" ;; esac
}
# run NAME ARGUMENT...: all tests at once; what is wrong and the totals are shown
run() {
  what=$1
  shift
  xargs "$HEDDLE" litmus --brief ${verdicts:+--verdicts "$verdicts"} "$@" <"$tmp/files" >"$tmp/table" 2>"$tmp/err"
  code=$?
  grep -v '^building\|^built' "$tmp/err"
  sed "s|$tmp/tests/||" "$tmp/table"
  { echo "### $what"; echo; echo '```'; sed "s|$tmp/tests/||; s|  *replay:.*||" "$tmp/table"; echo '```'; echo; } >>"$tmp/page"
  return $code
}

: >"$tmp/page"
for family in $FAMILIES; do
  settings=$(settings_of "$family")
  # shellcheck disable=SC2086
  run "Outcomes, $family" $settings --orders "$(orders_of "$family")" --runs "$RUNS" || failed=$((failed + 1))
  [ -n "$verdicts" ] || continue # nothing is said of their ends
  for scheduler in gto lrr; do
    # shellcheck disable=SC2086
    run "Ends, $family, $scheduler" $settings --set scheduler=$scheduler --orders "$(orders_of "$family")" --runs "$LIVE" \
      --live "$BOUND" || failed=$((failed + 1))
    passed=$((passed + 1))
  done
  passed=$((passed + 1))
done
passed=$((passed - failed))
{ echo "# Other people's litmus tests"; echo; echo "Written by \`make litmus-public DIR=FOLDER\`. $files files, $read_ of them in a spelling" \
  "that is read; $RUNS instances of each test under each order, $LIVE of each program that loops, bound $BOUND steps."; echo; cat "$tmp/page"; } >"$tmp/all"
[ "$page" = /dev/null ] || cp "$tmp/all" "$page"
echo "$files files, $read_ read"
finish
