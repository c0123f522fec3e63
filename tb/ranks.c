/* ranks.c - see ranks.h.
 *
 * A window's message: news, the tiles of the sender (number; what its warp port did, states of lines, its port log, what it
 * told others in C), and behind them the ends of the links that it has with the receiver. */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"
#include "tile_sm.h"
#include "wire/wire.h"
#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAKEN, COMPLETE, CONTROL, FLUSHED };             /* records of a warp port */
enum { LAST = 1, WORDS = 2, STATUS = 4 };               /* flags of COMPLETE */
enum { RECORD_BYTES = 64, PATH = 4096 };

/* What a warp port did in a window: of an own SM written, of another one read. */
struct port {
    alignas(HD_CACHE_LINE) uint8_t *byte;
    size_t count, room;
    const uint8_t *replay, *end;
    uint8_t offered[HD_MAX_WARPS];                      /* kind of the operation in the buffer; by slot */
    uint8_t kind[HD_MAX_WARPS][HD_MAX_SLOTS];
    bool has_status;
    uint32_t status;
    hd_mask_t tcm;
};

struct hd_ranks {
    struct hd_graph *g;
    const struct hd_config *c;
    const struct hd_cut *cut;
    const struct hd_ranks_options *o;
    unsigned me, size;
    struct port *port;
    uint32_t *sent, *credited;                          /* by link: shown to the other rank */
    struct hd_client outer;
    const struct hd_client *inner;
    struct hd_image own, *to;                           /* message: for all; by rank */
    struct hd_image in;                                 /* read from the file */
    struct hd_image entries;                            /* of all ranks, for the file */
    uint64_t from;
    struct hd_ranks_news last;
    uint64_t windows, clock, spent[HD_RANKS_PARTS], longest; /* longest: of each window the rank whose tiles took longest */

    FILE *log;                                          /* windows since the start, of rank 0 or of one that goes through it */
    bool writes, goes_through;
    uint64_t log_bytes, log_sum, image_bytes, next, through;     /* through: where the checkpoint is */
    char path[PATH], log_path[PATH];
};

static bool is_sm(const struct hd_tile *t)
{
    return t->kind == &hd_sm_kind;
}

bool hd_ranks_mine(const struct hd_ranks *r, size_t i)
{
    return r->cut->tile[i].rank == r->me;
}

bool hd_ranks_live(const struct hd_ranks *r)
{
    return !r->goes_through;
}

static _Noreturn void left(struct hd_ranks *r, unsigned rank)
{
    char text[400];

    hd_cut_text(r->cut, rank, text, sizeof text);
    fprintf(stderr, "heddle: rank %u has ended in the middle of the run; it had %s\n", rank, text);
    exit(hd_wire_close(2));
}

/* ---- warp ports of this rank ------------------------------------------------------------------------------------ */

static void put(struct port *p, const void *bytes, size_t n)
{
    memcpy(p->byte + p->count, bytes, n); /* there is room for the most that a window can bring */
    p->count += n;
}

static void put_record(struct port *p, uint64_t cycle, uint8_t what)
{
    put(p, &cycle, sizeof cycle);
    put(p, &what, sizeof what);
}

static uint64_t outer_wake(void *ctx, unsigned sm, uint64_t now)
{
    const struct hd_ranks *r = ctx;

    return r->inner->wake(r->inner->ctx, sm, now);
}

static const struct hd_op *outer_offer(void *ctx, unsigned sm, uint64_t cycle)
{
    struct hd_ranks *r = ctx;
    const struct hd_op *op = r->inner->offer(r->inner->ctx, sm, cycle);

    if (op != NULL && op->warp < HD_MAX_WARPS)
        r->port[sm].offered[op->warp] = op->kind;
    return op;
}

static void outer_taken(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot)
{
    struct hd_ranks *r = ctx;
    struct port *p = &r->port[sm];
    const uint8_t at[2] = {(uint8_t)warp, (uint8_t)slot};

    p->kind[warp % HD_MAX_WARPS][slot % HD_MAX_SLOTS] = p->offered[warp % HD_MAX_WARPS];
    put_record(p, cycle, TAKEN);
    put(p, at, sizeof at);
    r->inner->taken(r->inner->ctx, sm, cycle, warp, slot);
}

static void outer_status(void *ctx, unsigned sm, unsigned warp, unsigned status, hd_mask_t tcm)
{
    struct hd_ranks *r = ctx;
    struct port *p = &r->port[sm];

    p->has_status = true;
    p->status = status;
    p->tcm = tcm;
    if (r->inner->status != NULL)
        r->inner->status(r->inner->ctx, sm, warp, status, tcm);
}

static void outer_complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last, hd_mask_t mask,
                           const uint32_t *data, const uint32_t *ghost)
{
    struct hd_ranks *r = ctx;
    struct port *p = &r->port[sm];
    const bool ghosts = r->c->ghost_bits != 0;
    const uint8_t kind = p->kind[warp % HD_MAX_WARPS][slot % HD_MAX_SLOTS];
    const bool words = ghosts || (kind != HD_OP_STORE && kind != HD_OP_COPY); /* a store without ghosts brings none */
    const uint8_t at[3] = {(uint8_t)warp, (uint8_t)slot,
                           (uint8_t)((last ? LAST : 0) | (words ? WORDS : 0) | (p->has_status ? STATUS : 0))};

    put_record(p, cycle, COMPLETE);
    put(p, at, sizeof at);
    put(p, &mask, sizeof mask);
    if (p->has_status) {
        put(p, &p->status, sizeof p->status);
        put(p, &p->tcm, sizeof p->tcm);
        p->has_status = false;
    }
    for (hd_mask_t rest = words ? mask : 0; rest != 0; rest &= rest - 1)
        put(p, &data[__builtin_ctzll(rest)], sizeof data[0]);
    for (hd_mask_t rest = ghosts ? mask : 0; rest != 0; rest &= rest - 1)
        put(p, &ghost[__builtin_ctzll(rest)], sizeof ghost[0]);
    r->inner->complete(r->inner->ctx, sm, cycle, warp, slot, last, mask, data, ghost);
}

static void outer_ctl_done(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    struct hd_ranks *r = ctx;
    struct port *p = &r->port[sm];

    put_record(p, cycle, CONTROL);
    put(p, &warps, sizeof warps);
    put(p, &clock, sizeof clock);
    r->inner->ctl_done(r->inner->ctx, sm, cycle, warps, clock);
}

static void outer_flush_done(void *ctx, unsigned sm, uint64_t cycle)
{
    struct hd_ranks *r = ctx;

    put_record(&r->port[sm], cycle, FLUSHED);
    r->inner->flush_done(r->inner->ctx, sm, cycle);
}

const struct hd_client *hd_ranks_client(struct hd_ranks *r, const struct hd_client *client)
{
    r->inner = client;
    r->outer = (struct hd_client){.ctx = r,
                                  .wake = outer_wake,
                                  .offer = outer_offer,
                                  .taken = outer_taken,
                                  .status = outer_status,
                                  .complete = outer_complete,
                                  .ctl_done = outer_ctl_done,
                                  .flush_done = outer_flush_done};
    return &r->outer;
}

/* ---- warp ports of others --------------------------------------------------------------------------------------- */

static void get(struct port *p, void *bytes, size_t n)
{
    memcpy(bytes, p->replay, n);
    p->replay += n;
}

/* The next record, which is of cycle @now. */
static void tell(struct port *p, const struct hd_client *client, unsigned sm, uint64_t now, bool ghosts)
{
    uint8_t what, at[3];

    p->replay += sizeof now;
    get(p, &what, sizeof what);
    if (what == TAKEN) {
        get(p, at, 2);
        client->taken(client->ctx, sm, now, at[0], at[1]);
    } else if (what == COMPLETE) {
        uint32_t data[HD_MAX_LANES] = {0}, ghost[HD_MAX_LANES] = {0}, status;
        hd_mask_t mask, tcm;
        get(p, at, sizeof at);
        get(p, &mask, sizeof mask);
        if (at[2] & STATUS) {
            get(p, &status, sizeof status);
            get(p, &tcm, sizeof tcm);
            if (client->status != NULL)
                client->status(client->ctx, sm, at[0], status, tcm);
        }
        for (hd_mask_t rest = at[2] & WORDS ? mask : 0; rest != 0; rest &= rest - 1)
            get(p, &data[__builtin_ctzll(rest)], sizeof data[0]);
        for (hd_mask_t rest = ghosts ? mask : 0; rest != 0; rest &= rest - 1)
            get(p, &ghost[__builtin_ctzll(rest)], sizeof ghost[0]);
        client->complete(client->ctx, sm, now, at[0], at[1], at[2] & LAST, mask, data, ghost);
    } else if (what == CONTROL) {
        uint64_t warps;
        uint32_t clock;
        get(p, &warps, sizeof warps);
        get(p, &clock, sizeof clock);
        client->ctl_done(client->ctx, sm, now, warps, clock);
    } else {
        client->flush_done(client->ctx, sm, now);
    }
}

/* As tile_sm.c calls the client, less the cycles in which it would say nothing. */
void hd_ranks_replay(struct hd_ranks *r, const struct hd_client *client, unsigned sm, uint64_t from, uint64_t to)
{
    struct port *p = &r->port[sm];
    const bool ghosts = r->c->ghost_bits != 0;

    if (hd_ranks_live(r) && hd_ranks_mine(r, sm))
        return;
    for (uint64_t now = from; now < to; now++) {
        uint64_t next = client->wake(client->ctx, sm, now), record = HD_NEVER;
        if (p->replay < p->end)
            memcpy(&record, p->replay, sizeof record);
        now = record < next ? record : next;
        if (now >= to)
            return;
        const struct hd_op *op = client->offer(client->ctx, sm, now);
        if (op != NULL && op->warp < HD_MAX_WARPS)
            p->offered[op->warp] = op->kind;
        while (p->replay < p->end && (memcpy(&record, p->replay, sizeof record), record == now)) {
            if (p->replay[sizeof now] == TAKEN) /* for the time when this rank runs it, behind a checkpoint */
                p->kind[p->replay[sizeof now + 1] % HD_MAX_WARPS][p->replay[sizeof now + 2] % HD_MAX_SLOTS]
                    = p->offered[p->replay[sizeof now + 1] % HD_MAX_WARPS];
            tell(p, client, sm, now, ghosts);
        }
    }
}

/* ---- a tile's part of a message --------------------------------------------------------------------------------- */

static void tile_news(struct hd_ranks *r, unsigned number, struct hd_image *io)
{
    struct hd_tile *t = r->g->tile[number];

    if (is_sm(t)) {
        struct port *p = &r->port[t->number];
        uint64_t n = p->count;
        hd_image_bytes(io, &n, sizeof n);
        void *place = hd_image_place(io, n);
        if (place != NULL && io->loading) {
            p->replay = place;
            p->end = p->replay + n;
        } else if (place != NULL) {
            memcpy(place, p->byte, n);
            p->count = 0;
        }
    }
    if (t->kind->states != NULL && r->c->check_coherence) {
        struct hd_st_list *l = t->kind->states(t);
        uint64_t n = l->count;
        hd_image_bytes(io, &n, sizeof n);
        if (n > l->room)
            io->bad = true;
        else
            hd_image_bytes(io, l->event, n * sizeof *l->event);
        l->count = io->bad ? 0 : n;
    }
    if (t->log.room > 0) {
        uint64_t n = t->log.count;
        hd_image_bytes(io, &n, sizeof n);
        if (n > t->log.room)
            io->bad = true;
        else
            hd_image_bytes(io, t->log.record, n * sizeof *t->log.record);
        t->log.count = io->bad ? 0 : n;
    }
    if (t->kind->news != NULL)
        t->kind->news(t, r->from, io);
}

/* Tiles until the count in front of them is reached. */
static void load_tiles(struct hd_ranks *r, struct hd_image *in, uint64_t bytes)
{
    uint32_t number;

    for (size_t end = in->at + bytes; !in->bad && in->at < end;) {
        hd_image_bytes(in, &number, sizeof number);
        if (!in->bad && number < r->g->tiles)
            tile_news(r, number, in);
        else
            in->bad = true;
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static unsigned rank_of(const struct hd_ranks *r, const struct hd_tile *t)
{
    for (unsigned i = 0; i < r->g->tiles; i++)
        if (r->g->tile[i] == t)
            return r->cut->tile[i].rank;
    return r->me;
}

/* The ends of links between this rank and @other: what this one sent (saving), what the other did (loading). */
static void links_news(struct hd_ranks *r, unsigned other, struct hd_image *io)
{
    unsigned from = io->loading ? other : r->me, to = io->loading ? r->me : other;

    for (unsigned i = 0; i < r->g->links; i++) {
        struct hd_graph_link *l = &r->g->link[i];
        if (l->from_rank == from && l->to_rank == to)
            hd_link_sender_news(&l->link, &r->sent[i], io);
        if (l->to_rank == from && l->from_rank == to) {
            hd_link_receiver_news(&l->link, &r->credited[i], io);
        }
    }
}

static bool write_log(struct hd_ranks *r, char kind, const void *head, size_t heads, const void *body, size_t bodies);

bool hd_ranks_post(struct hd_ranks *r, const struct hd_ranks_news *own)
{
    struct hd_image *m = &r->own;
    uint64_t bytes = 0;

    r->from = own->from;
    r->last = *own;
    if (r->goes_through)
        return true;
    m->count = 0;
    hd_image_bytes(m, (void *)(uintptr_t)own, sizeof *own);
    hd_image_bytes(m, &bytes, sizeof bytes);
    size_t start = m->count;
    for (uint32_t i = 0; i < r->g->tiles; i++)
        if (hd_ranks_mine(r, i)) {
            hd_image_bytes(m, &i, sizeof i);
            tile_news(r, i, m);
        }
    bytes = m->count - start;
    if (m->bad)
        return false;
    memcpy(m->byte + start - sizeof bytes, &bytes, sizeof bytes);
    r->entries.count = 0;
    if (r->writes) {
        void *place = hd_image_place(&r->entries, bytes);
        if (place != NULL)
            memcpy(place, m->byte + start, bytes);
    }
    for (unsigned k = 1; k < r->size; k++) {
        unsigned other = (r->me + k) % r->size;
        struct hd_image *to = &r->to[other];
        to->count = 0;
        void *place = hd_image_place(to, m->count);
        if (place != NULL)
            memcpy(place, m->byte, m->count);
        links_news(r, other, to);
        if (to->bad)
            return false;
        hd_wire_send(other, to->byte, to->count);
    }
    return true;
}

static void add_news(struct hd_ranks *r, const struct hd_ranks_news *n)
{
    r->last.progress = n->progress > r->last.progress ? n->progress : r->last.progress;
    r->last.fault |= n->fault;
    r->last.stop |= n->stop;
    r->last.busy |= n->busy;
    r->last.tiles_ns = n->tiles_ns > r->last.tiles_ns ? n->tiles_ns : r->last.tiles_ns;
}

static bool torn(void)
{
    fprintf(stderr, "heddle: a message or a record of the checkpoint is not what this run expects\n");
    return false;
}

/* The record of a window in the file. */
static bool wait_for_log(struct hd_ranks *r);

bool hd_ranks_wait(struct hd_ranks *r)
{
    struct hd_ranks_news news;
    uint64_t bytes;

    if (r->goes_through)
        return wait_for_log(r);
    for (unsigned k = 1; k < r->size; k++) {
        unsigned other = (r->me + r->size - k) % r->size;
        struct hd_image in = {.loading = true};
        in.byte = hd_wire_receive(other, &in.count);
        if (in.byte == NULL)
            left(r, other);
        hd_ranks_spent(r, HD_RANKS_WAIT);
        hd_image_bytes(&in, &news, sizeof news);
        hd_image_bytes(&in, &bytes, sizeof bytes);
        if (in.bad || news.from != r->from)
            return torn();
        add_news(r, &news);
        if (r->writes && in.count - in.at >= bytes) {
            void *place = hd_image_place(&r->entries, bytes);
            if (place != NULL)
                memcpy(place, in.byte + in.at, bytes);
        }
        load_tiles(r, &in, bytes);
        links_news(r, other, &in);
        if (in.bad || in.at != in.count)
            return torn();
        hd_ranks_spent(r, HD_RANKS_READ);
    }
    hd_wire_sent();
    hd_ranks_spent(r, HD_RANKS_WAIT);
    r->windows++;
    r->longest += r->last.tiles_ns;
    return !r->writes || write_log(r, 'W', &r->last, sizeof r->last, r->entries.byte, r->entries.count);
}

uint64_t hd_ranks_spent(struct hd_ranks *r, enum hd_ranks_part part)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec, spent = r->clock != 0 ? now - r->clock : 0;
    r->spent[part] += spent;
    r->clock = now;
    return spent;
}

bool hd_ranks_counters(struct hd_ranks *r, struct hd_counters *out)
{
    static const char *const names[][2] = {{"host.rank_tiles_us", "host.rank_tiles_us_most"},
                                           {"host.rank_post_us", "host.rank_post_us_most"},
                                           {"host.rank_wait_us", "host.rank_wait_us_most"},
                                           {"host.rank_read_us", "host.rank_read_us_most"},
                                           {"host.rank_echo_us", "host.rank_echo_us_most"},
                                           {"host.rank_control_us", "host.rank_control_us_most"}};
    struct {
        uint64_t messages, bytes, spent[HD_RANKS_PARTS];
    } own, *one, all = {0};
    uint64_t most[HD_RANKS_PARTS] = {0};
    size_t n;

    hd_wire_count(&own.messages, &own.bytes);
    memcpy(own.spent, r->spent, sizeof own.spent);
    if (r->me != 0) {
        hd_wire_send(0, &own, sizeof own);
        hd_wire_sent();
    }
    for (unsigned i = 0; r->me == 0 && i < r->size; i++) {
        one = i == 0 ? (void *)&own : hd_wire_receive(i, &n);
        if (one == NULL)
            left(r, i);
        if (i > 0 && n != sizeof own)
            return torn();
        all.messages += one->messages;
        all.bytes += one->bytes;
        for (unsigned k = 0; k < HD_RANKS_PARTS; k++) {
            all.spent[k] += one->spent[k];
            most[k] = one->spent[k] > most[k] ? one->spent[k] : most[k];
        }
    }
    hd_counters_put(out, "host.ranks", r->size);
    hd_counters_put(out, "host.rank_windows", r->windows);
    hd_counters_put(out, "host.rank_messages", all.messages);
    hd_counters_put(out, "host.rank_bytes", all.bytes);
    hd_counters_put(out, "host.rank_longest_us", r->longest / 1000);
    for (unsigned k = 0; k < HD_RANKS_PARTS; k++) {
        hd_counters_put(out, names[k][0], all.spent[k] / 1000);
        hd_counters_put(out, names[k][1], most[k] / 1000);
    }
    return true;
}

const struct hd_ranks_news *hd_ranks_last(const struct hd_ranks *r)
{
    return &r->last;
}

/* ---- all of the state -------------------------------------------------------------------------------------------- */

/* Of tiles and ends of links of @rank; HD_MAX_RANKS: of all. */
static void state_of(struct hd_ranks *r, unsigned rank, struct hd_image *io)
{
    const bool all = rank == HD_MAX_RANKS;

    for (unsigned i = 0; i < r->g->tiles; i++)
        if (all || r->cut->tile[i].rank == rank)
            hd_tile_state(r->g->tile[i], io);
    for (unsigned i = 0; i < r->g->links; i++) {
        struct hd_graph_link *l = &r->g->link[i];
        if (all || l->from_rank == rank)
            hd_link_sender_state(&l->link, io);
        if (all || l->to_rank == rank)
            hd_link_receiver_state(&l->link, io);
    }
}

static bool record_counts(struct hd_ranks *r);

bool hd_ranks_gather(struct hd_ranks *r, enum hd_image_depth depth)
{
    if (r->goes_through)
        return record_counts(r);
    if (r->size > 1 && r->me != 0) {
        struct hd_image io = {.depth = depth};
        state_of(r, r->me, &io);
        if (io.bad)
            return torn();
        hd_wire_send(0, io.byte, io.count);
        hd_wire_sent();
        free(io.byte);
    }
    for (unsigned i = 1; r->me == 0 && i < r->size; i++) {
        struct hd_image io = {.depth = depth, .loading = true};
        io.byte = hd_wire_receive(i, &io.count);
        if (io.byte == NULL)
            left(r, i);
        state_of(r, i, &io);
        if (io.bad || io.at != io.count)
            return torn();
    }
    return !r->writes || depth == HD_IMAGE_ALL || record_counts(r);
}

/* ---- checkpoints -------------------------------------------------------------------------------------------------
 *
 * FILE.log: windows, and what counters were when they were asked for, from the start of the run, appended. FILE: the state
 * of tiles and links, and how much of the log belongs to it; written beside and renamed, so that there is always a whole
 * one. */

struct head {
    char magic[8];
    uint64_t run, cycle, log_bytes, log_sum, image_bytes, image_sum; /* sums: CRC-64 */
};
static const char magic[8] = "HDCKPT2";

struct record {
    uint64_t kind, bytes;
};

static bool cannot(const char *what, const char *path)
{
    fprintf(stderr, "heddle: --checkpoint: cannot %s %s: %s\n", what, path, strerror(errno));
    return false;
}

static bool write_log(struct hd_ranks *r, char kind, const void *head, size_t heads, const void *body, size_t bodies)
{
    const struct record record = {(uint64_t)kind, heads + bodies};

    r->log_bytes += sizeof record + heads + bodies;
    r->log_sum = lzma_crc64(body, bodies, lzma_crc64(head, heads, lzma_crc64((const uint8_t *)&record, sizeof record, r->log_sum)));
    if (fwrite(&record, sizeof record, 1, r->log) == 1 && fwrite(head, 1, heads, r->log) == heads
        && fwrite(body, 1, bodies, r->log) == bodies)
        return true;
    return cannot("write", r->log_path);
}

static bool read_log(struct hd_ranks *r, char kind)
{
    struct record record;

    r->in.count = r->in.at = 0;
    r->in.loading = false;
    if (fread(&record, sizeof record, 1, r->log) != 1 || record.kind != (uint64_t)kind)
        return torn();
    void *place = hd_image_place(&r->in, record.bytes);
    if (place == NULL || fread(place, 1, record.bytes, r->log) != record.bytes)
        return torn();
    r->log_bytes += sizeof record + record.bytes;
    r->log_sum = lzma_crc64(place, record.bytes, lzma_crc64((const uint8_t *)&record, sizeof record, r->log_sum));
    r->in.loading = true;
    return true;
}

static bool wait_for_log(struct hd_ranks *r)
{
    if (!read_log(r, 'W'))
        return false;
    hd_image_bytes(&r->in, &r->last, sizeof r->last);
    r->last.stop = 0;
    if (r->last.from != r->from)
        return torn();
    load_tiles(r, &r->in, r->in.count - r->in.at);
    return !r->in.bad || torn();
}

/* Counters, as they were: into the log; out of it. */
static bool record_counts(struct hd_ranks *r)
{
    if (r->goes_through) {
        if (!read_log(r, 'C'))
            return false;
        r->in.depth = HD_IMAGE_COUNTS;
        state_of(r, HD_MAX_RANKS, &r->in);
        return (!r->in.bad && r->in.at == r->in.count) || torn();
    }
    struct hd_image io = {.depth = HD_IMAGE_COUNTS};
    state_of(r, HD_MAX_RANKS, &io);
    bool good = !io.bad && write_log(r, 'C', NULL, 0, io.byte, io.count);
    free(io.byte);
    return good;
}

static bool write_checkpoint(struct hd_ranks *r, uint64_t now)
{
    char beside[PATH + 8];
    struct hd_image io = {.depth = HD_IMAGE_ALL};

    if (!hd_ranks_gather(r, HD_IMAGE_ALL))
        return false;
    if (r->me != 0)
        return true;
    state_of(r, HD_MAX_RANKS, &io);
    if (io.bad) {
        fprintf(stderr, "heddle: --checkpoint: no memory\n");
        return false;
    }
    const struct head head = {.run = r->o->run, .cycle = now, .log_bytes = r->log_bytes, .log_sum = r->log_sum, .image_bytes = io.count,
                              .image_sum = lzma_crc64(io.byte, io.count, 0)};
    snprintf(beside, sizeof beside, "%s.new", r->path);
    FILE *f = fopen(beside, "wb");
    bool good = f != NULL && fwrite(magic, sizeof magic, 1, f) == 1
                && fwrite(&head.run, sizeof head - sizeof magic, 1, f) == 1 && fwrite(io.byte, 1, io.count, f) == io.count
                && fflush(f) == 0 && fsync(fileno(f)) == 0;
    if (f != NULL && fclose(f) != 0)
        good = false;
    free(io.byte);
    if (!good || fflush(r->log) != 0 || fsync(fileno(r->log)) != 0 || rename(beside, r->path) != 0)
        return cannot("write", beside);
    return true;
}

/* The file's windows have been gone through: from here on tiles run. */
static bool load_checkpoint(struct hd_ranks *r, uint64_t now)
{
    struct head head;
    FILE *f = fopen(r->path, "rb");
    struct hd_image io = {.depth = HD_IMAGE_ALL};
    bool good = f != NULL && fread(&head, sizeof head, 1, f) == 1 && head.cycle == now;
    void *place = good ? hd_image_place(&io, head.image_bytes) : NULL;

    good = place != NULL && fread(place, 1, head.image_bytes, f) == head.image_bytes;
    if (f != NULL)
        fclose(f);
    io.loading = true;
    if (good)
        state_of(r, HD_MAX_RANKS, &io);
    good = good && !io.bad && io.at == io.count;
    free(io.byte);
    if (!good) {
        fprintf(stderr, "heddle: --checkpoint: %s is not the state of this machine at cycle %" PRIu64 "\n", r->path, now);
        return false;
    }
    for (unsigned i = 0; i < r->g->links; i++) {
        r->sent[i] = r->g->link[i].link.flits_sent;
        r->credited[i] = r->g->link[i].link.credits_sent;
    }
    fclose(r->log);
    r->log = NULL;
    r->goes_through = false;
    r->writes = r->me == 0;
    if (!r->writes)
        return true;
    r->log = fopen(r->log_path, "r+b");
    if (r->log == NULL || ftruncate(fileno(r->log), (off_t)r->log_bytes) != 0 || fseek(r->log, 0, SEEK_END) != 0)
        return cannot("go on with", r->log_path);
    fprintf(stderr, "heddle: goes on from cycle %" PRIu64 "\n", now);
    return true;
}

bool hd_ranks_keep(struct hd_ranks *r, uint64_t now)
{
    if (r->goes_through)
        return r->log_bytes < r->through || load_checkpoint(r, now);
    if (r->o->checkpoint == NULL || (!r->last.stop && (r->o->every == 0 || now < r->next)))
        return true;
    r->next = now + r->o->every;
    return write_checkpoint(r, now);
}

/* Have the @bytes bytes of @f from where it stands the sum @sum? */
static bool is_whole(FILE *f, uint64_t bytes, uint64_t sum)
{
    uint8_t part[1 << 16];
    uint64_t found = 0;
    for (size_t n; bytes > 0; bytes -= n) {
        n = fread(part, 1, bytes < sizeof part ? (size_t)bytes : sizeof part, f);
        if (n == 0)
            return false;
        found = lzma_crc64(part, n, found);
    }
    return found == sum;
}

static bool open_checkpoint(struct hd_ranks *r)
{
    struct head head;

    snprintf(r->path, sizeof r->path - 8, "%s", r->o->checkpoint);
    snprintf(r->log_path, sizeof r->log_path, "%.*s.log", (int)sizeof r->path - 8, r->path);
    r->next = r->o->every;
    FILE *f = fopen(r->path, "rb");
    if (f != NULL) {
        bool good = fread(&head, sizeof head, 1, f) == 1 && memcmp(head.magic, magic, sizeof magic) == 0;
        bool whole = good && is_whole(f, head.image_bytes, head.image_sum);
        fclose(f);
        if (!good || head.run != r->o->run) {
            fprintf(stderr, good ? "heddle: --checkpoint: %s is of another run: program, models, machine, workload and options "
                                   "must be the same\n" : "heddle: --checkpoint: %s is no checkpoint\n", r->path);
            return false;
        }
        r->through = head.log_bytes;
        r->next += head.cycle;
        r->goes_through = true;
        r->log = fopen(r->log_path, "rb");
        if (r->log == NULL)
            return cannot("read", r->log_path);
        if (!whole || !is_whole(r->log, head.log_bytes, head.log_sum)) {
            fprintf(stderr, "heddle: --checkpoint: %s is damaged; remove it and %s to begin anew\n", whole ? r->log_path : r->path, r->log_path);
            return false;
        }
        rewind(r->log);
        return true;
    }
    if (errno != ENOENT)
        return cannot("read", r->path);
    r->writes = r->me == 0;
    if (r->writes && (r->log = fopen(r->log_path, "wb")) == NULL)
        return cannot("write", r->log_path);
    return true;
}

void hd_ranks_done(struct hd_ranks *r)
{
    if (!r->writes)
        return;
    remove(r->path);
    remove(r->log_path);
}

/* ---- set-up ------------------------------------------------------------------------------------------------------- */

/* Room for what a window can bring to a warp port: in each cycle one record of each kind. */
static bool make_ports(struct hd_ranks *r)
{
    size_t each = 4 * RECORD_BYTES + 2 * HD_MAX_LANES * sizeof(uint32_t);

    r->port = aligned_alloc(HD_CACHE_LINE, r->g->ports * sizeof *r->port);
    if (r->port == NULL)
        return false;
    memset(r->port, 0, r->g->ports * sizeof *r->port);
    for (unsigned i = 0; i < r->g->ports; i++) {
        r->port[i].room = each * (r->g->window + 1);
        if (hd_ranks_mine(r, i) && (r->port[i].byte = malloc(r->port[i].room)) == NULL)
            return false;
    }
    return true;
}

struct hd_ranks *hd_ranks_new(struct hd_graph *g, const struct hd_config *c, const struct hd_cut *cut)
{
    struct hd_ranks *r = calloc(1, sizeof *r);
    char text[400];

    if (cut->tiles != g->tiles) {
        fprintf(stderr, "heddle: the cut has %u tiles, the machine has %u\n", cut->tiles, g->tiles);
        free(r);
        return NULL;
    }
    if (r != NULL) {
        *r = (struct hd_ranks){.g = g, .c = c, .cut = cut, .o = c->ranks, .me = hd_wire_rank(), .size = hd_wire_ranks()};
        r->to = calloc(r->size, sizeof *r->to);
        r->sent = calloc(g->links + 1, sizeof *r->sent);
        r->credited = calloc(g->links + 1, sizeof *r->credited);
    }
    if (r == NULL || r->to == NULL || r->sent == NULL || r->credited == NULL || !make_ports(r)) {
        fprintf(stderr, "heddle: out of memory\n");
        hd_ranks_free(r);
        return NULL;
    }
    for (unsigned i = 0; i < g->links; i++) {
        g->link[i].from_rank = rank_of(r, g->link[i].from);
        g->link[i].to_rank = rank_of(r, g->link[i].to);
    }
    for (unsigned i = 0; i < r->size; i++) {
        hd_cut_text(cut, i, text, sizeof text);
        hd_wire_label(i, text);
    }
    if (r->o->checkpoint != NULL && !open_checkpoint(r)) {
        hd_ranks_free(r);
        return NULL;
    }
    return r;
}

void hd_ranks_free(struct hd_ranks *r)
{
    if (r == NULL)
        return;
    for (unsigned i = 0; r->port != NULL && i < r->g->ports; i++)
        free(r->port[i].byte);
    for (unsigned i = 0; r->to != NULL && i < r->size; i++)
        free(r->to[i].byte);
    if (r->log != NULL)
        fclose(r->log);
    free(r->port);
    free(r->to);
    free(r->sent);
    free(r->credited);
    free(r->own.byte);
    free(r->in.byte);
    free(r->entries.byte);
    free(r);
}
