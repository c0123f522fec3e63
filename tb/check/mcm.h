/* mcm.h - memory-model checker: is an execution allowed by a model? Exact for any program, because the log gives
 * both which store each load read (`src`) and the order of the stores to each word (the chain of `over`).
 *
 * What is checked, in this order (numbers of the paper design in docs/checker.md):
 *   log       every record there once, ids and program order in order
 *   data      every word read was written to that address with that value; the chain of each word has no fork
 *             (two writes over one: a lost update, a split RMW); the memory image at the end is its last word
 *   stale     an access issued after a write was known to be performed (it completed, or another thread's read of
 *             it did) does not come before it in the word's order: true of every protocol with single writer
 *   cycle     the graphs of the model below have no cycle
 *   race      models DRF and HRF: see the end
 *
 * Models. Every lane is a thread, in program order; lanes of one instruction are not ordered.
 *   SC    po, rf, co, fr acyclic
 *   TSO   as SC but a store does not order a later load of the lane, except over a full fence, an RMW, a barrier,
 *         or when both synchronise; reads of the lane's own stores do not order. And per-word coherence
 *   RMO   acquire, release, fences, dependencies order, for the instance of their scope: a graph of all threads
 *         for device scope and one for each thread block for scope WG. Multi-copy atomic. And per-word coherence,
 *         and no value out of thin air. A barrier orders what a fence before it ordered with all behind it
 *   DRF, HRF_DIRECT, HRF_INDIRECT   the SC graph over all accesses, promised to programs without data races
 *         (heterogeneous races), which vector clocks find. Races are reported, and then nothing is promised
 *   ENV, ENV_INDIRECT   what relaxed machines (l1 = gpu, denovo) owe to any program: RMWs atomic in their scope's instance;
 *         per-word coherence but for two loads of a lane; no value out of thin air; causality: a read does not return what
 *         a write that happens before it overwrote, and so on (mcm_env.c); synchronization of one word and instance, with
 *         program order, acyclic; full fences and RMWs restore SC within their scope, RMWs of the LDS within the thread
 *         block. Happens-before is that of HRF_INDIRECT
 *         or, ENV, of DRF (every scope but the lane's is the device's), of warps, barriers included; that is more than
 *         tests/litmus/models/env*.cat ask: warps issue in order, an L1 and an L2 have one pipe. Programs without races
 *         are SC under it: each read then returns the last write that happens before it. Races are counted, no more.
 *         Accesses with HD_EV_ATOMIC but without order are data, as in the L1, unless they are RMWs.
 * "Both synchronise": accesses with HD_EV_ATOMIC and an order.
 *
 * Streaming. Records may come in any order; hd_mcm_advance(W) says that all operations issued before cycle W are
 * there. The order of completion is tried as a witness; graphs are built where it does not explain what was read, and
 * for DRF, HRF and .single_writer = false. A node leaves its graphs when it has no predecessor left and no later
 * record can give it one.
 * Memory: at most about 320 bytes for each operation of about the two longest latencies, 400 more for those in graphs
 * that did not retire; for each distinct word ever accessed 50 bytes (750 when its neighbours are not accessed), and
 * 200 in graphs (growth by halves included); 800 KB an SM. The number of records does not count. Time: a constant
 * number of operations on hash tables and lists for each group of lanes, record and edge. Measured: docs/checker.md.
 * With .single_writer = false there is no bound on how late a read may see an old word: nodes stay until the end
 * of the kernel (hd_mcm_epoch).
 *
 * The first violation ends the check.
 *
 * The files mcm*.c are one module with one inside, mcm_parts.h: they call each other both ways (records are placed, judged
 * by a witness or by graphs, and handed back). This header is its door, and nobody outside includes the inside. */
#ifndef HD_MCM_H
#define HD_MCM_H
#include "check/evlog.h"
#include <stdio.h>

enum hd_mcm_model {
    HD_MCM_RMO, /* the first three as hd_model_e */
    HD_MCM_TSO,
    HD_MCM_SC,
    HD_MCM_DRF,
    HD_MCM_HRF_DIRECT,
    HD_MCM_HRF_INDIRECT,
    HD_MCM_ENV,
    HD_MCM_ENV_INDIRECT,
    HD_MCM_MODELS
};

struct hd_mcm_options {
    enum hd_mcm_model model;
    unsigned sms;          /* 1..128; ids are (n * sms + sm) + 1 */
    bool single_writer;    /* the machine's protocol lets one cache write a word at a time, all others see it (MESI) */
    bool puts;             /* L2s tell of stores that were complete before (HD_EVK_PUT) */
    bool owns;             /* ... and they tell who owns a word, stores what they overwrote there (l1 = denovo) */
};

enum hd_mcm_kind {
    HD_MCM_ALLOWED,
    HD_MCM_LOG,    /* the log is incomplete or contradicts itself */
    HD_MCM_DATA,
    HD_MCM_STALE,
    HD_MCM_CYCLE,
    HD_MCM_RACE,
    HD_MCM_NO_MEMORY
};

/* How a step of the cycle comes before the next one. */
enum hd_mcm_edge { HD_MCM_PO, HD_MCM_DEP, HD_MCM_BAR, HD_MCM_RF, HD_MCM_CO, HD_MCM_FR, HD_MCM_DONE, HD_MCM_HB };

enum { HD_MCM_STEPS = 24 };

struct hd_mcm_step {
    struct hd_event op;
    enum hd_mcm_edge next; /* to the next step, of the last one to the first */
};

struct hd_mcm_violation {
    enum hd_mcm_kind kind;
    char text[240];        /* one line */
    unsigned steps;        /* filled below; a longer cycle is cut. Kinds other than CYCLE and STALE: no cycle, */
    unsigned length;       /* just the operations meant */
    struct hd_mcm_step step[HD_MCM_STEPS];
    uint32_t first, last;  /* cycles that show it */
};

struct hd_mcm_stats {
    uint64_t events, edges, races, lane_races; /* lane_races: two lanes of one instruction write one word */
    uint64_t by_graph, given_up;               /* operations judged by graphs; how often the graphs took over */
    uint64_t relaxed;                          /* DRF, HRF: relaxed atomics, which these models do not know */
    size_t live, live_most;                    /* operations not retired */
    size_t words, bytes;                       /* memory the checker holds */
};

/* How a machine of whose run *info tells is judged: by the model it ran with. Whether a word has one writer at a time is a
 * property of its L1 family, and this is the only place that says so. */
struct hd_mcm_options hd_mcm_options_of(const struct hd_evlog_info *info);

struct hd_mcm;

/* @return NULL when there is no memory. */
struct hd_mcm *hd_mcm_new(const struct hd_mcm_options *o);
void hd_mcm_free(struct hd_mcm *m); /* NULL is allowed */

/* Before anything is added: judge by the graphs alone. Slower, the same verdicts; tests compare. */
void hd_mcm_graphs_only(struct hd_mcm *m);

/* Adds records. All calls from here on: @return false when there is (or was) a violation. */
bool hd_mcm_add(struct hd_mcm *m, const struct hd_event *e, size_t n);

/* Every operation issued before @watermark has been added. It must not go back. */
bool hd_mcm_advance(struct hd_mcm *m, uint64_t watermark);

/* The same, and a kernel has ended: everything before is ordered before everything behind. */
bool hd_mcm_epoch(struct hd_mcm *m, uint64_t watermark);

/* Everything has been added. @issued: [sms] ids given out by each SM, or NULL when that is not known. */
bool hd_mcm_finish(struct hd_mcm *m, const uint32_t *issued);

/* After finish: compares the last word of each address with peek(). */
bool hd_mcm_image(struct hd_mcm *m, uint32_t (*peek)(void *ctx, uint32_t addr), void *ctx);

/* @return NULL while everything is allowed; owned by @m. */
const struct hd_mcm_violation *hd_mcm_violation(const struct hd_mcm *m);
void hd_mcm_stats(const struct hd_mcm *m, struct hd_mcm_stats *s);

/* Prints the violation: one line, then a line for each step. */
void hd_mcm_print(const struct hd_mcm_violation *v, FILE *file);

/* @return the model's name as on the command line; @return the model called @name, HD_MCM_MODELS if none. */
const char *hd_mcm_name(enum hd_mcm_model model);

/* @return what an ordering of the machine (hd_model_e) promises: the model the checker judges by. */
enum hd_mcm_model hd_mcm_of_order(unsigned order);
enum hd_mcm_model hd_mcm_find(const char *name);
#endif
