/* map.c - see map.h. */
#include "check/map.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 };

static size_t home(const struct hd_map *m, uint64_t key)
{
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key ^ key >> 32) & m->mask;
}

void hd_map_fini(struct hd_map *m)
{
    free(m->key);
    free(m->value);
    *m = (struct hd_map){0};
}

/* @return the slot of @key, or the free slot where it belongs. */
static size_t find(const struct hd_map *m, uint64_t key)
{
    size_t i = home(m, key);

    while (m->value[i] != HD_MAP_NONE && m->key[i] != key)
        i = (i + 1) & m->mask;
    return i;
}

bool hd_map_reserve(struct hd_map *m, size_t more)
{
    size_t slots = m->key ? m->mask + 1 : FIRST_SLOTS;

    while ((m->count + more) * 3 > slots * 2)
        slots *= 2;
    if (m->key != NULL && slots == m->mask + 1)
        return true;
    struct hd_map big = {.key = malloc(slots * sizeof *big.key),
                         .value = malloc(slots * sizeof *big.value),
                         .mask = slots - 1,
                         .count = m->count};
    if (big.key == NULL || big.value == NULL) {
        hd_map_fini(&big);
        return false;
    }
    memset(big.value, 0xff, slots * sizeof *big.value);
    for (size_t i = 0; m->key != NULL && i <= m->mask; i++) {
        if (m->value[i] == HD_MAP_NONE)
            continue;
        size_t at = find(&big, m->key[i]);
        big.key[at] = m->key[i];
        big.value[at] = m->value[i];
    }
    free(m->key);
    free(m->value);
    *m = big;
    return true;
}

uint32_t hd_map_get(const struct hd_map *m, uint64_t key)
{
    return m->key == NULL ? HD_MAP_NONE : m->value[find(m, key)];
}

void hd_map_set(struct hd_map *m, uint64_t key, uint32_t value)
{
    size_t at = find(m, key);

    m->count += m->value[at] == HD_MAP_NONE;
    m->key[at] = key;
    m->value[at] = value;
}

void hd_map_remove(struct hd_map *m, uint64_t key)
{
    if (m->key == NULL)
        return;
    size_t hole = find(m, key);
    if (m->value[hole] == HD_MAP_NONE)
        return;
    m->count--;
    /* What comes behind the hole and belongs at or before it moves up. */
    for (size_t i = (hole + 1) & m->mask; m->value[i] != HD_MAP_NONE; i = (i + 1) & m->mask) {
        size_t h = home(m, m->key[i]);
        if (((i - h) & m->mask) < ((i - hole) & m->mask))
            continue;
        m->key[hole] = m->key[i];
        m->value[hole] = m->value[i];
        hole = i;
    }
    m->value[hole] = HD_MAP_NONE;
}
