#!/bin/sh
# waves.sh - waves: a file for each tile, and one that has them all, change for change; what is left after Ctrl-C and when a
# file cannot be written.
. tests/system/lib.sh

join=tb/model/waves/join.sh
run="run --config tiny --wave $tmp/x.fst vecadd n=64"

named() {
  # shellcheck disable=SC2086
  "$HEDDLE" $run 2>"$tmp/err" >/dev/null || return 1
  sed -n '/^heddle: waveforms:$/,/ has them all: /p' "$tmp/err" | sed '1d;$d' >"$tmp/names"
  [ "$(wc -l <"$tmp/names")" = 5 ] && grep -q "^$tmp/x.fst has them all: gtkwave $tmp/x.gtkw$" "$tmp/err"
}
check "a file for each of five tiles, and one of all" named
whole() {
  while read -r file; do $join -l "$file" || return 1; done <"$tmp/names" | sort >"$tmp/parts"
  $join -l "$tmp/x.fst" | sort >"$tmp/all"
  [ "$(wc -l <"$tmp/all")" -gt 10000 ] && cmp "$tmp/parts" "$tmp/all"
}
check "which has every change of every tile" whole
grouped() {
  sed -n "/^-$1\$/,/^@1401200/p" "$tmp/x.gtkw" | grep "^$1\." >"$tmp/group" && grep -q "valid_[io]" "$tmp/group" || return 1
  while read -r signal; do
    grep -qF " $(echo "$signal" | sed 's/\[/ [/') " "$tmp/all" || { echo "no $signal"; return 1; }
  done <"$tmp/group"
}
for tile in sm0 sm1 l2_0 up down; do
  check "a group for $tile, with signals that are there" grouped $tile
done
stopped() {
  rm -f "$tmp"/x.*
  # shellcheck disable=SC2086
  "$HEDDLE" run --config tiny --wave "$tmp/x.fst" racy ops=200000 >/dev/null 2>"$tmp/err" &
  sleep 2
  kill -INT $!
  wait $!
  [ $? = 130 ] && [ ! -e "$tmp/x.fst" ] && [ ! -e "$tmp/x.gtkw" ] && [ "$(ls "$tmp"/x.* | wc -l)" = 5 ] && $join -l "$tmp/x.sm0.fst" | grep -q idle_o
}
check "after Ctrl-C: the tiles' waves are whole, nothing else is there" stopped
blocked() {
  mkdir "$tmp/y.gtkw"
  "$HEDDLE" run --config tiny --wave "$tmp/y.fst" vecadd n=64 >/dev/null 2>"$tmp/err"
  [ $? = 2 ] && grep -q "cannot write $tmp/y.gtkw" "$tmp/err" && [ ! -e "$tmp/y.fst" ]
}
check "a view that cannot be written" blocked
finish
