/* draw.h - machine structures drawn at random, for `heddle stress --drawn`. */
#ifndef HD_DRAW_H
#define HD_DRAW_H
#include "config.h"

enum { HD_DRAW_TEXT = 48 };

struct hd_drawn {
    struct hd_config c;
    const char *set[HD_KEYS + 1];              /* "key=value" of what differs from where it began; NULL behind the last */
    char text[HD_KEYS][HD_DRAW_TEXT];          /* set points in here: do not copy the struct */
};

/* Walks from the legal machine *from to another one, which is legal too: keys of structure (rtl/pkg/hd_keys.svh) get values by lot,
 * one after the other, each if the machine stays legal and of a size that a test takes. The same *random, the same machine. */
void hd_draw(const struct hd_config *from, uint64_t *random, struct hd_drawn *d);
#endif
