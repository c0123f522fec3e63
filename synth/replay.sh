#!/bin/sh
# replay.sh [-n] [-o TABLE.md] [MODULE...] - a second opinion on simulator and synthesis, for every module with a unit test.
#
# 1. The unit test runs on Verilator's model at small parameters, and what goes through the ports is
#    recorded (RECORD of tests/unit/run_unit.sh).
# 2. map.sh maps the same module and parameters to the OSU 180 nm cells.
# 3. Icarus replays the recording through the netlist and the vendor's cell models, each instance from power-up, twice:
#    zero  registers start at 0 as in the model: every bit of every output must be equal on every line
#    x     registers start as X: a bit that has a value must be equal, a control output must have one; payload bits
#          that are X are counted (replay_bench.awk says what is payload)
# 4. equiv.sh proves a netlist equal to the RTL in at most EQUIV seconds (120; 0: not tried): that one, up to 6000 cells, or
#    one of the parameters that a line `equiv: Param=Value...` of the test names: smaller, indices that use all bits.
#
# Prints a line per module and at last "N passed, N failed"; exit 1 if any failed. -o also writes the table.
# WORK: cells times recorded lines of one replay (100 million); a larger netlist gets the first lines of each instance.
# RTL: makes the netlist from another folder. SPOIL: a sed command on the netlist; with both the replay can be shown
# to fail. JOBS: modules at once. Results are kept in OUT (build/replay) and made again only when something changed. -n:
# nothing is run, what was measured last is shown.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
out=${OUT:-build/replay}
tech=${OSU018:-/usr/share/qflow/tech/osu018}
[ -f "$tech/osu018_stdcells.v" ] || { echo "replay.sh: no cells in $tech (Debian qflow-tech-osu018)" >&2; exit 2; }

# The cell models: no delays but one from the clock to the output, so that an array written by the same edge still sees
# what was there before it; and the bench can clear the flip-flops.
cells() {
  sed "/^ *specify/,/^ *endspecify/d
    s/^ *udp_dff (DS0000, D, CLK, 1'B0, 1'B0,/   udp_dff #1 (DS0000, D, CLK, bench.clear, 1'B0,/" \
    "$tech/osu018_stdcells.v"
}

# vectors DIR LINES: cuts a recording into the instances of the model, with LINES altogether: the first of each
vectors() {
  awk -v dir="$1/vec" -v budget="$2" '
    /^port/ { next }
    { line[++n] = $2 " " $3; of[n] = $1; count[$1]++; if ($1 > last) last = $1 }
    END {
      for (each = 8000; each > 100; each = int(each * 0.9)) {
        total = 0
        for (i = 1; i <= last; i++) total += count[i] < each ? count[i] : each
        if (total <= budget) break
      }
      for (k = 1; k <= n; k++) if (++taken[of[k]] <= each) print line[k] > (dir "/" of[k])
    }'
}

# replay DIR START: all instances of the recording
replay() {
  for v in "$1"/vec/*; do vvp -n "$1/sim.vvp" "+$2" "+vec=$v" || true; done >"$1/$2.log" 2>&1
}

# equivalence DIR NAME: PROVEN/ALL, "large" or "-"
equivalence() {
  spec=$(cat "$1/$2.spec") net=$1/net.v
  own=$(sed -n 's|^/\* equiv: \(.*\) \*/$|\1|p' "tests/unit/test_$2.c")
  if [ -n "$own" ]; then
    spec="$2 $own" net=$1/equiv.v
    # shellcheck disable=SC2086
    synth/map.sh "$net" $spec >"$1/error" 2>&1 || { echo -; return 0; }
  elif [ "$(grep -c '^  [A-Z][A-Z0-9]* [^ ]* ($' "$net")" -gt 6000 ]; then
    echo large
    return 0
  fi
  # shellcheck disable=SC2086
  synth/equiv.sh "$net" $spec
}

# module NAME: prints and keeps its result
module() {
  dir=$out/$1
  mkdir -p "$dir"
  exec 7>"$dir.lock"
  flock 7
  start=$(date +%s%N) why="" key=""
  # shellcheck disable=SC2046
  if ! RECORD=$dir JOBS=1 tests/unit/run_unit.sh "$1" >"$dir/record.log" 2>&1; then
    why="the recording failed: $(grep -m 1 FAIL "$dir/record.log")"
  elif ! synth/map.sh "$dir/net.v" $(cat "$dir/$1.spec") >"$dir/error" 2>&1; then
    why="no netlist: $(cat "$dir/error")"
  else
    awk -v top="$1" -f synth/replay_bench.awk "$dir/$1.rec" >"$dir/bench.v"
  fi
  [ -n "$why" ] || key="${WORK:-} ${EQUIV:-} $(grep '^/\* equiv:' "tests/unit/test_$1.c" || true)
$(sed '/^# ---- all modules/,$d' synth/replay.sh |
    cat "$dir/$1.rec" "$dir/bench.v" "$dir/net.v" "$out/cells.v" synth/equiv.sh - | sha256sum)
$(iverilog -V 2>/dev/null | head -n 1)"
  if [ -z "$why" ] && [ "$(cat "$dir/key" 2>/dev/null)" != "$key" ]; then
    rm -rf "$dir/vec" "$dir/key"
    mkdir "$dir/vec"
    gates=$(grep -c '^  [A-Z][A-Z0-9]* [^ ]* ($' "$dir/net.v" || true)
    flops=$(grep -c '^  DFFPOSX1 ' "$dir/net.v" || true)
    vectors "$dir" $((${WORK:-100000000} / (gates + 1))) <"$dir/$1.rec"
    if iverilog -g2012 -s bench -o "$dir/sim.vvp" "$dir/bench.v" "$dir/net.v" "$out/cells.v" >"$dir/error" 2>&1; then
      replay "$dir" zero
      replay "$dir" x
      proven=$(equivalence "$dir" "$1")
      phases=1
      ! grep -q '^port clk_i' "$dir/$1.rec" || phases=2
      awk -v name="$1" -v gates="$gates" -v flops="$flops" -v proven="$proven" -v phases="$phases" \
        -v instances="$(find "$dir/vec" -type f | wc -l)" -v seconds="$((($(date +%s%N) - start) / 1000000000))" '
        FILENAME ~ /net\.v$/ {
          if (/^  reg .*\] *;$/ && (n = split($0, part, /[:\[\]]/)) >= 7)
            arrays += (part[2] + 1) * (part[n - 2] > part[n - 1] ? part[n - 2] + 1 : part[n - 1] + 1)
          next
        }
        /^RESULT/ {
          x = FILENAME ~ /x\.log$/
          runs++; lines += x * $2; bits += $3; bad[x] += $4; low += $5; unwritten += $6
        }
        END {
          if (runs != 2 * instances || !bits) bad[0] = "no_result"
          print name, gates, flops, arrays + 0, instances, int(lines / phases), bits, bad[0], bad[1], low, unwritten,
            proven, seconds
        }' "$dir/net.v" "$dir/zero.log" "$dir/x.log" >"$dir/result"
      echo "$key" >"$dir/key"
    else
      why="Icarus: $(head -n 1 "$dir/error")"
    fi
  fi
  if [ -n "$why" ]; then
    rm -f "$dir/key"
    echo "FAIL $1: $why"
    echo "$1 0 0 0 0 0 0 no_result 0 0 0 - 0" >"$dir/result"
  else
    awk '{
      printf "%-4s %-17s %6d cells %3d instances", ($8 == "0" && $9 == "0" ? "ok" : "FAIL"), $1, $2, $5
      printf " %6d cycles %9d bits  mismatches %s, with X %s  X: %d low,", $6, $7, $8, $9, $10
      printf " %d unwritten  equivalent %s  %d s\n", $11, $12, $13
    }' "$dir/result"
    [ "$(cut -d ' ' -f 8-9 "$dir/result")" = "0 0" ] ||
      for start in zero x; do grep '^line' "$dir/$start.log" | head -n 4 | sed "s/^/     $start /"; done
  fi
}

# ---- all modules
if [ "${1:-}" = --job ]; then # called by xargs below
  module "$2"
  exit
fi
table="" last=""
if [ "${1:-}" = -n ]; then
  last=1
  shift
fi
if [ "${1:-}" = -o ]; then
  table=$2
  shift 2
fi
mkdir -p "$out"
cells >"$out/cells.v"
# A test without any netlist is of a module that is no hardware.
modules=${*:-$(grep -lE '^/\* (dut|dut-net|mutants): ' tests/unit/test_hd_*.c | sed 's/.*test_//; s/\.c$//' | LC_ALL=C sort)}
for m in $modules; do
  [ -f "tests/unit/test_$m.c" ] || { echo "replay.sh: no tests/unit/test_$m.c" >&2; exit 2; }
done
for m in $modules; do
  [ -z "$last" ] || [ -f "$out/$m/result" ] || { echo "replay.sh: $m was not measured yet" >&2; exit 2; }
done
# shellcheck disable=SC2086
[ -n "$last" ] || printf '%s\n' $modules | xargs -n 1 -P "${JOBS:-$(nproc)}" "$0" --job
files=$(for m in $modules; do echo "$out/$m/result"; done)
if [ -n "$table" ]; then
  {
    cat <<'END'
# Recorded vectors through the mapped netlist

Made by `make replay`: what went through the ports in the unit test of each module, recorded on Verilator's model, is
replayed by Icarus Verilog through the netlist that Yosys mapped to the OSU 180 nm cells. `synth/replay.sh` says how.

- *array bits*: in arrays of more than 16 words, which stay arrays; all others are flip-flops among the cells.
- *instances*: models that the test opened; each is replayed from power-up, its first *cycles*.
- *bits compared*: every bit of every output, in front of each edge and behind it, in both replays.
- *mismatches*: registers start at 0, nothing is excused. *with X*: registers start unknown; wrong bits, and control
  outputs without a value.
- *X low*: unknown payload bits while their valid is 0. *X unwritten*: unknown bits of words that are read by address
  or hold, and of payload whose valid is 1: parts of a message or operation that nobody wrote, or a value that gates hide
  from a simulator of unknowns. They are equal in the replay from 0.
- *equivalence*: registers and outputs that Yosys proved equal to the RTL, of all, where the test has a line `equiv:` at its
  parameters; without assumptions about inputs or reachable states, so that an index out of range can keep a point
  unproven. `-`: not within 120 s of processor time, `large`: more than 6000 cells, not tried.
- *s*: recording, mapping, replays and proof, on a busy machine.

| module | cells | flip-flops | array bits | instances | cycles | bits compared | mismatches | with X | X low | X unwritten | equivalence | s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
END
    # shellcheck disable=SC2086
    awk '{ printf "| `%s` |", $1; for (i = 2; i <= 13; i++) printf " %s |", $i; print "" }' $files
  } >"$table"
fi
# shellcheck disable=SC2086
awk '{ if ($8 == "0" && $9 == "0") passed++; else failed++ }
  END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }' $files
