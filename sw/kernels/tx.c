/* tx.c - see tx.h. */
#include "tx.h"
#include <stdio.h>

static void addresses(uint32_t addr[HD_MAX_LANES], const uint32_t *word, unsigned lanes)
{
    for (unsigned l = 0; l < lanes; l++)
        addr[l] = 4 * word[l];
}

const uint32_t *hd_tx_load(struct hd_warp *w, hd_mask_t m, const uint32_t *word)
{
    uint32_t addr[HD_MAX_LANES];

    addresses(addr, word, hd_lanes(w));
    return hd_use(w, hd_lds_ld(w, m, addr, HD_ORD_RELAXED, HD_SCOPE_WG));
}

void hd_tx_store(struct hd_warp *w, hd_mask_t m, const uint32_t *word, const uint32_t *value)
{
    uint32_t addr[HD_MAX_LANES];

    addresses(addr, word, hd_lanes(w));
    hd_lds_st(w, m, addr, value, HD_ORD_RELAXED, HD_SCOPE_WG);
}

/* Lanes of @want that get their lock number @i. */
static hd_mask_t try_lock(struct hd_warp *w, const struct hd_tx_bench *b, hd_mask_t want, const uint32_t *lock)
{
    uint32_t addr[HD_MAX_LANES], one[HD_MAX_LANES];
    hd_mask_t got = 0;

    if (want == 0)
        return 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        addr[l] = 4 * (b->locks + lock[l]);
        one[l] = 1;
    }
    const uint32_t *old = hd_use(w, hd_lds_atom(w, HD_AT_EXCH, want, addr, one, HD_ORD_ACQUIRE, HD_SCOPE_WG));
    hd_alu(w, 1);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        got |= (want >> l & 1) && old[l] == 0 ? hd_lane(l) : 0;
    return got;
}

static void unlock(struct hd_warp *w, const struct hd_tx_bench *b, hd_mask_t mask, const uint32_t *lock)
{
    uint32_t addr[HD_MAX_LANES], zero[HD_MAX_LANES] = {0};

    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = 4 * (b->locks + lock[l]);
    hd_lds_st(w, mask, addr, zero, HD_ORD_RELEASE, HD_SCOPE_WG);
}

/* All locks or none. */
static hd_mask_t lock_all(struct hd_warp *w, const struct hd_tx_bench *b, hd_mask_t want, const struct hd_tx_locks *k, hd_mask_t two)
{
    hd_mask_t got = try_lock(w, b, want, k->word[0]);

    if (k->count == 1 || (got & two) == 0)
        return got;
    hd_mask_t second = try_lock(w, b, got & two, k->word[1]), without = got & two & ~second;
    if (without != 0)
        unlock(w, b, without, k->word[0]);
    return got & ~without;
}

static void locked(struct hd_warp *w, const struct hd_tx_bench *b, hd_mask_t mask, hd_tx_body *body, void *arg,
                   const struct hd_tx_locks *k)
{
    hd_mask_t two = 0;

    for (unsigned l = 0; k->count == 2 && l < hd_lanes(w); l++)
        two |= k->word[0][l] != k->word[1][l] ? hd_lane(l) : 0;
    while (mask != 0) {
        hd_mask_t got = lock_all(w, b, mask, k, two);
        if (got == 0)
            continue;
        body(w, got, arg);
        unlock(w, b, got, k->word[0]);
        if ((got & two) != 0)
            unlock(w, b, got & two, k->word[1]);
        mask &= ~got;
    }
}

void hd_tx_critical(struct hd_warp *w, const struct hd_tx_bench *b, hd_mask_t mask, hd_tx_body *body, void *arg,
                    const struct hd_tx_locks *locks)
{
    static const uint32_t only[HD_MAX_LANES] = {0};

    if (mask == 0)
        return;
    if (b->way == HD_TX_TM) {
        do {
            hd_mask_t m = hd_tx_begin(w, mask);
            body(w, m, arg);
        } while (hd_tx_commit(w));
        return;
    }
    locked(w, b, mask, body, arg, b->way == HD_TX_LOCKS ? locks : &(struct hd_tx_locks){1, {only, NULL}});
}

void hd_tx_serial(struct hd_warp *w, hd_tx_body *body, void *arg, const bool *again)
{
    unsigned lanes = hd_lanes(w), first = hd_thread(w, 0), threads = hd_block_dim_x(w);

    for (unsigned id = 0; id < threads; id++) {
        do {
            hd_alu(w, 2);
            if (id / lanes * lanes != first)
                break;
            body(w, hd_lane(id - first), arg);
        } while (again != NULL && again[id - first]);
        hd_bar(w);
    }
}

/* Every word of the LDS segment, a thread a word: copied in or out. */
static void copy(struct hd_warp *w, const struct hd_tx_bench *b, uint32_t words, bool out)
{
    unsigned lanes = hd_lanes(w);

    for (uint32_t i = hd_thread(w, 0); i < words; i += hd_block_dim_x(w)) {
        uint32_t lds[HD_MAX_LANES], global[HD_MAX_LANES], value[HD_MAX_LANES] = {0};
        hd_mask_t m = hd_mask(w) & hd_lanes_below(words - i < lanes ? words - i : lanes);
        hd_mask_t filled = i >= b->words ? 0 : hd_lanes_below(b->words - i < lanes ? b->words - i : lanes);
        for (unsigned l = 0; l < lanes; l++) {
            lds[l] = 4 * (i + l);
            global[l] = hd_at(out ? b->data : b->start, i + l);
        }
        if (out) {
            hd_st(w, m & filled, global, hd_use(w, hd_lds_ld(w, m, lds, HD_ORD_RELAXED, HD_SCOPE_WG)));
            continue;
        }
        const uint32_t *start = hd_use(w, hd_ld(w, m & filled, global));
        for (unsigned l = 0; l < lanes; l++)
            value[l] = filled >> l & 1 ? start[l] : 0;
        hd_lds_st(w, m, lds, value, HD_ORD_RELAXED, HD_SCOPE_WG);
    }
}

static uint32_t segment(const struct hd_tx_bench *b)
{
    return b->locks + HD_TX_THREADS;
}

static void frame(struct hd_warp *w, void *args)
{
    struct hd_tx_bench *b = args;

    copy(w, b, segment(b), false);
    hd_sync_block(w, true);
    b->begun = hd_now(w);
    hd_sleep(w, hd_now(w) + 7ull * b->skew * hd_warp_in_block(w));
    b->run(w, b);
    hd_sync_block(w, true);
    b->ended = hd_now(w);
    copy(w, b, segment(b), true);
}

const char *hd_tx_prepare(struct hd_work *k, void (*run)(struct hd_warp *w, struct hd_tx_bench *b), uint32_t words, uint32_t locks,
                          uint32_t extra)
{
    const struct hd_config *c = hd_work_config(k);
    struct hd_tx_bench *b = hd_work_args(k, sizeof *b);

    b->n = hd_work_param(k, "n");
    b->way = hd_work_param(k, "way");
    b->skew = hd_work_param(k, "skew");
    b->banks = c->lds_banks;
    b->extra = extra;
    b->words = words;
    b->locks = (words + c->lds_banks - 1) / c->lds_banks * c->lds_banks;
    b->run = run;
    if (locks > HD_TX_THREADS || (b->n & (b->n - 1)) != 0)
        return "n must be a power of two";
    if (b->way == HD_TX_TM && !c->local_tm)
        return "way = 0: needs transactions in the LDS, local_tm = on; 1 serial, 2 a lock each, 3 one lock";
    for (unsigned i = 0; i < HD_TX_THREADS; i++)
        for (unsigned j = 0; j < HD_TX_DRAWS; j++)
            b->draw[i][j] = hd_work_random_below(k, 1u << 30);
    b->start = hd_work_array(k, "start", words);
    struct hd_array *data = hd_work_array(k, "data", words);
    data->free_form = true;
    b->data = data;
    hd_work_launch(k, &(struct hd_launch){.fn = frame, .args = b, .grid_x = 1, .grid_y = 1, .block_x = HD_TX_THREADS, .block_y = 1,
                                          .lds_bytes = 4 * segment(b)});
    return NULL;
}

const struct hd_tx_bench *hd_tx_finish(struct hd_work *k)
{
    const struct hd_tx_bench *b = hd_work_get_args(k);

    hd_work_counter(k, "tx.cycles", b->ended - b->begun);
    return b;
}
