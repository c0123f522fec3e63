/* counters.c - see counters.h. */
#include "counters.h"
#include <stdio.h>
#include <stdlib.h>

void hd_counters_put(struct hd_counters *c, const char *name, uint64_t value)
{
    if (c->count == c->room) {
        c->room = c->room == 0 ? 128 : 2 * c->room;
        c->list = realloc(c->list, c->room * sizeof *c->list);
        if (c->list == NULL) {
            fprintf(stderr, "heddle: out of memory\n");
            abort();
        }
    }
    c->list[c->count++] = (struct hd_counter){name, value};
}

void hd_counters_free(struct hd_counters *c)
{
    free(c->list);
    *c = (struct hd_counters){0};
}
