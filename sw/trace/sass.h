/* sass.h - what an opcode of a trace means to a memory system. An opcode that is not known is an ALU instruction. */
#ifndef HD_TRACE_SASS_H
#define HD_TRACE_SASS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_sass_kind {
    HD_SASS_ALU,         /* one issue slot */
    HD_SASS_LOAD,
    HD_SASS_STORE,
    HD_SASS_ATOMIC,      /* RED too: it has no destination */
    HD_SASS_COPY,        /* global to LDS */
    HD_SASS_COPY_CLOSE,  /* closes a group of copies */
    HD_SASS_COPY_WAIT,   /* waits until at most `immediate` groups are open */
    HD_SASS_MATRIX,      /* LDSM: lanes give rows of 16 bytes */
    HD_SASS_FENCE,
    HD_SASS_BARRIER,
    HD_SASS_ARRIVE,      /* a barrier's arrival without waiting: no operation is like it */
    HD_SASS_DROPPED,     /* texture, surface, TMA: accesses that are not modelled */
    HD_SASS_KINDS
};

enum hd_sass_space { HD_SASS_GLOBAL, HD_SASS_GENERIC, HD_SASS_LOCAL, HD_SASS_LDS };

enum { HD_SASS_NAME = 64 };

struct hd_sass {
    char name[HD_SASS_NAME];
    uint8_t kind, space, bytes;    /* bytes: of a lane's access */
    uint8_t order, scope, fn;      /* order_e, scope_e, atomic_e */
    bool plain;                    /* not an atomic access */
    bool strong;                   /* a load that may poll */
    bool barrier;                  /* any BAR */
    bool tma;
    bool gmma;                     /* version 6: a flag follows the registers */
    bool wide_result;              /* an ALU instruction that writes the register behind the one named too */
    bool replaced;                 /* an atomic function or width that is none of ours */
    uint8_t rows;                  /* LDSM: lanes that give rows */
    uint64_t count;                /* for the user */
};

/* A table of the opcodes met. */
struct hd_sass_table;
struct hd_sass_table *hd_sass_new(void); /* NULL: no memory */
void hd_sass_free(struct hd_sass_table *t);

/* @return the opcode @name[0..n), NULL when it is longer than HD_SASS_NAME - 1 or there is no memory. Stays valid, in place. */
struct hd_sass *hd_sass_find(struct hd_sass_table *t, const char *name, size_t n);

/* All of them: @return number @i in the order in which they were met, NULL behind the last. */
struct hd_sass *hd_sass_at(const struct hd_sass_table *t, size_t i);
#endif
