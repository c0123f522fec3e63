/* persist_barrier.h - the one place where persistent workloads name the persist barrier. Until machines have one it is a fence: the warp's
 * stores are performed, at the L2 at latest, and durable when the L2 writes them. */
#ifndef HD_PERSIST_BARRIER_H
#define HD_PERSIST_BARRIER_H
#include "warp.h"

/* @scope: HD_SCOPE_WI, _WG, _DEVICE (the kernel). */
static inline void hd_persist_barrier(struct hd_warp *w, unsigned scope)
{
    hd_fence(w, HD_ORD_ACQ_REL, scope);
}
#endif
