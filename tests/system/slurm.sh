#!/bin/sh
# slurm.sh - heddle sweep --slurm on a real Slurm of one node, which this test starts on the loopback and stops: slurmctld,
# slurmd and munge of Debian, found in the path, under $SLURM_ROOT or, unpacked once from their packages without installing
# anything, under build/slurm. Skipped where they cannot be had.
. tests/system/lib.sh

root=${SLURM_ROOT:-$PWD/build/slurm}
if ! command -v slurmctld >"$tmp/log" && [ ! -d "$root/usr" ] && [ -z "${SLURM_ROOT:-}" ] && command -v apt-get >"$tmp/log"; then
  (mkdir -p "$tmp/debs" && cd "$tmp/debs" && apt-get -qq download slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge \
    libmunge2 libhwloc15 liblua5.1-0 && for d in *.deb; do dpkg -x "$d" "$root.new" || exit 1; done) >"$tmp/log" 2>&1 &&
    mv "$root.new" "$root"
  rm -rf "$root.new"
fi
PATH=$PATH:/usr/sbin:$root/usr/sbin:$root/usr/bin
libs=$root/usr/lib/$(uname -m)-linux-gnu
[ -d "$libs/slurm-wlm" ] || libs=/usr/lib/$(uname -m)-linux-gnu
LD_LIBRARY_PATH=$libs:$libs/slurm-wlm${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
ctld=$(command -v slurmctld || command -v slurmctld-wlm)
node=$(command -v slurmd || command -v slurmd-wlm)
step=$(command -v slurmstepd || command -v slurmstepd-wlm)
if [ -z "$ctld" ] || [ -z "$node" ] || ! command -v munged >"$tmp/log" || ! command -v sbatch >"$tmp/log" || [ "$(id -u)" != 0 ]; then
  echo "SKIPPED: heddle sweep --slurm: needs root and Debian's slurmctld, slurmd, slurm-client and munge"
  finish
  exit
fi
export PATH LD_LIBRARY_PATH SLURM_CONF="$tmp/slurm.conf"

host=$(hostname -s)
port=$((20000 + $$ % 10000 * 2))
mkdir -p "$tmp/munge" "$tmp/state" "$tmp/spool"
chmod 755 "$tmp"
chmod 711 "$tmp/munge"
head -c 1024 /dev/urandom >"$tmp/munge.key"
chmod 600 "$tmp/munge.key"
cat >"$SLURM_CONF" <<END
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$tmp/munge/socket
CredType=cred/munge
PluginDir=$libs/slurm-wlm
SlurmctldPidFile=$tmp/ctld.pid
SlurmdPidFile=$tmp/slurmd.pid
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
KillWait=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=$host Default=YES MaxTime=10
END
munged -F --force --key-file="$tmp/munge.key" --socket="$tmp/munge/socket" --pid-file="$tmp/munge/pid" \
  --log-file="$tmp/munge/log" --seed-file="$tmp/munge/seed" >"$tmp/munged.out" 2>&1 &
pids=$!
trap 'scancel -n heddle-cluster; kill $pids; wait; rm -rf "$tmp"' EXIT
for i in $(seq 50); do
  [ -S "$tmp/munge/socket" ] && break
  sleep 0.1
done
"$ctld" -D -L "$tmp/ctld.log" >"$tmp/ctld.out" 2>&1 &
pids="$pids $!"
"$node" -D -N "$host" ${step:+-d "$step"} -L "$tmp/slurmd.log" >"$tmp/slurmd.out" 2>&1 &
pids="$pids $!"
up() {
  for i in $(seq 100); do
    sinfo -h -o %t 2>"$tmp/err" | grep -q idle && return
    sleep 0.2
  done
  tail -n 8 "$tmp/munged.out" "$tmp/ctld.log" "$tmp/slurmd.log" "$tmp/ctld.out" "$tmp/slurmd.out" "$tmp/err"
  return 1
}
check "Slurm is up" up

cat >"$tmp/s.cfg" <<END
name = "cluster";
configs = "tiny";
keys: { max_cycles = [10000000, 1000]; };
set = ["jitter=2"];
workloads = ["vecadd n=64", "racy ops=5"];
seeds = [1];
END
sweep() { # OPTION...
  "$HEDDLE" sweep "$tmp/s.cfg" --db "$tmp/r.db" --out "$tmp/sweep" "$@" >"$tmp/text" 2>"$tmp/err"
}
ended() {
  for i in $(seq 600); do
    [ -z "$(squeue -h)" ] && return
    sleep 0.2
  done
  squeue
  return 1
}
collected() { # good runs are in the database, failed ones are named
  sweep --collect
  [ $? = 1 ] && [ "$(sqlite3 "$tmp/r.db" 'SELECT count(*), count(DISTINCT run) FROM point')" = "3|3" ] &&
    [ "$(grep -c 'has not ended within max_cycles = 1000' "$tmp/err")" = 1 ] || { cat "$tmp/err"; return 1; }
}
# Points of a lab are tasks too: the curve is that of local processes.
lab() { # NAME OPTION...
  which=$1
  shift
  "$HEDDLE" lab outstanding --from 32 --to 96 --step 32 --db "$tmp/$which.db" --out "$tmp/$which" --json "$@" >"$tmp/$which.json" 2>"$tmp/$which.err"
}
labs() {
  lab here && lab there --slurm "$tmp/shared" && cmp "$tmp/here.json" "$tmp/there.json" || { cat "$tmp/there.err"; return 1; }
  cmp "$tmp/here/outstanding-fermi-mshr-unique-1.csv" "$tmp/there/outstanding-fermi-mshr-unique-1.csv" &&
    grep -q "^lab: 9 runs in 9 tasks of Slurm" "$tmp/there.err" && [ "$(ls "$tmp/shared/jobs" | grep -c 'slurm-.*_')" = 9 ] || return 1
  lab there --slurm "$tmp/shared" && ! grep -q tasks "$tmp/there.err"
}
# The next question of an inference depends on the answers before it: an array each time. All but the last two are there.
infers() {
  "$HEDDLE" lab infer --config kepler-prt --db "$tmp/i.db" --out "$tmp/here" >"$tmp/here.txt" &&
    sqlite3 "$tmp/i.db" "DELETE FROM point WHERE run IN (SELECT run FROM point ORDER BY run DESC LIMIT 2)" &&
    "$HEDDLE" lab infer --config kepler-prt --db "$tmp/i.db" --slurm "$tmp/shared" >"$tmp/there.txt" 2>"$tmp/err" &&
    [ "$(grep -c '1 runs in 1 tasks of Slurm' "$tmp/err")" = 2 ] && cmp "$tmp/here.txt" "$tmp/there.txt" || { cat "$tmp/err"; return 1; }
}
# The tasks of an array take their points by number from what is written down: nobody else may write there, here or as an array.
not_twice() {
  cp "$tmp/sweep/jobs/points" "$tmp/points" || return 1
  for how in --slurm "--jobs 1"; do
    # shellcheck disable=SC2086
    sweep $how
    [ $? = 2 ] && grep -q "Slurm still has tasks of array [0-9]*, .*(scancel [0-9]*)" "$tmp/err" && cmp "$tmp/points" "$tmp/sweep/jobs/points" ||
      { cat "$tmp/err"; return 1; }
  done
}
# seen: how far it is, whoever runs it
seen() {
  "$HEDDLE" sweep "$tmp/s.cfg" --db "$tmp/r.db" --out "$tmp/sweep" --watch 1 >"$tmp/watch"
  [ $? = 1 ] && tail -n 1 "$tmp/watch" | grep -q "^sweep: 3 of 4 runs, 1 failed, 0 running, 0 to come" || { cat "$tmp/watch"; return 1; }
}
if [ "$failed" = 0 ]; then
  check "points of a lab" labs
  check "an inference" infers
  scontrol update nodename="$host" state=drain reason=test
  check "submitted" sweep --slurm
  check "not twice, nor beside it" not_twice
  scontrol update nodename="$host" state=resume
  check "watched to its end" seen
  check "ended" ended
  check "collected" collected
  check "submitted again" sweep --slurm
  check "those that failed, alone" sh -c "[ \$(wc -w <'$tmp/sweep/slurm.tasks') = 1 ]"
  check "ended again" ended
  check "collected again" collected
fi
finish
