#!/bin/sh
# ranks.sh - a machine run by several processes (docs/ranks.md): however many there are and whichever tiles each has, the same bytes
# of the result, of the events at all ports and of the event log, on a machine of each paper; a rank that is killed, ranks that
# are not of one run; a run that was ended and goes on from its checkpoint. Skipped without OpenMPI.
# ranks.sh long (make ranks): 2, 3, 4 and 8 ranks by load, by lot and by hand on all machines, those of the papers in full, and on
# each a run killed behind a checkpoint that goes on; minutes.
. tests/system/lib.sh
current
long=${1:-}

# What root and a host of few processors are refused otherwise.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 # other tests run beside this one

# one OUTPUT OPTION...: a run with everything kept that it can tell; on a machine with ghosts also the event log, with $kept, options,
# also rows of a database. Every check passes.
kept=
one() {
  out=$1
  shift
  # shellcheck disable=SC2086
  case "$*" in
    *ghost_bits=0*) json "$out" $kept --port-log "$out.ports" "$@" ;;
    *) json "$out" $kept --port-log "$out.ports" --log "$out.log" "$@" ;;
  esac
}
# alike RUNS: so many runs are in $tmp/rows.db, all with the same rows, less time and number, those of intervals too.
alike() {
  sqlite3 "$tmp/rows.db" "SELECT count(*) FROM run; SELECT count(*) FROM (SELECT DISTINCT revision, build, config, name, workload,
    parameters, seed, cycles, instructions, passed, checked, verdicts, counters FROM run);
    SELECT count(*) >= $1, count(*) - $1 * count(DISTINCT cycle || counters), count(DISTINCT run) FROM interval" | tr '\n' ' ' | tee "$tmp/got"
  [ "$(cat "$tmp/got")" = "$1 1 1|0|$1 " ]
}
as_first() {
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  cmp "$tmp/first.ports" "$tmp/other.ports" && diff "$tmp/one" "$tmp/two" &&
    { [ ! -f "$tmp/first.log" ] || cmp "$tmp/first.log" "$tmp/other.log"; }
}

# ---- checkpoints: no MPI needed --------------------------------------------------------------------------------------

work="--config tiny --set ghost_bits=32 --set jitter=9 racy ops=60"
# halfway OPTION...: the run in $tmp/first, however short, ends behind its first checkpoint, and the same call again goes on: nobody
# reads its port log, which holds it up until it gets the signal. A pipe takes 64 kB, of which zeros leave it half of the log.
# launch: words in front of the command; signal: which; again: what goes on.
resumed() { one "$tmp/other" "$@"; }
launch="" signal=KILL again=resumed
halfway() {
  rm -f "$tmp/point" "$tmp/point.log"
  mkfifo "$tmp/pipe"
  exec 3<>"$tmp/pipe"
  bytes=$(wc -c <"$tmp/first.ports")
  zeros=$((61440 - bytes / 2))
  [ $zeros -le 0 ] || head -c $zeros /dev/zero >&3
  every=$(($(number "$tmp/first" cycles | head -n 1) * (bytes < 240000 ? bytes / 8 : 30000) / bytes))
  # shellcheck disable=SC2086
  $launch "$HEDDLE" run --json $kept --log "$tmp/other.log" --port-log "$tmp/pipe" --checkpoint "$tmp/point" --every $every "$@" >"$tmp/out" 2>"$tmp/err" &
  run=$!
  for i in $(seq 600); do
    kill -0 $run 2>"$tmp/log2" && [ ! -f "$tmp/point" ] || break
    sleep 0.05
  done
  sleep 0.1
  kill -$signal $run
  if [ $signal != KILL ]; then # it is to end by itself: when its ranks have the signal, too
    sleep 0.3
    cat "$tmp/pipe" >"$tmp/log2" 3>&- &
  fi
  wait $run
  exec 3>&-
  rm -f "$tmp/pipe"
  [ -f "$tmp/point" ] || { echo "no checkpoint"; cat "$tmp/err"; return 1; }
  $again --checkpoint "$tmp/point" --every $every "$@" 2>"$tmp/err" && grep "goes on from cycle" "$tmp/err" && as_first &&
    [ ! -f "$tmp/point" ] && [ ! -f "$tmp/point.log" ]
}
stopped() { # SIGTERM writes one, whenever it comes; another run's is refused; a damaged one too
  rm -f "$tmp/point" "$tmp/point.log" "$tmp/other.log"
  "$HEDDLE" run --json --log "$tmp/other.log" --port-log "$tmp/other.ports" --checkpoint "$tmp/point" "$@" >"$tmp/out" 2>"$tmp/err" &
  run=$!
  while [ ! -s "$tmp/other.log" ] && kill -0 $run 2>"$tmp/log2"; do sleep 0.05; done
  kill -TERM $run
  wait $run
  [ $? -eq 130 ] && [ -s "$tmp/point" ] || { cat "$tmp/err"; return 1; }
  refused "is of another run" run --checkpoint "$tmp/point" --seed 9 "$@" || return 1
  cp "$tmp/point" "$tmp/whole"
  head -c 4000 "$tmp/whole" >"$tmp/point"
  refused "$tmp/point is damaged" run --log "$tmp/no.log" --port-log "$tmp/no.ports" --checkpoint "$tmp/point" "$@" || return 1
  mv "$tmp/whole" "$tmp/point"
  cp "$tmp/point.log" "$tmp/whole"
  printf 'damage' | dd of="$tmp/point.log" bs=1 seek=3000 conv=notrunc 2>"$tmp/log2"
  refused "$tmp/point.log is damaged" run --log "$tmp/no.log" --port-log "$tmp/no.ports" --checkpoint "$tmp/point" "$@" || return 1
  mv "$tmp/whole" "$tmp/point.log"
  one "$tmp/other" --checkpoint "$tmp/point" "$@" && as_first
}
# shellcheck disable=SC2086
check "one process" one "$tmp/first" $work
# shellcheck disable=SC2086
check "killed, goes on from a checkpoint" halfway $work
# shellcheck disable=SC2086
check "stopped, goes on from a checkpoint" stopped $work
# shellcheck disable=SC2086
check "waves cannot go on" refused "--wave must be left out" run --checkpoint "$tmp/x" --wave "$tmp/x.fst" $work
# shellcheck disable=SC2086
check "--every alone" refused "--every needs --checkpoint" run --every 100 $work
# shellcheck disable=SC2086
check "--cut alone" refused "--cut needs ranks" run --cut lot:1 $work

alone() { # the message of a build that has no MPI
  cp "$HEDDLE" "$tmp/alone" && OMPI_COMM_WORLD_SIZE=2 "$tmp/alone" run vecadd >"$tmp/out" 2>"$tmp/err"
  [ $? -eq 2 ] && grep -q "2 ranks were started, and this build has none" "$tmp/err"
}
check "a build without ranks says so" alone

if ! command -v mpirun >"$tmp/log" || [ ! -x build/heddle-mpi ]; then
  echo "SKIPPED: ranks: needs Debian's libopenmpi-dev and openmpi-bin"
  finish
  exit
fi

# ---- the same bytes ---------------------------------------------------------------------------------------------------

# same RANKS CUT OPTION...: as $tmp/first. CUT -: by load.
same() {
  ranks=$1 cut=$2
  shift 2
  command=$HEDDLE
  HEDDLE=$tmp/ranks
  printf '#!/bin/sh\nexec mpirun -n %s %s "$@"%s </dev/null\n' "$ranks" "$command" "$([ "$cut" = - ] || echo " --cut $cut")" >"$HEDDLE"
  chmod +x "$HEDDLE"
  one "$tmp/other" "$@"
  code=$?
  HEDDLE=$command
  [ $code -eq 0 ] && as_first
}

short="--config tiny --set ghost_bits=32 --set jitter=9 racy ops=6"
plog="--config paper4-small --set nv_base=16384 --set nv_journal=true --set nv_order=random plog scope=1 warps=3"
# Machines of the papers, small: the number of the paper, what other tests run on the same models. Of paper 3 MESI, DeNovo and GPU
# coherence on meshes, the last with the buffered FIFOs of paper 4.
machines() {
  small="--config tests/mutants/mutant.cfg"
  mesh="$small --set noc=mesh --set clk_ratio=1 --set flit_bytes=16 --set queue_depth=2 --set lanes=8 --set warps=32"
  cat <<END
1 $short
1 $small --set l1=vi --set l2_writes=3 racy ops=4
2 $small --set sms=1 --set partitions=1 --set clk_ratio=1 --set jitter=0 --set memory=fixed --set fixed_latency=440 racy ops=4
3 $mesh --set mesh_x=2 --set mesh_y=2 --set sms=3 --set partitions=4 --set lat_hop=3 --set order=sc racy ops=6 lds=0
3 $mesh --set mesh_x=3 --set mesh_y=2 --set coherence=dd racy ops=1
4 $plog
4 --config wide64 --set order=hrf --set l1=gpu --set lanes=64 --set line_bytes=64 --set flit_bytes=16 --set pending=mshr --set persist=buffered --set ghost_bits=32 --set noc=mesh --set mesh_x=2 --set mesh_y=2 --set clk_ratio=1 --set nv_base=16384 --set nv_journal=true --set nv_order=random plog scope=1 rounds=2
5 --config paper5 --set ghost_bits=32 --set sms=2 --set lanes=8 --set lds_banks=8 --set lds_bytes=4096 --set tm_rows=64 --set l1=mesi --set order=rmo --set jitter=20 txracy transactions=20 global=100
END
}
# The papers' own, checked and, for the other form of messages, fast.
full() {
  cat <<END
1 --config paper1 --set ghost_bits=32 gemm nk=2 block_rows=1
1 --config paper1 --set ghost_bits=0 gemm nk=8 block_rows=1
2 --config fermi-mshr --set ghost_bits=32 outstanding
2 --config kepler-prt --set ghost_bits=32 outstanding
3 --config paper3-small --set coherence=gd --set ghost_bits=32 spin_mutex
3 --config paper3-small --set coherence=dh --set ghost_bits=32 tree_barrier
3 --config paper3 --set coherence=gh --set ghost_bits=32 gemm nk=2 block_rows=1
3 --config paper3 --set coherence=dd --set ghost_bits=32 gemm nk=2 block_rows=1
3 --config paper3 --set coherence=dd-ro --set ghost_bits=0 gemm nk=8 block_rows=1
3 --config paper3 --set ghost_bits=32 gemm nk=2 block_rows=1
4 --config paper4-tiny --set ghost_bits=32 racy ops=20
4 --config paper4 --set nv_base=16384 --set nv_journal=true --set nv_order=random plog
4 --config paper4 --set persist=buffered ptree keys=64 leaves=60
4 --config paper4 --set ghost_bits=0 ptree keys=64 leaves=60
5 --config paper5 --set ghost_bits=32 ht n=256 way=0
5 --config paper5 --set ghost_bits=0 km way=0
END
}
# hand RANKS OPTION...: tiles dealt out in turns, from the last to the first
hand() {
  n=$1
  shift
  "$HEDDLE" run --json "$@" >"$tmp/hand"
  sed -n 's/^    "\(sms\|partitions\|mesh_x\|mesh_y\|noc\|l1\|memory\)": "*\([a-z0-9]*\).*/\1 \2/p' "$tmp/hand" | awk -v n="$n" '
    { key[$1] = $2 }
    function give(name, count,   i) { for (i = 0; i < count; i++) list[all++] = count == 1 && name !~ /sm|l2|router/ ? name : name i }
    END {
      give("sm", key["sms"])
      if (key["noc"] == "mesh") give("router", key["mesh_x"] * key["mesh_y"])
      else if (key["memory"] == "fixed") give("memory", 1)
      else if (key["l1"] == "denovo") give("xbar", 1)
      else { give("up", 1); give("down", 1) }
      if (key["memory"] != "fixed") give("l2_", key["partitions"])
      for (i = all - 1; i >= 0; i--) rank[(all - 1 - i) % n] = rank[(all - 1 - i) % n] "," list[i]
      for (r = 0; r < n; r++) printf "%s%s", r ? "/" : "", substr(rank[r], 2)
    }'
}
[ "$long" != long ] || kept="--db $tmp/rows.db --interval 500 --out $tmp"
while read -r paper what; do
  rm -f "$tmp/first.log" "$tmp/rows.db"
  runs=13
  # lists of words
  # shellcheck disable=SC2086
  check "paper $paper: one process: $what" one "$tmp/first" $what
  if [ "$long" = long ]; then
    for ranks in 2 3 4 8; do
      # shellcheck disable=SC2086
      for cut in - lot:$((ranks + paper)) "$(hand $ranks $what)"; do
        check "paper $paper, $ranks ranks, cut $cut" same $ranks "$cut" $what
      done
    done
  else
    # shellcheck disable=SC2086
    for ranks in 2 3; do
      check "paper $paper: $ranks ranks, by lot" same $ranks lot:$((ranks + paper)) $what
    done
  fi
  # shellcheck disable=SC2086
  case "$what" in *ghost_bits=0*) ;; *) check "paper $paper: goes on from a checkpoint: $what" halfway $what && runs=14 ;; esac
  [ "$long" != long ] || check "paper $paper: rows of the database: $what" alike $runs
  [ "$long" != long ] || echo "$passed passed, $failed failed with paper $paper: $what: $(number "$tmp/first" cycles | head -n 1) cycles," \
      "$(sed -n '/^  "checks": {/,/^  }/s/.*: "pass".*/x/p' "$tmp/first" | wc -l) checks"
done <<END
$(machines; [ "$long" != long ] || full)
END
if [ "$long" = long ]; then
  finish
  exit
fi
# shellcheck disable=SC2086
check "one process, no checks of memory" one "$tmp/first" --set ghost_bits=0 --config tiny racy ops=6
# shellcheck disable=SC2086
check "2 ranks, no checks of memory" same 2 - --set ghost_bits=0 --config tiny racy ops=6
rm -f "$tmp/first.log"
# shellcheck disable=SC2086
check "one process, shortly" one "$tmp/first" $short
# shellcheck disable=SC2086
{
  check "4 ranks" same 4 - $short
  check "8 ranks, by load" same 8 - $short
  check "2 ranks, by hand" same 2 sm0-1,down/up,l2_0 $short
  check "2 ranks of 2 threads" same 2 - --set threads=2 $short
}
# over time: counters are gathered at each interval
over_time() {
  # shellcheck disable=SC2086
  same "$@" && cmp "$tmp/one.csv" "$tmp/racy.csv"
}
# shellcheck disable=SC2086
{
  check "one process, intervals" one "$tmp/first" --interval 200 --warmup 100 --links --latency --out "$tmp" $short
  mv "$tmp/racy.csv" "$tmp/one.csv"
  check "2 ranks, intervals" over_time 2 - --interval 200 --warmup 100 --links --latency --out "$tmp" $short
}

rows() { # of one process and of two
  kept="--db $tmp/rows.db --interval 200 --out $tmp"
  # shellcheck disable=SC2086
  one "$tmp/first" $short && same 2 - $short && kept= && alike 2
}
check "rows of the database" rows

# ---- faults -------------------------------------------------------------------------------------------------------------

gone() { # RANK TILES: it is killed in the run: the others end with 2, it and its tiles are named, the database stays as it was
  rm -f "$tmp"/code.* "$tmp"/pid.*
  "$HEDDLE" run --db "$tmp/db" --config tiny vecadd n=64 >"$tmp/out" || return 1
  sqlite3 "$tmp/db" .dump >"$tmp/before"
  printf 'trap "" TERM\n%s "$@" &\necho $! >%s.$OMPI_COMM_WORLD_RANK\nwait $!\necho $? >%s.$OMPI_COMM_WORLD_RANK\n' \
    "$HEDDLE" "$tmp/pid" "$tmp/code" >"$tmp/each"
  rm -f "$tmp/k.log"
  # shellcheck disable=SC2086
  mpirun -n 3 sh "$tmp/each" run --db "$tmp/db" --log "$tmp/k.log" --cut sm0-1/up,down/l2_0 --config tiny \
    --set ghost_bits=32 racy ops=100000 >"$tmp/out" 2>"$tmp/err" &
  run=$!
  while [ ! -s "$tmp/k.log" ] && kill -0 $run 2>"$tmp/log2"; do sleep 0.05; done
  before=$(date +%s)
  kill -KILL "$(cat "$tmp/pid.$1")"
  wait $run
  after=$(date +%s)
  cat "$tmp/err"
  [ "$(sort "$tmp/code."* | tr '\n' ' ')" = "137 2 2 " ] && [ $((after - before)) -le 10 ] &&
    grep -q "rank $1 on .* is gone; it had $2" "$tmp/err" && sqlite3 "$tmp/db" .dump | cmp - "$tmp/before"
}
check "a rank is killed" gone 1 "up, down"
check "rank 0 is killed" gone 0 "sm0 to sm1"

not_one() { # TEXT MPIRUN-ARGUMENT...
  text=$1
  shift
  mpirun "$@" >"$tmp/out" 2>"$tmp/err"
  code=$?
  cat "$tmp/err"
  [ $code -eq 2 ] && grep -q "$text" "$tmp/err" && [ "$(grep -c "$text" "$tmp/err")" = 1 ]
}
cp build/heddle-mpi "$tmp/other-mpi"
echo >>"$tmp/other-mpi"
tiny="run --config tiny vecadd n=64"
# shellcheck disable=SC2086
{
  check "another configuration" not_one "order is rmo on rank 0 and sc on rank 1" -n 1 "$HEDDLE" $tiny : -n 1 "$HEDDLE" run --set order=sc --config tiny vecadd n=64
  check "other arguments" not_one "parameter is n=64 on rank 0 and n=65 on rank 2" -n 2 "$HEDDLE" $tiny : -n 1 "$HEDDLE" run --config tiny vecadd n=65
  check "another build" not_one "program is .* on rank 0 and .* on rank 1" -n 1 "$HEDDLE" $tiny : -n 1 env HEDDLE_ROOT="$PWD" "$tmp/other-mpi" $tiny
  check "a tile left out" not_one "names all tiles but l2_0" -n 2 "$HEDDLE" run --cut sm0-1/up,down --config tiny vecadd
  check "no such tile" not_one "there is no tile sm2" -n 2 "$HEDDLE" run --cut sm0-2/up,down,l2_0 --config tiny vecadd
  check "too few lists" not_one "has 1 lists, and there are 2 ranks" -n 2 "$HEDDLE" run --cut sm0-1,up,down,l2_0 --config tiny vecadd
  check "another command" not_one "run alone takes more than one" -n 2 "$HEDDLE" list
}

# shellcheck disable=SC2086
check "one process again" one "$tmp/first" $work
launch="mpirun -n 2" signal=TERM again="same 3 -"
# shellcheck disable=SC2086
check "2 ranks end, 3 go on" halfway $work
launch="" signal=KILL again=resumed

# ---- it can fail: ranks that forget to tell --------------------------------------------------------------------------------

# without PATTERN OPTION...: by 2 ranks of a program whose ranks.c lacks the lines with it, which leaves no brace behind
# shellcheck disable=SC2046
without() {
  sed "/$1/d" tb/ranks.c >"$tmp/ranks.c" && shift &&
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Ibuild/gen -Itb -Itb/model -Isw -c "$tmp/ranks.c" -o "$tmp/ranks.o" &&
    gcc -o "$tmp/wrong-mpi" build/obj/sw/cli/main.o build/obj/tb/wire/wire_mpi.o "$tmp/ranks.o" build/parts.a \
      $(mpicc --showme:link) -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread || return 1
  (HEDDLE=$tmp/wrong-mpi && export HEDDLE_ROOT="$PWD" && same 2 sm0-1,down/up,l2_0 "$@")
}
seen() { ! without "$@"; }
# shellcheck disable=SC2086
{
  check "one process, persist barriers" one "$tmp/first" $plog
  check "a program without nothing" without "no such line" $plog
  check "credits that are not told are seen" seen "hd_link_receiver_news(&l->link, &r->credited" $plog
  check "warp ports that are not told are seen" seen "p->end = p->replay + n" $plog
  check "what memory made durable and is not told is seen" seen "t->kind->news" $plog
}
finish
