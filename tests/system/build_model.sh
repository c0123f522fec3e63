#!/bin/sh
# build_model.sh - the cache of model plug-ins: nothing is built twice, nothing stale or half built is ever used.
set -u
. tests/system/lib.sh
repo=$(pwd)
mkdir "$tmp/repo" "$tmp/repo/build"
cp -r Makefile rtl tb synth "$tmp/repo/"
mkdir -p "$repo/build/vrt"
ln -s "$repo/build/vrt" "$tmp/repo/build/vrt" # Verilator's run time, perhaps built long ago
build() { "$tmp/repo/tb/model/build_model.sh" "$@"; }
stamp() { stat -c '%i %Y' "$1/model.so"; }

builds_from_any_folder() { (cd "$tmp" && build m/fifo hd_fifo checked Width=8 Depth=3) && [ -f "$tmp/m/fifo/hd_fifo_dut.h" ]; }
same_inputs_build_nothing() {
  old=$(stamp "$tmp/m/fifo")
  build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=3 && [ "$old" = "$(stamp "$tmp/m/fifo")" ]
}
rebuilds_after() { # COMMAND...: changes something
  old=$(stamp "$tmp/m/fifo")
  "$@"
  build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=3 && [ "$old" != "$(stamp "$tmp/m/fifo")" ]
}
touch_source() { echo "// changed" >>"$tmp/repo/rtl/common/hd_fifo.sv"; }
other_parameters_rebuild() {
  old=$(stamp "$tmp/m/fifo")
  build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=4 && [ "$old" != "$(stamp "$tmp/m/fifo")" ] || return 1
  build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=3 && [ "$old" = "$(stamp "$tmp/m/fifo")" ]
}
unrelated_source_builds_nothing() {
  old=$(stamp "$tmp/m/fifo")
  echo "// changed" >>"$tmp/repo/rtl/common/hd_freelist.sv"
  build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=3 && [ "$old" = "$(stamp "$tmp/m/fifo")" ]
}
killed_build_leaves_nothing() {
  setsid "$tmp/repo/tb/model/build_model.sh" "$tmp/m/killed" hd_fifo checked Width=9 Depth=3 &
  pid=$!
  while [ ! -d "$tmp/m/killed.tmp" ]; do sleep 0.01; done
  sleep 0.2
  kill -9 "-$pid"
  wait "$pid"
  [ ! -e "$tmp/m/killed" ] && build "$tmp/m/killed" hd_fifo checked Width=9 Depth=3 && [ -f "$tmp/m/killed/model.so" ]
}
two_builders_make_one_model() {
  build "$tmp/m/two" hd_fifo checked Width=10 Depth=3 &
  one=$!
  build "$tmp/m/two" hd_fifo checked Width=10 Depth=3 && wait $one && [ -f "$tmp/m/two/model.so" ] && [ ! -e "$tmp/m/two.tmp" ]
}
failed_build_says_why() {
  if build "$tmp/m/bad" hd_fifo checked Width=8 Depth=3 NoSuch=1 2>"$tmp/err"; then return 1; fi
  grep -q NoSuch "$tmp/err" && [ ! -e "$tmp/m/bad" ]
}

moved_checkout_builds() {
  mkdir "$tmp/before" "$tmp/before/build"
  cp -r "$tmp/repo/rtl" "$tmp/repo/tb" "$tmp/repo/synth" "$tmp/before/"
  "$tmp/before/tb/model/build_model.sh" "$tmp/before/build/fifo" hd_fifo checked Width=8 Depth=3 &&
    mv "$tmp/before" "$tmp/after" &&
    "$tmp/after/tb/model/build_model.sh" "$tmp/after/build/fifo" hd_fifo checked Width=11 Depth=3
}

# A branch that changes the source, models built on both sides of the switch, and files that are only newer.
branch() { git -C "$tmp/repo" switch -q "$@"; }
commit() { git -C "$tmp/repo" add rtl && git -C "$tmp/repo" -c user.name=t -c user.email=t@t commit -qm "$1"; }
fifo() { build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=3; }
key_has_source() { grep -q "$(sha256sum <"$tmp/repo/rtl/common/hd_fifo.sv" | cut -d" " -f1)" "$tmp/m/fifo/key"; }
switched_branches_build_nothing() {
  git -C "$tmp/repo" init -q -b one && commit one && fifo && one=$(stamp "$tmp/m/fifo") || return 1
  branch -c two && sed -i "s/assign in_ready_o .*/assign in_ready_o = 1'b1;/" "$tmp/repo/rtl/common/hd_fifo.sv" &&
    commit two && branch one && fifo && [ "$one" = "$(stamp "$tmp/m/fifo")" ] || return 1 # nothing built on two
  branch two && fifo && two=$(stamp "$tmp/m/fifo") && [ "$one" != "$two" ] && key_has_source || return 1
  for i in 1 2; do
    branch one && fifo && [ "$one" = "$(stamp "$tmp/m/fifo")" ] && key_has_source || return 1
    branch two && fifo && [ "$two" = "$(stamp "$tmp/m/fifo")" ] && key_has_source || return 1
  done
  branch one && fifo
}
newer_files_build_nothing() {
  old=$(stamp "$tmp/m/fifo")
  find "$tmp/repo/rtl" "$tmp/repo/tb" "$tmp/repo/synth" -type f -exec touch {} + && fifo && [ "$old" = "$(stamp "$tmp/m/fifo")" ]
}
old_date_is_no_excuse() { # a change that leaves size and date as they were
  date=$(stat -c %y "$tmp/repo/rtl/common/hd_fifo.sv")
  rebuilds_after sed -i "1s/fifo/FIFO/; 1s/FIFO/fifO/" "$tmp/repo/rtl/common/hd_fifo.sv" && key_has_source || return 1
  old=$(stamp "$tmp/m/fifo")
  sed -i "1s/fifO/fIFo/" "$tmp/repo/rtl/common/hd_fifo.sv" && touch -d "$date" "$tmp/repo/rtl/common/hd_fifo.sv"
  fifo && [ "$old" != "$(stamp "$tmp/m/fifo")" ] && key_has_source
}

# A tile has one trigger. The loop is behind a waiver: Verilator's own warning does not stop it.
tile() { # LINE...: in a module that is sound without them
  {
    cat <<'END'
// hd_t_tile.sv - a tile for this test
`default_nettype none
module hd_t_tile (
  input  logic clk_i, input logic other_i, input logic [3:0] data_i,
  output logic [3:0] data_o
);
  // verilator lint_off UNOPTFLAT
  logic [3:0] a, b, q;
  always_ff @(posedge clk_i) q <= a;
  assign data_o = q;
END
    printf '%s\n' "$@" endmodule
  } >"$tmp/repo/rtl/tiles/hd_t_tile.sv"
  build "$tmp/m/tile" hd_t_tile fast 2>"$tmp/err"
}
sound_tile() { tile "  assign a = data_i & b;" "  assign b = q;"; }
refused_tile() {
  if tile "$@"; then return 1; fi
  cat "$tmp/err"
  grep -q "Vhd_t_tile___024root.h:[0-9]*: *VlTriggerVec<2> .*: a tile may have one trigger" "$tmp/err"
}

check "builds from any folder" builds_from_any_folder
check "same inputs build nothing" same_inputs_build_nothing
check "a changed source rebuilds" rebuilds_after touch_source
check "other parameters rebuild, the first ones come back" other_parameters_rebuild
check "an unrelated source builds nothing" unrelated_source_builds_nothing
check "a killed build leaves nothing" killed_build_leaves_nothing
check "two builders make one model" two_builders_make_one_model
check "a failed build says why and leaves nothing" failed_build_says_why
check "a checkout that was moved builds" moved_checkout_builds
check "a switch of branches and back builds nothing" switched_branches_build_nothing
check "newer files build nothing" newer_files_build_nothing
check "a change behind an old date rebuilds" old_date_is_no_excuse
# Ends of the ranges of hd_keys.svh.
check "an SM of one warp" build "$tmp/m/one" hd_sm_tile dut Warps=1 Blocks=1
check "words of 16384 lines" build "$tmp/m/words" hd_l1_words dut Sets=1024 Ways=16
check "a dirty list for 16384 lines" build "$tmp/m/dirty" hd_dirty_list dut Rows=16384
check "a sound tile" sound_tile
check "a tile with a combinational loop" refused_tile "  assign a = data_i & b;" "  assign b = q[0] ? a : data_i;"
check "a tile with two clocks" refused_tile "  assign a = data_i & b;" "  always_ff @(posedge other_i) b <= data_i;"
finish
