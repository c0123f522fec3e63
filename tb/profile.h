/* profile.h - where the host's time of a run goes: every moment belongs to exactly one section.
 *
 * hd_profile_enter() ends the section that runs and begins another; so the sections add up to the whole. Used only in
 * runs made for it (hd_config.profile): the loops of tiles exist twice, with and without. One profile serves one
 * thread. */
#ifndef HD_PROFILE_H
#define HD_PROFILE_H
#include "port.h"
#include <stdint.h>

#define HD_PROFILE_SECTIONS(X)                                             \
    X(SM, "sm tiles")             /* evaluation of models */               \
    X(L2, "l2 tiles")                                                      \
    X(XBAR, "crossbar tiles")     /* or routers */                         \
    X(LINKS, "links")             /* flits and credits, between tiles */   \
    X(WARPS, "coroutines")        /* SIMT runtime, kernels, dispatcher */  \
    X(DRAM, "dram")                                                        \
    X(CHECKS, "checks")           /* all between tile runs */              \
    X(REST, "rest")               /* driving of ports, books, the loops */

enum hd_section {
#define HD_PROFILE_ENUM(name, text) HD_SECTION_##name,
    HD_PROFILE_SECTIONS(HD_PROFILE_ENUM)
#undef HD_PROFILE_ENUM
    HD_SECTIONS
};

struct hd_profile {
    uint64_t ticks[HD_SECTIONS];
    uint64_t since;              /* 0: nothing runs */
    enum hd_section now;
    const struct hd_client *inner;
};

/* The host's clock with the least cost; its unit does not matter. */
uint64_t hd_profile_clock(void);

/* @return the section that ran until now. */
static inline enum hd_section hd_profile_enter(struct hd_profile *p, enum hd_section next)
{
    enum hd_section last = p->now;
#if defined(__x86_64__)
    uint64_t t = __builtin_ia32_rdtsc();
#else
    uint64_t t = hd_profile_clock();
#endif

    p->ticks[last] += p->since != 0 ? t - p->since : 0;
    p->since = t;
    p->now = next;
    return last;
}

const char *hd_section_name(enum hd_section s);

/* Fills *outer with a client that passes every call on to @inner, in section WARPS. Both must outlive the run. */
void hd_profile_client(struct hd_profile *p, const struct hd_client *inner, struct hd_client *outer);
#endif
