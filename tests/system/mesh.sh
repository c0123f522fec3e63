#!/bin/sh
# mesh.sh - SMs and L2 tiles at a 2x2 mesh (noc = mesh): MESI, write-through and type-aware machines with queues of 2
# flits of 16 bytes and jitter pass random programs, gemm and the open litmus tests with all checks; threads, windows, idle
# skipping and the flat chip change nothing; what does not fit is refused.
. tests/system/lib.sh
current

# Caches of 2 sets, few entries, 8 lanes.
mesh="--config tests/mutants/mutant.cfg --set noc=mesh --set sms=3 --set partitions=4 --set clk_ratio=1 \
  --set flit_bytes=16 --set queue_depth=2 --set lat_hop=3 --set lanes=8 --set warps=32"

# all_checks ARGUMENT...: a run of which every check there is has passed.
all_checks() {
  "$HEDDLE" run "$@" >"$tmp/text" 2>&1
  code=$?
  cat "$tmp/text"
  [ $code -eq 0 ] && grep -q 'checks  *7 of 7 passed' "$tmp/text"
}

while read -r machine options; do
  # shellcheck disable=SC2086
  for seed in 1 2; do
    check "racy, $machine, seed $seed" all_checks $mesh $options --seed $seed --set jitter_seed=$seed racy ops=50 lds=0
  done
  # shellcheck disable=SC2086
  check "gemm, $machine" all_checks $mesh $options gemm nk=3 block_rows=1
done <<'END'
mesi_rmo --set order=rmo
mesi_sc --set order=sc
vi_rmo --set l1=vi --set order=rmo
vi_tso --set l1=vi --set order=tso
type --set order=type
prt --set pending=prt --set order=tso
END
# shellcheck disable=SC2086
litmus() {
  "$HEDDLE" litmus $mesh --runs 12 --brief "$@" tests/litmus/open >"$tmp/text" 2>&1
  code=$?
  tail -n 3 "$tmp/text"
  [ $code -eq 0 ] && grep -q ', 0 forbidden$' "$tmp/text"
}
check "open litmus tests, MESI" litmus --orders rmo,sc
check "open litmus tests, write-through" litmus --set l1=vi --orders tso
check "open litmus tests, type-aware" litmus --orders type

# same CHANGE OPTION...: the run in $tmp/first again with the change: the same events at all ports and counters.
same() {
  change=$1
  shift
  # shellcheck disable=SC2086
  json "$tmp/other" --port-log "$tmp/other.ports" "$@" $change racy ops=40 lds=0 || return 1
  cmp "$tmp/first.ports" "$tmp/other.ports" || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  case $change in # links are inside of a flat chip
    *flat*) for f in one two; do sed -i '/"conservation":/d; /"link\./d; s/,$//' "$tmp/$f"; done ;;
  esac
  diff "$tmp/one" "$tmp/two"
}
first() {
  json "$tmp/first" --port-log "$tmp/first.ports" "$@" racy ops=40 lds=0 &&
    [ "$(number "$tmp/first.all" router_skipped)" -gt 0 ] && [ "$(number "$tmp/first.all" router.hop_flits)" -gt 0 ]
}
# shellcheck disable=SC2086
check "a run whose routers are skipped" first $mesh --set order=sc
for change in "threads=2" "threads=4 --set thread_seed=3" "skip_idle=false" "window=1"; do
  # shellcheck disable=SC2086
  check "$change" same "--set $change" $mesh --set order=sc
done
# shellcheck disable=SC2086
check "a run without jitter" first $mesh --set jitter=0 --set order=tso
# shellcheck disable=SC2086
check "flat" same "--set flat=true" $mesh --set jitter=0 --set order=tso

# Meshes of other shapes: what is left open is chosen, SMs beside a partition or without, links of inner columns.
for shape in "sms=2 partitions=1" "sms=4 partitions=2 mesh_y=1 lat_hop_inner=2"; do
  sets=""
  for s in $shape; do sets="$sets --set $s"; done
  # shellcheck disable=SC2086
  check "$shape" all_checks $mesh $sets racy ops=40 lds=0
done

# shellcheck disable=SC2086
refuses() { refused "$@"; }
check "clocks" refuses "clk_ratio = 2: must be 1 (noc = mesh" run --set noc=mesh --set clk_ratio=2 vecadd
check "ideal memory" refuses "noc = mesh: must be xbar (memory = fixed" run --config fermi-mshr --set noc=mesh vecadd
check "SMs" refuses "mesh_x = 2: must be more: 2 x 2 " run --config paper3-small --set sms=4 vecadd
check "partitions" refuses "mesh_y = 1: must be more: 64 x 1 " run --set noc=mesh --set clk_ratio=1 --set partitions=64 \
  --set mesh_y=1 vecadd
check "nodes" refuses "1..128" run --set sms=129 --set noc=mesh vecadd
finish
