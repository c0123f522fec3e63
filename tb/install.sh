#!/bin/sh
# install.sh PREFIX - copies the built command and what it needs to build models to PREFIX; `make install`.
# PREFIX/bin/heddle leads into PREFIX/lib/heddle, above which the command finds RTL, scripts and configurations.
set -eu
prefix=$1 tree=$1/lib/heddle
cd "$(dirname "$0")/.."
install -d "$prefix/bin" "$tree/build" "$tree/synth" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions"
rm -rf "$tree/rtl" "$tree/tb" "$tree/configs"
mkdir "$tree/tb"
cp -R rtl configs "$tree"
cp -R tb/model tb/cached.sh "$tree/tb"
install synth/gate.sh "$tree/synth"
install -m 644 synth/waivers.vlt "$tree/synth"
(cd "$tree" && find rtl tb synth -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-16) >"$tree/tree.id"
install build/heddle "$tree/build"
ln -sf ../lib/heddle/build/heddle "$prefix/bin/heddle"
install -m 644 build/heddle.1 "$prefix/share/man/man1/heddle.1"
install -m 644 build/heddle.bash "$prefix/share/bash-completion/completions/heddle"
