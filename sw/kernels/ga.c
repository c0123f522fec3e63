/* ga.c - GA of paper 5, a genetic algorithm for the knapsack problem: n solutions (8 bits: what is in the sack) in the LDS. Each
 * thread meets two drawn solutions in 4 rounds and makes both the better one in a critical section. */
#include "tx.h"

enum { ROUNDS = HD_TX_NOTES, ITEMS = 8, CAPACITY = 100 };

struct pair {
    uint32_t a[HD_MAX_LANES], b[HD_MAX_LANES];
    uint32_t best[HD_MAX_LANES]; /* of the last attempt, which is the one that counts */
};

/* Weight of what a solution takes; -1: more than the sack holds. */
static int fitness(uint32_t solution)
{
    static const int weight[ITEMS] = {31, 17, 44, 9, 26, 38, 12, 23};
    int sum = 0;

    for (unsigned i = 0; i < ITEMS; i++)
        sum += solution >> i & 1 ? weight[i] : 0;
    return sum <= CAPACITY ? sum : -1;
}

static void body(struct hd_warp *w, hd_mask_t m, void *arg)
{
    struct pair *p = arg;
    uint32_t addr[2][HD_MAX_LANES];

    for (unsigned l = 0; l < hd_lanes(w); l++) {
        addr[0][l] = 4 * p->a[l];
        addr[1][l] = 4 * p->b[l];
    }
    hd_tok a = hd_lds_ld(w, m, addr[0], HD_ORD_RELAXED, HD_SCOPE_WG), b = hd_lds_ld(w, m, addr[1], HD_ORD_RELAXED, HD_SCOPE_WG);
    const uint32_t *x = hd_use(w, a), *y = hd_use(w, b);
    hd_alu(w, 40);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        if (m >> l & 1)
            p->best[l] = fitness(x[l]) >= fitness(y[l]) ? x[l] : y[l];
    hd_lds_st(w, m, addr[0], p->best, HD_ORD_RELAXED, HD_SCOPE_WG);
    hd_lds_st(w, m, addr[1], p->best, HD_ORD_RELAXED, HD_SCOPE_WG);
}

static void run(struct hd_warp *w, struct hd_tx_bench *b)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pair p;
        uint32_t low[HD_MAX_LANES], high[HD_MAX_LANES];
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            p.a[l] = b->draw[hd_thread(w, l)][2 * round] % b->n;
            p.b[l] = b->draw[hd_thread(w, l)][2 * round + 1] % b->n;
            low[l] = p.a[l] < p.b[l] ? p.a[l] : p.b[l];
            high[l] = p.a[l] < p.b[l] ? p.b[l] : p.a[l];
        }
        hd_alu(w, 8);
        if (b->way == HD_TX_SERIAL)
            hd_tx_serial(w, body, &p, NULL);
        else
            hd_tx_critical(w, b, hd_mask(w), body, &p, &(struct hd_tx_locks){2, {low, high}});
        for (unsigned l = 0; l < hd_lanes(w); l++)
            b->note[hd_thread(w, l)][round] = p.best[l];
    }
}

static const char *prepare(struct hd_work *k)
{
    uint32_t n = hd_work_param(k, "n");
    const char *why = hd_tx_prepare(k, run, n, n, 0);
    const struct hd_tx_bench *b = hd_work_get_args(k);

    for (uint32_t i = 0; why == NULL && i < n; i++)
        b->start->host[i] = hd_work_random_below(k, 1 << ITEMS);
    return why;
}

/* Solutions are copied, so none is new; and a word only ever gets better, so it is no worse than what any meeting left in it. */
static void reference(struct hd_work *k)
{
    const struct hd_tx_bench *b = hd_tx_finish(k);
    bool start[1 << ITEMS] = {false};

    for (uint32_t i = 0; i < b->n; i++)
        start[b->start->host[i]] = true;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t v = b->data->result[i];
        if (v >= 1 << ITEMS || !start[v])
            hd_work_fail(k, "solution %u is 0x%x, which was none at the start", i, v);
    }
    for (unsigned t = 0; t < HD_TX_THREADS; t++)
        for (unsigned j = 0; j < 2 * ROUNDS; j++) {
            uint32_t i = b->draw[t][j] % b->n, left = b->note[t][j / 2];
            if (fitness(b->data->result[i]) < fitness(left))
                hd_work_fail(k, "solution %u is 0x%x; thread %u had left the better 0x%x in round %u", i, b->data->result[i], t, left,
                             j / 2);
        }
}

static const struct hd_param params[] = {
    HD_TX_PARAMS("solutions; a power of two"),
    {0},
};

const struct hd_workload hd_work_ga = {
    .name = "ga",
    .doc = "paper 5, GA: threads replace pairs of solutions in the LDS by the better one",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
