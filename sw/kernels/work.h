/* work.h - a workload: kernels with their parameters, their data and the host reference they are compared with.
 *
 * To add one: write sw/kernels/NAME.c with a `const struct hd_workload hd_work_NAME` and add a line for it to
 * HD_WORKLOADS below. prepare() makes the arrays, fills them and lists the grids to launch; reference() brings
 * the same host arrays to the values the hardware must have left, and may check what cannot be foretold. */
#ifndef HD_WORK_H
#define HD_WORK_H
#include "config.h"
#include "machine.h"
#include "simt.h"

#define HD_WORKLOADS(X) \
    X(backprop)         \
    X(conv2d)           \
    X(three_mm)         \
    X(btree)            \
    X(bfs)              \
    X(chase)            \
    X(dlb)              \
    X(drf)              \
    X(fdtd2d)           \
    X(ga)               \
    X(gemm)             \
    X(heartwall)        \
    X(histogram)        \
    X(hotspot)          \
    X(ht)               \
    X(lavamd)           \
    X(km)               \
    X(kv)               \
    X(lud)              \
    X(memcached)        \
    X(mvt)              \
    X(nn)               \
    X(nw)               \
    X(outstanding)      \
    X(pathfinder)       \
    X(probe)            \
    X(plog)             \
    X(ptree)            \
    X(racy)             \
    X(reduce)           \
    X(sgemm)            \
    X(spinlock)         \
    X(spin_mutex)       \
    X(backoff_mutex)    \
    X(ticket_mutex)     \
    X(sleep_mutex)      \
    X(starve)           \
    X(srad)             \
    X(stencil)          \
    X(spin_sem)         \
    X(backoff_sem)      \
    X(tree_barrier)     \
    X(flag_barrier)     \
    X(stn)              \
    X(stream)           \
    X(streamcluster)    \
    X(txracy)           \
    X(uts)              \
    X(tiles)            \
    X(vecadd)

/* A parameter, `name=value` on the command line. Every workload also has `resident` (blocks an SM, 0 = as many
 * as fit). The table of a workload ends with a NULL name. */
struct hd_param {
    const char *name;
    uint32_t def, min, max;
    const char *doc;
};

struct hd_work;

/* A value a parameter takes with `size=full`. The table of a workload ends with a NULL name. */
struct hd_full {
    const char *name;
    uint32_t value;
};

struct hd_workload {
    const char *name, *doc;
    const struct hd_param *params;
    const struct hd_full *full;    /* NULL: the workload has one size, and no key `size` */
    /* Makes arrays and launches. @return NULL, or why the parameters cannot be run (one line). */
    const char *(*prepare)(struct hd_work *k);
    /* Brings every array's `host` to the expected end state; hd_array.result is what the hardware left. */
    void (*reference)(struct hd_work *k);
};

/* An array in the machine's memory, aligned to 16 KiB. */
struct hd_array {
    const char *name;
    uint32_t addr;        /* byte address in the machine */
    uint32_t words;
    uint32_t *host;       /* [words] start value, after reference() expected value */
    uint32_t *result;     /* [words] read back; only during reference() */
    bool free_form;       /* not compared: more than one end state is right; reference() checks it */
};

/* ---- for workloads ------------------------------------------------------------------------------------------ */

/* @return the value of parameter @name, which must be in the table. */
uint32_t hd_work_param(const struct hd_work *k, const char *name);
const struct hd_config *hd_work_config(const struct hd_work *k);

/* Where configuration key @name was set, for messages, in @text: "NAME is set in FILE:LINE", "NAME is set by --set" or
 * "NAME is the default". */
const char *hd_work_origin(const struct hd_work *k, const char *name, char text[300]);

/* A zeroed array, owned by *k. Running out of memory is reported when prepare() returns; until then the
 * array is one that can be written. */
struct hd_array *hd_work_array(struct hd_work *k, const char *name, uint64_t words);

/* The same in non-volatile memory: at nv_base or above, when there is room below 2 GiB, else behind the other arrays. To be
 * made behind them: none of them may reach up to nv_base. */
struct hd_array *hd_work_durable(struct hd_work *k, const char *name, uint64_t words);

/* Fills rows of @cols words, @pitch words apart, with random floats. */
void hd_work_fill(struct hd_work *k, struct hd_array *m, uint32_t rows, uint32_t cols, uint32_t pitch);

/* Memory for the kernels' arguments, zeroed, owned by *k. */
void *hd_work_args(struct hd_work *k, size_t bytes);
/* More of it. */
void *hd_work_more(struct hd_work *k, size_t bytes);
void *hd_work_get_args(const struct hd_work *k);

/* @return the byte address of word @i. */
static inline uint32_t hd_at(const struct hd_array *a, uint32_t i)
{
    return a->addr + 4 * i;
}

/* For workloads that are not made of C arrays (traces): memory reaches up to @top, a multiple of 4, at least. */
void hd_work_reach(struct hd_work *k, uint64_t top);
const struct hd_workload *hd_work_self(const struct hd_work *k);

/* Adds a grid; grids run one after the other. `resident` is filled in here, unless the parameter is 0. */
void hd_work_launch(struct hd_work *k, const struct hd_launch *l);

/* In a kernel: waits for all warps of the block, with a fence before it unless @fenced is false. A barrier alone does not
 * order under RMO what warps store to global memory. */
static inline void hd_sync_block(struct hd_warp *w, bool fenced)
{
    if (fenced)
        hd_fence(w, HD_ORD_ACQ_REL, HD_SCOPE_WG);
    hd_bar(w);
}

/* Random numbers of a kernel, from a state of its own; below: less than @n. */
uint64_t hd_random(uint64_t *state);
uint32_t hd_random_below(uint64_t *state, uint32_t n);

/* Deterministic random numbers from the run's seed. */
uint64_t hd_work_random(struct hd_work *k);
uint32_t hd_work_random_below(struct hd_work *k, uint32_t n);
float hd_work_random_float(struct hd_work *k);  /* a multiple of 2^-12 in [-1, 1) */

/* In reference(): names what is wrong; the first call counts. */
__attribute__((format(printf, 2, 3))) void hd_work_fail(struct hd_work *k, const char *format, ...);
/* In reference(): the non-volatile memory of partition 0; NULL: the machine has none. */
struct hd_nvram;
const struct hd_nvram *hd_work_nvram(const struct hd_work *k);
/* In reference(): a number for the report. @name is a literal. */
void hd_work_counter(struct hd_work *k, const char *name, uint64_t value);

/* ---- for the command ---------------------------------------------------------------------------------------- */

/* All workloads, ended by NULL; and the one called @name or NULL. */
const struct hd_workload *const *hd_workloads(void);
const struct hd_workload *hd_workload_find(const char *name);

/* @return NULL when there is no memory. *c must outlive it. */
struct hd_work *hd_work_new(const struct hd_workload *w, const struct hd_config *c, uint64_t seed);
void hd_work_free(struct hd_work *k);

/* Applies one "name=value". @return 0, or -1 after a line on stderr. */
int hd_work_set(struct hd_work *k, const char *assignment);

/* Prepares data and adds the launches to @s. @return 0, or -1 after a line on stderr. */
int hd_work_prepare(struct hd_work *k, struct hd_simt *s);

/* @return array number @i, NULL behind the last; the first address beyond the workload's memory. */
const struct hd_array *hd_work_array_at(const struct hd_work *k, size_t i);
uint64_t hd_work_top(const struct hd_work *k);

/* Start values of arrays that lie in the @words words from address @base on: those at @word. Before hd_work_load(). */
void hd_work_image(struct hd_work *k, const uint32_t *word, uint32_t base, uint32_t words);

/* Writes the arrays to memory, before the first run. */
void hd_work_load(const struct hd_work *k, struct hd_machine *m);

/* Compares a flushed memory with the reference. @return NULL, or a line naming the first difference. */
const char *hd_work_check(struct hd_work *k, struct hd_machine *m);

/* Parameters: @return the name of number @i, NULL behind the last. */
const char *hd_work_param_at(const struct hd_work *k, size_t i, uint32_t *value);
uint64_t hd_work_counter_value(const struct hd_work *k, const char *name); /* 0: there is none */
size_t hd_work_counters(const struct hd_work *k, const struct hd_counter **list);
#endif
