/* hdt.h - the native trace file: operations by kernel, block and warp (docs/traces.md).
 *
 *   "HDT1", u16 major, u16 minor, u32 flags
 *   sections: u32 tag, u32 bytes, u32 unpacked bytes, u32 number, zstd frame with checksum
 *     HEAD  text, `key = value` lines           IMAG  memory as prepared: u32 address, then words; several
 *     SEGM  chunks of warps of kernel `number`  INDX  end text, then what chunks are where
 *   tail: u64 offset of INDX, u64 bytes of the file, "HDT1", u32 0
 *
 * A chunk: u32 block, u16 warp, u16 part (of the warp's chunks), u32 operations, u32 bytes, then these (ops.h). */
#ifndef HD_TRACE_HDT_H
#define HD_TRACE_HDT_H
#include "diag.h"
#include <stdio.h>

enum { HD_HDT_MAJOR = 1, HD_HDT_MINOR = 0, HD_HDT_SEGMENT = 64 * 1024, HD_HDT_CHUNK_HEAD = 16 };
enum { HD_HDT_VALUES = 1, HD_HDT_OWN = 2 }; /* flags: words of stores are there; a run of this program */

/* ---- writing ---- */

struct hd_hdt_writer;

/* @level: of zstd. @return NULL after an error in *d. */
struct hd_hdt_writer *hd_hdt_create(const char *path, uint32_t flags, const char *head, int level, struct hd_diag *d);
bool hd_hdt_image(struct hd_hdt_writer *w, uint32_t addr, const uint32_t *words, uint32_t n);
/* @n: at most HD_CHUNK_BYTES (ops.h). Chunks of a warp come in order; warps in any. */
bool hd_hdt_chunk(struct hd_hdt_writer *w, uint32_t kernel, uint32_t block, unsigned warp, unsigned part, uint32_t ops,
                  const uint8_t *data, size_t n);
/* The same; the caller writes the @n bytes there before the next call. @return NULL after an error. */
uint8_t *hd_hdt_room(struct hd_hdt_writer *w, uint32_t kernel, uint32_t block, unsigned warp, unsigned part, uint32_t ops,
                     size_t n);
struct hd_hdt_written {
    uint64_t ops, chunks, bytes;
};

/* Ends the file and frees *w; *written (NULL is allowed): what is in it. @return false after an error: there is no file. */
bool hd_hdt_finish(struct hd_hdt_writer *w, const char *end_text, struct hd_hdt_written *written);
void hd_hdt_abort(struct hd_hdt_writer *w); /* removes the file, if it is one and no device; NULL is allowed */

/* ---- reading ---- */

struct hd_hdt_chunk {           /* sorted by kernel, block, warp, part */
    uint64_t segment;           /* where its section begins */
    uint32_t kernel, block, in, ops, bytes; /* in: where its operations begin in the unpacked segment */
    uint16_t warp, part;
};

struct hd_hdt {
    const char *path;
    int fd;
    uint64_t size;
    uint32_t flags;
    char *head, *end;           /* texts */
    struct hd_hdt_chunk *chunk;
    size_t chunks;
    uint64_t ops;
    uint32_t most_bytes;        /* of a chunk */
};

/* @return NULL after an error in *d. *path must outlive it. */
struct hd_hdt *hd_hdt_open(const char *path, struct hd_diag *d);
void hd_hdt_close(struct hd_hdt *h); /* NULL is allowed */

/* Scratch of one reader of segments: nothing is allocated after _new. */
struct hd_hdt_scratch;
struct hd_hdt_scratch *hd_hdt_scratch_new(void);
void hd_hdt_scratch_free(struct hd_hdt_scratch *s);

/* The operations of *c. May be called by several threads with a scratch each. @return c->bytes bytes, valid until the scratch
 * is used again; NULL with *why. */
const uint8_t *hd_hdt_load(const struct hd_hdt *h, struct hd_hdt_scratch *s, const struct hd_hdt_chunk *c, const char **why);

/* Calls poke(ctx, addr, word) for each word of the memory image. @return false after an error. */
bool hd_hdt_memory(const struct hd_hdt *h, void (*poke)(void *ctx, uint32_t addr, uint32_t word), void *ctx, struct hd_diag *d);

/* @return the value of the @i-th line `key = ` of @text, its length in *n; NULL: there is none. */
const char *hd_hdt_value(const char *text, const char *key, unsigned i, size_t *n);

/* Walks through all sections of a file, with or without index: for `heddle trace check`. @return false after an error. */
bool hd_hdt_walk(const char *path, bool (*chunk)(void *ctx, const struct hd_hdt_chunk *c, const uint8_t *data), void *ctx,
                 struct hd_diag *d);
#endif
