# lib.sh - what the system tests share; sourced from the repository root.
# HEDDLE names the command under test. Scratch files go to a directory that is removed at the end.
HEDDLE=${HEDDLE:-build/heddle}
passed=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# check NAME COMMAND...: one test, passed when the command succeeds; its output is shown when it fails. TIMES=1: what each took
# in CPU time, all told so far (user, system).
check() {
  name=$1
  shift
  [ -z "${TIMES:-}" ] || { times >"$tmp/times"; tail -n 1 "$tmp/times"; echo "  $name"; } >&2
  if "$@" >"$tmp/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: $*"
    tail -n 25 "$tmp/log"
  fi
}

# refused TEXT ARGUMENT...: the command must exit with 2 and its message on stderr must hold TEXT.
refused() {
  text=$1
  shift
  "$HEDDLE" "$@" >"$tmp/out" 2>"$tmp/err"
  code=$?
  if [ $code -ne 2 ] || ! grep -qF -- "$text" "$tmp/err"; then
    echo "exit code $code (must be 2), message (must hold '$text'):"
    cat "$tmp/err"
    return 1
  fi
}

# json FILE ARGUMENT...: the run's JSON without what depends on the host.
json() {
  file=$1
  shift
  "$HEDDLE" run --json "$@" >"$file.all" && sed '/^  "host": {/,/^  }/d' "$file.all" >"$file"
}

# core FILE: such a result without the settings either, which name what was changed.
core() {
  sed '/^  "settings": {/,/^  }/d' "$1"
}

# number FILE NAME: an integer of a JSON file.
number() {
  sed -n "s/^ *\"$2\": *\([0-9]*\),*$/\1/p" "$1"
}

# current: models that were built since the whole test run began are not looked at again, which takes longer than a short run.
# Not for tests that change sources or flags.
current() {
  [ -z "${TEST_BEGAN:-}" ] || export HEDDLE_CURRENT="$TEST_BEGAN"
}

# compile_fast OPTIMIZATION: short runs on many machines: models that compile in less time, in a folder of their own, as two
# tests that run at once would else take turns in building the same one with other flags.
compile_fast() {
  [ "${HD_OPT:-}" != "$1" ] || { current; return; } # all of them are
  export HD_OPT="$1" HEDDLE_MODELS="$PWD/build/models$1"
  current
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
