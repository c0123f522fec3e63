#!/bin/sh
# c.sh - the unit tests of the C parts, tests/c/test_*.c. Each is linked with those parts of the program that it
# does not replace by its own.
set -u
[ -x build/heddle ] || { echo "build/heddle is missing: make build"; exit 1; }
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g1 -Wall -Wextra -Wpedantic -Werror"
flags="$flags -I. -Ibuild/gen -Itb -Itb/model -Itb/mem -Itb/check -Isw -Isw/simt -Isw/kernels -Isw/litmus"
cc=$(command -v gcc || command -v clang)
mkdir -p build/c
passed=0
failed=0
for source in tests/c/test_*.c; do
  name=$(basename "$source" .c)
  # shellcheck disable=SC2086
  if $cc $flags -o "build/c/$name" "$source" build/parts.a -lcmocka -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread \
    >"build/c/$name.out" 2>&1; then
    "build/c/$name" >>"build/c/$name.out" 2>&1
    code=$?
  else
    code=1
  fi
  good=$(grep -c '^\[       OK \]' "build/c/$name.out")
  bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*listed below.*/\1/p' "build/c/$name.out")
  bad=${bad:-0}
  [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  [ "$code" -eq 0 ] || { echo "FAILED: $source"; tail -n 30 "build/c/$name.out"; }
  passed=$((passed + good))
  failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
