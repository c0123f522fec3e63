/* mcm_table.c - see mcm_parts.h: the last judged write of each word. What the witness works on, and what the graphs
 * begin with when they take over.
 *
 * Lines of 128 bytes are found by hashing, their halves are pieces of 16 words. The words of one lane after the
 * other then cost one look-up an instruction. What only messages tell of a write is kept apart, and only for
 * pieces that were written. */
#include "mcm_parts.h"
#include <stdlib.h>
#include <string.h>

enum { PIECE = 16, FIRST_SLOTS = 256 };
#define LDS_LINE (UINT32_C(1) << 30)
enum { LDS_SM = 23 }; /* lowest bit of the SM, which ends below LDS_LINE */
_Static_assert(HD_MAX_SMS <= 1 << (30 - LDS_SM), "a line of an LDS names its SM");

uint32_t mcm_line_of(const struct hd_event *e)
{
    return e->space != 0 ? LDS_LINE | (e->tid >> 16) << LDS_SM | e->addr >> 7 : e->addr >> 7;
}

bool mcm_far_lds(const struct hd_event *e)
{
    return e->space != 0 && e->addr >> 7 >> LDS_SM != 0;
}

static size_t find(const struct table *t, uint32_t line)
{
    uint64_t hash = line * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 32) & t->mask;

    while (t->slot[i].line != line && (t->slot[i].piece[0] & t->slot[i].piece[1]) != NONE)
        i = (i + 1) & t->mask;
    return i;
}

static bool grow(struct table *t)
{
    size_t slots = t->slot == NULL ? FIRST_SLOTS : t->mask + 1;

    if (t->slot != NULL && (t->lines + 1) * 3 <= slots * 2)
        return true;
    slots *= 2;
    struct table big = {.slot = malloc(slots * sizeof *big.slot), .mask = slots - 1};
    if (big.slot == NULL)
        return false;
    memset(big.slot, 0xff, slots * sizeof *big.slot);
    for (size_t i = 0; t->slot != NULL && i <= t->mask; i++)
        if ((t->slot[i].piece[0] & t->slot[i].piece[1]) != NONE)
            big.slot[find(&big, t->slot[i].line)] = t->slot[i];
    free(t->slot);
    t->slot = big.slot;
    t->mask = big.mask;
    return true;
}

struct line_slot *mcm_table_line(struct table *t, uint32_t line, bool make)
{
    if (make ? !grow(t) : t->slot == NULL)
        return NULL;
    struct line_slot *s = &t->slot[find(t, line)];
    if ((s->piece[0] & s->piece[1]) != NONE)
        return s;
    s->line = line; /* counts once it has a piece */
    return make ? s : NULL;
}

bool mcm_table_room(struct table *t, unsigned pieces)
{
    if (!mcm_pool_room(&t->pieces, sizeof *t->piece, pieces)
        || !mcm_pool_room(&t->writers, PIECE * sizeof *t->writer, pieces))
        return false;
    t->piece = t->pieces.at;
    t->writer = t->writers.at;
    return true;
}

uint32_t mcm_table_piece(struct table *t, struct line_slot *s, unsigned half)
{
    uint32_t i = s->piece[half];

    if (i == NONE) {
        t->lines += s->piece[!half] == NONE;
        i = s->piece[half] = mcm_pool_take(&t->pieces, sizeof *t->piece);
        t->piece[i] = (struct piece){.writers = NONE, .line = s->line << 1 | half};
    }
    return i;
}

struct writer *mcm_table_writer(struct table *t, uint32_t piece)
{
    struct piece *p = &t->piece[piece];

    if (p->writers == NONE) {
        p->writers = mcm_pool_take(&t->writers, PIECE * sizeof *t->writer);
        memset(&t->writer[p->writers * PIECE], 0, PIECE * sizeof *t->writer);
    }
    return &t->writer[p->writers * PIECE];
}

uint32_t mcm_table_at(struct table *t, uint64_t key, bool make)
{
    uint32_t addr = (uint32_t)key, line = addr >> 7;
    if (key >> 40 != 0)
        line |= LDS_LINE | (uint32_t)(key >> 32 & (HD_MAX_SMS - 1)) << LDS_SM;
    struct line_slot *s = !make || mcm_table_room(t, 1) ? mcm_table_line(t, line, make) : NULL;

    if (s == NULL || (!make && s->piece[addr >> 6 & 1] == NONE))
        return NONE;
    return mcm_table_piece(t, s, addr >> 6 & 1) * PIECE + (addr >> 2) % PIECE;
}

uint64_t mcm_table_key(const struct table *t, uint32_t place)
{
    uint32_t line = t->piece[place / PIECE].line >> 1, half = t->piece[place / PIECE].line & 1;
    uint32_t low = half << 6 | place % PIECE << 2;

    if ((line & LDS_LINE) == 0)
        return line << 7 | low;
    return UINT64_C(1) << 40 | (uint64_t)(line >> LDS_SM & (HD_MAX_SMS - 1)) << 32
           | (line & ((1u << LDS_SM) - 1)) << 7 | low;
}

uint32_t mcm_table_find(const struct table *t, uint32_t id)
{
    for (uint32_t place = 0; place < t->pieces.used * PIECE; place++)
        if (t->piece[place / PIECE].id[place % PIECE] == id)
            return place;
    return NONE;
}

void mcm_table_free(struct table *t)
{
    free(t->slot);
    free(t->pieces.at);
    free(t->writers.at);
}

size_t mcm_table_bytes(const struct table *t)
{
    return (t->slot != NULL ? (t->mask + 1) * sizeof *t->slot : 0) + t->pieces.room * sizeof *t->piece
           + t->writers.room * PIECE * sizeof *t->writer;
}
