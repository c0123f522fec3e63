/* mcm_parts.h - what the files of the memory-model checker share. Not for others. The checker is one module: its files call
 * each other in circles (docs/rooms.md).
 *
 *   mcm.c          set-up, streaming, verdicts
 *   mcm_log.c      records in groups, checks of the log
 *   mcm_witness.c  the order of completion as a witness; hands over to the graphs and takes back
 *   mcm_table.c    last write of each word, as far as it is judged for good
 *   mcm_link.c     which writes an operation names, the order of the writes to each word, finality
 *   mcm_graph.c    nodes, edges, Kahn's sort; edges rf, co, fr
 *   mcm_order.c    edges of program order, by model
 *   mcm_cycle.c    shortest cycle of what does not drain; printing
 *   mcm_races.c    vector clocks
 *   mcm_env.c      rules of ENV for single accesses, in the order of the vector clocks
 *   mcm_puts.c     order of the writes to a word as the L2s tell it
 *   mcm_owns.c     the same where L1s own words
 *
 * Life of a group: added (waiting) -> placed, when the watermark passes its issue: all before it in program order
 * are placed, the log is checked -> judged, when the watermark passes its completion and the witness explains it
 * -> forgotten, when nothing that is not judged was issued before its completion.
 *
 * Life of an operation in the graphs: placed -> linked, when the writes it names are known: rf, co, fr -> final,
 * when the watermark passes its completion: no later record can add an edge to it -> retired from a graph, when it
 * is final and its predecessors are -> freed, when retired from all graphs. */
#ifndef HD_MCM_PARTS_H
#define HD_MCM_PARTS_H
#include "check/map.h"
#include "check/mcm.h"
#include "port.h"

#define NONE UINT32_MAX
#define NODE_BIT UINT32_C(0x80000000)
enum { MAX_GRAPHS = 4, REFS = 5, LANES = 64, LANES_SM = HD_MAX_WARPS * LANES };

/* WARP: SC with warps for threads, for DRF and HRF: there synchronisation is between warps. COH: per-word coherence
 * (program order of one thread on one word). THIN: no value out of thin air.
 * ENV: program order of warps, and synchronization of one word and instance in its order. FENCE: full fences and full RMWs,
 * of all threads and, WG, of a thread block. */
enum graph_kind { G_SC, G_WARP, G_TSO, G_RMO, G_RMO_WG, G_COH, G_THIN, G_ENV, G_FENCE, G_FENCE_WG };

/* A node that may be gone: another one in its place has another serial number. */
struct ref {
    uint32_t node, serial;
};

struct edge {
    uint32_t to, next;
    uint32_t kind; /* hd_mcm_edge */
};

struct in_graph {
    uint32_t in;         /* predecessors not retired */
    uint32_t out;        /* edges; NONE ends */
    uint32_t next, prev; /* list of open reads: no later write (of the instance) is known yet */
};

struct node {
    struct hd_event ev;
    uint32_t serial;     /* 0: free; `src` then is the next free node */
    uint32_t src;        /* write it reads, once linked */
    uint32_t write;      /* its own write */
    uint32_t word;
    uint32_t instance;   /* mcm_env_instance() */
    bool helper;         /* not an operation: collector, fence of a lane */
    bool linked, final, on_stack;
    uint8_t retired, open; /* a bit a graph */
    struct in_graph g[MAX_GRAPHS];
};

/* A write and its place in the order of its word. Number 0 of a word is its initial value, id 0. */
struct write {
    uint32_t id, tid, po, block, addr, wval, t_issue, t_done;
    uint32_t word, prev, next; /* in coherence order, NONE at the ends */
    uint32_t node;             /* NONE when freed */
    uint32_t readers;          /* not yet final */
    uint32_t known;            /* by this cycle it was performed */
    uint32_t place;            /* in the order of its word, 0 the initial one; model ENV from here on */
    uint32_t instance;         /* mcm_env_instance() */
    uint32_t warp, clock;      /* when it was judged; 0: it was not yet */
    uint32_t early;            /* reads judged before it, NONE ends */
    uint32_t later;            /* least `known` of the writes behind it */
    uint8_t kind;
    bool linked, final, valued; /* valued: wval is known (the initial value is once it was read) */
};

struct word {
    uint64_t key;
    uint32_t first, last; /* writes: oldest kept, newest */
    uint32_t open[MAX_GRAPHS];
    uint32_t judged; /* greatest place of a judged write (ENV) */
};

/* Accesses of one block to one word, for scope WG; synchronization of one instance on it. */
struct chain {
    struct ref last;
    uint32_t open;
    uint64_t key;
};

struct lane {
    struct ref ref[MAX_GRAPHS][REFS];
    uint32_t group; /* WARP, in lane 0: the warp instruction that is being placed */
};

/* Growing array with a free list. */
struct pool {
    void *at;
    size_t used, room, free_count;
    uint32_t free_head;
};

/* Numbers of operations of one SM. */
struct seen {
    uint64_t *bits;
    size_t words, base;  /* bits below 64 * base are all set and no longer kept */
    uint64_t count, most;
};

/* Records of one instruction that completed together and access one line; a fence or barrier of a warp. */
struct group {
    uint32_t first;             /* records, lanes ascending */
    uint16_t count, writes;     /* writes: in the undo list, once judged */
    hd_mask_t lanes;            /* a bit a lane; fences and barriers: all */
    uint32_t line;              /* see mcm_table.c */
    uint32_t warp, po, t_issue, t_done, block;
    uint32_t number;            /* of the first record in its SM */
    uint32_t dep_low, dep_high; /* least and greatest, 0 none */
    uint32_t next;              /* of its warp, placed and not judged */
    uint32_t serial, turn;      /* in the order of adding, of placing */
    uint8_t kind;
    uint8_t order;              /* hd_order_e, when its scope is wider than a lane */
    bool dense, dense_dep;      /* ids (words depended on) follow each other; the ids are those of the SM */
    bool odd;                   /* something is wrong with a record */
    bool judged;
};

struct list {
    uint32_t *at;
    size_t count, room;
};

/* What a message tells of a write: kind << 24 | tid. */
struct writer {
    uint32_t tid, po, block, t_issue, t_done;
};

/* 16 words. */
struct piece {
    uint32_t id[16], val[16];
    uint32_t writers;           /* index of 16 writers, NONE: none written */
    uint32_t line;
    uint16_t known;             /* a bit a word: the value is known; other words were not accessed */
};

struct line_slot {
    uint32_t line, piece[2];    /* both NONE: free slot */
};

struct table {
    struct line_slot *slot;
    size_t mask, lines;
    struct pool pieces, writers;
    struct piece *piece;
    struct writer *writer;
    uint64_t words;             /* known */
};

/* A word of the table before a judged write. */
struct undo {
    uint32_t piece, id, val;
    uint16_t word, known;
    struct writer writer;
};

struct hd_mcm {
    struct hd_mcm_options o;
    unsigned graphs;
    enum graph_kind kind[MAX_GRAPHS];
    uint8_t all;               /* a bit a graph */

    struct pool nodes, edges, writes, words, chains;
    struct node *node;
    struct edge *edge;
    struct write *write;
    struct word *word;
    struct chain *chain;
    uint32_t serial;

    struct hd_map ops;         /* id -> write, or node | NODE_BIT for loads; barriers: see barrier_key() */
    struct hd_map places;      /* word key -> word */
    struct hd_map latest;      /* thread and word -> node (COH) */
    struct hd_map blocks;      /* word and block -> chain (RMO_WG) */
    struct lane *lane[HD_MAX_SMS];     /* by SM, [LANES_SM] */

    struct hd_event *record;   /* of all groups that are kept */
    size_t records, record_room, records_kept;
    struct pool groups;
    struct group *group;
    uint32_t group_serial, group_turn;
    struct list waiting, placed, fresh; /* groups; fresh: placed by this call, in order of warp and instruction */
    struct seen seen[HD_MAX_SMS], judged[HD_MAX_SMS];
    uint32_t most_lanes;       /* highest lane that has had an access, + 1 */
    uint32_t *lane_po[HD_MAX_SMS];     /* by SM, [LANES_SM]: least number the next instruction may have */

    bool witness;              /* the order of completion is tried first */
    bool by_graph;             /* at present the graphs judge */
    unsigned stay, stays;      /* calls the graphs keep judging at least; the next time */
    uint64_t judged_to;        /* all that completed before this cycle is judged */
    struct list window;        /* judged groups, in order, from window_head on */
    size_t window_head;
    struct undo *undo;         /* of the window, from undo_head on */
    size_t undo_count, undo_room, undo_head;
    uint64_t graph_words;      /* of the graphs that are not known to the table */
    uint32_t *oldest, *newest; /* by warp: placed and not judged */
    struct sorted *sort;
    size_t sort_room;
    struct table table;

    uint32_t *unlinked, *unfinal, *ready, *stack; /* nodes; ready: node * MAX_GRAPHS + graph */
    size_t unlinked_count, unfinal_count, ready_count, stack_count, list_room;

    uint64_t watermark;
    size_t undrained_last;     /* live nodes at the last search for a cycle */
    size_t final_live;         /* nodes that are final and not freed */
    struct races *races;
    struct env *env;           /* models ENV */
    uint64_t *heap;            /* ENV: ready nodes, the earliest completed first */
    size_t heap_count;
    bool sweeping;             /* ENV: at the end of a kernel */
    struct hd_event *put;      /* HD_EVK_PUT of this kernel */
    size_t put_count, put_room;
    bool draining;             /* a kernel or the log has ended: nothing under way is missing */
    struct hd_mcm_stats stats;
    struct hd_mcm_violation violation;
    char late[200];            /* first edge to a retired node: only a broken log or a stale read makes one */
};

/* mcm.c */
__attribute__((format(printf, 3, 4))) bool mcm_fail(struct hd_mcm *m, enum hd_mcm_kind kind, const char *format, ...);
void mcm_step(struct hd_mcm *m, const struct hd_event *e, enum hd_mcm_edge next); /* adds it to the violation */
bool mcm_graph_place(struct hd_mcm *m, const struct group *g); /* @return false after a verdict: all that say bool */
uint32_t mcm_word(struct hd_mcm *m, uint64_t key); /* @return the graphs' word; a new one has the table's write */

/* mcm_log.c */
bool mcm_was_seen(const struct hd_mcm *m, uint32_t id);
bool mcm_log_add(struct hd_mcm *m, const struct hd_event *e, size_t n);
bool mcm_log_place(struct hd_mcm *m, uint64_t watermark); /* moves groups from waiting to fresh */
bool mcm_log_missing(struct hd_mcm *m, const uint32_t *issued);
void mcm_log_drop(struct hd_mcm *m, uint32_t group); /* its records are no longer needed */
void mcm_log_free(struct hd_mcm *m);
size_t mcm_log_bytes(const struct hd_mcm *m);
bool mcm_list_room(struct hd_mcm *m, struct list *l, size_t more);
bool mcm_seen_all(const struct seen *s, uint64_t low, uint64_t high);
bool mcm_seen_set(struct hd_mcm *m, struct seen *s, uint64_t low, uint64_t high);
bool mcm_sort_groups(struct hd_mcm *m, struct list *l, bool turn); /* by turn, or by warp, instruction, lane */

/* mcm_witness.c */
bool mcm_witness_judge(struct hd_mcm *m, bool *explained); /* what is fresh and what is placed */
bool mcm_witness_give_up(struct hd_mcm *m); /* fresh is then what the graphs have to place */
bool mcm_witness_resume(struct hd_mcm *m);
bool mcm_witness_note(struct hd_mcm *m); /* the graphs have judged what is final */
void mcm_witness_free(struct hd_mcm *m);
size_t mcm_witness_bytes(const struct hd_mcm *m);

/* mcm_table.c. A word's place is its piece * 16 + its number there. */
uint32_t mcm_line_of(const struct hd_event *e);
bool mcm_far_lds(const struct hd_event *e); /* an LDS address that no line number can hold */
struct line_slot *mcm_table_line(struct table *t, uint32_t line, bool make); /* @return NULL: not there, no memory */
uint32_t mcm_table_at(struct table *t, uint64_t key, bool make);             /* @return NONE: likewise */
uint64_t mcm_table_key(const struct table *t, uint32_t place);
uint32_t mcm_table_find(const struct table *t, uint32_t id);
bool mcm_table_room(struct table *t, unsigned pieces);
uint32_t mcm_table_piece(struct table *t, struct line_slot *s, unsigned half);
struct writer *mcm_table_writer(struct table *t, uint32_t piece);
void mcm_table_free(struct table *t);
size_t mcm_table_bytes(const struct table *t);

/* mcm_link.c: @return false after a verdict. */
bool mcm_link_what_can_be(struct hd_mcm *m);
bool mcm_make_all_final(struct hd_mcm *m, uint64_t watermark);
void mcm_free_write(struct hd_mcm *m, uint32_t w); /* and those behind it, as far as they are no longer needed */
void mcm_sweep_writes(struct hd_mcm *m); /* ENV: frees those that no read can return any more */
struct hd_event mcm_event_of(const struct write *w);

/* mcm_graph.c */
bool mcm_pool_room(struct pool *p, size_t size, size_t more); /* @return false: no memory */
bool mcm_room(struct hd_mcm *m); /* for one more record; @return false: no memory. Elements move. */
uint32_t mcm_pool_take(struct pool *p, size_t size);
void mcm_pool_give(struct pool *p, size_t size, uint32_t i);
uint32_t mcm_node(struct hd_mcm *m, const struct hd_event *e, uint8_t graphs);
bool mcm_live(const struct hd_mcm *m, unsigned g, struct ref r);
void mcm_edge(struct hd_mcm *m, unsigned g, struct ref from, uint32_t to, enum hd_mcm_edge kind);
struct ref mcm_ref(const struct hd_mcm *m, uint32_t node);
void mcm_link(struct hd_mcm *m, uint32_t node); /* rf, co, fr of a node whose writes are linked */
void mcm_final(struct hd_mcm *m, uint32_t node);
bool mcm_drain(struct hd_mcm *m);

/* mcm_order.c */
void mcm_order_access(struct hd_mcm *m, uint32_t node);
void mcm_order_fence(struct hd_mcm *m, const struct hd_event *e);
void mcm_order_barrier(struct hd_mcm *m, const struct hd_event *e);
void mcm_order_close(struct hd_mcm *m); /* at the end */
uint64_t mcm_barrier_key(const struct hd_event *e);

/* mcm_cycle.c: @return true when there is a cycle; it is then the violation. */
bool mcm_find_cycle(struct hd_mcm *m);

/* mcm_puts.c: @return false after a verdict. */
bool mcm_puts_add(struct hd_mcm *m, const struct hd_event *e);
bool mcm_puts_follow(struct hd_mcm *m); /* a kernel has ended: what the waiting records overwrote */
bool mcm_owns_follow(struct hd_mcm *m); /* the same */

/* mcm_env.c: @return false after a verdict. @now: the warp's clock. */
struct env *mcm_env_new(void); /* NULL: no memory */
void mcm_env_free(struct env *v);
size_t mcm_env_bytes(const struct env *v);
void mcm_env_epoch(struct hd_mcm *m);
uint32_t mcm_env_instance(const struct hd_mcm *m, const struct hd_event *e);
bool mcm_env_access(struct hd_mcm *m, uint32_t node, uint32_t warp, const uint32_t *now);
bool mcm_env_atomic(struct hd_mcm *m, uint32_t node);

/* mcm_races.c. A number in a clock is of a stretch of a warp's instructions, its low bits of a lane: 0 where the instructions do
 * not release. An instruction that does is a stretch of its own; the access of lane l has l + 1, and all of them would be
 * CLOCK_LANES - 1. */
enum { CLOCK_LANES = 2 * LANES };
#define CLOCK_MOST (UINT32_MAX - 4 * CLOCK_LANES)
/* Is what has the number @mine ordered before those whose clock holds @clock of its warp? */
static inline bool mcm_covers(uint32_t clock, uint32_t mine)
{
    return clock >= mine && (clock == mine || clock / CLOCK_LANES != mine / CLOCK_LANES
                             || clock % CLOCK_LANES == CLOCK_LANES - 1);
}
/* @races_count: a race is a violation. */
struct races *mcm_races_new(enum hd_mcm_model model, unsigned sms, bool races_count);
void mcm_races_free(struct races *r);
/* One access, fence or barrier, in an order that extends happens-before; @node: its node, or NONE. @return false: no memory. */
bool mcm_races_event(struct hd_mcm *m, const struct hd_event *e, uint32_t node);
void mcm_races_epoch(struct races *r);
void mcm_races_rest(struct hd_mcm *m); /* after a violation: all that is live. A race becomes the violation */
size_t mcm_races_bytes(const struct races *r);

static inline bool reads(const struct hd_event *e)
{
    return e->kind == HD_EVK_LD || e->kind == HD_EVK_RMW;
}
static inline bool writes(const struct hd_event *e)
{
    return e->kind == HD_EVK_ST || e->kind == HD_EVK_RMW;
}
static inline unsigned order_of(const struct hd_event *e)
{
    return e->order & (HD_EV_ATOMIC - 1);
}
static inline bool atomic(const struct hd_event *e)
{
    return (e->order & HD_EV_ATOMIC) != 0 || e->kind == HD_EVK_RMW;
}
static inline uint64_t word_key(const struct hd_event *e)
{
    return e->space != 0 ? UINT64_C(1) << 40 | (uint64_t)(e->tid >> 16) << 32 | e->addr : e->addr;
}
#endif
