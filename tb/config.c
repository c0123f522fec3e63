/* config.c - the table of configuration keys, their file format and their checks. */
#include "config.h"
#include "hd_pkg.h"
#include <errno.h>
#include <libconfig.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, POWER2, FLAG, NAMES };

struct key {
    const char *name;
    size_t at;                 /* byte offset in struct hd_config */
    enum kind kind;
    unsigned min, max, def;
    unsigned step;             /* above 1: only min and max = min + step are values */
    const char *const *names;  /* NAMES: value = index */
    const char *unit, *doc;
};

static const char *const order_names[] = {"rmo", "tso", "sc", "tso-sb", "sc-pf", "type", NULL}; /* model_e */
static const char *const sched_names[] = {"gto", "lrr", NULL};         /* sched_e */
static const char *const pending_names[] = {"mshr", "prt", NULL};      /* HD_PENDING_* */
static const char *const l1_names[] = {"mesi", "vi", NULL};            /* HD_FAMILY_* */
static const char *const memory_names[] = {"chip", "fixed", NULL};     /* HD_MEMORY_* */

#define AT(field) offsetof(struct hd_config, field)
#define NUM(field, lo, hi, def, unit, doc) {#field, AT(field), NUMBER, lo, hi, def, 1, NULL, unit, doc}
#define POW(field, lo, hi, def, unit, doc) {#field, AT(field), POWER2, lo, hi, def, 1, NULL, unit, doc}
#define BOO(field, def, doc) {#field, AT(field), FLAG, 0, 1, def, 1, NULL, "", doc}

static const struct key keys[] = {
    NUM(sms, 1, 32, 16, "", "SM tiles"),
    POW(partitions, 1, 16, 8, "", "L2 tiles, each with its memory channel"),
    NUM(warps, 1, 64, 48, "", "warp slots an SM"),
    NUM(lanes, 1, 32, 32, "", "lanes a warp"),
    POW(line_bytes, 32, 128, 128, "bytes", "cache line"),
    NUM(blocks, 1, 8, 8, "", "thread block slots an SM"),
    NUM(scoreboard, 1, 8, 4, "", "outstanding memory operations a warp"),
    {"l1", AT(l1), NAMES, 0, 1, 0, 1, l1_names, "", "L1s and directory: write-back MESI, write-through without allocation"},
    {"pending", AT(pending), NAMES, 0, 1, 0, 1, pending_names, "", "table of outstanding requests: by line, by instruction"},
    NUM(mshr, 1, 256, 128, "entries", "L1 miss table; an entry is an 8-bit transaction id"),
    NUM(mshr_targets, 1, 2048, 512, "entries", "line accesses that wait in the L1 miss table, in all"),
    NUM(mshr_stores, 1, 256, 128, "entries", "... of them stores and atomics, which hold data"),
    NUM(mshr_cas, 1, 64, 16, "entries", "... of them compare-and-swaps, which hold a second operand"),
    NUM(merge_lanes, 1, 4096, 1024, "lanes", "lanes one miss table entry may hold; one access always fits"),
    NUM(prt_entries, 1, 256, 45, "entries", "warp instructions a pending request table holds"),
    NUM(prt_credits, 0, 8192, 0, "requests", "... requests out at the most; 0 = no such limit"),
    POW(l1_sets, 2, 1024, 64, "", "L1 sets"),
    POW(l1_ways, 2, 16, 4, "", "L1 ways"),
    NUM(lds_bytes, 32, 65536, 49152, "bytes", "local data share of an SM; a multiple of line_bytes"),
    POW(lds_banks, 2, 64, 32, "", "banks of the local data share"),
    NUM(wb_entries, 1, 16, 8, "lines", "L1 writeback buffer"),
    POW(l2_sets, 2, 4096, 128, "", "L2 sets a partition"),
    POW(l2_ways, 2, 16, 8, "", "L2 ways"),
    NUM(l2_mshr, 1, 256, 128, "entries", "L2 transactions a partition"),
    NUM(l2_writes, 1, 256, 32, "entries", "l1 = vi: stores and atomics that wait in a partition, which hold data"),
    NUM(queue_depth, 2, 256, 64, "flits", "buffer of a link receiver, per virtual network"),
    POW(flit_bytes, 16, 32, 32, "bytes", "data a flit of a link holds"),
    NUM(mem_credits, 1, 32, 32, "", "requests in flight between an L2 tile and its memory"),
    POW(clk_ratio, 1, 4, 2, "", "core cycles per cycle of crossbar and L2"),
    {"ghost_bits", AT(ghost_bits), NUMBER, 0, 32, 0, 32, NULL, "bits", "store id carried by each word"},
    NUM(lat_sm_xbar, 1, 1024, 78, "cycles", "link SM to request crossbar; a multiple of clk_ratio"),
    NUM(lat_xbar_l2, 1, 1024, 78, "cycles", "link request crossbar to L2; a multiple of clk_ratio"),
    NUM(lat_l2_xbar, 1, 1024, 78, "cycles", "link L2 to answer crossbar; a multiple of clk_ratio"),
    NUM(lat_xbar_sm, 1, 1024, 78, "cycles", "link answer crossbar to SM; a multiple of clk_ratio"),
    NUM(lat_credit, 1, 1024, 32, "cycles", "credits of all links; a multiple of clk_ratio"),
    NUM(lat_dispatch, 1, 1024, 32, "cycles", "SM to block dispatcher, and back"),
    {"memory", AT(memory), NAMES, 0, 1, 0, 1, memory_names, "", "behind the L1: the chip, or an ideal memory of one SM"},
    NUM(fixed_latency, 2, 65536, 440, "cycles", "... of the ideal memory, from request to answer"),
    NUM(dram_latency, 1, 4096, 112, "cycles", "least time from memory request to answer"),
    POW(dram_banks, 1, 64, 16, "", "banks a channel"),
    POW(dram_row_bytes, 32, 65536, 2048, "bytes", "row buffer of a bank; at least a line"),
    NUM(dram_bytes_per_cycle, 1, 1024, 16, "bytes", "channel bandwidth per core cycle"),
    NUM(dram_row_miss, 0, 4096, 20, "cycles", "extra time when the bank has another row open"),
    NUM(store_buffer, 1, 32, 8, "stores", "tso-sb: store buffer, for each warp"),
    BOO(unified_buffer, 0, "tso-sb: one buffer for all warps, as large as all of theirs"),
    NUM(wait_queue, 1, 32, 4, "accesses", "sc-pf: accesses of a warp that wait; type: its type-wait queue"),
    NUM(unsafe_queue, 1, 32, 4, "accesses", "type: unsafe queue of a warp, markers included"),
    NUM(safe_queue, 1, 64, 16, "accesses", "type: safe queue"),
    NUM(sync_entries, 1, 256, 64, "entries", "type: synchronization table"),
    POW(type_entries, 1, 1024, 64, "entries", "type: Type-cache"),
    POW(type_ways, 1, 16, 4, "", "type: Type-cache ways, at most type_entries"),
    NUM(type_requests, 1, 32, 16, "", "type: type requests an SM may have out"),
    NUM(order_stores, 1, 256, 64, "entries", "sc-pf, type: waiting stores and atomics, which hold data"),
    POW(mac_entries, 1, 4096, 512, "entries", "type: memory access classifier of a partition"),
    POW(mac_ways, 1, 16, 8, "", "type: ... ways, at most mac_entries"),
    NUM(mac_busy, 1, 16, 8, "", "type: ... transitions under way"),
    POW(sector_bytes, 128, 65536, 16384, "bytes", "type: what one type is kept for; at least line_bytes"),
    BOO(marker_merge, 0, "type: no marker behind a marker of the same sector"),
    BOO(type_reset, 1, "type: Type-caches and classifiers forget all sectors when a kernel begins"),
    BOO(credit_issue, 0, "sc-pf, type: a warp whose queue (wait_queue) is full issues no memory operation"),
    BOO(type_prefetch, 0, "type: the line of an access that waits for its type is fetched meanwhile"),
    BOO(stall_causes, 0, "models that say why each warp did not issue: counters stall.*"),
    {"order", AT(order), NAMES, 0, 5, 0, 1, order_names, "", "memory ordering of every warp"},
    {"scheduler", AT(sched), NAMES, 0, 1, 0, 1, sched_names, "", "warp scheduler"},
    NUM(jitter, 0, 1024, 0, "cycles", "random extra delay of each flit and credit on each link, 0..jitter"),
    NUM(jitter_seed, 0, 2147483647, 1, "", "... seed"),
    NUM(watchdog, 1000, 100000000, 20000, "cycles", "no progress for so long is a deadlock"),
    NUM(threads, 1, 64, 1, "", "host threads that run the tiles (results are the same)"),
    NUM(thread_seed, 0, 2147483647, 0, "", "not 0: tiles are dealt out to threads by lot, not by load (for tests)"),
    NUM(window, 0, 1024, 0, "cycles", "a tile runs at once; 0 = the least link latency"),
    BOO(flat, 0, "the chip as one verilated model, links in RTL (same results, slower)"),
    BOO(skip_idle, 1, "do not evaluate idle tiles (results are the same)"),
    BOO(check_coherence, 1, "check single writer / multiple readers over L1 states"),
    BOO(check_conservation, 1, "check at the end that nothing is left or lost"),
    BOO(check_golden, 1, "compare memory with the host reference at the end"),
    BOO(check_memory_model, 1, "check every load and store against the model of `order` (needs ghost_bits)"),
    BOO(count_pairs, 0, "models that count which pairs of the protocol tables occur (heddle stress)"),
};
enum { KEYS = sizeof keys / sizeof keys[0] };
_Static_assert((int)KEYS <= (int)HD_CONFIG_MAX_KEYS, "struct hd_config has no room for the lines of all keys");

static unsigned get(const struct hd_config *c, const struct key *k)
{
    const char *field = (const char *)c + k->at;
    if (k->kind == FLAG)
        return *(const bool *)field;
    return *(const unsigned *)field;
}

static void put(struct hd_config *c, const struct key *k, unsigned value)
{
    char *field = (char *)c + k->at;
    if (k->kind == FLAG)
        *(bool *)field = value != 0;
    else
        *(unsigned *)field = value;
}

/* The values a key takes, in words. */
static const char *range_text(const struct key *k, char *text, size_t size)
{
    if (k->kind == FLAG)
        snprintf(text, size, "true or false");
    else if (k->kind == NAMES) {
        size_t n = 0;
        for (const char *const *name = k->names; *name; name++)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "|" : "", *name);
    } else if (k->step > 1)
        snprintf(text, size, "%u or %u", k->min, k->max);
    else
        snprintf(text, size, "%u..%u%s", k->min, k->max, k->kind == POWER2 ? ", a power of two" : "");
    return text;
}

static const struct key *find(const char *name, size_t length)
{
    for (size_t i = 0; i < KEYS; i++)
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, name, length) == 0)
            return &keys[i];
    return NULL;
}

/* @text is the value as the user wrote it. @return false when key @k does not take it. */
static bool parse(const struct key *k, const char *text, unsigned *value)
{
    if (k->kind == NAMES) {
        for (unsigned i = 0; k->names[i]; i++)
            if (strcmp(text, k->names[i]) == 0) {
                *value = i;
                return true;
            }
        return false;
    }
    if (k->kind == FLAG) {
        bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        *value = yes;
        return yes || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    }
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 0);
    if (end == text || *end || errno || n < k->min || n > k->max)
        return false;
    if (k->kind == POWER2 && (n & (n - 1)) != 0)
        return false;
    *value = (unsigned)n;
    return n % k->step == 0;
}

void hd_config_default(struct hd_config *c)
{
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "default");
    for (size_t i = 0; i < KEYS; i++)
        put(c, &keys[i], keys[i].def);
}

static int set(struct hd_config *c, const struct key *k, const char *text, int line, const char *where)
{
    unsigned value;
    char range[64];
    if (!parse(k, text, &value)) {
        fprintf(stderr, "heddle: %s: %s = %s: must be %s\n", where, k->name, text,
                range_text(k, range, sizeof range));
        return -1;
    }
    put(c, k, value);
    c->line[k - keys] = line;
    return 0;
}

static int set_from_file(struct hd_config *c, const config_setting_t *s, const char *path)
{
    const char *name = config_setting_name(s);
    const char *file = config_setting_source_file(s);
    int line = (int)config_setting_source_line(s);
    char where[300], text[64];
    snprintf(where, sizeof where, "%s:%d", file ? file : path, line);
    const struct key *k = find(name, strlen(name));
    if (!k) {
        fprintf(stderr, "heddle: %s: unknown key '%s'; `heddle list` prints the keys\n", where, name);
        return -1;
    }
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(text, sizeof text, "%lld", config_setting_get_int64(s));
        break;
    case CONFIG_TYPE_BOOL:
        snprintf(text, sizeof text, "%s", config_setting_get_bool(s) ? "true" : "false");
        break;
    case CONFIG_TYPE_FLOAT:
        snprintf(text, sizeof text, "%g", config_setting_get_float(s));
        break;
    case CONFIG_TYPE_STRING:
        snprintf(text, sizeof text, "%s", config_setting_get_string(s));
        break;
    default:
        snprintf(text, sizeof text, "(a group or list)");
        break;
    }
    return set(c, k, text, line, where);
}

int hd_config_file(struct hd_config *c, const char *path)
{
    config_t file;
    config_init(&file);
    int result = -1;
    if (config_read_file(&file, path) != CONFIG_TRUE) {
        if (config_error_type(&file) == CONFIG_ERR_FILE_IO)
            fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
        else
            fprintf(stderr, "heddle: %s:%d: %s\n", config_error_file(&file) ? config_error_file(&file) : path,
                    config_error_line(&file), config_error_text(&file));
        goto out;
    }
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    size_t length = strcspn(base, ".");
    snprintf(c->name, sizeof c->name, "%.*s", (int)length, base);
    snprintf(c->file, sizeof c->file, "%s", path);
    const config_setting_t *root = config_root_setting(&file);
    for (int i = 0; i < config_setting_length(root); i++)
        if (set_from_file(c, config_setting_get_elem(root, (unsigned)i), path) != 0)
            goto out;
    result = 0;
out:
    config_destroy(&file);
    return result;
}

int hd_config_set(struct hd_config *c, const char *assignment, const char *origin)
{
    const char *equals = strchr(assignment, '=');
    if (!equals) {
        fprintf(stderr, "heddle: %s %s: must be key=value\n", origin, assignment);
        return -1;
    }
    const struct key *k = find(assignment, (size_t)(equals - assignment));
    if (!k) {
        fprintf(stderr, "heddle: %s %s: unknown key '%.*s'; `heddle list` prints the keys\n", origin, assignment,
                (int)(equals - assignment), assignment);
        return -1;
    }
    return set(c, k, equals + 1, -1, origin);
}

unsigned hd_config_window(const struct hd_config *c)
{
    const unsigned latency[] = {c->lat_sm_xbar, c->lat_xbar_l2, c->lat_l2_xbar,
                                c->lat_xbar_sm, c->lat_credit,  c->lat_dispatch};
    unsigned least = UINT_MAX;
    for (size_t i = 0; i < sizeof latency / sizeof latency[0]; i++)
        if (latency[i] < least)
            least = latency[i];
    return c->window ? c->window : least;
}

unsigned hd_config_model(const struct hd_config *c)
{
    static const unsigned char contract[] = {
        [HD_MODEL_RMO] = HD_MODEL_RMO,    [HD_MODEL_TSO] = HD_MODEL_TSO,   [HD_MODEL_SC] = HD_MODEL_SC,
        [HD_MODEL_TSO_SB] = HD_MODEL_TSO, [HD_MODEL_SC_PF] = HD_MODEL_SC, [HD_MODEL_TYPE] = HD_MODEL_SC,
    };
    return contract[c->order];
}

unsigned hd_config_hardware(const struct hd_config *c)
{
    switch (c->order) {
    case HD_MODEL_TSO_SB:
        return HD_ORDER_SB;
    case HD_MODEL_SC_PF:
        return HD_ORDER_PREFETCH;
    case HD_MODEL_TYPE:
        return HD_ORDER_TYPE;
    default:
        return HD_ORDER_NONE;
    }
}

uint64_t hd_config_policy(const struct hd_config *c)
{
    return (uint64_t)c->order << HD_POLICY_MODEL_LSB | (uint64_t)c->sched << HD_POLICY_SCHEDULER_LSB
           | (uint64_t)c->marker_merge << HD_POLICY_MARKER_MERGE_LSB
           | (uint64_t)c->credit_issue << HD_POLICY_CREDIT_ISSUE_LSB
           | (uint64_t)c->type_prefetch << HD_POLICY_TYPE_PREFETCH_LSB;
}

unsigned hd_config_pending_entries(const struct hd_config *c)
{
    return c->pending == HD_PENDING_PRT ? c->prt_entries : c->mshr;
}

/* One line on stderr: where key @name got its value, its value, and what it must be. @return -1 */
static int refuse(const struct hd_config *c, const char *origin, const char *name, const char *format, ...)
{
    const struct key *k = find(name, strlen(name));
    char buffer[32];
    const char *value;
    hd_config_key(c, (size_t)(k - keys), buffer, &value);
    int line = c->line[k - keys];
    if (line > 0)
        fprintf(stderr, "heddle: %s:%d: ", c->file, line);
    else
        fprintf(stderr, "heddle: %s: ", line < 0 ? "--set" : origin);
    fprintf(stderr, "%s = %s: must be ", name, value);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return -1;
}

int hd_config_check(const struct hd_config *c, const char *origin)
{
    static const char *const links[] = {"lat_sm_xbar", "lat_xbar_l2", "lat_l2_xbar", "lat_xbar_sm", "lat_credit"};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (get(c, find(links[i], strlen(links[i]))) % c->clk_ratio)
            return refuse(c, origin, links[i], "a multiple of clk_ratio = %u", c->clk_ratio);
    if (c->mshr_targets < c->mshr)
        return refuse(c, origin, "mshr_targets", "%u or more (mshr = %u, an entry holds at least one)", c->mshr,
                      c->mshr);
    if (c->mshr_stores > c->mshr_targets)
        return refuse(c, origin, "mshr_stores", "at most mshr_targets = %u", c->mshr_targets);
    if (c->mshr_cas > c->mshr_stores)
        return refuse(c, origin, "mshr_cas", "at most mshr_stores = %u", c->mshr_stores);
    if (c->lds_bytes % c->line_bytes != 0)
        return refuse(c, origin, "lds_bytes", "a multiple of line_bytes = %u", c->line_bytes);
    if (c->dram_row_bytes < c->line_bytes)
        return refuse(c, origin, "dram_row_bytes", "at least line_bytes = %u", c->line_bytes);
    if (c->flat && c->jitter != 0)
        return refuse(c, origin, "jitter", "0 (the flat model has none)");
    if (c->flat && c->threads != 1)
        return refuse(c, origin, "threads", "1 (the flat model is one tile)");
    if (c->pending == HD_PENDING_PRT && c->prt_credits > c->prt_entries * c->lanes)
        return refuse(c, origin, "prt_credits", "at most prt_entries * lanes = %u", c->prt_entries * c->lanes);
    if (c->memory == HD_MEMORY_FIXED && c->flit_bytes != 4 * HD_FLIT_WORDS)
        return refuse(c, origin, "flit_bytes", "32 (memory = fixed)");
    if (c->memory == HD_MEMORY_FIXED && c->l1 != HD_FAMILY_MESI)
        return refuse(c, origin, "l1", "mesi (memory = fixed answers its requests only)");
    if (hd_config_hardware(c) != HD_ORDER_NONE && c->pending == HD_PENDING_PRT)
        return refuse(c, origin, "pending", "mshr (order = %s tells accesses of one instruction apart)",
                      order_names[c->order]);
    if (c->order == HD_MODEL_TYPE) {
        if (c->type_ways > c->type_entries)
            return refuse(c, origin, "type_ways", "at most type_entries = %u", c->type_entries);
        if (c->mac_ways > c->mac_entries)
            return refuse(c, origin, "mac_ways", "at most mac_entries = %u", c->mac_entries);
        if (c->sector_bytes < c->line_bytes)
            return refuse(c, origin, "sector_bytes", "at least line_bytes = %u", c->line_bytes);
        if (c->memory == HD_MEMORY_FIXED)
            return refuse(c, origin, "memory", "chip (order = type needs the classifiers of the L2 tiles)");
    }
    if (c->memory == HD_MEMORY_FIXED) {
        static const struct {
            const char *key;
            unsigned value;
        } one[] = {{"sms", 1}, {"partitions", 1}, {"clk_ratio", 1}, {"threads", 1}, {"jitter", 0}, {"flat", 0}};
        for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
            if (get(c, find(one[i].key, strlen(one[i].key))) != one[i].value)
                return refuse(c, origin, one[i].key, "%u (memory = fixed)", one[i].value);
        if (c->fixed_latency < 2 * c->lat_sm_xbar)
            return refuse(c, origin, "fixed_latency", "%u or more (twice lat_sm_xbar)", 2 * c->lat_sm_xbar);
    }
    struct hd_config least = *c;
    least.window = 0;
    if (c->window > hd_config_window(&least))
        return refuse(c, origin, "window", "0..%u (the least link latency)", hd_config_window(&least));
    return 0;
}

const char *hd_config_key(const struct hd_config *c, size_t i, char buffer[32], const char **value)
{
    if (i >= KEYS)
        return NULL;
    const struct key *k = &keys[i];
    unsigned v = get(c, k);
    if (k->kind == FLAG)
        snprintf(buffer, 32, "%s", v ? "true" : "false");
    else if (k->kind == NAMES)
        snprintf(buffer, 32, "%s", k->names[v]);
    else
        snprintf(buffer, 32, "%u", v);
    if (value)
        *value = buffer;
    return k->name;
}

void hd_config_print_keys(void)
{
    struct hd_config c;
    hd_config_default(&c);
    printf("  %-21s%-9s%-32s%s\n", "key", "default", "range", "meaning");
    for (size_t i = 0; i < KEYS; i++) {
        char buffer[32], range[64];
        const char *value;
        hd_config_key(&c, i, buffer, &value);
        range_text(&keys[i], range, sizeof range);
        size_t n = strlen(range);
        snprintf(range + n, sizeof range - n, " %s", keys[i].unit);
        printf("  %-21s%-9s%-32s%s\n", keys[i].name, value, range, keys[i].doc);
    }
}
