#!/bin/sh
# litmus_public.sh - tests in PTX and Vulkan spelling with verdicts, tests/litmus/scoped: what is forbidden, by whom, what is skipped and
# why, which programs end; and that a wrong verdict, a program that does not end and a malformed file are seen.
. tests/system/lib.sh
scoped=tests/litmus/scoped
rows=$scoped/expected.csv

# says TEXT CODE ARGUMENT...: the command ends with CODE and its output holds TEXT.
says() {
  text=$1 want=$2
  shift 2
  "$HEDDLE" litmus "$@" >"$tmp/out" 2>&1
  code=$?
  cat "$tmp/out"
  [ $code -eq "$want" ] && grep -qF -- "$text" "$tmp/out"
}

check "nothing forbidden" says "5 tests" 0 --orders rmo,sc --runs 300 --brief --verdicts $rows $scoped/mp-gpu.litmus \
  $scoped/mp-relaxed.litmus $scoped/mp-vulkan.litmus $scoped/mp-opencl.litmus $scoped/sb-bar.litmus
check "a test with its own verdict" says "judged by their verdicts and our axioms: 1, by our axioms alone: 0" 0 --orders rmo --runs 300 \
  --brief $scoped/mp-khronos.test
sed 's/^SATISFIABLE/NOSOLUTION/' $scoped/mp-khronos.test >"$tmp/wrong.test"
check "and with a wrong one" says "FORBIDDEN by the verdict" 1 --runs 300 --brief "$tmp/wrong.test"
check "what is skipped has its reason" says "skipped    1: texture, surface and constant memory" 0 --runs 20 --brief --verdicts $rows $scoped
check "programs for their end are no outcomes" grep -q "skipped    2: an outcome without words" "$tmp/out"
check "they end, or may spin" says "must end: 2 lives, 0 bounded; may spin for ever: 0 lives, 1 bounded" 0 --runs 100 --live 20000 \
  --verdicts $rows $scoped
check "least recently issued warps first" says "must end: 2 lives, 0 bounded" 0 --set scheduler=lrr --runs 100 --live 20000 --brief \
  --verdicts $rows $scoped

sed 's/mp-relaxed.litmus,1/mp-relaxed.litmus,0/; s/spin-never.litmus,0/spin-never.litmus,1/' $rows >"$tmp/wrong.csv"
check "a verdict that says less than the machine" says "FORBIDDEN by the verdict" 1 --runs 1000 --brief --verdicts "$tmp/wrong.csv" \
  $scoped/mp-relaxed.litmus
check "a program that must end and does not" says "waits for turn" 1 --runs 100 --live 20000 --brief --verdicts "$tmp/wrong.csv" \
  $scoped/spin-never.litmus
sed 's/ld.acquire.gpu/ld.acquire.gpv/' $scoped/mp-gpu.litmus >"$tmp/bad.litmus"
check "a mistake has its line" refused "bad.litmus:5:" litmus "$tmp/bad.litmus"
sed 's/,1$/,2/' $rows >"$tmp/bad.csv"
check "a verdict that is none" refused "bad.csv:2: expected a model, a test and 0 or 1" litmus --verdicts "$tmp/bad.csv" $scoped
finish
