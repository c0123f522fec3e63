/* bench_mcm.c - speed and memory of the checker on a synthetic log: `bench_mcm MODEL EVENTS [WORDS [LATE]]`.
 *
 * 16 SMs of 48 warps of 32 lanes run a random program that is performed in order on an array: 6 of 10 instructions
 * are loads, 3 stores, 1 in 100 an atomic, 1 in 200 a fence; half the lanes of an instruction go to one line, the
 * others anywhere. One in LATE instructions (1: all, 0: none) completes up to 500 cycles behind its moment: then the
 * order of completion is no witness, and the graphs judge. Made and checked in pieces. */
#include "check/mcm.h"
#include "hd_pkg.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { SMS = 16, WARPS = 48, LANES = 32, SPREAD = 500, AHEAD = 2 * SPREAD };

static uint64_t rng = 1;

static uint32_t rnd(uint32_t n)
{
    rng = rng * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((rng >> 32) * n >> 32);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    enum hd_mcm_model model = argc > 1 ? hd_mcm_find(argv[1]) : HD_MCM_MODELS;
    size_t events = argc > 2 ? strtoull(argv[2], NULL, 0) : 0, words = argc > 3 ? strtoull(argv[3], NULL, 0) : 1 << 20;
    uint32_t late = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 0) : 1;
    if (model == HD_MCM_MODELS || events == 0 || words < LANES) {
        fprintf(stderr, "usage: bench_mcm rmo|tso|sc|drf|hrf-direct|hrf-indirect EVENTS [WORDS [LATE]]\n");
        return 2;
    }
    struct hd_mcm *m = hd_mcm_new(&(struct hd_mcm_options){.model = model, .sms = SMS, .single_writer = true});
    uint32_t *value = calloc(words, sizeof *value), *owner = calloc(words, sizeof *owner);
    static uint32_t ids[SMS], po[SMS][WARPS], free_at[SMS][WARPS];
    static struct hd_event batch[LANES];
    if (!m || !value || !owner)
        return 2;
    size_t made = 0;
    double check = 0;
    /* Instructions are made in order of the moment they are performed; a later one is issued at most SPREAD cycles
     * before its moment, which gives the watermark. */
    for (uint32_t now = AHEAD; made < events; now += 1 + rnd(2)) {
        unsigned sm = rnd(SMS), warp = rnd(WARPS), kind = rnd(1000);
        uint32_t issue = now - rnd(SPREAD), line = rnd((uint32_t)(words - LANES));
        uint32_t done = late != 0 && rnd(late) == 0 ? now + rnd(SPREAD) : now;
        if (issue < free_at[sm][warp])
            issue = free_at[sm][warp];
        free_at[sm][warp] = now;
        unsigned lanes = kind < 5 ? 1 : LANES;
        for (unsigned l = 0; l < lanes; l++) {
            uint32_t w = rnd(2) ? line + l : rnd((uint32_t)words);
            struct hd_event *e = &batch[l];
            *e = (struct hd_event){.id = ids[sm]++ * SMS + sm + 1, .tid = sm << 16 | warp << 8 | l,
                                   .po = po[sm][warp], .addr = 4 * w, .scope = HD_SCOPE_DEVICE, .t_issue = issue,
                                   .t_done = done, .block = sm * WARPS + warp};
            e->kind = kind < 5 ? HD_EVK_FENCE : kind < 15 ? HD_EVK_RMW : kind < 365 ? HD_EVK_ST : HD_EVK_LD;
            if (e->kind == HD_EVK_FENCE) {
                e->order = HD_ORD_SEQ_CST;
                continue;
            }
            if (e->kind != HD_EVK_ST) {
                e->rval = value[w];
                e->src = owner[w];
            }
            if (e->kind == HD_EVK_LD)
                continue;
            e->over = owner[w];
            e->wval = e->kind == HD_EVK_RMW ? e->rval + 1 : rnd(UINT32_MAX);
            e->order = e->kind == HD_EVK_RMW ? HD_EV_ATOMIC : 0;
            owner[w] = e->id;
            value[w] = e->wval;
        }
        if (batch[0].kind == HD_EVK_ST) /* all lanes tell what was there before the instruction */
            for (unsigned l = 1; l < LANES; l++)
                for (unsigned k = 0; k < l; k++)
                    if (batch[k].addr == batch[l].addr)
                        batch[l].over = batch[k].over;
        po[sm][warp]++;
        made += lanes;
        double t = seconds();
        hd_mcm_add(m, batch, lanes);
        static unsigned pieces;
        if (++pieces % 256 == 0)
            hd_mcm_advance(m, now > SPREAD ? now - SPREAD : 0);
        check += seconds() - t;
    }
    double t = seconds();
    bool good = hd_mcm_finish(m, ids);
    check += seconds() - t;
    struct hd_mcm_stats s;
    struct rusage usage;
    hd_mcm_stats(m, &s);
    getrusage(RUSAGE_SELF, &usage);
    printf("%-12s %zu events, %zu words: %.2f s, %.2f M events/s; %.0f %% by graph; checker %.0f MB "
           "(peak live %zu, %.1f edges an event); process %.0f MB; %s\n", hd_mcm_name(model), (size_t)s.events, s.words,
           check, 1e-6 * (double)s.events / check, 100.0 * (double)s.by_graph / (double)s.events,
           1e-6 * (double)s.bytes, s.live_most, (double)s.edges / (double)s.events, 1e-3 * (double)usage.ru_maxrss,
           good ? "allowed" : "VIOLATION");
    if (!good)
        hd_mcm_print(hd_mcm_violation(m), stdout);
    hd_mcm_free(m);
    free(value);
    free(owner);
    return model < HD_MCM_DRF && !good;
}
