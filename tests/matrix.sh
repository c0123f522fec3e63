#!/bin/sh
# matrix.sh [WORD...] - machines that hold every pair of values a legal machine can have of order, family, persistence,
# transactions, network, lanes and line, flit and table of pending requests: 24 of them, found by search. Each runs the open
# litmus suite, a random tester of its order, of transactions and of persist barriers where it has them, with all checks, on one
# and two threads. WORD...: only machines whose line holds all these words. RUNS: instances of a litmus test (20).
set -u
cd "$(dirname "$0")/.."
. tests/system/lib.sh
current
RUNS=${RUNS:-20}

# order, lanes, bytes of a line, family, persistence, transactions, network (or memory), bytes of a flit, pending
machines() {
  cat <<'END'
rmo    32 128 vi     fifo     tm xbar  32 mshr
rmo    64  64 vi     fifo     tm mesh  16 prt
rmo     8  32 mesi   off      -  fixed 32 prt
tso    32 128 mesi   off      -  fixed 32 mshr
tso    64  64 vi     fifo     tm xbar  32 mshr
tso     8  32 vi     fifo     -  mesh  16 prt
sc     32 128 vi     off      -  mesh  32 prt
sc     64  64 mesi   off      tm fixed 32 mshr
sc      8  32 vi     fifo     tm xbar  16 prt
tso-sb 32 128 vi     fifo     -  xbar  16 mshr
tso-sb 64  64 mesi   off      -  fixed 32 mshr
tso-sb  8  32 vi     off      -  mesh  32 mshr
sc-pf  32 128 mesi   off      -  fixed 32 mshr
sc-pf  64  64 vi     fifo     -  mesh  16 mshr
sc-pf   8  32 vi     off      -  xbar  16 mshr
type   32 128 vi     fifo     -  mesh  16 mshr
type   64  64 mesi   off      -  mesh  32 mshr
type    8  32 mesi   off      -  xbar  16 mshr
drf    64  64 gpu    off      -  xbar  16 mshr
hrf    64  64 denovo off      -  xbar  16 mshr
hrf    64  64 gpu    buffered -  mesh  16 mshr
drf     8  32 denovo off      tm mesh  32 mshr
hrf     8  32 gpu    buffered tm xbar  32 mshr
hrf     8  32 gpu    fifo     -  xbar  16 mshr
END
}

# run ARGUMENT...: with all checks, the same on one thread and on two (an ideal memory has one)
run() {
  json "$tmp/one" $set "$@" || return 1
  [ "$net" != fixed ] || return 0
  json "$tmp/two" $set --set threads=2 "$@" || return 1
  sed '/"threads"/d' "$tmp/one" >"$tmp/one.cut"
  sed '/"threads"/d' "$tmp/two" >"$tmp/two.cut"
  cmp "$tmp/one.cut" "$tmp/two.cut"
}
litmus() { "$HEDDLE" litmus --brief $set --runs "$RUNS" "$1"; }

one() {
  order=$1 l1=$4 persist=$5 tm=$6 net=$7
  set="--config wide64 --set order=$order --set l1=$l1 --set lanes=$2 --set line_bytes=$3 --set flit_bytes=$8 --set pending=$9
    --set persist=$persist --set ghost_bits=32"
  case $net in
    mesh) set="$set --set noc=mesh --set clk_ratio=1" ;;
    fixed) set="$set --set memory=fixed --set sms=1 --set clk_ratio=1" ;;
  esac
  [ "$persist" = off ] || set="$set --set nv_base=65536 --set nv_journal=true --set nv_order=random" # litmus needs room below
  [ "$tm" = - ] || set="$set --set local_tm=on --set tm_rows=64"
  if ! "$HEDDLE" run $set vecadd n=64 threads=64 >"$tmp/out" 2>"$tmp/err" && grep -q "must be" "$tmp/err"; then
    check "$line: refused" cat "$tmp/err" /nowhere
    return
  fi
  case $order in
    drf | hrf) check "$line: drf" run drf episodes=2 warps=2 ;;
    *) check "$line: racy" run racy ops=60 ;;
  esac
  check "$line: litmus" litmus tests/litmus/open
  if [ "$tm" != - ]; then
    check "$line: txracy" run txracy
    check "$line: litmus of transactions" litmus tests/litmus/tm
  fi
  if [ "$persist" != off ]; then
    check "$line: plog" run --set nv_base=16384 plog scope=1 rounds=8
    check "$line: litmus of power cuts" litmus tests/litmus/persist
  fi
  echo "done: $line"
}

machines >"$tmp/machines"
while read -r line; do
  for word in "$@"; do
    case " $line " in *" $word "*) ;; *) continue 2 ;; esac
  done
  # shellcheck disable=SC2086
  one $line </dev/null
done <"$tmp/machines"
finish
