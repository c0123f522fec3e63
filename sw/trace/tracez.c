/* tracez.c - see tracez.h. */
#include "tracez.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum {
    PACKED = 1 << 16,
    MAX_HEADER = 1 << 20,
    MAX_DICTIONARY = 1 << 24,
    WINDOW_LOG = 23,    /* most history a frame may want: 8 MiB */
    IDS = 10
};

/* Reads a part of the file in order. */
struct reader {
    uint64_t at, end;           /* next byte of the file, behind the last that may be read */
    uint8_t *data;              /* [PACKED] */
    size_t begin, have;
};

enum state { HEADER, BLOCK, WARP, CHUNK, FRAME, DONE };

struct hd_tracez {
    int fd;
    const char *path;
    struct hd_diag *diag;
    uint64_t size, index, header; /* header: bytes of it */
    struct reader blocks, chunk; /* index; frames */
    enum state state;
    uint64_t given;             /* bytes of header */
    uint32_t blocks_left, warps_left, chunks_left, warp, frame_left;
    bool in_block, ended_line;
    size_t hint;                /* of zstd: 0 when a frame has ended */
    ZSTD_DCtx *zstd;
};

static bool wrong(struct hd_tracez *z, uint64_t at, const char *expected)
{
    return hd_diag_error(z->diag, "%s:%llu: expected %s", z->path, (unsigned long long)at, expected);
}

static bool more(struct hd_tracez *z, struct reader *r)
{
    uint64_t left = r->end - r->at;
    size_t n = left < PACKED ? (size_t)left : PACKED;

    if (n == 0 || pread(z->fd, r->data, n, (off_t)r->at) != (ssize_t)n)
        return false;
    r->at += n;
    r->begin = 0;
    r->have = n;
    return true;
}

static uint64_t place(const struct reader *r)
{
    return r->at - (r->have - r->begin);
}

/* A number of @bytes, little endian. */
static bool number(struct hd_tracez *z, struct reader *r, unsigned bytes, uint64_t *value, const char *what)
{
    *value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        if (r->begin == r->have && !more(z, r))
            return wrong(z, r->end, what);
        *value |= (uint64_t)r->data[r->begin++] << 8 * i;
    }
    return true;
}

static bool number32(struct hd_tracez *z, struct reader *r, uint32_t *value, const char *what)
{
    uint64_t v;
    bool good = number(z, r, 4, &v, what);

    *value = (uint32_t)v;
    return good;
}

static bool go(struct reader *r, uint64_t at, uint64_t end)
{
    r->at = at;
    r->end = end;
    r->begin = r->have = 0;
    return true;
}

static bool find_header(struct hd_tracez *z)
{
    for (uint64_t at = 0; at < z->size && at < MAX_HEADER;) {
        ssize_t n = pread(z->fd, z->chunk.data, PACKED, (off_t)at);
        const uint8_t *end = n > 0 ? memchr(z->chunk.data, 0, (size_t)n) : NULL;
        if (n <= 0)
            break;
        if (end) {
            z->header = at + (uint64_t)(end - z->chunk.data);
            return true;
        }
        at += (uint64_t)n;
    }
    return wrong(z, 0, "a header text that ends with a zero byte, as a .tracez has");
}

static bool load_dictionary(struct hd_tracez *z)
{
    uint32_t bytes, chunk;
    uint64_t at = z->header + 1;

    go(&z->chunk, at, z->index);
    if (!number32(z, &z->chunk, &bytes, "the dictionary's size") ||
        !number32(z, &z->chunk, &chunk, "the number of instructions a chunk"))
        return false;
    if (bytes > MAX_DICTIONARY || at + 8 + bytes > z->index)
        return wrong(z, at, "a dictionary that fits into the file and 16 MiB");
    if (bytes == 0)
        return true;
    void *data = malloc(bytes);
    bool good = data && pread(z->fd, data, bytes, (off_t)(at + 8)) == (ssize_t)bytes;
    if (!good)
        hd_diag_error(z->diag, "%s: no memory for the dictionary", z->path);
    else if (ZSTD_isError(ZSTD_DCtx_loadDictionary(z->zstd, data, bytes)))
        good = wrong(z, at + 8, "a zstd dictionary");
    free(data);
    return good;
}

static bool find_index(struct hd_tracez *z)
{
    uint64_t index;

    if (z->size < z->header + 1 + 8 + 4 + 8)
        return wrong(z, z->size, "a dictionary, an index and its offset: the file is cut off");
    go(&z->blocks, z->size - 8, z->size);
    if (!number(z, &z->blocks, 8, &index, "the index's offset"))
        return false;
    if (index < z->header + 1 + 8 || index > z->size - 12)
        return wrong(z, z->size - 8, "the offset of the index in the last 8 bytes: the file is cut off or damaged");
    z->index = index;
    go(&z->blocks, index, z->size - 8);
    return number32(z, &z->blocks, &z->blocks_left, "the number of blocks");
}

struct hd_tracez *hd_tracez_open(int fd, const char *path, uint64_t size, struct hd_diag *d)
{
    struct hd_tracez *z = calloc(1, sizeof *z);

    if (!z)
        return NULL;
    *z = (struct hd_tracez){.fd = fd, .path = path, .diag = d, .size = size, .zstd = ZSTD_createDCtx()};
    z->blocks.data = malloc(PACKED);
    z->chunk.data = malloc(PACKED);
    if (!z->zstd || !z->blocks.data || !z->chunk.data) {
        hd_diag_error(d, "%s: no memory", path);
        hd_tracez_close(z);
        return NULL;
    }
    ZSTD_DCtx_setParameter(z->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
    if (!find_header(z) || !find_index(z) || !load_dictionary(z)) {
        hd_tracez_close(z);
        return NULL;
    }
    return z;
}

void hd_tracez_close(struct hd_tracez *z)
{
    if (!z)
        return;
    ZSTD_freeDCtx(z->zstd);
    free(z->blocks.data);
    free(z->chunk.data);
    free(z);
}

static long next_block(struct hd_tracez *z, char *to, size_t room)
{
    uint32_t id[IDS];
    int n = z->in_block ? snprintf(to, room, "#END_TB\n\n") : 0;

    z->in_block = false;
    if (z->blocks_left == 0) {
        z->state = DONE;
        return n;
    }
    z->blocks_left--;
    for (unsigned i = 0; i < IDS; i++)
        if (!number32(z, &z->blocks, &id[i], "10 numbers of a block in the index"))
            return -1;
    if (!number32(z, &z->blocks, &z->warps_left, "the number of a block's warps"))
        return -1;
    z->warp = 0;
    z->in_block = true;
    z->state = WARP;
    return n + snprintf(to + n, room - (size_t)n,
                        "#BEGIN_TB\nthread block = %u,%u,%u\ncluster id = %u,%u,%u\ncluster cta = %u,%u,%u\n"
                        "cluster rank = %u\n", id[0], id[1], id[2], id[3], id[4], id[5], id[6], id[7], id[8], id[9]);
}

static long next_warp(struct hd_tracez *z, char *to, size_t room)
{
    uint32_t insts, chunks, insts_there, chunks_there, skip;
    uint64_t offset, at = place(&z->blocks);

    if (z->warps_left == 0) {
        z->state = BLOCK;
        return 0;
    }
    z->warps_left--;
    if (!number32(z, &z->blocks, &insts, "a warp's instructions in the index") ||
        !number32(z, &z->blocks, &chunks, "a warp's chunks in the index") ||
        !number(z, &z->blocks, 8, &offset, "a warp's offset in the index"))
        return -1;
    if (chunks > (z->size - place(&z->blocks)) / 4 || (insts > 0 && chunks == 0))
        return wrong(z, at, "a number of chunks that fits the file and the instructions") - 1;
    for (uint32_t i = 0; i < chunks; i++)
        if (!number32(z, &z->blocks, &skip, "a number a chunk in the index"))
            return -1;
    if (offset <= z->header || offset > z->index - 8)
        return wrong(z, at + 8, "a warp's offset before the index") - 1;
    go(&z->chunk, offset, z->index);
    if (!number32(z, &z->chunk, &insts_there, "a warp's instructions") ||
        !number32(z, &z->chunk, &chunks_there, "a warp's chunks"))
        return -1;
    if (insts_there != insts || chunks_there != chunks)
        return wrong(z, offset, "the numbers of instructions and chunks that the index has") - 1;
    z->chunks_left = chunks;
    z->state = CHUNK;
    return snprintf(to, room, "warp = %u\ninsts = %u\n", z->warp++, insts);
}

static long next_chunk(struct hd_tracez *z)
{
    if (z->chunks_left == 0) {
        z->state = WARP;
        return 0;
    }
    z->chunks_left--;
    uint64_t at = place(&z->chunk);
    if (!number32(z, &z->chunk, &z->frame_left, "a chunk's size"))
        return -1;
    if (z->frame_left == 0 || z->frame_left > z->index - at - 4)
        return wrong(z, at, "a chunk's size that ends before the index") - 1;
    ZSTD_DCtx_reset(z->zstd, ZSTD_reset_session_only);
    z->state = FRAME;
    z->hint = 1;
    z->ended_line = true;
    return 0;
}

/* A piece of the frame's text; its last line has no end, and gets one. */
static long unpack(struct hd_tracez *z, char *to, size_t room)
{
    ZSTD_outBuffer out = {to, room - 1, 0};

    while (out.pos == 0 && z->hint != 0) {
        struct reader *r = &z->chunk;
        if (r->begin == r->have && z->frame_left > 0 && !more(z, r))
            return wrong(z, r->end, "the rest of a chunk") - 1;
        size_t n = r->have - r->begin;
        ZSTD_inBuffer in = {r->data + r->begin, n < z->frame_left ? n : z->frame_left, 0};
        z->hint = ZSTD_decompressStream(z->zstd, &out, &in);
        r->begin += in.pos;
        z->frame_left -= (uint32_t)in.pos;
        if (ZSTD_isError(z->hint)) {
            hd_diag_error(z->diag, "%s:%llu: zstd: %s", z->path, (unsigned long long)place(r), ZSTD_getErrorName(z->hint));
            return -1;
        }
        if (z->hint != 0 && z->frame_left == 0 && out.pos < out.size)
            return wrong(z, place(r), "the end of a zstd frame where the chunk ends") - 1;
    }
    if (out.pos > 0)
        z->ended_line = to[out.pos - 1] == '\n';
    if (z->hint == 0) {
        if (z->frame_left != 0)
            return wrong(z, place(&z->chunk), "the end of a chunk where its zstd frame ends") - 1;
        if (!z->ended_line)
            to[out.pos++] = '\n';
        z->state = CHUNK;
    }
    return (long)out.pos;
}

long hd_tracez_read(struct hd_tracez *z, char *to, size_t room)
{
    size_t done = 0;

    while (z->state != DONE && room - done >= 1024) {
        long n = 0;
        if (z->state == HEADER) {
            uint64_t left = z->header - z->given;
            n = (long)(left < room - done - 1 ? left : room - done - 1);
            if (pread(z->fd, to + done, (size_t)n, (off_t)z->given) != n)
                return wrong(z, z->given, "the header text") - 1;
            z->given += (uint64_t)n;
            if (z->given == z->header) {
                to[done + (size_t)n++] = '\n';
                z->state = BLOCK;
            }
        } else if (z->state == BLOCK)
            n = next_block(z, to + done, room - done);
        else if (z->state == WARP)
            n = next_warp(z, to + done, room - done);
        else if (z->state == CHUNK)
            n = next_chunk(z);
        else
            n = unpack(z, to + done, room - done);
        if (n < 0)
            return -1;
        done += (size_t)n;
    }
    return (long)done;
}

uint64_t hd_tracez_place(const struct hd_tracez *z)
{
    return place(&z->chunk);
}
