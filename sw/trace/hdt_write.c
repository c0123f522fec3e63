/* hdt_write.c - see hdt.h. */
#include "hdt.h"
#include "hdt_parts.h"
#include "ops.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { FULL = 32 * 1024 /* a segment is closed from here on */ };

struct hd_hdt_writer {
    char *path;
    FILE *file;
    struct hd_diag *diag;
    ZSTD_CCtx *zstd;
    uint64_t at;
    uint8_t *segment, *packed;  /* [HD_HDT_SEGMENT], [ZSTD_compressBound(SECTION)] */
    size_t bytes;               /* in segment */
    uint32_t kernel;            /* its */
    uint64_t last_segment;
    struct hd_hdt_chunk last;   /* of the index */
    uint8_t *index;             /* chunks as varints */
    size_t index_bytes, index_room;
    uint64_t chunks;
    bool failed;
};

static bool fail(struct hd_hdt_writer *w, const char *why)
{
    if (!w->failed)
        hd_diag_error(w->diag, "%s: %s", w->path, why);
    w->failed = true;
    return false;
}

static void put(uint8_t *to, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static bool write_bytes(struct hd_hdt_writer *w, const void *data, size_t n)
{
    if (w->failed)
        return false;
    if (fwrite(data, 1, n, w->file) != n)
        return fail(w, strerror(errno));
    w->at += n;
    return true;
}

static bool section(struct hd_hdt_writer *w, uint32_t tag, uint32_t number, const void *data, size_t n)
{
    uint8_t head[HD_HDT_SECTION_HEAD];
    uint8_t *to = w->packed, *more = NULL;
    size_t room = ZSTD_compressBound(HD_HDT_SEGMENT);

    if (n > HD_HDT_SEGMENT) {
        room = ZSTD_compressBound(n);
        to = more = malloc(room);
    }
    if (!to || n > HD_HDT_MOST)
        return fail(w, "no memory");
    size_t packed = ZSTD_compress2(w->zstd, to, room, data, n);
    bool good = !ZSTD_isError(packed) || fail(w, ZSTD_getErrorName(packed));
    put(head, tag, 4);
    put(head + 4, packed, 4);
    put(head + 8, n, 4);
    put(head + 12, number, 4);
    good = good && write_bytes(w, head, sizeof head) && write_bytes(w, to, packed);
    free(more);
    return good;
}

struct hd_hdt_writer *hd_hdt_create(const char *path, uint32_t flags, const char *head, int level, struct hd_diag *d)
{
    struct hd_hdt_writer *w = calloc(1, sizeof *w);
    uint8_t start[12] = {'H', 'D', 'T', '1', HD_HDT_MAJOR, 0, HD_HDT_MINOR, 0};

    if (!w)
        return NULL;
    w->diag = d;
    w->path = strdup(path);
    w->zstd = ZSTD_createCCtx();
    w->segment = malloc(HD_HDT_SEGMENT);
    w->packed = malloc(ZSTD_compressBound(HD_HDT_SEGMENT));
    if (!w->path || !w->zstd || !w->segment || !w->packed) {
        hd_diag_error(d, "%s: no memory", path);
        hd_hdt_abort(w);
        return NULL;
    }
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    w->file = fopen(path, "wb");
    if (!w->file) {
        hd_diag_error(d, "%s: %s", path, strerror(errno));
        hd_hdt_abort(w);
        return NULL;
    }
    put(start + 8, flags, 4);
    if (!write_bytes(w, start, sizeof start) || !section(w, HD_HDT_HEAD, 0, head, strlen(head))) {
        hd_hdt_abort(w);
        return NULL;
    }
    return w;
}

bool hd_hdt_image(struct hd_hdt_writer *w, uint32_t addr, const uint32_t *words, uint32_t n)
{
    enum { WORDS = HD_HDT_SEGMENT / 4 - 1 };

    for (uint32_t i = 0; i < n; i += WORDS) {
        uint32_t some = n - i < WORDS ? n - i : WORDS;
        put(w->segment, addr + 4 * i, 4);
        for (uint32_t k = 0; k < some; k++)
            put(w->segment + 4 + 4 * k, words[i + k], 4);
        if (!section(w, HD_HDT_IMAGE, 0, w->segment, 4 + 4 * (size_t)some))
            return false;
    }
    return true;
}

static bool close_segment(struct hd_hdt_writer *w)
{
    if (w->bytes == 0)
        return true;
    bool good = section(w, HD_HDT_SEGM, w->kernel, w->segment, w->bytes);
    w->bytes = 0;
    return good;
}

/* The chunk at @in of the segment that begins at w->at. */
static bool index_chunk(struct hd_hdt_writer *w, const struct hd_hdt_chunk *c)
{
    if (w->index_room - w->index_bytes < 96) {
        size_t room = w->index_room ? w->index_room + w->index_room / 2 : 1 << 16;
        uint8_t *more = realloc(w->index, room);
        if (!more)
            return fail(w, "no memory for the index");
        w->index = more;
        w->index_room = room;
    }
    uint8_t *to = w->index + w->index_bytes, *start = to;
    to += hd_trace_varint(to, c->segment - w->last.segment);
    to += hd_trace_varint(to, hd_trace_zigzag((int64_t)c->kernel - w->last.kernel));
    to += hd_trace_varint(to, hd_trace_zigzag((int64_t)c->block - w->last.block));
    to += hd_trace_varint(to, c->warp);
    to += hd_trace_varint(to, c->part);
    to += hd_trace_varint(to, c->ops);
    to += hd_trace_varint(to, c->bytes);
    w->index_bytes += (size_t)(to - start);
    w->last = *c;
    w->chunks++;
    return true;
}

bool hd_hdt_chunk(struct hd_hdt_writer *w, uint32_t kernel, uint32_t block, unsigned warp, unsigned part, uint32_t ops,
                  const uint8_t *data, size_t n)
{
    if (w->bytes + HD_HDT_CHUNK_HEAD + n > HD_HDT_SEGMENT || (w->bytes > 0 && (kernel != w->kernel || w->bytes >= FULL)))
        if (!close_segment(w))
            return false;
    uint8_t *to = w->segment + w->bytes;
    put(to, block, 4);
    put(to + 4, warp, 2);
    put(to + 6, part, 2);
    put(to + 8, ops, 4);
    put(to + 12, n, 4);
    memcpy(to + HD_HDT_CHUNK_HEAD, data, n);
    w->kernel = kernel;
    struct hd_hdt_chunk c = {.segment = w->at, .kernel = kernel, .block = block, .ops = ops, .bytes = (uint32_t)n,
                             .warp = (uint16_t)warp, .part = (uint16_t)part};
    w->bytes += HD_HDT_CHUNK_HEAD + n;
    return !w->failed && index_chunk(w, &c);
}

bool hd_hdt_finish(struct hd_hdt_writer *w, const char *end_text)
{
    size_t text = strlen(end_text) + 1;
    uint8_t tail[24] = {0}, *all = NULL;
    bool good = close_segment(w) && (all = malloc(text + 8 + w->index_bytes)) != NULL;
    uint64_t index = w->at;

    if (good) {
        memcpy(all, end_text, text);
        put(all + text, w->chunks, 8);
        if (w->index_bytes > 0)
            memcpy(all + text + 8, w->index, w->index_bytes);
        good = section(w, HD_HDT_INDEX, 0, all, text + 8 + w->index_bytes);
        put(tail, index, 8);
        put(tail + 8, w->at + sizeof tail, 8);
        memcpy(tail + 16, "HDT1", 4);
        good = good && write_bytes(w, tail, sizeof tail);
    }
    free(all);
    if (good) {
        good = fclose(w->file) == 0 || fail(w, strerror(errno));
        w->file = NULL;
    }
    if (good) {
        free(w->path);
        w->path = NULL;
    }
    hd_hdt_abort(w);
    return good;
}

void hd_hdt_abort(struct hd_hdt_writer *w)
{
    if (!w)
        return;
    if (w->file)
        fclose(w->file);
    if (w->path && w->at > 0)
        unlink(w->path);
    ZSTD_freeCCtx(w->zstd);
    free(w->path);
    free(w->segment);
    free(w->packed);
    free(w->index);
    free(w);
}
