#!/bin/sh
# help.sh - help, lists, man page and completion: complete, alike, from one text, plain where nobody looks.
. tests/system/lib.sh

wide() { # COMMAND...: no line of its output is longer than 100 columns
  "$@" >"$tmp/wide" || return 1
  ! awk 'length > 100' "$tmp/wide" | grep .
}
whole() { # COMMAND: its help begins with its usage and ends with its exit codes, and says the same whatever stands before it
  "$HEDDLE" "$1" --help >"$tmp/help" && "$HEDDLE" help "$1" | cmp - "$tmp/help" || return 1
  head -n 1 "$tmp/help" | grep -q "^heddle $1 " && tail -n 3 "$tmp/help" | grep -q "^exit code: 0 "
}
alike() {
  commands=$("$HEDDLE" list --names commands)
  [ "$(sed -n 's/^    {.name = "\([a-z]*\)".*/\1/p' sw/cli/main.c | sort)" = "$(echo "$commands" | sort)" ] || return 1
  for c in $commands; do
    whole "$c" && wide "$HEDDLE" "$c" --help && "$HEDDLE" --help | grep -q "^  heddle $c " || { echo "$c"; return 1; }
  done
}
# Every option that a command's source compares with is in its text, and every one in the text is taken.
told() {
  for c in run area crash lab litmus trace check; do
    source=sw/cli/$c.c
    [ $c != run ] || source=sw/cli/main.c
    for o in $(grep -o '"--[a-z][a-z-]*"' $source | tr -d '"' | sort -u); do
      case $o in --help | --version | --names | --man | --bash) continue ;; esac
      "$HEDDLE" list --names options $c | grep -qx -e "$o" || { echo "$c $o is in no help"; return 1; }
    done
    for o in $("$HEDDLE" list --names options $c | grep '^--'); do
      grep -q -e "\"$o\"" $source || { echo "$c does not take $o"; return 1; }
    done
  done
}
check "help of every command, complete and alike" alike
check "options and their texts" told
check "help fits 100 columns" wide "$HEDDLE" --help
check "list fits 100 columns" wide "$HEDDLE" list
check "help anywhere among the arguments" sh -c "'$HEDDLE' run vecadd --help | grep -q '^heddle run '"
check "no help for an unknown command" refused "help: unknown command 'rnu'" help rnu

filtered() {
  "$HEDDLE" list keys l1 >"$tmp/l1" && grep -q '^  l1_sets ' "$tmp/l1" && ! grep -q '^  dram_banks ' "$tmp/l1" || return 1
  "$HEDDLE" list workloads >"$tmp/w" && grep -q '^  gemm ' "$tmp/w" && ! grep -q '^    [^ ]' "$tmp/w" || return 1
  "$HEDDLE" list workloads gemm >"$tmp/w" && grep -q '^    nk ' "$tmp/w" && ! grep -q '^  chase ' "$tmp/w" || return 1
  "$HEDDLE" list configurations paper1 >"$tmp/c" && grep -q '^  paper1-small ' "$tmp/c" && ! grep -q '^  litmus ' "$tmp/c"
}
check "list finds keys, workloads, configurations" filtered
check "list refuses other words" refused "list: 'colours': must be workloads" list colours

# On a terminal headings are bold, but not with NO_COLOR; elsewhere never.
bold() { # COMMAND... on a terminal
  script -qec "$*" /dev/null </dev/null | grep -q "$(printf '\033')"
}
plain() { "$HEDDLE" --help >"$tmp/plain" && ! grep -q "$(printf '\033')" "$tmp/plain"; }
check "no colour in a pipe" plain
if command -v script >/dev/null; then
  check "bold on a terminal" bold env -u NO_COLOR TERM=xterm "$HEDDLE" --help
  no_color() { "$HEDDLE" --version && ! bold env NO_COLOR=1 TERM=xterm "$HEDDLE" --help; }
  check "not with NO_COLOR" no_color
fi

page() {
  "$HEDDLE" help --man >"$tmp/heddle.1" || return 1
  for c in $("$HEDDLE" list --names commands); do grep -q "^\.SS heddle $c " "$tmp/heddle.1" || return 1; done
  ! command -v groff >/dev/null || [ -z "$(groff -man -ww -Tascii "$tmp/heddle.1" 2>&1 >/dev/null)" ]
}
check "man page" page

# bench_groups: the help names each group that the program takes, which it lists when it is given another
bench_groups() {
  refused "must be one of" bench --only nosuch || return 1
  "$HEDDLE" bench --help | tr -d '\n' | tr -s ' ,;' '\n' >"$tmp/words"
  groups=$(sed -n 's/.*must be one of//p' "$tmp/err" | tr -d ',')
  [ "$(echo "$groups" | wc -w)" -ge 12 ] || return 1
  for g in $groups; do grep -qx "$g" "$tmp/words" || { echo "$g is not in the help"; return 1; }; done
}
check "groups of bench" bench_groups

# completes WORDS... WANTED: what bash offers for the last of the words
cat >"$tmp/complete.bash" <<'END'
eval "$("$1" help --bash)"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_WORDBREAKS=' '
COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
_heddle
printf '%s\n' "${COMPREPLY[@]}"
END
completes() {
  wanted=$1
  shift
  bash "$tmp/complete.bash" "$HEDDLE" "$HEDDLE" "$@" | grep -qx -e "$wanted"
}
if command -v bash >/dev/null; then
  check "completes a command" completes firstlight fir
  check "completes an option" completes --port-log run --po
  check "completes a workload" completes vecadd run vec
  check "completes a configuration" completes paper1-small run --config paper1-s
  check "completes a key" completes order= run --set ord
  check "completes a value" completes order=sc-pf run --set order=sc-
  check "completes an experiment" completes persistency lab pers
  check "completes a workload's key" completes nk= run gemm n
fi
finish
