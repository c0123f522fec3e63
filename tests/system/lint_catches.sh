#!/bin/sh
# lint_catches.sh - the lint itself is tested: a sound tile passes, and each planted fault is refused by the check that
# must find it. A fault is a sed command on the sound tile.
set -u
. tests/system/lib.sh
rtl=$tmp/rtl
mkdir -p "$rtl/common" "$rtl/tiles"
cp -r rtl/pkg "$rtl/"
cp rtl/common/hd_sram.sv "$rtl/common/"
cat >"$tmp/sound.sv" <<'END'
// hd_t_tile.sv - a tile for the test of the lint: memories of both kinds, every output registered.
`include "hd_assert.svh"
`default_nettype none
module hd_t_tile (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       we_i,
  input  logic [3:0] addr_i,
  input  logic [7:0] data_i,
  output logic [7:0] reg_o,
  output logic [7:0] ram_o
);
  logic [7:0] file_data, ram_data;
  logic       we_q;
  // line for faults

  hd_regfile #(.Width(8), .Depth(16)) u_file (
    .clk_i(clk_i), .we_i(we_i), .waddr_i(addr_i), .wmask_i(1'b1), .wdata_i(data_i),
    .raddr_i(addr_i), .rdata_o(file_data)
  );
  hd_sram_1r1w #(.Width(8), .Depth(16)) u_ram (
    .clk_i(clk_i), .we_i(we_q), .waddr_i(addr_i), .wmask_i(1'b1), .wdata_i(data_i),
    .re_i(we_i), .raddr_i(addr_i), .rdata_o(ram_data)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      reg_o <= '0;
      we_q  <= '0;
    end else begin
      reg_o <= file_data;
      we_q  <= we_i;
    end
  end
  assign ram_o = ram_data;

  `HD_ASSERT(a_sound, !(we_q && rst_i))
endmodule
`default_nettype wire
END

lint() { RTL=$rtl synth/lint.sh hd_t_tile; }
sound() { cp "$tmp/sound.sv" "$rtl/tiles/hd_t_tile.sv" && lint; }
folder=tiles
# refuses TEXT SED: the fault is there, lint fails, and its output holds TEXT
refuses() {
  sed "$2" "$tmp/sound.sv" >"$rtl/$folder/hd_t_tile.sv"
  if cmp -s "$tmp/sound.sv" "$rtl/$folder/hd_t_tile.sv"; then
    echo "this sed command changes nothing: $2"
    return 1
  fi
  if lint >"$tmp/out" 2>&1; then
    echo "lint accepted the fault"
    return 1
  fi
  grep -qF -- "$1" "$tmp/out" || { echo "no '$1' in:"; cat "$tmp/out"; return 1; }
}
# What the closing line says of combinational paths: of the tiles that were looked at, and of no other.
says_tile() { sound | grep -q '; no combinational path through: hd_t_tile$'; }
says_nothing_of_tiles() {
  sound >"$tmp/out" && RTL=$rtl synth/lint.sh hd_regfile >"$tmp/out" && ! grep "combinational" "$tmp/out" && grep "1 modules clean" "$tmp/out"
}
in_common() { # for a rule that holds in some folders
  rm "$rtl/tiles/hd_t_tile.sv"
  folder=common
  "$@"
  code=$?
  folder=tiles
  rm "$rtl/common/hd_t_tile.sv"
  return $code
}
path="or combinational path"
line="s|// line for faults"

check "a sound tile passes" sound
check "a tile is named as proved" says_tile
check "a tile nobody looked at is not" says_nothing_of_tiles
check "path through a gate" refuses "$path" 's/ram_o = ram_data/ram_o = ram_data \& {8{we_i}}/'
check "path through a wire" refuses "$path" 's/ram_o = ram_data/ram_o = we_q ? ram_data : data_i/'
check "path through a plain connection" refuses "$path" \
  's/ram_o = ram_data/ram_o = data_i/; s/\.rdata_o(ram_data)/.rdata_o()/; s/file_data, ram_data/file_data/'
check "path through a read address" refuses "$path" 's/ram_o = ram_data/ram_o = file_data ^ ram_data/'
check "clock as data" refuses "$path" 's/ram_o = ram_data/ram_o = ram_data ^ {8{clk_i}}/'
check "array of a struct" refuses "array of a struct" "$line|hd_pkg::head_s tbl [0:3];|"
check "dimension on a named type" refuses "dimension on a named type" "$line|hd_pkg::msg_e [3:0] tbl;|"
check "import" refuses "import: write" "$line|import hd_pkg::*;|"
check "inline waiver" refuses "inline waiver" "$line|/* verilator lint_off UNUSED */|"
check "wildcard connection" refuses "wildcard connection" "$line|hd_regfile u_x (.*);|"
check "constant without a width" refuses "constant without a width in a port" "$line|hd_regfile u_x (.clk_i('0));|"
check "connection without its signal" refuses "connection without its signal" 's/\.clk_i(clk_i), \.we_i(we_i)/.clk_i, .we_i(we_i)/'
check "connection without its signal, last of a line" refuses "connection without its signal" 's/\.wdata_i(data_i),$/.wdata_i(data_i), .rst_i,/'
# Sizes: a line with six connections counts as six.
six=$(printf '  hd_regfile u_%d (.clk_i(a), .we_i(b), .waddr_i(c), .wmask_i(d), .wdata_i(e), .rdata_o(f));\\n' $(seq 50))
inputs=$(printf '  input  logic p%d_i,\\n' $(seq 35))
check "too many lines, some of several connections" in_common refuses "code lines, more than 300" "$line|$six|"
check "too many ports" in_common refuses "42 ports, more than 40" "s|^  input  logic       clk_i,|&\n$inputs|"
check "initial block" refuses "initial or task" "$line|initial we_q = 1'b0;|"
check "misspelt signal" refuses "verilator -Wall" 's/we_q  <= we_i/we_q  <= we_in/'
check "unused signal" refuses "verilator -Wall" "$line|logic spare;|"
check "width mismatch" refuses "verilator -Wall" "s/reg_o <= file_data/reg_o <= file_data[6:0]/"
check "circle between blocks that are left whole" refuses "Circular combinational logic" \
  "$line|logic [7:0] one, two, three;\n  always_comb begin\n    one = reg_o;\n    if (we_q) three = two; else three = reg_o;\n  end\n  always_comb two = one ^ ram_data;|; s/ram_o = ram_data/ram_o = three/"
check "construct that Yosys does not take" refuses "Yosys gate" "$line|function automatic logic inv(input logic x); return !x; endfunction|"
check "no default_nettype" refuses "no \`default_nettype none" '/default_nettype none/d'
check "default_nettype not restored" refuses "last line is not" '/default_nettype wire/d'
check "no header" refuses "first line is not" 1d
check "another module in the file" refuses "one module, named as the file" 's/^`default_nettype wire/module hd_other; endmodule\n&/'
check "long line" refuses "more than 100 columns" "$line|// $(printf '%0100d' 0)|"
# What needs no tool but awk is looked at in the whole tree: make lint is no part of make test.
# shellcheck disable=SC2046
check "house rules in every file" synth/subset_check.sh $(find rtl -name '*.sv')
finish
