#!/bin/sh
# build_model.sh - the cache of model plug-ins: nothing is built twice, nothing stale or half built is ever used.
set -u
. tests/system/lib.sh
repo=$(pwd)
mkdir "$tmp/repo" "$tmp/repo/build"
cp -r Makefile rtl tb synth "$tmp/repo/"
ln -s "$repo/build/vrt" "$tmp/repo/build/vrt" # Verilator's run time, built long ago
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
other_parameters() { build "$tmp/m/fifo" hd_fifo checked Width=8 Depth=4; }
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

check "builds from any folder" builds_from_any_folder
check "same inputs build nothing" same_inputs_build_nothing
check "a changed source rebuilds" rebuilds_after touch_source
check "other parameters rebuild" rebuilds_after other_parameters
check "an unrelated source builds nothing" unrelated_source_builds_nothing
check "a killed build leaves nothing" killed_build_leaves_nothing
check "two builders make one model" two_builders_make_one_model
check "a failed build says why and leaves nothing" failed_build_says_why
finish
