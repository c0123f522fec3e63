/* coherence.c - explicit-state model of the GPU and DeNovo protocols of paper 3.
 *
 * Build:  gcc -std=c11 -O2 -Wall -Wextra -Werror -o coherence coherence.c
 * Run:    ./coherence            all proofs, then all seeded bugs (exit code 0: as expected)
 *         ./coherence proofs     only the proofs;  bugs: only the seeded bugs;  list: names
 *         ./coherence walks [N]  N random steps through larger configurations
 *         ./coherence NAME [BUG] one configuration, perhaps with one bug; prints a trace of a violation
 *
 * Breadth-first search over all interleavings. A state holds 2 or 3 L1s, one L2 bank of 1 or 2 lines of 1 or 2
 * words, memory, all messages, and up to 3 threads that issue any operation at any time. A datum is one bit,
 * "is the last value written": a store sets its own copy and clears every other one. What a program may do is
 * decided by a race detector in the state (which thread knows, by happens-before, of the last write and of
 * the reads of each word, per synchronization word and scope): only accesses that are race-free so far are made (plain release stores only by who knows all earlier writes), so
 * every data load must return the last write (SC for DRF, for HRF-Indirect). With racy=1 every access is made and
 * only structure, progress and the coherence of words that are used by synchronization alone are checked.
 * Checked in every state: one registrant per word, counting messages; no unspecified message; every state drains.
 * The visited set keeps 64-bit hashes of states (omission probability below 1e-4 at 3e7 states). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { NL = 3, NW = 4, NT = 3, NE = 2, NM = 14, NEMIT = 5, L2 = 3, NONE = 3 };
enum { I, V, RO, D, R };                       /* word states of an L1; all but I have a value */
enum { CUR = 8, WANT = 16, PASS = 32 };        /* value is current; registration asked; word leaves to its waiter */
enum { NOP, SL, SS, RMW };                     /* synchronization: load (acquire), store (release), both */
enum { IDLE, REL, WAIT, FILL };                /* thread: waits for its flush, for the answer, for a fill (local) */
enum { READ = 1, REG, WT, AT, FRD, FREG, FRCL, WBACK, DATA, NACK, RDATA, RACK, WB, RCLD, WTACK, ATD };
static const char *const kind_name[] = {"-", "READ", "REG", "WT", "ATOMIC", "FWD_READ", "FWD_REG", "RECALL", "WB_ACK",
    "DATA", "NACK", "REG_DATA", "REG_ACK", "WB", "RECALL_DATA", "WT_ACK", "AT_DATA"};
enum { VREQ, VFWD, VRSP };

/* Seeded bugs. */
#define BUG_NONE 0
#define BUG_FILL_SURVIVES_ACQUIRE 1    /* fills asked before an acquire stay */
#define BUG_MERGE_OLD 2                /* a load after an acquire joins an entry from before it */
#define BUG_WBACK_OVERTAKES 3          /* WB_ACK on the response network */
#define BUG_ACK_BEFORE_INVALIDATE 4    /* data registration acknowledged by L2, old owner told without answer (C6) */
#define BUG_FORWARD_NOT_QUEUED 5       /* a forwarded registration is answered before the own acknowledgement */
#define BUG_STALE_WB_TAKEN 6           /* L2 takes a write-back of who is no longer the owner */
#define BUG_NO_WB_BUFFER 7             /* an evicted word is forgotten before WB_ACK */
#define BUG_ACCESS_DURING_WB 8         /* accesses to a line whose WB is out */
#define BUG_FILL_OVER_DIRTY 9          /* a fill overwrites words in D or R */
#define BUG_NO_SKIP 10                 /* words registered after a fill was asked, and lost again, are filled by it */
#define BUG_ACQUIRE_EARLY 11           /* an acquire invalidates when it is sent, not when it is done */
#define BUG_RELEASE_AT_SEND 12         /* release waits until requests are sent, not answered */
#define BUG_ACQUIRE_DROPS_OWN 13       /* acquire invalidates D and R words too */
#define BUG_ACQUIRE_KEEPS_VALID 14     /* acquire invalidates nothing */
#define BUG_ONE_WAITER_A_LINE 15       /* one waiter field per entry instead of per word */
#define BUG_L2_DATA_OF_OWNED 16        /* L2 serves reads of registered words from its stale data */
#define BUG_NACK_LOST 17               /* a refused read is not repeated */
#define BUG_L2_EVICTS_OWNED 18         /* L2 drops a line with registered words without recall */
#define BUG_TWO_REGISTRANTS 19         /* the old owner keeps the word registered */
#define BUG_PASS_FIRST 20              /* the waiter is served when the acknowledgement arrives, local ones after */
#define BUG_NO_WAR_GUARD 21            /* stores do not wait for pending loads of their words */
#define BUG_PAYLOAD_OVER_OWN 22        /* the value that comes with a registration overwrites an own D word */
#define BUG_PASS_BLOCKS_RSP 23         /* an acknowledgement is taken only if the waiter can be answered at once */
#define BUG_WB_WAITS_FOR_ACK_ROOM 24   /* L2 takes a WB only if its WB_ACK can leave at once */
#define BUG_AT_KEEPS_COPY 25           /* GPU: an atomic at L2 leaves a valid copy in the own L1 */
#define BUG_AT_PASSES_DIRTY 26         /* GPU: ... is not preceded by the write-through of the own dirty word */
#define BUG_AT_NO_SKIP 27              /* GPU: ... does not mark fills under way */
#define BUG_EVICT_LOSES_DIRTY 28       /* GPU: eviction drops dirty words */
#define BUG_RELEASE_OWN_ONLY 29        /* HRF: a global release flushes only what its own thread wrote */
#define BUG_GLOBAL_AS_LOCAL 30         /* HRF: a global acquire does not invalidate, a release does not flush */
#define BUG_RO_BONUS 31                /* words that came along with read-only words are kept as read-only */
#define BUG_RECALL_WAITER_LOST 32      /* a recall that meets a pending registration is dropped */
#define BUG_L2_LOCK 33                 /* L2 serves requests of a line that it recalls */
#define BUG_PIN 34                     /* lines with a registration under way are evicted: the word is lost */
#define BUG_LOCAL_ON_MISS_ZERO 35      /* HRF: a local atomic on an absent word does not take the fill's value */
#define BUG_WB_NO_MERGE 36             /* L2 acknowledges a write-back without taking its data */
#define BUG_FWD_IN_REQ_ORDER 37        /* forwards to one L1 out of order */
#define BUG_LOCAL_UNPINNED 38          /* HRF: a line is evicted although a local access waits for its fill */
#define BUG_LOAD_BESIDE_LOCAL 39       /* HRF: a load asks for a word that an old local access waits for */
#define BUG_NUM 40
#ifndef BUG
#define BUG BUG_NONE
#endif
static int bug = BUG;

struct cfg {
    const char *name, *what;
    u8 denovo, l1s, lines, wpl, threads;
    u8 home[NT];               /* L1 of each thread */
    u8 data, sync, ro;         /* words that data accesses, synchronization, read-only loads may use */
    u8 scoped, racy, unord, cap, entries, reload; /* cap: messages a network holds, 0: enough; reload: L2 evicts */
    u8 no_evict, rmw_only;
    u8 ops[NT], tw[NT];        /* operations (bits: load, store, SL, SS, RMW, local SL, SS, RMW), words; 0: all */
    u8 expect_bad;             /* the configuration breaks a rule the protocol needs */
    u8 drain;                  /* drain every n-th state (0: every state) */
};
static struct cfg c;

struct entry { u8 on, line, need, skip, old, retry, ro; }; /* a READ under way; masks of words of the line */
struct l1 {
    u8 w[NW], wt[NW];          /* wt: the waiter of a pending word: 0x80 | sync 0x40 | recall 0x20 | L1 */
    struct entry e[NE];
    u8 wb[2], wbcur[2], wbtok[2]; /* write-back buffer: words, current ones, ones not handed on */
    u8 wtv;                    /* GPU: WT under way */
};
struct thread { u8 ph, op, w, local, se, relm, relwt, ld, lde, ldw, war; };  /* ld: 1 in entry, 2 in registration */
struct state {
    struct l1 l[NL];
    struct thread t[NT];
    u8 lst[2], pend[2], dirty[2], owner[NW], l2cur, memcur; /* lst: 0 absent, 1 present, 2 fetch, 3 recall */
    u8 owed[NL];               /* WB_ACK still to be sent, a bit a line */
    u8 nm, ne;
    u32 emit[NEMIT];           /* what L2 has decided to send */
    /* race detector */
    u8 kw[NW], kr[NW][NT], ra[NW], mode[NW], dwr[NW];
    u16 sk[NW][1 + NL];
    u32 m[NM];
};

static const char *err;
static bool judge = true;      /* values and races are looked at (not while draining) */
static bool fail(const char *what)
{
    if (err == NULL)
        err = what;
    return false;
}

/* ---- messages ------------------------------------------------------------------------------------------------- */
#define F(m, at, n) (((m) >> (at)) & ((1u << (n)) - 1))
#define KIND(m) F(m, 0, 5)
#define SRC(m) F(m, 5, 2)
#define DST(m) F(m, 7, 2)
#define LINE(m) F(m, 9, 1)
#define MASK(m) F(m, 10, 2)
#define CURS(m) F(m, 12, 2)
#define TID(m) F(m, 14, 2)
#define WHO(m) F(m, 16, 2)
#define SYNC(m) F(m, 18, 1)
static u32 msg(unsigned kind, unsigned src, unsigned dst, unsigned line, unsigned mask, unsigned cur, unsigned tid,
               unsigned who, unsigned sync)
{
    return kind | src << 5 | dst << 7 | line << 9 | mask << 10 | cur << 12 | tid << 14 | who << 16 | sync << 18;
}
static unsigned vn_of(u32 m)
{
    unsigned k = KIND(m);
    if (k == WBACK && bug == BUG_WBACK_OVERTAKES)
        return VRSP;
    return k <= AT ? VREQ : k <= WBACK ? VFWD : VRSP;
}
/* Each line is at home in a bank of its own. */
static unsigned channel(u32 m) { return vn_of(m) << 5 | SRC(m) << 3 | DST(m) << 1 | LINE(m); }
static unsigned room(const struct state *s, unsigned vn)
{
    unsigned n = 0;
    if (c.cap == 0)
        return 99;
    for (unsigned i = 0; i < s->nm; i++)
        n += vn_of(s->m[i]) == vn;
    return n < c.cap ? c.cap - n : 0;
}
static void put(struct state *s, u32 m)
{
    if (s->nm == NM)
        fail("more messages than the model holds");
    else
        s->m[s->nm++] = m;
}
/* L2 decides on all messages of a request at once and sends them one by one. */
static void l2_put(struct state *s, u32 m)
{
    if (c.cap == 0)
        put(s, m);
    else if (s->ne == NEMIT)
        fail("more messages of a request than the model holds");
    else
        s->emit[s->ne++] = m;
}
static void take(struct state *s, unsigned i)
{
    memmove(&s->m[i], &s->m[i + 1], (s->nm - i - 1) * sizeof s->m[0]);
    s->m[--s->nm] = 0;
}
static bool first(const struct state *s, unsigned i)
{
    if (c.unord == 1 || (c.unord == 2 && vn_of(s->m[i]) != VREQ) || (c.unord == 3 && vn_of(s->m[i]) == VRSP) ||
        (c.unord == 4 && vn_of(s->m[i]) != VFWD))
        return true;
    if (bug == BUG_FWD_IN_REQ_ORDER && vn_of(s->m[i]) == VFWD)
        return true;
    for (unsigned j = 0; j < i; j++)
        if (channel(s->m[j]) == channel(s->m[i]))
            return false;
    return true;
}
static void canon(struct state *s)
{
    for (unsigned i = 1; i < s->nm; i++) {
        u32 m = s->m[i];
        unsigned j = i;
        for (; j > 0; j--) {
            unsigned a = channel(s->m[j - 1]), b = channel(m);
            bool free_order = c.unord == 1 || (c.unord == 2 && vn_of(m) != VREQ) || (c.unord == 3 && vn_of(m) == VRSP) ||
                              (c.unord == 4 && vn_of(m) != VFWD);
            if (a < b || (a == b && !(free_order && s->m[j - 1] > m)))
                break;
            s->m[j] = s->m[j - 1];
        }
        s->m[j] = m;
    }
}

/* ---- values and races ----------------------------------------------------------------------------------------- */
static unsigned line_of(unsigned w) { return w / c.wpl; }
static unsigned bit_of(unsigned w) { return 1u << w % c.wpl; }
static unsigned words(void) { return c.lines * c.wpl; }
static unsigned at(unsigned line, unsigned i) { return line * c.wpl + i; }
static unsigned st(const struct state *s, unsigned p, unsigned w) { return s->l[p].w[w] & 7; }
static void set(struct state *s, unsigned p, unsigned w, unsigned state, bool cur)
{
    s->l[p].w[w] = (u8)((s->l[p].w[w] & (WANT | PASS)) | state | (state != I && cur ? CUR : 0));
}
static bool cur(const struct state *s, unsigned p, unsigned w) { return (s->l[p].w[w] & CUR) != 0; }

/* A new value of word w: no copy has it yet. */
static void golden(struct state *s, unsigned w)
{
    unsigned l = line_of(w), b = bit_of(w);
    for (unsigned p = 0; p < c.l1s; p++) {
        s->l[p].w[w] &= (u8)~CUR;
        s->l[p].wbcur[l] &= (u8)~b;
    }
    s->l2cur &= (u8)~(1u << w);
    s->memcur &= (u8)~(1u << w);
    for (unsigned i = 0; i < s->nm; i++)
        if (LINE(s->m[i]) == l)
            s->m[i] &= ~(b << 12);
    for (unsigned i = 0; i < s->ne; i++)
        if (LINE(s->emit[i]) == l)
            s->emit[i] &= ~(b << 12);
}
static void check_value(unsigned w, bool ok, const char *what)
{
    if (judge && !ok && (!c.racy || ((c.sync >> w & 1) && !(c.data >> w & 1))))
        fail(what);
}
static void renew_reads(struct state *s, unsigned w, bool all, unsigned r)
{
    for (unsigned v = 0; v < words(); v++)
        for (unsigned x = 0; x <= c.l1s; x++)
            for (unsigned q = 0; q < c.threads; q++)
                if (all || q == r)
                    s->sk[v][x] &= (u16)~(1u << (w * 4 + 1 + q));
}
static void renew_write(struct state *s, unsigned w)
{
    for (unsigned v = 0; v < words(); v++)
        for (unsigned x = 0; x <= c.l1s; x++)
            s->sk[v][x] &= (u16)~(1u << (w * 4));
}
static bool reads_known(const struct state *s, unsigned w, unsigned t, bool data_only)
{
    for (unsigned r = 0; r < c.threads; r++)
        if (r != t && s->kr[w][r] != 0 && !(s->kr[w][r] >> t & 1) && !(data_only && (s->ra[w] >> r & 1)))
            return false;
    return true;
}
static bool may_load(const struct state *s, unsigned t, unsigned w)
{
    return c.racy || (s->kw[w] >> t & 1);
}
static bool may_store(const struct state *s, unsigned t, unsigned w)
{
    return c.racy || ((s->kw[w] >> t & 1) && reads_known(s, w, t, false));
}
static void note_load(struct state *s, unsigned t, unsigned w, bool atomic)
{
    if (c.racy || (c.ro >> w & 1))
        return;
    s->kr[w][t] = (u8)(1u << t);
    s->ra[w] = (u8)((s->ra[w] & ~(1u << t)) | (unsigned)atomic << t);
    renew_reads(s, w, false, t);
}
static void note_write(struct state *s, unsigned t, unsigned w, bool knew, bool reads)
{
    s->kw[w] = knew ? (u8)(1u << t) : 0;
    renew_write(s, w);
    if (reads) {
        memset(s->kr[w], 0, NT);
        s->ra[w] = 0;
        renew_reads(s, w, true, 0);
    }
}
/* The race detector's side of a synchronization access; false: the program has a race, forget this execution. */
static bool note_sync(struct state *s, unsigned t, unsigned w, unsigned op, unsigned scope)
{
    u16 *k = &s->sk[w][scope];
    if (c.racy || !judge)
        return true;
    if (op != SS)
        for (unsigned v = 0; v < words(); v++) {
            if (*k >> (v * 4) & 1)
                s->kw[v] |= (u8)(1u << t);
            for (unsigned r = 0; r < c.threads; r++)
                if (*k >> (v * 4 + 1 + r) & 1)
                    s->kr[v][r] |= (u8)(1u << t);
        }
    bool same = s->mode[w] == scope + 1;
    bool knew = s->kw[w] >> t & 1, all = reads_known(s, w, t, false);
    if (op == SL) {
        if (!same && !knew)
            return false;
        note_load(s, t, w, same);
        return true;
    }
    if (!(knew && all) && (!same || op == SS || !reads_known(s, w, t, true)))
        return false;
    note_write(s, t, w, knew, all);
    s->mode[w] = (u8)(scope + 1);
    for (unsigned v = 0; v < words(); v++) {
        if (s->kw[v] >> t & 1)
            *k |= (u16)(1u << (v * 4));
        for (unsigned r = 0; r < c.threads; r++)
            if (s->kr[v][r] >> t & 1)
                *k |= (u16)(1u << (v * 4 + 1 + r));
    }
    return true;
}

/* ---- the L1 --------------------------------------------------------------------------------------------------- */
static bool needed(const struct state *s, unsigned p, unsigned w)
{
    for (unsigned e = 0; e < NE; e++)
        if (s->l[p].e[e].on && s->l[p].e[e].line == line_of(w) && (s->l[p].e[e].need & bit_of(w)))
            return true;
    return false;
}
static void skip(struct state *s, unsigned p, unsigned w)
{
    for (unsigned e = 0; e < NE; e++)
        if (s->l[p].e[e].on && s->l[p].e[e].line == line_of(w))
            s->l[p].e[e].skip |= (u8)bit_of(w);
}
static bool wb_busy(const struct state *s, unsigned p, unsigned w)
{
    return s->l[p].wb[line_of(w)] != 0 && bug != BUG_ACCESS_DURING_WB;
}
/* A global acquire ends: clean words go, fills under way do not stay. */
static void invalidate(struct state *s, unsigned p)
{
    if (bug == BUG_ACQUIRE_KEEPS_VALID)
        return;
    for (unsigned w = 0; w < words(); w++)
        if (st(s, p, w) == V || (bug == BUG_ACQUIRE_DROPS_OWN && (st(s, p, w) == D || st(s, p, w) == R) &&
                                 !(s->l[p].w[w] & (WANT | PASS))))
            set(s, p, w, I, false);
    for (unsigned e = 0; e < NE; e++)
        if (s->l[p].e[e].on && bug != BUG_FILL_SURVIVES_ACQUIRE)
            s->l[p].e[e].old = 1;
}
/* A synchronization access is performed on a word of L1 p whose value is ok. */
static bool perform(struct state *s, unsigned t, bool ok)
{
    struct thread *h = &s->t[t];
    unsigned p = c.home[t], w = h->w;
    bool local = h->local;
    if (!note_sync(s, t, w, h->op, local ? 1 + p : 0))
        return false;
    if (h->op != SS)
        check_value(w, ok, "synchronization reads an old value");
    if (h->op != SL) {
        golden(s, w);
        set(s, p, w, st(s, p, w) == R ? R : D, true);
    }
    if (h->op != SS && !local && bug != BUG_ACQUIRE_EARLY && bug != BUG_GLOBAL_AS_LOCAL)
        invalidate(s, p);
    h->ph = IDLE;
    h->op = h->w = h->local = h->se = 0;
    return true;
}
static void load_done(struct state *s, unsigned t, bool ok)
{
    struct thread *h = &s->t[t];
    if (h->war ? ok && judge : false)
        fail("a load returns a later store of its thread");
    else if (!h->war)
        check_value(h->ldw, ok, "a load returns an old value");
    h->ld = h->lde = h->ldw = h->war = 0;
}
static int load(struct state *s, unsigned t, unsigned w)
{
    unsigned p = c.home[t], l = line_of(w), b = bit_of(w);
    struct thread *h = &s->t[t];
    bool ro = c.ro >> w & 1;
    if (h->ld || h->ph != IDLE || !may_load(s, t, w) || wb_busy(s, p, w))
        return 0;
    note_load(s, t, w, false);
    h->ldw = (u8)w;
    if (st(s, p, w) != I) {
        load_done(s, t, cur(s, p, w));
        return 1;
    }
    if (s->l[p].w[w] & WANT) {
        h->ld = 2;
        return 1;
    }
    for (unsigned e = 0; e < c.entries; e++) {
        struct entry *n = &s->l[p].e[e];
        if (n->on && n->line == l && (!n->old || bug == BUG_MERGE_OLD) && ((n->need & b) || !c.denovo) &&
            !(n->skip & b)) {
            n->need |= (u8)b;
            h->ld = 1;
            h->lde = (u8)e;
            return 1;
        }
    }
    for (unsigned u = 0; u < c.threads; u++) /* a local access will write the word when its fill comes */
        if (c.home[u] == p && s->t[u].ph == FILL && s->t[u].w == w && bug != BUG_LOAD_BESIDE_LOCAL)
            return 0;
    for (unsigned e = 0; e < c.entries; e++) {
        struct entry *n = &s->l[p].e[e];
        if (n->on)
            continue;
        if (room(s, VREQ) == 0)
            return 0;
        *n = (struct entry){.on = 1, .line = (u8)l, .need = (u8)b, .ro = ro};
        h->ld = 1;
        h->lde = (u8)e;
        put(s, msg(READ, p, L2, l, b, 0, e, p, 0));
        return 1;
    }
    return 0;
}
static int store(struct state *s, unsigned t, unsigned w)
{
    unsigned p = c.home[t];
    if (s->t[t].ph != IDLE || !may_store(s, t, w) || wb_busy(s, p, w))
        return 0;
    if (needed(s, p, w) && bug != BUG_NO_WAR_GUARD)
        return 0;
    if (st(s, p, w) != D && (s->l[p].w[w] & WANT))
        return 0;
    if (s->t[t].ld && s->t[t].ldw == w)
        s->t[t].war = 1;
    if (!c.racy) {
        note_write(s, t, w, true, true);
        s->mode[w] = 0;
        s->dwr[w] = (u8)t;
    }
    golden(s, w);
    set(s, p, w, st(s, p, w) == R ? R : D, true);
    return 1;
}
static int free_wt(const struct state *s, unsigned p)
{
    for (int i = 0; i < 3; i++)
        if (!(s->l[p].wtv >> i & 1))
            return i;
    return -1;
}
/* Registers (DeNovo) or writes through (GPU) the dirty words of a line. */
static int drain_line(struct state *s, unsigned p, unsigned l, unsigned only)
{
    unsigned m = 0, cm = 0;
    for (unsigned i = 0; i < c.wpl; i++)
        if (st(s, p, at(l, i)) == D && !(s->l[p].w[at(l, i)] & WANT) && (only >> i & 1)) {
            m |= 1u << i;
            cm |= (unsigned)cur(s, p, at(l, i)) << i;
        }
    if (m == 0 || room(s, VREQ) == 0)
        return 0;
    int tid = c.denovo ? 0 : free_wt(s, p);
    if (tid < 0)
        return 0;
    for (unsigned i = 0; i < c.wpl; i++)
        if (m >> i & 1) {
            if (c.denovo)
                s->l[p].w[at(l, i)] |= WANT;
            else
                set(s, p, at(l, i), V, cm >> i & 1);
        }
    if (c.denovo) {
        put(s, msg(REG, p, L2, l, m, 0, 0, p, 0));
    } else {
        s->l[p].wtv |= (u8)(1u << tid);
        put(s, msg(WT, p, L2, l, m, cm, (unsigned)tid, p, 0));
    }
    for (unsigned t = 0; t < c.threads; t++)
        if (c.home[t] == p && s->t[t].ph == REL)
            for (unsigned i = 0; i < c.wpl; i++)
                if ((m >> i & 1) && (s->t[t].relm >> at(l, i) & 1)) {
                    if (!c.denovo || bug == BUG_RELEASE_AT_SEND)
                        s->t[t].relm &= (u8)~(1u << at(l, i));
                    if (!c.denovo && bug != BUG_RELEASE_AT_SEND)
                        s->t[t].relwt |= (u8)(1u << tid);
                }
    return 1;
}
/* The access itself, after the flush of a release. */
static int sync_go(struct state *s, unsigned t)
{
    struct thread *h = &s->t[t];
    unsigned p = c.home[t], w = h->w, l = line_of(w), b = bit_of(w);
    if (wb_busy(s, p, w) || (needed(s, p, w) && bug != BUG_NO_WAR_GUARD))
        return 0;
    if (h->local) {
        if (st(s, p, w) != I)
            return perform(s, t, cur(s, p, w)) ? 1 : -1;
        if (s->l[p].w[w] & WANT) {
            h->ph = WAIT;
            return 1;
        }
        for (unsigned e = 0; e < c.entries; e++)
            if (!s->l[p].e[e].on) {
                if (room(s, VREQ) == 0)
                    return 0;
                s->l[p].e[e] = (struct entry){.on = 1, .line = (u8)l, .need = (u8)b};
                h->ph = FILL;
                h->se = (u8)e;
                put(s, msg(READ, p, L2, l, b, 0, e, p, 0));
                return 1;
            }
        return 0;
    }
    if (c.denovo) {
        if (st(s, p, w) == R)
            return perform(s, t, cur(s, p, w)) ? 1 : -1;
        if (!(s->l[p].w[w] & WANT)) {
            if (room(s, VREQ) == 0)
                return 0;
            s->l[p].w[w] |= WANT;
            put(s, msg(REG, p, L2, l, b, 0, 0, p, 1));
        }
        h->ph = WAIT;
        return 1;
    }
    if (st(s, p, w) == D && bug != BUG_AT_PASSES_DIRTY) {
        if (room(s, VREQ) < 2 || !drain_line(s, p, l, b))
            return 0;
    }
    if (room(s, VREQ) == 0)
        return 0;
    if (bug != BUG_AT_KEEPS_COPY)
        set(s, p, w, I, false);
    if (bug != BUG_AT_NO_SKIP)
        skip(s, p, w);
    put(s, msg(AT, p, L2, l, b, 0, t, p, 0));
    if (h->op != SS && bug == BUG_ACQUIRE_EARLY)
        invalidate(s, p);
    h->ph = WAIT;
    return 1;
}
static int sync_begin(struct state *s, unsigned t, unsigned op, bool local, unsigned w)
{
    struct thread *h = &s->t[t];
    unsigned p = c.home[t];
    if (h->ph != IDLE || (op != SL && h->ld) || (local && (!c.scoped || (h->ld && h->ldw == w))))
        return 0;
    if (h->ld && h->ldw == w)
        return 0;
    h->op = (u8)op;
    h->local = local;
    h->w = (u8)w;
    if (op == SL || local || bug == BUG_GLOBAL_AS_LOCAL)
        return sync_go(s, t);
    for (unsigned v = 0; v < words(); v++)
        if (st(s, p, v) == D && (bug != BUG_RELEASE_OWN_ONLY || s->dwr[v] == t))
            h->relm |= (u8)(1u << v);
    if (!c.denovo)
        h->relwt = s->l[p].wtv;
    h->ph = REL;
    return 1;
}
static int sync_after_flush(struct state *s, unsigned t)
{
    struct thread *h = &s->t[t];
    if (h->ph != REL || h->relm || h->relwt)
        return 0;
    return sync_go(s, t);
}
static int evict(struct state *s, unsigned p, unsigned l)
{
    unsigned m = 0, cm = 0, any = 0, dirty = 0;
    for (unsigned e = 0; e < NE; e++)
        if (s->l[p].e[e].on && s->l[p].e[e].line == l && !s->l[p].e[e].old)
            return 0;
    for (unsigned t = 0; t < c.threads; t++) /* a local access waits for a fill: it will write here, old or not */
        if (c.home[t] == p && s->t[t].ph == FILL && line_of(s->t[t].w) == l && bug != BUG_LOCAL_UNPINNED)
            return 0;
    for (unsigned i = 0; i < c.wpl; i++) {
        unsigned w = at(l, i), x = st(s, p, w);
        any |= x != I;
        if ((s->l[p].w[w] & (WANT | PASS)) && !(bug == BUG_PIN && x == D))
            return 0;
        dirty |= x == D;
        if (x == R) {
            m |= 1u << i;
            cm |= (unsigned)cur(s, p, w) << i;
        }
    }
    if (!any || s->l[p].wb[l])
        return 0;
    if (dirty && bug != BUG_PIN) {
        if (c.denovo)
            return 0; /* registered first */
        if (bug != BUG_EVICT_LOSES_DIRTY && !drain_line(s, p, l, 3))
            return 0;
    }
    if (m && room(s, VRSP) == 0)
        return 0;
    for (unsigned i = 0; i < c.wpl; i++)
        set(s, p, at(l, i), I, false);
    if (m) {
        if (bug != BUG_NO_WB_BUFFER) {
            s->l[p].wb[l] = (u8)m;
            s->l[p].wbcur[l] = (u8)cm;
        }
        s->l[p].wbtok[l] = (u8)m;
        put(s, msg(WB, p, L2, l, m, cm, 0, p, 0));
    }
    return 1;
}
static int retry(struct state *s, unsigned p, unsigned e)
{
    struct entry *n = &s->l[p].e[e];
    if (!n->on || !n->retry || room(s, VREQ) == 0)
        return 0;
    put(s, msg(READ, p, L2, n->line, n->retry, 0, e, p, 0));
    n->retry = 0;
    return 1;
}
/* The waiter of a word gets it. */
static int pass(struct state *s, unsigned p, unsigned w)
{
    unsigned x = s->l[p].wt[w], l = line_of(w), b = bit_of(w);
    if (!(s->l[p].w[w] & PASS) || room(s, VRSP) == 0)
        return 0;
    unsigned cm = cur(s, p, w) ? b : 0;
    if (x & 0x20)
        put(s, msg(RCLD, p, L2, l, b, cm, 0, p, 1));
    else
        put(s, msg(x & 0x40 ? RDATA : RACK, p, x & 3, l, b, x & 0x40 ? cm : 0, 0, p, 0));
    s->l[p].wt[w] = 0;
    s->l[p].w[w] = I;
    return 1;
}
static void fwd_read(struct state *s, unsigned i)
{
    u32 m = s->m[i];
    unsigned p = DST(m), l = LINE(m), got = 0, cm = 0, no = 0;
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k), b = 1u << k;
        if (!(MASK(m) & b))
            continue;
        if (st(s, p, w) == R) {
            got |= b;
            cm |= cur(s, p, w) ? b : 0;
        } else if (s->l[p].wb[l] & b) {
            got |= b;
            cm |= s->l[p].wbcur[l] & b;
        } else if (s->l[p].w[w] & WANT) {
            no |= b;
        } else {
            fail("FWD_READ finds nothing");
        }
    }
    if (got && no)
        s->m[i] = msg(FRD, L2, p, l, no, 0, TID(m), WHO(m), 0);
    else
        take(s, i);
    if (got)
        put(s, msg(DATA, p, WHO(m), l, got, cm, TID(m), p, 0));
    else if (no)
        put(s, msg(NACK, p, WHO(m), l, no, 0, TID(m), p, 0));
}
static void fwd_reg(struct state *s, unsigned i, bool recall)
{
    u32 m = s->m[i];
    unsigned p = DST(m), l = LINE(m), got = 0, cm = 0, tok = 0;
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k), b = 1u << k;
        if (!(MASK(m) & b))
            continue;
        if (s->l[p].w[w] & PASS) {
            fail("a second waiter for a word");
        } else if ((s->l[p].w[w] & WANT) && bug != BUG_FORWARD_NOT_QUEUED) {
            if (s->l[p].wt[w])
                fail("a second waiter for a word");
            if (recall && bug == BUG_RECALL_WAITER_LOST)
                continue;
            if (bug == BUG_ONE_WAITER_A_LINE)
                for (unsigned k2 = 0; k2 < c.wpl; k2++)
                    s->l[p].wt[at(l, k2)] = 0;
            s->l[p].wt[w] = (u8)(0x80 | (recall ? 0x20 : 0) | (SYNC(m) ? 0x40 : 0) | WHO(m));
        } else if (st(s, p, w) == R || st(s, p, w) == D) {
            got |= b;
            tok |= b;
            cm |= cur(s, p, w) ? b : 0;
            if (bug != BUG_TWO_REGISTRANTS)
                set(s, p, w, I, false);
        } else if (s->l[p].wb[l] & b) {
            got |= b;
            cm |= s->l[p].wbcur[l] & b;
            if (!recall)
                s->l[p].wbtok[l] &= (u8)~b;
        } else if (bug == BUG_FORWARD_NOT_QUEUED) {
            got |= b;
        } else if (bug != BUG_ACK_BEFORE_INVALIDATE) {
            fail(recall ? "RECALL finds nothing" : "FWD_REG finds nothing");
        }
    }
    take(s, i);
    if (got && recall)
        put(s, msg(RCLD, p, L2, l, got, cm, 0, p, tok != 0));
    else if (got && !(bug == BUG_ACK_BEFORE_INVALIDATE && !SYNC(m)))
        put(s, msg(SYNC(m) ? RDATA : RACK, p, WHO(m), l, got, SYNC(m) ? cm : 0, 0, p, 0));
}
/* Words of L1 p become registered; local waiting accesses first, then the word leaves if somebody waits. */
static int registered(struct state *s, u32 m)
{
    unsigned p = DST(m), l = LINE(m);
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k), b = 1u << k;
        if (!(MASK(m) & b))
            continue;
        if (!(s->l[p].w[w] & WANT)) {
            fail("a registration is acknowledged that was not asked");
            return 1;
        }
        s->l[p].w[w] &= (u8)~WANT;
        if (st(s, p, w) == D && !(bug == BUG_PAYLOAD_OVER_OWN && KIND(m) == RDATA))
            set(s, p, w, R, cur(s, p, w));
        else if (KIND(m) == RDATA)
            set(s, p, w, R, CURS(m) & b);
        else
            fail("a registration without data for a word that has none");
        if (bug != BUG_NO_SKIP)
            skip(s, p, w);
        if (s->l[p].wt[w])
            s->l[p].w[w] |= PASS;
        if (bug == BUG_PASS_FIRST && (s->l[p].w[w] & PASS))
            pass(s, p, w);
        for (unsigned t = 0; t < c.threads; t++) {
            struct thread *h = &s->t[t];
            if (c.home[t] != p)
                continue;
            if (h->ph == REL)
                h->relm &= (u8)~(1u << w);
            if (h->ld == 2 && h->ldw == w)
                load_done(s, t, cur(s, p, w));
        }
        for (unsigned t = 0; t < c.threads; t++)
            if (c.home[t] == p && s->t[t].ph == WAIT && s->t[t].w == w)
                if (!perform(s, t, cur(s, p, w)))
                    return -1;
    }
    return 1;
}
static int filled(struct state *s, u32 m)
{
    unsigned p = DST(m), l = LINE(m), e = TID(m);
    struct entry n = s->l[p].e[e];
    if (!n.on || n.line != l) {
        fail("data for no entry");
        return 1;
    }
    s->l[p].e[e].need &= (u8)~MASK(m);
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k), b = 1u << k;
        if (!(MASK(m) & b))
            continue;
        for (unsigned t = 0; t < c.threads; t++)
            if (c.home[t] == p && s->t[t].ld == 1 && s->t[t].lde == e && s->t[t].ldw == w)
                load_done(s, t, st(s, p, w) >= D ? cur(s, p, w) : (CURS(m) & b) != 0);
        bool writable = st(s, p, w) == I && !(s->l[p].w[w] & WANT) &&
                        !(n.skip & b);
        if (bug == BUG_FILL_OVER_DIRTY && st(s, p, w) == D && !(s->l[p].w[w] & WANT))
            writable = true;
        if (n.ro && ((n.need & b) || bug == BUG_RO_BONUS) && writable)
            set(s, p, w, RO, CURS(m) & b);
        else if (!n.old && writable)
            set(s, p, w, V, CURS(m) & b);
        for (unsigned t = 0; t < c.threads; t++)
            if (c.home[t] == p && s->t[t].ph == FILL && s->t[t].se == e && s->t[t].w == w) {
                bool ok = st(s, p, w) >= D ? cur(s, p, w) : (CURS(m) & b) != 0;
                if (!perform(s, t, ok && bug != BUG_LOCAL_ON_MISS_ZERO))
                    return -1;
            }
    }
    if (s->l[p].e[e].need == 0)
        memset(&s->l[p].e[e], 0, sizeof(struct entry));
    return 1;
}

/* ---- the L2 --------------------------------------------------------------------------------------------------- */
static void l2_merge(struct state *s, u32 m)
{
    unsigned l = LINE(m), p = SRC(m);
    if (s->lst[l] != 1 && s->lst[l] != 3)
        return;
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k), b = 1u << k;
        if (!(MASK(m) & b) || (s->owner[w] != p && bug != BUG_STALE_WB_TAKEN))
            continue;
        s->owner[w] = NONE;
        s->l[p].wbtok[l] &= (u8)~b;
        s->dirty[l] = 1;
        if (bug != BUG_WB_NO_MERGE)
            s->l2cur = (u8)((s->l2cur & ~(1u << w)) | ((CURS(m) & b) ? 1u << w : 0));
    }
}
static int l2_serve(struct state *s, unsigned i)
{
    u32 m = s->m[i];
    unsigned l = LINE(m), p = SRC(m), held = 0, cm = 0;
    if (s->ne || (s->lst[l] != 0 && s->lst[l] != 1 && !(bug == BUG_L2_LOCK && s->lst[l] == 3)))
        return 0;
    if (s->lst[l] == 0) {
        s->lst[l] = 2;
        return 1;
    }
    take(s, i);
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k), b = 1u << k;
        if (s->owner[w] == p && (MASK(m) & b))
            fail("a request for a word that the asker owns");
        if (s->owner[w] == NONE || (bug == BUG_L2_DATA_OF_OWNED && KIND(m) == READ))
            held |= b;
        cm |= (s->l2cur >> w & 1) ? b : 0;
    }
    switch (KIND(m)) {
    case READ:
        if (MASK(m) & held)
            l2_put(s, msg(DATA, L2, p, l, held, cm & held, TID(m), p, 0));
        for (unsigned o = 0; o < c.l1s; o++) {
            unsigned f = 0;
            for (unsigned k = 0; k < c.wpl; k++)
                if (((MASK(m) & ~held) >> k & 1) && s->owner[at(l, k)] == o)
                    f |= 1u << k;
            if (f)
                l2_put(s, msg(FRD, L2, o, l, f, 0, TID(m), p, 0));
        }
        return 1;
    case REG: {
        unsigned f[NL] = {0}, now = MASK(m) & held;
        for (unsigned k = 0; k < c.wpl; k++)
            if (MASK(m) >> k & 1) {
                if (s->owner[at(l, k)] != NONE)
                    f[s->owner[at(l, k)]] |= 1u << k;
                s->owner[at(l, k)] = (u8)p;
                s->l2cur &= (u8)~(1u << at(l, k));
            }
        if (bug == BUG_ACK_BEFORE_INVALIDATE && !SYNC(m))
            now = MASK(m);
        if (now)
            l2_put(s, msg(SYNC(m) ? RDATA : RACK, L2, p, l, now, SYNC(m) ? cm & now : 0, 0, p, 0));
        for (unsigned o = 0; o < c.l1s; o++)
            if (f[o])
                l2_put(s, msg(FREG, L2, o, l, f[o], 0, 0, p, SYNC(m)));
        return 1;
    }
    case WT:
        for (unsigned k = 0; k < c.wpl; k++)
            if (MASK(m) >> k & 1) {
                unsigned w = at(l, k);
                s->l2cur = (u8)((s->l2cur & ~(1u << w)) | ((CURS(m) >> k & 1) ? 1u << w : 0));
            }
        s->dirty[l] = 1;
        l2_put(s, msg(WTACK, L2, p, l, 0, 0, TID(m), p, 0));
        return 1;
    default: {
        unsigned t = TID(m), w = s->t[t].w;
        struct thread *h = &s->t[t];
        if (!note_sync(s, t, w, h->op, 0))
            return -1;
        if (h->op != SS)
            check_value(w, s->l2cur >> w & 1, "an atomic at L2 reads an old value");
        if (h->op != SL) {
            golden(s, w);
            s->l2cur |= (u8)(1u << w);
            s->dirty[l] = 1;
        }
        l2_put(s, msg(ATD, L2, p, l, 0, 0, t, p, 0));
        return 1;
    }
    }
}
static int deliver(struct state *s, unsigned i)
{
    if (i >= s->nm || !first(s, i))
        return 0;
    u32 m = s->m[i];
    unsigned p = DST(m), l = LINE(m);
    switch (KIND(m)) {
    case READ: case REG: case WT: case AT:
        return l2_serve(s, i);
    case FRD:
        if (room(s, VRSP) == 0)
            return 0;
        fwd_read(s, i);
        return 1;
    case FREG: case FRCL:
        if (room(s, VRSP) == 0)
            return 0;
        fwd_reg(s, i, KIND(m) == FRCL);
        return 1;
    case WBACK:
        take(s, i);
        if (s->l[p].wb[l] == 0 && bug != BUG_NO_WB_BUFFER)
            fail("WB_ACK for no write-back");
        s->l[p].wb[l] = s->l[p].wbcur[l] = s->l[p].wbtok[l] = 0;
        return 1;
    case DATA:
        take(s, i);
        return filled(s, m);
    case NACK:
        take(s, i);
        if (bug != BUG_NACK_LOST)
            s->l[p].e[TID(m)].retry |= (u8)MASK(m);
        return 1;
    case RDATA: case RACK:
        if (bug == BUG_PASS_BLOCKS_RSP && room(s, VRSP) == 0)
            for (unsigned k = 0; k < c.wpl; k++)
                if ((MASK(m) >> k & 1) && s->l[p].wt[at(l, k)])
                    return 0;
        take(s, i);
        return registered(s, m);
    case WB:
        if (bug == BUG_WB_WAITS_FOR_ACK_ROOM && (room(s, VFWD) == 0 || s->ne))
            return 0;
        take(s, i);
        l2_merge(s, m);
        if (c.cap)
            s->owed[SRC(m)] |= (u8)(1u << l);
        else
            put(s, msg(WBACK, L2, SRC(m), l, 0, 0, 0, SRC(m), 0));
        return 1;
    case RCLD:
        take(s, i);
        if (s->lst[l] != 3)
            fail("an answer to no recall");
        l2_merge(s, m);
        for (unsigned k = 0; k < c.wpl; k++)
            if (MASK(m) >> k & 1) {
                if (!(s->pend[l] >> k & 1))
                    fail("an answer to no recall");
                s->pend[l] &= (u8)~(1u << k);
            }
        return 1;
    case WTACK:
        take(s, i);
        s->l[p].wtv &= (u8)~(1u << TID(m));
        for (unsigned t = 0; t < c.threads; t++)
            if (c.home[t] == p)
                s->t[t].relwt &= (u8)~(1u << TID(m));
        return 1;
    case ATD: {
        struct thread *h = &s->t[TID(m)];
        take(s, i);
        if (h->op != SS && bug != BUG_GLOBAL_AS_LOCAL && bug != BUG_ACQUIRE_EARLY)
            invalidate(s, p);
        h->ph = IDLE;
        h->op = h->w = h->local = 0;
        return 1;
    }
    default:
        fail("no such message");
        return 1;
    }
}
static void l2_drop(struct state *s, unsigned l)
{
    for (unsigned k = 0; k < c.wpl; k++) {
        unsigned w = at(l, k);
        if (s->dirty[l])
            s->memcur = (u8)((s->memcur & ~(1u << w)) | (s->l2cur & (1u << w)));
        s->l2cur &= (u8)~(1u << w);
        s->owner[w] = NONE;
    }
    s->dirty[l] = s->lst[l] = 0;
}
static int l2_line(struct state *s, unsigned l)
{
    unsigned own = 0;
    for (unsigned k = 0; k < c.wpl; k++)
        own |= (unsigned)(s->owner[at(l, k)] != NONE) << k;
    if (s->lst[l] == 2) {
        s->lst[l] = 1;
        for (unsigned k = 0; k < c.wpl; k++)
            s->l2cur |= s->memcur & (u8)(1u << at(l, k));
        return 1;
    }
    if (s->lst[l] == 3 && s->pend[l] == 0) {
        if (own)
            fail("a recall ended without the data");
        l2_drop(s, l);
        return 1;
    }
    if (s->lst[l] != 1 || s->ne || !c.reload || !judge)
        return 0;
    if (own == 0 || bug == BUG_L2_EVICTS_OWNED) {
        l2_drop(s, l);
        return 1;
    }
    s->lst[l] = 3;
    s->pend[l] = (u8)own;
    for (unsigned o = 0; o < c.l1s; o++) {
        unsigned f = 0;
        for (unsigned k = 0; k < c.wpl; k++)
            if (s->owner[at(l, k)] == o)
                f |= 1u << k;
        if (f)
            l2_put(s, msg(FRCL, L2, o, l, f, 0, 0, L2, 0));
    }
    return 1;
}
static int emission(struct state *s)
{
    if (s->ne == 0 || room(s, vn_of(s->emit[0])) == 0)
        return 0;
    put(s, s->emit[0]);
    memmove(&s->emit[0], &s->emit[1], (NEMIT - 1) * sizeof s->emit[0]);
    s->emit[--s->ne] = 0;
    return 1;
}
static int owed(struct state *s, unsigned p, unsigned l)
{
    if (!(s->owed[p] >> l & 1) || s->ne || room(s, VFWD) == 0)
        return 0;
    s->owed[p] &= (u8)~(1u << l);
    put(s, msg(WBACK, L2, p, l, 0, 0, 0, p, 0));
    return 1;
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */
enum { OPS = 8, K_THREAD = 0, K_GO = K_THREAD + NT * OPS * NW, K_DRAIN = K_GO + NT, K_EVICT = K_DRAIN + NL * 2,
       K_RETRY = K_EVICT + NL * 2, K_PASS = K_RETRY + NL * NE, K_MSG = K_PASS + NL * NW, K_LINE = K_MSG + NM,
       K_EMIT = K_LINE + 2, K_OWED = K_EMIT + 1, K_NUM = K_OWED + NL * 2 };

/* 1: done, 0: not possible, -1: the program has a race. */
static int step(struct state *s, unsigned k)
{
    if (k < K_GO) {
        unsigned t = k / (OPS * NW), op = k / NW % OPS, w = k % NW;
        if (t >= c.threads || w >= words() || (c.ops[t] && !(c.ops[t] >> op & 1)) || (c.tw[t] && !(c.tw[t] >> w & 1)))
            return 0;
        if (op == 0)
            return ((c.data | c.ro) >> w & 1) ? load(s, t, w) : 0;
        if (op == 1)
            return (c.data >> w & 1) ? store(s, t, w) : 0;
        if (!(c.sync >> w & 1) || (c.rmw_only && op != 4 && op != 7))
            return 0;
        return sync_begin(s, t, SL + (op - 2) % 3, op >= 5, w);
    }
    if (k < K_DRAIN)
        return k - K_GO < c.threads ? sync_after_flush(s, k - K_GO) : 0;
    if (k < K_EVICT)
        return (k - K_DRAIN) / 2 < c.l1s && (k - K_DRAIN) % 2 < c.lines ?
               drain_line(s, (k - K_DRAIN) / 2, (k - K_DRAIN) % 2, 3) : 0;
    if (k < K_RETRY)
        return !c.no_evict && (k - K_EVICT) / 2 < c.l1s && (k - K_EVICT) % 2 < c.lines ?
               evict(s, (k - K_EVICT) / 2, (k - K_EVICT) % 2) : 0;
    if (k < K_PASS)
        return retry(s, (k - K_RETRY) / NE, (k - K_RETRY) % NE);
    if (k < K_MSG)
        return (k - K_PASS) % NW < words() ? pass(s, (k - K_PASS) / NW, (k - K_PASS) % NW) : 0;
    if (k < K_LINE)
        return deliver(s, k - K_MSG);
    if (k < K_EMIT)
        return k - K_LINE < c.lines ? l2_line(s, k - K_LINE) : 0;
    if (k < K_OWED)
        return emission(s);
    return owed(s, (k - K_OWED) / 2, (k - K_OWED) % 2);
}
static bool quiet(const struct state *s)
{
    if (s->nm || s->ne)
        return false;
    for (unsigned p = 0; p < c.l1s; p++) {
        if (s->owed[p] || s->l[p].wtv)
            return false;
        for (unsigned l = 0; l < c.lines; l++)
            if (s->l[p].wb[l] || s->lst[l] > 1)
                return false;
        for (unsigned w = 0; w < words(); w++)
            if ((s->l[p].w[w] & (WANT | PASS)) || s->l[p].wt[w])
                return false;
        for (unsigned e = 0; e < NE; e++)
            if (s->l[p].e[e].on)
                return false;
    }
    for (unsigned t = 0; t < c.threads; t++)
        if (s->t[t].ph != IDLE || s->t[t].ld)
            return false;
    return true;
}
/* Nothing new begins: everything must come to an end, refused reads included. */
static void drains(const struct state *s0)
{
    struct state s = *s0;
    judge = false;
    for (unsigned n = 0; n < 300 && err == NULL; n++) {
        if (quiet(&s)) {
            judge = true;
            return;
        }
        struct state next;
        bool moved = false;
        static const unsigned from[] = {K_MSG, K_EMIT, K_PASS, K_LINE, K_GO, K_RETRY};
        static const unsigned to[] = {K_LINE, K_NUM, K_MSG, K_EMIT, K_EVICT, K_PASS};
        for (unsigned g = 0; g < 6 && !moved; g++)
            for (unsigned k = from[g]; k < to[g] && !moved; k++) {
                next = s;
                if (step(&next, k) == 1)
                    moved = true;
            }
        if (!moved) {
            fail("deadlock");
            break;
        }
        s = next;
    }
    judge = true;
    fail("livelock: a state does not drain");
}
/* Facts that lean on the rules; candidates for an inductive invariant. */
static void strengthen(const struct state *s, unsigned w)
{
    unsigned l = line_of(w), b = bit_of(w), o = s->owner[w];
    unsigned asked[NL] = {0}, back[NL] = {0}, given[NL] = {0};

    for (unsigned i = 0; i < s->nm + s->ne; i++) {
        u32 m = i < s->nm ? s->m[i] : s->emit[i - s->nm];
        if (LINE(m) != l)
            continue;
        if (KIND(m) == WB)
            back[SRC(m)]++;
        if (KIND(m) == WBACK)
            back[DST(m)]++;
        if (!(MASK(m) & b))
            continue;
        if (KIND(m) == REG)
            asked[SRC(m)]++;
        if (KIND(m) == RDATA || KIND(m) == RACK)
            asked[DST(m)]++;
        if (KIND(m) == FREG)
            asked[WHO(m)]++;
        if (KIND(m) == RCLD && SYNC(m))
            given[SRC(m)] = 1;
    }
    for (unsigned p = 0; p < c.l1s; p++) {
        if ((s->l[p].wt[w] & 0xa0) == 0x80)
            asked[s->l[p].wt[w] & 3]++;
        back[p] += s->owed[p] >> l & 1;
    }
    for (unsigned p = 0; p < c.l1s; p++) {
        bool want = s->l[p].w[w] & WANT;
        if (asked[p] != want)
            fail("fact 3: a wanted word has one request, forward, waiter or answer");
        if (want && st(s, p, w) == R)
            fail("fact 4: a wanted word is not registered");
        if (s->l[p].wt[w] && !want && !(s->l[p].w[w] & PASS))
            fail("fact 5: a waiter waits for a wanted or leaving word");
        if (needed(s, p, w) && (want || st(s, p, w) >= D))
            fail("fact 6: a word that a fill needs is neither wanted nor own");
        if (back[p] != (s->l[p].wb[l] != 0) || (s->l[p].wbtok[l] & ~s->l[p].wb[l]))
            fail("fact 7: a write-back in the buffer is under way or its answer is");
        if (s->l[p].wb[l] && ((s->l[p].w[w] & (WANT | PASS)) || st(s, p, w) != I))
            fail("fact 8: no word of a line whose write-back is out is used");
        if (o == p && (s->lst[l] == 1 || s->lst[l] == 3) && !want && st(s, p, w) != R &&
            !(s->l[p].wbtok[l] & b) && !given[p])
            fail("fact 2: the recorded owner has the word, will get it, or is giving it back");
    }
}
static void invariants(const struct state *s)
{
    if (!c.denovo || bug == BUG_ACK_BEFORE_INVALIDATE) /* that one shows as an old value */
        return;
    for (unsigned w = 0; w < words(); w++) {
        unsigned l = line_of(w), b = bit_of(w), n = 0, r = 0;
        for (unsigned p = 0; p < c.l1s; p++) {
            r += st(s, p, w) == R;
            n += st(s, p, w) == R;
            n += (s->l[p].wbtok[l] & b) != 0;
        }
        for (unsigned i = 0; i < s->nm + s->ne; i++) {
            u32 m = i < s->nm ? s->m[i] : s->emit[i - s->nm];
            if (LINE(m) == l && (MASK(m) & b) &&
                (KIND(m) == RDATA || KIND(m) == RACK || (KIND(m) == RCLD && SYNC(m))))
                n++;
        }
        bool own = (s->lst[l] == 1 || s->lst[l] == 3) && s->owner[w] != NONE;
        if (r > 1)
            fail("two registrants");
        else if (n != own)
            fail("registrations and the registry differ");
        strengthen(s, w);
    }
}

/* ---- search --------------------------------------------------------------------------------------------------- */
static u64 hash(const struct state *s)
{
    const u8 *b = (const u8 *)s;
    size_t n = offsetof(struct state, m) + s->nm * sizeof s->m[0];
    u64 h = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < n; i += 8) {
        u64 x = 0;
        memcpy(&x, b + i, n - i < 8 ? n - i : 8);
        h = (h ^ x) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
        h *= 0xc4ceb9fe1a85ec53u;
        h ^= h >> 29;
    }
    return h ? h : 1;
}
static u64 *seen;
static u64 seen_size;
struct log { u32 parent; u16 k; };
static struct log *logs;
static u32 count, most;

/* Most messages that were in one channel of each network. */
static unsigned longest[3];
static void measure(const struct state *s)
{
    unsigned run = 0;
    for (unsigned i = 0; i < s->nm; i++) {
        run = i > 0 && channel(s->m[i]) == channel(s->m[i - 1]) ? run + 1 : 1;
        if (run > longest[vn_of(s->m[i])])
            longest[vn_of(s->m[i])] = run;
    }
}
static bool insert(u64 h)
{
    u64 i = h & (seen_size - 1);
    for (; seen[i]; i = (i + 1) & (seen_size - 1))
        if (seen[i] == h)
            return false;
    seen[i] = h;
    return true;
}
static void initial(struct state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned w = 0; w < NW; w++) {
        s->owner[w] = NONE;
        if (w < words() && !c.racy)
            s->kw[w] = (u8)((1u << c.threads) - 1);
    }
    s->memcur = (u8)((1u << words()) - 1);
}
static void print_step(const struct state *s, unsigned k)
{
    static const char *const ops[] = {"load", "store", "acquire-load", "release-store", "rmw", "local acquire-load",
                                      "local release-store", "local rmw"};
    if (k < K_GO)
        printf("thread %u (L1 %u) %s word %u", k / (OPS * NW), c.home[k / (OPS * NW)], ops[k / NW % OPS], k % NW);
    else if (k < K_DRAIN)
        printf("thread %u goes on after its flush", k - K_GO);
    else if (k < K_EVICT)
        printf("L1 %u drains line %u", (k - K_DRAIN) / 2, (k - K_DRAIN) % 2);
    else if (k < K_RETRY)
        printf("L1 %u evicts line %u", (k - K_EVICT) / 2, (k - K_EVICT) % 2);
    else if (k < K_PASS)
        printf("L1 %u repeats a read", (k - K_RETRY) / NE);
    else if (k < K_MSG)
        printf("L1 %u passes word %u on", (k - K_PASS) / NW, (k - K_PASS) % NW);
    else if (k < K_LINE) {
        u32 m = s->m[k - K_MSG];
        printf("%s %s%u to %s%u line %u words %x current %x%s", kind_name[KIND(m)], SRC(m) == L2 ? "L2 " : "L1 ", SRC(m),
               DST(m) == L2 ? "L2 " : "L1 ", DST(m), LINE(m), MASK(m), CURS(m), SYNC(m) ? " sync" : "");
    } else if (k < K_EMIT)
        printf("L2 line %u: %s", k - K_LINE, s->lst[k - K_LINE] == 2 ? "data from memory" : "evict");
    else
        printf("L2 sends");
    printf("\n");
}
static void trace(u32 at_, unsigned last)
{
    unsigned path[4096], n = 0;
    struct state s;
    const char *keep = err;
    if (last != K_NUM)
        path[n++] = last;
    for (; at_ != 0 && n < 4096; at_ = logs[at_].parent)
        path[n++] = logs[at_].k;
    initial(&s);
    while (n-- > 0) {
        printf("    ");
        print_step(&s, path[n]);
        step(&s, path[n]);
        canon(&s);
    }
    err = keep;
}
/* True when no violation was found. */
static bool search(u64 limit, bool show, double *seconds)
{
    u32 cap = 1u << 16, head = 0;
    struct state *ring = NULL, s, n;
    clock_t begin = clock();
    bool ok = true;
    u64 ring_cap = cap, ring_first = 0;

    memset(seen, 0, seen_size * sizeof *seen);
    memset(longest, 0, sizeof longest);
    ring = malloc(ring_cap * sizeof *ring);
    if (ring == NULL)
        exit(2);
    initial(&s);
    insert(hash(&s));
    ring[0] = s;
    count = 1;
    for (head = 0; head < count && count < limit && ok; head++) {
        s = ring[head & (ring_cap - 1)];
        ring_first = head + 1;
        for (unsigned k = 0; k < K_NUM && ok; k++) {
            if (k >= K_MSG + (unsigned)s.nm && k < K_LINE)
                continue;
            n = s;
            err = NULL;
            int r = step(&n, k);
            if (r == 1 && err == NULL) {
                canon(&n);
                if (!insert(hash(&n)))
                    continue;
                measure(&n);
                invariants(&n);
                if (err == NULL && (c.drain == 0 || count % c.drain == 0))
                    drains(&n);
            }
            if (r != 0 && err != NULL) {
                ok = false;
                if (show)
                    trace(head, k);
                break;
            }
            if (r != 1)
                continue;
            if (count == most) {
                fprintf(stderr, "too many states\n");
                exit(2);
            }
            logs[count] = (struct log){head, (u16)k};
            if (count - ring_first >= ring_cap) {
                struct state *bigger = malloc(2 * ring_cap * sizeof *ring);
                if (bigger == NULL)
                    exit(2);
                for (u64 i = ring_first; i < count; i++)
                    bigger[i & (2 * ring_cap - 1)] = ring[i & (ring_cap - 1)];
                free(ring);
                ring = bigger;
                ring_cap *= 2;
            }
            ring[count++ & (ring_cap - 1)] = n;
        }
    }
    if (ok && head < count)
        err = "limit";
    else if (ok)
        err = NULL;
    free(ring);
    *seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return ok;
}

/* ---- configurations ------------------------------------------------------------------------------------------- */
#define DN .denovo = 1
#define GP .denovo = 0
#define TWO .l1s = 2, .threads = 2, .home = {0, 1, 0}
#define THREE .l1s = 3, .threads = 3, .home = {0, 1, 2}
#define PAIR .l1s = 2, .threads = 3, .home = {0, 1, 0}
#define ONE_WORD .lines = 1, .wpl = 1
#define ONE_LINE .lines = 1, .wpl = 2
#define TWO_LINES .lines = 2, .wpl = 1
#define FOUR .lines = 2, .wpl = 2
#define OP(load, store, sl, ss, rmw) (load | store << 1 | sl << 2 | ss << 3 | rmw << 4)
static const struct cfg configs[] = {
    {.name = "dn_2x1", DN, TWO, ONE_WORD, .data = 1, .sync = 1, .entries = 2, .reload = 1, .what = "DeNovo, one word for both"},
    {.name = "dn_3x1", DN, THREE, ONE_WORD, .data = 1, .sync = 1, .entries = 1, .rmw_only = 1, .reload = 1, .what = "DeNovo, 3 L1s, one word for both"},
    {.name = "dn_2x2", DN, TWO, ONE_LINE, .data = 3, .sync = 3, .entries = 2, .rmw_only = 1, .what = "DeNovo, a line of 2 words, each for both"},
    {.name = "dn_2x2_ev", DN, TWO, ONE_LINE, .data = 1, .sync = 2, .entries = 1, .rmw_only = 1, .reload = 1, .what = "DeNovo, a line: data, sync; L2 evicts"},
    {.name = "dn_2l", DN, TWO, TWO_LINES, .data = 1, .sync = 2, .entries = 1, .rmw_only = 1, .what = "DeNovo, data and sync in two banks"},
    {.name = "dn_3x2", DN, THREE, ONE_LINE, .data = 1, .sync = 2, .entries = 1, .rmw_only = 1, .no_evict = 1, .what = "DeNovo, 3 L1s, a line: data, sync"},
    {.name = "dn_3w", DN, TWO, FOUR, .data = 3, .sync = 4, .entries = 2, .no_evict = 1, .rmw_only = 1, .what = "DeNovo, two data words in a line, sync elsewhere"},
    {.name = "dn_false", DN, TWO, FOUR, .data = 3, .sync = 4, .entries = 2, .no_evict = 1, .ops = {OP(1, 0, 1, 0, 0), OP(0, 1, 0, 1, 0)}, .what = "DeNovo, reader and writer, line of two words"},
    {.name = "dn_3p", DN, PAIR, FOUR, .data = 3, .sync = 5, .entries = 2, .no_evict = 1, .ops = {OP(1, 0, 0, 0, 0), OP(0, 0, 1, 0, 0), OP(1, 1, 0, 1, 0)}, .tw = {2, 5, 5}, .unord = 3, .what = "DeNovo, fill of a line that others write"},
    {.name = "dn_racy_2x2", DN, TWO, ONE_LINE, .data = 3, .sync = 3, .entries = 2, .racy = 1, .rmw_only = 1, .what = "DeNovo, any program, structure only"},
    {.name = "dn_racy_3x1", DN, THREE, ONE_WORD, .data = 1, .sync = 1, .entries = 2, .racy = 1, .reload = 1, .rmw_only = 1, .what = "DeNovo, any program, 3 L1s"},
    {.name = "dn_sync_3x1", DN, THREE, ONE_WORD, .sync = 1, .entries = 1, .racy = 1, .reload = 1, .what = "DeNovo, synchronization word, 3 L1s"},
    {.name = "dn_sync_2x2", DN, TWO, ONE_LINE, .sync = 3, .entries = 1, .racy = 1, .reload = 1, .what = "DeNovo, a line of two synchronization words"},
    {.name = "dn_ro", DN, TWO, FOUR, .data = 2, .ro = 1, .sync = 4, .entries = 2, .no_evict = 1, .ops = {OP(1, 0, 1, 0, 0), OP(1, 1, 0, 1, 0)}, .what = "DD+RO: a read-only word beside another"},
    {.name = "dn_cap1_2x2", DN, TWO, ONE_LINE, .data = 1, .sync = 3, .entries = 1, .racy = 1, .rmw_only = 1, .cap = 1, .reload = 1, .what = "DeNovo, one message a network"},
    {.name = "dn_cap2_2x2", DN, TWO, ONE_LINE, .data = 3, .sync = 3, .entries = 1, .racy = 1, .rmw_only = 1, .cap = 2, .what = "DeNovo, two messages a network"},
    {.name = "dn_cap1_3x1", DN, THREE, ONE_WORD, .data = 1, .sync = 1, .entries = 1, .racy = 1, .rmw_only = 1, .cap = 1, .reload = 1, .what = "DeNovo, 3 L1s, one message a network"},
    {.name = "dh_2x1", DN, PAIR, ONE_WORD, .data = 1, .sync = 1, .entries = 2, .scoped = 1, .rmw_only = 1, .reload = 1, .what = "DH: two threads in an L1, one in another"},
    {.name = "dh_2x2", DN, PAIR, ONE_LINE, .data = 1, .sync = 2, .entries = 1, .scoped = 1, .rmw_only = 1, .no_evict = 1, .what = "DH: a line: data, sync of both scopes"},
    {.name = "dh_racy", DN, PAIR, TWO_LINES, .data = 1, .sync = 3, .entries = 2, .scoped = 1, .racy = 1, .no_evict = 1, .ops = {0x80, 0x10, 0x11}, .tw = {1, 1, 3}, .what = "DH, any program, fills for local accesses"},
    {.name = "dh_ev", DN, PAIR, ONE_LINE, .sync = 3, .entries = 1, .scoped = 1, .rmw_only = 1, .ops = {0x90, 0x10, 0x90}, .what = "DH: a line of two sync words, evictions"},
    {.name = "gp_2x1", GP, TWO, ONE_WORD, .data = 1, .sync = 1, .entries = 2, .reload = 1, .what = "GPU, one word for both"},
    {.name = "gp_2x2", GP, TWO, ONE_LINE, .data = 1, .sync = 3, .entries = 2, .rmw_only = 1, .what = "GPU, a line: a word for both, a sync word"},
    {.name = "gp_2l", GP, TWO, TWO_LINES, .data = 1, .sync = 2, .entries = 1, .rmw_only = 1, .what = "GPU, data and sync in two banks"},
    {.name = "gp_3x2", GP, THREE, ONE_LINE, .data = 1, .sync = 2, .entries = 1, .rmw_only = 1, .what = "GPU, 3 L1s, a line: data, sync"},
    {.name = "gp_false", GP, TWO, FOUR, .data = 3, .sync = 4, .entries = 2, .no_evict = 1, .ops = {OP(1, 0, 1, 0, 0), OP(0, 1, 0, 1, 0)}, .what = "GPU, reader and writer, line of two words"},
    {.name = "gp_pair", GP, PAIR, FOUR, .data = 3, .sync = 4, .entries = 2, .no_evict = 1, .ops = {OP(1, 0, 0, 0, 0), OP(0, 1, 0, 1, 0), OP(1, 0, 1, 0, 0)}, .tw = {2, 5, 5}, .what = "GPU, a load joins the fill of another thread"},
    {.name = "gp_at", GP, PAIR, ONE_LINE, .data = 3, .sync = 1, .entries = 2, .no_evict = 1, .ops = {OP(1, 0, 0, 0, 0), OP(1, 0, 0, 0, 0), OP(1, 0, 0, 1, 0)}, .tw = {2, 1, 1}, .what = "GPU, a release store to a word of a fill"},
    {.name = "gh_2x1", GP, PAIR, ONE_WORD, .data = 1, .sync = 1, .entries = 2, .scoped = 1, .rmw_only = 1, .reload = 1, .what = "GH: two threads in an L1, one in another"},
    {.name = "gh_2x2", GP, PAIR, ONE_LINE, .data = 1, .sync = 2, .entries = 1, .scoped = 1, .rmw_only = 1, .no_evict = 1, .ops = {0x83, 0x13, 0x93}, .what = "GH: a line: data, sync; one thread hands on what it got"},
    {.name = "gp_cap", GP, TWO, ONE_LINE, .data = 1, .sync = 3, .entries = 1, .racy = 1, .rmw_only = 1, .cap = 2, .what = "GPU, two messages a network"},
    {.name = "dn_rsp_unord", DN, TWO, ONE_LINE, .data = 1, .sync = 3, .entries = 2, .unord = 3, .reload = 1, .rmw_only = 1, .what = "DeNovo, responses unordered"},
    {.name = "dn_req_unord", DN, TWO, ONE_LINE, .data = 3, .sync = 3, .entries = 2, .unord = 4, .rmw_only = 1, .what = "DeNovo, requests and responses unordered"},
    {.name = "dn_all_unord", DN, TWO, ONE_LINE, .data = 1, .sync = 3, .entries = 2, .unord = 1, .reload = 1, .rmw_only = 1, .expect_bad = 1, .what = "DeNovo, no order at all"},
    {.name = "gp_rsp_unord", GP, TWO, ONE_LINE, .data = 1, .sync = 3, .entries = 2, .unord = 3, .rmw_only = 1, .what = "GPU, responses unordered"},
    {.name = "gp_all_unord", GP, TWO, ONE_LINE, .data = 3, .sync = 3, .entries = 2, .unord = 1, .rmw_only = 1, .expect_bad = 1, .what = "GPU, no order at all"},
};
enum { CONFIGS = sizeof configs / sizeof configs[0] };

/* Each seeded bug and a configuration that finds it. */
static const struct { const char *name, *config; } bugs[BUG_NUM] = {
    [BUG_FILL_SURVIVES_ACQUIRE] = {"fill_survives_acquire", "dn_false"},
    [BUG_MERGE_OLD] = {"merge_old", "gp_pair"},
    [BUG_WBACK_OVERTAKES] = {"wback_overtakes", "dn_2x1"},
    [BUG_ACK_BEFORE_INVALIDATE] = {"ack_before_invalidate", "dn_2l"},
    [BUG_FORWARD_NOT_QUEUED] = {"forward_not_queued", "dn_2x1"},
    [BUG_STALE_WB_TAKEN] = {"stale_wb_taken", "dn_2x1"},
    [BUG_NO_WB_BUFFER] = {"no_wb_buffer", "dn_2x1"},
    [BUG_ACCESS_DURING_WB] = {"access_during_wb", "dn_2x1"},
    [BUG_FILL_OVER_DIRTY] = {"fill_over_dirty", "dn_2x2"},
    [BUG_NO_SKIP] = {"no_skip", "dn_3p"},
    [BUG_ACQUIRE_EARLY] = {"acquire_early", "gp_pair"},
    [BUG_RELEASE_AT_SEND] = {"release_at_send", "gp_2l"},
    [BUG_ACQUIRE_DROPS_OWN] = {"acquire_drops_own", "dn_2x1"},
    [BUG_ACQUIRE_KEEPS_VALID] = {"acquire_keeps_valid", "dn_false"},
    [BUG_ONE_WAITER_A_LINE] = {"one_waiter_a_line", "dn_racy_2x2"},
    [BUG_L2_DATA_OF_OWNED] = {"l2_data_of_owned", "dn_2l"},
    [BUG_NACK_LOST] = {"nack_lost", "dn_2x1"},
    [BUG_L2_EVICTS_OWNED] = {"l2_evicts_owned", "dn_2x1"},
    [BUG_TWO_REGISTRANTS] = {"two_registrants", "dn_2x1"},
    [BUG_PASS_FIRST] = {"pass_first", "dn_2x1"},
    [BUG_NO_WAR_GUARD] = {"no_war_guard", "dn_2x1"},
    [BUG_PAYLOAD_OVER_OWN] = {"payload_over_own", "dn_2x1"},
    [BUG_PASS_BLOCKS_RSP] = {"pass_blocks_rsp", "dn_cap2_2x2"},
    [BUG_WB_WAITS_FOR_ACK_ROOM] = {"wb_waits_for_ack_room", "dn_cap1_2x2"},
    [BUG_AT_KEEPS_COPY] = {"at_keeps_copy", "gp_2x1"},
    [BUG_AT_PASSES_DIRTY] = {"at_passes_dirty", "gp_2x1"},
    [BUG_AT_NO_SKIP] = {"at_no_skip", "gp_at"},
    [BUG_EVICT_LOSES_DIRTY] = {"evict_loses_dirty", "gp_2x1"},
    [BUG_RELEASE_OWN_ONLY] = {"release_own_only", "gh_2x2"},
    [BUG_GLOBAL_AS_LOCAL] = {"global_as_local", "gh_2x2"},
    [BUG_RO_BONUS] = {"ro_bonus", "dn_ro"},
    [BUG_RECALL_WAITER_LOST] = {"recall_waiter_lost", "dn_2x1"},
    [BUG_L2_LOCK] = {"l2_lock", "dn_2x2_ev"},
    [BUG_PIN] = {"pin", "dn_2x2_ev"},
    [BUG_LOCAL_ON_MISS_ZERO] = {"local_on_miss_zero", "gh_2x1"},
    [BUG_WB_NO_MERGE] = {"wb_no_merge", "dn_2x1"},
    [BUG_FWD_IN_REQ_ORDER] = {"fwd_out_of_order", "dn_racy_2x2"},
    [BUG_LOAD_BESIDE_LOCAL] = {"load_beside_local", "dh_racy"},
    [BUG_LOCAL_UNPINNED] = {"local_unpinned", "dh_ev"},
};

static int proof(const struct cfg *g, u64 limit)
{
    double seconds;
    c = *g;
    bool ok = search(limit, false, &seconds);
    bool good = g->expect_bad ? !ok : ok && err == NULL;
    printf("%-14s %-53s %8u states %5.1f s  channels %u %u %u  %s%s%s\n", g->name, g->what, count, seconds,
           longest[VREQ], longest[VFWD], longest[VRSP], good ? "as expected: " : "WRONG: ", ok ? (err == NULL ? "proved" : "undecided") : "broken, ",
           ok ? "" : err);
    fflush(stdout);
    return good ? 0 : 1;
}
static const struct cfg *find(const char *name)
{
    for (unsigned i = 0; i < CONFIGS; i++)
        if (strcmp(configs[i].name, name) == 0)
            return &configs[i];
    fprintf(stderr, "no configuration %s\n", name);
    exit(2);
}
/* Random walks over configurations too large to search: a sample, not a proof. */
static const struct cfg wide[] = {
    {.name = "w_dn", DN, THREE, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .what = "DeNovo, 3 L1s, 2 lines of 2 words"},
    {.name = "w_dn_racy", DN, PAIR, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .racy = 1, .cap = 3, .what = "DeNovo, any program, 3 messages a network"},
    {.name = "w_dn_unord", DN, THREE, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .unord = 4, .what = "DeNovo, REQ and RESP unordered"},
    {.name = "w_dh", DN, PAIR, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .scoped = 1, .what = "DH, 2 threads in an L1, 1 in another"},
    {.name = "w_dh_racy", DN, PAIR, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .scoped = 1, .racy = 1, .what = "DH, any program"},
    {.name = "w_dh_unord", DN, PAIR, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .scoped = 1, .racy = 1, .unord = 4, .what = "DH, any program, REQ and RESP unordered"},
    {.name = "w_gp", GP, THREE, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .what = "GPU, 3 L1s, 2 lines of 2 words"},
    {.name = "w_gh", GP, PAIR, FOUR, .data = 15, .sync = 15, .entries = 2, .reload = 1, .scoped = 1, .what = "GH, 2 threads in an L1, 1 in another"},
};
static u64 dice = 1;
static u32 roll(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (u32)(dice >> 32);
}
static int walk(const struct cfg *g, u64 steps)
{
    static u16 path[2000];
    struct state s, n;
    unsigned length = 0;
    u64 done = 0, walks = 0;
    clock_t begin = clock();

    c = *g;
    err = NULL;
    while (done < steps && err == NULL) {
        initial(&s);
        walks++;
        for (unsigned i = 0; i < 2000 && err == NULL; i++) {
            bool moved = false;
            unsigned busy = 0;
            for (unsigned t = 0; t < c.threads; t++)
                busy += s.t[t].ph != IDLE;
            for (unsigned tries = 0; tries < 400 && !moved && err == NULL; tries++) {
                /* evictions, drains and new operations are drawn less often than messages */
                unsigned k = roll() % 4 == 0 ? roll() % K_GO : roll() % 4 == 0 ? K_GO + roll() % (K_MSG - K_GO) :
                             s.nm && roll() % 4 ? K_MSG + roll() % s.nm : K_LINE + roll() % (K_NUM - K_LINE);
                if ((k >= K_MSG + (unsigned)s.nm && k < K_LINE) || (k < K_GO && s.nm > NM - 5) ||
                    (k >= K_LINE && k < K_EMIT && s.lst[k - K_LINE] == 1 && roll() % 8))
                    continue;
                n = s;
                path[i] = (u16)k;
                length = i + 1;
                if (step(&n, k) != 1)
                    continue;
                moved = true;
            }
            if (err != NULL)
                break;
            if (!moved) {
                if (busy == c.threads)
                    drains(&s);
                break;
            }
            canon(&n);
            invariants(&n);
            if (i % 16 == 0 && err == NULL)
                drains(&n);
            s = n;
            done++;
        }
        if (err != NULL && strncmp(err, "more messages", 13) == 0)
            err = NULL;
    }
    if (err != NULL) {
        const char *keep = err;
        initial(&s);
        for (unsigned i = 0; i < length; i++) {
            printf("    ");
            print_step(&s, path[i]);
            step(&s, path[i]);
            canon(&s);
        }
        err = keep;
    }
    printf("walk %-10s %-44s %10llu steps %6llu walks %6.1f s  %s\n", g->name, g->what, (unsigned long long)done,
           (unsigned long long)walks, (double)(clock() - begin) / CLOCKS_PER_SEC, err == NULL ? "nothing found" : err);
    fflush(stdout);
    return err != NULL;
}
static int seeded(int b, u64 limit)
{
    double seconds;
    c = *find(bugs[b].config);
    bug = b;
    bool ok = search(limit, false, &seconds);
    bug = BUG_NONE;
    printf("bug %2d %-24s %-12s %10u states %6.1f s  %s%s\n", b, bugs[b].name, bugs[b].config, count, seconds,
           ok ? "NOT FOUND" : "found: ", ok ? "" : err);
    fflush(stdout);
    return ok;
}
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    u64 limit = argc > 3 ? strtoull(argv[3], NULL, 10) : 30000000;
    int bad = 0;

    if (strcmp(what, "list") == 0) {
        for (unsigned i = 0; i < CONFIGS; i++)
            printf("%-14s %s\n", configs[i].name, configs[i].what);
        for (int b = 1; b < BUG_NUM; b++)
            printf("bug %2d %-24s %s\n", b, bugs[b].name, bugs[b].config);
        return 0;
    }
    most = 30000000;
    seen_size = 1u << 26;
    seen = calloc(seen_size, sizeof *seen);
    logs = malloc(most * sizeof *logs);
    if (seen == NULL || logs == NULL) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    bool all = strcmp(what, "all") == 0;
    if (all || strcmp(what, "proofs") == 0)
        for (unsigned i = 0; i < CONFIGS; i++)
            bad += proof(&configs[i], limit);
    if (all || strcmp(what, "walks") == 0)
        for (unsigned i = 0; i < sizeof wide / sizeof wide[0]; i++)
            bad += walk(&wide[i], argc > 2 ? strtoull(argv[2], NULL, 10) : 3000000);
    if (all || strcmp(what, "bugs") == 0)
        for (int b = 1; b < BUG_NUM; b++)
            bad += seeded(b, limit);
    if (!all && strcmp(what, "proofs") != 0 && strcmp(what, "walks") != 0 && strcmp(what, "bugs") != 0) {
        double seconds;
        c = *find(what);
        if (argc > 2)
            bug = atoi(argv[2]);
        bool ok = search(limit, true, &seconds);
        printf("%s bug %d: %u states %.1f s, channels %u %u %u: %s\n", what, bug, count, seconds, longest[VREQ],
               longest[VFWD], longest[VRSP], err == NULL ? "proved" : err);
        bad = !ok;
    }
    return bad != 0;
}
