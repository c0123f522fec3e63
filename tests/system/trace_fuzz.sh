#!/bin/sh
# trace_fuzz.sh - damaged traces, in all readers, under sanitizers (tests/c/fuzz_trace.c). N: inputs (3000); SECONDS_TO_RUN: so long
# instead, from seed SEED on (make fuzz).
. tests/system/lib.sh
cc=$(command -v gcc || command -v clang)
# no allocation beyond 64 MiB or 64 times the file: files are smaller than 1 MiB
# (what is freed waits for 8 MiB of it: with more an input takes half as long again)
ASAN_OPTIONS=max_allocation_size_mb=65:detect_leaks=1:quarantine_size_mb=8:allocator_release_to_os_interval_ms=-1
UBSAN_OPTIONS=halt_on_error=1
export ASAN_OPTIONS UBSAN_OPTIONS
mkdir -p build/c

builds() {
  # shellcheck disable=SC2046
  $cc -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror \
    -Ibuild/gen -Itb -Itb/model -Isw -Isw/simt -Isw/kernels -Itests/c -o build/c/fuzz_trace tests/c/fuzz_trace.c \
    $(ls sw/trace/*.c | grep -vE '/(replay|tap)\.c$') -llzma -lzstd \
    -Wl,--wrap=ZSTD_createCCtx,--wrap=ZSTD_freeCCtx,--wrap=ZSTD_createDCtx,--wrap=ZSTD_freeDCtx
}
# The first input that a crash leaves unnamed is found by FUZZ_SHOW=1.
survives() {
  TMPDIR=$tmp timeout 7200 build/c/fuzz_trace "$@"
}

check "builds" builds
check "damaged traces" survives "${SECONDS_TO_RUN:--${N:-3000}}" "${SEED:-1}"
[ -z "${SECONDS_TO_RUN:-}" ] || cat "$tmp/log"
finish
