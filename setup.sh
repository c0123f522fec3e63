#!/bin/sh
# setup.sh build|run|tune|test|lint|formal|replay|bench|area - makes sure that what a make target needs is installed (Debian packages).
#
# Looks for commands and headers, so that tools from elsewhere count. Only what is missing is installed, with
# one line that says which packages and why. Exit 2 with the list where apt or the rights are missing.
set -eu
goal=$1

have_command() { command -v "$1" >/dev/null; }
have_header() { # in the system's include folders, the multiarch ones too
  for d in /usr/include /usr/include/*-linux-gnu /usr/local/include; do
    [ ! -f "$d/$1" ] || return 0
  done
  return 1
}

packages="" reasons=""
need() { # goals, package, reason, probe...
  case " $1 " in *" $goal "*) ;; *) return 0 ;; esac
  package=$2 reason=$3
  shift 3
  ! "$@" || return 0
  packages="$packages $package"
  reasons="$reasons${reasons:+, }$package ($reason)"
}
have_cxx() { have_command clang++ || have_command g++; }

look() {
  packages="" reasons=""
  need "build run tune test replay bench area" gcc "compiles the C program" have_command gcc
  need "build run tune test replay bench area" libc6-dev "C headers" have_header stdio.h
  need "build run tune test bench area" libconfig-dev "reads configurations" have_header libconfig.h
  need "build run tune test bench area" libjansson-dev "writes JSON" have_header jansson.h
  need "build run tune test bench area" libsqlite3-dev "keeps results" have_header sqlite3.h
  need "build run tune test bench area" liblzma-dev "reads packed traces" have_header lzma.h
  need "build run tune test bench area" libzstd-dev "reads and writes traces" have_header zstd.h
  need "test" pkg-config "compiles against the library" have_command pkg-config
  need "test" sqlite3 "looks into results" have_command sqlite3
  need "test" libxml2-utils "checks pages" have_command xmllint
  need "run tune test lint replay bench" verilator "turns RTL into C++" have_command verilator
  need "run test replay bench" clang "compiles the RTL's C++" have_cxx
  need "tune" clang "compiles models by a profile" have_command clang++
  need "tune" llvm "reads profiles" have_command llvm-profdata
  need "run tune test bench" zlib1g-dev "compressed waves" have_header zlib.h
  need "test lint formal replay area" yosys "netlists, lint, area and proofs" have_command yosys
  need "test formal replay area" berkeley-abc "proofs and mapping" have_command berkeley-abc
  need "test replay" libcmocka-dev "unit tests" have_header cmocka.h
  need "test replay" iverilog "simulates netlists" have_command iverilog
  need "test replay area" qflow-tech-osu018 "standard cells" test -f /usr/share/qflow/tech/osu018/osu018_stdcells.v
  need "test area" opensta "longest paths" have_command sta
  need "test bench" gnuplot-nox "plots" have_command gnuplot
  need "test bench" librsvg2-bin "pictures of plots" have_command rsvg-convert
  need "test" libopenmpi-dev "ranks" have_command mpicc
  need "test" openmpi-bin "ranks" have_command mpirun
}

look
# Nothing needs it: where nothing else is missing, only root tries to install it, once in a clone.
faster="" limit=""
if [ "$goal" != build ] && [ -n "$(LD_PRELOAD=libjemalloc.so.2 uname 2>&1 >/dev/null)" ]; then
  faster=libjemalloc2
  reasons="$reasons${reasons:+, }libjemalloc2 (quicker builds of models)"
fi
if [ -z "$packages" ]; then
  [ -n "$faster" ] && [ "$(id -u)" = 0 ] && have_command apt-get && [ ! -e build/setup.tried ] || exit 0
  mkdir -p build && : >build/setup.tried
  limit="timeout 60" # a network that does not answer
fi

refuse() {
  echo "setup: $1. Install these Debian packages, then call make again:$packages" >&2
  exit 2
}
have_command apt-get || refuse "no apt-get here"
sudo=""
if [ "$(id -u)" != 0 ]; then
  have_command sudo || refuse "not root and no sudo"
  sudo=sudo
fi
echo "setup: installing $reasons"
# shellcheck disable=SC2086
{
  $limit $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
    $limit $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages $faster
} >/dev/null || [ -z "$packages" ] || refuse "apt-get failed"
look
[ -z "$packages" ] || refuse "still missing after the installation"
