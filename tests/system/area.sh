#!/bin/sh
# area.sh - the cost report: figures of small modules hold together, what vanishes is named, nothing is synthesized twice,
# bad input is refused. Modules are planted in a copy of the RTL's small ones.
. tests/system/lib.sh

rtl=$tmp/rtl
mkdir -p "$rtl"
cp -r rtl/pkg rtl/common "$rtl/"
cp rtl/order/hd_store_data_array.sv "$rtl/common/"
export RTL="$rtl" AREA="$tmp/area"
unset OSU018 2>/dev/null

# planted NAME BODY: a module with 8 bits in and out
planted() {
  cat >"$rtl/common/hd_$1.sv" <<END
// hd_$1.sv - planted by the test.
\`default_nettype none
module hd_$1 (
  input  logic       clk_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  $2
endmodule
\`default_nettype wire
END
}
# column N FILE MODULE: of a row of --csv
column() { awk -F'\t' -v n="$1" -v m="$3" '$1 == m { print $n }' "$2"; }

planted plain 'logic [7:0] held_q; always_ff @(posedge clk_i) held_q <= data_i; assign data_o = held_q;'
planted spare 'logic [7:0] spare_q; always_ff @(posedge clk_i) begin data_o <= data_i; spare_q <= ~data_i; end'
planted child 'logic [7:0] lost; hd_plain u_lost (.clk_i(clk_i), .data_i(data_i), .data_o(lost)); assign data_o = data_i;'
planted wrong 'assign data_o = data_i +;'
planted parent 'hd_plain u_a (.clk_i(clk_i), .data_i(data_i), .data_o(data_o));'
planted array 'logic [63:0] word; assign data_o = word[7:0];
  hd_regfile #(.Width(64), .Depth(16)) u_mem (.clk_i(clk_i), .we_i(data_i[7]), .waddr_i(data_i[3:0]), .wmask_i(1'"'b1"'),
    .wdata_i({8{data_i}}), .raddr_i(data_i[3:0]), .rdata_o(word));'

# 8 flip-flops of 96 um2, NAND2 of 24: 32 equivalents and nothing else
registers() {
  "$HEDDLE" area --csv plain >"$tmp/csv" 2>/dev/null || return 1
  cat "$tmp/csv"
  [ "$(column 2 "$tmp/csv" hd_plain)" = 32 ] && [ "$(column 5 "$tmp/csv" hd_plain)" = 8 ]
}
check "8 registers cost 8 flip-flops" registers

sums() {
  "$HEDDLE" area --json store_data_array,Stores=4,Cas=2,DataW=32,CmpW=32 >"$tmp/json" || return 1
  # own and total of the parent, then of each module below it, in this order; each child occurs once
  awk '/"nand2"/ { v[++n] = $2 + 0 }
    END { sum = v[1]; for (i = 4; i <= n; i += 2) sum += v[i]; print n, v[2], sum; exit !(n >= 4 && sum - v[2] < 3 && v[2] - sum < 3) }' \
    "$tmp/json"
}
check "a module is its own cells and its children" sums

kept() {
  "$HEDDLE" area --csv fifo freelist >"$tmp/csv" || return 1
  cat "$tmp/csv"
  for m in hd_fifo hd_freelist; do
    [ "$(column 10 "$tmp/csv" $m)" -gt 0 ] && [ "$(column 10 "$tmp/csv" $m)" = "$(column 11 "$tmp/csv" $m)" ] || return 1
  done
}
check "every declared bit is kept" kept

# The memory of paper 4's L1 FIFO by the formula of docs/area.md: 3470 um2 at 45 nm.
memory() {
  "$HEDDLE" area --csv array >"$tmp/csv" || return 1
  cat "$tmp/csv"
  [ "$(column 7 "$tmp/csv" hd_array)" = 1024 ] && [ "$(column 9 "$tmp/csv" hd_array)" -ge 3470 ] &&
    [ "$(column 9 "$tmp/csv" hd_array)" -le 3480 ]
}
check "a memory is counted by the model" memory

# vanishes TEXT MODULE: exit code 1 and TEXT on stderr
vanishes() {
  "$HEDDLE" area "$2" >"$tmp/out" 2>"$tmp/err"
  code=$?
  cat "$tmp/err"
  [ $code = 1 ] && grep -qF "$1" "$tmp/err"
}
check "a register that reaches nothing" vanishes "hd_spare: register spare_q (8 bits) vanished" spare
check "an instance that reaches nothing" vanishes "hd_child: instance u_lost vanished" child

# again N MODULE: exactly N modules are synthesized
again() {
  "$HEDDLE" area "$2" >"$tmp/out" 2>"$tmp/err" || return 1
  cat "$tmp/err"
  [ "$(grep -c '^area: ' "$tmp/err")" = "$1" ]
}
check "parent and child" again 1 parent
check "unchanged: nothing is synthesized" again 0 parent
sed -i 's/held_q <= data_i/held_q <= ~data_i/' "$rtl/common/hd_plain.sv"
check "a changed child: the parent is not synthesized again" again 1 parent

paths() {
  "$HEDDLE" area --timing fifo >"$tmp/out" || return 1
  cat "$tmp/out"
  grep -Eq '[0-9]\.[0-9]+ ns (rd_q|wr_q|count_q|[a-z_]+)(\[[0-9]+\])? -> ' "$tmp/out"
}
check "the longest path and its ends" paths
fpga() {
  "$HEDDLE" area --fpga plain >"$tmp/out" || return 1
  cat "$tmp/out"
  awk '/^hd_plain/ && $3 == 8 { found = 1 } END { exit !found }' "$tmp/out"
}
check "8 registers on an FPGA" fpga
picture() {
  "$HEDDLE" area --svg "$tmp/map.svg" fifo >/dev/null && [ "$(tail -n 1 "$tmp/map.svg")" = "</svg>" ] && grep -q '<rect' "$tmp/map.svg"
}
check "the treemap" picture

check "unknown module" refused "unknown module 'hd_nosuch'" area nosuch
check "not a name" refused "not the name of a module" area 'x;y'
check "Yosys fails: module, log, error" refused "area: hd_wrong: Yosys (elaboration) failed, log" area wrong
check "no cells" env OSU018=/nonexistent sh -c '. tests/system/lib.sh; refused "no /nonexistent/osu018_stdcells.lef" area plain'
check "unknown option" refused "unknown option '--fast'" area --fast
check "settings with a module" refused "--config and --set are for tiles" area --set order=sc fifo

# Energy: two runs as JSON, a table of two events.
for order in rmo sc; do
  cat >"$tmp/$order.json" <<END
{"workload": "gemm", "policy": {"order": "$order"}, "cycles": 100, "counters": {"l1.hit": 10, "dram.reads": $(
  [ $order = rmo ] && echo 1 || echo 3)}}
END
done
cat >"$tmp/table.cfg" <<'END'
events = (
  { counter = "l1.hit"; component = "L1"; pj = 10.0; source = "test"; },
  { counter = "dram.reads"; component = "DRAM"; pj = 100.0; source = "test"; }
);
END
energy() {
  "$HEDDLE" area --table "$tmp/table.cfg" --svg "$tmp/bars.svg" --energy "$tmp/rmo.json" "$tmp/sc.json" >"$tmp/out" || return 1
  cat "$tmp/out"
  grep -Eq '^gemm sc .* 0\.500 .* 1\.500 +2\.000 ' "$tmp/out" && [ "$(tail -n 1 "$tmp/bars.svg")" = "</svg>" ]
}
check "energy is counts times energies, the first run is 1" energy
# bad TEXT SED: the table after a sed command is refused
bad() {
  sed "$2" "$tmp/table.cfg" >"$tmp/bad.cfg"
  refused "$1" area --table "$tmp/bad.cfg" --energy "$tmp/rmo.json"
}
check "a negative energy" bad "bad.cfg:3: pj: must be a number" 's/100.0/-1.0/'
check "an unknown component" bad "bad.cfg:2: L0: must be one of" 's/"L1"/"L0"/'
check "an unknown key" bad "bad.cfg:2: watt: no key" 's/pj = 10.0/watt = "x"/'
check "no source" bad "bad.cfg:3: event: needs counter" '3s/ source = "test";//'
check "a counter that no run has" bad "bad.cfg:2: l1.hitt: the run has no such counter" 's/l1.hit/l1.hitt/'
check "not a table" bad "bad.cfg:2: syntax error" '2s/;/,,/'
finish
