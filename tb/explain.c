/* explain.c - who waits for what, for a deadlock report. */
#include "machine_parts.h"
#include <inttypes.h>

static const char *op_name(unsigned kind)
{
#define NAME(name, value) [value] = #name,
    static const char *const names[] = {HD_OP_LIST(NAME)};
#undef NAME
    return kind < sizeof names / sizeof names[0] && names[kind] != NULL ? names[kind] : "?";
}

static void explain_op(const struct hd_machine *m, FILE *file, const struct hd_warp_op *op)
{
    fprintf(file, "%s", op_name(op->kind));
    if (op->lanes_asked > 0) {
        uint32_t line = op->addr / m->c.line_bytes;
        fprintf(file, ", first address 0x%08" PRIx32 " (line 0x%" PRIx32 ", partition %u), %d of %u lanes missing",
                op->addr, line, line & (m->c.partitions - 1), __builtin_popcount(op->lanes), op->lanes_asked);
    }
    fprintf(file, ", since cycle %" PRIu64 "\n", op->since);
}

static void explain_sm(const struct hd_machine *m, FILE *file, const struct hd_sm *s)
{
    uint64_t loads = hd_sm_loads_pending(s), stores = hd_sm_stores_pending(s);
    unsigned busy = hd_sm_mshr_busy(s);

    fprintf(file, "SM %u: %s; %u of %u MSHR entries in use%s%s%s\n", s->id, *s->tile.idle ? "idle" : "active", busy,
            s->mshr, hd_sm_pipe_waits(s) ? "; an access waits in front of the L1" : "",
            hd_sm_credits_home(s) ? "" : "; up credits missing", s->flushing ? "; flushing" : "");
    for (unsigned w = 0; w < s->warps; w++) {
        const struct hd_warp *warp = &s->warp[w];
        if (warp->buffer.active) {
            fprintf(file, "  warp %u waits to issue%s%s: ", w, loads >> w & 1 ? " (has pending loads)" : "",
                    stores >> w & 1 ? " (has pending stores)" : "");
            explain_op(m, file, &warp->buffer);
        }
        if (warp->control.active) {
            fprintf(file, "  warp %u waits for %s: ", w,
                    warp->control.kind == HD_OP_BARRIER ? "its block" : "its earlier operations");
            explain_op(m, file, &warp->control);
        }
        for (unsigned slot = 0; slot < s->slots; slot++) {
            if (warp->slot[slot].active) {
                fprintf(file, "  warp %u slot %u waits for memory: ", w, slot);
                explain_op(m, file, &warp->slot[slot]);
            }
        }
    }
}

/* What the tile owes and is owed, from the packets that went over its links. */
static void explain_l2(FILE *file, const struct hd_l2 *l)
{
    const uint64_t *ev = l->tile.events, *in = l->up_link->heads, *out = l->down_link->heads;
    uint64_t requests = ev[HD_EV_L2_GETS] + ev[HD_EV_L2_GETM] + ev[HD_EV_L2_UPG] - ev[HD_EV_L2_GRANT];
    uint64_t acks = out[HD_MSG_INV] - in[HD_MSG_INV_ACK];
    uint64_t fetches = out[HD_MSG_FETCH] + out[HD_MSG_FETCH_INV] - in[HD_MSG_RSP_DATA] - in[HD_MSG_RSP_CLEAN]
                       - in[HD_MSG_RSP_NONE];

    if (*l->tile.idle && requests == 0 && acks == 0 && fetches == 0 && hd_dram_idle(l->dram))
        return;
    fprintf(file, "L2 %u: %s; %" PRIu64 " requests accepted and not granted; waits for %" PRIu64
            " invalidation acks and %" PRIu64 " fetch answers; memory: %u requests queued, %u answers owed\n",
            l->id, *l->tile.idle ? "idle" : "active", requests, acks, fetches, hd_dram_queued(l->dram),
            hd_dram_unanswered(l->dram));
}

static void explain_link(FILE *file, const char *from, const char *to, unsigned number, const struct hd_link *l)
{
    if (hd_link_fault(l) != NULL)
        fprintf(file, "link %u %s -> %s: rule broken: %s\n", number, from, to, hd_link_fault(l));
    if (hd_link_empty(l))
        return;
    fprintf(file, "link %u %s -> %s: %u flits and %u credit pulses under way\n", number, from, to,
            (unsigned)(l->flits_sent - l->flits_got), (unsigned)(l->credits_sent - l->credits_got));
    for (unsigned vn = 0; vn < l->num_vn; vn++) {
        if (l->held[vn] == 0 && l->kind[vn] == HD_MSG_NONE)
            continue;
        fprintf(file, "  network %u: %u of %u credits away", vn, (unsigned)l->held[vn], l->depth);
        if (l->kind[vn] != HD_MSG_NONE)
            fprintf(file, "; %u flits of a %s packet not sent yet", l->left[vn], hd_msg_name(l->kind[vn]));
        fputc('\n', file);
    }
}

void hd_machine_explain(struct hd_machine *m, FILE *file)
{
    fprintf(file, "cycle %" PRIu64 ", last progress in cycle %" PRIu64 "\n", m->now, m->watchdog.progress);
    for (unsigned i = 0; i < m->c.sms; i++)
        if (!*m->sm[i].tile.idle || hd_sm_outstanding(&m->sm[i]) || hd_sm_mshr_busy(&m->sm[i]) > 0)
            explain_sm(m, file, &m->sm[i]);
    for (unsigned i = 0; i < m->parts; i++)
        explain_l2(file, &m->l2[i]);
    if (m->fixed != NULL)
        fprintf(file, "memory: %s\n", hd_fixed_idle(m->fixed) ? "idle" : "active");
    else
        fprintf(file, "crossbars: up %s, down %s\n", *m->up.tile.idle ? "idle" : "active",
            *m->down.tile.idle ? "idle" : "active");
    for (unsigned i = 0; i < m->c.sms; i++)
        explain_link(file, "SM", "crossbar", i, &m->up_sm[i]);
    for (unsigned i = 0; i < m->parts; i++)
        explain_link(file, "crossbar", "L2", i, &m->up_part[i]);
    for (unsigned i = 0; i < m->parts; i++)
        explain_link(file, "L2", "crossbar", i, &m->down_part[i]);
    for (unsigned i = 0; i < m->c.sms; i++)
        explain_link(file, "crossbar", "SM", i, &m->down_sm[i]);
}
