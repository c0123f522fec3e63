#!/bin/sh
# smoke.sh - a slice of `make test` for use between commits, from a built tree in at most three minutes on 2 cores: unit
# tests of some modules (RTL only), the C tests, whole runs under every order, litmus tests with few instances, one
# composed machine against the flat one. Ends with "N passed, N failed"; exit 1 if anything failed.
set -u
. tests/system/lib.sh

modules="hd_fifo hd_link_rx hd_coalescer hd_scoreboard hd_issue hd_l1_mesi_table hd_dir_mesi hd_dir_vi hd_l2_perform hd_mob hd_xbar_alloc"

# part NAME COMMAND...: a test that ends with a line of counts of its own
part() {
  name=$1
  shift
  "$@" >"$tmp/part" 2>&1
  code=$?
  counts=$(tail -n 1 "$tmp/part" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
  [ -n "$counts" ] || counts="0 1"
  passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
  [ $code = 0 ] || [ "${counts#* }" != 0 ] || failed=$((failed + 1))
  [ $code = 0 ] || { echo "FAILED: $name: $*"; tail -n 40 "$tmp/part"; }
  echo "$name: ${counts% *} passed, ${counts#* } failed"
}

# shellcheck disable=SC2086
part "unit tests, RTL" env KINDS=rtl tests/unit/run_unit.sh $modules
part "C tests" tests/system/c.sh
for order in rmo tso sc tso-sb sc-pf type; do
  check "gemm, $order" "$HEDDLE" run --config tiny --set order=$order gemm nk=3 block_rows=1
  check "racy with ghosts and assertions, $order" "$HEDDLE" run --config tiny --set order=$order --set ghost_bits=32 racy ops=200
done
check "racy, write-through" "$HEDDLE" run --config tiny --set l1=vi --set ghost_bits=32 racy ops=200
check "racy, pending request table" "$HEDDLE" run --config tiny --set pending=prt --set ghost_bits=32 racy ops=200
check "litmus" "$HEDDLE" litmus --orders rmo,tso,sc --runs 30 tests/litmus/open
part "composed and flat" tests/system/flat.sh smoke
finish
