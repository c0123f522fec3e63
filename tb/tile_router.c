/* tile_router.c - see tile_router.h. */
#include "tile_router.h"
#include "tile_parts.h"
#include <stdio.h>

enum { PORTS = HD_ROUTER_PORTS };

/* Vectors over the ports fit a word; links of one side lie without gaps, port[] says which they are. */
struct side {
    struct hd_link *link[PORTS];
    unsigned port[PORTS];
    unsigned n;
    uint64_t ports;             /* a bit each */
};

struct router {
    struct hd_tile tile;
    unsigned flit_units;
    struct hd_tile_in in_ports;
    struct hd_tile_out out_ports;
    struct side in, out;
};

/* ---- cycles ------------------------------------------------------------------------------------------------- */

static uint64_t input_due(const struct router *r)
{
    uint64_t due = HD_NEVER;

    for (unsigned i = 0; i < r->in.n; i++)
        due = sooner(due, hd_link_due(r->in.link[i]));
    for (unsigned i = 0; i < r->out.n; i++)
        due = sooner(due, hd_link_credit_due(r->out.link[i]));
    return due;
}

static inline void drive(struct router *r, uint64_t now)
{
    uint64_t valid = 0, vns = 0, tails = 0, credits = 0;

    for (unsigned i = 0; i < r->in.n; i++) {
        const struct hd_flit *f = hd_link_receive(r->in.link[i], now);
        unsigned p = r->in.port[i];
        if (f == NULL)
            continue;
        valid |= UINT64_C(1) << p;
        vns |= (uint64_t)f->vn << p * HD_VN_W;
        tails |= (uint64_t)f->tail << p;
        hd_flit_copy(r->in_ports.flit + p * r->flit_units, f->words, r->flit_units);
    }
    for (unsigned i = 0; i < r->out.n; i++)
        credits |= (uint64_t)hd_link_credits(r->out.link[i], now) << r->out.port[i] * HD_NETS;
    pin_set(&r->in_ports.valid, valid);
    pin_set(&r->in_ports.vn, vns);
    pin_set(&r->in_ports.tail, tails);
    pin_set(&r->out_ports.credit, credits);
}

static inline void read(struct router *r, uint64_t now)
{
    uint64_t valid = pin_get(&r->out_ports.valid), credits = pin_get(&r->in_ports.credit);

    if (valid != 0) {
        uint64_t vns = pin_get(&r->out_ports.vn), tails = pin_get(&r->out_ports.tail);
        r->tile.progress = now;
        if ((valid & ~r->out.ports) != 0)
            hd_tile_fault(&r->tile, "a flit left by a port that nothing is joined to");
        for (unsigned i = 0; i < r->out.n; i++) {
            unsigned p = r->out.port[i];
            if (valid >> p & 1)
                hd_link_send(r->out.link[i], now, vns >> p * HD_VN_W & (HD_LINK_VNS - 1), tails >> p & 1,
                             r->out_ports.flit + p * r->flit_units);
        }
    }
    for (unsigned i = 0; credits != 0 && i < r->in.n; i++) {
        uint32_t mine = credits >> r->in.port[i] * HD_NETS & ((1u << HD_NETS) - 1);
        if (mine != 0)
            hd_link_send_credits(r->in.link[i], now, mine);
    }
}

static ALWAYS_INLINE void router_run(struct router *r, uint64_t from, uint64_t to, bool skip, bool profiled)
{
    for (uint64_t now = from; now < to; now++) {
        if (skip && *r->tile.idle) {
            uint64_t due = sooner(input_due(r), to);
            if (due > now) {
                count_skipped(&r->tile, due - now);
                now = due;
            }
            if (now >= to)
                return;
        }
        begin(&r->tile, profiled, HD_SECTION_LINKS);
        drive(r, now);
        begin(&r->tile, profiled, HD_SECTION_XBAR);
        edge(&r->tile, now);
        begin(&r->tile, profiled, HD_SECTION_LINKS);
        read(r, now);
        begin(&r->tile, profiled, HD_SECTION_REST);
        count_events(&r->tile, now);
    }
}

static void run(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    struct router *r = (struct router *)t;

    (void)client;
    if (t->profile == NULL) {
        router_run(r, from, to, skip, false);
        return;
    }
    hd_profile_enter(t->profile, HD_SECTION_REST);
    router_run(r, from, to, skip, true);
    hd_profile_enter(t->profile, HD_SECTION_CHECKS);
}

/* ---- between windows ---------------------------------------------------------------------------------------- */

static bool busy(const struct hd_tile *t)
{
    return !*t->idle;
}

static void drained(const struct hd_tile *t, struct hd_verdict *v)
{
    const struct router *r = (const struct router *)t;

    hd_conserve_through(v, t->name, *t->idle, r->in.link, r->in.n, r->out.link, r->out.n);
}

/* Of a deadlock: what it holds, and what it may not send. Nothing is under way then, so a credit that is not home
 * stands for a flit in the receiver's buffer. */
static void explain(const struct hd_tile *t, FILE *file)
{
    static const char *const names[PORTS] = {"north", "east", "south", "west", "its SM", "its L2"};
    const struct router *r = (const struct router *)t;

    if (*t->idle)
        return;
    fprintf(file, "%s: active\n", t->name);
    for (unsigned i = 0; i < r->in.n; i++)
        for (unsigned vn = 0; vn < HD_NETS; vn++)
            if (r->in.link[i]->held[vn] != 0)
                fprintf(file, "  holds %u flits of network %s from %s\n", (unsigned)r->in.link[i]->held[vn],
                        hd_net_name(r->in.link[i]->net[vn]), names[r->in.port[i]]);
    for (unsigned i = 0; i < r->out.n; i++)
        for (unsigned vn = 0; vn < HD_NETS; vn++)
            if (r->out.link[i]->held[vn] == r->out.link[i]->depth)
                fprintf(file, "  has no credit of network %s to %s\n", hd_net_name(r->out.link[i]->net[vn]),
                        names[r->out.port[i]]);
}

static void counters(struct hd_tile *const *tiles, unsigned n, struct hd_counters *out)
{
    uint64_t hops = 0;

    for (unsigned port = HD_ROUTER_N; port <= HD_ROUTER_W; port++)
        hops += hd_tile_events(tiles, n, port);
    hd_counters_put(out, "router.hop_flits", hops);
    hd_counters_put(out, "router.sm_flits", hd_tile_events(tiles, n, HD_EV_ROUTER_SM));
    hd_counters_put(out, "router.l2_flits", hd_tile_events(tiles, n, HD_EV_ROUTER_L2));
    hd_counters_put(out, "router.blocked_cycles", hd_tile_events(tiles, n, HD_EV_ROUTER_BLOCKED));
}

/* ---- the kind ----------------------------------------------------------------------------------------------- */

static bool open_router(struct router *r, const struct hd_config *c)
{
    struct binder b = hd_binder(&r->tile, "router_tile");

    r->flit_units = c->flit_bytes / 4 * (32 + c->ghost_bits) / 32;
    hd_bind_tile(&b, &r->tile, HD_EV_ROUTER_NUM, c);
    if (b.slice == NULL) {
        hd_bind_in(&b, &r->in_ports, "in_", PORTS, HD_NETS, r->flit_units);
        hd_bind_out(&b, &r->out_ports, "out_", PORTS, HD_NETS, r->flit_units);
    }
    struct hd_pin node_id = hd_bind_pin(&b, "", "node_id_i");
    if (!b.ok)
        return false;
    r->tile.progress_events = (1ull << PORTS) - 1;
    r->tile.level_events = 1ull << HD_EV_ROUTER_BLOCKED;
    pin_set(&node_id, r->tile.number);
    hd_tile_reset(&r->tile);
    return true;
}

static void join(struct side *s, struct hd_link *const link[PORTS])
{
    for (unsigned p = 0; p < PORTS; p++) {
        if (link[p] == NULL)
            continue;
        s->ports |= UINT64_C(1) << p;
        s->port[s->n] = p;
        s->link[s->n++] = link[p];
    }
}

struct hd_tile *hd_router_new(const struct hd_site *site, struct hd_link *const in[HD_ROUTER_PORTS],
                              struct hd_link *const out[HD_ROUTER_PORTS])
{
    struct router *r = hd_tile_new(&hd_router_kind, sizeof *r, site);
    unsigned columns, rows;

    if (r == NULL)
        return NULL;
    hd_config_mesh(site->c, &columns, &rows);
    snprintf(r->tile.name, sizeof r->tile.name, "router %u,%u", site->number % columns, site->number / columns);
    join(&r->in, in);
    join(&r->out, out);
    if (!open_router(r, site->c)) {
        hd_tile_free(&r->tile);
        return NULL;
    }
    return &r->tile;
}

const struct hd_tile_kind hd_router_kind = {.host_evaluated = "host.router_evaluated",
                                            .host_skipped = "host.router_skipped",
                                            .slice = {.idle = "idle_o", .events = "ev_router_o", .slow = true},
                                            .run = run,
                                            .busy = busy,
                                            .drained = drained,
                                            .explain = explain,
                                            .counters = counters};
