#!/bin/sh
# trace.sh - traces from the command line: import and replay under several orders, what real files have wrong, with its place;
# runs recorded and replayed cycle by cycle.
. tests/system/lib.sh
current

# head VERSION_LINE GRID BLOCK: a header
head_of() {
  printf '%s\n' "-kernel name = _Z1kPf" "-kernel id = 1" "-grid dim = $2" "-block dim = $3" "-shmem = 1024" "-nregs = 16" \
    "-binary version = 80" "-cuda stream id = 0" "-shmem base_addr = 0x00007f0000000000" \
    "-local mem base_addr = 0x00007f0001000000" "-nvbit version = 1.7" "$1" "-enable lineinfo = 0" "" "#traces format = any" ""
}
V5="-accelsim tracer version = 5"
# one LINES: a trace of one warp with these lines; N: insts, if it is not their number
one() {
  head_of "$V5" "(1,1,1)" "${BLOCK:-(32,1,1)}"
  printf '#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = %s\ninsts = %s\n%s\n\n#END_TB\n' "${WARP:-0}" \
    "${N:-$(printf '%s\n' "$1" | wc -l)}" "$1"
}
LOAD="0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000000 4 0"
EXIT="0010 ffffffff 0 EXIT 0 0 0"

# bad WHAT TEXT: the file $tmp/k.traceg must be refused with TEXT, by info and by import, which leaves no file
bad() {
  check "$1" refused "$2" trace info "$tmp/k.traceg"
  check "$1, import" refused "$2" trace import "$tmp/k.traceg" -o "$tmp/no.hdt"
  check "$1, no file" test ! -e "$tmp/no.hdt"
}
# takes WHAT TEXT ARGUMENT...: the command succeeds, and says TEXT on stderr
takes() {
  text=$1
  shift
  "$HEDDLE" "$@" >"$tmp/out" 2>"$tmp/err" && grep -qF -- "$text" "$tmp/err"
}

# ---- what is wrong, and where
one "$LOAD" >"$tmp/k.traceg"
head -c 330 "$tmp/k.traceg" >"$tmp/cut" && mv "$tmp/cut" "$tmp/k.traceg"
bad "a block that only begins" "expected 'thread block = x,y,z', found the end of the file: it is cut off"
head -c 320 "$tmp/k.traceg" >"$tmp/cut" && mv "$tmp/cut" "$tmp/k.traceg"
bad "no block" "expected '#BEGIN_TB', found the end of the file: it is cut off"
one "$LOAD" >"$tmp/k.traceg"
head -c 184 "$tmp/k.traceg" >"$tmp/cut" && mv "$tmp/cut" "$tmp/k.traceg"
bad "a header cut off" "expected the line '#traces format', found the end of the file"
one "$LOAD
$EXIT" | sed '$d' >"$tmp/k.traceg"
bad "a block cut off" "block 0,0,0, warp 0: expected '#END_TB', found the end of the file: it is cut off"
N=3 one "$LOAD
$EXIT" >"$tmp/k.traceg"
bad "fewer lines than insts" "line 26, block 0,0,0, warp 0: expected another instruction: the warp has fewer than insts, found '#END_TB'"
N=1 one "$LOAD
$EXIT" >"$tmp/k.traceg"
bad "more lines than insts" "line 24, block 0,0,0, warp 0: expected 'warp = ' or '#END_TB': the warp has more lines than insts, found '0010'"
WARP=1 one "$EXIT" >"$tmp/k.traceg"
bad "a warp beyond the block" "expected a warp number below the warps of a block"
one "$EXIT
warp = 0
insts = 1
$EXIT" | sed 's/^insts = 4/insts = 1/' >"$tmp/k.traceg"
bad "a warp twice" "expected a warp that the block has not had yet, found 'warp'"
one "0000 ffffffff 1 R4 LDG.E 1 R2 4 2 0x10000000 4 4 0" >"$tmp/k.traceg"
bad "too few distances" "expected a decimal distance for each lane of the mask but the first, found 'the end of the line'"
one "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000zz00 4 0" >"$tmp/k.traceg"
bad "an address that is none" "k.traceg:406: line 23, block 0,0,0, warp 0: expected a hexadecimal base address, found '0x1000zz00'"
one "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000000 4" >"$tmp/k.traceg"
bad "no immediate in version 5" "expected an immediate at the end of the line, found 'the end of the line'"
one "0000 1ffffffff 0 EXIT 0 0 0" >"$tmp/k.traceg"
bad "a mask of 33 lanes" "expected a mask of 32 lanes before this"
one "0000 ffffffff 9 R1 R1 R1 R1 R1 R1 R1 R1 R1 MOV 0 0 0" >"$tmp/k.traceg"
bad "nine registers" "expected a number of destination registers, at most 8, found '9'"
one "0000 ffffffff 1 X1 MOV 0 0 0" >"$tmp/k.traceg"
bad "a register that is none" "expected a register, found 'X1'"
one "0000 ffffffff 0 BAR.ARV 0 0 0" >"$tmp/k.traceg"
bad "an arrival" "expected no BAR.ARV"
one "0000 ffffffff 0 STS 2 R2 R3 4 1 0x7f1000000000 4 0" >"$tmp/k.traceg"
bad "an address that the LDS cannot have" "expected an address of the LDS below 1 MiB"
one "$EXIT" | sed 's/thread block = 0,0,0/thread block = 1,0,0/' >"$tmp/k.traceg"
bad "a block beyond the grid" "expected a block of the grid"
{ one "$EXIT" && one "$EXIT" | sed -n '/^#BEGIN/,$p'; } >"$tmp/k.traceg"
bad "a block twice" "expected a block that the kernel has not had yet"
{ one "$EXIT" && one "$EXIT" | sed -n '/^#BEGIN/,$p'; } | sed 's/-grid dim = .*/-grid dim = (100000000,1,1)/' >"$tmp/k.traceg"
bad "... in a grid of many" "expected blocks in ascending order, as the grid has more than 2^26"
one "$EXIT" | sed 's/version = 5/version = 7/' >"$tmp/k.traceg"
bad "a version that is not known" "expected a tracer version from 1 to 6, found '7'"
one "$EXIT" | sed 's/version = 5/version = /' >"$tmp/k.traceg" # where blanks at a line's end are not left out, this is read on
bad "a version without a number" "expected a tracer version from 1 to 6, found 'the end of the line'"
one "$EXIT" | sed '/-grid dim/d' >"$tmp/k.traceg"
bad "no grid" "expected '-grid dim' in the header"
one "$EXIT" | sed 's/-block dim = .*/-block dim = (2000,1,1)/' >"$tmp/k.traceg"
bad "a block of 2000 threads" "blocks of 1 to 1024 threads"
BLOCK="(64,1,1)" one "0000 ffffffff 0 BAR.SYNC 0 0 0
warp = 1
insts = 1
0020 ffffffff 0 BAR.SYNC 0 0 0" | sed 's/^insts = 4/insts = 1/' >"$tmp/k.traceg"
bad "named barriers" "expected the warps of a block to meet at the same BAR.SYNC"
check "... in order" "$HEDDLE" trace import "$tmp/k.traceg" -o "$tmp/k.hdt" barriers=order
check "... run" "$HEDDLE" run --config tiny --set lanes=32 --trace "$tmp/k.hdt"
printf '%070000d' 0 >"$tmp/k.traceg"
bad "a line without end" "expected a line of at most 65536 bytes, found a longer one"
one "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000000 2097152 0
$(seq 2100 | awk '{ printf "0010 00000001 1 R4 LDG.E 1 R2 4 1 0x%x00000 0 0\n", 4096 + 2 * $1 }')" >"$tmp/k.traceg"
check "too many regions" refused "touches 2132 regions of 2048 KiB; the machine's 4 GiB hold 2046 (pages=64K" trace import "$tmp/k.traceg" -o "$tmp/no.hdt"
check "... with smaller ones" "$HEDDLE" trace import "$tmp/k.traceg" -o "$tmp/k.hdt" pages=64K
check "... run" "$HEDDLE" run --config tiny --set lanes=32 --trace "$tmp/k.hdt"

# ---- what is only odd
one "$LOAD
$EXIT" | sed 's/-shmem = 1024/-shmem = 1/; s/-nregs = .*/-nregs = 21955/; s/-binary version = .*/-binary version = 0/' >"$tmp/k.traceg"
check "a header never set" takes "the header has values that the tracer never set" trace info "$tmp/k.traceg"
check "... strict" refused "error: the header has values" trace info --strict "$tmp/k.traceg"
one "0000 ffffffff 1 R4 FROB.X 1 R2 4 1 0x10000000 4 0
$EXIT" >"$tmp/k.traceg"
check "an opcode that is not known" takes "warning: a memory instruction that is not known: one ALU slot (1 times)" trace info "$tmp/k.traceg"
one "0000 ffffffff 1 R4 LDSM 1 R2 4 1 0x0 16 0
$EXIT" >"$tmp/k.traceg"
check "a matrix load that does not say how large" "$HEDDLE" trace info "$tmp/k.traceg"
BLOCK="(16,1,1)" one "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000000 4 0" >"$tmp/k.traceg"
check "lanes beyond the block's threads" "$HEDDLE" trace info "$tmp/k.traceg"
one "0000 ffffffff 0 STS 2 R2 R3 16 1 0x800 16 0" | sed 's/ STS / STS.128 /' >"$tmp/k.traceg"
check "an LDS larger than -shmem" takes "accesses to the LDS beyond -shmem: the block is given more" trace info "$tmp/k.traceg"
one "$EXIT" >"$tmp/k.traceg"
check "a kernel without accesses" "$HEDDLE" trace import "$tmp/k.traceg" -o "$tmp/k.hdt"
check "... runs" "$HEDDLE" run --config tiny --set lanes=32 --trace "$tmp/k.hdt"
BLOCK="(64,1,1)" one "0000 ffffffff 0 BAR.SYNC 0 0 0
$EXIT
warp = 1
insts = 0" | sed 's/^insts = 4/insts = 2/' >"$tmp/k.traceg"
check "a warp without instructions" "$HEDDLE" trace import "$tmp/k.traceg" -o "$tmp/k.hdt"
check "... runs" "$HEDDLE" run --config tiny --set lanes=32 --trace "$tmp/k.hdt"

# ---- lists and packed files
one "$LOAD
$EXIT" >"$tmp/kernel-1.traceg"
xz -c "$tmp/kernel-1.traceg" >"$tmp/kernel-2.traceg.xz"
printf 'MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\nkernel-2.traceg\nwhat is this\n' >"$tmp/kernelslist.g"
check "a list" takes "is there under another name" trace info "$tmp/kernelslist.g"
check "... a line that is none" takes "neither a copy nor a kernel is skipped" trace info "$tmp/kernelslist.g"
check "... chosen by number" sh -c "'$HEDDLE' trace info --json '$tmp/kernelslist.g' kernels=2 2>/dev/null | grep -c '\"chosen\": true' | grep -qx 1"
check "... chosen by name" sh -c "'$HEDDLE' trace info --json '$tmp/kernelslist.g' kernels=_Z1k 2>/dev/null | grep -c '\"chosen\": true' | grep -qx 2"
check "... by numbers backwards" refused "trace: kernels=1,2-1: 2-1 must begin before it ends" trace import "$tmp/kernelslist.g" -o "$tmp/none.hdt" kernels=1,2-1
check "... one that is not there" refused "kernelslist.g: kernels=1,foo,2: foo must choose some of its 2 kernels" trace import "$tmp/kernelslist.g" -o "$tmp/none.hdt" kernels=1,foo,2
check "... none of them" refused "kernelslist.g: kernels=9,foo: 9 must choose some of its 2 kernels" trace import "$tmp/kernelslist.g" -o "$tmp/none.hdt" kernels=9,foo
check "... no file of it" test ! -e "$tmp/none.hdt"
echo kernel-3.traceg >>"$tmp/kernelslist.g"
check "a file that is not there" refused "kernelslist.g:80: line 5: expected a file that is there, found 'kernel-3.traceg'" trace info "$tmp/kernelslist.g"
check "... left out" takes "a file of the list is not there (1 times)" trace info "$tmp/kernelslist.g" missing=skip
xz -9 -c "$tmp/kernel-1.traceg" >"$tmp/k.traceg.xz"
check "xz -9" takes "warning: xz: unpacking takes more than the 64 MiB" trace info "$tmp/k.traceg.xz"
check "... strict" refused "error: xz: unpacking takes more than the 64 MiB" trace info --strict "$tmp/k.traceg.xz"
xz --lzma2=preset=9,dict=128MiB -c "$tmp/kernel-1.traceg" >"$tmp/k.traceg.xz"
check "xz with more" refused "xz: takes more than 96 MiB to unpack" trace info "$tmp/k.traceg.xz"
head -c 200 "$tmp/kernel-2.traceg.xz" >"$tmp/k.traceg.xz"
check "xz cut off" refused "xz: the file is cut off" trace info "$tmp/k.traceg.xz"
echo raw >"$tmp/kernel-1.trace"
check "a raw trace" refused "post-traces-processing of Accel-Sim groups it" trace info "$tmp/kernel-1.trace"
: >"$tmp/empty"
check "an empty list" refused "expected a trace or a list with a kernel in it, found none" trace info "$tmp/empty"

# ---- native files
check "import" "$HEDDLE" trace import "$tmp/kernel-1.traceg" -o "$tmp/k.hdt"
check "check" "$HEDDLE" trace check "$tmp/k.hdt"
# json_facts FILE: the JSON of a native trace is one object and has each line of the text
json_facts() {
  "$HEDDLE" trace info "$1" >"$tmp/text" && "$HEDDLE" trace info --json "$1" >"$tmp/json" || return 1
  [ "$(sqlite3 :memory: "SELECT json_type(CAST(readfile('$tmp/json') AS TEXT))")" = object ] || return 1
  while IFS= read -r line; do
    key=$(echo "${line%% = *}" | sed 's/^set //; s/^kernel$/kernels/; s/^region$/regions/; s/^read only$/read_only/; s/ /_/g')
    value=$(echo "${line#* = }" | sed 's/"/./g')
    case "$line" in
      kernel*) value=${value##* } ;;
      operations* | chunks* | bytes*) value=$(echo "$value" | tr -d ,) ;;
    esac
    grep -q "\"$key\":" "$tmp/json" && grep -qF -e ": \"$value\"" -e ": $value" -e "    \"$value\"" "$tmp/json" || { echo "$line"; return 1; }
  done <"$tmp/text"
}
check "facts as JSON" json_facts "$tmp/k.hdt"
check "a run recorded" "$HEDDLE" run --config tiny --record "$tmp/own.hdt" vecadd n=64
check "... facts as JSON" json_facts "$tmp/own.hdt"
check "... kernels" test "$(sqlite3 :memory: "SELECT json_extract(CAST(readfile('$tmp/json') AS TEXT), '\$.kernels[0].threads', '\$.settings.sms')")" = "[256,2]"
head -c 300 "$tmp/k.hdt" >"$tmp/cut.hdt"
check "a native file cut off" refused "the file is cut off" run --trace "$tmp/cut.hdt"
check "... check" refused "the file is cut off" trace check "$tmp/cut.hdt"
check "what is no trace is said once" sh -c "'$HEDDLE' trace check '$0' 2>&1 | grep -c HDT1 | grep -qx 1"
sed 's/HDT1/HDT2/' "$tmp/k.hdt" >"$tmp/bad.hdt"
check "another file" refused "expected a native trace, which begins with HDT1" run --trace "$tmp/bad.hdt"
{ printf 'HDT1\002' && tail -c +6 "$tmp/k.hdt"; } >"$tmp/bad.hdt"
check "a newer format" refused "expected format 1, found 2: written by a newer heddle" run --trace "$tmp/bad.hdt"
check "too few lanes" refused "was made by warps of 32 lanes; the configuration has lanes = 8" run --config tiny --set lanes=8 --trace "$tmp/k.hdt"
one "$EXIT" | sed 's/thread block = 0,0,0/thread block = 1,0,0/; s/-grid dim = .*/-grid dim = (2,1,1)/' >"$tmp/k.traceg"
"$HEDDLE" trace import "$tmp/k.traceg" -o "$tmp/odd.hdt" >"$tmp/out" 2>&1
check "no block chosen" refused "no block of the trace is chosen" run --trace "$tmp/odd.hdt" every=2
check "no such kernel" refused "trace: kernels=1,7: 7 must choose some of its 1 kernels" run --trace "$tmp/k.hdt" kernels=1,7
check "numbers backwards" refused "trace: kernels=2-1: 2-1 must begin before it ends" run --trace "$tmp/k.hdt" kernels=2-1
check "every" refused "trace: every=0: must be a number from 1" run --trace "$tmp/k.hdt" every=0

# ---- replay of a foreign trace, all checks, with ghosts
N=4 one "$LOAD
0008 ffffffff 0 STG.E.64 2 R2 R4 8 1 0x10000200 8 0
0009 ffffffff 0 ATOMG.E.ADD.STRONG.GPU 2 R2 R4 4 1 0x10000400 0 0
$EXIT" >"$tmp/k.traceg"
check "import" "$HEDDLE" trace import "$tmp/k.traceg" -o "$tmp/k.hdt"
for order in rmo tso sc; do
  check "replay, $order, judged" "$HEDDLE" run --config tiny --set lanes=32 --set ghost_bits=32 --set order=$order --trace "$tmp/k.hdt"
done

# ---- recorded runs replay cycle by cycle; copies: copies.sh
machine() { # RESULT: cycles, instructions, counters of the machine
  sed -n 's/,$//; /^  "\(cycles\|warp_instructions\|l1_[a-z]*_rate\)"/p; /^    "\(l1\|l2\|sm\|dram\|link\|lds\|order\|stall\|noc\)[a-z_]*\./p' "$1"
}
same_machine() {
  machine "$tmp/a" >"$tmp/one" && machine "$tmp/b" >"$tmp/two" && [ "$(wc -l <"$tmp/one")" -gt 20 ] && diff "$tmp/one" "$tmp/two"
}
cat >"$tmp/works" <<END
tiny 2dconv block_cols=2
tiny 3mm nk=4 block_rows=1
tiny b+tree queries=6 ranges=4 keys=300 fill=9
tiny backprop inputs=32
tiny bfs nodes=100 threads=128
tiny chase warps=2 length=16
tiny dlb blocks=5 tasks=40 roots=3
tiny drf warps=2 episodes=2 locks=40
tiny fdtd-2d block_cols=2 block_rows=2
tiny gemm nk=4 block_rows=1
tiny heartwall blocks=1 outputs=3 steps=4
tiny histogram blocks=4
tiny hotspot cols=40 block_rows=2 grids=2
tiny lavamd particles=20 partners=3
tiny kv blocks=1 threads=64 puts=2
tiny lud n=12 tile=4
tiny memcached gets=200 items=300
tiny mvt blocks=1 row_steps=3 column_steps=12 pitch=256
tiny nn records=300
tiny nw n=16 tile=8
tiny outstanding threads=94 loads=3
tiny pathfinder cols=500 rows=6 height=3
tiny ptree leaves=60 keys=48 threads=32 groups=8
tiny racy ops=300
tiny reduce blocks=3 threads=64
tiny sgemm n=16 k=16
tiny spinlock rounds=2
tiny spin_mutex visits=3
tiny backoff_mutex visits=3
tiny ticket_mutex visits=3
tiny sleep_mutex visits=3
tiny srad n=16 tile=8 steps=2
tiny starve
tiny starve local=2 wait=2
tiny stencil x=10 y=9
tiny spin_sem visits=3
tiny backoff_sem visits=3
tiny tree_barrier
tiny flag_barrier
tiny stn blocks=2 side=20
tiny stream items=3 threads=96
tiny streamcluster blocks=2 threads=128 dims=4 pitch=1024
tiny uts nodes=50
tiny vecadd n=500
tiny ht n=8 way=1
tiny km n=16 way=1
tiny ga n=32 way=1
tiny tiles blocks=2 tiles=2
paper1-small gemm nk=4
paper1-small probe
END
# all_named: every workload is recorded, here or on a machine of its own below (txracy, plog).
all_named() {
  cut -d' ' -f2 "$tmp/works" | sort -u >"$tmp/mine"
  "$HEDDLE" list | sed -n '/^workloads/,/^configurations/s/^  \([^ ][^ ]*\) .*/\1/p' | grep -vx -e txracy -e plog | sort >"$tmp/theirs"
  [ -s "$tmp/theirs" ] && diff "$tmp/mine" "$tmp/theirs"
}
check "every workload is recorded" all_named
while read -r config work; do
  # $work is a list of words
  check "$work recorded" json "$tmp/a" --config $config --record "$tmp/r.hdt" $work
  check "$work replayed" json "$tmp/b" --config $config --trace "$tmp/r.hdt"
  check "$work: the same" same_machine
done <"$tmp/works"
check "recorded under rmo" json "$tmp/a" --config tiny --record "$tmp/r.hdt" gemm nk=4 block_rows=1
# untouched: what would be read and written at once is refused, and left as it is.
untouched() {
  cp "$tmp/r.hdt" "$tmp/kept.hdt"
  ln -f "$tmp/r.hdt" "$tmp/link.hdt"
  refused "is the file of --trace; expected another one" run --config tiny --trace "$tmp/r.hdt" --record "$tmp/link.hdt" &&
    refused "is the file of --db" run --config tiny --db "$tmp/kept.hdt" --record "$tmp/kept.hdt" nn records=30 &&
    printf 'sms = 1;\n' >"$tmp/own.cfg" &&
    refused "is the file of --config" run --config "$tmp/own.cfg" --port-log "$tmp/own.cfg" nn records=30 &&
    refused "is the file of --log" run --config tiny --set ghost_bits=32 --log "$tmp/l" --port-log "$tmp/l" nn records=30 &&
    refused "is the file of the input" trace import "$tmp/r.hdt" -o "$tmp/r.hdt" && cmp "$tmp/r.hdt" "$tmp/kept.hdt"
}
check "a file read and written at once" untouched
check "the recording costs no cycle" sh -c "'$HEDDLE' run --config tiny --json gemm nk=4 block_rows=1 | grep -qx '$(grep '^  "cycles"' "$tmp/a")'"
check "gemm's path under sc" json "$tmp/b" --config tiny --set order=sc --trace "$tmp/r.hdt"
check "gemm under sc" json "$tmp/a" --config tiny --set order=sc gemm nk=4 block_rows=1
check "... the same: its path does not depend on time" same_machine
check "in two threads, every second block" "$HEDDLE" run --config tiny --set threads=2 --trace "$tmp/r.hdt" every=2
sampled() {
  "$HEDDLE" run --config tiny --db "$tmp/s.db" --trace "$tmp/r.hdt" every=2 kernels=1 | tee "$tmp/out" | grep -q '^  blocks  *one of 2$' &&
    grep -q '^  kernels  *1$' "$tmp/out" && [ "$("$HEDDLE" query --db "$tmp/s.db" --csv 'SELECT parameters FROM runs' | tail -n 1)" = \
      '"{""resident"":0,""kernels"":""1"",""every"":2}"' ]
}
check "... and the database says so" sampled
check "a lock recorded" "$HEDDLE" run --config tiny --record "$tmp/r.hdt" spinlock rounds=2
note() { "$HEDDLE" run --config tiny "$@" --trace "$tmp/r.hdt" | grep '^  note'; }
check "another order: its path, and spin loops, are told" test "$(note --set order=sc | grep -c 'another configuration, whose path is kept; [0-9]* accesses look like polls')" = 1
check "... not on its own configuration" test -z "$(note)"
# ---- kinds of other machines: transactions, whose outcome is decided again, persist barriers, what a grid only reads
compile_fast -O0
# The configuration is a list of words.
again() { # CONFIGURATION WORK...: recorded, replayed, the same
  machine=$1
  shift
  # shellcheck disable=SC2086
  json "$tmp/a" $machine --record "$tmp/r.hdt" "$@" && json "$tmp/b" $machine --trace "$tmp/r.hdt" && same_machine
}
persists="--config paper4-small --set nv_base=16384 --set nv_journal=true"
check "persist barriers" again "$persists" plog rounds=2
check "... are in the file" sh -c "'$HEDDLE' run $persists --json --trace '$tmp/r.hdt' | grep -q '\"link.flits.persist\": [1-9]'"
check "... a tree with its log" again "--config paper4-small --set nv_base=1048576" ptree leaves=60 keys=48 threads=32 groups=8
check "... puts" again "$persists" kv blocks=1 threads=64 puts=2
check "copies to the LDS on a machine with persist barriers" again "$persists --set copies=8" tiles blocks=2 tiles=2 way=1
check "read-only arrays" again "--config paper3-small --set coherence=dd-ro" spin_mutex visits=2
tm="--config tiny --set sms=1 --set lanes=8 --set warps=4 --set blocks=1 --set local_tm=on --set tm_warps=4 --set tm_hash=4
  --set tm_rows=64 --set lds_bytes=4096 --set lds_banks=8 --set scheduler=lrr"
check "transactions" again "$tm" txracy transactions=30
# shellcheck disable=SC2086
check "... on another configuration" refused "only all of it, on its configuration, is replayed" \
  run $tm --set lat_sm_xbar=30 --trace "$tmp/r.hdt"
finish
