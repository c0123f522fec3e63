#!/bin/sh
# install.sh - an installed tree runs from elsewhere and is only read; the source tarball builds without git.
set -u
. tests/system/lib.sh
export HD_OPT=-O0 # models that compile fast
root=$PWD
there=$tmp/d/opt/h
chmod a+rx "$tmp"
mkdir -m 777 "$tmp/user"

check "install" make -s install DESTDIR="$tmp/d" PREFIX=/opt/h
# As somebody who may not write to it. The smallest machine: an SM before a memory of fixed latency.
unprivileged() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
  else
    chmod -R a-w "$there" && "$@"
  fi
}
machine="min memory=fixed sms=1 clk_ratio=1"
runs() { # NAME=VALUE...: from elsewhere; the clone is not found above it
  (cd / && unprivileged env -u XDG_CACHE_HOME HOME="$tmp/user" "$@" "$there/bin/heddle" run --config min --set memory=fixed --set sms=1 --set clk_ratio=1 racy ops=10)
}
first_run() {
  runs && [ -f "$(echo "$tmp"/user/.cache/heddle/models/sm_tile*/model.so)" ] && [ ! -e "$there/lib/heddle/build/models" ]
}
check "it runs, models in the user's cache" first_run
again() { runs XDG_CACHE_HOME="$tmp/user/.cache" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] && grep -q "checks" "$tmp/out"; }
check "again: builds nothing" again
nowhere() { ! runs HOME= >"$tmp/out" 2>"$tmp/err" && grep -q "no folder for models" "$tmp/err"; }
check "no folder for models" nowhere
check "it lists its configurations" sh -c "cd / && '$there/bin/heddle' list configurations | grep -q paper1-small"
check "area needs the sources" env HEDDLE="$there/bin/heddle" sh -c '. tests/system/lib.sh; refused "needs the sources" area hd_fifo'
check "page and completion" sh -c "grep -q '^.TH HEDDLE' '$there/share/man/man1/heddle.1' &&
  grep -q '^complete ' '$there/share/bash-completion/completions/heddle'"
elsewhere() { [ -d "$there/lib/heddle/rtl" ] && ! grep -rq "$root" "$there/share" "$there/lib/heddle/tb" "$there/lib/heddle/configs"; }
check "names no folder of the sources" elsewhere

# The library: examples and a test compiled against what was installed alone, with the models of the runs above.
example() { # FILE FLAG...
  file=$1 name=$tmp/$(basename "$1" .c)
  shift
  flags=$(PKG_CONFIG_PATH=$there/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$tmp/d pkg-config --cflags --libs heddle) || return 1
  # shellcheck disable=SC2086
  gcc -std=c11 -Wall -Wextra -Werror "$@" -o "$name" "$file" $flags -Wl,-rpath,"$there/lib" &&
    (cd / && unprivileged env -u XDG_CACHE_HOME HOME="$tmp/user" "$name" $machine watchdog=5000)
}
check "library: warps of a machine" example "$there/share/doc/heddle/examples/counter.c"
check "library: a tile in another loop" example "$there/share/doc/heddle/examples/tile.c"
check "library: refusals, order, deadlock" example tests/c/library.c -fsanitize=address,undefined
# What a program may call: the names of the map, each with its version, and no other.
exports() {
  sed -n '/^global:/,/^local:/p' sw/lib/heddle.map | tr -d ' ' | tr ';' '\n' | grep '^heddle' | sed 's/$/@@HEDDLE_0/' | sort >"$tmp/map"
  nm -D --defined-only "$there/lib/libheddle.so.0" | sed -n 's/.* T //p' | sort | diff "$tmp/map" - &&
    grep -o 'heddle_[a-z_]*(' sw/lib/heddle.h | tr -d '(' | sed 's/$/@@HEDDLE_0/' | sort -u | diff "$tmp/map" -
}
check "library: versioned names" exports

tarball() {
  make -s dist >"$tmp/name" && tar -C "$tmp" -xzf "$(cat "$tmp/name")" && cd "$tmp"/heddle-*/ && [ ! -e .git ] && [ -s revision ] || return 1
  sed -i 's/-O2 -g/-O0/' Makefile # compiles fast
  make -s build/heddle && build/heddle --version && build/heddle list configurations | grep -q paper1-small &&
    grep -q "HD_REVISION \"$(cat revision)\"" build/gen/hd_revision.h
}
check "tarball builds without git" eval "(tarball)"
finish
