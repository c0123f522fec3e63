#!/bin/sh
# lint.sh [MODULE...] - every static check of the RTL, all modules without arguments:
#   verilator -Wall with the waivers of waivers.vlt only; the Yosys gate (gate.sh); the house rules (subset_check.sh);
#   for every module in rtl/tiles the proof that no combinational path leads from an input to an output, and that its always
#   blocks form no circle when they are left whole, as models have them (build_model.sh).
# RTL: the source folder, default rtl. Prints findings and a closing line; exit 1 on any finding.
set -eu
rtl=$(cd "${RTL:-$(dirname "$0")/../rtl}" && pwd)
# Paths in the top folder are relative to it: its own may hold blanks.
cd "$(dirname "$0")/.."
rtl=${rtl#"$PWD/"}
export RTL="$rtl"
. tb/model/malloc.sh

modules_of() { find "$@" -name 'hd_*.sv' -exec sed -n 's/^module \(hd_[a-z0-9_]*\).*/\1/p' {} + | LC_ALL=C sort; }

# lint_tile TILE WHAT ARGUMENT...: one set of parameters; needs $folder and $needed
lint_tile() {
  tile=$1 what=$2
  shift 2
  # shellcheck disable=SC2086
  with_jemalloc verilator --cc -Wall --unroll-count 1024 -fno-split --Mdir "$folder" --top-module "$tile" "$@" synth/waivers.vlt -I"$rtl/pkg" \
    "$rtl/pkg/hd_pkg.sv" $needed || { echo "lint: $tile: verilator -Wall, $what"; ok=1; }
}

lint_module() {
  files=$(find "$rtl" -name 'hd_*.sv' ! -path "$rtl/pkg/*" | LC_ALL=C sort)
  # shellcheck disable=SC2086
  needed=$(awk -v top="$1" -f tb/model/rtlfiles.awk $files) || return 1
  # shellcheck disable=SC2086
  own=$(grep -l "^module $1\b" $needed)
  ok=0
  # shellcheck disable=SC2086
  with_jemalloc verilator --lint-only -Wall --unroll-count 1024 --top-module "$1" synth/waivers.vlt -I"$rtl/pkg" "$rtl/pkg/hd_pkg.sv" \
    $needed || { echo "lint: $1: verilator -Wall"; ok=1; }
  # What only one family or order instantiates. (GPU and DeNovo have lines of 16 words, one mask of words in a head.)
  case $own in
    "$rtl"/tiles/*)
      folder=$(mktemp -d)
      lint_tile "$1" "default parameters"
      if grep -q hd_params.svh "$own"; then
        for family in 1 2 3; do
          lint_tile "$1" "Family=$family" -GFamily="$family" -GLineWords=16 -GFlitWords=4
          # ... and what only models that count have, with lines of half as many words.
          lint_tile "$1" "HD_COVERAGE, Family=$family, 8 words" -GFamily="$family" -GLineWords=8 -GFlitWords=4 +define+HD_COVERAGE
        done
        for order in 1 2 3; do lint_tile "$1" "Order=$order" -GOrder="$order"; done
      fi
      rm -rf "$folder"
      ;;
  esac
  prove=""
  case $own in "$rtl"/tiles/*) prove=-p ;; esac
  case $1 in
    *_ideal) ;; # simulation only: no hardware
    # Its tiles go through the gate at full size each. A flat chip of 16 takes half an hour and 12 GB to say the same of
    # what joins them.
    hd_gpu_top)
      small="Sms=2 PartBits=0 Warps=2 Lanes=2 LineWords=8 Slots=1 Blocks=1 MshrEntries=2 MshrTargets=3 StoreData=2 CasData=1
        MergeLanes=4 L1Sets=2 L1Ways=2 LdsRows=1 WbEntries=1 L2Sets=4 L2Ways=2 L2Mshr=2 MemCredits=1"
      # shellcheck disable=SC2086
      synth/gate.sh "$1" $small QueueDepth=2 ClkRatio=2 LatSmXbar=4 LatXbarL2=4 LatL2Xbar=4 LatXbarSm=6 LatCredit=2 ||
        { echo "lint: $1: Yosys gate"; ok=1; }
      # shellcheck disable=SC2086
      synth/gate.sh "$1" $small Noc=1 MeshX=2 MeshY=2 FlitBytes=16 QueueDepth=8 ClkRatio=1 LatSmXbar=2 LatXbarL2=1 LatL2Xbar=1 \
        LatXbarSm=2 LatCredit=1 || { echo "lint: $1: Yosys gate, mesh"; ok=1; }
      ;;
    *) synth/gate.sh $prove "$1" || { echo "lint: $1: Yosys gate${prove:+ or combinational path}"; ok=1; } ;;
  esac
  synth/subset_check.sh "$own" || { echo "lint: $1: house rules"; ok=1; }
  return $ok
}

if [ "${1:-}" = --job ]; then # called by xargs below: print a module's findings at once
  out=$(lint_module "$2" 2>&1) && exit 0
  printf '%s\n' "$out"
  exit 1
fi

tiles=$(modules_of "$rtl/tiles" 2>/dev/null | tr '\n' ' ')
modules=${*:-$(modules_of "$rtl")}
# shellcheck disable=SC2086
count=$(echo $modules | wc -w)
status=0
synth/subset_check.sh "$rtl/pkg/hd_pkg.sv" || status=1
# shellcheck disable=SC2086  # tiles first: they take longest
for m in $modules; do
  case " $tiles" in *" $m "*) echo "0 $m" ;; *) echo "1 $m" ;; esac
done | sort -s -k1,1 | cut -d' ' -f2 | xargs -n 1 -P "${JOBS:-$(nproc)}" synth/lint.sh --job || status=1
if [ $status != 0 ]; then
  echo "lint: failed"
  exit 1
fi
proved=""
for m in $modules; do
  case " $tiles" in *" $m "*) proved="$proved $m" ;; esac
done
echo "lint: $count modules clean (verilator -Wall, Yosys gate, house rules)${proved:+; no combinational path through:$proved}"
