/* port.h - the warp port of an SM as C sees it: the operation it takes, and the client that offers operations and is
 * told what became of them (docs/tiles.md). Below the machine and everything that drives it. */
#ifndef HD_PORT_H
#define HD_PORT_H
#include <stdbool.h>
#include <stdint.h>

/* Lanes of a warp, bit l for lane l. */
typedef uint64_t hd_mask_t;
enum { HD_MAX_LANES = 64 };
/* Warp ports of a machine; warps of one, their memory operations in flight. */
enum { HD_MAX_SMS = 128, HD_MAX_WARPS = 64, HD_MAX_SLOTS = 8 };
#define HD_NEVER UINT64_MAX

/* One warp operation as the port takes it (docs/tiles.md). Unused lanes are ignored. */
struct hd_op {
    uint8_t warp, kind, fn, space, order, scope, block;
    bool ro;
    uint16_t alu;
    hd_mask_t mask;                /* lanes */
    uint32_t addr[HD_MAX_LANES];   /* byte addresses, word aligned */
    uint32_t data[HD_MAX_LANES];   /* store data, atomic operand */
    uint32_t cmp[HD_MAX_LANES];    /* CAS compare */
    uint32_t ghost[HD_MAX_LANES];  /* id of the store, checked builds only */
};

/* Warp port client (the SIMT runtime). All cycles are core cycles. Calls for different SMs may come in any cycle order
 * inside a window, so a client keeps the state of two SMs apart and talks across SMs only in window(). */
struct hd_client {
    void *ctx;
    /* First cycle >= now at which offer() of this SM may return an operation if nothing else happens;
     * HD_NEVER when it waits for the machine. */
    uint64_t (*wake)(void *ctx, unsigned sm, uint64_t now);
    /* Before the edge of `cycle`: the operation to drive, or NULL. The client keeps it until the next call.
     * May also be called in cycles before wake()'s answer, and must then return NULL. */
    const struct hd_op *(*offer)(void *ctx, unsigned sm, uint64_t cycle);
    /* After the edge of `cycle`, in this order, only when they happened. data: lanes' words (of loads and
     * atomics), valid during the call; ghost: all 0 without ghost bits. */
    void (*taken)(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot);
    /* With local_tm, right before complete(), or NULL: status and lanes that have lost (cpl_status_o, cpl_tcm_o). */
    void (*status)(void *ctx, unsigned sm, unsigned warp, unsigned status, hd_mask_t tcm);
    void (*complete)(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last,
                     hd_mask_t mask, const uint32_t *data, const uint32_t *ghost);
    void (*ctl_done)(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock);
    void (*flush_done)(void *ctx, unsigned sm, uint64_t cycle);
    /* Between windows, all tiles standing at `next`: [next - hd_machine_window(), next) has been run. What it
     * tells an SM may take effect at cycles >= next. @return false to end the run. Its cycles do not depend
     * on c->window or c->skip_idle, which change only the order in which tiles are run. */
    bool (*window)(void *ctx, uint64_t next);
    /* NULL, or, after each window(): the cycle at which a kernel that was found to begin begins (its warps' LAUNCH
     * operations carry fn = 1, the first of each SM); HD_NEVER: none. The classifiers forget their sectors then. */
    uint64_t (*kernel)(void *ctx);
};
#endif
