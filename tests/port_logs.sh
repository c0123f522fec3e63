#!/bin/sh
# port_logs.sh OUT [WORD...] - what happens at the C ports of every legal machine, one line each in OUT: the witness that a
# change of the RTL or of tb/ moves nothing. Run it on the commit before and on the one after, each in its own clone, and
# compare: `diff BEFORE AFTER` prints nothing.
#
# Machines: nine configurations x six orders x MESI, VI x MSHR, PRT x ghosts 0, 32 x composed, flat. The command refuses
# the illegal ones (line: refused). Flat chips have no jitter and, so that they build in a minute, two SMs and a partition;
# the same machine runs composed too. Each line: the machine, cycles and events of its runs, their checksum.
# WORD...: only lines that hold all these words (e.g. tiny vi flat). HD_OPT=-O0 builds models much faster.
# A line that is in OUT already is not run again.
set -u
cd "$(dirname "$0")/.."
HEDDLE=${HEDDLE:-build/heddle}
out=$1
shift
option=--port-log
{ "$HEDDLE" --help; "$HEDDLE" run --help; } 2>&1 | grep -q -e --port-log || option=--trace
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
touch "$out"

# machine TAG OPTION...: one line.
machine() {
  name=$1
  shift
  for word in $words; do
    case " $name " in *" $word "*) ;; *) return ;; esac
  done
  ! grep -q "^$name:" "$out" || return
  racy="ops=$ops lines=12 barriers=13"
  case $name in *"ghosts 32"*) racy="$racy lds=0" ;; esac # words of the LDS that no store has written are random there
  : >"$tmp/log"
  gemm="gemm nk=3 block_rows=1" histogram="histogram blocks=4 items=2"
  case $name in litmus*) gemm="--seed 2 racy $racy" histogram="vecadd n=500 threads=64" ;; esac # gemm needs more warps
  for program in "racy $racy" "$gemm" "$histogram"; do
    # shellcheck disable=SC2086
    "$HEDDLE" run "$@" $option "$tmp/one" $program >"$tmp/text" 2>"$tmp/err" || {
      code=$?
      if [ $code = 2 ] && grep -q "must be" "$tmp/err"; then
        echo "$name: refused" >>"$out"
      else
        echo "$name: exit $code: $(grep -v '^build\|^built' "$tmp/err" | head -n 1)" >>"$out"
      fi
      return
    }
    cat "$tmp/one" >>"$tmp/log"
    tail -n 1 "$tmp/one" | cut -d' ' -f1 >>"$tmp/cycles"
  done
  echo "$name: $(awk '{ s += $1 } END { print s }' "$tmp/cycles") cycles, $(wc -l <"$tmp/log") events," \
    "$(sha256sum <"$tmp/log" | cut -c 1-16)" >>"$out"
  rm -f "$tmp/cycles"
}

words=$*
for config in tiny min litmus paper1-small paper1 paper1-small-wt paper1-wt fermi-mshr kepler-prt; do
  case $config in paper1 | paper1-wt) ops=6 ;; fermi* | kepler*) ops=15 ;; *) ops=25 ;; esac
  for ghosts in 0 32; do
    for order in rmo tso sc tso-sb sc-pf type; do
      for l1 in mesi vi; do
        case "$config $l1" in *-wt\ mesi) continue ;; esac # as the configuration without -wt
        for pending in mshr prt; do
          set -- --config $config --set order=$order --set l1=$l1 --set pending=$pending --set ghost_bits=$ghosts
          tag="$config $order $l1 $pending ghosts $ghosts"
          machine "$tag composed" "$@"
          case $config in paper1* | litmus) set -- "$@" --set sms=2 --set partitions=1 --set jitter=0 ;; esac
          case $config in
            fermi* | kepler*) ;; # an ideal memory has no chip
            tiny | min) machine "$tag flat" "$@" --set flat=true ;;
            *)
              machine "$tag small" "$@"
              machine "$tag flat" "$@" --set flat=true
              ;;
          esac
        done
      done
    done
  done
done
if grep ': exit ' "$out"; then exit 1; fi
# A flat chip against the same machine composed.
sed -n 's/ flat: / /p' "$out" | while read -r a b c d e f result; do
  grep -qE "^$a $b $c $d $e $f (composed|small): $result$" "$out" || {
    grep -qE "^$a $b $c $d $e $f (composed|small):" "$out" && echo "$a $b $c $d $e $f: flat differs: $result"
  }
done >"$tmp/differ"
if grep . "$tmp/differ"; then exit 1; fi
awk -F'[: ,]+' '!/refused/ { for (i = 1; i <= NF; i++) if ($i == "cycles") c += $(i - 1); n++ } /refused/ { r++ }
  END { printf "%d machines, %.1f million cycles; %d combinations refused\n", n, c / 1e6, r }' "$out"
