/* notes.h - what the persist checker is told of one run: short notes of each SM and of the memory, in the order in which they
 * happened there. Appended to while cycles run (no allocation), emptied between windows (sw/judge/persists.h). */
#ifndef HD_NOTES_H
#define HD_NOTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_note_kind {
    HD_NOTE_LAUNCH,  /* addr: running number of the warp's block; mask: of hd_order (dispatch.h), 1: goes on behind barrier a of
                      * a grid, to which all of the first b warps have come, scope 1: a persist barrier; 2: of no grid */
    HD_NOTE_STORE,   /* issued: addr of the grain, mask of its words, a and b their ghosts; stores and atomics */
    HD_NOTE_OVER,    /* complete: a, an L1 or an atomic, wrote over b */
    HD_NOTE_LOAD,    /* complete: operation a read at addr what b stored */
    HD_NOTE_RELEASE, /* issued: write a to addr, scope */
    HD_NOTE_ACQUIRE, /* complete: read of b at addr, scope */
    HD_NOTE_SYNC,    /* goes on behind a barrier of its block */
    HD_NOTE_ARRIVE,  /* at a persist barrier, and all that the warp did before is done; scope */
    HD_NOTE_RETURN,
    HD_NOTE_EXIT,
    HD_NOTE_SENT,    /* to the memory: as the next; buffered barriers only */
    HD_NOTE_DURABLE, /* of the memory: the grain at addr holds a and b */
};

struct hd_note {
    uint32_t cycle, addr, a, b;
    uint8_t kind, warp, mask, scope;
};

struct hd_notes {
    struct hd_note *note;
    size_t count, room;
};

static inline void hd_note(struct hd_notes *l, struct hd_note n)
{
    if (l->count < l->room)
        l->note[l->count] = n;
    l->count++; /* who empties it finds a list that is too long and says so */
}
#endif
