#!/bin/sh
# clone.sh - what people do with a clone: two builds in it at once, a path with blanks and an apostrophe, and a built clone
# that cannot be written to, another user's or a read-only mount.
set -u
. tests/system/lib.sh
export HD_OPT=-O0 # models that compile fast

# A compiler that takes a while and notices when another one writes the same file.
cat >"$tmp/cc" <<'END_CC'
#!/bin/sh
for a in "$@"; do out=$a; done
while [ $# -gt 1 ]; do [ "$1" != -o ] || out=$2; shift; done
mkdir "$out.busy" || { echo "two compilers write $out" >&2; exit 1; }
sleep 0.02
: >"$out"
rmdir "$out.busy"
END_CC
chmod +x "$tmp/cc"
copy() { # FOLDER: the sources, as a clone has them
  mkdir -p "$1/build" && cp -r Makefile setup.sh configs rtl sw synth tb tests "$1/"
}
two_builds() {
  copy "$tmp/two" || return 1
  make -C "$tmp/two" build CC="$tmp/cc" >"$tmp/out1" 2>&1 &
  one=$!
  make -C "$tmp/two" build CC="$tmp/cc" >"$tmp/out2" 2>&1
  two=$?
  wait $one && [ $two = 0 ] && [ -f "$tmp/two/build/heddle" ] || { cat "$tmp/out1" "$tmp/out2"; return 1; }
}

blank="$tmp/it's a b/heddle"
printf '#!/bin/sh\nexec %s "$@" -O0\n' "$(command -v gcc || command -v clang)" >"$tmp/cc-fast" # how fast it runs is no matter here
chmod +x "$tmp/cc-fast"
builds() { make -C "$blank" build CC="$tmp/cc-fast" && [ -x "$blank/build/heddle" ]; }
runs() { "$blank/build/heddle" run --config min racy ops=10 "$@"; }
# Before anything is built there: the headers made from keys and package, which some tests include, are there then.
unit_test() {
  copy "$blank" && make -C "$blank" test-unit T=hd_arb_rr JOBS=1 &&
    [ -s "$blank/build/gen/hd_keys.h" ] && [ -s "$blank/build/gen/hd_pkg.h" ]
}
area() { "$blank/build/heddle" area hd_fifo; }
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

check "two builds at once" two_builds
check "a path with blanks and an apostrophe: a unit test on RTL and netlist" unit_test
check "a path with blanks and an apostrophe: build" builds
check "a path with blanks and an apostrophe: run" runs
check "a path with blanks and an apostrophe: lint" lint
check "a path with blanks and an apostrophe: area" area
if nothing_written; then
  check "a clone that cannot be written to runs" read_only
  check "a clone that cannot be written to says what must be built" says_what_must_be_built
else
  echo "SKIPPED: a clone that cannot be written to: this user writes everywhere and setpriv takes no rights away"
fi
finish
