/* tile_l2.c - see tile_l2.h. */
#include "tile_l2.h"
#include "tile_parts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct l2 {
    struct hd_tile tile;
    unsigned id, line_units;
    bool words;                 /* family DENOVO: its registrations are told of */
    struct hd_tile_in up;
    struct hd_tile_out down;
    struct hd_link *up_link, *down_link;
    struct hd_pin flush, clear;
    struct hd_pin mreq_valid, mreq_write, mreq_addr, mreq_tid, mreq_credit;
    const uint32_t *mreq_data;
    struct hd_pin mrsp_valid, mrsp_tid, mrsp_credit;
    uint32_t *mrsp_data;
    struct hd_overwritten *overwritten; /* told of performed stores; NULL: no such machine */
    struct hd_pin obs, obs_src, obs_opid, obs_addr;
    const uint32_t *obs_data;
    struct hd_pin obs_mask;     /* l1 = gpu */
    const uint32_t *obs_new;
    struct hd_pin mack_valid, mack_tid;
    bool buffered;
    unsigned nvw_entries;       /* of its NVW-FIFO; 0: it has none */
    bool tells;                 /* of durable writes: persist */
    bool performs, want_puts;
    bool through;               /* l1 = vi: obs is of stores alone, its mask of all that writes */
    struct hd_evlist puts;
    unsigned line_words, window;
    const struct hd_memory *memory;
    void *channel;
    uint64_t flush_at;          /* first edge at or after it gets the flush pulse; HD_NEVER: none wanted */
    uint64_t clear_at;          /* the same of the pulse that makes the classifier forget its sectors */
    uint64_t mem_reads, mem_writes, mem_answers;
};

static bool open_l2(struct l2 *l, const struct hd_site *site)
{
    const struct hd_config *c = site->c;
    struct binder b = hd_binder(&l->tile, "l2_tile");
    unsigned word_units = (32 + c->ghost_bits) / 32;
    unsigned flit_units = c->flit_bytes / 4 * word_units;

    l->id = site->number;
    l->tile.clk_ratio = c->clk_ratio;
    l->line_units = c->line_bytes / 4 * word_units;
    l->words = c->l1 == HD_FAMILY_DENOVO;
    l->buffered = c->persist == HD_PERSISTENCE_BUFFERED;
    l->nvw_entries = c->persist != HD_PERSISTENCE_OFF ? c->nvw_l2 : 0;
    l->flush_at = HD_NEVER;
    l->clear_at = HD_NEVER;
    hd_bind_tile(&b, &l->tile, HD_EV_L2_NUM, c);
    if (b.slice == NULL) {
        hd_bind_in(&b, &l->up, "up_", 1, l->up_link->num_vn, flit_units);
        hd_bind_out(&b, &l->down, "dn_", 1, l->down_link->num_vn, flit_units);
    }
    l->flush = hd_bind_pin_of(&b, "", "flush_i", 1);
    l->clear = hd_bind_pin_of(&b, "", "type_clear_i", 1);
    l->mreq_valid = hd_bind_pin_of(&b, "mreq_", "valid_o", 1);
    l->mreq_write = hd_bind_pin(&b, "mreq_", "write_o");
    l->mreq_addr = hd_bind_pin(&b, "mreq_", "addr_o");
    l->mreq_tid = hd_bind_pin(&b, "mreq_", "tid_o");
    l->mreq_credit = hd_bind_pin_of(&b, "mreq_", "credit_i", 2);
    l->mreq_data = hd_bind(&b, "mreq_", "data_o", l->line_units * 32);
    l->mrsp_valid = hd_bind_pin_of(&b, "mrsp_", "valid_i", 1);
    l->mrsp_tid = hd_bind_pin(&b, "mrsp_", "tid_i");
    l->mrsp_credit = hd_bind_pin_of(&b, "mrsp_", "credit_o", 1);
    if (c->persist != 0) {
        l->mack_valid = hd_bind_pin_of(&b, "mack_", "valid_i", 1);
        l->mack_tid = hd_bind_pin(&b, "mack_", "tid_i");
        l->tells = true;
    }
    l->mrsp_data = hd_bind(&b, "mrsp_", "data_i", l->line_units * 32);
    l->line_words = c->line_bytes / 4;
    l->window = site->window;
    l->performs = (c->l1 == HD_FAMILY_GPU || l->words || c->persist != 0) && c->ghost_bits != 0;
    l->through = c->l1 == HD_FAMILY_VI;
    if (l->performs) {
        l->obs_mask = hd_bind_pin_of(&b, "obs_", "mask_o", l->line_words);
        l->obs_new = hd_bind(&b, "obs_", "new_o", l->line_units * 32);
    }
    if (l->overwritten != NULL || l->performs) {
        l->obs = hd_bind_pin_of(&b, "obs_", "valid_o", 1);
        l->obs_src = hd_bind_pin(&b, "obs_", "src_o");
        l->obs_opid = hd_bind_pin(&b, "obs_", "opid_o");
        l->obs_addr = hd_bind_pin(&b, "obs_", "addr_o");
        l->obs_data = hd_bind(&b, "obs_", "data_o", l->line_units * 32);
    }
    struct hd_pin part_id = hd_bind_pin(&b, "", "part_id_i");
    struct hd_pin policy = hd_bind_pin(&b, "", "policy_i");
    if (!b.ok)
        return false;
    l->tile.progress_events = ~(1ull << HD_EV_L2_STALL | 1ull << HD_EV_L2_NVW_FULL | 1ull << HD_EV_L2_NVW_DRAIN
                                | 1ull << HD_EV_L2_EPOCH_FULL | 1ull << HD_EV_L2_EPOCH_WAIT);
    l->tile.level_events = 1ull << HD_EV_L2_STALL;
    pin_set(&part_id, l->id);
    pin_set(&policy, hd_config_policy(c));
    hd_tile_reset(&l->tile);
    return true;
}

static void l2_drive_memory(struct l2 *l, uint64_t now)
{
    uint8_t tid;
    const uint32_t *answer = l->memory->answer(l->channel, now, &tid);

    if (l->tells) {
        uint8_t epoch;
        bool durable = l->memory->durable(l->channel, now, &epoch);

        bit_set(&l->mack_valid, durable);
        if (durable) {
            pin_set(&l->mack_tid, epoch);
            l->tile.progress = now;
        }
    }
    pin_set(&l->mreq_credit, l->memory->credit(l->channel));
    bit_set(&l->mrsp_valid, answer != NULL);
    if (answer == NULL)
        return;
    l->mem_answers++;
    l->tile.progress = now;
    pin_set(&l->mrsp_tid, tid);
    memcpy(l->mrsp_data, answer, l->line_units * sizeof answer[0]);
    if (l->tile.log.room > 0)
        hd_port_log_put(&l->tile.log, now, HD_PORT_ANSWER, tid, hd_port_log_sum(answer, l->line_units, 1, l->line_units),
                        0, 0);
}

/* Words were written: which store took the place of which. Or they have a new owner. */
static void note_puts(struct l2 *l, uint64_t now)
{
    uint32_t addr = (uint32_t)pin_get(&l->obs_addr), sm = (uint32_t)pin_get(&l->obs_src);

    for (uint64_t rest = pin_get(&l->obs_mask); rest != 0; rest &= rest - 1) {
        unsigned w = (unsigned)__builtin_ctzll(rest);
        struct hd_event e = {.kind = HD_EVK_PUT, .tid = sm << 16, .addr = addr + 4 * w, .t_issue = (uint32_t)now,
                             .t_done = (uint32_t)now};
        if (!l->words) {
            e.rval = l->obs_data[2 * w], e.over = l->obs_data[2 * w + 1];
            e.wval = l->obs_new[2 * w], e.id = l->obs_new[2 * w + 1];
        }
        hd_evlog_append(&l->puts, &e);
    }
}

static void l2_read_memory(struct l2 *l, uint64_t now)
{
    if (l->want_puts && (l->through ? pin_get(&l->obs_mask) != 0 : bit_get(&l->obs)))
        note_puts(l, now);
    if (l->overwritten != NULL && bit_get(&l->obs))
        hd_overwritten_tell(l->overwritten, l->id, (unsigned)pin_get(&l->obs_src), (unsigned)pin_get(&l->obs_opid),
                            (uint32_t)pin_get(&l->obs_addr), l->obs_data);
    if (bit_get(&l->mrsp_credit) && !l->memory->answer_taken(l->channel))
        hd_tile_fault(&l->tile, "a credit came back for an answer never sent");
    if (!bit_get(&l->mreq_valid))
        return;
    bool write = pin_get(&l->mreq_write);
    if (!l->memory->push(l->channel, now, write, (uint32_t)pin_get(&l->mreq_addr), (uint8_t)pin_get(&l->mreq_tid),
                      l->mreq_data))
        hd_tile_fault(&l->tile, "a request was sent without a credit");
    if (l->tile.log.room > 0) {
        uint32_t sum = hd_port_log_sum(l->mreq_data, l->line_units, write, l->line_units);
        hd_port_log_put(&l->tile.log, now, HD_PORT_REQUEST, write, pin_get(&l->mreq_addr),
                        write ? 0 : pin_get(&l->mreq_tid), sum);
    }
    l->mem_writes += write;
    l->mem_reads += !write;
    l->tile.progress = now;
}

static inline void l2_before(struct l2 *l, uint64_t now)
{
    bool flush = l->flush_at <= now;

    if (flush)
        l->flush_at = HD_NEVER;
    bit_set(&l->flush, flush);
    bool clear = l->clear_at <= now;
    if (clear)
        l->clear_at = HD_NEVER;
    bit_set(&l->clear, clear);
    l2_drive_memory(l, now);
}

static ALWAYS_INLINE void l2_run(struct l2 *l, uint64_t from, uint64_t to, bool skip, bool profiled)
{
    for (uint64_t now = round_up(from, l->tile.clk_ratio); now < to; now += l->tile.clk_ratio) {
        begin(&l->tile, profiled, HD_SECTION_DRAM);
        l->memory->advance(l->channel, now);
        begin(&l->tile, profiled, HD_SECTION_REST);
        if (skip && *l->tile.idle) {
            uint64_t due = sooner(hd_link_due(l->up_link), hd_link_credit_due(l->down_link));
            due = sooner(due, sooner(sooner(l->flush_at, l->clear_at), l->memory->next(l->channel, now)));
            due = round_up(sooner(due, to), l->tile.clk_ratio);
            if (due > now) {
                count_skipped(&l->tile, (due - now) / l->tile.clk_ratio);
                now = due - l->tile.clk_ratio; /* the loop steps on; the channel must be advanced first */
                continue;
            }
        }
        begin(&l->tile, profiled, HD_SECTION_DRAM);
        l2_before(l, now);
        begin(&l->tile, profiled, HD_SECTION_LINKS);
        drive_in(&l->up, l->up_link, now);
        drive_out(&l->down, l->down_link, now);
        begin(&l->tile, profiled, HD_SECTION_L2);
        edge(&l->tile, now);
        begin(&l->tile, profiled, HD_SECTION_LINKS);
        if (read_out(&l->down, l->down_link, now))
            l->tile.progress = now;
        read_in(&l->up, l->up_link, now);
        begin(&l->tile, profiled, HD_SECTION_DRAM);
        l2_read_memory(l, now);
        begin(&l->tile, profiled, HD_SECTION_REST);
        count_events(&l->tile, now);
    }
}

static void run(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    struct l2 *l = (struct l2 *)t;

    (void)client;
    if (t->profile == NULL) {
        l2_run(l, from, to, skip, false);
        return;
    }
    hd_profile_enter(t->profile, HD_SECTION_REST);
    l2_run(l, from, to, skip, true);
    hd_profile_enter(t->profile, HD_SECTION_CHECKS);
}

void hd_l2_before(struct hd_tile *t, uint64_t now)
{
    struct l2 *l = (struct l2 *)t;

    l->memory->advance(l->channel, now);
    l2_before(l, now);
}

void hd_l2_after(struct hd_tile *t, uint64_t now)
{
    t->evaluated++;
    l2_read_memory((struct l2 *)t, now);
    count_events(t, now);
}

/* ---- between windows ---------------------------------------------------------------------------------------- */

/* Room for what can be written in @cycles. @return false: no memory. */
static bool room_for_puts(struct l2 *l, unsigned cycles)
{
    size_t room = l->puts.count + (size_t)(cycles + 1) * l->line_words;

    if (!l->want_puts || room <= l->puts.room)
        return true;
    struct hd_event *more = realloc(l->puts.event, 2 * room * sizeof *more);
    if (more == NULL)
        return false;
    l->puts.event = more;
    l->puts.room = 2 * room;
    return true;
}

static bool reserve(struct hd_tile *t, unsigned cycles)
{
    struct l2 *l = (struct l2 *)t;

    return room_for_puts(l, cycles) && l->memory->reserve(l->channel, cycles / t->clk_ratio + 1);
}

static struct hd_evlist *performed(struct hd_tile *t)
{
    struct l2 *l = (struct l2 *)t;

    l->want_puts |= l->performs && l->puts.room == 0;
    return l->performs && room_for_puts(l, l->window) ? &l->puts : NULL;
}

static void close_l2(struct hd_tile *t)
{
    free(((struct l2 *)t)->puts.event);
}

static bool busy(const struct hd_tile *t)
{
    const struct l2 *l = (const struct l2 *)t;

    return !*t->idle || !l->memory->idle(l->channel) || l->flush_at != HD_NEVER;
}

static void flush(struct hd_tile *t, uint64_t at)
{
    ((struct l2 *)t)->flush_at = at;
}

static void kernel(struct hd_tile *t, uint64_t at)
{
    ((struct l2 *)t)->clear_at = at;
}

static void drained(const struct hd_tile *t, struct hd_verdict *v)
{
    const struct l2 *l = (const struct l2 *)t;
    const struct hd_conserve_l2 all = {.events = t->events,
                                       .mem_reads = l->mem_reads,
                                       .mem_writes = l->mem_writes,
                                       .mem_answers = l->mem_answers,
                                       .idle = *t->idle,
                                       .memory_idle = l->memory->idle(l->channel),
                                       .up = l->up_link,
                                       .down = l->down_link,
                                       .words = l->words,
                                       .buffered = l->buffered,
                                       .nvw_entries = l->nvw_entries};

    hd_conserve_l2(v, t->name, &all);
}

/* What the tile owes and is owed, from the packets that went over its links. */
static void explain(const struct hd_tile *t, FILE *file)
{
    static const struct hd_link none;
    const struct l2 *l = (const struct l2 *)t;
    const uint64_t *ev = t->events;
    const uint64_t *in = l->up_link != NULL ? l->up_link->heads : none.heads;
    const uint64_t *out = l->down_link != NULL ? l->down_link->heads : none.heads;
    uint64_t requests = ev[HD_EV_L2_GETS] + ev[HD_EV_L2_GETM] + ev[HD_EV_L2_UPG] - ev[HD_EV_L2_GRANT];
    uint64_t acks = out[HD_MSG_INV] - in[HD_MSG_INV_ACK];
    uint64_t fetches = out[HD_MSG_FETCH] + out[HD_MSG_FETCH_INV] - in[HD_MSG_RSP_DATA] - in[HD_MSG_RSP_CLEAN]
                       - in[HD_MSG_RSP_NONE];

    if (*t->idle && requests == 0 && acks == 0 && fetches == 0 && l->memory->idle(l->channel))
        return;
    fprintf(file, "%s: %s; %" PRIu64 " requests accepted and not granted; waits for %" PRIu64
            " invalidation acks and %" PRIu64 " fetch answers; memory: %u requests queued, %u answers owed\n",
            t->name, *t->idle ? "idle" : "active", requests, acks, fetches, l->memory->queued(l->channel),
            l->memory->unanswered(l->channel));
}

static void state(struct hd_tile *t, struct hd_image *io)
{
    struct l2 *l = (struct l2 *)t;

    HD_IMAGE_MEMBERS(io, l, flush_at, mem_answers);
    l->memory->state(l->channel, io);
    if (l->overwritten != NULL && io->depth == HD_IMAGE_ALL)
        hd_overwritten_part_state(l->overwritten, l->id, io);
}

static void news(struct hd_tile *t, uint64_t from, struct hd_image *io)
{
    struct l2 *l = (struct l2 *)t;

    if (l->overwritten != NULL)
        hd_overwritten_news(l->overwritten, l->id, io);
    if (l->memory->news != NULL)
        l->memory->news(l->channel, io);
    if (!l->want_puts)
        return;
    uint64_t n = 0; /* performed stores may have waited in the list for many windows */
    while (n < l->puts.count && l->puts.event[l->puts.count - 1 - n].t_done >= (uint32_t)from)
        n++;
    hd_image_bytes(io, &n, sizeof n);
    for (; n > 0 && !io->bad; n--) {
        if (io->loading && !room_for_puts(l, l->window)) {
            io->bad = true;
            return;
        }
        hd_image_bytes(io, &l->puts.event[io->loading ? l->puts.count++ : l->puts.count - n], sizeof(struct hd_event));
    }
}

static uint32_t peek(const struct hd_tile *t, uint32_t addr)
{
    const struct l2 *l = (const struct l2 *)t;

    return l->memory->peek(l->channel, addr);
}

static bool poke(struct hd_tile *t, uint32_t addr, uint32_t value)
{
    const struct l2 *l = (const struct l2 *)t;

    return l->memory->poke(l->channel, addr, value);
}

static const struct hd_event_name event_names[] = {
    {"l2.gets", HD_EV_L2_GETS},                 {"l2.getm", HD_EV_L2_GETM},
    {"l2.upg", HD_EV_L2_UPG},                   {"l2.hit", HD_EV_L2_HIT},
    {"l2.miss", HD_EV_L2_MISS},                 {"l2.chained", HD_EV_L2_CHAINED},
    {"l2.stall", HD_EV_L2_STALL},               {"l2.putm", HD_EV_L2_PUTM},
    {"l2.pute", HD_EV_L2_PUTE},                 {"l2.inv_sent", HD_EV_L2_INV_SENT},
    {"l2.fetch_sent", HD_EV_L2_FETCH_SENT},     {"l2.recall", HD_EV_L2_RECALL},
    {"l2.mem_read", HD_EV_L2_MEM_READ},         {"l2.mem_write", HD_EV_L2_MEM_WRITE},
    {"l2.grant", HD_EV_L2_GRANT},               {"l2.ack_m", HD_EV_L2_ACK_M},
    {"l2.wt", HD_EV_L2_WT},                     {"l2.atomic", HD_EV_L2_ATOMIC},
    {"mac.request", HD_EV_L2_TYPE_REQ},         {"mac.invalidation", HD_EV_L2_TYPE_INV},
    {"mac.recall", HD_EV_L2_TYPE_RECALL},
};

/* Of machines with persist barriers. */
static const struct hd_event_name nvw_names[] = {
    {"persist.l2_lines_in", HD_EV_L2_NVW_PUSH},        {"persist.l2_lines_written", HD_EV_L2_NVW_POP},
    {"persist.l2_lines_stale", HD_EV_L2_NVW_STALE},    {"persist.l2_full_cycles", HD_EV_L2_NVW_FULL},
    {"persist.l2_drain_cycles", HD_EV_L2_NVW_DRAIN},   {"persist.l2_epoch_full_cycles", HD_EV_L2_EPOCH_FULL},
    {"persist.l2_epoch_wait_cycles", HD_EV_L2_EPOCH_WAIT},
};

static void counters(struct hd_tile *const *tiles, unsigned n, struct hd_counters *out)
{
    hd_tile_put_events(tiles, n, event_names, sizeof event_names / sizeof event_names[0], out);
    if (n > 0 && ((const struct l2 *)tiles[0])->nvw_entries > 0)
        hd_tile_put_events(tiles, n, nvw_names, sizeof nvw_names / sizeof nvw_names[0], out);
}

/* ---- the kind ----------------------------------------------------------------------------------------------- */

struct hd_tile *hd_l2_new(const struct hd_site *site, struct hd_link *up, struct hd_link *down,
                          const struct hd_memory *memory, void *channel, struct hd_overwritten *overwritten)
{
    struct l2 *l = hd_tile_new(&hd_l2_kind, sizeof *l, site);

    if (l == NULL)
        return NULL;
    snprintf(l->tile.name, sizeof l->tile.name, "L2 %u", site->number);
    l->up_link = up;
    l->down_link = down;
    l->memory = memory;
    l->channel = channel;
    l->overwritten = overwritten;
    if (!open_l2(l, site)) {
        hd_tile_free(&l->tile);
        return NULL;
    }
    return &l->tile;
}

const struct hd_tile_kind hd_l2_kind = {.log_name = "l2",
                                        .log_events = 2,
                                        .port = "memory port",
                                        .host_evaluated = "host.l2_evaluated",
                                        .host_skipped = "host.l2_skipped",
                                        .slice = {.idle = "l2_idle_o", .events = "ev_l2_o", .slow = true},
                                        .run = run,
                                        .reserve = reserve,
                                        .busy = busy,
                                        .flush = flush,
                                        .kernel = kernel,
                                        .performed = performed,
                                        .drained = drained,
                                        .explain = explain,
                                        .counters = counters,
                                        .state = state,
                                        .news = news,
                                        .peek = peek,
                                        .poke = poke,
                                        .close = close_l2};
