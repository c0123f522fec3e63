#!/bin/sh
# area_pending.sh - what outstanding requests cost: hd_mshr_table against hd_pending_request_table over their entries.
#
# `heddle area` (NAND2 equivalents of logic and flip-flops, flip-flops, memory bits) for 8 to 256 entries, everything
# else alike: 32 lanes, lines of 32 words, data of 128 stores and 16 compare-and-swaps. An MSHR has one waiting access
# here, the least it can have; more targets cost more. An entry of the pending request table holds up to 32 requests.
# Writes docs/results/area_pending.md and .svg. The MSHRs for as many requests as 44 entries hold (1408, paper 2 section 5.2)
# are more than a transaction id can name, so they are taken from the straight line through 8 and 256 entries; how far
# 128 entries, counted, are from that line is printed too.
set -eu
cd "$(dirname "$0")/.."
sizes="8 16 32 45 64 128 256"
work=build/area
mkdir -p $work

mshrs="" prts=""
for n in $sizes; do
  mshrs="$mshrs hd_mshr_table,Entries=$n,Targets=$n"
  prts="$prts hd_pending_request_table,Entries=$n"
done
# shellcheck disable=SC2086
build/heddle area --csv $mshrs $prts hd_pending_request_table,Entries=44 >$work/pending.csv

# kind entries requests logic flops memory
awk -F'\t' 'NR > 1 {
  kind = $1 ~ /mshr/ ? "mshr" : "prt"
  n = $1; sub(/.*Entries=/, "", n); sub(/,.*/, "", n)
  print kind, n, kind == "mshr" ? n : 32 * n, $2, $5, $6 + $7
}' $work/pending.csv | sort -k1,1 -k2,2n >$work/pending.txt

awk '
  $1 == "mshr" { for (f = 4; f <= 6; f++) m[$2, f] = $f }
  $1 == "prt" && $2 == 44 { for (f = 4; f <= 6; f++) p[f] = $f }
  function line(n, f) { return m[8, f] + (m[256, f] - m[8, f]) * (n - 8) / 248 }
  function commas(x,   s) {
    s = sprintf("%.0f", x)
    while (match(s, /[0-9][0-9][0-9][0-9]($|,)/)) s = substr(s, 1, RSTART) "," substr(s, RSTART + 1)
    return s
  }
  BEGIN { name[4] = "NAND2 equivalents"; name[5] = "flip-flops"; name[6] = "memory bits" }
  {
    rows[NR] = sprintf("| %s | %d | %s | %s | %s | %s |", $1 == "mshr" ? "MSHR" : "PRT", $2, commas($3), commas($4),
                       commas($5), commas($6))
  }
  END {
    print "# What outstanding requests cost\n"
    print "Made by `synth/area_pending.sh`, whose header says what is counted; cells as in `synth/area.md`."
    print "Data of waiting stores (128 lines, 16 compare operands) are part of both tables and the same in both.\n" \
      "In an MSHR an access that waits keeps 7 bits of memory more (scope, order, space), which no L1 with this table reads.\n"
    print "## 1408 requests of one SM\n"
    print "Paper 2 section 5.2 reads 44 entries of 32 requests out of its K20.\n"
    printf "| | MSHR table, 1408 entries (straight line) | pending request table, 44 entries | MSHR / PRT |"
    print " line against 128 entries counted |"
    print "|---|---:|---:|---:|---:|"
    for (f = 4; f <= 6; f++)
      printf "| %s | %s | %s | %.1f | %+.1f %% |\n", name[f], commas(line(1408, f)), commas(p[f]), line(1408, f) / p[f],
             100 * (line(128, f) / m[128, f] - 1)
    print "\n![gates, flip-flops and memory against outstanding requests](area_pending.svg)\n"
    print "## All sizes\n"
    print "| table | entries | requests | NAND2 equivalents | flip-flops | memory bits |"
    print "|---|---:|---:|---:|---:|---:|"
    for (i = 1; i <= NR; i++) print rows[i]
  }' $work/pending.txt >$work/area_pending.md
mv $work/area_pending.md docs/results/area_pending.md

{
  echo table,entries,requests,nand2_equivalents,flip_flops,memory_bits
  sed -n 's/^| \(\(MSHR\|PRT\) |.*\) |$/\1/p' docs/results/area_pending.md | tr -d ', ' | tr '|' ,
} >docs/results/area_pending.csv

gnuplot <<END
set terminal svg size 1000,360 font "sans,13" background "white"
set output "docs/results/area_pending.svg"
set datafile separator ","
set multiplot layout 1,3
set logscale xy
set format y "10^{%T}"
set xlabel "outstanding requests"
set grid
set key bottom right
set xtics (8, 32, 128, "512" 512, "2048" 2048, "8192" 8192)
set xrange [6:11000]
set style data linespoints
do for [c = 4:6] {
  set ylabel (c == 4 ? "area (NAND2 equivalents)" : c == 5 ? "storage (flip-flops)" : "storage (memory bits)")
  plot "< grep ^MSHR, docs/results/area_pending.csv" using 3:c pt 7 lc rgb "#0072b2" title "MSHRs", \\
    "< grep ^PRT, docs/results/area_pending.csv" using 3:c pt 5 dt 2 lc rgb "#d55e00" title "pending request table"
}
unset multiplot
END
sed -n '/^## 1408/,/^!/p' docs/results/area_pending.md
