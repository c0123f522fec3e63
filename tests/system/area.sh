#!/bin/sh
# area.sh - the cost report: figures of small modules hold together, what vanishes is named, nothing is synthesized
# twice, bad input is refused. Modules are planted in a copy of the RTL's small ones.
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
planted block 'always_ff @(posedge clk_i) if (data_i[0]) data_o <= 8'"'"'d0; else begin : change
  logic [7:0] next; next = ~data_i; data_o <= next; end'
planted pointers 'logic at_q [0:3]; assign data_o = {8{at_q[data_i[1:0]]}};
  always_ff @(posedge clk_i) if (data_i[7]) for (int i = 0; i < 4; i++) at_q[i] <= 1'"'b0"';
    else at_q[data_i[3:2]] <= at_q[data_i[1:0]] ^ at_q[data_i[1:0]];'
planted child 'logic [7:0] lost; assign data_o = data_i;
  hd_plain u_lost (.clk_i(clk_i), .data_i(data_i), .data_o(lost));'
planted wrong 'assign data_o = data_i +;'
planted parent 'hd_plain u_a (.clk_i(clk_i), .data_i(data_i), .data_o(data_o));'
planted array 'logic [63:0] word; assign data_o = word[7:0];
  hd_regfile #(.Width(64), .Depth(16)) u_mem (.clk_i(clk_i), .we_i(data_i[7]), .waddr_i(data_i[3:0]),
    .wmask_i(1'"'b1"'), .wdata_i({8{data_i}}), .raddr_i(data_i[3:0]), .rdata_o(word));'

# 8 flip-flops of 96 um2, NAND2 of 24: 32 equivalents and nothing else
registers() {
  "$HEDDLE" area --csv plain >"$tmp/csv" 2>/dev/null || return 1
  cat "$tmp/csv"
  [ "$(column 2 "$tmp/csv" hd_plain)" = 32 ] && [ "$(column 5 "$tmp/csv" hd_plain)" = 8 ] && [ -z "$(column 12 "$tmp/csv" hd_plain)" ]
}
check "8 registers cost 8 flip-flops" registers

sums() {
  "$HEDDLE" area --json store_data_array,Stores=4,Cas=2,DataW=32,CmpW=32 >"$tmp/json" || return 1
  # own and total of the parent, then of each module below it, in this order; each child occurs once
  awk '/"nand2"/ { v[++n] = $2 + 0 }
    END {
      sum = v[1]
      for (i = 4; i <= n; i += 2) sum += v[i]
      print n, v[2], sum
      exit !(n >= 4 && sum - v[2] < 3 && v[2] - sum < 3)
    }' "$tmp/json"
}
check "a module is its own cells and its children" sums

kept() {
  "$HEDDLE" area --csv fifo freelist >"$tmp/csv" || return 1
  cat "$tmp/csv"
  for m in hd_fifo hd_freelist; do
    [ "$(column 10 "$tmp/csv" $m)" -gt 0 ] || return 1
    [ "$(column 10 "$tmp/csv" $m)" = "$(column 11 "$tmp/csv" $m)" ] || return 1
  done
}
check "every declared bit is kept" kept

# Registers in a generate loop, eight of them, and a variable of a block, which is none.
planted loop "for (genvar b = 0; b < 8; b++) begin : g_bit
    logic part_q;
    always_ff @(posedge clk_i) part_q <= data_i[b];
    assign data_o[b] = part_q;
  end"
in_a_loop() {
  "$HEDDLE" area --csv loop >"$tmp/csv" || return 1
  cat "$tmp/csv"
  [ "$(column 10 "$tmp/csv" hd_loop)" = 8 ] && [ "$(column 11 "$tmp/csv" hd_loop)" = 8 ]
}
check "registers of a generate loop are counted" in_a_loop

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
constant() {
  "$HEDDLE" area --csv pointers >"$tmp/csv" || return 1
  cat "$tmp/csv"
  [ "$(column 10 "$tmp/csv" hd_pointers)" = 4 ] && [ "$(column 11 "$tmp/csv" hd_pointers)" = 0 ]
}
check "a variable of a block is no register" "$HEDDLE" area block
check "one-bit words that are always 0 have not vanished" constant

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
# moved NAND2 COUNT: so many modules have moved since a page on which hd_plain had NAND2 equivalents
moved() {
  printf '# A page\n\n| `hd_plain` | %s | 8 |\n| `hd_other` | 10 | 1 |\n' "$1" >"$tmp/page.md"
  "$HEDDLE" area --against "$tmp/page.md" plain >/dev/null 2>"$tmp/err" || return 1
  cat "$tmp/err"
  [ "$(grep -c '^area: hd_plain: .* NAND2 equivalents, was' "$tmp/err")" = "$2" ] || return 1
  grep -q "^area: $2 modules moved" "$tmp/err"
}
check "an area that has moved by 9 % is listed" moved 34 1
check "an area that has moved by 3 % is not" moved 36 0
check "no page to compare with" refused "/nonexistent.md: No such file" area --against /nonexistent.md plain
fpga() {
  "$HEDDLE" area --fpga plain >"$tmp/out" || return 1
  cat "$tmp/out"
  awk '/^hd_plain/ && $3 == 8 { found = 1 } END { exit !found }' "$tmp/out"
}
check "8 registers on an FPGA" fpga

# Memories of the rule of docs/area.md against synth_ecp5, which reads hd_sram.sv: a mask in lanes of 32, one of 10, a
# single block, LUT RAM. Blocks, LUT RAMs and flip-flops are the same, LUT4s within 20 %.
cat >"$rtl/common/hd_shapes.sv" <<'END'
// hd_shapes.sv - planted by the test.
`default_nettype none
module hd_shapes (
  input  logic         clk_i,
  input  logic [3:0]   we_i,
  input  logic [2:0]   re_i,
  input  logic [29:0]  waddr_i,
  input  logic [29:0]  raddr_i,
  input  logic [5:0]   mask_i,
  input  logic [148:0] data_i,
  output logic [148:0] data_o
);
  hd_sram_1r1w #(.Width(64), .Depth(256), .Gran(32)) u_lanes (
    .clk_i(clk_i), .we_i(we_i[0]), .waddr_i(waddr_i[7:0]), .wmask_i(mask_i[1:0]), .wdata_i(data_i[63:0]),
    .re_i(re_i[0]), .raddr_i(raddr_i[7:0]), .rdata_o(data_o[63:0]));
  hd_sram_1r1w #(.Width(36), .Depth(512)) u_block (
    .clk_i(clk_i), .we_i(we_i[1]), .waddr_i(waddr_i[16:8]), .wmask_i(1'b1), .wdata_i(data_i[99:64]),
    .re_i(re_i[1]), .raddr_i(raddr_i[16:8]), .rdata_o(data_o[99:64]));
  hd_sram_1r1w #(.Width(9), .Depth(128)) u_small (
    .clk_i(clk_i), .we_i(we_i[2]), .waddr_i(waddr_i[23:17]), .wmask_i(1'b1), .wdata_i(data_i[108:100]),
    .re_i(re_i[2]), .raddr_i(raddr_i[23:17]), .rdata_o(data_o[108:100]));
  hd_regfile #(.Width(40), .Depth(64), .Gran(10)) u_file (
    .clk_i(clk_i), .we_i(we_i[3]), .waddr_i(waddr_i[29:24]), .wmask_i(mask_i[5:2]), .wdata_i(data_i[148:109]),
    .raddr_i(raddr_i[29:24]), .rdata_o(data_o[148:109]));
endmodule
`default_nettype wire
END
memories() {
  yosys -q -p "
    read_verilog -sv -I$rtl/pkg $rtl/pkg/hd_pkg.sv $rtl/common/hd_sram.sv $rtl/common/hd_shapes.sv
    synth_ecp5 -top hd_shapes
    tee -q -o $tmp/stat stat -top hd_shapes" >/dev/null || return 1
  awk '/^ +(DP16KD|TRELLIS_DPR16X4|TRELLIS_FF|LUT4) / { print $1, $2 }' "$tmp/stat" | sort >"$tmp/synthesized"
  "$HEDDLE" area --fpga --json shapes 2>/dev/null | awk -F'"' '/"total"/ { on = 1 }
    on && $2 ~ /^(DP16KD|TRELLIS_DPR16X4|TRELLIS_FF|LUT4)$/ { print $2, $3 }
    on && /}/ { exit }' | tr -d ':,' | sort >"$tmp/rule"
  paste -d' ' "$tmp/rule" "$tmp/synthesized"
  paste -d' ' "$tmp/rule" "$tmp/synthesized" | awk '$1 == "LUT4" { good += $2 < 1.2 * $4 && $2 > 0.8 * $4; next }
    { good += $2 == $4 }
    END { exit good != 4 }'
}
check "memories on an FPGA are those of synth_ecp5" memories
picture() {
  "$HEDDLE" area --svg "$tmp/map.svg" fifo >/dev/null || return 1
  [ "$(tail -n 1 "$tmp/map.svg")" = "</svg>" ] && grep -q '<rect' "$tmp/map.svg"
}
check "the treemap" picture

check "two forms" refused "one of them" area --csv --json plain
check "unknown module" refused "unknown module 'hd_nosuch'" area nosuch
check "not a name" refused "not the name of a module" area 'x;y'
check "Yosys fails: module, log, error" refused "area: hd_wrong: Yosys (elaboration) failed, log" area wrong
# with NAME=VALUE TEXT ARGUMENT...: refused with an environment
with() {
  env "$1" HEDDLE="$HEDDLE" sh -c '. tests/system/lib.sh; refused "$@"' - "$2" area "$3" "$4"
}
check "no cells" with OSU018=/nonexistent "no /nonexistent/osu018_stdcells.lef" --timing plain
# Every command but sta; then an sta that reports an error, as OpenSTA does: and still ends with 0.
mkdir "$tmp/bin"
for folder in /usr/local/bin /usr/bin /bin; do ln -s "$folder"/* "$tmp/bin/" 2>/dev/null; done
rm -f "$tmp/bin/sta"
check "no OpenSTA" with PATH="$tmp/bin" "no sta: OpenSTA is in the Debian package opensta" --timing plain
printf '#!/bin/sh\necho "Error: /x.v line 1, syntax error"\n' >"$tmp/bin/sta"
chmod +x "$tmp/bin/sta"
check "OpenSTA fails: module, log, error" with PATH="$tmp/bin" "area: hd_plain: OpenSTA failed, log" --timing plain
check "an FPGA has no longest path" refused "--fpga goes with no other report than --json" area --fpga --timing plain
check "unknown option" refused "unknown option '--fast'" area --fast
check "settings with a module" refused "--config and --set are for tiles" area --set order=sc fifo

# What is not a cell of the library has no area, and must not be counted as none.
unmapped() {
  printf 'cell (INVX1) {\n  area : 16;\n}\n' >"$tmp/cells.lib"
  printf 'module \\hd_x\n  cell %s %s\n    connect \\A \\a\n  end\nend\n' "$1" '$1' >"$tmp/x.il"
  awk -v top=hd_x -f synth/area_map.awk "$tmp/cells.lib" "$tmp/x.il" "$tmp/x.il" >"$tmp/out"
}
not_mapped() { ! unmapped '$mux' && grep -q '^ERROR: cell mux is not of the library' "$tmp/out"; }
check "a mapped cell" unmapped '\INVX1'
check "a cell without area is an error" not_mapped

# The page to compare with is looked at before anything is mapped: nothing is mapped here, as the module is none.
: >"$tmp/empty.md"
check "--against, no file" refused "--against $tmp/none.md: No such file" area --against "$tmp/none.md" no_such_module
check "--against, no page" refused "--against $tmp/empty.md: expected rows of modules" area --against "$tmp/empty.md" no_such_module
check "--against, a folder" refused "--against $tmp: expected a file" area --against "$tmp" no_such_module

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
  "$HEDDLE" area --table "$tmp/table.cfg" --svg "$tmp/bars.svg" --energy "$tmp/rmo.json" "$tmp/sc.json" >"$tmp/out" ||
    return 1
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
check "a number beyond 64 bits" bad "bad.cfg:3: pj = 99999999999999999999: the number is too large" 's/100.0/99999999999999999999/'
check "no such run" refused "$tmp/none.json: cannot be read" area --table "$tmp/table.cfg" --energy "$tmp/none.json"
# Events of some machines only; those of the lab of paper 3 are the same.
filtered() {
  for l1 in vi gpu; do
    printf '{"workload": "gemm", "policy": {"order": "%s"}, "cycles": 100, "settings": {"l1": "%s", "nv_base": %s}, "counters": {"l1.hit": 10%s}}' \
      rmo $l1 "$([ $l1 = vi ] && echo 64 || echo 0)" "$([ $l1 = vi ] && echo ', "nvram.reads": 2')" >"$tmp/$l1.json"
  done
  printf 'events = ({ counter = "l1.hit"; component = "L1"; l1 = "vi"; pj = 10.0; source = "x"; },
    { counter = "l1.hit"; component = "L1"; l1 = "gpu"; pj = 20.0; source = "x"; },
    { counter = "nvram.reads"; component = "DRAM"; memory = "nvram"; pj = 50.0; source = "x"; });\n' >"$tmp/some.cfg"
  "$HEDDLE" area --table "$tmp/some.cfg" --energy "$tmp/vi.json" "$tmp/gpu.json" >"$tmp/out" || return 1
  cat "$tmp/out"
  grep -Eq '^gemm vi .* 0\.500 .* 0\.500 +1\.000 ' "$tmp/out" && grep -Eq '^gemm gpu .* 1\.000 .* 0\.000 +1\.000 ' "$tmp/out" &&
    grep -Eq '^l1.hit +L1 +10.0 +10 +-$' "$tmp/out" && grep -Eq '^l1.hit +L1 +20.0 +- +10$' "$tmp/out"
}
check "events of some machines only" filtered
check "memory of another name" bad 'dram: memory must be nvram' '2s/pj/memory = "dram"; pj/'
lab() { # energies that sw/lab/coherence.c counts by
  sed -n '/^static const struct hd_grid_term core/,/link.hops/p' sw/lab/coherence.c | grep -o '"[a-z0-9_]*[.][a-z0-9_]*", [0-9]*' | tr -d '",' >"$tmp/lab"
  cat "$tmp/lab"
  [ "$(wc -l <"$tmp/lab")" -gt 15 ] && while read -r counter pj; do
    grep -q "counter = \"$counter\"; component = .* pj = $pj.0;" configs/energy.cfg || { echo "$counter"; return 1; }
  done <"$tmp/lab"
}
check "energies of the lab of paper 3" lab
check "not a table" bad "bad.cfg:2: syntax error" '2s/;/,,/'
finish
