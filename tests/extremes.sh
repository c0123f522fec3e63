#!/bin/sh
# extremes.sh [KEY...] - every key of structure (rtl/pkg/hd_keys.svh) at the least and at the most of its range, on machines of
# each family, order, table of pending requests and extension: a machine that is not refused is made of tiles that Verilator
# takes. Nothing is compiled. KEY...: these keys only. JOBS: at once (default: processors). Prints what fails, then the
# values that were refused with another key, and "N passed, N failed"; N counts tiles with different parameters.
set -u
cd "$(dirname "$0")/.."
. tests/system/lib.sh
heddle=$(realpath "$HEDDLE")

# A tree whose builder only notes what it was to build.
mkdir -p "$tmp/tree/tb/model"
cp -r configs "$tmp/tree/"
cat >"$tmp/tree/tb/model/build_model.sh" <<'END'
#!/bin/sh
[ "$1" != -n ] || exit 1
shift
echo "$*" >>"$HEDDLE_TILES"
END
chmod +x "$tmp/tree/tb/model/build_model.sh"
HEDDLE_TILES=$tmp/tiles
export HEDDLE_TILES

# noted SETTING...: @return 1 when the machine is refused.
noted() {
  # shellcheck disable=SC2046,SC2086
  HEDDLE_ROOT=$tmp/tree "$heddle" run --config $base $(printf -- '--set %s ' "$@") vecadd n=8 threads=8 >"$tmp/said" 2>&1
  grep -q 'cannot load' "$tmp/said"
}

# What other keys may need to be for one to be at its end.
room="warps=64 mshr_targets=2048 mshr_stores=128 lds_bytes=65536 type_entries=1024 mac_entries=4096 prt_entries=256 lanes=32 tm_warps=1"

awk -F'[(,)]' '/^`HD_PARAM/ {
  range = $0
  sub(/.*\/\/ */, "", range)
  if (range ~ /^[0-9]+\.\.[0-9]+[ ;]/) { split(range, end, /\.\.|[ ;]/); print $2, end[1], end[2] }
  else if (range ~ /^flag;/) print $2, "false", "true"
}' rtl/pkg/hd_keys.svh >"$tmp/keys"
[ -s "$tmp/keys" ] || { echo "extremes.sh: no keys in rtl/pkg/hd_keys.svh"; exit 1; }
for key in "$@"; do
  grep -q "^$key " "$tmp/keys" || { echo "extremes.sh: $key is no key with a range"; exit 2; }
done

while read -r base; do
  while read -r key least most; do
    case " $* " in "  " | *" $key "*) ;; *) continue ;; esac
    for value in $least $most; do
      # shellcheck disable=SC2086
      noted "$key=$value" || noted $room "$key=$value" || echo "$base, $key=$value: $(tail -n 1 "$tmp/said")" >>"$tmp/refused"
    done
  done <"$tmp/keys"
  case " $* " in "  ") noted l1_sets=1024 l1_ways=16 l2_sets=4096 l2_ways=16 ;; esac
done <<'END'
tiny
tiny --set l1=vi
tiny --set pending=prt
tiny --set order=type
tiny --set order=sc-pf
tiny --set order=tso-sb
tiny --set line_bytes=64 --set l1=gpu --set order=hrf
tiny --set line_bytes=64 --set l1=denovo --set order=drf
tiny --set local_tm=on
paper3-small
paper3-small --set coherence=gd
paper3-small --set coherence=dd
paper4-tiny
END

# tile TOP VARIANT PARAMETER=VALUE...
cat >"$tmp/tile.sh" <<'END'
top=$1
shift 2
for p; do set -- "$@" "-G$p"; shift; done
# shellcheck disable=SC2046
if verilator_bin --lint-only --unroll-count 1024 --top-module "$top" "$@" synth/waivers.vlt -Irtl/pkg rtl/pkg/hd_pkg.sv \
  $(awk -v top="$top" -f tb/model/rtlfiles.awk $(find rtl -name 'hd_*.sv' ! -path 'rtl/pkg/*' | LC_ALL=C sort)) >"$HEDDLE_TILES.$$" 2>&1; then
  echo 1 0
else
  { echo "FAILED: $top $*"; grep '^%' "$HEDDLE_TILES.$$" | head -n 3; } >&2
  echo 0 1
fi
rm -f "$HEDDLE_TILES.$$"
END
verilator_bin --getenv VERILATOR_ROOT >/dev/null 2>&1 || export VERILATOR_ROOT="$(verilator --getenv VERILATOR_ROOT)"
LC_ALL=C sort -u "$tmp/tiles" | xargs -L 1 -P "${JOBS:-$(nproc)}" sh "$tmp/tile.sh" >"$tmp/results"
[ ! -f "$tmp/refused" ] || { echo "refused:"; sed "s/^/  /; s/heddle: //; s|$tmp/tree/||" "$tmp/refused"; }
awk '{ p += $1; f += $2 } END { printf "%d passed, %d failed\n", p, f; exit !p || f > 0 }' "$tmp/results"
