/* hdt_write.c - see hdt.h. */
#define _POSIX_C_SOURCE 200809L
#include "hdt.h"
#include "hdt_parts.h"
#include "ops.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
    FULL = 32 * 1024,   /* a segment is closed from here on */
    DENSE = -20,        /* level of zstd for words that hardly pack, behind a segment that kept more than three quarters */
    INDEX = 1 << 16     /* bytes of the index in memory; the rest of it waits in a file of its own */
};

struct hd_hdt_writer {
    char *path;
    FILE *file;
    struct hd_diag *diag;
    ZSTD_CCtx *zstd;
    int level;                  /* of zstd */
    bool dense;                 /* the last segment hardly became smaller */
    uint64_t at;
    uint8_t *segment, *packed;  /* [HD_HDT_SEGMENT], [ZSTD_compressBound(SECTION)] */
    size_t bytes;               /* in segment */
    uint32_t kernel;            /* its */
    uint64_t last_segment;
    struct hd_hdt_chunk last;   /* of the index */
    uint8_t *index;             /* [INDEX] chunks as varints, behind those in the file */
    size_t index_bytes;
    FILE *index_file;           /* NULL: none yet */
    uint64_t index_filed;       /* bytes in it */
    uint64_t chunks, ops;
    bool failed;
};

static bool fail(struct hd_hdt_writer *w, const char *why)
{
    if (!w->failed)
        hd_diag_error(w->diag, "%s: %s", w->path, why);
    w->failed = true;
    return false;
}

static bool fail_write(struct hd_hdt_writer *w)
{
    char why[128];

    snprintf(why, sizeof why, "cannot be written: %s", strerror(errno));
    return fail(w, why);
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
        return fail_write(w);
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
    w->index = malloc(INDEX);
    if (!w->path || !w->zstd || !w->segment || !w->packed || !w->index) {
        hd_diag_error(d, "%s: no memory", path);
        hd_hdt_abort(w);
        return NULL;
    }
    w->level = level;
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    w->file = fopen(path, "wb");
    if (!w->file) {
        hd_diag_error(d, "%s: cannot be written: %s", path, strerror(errno));
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
    if (w->level < 0) /* who asks for speed */
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, w->dense && w->level > DENSE ? DENSE : w->level);
    uint64_t before = w->at;
    bool good = section(w, HD_HDT_SEGM, w->kernel, w->segment, w->bytes);
    w->dense = w->at - before > w->bytes / 4 * 3;
    w->bytes = 0;
    return good;
}

/* The chunk at @in of the segment that begins at w->at. */
static bool index_chunk(struct hd_hdt_writer *w, const struct hd_hdt_chunk *c)
{
    if (INDEX - w->index_bytes < 96) {
        if (!w->index_file && !(w->index_file = tmpfile()))
            return fail(w, "no file for the index");
        if (fwrite(w->index, 1, w->index_bytes, w->index_file) != w->index_bytes)
            return fail(w, "the file for the index cannot be written");
        w->index_filed += w->index_bytes;
        w->index_bytes = 0;
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
    w->ops += c->ops;
    return true;
}

uint8_t *hd_hdt_room(struct hd_hdt_writer *w, uint32_t kernel, uint32_t block, unsigned warp, unsigned part, uint32_t ops,
                     size_t n)
{
    if (w->bytes + HD_HDT_CHUNK_HEAD + n > HD_HDT_SEGMENT || (w->bytes > 0 && (kernel != w->kernel || w->bytes >= FULL)))
        if (!close_segment(w))
            return NULL;
    uint8_t *to = w->segment + w->bytes;
    put(to, block, 4);
    put(to + 4, warp, 2);
    put(to + 6, part, 2);
    put(to + 8, ops, 4);
    put(to + 12, n, 4);
    w->kernel = kernel;
    struct hd_hdt_chunk c = {.segment = w->at, .kernel = kernel, .block = block, .ops = ops, .bytes = (uint32_t)n,
                             .warp = (uint16_t)warp, .part = (uint16_t)part};
    w->bytes += HD_HDT_CHUNK_HEAD + n;
    return !w->failed && index_chunk(w, &c) ? to + HD_HDT_CHUNK_HEAD : NULL;
}

bool hd_hdt_chunk(struct hd_hdt_writer *w, uint32_t kernel, uint32_t block, unsigned warp, unsigned part, uint32_t ops,
                  const uint8_t *data, size_t n)
{
    uint8_t *to = hd_hdt_room(w, kernel, block, warp, part, ops, n);

    if (to)
        memcpy(to, data, n);
    return to != NULL;
}

static bool pack_more(struct hd_hdt_writer *w, const void *data, size_t n, bool last)
{
    ZSTD_inBuffer in = {data, n, 0};
    size_t left;

    do {
        ZSTD_outBuffer out = {w->packed, ZSTD_compressBound(HD_HDT_SEGMENT), 0};
        left = ZSTD_compressStream2(w->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return fail(w, ZSTD_getErrorName(left));
        if (!write_bytes(w, w->packed, out.pos))
            return false;
    } while (in.pos < in.size || (last && left != 0));
    return true;
}

/* The section INDX: its size is known, that of its frame only behind it. */
static bool write_index(struct hd_hdt_writer *w, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    const uint64_t all = bytes + 8 + w->index_filed + w->index_bytes, start = w->at;
    uint8_t head[HD_HDT_SECTION_HEAD] = {0}, count[8];

    if (all > HD_HDT_MOST)
        return fail(w, "more chunks of operations than an index may have");
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, w->level);
    put(head, HD_HDT_INDEX, 4);
    put(head + 8, all, 4);
    put(count, w->chunks, 8);
    if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(w->zstd, all)) || !write_bytes(w, head, sizeof head) ||
        !pack_more(w, text, bytes, false) || !pack_more(w, count, sizeof count, false))
        return fail(w, "the index cannot be packed");
    if (w->index_file) {
        rewind(w->index_file);
        for (size_t n; (n = fread(w->segment, 1, HD_HDT_SEGMENT, w->index_file)) > 0;)
            if (!pack_more(w, w->segment, n, false))
                return false;
        if (ferror(w->index_file))
            return fail(w, "the file for the index cannot be read");
    }
    if (!pack_more(w, w->index, w->index_bytes, true))
        return false;
    put(head + 4, w->at - start - sizeof head, 4);
    return (fseeko(w->file, (off_t)start, SEEK_SET) == 0 && fwrite(head, 1, sizeof head, w->file) == sizeof head &&
            fseeko(w->file, 0, SEEK_END) == 0) || fail_write(w);
}

bool hd_hdt_finish(struct hd_hdt_writer *w, const char *end_text, struct hd_hdt_written *written)
{
    uint8_t tail[24] = {0};
    bool good = close_segment(w);
    uint64_t index = w->at;

    good = good && write_index(w, end_text);
    if (good) {
        put(tail, index, 8);
        put(tail + 8, w->at + sizeof tail, 8);
        memcpy(tail + 16, "HDT1", 4);
        good = write_bytes(w, tail, sizeof tail);
    }
    if (good) {
        good = fclose(w->file) == 0 || fail_write(w);
        w->file = NULL;
    }
    if (good) {
        free(w->path);
        w->path = NULL;
        if (written)
            *written = (struct hd_hdt_written){.ops = w->ops, .chunks = w->chunks, .bytes = w->at};
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
    if (w->index_file)
        fclose(w->index_file);
    struct stat is; /* a device or pipe is not ours to remove */
    if (w->path && w->at > 0 && lstat(w->path, &is) == 0 && S_ISREG(is.st_mode))
        unlink(w->path);
    ZSTD_freeCCtx(w->zstd);
    free(w->path);
    free(w->segment);
    free(w->packed);
    free(w->index);
    free(w);
}
