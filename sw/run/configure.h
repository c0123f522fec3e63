/* configure.h - configurations by name: the folder configs/ of the running program. */
#ifndef HD_CONFIGURE_H
#define HD_CONFIGURE_H
#include "config.h"

/* Fills *c from the configuration called @name, or the file @name, and the overrides "key=value". @return 0, or -1
 * after a message on stderr. */
int hd_configure(struct hd_config *c, const char *name, const char *const *set, size_t sets);

/* Calls @each(@to, ...) for each configuration, by name; @about is the first line, a comment. */
void hd_configure_each(void (*each)(const void *to, const char *name, const char *about), const void *to);
#endif
