/* draw.c - see draw.h. A walk reaches machines that drawing all keys at once hardly ever would: most values exclude others. */
#include "draw.h"
#include "work.h"
#include <stdio.h>
#include <string.h>

enum { STEPS = 400, COMMON_MOST = 64, THREADS_MOST = 2048, LATENCY = 4 };

/* Keys whose range says nothing of what a test machine may have: more than that takes long to build or to run. */
static unsigned most(const char *name, unsigned max)
{
    static const struct {
        const char *name;
        unsigned most;
    } all[] = {{"sms", 6},          {"partitions", 8},     {"lds_bytes", 16384},  {"mshr_targets", 512}, {"merge_lanes", 1024}, {"prt_credits", 200},
               {"sb_words", 256},   {"sector_bytes", 4096}, {"mac_entries", 256}, {"line_bytes", 128},   {"tm_rows", 256},      {"l1_sets", 32},
               {"l2_sets", 32}};
    unsigned n = COMMON_MOST;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            n = all[i].most;
    return n < max ? n : max;
}

/* Half of the time one of the least four values, where queues are short and tables full; else each power of two is as likely. */
static unsigned value(const struct hd_key_range *r, unsigned max, uint64_t *random)
{
    unsigned n = r->min, bits = 0;
    if (r->step > 1)
        return hd_random_below(random, 2) ? r->max : r->min;
    while (max >> bits > 1)
        bits++;
    if (r->power2)
        do
            n = 1u << hd_random_below(random, bits + 1);
        while (n < r->min);
    else if (max - r->min < 4 || hd_random_below(random, 2) == 0)
        n += hd_random_below(random, max - r->min < 4 ? max - r->min + 1 : 4);
    else
        do {
            const unsigned bit = hd_random_below(random, bits + 1);
            n = (1u << bit) + hd_random_below(random, 1u << bit);
        } while (n < r->min || n > max);
    return n;
}

/* What a structure is for stays: few others may have transactions or persist barriers. */
static bool is_kept(const struct hd_config *from, const struct hd_config *c)
{
    return (from->local_tm == 0 || c->local_tm != 0) && (from->persist == 0 || c->persist != 0);
}

static bool is_small(const struct hd_config *c)
{
    return c->sms * c->warps * c->lanes <= THREADS_MOST && c->local_tm != HD_LOCAL_TM_IDEAL && c->memory == HD_MEMORY_CHIP;
}

void hd_draw(const struct hd_config *from, uint64_t *random, struct hd_drawn *d)
{
    size_t sets = 0;
    d->c = *from;
    /* what a run sets anyway must not stand in the way of a clock */
    d->c.lat_sm_xbar = d->c.lat_xbar_l2 = d->c.lat_l2_xbar = d->c.lat_xbar_sm = d->c.lat_credit = LATENCY;
    for (unsigned step = 0; step < STEPS; step++) {
        const size_t i = hd_random_below(random, HD_KEYS);
        struct hd_key_range r;
        struct hd_config next = d->c;
        hd_config_key_range(&next, i, &r);
        if (!r.structure)
            continue;
        const char *name = hd_config_key(from, i, (char[32]){0}, NULL);
        unsigned v = value(&r, most(name, r.max), random);
        if (strcmp(name, "lds_bytes") == 0)
            v += next.line_bytes - 1 - (v - 1) % next.line_bytes;
        hd_config_put(&next, i, v);
        if (is_small(&next) && is_kept(from, &next) && hd_config_check(&next, NULL) == 0)
            d->c = next;
    }
    for (size_t i = 0; i < HD_KEYS; i++) {
        char was[32], is[32];
        const char *old, *new;
        const char *name = hd_config_key(from, i, was, &old);
        hd_config_key(&d->c, i, is, &new);
        if (strcmp(old, new) == 0)
            continue;
        snprintf(d->text[sets], HD_DRAW_TEXT, "%s=%s", name, new);
        d->set[sets] = d->text[sets];
        sets++;
    }
    d->set[sets] = NULL;
}
