/* conserve.c - see conserve.h. */
#include "check/conserve.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static void fail(struct hd_verdict *v, const char *format, ...)
{
    va_list args;

    if (v->failed)
        return;
    v->failed = true;
    va_start(args, format);
    vsnprintf(v->why, v->size, format, args);
    va_end(args);
}

static void same(struct hd_verdict *v, const char *where, const char *left_name, uint64_t left,
                 const char *right_name, uint64_t right)
{
    if (left != right)
        fail(v, "%s: %" PRIu64 " %s, %" PRIu64 " %s", where, left, left_name, right, right_name);
}

/* ---- packets ---------------------------------------------------------------------------------------------- */

#define KIND(k) (UINT64_C(1) << (k))
static const uint64_t REQUESTS = KIND(HD_MSG_GETS) | KIND(HD_MSG_GETM) | KIND(HD_MSG_UPG);
static const uint64_t GRANTS = KIND(HD_MSG_DATA_S) | KIND(HD_MSG_DATA_E) | KIND(HD_MSG_DATA_M) | KIND(HD_MSG_ACK_M);
static const uint64_t WRITES = KIND(HD_MSG_WT) | KIND(HD_MSG_ATOMIC);
static const uint64_t WRITE_ANSWERS = KIND(HD_MSG_WT_ACK) | KIND(HD_MSG_AT_DATA);
static const uint64_t FETCHES = KIND(HD_MSG_FETCH) | KIND(HD_MSG_FETCH_INV);

static uint64_t heads(const struct hd_link *l, uint64_t kinds)
{
    uint64_t n = 0;

    for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++)
        if (kinds >> kind & 1)
            n += l->heads[kind];
    return n;
}

/* What was sent over @ask is answered over @answer: all messages that share an answer together. @buffered: most markers of persist
 * barriers are not. */
static void answered(struct hd_verdict *v, const char *tile, const struct hd_link *ask, const struct hd_link *answer, bool buffered)
{
    uint64_t done = 0;

    for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
        uint64_t asks = 0, answers = hd_msg(kind)->answers;
        if (done >> kind & 1)
            continue;
        for (unsigned other = kind; other < HD_LINK_KINDS; other++) {
            if (hd_msg(other)->answers & answers) {
                asks |= KIND(other);
                answers |= hd_msg(other)->answers;
            }
        }
        done |= asks;
        if (buffered && asks == KIND(HD_MSG_PMARK) && heads(ask, asks) >= heads(answer, answers))
            continue;
        if (heads(ask, asks) != heads(answer, answers))
            fail(v, "%s: %" PRIu64 " packets like %s, %" PRIu64 " answers", tile, heads(ask, asks),
                 hd_msg_name(kind), heads(answer, answers));
    }
}

void hd_conserve_link(struct hd_verdict *v, const char *link, const struct hd_link *l)
{
    if (hd_link_fault(l) != NULL)
        fail(v, "%s: %s", link, hd_link_fault(l));
}

void hd_conserve_empty(struct hd_verdict *v, const char *link, const struct hd_link *l)
{
    for (unsigned vn = 0; vn < l->num_vn; vn++) {
        if (l->kind[vn] != HD_MSG_NONE)
            fail(v, "%s: network %u: a %s packet lacks its last %u flits", link, vn, hd_msg_name(l->kind[vn]),
                 l->left[vn]);
        if (l->held[vn] != 0)
            fail(v, "%s: network %u: %u of %u credits not home", link, vn, (unsigned)l->held[vn], l->depth);
    }
    if (!hd_link_empty(l))
        fail(v, "%s: flits or credits under way", link);
}

/* ---- tiles ------------------------------------------------------------------------------------------------ */

/* Every warp-cycle has one cause. */
static void stalls_add_up(struct hd_verdict *v, const char *tile, const struct hd_conserve_sm *s)
{
    const uint64_t *ev = s->events;
    uint64_t all = 0;

    for (unsigned cause = 0; cause < HD_STALL_NUM; cause++)
        all += s->stalls[cause];
    same(v, tile, "warp-cycles", s->warp_cycles, "with a cause", all);
    same(v, tile, "warp-cycles that issued", s->stalls[HD_STALL_ISSUED], "issue slots spent",
         ev[HD_EV_SM_ISSUE_ALU] + ev[HD_EV_SM_ISSUE_MEM] + ev[HD_EV_SM_ISSUE_CTL]);
}

/* Of DENOVO: what two tiles settle between them alone. The words are asked for and answered by several. */
static void answered_words(struct hd_verdict *v, const char *tile, const struct hd_link *ask, const struct hd_link *answer)
{
    same(v, tile, "WB packets", heads(ask, KIND(HD_MSG_WB)), "WB_ACK", heads(answer, KIND(HD_MSG_WB_ACK)));
}

/* An NVW-FIFO of @entries: lines that left it had entered, and those that did not leave are within; what it wrote is part of all
 * that was written. */
static void nvw_fifo(struct hd_verdict *v, const char *tile, unsigned entries, uint64_t in, uint64_t wrote, uint64_t stale,
                     uint64_t written)
{
    if (in < wrote + stale || in - wrote - stale > entries)
        fail(v, "%s: NVW-FIFO of %u entries: %" PRIu64 " lines in, %" PRIu64 " out", tile, entries, in, wrote + stale);
    if (wrote > written)
        fail(v, "%s: NVW-FIFO: %" PRIu64 " lines written, of %" PRIu64 " in all", tile, wrote, written);
}

void hd_conserve_sm(struct hd_verdict *v, const char *tile, const struct hd_conserve_sm *s)
{
    const struct hd_link *up = s->up, *down = s->down;
    const uint64_t *ev = s->events;
    uint64_t requests = heads(up, REQUESTS);

    same(v, tile, "operations offered", s->offered, "taken", s->taken);
    if (s->words) {
        answered_words(v, tile, up, down);
        same(v, tile, "writebacks made", ev[HD_EV_SM_WB], "sent", heads(up, KIND(HD_MSG_WB)));
        same(v, tile, "registrations made", ev[HD_EV_SM_REG], "sent", heads(up, KIND(HD_MSG_REG)));
        same(v, tile, "forwarded reads refused", ev[HD_EV_SM_NACK], "NACK packets", heads(up, KIND(HD_MSG_NACK)));
        same(v, tile, "fills", ev[HD_EV_SM_FILL], "DATA packets", heads(down, KIND(HD_MSG_DATA_S)));
    } else {
        answered(v, tile, up, down, s->buffered);
        answered(v, tile, down, up, s->buffered);
        same(v, tile, "fills and lost copies", ev[HD_EV_SM_FILL] + ev[HD_EV_SM_LOST_COPY], "requests sent", requests);
    }
    if (s->stalls != NULL)
        stalls_add_up(v, tile, s);
    same(v, tile, "memory operations taken", s->memory, "completed", s->completed);
    same(v, tile, "control operations taken", s->control, "done", s->done);
    if (!s->idle)
        fail(v, "%s: the tile is not idle", tile);
    if (s->mshr_busy != 0)
        fail(v, "%s: %u MSHR entries in use", tile, s->mshr_busy);
    if (s->pending)
        fail(v, "%s: its scoreboard holds loads or stores", tile);
    if (!s->credits_home)
        fail(v, "%s: the tile lacks credits of its up link", tile);
    same(v, tile, "line accesses", ev[HD_EV_SM_ACCESS], "hits, misses, merges, write-throughs and rejects",
         ev[HD_EV_SM_HIT] + ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE] + ev[HD_EV_SM_WT] + ev[HD_EV_SM_REJECT]);
    same(v, tile, "rejects", ev[HD_EV_SM_REJECT], "with a cause", ev[HD_EV_SM_REJ_ENTRY] + ev[HD_EV_SM_REJ_MERGE]
         + ev[HD_EV_SM_REJ_CREDIT] + ev[HD_EV_SM_REJ_QUEUE] + ev[HD_EV_SM_REJ_LINE]);
    same(v, tile, "misses and merges", ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE], "replays", ev[HD_EV_SM_REPLAY]);
    same(v, tile, "write-throughs", ev[HD_EV_SM_WT] + ev[HD_EV_SM_WT_DIRTY], "sent", heads(up, WRITES));
    same(v, tile, "upgrades", ev[HD_EV_SM_UPGRADE], "UPG packets", heads(up, KIND(HD_MSG_UPG)));
    same(v, tile, "dirty evictions", ev[HD_EV_SM_EVICT_DIRTY], "PUTM packets", heads(up, KIND(HD_MSG_PUTM)));
    same(v, tile, "invalidations served", ev[HD_EV_SM_INV], "received", heads(down, KIND(HD_MSG_INV)));
    same(v, tile, "fetches served", ev[HD_EV_SM_FETCH], "received", heads(down, FETCHES));
    nvw_fifo(v, tile, s->nvw_entries, ev[HD_EV_SM_NVW_PUSH], ev[HD_EV_SM_NVW_POP], ev[HD_EV_SM_NVW_STALE],
             ev[HD_EV_SM_WT_DIRTY]);
}

void hd_conserve_l2(struct hd_verdict *v, const char *tile, const struct hd_conserve_l2 *l)
{
    const struct hd_link *up = l->up, *down = l->down;
    const uint64_t *ev = l->events;
    uint64_t requests = ev[HD_EV_L2_GETS] + ev[HD_EV_L2_GETM] + ev[HD_EV_L2_UPG] + ev[HD_EV_L2_WT] + ev[HD_EV_L2_ATOMIC]
                        + ev[HD_EV_L2_REG];

    if (l->words) {
        answered_words(v, tile, up, down);
        same(v, tile, "registrations received", heads(up, KIND(HD_MSG_REG)), "accepted", ev[HD_EV_L2_REG]);
        same(v, tile, "writebacks received", heads(up, KIND(HD_MSG_WB)), "counted", ev[HD_EV_L2_WB]);
    } else {
        answered(v, tile, up, down, l->buffered);
        answered(v, tile, down, up, l->buffered);
        same(v, tile, "requests accepted", requests, "granted", ev[HD_EV_L2_GRANT]);
        same(v, tile, "grants made", ev[HD_EV_L2_GRANT], "sent", heads(down, GRANTS | WRITE_ANSWERS));
    }
    if (!l->idle)
        fail(v, "%s: the tile is not idle", tile);
    if (!l->memory_idle)
        fail(v, "%s: its memory channel still holds requests, answers or credits", tile);
    same(v, tile, "requests accepted", requests, "hits, misses and chained",
         ev[HD_EV_L2_HIT] + ev[HD_EV_L2_MISS] + ev[HD_EV_L2_CHAINED]);
    same(v, tile, "requests received", heads(up, REQUESTS | WRITES | KIND(HD_MSG_REG)), "accepted", requests);
    same(v, tile, "atomics received", heads(up, KIND(HD_MSG_ATOMIC)), "accepted", ev[HD_EV_L2_ATOMIC]);
    same(v, tile, "invalidations made", ev[HD_EV_L2_INV_SENT], "sent", heads(down, KIND(HD_MSG_INV)));
    same(v, tile, "fetches made", ev[HD_EV_L2_FETCH_SENT], "sent", heads(down, FETCHES));
    same(v, tile, "writebacks counted", ev[HD_EV_L2_PUTM], "received", heads(up, KIND(HD_MSG_PUTM)));
    same(v, tile, "clean give-backs counted", ev[HD_EV_L2_PUTE], "received", heads(up, KIND(HD_MSG_PUTE)));
    same(v, tile, "type requests received", heads(up, KIND(HD_MSG_TYPE_REQ)), "taken from the queue",
         ev[HD_EV_L2_TYPE_REQ]);
    same(v, tile, "memory reads counted", ev[HD_EV_L2_MEM_READ], "received", l->mem_reads);
    same(v, tile, "memory writes counted", ev[HD_EV_L2_MEM_WRITE], "received", l->mem_writes);
    same(v, tile, "memory reads received", l->mem_reads, "answered", l->mem_answers);
    nvw_fifo(v, tile, l->nvw_entries, ev[HD_EV_L2_NVW_PUSH], ev[HD_EV_L2_NVW_POP], ev[HD_EV_L2_NVW_STALE],
             ev[HD_EV_L2_MEM_WRITE]);
}

void hd_conserve_through(struct hd_verdict *v, const char *tile, bool idle, struct hd_link *const *in, unsigned ins,
                         struct hd_link *const *out, unsigned outs)
{
    if (!idle)
        fail(v, "the %s is not idle", tile);
    for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
        uint64_t went_in = 0, came_out = 0;
        for (unsigned i = 0; i < ins; i++)
            went_in += in[i]->heads[kind];
        for (unsigned o = 0; o < outs; o++)
            came_out += out[o]->heads[kind];
        if (went_in != came_out)
            fail(v, "%s: %" PRIu64 " %s packets went in, %" PRIu64 " came out", tile, went_in, hd_msg_name(kind),
                 came_out);
    }
    for (unsigned vn = 0; vn < HD_LINK_VNS; vn++) {
        uint64_t went_in = 0, came_out = 0;
        for (unsigned i = 0; i < ins; i++)
            went_in += in[i]->flits_on[vn];
        for (unsigned o = 0; o < outs; o++)
            came_out += out[o]->flits_on[vn];
        if (went_in != came_out)
            fail(v, "%s: %" PRIu64 " flits of network %s went in, %" PRIu64 " came out", tile, went_in,
                 hd_net_name(ins > 0 ? in[0]->net[vn] : out[0]->net[vn]), came_out);
    }
}

void hd_conserve_port(struct hd_verdict *v, const char *tile, const char *port, const char *fault)
{
    if (fault == NULL)
        return;
    if (port != NULL)
        fail(v, "%s: %s: %s", tile, port, fault);
    else
        fail(v, "%s: %s", tile, fault);
}

void hd_conserve_journal(struct hd_verdict *v, unsigned partition, uint32_t addr)
{
    fail(v, "the journal of partition %u says something else than the memory holds: line 0x%08" PRIx32, partition, addr);
}
