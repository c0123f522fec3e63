#!/usr/bin/env bash
# subset_check.sh FILE... - house rules that no tool checks: constructs that Verilator and Yosys both take and Yosys gets
# wrong, and the form of a module file. One line per finding, exit 1 if any.
# -i  also lists, without failing, the arrays outside hd_sram.sv: they become flip-flops
set -u
info=0
[ "${1:-}" != -i ] || { info=1; shift; }
bad=0
finding() { # file, line, text
  bad=1
  echo "$1:$2: $3"
}
forbid() { # regex, reason: outside comments
  local hit
  while IFS= read -r hit; do
    [ -z "$hit" ] || finding "$file" "${hit%%:*}" "$2"
  done < <(sed 's|//.*||' "$file" | grep -nP "$1")
}
# Folders where every connection is written out, .clk_i(clk_i).
explicit='^(\./|.*/)?rtl/(pkg|common|lds|l2|noc|top)/'
for file in "$@"; do
  name=$(basename "$file" .sv)
  forbid '\b(\w+::)?\w+_[tesu]\s*\[' 'dimension on a named type: Yosys drops it silently'
  forbid '\b(\w+::)?\w+_s\s+\w+\s*\[' 'array of a struct: Yosys makes one entry of it'
  forbid '\bimport\s+\w+::' 'import: write hd_pkg:: instead'
  forbid '\binterface\b' 'interface'
  forbid '\.\*' 'wildcard connection'
  forbid '^\s*(initial|task)\b' 'initial or task in design code'
  forbid '\t' 'tab'
  ! echo "$file" | grep -qE "$explicit" || forbid '(^\s*|[(,]\s*)\.\w+\s*(,|\)|$)' 'connection without its signal: write .name(signal)'
  while IFS= read -r hit; do
    finding "$file" "${hit%%:*}" 'inline waiver: use synth/waivers.vlt, with the reason'
  done < <(grep -nP '(/\*|//)\s*verilator\s+lint_o' "$file")
  while IFS= read -r hit; do
    finding "$file" "${hit%%:*}" 'more than 100 columns or not ASCII'
  done < <(LC_ALL=C grep -nP '^.{101,}|[^\x00-\x7f]' "$file")
  grep -qx '`default_nettype none' "$file" || finding "$file" 1 'no `default_nettype none'
  [ "$(tail -n 1 "$file")" = '`default_nettype wire' ] || finding "$file" "$(wc -l <"$file")" 'last line is not `default_nettype wire'
  head -n 1 "$file" | grep -qP "^// $name\.sv - \S.{8,}" || finding "$file" 1 "first line is not \"// $name.sv - what it is\""
  modules=$(sed -n 's/^module \([A-Za-z0-9_]*\).*/\1/p' "$file" | tr '\n' ' ')
  case "$name $modules" in
    "hd_sram hd_sram_1r1w hd_sram_1rw hd_regfile hd_sram_banks ") ;; # the one file that synthesis may swap as a whole
    "hd_pkg ") ;;
    "$name $name ") ;;
    *) finding "$file" 1 "holds modules: $modules(one module, named as the file)" ;;
  esac
  lines=$(grep -cvP '^\s*(//|$)' "$file")
  most=300
  case $file in
    */rtl/tiles/hd_sm_tile.sv | rtl/tiles/hd_sm_tile.sv) most=470 ;; # the same, two families' links and the way of the markers
    */rtl/tiles/* | rtl/tiles/* | */rtl/top/* | rtl/top/*) most=440 ;; # connections only, one a line
    */rtl/l1/hd_l1_gpu.sv | rtl/l1/hd_l1_gpu.sv) most=600 ;; # instances, one connection a line: to be cut in two
    */rtl/l1/hd_l1.sv | rtl/l1/hd_l1.sv) most=370 ;; # four families, one connection a line
    */rtl/l1/hd_l1_denovo.sv | rtl/l1/hd_l1_denovo.sv) most=845 ;; # the same
    */rtl/l2/hd_denovo_bank.sv | rtl/l2/hd_denovo_bank.sv) most=450 ;; # the same
    */rtl/l2/hd_coh_bank.sv | rtl/l2/hd_coh_bank.sv) most=465 ;; # the same
    */rtl/lds/hd_lds_tm.sv | rtl/lds/hd_lds_tm.sv) most=430 ;; # the same
    */rtl/sm/hd_issue.sv | rtl/sm/hd_issue.sv) most=340 ;; # ports and the gates of three papers
    */rtl/pkg/* | rtl/pkg/*) most=780 ;; # no module: numbers, a line each
  esac
  [ "$lines" -le $most ] || finding "$file" 1 "$lines code lines, more than $most: split it"
  if [ $info = 1 ] && [ "$name" != hd_sram ]; then
    sed 's|//.*||' "$file" | grep -nP '^\s*logic\b.*\]\s*\w+\s*\[' | while IFS=: read -r line text; do
      echo "info: $file:$line: array in registers:$text"
    done
  fi
done
exit $bad
