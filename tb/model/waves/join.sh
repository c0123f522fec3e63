#!/bin/sh
# join.sh OUT.fst OUT.gtkw NAME=FILE.fst... | -l FILE.fst - joins waves, or prints them: join.c, which it builds when it is not there yet, beside the models or, in a
# tree that is only read, in heddle/models of $XDG_CACHE_HOME or ~/.cache.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fst=$( (verilator_bin --getenv VERILATOR_ROOT || verilator --getenv VERILATOR_ROOT) 2>/dev/null)/include/gtkwave
[ -f "$fst/fstapi.c" ] || { echo "join.sh: no FST library in Verilator's include/gtkwave" >&2; exit 2; }
models=${HEDDLE_MODELS:-$here/../../../build/models}
{ mkdir -p "$models" 2>/dev/null && [ -w "$models" ]; } || models=${XDG_CACHE_HOME:-$HOME/.cache}/heddle/models
mkdir -p "$models"
tool=$models/waves-$(cat "$here/join.c" "$fst/fstapi.c" | sha256sum | cut -c 1-16)
if [ ! -x "$tool" ]; then
  cc=$(command -v gcc || command -v clang)
  tmp=$(mktemp -d "$models/waves.XXXXXX")
  trap 'rm -rf "$tmp"' EXIT
  for f in fstapi lz4 fastlz; do "$cc" -O2 -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I"$fst" -c "$fst/$f.c" -o "$tmp/$f.o"; done
  "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -Werror -isystem "$fst" -o "$tmp/waves" "$here/join.c" "$tmp"/*.o -lz -lpthread
  mv "$tmp/waves" "$tool"
  rm -rf "$tmp"
fi
exec "$tool" "$@"
