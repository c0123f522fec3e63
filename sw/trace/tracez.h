/* tracez.h - the text in a .tracez file: header, then blocks and warps as the lines of a .traceg (source.h reads it so).
 *
 * The file, little endian: header text, 0; u32 dictionary size, u32 instructions a chunk, dictionary; per warp u32
 * instructions, u32 chunks, per chunk u32 size and a zstd frame; index: u32 blocks, per block 10 x u32 (block, cluster, place
 * in it, rank), u32 warps, per warp u32 instructions, u32 chunks, u64 offset, u32 a chunk; u64 offset of the index. Every
 * number is checked against the file's size before it is used. */
#ifndef HD_TRACE_TRACEZ_H
#define HD_TRACE_TRACEZ_H
#include "diag.h"

struct hd_tracez;

/* @fd stays the caller's; *d and path must outlive it. @return NULL after an error in *d. */
struct hd_tracez *hd_tracez_open(int fd, const char *path, uint64_t size, struct hd_diag *d);
void hd_tracez_close(struct hd_tracez *z); /* NULL is allowed */

/* @return bytes of text, 0 at the end, -1 after an error. @room: at least 4096. */
long hd_tracez_read(struct hd_tracez *z, char *to, size_t room);

/* Byte of the file that is being unpacked. */
uint64_t hd_tracez_place(const struct hd_tracez *z);
#endif
