/* stress.c - see stress.h.
 *
 * Run number i of seed s is the same whatever the time given: all its choices come from (s, i). A machine structure
 * costs a build of its models, so there are few of them; everything else of a configuration is free. */
#define _POSIX_C_SOURCE 200809L
#include "stress.h"
#include "draw.h"
#include "run/configure.h"
#include "hd_pkg.h"
#include "models.h"
#include "pairs.h"
#include "results/results.h"
#include "run/report.h"
#include "run/run.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2 };
enum { MAX_SETS = 64 + HD_KEYS, MAX_DRAWN = 1000, TEXT = HD_DRAW_TEXT, BATCH_SECONDS = 10, SHRINK_SECONDS = 60, LONG_EPISODES = 40 };
/* Of drawn machines, some of which are slow: operations of racy by all lanes, cycles after which a run is taken to hang. */
enum { DRAWN_OPERATIONS = 15000, DRAWN_CYCLES = 50000000 };
/* What the runs of a structure called -race are to make late. */
enum race { OVERTAKE, LATE, CREDITS };
/* Workloads that judge what they did. */
enum tester { DRF, RACY, TXRACY, PLOG, TILES, TESTERS };
static const char *const tester_names[TESTERS] = {"drf", "racy", "txracy", "plog", "tiles"};

struct structure {
    const char *name, *config, *set[28], *doc;
};

#define RACE_MACHINE                                                                                                             \
    "l1=denovo", "order=drf", "line_bytes=32", "noc=mesh", "flit_bytes=16", "sms=3", "partitions=4", "warps=4", "blocks=2",      \
    "lanes=4", "lds_bytes=64", "l1_sets=2", "l1_ways=2", "l2_sets=2", "l2_ways=2", "l2_mshr=4", "sb_words=16", "sb_rows=2",      \
    "reg_entries=4", "wb_entries=4", "gen_bits=2"

#define WIDE_MACHINE \
    "line_bytes=64", "sms=2", "lanes=32", "warps=8", "scoreboard=8", "merge_lanes=256", "mshr_targets=64", "l1_sets=8", "l2_sets=16"

static const struct structure structures[] = {
    {"least", "min", {"warps=4", "lanes=4", "line_bytes=32", "merge_lanes=4", "lds_bytes=64"},
     "every queue, table and cache as small as it can be"},
    {"small", "tiny",
     {"sms=3", "partitions=2", "warps=6", "lanes=8", "line_bytes=32", "blocks=2", "merge_lanes=16", "lds_bytes=256",
      "lds_banks=4", "clk_ratio=1", "queue_depth=4"},
     "caches of 2 sets, short queues"},
    {"litmus", "litmus", {NULL}, "caches that hold everything, tables of 16"},
    {"wide", "litmus",
     {"sms=2", "partitions=1", "warps=8", "blocks=4", "scoreboard=8", "mshr=32", "mshr_targets=128",
      "mshr_stores=64", "mshr_cas=8", "merge_lanes=256", "l1_sets=4", "l1_ways=2", "wb_entries=8",
      "l2_sets=4", "l2_ways=4", "l2_mshr=32", "queue_depth=32", "mem_credits=32", "clk_ratio=2"},
     "small caches under many outstanding operations, half clock"},
    {"prt", "litmus",
     {"sms=3", "partitions=2", "warps=6", "lanes=8", "line_bytes=32", "pending=prt", "prt_entries=4", "prt_credits=7",
      "mshr_targets=16", "mshr_stores=5", "mshr_cas=2", "l1_sets=4", "l1_ways=2", "l2_sets=4", "l2_ways=4"},
     "a pending request table with few entries and credits"},
    {"wt", "litmus",
     {"l1=vi", "sms=3", "partitions=2", "warps=6", "lanes=8", "line_bytes=32", "mshr=6", "mshr_targets=12",
      "mshr_stores=5", "l1_sets=2", "l1_ways=2", "l2_sets=4", "l2_ways=4", "l2_mshr=6", "l2_writes=3", "queue_depth=4"},
     "write-through L1s, small caches and tables"},
    {"wtwide", "litmus",
     {"l1=vi", "partitions=1", "scoreboard=8", "lanes=16", "warps=8", "mshr=32", "mshr_targets=128", "mshr_stores=64",
      "wb_entries=4", "l1_sets=4", "l2_sets=8", "l2_mshr=32", "queue_depth=16", "clk_ratio=2"},
     "write-through L1s under many outstanding operations"},
    {"buffers", "litmus", {"order=tso-sb", "l1_sets=4", "l1_ways=2", "store_buffer=2"}, "TSO, two stores buffered a warp"},
    {"buffer", "min", {"order=tso-sb", "warps=4", "lanes=4", "line_bytes=32", "merge_lanes=4", "lds_bytes=64",
                       "scoreboard=3", "store_buffer=1", "unified_buffer=true"},
     "TSO, one store buffer for all warps, the rest as small as it can be"},
    {"prefetch", "litmus", {"order=sc-pf", "l1_sets=4", "l1_ways=2", "wait_queue=2", "order_stores=3"},
     "SC with prefetch, short queues"},
    {"types", "litmus",
     {"order=type", "scoreboard=8", "l1_sets=4", "l1_ways=2", "sector_bytes=128", "mac_entries=8", "mac_ways=2",
      "type_entries=8", "type_ways=2", "sync_entries=4", "order_stores=5", "safe_queue=3", "unsafe_queue=3"},
     "type-aware SC, small tables, sectors of four lines"},
    {"types-least", "min",
     {"order=type", "warps=4", "lanes=4", "line_bytes=32", "merge_lanes=4", "lds_bytes=64", "scoreboard=4",
      "sector_bytes=128", "mac_entries=1", "mac_ways=1", "mac_busy=1", "type_entries=1", "type_ways=1",
      "type_requests=1", "sync_entries=1", "order_stores=1", "wait_queue=1", "unsafe_queue=1", "safe_queue=1"},
     "type-aware SC, everything as small as it can be"},
    {"wt-buffers", "litmus",
     {"l1=vi", "order=tso-sb", "lanes=4", "l1_sets=2", "l1_ways=2", "mshr=4", "mshr_targets=16", "l2_writes=2", "store_buffer=2"},
     "TSO, store buffers before write-through L1s"},
    {"wt-prefetch", "litmus",
     {"l1=vi", "order=sc-pf", "lanes=4", "l1_sets=2", "l1_ways=2", "mshr=4", "mshr_targets=16", "l2_writes=2", "wait_queue=2",
      "order_stores=3"},
     "SC with prefetch before write-through L1s"},
    {"wt-types", "litmus",
     {"l1=vi", "order=type", "lanes=4", "l1_sets=2", "l1_ways=2", "mshr=4", "mshr_targets=16", "l2_writes=2", "sector_bytes=128",
      "mac_entries=8", "mac_ways=2", "type_entries=8", "type_ways=2", "sync_entries=4", "order_stores=5", "safe_queue=3",
      "unsafe_queue=3"},
     "type-aware SC before write-through L1s, small tables"},
    {"wt-prt", "litmus",
     {"l1=vi", "pending=prt", "lanes=4", "prt_entries=4", "prt_credits=7", "l1_sets=2", "l1_ways=2", "mshr_targets=16",
      "l2_writes=2"},
     "a pending request table in write-through L1s"},
    {"mesh", "litmus",
     {"noc=mesh", "flit_bytes=16", "sms=3", "partitions=4", "warps=6", "l1_sets=2", "l1_ways=2", "mshr=4", "mshr_targets=16",
      "l2_sets=2", "l2_ways=4", "l2_mshr=4", "queue_depth=4"},
     "MESI on a mesh of 2x2, small caches and tables"},
    {"paper1", "paper1-small", {NULL}, "MESI, the SMs of paper 1: 48 warps of 32 lanes"},
    {"paper1-wt", "paper1-small-wt", {NULL}, "write-through L1s, the same SMs"},
    {"paper1-types", "paper1-small", {"order=type"}, "type-aware SC, the same SMs"},
    {"paper1-64", "paper1-small", {"lanes=64", "line_bytes=64"}, "MESI, the same with 64 lanes"},
    {"gpu", "litmus",
     {"l1=gpu", "order=drf", "line_bytes=64", "sms=3", "warps=6", "lanes=8", "mshr=4", "mshr_targets=8", "mshr_stores=4",
      "l1_sets=2", "l1_ways=2", "l2_sets=2", "l2_ways=4", "l2_mshr=4", "l2_writes=3", "sb_words=32", "sb_rows=3", "wt_out=2",
      "gen_bits=2", "queue_depth=4"},
     "GPU coherence, small caches, tables and dirty lists"},
    {"gpu-least", "min",
     {"l1=gpu", "order=drf", "warps=4", "lanes=4", "line_bytes=32", "merge_lanes=4", "lds_bytes=64", "sb_words=8", "sb_rows=1",
      "wt_out=1", "gen_bits=2"},
     "GPU coherence, everything as small as it can be"},
    {"gpu-mesh", "litmus",
     {"l1=gpu", "order=drf", "line_bytes=64", "noc=mesh", "flit_bytes=16", "sms=3", "partitions=4", "warps=8", "lanes=8",
      "l1_sets=4", "l1_ways=2", "sb_words=64", "sb_rows=8", "wt_out=8"},
     "GPU coherence on a mesh of 2x2"},
    {"gpu-wide", "litmus", {"l1=gpu", "order=drf", WIDE_MACHINE}, "GPU coherence, warps of 32 lanes, caches that hold what is shared"},
    {"denovo", "litmus",
     {"l1=denovo", "order=drf", "line_bytes=64", "sms=3", "warps=6", "lanes=8", "mshr=4", "mshr_targets=8", "mshr_stores=4",
      "l1_sets=2", "l1_ways=2", "l2_sets=2", "l2_ways=4", "l2_mshr=4", "sb_words=32", "sb_rows=3", "reg_entries=3", "wb_entries=2",
      "gen_bits=2", "queue_depth=4"},
     "DeNovo, small caches, tables and dirty lists"},
    {"denovo-least", "min",
     {"l1=denovo", "order=drf", "warps=4", "lanes=4", "line_bytes=32", "merge_lanes=4", "lds_bytes=64", "sb_words=8", "sb_rows=1",
      "reg_entries=1", "gen_bits=2"},
     "DeNovo, everything as small as it can be"},
    {"denovo-mesh", "litmus",
     {"l1=denovo", "order=drf", "line_bytes=64", "noc=mesh", "flit_bytes=16", "sms=3", "partitions=4", "warps=8", "lanes=8",
      "l1_sets=4", "l1_ways=2", "l2_sets=4", "l2_ways=2", "sb_words=64", "sb_rows=8", "reg_entries=8"},
     "DeNovo on a mesh of 2x2"},
    {"denovo-wide", "litmus", {"l1=denovo", "order=drf", WIDE_MACHINE}, "DeNovo, the same"},
    {"paper3-gpu", "paper3-small", {"l1=gpu", "order=drf"}, "GPU coherence, the SMs of paper 3 on a mesh of 2x2"},
    {"paper3-denovo", "paper3-small", {"l1=denovo", "order=drf"}, "DeNovo, the same SMs"},
    {"denovo-race", "litmus", {RACE_MACHINE, "queue_depth=2"},
     "DeNovo on a mesh of 2x2, caches of two sets of two ways, narrow warps: links that delay now and then"},
    {"denovo-late-race", "litmus", {RACE_MACHINE, "queue_depth=2"}, "the same: links that delay less often and longer"},
    {"denovo-deep-race", "litmus", {RACE_MACHINE, "queue_depth=8"}, "the same with longer queues: credits that come late"},
    {"tm", "litmus",
     {"local_tm=on", "sms=2", "lanes=8", "warps=6", "tm_warps=4", "lds_banks=8", "lds_bytes=4096", "tm_rows=40", "tm_hash=4"},
     "transactions in the LDS: 4 of 6 warps, rows that alias"},
    {"tm-wide", "paper5", {"lds_banks=16", "lds_bytes=16384", "tm_rows=32"}, "transactions in the LDS, 64 lanes"},
    {"tm-half", "litmus",
     {"local_tm=on", "sms=1", "l1=vi", "lanes=32", "warps=8", "tm_warps=8", "lds_bytes=8192", "tm_rows=64", "tm_hash=32"},
     "transactions in the LDS, 8 warps of 32 lanes, each row its own filter"},
    {"tm-owners", "litmus",
     {"local_tm=on", "tm_detect=true", "l1=gpu", "order=drf", "line_bytes=64", "lanes=4", "warps=4", "lds_banks=4", "lds_bytes=1024",
      "tm_rows=64", "tm_warps=4"},
     "transactions in the LDS by owner records, all rows may be used"},
    {"tm-least", "min",
     {"local_tm=on", "warps=2", "tm_warps=2", "lanes=2", "line_bytes=32", "merge_lanes=2", "lds_banks=2", "lds_bytes=64", "tm_rows=2",
      "tm_hash=1"},
     "transactions in the LDS, everything as small as it can be"},
    {"nvram", "paper4-small", {"nv_base=16384", "nv_journal=true", "l2_inclusive=true"},
     "persist barriers, small queues, an inclusive L2"},
    {"nvram-least", "paper4-small",
     {"nv_base=16384", "nv_journal=true", "l1_sets=2", "l1_ways=2", "l2_sets=2", "l2_ways=2", "nvw_l1=1", "nvw_l2=1", "sb_rows=1",
      "sb_words=16", "persist_epochs=2", "l2_mshr=1", "nv_out=1", "mem_credits=1"},
     "persist barriers, every depth 1"},
    {"nvram-buffered", "paper4-small",
     {"nv_base=16384", "nv_journal=true", "persist=buffered", "l2_inclusive=true", "l2_sets=2", "l2_ways=2", "l2_mshr=2"},
     "persist barriers that only order, an inclusive L2 of 2 sets"},
    {"copies", "litmus", {"copies=3", "lds_bytes=2048", "warps=6", "lanes=8", "l1_sets=2", "l1_ways=2", "mshr=4", "mshr_targets=8", "mshr_stores=4"},
     "MESI, copies to the LDS, small caches and tables"},
    {"copies-words", "litmus",
     {"copies=2", "lds_bytes=2048", "l1=denovo", "order=drf", "line_bytes=64", "sms=3", "warps=6", "lanes=8", "mshr=4", "mshr_targets=8",
      "mshr_stores=4", "l1_sets=2", "l1_ways=2", "l2_sets=2", "l2_ways=4", "sb_words=32", "sb_rows=3", "reg_entries=3"},
     "DeNovo, copies to the LDS, small caches and tables"},
};
enum { STRUCTURES = sizeof structures / sizeof structures[0] };

struct choice {
    uint64_t random;
    const struct structure *structure;
    size_t at;                                /* of the structure, in those of the command */
    const struct hd_drawn *drawn;             /* what the machine differs in from the structure; NULL: nothing */
    char text[MAX_SETS][TEXT], smaller[MAX_SETS][TEXT];
    const char *set[MAX_SETS], *param[MAX_SETS];
    size_t texts, sets, params;
    enum tester tester;
    enum race race;
    bool only;                                /* all runs of the command are of this tester */
    const struct hd_workload *workload;
    uint64_t seed;
    struct hd_config c;
};

struct stress {
    double seconds;
    uint64_t seed, enough;                    /* ends with so many operations checked; 0: by seconds */
    const char *coherence, *tester;           /* of all runs; NULL: what the run draws */
    const struct structure *only[STRUCTURES + MAX_DRAWN];
    size_t structures;
    struct hd_drawn *drawn;                   /* a machine from each of only[]; NULL: they are as in the table */
    bool named;                               /* by the command: all of them are built */
    bool built[STRUCTURES + MAX_DRAWN];       /* as in only[]; only these are run */
    struct hd_model_paths models[STRUCTURES + MAX_DRAWN];
    double building;                          /* seconds, not part of those above */

    const char *path;                         /* of a database with a row a run; NULL: none */
    struct hd_results *db;
    uint64_t runs, cycles;
    uint64_t known_runs, known_operations;    /* of an earlier command, in the database */
    uint64_t operations[TESTERS];             /* of txracy those on the LDS, */
    uint64_t tx[3];                           /* ... of it accesses of lanes, commits, aborts */
    double cpu[TESTERS];
    struct hd_pairs pairs;
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- choosing a run --------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static const char *text(struct choice *k, const char *format, ...)
{
    char *t = k->text[k->texts++];
    va_list args;
    va_start(args, format);
    vsnprintf(t, TEXT, format, args);
    va_end(args);
    return t;
}

#define SET(...) (k->set[k->sets++] = text(k, __VA_ARGS__))
#define PARAM(...) (k->param[k->params++] = text(k, __VA_ARGS__))

static unsigned below(struct choice *k, unsigned n)
{
    return hd_random_below(&k->random, n);
}

static unsigned from(struct choice *k, unsigned low, unsigned high)
{
    return low + below(k, high - low + 1);
}

/* One of @n values. */
static unsigned one_of(struct choice *k, const unsigned *value, unsigned n)
{
    return value[below(k, n)];
}
#define ONE_OF(...) \
    one_of(k, (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

/* Stores are complete before other SMs see them. */
static bool stores_late(const struct hd_config *c)
{
    return c->l1 == HD_FAMILY_GPU || c->l1 == HD_FAMILY_DENOVO;
}

/* Orders of machines whose stores are late, and what DeNovo does with read-only regions. */
static void choose_coherence(struct choice *k, const char *coherence)
{
    unsigned scopes = k->c.persist ? 1 : below(k, 2);
    if (coherence) {
        SET("coherence=%s", coherence);
        return;
    }
    SET("order=%s", scopes ? "hrf" : "drf");
    if (k->c.l1 == HD_FAMILY_DENOVO && !scopes)
        SET("read_only=%s", below(k, 2) ? "true" : "false");
}

static bool is_race(const struct choice *k)
{
    return !k->drawn && strstr(k->structure->name, "-race") != NULL;
}

/* Short links, of which one delays a flit or credit a lot now and then: answers overtake on different ways through the mesh,
 * and an L1 finds no room for its own. Where all delays are alike, both are rare. LATE: so long that a line is given to others,
 * recalled and wanted again while its writeback is on its way. CREDITS: one network of a link stands while the others go, so a
 * forward overtakes data. */
static void choose_race(struct choice *k)
{
    static const char *const links[] = {"lat_xbar_l2", "lat_l2_xbar", "lat_xbar_sm", "lat_hop"};
    k->race = strstr(k->structure->name, "-deep-") ? CREDITS : strstr(k->structure->name, "-late-") ? LATE : OVERTAKE;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        SET("%s=2", links[i]);
    SET("lat_credit=%u", k->race == CREDITS ? ONE_OF(60, 200) : 2);
    SET("lat_sm_xbar=%u", k->race == OVERTAKE ? ONE_OF(2, 100) : 2);
    switch (k->race) {
    case OVERTAKE:
        SET("dram_latency=%u", ONE_OF(1, 100));
        SET("jitter=%u", ONE_OF(100, 250, 600));
        SET("jitter_one_in=%u", ONE_OF(8, 16, 32));
        break;
    case LATE:
        SET("dram_latency=%u", ONE_OF(100, 300));
        SET("jitter=1024");
        SET("jitter_one_in=%u", ONE_OF(64, 128));
        break;
    case CREDITS:
        SET("dram_latency=%u", ONE_OF(1, 100));
        SET("jitter=%u", ONE_OF(100, 300, 600));
        SET("jitter_one_in=%u", ONE_OF(8, 32));
        break;
    }
    SET("skip_idle=true");
}

static void choose_race_racy(struct choice *k)
{
    const struct hd_config *c = &k->c;
    PARAM("ops=%u", k->race == OVERTAKE ? from(k, 50, 200) : from(k, 200, 800));
    PARAM("lines=%u", k->race == OVERTAKE ? ONE_OF(1, 2, 3, 3, 4, 6) : k->race == LATE ? ONE_OF(3, 3, 4, 5) : ONE_OF(3, 3, 4));
    PARAM("stride=%u", c->l2_sets * c->partitions);
    PARAM("stores=%u", ONE_OF(30, 45));
    PARAM("atomics=%u", ONE_OF(10, 30));
    PARAM("sync=%u", ONE_OF(40, 60));
    PARAM("fences=%u", ONE_OF(5, 10));
    PARAM("lds=0");
    PARAM("pause=0");
}

static void choose_policy(struct choice *k, const char *coherence)
{
    static const char *const links[] = {"lat_sm_xbar", "lat_xbar_l2", "lat_l2_xbar", "lat_xbar_sm", "lat_credit"};
    static const char *const orders[] = {"rmo", "tso", "sc"};
    static const char *const memories[] = {"pipe", "banks", "random", "newest", "epoch", "bank-slow"};
    unsigned ratio = k->c.clk_ratio;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        SET("%s=%u", links[i], ratio * ONE_OF(2, 3, 4, 8, 20, 60));
    SET("lat_dispatch=%u", ONE_OF(2, 8, 60));
    SET("dram_latency=%u", ONE_OF(1, 20, 40, 200));
    SET("dram_banks=%u", ONE_OF(1, 4));
    SET("dram_row_miss=%u", ONE_OF(0, 20));
    const unsigned jitter = ONE_OF(0, 1, 4, 24, 100);
    SET("jitter=%u", jitter);
    if (jitter >= 24 && !is_race(k)) /* long delays of every flit leave the links little room */
        SET("jitter_one_in=%u", ONE_OF(1, 8, 32));
    SET("jitter_seed=%u", below(k, 1u << 30));
    if (stores_late(&k->c))
        choose_coherence(k, coherence);
    else if (hd_config_hardware(&k->c) == HD_ORDER_NONE)
        SET("order=%s", orders[below(k, 3)]);
    if (k->c.persist) {
        SET("nv_order=%s", memories[below(k, 6)]);
        SET("nv_write=%u", ONE_OF(1, 30, 250, 900));
        SET("nv_banks=%u", ONE_OF(1, 4, 16));
    }
    SET("marker_merge=%s", below(k, 2) ? "true" : "false");
    SET("credit_issue=%s", below(k, 2) ? "true" : "false");
    SET("type_prefetch=%s", below(k, 2) ? "true" : "false");
    SET("scheduler=%s", below(k, 2) ? "gto" : "lrr");
    SET("skip_idle=%s", below(k, 4) ? "true" : "false");
    if (k->c.local_tm)
        SET("issue_gap=%u", from(k, 1, 4));
    SET("watchdog=200000");
    if (k->drawn)
        SET("max_cycles=%u", DRAWN_CYCLES);
    if (is_race(k))
        choose_race(k);
}

static void choose_racy(struct choice *k)
{
    const struct hd_config *c = &k->c;
    if (is_race(k)) {
        choose_race_racy(k);
        return;
    }
    unsigned stores = from(k, 5, 60);
    /* Runs of all machines take about the same time: lanes that hit in MESI's L1s cost next to nothing; non-volatile memory that
     * writes one line after the other took a run of 1,500 operations a warp half an hour. */
    const bool few = (c->warps * c->lanes > 1024 && c->l1 != HD_FAMILY_MESI) || (c->persist && c->nv_out == 1);
    PARAM("ops=%u", k->drawn ? from(k, 10, 10 + DRAWN_OPERATIONS / (c->sms * c->warps * c->lanes)) :
                    few ? from(k, 20, 200) : from(k, 50, 1500));
    PARAM("blocks=%u", ONE_OF(0, 0, 2 * c->sms, 3 * c->sms));
    PARAM("warps=%u", c->warps > 1 ? ONE_OF(0, 0, 1, 2) : 0);
    PARAM("lines=%u", ONE_OF(1, 2, 3, 4, 8, 16, 64));
    PARAM("stride=%u", ONE_OF(1, c->l1_sets, c->l2_sets * c->partitions));
    PARAM("stores=%u", stores);
    PARAM("atomics=%u", ONE_OF(0, 10, 40));
    PARAM("sync=%u", ONE_OF(0, 10, 50));
    PARAM("fences=%u", ONE_OF(0, 5, 20));
    PARAM("barriers=%u", ONE_OF(0, 0, 20));
    PARAM("pause=%u", ONE_OF(0, 8, 100));
    PARAM("lds=%u", below(k, 2));
}

static void choose_late_drf(struct choice *k)
{
    PARAM("fenced=%u", below(k, 2));
    if (!stores_late(&k->c))
        return;
    PARAM("flight=%u", ONE_OF(1, 2, 4, 8));
    PARAM("scoped=%u", below(k, 4) > 0);
    PARAM("keep=%u", ONE_OF(0, 30, 60, 90));
    PARAM("mixed=%u", below(k, 2));
    PARAM("read_only=%u", ONE_OF(0, 5, 40, 300));
}

/* Long episodes of wide warps, mostly plain loads and stores: many operations are under way in few lines. */
static void choose_wide_drf(struct choice *k)
{
    const struct hd_config *c = &k->c;
    unsigned warps = from(k, 1, 4), threads = c->sms * warps * c->lanes;
    PARAM("warps=%u", warps);
    PARAM("episodes=%u", from(k, 1, k->only ? 10 : 4));
    PARAM("length=%u", ONE_OF(10, 100, 100, 300));
    PARAM("locks=%u", ONE_OF(threads, 2 * threads));
    PARAM("locations=%u", ONE_OF(1, 1, 2, 8));
    PARAM("stores=%u", from(k, 20, 60));
    PARAM("atomics=%u", ONE_OF(0, 0, 0, 10));
    PARAM("pause=%u", ONE_OF(0, 4));
}

static void choose_drf(struct choice *k)
{
    const struct hd_config *c = &k->c;
    if (c->lanes >= 32 && !k->drawn) {
        choose_wide_drf(k);
        choose_late_drf(k);
        return;
    }
    /* a lock that many lanes want costs a line transfer for each try: few warps, locks enough */
    unsigned warps = from(k, 1, c->warps < 4 ? c->warps : 4), threads = c->sms * warps * c->lanes;
    PARAM("warps=%u", warps);
    PARAM("episodes=%u", from(k, 1, is_race(k) || k->drawn ? 2 : k->only ? LONG_EPISODES : 6));
    PARAM("length=%u", from(k, 1, 16));
    PARAM("locks=%u", ONE_OF(threads / 2 + 1, 2 * threads, 16 * threads));
    PARAM("locations=%u", ONE_OF(1, 2, 8, 32));
    PARAM("stores=%u", from(k, 10, 60));
    PARAM("atomics=%u", ONE_OF(0, 10, 40));
    PARAM("pause=%u", ONE_OF(0, 4, 50));
    choose_late_drf(k);
}

static void choose_txracy(struct choice *k)
{
    PARAM("transactions=%u", from(k, 5, 150));
    PARAM("accesses=%u", from(k, 1, 8));
    PARAM("warps=%u", k->c.tm_warps > 1 ? ONE_OF(0, 0, 1, 2) : 0);
    PARAM("lanes_used=%u", ONE_OF(1, 2, 3, 8, 64, 64, 64));
    PARAM("banks=%u", ONE_OF(1, 2, 4, 64));
    PARAM("plain=%u", ONE_OF(0, 20, 60));
    PARAM("barriers=%u", ONE_OF(0, 10, 60));
    PARAM("global=%u", ONE_OF(0, 30, 80));
    PARAM("pause=%u", ONE_OF(0, 8, 60));
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void choose_plog(struct choice *k)
{
    const unsigned blocks = k->c.sms * k->c.blocks / 2;
    PARAM("rounds=%u", from(k, 1, k->drawn ? 6 : 24));
    PARAM("blocks=%u", from(k, 1, blocks > 0 ? blocks : 1));
    PARAM("warps=%u", from(k, 1, least(4, k->c.warps)));
    PARAM("scope=%u", below(k, 4));
}

/* The LDS holds the tiles that are ahead, and the one at work. */
static void choose_tiles(struct choice *k)
{
    const unsigned room = k->c.lds_bytes / 4 / k->c.lanes; /* warps of words */
    const unsigned warps = from(k, 1, least(least(room, k->c.warps), 1024 / k->c.lanes)), words = from(k, 1, least(room / warps, 4));
    PARAM("threads=%u", warps * k->c.lanes);
    PARAM("words=%u", words);
    PARAM("ahead=%u", below(k, least(room / (warps * words), 4)));
    PARAM("blocks=%u", from(k, 1, 3 * k->c.sms));
    PARAM("tiles=%u", from(k, 1, 12));
    PARAM("way=1");
    PARAM("dirty=%u", below(k, 2));
}

/* What run number @i of the machine is a test of. Not drawn: a short stress has all, and the drf runs are the shorter ones. */
static enum tester choose_tester(const struct hd_config *c, uint64_t i)
{
    const bool tx = c->local_tm && c->tm_rows > (c->lanes + c->lds_banks - 1) / c->lds_banks; /* room beside the counters */
    const bool tiles = c->copies > 0 && c->lds_bytes / 4 >= c->lanes;
    if (tx && i % 8 != 0)
        return TXRACY;
    if (i % 4 == 0)
        return DRF;
    if (i % 2 == 0 && (c->persist || tiles))
        return c->persist && (!tiles || i % 4 == 2) ? PLOG : TILES;
    return RACY;
}

/* The structure of *k, as the machine is built. */
static bool choose_structure(struct choice *k, const struct structure *structure, const struct hd_drawn *drawn)
{
    k->structure = structure;
    k->drawn = drawn;
    for (const char *const *set = structure->set; *set; set++)
        k->set[k->sets++] = *set;
    for (size_t i = 0; drawn && drawn->set[i]; i++)
        k->set[k->sets++] = drawn->set[i];
    SET("ghost_bits=32");
    SET("count_pairs=true");
    return hd_configure(&k->c, structure->config, k->set, k->sets) == 0;
}

/* Everything about run number @i. @return false when the configuration is refused: a defect of the tables above. */
static bool choose(const struct stress *s, uint64_t i, struct choice *k)
{
    *k = (struct choice){.random = s->seed * UINT64_C(0x9e3779b97f4a7c15) + i};
    hd_random(&k->random);
    k->at = below(k, (unsigned)s->structures);
    if (!choose_structure(k, s->only[k->at], s->drawn ? &s->drawn[k->at] : NULL))
        return false;
    choose_policy(k, s->coherence);
    k->tester = choose_tester(&k->c, i);
    k->only = s->tester;
    if (s->tester)
        k->tester = strcmp(s->tester, tester_names[DRF]) == 0 ? DRF : RACY;
    static void (*const choose_params[TESTERS])(struct choice *) = {choose_drf, choose_racy, choose_txracy, choose_plog, choose_tiles};
    choose_params[k->tester](k);
    k->workload = hd_workload_find(tester_names[k->tester]);
    k->seed = below(k, 1000000);
    return hd_configure(&k->c, k->structure->config, k->set, k->sets) == 0;
}

/* @return whether a later setting is of the same key. */
static bool is_overridden(const struct choice *k, size_t i)
{
    const size_t key = strcspn(k->set[i], "=") + 1;
    for (size_t later = i + 1; later < k->sets; later++)
        if (strncmp(k->set[i], k->set[later], key) == 0)
            return true;
    return false;
}

static void print_command(const struct choice *k)
{
    fprintf(stderr, "to run it again:\n  %sbuild/heddle run --config %s", k->drawn ? "HD_OPT=-O0 " : "", k->structure->config);
    for (size_t i = 0; i < k->sets; i++)
        if (!is_overridden(k, i))
            fprintf(stderr, " --set %s", k->set[i]);
    fprintf(stderr, " --seed %llu %s", (unsigned long long)k->seed, k->workload->name);
    for (size_t i = 0; i < k->params; i++)
        fprintf(stderr, " %s", k->param[i]);
    fprintf(stderr, "\n");
}

/* ---- a run ------------------------------------------------------------------------------------------------------ */

static void prepare(const struct stress *s, const struct choice *k, struct hd_run_options *o)
{
    *o = (struct hd_run_options){.config = &k->c, .workload = k->workload, .params = k->param, .num_params = k->params,
                                 .seed = k->seed, .models = &s->models[k->at]};
}

/* The row of run number @i in the database. */
static struct hd_results_key key_of(const struct stress *s, const struct choice *k, uint64_t i, char pattern[TEXT])
{
    struct hd_results_key key = {.experiment = "stress", .pattern = pattern, .loads = (unsigned)(i >> 32), .offset = (unsigned)i};
    snprintf(pattern, TEXT, "seed %llu", (unsigned long long)s->seed);
    hd_results_config(&k->c, key.config);
    hd_results_build(&s->models[k->at], key.build);
    return key;
}

/* @return whether a parameter, NAME=VALUE, makes a run longer or larger. */
static bool is_size(const char *param)
{
    static const char *const sizes[] = {"ops=",   "episodes=", "transactions=", "rounds=", "blocks=",
                                        "length=", "accesses=", "warps=",        "lines=",  "locations="};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        if (strncmp(param, sizes[n], strlen(sizes[n])) == 0)
            return true;
    return false;
}

static bool fails(const struct stress *s, const struct choice *k)
{
    struct hd_run_options o;
    struct hd_result r;
    prepare(s, k, &o);
    const bool ran = hd_run(&o, &r) == GOOD, failed = ran && !hd_result_good(&r);
    hd_result_free(&r);
    return failed;
}

/* Halves what makes the failed run large, one parameter after the other, as long as it still fails. */
static void shrink(const struct stress *s, struct choice *k)
{
    const double until = now(CLOCK_MONOTONIC) + SHRINK_SECONDS;
    fprintf(stderr, "looking for a smaller run that fails, for %d s at most\n", SHRINK_SECONDS);
    for (size_t p = 0; p < k->params; p++) {
        const char *old = k->param[p], *value = strchr(old, '=') + 1;
        unsigned v = is_size(old) ? (unsigned)strtoul(value, NULL, 10) / 2 : 0;
        for (; v > 0 && now(CLOCK_MONOTONIC) < until; v /= 2) {
            char text[TEXT];
            snprintf(text, sizeof text, "%.*s%u", (int)(value - old), old, v);
            k->param[p] = text;
            const bool still = fails(s, k);
            k->param[p] = old;
            if (!still)
                break;
            memcpy(k->smaller[p], text, sizeof text);
            k->param[p] = old = k->smaller[p];
            value = strchr(old, '=') + 1;
        }
    }
}

static int run_one(struct stress *s, struct choice *k, uint64_t i)
{
    struct hd_run_options o;
    struct hd_result r;
    prepare(s, k, &o);
    int code = hd_run(&o, &r);
    if (code == GOOD) {
        uint64_t operations = 0;
        if (k->tester == TXRACY) {
            operations = hd_result_counter(&r, "tm.operations");
            s->tx[0] += hd_result_counter(&r, "tm.accesses");
            s->tx[1] += hd_result_counter(&r, "tm.commits");
            s->tx[2] += hd_result_counter(&r, "tm.aborts");
        } else
            operations = hd_result_judged(&r);
        s->operations[k->tester] += operations;
        s->cpu[k->tester] += r.cpu_seconds;
        s->cycles += r.cycles;
        s->runs++;
        hd_report_failed(&r);
        struct hd_pairs pairs = {0};
        if (!hd_result_good(&r) || !hd_machine_pairs(r.machine, hd_pairs_see, &pairs))
            code = FAILED;
        hd_pairs_add(&s->pairs, &pairs);
        char pattern[TEXT];
        const struct hd_results_key key = s->db ? key_of(s, k, i, pattern) : (struct hd_results_key){0};
        if (s->db && (!hd_pairs_keep(&pairs, &r) || !hd_results_add(s->db, &r, &key, (uint32_t)operations)))
            code = REFUSED;
    }
    hd_result_free(&r);
    if (code == FAILED)
        shrink(s, k);
    if (code != GOOD)
        print_command(k);
    return code;
}

/* ---- the report ------------------------------------------------------------------------------------------------- */

static void print_speed(const char *name, uint64_t operations, double cpu)
{
    printf("  %-6s%14llu operations checked, %8.1f CPU s, %9.0f operations per CPU second\n", name,
           (unsigned long long)operations, cpu, cpu > 0 ? (double)operations / cpu : 0);
}

static uint64_t all_operations(const struct stress *s)
{
    uint64_t all = s->known_operations;
    for (unsigned t = 0; t < TESTERS; t++)
        all += s->operations[t];
    return all;
}

static void print_batch(const struct stress *s, double elapsed)
{
    fprintf(stderr, "%6.0f s: %llu runs, %.2f million operations, %u L1 pairs, %u L2 pairs\n", elapsed,
            (unsigned long long)(s->known_runs + s->runs), (double)all_operations(s) / 1e6,
            hd_pairs_reached(&s->pairs, true), hd_pairs_reached(&s->pairs, false));
}

static int report(const struct stress *s)
{
    printf("\n%llu runs, %.2f million cycles, seed %llu; all checks passed\n", (unsigned long long)s->runs,
           (double)s->cycles / 1e6, (unsigned long long)s->seed);
    unsigned run = 0;
    for (size_t i = 0; i < s->structures; i++)
        run += s->built[i];
    printf("%u of %zu structures; %.0f s of building before\n", run, s->structures, s->building);
    if (s->db)
        printf("in %s, with earlier ones: %llu runs, %llu operations checked\n", s->path,
               (unsigned long long)(s->known_runs + s->runs), (unsigned long long)all_operations(s));
    for (unsigned t = 0; t < TESTERS; t++)
        if (t <= RACY || s->operations[t] > 0)
            print_speed(tester_names[t], s->operations[t], s->cpu[t]);
    if (s->operations[TXRACY] > 0) {
        printf("  %-6s%14llu accesses of lanes in transactions checked, %llu commits, %llu aborts\n", "", (unsigned long long)s->tx[0],
               (unsigned long long)s->tx[1], (unsigned long long)s->tx[2]);
    }
    hd_pairs_print(&s->pairs);
    const unsigned odd = hd_pairs_surprises(&s->pairs);
    if (odd > 0)
        printf("\n%u pairs marked ! were reached that cannot be: docs/stress.md, sw/stress/pairs.c\n", odd);
    return odd > 0 ? FAILED : GOOD;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static bool number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *n)
{
    char *end = NULL;
    errno = 0;
    if (value && *value >= '0' && *value <= '9')
        *n = strtoull(value, &end, 0);
    if (end && *end == '\0' && errno == 0 && *n >= low && *n <= high)
        return true;
    fprintf(stderr, "heddle: %s %s: must be %llu..%llu\n", option, value ? value : "(nothing)",
            (unsigned long long)low, (unsigned long long)high);
    return false;
}

/* Leaves the structures that can be machines of the command's coherence. @return false after a message. */
static bool of_coherence(struct stress *s)
{
    static struct choice k;
    struct hd_config c;
    char set[TEXT];
    const char *const sets[] = {set};
    snprintf(set, sizeof set, "coherence=%s", s->coherence);
    if (hd_configure(&c, "litmus", sets, 1) != 0)
        return false;
    s->pairs.no_scopes = c.order != HD_MODEL_HRF;
    s->pairs.no_read_only = !c.read_only;
    size_t n = 0;
    for (size_t i = 0; i < s->structures; i++) {
        k = (struct choice){0};
        if (!choose_structure(&k, s->only[i], NULL))
            return false;
        if (k.c.l1 == c.l1 && !k.c.persist && !k.c.local_tm)
            s->only[n++] = s->only[i];
    }
    s->structures = n;
    s->named = true;
    if (n == 0)
        fprintf(stderr, "heddle: stress --coherence %s: none of the structures has such L1s\n", s->coherence);
    return n > 0;
}

/* Replaces the structures by @n machines drawn from them, by the seed. @return false after a message. */
static bool draw(struct stress *s, unsigned n)
{
    static struct choice k;
    const struct structure *from[STRUCTURES];
    const unsigned all = (unsigned)s->structures;
    memcpy(from, s->only, all * sizeof from[0]);
    s->drawn = calloc(n, sizeof *s->drawn);
    s->structures = s->drawn ? n : 0;
    setenv("HD_OPT", "-O0", 0); /* a machine runs for seconds: models that compile quickly */
    s->named = true;
    for (size_t i = 0; i < s->structures; i++) {
        k = (struct choice){.random = s->seed * UINT64_C(0xd1342543de82ef95) + i};
        hd_random(&k.random);
        s->only[i] = from[below(&k, all)];
        if (!choose_structure(&k, s->only[i], NULL))
            return false;
        hd_draw(&k.c, &k.random, &s->drawn[i]);
    }
    return s->structures > 0;
}

static bool parse(int argc, char **argv, struct stress *s)
{
    bool timed = false;
    unsigned drawn = 0;
    for (int i = 1; i < argc; i++) {
        uint64_t n = 0;
        size_t k = 0;
        if (strcmp(argv[i], "--seconds") == 0) {
            if (!number(argv[i], argv[i + 1], 1, 10000000, &n))
                return false;
            s->seconds = (double)n;
            timed = true;
            i++;
        } else if (strcmp(argv[i], "--operations") == 0) {
            if (!number(argv[i], argv[i + 1], 1, UINT64_C(1) << 40, &s->enough))
                return false;
            i++;
        } else if (strcmp(argv[i], "--tester") == 0) {
            s->tester = argv[++i];
            if (!s->tester || (strcmp(s->tester, tester_names[DRF]) != 0 && strcmp(s->tester, tester_names[RACY]) != 0)) {
                fprintf(stderr, "heddle: --tester %s: must be drf or racy\n", s->tester ? s->tester : "(nothing)");
                return false;
            }
        } else if (strcmp(argv[i], "--coherence") == 0) {
            s->coherence = argv[++i];
            if (!s->coherence) {
                fprintf(stderr, "heddle: stress --coherence: must be followed by gd, gh, dd, dd-ro or dh\n");
                return false;
            }
        } else if (strcmp(argv[i], "--drawn") == 0) {
            if (!number(argv[i], argv[i + 1], 1, MAX_DRAWN, &n))
                return false;
            drawn = (unsigned)n;
            i++;
        } else if (strcmp(argv[i], "--db") == 0) {
            if (!argv[i + 1]) {
                fprintf(stderr, "heddle: stress --db: must be followed by a file\n");
                return false;
            }
            s->path = argv[++i];
        } else if (strcmp(argv[i], "--seed") == 0) {
            if (!number(argv[i], argv[i + 1], 0, INT64_MAX, &s->seed))
                return false;
            i++;
        } else {
            while (k < STRUCTURES && strcmp(structures[k].name, argv[i]) != 0)
                k++;
            if (k == STRUCTURES) {
                fprintf(stderr, "heddle: stress %s: must be --seconds N, --operations N, --seed N, --drawn N, "
                        "--coherence NAME, --tester NAME, --db FILE or structures:", argv[i]);
                for (k = 0; k < STRUCTURES; k++)
                    fprintf(stderr, " %s", structures[k].name);
                fprintf(stderr, "\n");
                return false;
            }
            s->named = true;
            if (s->structures < STRUCTURES) /* a name may stand twice */
                s->only[s->structures++] = &structures[k];
        }
    }
    for (size_t k = 0; s->structures == 0 || (s->structures == k && k < STRUCTURES); k++)
        s->only[s->structures++] = &structures[k];
    if (drawn > 0 && s->coherence) {
        fprintf(stderr, "heddle: --drawn %u: not with --coherence: a machine that is drawn may be of any\n", drawn);
        return false;
    }
    if (drawn > 0 && !draw(s, drawn))
        return false;
    if (s->enough > 0 && !timed)
        s->seconds = 1e7;
    return !s->coherence || of_coherence(s);
}

/* Builds the structures that the command names or, when it names none, those that can be begun in as much time as the
 * runs have, one at least. Structures that are built already are looked at first. */
static bool build(struct stress *s)
{
    static struct choice k[STRUCTURES + MAX_DRAWN];
    unsigned built = 0, left_out = 0;
    double start = now(CLOCK_MONOTONIC);

    for (size_t i = 0; i < s->structures; i++) {
        k[i] = (struct choice){0};
        if (!choose_structure(&k[i], s->only[i], s->drawn ? &s->drawn[i] : NULL))
            return false;
        s->built[i] = hd_models_built(&k[i].c, false) && hd_models_get(&k[i].c, false, &s->models[i]);
        built += s->built[i];
    }
    if (built == s->structures)
        return true;
    fprintf(stderr, "%u of %zu structures are built; ", built, s->structures);
    if (s->named)
        fprintf(stderr, "the others are built before the %.0f s of tests begin\n", s->seconds);
    else
        fprintf(stderr, "others are built before the %.0f s of tests begin, as many as can be begun in %.0f s more\n",
                s->seconds, s->seconds);
    for (size_t i = 0; i < s->structures; i++) {
        if (s->built[i])
            continue;
        if (!s->named && built > 0 && now(CLOCK_MONOTONIC) - start >= s->seconds) {
            left_out++;
            continue;
        }
        if (!hd_models_get(&k[i].c, false, &s->models[i]))
            return false;
        s->built[i] = true;
        built++;
    }
    s->building = now(CLOCK_MONOTONIC) - start;
    fprintf(stderr, "building took %.0f s; now %.0f s of tests\n", s->building, s->seconds);
    if (left_out > 0)
        fprintf(stderr, "%u structures are not built and not run: more seconds, or the same command again\n", left_out);
    return true;
}

/* @return whether run number @i is in the database; adds its operations, and its pairs if add_known_pairs() does not. */
static bool is_known(struct stress *s, const struct choice *k, uint64_t i)
{
    char pattern[TEXT];
    uint32_t operations;
    if (!s->db)
        return false;
    const struct hd_results_key key = key_of(s, k, i, pattern);
    if (!hd_results_find(s->db, &key, &operations))
        return false;
    double cpu;
    char *counters = s->coherence ? hd_results_counters(s->db, &key, &cpu) : NULL;
    if (counters)
        hd_pairs_read(&s->pairs, counters);
    free(counters);
    s->known_runs++;
    s->known_operations += operations;
    return true;
}

/* Adds the pairs of all runs of the command's structures in the database, whatever their seed; not for one coherence, where
 * runs of others have pairs that are impossible. @return false after a message. */
static bool add_known_pairs(struct stress *s)
{
    static char build[STRUCTURES + MAX_DRAWN][HD_RESULTS_HASH];
    size_t builds = 0;
    bool good = true;
    for (size_t i = 0; good && !s->coherence && i < s->structures; i++) {
        if (!s->built[i])
            continue;
        hd_results_build(&s->models[i], build[builds]);
        size_t same = 0; /* structures that differ in what is drawn have the same models */
        while (strcmp(build[same], build[builds]) != 0)
            same++;
        if (same == builds)
            good = hd_results_each(s->db, "stress", build[builds++], hd_pairs_read, &s->pairs);
    }
    return good;
}

static int run_all(struct stress *s)
{
    static struct choice k;
    double left = s->seconds, printed = 0;
    if (s->db && !add_known_pairs(s))
        return REFUSED;
    for (uint64_t i = 0; left > 0 && (s->enough == 0 || all_operations(s) < s->enough); i++) {
        if (!choose(s, i, &k))
            return REFUSED;
        if (!s->built[k.at] || is_known(s, &k, i))
            continue;
        if (s->runs == 0 && s->known_runs > 0)
            fprintf(stderr, "%llu runs are in %s; going on at run %llu\n", (unsigned long long)s->known_runs, s->path,
                    (unsigned long long)i);
        double start = now(CLOCK_MONOTONIC);
        int code = run_one(s, &k, i);
        if (code != GOOD)
            return code;
        double took = now(CLOCK_MONOTONIC) - start;
        left -= took;
        if (s->seconds - left >= printed + BATCH_SECONDS || left <= 0) {
            printed = s->seconds - left;
            print_batch(s, printed);
        }
    }
    return report(s);
}

int hd_stress_command(int argc, char **argv)
{
    static struct stress s;
    s.seconds = 60;
    s.seed = 1;
    if (!parse(argc, argv, &s) || !build(&s) || (s.path && !(s.db = hd_results_open(s.path))))
        return REFUSED;
    const int code = run_all(&s);
    hd_results_close(s.db);
    free(s.drawn);
    return code;
}
