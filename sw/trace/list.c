/* list.c - see list.h. */
#include "list.h"
#include "source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);

    return n >= m && strcmp(s + n - m, with) == 0;
}

static bool add(struct hd_trace_list *l, const char *path, struct hd_diag *d)
{
    char **more = l->count % 64 == 0 ? realloc(l->path, (l->count + 64) * sizeof *more) : l->path;

    if (more)
        l->path = more;
    if (!more || !(l->path[l->count] = strdup(path)))
        return hd_diag_error(d, "%s: no memory", path);
    l->count++;
    if (ends(path, ".trace") || ends(path, ".trace.xz"))
        return hd_diag_error(d, "%s: expected a grouped trace (.traceg), found a raw one: post-traces-processing of Accel-Sim "
                             "groups it", path);
    return true;
}

/* The file, or what it is called packed or unpacked. */
static bool find(char *path, size_t room, bool *other)
{
    size_t n = strlen(path);

    *other = false;
    if (access(path, R_OK) == 0)
        return true;
    *other = true;
    if (ends(path, ".xz")) {
        path[n - 3] = '\0';
        if (access(path, R_OK) == 0)
            return true;
        path[n - 3] = '.';
    }
    if (n + 4 > room)
        return false;
    memcpy(path + n, ".xz", 4);
    if (access(path, R_OK) == 0)
        return true;
    path[n] = '\0';
    if (ends(path, ".traceg")) {
        path[n - 1] = 'z';
        if (access(path, R_OK) == 0)
            return true;
        path[n - 1] = 'g';
    }
    return false;
}

static bool kernel_line(struct hd_trace_list *l, struct hd_source *s, const char *list, const char *name, size_t n,
                        bool skip_missing, struct hd_diag *d)
{
    char path[4096], place[HD_DIAG_TEXT];
    const char *slash = strrchr(list, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - list) + 1 : 0;
    bool other;

    if ((size_t)folder + n + 8 > sizeof path)
        return hd_diag_error(d, "%s: expected a path below 4 KiB", hd_source_place(s, 0, place));
    snprintf(path, sizeof path, "%.*s%.*s", folder, list, (int)n, name);
    hd_source_place(s, 0, place);
    if (!find(path, sizeof path, &other)) {
        if (!skip_missing)
            return hd_diag_error(d, "%s: expected a file that is there, found '%.*s' (missing=skip leaves it out)", place,
                                 (int)n, name);
        hd_diag_warn(d, place, "a file of the list is not there");
        return true;
    }
    if (other)
        hd_diag_warn(d, place, "a file of the list is there under another name (packed or unpacked)");
    return add(l, path, d);
}

static bool list_line(struct hd_trace_list *l, struct hd_source *s, const char *list, const char *line, size_t n,
                      bool skip_missing, struct hd_diag *d)
{
    static const char copy[] = "MemcpyHtoD,";
    char place[HD_DIAG_TEXT];
    unsigned long long bytes;

    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    if (n == 0)
        return true;
    if (n >= 6 && memcmp(line, "kernel", 6) == 0)
        return kernel_line(l, s, list, line, n, skip_missing, d);
    if (n > sizeof copy && memcmp(line, copy, sizeof copy - 1) == 0) {
        char text[80];
        snprintf(text, sizeof text, "%.*s", (int)n, line);
        if (sscanf(text, "MemcpyHtoD,0x%*x,%llu", &bytes) != 1)
            return hd_diag_error(d, "%s: expected MemcpyHtoD,0x<address>,<bytes>, found '%s'",
                                 hd_source_place(s, 0, place), text);
        l->copies++;
        l->copied_bytes += bytes;
        return true;
    }
    hd_diag_warn(d, hd_source_place(s, 0, place), "a line of the list that is neither a copy nor a kernel is skipped");
    return true;
}

bool hd_trace_list_read(struct hd_trace_list *l, const char *path, bool skip_missing, struct hd_diag *d)
{
    size_t n;
    const char *line;

    *l = (struct hd_trace_list){0};
    if (ends(path, ".trace") || ends(path, ".trace.xz"))
        return add(l, path, d);
    struct hd_source *s = hd_source_open(path, d);
    if (!s)
        return false;
    do
        line = hd_source_line(s, &n);
    while (line && n == 0);
    bool good = true;
    if (line && *line == '-')
        good = add(l, path, d);
    else {
        unsigned errors = d->errors;
        for (; line; line = hd_source_line(s, &n))
            list_line(l, s, path, line, n, skip_missing, d);
        good = d->errors == errors;
        if (good && l->count == 0)
            good = hd_diag_error(d, "%s: expected a trace or a list with a kernel in it, found none", path);
    }
    hd_source_close(s);
    return good;
}

void hd_trace_list_free(struct hd_trace_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->path[i]);
    free(l->path);
    *l = (struct hd_trace_list){0};
}

/* Is @item a number or a-b? */
static bool is_range(const char *item, unsigned long long *from, unsigned long long *to)
{
    char *after;

    *to = *from = strtoull(item, &after, 10);
    if (after != item && *after == '-')
        *to = strtoull(after + 1, &after, 10);
    return after != item && *after == '\0';
}

/* Takes the item at @p without what does not fit. @return its length. */
static size_t take_item(const char *p, char item[256])
{
    size_t n = strcspn(p, ",");

    snprintf(item, 256, "%.*s", (int)(n < 256 ? n : 255), p);
    return n;
}

const char *hd_trace_backwards(const char *which, size_t *n)
{
    for (const char *p = which; *p; p += *n + (p[*n] == ',')) {
        char item[256];
        unsigned long long from, to;
        *n = take_item(p, item);
        if (is_range(item, &from, &to) && to < from)
            return p;
    }
    return NULL;
}

static bool chooses(const char *item, uint64_t number, const char *name, size_t name_bytes)
{
    unsigned long long from, to;

    if (is_range(item, &from, &to))
        return number >= from && number <= to;
    for (size_t i = 0, m = strlen(item); m > 0 && i + m <= name_bytes; i++)
        if (memcmp(name + i, item, m) == 0)
            return true;
    return false;
}

bool hd_trace_chosen(const char *which, uint64_t number, const char *name, size_t name_bytes)
{
    char item[256];

    for (const char *p = which; p && *p;) {
        size_t n = take_item(p, item);
        if (chooses(item, number, name, name_bytes))
            return true;
        p += n + (p[n] == ',');
    }
    return !which;
}

bool hd_trace_all_choose(const char *which, size_t kernels, hd_trace_nth *nth, const void *ctx, const char *of, struct hd_diag *d)
{
    char item[256] = "";
    bool good = kernels > 0 && (!which || *which);

    for (const char *p = which; good && p && *p;) {
        size_t n = take_item(p, item);
        good = false;
        for (size_t i = 0; i < kernels && !good; i++) {
            const char *name;
            size_t bytes;
            uint64_t number = nth(ctx, i, &name, &bytes);
            good = chooses(item, number, name, bytes);
        }
        p += n + (p[n] == ',');
    }
    return good || hd_diag_error(d, "%s: kernels=%s: %s must choose some of its %zu kernels, by number from 1 or part of the name", of,
                                 which ? which : "", item, kernels);
}
