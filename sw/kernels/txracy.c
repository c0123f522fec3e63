/* txracy.c - random tester of transactions in the LDS: every warp runs transactions of random accesses on few banks, in rows that
 * alias, by divergent lanes, with plain accesses and barriers between them. What is read is judged by the checker of transactions
 * (check/tm.h). Beside that, each transaction adds 1 to one of a few counters by a load and a store, so their sum tells whether an
 * update was lost or done twice, and counts itself in a lane register that aborts must restore. Transactions load from a global table that
 * nobody writes; between them warps add to global words, whose sums are compared. */
#include "work.h"

enum { COUNTERS = 8, MAX_ACCESSES = 12, ALIASED_ROWS = 3, ALIAS = 8, TABLE = 64, TOTALS = 8 };

struct args {
    uint64_t seed;
    uint32_t transactions, accesses, banks, lds_banks, lanes, plain, barriers, pause, warps, global, count; /* count: of the counters */
    uint32_t rows;                         /* of the data: 11, or fewer that aliases may be the same */
    uint32_t first;                        /* word of the LDS behind the counters' row */
    const struct hd_array *counters, *table, *totals;
    uint32_t *added;                       /* [blocks * warps] to the global words; behind wrong[] */
    uint32_t wrong[];                      /* [blocks * warps] lanes whose register is wrong */
};

/* The accesses of a transaction, drawn before its first attempt. */
struct program {
    unsigned count, kind[MAX_ACCESSES];
    uint32_t addr[MAX_ACCESSES][HD_MAX_LANES], data[MAX_ACCESSES][HD_MAX_LANES], counter[HD_MAX_LANES];
    hd_mask_t mask[MAX_ACCESSES];
    bool load;                             /* data of the first access come from the table */
    uint32_t entry[HD_MAX_LANES];
    unsigned pause[MAX_ACCESSES];
};

static uint32_t below(uint64_t *random, uint32_t n)
{
    return hd_random_below(random, n);
}

/* A word of the few banks: rows 0 to 2 of the data or those that alias with them. */
static uint32_t draw_address(const struct args *g, uint64_t *random)
{
    uint32_t row = below(random, ALIASED_ROWS) + ALIAS * below(random, 2);

    return 4 * (g->first + row % g->rows * g->lds_banks + below(random, g->banks));
}

static void draw(const struct args *g, uint64_t *random, struct program *p, hd_mask_t all, unsigned lanes)
{
    p->count = 1 + below(random, g->accesses);
    for (unsigned i = 0; i < p->count; i++) {
        p->kind[i] = below(random, 3);
        p->mask[i] = below(random, 3) ? all : all & hd_random(random);
        p->pause[i] = below(random, 3) ? 0 : below(random, g->pause + 1);
        for (unsigned l = 0; l < lanes; l++) {
            p->addr[i][l] = draw_address(g, random);
            p->data[i][l] = below(random, 1000);
        }
    }
    p->load = below(random, 100) < g->global;
    for (unsigned l = 0; l < lanes; l++)
        p->entry[l] = hd_at(g->table, below(random, TABLE));
    for (unsigned l = 0; l < lanes; l++)
        p->counter[l] = 4 * below(random, g->count);
}

static void access_lds(struct hd_warp *w, hd_mask_t m, unsigned kind, const uint32_t *addr, const uint32_t *data)
{
    if (kind == 0)
        hd_use(w, hd_lds_ld(w, m, addr, HD_ORD_RELAXED, HD_SCOPE_WG));
    else if (kind == 1)
        hd_lds_st(w, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_WG);
    else
        hd_lds_atom(w, HD_AT_ADD, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_WG);
}

static void body(struct hd_warp *w, const struct program *p, hd_mask_t m, uint32_t *mine)
{
    uint32_t next[HD_MAX_LANES];
    const uint32_t *v = hd_use(w, hd_lds_ld(w, m, p->counter, HD_ORD_RELAXED, HD_SCOPE_WG));

    for (unsigned l = 0; l < hd_lanes(w); l++) {
        next[l] = v[l] + 1;
        mine[l] += m >> l & 1;
    }
    for (unsigned i = 0; i < p->count; i++) {
        const uint32_t *data = p->data[i];
        hd_alu(w, p->pause[i]);
        if (i == 0 && p->load)
            data = hd_use(w, hd_ld(w, m, p->entry));
        access_lds(w, m & p->mask[i], p->kind[i], p->addr[i], data);
    }
    hd_lds_st(w, m, p->counter, next, HD_ORD_RELAXED, HD_SCOPE_WG);
}

/* Lanes @m add 1 to global words. @return how many did. */
static unsigned add_global(struct hd_warp *w, const struct args *g, uint64_t *random, hd_mask_t m)
{
    uint32_t addr[HD_MAX_LANES], one[HD_MAX_LANES];

    if (m == 0 || below(random, 100) >= g->global)
        return 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        addr[l] = hd_at(g->totals, below(random, TOTALS));
        one[l] = 1;
    }
    hd_atom(w, HD_AT_ADD, m, addr, one);
    return (unsigned)__builtin_popcountll(m);
}

/* Plain accesses between transactions, on the same words. */
static void plain(struct hd_warp *w, const struct args *g, uint64_t *random, struct program *p)
{
    draw(g, random, p, hd_mask(w), hd_lanes(w));
    for (unsigned i = 0; i < p->count; i++)
        if (below(random, 100) < g->plain)
            access_lds(w, p->mask[i], p->kind[i], p->addr[i], p->data[i]);
}

static void txracy(struct hd_warp *w, void *args)
{
    struct args *g = args;
    unsigned lanes = hd_lanes(w), me = hd_warp_in_block(w);
    uint64_t random = g->seed + 977 * (hd_block(w) * HD_MAX_WARPS + me), dice = g->seed; /* all roll the same dice for barriers */
    uint32_t mine[HD_MAX_LANES] = {0}, did[HD_MAX_LANES] = {0}, addr[HD_MAX_LANES], zero[HD_MAX_LANES] = {0};
    hd_mask_t active = hd_mask(w) & hd_lanes_below(g->lanes);
    struct program p = {0};
    unsigned added = 0;

    for (unsigned l = 0; l < lanes; l++)
        addr[l] = 4 * l;
    if (me == 0)
        hd_lds_st(w, hd_lanes_below(g->count), addr, zero, HD_ORD_RELAXED, HD_SCOPE_WG);
    hd_bar(w);
    for (uint32_t t = 0; t < g->transactions; t++) {
        hd_mask_t m = below(&random, 2) ? active : active & hd_random(&random);
        draw(g, &random, &p, m, lanes);
        if (m != 0) {
            hd_tx_private(w, mine, sizeof mine[0]);
            do
                body(w, &p, hd_tx_begin(w, m), mine);
            while (hd_tx_commit(w));
            for (unsigned l = 0; l < lanes; l++)
                did[l] += m >> l & 1;
        }
        hd_alu(w, 1 + below(&random, 20));
        added += add_global(w, g, &random, m);
        plain(w, g, &random, &p);
        if (below(&dice, 100) < g->barriers)
            hd_bar(w);
    }
    hd_bar(w);
    g->added[hd_block(w) * g->warps + me] = added;
    for (unsigned l = 0; l < lanes; l++)
        g->wrong[hd_block(w) * g->warps + me] += mine[l] != did[l];
    if (me == 0) {
        const uint32_t *v = hd_use(w, hd_lds_ld(w, hd_lanes_below(g->count), addr, HD_ORD_RELAXED, HD_SCOPE_WG));
        hd_st_row(w, hd_lanes_below(g->count), hd_at(g->counters, hd_block(w) * COUNTERS), v);
    }
    for (unsigned l = 0; l < lanes; l++)
        addr[l] = hd_at(g->counters, hd_grid_dim_x(w) * COUNTERS + hd_global_thread(w, l));
    hd_st(w, hd_mask(w), addr, did); /* how many transactions each lane did */
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t blocks = hd_work_param(k, "blocks"), warps = hd_work_param(k, "warps");

    blocks = blocks ? blocks : c->sms;
    warps = warps ? warps : c->tm_warps < c->warps ? c->tm_warps : c->warps;
    struct args *g = hd_work_args(k, sizeof *g + 2 * (size_t)blocks * warps * sizeof g->wrong[0]);
    g->added = g->wrong + (size_t)blocks * warps;
    g->warps = warps;
    g->transactions = hd_work_param(k, "transactions");
    g->accesses = hd_work_param(k, "accesses");
    g->banks = hd_work_param(k, "banks") < c->lds_banks ? hd_work_param(k, "banks") : c->lds_banks;
    g->lanes = hd_work_param(k, "lanes_used");
    g->plain = hd_work_param(k, "plain");
    g->barriers = hd_work_param(k, "barriers");
    g->pause = hd_work_param(k, "pause");
    g->lds_banks = c->lds_banks;
    g->global = hd_work_param(k, "global");
    g->count = c->lanes < COUNTERS ? c->lanes : COUNTERS;
    g->first = (g->count + c->lds_banks - 1) / c->lds_banks * c->lds_banks;
    uint32_t rows = c->tm_rows - g->first / c->lds_banks;
    g->rows = rows < ALIASED_ROWS + ALIAS ? rows : ALIASED_ROWS + ALIAS;
    g->seed = hd_work_random(k);
    struct hd_array *counters = hd_work_array(k, "counters", (uint64_t)blocks * (COUNTERS + g->warps * c->lanes));
    counters->free_form = true;
    g->counters = counters;
    g->table = hd_work_array(k, "table", TABLE);
    g->totals = hd_work_array(k, "totals", TOTALS);
    ((struct hd_array *)(uintptr_t)g->totals)->free_form = true;
    if (c->tm_rows <= g->first / c->lds_banks)
        return "tm_rows leave no row beside the counters";
    hd_work_launch(k, &(struct hd_launch){.fn = txracy, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = g->warps * c->lanes,
                                          .block_y = 1, .resident = 1,
                                          .lds_bytes = 4 * (g->first + g->rows * c->lds_banks)});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t threads = g->warps * hd_work_config(k)->lanes, blocks = g->counters->words / (COUNTERS + threads);
    uint64_t all = 0;

    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t counted = 0, done = 0;
        for (unsigned i = 0; i < COUNTERS; i++)
            counted += g->counters->result[b * COUNTERS + i];
        for (unsigned i = 0; i < threads; i++)
            done += g->counters->result[blocks * COUNTERS + b * threads + i];
        if (counted != done)
            hd_work_fail(k, "block %u: its counters add up to %u; its lanes did %u transactions", b, counted, done);
        all += done;
    }
    for (uint32_t i = 0; i < blocks * g->warps; i++)
        if (g->wrong[i] != 0)
            hd_work_fail(k, "block %u, warp %u of it: %u lanes counted other than the transactions they did", i / g->warps,
                         i % g->warps, g->wrong[i]);
    uint32_t added = 0, total = 0;
    for (uint32_t i = 0; i < blocks * g->warps; i++)
        added += g->added[i];
    for (unsigned i = 0; i < TOTALS; i++)
        total += g->totals->result[i];
    if (added != total)
        hd_work_fail(k, "global words add up to %u; lanes added %u", total, added);
    hd_work_counter(k, "txracy.transactions", all);
}

static const struct hd_param params[] = {
    {"transactions", 6, 1, 1000000, "of each warp"},
    {"accesses", 6, 1, MAX_ACCESSES, "of a transaction at most, beside those of its counter"},
    {"blocks", 0, 0, 256, "blocks; 0 = one an SM"},
    {"warps", 0, 0, 64, "warps of a block; 0 = as many as may use transactions"},
    {"lanes_used", 64, 1, 64, "lanes of a warp that have transactions"},
    {"banks", 4, 1, 64, "banks that the words are in"},
    {"plain", 20, 0, 100, "percent of the plain accesses between transactions that are done"},
    {"barriers", 25, 0, 100, "percent: a barrier behind a transaction"},
    {"global", 25, 0, 100, "percent: a load from a global table in a transaction, an atomic on global words behind it"},
    {"pause", 8, 0, 1000, "ALU instructions at most before an access"},
    {0},
};

const struct hd_workload hd_work_txracy = {
    .name = "txracy",
    .doc = "random transactions in the LDS beside plain accesses; the checker of transactions judges what they read",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
