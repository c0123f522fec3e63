/* latency.h - how long loads of global memory take, from taken to complete, seen at the warp ports, by what they cannot
 * have been faster than: "sm" below the least way over the network and back, "l2" below that and the least time of memory,
 * "memory" the rest (with loads of the others that waited as long). */
#ifndef HD_LATENCY_H
#define HD_LATENCY_H
#include "config.h"
#include "port.h"
#include <stdbool.h>
#include <stdint.h>

enum { HD_LATENCY_LEVELS = 3, HD_LATENCY_BUCKETS = 32 };

struct hd_latency_level {
    const char *name;
    uint64_t from;                        /* core cycles: the least of this level */
    uint64_t loads, cycles, most;         /* how many; their sum; the longest */
    uint64_t bucket[HD_LATENCY_BUCKETS];  /* loads of 2^b to below 2^(b + 1) cycles */
};

struct hd_latency;

/* @return NULL when there is no memory. */
struct hd_latency *hd_latency_new(const struct hd_config *c);
void hd_latency_free(struct hd_latency *l); /* NULL is allowed */

/* Fills *outer, which calls *inner and looks on. *inner must outlive the run. */
void hd_latency_client(struct hd_latency *l, const struct hd_client *inner, struct hd_client *outer);

/* Between windows: loads that complete from now on are counted, those before are forgotten. */
void hd_latency_reset(struct hd_latency *l);

/* Sums over all SMs. */
void hd_latency_get(const struct hd_latency *l, struct hd_latency_level level[HD_LATENCY_LEVELS]);
#endif
