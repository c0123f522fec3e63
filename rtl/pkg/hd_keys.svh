// hd_keys.svh - every key of a machine configuration, a line each: the one table behind the
// parameters of the RTL, `struct hd_config`, the file format, `heddle list` and what a model is
// built with. hd_params.svh and hd_pass.svh turn it into parameter lists, tb/model/genkeys.awk into
// build/gen/hd_keys.h.
//
//   `HD_PARAM(key, Name, default)    // range; use; unit; meaning   structure: an RTL parameter
//   `HD_KEY(key, default)            // range; use; unit; meaning   no structure
//   `HD_DERIVED(Name, value)         what the RTL makes of keys above; nobody sets it but unit tests
//
// range  LOW..HIGH, with `pow2` powers of two only; `A or B`; flag; names a/b/c, numbered from 0
// use    tiles whose models the value matters to: sm, l2, and gpu, the flat chip, which has those of
//        all tiles. `if key=name/name`: only then; otherwise models get the default, so that machines
//        that differ only there share one. `policy FIELD`: goes into that field of policy_s.
// Reports keep the order of the lines. Limits that packages or C set (NODE_W, BLOCK_W,
// LANES_MAX) are the ranges here: raise them here when those are raised.

// ---- machine ---------------------------------------------------------------------------------
`HD_PARAM(sms, Sms, 16)                        // 1..128; l2; ; SM tiles
`HD_PARAM(partitions, Partitions, 8)           // 1..64 pow2; sm l2; ; L2 tiles, each with its memory channel
`HD_DERIVED(PartBits, $clog2(Partitions))
`HD_PARAM(warps, Warps, 48)                    // 1..64; sm; ; warp slots an SM
`HD_PARAM(lanes, Lanes, 32)                    // 1..64; sm l2; ; lanes a warp
`HD_PARAM(line_bytes, LineBytes, 128)          // 32..128 pow2; sm l2; bytes; cache line
`HD_DERIVED(LineWords, LineBytes / 4)
`HD_PARAM(blocks, Blocks, 8)                   // 1..16; sm; ; thread block slots an SM
`HD_PARAM(scoreboard, Slots, 4)                // 1..8; sm; ; outstanding memory operations a warp
`HD_PARAM(l1, Family, hd_pkg::FAMILY_MESI)     // mesi/vi/gpu/denovo; sm l2; ; L1s and directory: write-back MESI, write-through without allocation, words that an acquire invalidates, ... and written ones are owned
`HD_PARAM(pending, Pending, hd_pkg::PENDING_MSHR) // mshr/prt; sm l2; ; table of outstanding requests: by line, by instruction
`HD_DERIVED(LaneMasks, (Pending == hd_pkg::PENDING_PRT) ? 1 : 0)
`HD_PARAM(mshr, Mshr, 128)                     // 1..256; sm if pending=mshr; entries; L1 miss table; an entry is an 8-bit transaction id
`HD_PARAM(mshr_targets, MshrTargets, 512)      // 1..2048; sm if pending=mshr; entries; line accesses that wait in the L1 miss table, in all
`HD_PARAM(mshr_stores, StoreData, 128)         // 1..256; sm; entries; ... of them stores and atomics, which hold data
`HD_PARAM(mshr_cas, CasData, 16)               // 1..64; sm; entries; ... of them compare-and-swaps, which hold a second operand
`HD_PARAM(merge_lanes, MergeLanes, 1024)       // 1..4096; sm if pending=mshr; lanes; lanes one miss table entry may hold; one access always fits
`HD_PARAM(prt_entries, PrtEntries, 45)         // 1..256; sm if pending=prt; entries; warp instructions a pending request table holds
`HD_DERIVED(MshrEntries, (Pending == hd_pkg::PENDING_PRT) ? PrtEntries : Mshr)
`HD_PARAM(prt_credits, ReqCredits, 0)          // 0..8192; sm if pending=prt; requests; ... requests out at the most; 0 = no such limit
`HD_PARAM(l1_sets, L1Sets, 64)                 // 2..1024 pow2; sm; ; L1 sets
`HD_PARAM(l1_ways, L1Ways, 4)                  // 2..16 pow2; sm; ; L1 ways
`HD_PARAM(lds_bytes, LdsBytes, 49152)          // 32..65536; sm; bytes; local data share of an SM; a multiple of line_bytes
`HD_DERIVED(LdsRows, LdsBytes / (4 * LineWords))
`HD_PARAM(lds_banks, LdsBanks, 32)             // 2..64 pow2; sm; ; banks of the local data share
`HD_PARAM(local_tm, LocalTm, 0)                // off/on/ideal; sm; ; transactions in the local data share (paper 5); ideal: in no time, for simulation only
`HD_PARAM(tm_warps, TmWarps, 4)                // 1..64; sm if local_tm=on/ideal; ; local_tm: warp slots from 0 that may use them
`HD_PARAM(tm_rows, TmRows, 227)                // 2..8192; sm if local_tm=on/ideal; words; local_tm: words of each bank that may be used in them
`HD_PARAM(tm_hash, TmHash, 8)                  // 1..32 pow2; sm if local_tm=on/ideal; ; local_tm: filters of a bank; words of rows with the same rest conflict
`HD_PARAM(tm_detect, TmDetect, 0)              // flag; sm if local_tm=on/ideal; ; local_tm: conflicts by owner records instead of filters
`HD_PARAM(copies, Copies, 0)                   // 0..64; sm; ; line accesses of copies to the LDS under way in an SM; 0: no such operation
`HD_PARAM(sb_words, SbWords, 256)              // 8..4096; sm if l1=gpu/denovo; words; l1 = gpu, denovo: dirty words an L1 holds
`HD_PARAM(sb_rows, SbRows, 256)                // 1..4096; sm if l1=gpu/denovo; lines; l1 = gpu, denovo: ... lines of them
`HD_PARAM(wt_out, WtOut, 64)                   // 1..255; sm if l1=gpu; ; l1 = gpu: write-throughs of dirty words out
`HD_PARAM(gen_bits, GenBits, 10)               // 2..16; sm if l1=gpu/denovo; bits; l1 = gpu, denovo: number of an L1's generation, which an acquire ends
`HD_PARAM(reg_entries, RegEntries, 64)         // 1..256; sm if l1=denovo; lines; l1 = denovo: lines with words that are being registered
`HD_PARAM(bonus_words, BonusWords, 1)          // flag; l2 if l1=denovo; ; l1 = denovo: an answer of the L2 brings all words of the line that it has
`HD_PARAM(wb_entries, WbEntries, 8)            // 1..16; sm, l2 if l1=denovo; lines; L1 writeback buffer
`HD_PARAM(l2_sets, L2Sets, 128)                // 2..4096 pow2; l2; ; L2 sets a partition
`HD_PARAM(l2_ways, L2Ways, 8)                  // 2..16 pow2; l2; ; L2 ways
`HD_PARAM(l2_mshr, L2Mshr, 128)                // 1..256; l2; entries; L2 transactions a partition
`HD_PARAM(l2_writes, L2Writes, 32)             // 1..256; l2 if l1=vi/gpu; entries; l1 = vi, gpu: stores and atomics that wait in a partition, which hold data
`HD_PARAM(queue_depth, QueueDepth, 64)         // 2..256; sm l2; flits; buffer of a link receiver, per virtual network
`HD_DERIVED(RxDepth, QueueDepth)
`HD_DERIVED(TxCredits, QueueDepth)
`HD_PARAM(flit_bytes, FlitBytes, 32)           // 16..32 pow2; sm l2; bytes; data a flit of a link holds
`HD_DERIVED(FlitWords, FlitBytes / 4)
`HD_PARAM(mem_credits, MemCredits, 32)         // 1..32; l2; ; requests in flight between an L2 tile and its memory
`HD_PARAM(clk_ratio, ClkRatio, 2)              // 1..4 pow2; sm; ; core cycles per cycle of crossbar and L2
`HD_PARAM(l2_inclusive, Inclusive, 0)          // flag; sm l2 if l1=gpu; ; l1 = gpu: the L2 has every line of which an L1 has clean words; the others always (mesi, vi) or never (denovo)
`HD_PARAM(persist, Persist, 0)                 // off/fifo/buffered; sm l2; ; persist barriers (paper 4): caches note lines of non-volatile memory to be written, and markers, in FIFOs; buffered: a barrier orders, it waits for no write
`HD_PARAM(nvw_l1, NvwL1, 16)                   // 1..256; sm if persist=fifo/buffered; entries; persist: dirty lines of non-volatile memory, and markers, an L1 holds
`HD_PARAM(nvw_l2, NvwL2, 64)                   // 1..256; l2 if persist=fifo/buffered; entries; ... that an L2 holds
`HD_PARAM(persist_epochs, PersistEpochs, 8)    // 2..64 pow2; l2 if persist=fifo/buffered; ; ... barriers whose writes may be under way, and one
`HD_PARAM(ghost_bits, GhostW, 0)               // 0 or 32; sm l2; bits; store id carried by each word

// ---- links -----------------------------------------------------------------------------------
`HD_PARAM(noc, Noc, hd_pkg::NOC_XBAR)          // xbar/mesh; sm l2; ; between SMs and L2 tiles: a crossbar each way, or a mesh of routers
`HD_DERIVED(UpNets, hd_pkg::up_nets(Noc, Family))
`HD_DERIVED(DownNets, hd_pkg::down_nets(Noc, Family))
`HD_PARAM(mesh_x, MeshX, 0)                    // 0..16; gpu if noc=mesh; nodes; mesh: columns; 0 = as few as hold sms + 1 and partitions
`HD_PARAM(mesh_y, MeshY, 0)                    // 0..16; gpu if noc=mesh; nodes; mesh: rows; 0 = as few as hold sms + 1 and partitions
`HD_PARAM(lat_sm_xbar, LatSmXbar, 78)          // 1..1024; gpu; cycles; link SM to request crossbar or router; a multiple of clk_ratio
`HD_PARAM(lat_xbar_l2, LatXbarL2, 78)          // 1..1024; gpu; cycles; link request crossbar or router to L2; a multiple of clk_ratio
`HD_PARAM(lat_l2_xbar, LatL2Xbar, 78)          // 1..1024; gpu; cycles; link L2 to answer crossbar or router; a multiple of clk_ratio
`HD_PARAM(lat_xbar_sm, LatXbarSm, 78)          // 1..1024; gpu; cycles; link answer crossbar or router to SM; a multiple of clk_ratio
`HD_PARAM(lat_hop, LatHop, 2)                  // 1..1024; gpu if noc=mesh; cycles; mesh: link between routers
`HD_PARAM(lat_hop_inner, LatHopInner, 0)       // 0..1024; gpu if noc=mesh; cycles; mesh: ... of columns (rows) neither of which is the first or last; 0 = lat_hop
`HD_PARAM(lat_credit, LatCredit, 32)           // 1..1024; gpu; cycles; credits of all links; a multiple of clk_ratio
`HD_KEY(lat_dispatch, 32)                      // 1..1024; ; cycles; SM to block dispatcher, and back

// ---- memory ----------------------------------------------------------------------------------
`HD_PARAM(memory, Memory, hd_pkg::MEMORY_CHIP) // chip/fixed; sm; ; behind the L1: the chip, or an ideal memory of one SM
`HD_DERIVED(WideFill, (Memory == hd_pkg::MEMORY_FIXED) ? 1 : 0)
`HD_KEY(fixed_latency, 440)                    // 2..65536; ; cycles; ... of the ideal memory, from request to answer
`HD_KEY(dram_latency, 112)                     // 1..4096; ; cycles; least time from memory request to answer
`HD_KEY(dram_banks, 16)                        // 1..64 pow2; ; ; banks a channel
`HD_KEY(dram_row_bytes, 2048)                  // 32..65536 pow2; ; bytes; row buffer of a bank; at least a line
`HD_KEY(dram_bytes_per_cycle, 16)              // 1..1024; ; bytes; channel bandwidth per core cycle
`HD_KEY(dram_row_miss, 20)                     // 0..4096; ; cycles; extra time when the bank has another row open
`HD_KEY(nv_base, 0)                            // 0..2147483647; policy nv_base; bytes; addresses from here on are non-volatile memory; a multiple of line_bytes; 0 = none
`HD_KEY(nv_read, 75)                           // 1..65536; ; cycles; non-volatile memory: from the start of a read to its answer
`HD_KEY(nv_write, 250)                         // 1..65536; ; cycles; non-volatile memory: from the start of a write until it is durable
`HD_KEY(nv_bytes_per_cycle, 64)                // 1..1024; ; bytes; non-volatile memory: bandwidth of a channel per core cycle, each way
`HD_KEY(nv_out, 256)                           // 1..1024; ; ; non-volatile memory: writes of a channel under way
`HD_KEY(nv_banks, 16)                          // 1..64 pow2; ; ; non-volatile memory: banks a channel
`HD_KEY(nv_order, pipe)                        // pipe/banks/random/newest/epoch/bank-slow; ; ; non-volatile memory: in which order writes become durable
`HD_KEY(nv_journal, 0)                         // flag; ; ; writes to non-volatile memory are kept in a journal, for power cuts

// ---- ordering hardware -----------------------------------------------------------------------
`HD_PARAM(store_buffer, BufferDepth, 8)        // 1..32; sm if order=tso-sb; stores; tso-sb: store buffer, for each warp
`HD_PARAM(unified_buffer, Unified, 0)          // flag; sm if order=tso-sb; ; tso-sb: one buffer for all warps, as large as all of theirs
`HD_PARAM(wait_queue, WaitDepth, 4)            // 1..32; sm if order=sc-pf/type; accesses; sc-pf: accesses of a warp that wait; type: its type-wait queue
`HD_PARAM(unsafe_queue, UnsafeDepth, 4)        // 1..32; sm if order=type; accesses; type: unsafe queue of a warp, markers included
`HD_PARAM(safe_queue, SafeDepth, 16)           // 1..64; sm if order=type; accesses; type: safe queue
`HD_PARAM(sync_entries, SyncEntries, 64)       // 1..256; sm if order=type; entries; type: synchronization table
`HD_PARAM(type_entries, TypeEntries, 64)       // 1..1024 pow2; sm if order=type; entries; type: Type-cache
`HD_PARAM(type_ways, TypeWays, 4)              // 1..16 pow2; sm if order=type; ; type: Type-cache ways, at most type_entries
`HD_PARAM(type_requests, TypeReqs, 16)         // 1..32; sm l2 if order=type; ; type: type requests an SM may have out
`HD_PARAM(order_stores, OrderStores, 64)       // 1..256; sm if order=sc-pf/type; entries; sc-pf, type: waiting stores and atomics, which hold data
`HD_PARAM(mac_entries, MacEntries, 512)        // 1..4096 pow2; l2 if order=type; entries; type: memory access classifier of a partition
`HD_PARAM(mac_ways, MacWays, 8)                // 1..16 pow2; l2 if order=type; ; type: ... ways, at most mac_entries
`HD_PARAM(mac_busy, MacBusy, 8)                // 1..16; sm l2 if order=type; ; type: ... transitions under way
`HD_DERIVED(AckEntries, MacBusy << PartBits)
`HD_PARAM(sector_bytes, SectorBytes, 16384)    // 128..65536 pow2; sm l2 if order=type; bytes; type: what one type is kept for; at least line_bytes
`HD_KEY(marker_merge, 0)                       // flag; policy marker_merge; ; type: no marker behind a marker of the same sector
`HD_KEY(type_reset, 1)                         // flag; ; ; type: Type-caches and classifiers forget all sectors when a kernel begins
`HD_KEY(credit_issue, 0)                       // flag; policy credit_issue; ; sc-pf, type: a warp whose queue (wait_queue) is full issues no memory operation
`HD_KEY(type_prefetch, 0)                      // flag; policy type_prefetch; ; type: the line of an access that waits for its type is fetched meanwhile
`HD_PARAM(stall_causes, Stalls, 0)             // flag; sm; ; models that say why each warp did not issue: the counters of stalls

// ---- policy, and how the host runs the machine -----------------------------------------------
`HD_PARAM(order, Model, 32'(hd_pkg::MODEL_RMO)) // rmo/tso/sc/tso-sb/sc-pf/type/drf/hrf; policy model, sm if order=tso-sb/sc-pf/type, l2 if order=type; ; memory ordering of every warp
`HD_DERIVED(Order, hd_pkg::order_hardware(Model))
`HD_DERIVED(Mac, (Order == hd_pkg::ORDER_TYPE) ? 1 : 0)
`HD_KEY(issue_gap, 1)                          // 1..4; ; cycles; local_tm: a warp issues again so long after its last issue at the earliest
`HD_KEY(read_only, 0)                          // flag; policy read_only; ; l1 = denovo: words of read-only regions outlive acquires
`HD_KEY(scheduler, gto)                        // gto/lrr; policy scheduler; ; warp scheduler
`HD_KEY(jitter, 0)                             // 0..1024; ; cycles; random extra delay of each flit and credit on each link, 0..jitter
`HD_KEY(jitter_one_in, 1)                      // 1..65536; ; ; ... of one flit and credit in so many, by lot
`HD_KEY(jitter_seed, 1)                        // 0..2147483647; ; ; ... seed
`HD_KEY(watchdog, 20000)                       // 1000..100000000; ; cycles; no progress for so long is a deadlock
`HD_KEY(max_cycles, 1000000000)               // 1000..2147483647; ; cycles; a run that lasts longer is ended: its kernel polls or sleeps for ever
`HD_KEY(warp_stack, 64)                       // 16..4096; ; KiB; host stack of each warp's kernel
`HD_KEY(warp_seconds, 20)                     // 1..3600; ; s; host CPU time that a kernel may compute between two operations
`HD_KEY(threads, 1)                            // 1..64; ; ; host threads that run the tiles (results are the same)
`HD_KEY(thread_seed, 0)                        // 0..2147483647; ; ; not 0: tiles are dealt out to threads by lot, not by load (for tests)
`HD_KEY(window, 0)                             // 0..1024; ; cycles; a tile runs at once; 0 = the least link latency
`HD_KEY(flat, 0)                               // flag; ; ; the chip as one verilated model, links in RTL (same results, slower)
`HD_KEY(skip_idle, 1)                          // flag; ; ; do not evaluate idle tiles (results are the same)
`HD_KEY(check_coherence, 1)                    // flag; ; ; check single writer / multiple readers over L1 states
`HD_KEY(check_conservation, 1)                 // flag; ; ; check at the end that nothing is left or lost
`HD_KEY(check_golden, 1)                       // flag; ; ; compare memory with the host reference at the end
`HD_KEY(check_memory_model, 1)                 // flag; ; ; check every load and store against the model of `order` (needs ghost_bits)
`HD_KEY(check_persist, 1)                      // flag; ; ; check the order in which stores become durable (needs persist and ghost_bits)
`HD_KEY(count_pairs, 0)                        // flag; ; ; models that count which pairs of the protocol tables occur (heddle stress)
