# malloc.sh - to be read by a script (`. tb/model/malloc.sh`): with_jemalloc COMMAND... runs it with jemalloc, where that is
# installed. Verilator then takes a third less time, Yosys a seventh, clang a little. Only for them: small commands take longer
# to start, and programs of ours have sanitizers and measurements. HD_JEMALLOC says to what is called what was found here.
if [ -z "${HD_JEMALLOC+there}" ]; then
  HD_JEMALLOC=libjemalloc.so.2
  [ -z "$(LD_PRELOAD=$HD_JEMALLOC uname 2>&1 >/dev/null)" ] || HD_JEMALLOC=""
  export HD_JEMALLOC
fi
with_jemalloc() { LD_PRELOAD="${LD_PRELOAD:-$HD_JEMALLOC}" "$@"; }
