/* km.c - KM of paper 5, the sums of k-means: 256 points, each looks at all n centres in the LDS by plain loads, then adds its three
 * coordinates and itself to those of its centre in a critical section. A centre lies in one bank, or (kb = 0) each dimension is an
 * array of its own. */
#include "tx.h"

enum { DIMENSIONS = 4 };

struct point {
    const struct hd_tx_bench *b;
    uint32_t centre[HD_MAX_LANES], x[HD_MAX_LANES][DIMENSIONS];
};

static uint32_t word_of(const struct hd_tx_bench *b, uint32_t centre, unsigned d)
{
    uint32_t kb = b->extra;

    return kb == 0 ? d * b->n + centre : centre % kb + b->banks * (centre / kb * DIMENSIONS + d);
}

static uint32_t centre_of(const struct hd_tx_bench *b, unsigned thread)
{
    return b->draw[thread][0] % b->n;
}

static uint32_t coordinate(const struct hd_tx_bench *b, unsigned thread, unsigned d)
{
    return d == DIMENSIONS - 1 ? 1 : b->draw[thread][1 + d] % 1000;
}

static void body(struct hd_warp *w, hd_mask_t m, void *arg)
{
    const struct point *p = arg;

    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t word[HD_MAX_LANES], sum[HD_MAX_LANES];
        for (unsigned l = 0; l < hd_lanes(w); l++)
            word[l] = word_of(p->b, p->centre[l], d);
        const uint32_t *v = hd_tx_load(w, m, word);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            sum[l] = v[l] + p->x[l][d];
        hd_alu(w, 2);
        hd_tx_store(w, m, word, sum);
    }
}

static void run(struct hd_warp *w, struct hd_tx_bench *b)
{
    struct point p = {.b = b};
    uint32_t word[HD_MAX_LANES];

    for (unsigned l = 0; l < hd_lanes(w); l++) {
        p.centre[l] = centre_of(b, hd_thread(w, l));
        for (unsigned d = 0; d < DIMENSIONS; d++)
            p.x[l][d] = coordinate(b, hd_thread(w, l), d);
    }
    for (uint32_t c = 0; c < b->n; c++)
        for (unsigned d = 0; d < DIMENSIONS - 1; d++) {
            for (unsigned l = 0; l < hd_lanes(w); l++)
                word[l] = word_of(b, c, d);
            hd_tx_load(w, hd_mask(w), word);
            hd_alu(w, 3);
        }
    hd_bar(w);
    if (b->way == HD_TX_SERIAL)
        hd_tx_serial(w, body, &p, NULL);
    else
        hd_tx_critical(w, b, hd_mask(w), body, &p, &(struct hd_tx_locks){1, {p.centre, NULL}});
}

static const char *prepare(struct hd_work *k)
{
    uint32_t n = hd_work_param(k, "n"), kb = hd_work_param(k, "kb"), banks = hd_work_config(k)->lds_banks;

    if (kb > banks)
        return "kb must be at most lds_banks";
    return hd_tx_prepare(k, run, kb == 0 ? DIMENSIONS * n : (n + kb - 1) / kb * DIMENSIONS * banks, n, kb);
}

static void reference(struct hd_work *k)
{
    const struct hd_tx_bench *b = hd_tx_finish(k);
    uint32_t *sum = b->start->host; /* all 0 */

    for (uint32_t c = 0; c < b->n; c++)
        for (unsigned d = 0; d < DIMENSIONS; d++) {
            uint32_t expected = sum[word_of(b, c, d)], got = b->data->result[word_of(b, c, d)];
            for (unsigned i = 0; i < HD_TX_THREADS; i++)
                expected += centre_of(b, i) == c ? coordinate(b, i, d) : 0;
            if (got != expected)
                hd_work_fail(k, "centre %u, sum %u is %u; it should be %u", c, d, got, expected);
        }
}

static const struct hd_param params[] = {
    HD_TX_PARAMS("centres; a power of two"),
    {"kb", 8, 0, 64, "banks the centres lie in, each in one; 0: an array for each dimension"},
    {0},
};

const struct hd_workload hd_work_km = {
    .name = "km",
    .doc = "paper 5, KM: threads add their points to the sums of centres in the LDS",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
