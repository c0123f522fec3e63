/* ht.c - HT of paper 5: 256 ids are put into a hash table of n buckets in the LDS. A thread looks for a slot of its bucket that seems
 * empty by plain loads, then takes it in a critical section if it still is. */
#include "tx.h"

struct insert {
    uint32_t slot[HD_MAX_LANES], id[HD_MAX_LANES];
    bool again[HD_MAX_LANES]; /* somebody has taken the slot meanwhile */
};

static void body(struct hd_warp *w, hd_mask_t m, void *arg)
{
    struct insert *h = arg;
    const uint32_t *v = hd_tx_load(w, m, h->slot);
    hd_mask_t empty = 0;

    hd_alu(w, 2);
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        if (!(m >> l & 1))
            continue;
        h->again[l] = v[l] != 0;
        empty |= v[l] == 0 ? hd_lane(l) : 0;
    }
    hd_tx_store(w, empty, h->slot, h->id);
}

/* The next slot of each bucket that reads empty; lanes go on to their cursors' places and stay there. */
static void scan(struct hd_warp *w, const struct hd_tx_bench *b, struct insert *h, hd_mask_t seek, uint32_t *cursor)
{
    uint32_t slots = HD_TX_THREADS / b->n;

    while (seek != 0) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            h->slot[l] = (h->id[l] - 1) % b->n * slots + cursor[l];
        const uint32_t *v = hd_tx_load(w, seek, h->slot);
        hd_alu(w, 3);
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            if (!(seek >> l & 1))
                continue;
            if (v[l] == 0)
                seek &= ~hd_lane(l);
            else
                cursor[l] = (cursor[l] + 1) % slots;
        }
    }
}

/* In its turn a thread goes from slot to slot. */
static void body_in_turn(struct hd_warp *w, hd_mask_t m, void *arg)
{
    struct insert *h = arg;
    unsigned l = (unsigned)__builtin_ctzll(m);

    h->slot[l] += h->again[l];
    body(w, m, arg);
}

static void run(struct hd_warp *w, struct hd_tx_bench *b)
{
    uint32_t cursor[HD_MAX_LANES] = {0}, lock[HD_MAX_LANES];
    struct insert h = {0};
    hd_mask_t left = hd_mask(w);

    for (unsigned l = 0; l < hd_lanes(w); l++) {
        h.id[l] = hd_thread(w, l) + 1;
        lock[l] = (h.id[l] - 1) % b->n;
        h.slot[l] = lock[l] * (HD_TX_THREADS / b->n);
    }
    hd_alu(w, 4);
    if (b->way == HD_TX_SERIAL) {
        hd_tx_serial(w, body_in_turn, &h, h.again);
        return;
    }
    while (left != 0) {
        scan(w, b, &h, left, cursor);
        hd_tx_critical(w, b, left, body, &h, &(struct hd_tx_locks){1, {lock, NULL}});
        for (unsigned l = 0; l < hd_lanes(w); l++)
            if (!h.again[l])
                left &= ~hd_lane(l);
    }
}

static const char *prepare(struct hd_work *k)
{
    return hd_tx_prepare(k, run, HD_TX_THREADS, hd_work_param(k, "n"), 0);
}

static void reference(struct hd_work *k)
{
    const struct hd_tx_bench *b = hd_tx_finish(k);
    uint32_t seen[HD_TX_THREADS + 1] = {0}, slots = HD_TX_THREADS / b->n;

    for (uint32_t i = 0; i < HD_TX_THREADS; i++) {
        uint32_t id = b->data->result[i];
        if (id == 0 || id > HD_TX_THREADS)
            hd_work_fail(k, "slot %u of bucket %u holds %u, which is no id", i % slots, i / slots, id);
        else if (seen[id]++ != 0)
            hd_work_fail(k, "id %u is in the table twice", id);
        else if ((id - 1) % b->n != i / slots)
            hd_work_fail(k, "id %u is in bucket %u; it belongs to %u", id, i / slots, (id - 1) % b->n);
    }
}

static const struct hd_param params[] = {
    HD_TX_PARAMS("buckets; a power of two"),
    {0},
};

const struct hd_workload hd_work_ht = {
    .name = "ht",
    .doc = "paper 5, HT: threads insert into a hash table in the LDS",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
