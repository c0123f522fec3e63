#!/bin/sh
# check.sh - keeps the pages true: writes docs/modules.md from the first lines of the RTL files and docs/messages.md from
# the message table of hd_pkg.sv (and fails if one had to change), then checks that every link of README.md, of the pages in
# docs/ and docs/results/, and of those beside tests and synthesis leads to a file, and every anchor to a heading.
set -eu
cd "$(dirname "$0")/.."
status=0
mkdir -p build
new=build/modules.md.$$
messages=build/messages.md.$$
trap 'rm -f "$new" "$messages"' EXIT

{
  echo "# Modules"
  echo
  echo "Written by \`make docs\` from the first line of each RTL file; the rest of that header says how the ports work."
  for folder in rtl/pkg rtl/common rtl/sm rtl/order rtl/l1 rtl/lds rtl/persist rtl/noc rtl/l2 rtl/tiles rtl/top; do
    [ -d "$folder" ] || continue
    printf '\n## %s\n\n| file | what it is | test |\n|---|---|---|\n' "$folder"
    find "$folder" -name '*.sv' | LC_ALL=C sort | while read -r f; do
      tests=""
      for m in $(sed -n 's/^module \(hd_[a-z0-9_]*\).*/\1/p' "$f"); do
        tests="$tests [$m](../tests/unit/test_$m.c)"
      done
      echo "| [$(basename "$f")](../$f) | $(sed -n '1s/^[^-]* - //p' "$f") |$tests |"
    done
  done
} >"$new"
folders=$(sed -n 's/^## //p' "$new" | sort)
[ "$folders" = "$(find rtl -name '*.sv' -exec dirname {} + | sort -u)" ] || {
  echo "docs/check.sh: a folder under rtl/ is missing from its list" >&2
  status=1
}
if ! cmp -s "$new" docs/modules.md; then
  cp "$new" docs/modules.md
  echo "docs/modules.md was out of date and has been written again"
  status=1
fi

{
  echo "# Messages"
  echo
  echo "Written by \`make docs\` from the message table in [hd_pkg.sv](../rtl/pkg/hd_pkg.sv), which also feeds the checks of"
  echo "links and the conservation check. Networks: what waits may wait only for a higher one, REQ < FWD < RSP; a family uses"
  echo "one of those named. Class: of the flit counters; \`cls\`, the head says it. A message is answered by one of those named."
  echo
  echo "| value | message | network | data | class | answered by | what it says |"
  echo "|---|---|---|---|---|---|---|"
  sed -n "s|^ *MSG_\([A-Z_]*\) = 6'd\([1-9][0-9]*\),* *// \([^ ]*\) \([^ ]*\) \([^ ]*\) \([^ ]*\): \(.*\)|\2 \1 \3 \4 \5 \6 \7|p" rtl/pkg/hd_pkg.sv |
    awk '{ text = $7; for (i = 8; i <= NF; i++) text = text " " $i; gsub(/\|/, ", ", $3); gsub(/\|/, ", ", $6)
           printf "| %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4 == "d" ? "yes" : "", $5, $6 == "-" ? "" : $6, text }'
} >"$messages"
if ! cmp -s "$messages" docs/messages.md; then
  cp "$messages" docs/messages.md
  echo "docs/messages.md was out of date and has been written again"
  status=1
fi

# Headings as a hosting site names them: lower case, blanks to dashes, other signs dropped.
anchors() { sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'; }

for page in README.md docs/*.md docs/results/*.md tests/mutants/README.md synth/*.md; do
  [ -f "$page" ] || continue
  links=$(awk '/^```/ { code = !code } !code { gsub(/`[^`]*`/, ""); print }' "$page" |
    grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//; s/ .*//' || true)
  for link in $links; do
    case $link in http://* | https://* | mailto:*) continue ;; esac
    file=${link%%#*} anchor=""
    case $link in *'#'*) anchor=${link#*#} ;; esac
    target=$page
    [ -z "$file" ] || target=$(dirname "$page")/$file
    if [ ! -e "$target" ]; then
      echo "$page: link to $link: no such file"
      status=1
    elif [ -n "$anchor" ] && ! anchors "$target" | grep -qx -- "$anchor"; then
      echo "$page: link to $link: no such heading"
      status=1
    fi
  done
done
[ $status != 0 ] || echo "docs: modules listed, every link leads somewhere"
exit $status
