#!/bin/sh
# inputs.sh - bad input ends with exit code 2 and a message that names file, line, key and range.
. tests/system/lib.sh
current

# file_refused TEXT LINE...: a configuration file with these lines is refused; TEXT may use FILE for its name.
file_refused() {
  text=$(printf '%s' "$1" | sed "s|FILE|$tmp/bad.cfg|")
  shift
  printf '%s\n' "$@" >"$tmp/bad.cfg"
  refused "$text" run --config "$tmp/bad.cfg" vecadd
}

check "range" file_refused "FILE:2: sms = 140: must be 1..128" "partitions = 2;" "sms = 140;"
check "power of two" file_refused "FILE:1: partitions = 3: must be 1..64, a power of two" "partitions = 3;"
check "two values" file_refused "FILE:1: ghost_bits = 16: must be 0 or 32" "ghost_bits = 16;"
check "negative" file_refused "FILE:1: mshr = -1: must be 1..256" "mshr = -1;"
check "beyond 32 bits" file_refused "FILE:1: mshr = 4294967297: must be 1..256" "mshr = 4294967297L;"
check "beyond 32 bits, without L" file_refused "FILE:2: sms = 4294967298: the number is too large" "" "sms = 4294967298;"
check "... in hexadecimal" file_refused "FILE:1: sms = 0x100000002: the number is too large" "sms = 0x100000002;"
check "a comment without end" file_refused "FILE:2: a comment begins here and does not end" "sms = 2;" "/* sms = 3;"
check "nearly whole" file_refused "FILE:1: sms = 2.0000000999999998: must be 1..128" "sms = 2.0000001;"
check "beyond 64 bits" file_refused "FILE:3: sms = 99999999999999999999: the number is too large" '# 99999999999999999999' \
  'order = "99999999999999999999"; /*' '99999999999999999999 */ sms = 99999999999999999999;'
printf '%s\n' "" "sms = 99999999999999999999;" >"$tmp/included.cfg"
check "... in a file that is included" file_refused "$tmp/included.cfg:2: sms = 99999999999999999999: the number is too large" \
  "@include \"$tmp/included.cfg\""
check "a fraction" file_refused "FILE:1: warps = 1.5: must be 1..64" "warps = 1.5;"
check "a name" file_refused 'FILE:1: order = pso: must be rmo|tso|sc' 'order = "pso";'
check "a flag" file_refused "FILE:1: skip_idle = maybe: must be true or false" 'skip_idle = "maybe";'
check "a group" file_refused "FILE:3: l1_sets = (a group or list): must be 2..1024" "" "# one" "l1_sets = { n = 1; };"
check "unknown key" file_refused "FILE:2: unknown key 'smx'" "sms = 2;" "smx = 2;"
check "twice" file_refused "FILE:2: duplicate setting name" "sms = 2;" "sms = 3;"
check "syntax" file_refused "FILE:2: syntax error" "sms = 2;" "warps 3;"
check "latency and clock" file_refused "FILE:2: lat_xbar_l2 = 71: must be a multiple of clk_ratio = 2" \
  "clk_ratio = 2;" "lat_xbar_l2 = 71;"
check "targets and entries" file_refused "FILE:1: mshr_targets = 100: must be 128 or more (mshr = 128" \
  "mshr_targets = 100;"
check "stores and targets" file_refused "FILE:2: mshr_stores = 20: must be at most mshr_targets = 16" \
  "mshr = 8; mshr_targets = 16; mshr_cas = 1;" "mshr_stores = 20;"
check "cas and stores" file_refused "FILE:1: mshr_cas = 9: must be at most mshr_stores = 8" \
  "mshr_stores = 8; mshr_cas = 9;"
check "row and line" file_refused "FILE:1: dram_row_bytes = 64: must be at least line_bytes = 128" \
  "dram_row_bytes = 64;"
check "sectors of the classifier" file_refused \
  "FILE:2: sector_bytes = 65536: must be less than 65536 (partitions = 64, mac_entries / mac_ways = 1024: tags need a bit)" \
  'order = "type"; partitions = 64; mac_entries = 4096; mac_ways = 4;' "sector_bytes = 65536;"
check "jitter and flat" file_refused "FILE:1: jitter = 5: must be 0 (the flat model has none)" "jitter = 5;" "flat = true;"
check "window and links" file_refused "FILE:1: window = 33: must be 0..32" "window = 33;"

check "override, range" refused "--set: warps = 65: must be 1..64" run --set warps=65 vecadd
check "override, unknown" refused "--set colour=red: unknown key 'colour'" run --set colour=red vecadd
check "override, no value" refused "--set warps: must be key=value" run --set warps vecadd
check "override, text behind" refused "--set: warps = 4x: must be 1..64" run --set warps=4x vecadd
check "override, contradiction" refused "--set: lat_credit = 31: must be a multiple" run --set lat_credit=31 vecadd
check "no such configuration" refused "--config nowhere: no file" run --config nowhere vecadd
check "a folder as configuration" refused "--config ./configs: no file" run --config ./configs vecadd
check "no such workload" refused "unknown workload 'veccadd'" run veccadd
check "no workload" refused "run needs a workload" run
check "parameter, range" refused "gemm: nk = 0: must be 1..4096" run gemm nk=0
check "parameter, unknown" refused "gemm kk=1: unknown key 'kk'" run gemm kk=1
check "parameters that contradict" refused "gemm: nk: a row of A has nk words, more than pitch" \
  run gemm nk=100 pitch=64
check "a block too large" refused "a block has 8 warps (256 threads); an SM has warps = 4 slots" \
  run --set warps=4 gemm
check "more residents than fit" refused "resident = 7: at most 6 blocks of 8 warps fit" run gemm resident=7
check "arrays too large" refused "chase: its arrays do not fit into memory" run chase length=65536 stride=65536
check "stride" refused "chase: stride: must be a multiple of 4" run chase stride=6
check "seed" refused "--seed -1: must be 0.." run --seed -1 vecadd
check "unknown option" refused "unknown option '--jsn'" run --jsn vecadd
check "option without value" refused "--config needs a value" run vecadd --config
check "unknown command" refused "unknown command 'rnu'" rnu vecadd
check "help" "$HEDDLE" --help
helps() {
  for c in $("$HEDDLE" list --names commands); do
    "$HEDDLE" $c --help | grep -q "heddle $c" || { echo "$c"; return 1; }
  done
}
check "help of every command" helps
# Output that cannot be written: exit 2, and the name of the file.
unwritten() { # NAME ARGUMENT... with standard output to a full device
  name=$1
  shift
  "$HEDDLE" "$@" >/dev/full 2>"$tmp/err"
  [ $? -eq 2 ] && grep -q "heddle: $name: cannot be written: No space left on device" "$tmp/err"
}
for c in "list" "--help" "run vecadd" "run vecadd --json" "litmus --runs 2 --orders rmo tests/litmus/open/MP.litmus" \
  "check --help" "area --help"; do
  # shellcheck disable=SC2086
  check "standard output is full: $c" unwritten "standard output" $c
done
check "log of ports is full" unwritten /dev/full run vecadd --port-log /dev/full
check "event log is full" unwritten /dev/full run vecadd --set ghost_bits=32 --log /dev/full
stays() { # what is no file and cannot take a recorded trace: a pipe here, a device just so
  mkfifo "$tmp/pipe"
  cat "$tmp/pipe" >"$tmp/trace" &
  "$HEDDLE" run vecadd --record "$tmp/pipe" >"$tmp/text" 2>"$tmp/err"
  [ $? -eq 2 ] && grep -q "heddle: $tmp/pipe: cannot be written: " "$tmp/err" && [ -p "$tmp/pipe" ]
}
check "a pipe that a trace cannot be recorded to stays" stays
# Inputs are files. A pipe that nobody writes to is not waited for; what is open already may be read where it always was.
mkfifo "$tmp/in.hdt"
pipe_refused() { # TEXT ARGUMENT...
  text=$1
  shift
  timeout -s KILL 20 "$HEDDLE" "$@" >"$tmp/out" 2>"$tmp/err"
  [ $? -eq 2 ] && grep -qF -- "$text" "$tmp/err"
}
for c in "run --trace" "trace info" "trace import" "trace check" check litmus; do
  # shellcheck disable=SC2086
  check "a pipe: $c" pipe_refused "$tmp/in.hdt: expected a file, found a pipe" $c "$tmp/in.hdt"
done
mkfifo "$tmp/kernel-1.traceg"
echo kernel-1.traceg >"$tmp/kernelslist.g"
check "a pipe in a list" pipe_refused "$tmp/kernel-1.traceg: not a file" trace info "$tmp/kernelslist.g"
check "a device" refused "/dev/zero: expected a file, found a device" check /dev/zero
check "standard input" sh -c "cat tests/litmus/open/MP.litmus | '$HEDDLE' litmus --runs 2 --orders rmo /dev/stdin"
closed_pipe() {
  { sleep 0.2; "$HEDDLE" list 2>"$tmp/err"; echo $? >"$tmp/code"; } | true
  grep -qx 2 "$tmp/code" && grep -q "heddle: standard output: cannot be written: Broken pipe" "$tmp/err"
}
check "standard output is a closed pipe" closed_pipe
for o in --wave --port-log --log --wave-around-violation; do
  check "no folder for $o" refused "$o $tmp/none/x: $tmp/none cannot be written: No such file" run vecadd $o "$tmp/none/x"
done
check "a folder for --log" refused "--log $tmp: $tmp cannot be written: Is a directory" run vecadd --log "$tmp"
check "version" "$HEDDLE" --version
check "list names every workload" sh -c "for w in chase gemm histogram outstanding spinlock stream streamcluster vecadd; do
  '$HEDDLE' list | grep -q \"^  \$w \" || exit 1; done"
# Ctrl-C: the run ends behind a window; the log is whole, the database has no row of it and no file beside it.
stopped() {
  "$HEDDLE" run --config tiny vecadd n=64 >/dev/null 2>&1 || return 1 # its models are there
  # --foreground: one signal, not a second one to the group, which would end it at once
  timeout --foreground -s INT --preserve-status 2 "$HEDDLE" run --config tiny --db "$tmp/stop.db" --port-log "$tmp/stop.log" racy ops=1000000 \
    >"$tmp/out" 2>"$tmp/err"
  code=$?
  cat "$tmp/err"
  [ $code = 130 ] && grep -q "^heddle: racy: stopped at cycle [1-9]" "$tmp/err" && [ ! -s "$tmp/out" ] && [ ! -e "$tmp/stop.db-wal" ] &&
    [ "$("$HEDDLE" query --csv --db "$tmp/stop.db" "SELECT count(*) FROM runs" | tail -n 1)" = 0 ] &&
    [ "$(tail -c 1 "$tmp/stop.log" | od -An -c | tr -d ' ')" = '\n' ]
}
check "Ctrl-C" stopped
finish
