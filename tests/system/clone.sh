#!/bin/sh
# clone.sh - what people do with a clone: a path with blanks, and a built clone that cannot be
# written to, another user's or a read-only mount.
set -u
. tests/system/lib.sh
export HD_OPT=-O0 # models that compile fast


copy() { # FOLDER: the sources, as a clone has them
  mkdir -p "$1/build" && cp -r Makefile setup.sh configs rtl sw synth tb tests "$1/"
}
blank="$tmp/a b/heddle"
builds() { copy "$blank" && make -C "$blank" build && [ -x "$blank/build/heddle" ]; }
runs() { "$blank/build/heddle" run --config min racy ops=10 "$@"; }
unit_test() { make -C "$blank" test-unit T=hd_arb_rr JOBS=1; }
lint() { make -C "$blank" lint T=hd_fifo; }

# As somebody without rights (the clone belongs to root then), or as its owner, who takes the rights from himself.
cannot_write() {
  if [ "$(id -u)" != 0 ]; then
    chmod -R a-w "$blank" && "$@"
    code=$?
    chmod -R u+w "$blank"
    return $code
  fi
  chmod a+rx "$tmp" && setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
nothing_written() { ! cannot_write touch "$blank/build/models/x" 2>/dev/null; }
read_only() { # ARGUMENT...: runs without a change in the clone
  cannot_write "$blank/build/heddle" run --config min racy ops=10 "$@"
}
says_what_must_be_built() {
  if read_only --set l1_sets=8 2>"$tmp/err"; then return 1; fi
  cat "$tmp/err"
  grep -q "must be built and .* cannot be written" "$tmp/err"
}

check "a path with blanks: build" builds
check "a path with blanks: run" runs
check "a path with blanks: a unit test on RTL and netlist" unit_test
check "a path with blanks: lint" lint
if nothing_written; then
  check "a clone that cannot be written to runs" read_only
  check "a clone that cannot be written to says what must be built" says_what_must_be_built
else
  echo "SKIPPED: a clone that cannot be written to: this user writes everywhere and setpriv takes no rights away"
fi
finish
