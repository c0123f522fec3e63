/* config.h - a machine configuration: structure (one verilated build each) and policy (free at run time).
 *
 * Source: the defaults, then a libconfig file (configs/NAME.cfg, flat `key = value;` settings), then
 * `key=value` overrides. A key is the field's name below, except `scheduler` (sched).
 * Every key, its range and its meaning is in the table of config.c; `heddle list` prints it. */
#ifndef HD_CONFIG_H
#define HD_CONFIG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_CONFIG_MAX_KEYS = 96 };

struct hd_profile;

struct hd_config {
    char name[64];             /* configuration name for reports */

    /* structure: changes need another verilated model */
    unsigned sms;              /* 1..32 SM tiles */
    unsigned partitions;       /* 1,2,4..16 L2 tiles, a power of two */
    unsigned warps;            /* warp slots an SM, 1..64 */
    unsigned lanes;            /* lanes a warp, 1..32 */
    unsigned line_bytes;       /* 32, 64 or 128 */
    unsigned blocks;           /* thread block slots an SM, 1..8 */
    unsigned scoreboard;       /* outstanding memory operations a warp, 1..8 */
    unsigned l1;               /* HD_FAMILY_MESI, HD_FAMILY_VI: L1s and directory */
    unsigned pending;          /* HD_PENDING_MSHR, HD_PENDING_PRT: table of outstanding requests */
    unsigned mshr;             /* L1 MSHR entries, 1..256 */
    unsigned mshr_targets;     /* waiting line accesses in all, 1..2048 */
    unsigned mshr_stores;      /* waiting stores and atomics that hold data, 1..256 */
    unsigned mshr_cas;         /* waiting compare-and-swaps, 1..64 */
    unsigned merge_lanes;      /* lanes one MSHR entry may hold, 1..4096; one access always fits */
    unsigned prt_entries;      /* warp instructions a pending request table holds, 1..256 */
    unsigned prt_credits;      /* its requests out at the most, 0 = as many as its entries have lanes */
    unsigned l1_sets, l1_ways; /* powers of two, at least 2; up to 16 ways */
    unsigned lds_bytes;        /* local data share of an SM, 32..65536, a multiple of line_bytes */
    unsigned lds_banks;        /* ... its banks, a power of two, 2..64 */
    unsigned wb_entries;       /* L1 writeback buffer, lines, 1..16 */
    unsigned l2_sets, l2_ways; /* a partition's bank */
    unsigned l2_writes;        /* HD_FAMILY_VI: stores and atomics that wait in a partition, 1..256 */
    unsigned l2_mshr;          /* transactions a partition, 1..256 */
    unsigned queue_depth;      /* flits each link receiver holds a virtual network, 2..256 */
    unsigned flit_bytes;       /* data of a flit, 16 or 32 */
    unsigned mem_credits;      /* requests in flight between an L2 tile and its memory port, 1..32 */
    unsigned clk_ratio;        /* core cycles per NoC/L2 cycle, 1, 2 or 4 */
    unsigned ghost_bits;       /* 0 or 32 */

    /* links, core cycles, multiples of clk_ratio */
    unsigned lat_sm_xbar, lat_xbar_l2, lat_l2_xbar, lat_xbar_sm; /* flits */
    unsigned lat_credit;       /* credits of all links */
    unsigned lat_dispatch;     /* SM to block dispatcher and back, each way */

    /* what lies behind the L1: HD_MEMORY_CHIP: crossbars, L2, channels; HD_MEMORY_FIXED: mem/fixed.h, one SM */
    unsigned memory;
    unsigned fixed_latency;    /* of HD_MEMORY_FIXED, core cycles from request to answer */

    /* memory, per partition (channel); times in core cycles */
    unsigned dram_latency;     /* least request-to-answer time at the memory port */
    unsigned dram_banks;       /* power of two */
    unsigned dram_row_bytes;   /* power of two, at least a line */
    unsigned dram_bytes_per_cycle;
    unsigned dram_row_miss;    /* extra cycles when another row is open */

    /* ordering hardware: structure where `order` needs it */
    unsigned store_buffer;     /* tso-sb: stores buffered for each warp, 1..32 */
    bool unified_buffer;       /* ... in one buffer for all warps, of the same size in all */
    unsigned wait_queue;       /* sc-pf: waiting accesses a warp; type: type-wait queue a warp; 1..32 */
    unsigned unsafe_queue;     /* type: unsafe accesses and markers a warp, 1..32 */
    unsigned safe_queue;       /* type: safe accesses that wait for the L1, 1..64 */
    unsigned sync_entries;     /* type: synchronization table, 1..256 */
    unsigned type_entries, type_ways; /* type: Type-cache, powers of two */
    unsigned type_requests;    /* type: type requests an SM may have out, 1..32 */
    unsigned order_stores;     /* sc-pf, type: waiting accesses that hold data, 1..256 */
    unsigned mac_entries, mac_ways; /* type: memory access classifier of a partition, powers of two */
    unsigned mac_busy;         /* type: its transitions under way, 1..16 */
    unsigned sector_bytes;     /* type: a power of two, at least a line */
    bool marker_merge;         /* type: an access does not leave a marker behind one of its sector */
    bool type_reset;           /* type: types are forgotten when a kernel begins */
    bool credit_issue;         /* sc-pf, type: warps whose waiting queue is full do not issue memory operations */
    bool type_prefetch;        /* type: lines of accesses that wait for their type are fetched */
    bool stall_causes;         /* rtl/sm/hd_stalls.sv is built */

    /* policy */
    unsigned order;            /* hd_model_e */
    unsigned sched;            /* SCHED_GTO, SCHED_LRR */
    unsigned jitter;           /* random extra cycles of each flit and credit on each link, 0..jitter */
    unsigned jitter_seed;
    unsigned watchdog;         /* cycles without progress before a deadlock is declared */
    unsigned threads;          /* host threads that run the tiles, 1..64; results do not depend on it */
    unsigned thread_seed;      /* not 0: tiles are dealt out to threads by lot, not by load */
    unsigned window;           /* cycles a tile runs at once; 0 = min(link latency) */
    bool flat;                 /* the chip as one model instead of composed tiles; no jitter */
    bool skip_idle;            /* do not evaluate idle tiles */
    bool check_coherence;      /* single writer / multiple readers over L1 states */
    bool check_conservation;
    bool check_golden;
    bool check_memory_model;   /* only with ghost_bits */
    bool count_pairs;          /* models that count the pairs of the protocol tables (hd_machine_pairs()) */

    /* No key: where the time of the run is kept (profile.h); NULL: not measured. Only with one thread. */
    struct hd_profile *profile;

    /* Where each key was set, for messages; index as in hd_config_key(). */
    char file[256];                    /* last file read, "" if none */
    int line[HD_CONFIG_MAX_KEYS];      /* line in file; 0 default; -1 an override */
};

/* Fills *c with the documented defaults (the paper 1 machine, Table 2); its name is "default". */
void hd_config_default(struct hd_config *c);

/* Reads a libconfig file over *c and names *c after it (no folder, no ".cfg"). @return 0, or -1 after one
 * line on stderr naming file, line, key and what was expected; *c is then unspecified. */
int hd_config_file(struct hd_config *c, const char *path);

/* Applies one "key=value". @origin names where it came from, for the message ("--set"). Same return. */
int hd_config_set(struct hd_config *c, const char *assignment, const char *origin);

/* Checks values against each other (ranges were checked when set). @origin stands in the message for
 * values that are defaults. Same return. */
int hd_config_check(const struct hd_config *c, const char *origin);

/* @return the cycles a tile runs at once: c->window, or if that is 0 the least link latency. */
unsigned hd_config_window(const struct hd_config *c);

/* @return the contract of c->order: HD_MODEL_RMO, HD_MODEL_TSO or HD_MODEL_SC. */
unsigned hd_config_model(const struct hd_config *c);

/* @return policy_s of the package: what a run may change without another model. */
uint64_t hd_config_policy(const struct hd_config *c);

/* @return the ordering hardware c->order needs, HD_ORDER_*. */
unsigned hd_config_hardware(const struct hd_config *c);

/* @return entries of the table of outstanding requests that `pending` chooses. */
unsigned hd_config_pending_entries(const struct hd_config *c);

/* @return the name of key number @i, NULL behind the last. *value, if @value is not NULL, is its value as a
 * configuration file would spell it; valid until the next call by the owner of @buffer. */
const char *hd_config_key(const struct hd_config *c, size_t i, char buffer[32], const char **value);

/* Prints the table of keys (name, range, default, meaning) to stdout. */
void hd_config_print_keys(void);
#endif
