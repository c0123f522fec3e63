/* tile_xbar.c - see tile_xbar.h. */
#include "tile_xbar.h"
#include "tile_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINKS = 192, MAX_WORDS = MAX_LINKS * HD_LINK_VNS / 64 };

struct xbar {
    struct hd_tile tile;
    unsigned ins, outs, num_vn, flit_units;
    struct hd_tile_in in;       /* vectors over the links */
    struct hd_tile_out out;
    struct hd_link *in_link[MAX_LINKS], *out_link[MAX_LINKS];
};

/* ---- vectors over the links: of a small crossbar one word --------------------------------------------------- */

struct vector {
    uint64_t word[MAX_WORDS];
};

static inline void vector_clear(struct vector *v, const struct hd_pin *p)
{
    v->word[0] = 0;
    for (unsigned i = 1; i < (p->bytes + 7) / 8; i++)
        v->word[i] = 0;
}

static inline void vector_put(struct vector *v, unsigned lsb, unsigned width, uint64_t value)
{
    v->word[lsb / 64] |= value << lsb % 64;
    if (lsb % 64 + width > 64)
        v->word[lsb / 64 + 1] |= value >> (64 - lsb % 64);
}

static inline unsigned vector_get(const struct vector *v, unsigned lsb, unsigned width)
{
    uint64_t value = v->word[lsb / 64] >> lsb % 64;

    if (lsb % 64 + width > 64)
        value |= v->word[lsb / 64 + 1] << (64 - lsb % 64);
    return (unsigned)(value & ((UINT64_C(1) << width) - 1));
}

static inline void vector_drive(const struct vector *v, const struct hd_pin *p)
{
    if (p->bytes <= 8)
        pin_set(p, v->word[0]);
    else
        memcpy(p->at, v->word, p->bytes);
}

/* @return whether any bit is 1. */
static inline bool vector_read(struct vector *v, const struct hd_pin *p)
{
    uint64_t any;

    if (p->bytes <= 8)
        return (v->word[0] = pin_get(p)) != 0;
    v->word[(p->bytes - 1) / 8] = 0;
    memcpy(v->word, p->at, p->bytes);
    any = 0;
    for (unsigned i = 0; i < (p->bytes + 7) / 8; i++)
        any |= v->word[i];
    return any != 0;
}

/* ---- cycles ------------------------------------------------------------------------------------------------- */

static uint64_t xbar_input_due(const struct xbar *x)
{
    uint64_t due = HD_NEVER;

    for (unsigned i = 0; i < x->ins; i++)
        due = sooner(due, hd_link_due(x->in_link[i]));
    for (unsigned o = 0; o < x->outs; o++)
        due = sooner(due, hd_link_credit_due(x->out_link[o]));
    return due;
}

static void xbar_drive(struct xbar *x, uint64_t now)
{
    struct vector valid, vns, tails, credits;

    vector_clear(&valid, &x->in.valid);
    vector_clear(&vns, &x->in.vn);
    vector_clear(&tails, &x->in.tail);
    vector_clear(&credits, &x->out.credit);
    for (unsigned i = 0; i < x->ins; i++) {
        const struct hd_flit *f = hd_link_receive(x->in_link[i], now);
        if (f == NULL)
            continue;
        vector_put(&valid, i, 1, 1);
        vector_put(&vns, i * HD_VN_W, HD_VN_W, f->vn);
        vector_put(&tails, i, 1, f->tail);
        hd_flit_copy(x->in.flit + i * x->flit_units, f->words, x->flit_units);
    }
    for (unsigned o = 0; o < x->outs; o++) {
        uint32_t mine = hd_link_credits(x->out_link[o], now);
        if (mine != 0)
            vector_put(&credits, o * x->num_vn, x->num_vn, mine);
    }
    vector_drive(&valid, &x->in.valid);
    vector_drive(&vns, &x->in.vn);
    vector_drive(&tails, &x->in.tail);
    vector_drive(&credits, &x->out.credit);
}

static void xbar_read(struct xbar *x, uint64_t now)
{
    struct vector valid, vns, tails, credits;

    if (vector_read(&valid, &x->out.valid)) {
        vector_read(&vns, &x->out.vn);
        vector_read(&tails, &x->out.tail);
        x->tile.progress = now;
        for (unsigned w = 0; w < (x->outs + 63) / 64; w++) {
            for (uint64_t rest = valid.word[w]; rest != 0; rest &= rest - 1) {
                unsigned o = 64 * w + (unsigned)__builtin_ctzll(rest);
                hd_link_send(x->out_link[o], now, vector_get(&vns, o * HD_VN_W, HD_VN_W), vector_get(&tails, o, 1),
                             x->out.flit + o * x->flit_units);
            }
        }
    }
    if (vector_read(&credits, &x->in.credit)) {
        for (unsigned i = 0; i < x->ins; i++) {
            uint32_t mine = vector_get(&credits, i * x->num_vn, x->num_vn);
            if (mine != 0)
                hd_link_send_credits(x->in_link[i], now, mine);
        }
    }
}

static ALWAYS_INLINE void xbar_run(struct xbar *x, uint64_t from, uint64_t to, bool skip, bool profiled)
{
    for (uint64_t now = round_up(from, x->tile.clk_ratio); now < to; now += x->tile.clk_ratio) {
        if (skip && *x->tile.idle) {
            uint64_t due = round_up(sooner(xbar_input_due(x), to), x->tile.clk_ratio);
            if (due > now) {
                count_skipped(&x->tile, (due - now) / x->tile.clk_ratio);
                now = due;
            }
            if (now >= to)
                return;
        }
        begin(&x->tile, profiled, HD_SECTION_LINKS);
        xbar_drive(x, now);
        begin(&x->tile, profiled, HD_SECTION_XBAR);
        edge(&x->tile, now);
        begin(&x->tile, profiled, HD_SECTION_LINKS);
        xbar_read(x, now);
        begin(&x->tile, profiled, HD_SECTION_REST);
        count_events(&x->tile, now);
    }
}

static void run(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    struct xbar *x = (struct xbar *)t;

    (void)client;
    if (t->profile == NULL) {
        xbar_run(x, from, to, skip, false);
        return;
    }
    hd_profile_enter(t->profile, HD_SECTION_REST);
    xbar_run(x, from, to, skip, true);
    hd_profile_enter(t->profile, HD_SECTION_CHECKS);
}

/* ---- between windows ---------------------------------------------------------------------------------------- */

static bool busy(const struct hd_tile *t)
{
    return !*t->idle;
}

static void drained(const struct hd_tile *t, struct hd_verdict *v)
{
    const struct xbar *x = (const struct xbar *)t;

    hd_conserve_through(v, t->name, *t->idle, x->in_link, x->ins, x->out_link, x->outs);
}

static void explain(const struct hd_tile *t, FILE *file)
{
    fprintf(file, "%s: %s\n", t->name, *t->idle ? "idle" : "active");
}

static void counters(struct hd_tile *const *tiles, unsigned n, struct hd_counters *out)
{
    static const char *const names[2][2] = {{"xbar.up_flit_cycles", "xbar.up_blocked_cycles"},
                                            {"xbar.down_flit_cycles", "xbar.down_blocked_cycles"}};

    for (unsigned way = 0; way < 2; way++) {
        uint64_t flits = 0, blocked = 0;
        for (unsigned i = 0; i < n; i++) {
            if (tiles[i]->number == way) {
                flits += tiles[i]->events[HD_EV_XBAR_FLIT];
                blocked += tiles[i]->events[HD_EV_XBAR_BLOCKED];
            }
        }
        hd_counters_put(out, names[way][0], flits);
        hd_counters_put(out, names[way][1], blocked);
    }
}

/* ---- the kind ----------------------------------------------------------------------------------------------- */

static bool open_xbar(struct xbar *x, const struct hd_config *c)
{
    struct binder b = hd_binder(&x->tile, "xbar_tile");

    x->flit_units = c->flit_bytes / 4 * (32 + c->ghost_bits) / 32;
    x->tile.clk_ratio = c->clk_ratio;
    hd_bind_tile(&b, &x->tile, HD_EV_XBAR_NUM, c);
    if (b.slice == NULL) {
        x->num_vn = x->in_link[0]->num_vn;
        hd_bind_in(&b, &x->in, "in_", x->ins, x->num_vn, x->flit_units);
        hd_bind_out(&b, &x->out, "out_", x->outs, x->num_vn, x->flit_units);
    }
    if (!b.ok)
        return false;
    x->tile.progress_events = 1ull << HD_EV_XBAR_FLIT;
    x->tile.level_events = 1ull << HD_EV_XBAR_BLOCKED;
    hd_tile_reset(&x->tile);
    return true;
}

struct hd_tile *hd_xbar_new(const struct hd_site *site, struct hd_link *const *in, unsigned ins,
                            struct hd_link *const *out, unsigned outs)
{
    struct xbar *x = hd_tile_new(&hd_xbar_kind, sizeof *x, site);

    if (x == NULL)
        return NULL;
    snprintf(x->tile.name, sizeof x->tile.name, "%s crossbar", site->number == 0 ? "up" : "down");
    if (ins > MAX_LINKS || outs > MAX_LINKS) {
        fprintf(stderr, "heddle: a crossbar of more than %d links\n", MAX_LINKS);
        hd_tile_free(&x->tile);
        return NULL;
    }
    x->ins = ins;
    x->outs = outs;
    for (unsigned i = 0; i < ins; i++)
        x->in_link[i] = in[i];
    for (unsigned o = 0; o < outs; o++)
        x->out_link[o] = out[o];
    if (!open_xbar(x, site->c)) {
        hd_tile_free(&x->tile);
        return NULL;
    }
    return &x->tile;
}

const struct hd_tile_kind hd_xbar_kind = {.host_evaluated = "host.xbar_evaluated",
                                          .host_skipped = "host.xbar_skipped",
                                          .slice = {.idle = "idle_o", .events = "ev_xbar_o", .slow = true},
                                          .run = run,
                                          .busy = busy,
                                          .drained = drained,
                                          .explain = explain,
                                          .counters = counters};
