#!/bin/sh
# ranks.sh [REPEATS] - writes the results of docs/results/ranks.md and its figure again: two ranks against one thread and two
# threads, the large machines with all checks on one process and on 16 ranks, and a model of 16 hosts. Runs are interleaved; a
# quarter of an hour on two idle cores.
set -eu
cd "$(dirname "$0")/.."
repeats=${1:-5}
new=build/ranks.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new"
for tool in mpirun jq gnuplot; do command -v $tool >"$new/which" || { echo "ranks.sh: needs $tool" >&2; exit 2; }; done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
fast1="--config paper1 --set sms=128 --set partitions=64 gemm nk=8 pitch=4096 block_rows=2"
busy1="--config paper1 --set sms=128 --set partitions=64 hotspot"
fast3="--config paper3 --set coherence=dd --set sms=63 --set partitions=64 --set mesh_x=8 --set mesh_y=8 gemm nk=8 pitch=2048 block_rows=1"

# run FILE RANKS ARGUMENT...: its JSON, one line of what is used here: cycles, wall and processor seconds, and host's numbers of ranks
run() {
  file=$1 ranks=$2
  shift 2
  if [ "$ranks" = 1 ]; then set -- build/heddle run --json "$@"; else set -- mpirun -n "$ranks" build/heddle run --json "$@"; fi
  "$@" >"$new/json" 2>"$new/err" </dev/null || { cat "$new/err" >&2; exit 1; }
  jq -r '[.cycles, .host.wall_seconds,
    if .host.ranks then ([.host | .rank_tiles_us, .rank_post_us, .rank_wait_us, .rank_read_us, .rank_echo_us, .rank_control_us] | add / 1e6)
    else .host.cpu_seconds end,
    (.host | .rank_windows, .rank_messages, .rank_bytes, .rank_longest_us, .rank_post_us_most, .rank_read_us_most, .rank_echo_us_most,
      .rank_control_us_most, .rank_tiles_us, (.rank_wait_us // 0) / 1e6)] | map(. // 0) | join(" ")' "$new/json" >>"$file"
}
# column FILE N: "median least most" of a column
column() {
  cut -d' ' -f"$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { printf "%s %s %s", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2, v[1], v[NR] }'
}

# ---- two cores -------------------------------------------------------------------------------------------------------------

# Each line: scaling, machine, then the way and its arguments. Weak scaling: half the machine on one thread, the whole on two.
ways() {
  for m in "paper1 --config paper1 gemm nk=64" "paper3 --config paper3 --set coherence=gd gemm nk=16"; do
    name=${m%% *} what=${m#* }
    echo "strong $name thread 1 $what"
    echo "strong $name threads 1 --set threads=2 $what"
    echo "strong $name ranks 2 $what"
  done
  echo "weak paper1 half 1 --config paper1 --set sms=8 --set partitions=4 gemm nk=64"
  echo "weak paper3 half 1 --config paper3 --set coherence=gd --set sms=7 --set partitions=8 --set mesh_x=4 --set mesh_y=2 gemm nk=16"
}
for k in $(seq "$repeats"); do
  ways | while read -r scaling machine way ranks what; do
    # lists of words
    # shellcheck disable=SC2086
    run "$new/$scaling.$machine.$way" "$ranks" $what
  done
  echo "ranks.sh: $k of $repeats on two cores" >&2
done
{
  form='%-7s %-10s %9s  %-20s %11s  %-20s %11s %17s %9s %8s\n'
  # shellcheck disable=SC2059
  printf "$form" machine way cycles 'wall s (least, most)' 'ns a cycle' 'CPU s (least, most)' 'of it waits' 'rest, ns a cycle' messages bytes
  for f in strong.paper1.thread strong.paper1.threads strong.paper1.ranks weak.paper1.half strong.paper3.thread strong.paper3.threads \
    strong.paper3.ranks weak.paper3.half; do
    machine=${f#*.}
    case $f in *thread) way="1 thread" ;; *threads) way="2 threads" ;; *ranks) way="2 ranks" ;; *) way="half of it" ;; esac
    cycles=$(head -n 1 "$new/$f" | cut -d' ' -f1)
    # shellcheck disable=SC2046,SC2059
    printf "$form" "${machine%.*}" "$way" "$cycles" "$(printf '%.2f (%.2f, %.2f)' $(column "$new/$f" 2))" \
      "$(column "$new/$f" 2 | awk -v c="$cycles" '{ printf "%.0f", 1e9 * $1 / c }')" "$(printf '%.2f (%.2f, %.2f)' $(column "$new/$f" 3))" \
      "$(printf %.2f $(column "$new/$f" 13 | cut -d' ' -f1))" \
      "$(awk '{ print ($3 - $13) * 1e9 / $1 }' "$new/$f" | sort -n | awk '{ v[NR] = $1 } END { printf "%.0f", v[int((NR + 1) / 2)] }')" \
      $(head -n 1 "$new/$f" | awk '{ if ($4) printf "%.2f %.0f", $5 / $4, $6 / $4; else printf "- -" }')
  done
} >"$new/two"

# ---- large machines, checked ------------------------------------------------------------------------------------------------

large() { # NAME ARGUMENT...: one process and 16 ranks give the same; a line
  name=$1
  shift
  for ranks in 1 16; do
    run "$new/large" $ranks --set ghost_bits=32 "$@"
    jq 'del(.host)' "$new/json" >"$new/$ranks.json"
  done
  cmp "$new/1.json" "$new/16.json"
  jq -r '[.cycles, .warp_instructions, .judged, ([.checks[] | select(. == "pass")] | length)] | map(tostring) | join(" ")' "$new/1.json" |
    while read -r cycles instructions judged checks; do
      printf '%-22s %9s cycles %9s warp instructions %9s accesses judged, %s checks passed, %.1f CPU s; 16 ranks: the same\n' "$name" "$cycles" \
        "$instructions" "$judged" "$checks" "$(tail -n 2 "$new/large" | head -n 1 | cut -d' ' -f3)"
    done
}
{
  # shellcheck disable=SC2086
  large "128 SMs, 64 L2 tiles" $fast1
  # shellcheck disable=SC2086
  large "8x8 mesh, 63 SMs" $fast3
} >"$new/checked"

# ---- the model ----------------------------------------------------------------------------------------------------------------
#
# A window of R hosts takes: the tiles of the host that has most to do in it; writing, sending and reading messages, the
# warps of the other hosts' SMs, dispatcher and checks, each as of the rank that has most of it in the whole run; a network's
# latency; and R - 1 messages through one port.

for k in 1 2; do
  for ranks in 1 2 4 8 16; do
    # shellcheck disable=SC2086
    {
      run "$new/model.gemm 128 SMs.$ranks" $ranks $fast1
      run "$new/model.hotspot 128 SMs.$ranks" $ranks $busy1
      run "$new/model.gemm 8x8 mesh.$ranks" $ranks $fast3
    }
  done
  echo "ranks.sh: $k of 2 for the model" >&2
done
{
  echo "machine,hosts,windows,messages a window and rank,bytes a message,tiles us,post us,read us,echo us,control us,2 us network us,25 us network us,speed-up 2 us,speed-up 25 us"
  for m in "gemm 128 SMs" "hotspot 128 SMs" "gemm 8x8 mesh"; do
    windows=$(column "$new/model.$m.2" 4 | cut -d' ' -f1)
    alone=$(column "$new/model.$m.1" 3 | cut -d' ' -f1)
    for ranks in 1 2 4 8 16; do
      f=$new/model.$m.$ranks
      for c in 5 6 7 8 9 10 11; do column "$f" $c | cut -d' ' -f1; done | tr '\n' ' ' | awk -v m="$m" -v r=$ranks -v w="$windows" -v alone="$alone" '{
        one = 1e6 * alone / w
        if (r == 1) { printf "%s,1,%d,0,0,%.2f,0,0,0,0,0,0,1,1\n", m, w, one; next }
        messages = $1 / w / r; bytes = $2 / $1; work = ($3 + $4 + $5 + $6 + $7) / w
        near = 2 + (r - 1) * bytes / 12500; far = 25 + (r - 1) * bytes / 1250 # bytes a microsecond
        printf "%s,%d,%d,%.1f,%.0f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", m, r, w, messages, bytes, $3 / w, $4 / w, $5 / w, $6 / w,
          $7 / w, near, far, one / (work + near), one / (work + far)
      }'
    done
  done
} >"$new/ranks.csv"
cat >"$new/ranks.gp" <<'END'
set datafile separator comma
set border 3 lw 1 lc rgb '#444444'
set tics nomirror out
set grid y lc rgb '#dddddd' lw 1
set logscale xy 2
set xrange [0.9:18]
set xtics (1, 2, 4, 8, 16)
set xlabel 'hosts, a core each'
set ylabel 'times as fast as one thread'
set yrange [0.5:18]
set key top left samplen 2
set terminal svg size 1200,420 enhanced font 'DejaVu Sans,12' background rgb 'white'
set output 'ranks.svg'
set multiplot layout 1,3
do for [m in '"gemm 128 SMs" "hotspot 128 SMs" "gemm 8x8 mesh"'] {
  set title m.(m eq 'gemm 8x8 mesh' ? ', windows of 2 cycles' : ', windows of 32 cycles') font ',12'
  plot x with lines lc rgb '#888888' dt 2 lw 1.5 title 'ideal', \
    'ranks.csv' skip 1 using (strcol(1) eq m ? column(2) : NaN):13 with linespoints lc rgb '#0b5fa5' lw 2.5 pt 7 title 'model, 2 us, 100 Gb/s', \
    'ranks.csv' skip 1 using (strcol(1) eq m ? column(2) : NaN):14 with linespoints lc rgb '#c0561a' lw 2.5 pt 5 title 'model, 25 us, 10 Gb/s'
}
unset multiplot
END
(cd "$new" && gnuplot ranks.gp)
cp "$new/ranks.csv" "$new/ranks.svg" docs/results/
command column -s, -t "$new/ranks.csv" 2>"$new/err" >"$new/model" || cat "$new/ranks.csv" >"$new/model"
docs/fill.sh docs/results/ranks.md two "$new/two" checked "$new/checked" model "$new/model"
