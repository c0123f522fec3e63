/* watchdog.h - tells a machine that waits from one that is dead.
 *
 * Progress is anything that cannot go on for ever without work being done: an instruction issued, an
 * operation taken or completed, a flit sent, a memory request. A machine with outstanding work and no
 * progress for `limit` cycles is dead, unless its client is about to offer something by itself. */
#ifndef HD_WATCHDOG_H
#define HD_WATCHDOG_H
#include <stdbool.h>
#include <stdint.h>

struct hd_watchdog {
    uint64_t limit;     /* core cycles */
    uint64_t progress;  /* cycle of the last progress */
};

static inline void hd_watchdog_progress(struct hd_watchdog *w, uint64_t cycle)
{
    if (cycle > w->progress)
        w->progress = cycle;
}

/* Cheap test before @outstanding and @wake are worked out. */
static inline bool hd_watchdog_suspects(const struct hd_watchdog *w, uint64_t now)
{
    return now > w->progress && now - w->progress >= w->limit;
}

/* @outstanding: any operation, packet or credit not home. @wake: earliest cycle at which the client will
 * offer by itself, UINT64_MAX if it only waits. Nothing outstanding and nothing to come is dead as well:
 * the client waits for something that cannot happen. */
static inline bool hd_watchdog_dead(const struct hd_watchdog *w, uint64_t now, bool outstanding, uint64_t wake)
{
    if (!hd_watchdog_suspects(w, now) || (wake > now && wake != UINT64_MAX))
        return false;
    return outstanding || wake == UINT64_MAX;
}
#endif
