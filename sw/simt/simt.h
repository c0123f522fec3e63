/* simt.h - the SIMT runtime: runs kernels as coroutines, one a warp, behind the warp ports of a machine.
 *
 * At most one operation per SM and cycle is offered. Warps that have one wait in a FIFO per SM, in the order
 * in which they became ready (within a cycle: taken, completed, control done; lowest warp first). The launch
 * of a block goes before all of them, so every warp of a block is there before one can reach a barrier. */
#ifndef HD_SIMT_H
#define HD_SIMT_H
#include "machine.h"
#include "warp.h"

/* Addresses that nobody writes while a grid runs: loads of them say so, anything else ends the run with an error. */
struct hd_region {
    uint32_t first, bytes; /* multiples of 4; 0 bytes: none */
};
enum { HD_READ_ONLY = 4 };

struct hd_launch {
    hd_kernel *fn;
    void *args;                    /* owned by the caller, shared by all warps */
    unsigned grid_x, grid_y;       /* blocks */
    unsigned block_x, block_y;     /* threads */
    unsigned lds_bytes;            /* LDS of a block, a multiple of 4; limits the blocks at a time on an SM */
    unsigned resident;             /* most blocks at a time on an SM; 0 = as many as fit */
    unsigned exchange;             /* cycles to bring a block in at a barrier of the grid (hd_bar_grid()) */
    struct hd_region read_only[HD_READ_ONLY];
};

/* Why a run ended early. */
enum hd_fault {
    HD_FAULT_NONE,
    HD_FAULT_PROGRAM, /* a kernel did what it must not: bad address, stale token */
    HD_FAULT_PORT     /* the hardware broke the rules of the warp port */
};

struct hd_simt;

/* @return NULL when there is no memory. *c must outlive it. */
struct hd_simt *hd_simt_new(const struct hd_config *c);
void hd_simt_free(struct hd_simt *s);

/* Addresses below @first or at or above @bytes are refused; 0 = all 4 GiB may be used (default). */
void hd_simt_limit(struct hd_simt *s, uint32_t first, uint64_t bytes);

/* Adds a grid behind those added before. @return NULL, or why it cannot run on this machine (text owned by
 * @s, valid until the next call). */
const char *hd_simt_add(struct hd_simt *s, const struct hd_launch *launch);

/* Has watch(ctx, cycle) called after each window of the run. */
void hd_simt_watch(struct hd_simt *s, void (*watch)(void *ctx, uint64_t cycle), void *ctx);

/* Has every operation recorded in @log (checked builds: without ghost bits its words have no origin). The log must
 * be given room for a window before each window, and outlive @s. @return false when there is no memory. */
struct hd_evlog;
bool hd_simt_record(struct hd_simt *s, struct hd_evlog *log);
/* After it: has the persist checker told, too, by *@notes [sms] (check/notes.h), which must outlive @s. */
struct hd_notes;
void hd_simt_notes(struct hd_simt *s, struct hd_notes *notes);

/* In the watch function, of a run that is recorded. hd_simt_epoch: did a grid end in this window? hd_simt_watermark:
 * that of the log (check/evlog.h). hd_simt_issued: [sms] ids given out. */
bool hd_simt_epoch(const struct hd_simt *s);
uint64_t hd_simt_watermark(const struct hd_simt *s);
const uint32_t *hd_simt_issued(const struct hd_simt *s);

/* What kernels ask of the runtime, as they ask it: calls for one SM come in order, for several SMs from several threads. */
struct hd_memory_op {
    unsigned kind, fn, space, order, scope;
    bool plain;                 /* neither atomic nor with order and scope of its own */
    hd_mask_t mask;
    const uint32_t *addr, *data, *cmp; /* [lanes]; NULL: the operation has none */
};
struct hd_tap {
    void *ctx;
    /* A warp begins; @number: of its grid in the order of hd_simt_add(). */
    void (*begin)(void *ctx, unsigned sm, unsigned slot, size_t grid, unsigned block, unsigned in_block);
    /* Its calls, with the ALU instructions charged since the last one. */
    void (*memory)(void *ctx, unsigned sm, unsigned slot, uint32_t alu, hd_mask_t mask, const struct hd_memory_op *m);
    void (*control)(void *ctx, unsigned sm, unsigned slot, uint32_t alu, unsigned kind, unsigned fn, unsigned order,
                    unsigned scope);
    /* A transaction of @lanes begins or ends. NULL: nobody wants to know. */
    void (*transaction)(void *ctx, unsigned sm, unsigned slot, uint32_t alu, unsigned kind, hd_mask_t lanes);
    void (*use)(void *ctx, unsigned sm, unsigned slot, uint32_t alu, uint32_t back); /* of the token @back tokens ago */
    void (*sleep)(void *ctx, unsigned sm, unsigned slot, uint32_t alu, uint64_t cycles);
    void (*end)(void *ctx, unsigned sm, unsigned slot, uint32_t alu);
};

/* Before the first grid starts. *tap must outlive @s. */
void hd_simt_tap(struct hd_simt *s, const struct hd_tap *tap);

/* @return the grids added, *n of them. */
const struct hd_launch *hd_simt_launches(const struct hd_simt *s, size_t *n);

/* For kernels that replay what was tapped: any memory operation, the token it returns being that of its words if it has
 * any; the token that the next one will return; where the warp runs; the end of the run because of what a kernel found. */
hd_tok hd_memory(struct hd_warp *w, const struct hd_memory_op *m);
hd_tok hd_next_token(const struct hd_warp *w);
unsigned hd_warp_sm(const struct hd_warp *w);
unsigned hd_warp_slot(const struct hd_warp *w);
_Noreturn void hd_refuse(struct hd_warp *w, const char *why);

/* Counters tm.* of the transactions of all SMs and persist.* of their barriers (docs/persistency.md); those that the machine can
 * have. @return how many; *list is valid until free or the next call. */
struct hd_counter;
size_t hd_simt_counters(struct hd_simt *s, const struct hd_counter **list);

/* In the watch function: warps that sleep until HD_NEVER go on in @cycle, which comes behind this window. */
void hd_simt_wake(struct hd_simt *s, uint64_t cycle);

/* In the watch function: the run ends here. */
void hd_simt_stop(struct hd_simt *s);

/* Starts the first grid at @cycle (that of the machine) and fills *client for hd_machine_run(). Nothing is
 * allocated from here on. */
void hd_simt_start(struct hd_simt *s, uint64_t cycle, struct hd_client *client);

/* @return what went wrong first, *text says it in one line. */
enum hd_fault hd_simt_fault(const struct hd_simt *s, const char **text);

bool hd_simt_done(const struct hd_simt *s);                      /* every warp of every grid has ended */
uint64_t hd_simt_cycles(const struct hd_simt *s);                /* start to the end of the last warp */
uint64_t hd_simt_instructions(const struct hd_simt *s);          /* warp instructions: operations + ALU */
void hd_simt_progress(const struct hd_simt *s, uint64_t *ended, uint64_t *all); /* blocks */
#endif
