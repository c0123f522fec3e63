#!/bin/sh
# bench_mcm.sh [EVENTS [WORDS]] - builds and runs the benchmark of the memory-model checker for SC, TSO and RMO, on logs
# whose order of completion is a witness, nearly is one, and is none.
set -eu
cd "$(dirname "$0")/../.."
[ -f build/gen/hd_pkg.h ] || { echo "build/gen/hd_pkg.h is missing: make build"; exit 1; }
cc=$(command -v gcc || command -v clang)
mkdir -p build/c
"$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -Wpedantic -Werror -Ibuild/gen -Itb -o build/c/bench_mcm \
  tests/c/bench_mcm.c tb/check/map.c tb/check/mcm*.c
for late in 0 10000 1; do
  echo "instructions that complete late: one in $late (0: none)"
  for model in sc tso rmo; do build/c/bench_mcm $model "${1:-10000000}" "${2:-1048576}" $late; done
done
