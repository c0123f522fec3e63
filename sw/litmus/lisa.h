/* lisa.h - a litmus test in the LISA dialect with GPU scopes, read from its file.
 *
 * Grammar and meaning: docs/litmus.md. Registers and memory words hold 32-bit integers or addresses; the
 * address of variable v is the number hd_lisa_address(v), wherever a machine puts it. */
#ifndef HD_LISA_H
#define HD_LISA_H
#include "scoped.h"
#include "test_size.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_lisa_kind {
    HD_LISA_LOAD,
    HD_LISA_STORE,
    HD_LISA_RMW,
    HD_LISA_FENCE,
    HD_LISA_BRANCH,
    HD_LISA_MOV,
    HD_LISA_BARRIER,         /* bar[] and sb[wg]; with scope agent sb[kr]: all of the kernel */
    HD_LISA_PERSIST,         /* pb[]: a persist barrier of scope wi, wg or agent (kr) */
    HD_LISA_STORE2,          /* w2[]: two lanes of one instruction store base = value and base2 = value2 */
    HD_LISA_TX,              /* tx[]: a transaction begins */
    HD_LISA_COMMIT,
    HD_LISA_COPY,            /* cp[]: base (group) takes the word of index (global), some time */
    HD_LISA_COPY_WAIT        /* cw[n]: until at most value copies are under way */
};
enum hd_lisa_order { HD_LISA_RLX, HD_LISA_SCACQ, HD_LISA_SCREL, HD_LISA_SCAR };
enum hd_lisa_scope { HD_LISA_WI, HD_LISA_WAVE, HD_LISA_WG, HD_LISA_AGENT, HD_LISA_SYSTEM, HD_LISA_SCOPES };
enum hd_lisa_fn { HD_LISA_VALUE, HD_LISA_ADD, HD_LISA_AND, HD_LISA_XOR, HD_LISA_EQ, HD_LISA_NE };

/* An integer, a register of the process, or the address of a variable. */
struct hd_lisa_arg {
    enum { HD_LISA_IS_INT, HD_LISA_IS_REG, HD_LISA_IS_VAR } is;
    int32_t n;               /* the integer, or the number of the register or variable */
};

/* a, or fn of a and b. */
struct hd_lisa_expr {
    enum hd_lisa_fn fn;
    struct hd_lisa_arg a, b;
};

struct hd_lisa_instr {
    enum hd_lisa_kind kind;
    bool atomic;             /* not ordinary */
    enum hd_lisa_order order;
    enum hd_lisa_scope scope;
    int reg;                 /* target of load, rmw and mov; condition of a branch, -1 always taken */
    struct hd_lisa_expr value;       /* store, rmw (there the target register is the old word), mov */
    struct hd_lisa_arg base, index;  /* address: base + index */
    struct hd_lisa_arg base2, value2; /* STORE2 */
    unsigned target;         /* branch: number of an instruction, or the number of instructions */
    unsigned line, row;      /* in the file; of the table */
};

struct hd_lisa_proc {
    unsigned instrs, regs;
    struct hd_lisa_instr instr[HD_LISA_INSTRS];
    char reg[HD_LISA_REGS][HD_LISA_NAME];
    uint32_t init[HD_LISA_REGS];
    bool initial[HD_LISA_REGS]; /* the initial state names it */
};

enum hd_lisa_region { HD_LISA_GLOBAL, HD_LISA_GROUP, HD_LISA_NV, HD_LISA_HOST };

struct hd_lisa_var {
    char name[HD_LISA_NAME];
    uint32_t init;
    enum hd_lisa_region region;
    bool group;              /* in the memory of the thread block */
    bool placed;             /* `rows:` gives its bank and row of the local data share */
    unsigned bank, row;
    unsigned line, grain;    /* variables with the same number share a cache line, an aligned pair of words */
};

/* A word of the outcome: a register, or with proc < 0 a variable. */
struct hd_lisa_item {
    int proc;
    unsigned n;
};

enum hd_lisa_quantifier { HD_LISA_EXISTS, HD_LISA_NOT_EXISTS, HD_LISA_FORALL };

struct hd_lisa_term {
    enum { HD_LISA_TRUE, HD_LISA_IS, HD_LISA_NOT, HD_LISA_BOTH, HD_LISA_EITHER } op;
    unsigned left, right;    /* terms; left alone for NOT; item for IS */
    uint32_t value;
};

struct hd_lisa {
    char name[128];
    char unmapped[64];       /* a feature this machine does not have, of the PTX and Vulkan spellings: nothing else is set */
    struct hd_stated stated; /* by the test itself: of its condition, without the quantifier */
    unsigned procs, vars, items, terms;
    bool crash;              /* the outcome is what is durable after a power cut at any moment: no registers */
    struct hd_lisa_proc proc[HD_LISA_PROCS];
    struct hd_lisa_var var[HD_LISA_VARS];
    /* Two processes are in one instance of scope s when their numbers here are equal. Levels the file's tree
     * leaves out hold one process or node each; one system holds all. */
    uint8_t instance[HD_LISA_SCOPES][HD_LISA_PROCS];
    struct hd_lisa_item item[HD_LISA_ITEMS]; /* registers by process, then variables, each by name */
    enum hd_lisa_quantifier quantifier;
    struct hd_lisa_term term[HD_LISA_TERMS]; /* the last is the root */
};

/* Reads a test, in LISA or a spelling of scoped.h. @name stands for the file in messages. @return NULL after "NAME:LINE:COL: what was expected"
 * in @error (@size bytes). */
struct hd_lisa *hd_lisa_parse(const char *text, size_t length, const char *name, char *error, size_t size);

/* The same from a file; the message goes to stderr. Freed by free(). */
struct hd_lisa *hd_lisa_read(const char *path);

/* The number of barriers of a process. Processes of a work-group have the same number, and no branch leads over one. */
unsigned hd_lisa_barriers(const struct hd_lisa *t, unsigned proc);

/* The number of instances of a scope. */
unsigned hd_lisa_instances(const struct hd_lisa *t, enum hd_lisa_scope s);

/* @return whether the condition without its quantifier holds in an outcome, given in the order of the items. */
bool hd_lisa_holds(const struct hd_lisa *t, const uint32_t *outcome);

/* "0:r0=1;x=2". @size of HD_LISA_TEXT fits any. */
enum { HD_LISA_TEXT = HD_LISA_ITEMS * (2 * HD_LISA_NAME + 4) };
void hd_lisa_outcome_text(const struct hd_lisa *t, const uint32_t *outcome, char *text, size_t size);

static inline uint32_t hd_lisa_address(unsigned var)
{
    return 0x40000000u + var * 4096u;
}

/* @return the variable at an address, -1 if there is none. */
static inline int hd_lisa_var_at(const struct hd_lisa *t, uint32_t address)
{
    uint32_t n = address - 0x40000000u;
    return n % 4096u == 0 && n / 4096u < t->vars ? (int)(n / 4096u) : -1;
}

static inline uint32_t hd_lisa_apply(enum hd_lisa_fn fn, uint32_t a, uint32_t b)
{
    switch (fn) {
    case HD_LISA_ADD:
        return a + b;
    case HD_LISA_AND:
        return a & b;
    case HD_LISA_XOR:
        return a ^ b;
    case HD_LISA_EQ:
        return a == b;
    case HD_LISA_NE:
        return a != b;
    default:
        return a;
    }
}
#endif
