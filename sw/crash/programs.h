/* programs.h - workloads that may be cut off: what their memory must be worth at any moment. */
#ifndef HD_CRASH_PROGRAMS_H
#define HD_CRASH_PROGRAMS_H
#include "crash.h"
#include "work.h"

struct hd_crash_workload {
    const char *name;                                    /* of the workload */
    /* Of a run of it: fills *p and, with start values that are not 0, *m. @return NULL, or why it cannot be cut off. */
    const char *(*open)(const struct hd_work *k, struct hd_crash_program *p, struct hd_crash_image *m);
    void (*close)(struct hd_crash_program *p);           /* NULL: nothing to do */
};

/* @return that of @name, or NULL. The list, ended by one without a name. */
const struct hd_crash_workload *hd_crash_workload(const char *name);
extern const struct hd_crash_workload hd_crash_workloads[];
#endif
