#!/bin/sh
# gpu.sh - GPU coherence (l1 = gpu) under drf and hrf: data-race-free programs give their golden results with tiny caches, few
# entries and jitter, on crossbar and mesh; threads, windows and idle skipping change nothing; what does not fit is refused.
. tests/system/lib.sh
current

gpu="--config tests/mutants/mutant.cfg --set l1=gpu --set lanes=8 --set warps=32 --set ghost_bits=32"

# all_checks ARGUMENT...: a run that passes every check.
all_checks() {
  "$HEDDLE" run "$@" >"$tmp/text" 2>&1
  code=$?
  cat "$tmp/text"
  [ $code -eq 0 ] && grep -q 'checks  *7 of 7 passed' "$tmp/text"
}

for order in drf hrf; do
  while read -r what; do
    # shellcheck disable=SC2086
    check "$what, $order" all_checks $gpu --set order=$order $what
  done <<'END'
drf episodes=4
vecadd n=300 threads=64
gemm nk=3 block_rows=1
histogram blocks=4 threads=32 bins=20 items=4
spinlock rounds=3
stream items=3 threads=64
END
done
# Locks of two scopes, as in denovo.sh.
scoped() { # COHERENCE MODEL
  # shellcheck disable=SC2086
  all_checks --log "$tmp/log.bin" $gpu --set coherence="$1" --seed 3 \
    drf warps=3 episodes=3 scoped=1 mixed=1 read_only=40 locks=60 &&
    "$HEDDLE" check --model "$2" "$tmp/log.bin"
}
check "scopes, gd" scoped gd drf
check "scopes, gh" scoped gh hrf-indirect
check "scopes without scopes" refused "scoped = 1: only with l1 = gpu or denovo" run --config tiny drf scoped=1
# One of everything.
least="--set mshr=1 --set mshr_targets=1 --set mshr_stores=1 --set mshr_cas=1 --set sb_words=32 --set sb_rows=1 --set wt_out=1 --set gen_bits=2 --set l2_mshr=1 --set mem_credits=1"
# shellcheck disable=SC2086
check "least resources" all_checks $gpu $least --set order=drf drf episodes=2
# shellcheck disable=SC2086
check "least resources, hrf" all_checks $gpu $least --set order=hrf spinlock rounds=2
# All 64 warps of an SM release while the first of their lines is still on its way: a marker each.
# shellcheck disable=SC2086
check "64 releases at once" all_checks $gpu --set order=drf --set warps=64 --set l1_sets=64 --set sb_words=4096 --set wt_out=1 \
  --set lat_sm_xbar=200 dlb blocks=4 threads=512 tasks=4 roots=4

same() {
  # shellcheck disable=SC2086
  json "$tmp/other" --port-log "$tmp/other.ports" $gpu --set order=hrf --set "$1" drf episodes=2 || return 1
  cmp "$tmp/first.ports" "$tmp/other.ports" || return 1
  core "$tmp/first" >"$tmp/one"
  core "$tmp/other" >"$tmp/two"
  diff "$tmp/one" "$tmp/two"
}
# shellcheck disable=SC2086
check "a run" json "$tmp/first" --port-log "$tmp/first.ports" $gpu --set order=hrf drf episodes=2
for change in threads=2 skip_idle=false window=1; do check "$change" same $change; done

check "order of paper 1" refused "order = rmo: must be drf or hrf (l1 = gpu, denovo" run --config tiny --set l1=gpu vecadd
check "drf on MESI" refused "order = drf: must be one of paper 1" run --config tiny --set order=drf vecadd
check "long lines" refused "line_bytes = 128: must be at most 64 (l1 = gpu, denovo" run --config tiny --set l1=gpu --set order=drf \
  --set line_bytes=128 vecadd
check "pending request table" refused "pending = prt: must be mshr (l1 = gpu, denovo" run --config tiny --set l1=gpu --set order=drf \
  --set line_bytes=64 --set pending=prt vecadd
finish
