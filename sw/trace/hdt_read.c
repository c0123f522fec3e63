/* hdt_read.c - see hdt.h. Every number of a file is checked against its size before it is used; no allocation is larger than
 * 64 MiB or 64 times the file, whichever is more. */
#include "hdt.h"
#include "hdt_parts.h"
#include "ops.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
    START = 12,
    SMALL = 64 << 20,
    AHEAD = 16 * 1024   /* bytes of a file at a time, if a section has no more: a call costs as much as many operations */
};

struct section {
    uint32_t tag, packed, bytes, number;
};

struct hd_hdt_scratch {
    ZSTD_DCtx *zstd;
    uint8_t *file;              /* [HD_HDT_SECTION_HEAD + ZSTD_compressBound(HD_HDT_SEGMENT)] */
    uint64_t file_at;           /* what it has of the file: */
    size_t file_bytes;          /* 0: nothing */
    uint8_t *segment;
    uint64_t at;                /* the section that segment holds; 0: none */
    uint32_t bytes, number;
};

static uint64_t get(const uint8_t *from, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)from[i] << 8 * i;
    return v;
}

static bool bytes_at(int fd, uint64_t at, void *to, size_t n)
{
    return pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

static bool wrong(const struct hd_hdt *h, struct hd_diag *d, uint64_t at, const char *expected)
{
    return hd_diag_error(d, "%s:%llu: expected %s", h->path, (unsigned long long)at, expected);
}

/* @return @n bytes of the file, at most a section with its head; NULL if they are not there. */
static const uint8_t *ahead(const struct hd_hdt *h, struct hd_hdt_scratch *s, uint64_t at, size_t n)
{
    if (s->file_bytes == 0 || at < s->file_at || at - s->file_at > s->file_bytes || s->file_bytes - (at - s->file_at) < n) {
        size_t some = n > AHEAD ? n : AHEAD;
        s->file_bytes = 0;
        if (at > h->size || h->size - at < n)
            return NULL;
        some = h->size - at < some ? (size_t)(h->size - at) : some;
        if (!bytes_at(h->fd, at, s->file, some))
            return NULL;
        s->file_at = at;
        s->file_bytes = some;
    }
    return s->file + (at - s->file_at);
}

/* The head of the section at @at, which ends before the tail. @scratch: to read ahead, NULL is allowed. */
static bool section_at(const struct hd_hdt *h, struct hd_hdt_scratch *scratch, uint64_t at, struct section *s)
{
    uint8_t own[HD_HDT_SECTION_HEAD];
    const uint8_t *head = own;
    uint64_t most = h->size * 64 < SMALL ? SMALL : h->size * 64;

    if (at < START || at > h->size || h->size - at < sizeof own + HD_HDT_TAIL)
        return false;
    if (scratch ? !(head = ahead(h, scratch, at, sizeof own)) : !bytes_at(h->fd, at, own, sizeof own))
        return false;
    s->tag = (uint32_t)get(head, 4);
    s->packed = (uint32_t)get(head + 4, 4);
    s->bytes = (uint32_t)get(head + 8, 4);
    s->number = (uint32_t)get(head + 12, 4);
    return s->packed <= h->size - at - sizeof own && s->bytes <= most && s->bytes <= HD_HDT_MOST;
}

/* @return a section's bytes with a zero behind them, to be freed. */
static uint8_t *load(const struct hd_hdt *h, uint64_t at, uint32_t tag, struct section *s, struct hd_diag *d, const char *what)
{
    uint8_t *packed = NULL, *bytes = NULL;

    if (!section_at(h, NULL, at, s) || s->tag != tag) {
        wrong(h, d, at, what);
        return NULL;
    }
    packed = malloc(s->packed ? s->packed : 1);
    bytes = malloc((size_t)s->bytes + 1);
    if (!packed || !bytes)
        hd_diag_error(d, "%s: no memory", h->path);
    else if (!bytes_at(h->fd, at + HD_HDT_SECTION_HEAD, packed, s->packed) ||
             ZSTD_decompress(bytes, s->bytes, packed, s->packed) != s->bytes)
        wrong(h, d, at, "a whole zstd frame: the file is damaged");
    else {
        free(packed);
        bytes[s->bytes] = 0;
        return bytes;
    }
    free(packed);
    free(bytes);
    return NULL;
}

static int compare(const void *x, const void *y)
{
    const struct hd_hdt_chunk *a = x, *b = y;

    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

static bool parse_index(struct hd_hdt *h, uint64_t index, const uint8_t *data, size_t n, struct hd_diag *d)
{
    struct hd_hdt_chunk last = {0};
    const char *what = "an index of chunks that are in the file";
    uint64_t v[7];
    size_t at = 0;
    bool sorted = true;

    if (n < 8)
        return wrong(h, d, index, what);
    uint64_t count = get(data, 8);
    at = 8;
    if (count > (n - at) / 7)
        return wrong(h, d, index, what);
    h->chunk = malloc((count ? count : 1) * sizeof *h->chunk);
    if (!h->chunk)
        return hd_diag_error(d, "%s: no memory for the index", h->path);
    uint32_t in = 0;
    for (; h->chunks < count; h->chunks++) {
        for (int i = 0; i < 7; i++)
            if (!hd_trace_unvarint(data, n, &at, &v[i]))
                return wrong(h, d, index, what);
        struct hd_hdt_chunk *c = &h->chunk[h->chunks];
        in = v[0] == 0 && h->chunks > 0 ? in + last.bytes : 0;
        *c = (struct hd_hdt_chunk){.segment = last.segment + v[0],
                                   .kernel = last.kernel + (uint32_t)hd_trace_unzigzag(v[1]),
                                   .block = last.block + (uint32_t)hd_trace_unzigzag(v[2]),
                                   .in = in + HD_HDT_CHUNK_HEAD, .ops = (uint32_t)v[5], .bytes = (uint32_t)v[6],
                                   .warp = (uint16_t)v[3], .part = (uint16_t)v[4]};
        in += HD_HDT_CHUNK_HEAD;
        if (c->segment >= index || c->segment < START || v[3] > 1023 || v[4] > UINT16_MAX || v[5] > UINT32_MAX ||
            v[6] > HD_HDT_SEGMENT || in + c->bytes > HD_HDT_SEGMENT)
            return wrong(h, d, index, what);
        sorted = sorted && (h->chunks == 0 || compare(&last, c) < 0);
        h->ops += c->ops;
        if (c->bytes > h->most_bytes)
            h->most_bytes = c->bytes;
        last = *c;
    }
    if (sorted)
        return true;
    qsort(h->chunk, h->chunks, sizeof *h->chunk, compare);
    for (size_t i = 1; i < h->chunks; i++)
        if (compare(&h->chunk[i - 1], &h->chunk[i]) == 0)
            return wrong(h, d, index, "each part of a warp once in the index");
    return true;
}

static bool open_file(struct hd_hdt *h, const char *path, struct hd_diag *d)
{
    uint8_t start[START];
    struct stat st;

    h->path = path;
    h->fd = open(path, O_RDONLY | O_NONBLOCK); /* a pipe, which is refused, is not waited for */
    if (h->fd < 0 || fstat(h->fd, &st) != 0)
        return hd_diag_error(d, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return hd_diag_error(d, "%s: not a file", path);
    h->size = (uint64_t)st.st_size;
    if (h->size < START || !bytes_at(h->fd, 0, start, START) || memcmp(start, "HDT1", 4) != 0)
        return wrong(h, d, 0, "a native trace, which begins with HDT1 (heddle trace import makes one)");
    if (get(start + 4, 2) > HD_HDT_MAJOR)
        return hd_diag_error(d, "%s:4: expected format %d, found %u: written by a newer heddle", path, HD_HDT_MAJOR,
                             (unsigned)get(start + 4, 2));
    h->flags = (uint32_t)get(start + 8, 4);
    return true;
}

struct hd_hdt *hd_hdt_open(const char *path, struct hd_diag *d)
{
    struct hd_hdt *h = calloc(1, sizeof *h);
    uint8_t tail[HD_HDT_TAIL], *index = NULL;
    struct section s;
    bool good = false;

    if (!h)
        return NULL;
    h->fd = -1;
    if (!open_file(h, path, d)) {
        hd_hdt_close(h);
        return NULL;
    }
    if (h->size < START + HD_HDT_TAIL || !bytes_at(h->fd, h->size - sizeof tail, tail, sizeof tail) ||
        memcmp(tail + 16, "HDT1", 4) != 0 || get(tail + 8, 8) != h->size || get(tail, 8) >= h->size)
        wrong(h, d, h->size, "the tail of a native trace: the file is cut off (heddle trace check says what is left)");
    else if ((h->head = (char *)load(h, START, HD_HDT_HEAD, &s, d, "the section HEAD")) &&
             (index = load(h, get(tail, 8), HD_HDT_INDEX, &s, d, "the section INDX"))) {
        size_t text = strnlen((char *)index, s.bytes) + 1;
        h->end = strdup((char *)index);
        good = h->end && text <= s.bytes && parse_index(h, get(tail, 8), index + text, s.bytes - text, d);
        if (!good && d->errors == 0)
            wrong(h, d, get(tail, 8), "a text and an index in the section INDX");
    }
    free(index);
    if (good)
        return h;
    hd_hdt_close(h);
    return NULL;
}

void hd_hdt_close(struct hd_hdt *h)
{
    if (!h)
        return;
    if (h->fd >= 0)
        close(h->fd);
    free(h->head);
    free(h->end);
    free(h->chunk);
    free(h);
}

struct hd_hdt_scratch *hd_hdt_scratch_new(void)
{
    struct hd_hdt_scratch *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->zstd = ZSTD_createDCtx();
    s->file = malloc(HD_HDT_SECTION_HEAD + ZSTD_compressBound(HD_HDT_SEGMENT));
    s->segment = malloc(HD_HDT_SEGMENT);
    if (s->zstd && s->file && s->segment)
        return s;
    hd_hdt_scratch_free(s);
    return NULL;
}

void hd_hdt_scratch_free(struct hd_hdt_scratch *s)
{
    if (!s)
        return;
    ZSTD_freeDCtx(s->zstd);
    free(s->file);
    free(s->segment);
    free(s);
}

/* The segment at @at into the scratch. */
static bool load_segment(const struct hd_hdt *h, struct hd_hdt_scratch *s, uint64_t at)
{
    struct section head;
    const uint8_t *packed;

    if (s->at == at)
        return true;
    s->at = 0;
    if (!section_at(h, s, at, &head) || head.tag != HD_HDT_SEGM || head.bytes > HD_HDT_SEGMENT ||
        head.packed > ZSTD_compressBound(HD_HDT_SEGMENT) ||
        !(packed = ahead(h, s, at, HD_HDT_SECTION_HEAD + (size_t)head.packed)) ||
        ZSTD_decompressDCtx(s->zstd, s->segment, HD_HDT_SEGMENT, packed + HD_HDT_SECTION_HEAD, head.packed) != head.bytes)
        return false;
    s->at = at;
    s->bytes = head.bytes;
    s->number = head.number;
    return true;
}

/* The chunk whose head is at @in. */
static bool chunk_at(const struct hd_hdt_scratch *s, uint32_t in, struct hd_hdt_chunk *c)
{
    const uint8_t *head = s->segment + in;

    if (in > s->bytes || s->bytes - in < HD_HDT_CHUNK_HEAD)
        return false;
    *c = (struct hd_hdt_chunk){.segment = s->at, .kernel = s->number, .block = (uint32_t)get(head, 4),
                               .in = in + HD_HDT_CHUNK_HEAD, .ops = (uint32_t)get(head + 8, 4),
                               .bytes = (uint32_t)get(head + 12, 4), .warp = (uint16_t)get(head + 4, 2),
                               .part = (uint16_t)get(head + 6, 2)};
    return c->bytes <= s->bytes - c->in;
}

const uint8_t *hd_hdt_load(const struct hd_hdt *h, struct hd_hdt_scratch *s, const struct hd_hdt_chunk *c, const char **why)
{
    struct hd_hdt_chunk there;

    if (!load_segment(h, s, c->segment)) {
        *why = "a segment cannot be read or is damaged";
        return NULL;
    }
    if (c->in < HD_HDT_CHUNK_HEAD || !chunk_at(s, c->in - HD_HDT_CHUNK_HEAD, &there) || compare(c, &there) != 0 ||
        c->bytes != there.bytes || c->ops != there.ops) {
        *why = "the index and a segment differ";
        return NULL;
    }
    return s->segment + c->in;
}

/* Calls see() for all sections but the first. */
static bool sections(const struct hd_hdt *h, struct hd_hdt_scratch *scratch,
                     bool (*see)(void *ctx, uint64_t at, const struct section *s), void *ctx, struct hd_diag *d)
{
    struct section s;

    for (uint64_t at = START; section_at(h, scratch, at, &s); at += HD_HDT_SECTION_HEAD + s.packed) {
        if (s.tag == HD_HDT_INDEX)
            return true;
        if (!see(ctx, at, &s))
            return false;
    }
    return wrong(h, d, h->size, "a section INDX behind the others: the file is cut off");
}

struct memory {
    const struct hd_hdt *h;
    struct hd_hdt_scratch *scratch;
    struct hd_diag *diag;
    void (*poke)(void *ctx, uint32_t addr, uint32_t word);
    void *ctx;
    bool (*chunk)(void *ctx, const struct hd_hdt_chunk *c, const uint8_t *data);
};

static bool see_memory(void *ctx, uint64_t at, const struct section *s)
{
    struct memory *m = ctx;
    struct section again;

    if (s->tag != HD_HDT_IMAGE)
        return true;
    uint8_t *data = load(m->h, at, HD_HDT_IMAGE, &again, m->diag, "the section IMAG");
    if (!data)
        return false;
    uint32_t addr = s->bytes >= 4 ? (uint32_t)get(data, 4) : 0;
    for (uint32_t i = 4; i + 4 <= s->bytes; i += 4, addr += 4)
        m->poke(m->ctx, addr & ~3u, (uint32_t)get(data + i, 4));
    free(data);
    return true;
}

bool hd_hdt_memory(const struct hd_hdt *h, void (*poke)(void *ctx, uint32_t addr, uint32_t word), void *ctx, struct hd_diag *d)
{
    struct memory m = {.h = h, .diag = d, .poke = poke, .ctx = ctx};

    return sections(h, NULL, see_memory, &m, d);
}

const char *hd_hdt_value(const char *text, const char *key, unsigned i, size_t *n)
{
    size_t length = strlen(key);

    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, key, length) == 0 && strncmp(line + length, " = ", 3) == 0 && i-- == 0) {
            *n = strcspn(line + length + 3, "\n");
            return line + length + 3;
        }
    return NULL;
}

static bool see_segment(void *ctx, uint64_t at, const struct section *s)
{
    struct memory *m = ctx;
    struct hd_hdt_chunk c;

    if (s->tag != HD_HDT_SEGM)
        return true;
    if (!load_segment(m->h, m->scratch, at))
        return wrong(m->h, m->diag, at, "a whole segment");
    for (uint32_t in = 0; in < m->scratch->bytes; in = c.in + c.bytes)
        if (!chunk_at(m->scratch, in, &c))
            return wrong(m->h, m->diag, at, "chunks that fill the segment");
        else if (!m->chunk(m->ctx, &c, m->scratch->segment + c.in))
            return false;
    return true;
}

bool hd_hdt_walk(const char *path, bool (*chunk)(void *ctx, const struct hd_hdt_chunk *c, const uint8_t *data), void *ctx,
                 struct hd_diag *d)
{
    struct hd_hdt h = {.fd = -1};
    struct memory m = {.h = &h, .scratch = hd_hdt_scratch_new(), .diag = d, .chunk = chunk, .ctx = ctx};
    bool good = m.scratch && open_file(&h, path, d) && sections(&h, m.scratch, see_segment, &m, d);

    hd_hdt_scratch_free(m.scratch);
    if (h.fd >= 0)
        close(h.fd);
    return good;
}
