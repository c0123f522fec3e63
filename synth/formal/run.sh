#!/bin/sh
# run.sh [NAME...] - the proofs of synth/formal, all or those whose file or proof name is given. docs/formal.md.
# run.sh -r - proves nothing: that Yosys reads each file with the RTL as it is, and that each seeded bug changes it.
#
# A file hd_x_fv.sv is a module of the same name that holds a design under proof, its environment and its properties.
# Lines in its header say what to do:
#   //@ proof NAME ENGINE PARAM=VALUE...  ENGINE: pdr, unbounded (ABC, property directed reachability);
#                                         idle, pdr of: while output fv_idle is 1, no flip-flop changes
#   //@ bug NAME PARAM=VALUE              a seeded bug: with it every proof of the file must fail
#   //@ bug NAME FILE SED                 ... made by a sed command from a file of rtl/
#   //@ bug@PROOF ...                     a bug for that proof only, which then has no others
# BUGS=n tries only the first n bugs of each proof. LIMIT=seconds: see below.
# Cover statements of the file must all be reached; they are looked for by guided simulation, then bounded search.
# Prints a table and "N passed, N failed"; a proof passes if it holds, every bug breaks it and every cover is reached.
# A proof that passed is not made again while its sources, settings and tools are the same: a run that was interrupted goes
# on where it was, and after a change only what it touches is proved. All anew: remove build/formal.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
work=$repo/build/formal
limit=${LIMIT:-200} # processor seconds a solver may take: a loaded machine changes no verdict
abc=berkeley-abc
. "$repo/tb/model/malloc.sh"

die() { echo "$*" >&2; exit 2; }

# shellcheck disable=SC3045  # every sh of Debian has it
solve() { (ulimit -t "$limit" && exec "$@"); }

# tenths FILE: processor time of all commands, in tenths of a second, from the output of `times` in FILE
tenths() { awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); print int(600 * (u[1] + s[1]) + 10 * (u[2] + s[2])) }' "$1"; }

# load TOP RTL PARAMS: the Yosys commands that read the design
load() {
  top=$1 rtl=$2
  shift 2
  files=$(find "$rtl" -name 'hd_*.sv' ! -path '*/pkg/*' | LC_ALL=C sort)
  # shellcheck disable=SC2086
  needed=$(awk -v top="$top" -f "$repo/tb/model/rtlfiles.awk" $files "$here/$top.sv")
  set_params=""
  for p in "$@"; do set_params="$set_params -chparam ${p%%=*} ${p#*=}"; done
  # shellcheck disable=SC2086
  echo "read_verilog -formal -sv -I$here $rtl/pkg/hd_pkg.sv" $needed \
    "; hierarchy -check -top $top$set_params; prep -flatten -nordff"
}

# aiger OUT KIND TOP RTL PARAMS: KIND assert, cover or idle
aiger() {
  out=$1 kind=$2
  shift 2
  case $kind in
    cover) filter="chformal -assert -remove; techmap -map $here/cover.v" ;;
    *) filter="chformal -cover -remove" ;;
  esac
  gates="memory_map; async2sync; setundef -undriven -anyseq; opt -full -nodffe -nosdff; techmap;
    opt -fast -nodffe -nosdff; dffunmap; simplemap"
  finish="abc -g AND -fast; opt_clean; write_aiger -I -B -zinit -map $out.aim $out.aig"
  read=$(load "$@")
  strict="-e implicitly.declared|no.driver|conflicting.drivers|Resizing.cell.port"
  if [ "$kind" = idle ]; then
    # shellcheck disable=SC2086
    with_jemalloc yosys -q $strict -p "${read%prep*}proc; flatten; setattr -set keep 1 w:*_q w:*_o; prep -nordff; $filter; $gates;
      opt_clean; write_rtlil $out.il" >"$out.log" 2>&1 &&
      awk -f "$here/idle.awk" "$out.il" >"$out.idle.il" &&
      with_jemalloc yosys -q -p "read_rtlil $out.idle.il; opt -full -nodffe -nosdff; simplemap; $finish" >>"$out.log" 2>&1
  else
    # shellcheck disable=SC2086
    with_jemalloc yosys -q $strict -p "$read; $filter; $gates; $finish" >"$out.log" 2>&1
  fi || { grep -iE 'error|awk' "$out.log" | head -n 3 >&2; echo error; return 1; }
}

# check OUT ENGINE TOP RTL PARAMS: prints proved, failed, undecided or error
check() {
  out=$1 engine=$2
  shift 2
  case $engine in
    pdr | idle)
      aiger "$out" "${engine#pdr}" "$@" || return 0
      # Simulation finds most seeded bugs sooner; what holds it never proves.
      : >"$out.abc"
      [ "${out##*/}" = proof ] ||
        solve "$abc" -c "read_aiger $out.aig; fold; strash; sim3 -F 60 -W 16 -R 500 -T 5" >"$out.abc" 2>&1 || true
      grep -q 'was asserted' "$out.abc" || solve "$abc" -c "read_aiger $out.aig; fold; strash; pdr" >"$out.abc" 2>&1 || true
      if grep -q 'was asserted' "$out.abc"; then echo failed
      elif grep -q 'Property proved' "$out.abc"; then echo proved
      else echo undecided; fi ;;
    *) die "unknown engine $engine" ;;
  esac
}

# covers OUT TOP RTL PARAMS: prints reached/all
covers() {
  out=$1
  shift
  aiger "$out" cover "$@" || return 0
  solve "$abc" -c "read_aiger $out.aig; fold; strash; print_stats; sim3 -a -F 200 -W 16 -S 20 -R 3000 -T 60" >"$out.abc" 2>&1 || true
  all=$(sed -n 's|.*i/o *= *[0-9]*/ *\([0-9]*\).*|\1|p' "$out.abc" | head -n 1)
  got=$(grep -c 'was asserted' "$out.abc" || true)
  if [ "$got" != "$all" ]; then
    solve "$abc" -c "read_aiger $out.aig; fold; strash; bmc3 -a -F 40 -T 40" >"$out.bmc" 2>&1 || true
    got=$(cat "$out.abc" "$out.bmc" | sed -n 's/.*Output *\([0-9]*\) was asserted.*/\1/p' | sort -u | wc -l)
  fi
  echo "$got/${all:-0}"
}

# made_of FILE ENGINE PARAMS: all that a row depends on
made_of() {
  echo "$* $limit ${BUGS:-}"
  # shellcheck disable=SC2046,SC2086
  stat -Lc '%n %s %Y' $(command -v yosys $abc)
  # shellcheck disable=SC2046
  sed '/^# ---- all proofs/,$d' "$here/run.sh" |
    cat - "$1" "$here/hd_assert.svh" "$here/cover.v" "$here/idle.awk" "$repo"/rtl/pkg/* $(
      awk -v top="$(basename "$1" .sv)" -f "$repo/tb/model/rtlfiles.awk" \
        $(find "$repo/rtl" -name 'hd_*.sv' ! -path '*/pkg/*' | LC_ALL=C sort) "$1") | sha256sum
}

# job FILE PROOF ENGINE PARAMS: prints a row of the table, exit 1 if something is not as it must be.
job() {
  file=$1 name=$2 engine=$3
  shift 3
  top=$(basename "$file" .sv)
  dir=$work/$name${BUGS:+.$BUGS}
  key=$(made_of "$file" "$engine" "$@")
  if [ "$(cat "$dir/key" 2>/dev/null)" = "$key" ]; then
    echo "$name" >>"$KEPT"
    cat "$dir/row"
    return
  fi
  rm -rf "$dir"
  mkdir -p "$dir"
  times >"$dir/t0"
  verdict=$(check "$dir/proof" "$engine" "$top" "$repo/rtl" "$@")
  times >"$dir/t1"
  tenths=$(($(tenths "$dir/t1") - $(tenths "$dir/t0")))
  bugs=0 found=0 complaints=""
  [ "$verdict" = proved ] || complaints=" $verdict"
  if [ "$verdict" = proved ]; then
    sed -n "s/^\/\/@ bug@$name //p" "$file" >"$dir/bugs"
    [ -s "$dir/bugs" ] || sed -n 's/^\/\/@ bug //p' "$file" >"$dir/bugs"
  else
    : >"$dir/bugs"
  fi
  head -n "${BUGS:-100}" "$dir/bugs" >"$dir/tried"
  while read -r bug what how; do
    bugs=$((bugs + 1))
    if [ "$how" ]; then
      mkdir -p "$dir/$bug"
      cp -r "$repo/rtl" "$dir/$bug/"
      sed "$how" "$repo/rtl/$what" >"$dir/$bug/rtl/$what"
      result="patch does not apply"
      cmp -s "$repo/rtl/$what" "$dir/$bug/rtl/$what" || result=$(check "$dir/$bug" "$engine" "$top" "$dir/$bug/rtl" "$@")
      rm -r "${dir:?}/$bug"
    else
      result=$(check "$dir/$bug" "$engine" "$top" "$repo/rtl" "$@" "$what")
    fi
    case $result in
      failed) found=$((found + 1)) ;;
      *) complaints="$complaints $bug: $result" ;;
    esac
  done <"$dir/tried"
  reached=$(covers "$dir/covers" "$top" "$repo/rtl" "$@")
  [ "${reached%/*}" = "${reached#*/}" ] && [ "${reached#*/}" != 0 ] || complaints="$complaints covers"
  [ $bugs -gt 0 ] || complaints="$complaints no bug"
  printf '%-16s %-8s %-9s %3d.%d s %9s %9s  %s\n' "$name" "$engine" "$verdict" $((tenths / 10)) $((tenths % 10)) \
    "$found/$bugs" "$reached" "${complaints:-ok}" >"$dir/row"
  [ -n "$complaints" ] || echo "$key" >"$dir/key"
  cat "$dir/row"
  [ -z "$complaints" ]
}

# ---- all proofs

# reads FILE: with its parameters' defaults. Prints a line, exit 1 if a proof of it could not begin.
reads() {
  top=$(basename "$1" .sv)
  read=$(load "$top" "$repo/rtl")
  with_jemalloc yosys -q -p "${read%prep*}" >"$work/$top.read" 2>&1 || { echo "$top is not read: $(grep -m 1 ERROR "$work/$top.read")"; return 1; }
  sed -n 's|^//@ bug[^ ]* \([^ ]*\) \([^ =]*\.sv\) \(.*\)|\1 \2 \3|p' "$1" >"$work/$top.bugs"
  while read -r bug what how; do
    ! sed "$how" "$repo/rtl/$what" | cmp -s - "$repo/rtl/$what" || { echo "$top: bug $bug changes nothing"; return 1; }
  done <"$work/$top.bugs"
  echo "$top is read"
}

if [ "${1:-}" = --reads ]; then # called by xargs below
  reads "$2"
  exit
fi

if [ "${1:-}" = -r ]; then
  mkdir -p "$work"
  read=$(printf '%s\n' "$here"/hd_*_fv.sv | xargs -n 1 -P "${JOBS:-$(nproc)}" "$0" --reads) || true
  passed=$(echo "$read" | grep -c ' is read$' || true)
  count=$(echo "$read" | wc -l)
  echo "$read" | grep -v ' is read$' || true
  echo "$passed passed, $((count - passed)) failed"
  [ "$passed" = "$count" ]
  exit
fi

if [ "${1:-}" = --job ]; then # called by xargs below
  shift
  job "$@"
  exit
fi

mkdir -p "$work"
trap 'rm -f "$work"/*.$$' EXIT
grep -H '^//@ proof ' "$here"/hd_*_fv.sv | sed 's|:*//@ proof||' >"$work/all.$$"
if [ $# -gt 0 ]; then
  for n in "$@"; do
    grep -E "(/hd_$n\_fv\.sv | $n )" "$work/all.$$" || die "formal: no proof or file '$n'"
  done >"$work/list.$$"
else
  cp "$work/all.$$" "$work/list.$$"
fi
count=$(wc -l <"$work/list.$$")
KEPT=$work/kept.$$
export KEPT
: >"$KEPT"
printf '%-16s %-8s %-9s %7s %9s %9s\n' proof engine verdict time "bugs found" covers
xargs -L 1 -P "${JOBS:-$(nproc)}" "$0" --job <"$work/list.$$" | tee "$work/table.$$" || true
passed=$(grep -c ' ok$' "$work/table.$$" || true)
[ ! -s "$KEPT" ] || echo "proved before, from the same sources: $(wc -l <"$KEPT") of $count"
echo "$passed passed, $((count - passed)) failed"
[ "$passed" = "$count" ]
