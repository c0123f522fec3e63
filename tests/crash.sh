#!/bin/sh
# crash.sh - `make crash`: the persistent B+tree of paper 4 cut off at every cycle of small runs and at many of a large one, under
# seven orders of the memory, recovery cut off too; then programs that are wrong on purpose (I6). Prints each setting and sums.
set -u
HEDDLE=${HEDDLE:-build/heddle}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
machine="--config paper4-small --set nv_base=1048576"
tiny="leaves=60 keys=48 groups=8 threads=32 log=1 switch=50 batches=3"
images=0
wrong=0

# campaign EXPECTED ARGUMENT...: 0: nothing may be bad; 1: something must be.
campaign() {
  expected=$1
  shift
  # shellcheck disable=SC2086
  "$HEDDLE" crash $machine "$@" >"$out" 2>"$out.err"
  code=$?
  n=$(awk '/ moments / { n += $4 } END { print n + 0 }' "$out")
  bad=$(awk '/ moments / { for (i = 2; i <= NF; i++) if ($i == "bad") n += $(i - 1) } END { print n + 0 }' "$out")
  echo "$*: $n images, $bad bad$(sed -n 's/^  \(.*\); power is cut.*/; \1/p' "$out" | head -n 1)"
  [ "$expected" -ne 0 ] || images=$((images + n))
  if [ "$code" -ne "$expected" ]; then
    cat "$out.err" "$out"
    wrong=$((wrong + 1))
  fi
  rm -f "$out.err"
}

for algorithm in 2 1; do
  campaign 0 --machine 8 ptree $tiny algorithm=$algorithm
done
campaign 0 ptree leaves=24 keys=40 groups=2 threads=32 log=1 switch=50 batches=4
campaign 0 --set nv_base=4194304 --points 3000 ptree leaves=2048 groups=8 threads=32 log=1 switch=50
for fault in 4 5; do
  campaign 0 ptree $tiny fault=$fault
done
for fault in 1 2 3 6 7 8 9 10 11; do
  campaign 1 --orders random:1,newest ptree $tiny fault=$fault
done
echo "$images images of programs that are right, recovered; settings that were not as they must be: $wrong"
[ "$wrong" -eq 0 ]
