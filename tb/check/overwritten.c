/* overwritten.c - see overwritten.h. */
#include "check/overwritten.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_UNITS = 64, APART = 16 }; /* 32-bit units of a line; counters of one writer to a cache line */

struct told {
    uint32_t addr, opid;
    uint32_t line[MAX_UNITS];
};

struct hd_overwritten {
    unsigned sms, parts, mask, line_bytes, units;
    struct told *told;         /* [parts][sms][mask + 1] */
    uint32_t *told_count;      /* [parts][sms + APART], each row written by one partition */
    uint32_t *taken_count;     /* [sms][parts + APART], each row written by one SM */
    uint32_t *shown;           /* [parts][sms]: told, and passed on to other processes */
};

struct hd_overwritten *hd_overwritten_new(unsigned sms, unsigned parts, unsigned stores, unsigned line_bytes,
                                          unsigned word_units)
{
    struct hd_overwritten *o = calloc(1, sizeof *o);
    unsigned room = 2;

    if (o == NULL)
        return NULL;
    while (room < stores + 2) /* an entry of the SM is free a little before the store completes */
        room *= 2;
    *o = (struct hd_overwritten){.sms = sms, .parts = parts, .mask = room - 1, .line_bytes = line_bytes};
    o->units = line_bytes / 4 * word_units;
    o->told = calloc((size_t)parts * sms * room, sizeof *o->told);
    o->told_count = calloc((size_t)parts * (sms + APART), sizeof *o->told_count);
    o->taken_count = calloc((size_t)sms * (parts + APART), sizeof *o->taken_count);
    o->shown = calloc((size_t)parts * sms, sizeof *o->shown);
    if (o->shown == NULL || o->told == NULL || o->told_count == NULL || o->taken_count == NULL || o->units > MAX_UNITS) {
        hd_overwritten_free(o);
        return NULL;
    }
    return o;
}

void hd_overwritten_free(struct hd_overwritten *o)
{
    if (o == NULL)
        return;
    free(o->told);
    free(o->told_count);
    free(o->taken_count);
    free(o->shown);
    free(o);
}

static struct told *place(const struct hd_overwritten *o, unsigned part, unsigned sm, uint32_t count)
{
    return &o->told[((size_t)part * o->sms + sm) * (o->mask + 1) + (count & o->mask)];
}

void hd_overwritten_tell(struct hd_overwritten *o, unsigned part, unsigned sm, unsigned opid, uint32_t addr,
                         const uint32_t *line)
{
    if (sm >= o->sms)
        return; /* nobody will find it */
    struct told *t = place(o, part, sm, o->told_count[part * (o->sms + APART) + sm]++);
    t->addr = addr;
    t->opid = opid;
    memcpy(t->line, line, o->units * sizeof line[0]);
}

const uint32_t *hd_overwritten_take(struct hd_overwritten *o, unsigned sm, unsigned opid, uint32_t addr)
{
    unsigned part = addr / o->line_bytes & (o->parts - 1);
    struct told *t = place(o, part, sm, o->taken_count[sm * (o->parts + APART) + part]++);

    if (t->addr != addr - addr % o->line_bytes || t->opid != opid)
        return NULL;
    t->opid = UINT32_MAX; /* not twice */
    return t->line;
}

void hd_overwritten_news(struct hd_overwritten *o, unsigned part, struct hd_image *io)
{
    for (unsigned sm = 0; sm < o->sms; sm++) {
        uint32_t *shown = &o->shown[part * o->sms + sm], *told = &o->told_count[part * (o->sms + APART) + sm], n = *told - *shown;

        hd_image_bytes(io, &n, sizeof n);
        for (; n > 0 && !io->bad; n--, ++*shown) {
            struct told *t = place(o, part, sm, *shown);
            HD_IMAGE_MEMBERS(io, t, addr, opid);
            hd_image_bytes(io, t->line, o->units * sizeof t->line[0]);
        }
        *told = *shown;
    }
}

void hd_overwritten_part_state(struct hd_overwritten *o, unsigned part, struct hd_image *io)
{
    hd_image_bytes(io, place(o, part, 0, 0), (size_t)o->sms * (o->mask + 1) * sizeof *o->told);
    hd_image_bytes(io, o->told_count + part * (o->sms + APART), o->sms * sizeof *o->told_count);
    hd_image_bytes(io, o->shown + part * o->sms, o->sms * sizeof *o->shown);
}

void hd_overwritten_sm_state(struct hd_overwritten *o, unsigned sm, struct hd_image *io)
{
    hd_image_bytes(io, o->taken_count + sm * (o->parts + APART), o->parts * sizeof *o->taken_count);
}
