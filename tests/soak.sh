#!/bin/sh
# soak.sh [HOURS [DATABASE]] - the random testers of `heddle stress` over random machines of every kind for HOURS (8; 0.1 is
# allowed), on all processors, a seed each. Each run is a row of DATABASE (build/soak.db): started again, it goes on behind the
# last. The first run that fails ends it: the smallest command found that repeats it is printed, exit code 1. DRAWN=N: on N machines
# a seed that are drawn at random (heddle stress --drawn).
set -u
cd "$(dirname "$0")/.."
HEDDLE=${HEDDLE:-build/heddle}
seconds=$(awk -v h="${1:-8}" 'BEGIN { s = int(3600 * h); print((h ~ /^[0-9.]+$/ && s >= 1) ? s : 0) }')
[ "$seconds" -gt 0 ] || { echo "soak.sh: HOURS = $1: must be a number above 0" >&2; exit 2; }
db=${2:-build/soak.db}
out=build/soak.$$
pids=""
stop() { # shellcheck disable=SC2086
  kill $pids 2>/dev/null
}
trap 'stop; wait; rm -f "$out".*' EXIT
trap 'exit 130' INT TERM
jobs=${JOBS:-$(nproc)}
for seed in $(seq "$jobs"); do
  "$HEDDLE" stress --seconds "$seconds" --seed "$seed" --db "$db" ${DRAWN:+--drawn "$DRAWN"} >"$out.$seed" 2>"$out.$seed.err" &
  pids="$pids $!"
done
# The first that fails ends all.
code=0 ended=" "
while [ $code = 0 ] && [ "$(echo "$ended" | wc -w)" -lt "$jobs" ]; do
  sleep 1
  seed=0
  for pid in $pids; do
    seed=$((seed + 1))
    case $ended in *" $pid "*) continue ;; esac
    ! kill -0 "$pid" 2>/dev/null || continue
    ended="$ended$pid "
    wait "$pid" || { code=$?; break; }
  done
done
if [ $code != 0 ]; then
  echo "soak.sh: seed $seed failed" >&2
  cat "$out.$seed.err" >&2
  exit $code
fi
for seed in $(seq "$jobs"); do grep '^in .*, with earlier ones' "$out.$seed"; done | awk '{ print; n += $(NF - 2) }
  END { printf "%.2f million operations checked, no fault\n", n / 1e6 }'
