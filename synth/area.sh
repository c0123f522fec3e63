#!/bin/sh
# area.sh [MODULE...] - counts what each module costs at its default parameters: prints a markdown table and, without
# arguments, writes it to synth/area.md. Yosys's generic gates before any mapping: a measure to compare blocks
# and changes with, not an area. The memories of hd_sram.sv stay whole and are counted in bits. Children are included.
# Counts are kept in build/area and made again only for changed sources. BUDGET: seconds a module may take.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/.." && pwd)
cd "$repo"
out=build/area

# count MODULE: writes $out/MODULE.counts
count() {
  files=$(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*' | LC_ALL=C sort)
  # shellcheck disable=SC2086
  files=$(awk -v top="$1" -f tb/model/rtlfiles.awk $files | grep -v /hd_sram.sv || true)
  # shellcheck disable=SC2086
  key=$(sha256sum $files rtl/pkg/* rtl/common/hd_sram.sv synth/area.sh synth/area_count.awk)
  [ ! -f "$out/$1.key" ] || [ "$(cat "$out/$1.key")" != "$key" ] || return 0
  rm -f "$out/$1.key"
  # shellcheck disable=SC2086
  if timeout "${BUDGET:-900}" yosys -q -l "$out/$1.log" -p "
      read_verilog -sv -Irtl/pkg rtl/pkg/hd_pkg.sv
      read_verilog -lib -sv -Irtl/pkg rtl/common/hd_sram.sv
      read_verilog -sv -defer -Irtl/pkg $(echo $files)
      hierarchy -check -top $1
      synth -noabc -nofsm -noshare
      write_rtlil $out/$1.il" >/dev/null 2>&1; then
    awk -v top="$1" -f synth/area_count.awk "$out/$1.il" >"$out/$1.counts"
    rm -f "$out/$1.il"
    echo "$key" >"$out/$1.key"
  else
    echo "area: $1: Yosys failed or took longer than ${BUDGET:-900} s, see $out/$1.log" >&2
    return 1
  fi
}

if [ "${1:-}" = --job ]; then # called by xargs below
  count "$2"
  exit
fi

mkdir -p "$out"
all=$(find rtl -name 'hd_*.sv' ! -name hd_sram.sv ! -path 'rtl/pkg/*' |
  sed 's|rtl/\(.*\)/\(.*\)\.sv|\1 \2|; s|^tiles |0tiles |' | LC_ALL=C sort | cut -d' ' -f2)
modules=${*:-$all}
# The longest first, so that the last one does not run alone.
for m in $modules; do echo "$m"; done | xargs -n 1 -P "${JOBS:-$(nproc)}" "$0" --job
table() {
  cat <<'END'
# Cost of each module

Generic gates of Yosys before mapping, at default parameters, children included. Made by `make area`.
SRAM: `hd_sram_1r1w` and `hd_sram_1rw`; register files: `hd_regfile` (asynchronous read).

| module | logic cells | flip-flops | SRAM bits | SRAMs | register file bits | register files | port bits |
|---|---:|---:|---:|---:|---:|---:|---:|
END
  for m in $modules; do cat "$out/$m.counts"; done
}
if [ $# -eq 0 ]; then
  table >"$out/area.md"
  mv "$out/area.md" synth/area.md
  cat synth/area.md
else
  table
fi
