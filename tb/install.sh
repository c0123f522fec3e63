#!/bin/sh
# install.sh DESTDIR PREFIX VERSION - copies the built command, the library and what is needed to build models to PREFIX;
# `make install`. PREFIX/bin/heddle leads into PREFIX/lib/heddle, above which the command finds RTL, scripts and configurations;
# the library finds that folder beside itself.
set -eu
prefix=$1$2 tree=$1$2/lib/heddle
cd "$(dirname "$0")/.."
install -d "$prefix/bin" "$prefix/include" "$prefix/lib/pkgconfig" "$tree/build" "$tree/synth" "$prefix/share/man/man1" \
  "$prefix/share/bash-completion/completions" "$prefix/share/doc/heddle/examples"
rm -rf "$tree/rtl" "$tree/tb" "$tree/configs"
mkdir "$tree/tb"
cp -R rtl configs "$tree"
cp -R tb/model tb/cached.sh "$tree/tb"
install synth/gate.sh "$tree/synth"
install -m 644 synth/waivers.vlt "$tree/synth"
(cd "$tree" && find rtl tb synth -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-16) >"$tree/tree.id"
install build/heddle "$tree/build"
rm -f "$tree/build/heddle-mpi"
[ ! -x build/heddle-mpi ] || install build/heddle-mpi "$tree/build"
ln -sf ../lib/heddle/build/heddle "$prefix/bin/heddle"
install -m 644 build/heddle.1 "$prefix/share/man/man1/heddle.1"
install -m 644 build/heddle.bash "$prefix/share/bash-completion/completions/heddle"
install -m 644 sw/lib/heddle.h build/gen/hd_pkg.h "$prefix/include"
install -m 644 build/libheddle.so "$prefix/lib/libheddle.so.0"
ln -sf libheddle.so.0 "$prefix/lib/libheddle.so"
install -m 644 sw/lib/examples/*.c "$prefix/share/doc/heddle/examples"
cat >"$prefix/lib/pkgconfig/heddle.pc" <<END
prefix=$2
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: heddle
Description: GPU memory systems in RTL, as C calls
Version: $3
Libs: -L\${libdir} -lheddle
Cflags: -I\${includedir}
END
