/* tile_sm.c - see tile_sm.h. */
#include "tile_sm.h"
#include "tile_parts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation of a warp the C side waits for. */
struct warp_op {
    bool active;
    uint8_t kind;               /* hd_op_e */
    uint8_t fn;
    uint8_t space;              /* hd_space_e */
    uint8_t lanes_asked;        /* number of lanes at the start */
    uint32_t addr;              /* of the lowest lane */
    hd_mask_t lanes;            /* still to be performed */
    hd_mask_t to_read;          /* of a copy: ... to be read */
    uint64_t since;             /* cycle offered (buffer) or taken */
};

struct warp {
    struct warp_op buffer;      /* offered, not taken */
    struct warp_op control;     /* fence, barrier, ... taken, not done */
    struct warp_op slot[HD_MAX_SLOTS];
};

struct sm {
    struct hd_tile tile;
    unsigned id, warps, lanes, slots, mshr; /* mshr: entries of its pending table */
    unsigned line_words, partitions;
    bool ghost, want_states, words, buffered;
    unsigned nvw_entries;       /* of its NVW-FIFO; 0: it has none */
    struct hd_pin op_valid, op_warp, op_kind, op_fn, op_space, op_order, op_scope, op_ro, op_alu, op_block, op_mask;
    uint32_t *op_addr, *op_data, *op_cmp;
    struct hd_pin taken, taken_warp, taken_slot;
    struct hd_pin cpl, cpl_warp, cpl_slot, cpl_last, cpl_mask;
    struct hd_pin cpl_status, cpl_tcm;
    const uint32_t *cpl_data;
    struct hd_pin ctl_done, ctl_clock, flush_done;
    struct hd_pin st, st_line, st_state;
    const uint32_t *dbg_mshr;   /* mshr bits */
    struct hd_pin dbg_ld, dbg_st, dbg_pipe, dbg_credit_home;
    struct hd_pin dbg_cause[4];
    bool want_stalls, local_tm;
    uint64_t stalls[HD_STALL_NUM], warp_cycles; /* by hd_stall_e, and all; with want_stalls */
    struct hd_tile_out up;
    struct hd_tile_in down;
    struct hd_link *up_link, *down_link;
    struct hd_fixed *fixed;     /* an ideal memory at the other end of the links; NULL: the chip */
    unsigned fixed_units;       /* 32-bit units of one of its answers */

    struct hd_overwritten *overwritten; /* tells what its stores overwrote; NULL: their completions do */
    uint32_t (*lane_addr)[HD_MAX_LANES]; /* then: by warp and slot, the buffer behind the slots */

    struct warp warp[HD_MAX_WARPS];
    bool flushing;              /* FLUSH offered, flush_done not seen */
    uint64_t offered, ops_taken, memory, completed, control, done, launches;
    struct hd_st_list states;   /* since the last coherence check */
};

static const uint64_t SM_WAITING = 1ull << HD_EV_SM_STALL_PIPE | 1ull << HD_EV_SM_ACCESS | 1ull << HD_EV_SM_REJECT
                                   | 1ull << HD_EV_SM_REJ_ENTRY | 1ull << HD_EV_SM_REJ_MERGE
                                   | 1ull << HD_EV_SM_REJ_CREDIT | 1ull << HD_EV_SM_REJ_QUEUE | 1ull << HD_EV_SM_REJ_LINE
                                   | 1ull << HD_EV_SM_NVW_FULL | 1ull << HD_EV_SM_NVW_DRAIN;

static bool open_sm(struct sm *s, const struct hd_site *site)
{
    const struct hd_config *c = site->c;
    struct binder b = hd_binder(&s->tile, "sm_tile");
    unsigned word_bits = 32 + c->ghost_bits;
    unsigned flit_units = c->flit_bytes / 4 * word_bits / 32;

    s->id = site->number;
    s->warps = c->warps;
    s->lanes = c->lanes;
    s->slots = c->scoreboard;
    s->line_words = c->line_bytes / 4;
    s->partitions = c->partitions;
    s->ghost = c->ghost_bits != 0;
    s->want_states = c->check_coherence;
    s->words = c->l1 == HD_FAMILY_DENOVO;
    s->buffered = c->persist == HD_PERSISTENCE_BUFFERED;
    s->nvw_entries = c->persist != HD_PERSISTENCE_OFF && c->l1 == HD_FAMILY_GPU ? c->nvw_l1 : 0;
    hd_bind_tile(&b, &s->tile, HD_EV_SM_NUM, c);
    s->op_valid = hd_bind_pin_of(&b, "op_", "valid_i", 1);
    s->op_warp = hd_bind_pin(&b, "op_", "warp_i");
    s->op_kind = hd_bind_pin(&b, "op_", "kind_i");
    s->op_fn = hd_bind_pin(&b, "op_", "fn_i");
    s->op_space = hd_bind_pin(&b, "op_", "space_i");
    s->op_order = hd_bind_pin(&b, "op_", "order_i");
    s->op_scope = hd_bind_pin(&b, "op_", "scope_i");
    s->op_ro = hd_bind_pin(&b, "op_", "ro_i");
    s->op_alu = hd_bind_pin(&b, "op_", "alu_i");
    s->op_block = hd_bind_pin(&b, "op_", "block_i");
    s->op_mask = hd_bind_pin_of(&b, "op_", "mask_i", c->lanes);
    s->op_addr = hd_bind(&b, "op_", "addr_i", c->lanes * 32);
    s->op_data = hd_bind(&b, "op_", "data_i", c->lanes * word_bits);
    s->op_cmp = hd_bind(&b, "op_", "cmp_i", c->lanes * 32);
    s->taken = hd_bind_pin_of(&b, "op_", "taken_o", 1);
    s->taken_warp = hd_bind_pin(&b, "op_", "taken_warp_o");
    s->taken_slot = hd_bind_pin(&b, "op_", "taken_slot_o");
    s->cpl = hd_bind_pin_of(&b, "cpl_", "valid_o", 1);
    s->cpl_warp = hd_bind_pin(&b, "cpl_", "warp_o");
    s->cpl_slot = hd_bind_pin(&b, "cpl_", "slot_o");
    s->cpl_last = hd_bind_pin(&b, "cpl_", "last_o");
    s->cpl_mask = hd_bind_pin_of(&b, "cpl_", "mask_o", c->lanes);
    s->cpl_status = hd_bind_pin(&b, "cpl_", "status_o");
    s->cpl_tcm = hd_bind_pin_of(&b, "cpl_", "tcm_o", c->lanes);
    s->local_tm = c->local_tm;
    s->cpl_data = hd_bind(&b, "cpl_", "data_o", c->lanes * word_bits);
    s->ctl_done = hd_bind_pin_of(&b, "ctl_", "done_o", c->warps);
    s->ctl_clock = hd_bind_pin_of(&b, "ctl_", "clock_o", 32);
    s->flush_done = hd_bind_pin_of(&b, "", "flush_done_o", 1);
    s->st = hd_bind_pin_of(&b, "st_", "valid_o", 1);
    s->st_line = hd_bind_pin(&b, "st_", "line_o");
    s->st_state = hd_bind_pin(&b, "st_", "state_o");
    s->mshr = hd_config_pending_entries(c);
    s->dbg_mshr = hd_bind(&b, "dbg_", "mshr_o", s->mshr);
    s->dbg_ld = hd_bind_pin_of(&b, "dbg_", "ld_o", c->warps);
    s->dbg_st = hd_bind_pin_of(&b, "dbg_", "st_o", c->warps);
    if (c->stall_causes) {
        static const char *const names[] = {"cause0_o", "cause1_o", "cause2_o", "cause3_o"};
        s->want_stalls = true;
        for (unsigned k = 0; k < 4; k++)
            s->dbg_cause[k] = hd_bind_pin_of(&b, "dbg_", names[k], c->warps);
    }
    s->dbg_pipe = hd_bind_pin(&b, "dbg_", "pipe_o");
    s->dbg_credit_home = hd_bind_pin(&b, "dbg_", "credit_home_o");
    if (b.slice == NULL) {
        hd_bind_out(&b, &s->up, "up_", 1, s->up_link->num_vn, flit_units);
        s->fixed_units = hd_fixed_units(c->line_bytes, word_bits / 32, c->lanes);
        hd_bind_in(&b, &s->down, "dn_", 1, s->down_link->num_vn, s->fixed != NULL ? s->fixed_units : flit_units);
    }
    struct hd_pin sm_id = hd_bind_pin(&b, "", "sm_id_i");
    struct hd_pin policy = hd_bind_pin(&b, "", "policy_i");
    if (!b.ok)
        return false;
    s->states = (struct hd_st_list){.event = calloc(site->window, sizeof *s->states.event), .room = site->window};
    if (s->overwritten != NULL)
        s->lane_addr = calloc(s->warps * (s->slots + 1), sizeof *s->lane_addr);
    if (s->states.event == NULL || (s->overwritten != NULL && s->lane_addr == NULL)) {
        fprintf(stderr, "heddle: out of memory\n");
        return false;
    }
    s->tile.progress_events = ~SM_WAITING;
    s->tile.level_events = 1ull << HD_EV_SM_STALL_PIPE;
    pin_set(&sm_id, s->id);
    pin_set(&policy, hd_config_policy(c));
    hd_tile_reset(&s->tile);
    return true;
}

static uint32_t *lane_addr(const struct sm *s, unsigned warp, unsigned slot)
{
    return s->lane_addr[warp * (s->slots + 1) + slot];
}

/* Keeps book of an operation that is about to be driven. @return false when it must not be. */
static bool note_offer(struct sm *s, uint64_t now, const struct hd_op *op)
{
    if (op->warp >= s->warps) {
        hd_tile_fault(&s->tile, "an operation of a warp slot that does not exist was offered");
        return false;
    }
    if (hd_op_class(op->kind) == HD_OPC_HOST) {
        s->flushing |= op->kind == HD_OP_FLUSH;
        s->launches += op->kind == HD_OP_LAUNCH;
        return true;
    }
    struct warp *w = &s->warp[op->warp];
    if (w->buffer.active) {
        hd_tile_fault(&s->tile, "an operation was offered before the warp's last one was taken");
        return false;
    }
    hd_mask_t lanes = hd_op_memory(op->kind) ? op->mask : 0;
    w->buffer = (struct warp_op){
        .active = true, .kind = op->kind, .fn = op->fn, .space = op->space, .lanes = lanes, .since = now};
    if (op->kind == HD_OP_COPY)
        w->buffer.to_read = lanes;
    w->buffer.lanes_asked = (uint8_t)__builtin_popcountll(lanes);
    if (lanes != 0)
        w->buffer.addr = op->addr[__builtin_ctzll(lanes)];
    if (lanes != 0 && s->overwritten != NULL && op->kind == HD_OP_STORE)
        memcpy(lane_addr(s, op->warp, s->slots), op->addr, s->lanes * sizeof op->addr[0]);
    s->offered++;
    return true;
}

static void drive_op(struct sm *s, const struct hd_op *op)
{
    size_t bytes = s->lanes * sizeof op->addr[0];

    pin_set(&s->op_warp, op->warp);
    pin_set(&s->op_kind, op->kind);
    pin_set(&s->op_fn, op->fn);
    pin_set(&s->op_space, op->space);
    pin_set(&s->op_order, op->order);
    pin_set(&s->op_scope, op->scope);
    pin_set(&s->op_ro, op->ro);
    pin_set(&s->op_alu, op->alu);
    pin_set(&s->op_block, op->block);
    pin_set(&s->op_mask, op->mask);
    if (!hd_op_memory(op->kind))
        return;
    memcpy(s->op_addr, op->addr, bytes);
    if (op->kind == HD_OP_LOAD)
        return;
    if (s->ghost) {
        for (unsigned i = 0; i < s->lanes; i++) {
            s->op_data[2 * i] = op->data[i];
            s->op_data[2 * i + 1] = op->ghost[i];
        }
    } else {
        memcpy(s->op_data, op->data, bytes);
    }
    if ((op->kind == HD_OP_ATOMIC && op->fn == HD_AT_CAS) || op->kind == HD_OP_COPY)
        memcpy(s->op_cmp, op->cmp, bytes);
}

static void read_taken(struct sm *s, uint64_t now, const struct hd_client *client)
{
    unsigned warp = (unsigned)pin_get(&s->taken_warp);
    unsigned slot = (unsigned)pin_get(&s->taken_slot);
    struct warp *w = &s->warp[warp % HD_MAX_WARPS];

    s->tile.progress = now;
    if (warp >= s->warps || !w->buffer.active) {
        hd_tile_fault(&s->tile, "an operation was taken that had not been offered");
        return;
    }
    bool memory = hd_op_memory(w->buffer.kind);
    struct warp_op *to = memory ? &w->slot[slot % HD_MAX_SLOTS] : &w->control;
    if ((memory && slot >= s->slots) || to->active) {
        hd_tile_fault(&s->tile, memory ? "an operation was taken into a scoreboard slot in use"
                                : "a control operation was taken before the warp's last one was done");
        return;
    }
    *to = w->buffer;
    to->since = now;
    if (s->overwritten != NULL && to->kind == HD_OP_STORE)
        memcpy(lane_addr(s, warp, slot), lane_addr(s, warp, s->slots), s->lanes * sizeof(uint32_t));
    w->buffer.active = false;
    s->ops_taken++;
    s->memory += memory;
    s->control += !memory;
    hd_port_log_put(&s->tile.log, now, HD_PORT_TAKEN, warp, slot, 0, 0);
    client->taken(client->ctx, s->id, now, warp, slot);
}

/* Words of a completed store, lane by lane, from what the L2 told. */
static void take_overwritten(struct sm *s, unsigned warp, unsigned slot, hd_mask_t mask, uint32_t *data,
                             uint32_t *ghost)
{
    const uint32_t *addr = lane_addr(s, warp, slot);
    unsigned opid = slot << HD_WARP_W | warp;
    const uint32_t *line = hd_overwritten_take(s->overwritten, s->id, opid, addr[__builtin_ctzll(mask)]);

    if (line == NULL) {
        hd_tile_fault(&s->tile, "a store was completed that no L2 had performed");
        return;
    }
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest), word = addr[lane] / 4 % s->line_words;
        data[lane] = line[2 * word];
        ghost[lane] = line[2 * word + 1];
    }
}

static void read_completion(struct sm *s, uint64_t now, const struct hd_client *client)
{
    static const uint32_t no_ghost[HD_MAX_LANES];
    unsigned warp = (unsigned)pin_get(&s->cpl_warp);
    unsigned slot = (unsigned)pin_get(&s->cpl_slot);
    bool last = pin_get(&s->cpl_last);
    hd_mask_t mask = pin_get(&s->cpl_mask);
    struct warp_op *op = &s->warp[warp % HD_MAX_WARPS].slot[slot % HD_MAX_SLOTS];

    s->tile.progress = now;
    if (warp >= s->warps || slot >= s->slots || !op->active) {
        hd_tile_fault(&s->tile, "a completion of an operation that is not outstanding");
        return;
    }
    bool read = op->kind == HD_OP_COPY && !(pin_get(&s->cpl_status) >> HD_STATUS_COPY & 1); /* not yet in the LDS */
    if ((mask & ~(read ? op->to_read : op->lanes & ~op->to_read)) != 0)
        hd_tile_fault(&s->tile, "a lane was completed twice, or was never asked for");
    if (read)
        op->to_read &= ~mask;
    else
        op->lanes &= ~mask;
    if (last != (op->lanes == 0))
        hd_tile_fault(&s->tile, last ? "the last completion of an operation came while lanes were missing"
                              : "all lanes were completed without a last completion");
    if (last) {
        op->active = false;
        s->completed++;
    }
    if (s->tile.log.room > 0) {
        unsigned units = s->ghost ? 2 : 1; /* without ghosts a store returns no words */
        bool elsewhere = op->kind == HD_OP_STORE && op->space == HD_SPACE_GLOBAL && s->overwritten != NULL;
        bool silent = op->kind == HD_OP_STORE || (op->kind == HD_OP_COPY && !read);
        hd_mask_t meant = elsewhere ? 0 : s->ghost || !silent ? mask : 0;
        uint32_t sum = hd_port_log_sum(s->cpl_data, s->lanes * units, meant, units);
        hd_port_log_put(&s->tile.log, now, HD_PORT_COMPLETE, warp, slot << 1 | last, mask, sum);
    }
    if (s->local_tm && client->status != NULL)
        client->status(client->ctx, s->id, warp, (unsigned)pin_get(&s->cpl_status), pin_get(&s->cpl_tcm));
    if (s->ghost) {
        uint32_t data[HD_MAX_LANES], ghost[HD_MAX_LANES];
        for (unsigned i = 0; i < s->lanes; i++) {
            data[i] = s->cpl_data[2 * i];
            ghost[i] = s->cpl_data[2 * i + 1];
        }
        if (s->overwritten != NULL && op->kind == HD_OP_STORE && op->space == HD_SPACE_GLOBAL && mask != 0)
            take_overwritten(s, warp, slot, mask, data, ghost);
        client->complete(client->ctx, s->id, now, warp, slot, last, mask, data, ghost);
    } else {
        client->complete(client->ctx, s->id, now, warp, slot, last, mask, s->cpl_data, no_ghost);
    }
}

static void read_control_done(struct sm *s, uint64_t now, const struct hd_client *client, uint64_t warps)
{
    bool read_clock = false;

    s->tile.progress = now;
    for (uint64_t rest = warps; rest != 0; rest &= rest - 1) {
        struct warp_op *op = &s->warp[__builtin_ctzll(rest)].control;
        if (!op->active)
            hd_tile_fault(&s->tile, "a control operation was done that had not been taken");
        op->active = false;
        read_clock |= op->kind == HD_OP_CLOCK;
        s->done++;
    }
    uint32_t clock = (uint32_t)pin_get(&s->ctl_clock);
    hd_port_log_put(&s->tile.log, now, HD_PORT_CONTROL, warps, read_clock ? clock : 0, 0, 0);
    client->ctl_done(client->ctx, s->id, now, warps, clock);
}

static void read_state(struct sm *s, uint64_t now)
{
    hd_port_log_put(&s->tile.log, now, HD_PORT_STATE, pin_get(&s->st_line), pin_get(&s->st_state), 0, 0);
    if (!s->want_states)
        return;
    s->states.event[s->states.count++] = (struct hd_st_event){
        .cycle = now, .line = (uint32_t)pin_get(&s->st_line), .state = (uint8_t)pin_get(&s->st_state)};
}

/* For @edges edges each warp had the cause the tile shows. */
static void count_stalls(struct sm *s, uint64_t edges)
{
    uint64_t all = s->warps == 64 ? ~0ull : (1ull << s->warps) - 1, bits[4];

    s->warp_cycles += edges * s->warps;
    for (unsigned k = 0; k < 4; k++)
        bits[k] = pin_get(&s->dbg_cause[k]);
    for (unsigned cause = 0; cause < HD_STALL_NUM; cause++) {
        uint64_t warps = all;
        for (unsigned k = 0; k < 4; k++)
            warps &= cause >> k & 1 ? bits[k] : ~bits[k];
        s->stalls[cause] += edges * (unsigned)__builtin_popcountll(warps);
    }
}

static inline void sm_skipped(struct sm *s, uint64_t edges)
{
    count_skipped(&s->tile, edges);
    if (s->want_stalls)
        count_stalls(s, edges);
}

/* @return the operation to drive, or NULL. */
static inline const struct hd_op *next_op(struct sm *s, uint64_t now, const struct hd_client *client)
{
    const struct hd_op *op = client->offer(client->ctx, s->id, now);

    if (op == NULL || !note_offer(s, now, op))
        return NULL;
    hd_port_log_put(&s->tile.log, now, HD_PORT_OFFER, op->warp, op->kind, 0, 0);
    return op;
}

static inline void sm_drive(struct sm *s, const struct hd_op *op)
{
    bit_set(&s->op_valid, op != NULL);
    if (op != NULL)
        drive_op(s, op);
}

static inline void sm_read(struct sm *s, uint64_t now, const struct hd_client *client)
{
    if (bit_get(&s->taken))
        read_taken(s, now, client);
    if (bit_get(&s->cpl))
        read_completion(s, now, client);
    uint64_t done = pin_get(&s->ctl_done);
    if (done != 0)
        read_control_done(s, now, client, done);
    if (bit_get(&s->flush_done)) {
        s->tile.progress = now;
        s->flushing = false;
        hd_port_log_put(&s->tile.log, now, HD_PORT_FLUSHED, 0, 0, 0, 0);
        client->flush_done(client->ctx, s->id, now);
    }
    if (bit_get(&s->st))
        read_state(s, now);
    count_events(&s->tile, now);
    if (s->want_stalls)
        count_stalls(s, 1);
}

/* The wide down link of an ideal memory; every answer is a packet of one beat. */
static inline void drive_fixed(struct sm *s, uint64_t now)
{
    const uint32_t *packet = hd_fixed_answer(s->fixed, now);

    bit_set(&s->down.valid, packet != NULL);
    if (packet == NULL)
        return;
    pin_set(&s->down.vn, 0);
    pin_set(&s->down.tail, 1);
    memcpy(s->down.flit, packet, s->fixed_units * sizeof packet[0]);
}

/* @fixed, a constant where this is inlined: s->fixed is there. */
static ALWAYS_INLINE void sm_run(struct sm *s, uint64_t from, uint64_t to, const struct hd_client *client, bool skip,
                                 bool profiled, bool fixed)
{
    for (uint64_t now = from; now < to; now++) {
        bool may_skip = skip && *s->tile.idle;
        uint64_t input = HD_NEVER;
        if (may_skip) {
            input = sooner(fixed ? hd_fixed_due(s->fixed) : hd_link_due(s->down_link), hd_link_credit_due(s->up_link));
            uint64_t next = sooner(sooner(input, client->wake(client->ctx, s->id, now)), to);
            if (next > now) {
                sm_skipped(s, next - now);
                now = next;
            }
            if (now == to)
                return;
        }
        const struct hd_op *op = next_op(s, now, client);
        if (op == NULL && may_skip && input > now) {
            sm_skipped(s, 1);
            continue;
        }
        sm_drive(s, op);
        begin(&s->tile, profiled, HD_SECTION_LINKS);
        if (fixed)
            drive_fixed(s, now);
        else
            drive_in(&s->down, s->down_link, now);
        drive_out(&s->up, s->up_link, now);
        begin(&s->tile, profiled, HD_SECTION_SM);
        edge(&s->tile, now);
        begin(&s->tile, profiled, HD_SECTION_REST);
        sm_read(s, now, client);
        begin(&s->tile, profiled, HD_SECTION_LINKS);
        if (read_out(&s->up, s->up_link, now))
            s->tile.progress = now;
        if (!fixed)
            read_in(&s->down, s->down_link, now);
        else if (bit_get(&s->down.credit))
            hd_fixed_credit(s->fixed);
        begin(&s->tile, profiled, HD_SECTION_REST);
    }
}

static void run(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    struct sm *s = (struct sm *)t;

    if (s->fixed != NULL) {
        sm_run(s, from, to, client, skip, false, true);
        return;
    }
    if (t->profile == NULL) {
        sm_run(s, from, to, client, skip, false, false);
        return;
    }
    hd_profile_enter(t->profile, HD_SECTION_REST);
    sm_run(s, from, to, client, skip, true, false);
    hd_profile_enter(t->profile, HD_SECTION_CHECKS);
}

void hd_sm_before(struct hd_tile *t, uint64_t now, const struct hd_client *client)
{
    struct sm *s = (struct sm *)t;

    sm_drive(s, next_op(s, now, client));
}

void hd_sm_after(struct hd_tile *t, uint64_t now, const struct hd_client *client)
{
    t->evaluated++;
    sm_read((struct sm *)t, now, client);
}

/* ---- the tile's own view ------------------------------------------------------------------------------------ */

static bool outstanding(const struct sm *s)
{
    return s->flushing || s->offered != s->ops_taken || s->memory != s->completed || s->control != s->done;
}

static unsigned mshr_busy(const struct sm *s)
{
    const uint8_t *bytes = (const uint8_t *)s->dbg_mshr; /* little endian, whatever type the port has */
    unsigned n = 0;

    for (unsigned entry = 0; entry < s->mshr; entry++)
        n += bytes[entry / 8] >> entry % 8 & 1;
    return n;
}

static bool busy(const struct hd_tile *t)
{
    return !*t->idle || outstanding((const struct sm *)t);
}

static uint64_t wake(const struct hd_tile *t, const struct hd_client *client, uint64_t now)
{
    return client->wake(client->ctx, t->number, now);
}

static struct hd_st_list *states(struct hd_tile *t)
{
    return &((struct sm *)t)->states;
}

static void drained(const struct hd_tile *t, struct hd_verdict *v)
{
    const struct sm *s = (const struct sm *)t;
    const struct hd_conserve_sm all = {.events = t->events,
                                       .offered = s->offered,
                                       .taken = s->ops_taken,
                                       .memory = s->memory,
                                       .completed = s->completed,
                                       .control = s->control,
                                       .done = s->done,
                                       .idle = *t->idle,
                                       .mshr_busy = mshr_busy(s),
                                       .pending = (pin_get(&s->dbg_ld) | pin_get(&s->dbg_st)) != 0,
                                       .credits_home = pin_get(&s->dbg_credit_home),
                                       .stalls = s->want_stalls ? s->stalls : NULL,
                                       .warp_cycles = s->warp_cycles,
                                       .up = s->up_link,
                                       .down = s->down_link,
                                       .words = s->words,
                                       .buffered = s->buffered,
                                       .nvw_entries = s->nvw_entries};

    hd_conserve_sm(v, t->name, &all);
}

/* ---- explanation -------------------------------------------------------------------------------------------- */

static const char *op_name(unsigned kind)
{
#define NAME(name, value) [value] = #name,
    static const char *const names[] = {HD_OP_LIST(NAME)};
#undef NAME
    return kind < sizeof names / sizeof names[0] && names[kind] != NULL ? names[kind] : "?";
}

static void explain_op(const struct sm *s, FILE *file, const struct warp_op *op)
{
    fprintf(file, "%s", op_name(op->kind));
    if (op->lanes_asked > 0) {
        uint32_t line = op->addr / 4 / s->line_words;
        fprintf(file, ", first address 0x%08" PRIx32 " (line 0x%" PRIx32 ", partition %u), %d of %u lanes missing",
                op->addr, line, line & (s->partitions - 1), __builtin_popcountll(op->lanes), op->lanes_asked);
    }
    fprintf(file, ", since cycle %" PRIu64 "\n", op->since);
}

static void explain(const struct hd_tile *t, FILE *file)
{
    const struct sm *s = (const struct sm *)t;
    uint64_t loads = pin_get(&s->dbg_ld), stores = pin_get(&s->dbg_st);
    unsigned entries = mshr_busy(s);

    if (*t->idle && !outstanding(s) && entries == 0)
        return;
    fprintf(file, "%s: %s; %u of %u MSHR entries in use%s%s%s\n", t->name, *t->idle ? "idle" : "active", entries,
            s->mshr, pin_get(&s->dbg_pipe) ? "; an access waits in front of the L1" : "",
            pin_get(&s->dbg_credit_home) ? "" : "; up credits missing", s->flushing ? "; flushing" : "");
    for (unsigned w = 0; w < s->warps; w++) {
        const struct warp *warp = &s->warp[w];
        if (warp->buffer.active) {
            fprintf(file, "  warp %u waits to issue%s%s: ", w, loads >> w & 1 ? " (has pending loads)" : "",
                    stores >> w & 1 ? " (has pending stores)" : "");
            explain_op(s, file, &warp->buffer);
        }
        if (warp->control.active) {
            fprintf(file, "  warp %u waits for %s: ", w,
                    warp->control.kind == HD_OP_BARRIER ? "its block" : "its earlier operations");
            explain_op(s, file, &warp->control);
        }
        for (unsigned slot = 0; slot < s->slots; slot++) {
            if (warp->slot[slot].active) {
                fprintf(file, "  warp %u slot %u waits for memory: ", w, slot);
                explain_op(s, file, &warp->slot[slot]);
            }
        }
    }
}

/* ---- counters ----------------------------------------------------------------------------------------------- */

static const struct hd_event_name event_names[] = {
    {"sm.issue_alu", HD_EV_SM_ISSUE_ALU},       {"sm.issue_mem", HD_EV_SM_ISSUE_MEM},
    {"sm.issue_ctl", HD_EV_SM_ISSUE_CTL},       {"sm.stall_pipe", HD_EV_SM_STALL_PIPE},
    {"l1.access", HD_EV_SM_ACCESS},             {"l1.hit", HD_EV_SM_HIT},
    {"l1.miss", HD_EV_SM_MISS},                 {"l1.merge", HD_EV_SM_MERGE},
    {"l1.reject", HD_EV_SM_REJECT},             {"l1.reject_entry", HD_EV_SM_REJ_ENTRY},
    {"l1.reject_merge", HD_EV_SM_REJ_MERGE},    {"l1.reject_credit", HD_EV_SM_REJ_CREDIT},
    {"l1.reject_queue", HD_EV_SM_REJ_QUEUE},    {"l1.reject_line", HD_EV_SM_REJ_LINE},
    {"lds.access", HD_EV_SM_LDS},               {"lds.conflict_cycles", HD_EV_SM_LDS_CONFLICT},
    {"lds.tm_pass", HD_EV_SM_TM_PASS},          {"lds.tm_owner", HD_EV_SM_TM_OWNER},
    {"lds.tm_aside", HD_EV_SM_TM_ASIDE},        {"lds.tm_walk_lost", HD_EV_SM_TM_LOST},
    {"lds.tm_walk_commit", HD_EV_SM_TM_KEPT},   {"lds.tm_walk_alone", HD_EV_SM_TM_ALONE},
    {"lds.tm_begin", HD_EV_SM_TM_BEGIN},        {"lds.tm_commit", HD_EV_SM_TM_COMMIT},
    {"lds.copy", HD_EV_SM_COPY},
    {"l1.store", HD_EV_SM_ACC_STORE},           {"l1.atomic", HD_EV_SM_ACC_ATOMIC},
    {"l1.fill", HD_EV_SM_FILL},
    {"l1.replay", HD_EV_SM_REPLAY},             {"l1.evict_clean", HD_EV_SM_EVICT_CLEAN},
    {"l1.evict_dirty", HD_EV_SM_EVICT_DIRTY},   {"l1.inv", HD_EV_SM_INV},
    {"l1.fetch", HD_EV_SM_FETCH},               {"l1.upgrade", HD_EV_SM_UPGRADE},
    {"l1.lost_copy", HD_EV_SM_LOST_COPY},       {"l1.rmw_lane", HD_EV_SM_RMW_LANE},
    {"l1.prefetch", HD_EV_SM_PREFETCH},         {"l1.prefetch_drop", HD_EV_SM_PF_DROP},
    {"l1.write_through", HD_EV_SM_WT},
    {"l1.write_dirty", HD_EV_SM_WT_DIRTY},
    {"l1.acquire", HD_EV_SM_ACQUIRE},           {"l1.release", HD_EV_SM_MARKER},
    {"l1.sync", HD_EV_SM_SYNC},                 {"l1.registration", HD_EV_SM_REG},
    {"l1.writeback", HD_EV_SM_WB},              {"l1.forward", HD_EV_SM_FWD},
    {"l1.nack", HD_EV_SM_NACK},                 {"l1.retry", HD_EV_SM_RETRY},
    {"l1.waiter", HD_EV_SM_WAITER},             {"l1.pass", HD_EV_SM_PASS},
    {"order.queued", HD_EV_SM_ORD_QUEUED},      {"order.safe", HD_EV_SM_ORD_SAFE},
    {"order.unsafe", HD_EV_SM_ORD_UNSAFE},      {"order.marker", HD_EV_SM_ORD_MARKER},
    {"order.type_request", HD_EV_SM_ORD_ASK},   {"order.invalidation", HD_EV_SM_ORD_INVAL},
    {"order.conflict", HD_EV_SM_ORD_CONFLICT},
};

/* Of machines with an NVW-FIFO in the L1. */
static const struct hd_event_name nvw_names[] = {
    {"persist.l1_lines_in", HD_EV_SM_NVW_PUSH},     {"persist.l1_lines_written", HD_EV_SM_NVW_POP},
    {"persist.l1_lines_stale", HD_EV_SM_NVW_STALE}, {"persist.l1_full_cycles", HD_EV_SM_NVW_FULL},
    {"persist.l1_drain_cycles", HD_EV_SM_NVW_DRAIN},
};

/* Of hd_stall_e: warp-cycles, of all SMs. */
static const char *const stall_names[HD_STALL_NUM] = {
    [HD_STALL_EMPTY] = "stall.empty",   [HD_STALL_ISSUED] = "stall.none_issued", [HD_STALL_FRONT] = "stall.front",
    [HD_STALL_DATA] = "stall.data",     [HD_STALL_QUEUED] = "stall.data_queued", [HD_STALL_BARRIER] = "stall.barrier",
    [HD_STALL_SELECT] = "stall.select", [HD_STALL_PIPE] = "stall.pipe",          [HD_STALL_SLOTS] = "stall.slots",
    [HD_STALL_HOLD] = "stall.hold",     [HD_STALL_ORDER] = "stall.order",        [HD_STALL_SYNC] = "stall.sync",
    [HD_STALL_TOKEN] = "stall.token",   [HD_STALL_GAP] = "stall.gap",
};

static void counters(struct hd_tile *const *tiles, unsigned n, struct hd_counters *out)
{
    uint64_t taken = 0, memory = 0, control = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct sm *s = (const struct sm *)tiles[i];
        taken += s->ops_taken;
        memory += s->memory;
        control += s->control;
    }
    hd_counters_put(out, "sm.ops", taken);
    hd_counters_put(out, "sm.ops_memory", memory);
    hd_counters_put(out, "sm.ops_control", control);
    hd_tile_put_events(tiles, n, event_names, sizeof event_names / sizeof event_names[0], out);
    if (n > 0 && ((const struct sm *)tiles[0])->nvw_entries > 0)
        hd_tile_put_events(tiles, n, nvw_names, sizeof nvw_names / sizeof nvw_names[0], out);
    for (unsigned cause = 0; n > 0 && ((const struct sm *)tiles[0])->want_stalls && cause < HD_STALL_NUM; cause++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += ((const struct sm *)tiles[i])->stalls[cause];
        if (stall_names[cause] != NULL) /* NULL: a cause that no hardware has yet */
            hd_counters_put(out, stall_names[cause], sum);
    }
}

/* ---- the kind ----------------------------------------------------------------------------------------------- */

static void state(struct hd_tile *t, struct hd_image *io)
{
    struct sm *s = (struct sm *)t;

    HD_IMAGE_MEMBERS(io, s, stalls, warp_cycles);
    HD_IMAGE_MEMBERS(io, s, offered, launches);
    if (io->depth > HD_IMAGE_COUNTS)
        HD_IMAGE_MEMBERS(io, s, warp, flushing);
    if (s->overwritten == NULL || io->depth != HD_IMAGE_ALL)
        return;
    hd_image_bytes(io, s->lane_addr, s->warps * (s->slots + 1) * sizeof *s->lane_addr);
    hd_overwritten_sm_state(s->overwritten, s->id, io);
}

static void close_sm(struct hd_tile *t)
{
    struct sm *s = (struct sm *)t;

    free(s->states.event);
    free(s->lane_addr);
}

struct hd_tile *hd_sm_new(const struct hd_site *site, struct hd_link *up, struct hd_link *down, struct hd_fixed *fixed,
                          struct hd_overwritten *overwritten)
{
    struct sm *s = hd_tile_new(&hd_sm_kind, sizeof *s, site);

    if (s == NULL)
        return NULL;
    snprintf(s->tile.name, sizeof s->tile.name, "SM %u", site->number);
    s->up_link = up;
    s->down_link = down;
    s->fixed = fixed;
    s->overwritten = overwritten;
    if (!open_sm(s, site)) {
        hd_tile_free(&s->tile);
        return NULL;
    }
    return &s->tile;
}

const struct hd_tile_kind hd_sm_kind = {.log_name = "sm",
                                        .log_events = 6,
                                        .port = "warp port",
                                        .host_evaluated = "host.sm_evaluated",
                                        .host_skipped = "host.sm_skipped",
                                        .slice = {.idle = "sm_idle_o", .events = "ev_sm_o"},
                                        .run = run,
                                        .busy = busy,
                                        .wake = wake,
                                        .states = states,
                                        .drained = drained,
                                        .explain = explain,
                                        .counters = counters,
                                        .state = state,
                                        .close = close_sm};
