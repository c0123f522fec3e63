#!/bin/sh
# reference.sh - the reference models of papers 3 to 5: verdicts are those of the litmus folders, small proofs hold, every bug
# built into a model is found.
. tests/system/lib.sh
ref=tests/reference
persist="test.c axiom.c random.c fifo.c alt.c tree.c main.c"
warnings="-Wall -Wextra -Werror"

# built NAME FOLDER FLAG... FILE...: compiles a model.
built() {
  name=$1 folder=$2
  shift 2
  (cd "$folder" && gcc -std=c11 "$@" -o "$tmp/$name" -lm)
}

# proves NAME...: configurations of the coherence model.
proves() {
  for c in "$@"; do
    "$tmp/coherence" "$c" >"$tmp/proof" && grep -q ': proved$' "$tmp/proof" || { cat "$tmp/proof"; return 1; }
  done
}

# breaks NAME: the property must fail there.
breaks() {
  "$tmp/coherence" "$1" >"$tmp/proof"
  [ $? -eq 1 ]
}

persist_verdicts() {
  "$tmp/persist" --csv tests/litmus/persist/*.litmus >"$tmp/expected.csv" 2>"$tmp/said" &&
    { grep -q 'wait for ever: 0, without gathering 1)' "$tmp/said" || { cat "$tmp/said"; return 1; }; } && cmp "$tmp/expected.csv" tests/litmus/persist/expected.csv
}

tm_verdicts() {
  "$tmp/tm" csv tests/litmus/tm/*.litmus >"$tmp/expected.csv" && cmp "$tmp/expected.csv" tests/litmus/tm/expected.csv
}

persist_bugs() {
  same="" bugs="" # files without bugs are compiled once
  for f in $persist; do
    if grep -q BUG "$ref/persistency/$f"; then bugs="$bugs $f"; continue; fi
    built "$f.o" $ref/persistency -O1 -DLIMIT=300000 -c "$f" || return 1
    same="$same $tmp/$f.o"
  done
  while read -r n text; do
    # shellcheck disable=SC2086
    built bug $ref/persistency -O1 -DBUG="$n" -DLIMIT=300000 $bugs $same || return 1
    ! "$tmp/bug" tests/litmus/persist/*.litmus >/dev/null 2>&1 || { echo "bug $n not found: $text"; return 1; }
  done <$ref/persistency/bugs.txt
}

check "coherence model compiles" built coherence $ref -O2 $warnings coherence.c
check "GPU and DeNovo: small proofs" proves gp_2x1 gp_2l gp_false gp_pair gp_at dn_3x1 dn_2l dn_3p dn_false dn_ro dh_racy
check "without order of messages DeNovo breaks" breaks dn_all_unord
check "without order of messages GPU breaks" breaks gp_all_unord
check "39 bugs of the coherence model are found" "$tmp/coherence" bugs
# shellcheck disable=SC2086
check "persistency model compiles" built persist $ref/persistency -O2 $warnings $persist
check "persist verdicts" persist_verdicts
check "23 bugs of the persistency model are found" persist_bugs
check "B+tree recovers from crashes" "$tmp/persist" --tree --crashes 2000
# shellcheck disable=SC2046
check "transaction model compiles" built tm $ref/local_tm -O2 $warnings $(cd $ref/local_tm && ls ./*.c)
check "transaction verdicts" tm_verdicts
check "Table 1 of paper 5" "$tmp/tm" table1
check "25 bugs of the transaction model are found by tests" "$tmp/tm" mutants tests/litmus/tm/*.litmus
check "25 bugs of the transaction model are found at random" "$tmp/tm" random 50
finish
