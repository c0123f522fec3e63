/* dir_mesi_ref.h - the table of hd_dir_mesi in C, for the tests of the module and of what asks it. */
#ifndef DIR_MESI_REF_H
#define DIR_MESI_REF_H
#include <stdbool.h>
#include <stddef.h>
#include "hd_pkg.h"

/* Directory states, as the table in the module's header names them. */
enum { ANY, N, S_SELF, S_OTHERS, S_SOME, S_FROM, X_SELF, X_OTHER, X_ANY, X_FROM };
/* Next states. */
enum { KEEP, TO_X_SELF, TO_S_PLUS_SELF, TO_N, TO_N_DIRTY, TO_S_FROM, TO_S_FROM_DIRTY, TO_S_MINUS_FROM };
/* What it does, one bit per output. */
enum { GRANT = 1, FETCH = 2, INV = 4, WAIT = 8, EVICT = 16, MERGE = 32, DONE = 64, BAD = 128, DONE_IF_ALONE = 256 };

static const struct row {
    unsigned msg, state;
    int keep; /* -1: either */
    unsigned does, next, send;
} rows[] = {
    {HD_MSG_GETS, N, -1, GRANT, TO_X_SELF, HD_MSG_DATA_E},
    {HD_MSG_GETS, S_SOME, -1, GRANT, TO_S_PLUS_SELF, HD_MSG_DATA_S},
    {HD_MSG_GETS, X_OTHER, -1, FETCH, KEEP, HD_MSG_FETCH},
    {HD_MSG_GETS, X_SELF, -1, WAIT, KEEP, 0},
    {HD_MSG_GETM, N, -1, GRANT, TO_X_SELF, HD_MSG_DATA_M},
    {HD_MSG_GETM, S_SELF, -1, GRANT, TO_X_SELF, HD_MSG_DATA_M},
    {HD_MSG_UPG, N, -1, GRANT, TO_X_SELF, HD_MSG_DATA_M},
    {HD_MSG_UPG, S_SELF, -1, GRANT, TO_X_SELF, HD_MSG_ACK_M},
    {HD_MSG_GETM, S_OTHERS, -1, INV, KEEP, HD_MSG_INV},
    {HD_MSG_UPG, S_OTHERS, -1, INV, KEEP, HD_MSG_INV},
    {HD_MSG_GETM, X_OTHER, -1, FETCH, KEEP, HD_MSG_FETCH_INV},
    {HD_MSG_UPG, X_OTHER, -1, FETCH, KEEP, HD_MSG_FETCH_INV},
    {HD_MSG_GETM, X_SELF, -1, WAIT, KEEP, 0},
    {HD_MSG_UPG, X_SELF, -1, WAIT, KEEP, 0},
    {HD_MSG_NONE, N, -1, EVICT, KEEP, 0},
    {HD_MSG_NONE, S_SOME, -1, INV, KEEP, HD_MSG_INV},
    {HD_MSG_NONE, X_ANY, -1, FETCH, KEEP, HD_MSG_FETCH_INV},
    {HD_MSG_PUTM, X_FROM, -1, MERGE, TO_N_DIRTY, 0},
    {HD_MSG_PUTE, X_FROM, -1, 0, TO_N, 0},
    {HD_MSG_RSP_DATA, X_FROM, 1, MERGE | DONE, TO_S_FROM_DIRTY, 0},
    {HD_MSG_RSP_DATA, X_FROM, 0, MERGE | DONE, TO_N_DIRTY, 0},
    {HD_MSG_RSP_CLEAN, X_FROM, 1, DONE, TO_S_FROM, 0},
    {HD_MSG_RSP_CLEAN, X_FROM, 0, DONE, TO_N, 0},
    {HD_MSG_RSP_NONE, N, -1, DONE, KEEP, 0},
    {HD_MSG_INV_ACK, S_FROM, -1, DONE_IF_ALONE, TO_S_MINUS_FROM, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static inline bool in_state(unsigned state, unsigned self, unsigned from, bool excl, unsigned sharers)
{
    switch (state) {
    case N: return sharers == 0;
    case S_SELF: return !excl && sharers == self;
    case S_OTHERS: return !excl && (sharers & ~self);
    case S_SOME: return !excl && sharers;
    case S_FROM: return !excl && (sharers & from);
    case X_SELF: return excl && sharers == self;
    case X_OTHER: return excl && sharers != self;
    case X_ANY: return excl;
    case X_FROM: return excl && sharers == from;
    default: return false;
    }
}

/* What the directory is asked, and what it says: does (bits above), next state, SMs to ask, kind of the packet. */
struct dir_mesi_ask {
    unsigned msg, self, from;
    bool keep, dirty, excl;
    unsigned sharers;
};
struct dir_mesi_say {
    int row; /* of the table; -1: none, the input is bad */
    unsigned does, sharers, targets, send;
    bool dirty, excl;
    unsigned fits; /* how many rows */
};

static inline struct dir_mesi_say dir_mesi_ref(struct dir_mesi_ask a)
{
    struct dir_mesi_say o = {.row = -1, .does = BAD, .sharers = a.sharers, .dirty = a.dirty, .excl = a.excl};

    for (unsigned i = 0; i < ROWS; i++) {
        if (rows[i].msg == a.msg && (rows[i].keep < 0 || rows[i].keep == a.keep) && in_state(rows[i].state, a.self, a.from, a.excl, a.sharers))
            o.row = (int)i, o.fits++;
    }
    if (o.row < 0)
        return o;
    switch (rows[o.row].next) {
    case TO_X_SELF: o.excl = true, o.sharers = a.self; break;
    case TO_S_PLUS_SELF: o.sharers |= a.self; break;
    case TO_N_DIRTY: o.dirty = true; /* fall through */
    case TO_N: o.excl = false, o.sharers = 0; break;
    case TO_S_FROM_DIRTY: o.dirty = true; /* fall through */
    case TO_S_FROM: o.excl = false, o.sharers = a.from; break;
    case TO_S_MINUS_FROM: o.sharers &= ~a.from; break;
    default: break;
    }
    o.does = rows[o.row].does;
    if (o.does == DONE_IF_ALONE)
        o.does = (o.sharers & ~a.self) == 0 ? DONE : 0;
    if (o.does & (FETCH | INV))
        o.targets = a.sharers & ~a.self;
    o.send = rows[o.row].send;
    return o;
}
#endif
