/* timeline.h - counters of a run over time: rows at an interval, a warm-up that is not counted, flits of each
 * link. Looks at the machine between windows alone. */
#ifndef HD_TIMELINE_H
#define HD_TIMELINE_H
#include "machine.h"
#include "simt.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_TIMELINE_ROWS = 100000, HD_TIMELINE_PLOTS = 8 };

struct hd_timeline_options {
    uint64_t interval;         /* core cycles of a row, rounded up to windows; 0: no rows */
    uint64_t warmup;           /* core cycles that are not counted, rounded up to windows */
    unsigned warmup_kernels;   /* kernels that are not counted; 0: by cycles */
    bool links;                /* flits of each link, too */
    const char *plot;          /* counters to be drawn, with commas between, or NULL */
    const char *folder;        /* for the files of rows, NULL without rows */
};

/* Is there anything to do? */
bool hd_timeline_wanted(const struct hd_timeline_options *o);

struct hd_timeline;

/* @o, @m and @s must outlive it. @return NULL after a message: no memory, no counter of a name in o->plot. */
struct hd_timeline *hd_timeline_new(const struct hd_timeline_options *o, struct hd_machine *m, struct hd_simt *s);
void hd_timeline_free(struct hd_timeline *t); /* NULL is allowed */

/* After each window: all tiles stand at @cycle. @return whether the warm-up has ended in this one. */
bool hd_timeline_window(struct hd_timeline *t, uint64_t cycle);

/* At the end of the run, all quiet: what the warm-up counted is taken away from @list. @return false after a message when the
 * warm-up has not ended. */
bool hd_timeline_end(struct hd_timeline *t, struct hd_counter *list, size_t n);

/* Cycles and instructions of the warm-up. */
uint64_t hd_timeline_warmup(const struct hd_timeline *t, uint64_t *instructions);

/* Row @i, as a JSON object of the counters that rose in it (to be freed); it ends at *cycle. @return NULL behind the last. */
char *hd_timeline_row(const struct hd_timeline *t, size_t i, uint64_t *cycle);

/* Link @i, its flits since the warm-up and the share of the cycles in which it could carry one that it did. */
bool hd_timeline_link(const struct hd_timeline *t, size_t i, const char **name, uint64_t *flits, double *used);

/* Writes FOLDER/NAME.csv, and the plot NAME.svg of o->plot. @return false after a message. */
bool hd_timeline_write(const struct hd_timeline *t, const char *name);
#endif
