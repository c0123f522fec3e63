/* mesi_env.h - what stands around one L1 in its tests: a directory with memory, another SM, reference values.
 *
 * The other SM is played inside the directory: it reads, writes and drops lines at once when the L1 does not
 * stand in its way, else after an INV, FETCH or FETCH_INV. Messages of one partition stay in order, those of two
 * partitions mix. Every message of the L1 is checked against docs/protocol_mesi.md, every performed access
 * against the value that all writes so far have left; a broken rule fails the cmocka test. */
#ifndef MESI_ENV_H
#define MESI_ENV_H
#include "hd_pkg.h"
#include "hd_unit.h"

enum { ME_LINES = 12, ME_LDS = 4, ME_WORDS = 32, ME_LANES = 64, ME_PARTS = 8, ME_DOWN = 64, ME_TIDS = 1 << HD_TID_W };

/* Fails the test of environment *e with the cycle and the broken rule. */
#define ME_CHECK(e, cond) \
    do { \
        if (!(cond)) \
            fail_msg("%s:%d: cycle %llu: not %s", __FILE__, __LINE__, (unsigned long long)(e)->cycle, #cond); \
    } while (0)

struct me_msg {
    unsigned kind, src, dst, tid, opid;
    uint32_t addr, wmask, lanes;
    uint64_t data[ME_WORDS];
};

/* A warp's memory operation; a line access is the part of it under a mask. */
struct me_op {
    unsigned kind, fn, space;
    uint64_t mask;
    uint32_t addr[ME_LANES], cmp[ME_LANES];
    uint64_t data[ME_LANES]; /* ghost in the high half */
};

enum me_action { ME_NOTHING, ME_READ, ME_WRITE, ME_RECALL, ME_DROP };

struct me_line {
    uint32_t number;         /* address / line bytes */
    uint64_t ref[ME_WORDS];  /* values now */
    uint64_t mem[ME_WORDS];  /* values outside the L1: equal to ref unless the L1 has written */
    unsigned us;             /* directory's record of the L1: ST_I, ST_S, or ST_E = owner */
    unsigned other;          /* copy of the other SM: ST_I, ST_S, ST_M */
    unsigned l1;             /* copy of the L1 as its st pulses tell */
    bool written;            /* ... written since its grant, or granted to write */
    uint32_t req_lanes;      /* ... who waits for it (pending request table) */
    unsigned req, req_tid;   /* request of the L1 that waits at the directory, MSG_NONE: none */
    bool asked;              /* a request of the L1 is on its way, waits, or its grant is on its way */
    enum me_action txn;      /* what the other SM or the directory wants and an answer is missing for */
    unsigned ask, ask_tid;   /* ... what was asked */
    bool hold;               /* the directory leaves requests to it alone */
};

struct me {
    /* set by me_init */
    unsigned line_words, word_bits, parts, node, tids, num_lines;
    uint64_t rng, cycle;
    bool prt;                                     /* the L1 has a pending request table; set by the test */
    /* knobs: chances in 256 a cycle and line */
    unsigned p_serve, p_other, p_down;

    struct me_line line[ME_LINES];
    unsigned lds_rows;                            /* lines of the LDS that are used, 0 at first */
    uint64_t lds[ME_LDS * ME_WORDS];
    bool lds_known[ME_LDS * ME_WORDS];            /* a store has written the word */
    unsigned lds_banks;                           /* set by the test, too */
    struct me_line *asker[ME_TIDS];               /* line of an outstanding request */
    struct me_msg down[ME_PARTS][ME_DOWN];
    unsigned down_head[ME_PARTS], down_count[ME_PARTS];
    int offered;                                  /* partition whose message is offered, -1: none */
    unsigned next_tid;

    /* what happened */
    uint64_t up[32], sent[32];                    /* messages taken from and handed to the L1, by kind */
    uint64_t ev[HD_EV_SM_NUM];
    uint64_t loads, stores, atomics, lanes;       /* performed accesses of global memory, lanes of the atomics */
    uint64_t local[3], conflicts;                 /* performed accesses of the LDS, by kind; cycles beyond their first */
    uint64_t fn[16];                              /* lanes by atomic function */
    uint64_t same_word, cas_hit, cas_miss;
};

/* @ghost: words have 64 bits. @tids: MSHR entries of the L1. @numbers: num_lines line numbers. */
void me_init(struct me *e, unsigned line_words, bool ghost, unsigned parts, unsigned node, unsigned tids,
             const uint32_t *numbers, unsigned num_lines, uint64_t seed);
uint64_t me_rand(struct me *e);
unsigned me_below(struct me *e, unsigned n);         /* 0..n-1 */
bool me_chance(struct me *e, unsigned in256);
struct me_line *me_find(struct me *e, uint32_t number); /* fails the test if there is no such line */

/* One cycle of the directory and of the other SM. */
void me_step(struct me *e);
/* The other SM or the directory does one thing now; nothing if a transaction is active on the line. */
void me_other(struct me *e, struct me_line *l, enum me_action what);

/* The message at the L1's door (it stays until taken), NULL if there is none. */
const struct me_msg *me_offer(struct me *e);
void me_offer_taken(struct me *e);
/* A message of the L1 arrives. */
void me_request(struct me *e, const struct me_msg *m);
void me_response(struct me *e, const struct me_msg *m);

/* Outputs of the L1: state pulse, event pulses. */
void me_state(struct me *e, uint32_t number, unsigned state);
void me_events(struct me *e, uint64_t ev);

/* A random operation of @lanes lanes on at most @spread lines. */
void me_random_op(struct me *e, struct me_op *op, unsigned lanes, unsigned spread);
/* A store of the LDS words from @first on, one a lane: a test that sets lds_rows first writes all of it. */
void me_lds_store(struct me *e, struct me_op *op, unsigned lanes, unsigned first);
/* Lanes of the first access of @rest: those of its first line, whose number it gives, or all of the LDS. */
uint64_t me_first_line(const struct me *e, const struct me_op *op, uint64_t rest, uint32_t *number);
unsigned me_offset(const struct me *e, const struct me_op *op, unsigned lane); /* word in its line */
/* Index of a line of that number, below num_lines; of the LDS num_lines. */
unsigned me_place(struct me *e, const struct me_op *op, uint32_t number);
/* Lanes @mask of @op, one access, are complete: checks the words at @data (port storage) and the
 * state of the line, writes the reference. */
void me_perform(struct me *e, const struct me_op *op, uint64_t mask, const void *data);
uint32_t me_amo(unsigned fn, uint32_t old, uint32_t b, uint32_t cmp);

/* Nothing is under way. */
bool me_quiet(const struct me *e);
/* After the end of all traffic: nothing is left, event counts fit together and to what was seen. */
void me_check_end(struct me *e);
/* After a flush: the L1 owns nothing and every written word has come back. */
void me_check_flushed(struct me *e);

/* Bits of a port's storage (little endian). */
void me_put(void *port, unsigned lsb, unsigned width, uint64_t value);
uint64_t me_get(const void *port, unsigned lsb, unsigned width);
void me_put_head(void *port, const struct me_msg *m);
void me_get_head(const void *port, struct me_msg *m);
unsigned me_ones(uint64_t v);
#endif
