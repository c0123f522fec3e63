#!/bin/sh
# build_model.sh [-n] OUTDIR TOP VARIANT [Param=Value...] - makes OUTDIR/model.so and OUTDIR/<TOP>_dut.h from the RTL.
#
# VARIANT  fast     for long runs: best code, no assertions
#          checked  assertions counted, registers without reset start random; good code that compiles quickly
#          wave     checked, and can write FST waves
#          counted  checked, and counts the pairs of the protocol tables (HD_COVER_PAIRS)
#          cov      checked, and counts line and user coverage
#          net      Yosys's netlist of the module instead of the RTL; NETLIST: this file instead, with the same ports
#          dut      only the header, no model (quick)
# Does nothing when OUTDIR was made from the same sources, parameters, flags and tools (OUTDIR/key). The
# directory is replaced as a whole, under a lock: a reader never finds a half or mixed model, two builders never meet. The
# one it replaces is kept as OUTDIR.old and comes back when its sources do: switching branches builds nothing twice.
# An up-to-date OUTDIR is only read: a built clone runs where nothing can be written. -n: builds nothing, exit 1 when it
# would have to.
# Silent on success. On failure: the tool's message, exit 1. For measurements: HD_CXX is the C++ compiler, HD_OPT replaces its
# optimization flags, HD_VERILATOR adds options of Verilator, HD_VARIANT replaces the variant. HD_PROFILE=make builds models that
# write a profile; build/profile/models.profdata, where tune.sh leaves one, is used for every fast model that clang builds.
set -eu

usage() {
  echo "usage: build_model.sh [-n] OUTDIR TOP fast|checked|wave|counted|cov|net|dut [Param=Value...]" >&2
  exit 2
}
look=0
[ "${1:-}" != -n ] || { look=1; shift; }
[ $# -ge 3 ] || usage
out=$1 top=$2 variant=${HD_VARIANT:-$3}
shift 3
case $out in */*) folder=${out%/*} ;; *) folder=. ;; esac
[ -d "$folder" ] || mkdir -p "$folder"
out=$(cd "$folder" && pwd)/${out##*/}
case ${NETLIST:-} in
  "" | /*) ;;
  *) NETLIST=$PWD/$NETLIST ;;
esac
# From here on paths are relative to the top folder, whose own may hold blanks; those within it do not.
# Few commands are called here: a small model takes less than a second.
case $0 in */*) cd "${0%/*}/../.." ;; *) cd ../.. ;; esac
out=${out#"$PWD/"}
here=tb/model

cxx=$(command -v "${HD_CXX:-clang++}" || command -v "${HD_CXX:-g++}" || true)
[ -n "$cxx" ] || { echo "build_model.sh: no ${HD_CXX:-clang++ or g++} found" >&2; exit 1; }
vflags="--cc -O3 --unroll-count 1024 --noassert --x-assign fast --x-initial fast"
opt="-O1" trace=0 cov=0 asserts=0
[ -z "${HD_VERILATOR:-}" ] || vflags="$vflags $HD_VERILATOR"
random="--x-assign unique --x-initial unique"
# Verilator 5.006 takes samples of 40 to 64 words for assertions in a loop whose index it does not declare.
assert="--assert --reloop-limit 65"
case $variant in
  fast) opt="-O3 -march=native" ;;
  checked) vflags="$vflags $assert $random" asserts=1 opt="-O2 -march=native" ;;
  wave) vflags="$vflags $assert $random --trace-fst --trace-structs" asserts=1 trace=1 ;;
  counted) vflags="$vflags $assert $random --coverage-user +define+HD_COVERAGE" asserts=1 cov=1 ;;
  cov) vflags="$vflags $assert $random --coverage-line --coverage-user" asserts=1 cov=1 ;;
  net) vflags="$vflags $random -Wno-lint -Wno-style -Wno-UNOPTFLAT" ;;
  dut) ;;
  *) usage ;;
esac
[ $cov = 1 ] || vflags="$vflags --savable" # Verilator refuses both together
opt=${HD_OPT:-$opt}
# Compilers take more than their share of time for functions of a megabyte; whole ones are a little faster to run.
case $opt in -O1*) vflags="$vflags --output-split-cfuncs 2000" ;; esac
cxxflags="-std=gnu++17 $opt -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fno-plt
  -fno-semantic-interposition -fcf-protection=none -faligned-new -w -DVL_USER_STOP -DVM_SC=0
  -DVM_TRACE=$trace -DVM_TRACE_FST=$trace -DVM_TRACE_VCD=0 -DVM_COVERAGE=$cov"
profile=build/profile/models.profdata
link=""
linker=$cxx
# Which family it is, by its name or by what that is a link to: asking clang takes longer than all else here.
family=$cxx
case $family in *clang*) ;; *) family=$cxx-$(readlink -f "$cxx") ;; esac
case $family in *clang* | *g++*) ;; *) family=$("$cxx" --version) ;; esac
case $family in
  *clang*)
    pch=pch pchflags=-fpch-instantiate-templates
    # Both call the same linker; g++ takes a third of the time to start it.
    linker=$(command -v g++ || echo "$cxx")
    if [ "${HD_PROFILE:-}" = make ]; then
      link=-fprofile-instr-generate cxxflags="$cxxflags $link" linker=$cxx
    elif [ "$variant" = fast ] && [ -f $profile ]; then
      cxxflags="$cxxflags -fprofile-instr-use=$profile"
    fi
    # A quarter of the time of Debian's clang goes into what no run of a model was measured to gain from. Other versions have
    # other switches.
    case $opt in
      -O1*)
        case $(readlink -f "$cxx") in
          */llvm-14/*)
            cxxflags="$cxxflags -fno-strict-aliasing -mllvm -memssa-check-limit=10 -mllvm -instcombine-max-iterations=1"
            cxxflags="$cxxflags -mllvm -enable-misched=false"
            ;;
        esac
        ;;
    esac
    ;;
  *) pch=gch pchflags="" cxxflags="$cxxflags -fno-gnu-unique" ;; # unique symbols would join the state of two plug-ins
esac

# GNU's other linker takes a third of the time, of a small model a sixth of all.
[ -n "$link" ] || ! command -v ld.gold >/dev/null || link=-fuse-ld=gold

# Inputs: the sources the module needs, the scripts, the tools, and for -march=native the processor.
LC_ALL=C
export LC_ALL
modules=""
for f in rtl/*/hd_*.sv; do case $f in rtl/pkg/*) ;; *) modules="$modules $f" ;; esac; done
# shellcheck disable=SC2086
files=$(awk -v top="$top" -f "$here/rtlfiles.awk" $modules)
waivers=synth/waivers.vlt
gate=synth/gate.sh
compiler_key() {
  echo "$cxx $cxxflags"
  [ "${cxxflags#*-use=}" = "$cxxflags" ] || sha256sum <$profile
  stat -Lc '%n %s %Y' "$cxx"
  [ "${opt#*-march=native}" = "$opt" ] || grep -m1 '^flags' /proc/cpuinfo | cksum
}
compiler=$(compiler_key)
new_key() {
  echo "$variant $* | $vflags"
  echo "$compiler"
  # shellcheck disable=SC2046
  stat -Lc '%n %s %Y' $(command -v verilator verilator_bin yosys || true)
  [ "$variant" != net ] || [ -z "${NETLIST:-}" ] || sha256sum <"$NETLIST"
  # shellcheck disable=SC2086
  sha256sum $files rtl/pkg/* "$waivers" "$gate" "$here"/build_model.sh "$here"/rtlfiles.awk \
    "$here"/genshim.awk "$here"/shim*.cpp "$here"/shim.h "$here"/hd_model_abi.h
}
key=$(new_key "$@")

is_current() { [ -f "$1/key" ] && [ "$(cat "$1/key")" = "$key" ]; }
! is_current "$out" || exit 0
[ $look = 0 ] || exit 1
( : >>"$out.lock") 2>/dev/null || { echo "build_model.sh: $top ($variant) must be built and $(dirname "$out") cannot be written" >&2; exit 1; }
exec 9>>"$out.lock"
flock 9
! is_current "$out" || exit 0
if is_current "$out.old"; then
  rm -rf "$out.tmp"
  [ ! -e "$out" ] || mv "$out" "$out.tmp"
  mv "$out.old" "$out"
  [ ! -e "$out.tmp" ] || mv "$out.tmp" "$out.old"
  exit 0
fi

. "$here/malloc.sh"
tmp=$out.tmp
rm -rf "$tmp"
mkdir "$tmp"
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# run COMMAND...: silent unless it fails
run() {
  "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; echo "build_model.sh: $top ($variant): failed: $1" >&2; exit 1; }
}

if [ "$variant" = net ] && [ -n "${NETLIST:-}" ]; then
  set -- "$NETLIST"
elif [ "$variant" = net ]; then
  export HD_RTL_FILES="$files"
  run "$gate" -o "$tmp/net.v" "$top" "$@"
  set -- "$tmp/net.v"
else
  values=""
  for p in "$@"; do values="-G$p $values"; done
  # shellcheck disable=SC2086
  set -- $values "$waivers" -Irtl/pkg rtl/pkg/hd_pkg.sv $files
fi
# shellcheck disable=SC2086
set -- $vflags --top-module "$top" --prefix "V$top" --Mdir "$tmp/v" "$@"
verilator=verilator # a script in Perl, which takes longer than a small module; what it starts may know its folder itself
if vinc=$(verilator_bin --getenv VERILATOR_ROOT 2>/dev/null)/include; then
  verilator=verilator_bin
else
  vinc=$(verilator --getenv VERILATOR_ROOT)/include
fi
# Always blocks left whole have fewer branches, a twelfth of the time of a busy mesh, and with assertions a third less code. A
# module in which some form circles, which split ones do not, is built all the same; tiles have none (lint.sh).
whole=0
if [ "$variant" != net ] && with_jemalloc $verilator "$@" -fno-split >"$tmp/log" 2>&1; then whole=1; fi
if [ $whole = 0 ]; then
  rm -rf "$tmp/v"
  run with_jemalloc $verilator "$@"
fi
awk -v top="$top" -v dir="$tmp" -f "$here/genshim.awk" "$tmp/v/V$top.h"

root=$tmp/v/V${top}___024root.h
sed -n "s/.*__Vtrigrprev__TOP__\([a-z0-9_]*\);.*/HD_CLOCK(\1)/p" "$root" >"$tmp/clocks.inc"

# A tile has one trigger, its rising clock. A combinational loop, which Verilator iterates until it settles, or a second
# edge adds triggers.
one_edge=0 inputs_pass=0 # inputs_pass: some output or wire depends on an input within the cycle
! grep -q __VicoTriggered "$root" || inputs_pass=1
case $top-$variant in
  *-net) ;; # single bits, with loops that the RTL has not
  hd_*_tile-*)
    odd=$(grep -n "VlTriggerVec<" "$root" | grep -v "VlTriggerVec<1>" | head -n 1)
    [ -n "$odd" ] || grep -q "VlTriggerVec<1>" "$root" || odd="no VlTriggerVec<1>"
    if [ -n "$odd" ]; then
      echo "build_model.sh: $top ($variant): $(basename "$root"):$odd: a tile may have one trigger, its rising clock" >&2
      exit 1
    fi
    [ "$variant" != fast ] || one_edge=1
    ;;
esac

if [ "$variant" != dut ]; then
  # The message of an assertion goes to stderr: stdout belongs to the program.
  compile() {
    # shellcheck disable=SC2086
    with_jemalloc "$cxx" $cxxflags '-DVL_PRINTF(...)=fprintf(stderr, __VA_ARGS__)' -I"$vinc" -I"$vinc/vltstd" "$@"
  }

  # Verilator's run time, what all shims share and Verilator's headers compiled beforehand (three quarters of a small model's
  # time), once per set of flags and folder: clang notes where the header lies and how old what it includes is, so those of a
  # checkout that was moved are made anew, and no header of ours is among them.
  [ -d build/vrt ] || mkdir -p build/vrt
  vrt=$(cd build/vrt && pwd -P)
  sum=$( (echo "$compiler"; stat -Lc '%n %s %Y' "$vinc/verilated.cpp"; echo "$vrt"
    cat "$here/shim_common.cpp" "$here/shim.h" "$here/hd_model_abi.h") | cksum)
  vrt=$vrt/${sum% *}-${sum#* }
  (
    flock 8
    [ ! -f "$vrt.a" ] || [ ! -f "$vrt.h.$pch" ] || [ ! -f "$vrt.slow.h.$pch" ] || exit 0
    rm -rf "$vrt.tmp"
    mkdir "$vrt.tmp"
    printf '#include <%s>\n' memory new verilated.h verilated_save.h >"$vrt.h"
    cp "$vrt.h" "$vrt.slow.h"
    # shellcheck disable=SC2086
    run compile $pchflags -x c++-header "$vrt.h" -o "$vrt.h.$pch"
    # shellcheck disable=SC2086
    if [ "$opt" = -O0 ]; then
      ln -f "$vrt.h.$pch" "$vrt.slow.h.$pch"
    else # compiled headers are good for one level
      run compile -O0 $pchflags -x c++-header "$vrt.slow.h" -o "$vrt.slow.h.$pch"
    fi
    # As one unit, which includes the same headers once; one each where a version does not allow that.
    names="verilated verilated_threads verilated_save" more=""
    [ $trace = 0 ] || more="$more verilated_fst_c"
    [ $cov = 0 ] || more="$more verilated_cov"
    # shellcheck disable=SC2086
    printf '#include "%s.cpp"\n' $names shim_common >"$vrt.tmp/runtime.cpp"
    compile -I"$here" -c "$vrt.tmp/runtime.cpp" -o "$vrt.tmp/runtime.o" >"$tmp/log" 2>&1 || {
      more="$more $names"
      run compile -I"$here" -c "$here/shim_common.cpp" -o "$vrt.tmp/runtime.o"
    }
    for n in $more; do run compile -c "$vinc/$n.cpp" -o "$vrt.tmp/$n.o"; done
    run ar rcs "$vrt.tmp/vrt.a" "$vrt.tmp"/*.o
    mv "$vrt.tmp/vrt.a" "$vrt.a"
    rm -rf "$vrt.tmp"
  ) 8>"$vrt.lock"

  # Few large translation units: parsing Verilator's headers dominates small ones. Two for a large model,
  # so that both halves of its hot code compile at once; code that runs once is not worth optimizing.
  stat -c '%s %n' "$tmp"/v/*.cpp | awk -v dir="$tmp/v" '
    { size[NR] = $1; total += $1; sub(/.*\//, ""); name[NR] = $0; slow[NR] = /__Slow\.cpp$|__Syms\.cpp$|__Trace/ }
    END {
      for (n = 1; n <= NR; n++) { # hot ones first, and of these the largest
        f = 0
        for (i = 1; i <= NR; i++)
          if (!done[i] && (!f || slow[i] < slow[f] || slow[i] == slow[f] && size[i] > size[f])) f = i
        done[f] = 1
        unit = total < 400000 ? "a" : slow[f] ? "slow" : a <= b ? "a" : "b"
        if (unit == "a") a += size[f]
        if (unit == "b") b += size[f]
        print "#include \"" name[f] "\"" > (dir "/unit_" unit ".cpp")
      }
    }'
  printf '#include "shim.cpp"\n' >>"$tmp/v/unit_a.cpp"
  jobs=""
  for u in "$tmp"/v/unit_*.cpp; do
    o=${u%.cpp}.o
    case $u in
      *unit_slow.cpp) set -- -O0 -include "$vrt.slow.h" ;;
      *) set -- -include "$vrt.h" ;;
    esac
    compile "$@" -DHD_ASSERTS=$asserts -DHD_TOP="$top" -DHD_ONE_EDGE=$one_edge -DHD_INPUTS_PASS=$inputs_pass \
      -DHD_TOP_HEADER="\"V$top.h\"" -DHD_ROOT_HEADER="\"V${top}___024root.h\"" -I"$tmp/v" -I"$tmp" -I"$here" -c "$u" -o "$o" \
      >"$o.log" 2>&1 &
    jobs="$jobs $!"
  done
  failed=0
  for j in $jobs; do wait "$j" || failed=1; done
  if [ $failed = 1 ]; then
    cat "$tmp"/v/*.log >&2
    echo "build_model.sh: $top ($variant): the C++ compiler failed" >&2
    exit 1
  fi
  libs=""
  [ $trace = 0 ] || libs=-lz
  # shellcheck disable=SC2086
  run "$linker" -shared -o "$tmp/model.so" "$tmp"/v/unit_*.o "$vrt.a" -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,defs \
    -pthread -latomic $link $libs
fi

rm -rf "$tmp/v" "$tmp/log" "$tmp/net.v"
echo "$key" >"$tmp/key"
rm -rf "$out.old"
[ ! -e "$out" ] || mv "$out" "$out.old"
mv "$tmp" "$out"
