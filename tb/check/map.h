/* map.h - hash table from 64-bit keys to 32-bit values, open addressing, no tombstones. */
#ifndef HD_MAP_H
#define HD_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MAP_NONE UINT32_MAX /* no value: not stored */

struct hd_map {
    uint64_t *key;
    uint32_t *value;    /* HD_MAP_NONE: free */
    size_t mask, count; /* slots - 1; zero-initialised is empty */
};

void hd_map_fini(struct hd_map *m);

/* Makes room for @more keys. @return false when there is no memory. */
bool hd_map_reserve(struct hd_map *m, size_t more);

/* @return the value of @key or HD_MAP_NONE. */
uint32_t hd_map_get(const struct hd_map *m, uint64_t key);

/* Sets the value of @key. There must be room. */
void hd_map_set(struct hd_map *m, uint64_t key, uint32_t value);
void hd_map_remove(struct hd_map *m, uint64_t key);
#endif
