#!/bin/sh
# whatif.sh - writes the table of docs/results/whatif.md again: which parameter of the paper's machine (16 SMs) would have to
# differ for those claims of paper 1 to hold that do not (0.1, 0.7, 0.8, 0.10). A line is a machine, on which `heddle sweep` runs
# the 14 benchmarks of `heddle lab ordering --paper` under four orders, and some with write-through caches. Goes on where it was
# interrupted (build/whatif.db). JOBS: at once (default: processors). Half an hour on two cores.
set -eu
cd "$(dirname "$0")/.."
out=build/whatif
mkdir -p "$out"
most='"gemm size=full", "3mm size=full", "heartwall fenced=0 size=full", "b+tree fenced=0 size=full", "fdtd-2d size=full", "streamcluster size=full", "mvt size=full", "2dconv size=full", "hotspot size=full", "pathfinder size=full", "bfs size=full", "memcached size=full", "stn size=full", "dlb size=full"'
some='"gemm size=full", "heartwall fenced=0 size=full", "mvt row_steps=0 size=full"'
k=0

# part NAME FAMILY ORDERS WORKLOADS KEYS: appends lines "FAMILY,ORDER,WORKLOAD,CYCLES"
part() {
  printf 'name = "%s";\nconfigs = "paper1";\nset = [%s"l1=%s"];\nkeys: { order = [%s]; };\nworkloads = (%s);\n' "$1" "$5" "$2" "$3" "$4" >"$out/$1.cfg"
  build/heddle sweep "$out/$1.cfg" --db build/whatif.db --out "$out" --jobs "${JOBS:-$(nproc)}" >"$out/$1.txt"
  sed -n 's/"//g; s/^paper1 order=//p' "$out/$1.csv" | cut -d, -f1,2,4 | sed "s/^/$2,/" >>"$out/cycles"
}
# machine [KEY=VALUE]...: a line of the table
machine() {
  k=$((k + 1)) name=m$k keys=""
  for key in "$@"; do keys="$keys\"$key\", "; done
  : >"$out/cycles"
  part "$name-wb" mesi '"rmo", "tso", "sc", "type"' "$most" "$keys"
  part "$name-mvt" mesi '"rmo", "sc"' '"mvt row_steps=0 size=full"' "$keys"
  part "$name-wt" vi '"rmo", "sc"' "$some" "$keys"
  awk -F, -v what="${*:-as it is}" '
    { t[$1, $2, $3] = $4; if ($1 == "mesi" && !($3 in work) && $3 !~ /row_steps/) work[$3] = ++n }
    function over(family, order, w) { return t[family, order, w] / t[family, "rmo", w] }
    function mean(order, w, s) { for (w in work) s += log(over("mesi", order, w)); return exp(s / n) }
    function near(order, w, k) { for (w in work) k += over("mesi", order, w) <= 1.1; return k + 0 }
    END {
      g = "gemm size=full"; h = "heartwall fenced=0 size=full"; b = "b+tree fenced=0 size=full"; a = "mvt row_steps=0 size=full"
      printf "%-62s  %2d %.2f  %2d %.2f   %.2f %.2f %.2f %.2f   %.2f %.2f   %.2f  %.2f %.2f  %.2f %.2f  %.2f %.2f\n", what, near("sc"), mean("sc"), near("tso"),
        mean("tso"), mean("type"), over("mesi", "type", g), over("mesi", "type", "3mm size=full"), over("mesi", "type", h), over("mesi", "sc", b),
        over("mesi", "type", b), t["vi", "rmo", g] / t["mesi", "rmo", g], over("mesi", "sc", g), over("vi", "sc", g),
        over("mesi", "sc", h), over("vi", "sc", h), over("mesi", "sc", a), over("vi", "sc", a)
    }' "$out/cycles"
}
{
  printf '%-62s  %-7s  %-7s   %-19s   %-9s   %s\n' '' '0.1: SC' 'TSO' '0.7: type' 0.8:b+tree '0.10: gemm, SC over RMO of'
  printf '%-62s  %-7s  %-7s   %-19s   %-9s   %s\n' machine ' n mean' ' n mean' 'mean gemm 3mm  heart' '  SC type' 'gemm  gemm       heartwall  mvt A'"'"
  machine
  machine lat_sm_xbar=38 lat_xbar_l2=38 lat_l2_xbar=38 lat_xbar_sm=38
  machine dram_latency=28
  machine dram_bytes_per_cycle=64
  machine clk_ratio=1
  machine l1_sets=128
  machine l1_sets=256
  machine warps=24
  machine scheduler=lrr
  machine scoreboard=8 wait_queue=16 unsafe_queue=16 type_entries=128
  machine l2_sets=512
  machine l1_sets=256 wait_queue=16 type_entries=128 sector_bytes=65536
  machine l1_sets=256 scheduler=lrr
} >"$out/table"
sh docs/fill.sh docs/results/whatif.md table "$out/table"
