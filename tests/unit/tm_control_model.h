/* tm_control_model.h - the table of hd_tm_control.sv in C: what each wavefront's transaction is at. WFS wavefronts. */
#ifndef TM_CONTROL_MODEL_H
#define TM_CONTROL_MODEL_H
#include "hd_pkg.h"
#include "hd_unit.h"

static struct wf {
    enum { IDLE, RUN, RETRY } state;
    unsigned mode;
    bool killed, want;
    uint64_t lanes, tcm, old; /* of the attempt; those that have lost it; those that had last time */
} f[WFS];
static int token; /* whose it is; -1: nobody's */

static void model_reset(void)
{
    memset(f, 0, sizeof f);
    token = -1;
}

/* Would wavefront @w's begin be sent back? */
static bool held(unsigned w)
{
    int chosen = token;

    for (unsigned v = 0; chosen < 0 && v < WFS; v++)
        if (f[v].want)
            chosen = (int)v;
    return chosen >= 0 && chosen != (int)w;
}

/* @return whether it was sent back. */
static bool model_begin(unsigned w, uint64_t mask)
{
    struct wf *x = &f[w];

    if (held(w))
        return true;
    if (x->state == IDLE)
        x->lanes = mask, x->old = 0, x->mode = HD_TM_TX;
    x->state = RUN;
    x->killed = false;
    x->tcm = x->mode == HD_TM_TX ? 0 : x->lanes & (x->lanes - 1);
    for (unsigned v = 0; x->mode == HD_TM_WG && v < WFS; v++)
        if (v != w && f[v].state == RUN)
            f[v].tcm = f[v].lanes, f[v].killed = true;
    if (x->mode == HD_TM_WG)
        token = (int)w, x->want = false;
    return false;
}

static void model_lose(unsigned w, uint64_t lost)
{
    f[w].tcm |= lost;
}

static void model_commit(unsigned w)
{
    struct wf *x = &f[w];

    if (token == (int)w)
        token = -1;
    x->state = x->tcm ? RETRY : IDLE;
    if (x->tcm == 0)
        return;
    if (!x->killed) {
        x->mode = x->tcm != x->old ? HD_TM_TX : x->mode == HD_TM_TX ? HD_TM_WF : HD_TM_WG;
        x->want = x->mode == HD_TM_WG;
        x->old = x->tcm;
    }
    x->lanes = x->tcm;
}
#endif
