/* counters.h - a list of counters under stable names, in the order in which they are put. */
#ifndef HD_COUNTERS_H
#define HD_COUNTERS_H
#include <stddef.h>
#include <stdint.h>

struct hd_counter {
    const char *name;   /* not copied */
    uint64_t value;
};

struct hd_counters {
    struct hd_counter *list;
    size_t count, room;
};

/* The list grows as it must; without memory the program ends with a message. */
void hd_counters_put(struct hd_counters *c, const char *name, uint64_t value);
void hd_counters_free(struct hd_counters *c);
#endif
