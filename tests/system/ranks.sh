#!/bin/sh
# ranks.sh - a machine run by several processes (docs/ranks.md): however many there are and whichever tiles each has, the same bytes
# of the result, of the events at all ports and of the event log, on a machine of each paper; a rank that is killed, ranks that
# are not of one run; a run that was ended and goes on from its checkpoint. Skipped without OpenMPI.
. tests/system/lib.sh

# What root and a host of few processors are refused otherwise.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# one OUTPUT OPTION...: a run with everything kept that it can tell; on a machine with ghosts also the event log.
one() {
  out=$1
  shift
  case "$*" in
    *ghost_bits=32*) json "$out" --log "$out.log" "$@" ;;
    *) json "$out" --port-log "$out.log" "$@" ;;
  esac
}
as_first() {
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  cmp "$tmp/first.log" "$tmp/other.log" && diff "$tmp/one" "$tmp/two"
}

# ---- checkpoints: no MPI needed --------------------------------------------------------------------------------------

work="--config tiny --set ghost_bits=32 --set jitter=9 racy ops=60"
go_on() { # OPTION...: killed behind its first checkpoint, then the same call again
  rm -f "$tmp/point" "$tmp/point.log"
  "$HEDDLE" run --json --log "$tmp/other.log" --checkpoint "$tmp/point" --every 2000 "$@" >"$tmp/out" 2>"$tmp/err" &
  run=$!
  while [ ! -f "$tmp/point" ] && kill -0 $run 2>"$tmp/log2"; do sleep 0.05; done
  kill -KILL $run
  wait $run
  [ -f "$tmp/point" ] || { echo "no checkpoint"; return 1; }
  one "$tmp/other" --checkpoint "$tmp/point" --every 2000 "$@" || return 1
  as_first && [ ! -f "$tmp/point" ] && [ ! -f "$tmp/point.log" ]
}
stopped() { # SIGTERM writes one, whenever it comes; another run's is refused; a damaged one too
  rm -f "$tmp/point" "$tmp/point.log" "$tmp/other.log"
  "$HEDDLE" run --json --log "$tmp/other.log" --checkpoint "$tmp/point" "$@" >"$tmp/out" 2>"$tmp/err" &
  run=$!
  while [ ! -s "$tmp/other.log" ] && kill -0 $run 2>"$tmp/log2"; do sleep 0.05; done
  kill -TERM $run
  wait $run
  [ $? -eq 130 ] && [ -s "$tmp/point" ] || { cat "$tmp/err"; return 1; }
  refused "is of another run" run --checkpoint "$tmp/point" --seed 9 "$@" || return 1
  cp "$tmp/point" "$tmp/whole"
  head -c 4000 "$tmp/whole" >"$tmp/point"
  refused "is not the state of this machine" run --log "$tmp/no.log" --checkpoint "$tmp/point" "$@" || return 1
  mv "$tmp/whole" "$tmp/point"
  one "$tmp/other" --checkpoint "$tmp/point" "$@" && as_first
}
# shellcheck disable=SC2086
check "one process" one "$tmp/first" $work
# shellcheck disable=SC2086
check "killed, goes on from a checkpoint" go_on $work
# shellcheck disable=SC2086
check "stopped, goes on from a checkpoint" stopped $work
# shellcheck disable=SC2086
check "waves cannot go on" refused "--wave must be left out" run --checkpoint "$tmp/x" --wave "$tmp/x.fst" $work
# shellcheck disable=SC2086
check "--every alone" refused "--every needs --checkpoint" run --every 100 $work
# shellcheck disable=SC2086
check "--cut alone" refused "--cut needs ranks" run --cut lot:1 $work

without() { # the message of a build that has no MPI
  cp "$HEDDLE" "$tmp/alone" && OMPI_COMM_WORLD_SIZE=2 "$tmp/alone" run vecadd >"$tmp/out" 2>"$tmp/err"
  [ $? -eq 2 ] && grep -q "2 ranks were started, and this build has none" "$tmp/err"
}
check "a build without ranks says so" without

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

mutant="--config tests/mutants/mutant.cfg"
short="--config tiny --set ghost_bits=32 --set jitter=9 racy ops=6"
while read -r paper what; do
  # lists of words
  # shellcheck disable=SC2086
  check "paper $paper: one process" one "$tmp/first" $what
  # shellcheck disable=SC2086
  for ranks in 2 3; do
    check "paper $paper: $ranks ranks, by lot" same $ranks lot:$((ranks + paper)) $what
  done
done <<END
1 $mutant --set l1=vi --set l2_writes=3 racy ops=4
2 $mutant --set sms=1 --set partitions=1 --set clk_ratio=1 --set jitter=0 --set memory=fixed --set fixed_latency=440 racy ops=4
1 $short
END
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

rows() { # both runs of $tmp/db are the same rows, less time and number
  # shellcheck disable=SC2086
  one "$tmp/first" --db "$tmp/rows.db" --interval 200 --out "$tmp" $short &&
    same 2 - --db "$tmp/rows.db" --interval 200 --out "$tmp" $short || return 1
  sqlite3 "$tmp/rows.db" "SELECT count(*) FROM run; SELECT count(*) FROM (SELECT DISTINCT revision, build, config, name, workload,
    parameters, seed, cycles, instructions, passed, checked, verdicts, counters FROM run);
    SELECT count(*) > 2, count(*) - 2 * count(DISTINCT cycle || counters) FROM interval" | tr '\n' ' ' | tee "$tmp/got"
  [ "$(cat "$tmp/got")" = "2 1 1|0 " ]
}
check "rows of the database" rows

# ---- faults -------------------------------------------------------------------------------------------------------------

gone() { # a rank is killed in the run: the others end with 2, it and its tiles are named, the database stays as it was
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
  kill -KILL "$(cat "$tmp/pid.1")"
  wait $run
  after=$(date +%s)
  cat "$tmp/err"
  [ "$(cat "$tmp/code.0")" = 2 ] && [ "$(cat "$tmp/code.2")" = 2 ] && [ $((after - before)) -le 10 ] &&
    grep -q "rank 1 on .* is gone; it had up, down" "$tmp/err" && sqlite3 "$tmp/db" .dump | cmp - "$tmp/before"
}
check "a rank is killed" gone

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

moved() { # a checkpoint of 2 ranks goes on with 3
  rm -f "$tmp/point" "$tmp/point.log" "$tmp/other.log"
  # shellcheck disable=SC2086
  mpirun -n 2 "$HEDDLE" run --json --log "$tmp/other.log" --checkpoint "$tmp/point" --every 2000 $work >"$tmp/out" 2>"$tmp/err" &
  run=$!
  while [ ! -f "$tmp/point" ] && kill -0 $run 2>"$tmp/log2"; do sleep 0.05; done
  kill -TERM $run
  wait $run
  [ -f "$tmp/point" ] || { cat "$tmp/err"; return 1; }
  # shellcheck disable=SC2086
  same 3 - --checkpoint "$tmp/point" --every 2000 $work
}
# shellcheck disable=SC2086
check "one process again" one "$tmp/first" $work
check "2 ranks end, 3 go on" moved

# ---- it can fail: ranks that forget credits -------------------------------------------------------------------------------

wrong() { # PATTERN: a program whose ranks.c lacks the lines with it must not give the same
  sed "/$1/d" tb/ranks.c >"$tmp/ranks.c" &&
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Ibuild/gen -Itb -Itb/model -Isw -c "$tmp/ranks.c" -o "$tmp/ranks.o" &&
    # shellcheck disable=SC2046
    gcc -o "$tmp/wrong-mpi" build/obj/sw/cli/main.o build/obj/tb/wire/wire_mpi.o "$tmp/ranks.o" build/parts.a \
      $(mpicc --showme:link) -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread || return 1
  command=$HEDDLE
  HEDDLE=$tmp/wrong-mpi
  export HEDDLE_ROOT="$PWD"
  # shellcheck disable=SC2086
  same 2 sm0-1,down/up,l2_0 $short
  code=$?
  HEDDLE=$command
  unset HEDDLE_ROOT
  [ $code -ne 0 ]
}
# shellcheck disable=SC2086
check "one process, shortly" one "$tmp/first" $short
check "credits that are not told are seen" wrong "hd_link_receiver_news(&l->link, &r->credited"
check "warp ports that are not told are seen" wrong "p->end = p->replay + n"
finish
