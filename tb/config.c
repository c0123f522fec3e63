/* config.c - the table of configuration keys, their file format and their checks. */
#define _POSIX_C_SOURCE 200809L /* getdelim() */
#include "config.h"
#include "hd_pkg.h"
#include <errno.h>
#include <libconfig.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum kind { NUMBER, POWER2, FLAG, NAMES };

struct key {
    const char *name;
    size_t at;                 /* byte offset in struct hd_config */
    enum kind kind;
    unsigned min, max, def;
    unsigned step;             /* above 1: only min and max = min + step are values */
    const char *names;         /* NAMES: between bars; value = index */
    const char *unit, *doc;
};

#define KEY(key, kind, min, max, def, step, names, unit, doc) \
    {#key, offsetof(struct hd_config, key), kind, min, max, def, step, names, unit, doc},
static const struct key keys[HD_KEYS] = {HD_KEY_LIST(KEY)};

/* @return the name of value @i of key @k, *length bytes of it; NULL behind the last. */
static const char *name_of(const struct key *k, unsigned i, int *length)
{
    const char *name = k->names;

    for (; i > 0 && name != NULL; i--)
        if ((name = strchr(name, '|')) != NULL)
            name++;
    *length = name != NULL ? (int)strcspn(name, "|") : 0;
    return name;
}

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
    else if (k->kind == NAMES)
        snprintf(text, size, "%s", k->names);
    else if (k->step > 1)
        snprintf(text, size, "%u or %u", k->min, k->max);
    else
        snprintf(text, size, "%u..%u%s", k->min, k->max, k->kind == POWER2 ? ", a power of two" : "");
    return text;
}

static const struct key *find(const char *name, size_t length)
{
    for (size_t i = 0; i < HD_KEYS; i++)
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, name, length) == 0)
            return &keys[i];
    return NULL;
}

/* @text is the value as the user wrote it. @return false when key @k does not take it. */
static bool parse(const struct key *k, const char *text, unsigned *value)
{
    if (k->kind == NAMES) {
        int length;
        const char *name;
        for (*value = 0; (name = name_of(k, *value, &length)) != NULL; ++*value)
            if (strlen(text) == (size_t)length && memcmp(text, name, (size_t)length) == 0)
                return true;
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
    for (size_t i = 0; i < HD_KEYS; i++)
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

/* coherence = NAME, the configurations of paper 3: sets l1, order and read_only where it stands. */
static int set_coherence(struct hd_config *c, const char *text, int line, const char *where)
{
    static const struct {
        const char *name, *l1, *order, *read_only;
    } all[] = {{"gd", "gpu", "drf", "false"}, {"gh", "gpu", "hrf", "false"}, {"dd", "denovo", "drf", "false"},
               {"dd-ro", "denovo", "drf", "true"}, {"dh", "denovo", "hrf", "false"}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(text, all[i].name) == 0) {
            set(c, find("l1", 2), all[i].l1, line, where);
            set(c, find("order", 5), all[i].order, line, where);
            return set(c, find("read_only", 9), all[i].read_only, line, where);
        }
    }
    fprintf(stderr, "heddle: %s: coherence = %s: must be gd/gh/dd/dd-ro/dh\n", where, text);
    return -1;
}

static int set_from_file(struct hd_config *c, const config_setting_t *s, const char *path)
{
    const char *name = config_setting_name(s);
    const char *file = config_setting_source_file(s);
    int line = (int)config_setting_source_line(s);
    char where[300], text[64];
    snprintf(where, sizeof where, "%s:%d", file ? file : path, line);
    const struct key *k = find(name, strlen(name));
    const bool alias = strcmp(name, "coherence") == 0;
    if (!k && !alias) {
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
        snprintf(text, sizeof text, "%.17g", config_setting_get_float(s));
        break;
    case CONFIG_TYPE_STRING:
        snprintf(text, sizeof text, "%s", config_setting_get_string(s));
        break;
    default:
        snprintf(text, sizeof text, "(a group or list)");
        break;
    }
    return alias ? set_coherence(c, text, line, where) : set(c, k, text, line, where);
}

/* Where the comment or string at @p ends; @p if there is none. */
static const char *behind_text(const char *p)
{
    if (*p == '#' || strncmp(p, "//", 2) == 0)
        return p + strcspn(p, "\n");
    if (strncmp(p, "/*", 2) == 0) {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"')
        return p;
    const char *s = p + 1;
    while (*s && *s != '"')
        s += *s == '\\' && s[1] ? 2 : 1;
    return s + (*s != '\0');
}

/* Is the word of @n characters a whole number that libconfig cannot hold: of 64 bits with L behind it, else of 32? */
static bool too_large(const char *word, size_t n)
{
    char text[64], *end;
    bool hex = n > 2 && word[0] == '0' && (word[1] | 32) == 'x';
    long long value;
    snprintf(text, sizeof text, "%.*s", (int)n, word);
    if (n >= sizeof text)
        return strspn(word, "0123456789") >= n;
    errno = 0;
    value = hex ? (long long)strtoull(text, &end, 16) : strtoll(text, &end, 10);
    if (end == text || strspn(end, "Ll") != strlen(end))
        return false;
    return errno == ERANGE || (*end == '\0' && (value < INT32_MIN || value > INT32_MAX));
}

/* Whole numbers of @path and of the files that it includes; these are as deep as libconfig takes them. */
static bool numbers_fit(const char *path, unsigned depth)
{
    static const char in_word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-*";
    char *text = NULL;
    size_t n = 0, key_length = 0;
    const char *key = "";
    int line = 1;
    bool good = true;
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "r") : NULL; /* a pipe is read once */
    if (f && getdelim(&text, &n, '\0', f) < 0) {
        free(text);
        text = NULL;
    }
    for (const char *p = text, *end; good && p && *p; p = end) {
        size_t word = strspn(p, in_word);
        end = behind_text(p);
        if (strncmp(p, "/*", 2) == 0 && *end == '\0' && !strstr(p + 2, "*/")) {
            fprintf(stderr, "heddle: %s:%d: a comment begins here and does not end\n", path, line);
            good = false;
        }
        if (*p == '"' && key_length == 7 && key > text && memcmp(key - 1, "@include", 8) == 0 && depth < 10) {
            char included[PATH_MAX];
            snprintf(included, sizeof included, "%.*s", (int)(end - p) - 2, p + 1);
            good = numbers_fit(included, depth + 1);
            key_length = 0;
        }
        if (end == p && word > 0) {
            end = p + word;
            good = !too_large(p, word);
            if (!good)
                fprintf(stderr, "heddle: %s:%d: %.*s = %.*s: the number is too large, must fit into 32 bits, or with L behind it into 64\n", path, line,
                        (int)key_length, key, (int)word, p);
            if ((p[0] | 32) >= 'a' && (p[0] | 32) <= 'z') {
                key = p;
                key_length = word;
            }
        }
        end += end == p;
        for (const char *c = p; c < end; c++)
            line += *c == '\n';
    }
    if (f)
        fclose(f);
    free(text);
    return good;
}

/* Names go into databases and JSON: what is not UTF-8, or cut within a letter, is replaced. */
static void make_utf8(char *name)
{
    for (unsigned char *p = (unsigned char *)name; *p; p++) {
        unsigned more = *p < 0x80 ? 0 : *p >= 0xc2 && *p < 0xe0 ? 1 : (*p & 0xf0) == 0xe0 ? 2 : *p >= 0xf0 && *p < 0xf5 ? 3 : 4, n = 0;
        while (n < more && (p[n + 1] & 0xc0) == 0x80)
            n++;
        bool odd = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] >= 0xa0) || (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] >= 0x90);
        if (n < more || odd)
            *p = '?';
        else
            p += more;
    }
}

bool hd_config_numbers(const char *path)
{
    return numbers_fit(path, 0);
}

int hd_config_file(struct hd_config *c, const char *path)
{
    if (!hd_config_numbers(path))
        return -1;
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
    make_utf8(c->name);
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
    if (strncmp(assignment, "coherence=", (size_t)(equals - assignment) + 1) == 0)
        return set_coherence(c, equals + 1, -1, origin);
    const struct key *k = find(assignment, (size_t)(equals - assignment));
    if (!k) {
        fprintf(stderr, "heddle: %s %s: unknown key '%.*s'; `heddle list` prints the keys\n", origin, assignment,
                (int)(equals - assignment), assignment);
        return -1;
    }
    return set(c, k, equals + 1, -1, origin);
}

unsigned hd_config_least_latency(const struct hd_config *c)
{
    const bool mesh = c->noc == HD_NOC_MESH;
    const unsigned latency[] = {c->lat_sm_xbar, c->lat_xbar_l2, c->lat_l2_xbar, c->lat_xbar_sm, c->lat_credit,
                                c->lat_dispatch, mesh ? c->lat_hop : UINT_MAX,
                                mesh && c->lat_hop_inner != 0 ? c->lat_hop_inner : UINT_MAX};
    unsigned least = UINT_MAX;
    for (size_t i = 0; i < sizeof latency / sizeof latency[0]; i++)
        if (latency[i] < least)
            least = latency[i];
    return least;
}

uint64_t hd_config_walk(const struct hd_config *c)
{
    const uint64_t l1 = (uint64_t)c->l1_sets * c->l1_ways, l2 = (uint64_t)c->l2_sets * c->l2_ways * c->clk_ratio;
    return l1 > l2 ? l1 : l2;
}

unsigned hd_config_window(const struct hd_config *c)
{
    return c->window ? c->window : hd_config_least_latency(c);
}

/* Nodes for node 0 and the SMs, and for the L2 tiles. */
static unsigned nodes_wanted(const struct hd_config *c)
{
    return c->sms + 1 > c->partitions ? c->sms + 1 : c->partitions;
}

void hd_config_mesh(const struct hd_config *c, unsigned *columns, unsigned *rows)
{
    unsigned nodes = nodes_wanted(c);

    *columns = c->mesh_x;
    *rows = c->mesh_y;
    if (*columns == 0 && *rows == 0)
        while (*columns * *columns < nodes)
            ++*columns;
    if (*columns == 0)
        *columns = (nodes + *rows - 1) / *rows;
    if (*rows == 0)
        *rows = (nodes + *columns - 1) / *columns;
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
#define FIELD(field, key) | (uint64_t)c->key << HD_POLICY_##field##_LSB
    return (0 HD_POLICY_LIST(FIELD)) | (uint64_t)(c->issue_gap - 1) << HD_POLICY_ISSUE_GAP_LSB;
}

unsigned hd_config_pending_entries(const struct hd_config *c)
{
    return c->pending == HD_PENDING_PRT ? c->prt_entries : c->mshr;
}

/* One line on stderr: where key @name got its value, its value, and what it must be; nothing if @origin is NULL.
 * @return -1 */
static int refuse(const struct hd_config *c, const char *origin, const char *name, const char *format, ...)
{
    if (!origin)
        return -1;
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

static int check_mesh(const struct hd_config *c, const char *origin)
{
    unsigned columns, rows;

    if (c->memory == HD_MEMORY_FIXED)
        return refuse(c, origin, "noc", "xbar (memory = fixed: nothing is between SM and memory)");
    if (c->clk_ratio != 1)
        return refuse(c, origin, "clk_ratio", "1 (noc = mesh has one clock)");
    hd_config_mesh(c, &columns, &rows);
    if (columns * rows < nodes_wanted(c) || columns > HD_MESH_MAX || rows > HD_MESH_MAX)
        return refuse(c, origin, c->mesh_x != 0 ? "mesh_x" : "mesh_y",
                      "more: %u x %u of at most %u x %u nodes do not hold sms + 1 = %u and partitions = %u", columns,
                      rows, HD_MESH_MAX, HD_MESH_MAX, c->sms + 1, c->partitions);
    return 0;
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
    if (c->nv_base % c->line_bytes != 0)
        return refuse(c, origin, "nv_base", "a multiple of line_bytes = %u", c->line_bytes);
    if (c->nv_base != 0 && c->memory == HD_MEMORY_FIXED)
        return refuse(c, origin, "nv_base", "0 (memory = fixed is one memory)");
    if (c->nv_journal && c->nv_base == 0)
        return refuse(c, origin, "nv_journal", "false (nv_base = 0: there is no non-volatile memory)");
    if (c->persist != 0 && c->nv_base == 0)
        return refuse(c, origin, "persist", "off (nv_base = 0: there is no non-volatile memory)");
    if (c->persist != 0 && (c->l1 == HD_FAMILY_MESI || c->l1 == HD_FAMILY_DENOVO))
        return refuse(c, origin, "persist", "off (l1 = mesi, denovo: written words leave an L1 as answers or for another L1, "
                      "past the marker of a barrier)");
    if (c->persist != 0 && c->l1 == HD_FAMILY_GPU && c->order != HD_MODEL_HRF)
        return refuse(c, origin, "persist", "off (l1 = gpu without order = hrf: what a barrier covers is said by scopes)");
    if (c->persist == HD_PERSISTENCE_BUFFERED && c->l1 == HD_FAMILY_VI)
        return refuse(c, origin, "persist", "fifo or off (l1 = vi: a barrier waits there for all of its warp's writes to be at the L2)");
    if (c->persist != 0 && c->partitions != 1)
        return refuse(c, origin, "persist", "off, or partitions 1 instead of %u: a barrier asks one L2", c->partitions);
    if (c->flat && c->jitter != 0)
        return refuse(c, origin, "jitter", "0 (the flat model has none)");
    if (c->local_tm && (c->order == HD_MODEL_TSO_SB || c->order == HD_MODEL_SC_PF || c->order == HD_MODEL_TYPE))
        return refuse(c, origin, "order", "rmo, tso, sc, drf or hrf (local_tm: cut into lines, an operation on the LDS would "
                      "not be one step)");
    if (c->local_tm && c->copies != 0)
        return refuse(c, origin, "copies", "0 (local_tm: a transaction cannot take a copy back)");
    if (c->local_tm && c->tm_warps > c->warps)
        return refuse(c, origin, "tm_warps", "at most warps = %u", c->warps);
    if (c->local_tm && c->tm_rows > c->lds_bytes / 4 / c->lds_banks)
        return refuse(c, origin, "tm_rows", "at most %u (words of each bank)", c->lds_bytes / 4 / c->lds_banks);
    if (!c->local_tm && c->issue_gap != 1)
        return refuse(c, origin, "issue_gap", "1 (without local_tm)");
    if (c->flat && c->threads != 1)
        return refuse(c, origin, "threads", "1 (the flat model is one tile)");
    if (c->pending == HD_PENDING_PRT && c->prt_credits > c->prt_entries * c->lanes)
        return refuse(c, origin, "prt_credits", "at most prt_entries * lanes = %u", c->prt_entries * c->lanes);
    if (c->memory == HD_MEMORY_FIXED && c->flit_bytes != 4 * HD_FLIT_WORDS)
        return refuse(c, origin, "flit_bytes", "32 (memory = fixed)");
    if (c->memory == HD_MEMORY_FIXED && c->l1 != HD_FAMILY_MESI)
        return refuse(c, origin, "l1", "mesi (memory = fixed answers its requests only)");
    const bool drf = c->order == HD_MODEL_DRF || c->order == HD_MODEL_HRF, words = c->l1 == HD_FAMILY_GPU || c->l1 == HD_FAMILY_DENOVO;
    if (drf && !words)
        return refuse(c, origin, "order", "one of paper 1 (drf, hrf are for l1 = gpu, denovo: mesi, vi promise more under rmo)");
    if (words && !drf)
        return refuse(c, origin, "order", "drf or hrf (l1 = gpu, denovo: stores complete before other SMs see them)");
    if (words && c->line_bytes > 64)
        return refuse(c, origin, "line_bytes", "at most 64 (l1 = gpu, denovo: a mask of 16 words)");
    if (words && c->pending == HD_PENDING_PRT)
        return refuse(c, origin, "pending", "mshr (l1 = gpu, denovo keep words needed and skipped of each line)");
    if (words && c->sb_words < c->line_bytes / 4)
        return refuse(c, origin, "sb_words", "%u or more (a line)", c->line_bytes / 4);
    if (c->l1 == HD_FAMILY_DENOVO && c->noc == HD_NOC_XBAR && c->sms + c->partitions > 1u << HD_NODE_W)
        return refuse(c, origin, "sms", "at most %u (l1 = denovo on one crossbar of %u ports, partitions = %u)",
                      (1u << HD_NODE_W) - c->partitions, 1u << HD_NODE_W, c->partitions);
    if (c->l1 == HD_FAMILY_GPU && c->mshr_stores == 256)
        return refuse(c, origin, "mshr_stores", "at most 255 (l1 = gpu)");
    if (c->read_only && c->l1 != HD_FAMILY_DENOVO)
        return refuse(c, origin, "read_only", "false (l1 = denovo has words that outlive acquires)");
    if (c->l2_inclusive && c->l1 == HD_FAMILY_DENOVO)
        return refuse(c, origin, "l2_inclusive", "false (l1 = denovo: the L2 knows who owns words, not who has clean ones)");
    if (c->l1 == HD_FAMILY_DENOVO && c->flat && c->noc != HD_NOC_MESH)
        return refuse(c, origin, "flat", "false (l1 = denovo on one crossbar; noc = mesh has a flat twin)");
    if (hd_config_hardware(c) != HD_ORDER_NONE && c->pending == HD_PENDING_PRT) {
        char buffer[32];
        const char *order;
        hd_config_key(c, (size_t)(find("order", 5) - keys), buffer, &order);
        return refuse(c, origin, "pending", "mshr (order = %s tells accesses of one instruction apart)", order);
    }
    if (c->order == HD_MODEL_TYPE) {
        if (c->type_ways > c->type_entries)
            return refuse(c, origin, "type_ways", "at most type_entries = %u", c->type_entries);
        if (c->mac_ways > c->mac_entries)
            return refuse(c, origin, "mac_ways", "at most mac_entries = %u", c->mac_entries);
        if (c->sector_bytes < c->line_bytes)
            return refuse(c, origin, "sector_bytes", "at least line_bytes = %u", c->line_bytes);
        const uint32_t sets = c->mac_entries / c->mac_ways;
        const uint64_t room = (UINT64_C(1) << HD_ADDR_W) / c->partitions / sets;
        if (c->sector_bytes >= room)
            return refuse(c, origin, "sector_bytes", "less than %u (partitions = %u, mac_entries / mac_ways = %u: tags need a bit)",
                          (uint32_t)room, c->partitions, sets);
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
    if (c->noc == HD_NOC_MESH && check_mesh(c, origin) != 0)
        return -1;
    if (c->window > hd_config_least_latency(c))
        return refuse(c, origin, "window", "0..%u (the least link latency)", hd_config_least_latency(c));
    return 0;
}

const char *hd_config_key(const struct hd_config *c, size_t i, char buffer[32], const char **value)
{
    if (i >= HD_KEYS)
        return NULL;
    const struct key *k = &keys[i];
    unsigned v = get(c, k);
    if (k->kind == FLAG)
        snprintf(buffer, 32, "%s", v ? "true" : "false");
    else if (k->kind == NAMES) {
        int length;
        const char *name = name_of(k, v, &length);
        snprintf(buffer, 32, "%.*s", length, name);
    } else
        snprintf(buffer, 32, "%u", v);
    if (value)
        *value = buffer;
    return k->name;
}

const char *hd_config_key_about(size_t i, char range[HD_CONFIG_RANGE])
{
    range_text(&keys[i], range, HD_CONFIG_RANGE);
    size_t n = strlen(range);
    snprintf(range + n, HD_CONFIG_RANGE - n, "%s%s", *keys[i].unit ? " " : "", keys[i].unit);
    return keys[i].doc;
}

void hd_config_key_range(const struct hd_config *c, size_t i, struct hd_key_range *r)
{
#define SHAPES(param, key, def, sm, l2, gpu) {offsetof(struct hd_config, key), ((sm) | (l2)) != 0},
    const struct {
        size_t at;
        bool tiles;
    } params[] = {HD_PARAM_LIST(SHAPES)};
    const struct key *k = &keys[i];
    *r = (struct hd_key_range){.power2 = k->kind == POWER2, .min = k->min, .max = k->max, .step = k->step};
    for (size_t p = 0; p < sizeof params / sizeof params[0]; p++)
        r->structure |= params[p].at == k->at && params[p].tiles;
}

void hd_config_put(struct hd_config *c, size_t i, unsigned value)
{
    put(c, &keys[i], value);
}
