#!/bin/sh
# install.sh - an installed tree runs from elsewhere and is only read; the source tarball builds without git.
set -u
. tests/system/lib.sh
export HD_OPT=-O0 # models that compile fast
root=$PWD
there=$tmp/d/opt/h
chmod a+rx "$tmp"
mkdir -m 777 "$tmp/home"

check "install" make -s install DESTDIR="$tmp/d" PREFIX=/opt/h
# As somebody who may not write to it. The smallest machine: an SM before a memory of fixed latency.
unprivileged() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
  else
    chmod -R a-w "$there" && "$@"
  fi
}
runs() { # NAME=VALUE...: from elsewhere; the clone is not found above it
  (cd / && unprivileged env -u XDG_CACHE_HOME HOME="$tmp/home" "$@" "$there/bin/heddle" run --config min --set memory=fixed --set sms=1 --set clk_ratio=1 racy ops=10)
}
first_run() {
  runs && [ -f "$(echo "$tmp"/home/.cache/heddle/models/sm_tile*/model.so)" ] && [ ! -e "$there/lib/heddle/build/models" ]
}
check "it runs, models in the user's cache" first_run
again() { runs XDG_CACHE_HOME="$tmp/home/.cache" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] && grep -q "checks" "$tmp/out"; }
check "again: builds nothing" again
nowhere() { ! runs HOME= >"$tmp/out" 2>"$tmp/err" && grep -q "no folder for models" "$tmp/err"; }
check "no folder for models" nowhere
check "it lists its configurations" sh -c "cd / && '$there/bin/heddle' list configurations | grep -q paper1-small"
check "page and completion" sh -c "grep -q '^.TH HEDDLE' '$there/share/man/man1/heddle.1' &&
  grep -q '^complete ' '$there/share/bash-completion/completions/heddle'"
elsewhere() { [ -d "$there/lib/heddle/rtl" ] && ! grep -rq "$root" "$there/share" "$there/lib/heddle/tb" "$there/lib/heddle/configs"; }
check "names no folder of the sources" elsewhere

tarball() {
  make -s dist >"$tmp/name" && tar -C "$tmp" -xzf "$(cat "$tmp/name")" && cd "$tmp"/heddle-*/ && [ ! -e .git ] && [ -s revision ] || return 1
  sed -i 's/-O2 -g/-O0/' Makefile # compiles fast
  make -s build/heddle && build/heddle --version && build/heddle list configurations | grep -q paper1-small &&
    grep -q "HD_REVISION \"$(cat revision)\"" build/gen/hd_revision.h
}
check "tarball builds without git" eval "(tarball)"
finish
