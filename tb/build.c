/* build.c - see build.h. One builder for each topology; another topology is another builder and a line in hd_build(). */
#include "build.h"
#include "hd_pkg.h"
#include "mem/dram.h"
#include "mem/two.h"
#include "tile_fixed.h"
#include "tile_flat.h"
#include "tile_l2.h"
#include "tile_router.h"
#include "tile_sm.h"
#include "tile_xbar.h"
#include "wire/wire.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool mesh_fits(const struct hd_config *c)
{
    unsigned columns, rows;

    hd_config_mesh(c, &columns, &rows);
    return c->noc != HD_NOC_MESH
           || (c->clk_ratio == 1 && c->memory != HD_MEMORY_FIXED && c->lat_hop >= 1 && columns <= HD_MESH_MAX
               && rows <= HD_MESH_MAX && columns * rows >= c->sms + 1 && columns * rows >= c->partitions);
}

bool hd_build_fits(const struct hd_config *c)
{
    const unsigned latency[] = {c->lat_sm_xbar, c->lat_xbar_l2, c->lat_l2_xbar, c->lat_xbar_sm, c->lat_credit};

    if (c->sms < 1 || c->sms > HD_MAX_SMS || c->partitions < 1 || c->partitions > HD_MAX_PARTITIONS || c->warps < 1
        || c->warps > HD_MAX_WARPS || c->lanes < 1 || c->lanes > HD_MAX_LANES || c->scoreboard < 1
        || c->scoreboard > HD_MAX_SLOTS || c->clk_ratio < 1 || (c->ghost_bits != 0 && c->ghost_bits != 32)
        || c->lat_dispatch < 1 || c->threads < 1 || c->threads > HD_MAX_THREADS || !mesh_fits(c)) {
        fprintf(stderr, "heddle: configuration %s is out of range\n", c->name);
        return false;
    }
    for (size_t i = 0; i < sizeof latency / sizeof latency[0]; i++) {
        if (latency[i] < 1 || latency[i] % c->clk_ratio != 0) {
            fprintf(stderr, "heddle: a link latency of %u is not a multiple of clk_ratio %u\n", latency[i],
                    c->clk_ratio);
            return false;
        }
    }
    return true;
}

/* ---- what builders share -------------------------------------------------------------------------------------- */

/* Counters have the same names in every machine of a topology, so that tables of several have the same columns. */
static const struct hd_tile_kind *const xbar_kinds[] = {&hd_sm_kind, &hd_l2_kind, &hd_xbar_kind};
static const struct hd_tile_kind *const mesh_kinds[] = {&hd_sm_kind, &hd_l2_kind, &hd_router_kind};
enum { KINDS = sizeof xbar_kinds / sizeof xbar_kinds[0] };

enum { SM_XBAR, XBAR_L2, L2_XBAR, XBAR_SM, XBAR_GROUPS };
static const struct hd_link_group xbar_groups[XBAR_GROUPS] = {
    [SM_XBAR] = {"link.sm_xbar", "SM", "crossbar", NULL},
    [XBAR_L2] = {"link.xbar_l2", "crossbar", "L2", NULL},
    [L2_XBAR] = {"link.l2_xbar", "L2", "crossbar", NULL},
    [XBAR_SM] = {"link.xbar_sm", "crossbar", "SM", NULL},
};

#define NAME(name, text) "link.hops." text,
static const char *const hop_classes[HD_CLASSES] = {HD_CLASS_LIST(NAME)};
#undef NAME
enum { SM_ROUTER, ROUTER_L2, L2_ROUTER, ROUTER_SM, HOP, MESH_GROUPS };
static const struct hd_link_group mesh_groups[MESH_GROUPS] = {
    [SM_ROUTER] = {"link.sm_router", NULL, NULL, NULL},
    [ROUTER_L2] = {"link.router_l2", NULL, NULL, NULL},
    [L2_ROUTER] = {"link.l2_router", NULL, NULL, NULL},
    [ROUTER_SM] = {"link.router_sm", NULL, NULL, NULL},
    [HOP] = {"link.hops", NULL, NULL, hop_classes},
};

/* What a builder knows. */
struct build {
    struct hd_graph *g;
    const struct hd_config *c;
    const char *wave;
    const struct hd_model_paths *paths;
    const struct hd_cut *cut;
};

static bool start(const struct build *b, unsigned tiles, unsigned links, unsigned channels)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;

    const bool mesh = c->noc == HD_NOC_MESH;

    g->group = mesh ? mesh_groups : xbar_groups;
    g->groups = mesh ? MESH_GROUPS : XBAR_GROUPS;
    g->kind = mesh ? mesh_kinds : xbar_kinds;
    g->kinds = KINDS;
    g->ports = c->sms;
    g->window = hd_config_least_latency(c);
    g->memory = c->nv_base != 0 ? &hd_two_memory : &hd_dram_memory;
    g->line_bytes = c->line_bytes;
    return hd_graph_init(g, tiles, links, channels);
}

/* Opens a model; with waves it writes NAME.INSTANCE.fst. */
static struct hd_model *open_model(const struct build *b, enum hd_model_role role, const char *kind, int number)
{
    char instance[24], file[HD_PATH_SIZE];

    if (number < 0)
        snprintf(instance, sizeof instance, "%s", kind);
    else
        snprintf(instance, sizeof instance, "%s%d", kind, number);
    struct hd_model *model = hd_model_open(b->paths->so[role], instance);
    if (model == NULL || b->wave == NULL)
        return model;
    size_t stem = strlen(b->wave);
    if (stem > 4 && strcmp(b->wave + stem - 4, ".fst") == 0)
        stem -= 4;
    snprintf(file, sizeof file, "%.*s.%s.fst", (int)stem, b->wave, instance);
    const bool mine = b->cut == NULL || hd_cut_rank(b->cut, instance) == hd_wire_rank();
    if ((mine && !hd_model_trace_open(model, file)) || !hd_graph_add_wave(b->g, file)) {
        hd_model_close(model);
        return NULL;
    }
    return model;
}

/* A tile with a model of its own. */
static bool make_site(const struct build *b, struct hd_site *site, enum hd_model_role role, const char *kind,
                      unsigned number)
{
    bool alone = role == HD_MODEL_UP || role == HD_MODEL_DOWN;

    *site = (struct hd_site){.c = b->c,
                             .model = open_model(b, role, kind, alone ? -1 : (int)number),
                             .wave = b->wave != NULL,
                             .number = number,
                             .window = b->g->window};
    return site->model != NULL;
}

/* A tile that is a slice of the chip. */
static bool make_slice(const struct build *b, struct hd_site *site, struct hd_flat *flat,
                       const struct hd_tile_kind *kind, unsigned number, unsigned count)
{
    struct hd_slice *slice = hd_flat_slice(flat, &kind->slice, number, count);

    if (slice == NULL)
        return false;
    *site = (struct hd_site){
        .c = b->c, .model = hd_slice_model(slice), .slice = slice, .number = number, .window = b->g->window};
    return true;
}

static bool make_overwritten(const struct build *b)
{
    const struct hd_config *c = b->c;

    if (c->l1 != HD_FAMILY_VI || c->ghost_bits == 0)
        return true;
    b->g->overwritten = hd_overwritten_new(c->sms, c->partitions, c->mshr_stores, c->line_bytes,
                                           (32 + c->ghost_bits) / 32);
    if (b->g->overwritten == NULL)
        fprintf(stderr, "heddle: out of memory\n");
    return b->g->overwritten != NULL;
}

static bool make_channels(const struct build *b)
{
    struct hd_graph *g = b->g;

    for (; g->channels < b->c->partitions; g->channels++)
        if ((g->channel[g->channels] = g->memory->open(b->c)) == NULL)
            return false;
    return true;
}

/* @count links of a group side by side. @return the first; NULL after a message. */
static struct hd_graph_link *make_links(const struct build *b, unsigned group, unsigned count, unsigned latency,
                                        const struct hd_nets *nets)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    struct hd_graph_link *first = &g->link[g->links];
    const struct hd_flit_shape shape = c->l1 == HD_FAMILY_DENOVO
                                           ? hd_flit_shape_coh(c->flit_bytes, c->ghost_bits)
                                           : hd_flit_shape(c->flit_bytes, c->ghost_bits, c->lanes);

    for (unsigned i = 0; i < count; i++) {
        struct hd_graph_link *l = &g->link[g->links++];
        l->group = group;
        l->number = i;
        if (!hd_link_init(&l->link, latency, c->lat_credit, nets, c->queue_depth, &shape, c->clk_ratio)) {
            fprintf(stderr, "heddle: out of memory\n");
            return NULL;
        }
    }
    return first;
}

/* The links of one side have the seeds of their number there, two apart for the two ways. */
static void jitter(const struct build *b, struct hd_graph_link *links, unsigned count, unsigned first, unsigned way)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t seed = ((uint64_t)b->c->jitter_seed << 16) + 2 * (first + i) + way;
        hd_link_jitter(&links[i].link, b->c->jitter, b->c->jitter_one_in, seed << 16);
    }
}

/* ---- SMs and L2 tiles at two crossbars ------------------------------------------------------------------------ */

static bool build_xbar(const struct build *b)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    struct hd_link *in[HD_MAX_SMS], *out[HD_MAX_SMS];
    struct hd_site site;

    if (!start(b, c->sms + c->partitions + 2, 2 * (c->sms + c->partitions), c->partitions) || !make_overwritten(b)
        || !make_channels(b))
        return false;
    struct hd_graph_link *sm_up = make_links(b, SM_XBAR, c->sms, c->lat_sm_xbar, &hd_nets_up);
    struct hd_graph_link *l2_up = make_links(b, XBAR_L2, c->partitions, c->lat_xbar_l2, &hd_nets_up);
    struct hd_graph_link *l2_down = make_links(b, L2_XBAR, c->partitions, c->lat_l2_xbar, &hd_nets_down);
    struct hd_graph_link *sm_down = make_links(b, XBAR_SM, c->sms, c->lat_xbar_sm, &hd_nets_down);
    if (sm_up == NULL || l2_up == NULL || l2_down == NULL || sm_down == NULL)
        return false;
    jitter(b, sm_up, c->sms, 0, 0);
    jitter(b, sm_down, c->sms, 0, 1);
    jitter(b, l2_up, c->partitions, c->sms, 0);
    jitter(b, l2_down, c->partitions, c->sms, 1);

    for (unsigned i = 0; i < c->sms; i++) {
        if (!make_site(b, &site, HD_MODEL_SM, "sm", i)
            || !hd_graph_add(g, hd_sm_new(&site, &sm_up[i].link, &sm_down[i].link, NULL, g->overwritten)))
            return false;
        sm_up[i].from = sm_down[i].to = g->tile[g->tiles - 1];
    }

    for (unsigned i = 0; i < c->sms; i++)
        in[i] = &sm_up[i].link;
    for (unsigned i = 0; i < c->partitions; i++)
        out[i] = &l2_up[i].link;
    if (!make_site(b, &site, HD_MODEL_UP, "up", 0)
        || !hd_graph_add(g, hd_xbar_new(&site, in, c->sms, out, c->partitions)))
        return false;
    for (unsigned i = 0; i < c->sms; i++)
        sm_up[i].to = g->tile[g->tiles - 1];
    for (unsigned i = 0; i < c->partitions; i++)
        l2_up[i].from = g->tile[g->tiles - 1];

    for (unsigned i = 0; i < c->partitions; i++) {
        if (!make_site(b, &site, HD_MODEL_L2, "l2_", i)
            || !hd_graph_add_home(g, hd_l2_new(&site, &l2_up[i].link, &l2_down[i].link, g->memory, g->channel[i],
                                               g->overwritten)))
            return false;
        l2_up[i].to = l2_down[i].from = g->tile[g->tiles - 1];
    }

    for (unsigned i = 0; i < c->partitions; i++)
        in[i] = &l2_down[i].link;
    for (unsigned i = 0; i < c->sms; i++)
        out[i] = &sm_down[i].link;
    if (!make_site(b, &site, HD_MODEL_DOWN, "down", 1)
        || !hd_graph_add(g, hd_xbar_new(&site, in, c->partitions, out, c->sms)))
        return false;
    for (unsigned i = 0; i < c->partitions; i++)
        l2_down[i].to = g->tile[g->tiles - 1];
    for (unsigned i = 0; i < c->sms; i++)
        sm_down[i].from = g->tile[g->tiles - 1];
    return true;
}

/* ---- SMs and L2 tiles at one crossbar: owners answer askers, SM to SM ------------------------------------------ */

/* Links of a port each way, SMs first. */
static bool build_one_xbar(const struct build *b)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    unsigned ports = c->sms + c->partitions;
    struct hd_link *in[HD_MAX_SMS + HD_MAX_PARTITIONS], *out[HD_MAX_SMS + HD_MAX_PARTITIONS];
    struct hd_site site;

    if (!start(b, ports + 1, 2 * ports, c->partitions) || !make_channels(b))
        return false;
    struct hd_graph_link *sm_up = make_links(b, SM_XBAR, c->sms, c->lat_sm_xbar, &hd_nets_mesh);
    struct hd_graph_link *l2_up = make_links(b, XBAR_L2, c->partitions, c->lat_xbar_l2, &hd_nets_mesh);
    struct hd_graph_link *l2_down = make_links(b, L2_XBAR, c->partitions, c->lat_l2_xbar, &hd_nets_mesh);
    struct hd_graph_link *sm_down = make_links(b, XBAR_SM, c->sms, c->lat_xbar_sm, &hd_nets_mesh);
    if (sm_up == NULL || l2_up == NULL || l2_down == NULL || sm_down == NULL)
        return false;
    jitter(b, sm_up, c->sms, 0, 0);
    jitter(b, sm_down, c->sms, 0, 1);
    jitter(b, l2_up, c->partitions, c->sms, 0);
    jitter(b, l2_down, c->partitions, c->sms, 1);

    for (unsigned i = 0; i < c->sms; i++) {
        in[i] = &sm_up[i].link;
        out[i] = &sm_down[i].link;
        if (!make_site(b, &site, HD_MODEL_SM, "sm", i)
            || !hd_graph_add(g, hd_sm_new(&site, in[i], out[i], NULL, NULL)))
            return false;
        sm_up[i].from = sm_down[i].to = g->tile[g->tiles - 1];
    }
    for (unsigned i = 0; i < c->partitions; i++) {
        in[c->sms + i] = &l2_down[i].link;
        out[c->sms + i] = &l2_up[i].link;
    }
    if (!make_site(b, &site, HD_MODEL_UP, "xbar", 0) || !hd_graph_add(g, hd_xbar_new(&site, in, ports, out, ports)))
        return false;
    for (unsigned i = 0; i < c->sms; i++)
        sm_up[i].to = sm_down[i].from = g->tile[g->tiles - 1];
    for (unsigned i = 0; i < c->partitions; i++)
        l2_down[i].to = l2_up[i].from = g->tile[g->tiles - 1];
    for (unsigned i = 0; i < c->partitions; i++) {
        if (!make_site(b, &site, HD_MODEL_L2, "l2_", i)
            || !hd_graph_add_home(g, hd_l2_new(&site, &l2_up[i].link, &l2_down[i].link, g->memory, g->channel[i], NULL)))
            return false;
        l2_up[i].to = l2_down[i].from = g->tile[g->tiles - 1];
    }
    return true;
}

/* ---- SMs and L2 tiles at a mesh of routers --------------------------------------------------------------------- */

struct mesh {
    unsigned columns, rows;
    struct hd_graph_link *sm_up, *sm_down, *l2_up, *l2_down; /* by tile */
};

/* The node beside @node, @return false at the edge. */
static bool neighbour(const struct mesh *m, unsigned node, unsigned port, unsigned *to)
{
    unsigned column = node % m->columns, row = node / m->columns;

    *to = port == HD_ROUTER_N ? node - m->columns : port == HD_ROUTER_E ? node + 1
                                                : port == HD_ROUTER_S   ? node + m->columns
                                                                        : node - 1;
    return port == HD_ROUTER_N ? row > 0
           : port == HD_ROUTER_E ? column + 1 < m->columns
           : port == HD_ROUTER_S ? row + 1 < m->rows
                                 : column > 0;
}

/* Of the link between @a and @b: neither end is in the first or last column (row). */
static unsigned hop_latency(const struct hd_config *c, const struct mesh *m, unsigned a, unsigned b)
{
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    bool along_row = high - low == 1 && m->columns > 1;
    unsigned first = along_row ? low % m->columns : low / m->columns, length = along_row ? m->columns : m->rows;

    return c->lat_hop_inner != 0 && first > 0 && first + 2 < length ? c->lat_hop_inner : c->lat_hop;
}

static bool add_routers(const struct build *b, const struct mesh *m)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    struct hd_link *in[HD_MESH_MAX * HD_MESH_MAX][HD_ROUTER_PORTS] = {{NULL}};
    struct hd_link *out[HD_MESH_MAX * HD_MESH_MAX][HD_ROUTER_PORTS] = {{NULL}};
    unsigned nodes = m->columns * m->rows, to, first_hop = g->links, first_tile = g->tiles;
    struct hd_site site;

    for (unsigned node = 0; node < nodes; node++) {
        for (unsigned port = HD_ROUTER_N; port <= HD_ROUTER_W; port++) {
            if (!neighbour(m, node, port, &to))
                continue;
            struct hd_graph_link *l = make_links(b, HOP, 1, hop_latency(c, m, node, to), &hd_nets_mesh);
            if (l == NULL)
                return false;
            jitter(b, l, 1, c->sms + c->partitions + (unsigned)(l - g->link) - first_hop, 0);
            l->number = (unsigned)(l - g->link) - first_hop;
            out[node][port] = in[to][(port + 2) % 4] = &l->link;
        }
    }
    for (unsigned i = 0; i < c->sms; i++) {
        in[i + 1][HD_ROUTER_SM] = &m->sm_up[i].link;
        out[i + 1][HD_ROUTER_SM] = &m->sm_down[i].link;
    }
    for (unsigned i = 0; i < c->partitions; i++) {
        in[i][HD_ROUTER_L2] = &m->l2_down[i].link;
        out[i][HD_ROUTER_L2] = &m->l2_up[i].link;
    }
    for (unsigned node = 0; node < nodes; node++)
        if (!make_site(b, &site, HD_MODEL_ROUTER, "router", node)
            || !hd_graph_add(g, hd_router_new(&site, in[node], out[node])))
            return false;

    struct hd_graph_link *hop = &g->link[first_hop];
    for (unsigned node = 0; node < nodes; node++) {
        for (unsigned port = HD_ROUTER_N; port <= HD_ROUTER_W; port++) {
            if (!neighbour(m, node, port, &to))
                continue;
            hop->from = g->tile[first_tile + node];
            hop++->to = g->tile[first_tile + to];
        }
    }
    for (unsigned i = 0; i < c->sms; i++)
        m->sm_up[i].to = m->sm_down[i].from = g->tile[first_tile + i + 1];
    for (unsigned i = 0; i < c->partitions; i++)
        m->l2_down[i].to = m->l2_up[i].from = g->tile[first_tile + i];
    return true;
}

static bool build_mesh(const struct build *b)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    struct hd_site site;
    struct mesh m;

    hd_config_mesh(c, &m.columns, &m.rows);
    unsigned nodes = m.columns * m.rows, hops = 2 * (2 * nodes - m.columns - m.rows);
    if (!start(b, c->sms + c->partitions + nodes, 2 * (c->sms + c->partitions) + hops, c->partitions)
        || !make_overwritten(b) || !make_channels(b))
        return false;
    m.sm_up = make_links(b, SM_ROUTER, c->sms, c->lat_sm_xbar, &hd_nets_mesh);
    m.l2_up = make_links(b, ROUTER_L2, c->partitions, c->lat_xbar_l2, &hd_nets_mesh);
    m.l2_down = make_links(b, L2_ROUTER, c->partitions, c->lat_l2_xbar, &hd_nets_mesh);
    m.sm_down = make_links(b, ROUTER_SM, c->sms, c->lat_xbar_sm, &hd_nets_mesh);
    if (m.sm_up == NULL || m.l2_up == NULL || m.l2_down == NULL || m.sm_down == NULL)
        return false;
    jitter(b, m.sm_up, c->sms, 0, 0);
    jitter(b, m.sm_down, c->sms, 0, 1);
    jitter(b, m.l2_up, c->partitions, c->sms, 0);
    jitter(b, m.l2_down, c->partitions, c->sms, 1);

    for (unsigned i = 0; i < c->sms; i++) {
        if (!make_site(b, &site, HD_MODEL_SM, "sm", i)
            || !hd_graph_add(g, hd_sm_new(&site, &m.sm_up[i].link, &m.sm_down[i].link, NULL, g->overwritten)))
            return false;
        m.sm_up[i].from = m.sm_down[i].to = g->tile[g->tiles - 1];
    }
    for (unsigned i = 0; i < c->partitions; i++) {
        if (!make_site(b, &site, HD_MODEL_L2, "l2_", i)
            || !hd_graph_add_home(g, hd_l2_new(&site, &m.l2_up[i].link, &m.l2_down[i].link, g->memory, g->channel[i],
                                               g->overwritten)))
            return false;
        m.l2_up[i].to = m.l2_down[i].from = g->tile[g->tiles - 1];
    }
    return add_routers(b, &m);
}

/* ---- one SM before an ideal memory ---------------------------------------------------------------------------- */

static bool build_fixed(const struct build *b)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    struct hd_site site;

    if (!start(b, 2, 2, 0))
        return false;
    struct hd_graph_link *up = make_links(b, SM_XBAR, 1, c->lat_sm_xbar, &hd_nets_up);
    struct hd_graph_link *down = make_links(b, XBAR_SM, 1, c->lat_xbar_sm, &hd_nets_down);
    if (up == NULL || down == NULL)
        return false;
    jitter(b, up, 1, 0, 0);
    jitter(b, down, 1, 0, 1);
    struct hd_fixed *memory = hd_fixed_new(&(struct hd_fixed_params){.line_bytes = c->line_bytes,
                                                                     .lanes = c->lanes,
                                                                     .word_units = (32 + c->ghost_bits) / 32,
                                                                     .latency = c->fixed_latency,
                                                                     .depth = c->queue_depth,
                                                                     .up = &up->link,
                                                                     .down = &down->link});
    struct hd_tile *home = memory != NULL ? hd_fixed_tile_new(c, memory) : NULL;
    if (home == NULL)
        return false;
    bool ok = make_site(b, &site, HD_MODEL_SM, "sm", 0)
              && hd_graph_add(g, hd_sm_new(&site, &up->link, &down->link, memory, NULL));
    up->from = down->to = ok ? g->tile[0] : NULL;
    up->to = down->from = home;
    return hd_graph_add_home(g, home) && ok; /* behind the SM, which fetches the answers to what it sent before */
}

/* ---- the chip verilated whole --------------------------------------------------------------------------------- */

static bool build_flat(const struct build *b)
{
    const struct hd_config *c = b->c;
    struct hd_graph *g = b->g;
    struct hd_site site;
    const bool mesh = c->noc == HD_NOC_MESH;
    unsigned columns, rows;

    hd_config_mesh(c, &columns, &rows);
    unsigned nets = mesh ? columns * rows : 2; /* tiles between SMs and L2 tiles */
    bool ok = start(b, 1 + c->sms + nets + c->partitions, 0, c->partitions) && make_overwritten(b) && make_channels(b);
    struct hd_model *model = ok ? open_model(b, HD_MODEL_GPU, "gpu", -1) : NULL;
    struct hd_flat *flat = model != NULL ? hd_flat_new(c, model, b->wave != NULL) : NULL;
    struct hd_tile *chip = flat != NULL ? hd_flat_tile_new(c, flat) : NULL;

    if (!hd_graph_add(g, chip))
        return false;
    for (unsigned i = 0; i < c->sms; i++)
        if (!make_slice(b, &site, flat, &hd_sm_kind, i, c->sms)
            || !hd_graph_add(g, hd_sm_new(&site, NULL, NULL, NULL, g->overwritten)))
            return false;
    for (unsigned i = 0; i < nets; i++) {
        struct hd_link *const none[HD_ROUTER_PORTS] = {NULL};
        if (!make_slice(b, &site, flat, mesh ? &hd_router_kind : &hd_xbar_kind, i, nets)
            || !hd_graph_add(g, mesh ? hd_router_new(&site, none, none) : hd_xbar_new(&site, NULL, 0, NULL, 0)))
            return false;
    }
    for (unsigned i = 0; i < c->partitions; i++)
        if (!make_slice(b, &site, flat, &hd_l2_kind, i, c->partitions)
            || !hd_graph_add_home(g, hd_l2_new(&site, NULL, NULL, g->memory, g->channel[i], g->overwritten)))
            return false;
    return hd_flat_tile_slices(chip, g->tile, g->tiles);
}

bool hd_build(struct hd_graph *g, const struct hd_config *c, const char *wave, const struct hd_model_paths *paths,
              const struct hd_cut *cut)
{
    const struct build b = {.g = g, .c = c, .wave = wave, .paths = paths, .cut = cut};

    if (c->flat)
        return build_flat(&b);
    if (c->noc == HD_NOC_MESH)
        return build_mesh(&b);
    return c->memory == HD_MEMORY_FIXED ? build_fixed(&b)
           : c->l1 == HD_FAMILY_DENOVO       ? build_one_xbar(&b)
                                             : build_xbar(&b);
}
