#!/bin/sh
# generated.sh [-n] [-o TABLE.md] [MODULE...] - generated bugs in every module: does its unit test see them?
#
# Yosys makes MUTANTS (300) small faults for each seed of SEEDS ("1 2") in the module's own cells and connections (not
# in those of the modules inside it, which have rows of their own; not at clock pins or the constant pins of a memory):
# a bit inverted, stuck, or mixed with another one. All are built into one netlist, memories kept; environment variable
# HD_MUTSEL selects one, and 0, the module as it is, must pass. Parameters: of a line `mutants: Param=Value...` among
# the first of the unit test, else of its first `dut:` line, else the first `dut-net:`. The test runs on every mutant:
#
#   COVERED    a check of the test failed, the test ran five times as long as without a mutant, or the outputs of the
#              model do not settle (a loop of gates)
#   NOCHANGE   the test passed, and nobody could have seen a difference: proved
#   UNCOVERED  the test passed and the mutant is another machine, or (UNDECIDED) no proof within LIMIT (20) seconds,
#              or (CRASH) the test program died without a check of its own
#   EQGAP      the test failed but the mutant is proved to be the same: the proof or the test is wrong. Asked of some
#
# The proof: no output depends on the mutant (unseen), or the synchronous product of original and mutant (product.awk
# says which outputs are compared), unbounded, by ABC. Inputs are free but for the assertions of the RTL, which are
# assumptions here. Score: COVERED / (COVERED + UNCOVERED), at least 95 % for every module, or exit 1. Survivors are
# listed with their source lines in build/genmutants/MODULE/survivors. Nothing is done for a module whose sources, test
# and tools are as last time.
# JOBS: mutants at once (default: processors). WORK: another folder than build/genmutants. TEST: this test program
# instead of the module's own (result not cached). -n: nothing is run, what was measured last is shown.
set -eu
cd "$(dirname "$0")/../.."
self=tests/mutants/generated.sh work=${WORK:-build/genmutants}
seeds=${SEEDS:-1 2} mutants=${MUTANTS:-300} limit=${LIMIT:-20} jobs=${JOBS:-$(nproc)}

fail() { echo "generated.sh: $*" >&2; exit 1; }

# ---- steps that xargs runs ----------------------------------------------------------------------------------------

# judge DIR SECONDS NUMBER...: a line "NUMBER VERDICT reason" for each mutant
judge() {
  dir=$1 seconds=$2
  shift 2
  for k in "$@"; do
    log=$dir/log.$k
    status=0
    # shellcheck disable=SC3045  # every sh of Debian has it
    (ulimit -t "$seconds" && HD_MUTSEL=$k exec "$dir/test" "$dir/model/model.so" --stop) >"$log" 2>&1 || status=$?
    why=$(sed -n 's/^\[  FAILED  \] \([a-z0-9_]*\)$/\1/p' "$log" | head -n 1)
    if [ $status = 0 ]; then echo "$k PASSED"
    elif [ $status = 137 ] || [ $status = 152 ]; then echo "$k COVERED hangs"
    elif grep -q 'did not converge' "$log"; then echo "$k COVERED does not settle"
    elif [ $status != 1 ] || [ -z "$why" ] || grep -q 'Test failed with exception' "$log"; then
      echo "$k CRASH exit $status $why"
    else echo "$k COVERED $why"; fi
    rm -f "$log"
  done
}

# pick PRODUCT NUMBER: its AIGER file with the number in the selector's registers
pick() {
  # Line 1 is the header, the next ones are the registers.
  lines=$(awk '{ print 1 + $4; exit }' "$1.aig")
  head -n "$lines" "$1.aig" | awk -v k="$2" -v map="$1.aim" '
    BEGIN { while ((getline line <map) > 0) if (split(line, f, " ") == 4 && f[1] f[4] == "latchsel_q") bit[f[2] - 0] = f[3] }
    NR == 1 { inputs = $3; print; next }
    (NR - 2 in bit) { print 2 * (inputs + NR - 1), int(k / 2 ^ bit[NR - 2]) % 2; next }
    { print }'
  tail -n +$((lines + 1)) "$1.aig"
}

# try OUT SECONDS COMMANDS: sets verdict if ABC finds one
try() {
  # shellcheck disable=SC3045
  (ulimit -t "$2" && exec berkeley-abc -c "$3") >"$1.log" 2>&1 || true
  ! grep -qE 'Property proved|^UNSATISFIABLE' "$1.log" || verdict=NOCHANGE
  ! grep -qE 'was asserted|^SATISFIABLE' "$1.log" || verdict=DIFFERENT
}

# engines AIG COMMANDS: those for an AIGER file, or for one without registers
engines() {
  if [ "$(head -n 1 "$1" 2>/dev/null | cut -d ' ' -f 4)" = 0 ]; then echo "iprove"; else echo "$2"; fi
}

# reduce OUT SECONDS AIG: of registers that are always equal one is left; sets verdict if that proves it
reduce() {
  for how in lcorr scorr; do
    [ $verdict != UNDECIDED ] ||
      try "$1" "$2" "read_aiger $3; $load; $(engines "$3" "$how; strash; write_aiger $3")"
  done
}

# prove DIR SECONDS NUMBER: is the mutant the same machine? NOCHANGE, DIFFERENT or UNDECIDED into DIR/proof/NUMBER
prove() {
  dir=$1 seconds=$2 k=$3
  short=$(((seconds + 3) / 4)) # 0 would stop a prover at once
  out=$dir/proof/$k
  old=$(cat "$out" 2>/dev/null || true)
  [ -z "$old" ] || { [ "${old% *}" = UNDECIDED ] && [ "${old#* }" -lt "$seconds" ]; } || return 0
  verdict=UNDECIDED
  load="zero; fold; strash; scleanup"
  # First the module without those inside it: there only a proof counts. Then the whole. Simulation, then proofs.
  simulate="strash; sim3 -F 60 -W 8 -R 100 -T 1"
  if [ -f "$dir/cut.aig" ]; then
    pick "$dir/cut" "$k" >"$out.cut.aig"
    try "$out" "$seconds" "read_aiger $out.cut.aig; $load; $simulate"
    reduce "$out" "$seconds" "$out.cut.aig"
    [ $verdict != UNDECIDED ] ||
      try "$out" "$short" "read_aiger $out.cut.aig; $load; strash; $(engines "$out.cut.aig" pdr)"
    [ $verdict = NOCHANGE ] || verdict=UNDECIDED
  fi
  if [ $verdict = UNDECIDED ]; then
    pick "$dir/miter" "$k" >"$out.aig"
    try "$out" "$seconds" "read_aiger $out.aig; $load; $simulate"
    reduce "$out" "$seconds" "$out.aig"
    for how in "pdr -T $short" "bmc3 -T $short" "pdr -T $seconds"; do
      [ $verdict != UNDECIDED ] ||
        try "$out" "$seconds" "read_aiger $out.aig; $load; strash; $(engines "$out.aig" "$how")"
    done
  fi
  echo "$verdict $seconds" >"$out"
  rm -f "$out.aig" "$out.cut.aig"
}

case ${1:-} in
  --judge) shift; judge "$@" 2>/dev/null; exit ;; # the shell would say "Killed" for each limit that was reached
  --prove) shift; prove "$@" 2>/dev/null; exit ;;
esac

# ---- one module ---------------------------------------------------------------------------------------------------

# unseen DIR: a proof for those mutants of DIR/open that no output can depend on. All other mutants are taken out; what has
# a constant value or leads nowhere is removed; the mutants whose selector went with it cannot be told from the original.
unseen() {
  awk -v open="$1/open" '
    BEGIN { while ((getline k <open) > 0) is_open[k] }
    /^    connect \\A \\mutsel$/ { held = 1; next }
    held {
      k = 0
      for (i = 4; i <= length($3); i++) k = 2 * k + substr($3, i, 1)
      print "    connect \\A " (k in is_open ? "\\mutsel" : "16\0470")
      held = 0
    }
    { print }' "$1/gate.il" >"$1/open.il"
  yosys -q -p "read_rtlil $1/open.il; opt -full; memory_map; simplemap t:* t:\$eq %d; opt_clean -purge
    opt -fast -purge; write_rtlil $1/open.il" >"$1/open.log" 2>&1 || return 1
  awk -v dir="$1" '
    FILENAME == ARGV[2] { if (!($1 in left)) print "NOCHANGE 0" >(dir "/proof/" $1); next }
    /^    connect \\A \\mutsel$/ { held = 1; next }
    held { k = 0; for (i = 4; i <= length($3); i++) k = 2 * k + substr($3, i, 1); left[k]; held = 0 }
  ' "$1/open.il" "$1/open"
}

# parameters TEST.c
parameters() {
  awk '
    FNR > 30 { exit }
    /^\/\* (mutants|dut|dut-net): .* \*\/$/ {
      kind = $2; sub(/^\/\* [a-z-]*: */, ""); sub(/ *\*\/$/, "")
      if (kind != "mutants:") sub(/^[a-z0-9_]+ */, "")
      if (!(kind in line)) line[kind] = " " $0
    }
    END { print ("mutants:" in line) ? line["mutants:"] : ("dut:" in line) ? line["dut:"] : line["dut-net:"] }' "$1"
}

# netlist DIR TOP PARAMS: base.il, gold.il, list, mutants.v
netlist() {
  dir=$1 top=$2
  shift 2
  set_params=""
  for p in "$@"; do set_params="$set_params -chparam ${p%%=*} ${p#*=}"; done
  # shellcheck disable=SC2046
  files=$(awk -v top="$top" -f tb/model/rtlfiles.awk $(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*' | LC_ALL=C sort))
  mkdir -p "$dir/assume"
  echo '`define HD_ASSERT(name_, prop_) always @* if (!rst_i) assume (prop_);
`define HD_COVER_PAIRS(name_, valid_, a_, na_, b_, nb_)
`define HD_COVER_SETS(name_, valid_, bits_, na_, b_, nb_)' >"$dir/assume/hd_assert.svh"
  lists=""
  for s in $seeds; do lists="$lists; mutate -list $((mutants + mutants / 4)) -seed $s -o $dir/list.$s"; done
  inside="$top/t:\$paramod* $top/t:hd_*"
  # shellcheck disable=SC2086
  yosys -q -p "
    read_verilog -sv -Irtl/pkg rtl/pkg/hd_pkg.sv; read_verilog -sv -defer -Irtl/pkg $(echo $files)
    hierarchy -check -top $top$set_params
    proc; opt -full; wreduce; opt -full; memory -nomap -nordff; memory_narrow; wreduce; opt_clean; setundef -zero
    rename -top $top; write_rtlil $dir/base.il; select $top $lists; select -clear
    select -set inside $inside; expose -evert @inside; rename $top gold; write_rtlil $dir/cut_gold.il
    design -reset
    read_verilog -formal -sv -I$dir/assume -Irtl/pkg rtl/pkg/hd_pkg.sv
    read_verilog -formal -sv -defer -I$dir/assume -Irtl/pkg $(echo $files)
    hierarchy -check -top $top$set_params
    proc; flatten; opt -full; chformal -cover -remove; memory -nomap -nordff; setundef -zero
    rename -top gold; write_rtlil $dir/gold.il" || return 1
  # shellcheck disable=SC2086
  for s in $seeds; do
    grep -vE -e '-port \\?([A-Z]*_?CLK|clk_i|RD_EN|RD_[AS]RST) ' "$dir/list.$s" | head -n "$mutants"
  done | awk '{
    what = $0
    sub(/ -(wire|src) .*/, "", what)
    if (!seen[what]++) { sub(/^mutate/, "mutate -ctrl mutsel 16 " ++n); print }
  }' >"$dir/list"
  # Single nets: bits of one vector that depend on each other, by a mutant or because Yosys shares equal bits, make
  # loops of vectors, on which Verilator can go wrong.
  # The selector becomes a register that takes its value from the environment: the ports stay those of the module.
  yosys -q -p "read_rtlil $dir/base.il; script $dir/list; opt_clean; design -save all
    iopadmap -bits -outpad wire_ a:y; splitnets; write_verilog -noattr -norename $dir/selected.v
    design -load all; flatten; rename $top gate; write_rtlil $dir/gate.il; design -load all
    select -set inside $inside; expose -evert @inside; rename $top gate; write_rtlil $dir/cut_gate.il" || return 1
  sed 's/, mutsel\()*;*\)$/\1/
    /^  input \[15:0\] mutsel;$/d
    s/^  wire \[15:0\] mutsel;$/  reg [15:0] mutsel = $c("(getenv(\\"HD_MUTSEL\\") ? atoi(getenv(\\"HD_MUTSEL\\")) : 0)");/
    $a module wire_ (input a, output y); assign y = a; endmodule' "$dir/selected.v" >"$dir/mutants.v"
  grep -q 'HD_MUTSEL' "$dir/mutants.v" || [ ! -s "$dir/list" ]
}

# aiger DIR PRODUCT PREFIX: the product of original and mutants, the selector in registers that pick() sets
aiger() {
  [ ! -f "$1/$2.aig" ] || return 0
  awk -f tests/mutants/product.awk "$1/$3gold.il" >"$1/$2.sv"
  yosys -q -p "read_rtlil $1/$3gold.il; read_rtlil -nooverwrite $1/$3gate.il
    read_verilog -formal -sv $1/$2.sv
    prep -top miter -flatten -nordff; memory_map; async2sync; setundef -undriven -zero; setundef -zero
    opt -full -nodffe -nosdff; techmap; setundef -zero; opt -fast -nodffe -nosdff; dffunmap; simplemap; zinit -all
    aigmap; opt_clean; write_aiger -I -B -map $1/$2.aim $1/$2.new" >"$1/aiger.log" 2>&1 || return 1
  mv "$1/$2.new" "$1/$2.aig"
}

# module TOP: "TOP MUTANTS COVERED UNCOVERED UNDECIDED CRASH NOCHANGE EQGAP SECONDS" into DIR/row
module() {
  top=$1 test=${TEST:-tests/unit/test_$1.c}
  [ -f "$test" ] || fail "no $test"
  dir=$work/$top
  mkdir -p "$dir"
  start=$(date +%s)
  params=$(parameters "$test")
  src=$(sed -n '1,30s/^\/\* src: *\(.*[^ ]\) *\*\/$/\1/p' "$test" | tr '\n' ' ')
  # shellcheck disable=SC2046
  files=$(awk -v top="$top" -f tb/model/rtlfiles.awk $(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*' | LC_ALL=C sort))
  # shellcheck disable=SC2086
  net_key="$params $seeds $mutants $(sed -n '/^netlist() {/,/^}/p' $self)
    $(sha256sum $files rtl/pkg/* tests/mutants/product.awk)"
  # shellcheck disable=SC2046,SC2086
  headers=$(${CC:-gcc} -MM -MG -std=c11 $(printf -- '-DP_%s ' $params) -Itests/unit -Itb -Itb/model -Isw/simt -Isw/kernels \
    -Ibuild/gen "$test" $src tests/unit/hd_unit.c tb/model/hd_model.c | tr ' ' '\n' | grep -E '^(tests|tb|sw)/.*\.h$' | LC_ALL=C sort -u)
  # shellcheck disable=SC2046,SC2086
  key="$net_key $limit $(sed -n '/^[a-z]*() {/,/^}/p' $self) $(sha256sum "$test" $src tests/unit/hd_unit.[ch] tb/model/*.* \
    $headers)"
  if [ "$(cat "$dir/key" 2>/dev/null)" = "$key" ]; then return; fi
  rm -f "$dir/key"
  if [ "$(cat "$dir/net_key" 2>/dev/null)" != "$net_key" ]; then
    rm -rf "$dir"
    mkdir -p "$dir/proof"
    # shellcheck disable=SC2086
    netlist "$dir" "$top" $params >"$dir/yosys.log" 2>&1 || { tail -n 5 "$dir/yosys.log" >&2; fail "$top: no netlist"; }
    printf '%s\n' "$net_key" >"$dir/net_key"
  fi
  # Not plain -O1, at which functions are cut: whether the last edge wrote a memory is then a variable of the model, part of
  # the images that tests compare in idle cycles.
  # shellcheck disable=SC2086
  HD_OPT="-g0 -O1" NETLIST=$dir/mutants.v tb/model/build_model.sh "$dir/model" "$top" net $params || fail "$top: no model"
  defines=""
  for p in $params; do defines="$defines -DP_$p"; done
  # shellcheck disable=SC2086
  ${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -w -Itests/unit -Itb -Itb/model -Isw/simt -Isw/kernels -Ibuild/gen \
    -I"$dir/model" $defines -o "$dir/test" "$test" tests/unit/hd_unit.c tb/model/hd_model.c $src -lcmocka -ldl -lm \
    -lpthread || fail "$test does not compile"

  times >"$dir/t0"
  HD_MUTSEL=0 "$dir/test" "$dir/model/model.so" --stop >"$dir/log" 2>&1 ||
    { tail "$dir/log" >&2; fail "$top fails unmutated"; }
  times >"$dir/t1"
  seconds=$(awk '
    FNR == 2 { split($1, u, /[ms]/); t[++n] = u[1] * 60 + u[2] }
    END { print int(5 * (t[2] - t[1])) + 2 }' "$dir/t0" "$dir/t1")
  all=$(wc -l <"$dir/list")
  seq 1 "$all" | xargs -n 20 -P "$jobs" "$self" --judge "$dir" "$seconds" | sort -n >"$dir/verdicts"
  [ "$(wc -l <"$dir/verdicts")" = "$all" ] || fail "$top: not every mutant was run"

  # Survivors are proved equivalent or not; and some that were covered, whose proof must not exist.
  aiger "$dir" miter "" || fail "$top: no product of original and mutant: $(grep -m1 -i error "$dir/aiger.log")"
  ! grep -q '^  wire .* \\.*\.' "$dir/cut_gold.il" || aiger "$dir" cut cut_ || rm -f "$dir/cut.aig"
  awk '$2 == "PASSED" || $2 == "CRASH" { print $1 }' "$dir/verdicts" >"$dir/open"
  unseen "$dir" || fail "$top: $(grep -m1 -i error "$dir/open.log")"
  awk '$2 == "COVERED" && $3 != "hangs" && $3 != "does"' "$dir/verdicts" |
    awk '{ k[NR] = $1 } END { for (i = 1; i <= 5; i++) if (NR) print k[int((NR - 1) * i / 5) + 1] }' | sort -nu >"$dir/asked"
  echo 0 >>"$dir/asked"
  for asked in "$limit open" "8 asked"; do # -e is off here: a proof that was killed is seen by xargs alone
    xargs -r -n 1 -P "$jobs" "$self" --prove "$dir" "${asked% *}" <"$dir/${asked#* }" || fail "$top: a proof was stopped"
  done
  # shellcheck disable=SC2046
  (cd "$dir/proof" && for k in $(cat ../open ../asked); do echo "$k $(cat "$k")"; done) |
    awk -v list="$dir/list" -v survivors="$dir/survivors" -v top="$top" -v seconds=$(($(date +%s) - start)) '
      FILENAME == "-" { proof[$1] = $2; next }
      {
        n++
        verdict = $2
        if (verdict == "PASSED" || verdict == "CRASH") {
          if (proof[$1] == "NOCHANGE") verdict = "NOCHANGE"
          else if (verdict == "PASSED") verdict = proof[$1] == "UNDECIDED" ? "UNDECIDED" : "UNCOVERED"
        } else if (proof[$1] == "NOCHANGE") verdict = "EQGAP"
        count[verdict]++
        what[$1] = verdict
      }
      END {
        if (proof[0] == "DIFFERENT") { 
          print "generated.sh: " top ": proved different without a mutant" > "/dev/stderr"
          exit 1
        }
        printf "" > survivors
        while ((getline line <list) > 0) {
          k++
          if (what[k] == "COVERED" || what[k] == "NOCHANGE") continue
          sub(/^mutate -ctrl mutsel 16 [0-9]+ -mode /, "", line)
          sub(/-module [^ ]* -cell /, "", line)
          printf "%d %s %s\n", k, what[k], line > survivors
        }
        print top, n + 0, count["COVERED"] + 0, count["UNCOVERED"] + count["UNDECIDED"] + count["CRASH"] + 0,
              count["UNDECIDED"] + 0, count["CRASH"] + 0, count["NOCHANGE"] + 0, count["EQGAP"] + 0, seconds
      }' - "$dir/verdicts" >"$dir/row" || fail "$top: no row"
  [ -n "${TEST:-}" ] || printf '%s\n' "$key" >"$dir/key"
}

# ---- all of them --------------------------------------------------------------------------------------------------
table="" last=""
if [ "${1:-}" = -n ]; then
  last=1
  shift
fi
if [ "${1:-}" = -o ]; then
  table=$2
  shift 2
fi
mkdir -p $work build/gen
if [ -z "$last" ]; then
  exec 9>$work/lock
  flock 9
fi
awk -f tb/model/genpkg.awk rtl/pkg/hd_pkg.sv rtl/pkg/hd_types_*.svh >$work/hd_pkg.h
awk -f tb/model/genkeys.awk rtl/pkg/hd_keys.svh >$work/hd_keys.h
for h in hd_pkg.h hd_keys.h; do cmp -s $work/$h build/gen/$h || cp $work/$h build/gen/$h; done
[ $# -gt 0 ] || set -- $(find rtl -name '*.sv' -exec sed -n 's/^module \(hd_[a-z0-9_]*\).*/\1/p' {} + | LC_ALL=C sort)
passed=0 failed=0
: >$work/rows
printf '%-18s %7s %7s %9s %9s %6s %8s %6s %7s %5s\n' module mutants covered uncovered undecided crash nochange eqgap \
  score time
missing=""
for m in "$@"; do
  if [ -n "$last" ] && [ ! -f $work/"$m"/key ]; then
    missing="$missing $m"
    failed=$((failed + 1))
  elif [ -n "$last" ] || (module "$m"); then
    cat $work/"$m"/row >>$work/rows
    if awk -v work="$work" '{
      sum = $3 + $4
      score = sum ? 100 * $3 / sum : 100
      printf "%-18s %7d %7d %9d %9d %6d %8d %6d %6.1f%% %3d s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8, score, $9,
             (ok = score >= 95 && $8 == 0) ? "ok" : "WEAK: " work "/" $1 "/survivors"
      exit !ok
    }' $work/"$m"/row; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  else
    echo "ERROR    $m"
    failed=$((failed + 1))
  fi
done
[ -z "$missing" ] || echo "not measured:$missing"
[ -z "$table" ] || awk -v missing="$missing" '
  { n += $2; covered += $3; uncovered += $4; nochange += $7; seconds += $9
    row[NR] = sprintf("| %s | %d | %d | %d | %d | %d | %.1f %% |", $1, $2, $3, $4, $5 + 0, $7,
                      $3 + $4 ? 100 * $3 / ($3 + $4) : 100) }
  END {
    print "# Generated mutants\n\nMade by `make genmutants`; the header of [generated.sh](../../tests/mutants/generated.sh) says what is"
    print "counted: small faults that Yosys makes in every module by itself, and whether the unit test of the module sees"
    print "them. Undecided mutants count as uncovered.\n"
    printf "%d mutants, %d covered, %d uncovered, %d proved equivalent: %.1f %%; %d s.\n\n", n, covered, uncovered,
           nochange, 100 * covered / (covered + uncovered), seconds
    print "| module | mutants | covered | uncovered | of these undecided | no change | score |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= NR; i++) print row[i]
    if (missing != "") print "\nNot measured yet:" missing "."
  }' $work/rows >"$table"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
