/* dispatch.h - the thread block dispatcher: hands the blocks of a list of grids to the SMs.
 *
 * It stands apart from the SMs like a tile: the news that a block has ended takes `latency` cycles to it, its
 * answer `latency` cycles back, and it serves news in (cycle, SM) order. So a result does not depend on how
 * many cycles the SMs run at once. First wave of a grid: block b to SM b mod SMs, up to `resident` blocks an
 * SM; then each ended block is replaced by the next one on its SM. The next grid starts when the last block
 * of the one before has ended.
 *
 * Barrier of the grid (paper 4 section 5, footnote 4): a block whose warps have all come to it is parked, and
 * replaced as if it had ended. When no block is left to start and none runs, those parked go on, on their SMs, in
 * the order in which they came; behind a persist barrier each SM first runs one warp that drains it. To exchange
 * blocks costs `exchange` cycles each. */
#ifndef HD_DISPATCH_H
#define HD_DISPATCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_grid {
    unsigned blocks;    /* in the grid, at least 1 */
    unsigned resident;  /* most blocks at a time on an SM, 1..16 */
    unsigned exchange;  /* cycles to bring in a block where one was parked, or one that was */
};

/* To SM @sm: start block number @block of grid @grid in block slot @slot at @cycle or later. */
struct hd_order {
    enum { HD_ORDER_NEW, HD_ORDER_BACK, HD_ORDER_DRAIN } what; /* BACK: it was parked; DRAIN: a warp of no block */
    unsigned sm, slot, block;
    uint64_t cycle;
    size_t grid;
};
typedef void hd_dispatch_start(void *ctx, const struct hd_order *o);

/* @latency: cycles each way. @return NULL when there is no memory. */
struct hd_dispatch *hd_dispatch_new(unsigned sms, unsigned latency, hd_dispatch_start *start, void *ctx);
void hd_dispatch_free(struct hd_dispatch *d);

/* Room for grids of up to @blocks blocks. @return false: no memory. */
bool hd_dispatch_reserve(struct hd_dispatch *d, unsigned blocks);

/* Starts the first of @n grids at @cycle. @grids stays valid until the last has ended. */
void hd_dispatch_begin(struct hd_dispatch *d, const struct hd_grid *grids, size_t n, uint64_t cycle);

/* News, to be given in rising (cycle, SM) order: the block in @slot of @sm ended at @cycle. */
void hd_dispatch_ended(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot);

/* ... is parked there at a barrier of the grid, @persist: a persist barrier; what drains @sm has ended at @cycle. */
void hd_dispatch_parked(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot, unsigned block, bool persist);
void hd_dispatch_drained(struct hd_dispatch *d, unsigned sm, uint64_t cycle);
/* @return barriers of grids that are complete. */
unsigned hd_dispatch_barriers(const struct hd_dispatch *d);

/* @return true when all grids have ended. */
bool hd_dispatch_done(const struct hd_dispatch *d);

/* Blocks ended and blocks in all, over all grids. */
void hd_dispatch_progress(const struct hd_dispatch *d, uint64_t *ended, uint64_t *all);
#endif
