/* memcached.c - GET requests to a key-value store, a request a lane, as a GPU memcached answers them: read the key,
 * hash it, walk the chain of its bucket, compare hash, length and key, store where the value is. Keys are drawn
 * by Zipf's law (the key of rank r with weight 1/r); some are not in the store. The store is only read, and every
 * request has a word of its own for the result, so nothing needs to be ordered. */
#include "work.h"
#include <stdlib.h>

/* An item: next item + 1 or 0, hash, length of the key in words, value, key. */
enum { BLOCK = 256, ITEM_WORDS = 16, NEXT = 0, HASH = 1, LENGTH = 2, VALUE = 3, KEY = 4, SLOT = 12, MIN_KEY = 8 };

struct args {
    uint32_t gets, items, buckets;
    const struct hd_array *request, *key, *bucket, *item, *result;
};

static inline uint32_t hash_step(uint32_t h, uint32_t word)
{
    h ^= word;
    h *= 0x01000193u;
    return h ^ h >> 15;
}

static hd_tok gather(struct hd_warp *w, hd_mask_t mask, const struct hd_array *a, const uint32_t *index, uint32_t plus)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(a, index[l] + plus);
    return hd_ld(w, mask, addr);
}

/* Compares @length words of the lanes' keys, at @key of the requests, with those of the items at @item.
 * @return the lanes where they agree. */
static hd_mask_t same_keys(struct hd_warp *w, hd_mask_t mask, const struct args *g, const uint32_t *item,
                          uint32_t (*key)[HD_MAX_LANES], const uint32_t *length)
{
    for (uint32_t n = 0; n < SLOT; n++) {
        hd_mask_t more = 0;
        for (unsigned l = 0; l < hd_lanes(w); l++)
            more |= (hd_mask_t)(n < length[l]) << l;
        more &= mask;
        if (more == 0)
            break;
        const uint32_t *word = hd_use(w, gather(w, more, g->item, item, KEY + n));
        hd_alu(w, 2);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            if (more >> l & 1 && word[l] != key[n][l])
                mask &= ~hd_lane(l);
    }
    return mask;
}

static void get(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    const unsigned lanes = hd_lanes(w);
    uint32_t at[HD_MAX_LANES], index[HD_MAX_LANES], length[HD_MAX_LANES], hash[HD_MAX_LANES];
    uint32_t key[SLOT][HD_MAX_LANES], value[HD_MAX_LANES] = {0};
    hd_mask_t mask = 0, found = 0;
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t t = hd_global_thread(w, l);
        mask |= (hd_mask_t)(t < g->gets) << l;
        index[l] = 2 * t;
    }
    mask &= hd_mask(w);
    hd_tok ta = gather(w, mask, g->request, index, 0), tl = gather(w, mask, g->request, index, 1);
    memcpy(at, hd_use(w, ta), lanes * sizeof at[0]);
    memcpy(length, hd_use(w, tl), lanes * sizeof length[0]);
    hd_tok token[SLOT];
    hd_mask_t part[SLOT];
    for (uint32_t n = 0; n < SLOT; n++) {
        part[n] = 0;
        for (unsigned l = 0; l < lanes; l++)
            part[n] |= (hd_mask_t)(n < length[l]) << l;
        part[n] &= mask;
        token[n] = gather(w, part[n], g->key, at, n);
    }
    for (unsigned l = 0; l < lanes; l++)
        hash[l] = 0;
    for (uint32_t n = 0; n < SLOT; n++) {
        const uint32_t *word = hd_use(w, token[n]);
        for (unsigned l = 0; l < lanes; l++)
            if (part[n] >> l & 1)
                hash[l] = hash_step(hash[l], key[n][l] = word[l]);
    }
    hd_alu(w, 80);
    for (unsigned l = 0; l < lanes; l++)
        index[l] = hash[l] % g->buckets;
    memcpy(at, hd_use(w, gather(w, mask, g->bucket, index, 0)), lanes * sizeof at[0]);
    for (hd_mask_t going = mask;;) {
        for (unsigned l = 0; l < lanes; l++) {
            if (at[l] == 0)
                going &= ~hd_lane(l);
            index[l] = (at[l] - 1) * ITEM_WORDS;
        }
        hd_alu(w, 4);
        if (going == 0)
            break;
        hd_tok tn = gather(w, going, g->item, index, NEXT), th = gather(w, going, g->item, index, HASH);
        hd_tok tk = gather(w, going, g->item, index, LENGTH);
        const uint32_t *next = hd_use(w, tn), *h = hd_use(w, th), *len = hd_use(w, tk);
        hd_mask_t like = 0;
        for (unsigned l = 0; l < lanes; l++) {
            like |= (hd_mask_t)(h[l] == hash[l] && len[l] == length[l]) << l;
            at[l] = next[l];
        }
        hd_mask_t hit = same_keys(w, like & going, g, index, key, length);
        going &= ~hit;
        found |= hit;
        if (hit == 0)
            continue;
        const uint32_t *v = hd_use(w, gather(w, hit, g->item, index, VALUE));
        for (unsigned l = 0; l < lanes; l++)
            if (hit >> l & 1)
                value[l] = v[l];
    }
    hd_st_row(w, mask, hd_at(g->result, hd_global_thread(w, 0)), value);
}

/* Key number @n: @return its length, its words in @key. Numbers from `items` up are not in the store. */
static uint32_t make_key(uint64_t seed, uint32_t n, uint32_t key[SLOT])
{
    uint64_t state = seed + n;
    uint32_t length = MIN_KEY + hd_random_below(&state, SLOT - MIN_KEY + 1);
    key[0] = n; /* no two are the same */
    for (uint32_t i = 1; i < length; i++)
        key[i] = (uint32_t)hd_random(&state);
    return length;
}

static uint32_t hash_key(const uint32_t *key, uint32_t length)
{
    uint32_t h = 0;
    for (uint32_t i = 0; i < length; i++)
        h = hash_step(h, key[i]);
    return h;
}

/* Draws a rank below @n, of which @sum holds the summed weights. */
static uint32_t zipf(struct hd_work *k, const uint64_t *sum, uint32_t n)
{
    uint64_t v = hd_work_random(k) % sum[n - 1];
    uint32_t low = 0, high = n - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (v < sum[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t absent = hd_work_param(k, "absent");
    g->gets = hd_work_param(k, "gets");
    g->items = hd_work_param(k, "items");
    g->buckets = 2 * g->items;
    struct hd_array *request = hd_work_array(k, "request", 2 * (uint64_t)g->gets);
    struct hd_array *key = hd_work_array(k, "key", (uint64_t)g->gets * SLOT);
    struct hd_array *bucket = hd_work_array(k, "bucket", g->buckets);
    struct hd_array *item = hd_work_array(k, "item", (uint64_t)g->items * ITEM_WORDS);
    g->result = hd_work_array(k, "result", g->gets);
    uint64_t *sum = malloc(g->items * sizeof *sum), seed = hd_work_random(k);
    if (!sum || !request->words || !key->words || !bucket->words || !item->words || !g->result->words) {
        free(sum);
        return "no memory";
    }
    for (uint32_t n = 0; n < g->items; n++) {
        uint32_t *p = &item->host[n * ITEM_WORDS];
        p[LENGTH] = make_key(seed, n, &p[KEY]);
        p[HASH] = hash_key(&p[KEY], p[LENGTH]);
        p[VALUE] = (uint32_t)hd_work_random(k) | 1;
        uint32_t *head = &bucket->host[p[HASH] % g->buckets];
        p[NEXT] = *head;
        *head = n + 1;
        sum[n] = (n > 0 ? sum[n - 1] : 0) + (1ull << 40) / (n + 1);
    }
    for (uint32_t i = 0, at = 0; i < g->gets; i++) {
        bool miss = hd_work_random_below(k, 100) < absent;
        /* the rank says how often a key is wanted, its place in the store is another matter */
        uint32_t n = (uint32_t)(zipf(k, sum, g->items) * 2654435761ull % g->items);
        request->host[2 * i] = at;
        request->host[2 * i + 1] = make_key(seed, miss ? g->items + i : n, &key->host[at]);
        at += request->host[2 * i + 1];
    }
    free(sum);
    g->request = request;
    g->key = key;
    g->bucket = bucket;
    g->item = item;
    hd_work_launch(k, &(struct hd_launch){.fn = get, .args = g, .grid_x = (g->gets + BLOCK - 1) / BLOCK, .grid_y = 1,
                                          .block_x = BLOCK, .block_y = 1});
    return NULL;
}

/* The first word of a key is its number, and with it the item's. */
static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t hits = 0;
    for (uint32_t i = 0; i < g->gets; i++) {
        uint32_t n = g->key->host[g->request->host[2 * i]];
        g->result->host[i] = n < g->items ? g->item->host[n * ITEM_WORDS + VALUE] : 0;
        hits += n < g->items;
    }
    hd_work_counter(k, "memcached.hits", hits);
}

static const struct hd_param params[] = {
    {"gets", 2048, 1, 1u << 20, "requests"},
    {"items", 16384, 1, 1u << 20, "items in the store, 64 bytes each"},
    {"absent", 10, 0, 100, "percent of the requests whose key is not in the store"},
    {0},
};

static const struct hd_full full[] = {{"gets", 8192}, {0}};

const struct hd_workload hd_work_memcached = {
    .name = "memcached",
    .doc = "GET requests to a hash table, keys by Zipf's law (GPU memcached, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
