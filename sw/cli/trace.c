/* trace.c - see commands.h: `heddle trace info`, `import`, `check`. */
#include "commands.h"
#include "report/files.h"
#include "report/json.h"
#include "report/text.h"
#include "trace/convert.h"
#include "trace/ops.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2 };

struct arguments {
    const char *file, *out;
    bool json;
    struct hd_trace_options o;
    struct hd_diag diag;
};

/* One of the names in @list, which ends with NULL. @return its number, -1 if there is none. */
static int one_of(const char *value, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(value, list[i]) == 0)
            return i;
    return -1;
}

static bool set(struct arguments *a, const char *word)
{
    static const struct {
        const char *key;
        const char *const values[4];
    } keys[] = {{"deps", {"registers", "none", "all"}}, {"pages", {"2M", "64K"}}, {"copy", {"load", "store", "async"}},
                {"barriers", {"pc", "order"}}, {"missing", {"error", "skip"}}};
    const char *equals = strchr(word, '=');
    size_t n = (size_t)(equals - word);

    if (n == 7 && memcmp(word, "kernels", n) == 0) {
        size_t length;
        const char *range = hd_trace_backwards(equals + 1, &length);
        if (range) {
            fprintf(stderr, "heddle: trace: %s: %.*s must begin before it ends\n", word, (int)length, range);
            return false;
        }
        a->o.kernels = equals + 1;
        return true;
    }
    if (n == 5 && memcmp(word, "every", n) == 0) {
        char *end;
        errno = 0;
        a->o.every = strtoull(equals + 1, &end, 10);
        if (equals[1] >= '0' && equals[1] <= '9' && !*end && !errno && a->o.every > 0)
            return true;
        fprintf(stderr, "heddle: trace: %s: must be a number from 1\n", word);
        return false;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i].key) != n || memcmp(word, keys[i].key, n) != 0)
            continue;
        int v = one_of(equals + 1, keys[i].values);
        if (v < 0) {
            fprintf(stderr, "heddle: trace: %s: must be one of", word);
            for (int k = 0; keys[i].values[k]; k++)
                fprintf(stderr, "%s %s", k ? "," : "", keys[i].values[k]);
            fputc('\n', stderr);
            return false;
        }
        switch (i) {
        case 0: a->o.deps = v; break;
        case 1: a->o.region_bits = v ? 16 : 21; break;
        case 2: a->o.copies = v; break;
        case 3: a->o.barriers_in_order = v != 0; break;
        default: a->o.skip_missing = v != 0; break;
        }
        return true;
    }
    fprintf(stderr, "heddle: trace: unknown key in '%s'; see heddle trace --help\n", word);
    return false;
}

static bool parse(struct arguments *a, int argc, char **argv)
{
    *a = (struct arguments){.o = {.region_bits = 21, .progress = true}};
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            a->json = true;
        else if (strcmp(argv[i], "--strict") == 0)
            a->diag.strict = true;
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            a->out = argv[++i];
        else if (argv[i][0] == '-') {
            fprintf(stderr, "heddle: trace: unknown option or missing value '%s'; see heddle trace --help\n", argv[i]);
            return false;
        } else if (strchr(argv[i], '=') && a->file) {
            if (!set(a, argv[i]))
                return false;
        } else if (!a->file)
            a->file = argv[i];
        else {
            fprintf(stderr, "heddle: trace: one file at a time, found '%s' too\n", argv[i]);
            return false;
        }
    }
    if (!a->file)
        fprintf(stderr, "heddle: trace %s needs a file; see heddle trace --help\n", argv[1]);
    return a->file && hd_files_input(NULL, a->file, false);
}

/* ---- info ------------------------------------------------------------------------------------------------------ */

static void put(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static json_t *kernel_json(const struct hd_kernel_scan *k, unsigned number)
{
    static const char *const kinds[HD_SASS_KINDS] = {"alu", "loads", "stores", "atomics", "copies", "copy_groups", "copy_waits",
                                                     "matrix_loads", "fences", "barriers", "arrivals", "dropped"};
    json_t *o = json_object(), *by_kind = json_object(), *opcodes = json_object();
    char name[HD_ACCEL_NAME];
    size_t n = 0;

    for (const char *p = k->header.name; *p; p++) /* JSON wants UTF-8 */
        name[n++] = *p >= ' ' && *p < 127 ? *p : '?';
    name[n] = '\0';
    put(o, "number", number);
    json_object_set_new(o, "file", json_string(k->path));
    json_object_set_new(o, "name", json_string(name));
    json_object_set_new(o, "chosen", json_boolean(k->chosen));
    put(o, "version", k->header.version);
    json_object_set_new(o, "grid", json_pack("[iii]", k->header.grid[0], k->header.grid[1], k->header.grid[2]));
    json_object_set_new(o, "block", json_pack("[iii]", k->header.block[0], k->header.block[1], k->header.block[2]));
    put(o, "stream", k->header.stream);
    put(o, "blocks", k->blocks);
    put(o, "warps", k->warps);
    put(o, "instructions", k->insts);
    put(o, "memory", k->memory);
    put(o, "memory_empty_mask", k->memory_empty);
    put(o, "lane_accesses", k->lanes);
    put(o, "bar", k->bars);
    put(o, "global_lines_128", k->lines);
    put(o, "global_regions", k->regions);
    put(o, "lds_bytes", k->lds_bytes);
    put(o, "lds_given", k->lds_launch);
    put(o, "local_bytes_a_thread", k->local_high > k->local_low ? k->local_high - k->local_low : 0);
    put(o, "text_bytes", k->text_bytes);
    for (int i = 0; i < HD_SASS_KINDS; i++)
        put(by_kind, kinds[i], k->kinds[i]);
    json_object_set_new(o, "instructions_by_kind", by_kind);
    put(o, "unknown_accesses", k->unknown);
    put(o, "replaced_atomics", k->replaced_atomics);
    put(o, "replaced_copies", k->kinds[HD_SASS_COPY]);
    put(o, "narrow_accesses", k->narrow);
    put(o, "spin_loads", k->strong_repeats);
    for (size_t i = 0; i < k->opcodes; i++)
        put(opcodes, k->opcode[i].op->name, k->opcode[i].count);
    json_object_set_new(o, "opcodes", opcodes);
    return o;
}

static void kernel_row(const struct hd_kernel_scan *k, unsigned number)
{
    char insts[32], lanes[32];
    const char *slash = strrchr(k->path, '/');

    printf("%6u %8llu %8llu %13s %10llu %13s %9llu %8llu %7llu  %s%s%.60s\n", number, (unsigned long long)k->blocks,
           (unsigned long long)k->warps, hd_text_grouped(k->insts, insts), (unsigned long long)k->memory,
           hd_text_grouped(k->lanes, lanes), (unsigned long long)k->lines, (unsigned long long)k->regions,
           (unsigned long long)k->lds_bytes, k->chosen ? "" : "(not chosen) ", slash ? "" : "", k->header.name);
}

static void note(const char *what, uint64_t n)
{
    char text[32];

    if (n != 0)
        printf("  %-58s %s\n", what, hd_text_grouped(n, text));
}

static void info_text(const struct hd_scan *s)
{
    struct hd_kernel_scan all = {0};

    printf("%6s %8s %8s %13s %10s %13s %9s %8s %7s  %s\n", "kernel", "blocks", "warps", "instructions", "memory", "lanes",
           "lines", "regions", "LDS", "name");
    for (size_t i = 0; i < s->kernels; i++) {
        const struct hd_kernel_scan *k = &s->kernel[i];
        kernel_row(k, (unsigned)i + 1);
        for (int n = 0; n < HD_SASS_KINDS; n++)
            all.kinds[n] += k->kinds[n];
        all.insts += k->insts;
        all.memory_empty += k->memory_empty;
        all.unknown += k->unknown;
        all.replaced_atomics += k->replaced_atomics;
        all.narrow += k->narrow;
        all.strong_repeats += k->strong_repeats;
    }
    printf("\nmemory: instructions that access memory; lines: of 128 bytes, of global memory; regions: of the address map\n\n");
    note("loads", all.kinds[HD_SASS_LOAD]);
    note("stores", all.kinds[HD_SASS_STORE]);
    note("atomics", all.kinds[HD_SASS_ATOMIC]);
    note("loads of matrices from the LDS", all.kinds[HD_SASS_MATRIX]);
    note("fences", all.kinds[HD_SASS_FENCE]);
    note("barriers", all.kinds[HD_SASS_BARRIER]);
    note("accesses without lanes: an ALU slot", all.memory_empty);
    note("copies to the LDS: replaced by loads that a group waits for", all.kinds[HD_SASS_COPY]);
    note("atomics of other functions or widths: replaced by additions", all.replaced_atomics);
    note("texture, surface and TMA accesses: dropped", all.kinds[HD_SASS_DROPPED]);
    note("memory instructions that are not known: an ALU slot", all.unknown);
    note("accesses of bytes or half words: become their words", all.narrow);
    note("repeated STRONG loads: polls, as many as in the real run", all.strong_repeats);
}

/* The value of a line of the head as JSON: what is a number or a flag there is one here. */
static json_t *native_value(const char *text, size_t n)
{
    char copy[64];

    if (n == 4 && memcmp(text, "true", n) == 0)
        return json_true();
    if (n == 5 && memcmp(text, "false", n) == 0)
        return json_false();
    if (n == 0 || n > 15 || strspn(text, "0123456789") < n) {
        json_t *string = json_stringn(text, n);
        return string ? string : json_string("?"); /* JSON wants UTF-8 */
    }
    snprintf(copy, sizeof copy, "%.*s", (int)n, text);
    return json_integer(strtoll(copy, NULL, 10));
}

/* "number blocks threads LDS resident instructions name" (docs/traces.md). */
static json_t *native_kernel(const char *text, size_t n)
{
    static const char *const names[] = {"number", "blocks", "threads", "lds_bytes", "resident", "instructions"};
    json_t *o = json_object();
    size_t at = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strcspn(text + at, " \n");
        json_object_set_new(o, names[i], native_value(text + at, length));
        at += length + (text[at + length] == ' ');
    }
    json_t *name = json_stringn(text + at, n > at ? n - at : 0);
    json_object_set_new(o, "name", name ? name : json_string("?"));
    return o;
}

/* Puts the lines `key = value` of a text into @all; those of which there are several into lists. */
static void native_lines(json_t *all, const char *text)
{
    static const char *const several[][2] = {{"kernel", "kernels"}, {"region", "regions"}, {"read only", "read_only"}};

    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t n = strcspn(text, "\n"), length = 0;
        const char *equals = strstr(text, " = "), *value = equals ? equals + 3 : NULL, *list = NULL;
        char key[80];
        json_t *to = all;
        if (!equals || value > text + n)
            continue;
        bool set = strncmp(text, "set ", 4) == 0;
        snprintf(key, sizeof key, "%.*s", (int)(equals - text) - (set ? 4 : 0), text + (set ? 4 : 0));
        length = (size_t)(text + n - value);
        for (size_t i = 0; i < sizeof several / sizeof *several; i++)
            if (strcmp(key, several[i][0]) == 0)
                list = several[i][1];
        for (char *c = key; *c; c++)
            *c = *c == ' ' ? '_' : *c;
        if (set || list) {
            to = json_object_get(all, set ? "settings" : list);
            if (!to) {
                to = set ? json_object() : json_array();
                json_object_set_new(all, set ? "settings" : list, to);
            }
        }
        json_t *v = strcmp(key, "kernel") == 0 ? native_kernel(value, length)
                    : strcmp(key, "memory") == 0 && !set ? json_stringn(value, length) /* a hash, whatever its digits */
                                                         : native_value(value, length);
        if (list && !set)
            json_array_append_new(to, v);
        else
            json_object_set_new(to, key, v);
    }
}

static bool native_json(const struct hd_hdt *h)
{
    json_t *all = json_object();

    native_lines(all, h->head);
    native_lines(all, h->end);
    put(all, "operations", h->ops);
    put(all, "chunks", h->chunks);
    put(all, "bytes", h->size);
    return hd_json_print(all, 2, 6);
}

/* Of a native trace: head and end text, chunks. */
static int native_info(struct arguments *a)
{
    struct hd_hdt *h = hd_hdt_open(a->file, &a->diag);
    char n[32];

    if (!h)
        return REFUSED;
    if (a->json) {
        bool good = native_json(h);
        hd_hdt_close(h);
        return good ? GOOD : REFUSED;
    }
    printf("%s%s", h->head, h->end);
    printf("operations = %s\n", hd_text_grouped(h->ops, n));
    printf("chunks = %s\n", hd_text_grouped(h->chunks, n));
    printf("bytes = %s\n", hd_text_grouped(h->size, n));
    hd_hdt_close(h);
    return GOOD;
}

static bool is_native(const char *path)
{
    char magic[4] = "";
    FILE *f = fopen(path, "rb");
    bool native = f && fread(magic, 1, 4, f) == 4 && memcmp(magic, "HDT1", 4) == 0;

    if (f)
        fclose(f);
    return native;
}

static int info(struct arguments *a)
{
    struct hd_scan s;

    if (is_native(a->file))
        return native_info(a);
    bool good = hd_scan(&s, a->file, &a->o, &a->diag);
    if (a->json) {
        json_t *all = json_object(), *list = json_array();
        for (size_t i = 0; i < s.kernels; i++)
            json_array_append_new(list, kernel_json(&s.kernel[i], (unsigned)i + 1));
        put(all, "copies", s.list.copies);
        put(all, "copied_bytes", s.list.copied_bytes);
        json_object_set_new(all, "kernels", list);
        good = hd_json_print(all, 2, 6) && good;
    } else if (s.kernels > 0)
        info_text(&s);
    hd_scan_free(&s);
    return hd_diag_end(&a->diag) && good ? GOOD : REFUSED;
}

/* ---- import, check --------------------------------------------------------------------------------------------- */

static uint64_t nth_kernel(const void *ctx, size_t i, const char **name, size_t *bytes)
{
    *name = ((const struct hd_scan *)ctx)->kernel[i].header.name;
    *bytes = strlen(*name);
    return i + 1;
}

static int import(struct arguments *a)
{
    struct hd_hdt_written written;
    char ops[32], bytes[32];
    struct hd_scan s;

    if (!a->out) {
        fprintf(stderr, "heddle: trace import needs -o FILE.hdt\n");
        return REFUSED;
    }
    if (!hd_files_apart("-o", a->out, "the input", a->file))
        return REFUSED;
    a->o.no_lines = true;
    bool good = hd_scan(&s, a->file, &a->o, &a->diag) && !(a->diag.strict && a->diag.kinds > 0) &&
                hd_trace_all_choose(a->o.kernels, s.kernels, nth_kernel, &s, a->file, &a->diag) &&
                hd_trace_convert(&s, &a->o, a->out, &written, &a->diag);
    hd_scan_free(&s);
    good = hd_diag_end(&a->diag) && good;
    if (good)
        printf("%s: %s operations, %s bytes\n", a->out, hd_text_grouped(written.ops, ops),
               hd_text_grouped(written.bytes, bytes));
    return good ? GOOD : REFUSED;
}

struct count {
    uint64_t chunks, ops;
    struct hd_trace_op op;
    struct hd_trace_state state;
};

static bool see_chunk(void *ctx, const struct hd_hdt_chunk *c, const uint8_t *data)
{
    struct count *n = ctx;
    size_t at = 0;

    n->chunks++;
    n->ops += c->ops;
    memset(&n->state, 0, sizeof n->state);
    for (uint32_t i = 0; i < c->ops; i++)
        if (!hd_trace_get(&n->state, data, c->bytes, &at, HD_MAX_LANES, &n->op)) {
            fprintf(stderr, "heddle: segment at byte %llu: block %u, warp %u, operation %u: expected an operation\n",
                    (unsigned long long)c->segment, c->block, c->warp, i);
            return false;
        }
    return true;
}

static int check(struct arguments *a)
{
    struct count n = {0};
    struct hd_diag quiet = {.quiet = true};
    char chunks[32], ops[32];
    struct hd_hdt *h = hd_hdt_open(a->file, &quiet);

    if (!h)
        h = hd_hdt_open(a->file, &a->diag); /* says why */
    if (!is_native(a->file))
        return REFUSED;
    bool good = hd_hdt_walk(a->file, see_chunk, &n, &a->diag) && h;
    printf("%s: %s operations in %s chunks of warps can be read\n", a->file, hd_text_grouped(n.ops, ops),
           hd_text_grouped(n.chunks, chunks));
    if (good && (h->ops != n.ops || h->chunks != n.chunks))
        good = hd_diag_error(&a->diag, "%s: its index has %llu operations in %zu chunks", a->file, (unsigned long long)h->ops,
                             h->chunks);
    hd_hdt_close(h);
    return hd_diag_end(&a->diag) && good ? GOOD : REFUSED;
}

int hd_trace_command(int argc, char **argv)
{
    static const char *const names[] = {"info", "import", "check", NULL};
    static int (*const commands[])(struct arguments *a) = {info, import, check};
    struct arguments a;
    int which = argc > 1 ? one_of(argv[1], names) : -1;

    if (which < 0) {
        fprintf(stderr, "heddle: trace must be followed by info, import or check and a file; see heddle trace --help\n");
        return REFUSED;
    }
    return parse(&a, argc, argv) ? commands[which](&a) : REFUSED;
}
