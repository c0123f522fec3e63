/* crew.h - runs the tiles of a machine, dealt out to partitions, each by one thread.
 *
 * Partition 0 is run by the thread that calls hd_crew_run(); the others have threads that live as long as the crew and
 * wait between runs. Which partition a tile is in changes no result: tiles meet only through links, and those only
 * through the exchange (exchange.h). Tiles are dealt out by the time they took, the longest first, each to the
 * partition that has least to do, and later moved one by one when loads have drifted apart. A partition runs its tiles
 * longest first; one that has none left in a span takes those that another has not begun, because the same tile takes
 * longer in one span than in the next. While all of them take next to no time, because most are idle, the caller runs
 * all of them. */
#ifndef HD_CREW_H
#define HD_CREW_H
#include "exchange.h"

/* A tile to run: run(tile, ...) over cycles [from, to). */
struct hd_job {
    void (*run)(void *ctx, void *tile, uint64_t from, uint64_t to);
    void *tile;
    const struct hd_link_end *ends; /* its ends of links, owned by the caller */
    size_t n;
};

struct hd_crew;

/* @ctx is handed to run(). @jobs is copied. @threads: 1..HD_MAX_THREADS; more than tiles are of no use and not started.
 * @seed: 0, or tiles are dealt out by lot (for tests of any partition). @return NULL after a message on stderr. */
struct hd_crew *hd_crew_new(void *ctx, const struct hd_job *jobs, size_t n, unsigned threads, uint64_t seed);
void hd_crew_free(struct hd_crew *c); /* ends its threads; NULL is allowed */

/* Runs all tiles over [from, to), in spans of @step cycles, and returns when all stand at @to. @step must not be
 * longer than any link latency. What the caller wrote before is seen by all tiles, and the other way round after. */
void hd_crew_run(struct hd_crew *c, uint64_t from, uint64_t to, uint64_t step);

/* Between runs: @return whether a rule of a link was broken. */
bool hd_crew_fault(const struct hd_crew *c);
#endif
