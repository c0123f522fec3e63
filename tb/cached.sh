#!/bin/sh
# cached.sh [-n] OUTDIR ARGUMENT... - build_model.sh as an installed tree calls it, which is only ever read: what must be built
# is built from a copy of the sources beside the models (.tree-ID, made when first needed).
set -eu
look=0
[ "$1" != -n ] || { look=1; shift; }
here=$(cd "$(dirname "$0")/.." && pwd)
! "$here/tb/model/build_model.sh" -n "$@" || exit 0
[ $look = 0 ] || exit 1
models=$(dirname "$1")
copy=$models/.tree-$(cat "$here/tree.id")
if [ ! -d "$copy" ]; then
  mkdir -p "$models"
  new=$(mktemp -d "$models/.tree.XXXXXX")
  cp -R "$here/rtl" "$here/tb" "$here/synth" "$new"
  chmod -R u+w "$new"
  mv -T "$new" "$copy" 2>/dev/null || rm -rf "$new" # another was first
fi
exec "$copy/tb/model/build_model.sh" "$@"
