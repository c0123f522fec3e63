# malloc.sh - to be read by a script (`. tb/model/malloc.sh`): what it calls from there on allocates with jemalloc, where that is
# installed. Verilator then takes a third less time, Yosys a seventh. Never for a program of ours, whose sanitizers and
# measurements have an allocator of their own.
if [ -z "${LD_PRELOAD:-}" ] && [ -z "$(LD_PRELOAD=libjemalloc.so.2 uname 2>&1 >/dev/null)" ]; then
  export LD_PRELOAD=libjemalloc.so.2
fi
