#!/bin/sh
# area.sh [MODULE...] - counts what each module costs at its default parameters: prints a markdown table and, without
# arguments, writes it to synth/area.md. Yosys's generic gates before any mapping: a measure to compare blocks
# and changes with, not an area. The memories of hd_sram.sv stay whole and are counted in bits.
#
# A module is synthesized with its children as black boxes; the children, with the parameters it gives them, are
# counted in turn, and the table adds them up. So nothing is synthesized twice. Counts are kept in build/area and
# made again only for changed sources. BUDGET: seconds one module may take.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
out=build/area

# count ID: writes $out/ID.counts; an ID is a module and the parameters that differ from its defaults, with commas
count() {
  module=${1%%,*}
  # shellcheck disable=SC2046
  files=$(awk -v top="$module" -f tb/model/rtlfiles.awk $(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*' | LC_ALL=C sort))
  # shellcheck disable=SC2086
  own=$(grep -l "^module $module\b" $files)
  # shellcheck disable=SC2086
  key=$(sha256sum $files rtl/pkg/* synth/area.sh synth/area_count.awk)
  [ ! -f "$out/$1.key" ] || [ "$(cat "$out/$1.key")" != "$key" ] || return 0
  rm -f "$out/$1.key"
  read_children=""
  for f in $files; do [ "$f" = "$own" ] || read_children="$read_children; read_verilog -lib -sv -Irtl/pkg $f"; done
  set_params=$(echo "$1" | awk -F, '{ for (i = 2; i <= NF; i++) { sub(/=/, " ", $i); printf " -chparam %s", $i } }')
  if timeout "${BUDGET:-900}" yosys -q -l "$out/$1.log" -p "
      read_verilog -sv -Irtl/pkg rtl/pkg/hd_pkg.sv
      read_verilog -sv -defer -Irtl/pkg $own $read_children
      hierarchy -check -top $module$set_params
      rename -top $module
      synth -noabc -nofsm -noshare
      write_rtlil $out/$1.il" >/dev/null 2>&1; then
    awk -v top="$module" -f synth/area_count.awk "$out/$1.il" >"$out/$1.counts"
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
modules=${*:-$(find rtl -name 'hd_*.sv' ! -name hd_sram.sv ! -path 'rtl/pkg/*' |
  sed 's|rtl/\(.*\)/\(.*\)\.sv|\1 \2|; s|^tiles |0tiles |' | LC_ALL=C sort | cut -d' ' -f2)}
todo=$out/todo.$$ counted=$out/counted.$$ files=""
trap 'rm -f "$todo" "$counted"' EXIT
: >"$counted"
for m in $modules; do echo "$m"; done >"$todo"
while [ -s "$todo" ]; do
  xargs -n 1 -P "${JOBS:-$(nproc)}" "$0" --job <"$todo"
  cat "$todo" >>"$counted"
  sed "s|.*|$out/&.counts|" "$todo" | xargs sed -n 's/^child //p' | LC_ALL=C sort -u | grep -vxF -f "$counted" >"$todo.new" || true
  mv "$todo.new" "$todo"
done

files=$(sed "s|.*|$out/&.counts|" "$counted")
table() {
  cat <<'END'
# Cost of each module

Generic gates of Yosys before mapping, at default parameters, children included. Made by `make area`.
SRAM: `hd_sram_1r1w` and `hd_sram_1rw`; register files: `hd_regfile` (asynchronous read).

| module | logic cells | flip-flops | SRAM bits | SRAMs | register file bits | register files | port bits |
|---|---:|---:|---:|---:|---:|---:|---:|
END
  # shellcheck disable=SC2086
  awk -v rows="$(echo $modules)" '
    FNR == 1 { id = FILENAME; sub(/.*\//, "", id); sub(/\.counts$/, "", id) }
    $1 == "own" { own[id, 1] = $2; own[id, 2] = $3; ports[id] = $4 }
    $1 == "memory" { f = $2 == "hd_regfile" ? 5 : 3; own[id, f] += $3; own[id, f + 1]++ }
    $1 == "child" { child[id, ++children[id]] = $2 }
    function total(m, f,   k, sum) {
      if ((m, f) in known) return known[m, f]
      sum = own[m, f] + 0
      for (k = 1; k <= children[m]; k++) sum += total(child[m, k], f)
      return known[m, f] = sum
    }
    END {
      n = split(rows, row, " ")
      for (i = 1; i <= n; i++) {
        printf "| `%s` |", row[i]
        for (f = 1; f <= 6; f++) printf " %d |", total(row[i], f)
        printf " %d |\n", ports[row[i]]
      }
    }' $files
}
if [ $# -eq 0 ]; then
  table >"$out/area.md"
  mv "$out/area.md" synth/area.md
  cat synth/area.md
else
  table
fi
