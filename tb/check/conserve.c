/* conserve.c - see conserve.h. */
#include "check/conserve.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Where the verdict goes. Only the first failure is kept. */
struct verdict {
    char *why;
    size_t size;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void fail(struct verdict *v, const char *format, ...)
{
    va_list args;

    if (v->failed)
        return;
    v->failed = true;
    va_start(args, format);
    vsnprintf(v->why, v->size, format, args);
    va_end(args);
}

static void same(struct verdict *v, const char *where, unsigned number, const char *left_name, uint64_t left,
                 const char *right_name, uint64_t right)
{
    if (left != right)
        fail(v, "%s %u: %" PRIu64 " %s, %" PRIu64 " %s", where, number, left, left_name, right, right_name);
}

/* ---- packets ---------------------------------------------------------------------------------------------- */

#define KIND(k) (UINT32_C(1) << (k))
static const uint32_t REQUESTS = KIND(HD_MSG_GETS) | KIND(HD_MSG_GETM) | KIND(HD_MSG_UPG);
static const uint32_t GRANTS = KIND(HD_MSG_DATA_S) | KIND(HD_MSG_DATA_E) | KIND(HD_MSG_DATA_M) | KIND(HD_MSG_ACK_M);
static const uint32_t WRITES = KIND(HD_MSG_WT) | KIND(HD_MSG_ATOMIC);
static const uint32_t WRITE_ANSWERS = KIND(HD_MSG_WT_ACK) | KIND(HD_MSG_AT_DATA);
static const uint32_t FETCHES = KIND(HD_MSG_FETCH) | KIND(HD_MSG_FETCH_INV);
static const uint32_t FETCH_ANSWERS = KIND(HD_MSG_RSP_DATA) | KIND(HD_MSG_RSP_CLEAN) | KIND(HD_MSG_RSP_NONE);

static const uint32_t TYPE_CHANGES = KIND(HD_MSG_TYPE_INV) | KIND(HD_MSG_TYPE_RECALL);

static uint64_t heads(const struct hd_link *l, uint32_t kinds)
{
    uint64_t n = 0;

    for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++)
        if (kinds >> kind & 1)
            n += l->heads[kind];
    return n;
}

static void through_crossbar(struct verdict *v, const char *which, const struct hd_link *in, unsigned ins,
                             const struct hd_link *out, unsigned outs)
{
    for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
        uint64_t went_in = 0, came_out = 0;
        for (unsigned i = 0; i < ins; i++)
            went_in += in[i].heads[kind];
        for (unsigned o = 0; o < outs; o++)
            came_out += out[o].heads[kind];
        if (went_in != came_out)
            fail(v, "%s crossbar: %" PRIu64 " %s packets went in, %" PRIu64 " came out", which, went_in,
                 hd_msg_name(kind), came_out);
    }
}

static void link_rules(struct verdict *v, const char *from, const char *to, const struct hd_link *links, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (hd_link_fault(&links[i]) != NULL)
            fail(v, "link %u from %s to %s: %s", i, from, to, hd_link_fault(&links[i]));
}

static void link_empty(struct verdict *v, const char *from, const char *to, const struct hd_link *links, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct hd_link *l = &links[i];
        for (unsigned vn = 0; vn < l->num_vn; vn++) {
            if (l->kind[vn] != HD_MSG_NONE)
                fail(v, "link %u from %s to %s: network %u: a %s packet lacks its last %u flits", i, from, to, vn,
                     hd_msg_name(l->kind[vn]), l->left[vn]);
            if (l->held[vn] != 0)
                fail(v, "link %u from %s to %s: network %u: %u of %u credits not home", i, from, to, vn,
                     (unsigned)l->held[vn], l->depth);
        }
        if (!hd_link_empty(l))
            fail(v, "link %u from %s to %s: flits or credits under way", i, from, to);
    }
}

/* ---- tiles ------------------------------------------------------------------------------------------------ */

/* Every warp-cycle has one cause. */
static void stalls_add_up(struct verdict *v, unsigned n, const struct hd_conserve_sm *s)
{
    const uint64_t *ev = s->events;
    uint64_t all = 0;

    for (unsigned cause = 0; cause < HD_STALL_NUM; cause++)
        all += s->stalls[cause];
    same(v, "SM", n, "warp-cycles", s->warp_cycles, "with a cause", all);
    same(v, "SM", n, "warp-cycles that issued", s->stalls[HD_STALL_ISSUED], "issue slots spent",
         ev[HD_EV_SM_ISSUE_ALU] + ev[HD_EV_SM_ISSUE_MEM] + ev[HD_EV_SM_ISSUE_CTL]);
}

static void sm_drained(struct verdict *v, unsigned n, const struct hd_conserve_sm *s, const struct hd_link *up,
                       const struct hd_link *down)
{
    const uint64_t *ev = s->events;
    uint64_t requests = heads(up, REQUESTS);

    same(v, "SM", n, "operations offered", s->offered, "taken", s->taken);
    if (s->stalls != NULL)
        stalls_add_up(v, n, s);
    same(v, "SM", n, "memory operations taken", s->memory, "completed", s->completed);
    same(v, "SM", n, "control operations taken", s->control, "done", s->done);
    if (!s->idle)
        fail(v, "SM %u: the tile is not idle", n);
    if (s->mshr_busy != 0)
        fail(v, "SM %u: %u MSHR entries in use", n, s->mshr_busy);
    if (s->pending)
        fail(v, "SM %u: its scoreboard holds loads or stores", n);
    if (!s->credits_home)
        fail(v, "SM %u: the tile lacks credits of its up link", n);
    same(v, "SM", n, "line accesses", ev[HD_EV_SM_ACCESS], "hits, misses, merges, write-throughs and rejects",
         ev[HD_EV_SM_HIT] + ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE] + ev[HD_EV_SM_WT] + ev[HD_EV_SM_REJECT]);
    same(v, "SM", n, "rejects", ev[HD_EV_SM_REJECT], "with a cause", ev[HD_EV_SM_REJ_ENTRY] + ev[HD_EV_SM_REJ_MERGE]
         + ev[HD_EV_SM_REJ_CREDIT] + ev[HD_EV_SM_REJ_QUEUE] + ev[HD_EV_SM_REJ_LINE]);
    same(v, "SM", n, "misses and merges", ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE], "replays", ev[HD_EV_SM_REPLAY]);
    same(v, "SM", n, "type requests sent", heads(up, KIND(HD_MSG_TYPE_REQ)), "answered",
         heads(down, KIND(HD_MSG_TYPE_REP)));
    same(v, "SM", n, "sectors invalidated or recalled", heads(down, TYPE_CHANGES), "acknowledged",
         heads(up, KIND(HD_MSG_TYPE_ACK)));
    same(v, "SM", n, "requests sent", requests, "grants received", heads(down, GRANTS));
    same(v, "SM", n, "fills and lost copies", ev[HD_EV_SM_FILL] + ev[HD_EV_SM_LOST_COPY], "requests sent", requests);
    same(v, "SM", n, "write-throughs", ev[HD_EV_SM_WT], "sent", heads(up, WRITES));
    same(v, "SM", n, "write-throughs", ev[HD_EV_SM_WT], "answered", heads(down, WRITE_ANSWERS));
    same(v, "SM", n, "upgrades", ev[HD_EV_SM_UPGRADE], "UPG packets", heads(up, KIND(HD_MSG_UPG)));
    same(v, "SM", n, "dirty evictions", ev[HD_EV_SM_EVICT_DIRTY], "PUTM packets", heads(up, KIND(HD_MSG_PUTM)));
    same(v, "SM", n, "invalidations received", heads(down, KIND(HD_MSG_INV)), "acknowledged",
         heads(up, KIND(HD_MSG_INV_ACK)));
    same(v, "SM", n, "invalidations served", ev[HD_EV_SM_INV], "received", heads(down, KIND(HD_MSG_INV)));
    same(v, "SM", n, "fetches received", heads(down, FETCHES), "answered", heads(up, FETCH_ANSWERS));
    same(v, "SM", n, "fetches served", ev[HD_EV_SM_FETCH], "received", heads(down, FETCHES));
}

static void l2_drained(struct verdict *v, unsigned n, const struct hd_conserve_l2 *l, const struct hd_link *up,
                       const struct hd_link *down)
{
    const uint64_t *ev = l->events;
    uint64_t requests = ev[HD_EV_L2_GETS] + ev[HD_EV_L2_GETM] + ev[HD_EV_L2_UPG] + ev[HD_EV_L2_WT] + ev[HD_EV_L2_ATOMIC];

    if (!l->idle)
        fail(v, "L2 %u: the tile is not idle", n);
    if (!l->memory_idle)
        fail(v, "L2 %u: its memory channel still holds requests, answers or credits", n);
    same(v, "L2", n, "requests accepted", requests, "hits, misses and chained",
         ev[HD_EV_L2_HIT] + ev[HD_EV_L2_MISS] + ev[HD_EV_L2_CHAINED]);
    same(v, "L2", n, "requests received", heads(up, REQUESTS | WRITES), "accepted", requests);
    same(v, "L2", n, "atomics received", heads(up, KIND(HD_MSG_ATOMIC)), "accepted", ev[HD_EV_L2_ATOMIC]);
    same(v, "L2", n, "requests accepted", requests, "granted", ev[HD_EV_L2_GRANT]);
    same(v, "L2", n, "grants made", ev[HD_EV_L2_GRANT], "sent", heads(down, GRANTS | WRITE_ANSWERS));
    same(v, "L2", n, "atomics accepted", ev[HD_EV_L2_ATOMIC], "answered", heads(down, KIND(HD_MSG_AT_DATA)));
    same(v, "L2", n, "invalidations made", ev[HD_EV_L2_INV_SENT], "sent", heads(down, KIND(HD_MSG_INV)));
    same(v, "L2", n, "invalidations sent", heads(down, KIND(HD_MSG_INV)), "acknowledged",
         heads(up, KIND(HD_MSG_INV_ACK)));
    same(v, "L2", n, "fetches made", ev[HD_EV_L2_FETCH_SENT], "sent", heads(down, FETCHES));
    same(v, "L2", n, "fetches sent", heads(down, FETCHES), "answered", heads(up, FETCH_ANSWERS));
    same(v, "L2", n, "writebacks counted", ev[HD_EV_L2_PUTM], "received", heads(up, KIND(HD_MSG_PUTM)));
    same(v, "L2", n, "clean give-backs counted", ev[HD_EV_L2_PUTE], "received", heads(up, KIND(HD_MSG_PUTE)));
    same(v, "L2", n, "type requests received", heads(up, KIND(HD_MSG_TYPE_REQ)), "taken from the queue",
         ev[HD_EV_L2_TYPE_REQ]);
    same(v, "L2", n, "type requests received", heads(up, KIND(HD_MSG_TYPE_REQ)), "answered",
         heads(down, KIND(HD_MSG_TYPE_REP)));
    same(v, "L2", n, "memory reads counted", ev[HD_EV_L2_MEM_READ], "received", l->mem_reads);
    same(v, "L2", n, "memory writes counted", ev[HD_EV_L2_MEM_WRITE], "received", l->mem_writes);
    same(v, "L2", n, "memory reads received", l->mem_reads, "answered", l->mem_answers);
}

/* ---- interface -------------------------------------------------------------------------------------------- */

bool hd_conserve_rules(const struct hd_conserve *c, char *why, size_t size)
{
    struct verdict v = {.why = why, .size = size};

    link_rules(&v, "SM", "crossbar", c->up_sm, c->sms);
    link_rules(&v, "crossbar", "L2", c->up_part, c->parts);
    link_rules(&v, "L2", "crossbar", c->down_part, c->parts);
    link_rules(&v, "crossbar", "SM", c->down_sm, c->sms);
    for (unsigned i = 0; i < c->sms; i++)
        if (c->sm[i].fault != NULL)
            fail(&v, "SM %u: warp port: %s", i, c->sm[i].fault);
    if (c->memory_fault != NULL)
        fail(&v, "memory: %s", c->memory_fault);
    for (unsigned i = 0; i < c->parts; i++)
        if (c->l2[i].fault != NULL)
            fail(&v, "L2 %u: memory port: %s", i, c->l2[i].fault);
    return !v.failed;
}

bool hd_conserve_drained(const struct hd_conserve *c, char *why, size_t size)
{
    struct verdict v = {.why = why, .size = size};

    if (!hd_conserve_rules(c, why, size))
        return false;
    for (unsigned i = 0; i < c->sms; i++)
        sm_drained(&v, i, &c->sm[i], &c->up_sm[i], &c->down_sm[i]);
    link_empty(&v, "SM", "crossbar", c->up_sm, c->sms);
    link_empty(&v, "crossbar", "L2", c->up_part, c->parts);
    link_empty(&v, "L2", "crossbar", c->down_part, c->parts);
    link_empty(&v, "crossbar", "SM", c->down_sm, c->sms);
    if (!c->up_idle || !c->down_idle)
        fail(&v, "the %s crossbar is not idle", c->up_idle ? "down" : "up");
    if (c->parts > 0) {
        through_crossbar(&v, "up", c->up_sm, c->sms, c->up_part, c->parts);
        through_crossbar(&v, "down", c->down_part, c->parts, c->down_sm, c->sms);
    }
    for (unsigned i = 0; i < c->parts; i++)
        l2_drained(&v, i, &c->l2[i], &c->up_part[i], &c->down_part[i]);
    return !v.failed;
}
