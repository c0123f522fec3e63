/* config.h - a machine configuration: structure (one verilated build each) and policy (free at run time).
 *
 * Source: the defaults, then a libconfig file (configs/NAME.cfg, flat `key = value;` settings), then
 * `key=value` overrides.
 * Every key is a line of rtl/pkg/hd_keys.svh, which says its range, default and meaning and which RTL parameter or
 * policy field it is; `heddle list` prints them. struct hd_config has a member of the same name. */
#ifndef HD_CONFIG_H
#define HD_CONFIG_H
#include "hd_keys.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_MAX_PARTITIONS = 64 };

struct hd_profile;
struct hd_ranks_options;

struct hd_config {
    char name[64];             /* configuration name for reports */

    HD_KEY_FIELDS              /* the keys: flags are bool, all others unsigned */

    /* No key: where the time of the run is kept (profile.h); NULL: not measured. Only with one thread. */
    struct hd_profile *profile;
    /* No key either: who runs which tiles, and what is kept to go on (ranks.h); NULL: this process, and nothing. */
    const struct hd_ranks_options *ranks;

    /* Where each key was set, for messages; index as in hd_config_key(). */
    char file[256];                    /* last file read, "" if none */
    int line[HD_KEYS];                 /* line in file; 0 default; -1 an override */
};

/* Fills *c with the documented defaults (the paper 1 machine, Table 2); its name is "default". */
void hd_config_default(struct hd_config *c);

/* @return false after a message when a whole number of file @path, in the syntax of configurations, or of a file it includes
 * needs more than 64 bits: libconfig reads another one. A file that cannot be read is good here. */
bool hd_config_numbers(const char *path);
/* Reads a libconfig file over *c and names *c after it (no folder, no ".cfg"). @return 0, or -1 after one
 * line on stderr naming file, line, key and what was expected; *c is then unspecified. */
int hd_config_file(struct hd_config *c, const char *path);

/* Applies one "key=value". @origin names where it came from, for the message ("--set"). Same return. */
int hd_config_set(struct hd_config *c, const char *assignment, const char *origin);

/* Checks values against each other (ranges were checked when set). @origin stands in the message for
 * values that are defaults; NULL: no message. Same return. */
int hd_config_check(const struct hd_config *c, const char *origin);

/* @return the least latency of anything between tiles: the longest that a tile may run at once. */
unsigned hd_config_least_latency(const struct hd_config *c);

/* @return the core cycles in which a flush looks at every line of the cache that has most: nothing that it shows need happen
 * meanwhile. */
uint64_t hd_config_walk(const struct hd_config *c);

/* @return the cycles a tile runs at once: c->window, or if that is 0 the least link latency. */
unsigned hd_config_window(const struct hd_config *c);

/* Columns and rows of the mesh, those that the configuration leaves open chosen. */
void hd_config_mesh(const struct hd_config *c, unsigned *columns, unsigned *rows);

/* @return policy_s of the package: what a run may change without another model. */
uint64_t hd_config_policy(const struct hd_config *c);

/* @return the ordering hardware c->order needs, HD_ORDER_*. */
unsigned hd_config_hardware(const struct hd_config *c);

/* @return entries of the table of outstanding requests that `pending` chooses. */
unsigned hd_config_pending_entries(const struct hd_config *c);

/* @return the name of key number @i, NULL behind the last. *value, if @value is not NULL, is its value as a
 * configuration file would spell it; valid until the next call by the owner of @buffer. */
const char *hd_config_key(const struct hd_config *c, size_t i, char buffer[32], const char **value);

/* @return what key number @i, below HD_KEYS, means; the values it takes are in @range. */
enum { HD_CONFIG_RANGE = 96 };

/* What key number @i, below HD_KEYS, may be: names and flags count from 0. */
struct hd_key_range {
    bool structure;            /* a parameter of the SM or L2 tiles of machine *c: another value, another model */
    bool power2;               /* only powers of two */
    unsigned min, max, step;   /* @step above 1: only @min and @max */
};
void hd_config_key_range(const struct hd_config *c, size_t i, struct hd_key_range *r);
/* Sets key number @i, below HD_KEYS, to @value, which its range must have. */
void hd_config_put(struct hd_config *c, size_t i, unsigned value);
/* Of key persist. */
enum { HD_PERSISTENCE_OFF, HD_PERSISTENCE_FIFO, HD_PERSISTENCE_BUFFERED };
const char *hd_config_key_about(size_t i, char range[HD_CONFIG_RANGE]);
#endif
