/* tm.h - transactions of one SM's LDS, judged while they run from what crosses the warp port (paper 5).
 *
 * The LDS performs one operation at a time and completes them in that order, so the completions are the history. The checker
 * performs them itself, in place, as the contract says: a lane's attempt owns each word from its first access to its end, commit
 * leaves the words as they are, abort puts back what the first access found. It compares every word that is read or overwritten,
 * with its ghost, the lanes and the mode of every attempt, the lanes that commit, and that an abort has a conflict. So a history
 * that passes is serializable in the order of the commits, aborted attempts saw nothing but committed words and their own (as far
 * as no plain store raced), and an abort left no trace. Plain accesses are held to nothing but what the words are: weak isolation.
 * Progress: at most 3 attempts of a warp in a row end without a commit or a kill.
 *
 * A word that nothing has written yet holds what it woke up with: its first reader says what. The time of an operation is
 * O(lanes), of an abort or commit that of the words the lane holds; of a false conflict those of its bank. Nothing allocates after
 * _new, and nothing depends on the length of the run. */
#ifndef HD_TM_H
#define HD_TM_H
#include "port.h"
#include <stdbool.h>
#include <stdint.h>

struct hd_tm;

struct hd_tm_shape {
    unsigned lanes;        /* of a warp, 1..64 */
    unsigned warps;        /* warp slots of the SM, 1..64 */
    unsigned tx_warps;     /* slots below may use transactions; at most warps */
    unsigned words, banks; /* of the LDS; banks a power of two */
    unsigned hash;         /* rows with equal number modulo this alias; a power of two. 0: no aliases (owner records decide) */
    bool ghosts;           /* words have ghosts; else values alone are compared */
};

/* An operation of a warp on the LDS, as it completed. Arrays have one entry a lane and are read for lanes of @mask only. */
struct hd_tm_op {
    uint64_t cycle;        /* for messages */
    uint32_t number;       /* of the warp's LDS operations, in order, from 0: none is missing, none twice */
    unsigned warp;
    uint8_t kind;          /* HD_OP_LOAD, STORE, ATOMIC, TX_BEGIN, TX_COMMIT */
    uint8_t mode;          /* of TX_BEGIN: HD_TM_TX, WF, WG */
    hd_mask_t mask;        /* lanes */
    hd_mask_t tcm;         /* lanes that have lost, after the operation; of a begin: do not run; of a commit: try again */
    const uint32_t *word;                /* number of the word in the LDS */
    const uint32_t *data, *ghost;        /* written: a store's or atomic's new word */
    const uint32_t *old, *old_ghost;     /* read or overwritten; old is not read of a store */
};

struct hd_tm_counts {
    uint64_t operations, accesses;       /* LDS operations; lanes' accesses in attempts */
    uint64_t attempts[3];                /* by mode, of warps */
    uint64_t commits, aborts, kills;     /* of lanes */
    uint64_t falses;                     /* of the aborts: nobody held the word itself */
    uint64_t racing;                     /* plain accesses to a word that an attempt held */
    uint64_t again;                      /* begins that were sent back */
};

/* Cycles the LDS was busy with an operation, by what the cycle does. */
struct hd_tm_cost {
    unsigned passes;                     /* 1 of a begin or commit, or one for each lane that wants the same bank */
    unsigned version;                    /* owner records and backups beside them */
    unsigned walk;                       /* restore or clear */
};

/* @return NULL when there is no memory. */
struct hd_tm *hd_tm_new(const struct hd_tm_shape *shape);
void hd_tm_free(struct hd_tm *t); /* NULL is allowed */

/* The next operation. @return false when something is (or was) wrong. */
bool hd_tm_perform(struct hd_tm *t, const struct hd_tm_op *op);

/* Of the last operation, as hardware without the ideal's shortcuts takes them (0 of a plain access). */
struct hd_tm_cost hd_tm_cost(const struct hd_tm *t);

/* Warp slot @warp ends its kernel: it must not be in a transaction. */
bool hd_tm_exit(struct hd_tm *t, unsigned warp, uint64_t cycle);

/* @return whether a transaction of the warp is open; an attempt of it is. */
bool hd_tm_open(const struct hd_tm *t, unsigned warp);
bool hd_tm_runs(const struct hd_tm *t, unsigned warp);

/* @return the warp that runs alone or is the next to do so, -1: none. Begins of other warps wait. */
int hd_tm_alone(const struct hd_tm *t);

/* @return NULL, or one line on the first fault; valid until free. */
const char *hd_tm_fault(const struct hd_tm *t);
const struct hd_tm_counts *hd_tm_counts(const struct hd_tm *t);
#endif
