#!/bin/sh
# tune.sh [ARGUMENT of heddle run]... - builds models by what a run does: profile-guided optimization, which clang has.
#
# Runs that once with models that count (default: gemm on paper1-small), leaves the profile as build/profile/models.profdata
# and runs it again. As long as that file is there every fast model is built with it, those of other configurations too: a
# function whose code the profile does not know is compiled as without one. Cycles and results are the same. To go back, remove
# build/profile. Exit 2: no clang or no llvm-profdata; else that of the run.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- gemm nk=48
for tool in "${HD_CXX:-clang++}" llvm-profdata; do
  command -v "$tool" >/dev/null || { echo "tune.sh: no $tool found (Debian packages clang, llvm)" >&2; exit 2; }
done
dir=build/profile
rm -rf $dir $dir.tmp
mkdir -p $dir.tmp
trap 'rm -rf $dir.tmp' EXIT
HD_PROFILE=make LLVM_PROFILE_FILE="$PWD/$dir.tmp/%m-%p.profraw" build/heddle run "$@"
llvm-profdata merge -o $dir.tmp/models.profdata $dir.tmp/*.profraw
rm $dir.tmp/*.profraw
mv $dir.tmp $dir
build/heddle run "$@"
echo "tune: models are now built by the profile of this run; rm -r $dir: as before"
