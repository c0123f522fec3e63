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
for file in "$@"; do
  name=$(basename "$file" .sv)
  forbid '\b(\w+::)?\w+_[tesu]\s*\[' 'dimension on a named type: Yosys drops it silently'
  forbid '\b(\w+::)?\w+_s\s+\w+\s*\[' 'array of a struct: Yosys makes one entry of it'
  forbid '\bimport\s+\w+::' 'import: write hd_pkg:: instead'
  forbid '\binterface\b' 'interface'
  forbid '\.\*' 'wildcard connection'
  forbid "\.\w+\s*\([^()]*'[01xz]\b" 'constant without a width in a port: Yosys 0.23 fails on it where parameters are given'
  forbid '^\s*(initial|task)\b' 'initial or task in design code'
  forbid '\t' 'tab'
  forbid '(^\s*|[(,]\s*)\.\w+\s*(,|\)|$)' 'connection without its signal: write .name(signal)'
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
  # Code lines, counted as with one connection a line, and ports. No module is beyond the limits.
  lines=$(sed 's|//.*||' "$file" | awk '!/^[ \t]*$/ { n = gsub(/(^|[ (,])\.[A-Za-z_0-9]+ *\(/, "&"); sum += n > 1 ? n : 1 } END { print sum }')
  ports=$(sed 's|//.*||' "$file" | awk '/^module / { head = 1 } head { n += gsub(/(^|[ (,])(input|output) /, "&") } /^\);/ { head = 0 } END { print n + 0 }')
  most=300 most_ports=40
  case $file in */rtl/tiles/* | rtl/tiles/* | */rtl/top/* | rtl/top/*) most_ports=80 ;; esac # links
  case $file in */rtl/pkg/* | rtl/pkg/*) most=1100 ;; esac # no module: numbers, a line each
  [ "$lines" -le $most ] || finding "$file" 1 "$lines code lines, more than $most: split it"
  [ "$ports" -le $most_ports ] || finding "$file" 1 "$ports ports, more than $most_ports: split it or join them in a struct"
  if [ $info = 1 ] && [ "$name" != hd_sram ]; then
    sed 's|//.*||' "$file" | grep -nP '^\s*logic\b.*\]\s*\w+\s*\[' | while IFS=: read -r line text; do
      echo "info: $file:$line: array in registers:$text"
    done
  fi
done
exit $bad
