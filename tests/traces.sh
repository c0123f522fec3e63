#!/bin/sh
# traces.sh FOLDER [PAGE] - public traces against what is known of them: FOLDER has traces in folders with a kernelslist.g each, and
# counts.csv and opcodes.csv, which say what a reader must find in each file. Each file's numbers are compared; each list is
# imported and run to its end under RMO, TSO and SC; lists with copies to the LDS again with copy=async, on machines with
# copies=32; each run once more in checked builds with ghost_bits=32, where the memory-model checker judges it and cycles must be
# the same. The table of runs goes to PAGE. CONFIGS: machines (paper1-small paper1). EVERY: blocks
# of kernels with more than 1000 that are run (8: every eighth).
set -u
folder=${1:?FOLDER}
page=${2:-/dev/null}
CONFIGS=${CONFIGS:-paper1-small paper1}
EVERY=${EVERY:-8}
. tests/system/lib.sh
[ -f "$folder/counts.csv" ] && [ -f "$folder/opcodes.csv" ] || { echo "traces.sh: $folder has no counts.csv and opcodes.csv"; exit 2; }

# counted FILE: the file's numbers as its line of counts.csv
counted() {
  "$HEDDLE" trace info --json "$folder/$1" >"$tmp/info" 2>"$tmp/err" || grep -q 'cut off' "$tmp/err" || return 1
  printf '%s' "$1"
  for name in version blocks warps instructions memory memory_empty_mask lane_accesses bar global_lines_128 global_regions lds_bytes; do
    value=$(number "$tmp/info" $name)
    [ "$name$value" != version0 ] || value=
    [ "$name" != instructions ] || [ ! -s "$tmp/err" ] || ! grep -q 'cut off' "$tmp/err" || value=cut
    printf ',%s' "$value"
  done
  echo
}
numbers() { # FILE
  counted "$1" >"$tmp/have" && grep "^$1," "$folder/counts.csv" >"$tmp/want" || return 1
  # a file that ends in a block says more instructions than it has
  ! grep -q ',cut,' "$tmp/have" || sed -i 's/^\(\([^,]*,\)\{4\}\)[^,]*/\1cut/' "$tmp/want"
  diff "$tmp/want" "$tmp/have" || return 1
  sed -n '/"opcodes": {/,/}/s/^ *"\([A-Z][^"]*\)": \([0-9]*\),*$/\1,\2/p' "$tmp/info" | sort >"$tmp/have"
  sed -n "s|^$1,||p" "$folder/opcodes.csv" | sort >"$tmp/want"
  diff "$tmp/want" "$tmp/have"
}

# What a JSON result has, as a cell.
percent() { sed -n "s/^ *\"$1\": *\([0-9.e-]*\),*$/\1/p" "$2" | awk '{ printf "%.1f %%", 100 * $1 }'; }
row() { # NAME ORDER SAMPLE
  cycles=$(number "$tmp/run" cycles)
  [ "$2" != rmo ] || echo "$cycles" >"$tmp/rmo.$config.$1.${3%% *}" # SAMPLE begins with copies=32 or not
  against=$(awk -v c="$cycles" '{ printf "%.2f", c / $1 }' "$tmp/rmo.$config.$1.${3%% *}")
  echo "| $1 | $config | $2 | $cycles | $against | $(number "$tmp/run" warp_instructions) | $(percent l1_miss_rate "$tmp/run") |" \
    "$(percent l1_merge_rate "$tmp/run") | $(($(number "$tmp/run" dram.read_bytes) / 1024)) kB |" \
    "$(($(number "$tmp/run" dram.write_bytes) / 1024)) kB | $3 |"
}
runs() { # NAME ORDER TRACE [--set copies=N] [every=N]
  what_run=$1 order=$2 trace=$3
  shift 3
  "$HEDDLE" run --json --config "$config" --set order="$order" --trace "$trace" "$@" >"$tmp/run" || return 1
  row "$what_run" "$order" "$(echo "$*" | sed 's/--set //')" >>"$tmp/rows"
  "$HEDDLE" run --json --config "$config" --set order="$order" --set ghost_bits=32 --trace "$trace" "$@" >"$tmp/judged" || return 1
  grep -q '"memory_model": "pass"' "$tmp/judged" && [ "$(number "$tmp/judged" cycles)" = "$(number "$tmp/run" cycles)" ]
}

for file in $(sed -n '2,$s/,.*//p' "$folder/counts.csv"); do
  check "numbers of $file" numbers "$file"
done
for list in "$folder"/*/kernelslist.g; do
  what=$(basename "$(dirname "$list")")
  check "import of $what" "$HEDDLE" trace import "$list" -o "$tmp/$what.hdt" missing=skip
  check "$what can be read" "$HEDDLE" trace check "$tmp/$what.hdt"
  every=
  "$HEDDLE" trace info "$tmp/$what.hdt" >"$tmp/head"
  copies=$(sed -n 's/^copies replaced = \([1-9].*\)$/--set copies=32/p' "$tmp/head")
  [ -z "$copies" ] ||
    check "import of $what, copies" "$HEDDLE" trace import "$list" -o "$tmp/$what.copies.hdt" missing=skip copy=async
  [ "$("$HEDDLE" trace info "$tmp/$what.hdt" | awk '/^kernel = / && $4 > 1000 { n++ } END { print n + 0 }')" = 0 ] || every=every=$EVERY
  for config in $CONFIGS; do
    for order in rmo tso sc; do
      # shellcheck disable=SC2086
      check "$what on $config under $order" runs "$what" $order "$tmp/$what.hdt" $every
      # shellcheck disable=SC2086
      [ -z "$copies" ] || check "$what with copies on $config under $order" runs "$what" $order "$tmp/$what.copies.hdt" $copies $every
    done
  done
done
{
  echo "# Public traces"
  echo
  echo "\`make traces DIR=FOLDER\`: traces of real programs, imported and replayed ([traces](../traces.md)). All numbers of the"
  echo "files are those of the oracle; all checks of the runs pass, also with \`ghost_bits=32\`, where the memory-model checker judges"
  echo "each access under the run's order, in the same number of cycles. \"/ RMO\": cycles against those under RMO."
  echo
  echo "| trace | machine | order | cycles | / RMO | warp instructions | L1 miss rate | merged | DRAM read | written | |"
  echo "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|"
  cat "$tmp/rows"
} >"$tmp/page"
[ "$failed" -ne 0 ] || [ "$page" = /dev/null ] || cp "$tmp/page" "$page"
cat "$tmp/rows"
finish
