/* dispatch.h - the thread block dispatcher: hands the blocks of a list of grids to the SMs.
 *
 * It stands apart from the SMs like a tile: the news that a block has ended takes `latency` cycles to it, its
 * answer `latency` cycles back, and it serves news in (cycle, SM) order. So a result does not depend on how
 * many cycles the SMs run at once. First wave of a grid: block b to SM b mod SMs, up to `resident` blocks an
 * SM; then each ended block is replaced by the next one on its SM. The next grid starts when the last block
 * of the one before has ended. */
#ifndef HD_DISPATCH_H
#define HD_DISPATCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_grid {
    unsigned blocks;    /* in the grid, at least 1 */
    unsigned resident;  /* most blocks at a time on an SM, 1..16 */
};

/* Tells SM @sm to start block number @block of grid @grid in block slot @slot at @cycle or later. */
typedef void hd_dispatch_start(void *ctx, unsigned sm, uint64_t cycle, unsigned slot, size_t grid, unsigned block);

/* @latency: cycles each way. @return NULL when there is no memory. */
struct hd_dispatch *hd_dispatch_new(unsigned sms, unsigned latency, hd_dispatch_start *start, void *ctx);
void hd_dispatch_free(struct hd_dispatch *d);

/* Starts the first of @n grids at @cycle. @grids stays valid until the last has ended. */
void hd_dispatch_begin(struct hd_dispatch *d, const struct hd_grid *grids, size_t n, uint64_t cycle);

/* News, to be given in rising (cycle, SM) order: the block in @slot of @sm ended at @cycle. */
void hd_dispatch_ended(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot);

/* @return true when all grids have ended. */
bool hd_dispatch_done(const struct hd_dispatch *d);

/* Blocks ended and blocks in all, over all grids. */
void hd_dispatch_progress(const struct hd_dispatch *d, uint64_t *ended, uint64_t *all);
#endif
