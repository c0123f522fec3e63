/* evlog.c - see evlog.h.
 *
 * A file: header, then blocks. Numbers are those of the writing host; the magic number tells another byte order.
 * A block is its head, then its records (or, at the end, one count per SM), and both are in its checksum. */
#include "check/evlog.h"
#include "port.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, FIRST_ROOM = 4096 };
#define MAGIC UINT64_C(0x474f4c5645444448) /* "HDDEVLOG" */
enum { BLOCK = 0x4b4c4248, EPOCH = 0x48435045, END = 0x444e4548 };
enum { MAX_BLOCK = 1 << 22 };              /* records; a longer list is written as several blocks */

struct file_head {
    uint64_t magic;
    uint32_t version, event_bytes;
    struct hd_evlog_info info;
    uint32_t zero, sum;
};

struct block_head {
    uint32_t kind, count;
    uint64_t watermark;
    uint32_t zero, sum;
};

/* ---- checksum: CRC-32 (the polynomial of IEEE 802.3), eight bytes at a time ------------------------------------ */

struct crc {
    uint32_t table[8][256];
};

static void crc_make(struct crc *c)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t x = i;
        for (int bit = 0; bit < 8; bit++)
            x = x & 1 ? x >> 1 ^ UINT32_C(0xEDB88320) : x >> 1;
        c->table[0][i] = x;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++)
            c->table[k][i] = c->table[k - 1][i] >> 8 ^ c->table[0][c->table[k - 1][i] & 255];
}

static uint32_t crc_add(const struct crc *c, uint32_t sum, const void *data, size_t bytes)
{
    const unsigned char *p = data;

    sum = ~sum;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint32_t a = sum ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
        sum = c->table[7][a & 255] ^ c->table[6][a >> 8 & 255] ^ c->table[5][a >> 16 & 255] ^ c->table[4][a >> 24]
              ^ c->table[3][p[4]] ^ c->table[2][p[5]] ^ c->table[1][p[6]] ^ c->table[0][p[7]];
    }
    for (; bytes > 0; bytes--, p++)
        sum = sum >> 8 ^ c->table[0][(sum ^ *p) & 255];
    return ~sum;
}

/* ---- in memory ------------------------------------------------------------------------------------------------ */

struct hd_evlog *hd_evlog_new(const struct hd_evlog_info *info, size_t window)
{
    struct hd_evlog *log = calloc(1, sizeof *log);

    if (log == NULL)
        return NULL;
    log->info = *info;
    log->window = window;
    log->sm = calloc(info->sms, sizeof *log->sm);
    if (log->sm == NULL || !hd_evlog_reserve(log)) {
        hd_evlog_free(log);
        return NULL;
    }
    return log;
}

void hd_evlog_free(struct hd_evlog *log)
{
    if (log == NULL)
        return;
    for (uint32_t i = 0; log->sm != NULL && i < log->info.sms; i++)
        free(log->sm[i].event);
    free(log->sm);
    free(log);
}

bool hd_evlog_reserve(struct hd_evlog *log)
{
    log->count = 0;
    for (uint32_t i = 0; i < log->info.sms; i++) {
        struct hd_evlist *l = &log->sm[i];
        if (l->count > l->room) {
            fprintf(stderr, "heddle: event log: SM %" PRIu32 " has %zu records, room was made for %zu\n", i, l->count,
                    l->room);
            return false;
        }
        log->count += l->count;
        if (l->room - l->count >= log->window)
            continue;
        size_t room = l->room ? l->room : FIRST_ROOM;
        while (room - l->count < log->window)
            room *= 2;
        struct hd_event *more = realloc(l->event, room * sizeof *more);
        if (more == NULL)
            return false;
        l->event = more;
        l->room = room;
    }
    return true;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

struct hd_evlog_out {
    FILE *file;
    struct crc crc;
    uint32_t sms;
    char path[256];
};

static bool out_failed(const struct hd_evlog_out *o)
{
    fprintf(stderr, "heddle: %s: cannot be written: %s\n", o->path, strerror(errno));
    return false;
}

struct hd_evlog_out *hd_evlog_create(const char *path, const struct hd_evlog_info *info)
{
    struct file_head head = {.magic = MAGIC, .version = VERSION, .event_bytes = sizeof(struct hd_event), .info = *info};
    struct hd_evlog_out *o = calloc(1, sizeof *o);

    if (o == NULL) {
        fprintf(stderr, "heddle: no memory\n");
        return NULL;
    }
    snprintf(o->path, sizeof o->path, "%s", path);
    o->sms = info->sms;
    crc_make(&o->crc);
    head.sum = crc_add(&o->crc, 0, &head, offsetof(struct file_head, sum));
    o->file = fopen(path, "wb");
    if (o->file == NULL || fwrite(&head, sizeof head, 1, o->file) != 1) {
        out_failed(o);
        if (o->file != NULL)
            fclose(o->file);
        free(o);
        return NULL;
    }
    return o;
}

static bool write_block(struct hd_evlog_out *o, uint32_t kind, const void *data, uint32_t count, size_t bytes,
                        uint64_t watermark)
{
    struct block_head head = {.kind = kind, .count = count, .watermark = watermark};

    head.sum = crc_add(&o->crc, crc_add(&o->crc, 0, &head, offsetof(struct block_head, sum)), data, bytes);
    if (fwrite(&head, sizeof head, 1, o->file) != 1 || (bytes > 0 && fwrite(data, bytes, 1, o->file) != 1))
        return out_failed(o);
    return true;
}

bool hd_evlog_write(struct hd_evlog_out *o, const struct hd_event *e, size_t n, uint64_t watermark, bool epoch)
{
    for (; n > MAX_BLOCK; n -= MAX_BLOCK, e += MAX_BLOCK)
        if (!write_block(o, BLOCK, e, MAX_BLOCK, MAX_BLOCK * sizeof *e, 0))
            return false;
    return write_block(o, epoch ? EPOCH : BLOCK, e, (uint32_t)n, n * sizeof *e, watermark);
}

bool hd_evlog_close(struct hd_evlog_out *o, const uint32_t *issued)
{
    bool good = write_block(o, END, issued, o->sms, o->sms * sizeof *issued, UINT64_MAX);

    if (fclose(o->file) != 0 && good)
        good = out_failed(o);
    free(o);
    return good;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

struct hd_evlog_in {
    FILE *file;
    struct crc crc;
    uint32_t sms;
    uint64_t at;               /* byte offset */
    bool ended;
    void *data;
    size_t room;               /* bytes */
    char path[256];
};

/* @return -1 */
static int damaged(const struct hd_evlog_in *in, const char *what)
{
    fprintf(stderr, "heddle: %s: byte %" PRIu64 ": %s\n", in->path, in->at, what);
    return -1;
}

struct hd_evlog_in *hd_evlog_open(const char *path, struct hd_evlog_info *info)
{
    struct file_head head;
    struct hd_evlog_in *in = calloc(1, sizeof *in);
    const char *wrong = NULL;

    if (in == NULL) {
        fprintf(stderr, "heddle: no memory\n");
        return NULL;
    }
    snprintf(in->path, sizeof in->path, "%s", path);
    crc_make(&in->crc);
    in->file = fopen(path, "rb");
    if (in->file == NULL) {
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
        free(in);
        return NULL;
    }
    if (fread(&head, sizeof head, 1, in->file) != 1 || head.magic != MAGIC)
        wrong = "expected the header of an event log of this byte order";
    else if (head.version != VERSION || head.event_bytes != sizeof(struct hd_event))
        wrong = "expected version 1 with records of 52 bytes";
    else if (head.sum != crc_add(&in->crc, 0, &head, offsetof(struct file_head, sum)))
        wrong = "the checksum of the header does not match";
    else if (head.info.sms < 1 || head.info.sms > HD_MAX_SMS)
        wrong = "expected 1..128 SMs";
    if (wrong != NULL) {
        damaged(in, wrong);
        hd_evlog_end(in);
        return NULL;
    }
    in->at = sizeof head;
    in->sms = head.info.sms;
    *info = head.info;
    info->config[sizeof info->config - 1] = '\0';
    return in;
}

void hd_evlog_end(struct hd_evlog_in *in)
{
    if (in == NULL)
        return;
    fclose(in->file);
    free(in->data);
    free(in);
}

/* @return false after a message. */
static bool room_for(struct hd_evlog_in *in, size_t bytes)
{
    if (bytes <= in->room)
        return true;
    void *more = realloc(in->data, bytes);
    if (more == NULL) {
        fprintf(stderr, "heddle: no memory\n");
        return false;
    }
    in->data = more;
    in->room = bytes;
    return true;
}

int hd_evlog_read(struct hd_evlog_in *in, struct hd_evlog_block *b)
{
    struct block_head head;
    size_t got = fread(&head, 1, sizeof head, in->file);

    if (in->ended)
        return got == 0 ? 0 : damaged(in, "expected nothing behind the last block");
    if (got != sizeof head)
        return damaged(in, "expected a block; the file ends without its last block");
    if (head.kind != BLOCK && head.kind != EPOCH && head.kind != END)
        return damaged(in, "expected the head of a block");
    if (head.kind == END ? head.count != in->sms : head.count > MAX_BLOCK)
        return damaged(in, "the head of a block has an impossible count");
    size_t bytes = head.count * (head.kind == END ? sizeof(uint32_t) : sizeof(struct hd_event));
    if (!room_for(in, bytes))
        return -1;
    if (bytes > 0 && fread(in->data, bytes, 1, in->file) != 1)
        return damaged(in, "the file ends within this block");
    if (head.sum != crc_add(&in->crc, crc_add(&in->crc, 0, &head, offsetof(struct block_head, sum)), in->data, bytes))
        return damaged(in, "the checksum of this block does not match");
    in->at += sizeof head + bytes;
    in->ended = head.kind == END;
    *b = (struct hd_evlog_block){.event = in->data,
                                 .count = head.kind == END ? 0 : head.count,
                                 .watermark = head.kind == END ? 0 : head.watermark,
                                 .epoch = head.kind == EPOCH,
                                 .issued = head.kind == END ? in->data : NULL};
    return 1;
}
