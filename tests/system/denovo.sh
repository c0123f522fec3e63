#!/bin/sh
# denovo.sh - DeNovo coherence (l1 = denovo) under drf and hrf: data-race-free programs give their golden results with tiny caches,
# few entries and jitter, on crossbar and mesh; threads, windows and idle skipping change nothing; what does not fit is refused.
. tests/system/lib.sh
current

denovo="--config tests/mutants/mutant.cfg --set lanes=8 --set warps=32 --set ghost_bits=32"
mesh="--set noc=mesh --set clk_ratio=1 --set queue_depth=2 --set flit_bytes=16"

# all_checks ARGUMENT...: a run that passes every check.
all_checks() {
  "$HEDDLE" run "$@" >"$tmp/text" 2>&1
  code=$?
  cat "$tmp/text"
  [ $code -eq 0 ] && grep -q 'checks  *[67] of [67] passed: golden, warp_port, conservation, coherence, watchdog, assertions, memory_model' "$tmp/text"
}

for coherence in dd dh; do
  while read -r what; do
    # shellcheck disable=SC2086
    check "$what, $coherence" all_checks $denovo --set coherence=$coherence $what
  done <<'END'
drf episodes=4
racy
vecadd n=300 threads=64
gemm nk=3 block_rows=1
histogram blocks=4 threads=32 bins=20 items=4
spinlock rounds=3
spin_sem local=0 visits=3 n=3
stream items=3 threads=64
END
  # shellcheck disable=SC2086
  check "mesh, $coherence" all_checks $denovo $mesh --set coherence=$coherence drf episodes=3
done
# Locks with a word of the device and one of each block, among the words that they guard, some of which nobody writes. The
# program has no race, and it needs transitivity: HRF-Direct calls one.
scoped() { # COHERENCE MODEL
  # shellcheck disable=SC2086
  all_checks --log "$tmp/log.bin" $denovo --set coherence="$1" --seed 3 \
    drf warps=3 episodes=3 scoped=1 mixed=1 fenced="$3" read_only=40 locks=60 &&
    "$HEDDLE" check --model "$2" "$tmp/log.bin"
}
transitive() {
  "$HEDDLE" check --model hrf-direct "$tmp/log.bin"
  [ $? = 1 ]
}
for coherence in dd dd-ro; do check "scopes, $coherence" scoped $coherence drf 0; done
check "scopes by fences, dh" scoped dh hrf-indirect 1
check "scopes, dh" scoped dh hrf-indirect 0
check "scopes are transitive" transitive
# One of everything.
least="--set mshr=1 --set mshr_targets=1 --set mshr_stores=1 --set mshr_cas=1 --set sb_words=16 --set sb_rows=1 --set gen_bits=2 --set l2_mshr=1
  --set l2_ways=2 --set mem_credits=1 --set reg_entries=1 --set wb_entries=1"
# shellcheck disable=SC2086
check "least resources" all_checks $denovo $least --set coherence=dd drf episodes=1
# shellcheck disable=SC2086
check "least resources, hrf" all_checks $denovo $least --set coherence=dh spinlock rounds=1
# Every writeback that the L1s can have out owes its acknowledgement at once.
check "all writebacks owed" all_checks --config tests/mutants/mutant.cfg --set coherence=dd --set partitions=1 --set sms=2 --set wb_entries=1 \
  --set queue_depth=2 uts
# As many releases at once as there are warps.
# shellcheck disable=SC2086
check "64 releases at once" all_checks $denovo --set coherence=dd --set warps=64 --set l1_sets=64 --set sb_words=4096 \
  --set lat_sm_xbar=200 dlb blocks=4 threads=512 tasks=4 roots=4

same() {
  # shellcheck disable=SC2086
  json "$tmp/other" --port-log "$tmp/other.ports" $denovo --set coherence=dh --set "$1" drf episodes=2 || return 1
  cmp "$tmp/first.ports" "$tmp/other.ports" || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}
# shellcheck disable=SC2086
check "a run" json "$tmp/first" --port-log "$tmp/first.ports" $denovo --set coherence=dh drf episodes=2
for change in threads=2 threads=4 skip_idle=false window=1; do check "$change" same $change; done

check "order of paper 1" refused "order = rmo: must be drf or hrf (l1 = gpu, denovo" run --config tiny --set l1=denovo vecadd
check "coherence of no paper" refused "coherence = mesi: must be gd/gh/dd/dd-ro/dh" run --config tiny --set coherence=mesi vecadd
check "long lines" refused "line_bytes = 128: must be at most 64 (l1 = gpu, denovo" run --config tiny --set coherence=dd \
  --set line_bytes=128 vecadd
check "pending request table" refused "pending = prt: must be mshr (l1 = gpu, denovo" run --config tiny --set coherence=dd \
  --set line_bytes=64 --set pending=prt vecadd
check "read-only words of GPU coherence" refused "read_only = true: must be false (l1 = denovo" run --config tiny --set coherence=gd \
  --set line_bytes=64 --set read_only=true vecadd
check "more SMs and L2s than a crossbar has ports" refused "sms = 128: must be at most 127 (l1 = denovo on one crossbar" run --config tiny \
  --set coherence=dd --set line_bytes=64 --set sms=128 vecadd
check "flat crossbar" refused "flat = true: must be false (l1 = denovo" run --config tiny --set coherence=dd --set line_bytes=64 \
  --set flat=true vecadd
printf 'sms = 2;\ncoherence = "d";\n' >"$tmp/bad.cfg"
check "file and line" refused "bad.cfg:2: coherence = d: must be" run --config "$tmp/bad.cfg" vecadd
# The pairs of the tables are counted whatever the words of a line, up to 16.
counts() {
  files=$(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*')
  for words in 8 16; do
    # shellcheck disable=SC2086
    verilator --lint-only --unroll-count 1024 -GFamily=3 -GLineWords=$words -GFlitWords=4 +define+HD_COVERAGE --top-module hd_sm_tile \
      synth/waivers.vlt -Irtl/pkg rtl/pkg/hd_pkg.sv $files || return 1
  done
}
check "models that count pairs, lines of 8 and 16 words" counts
finish
