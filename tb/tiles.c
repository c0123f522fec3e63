/* tiles.c - see tiles.h. */
#include "tiles.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ports ------------------------------------------------------------------------------------------------ */

static inline void pin_set(const struct hd_pin *p, uint64_t value)
{
    switch (p->bytes) {
    case 1:
        *(uint8_t *)p->at = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)p->at = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)p->at = (uint32_t)value;
        break;
    default:
        *(uint64_t *)p->at = value;
        break;
    }
}

static inline uint64_t pin_get(const struct hd_pin *p)
{
    switch (p->bytes) {
    case 1:
        return *(const uint8_t *)p->at;
    case 2:
        return *(const uint16_t *)p->at;
    case 4:
        return *(const uint32_t *)p->at;
    default:
        return *(const uint64_t *)p->at;
    }
}

/* The same for a port of one bit, which is a byte. */
static inline bool bit_get(const struct hd_pin *p)
{
    return *(const uint8_t *)p->at;
}

static inline void bit_set(const struct hd_pin *p, bool value)
{
    *(uint8_t *)p->at = value;
}

/* Collects ports; one failure is enough to refuse the model. */
struct binder {
    struct hd_model *model;
    struct hd_slice *slice;
    const char *tile;
    bool ok;
};

static struct binder binder_of(const struct hd_tile *t, struct hd_model *model, const char *tile)
{
    return (struct binder){.model = model, .slice = t->slice, .tile = tile, .ok = true};
}

static void *port(struct binder *b, const char *prefix, const char *name, unsigned width)
{
    char full[64];
    void *at;

    snprintf(full, sizeof full, "%s%s", prefix, name);
    if (b->slice != NULL) {
        unsigned found = 0;
        at = hd_slice_port(b->slice, full, &found);
        if (at == NULL || found != width) {
            fprintf(stderr, "%s: the flat model has no port %s of %u bits\n", b->tile, full, width);
            at = NULL;
        }
    } else {
        at = hd_model_port_of_width(b->model, full, width);
    }
    if (at == NULL)
        b->ok = false;
    return at;
}

static struct hd_pin pin_of(void *at, unsigned width)
{
    return (struct hd_pin){at, width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8};
}

/* A small port whose width is the tile's business. */
static struct hd_pin pin(struct binder *b, const char *prefix, const char *name)
{
    char full[64];
    unsigned width = 0;

    snprintf(full, sizeof full, "%s%s", prefix, name);
    void *at = b->slice != NULL ? hd_slice_port(b->slice, full, &width) : hd_model_port(b->model, full, &width);
    if (at == NULL || width > 64) {
        fprintf(stderr, "%s: the model has no port %s of at most 64 bits\n", b->tile, full);
        b->ok = false;
    }
    return pin_of(at, width);
}

static struct hd_pin pin_of_width(struct binder *b, const char *prefix, const char *name, unsigned width)
{
    return pin_of(port(b, prefix, name, width), width);
}

static void bind_in(struct binder *b, struct hd_tile_in *in, const char *prefix, unsigned links, unsigned num_vn,
                    unsigned flit_units)
{
    in->valid = pin_of_width(b, prefix, "valid_i", links);
    in->vn = pin_of_width(b, prefix, "vn_i", links * HD_VN_W);
    in->tail = pin_of_width(b, prefix, "tail_i", links);
    in->credit = pin_of_width(b, prefix, "credit_o", links * num_vn);
    in->flit = port(b, prefix, "flit_i", links * flit_units * 32);
}

static void bind_out(struct binder *b, struct hd_tile_out *out, const char *prefix, unsigned links, unsigned num_vn,
                     unsigned flit_units)
{
    out->valid = pin_of_width(b, prefix, "valid_o", links);
    out->vn = pin_of_width(b, prefix, "vn_o", links * HD_VN_W);
    out->tail = pin_of_width(b, prefix, "tail_o", links);
    out->credit = pin_of_width(b, prefix, "credit_i", links * num_vn);
    out->flit = port(b, prefix, "flit_o", links * flit_units * 32);
}

static void bind_tile(struct binder *b, struct hd_tile *t, unsigned events, const struct hd_config *c)
{
    t->profile = c->profile;
    t->model = b->model;
    t->clk = port(b, "", "clk_i", 1);
    t->rst = port(b, "", "rst_i", 1);
    t->idle = port(b, "", "idle_o", 1);
    t->now = b->slice != NULL ? (struct hd_pin){0} : pin(b, "", "now_i");
    t->ev = pin_of_width(b, "", "ev_o", events);
}

/* ---- one edge --------------------------------------------------------------------------------------------- */

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* In a profiled run (a constant where this is inlined): section @s of the host's time begins. */
static ALWAYS_INLINE void begin(const struct hd_tile *t, bool profiled, enum hd_section s)
{
    if (profiled)
        hd_profile_enter(t->profile, s);
}

/* Settles the inputs while the clock is low if the model needs it (assertions look at what was there before the edge),
 * then raises it and leaves it high: outputs are registers and can be read until the next edge. */
static inline void edge(struct hd_tile *t, uint64_t now)
{
    pin_set(&t->now, now);
    bool dump = t->wave && now >= t->wave_from && now <= t->wave_to;
    if (hd_model_two_phases(t->model)) {
        *t->clk = 0;
        hd_model_eval(t->model);
        if (dump)
            hd_model_trace_dump(t->model, 2 * now);
    }
    *t->clk = 1;
    hd_model_rise(t->model);
    if (dump)
        hd_model_trace_dump(t->model, 2 * now + 1);
    t->evaluated++;
}

static void reset(struct hd_tile *t)
{
    bool wave = t->wave;

    if (t->slice != NULL)
        return; /* the chip was reset as a whole */
    t->wave = false;
    *t->rst = 1;
    edge(t, 0);
    edge(t, 0);
    *t->rst = 0;
    t->wave = wave;
    t->wave_to = HD_NEVER;
    t->evaluated = 0;
}

static inline void count_events(struct hd_tile *t, uint64_t now)
{
    uint64_t pulses = pin_get(&t->ev);

    if (pulses & t->progress_events)
        t->progress = now;
    for (; pulses != 0; pulses &= pulses - 1)
        t->events[__builtin_ctzll(pulses)]++;
}

/* @edges were left out at an idle tile: what it is waiting for, it was waiting for all the time. */
static inline void count_skipped(struct hd_tile *t, uint64_t edges)
{
    uint64_t levels = pin_get(&t->ev) & t->level_events;

    for (; levels != 0; levels &= levels - 1)
        t->events[__builtin_ctzll(levels)] += edges;
}

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* @ratio is a power of two. */
static inline uint64_t round_up(uint64_t cycle, unsigned ratio)
{
    return cycle > HD_NEVER - ratio ? cycle : (cycle + ratio - 1) & -(uint64_t)ratio;
}

static void fault(const char **where, const char *what)
{
    if (*where == NULL)
        *where = what;
}

/* ---- single link ports (SM and L2 tiles) -------------------------------------------------------------------- */

static inline void drive_in(struct hd_tile_in *in, struct hd_link *l, uint64_t now)
{
    const struct hd_flit *f = hd_link_receive(l, now);

    bit_set(&in->valid, f != NULL);
    if (f == NULL)
        return;
    pin_set(&in->vn, f->vn);
    pin_set(&in->tail, f->tail);
    hd_flit_copy(in->flit, f->words, l->flit_units);
}

static inline void read_in(const struct hd_tile_in *in, struct hd_link *l, uint64_t now)
{
    uint64_t credits = pin_get(&in->credit);

    if (credits != 0)
        hd_link_send_credits(l, now, (uint32_t)credits);
}

static inline void drive_out(struct hd_tile_out *out, struct hd_link *l, uint64_t now)
{
    pin_set(&out->credit, hd_link_credits(l, now));
}

/* @return true when a flit was sent. */
static inline bool read_out(const struct hd_tile_out *out, struct hd_link *l, uint64_t now)
{
    if (!bit_get(&out->valid))
        return false;
    hd_link_send(l, now, (unsigned)pin_get(&out->vn), pin_get(&out->tail), out->flit);
    return true;
}

/* ---- SM tile ---------------------------------------------------------------------------------------------- */

static const uint64_t SM_WAITING = 1ull << HD_EV_SM_STALL_PIPE | 1ull << HD_EV_SM_ACCESS | 1ull << HD_EV_SM_REJECT
                                   | 1ull << HD_EV_SM_REJ_ENTRY | 1ull << HD_EV_SM_REJ_MERGE
                                   | 1ull << HD_EV_SM_REJ_CREDIT | 1ull << HD_EV_SM_REJ_QUEUE | 1ull << HD_EV_SM_REJ_LINE;

bool hd_sm_open(struct hd_sm *s, struct hd_model *model, unsigned id, const struct hd_config *c)
{
    struct binder b = binder_of(&s->tile, model, "sm_tile");
    unsigned word_bits = 32 + c->ghost_bits;
    unsigned flit_units = HD_FLIT_WORDS * word_bits / 32;

    s->id = id;
    s->warps = c->warps;
    s->lanes = c->lanes;
    s->slots = c->scoreboard;
    s->line_words = c->line_bytes / 4;
    s->ghost = c->ghost_bits != 0;
    s->want_states = c->check_coherence;
    bind_tile(&b, &s->tile, HD_EV_SM_NUM, c);
    s->op_valid = pin_of_width(&b, "op_", "valid_i", 1);
    s->op_warp = pin(&b, "op_", "warp_i");
    s->op_kind = pin(&b, "op_", "kind_i");
    s->op_fn = pin(&b, "op_", "fn_i");
    s->op_space = pin(&b, "op_", "space_i");
    s->op_order = pin(&b, "op_", "order_i");
    s->op_scope = pin(&b, "op_", "scope_i");
    s->op_ro = pin(&b, "op_", "ro_i");
    s->op_alu = pin(&b, "op_", "alu_i");
    s->op_block = pin(&b, "op_", "block_i");
    s->op_mask = pin_of_width(&b, "op_", "mask_i", c->lanes);
    s->op_addr = port(&b, "op_", "addr_i", c->lanes * 32);
    s->op_data = port(&b, "op_", "data_i", c->lanes * word_bits);
    s->op_cmp = port(&b, "op_", "cmp_i", c->lanes * 32);
    s->taken = pin_of_width(&b, "op_", "taken_o", 1);
    s->taken_warp = pin(&b, "op_", "taken_warp_o");
    s->taken_slot = pin(&b, "op_", "taken_slot_o");
    s->cpl = pin_of_width(&b, "cpl_", "valid_o", 1);
    s->cpl_warp = pin(&b, "cpl_", "warp_o");
    s->cpl_slot = pin(&b, "cpl_", "slot_o");
    s->cpl_last = pin(&b, "cpl_", "last_o");
    s->cpl_mask = pin_of_width(&b, "cpl_", "mask_o", c->lanes);
    s->cpl_data = port(&b, "cpl_", "data_o", c->lanes * word_bits);
    s->ctl_done = pin_of_width(&b, "ctl_", "done_o", c->warps);
    s->ctl_clock = pin_of_width(&b, "ctl_", "clock_o", 32);
    s->flush_done = pin_of_width(&b, "", "flush_done_o", 1);
    s->st = pin_of_width(&b, "st_", "valid_o", 1);
    s->st_line = pin(&b, "st_", "line_o");
    s->st_state = pin(&b, "st_", "state_o");
    s->mshr = hd_config_pending_entries(c);
    s->dbg_mshr = port(&b, "dbg_", "mshr_o", s->mshr);
    s->dbg_ld = pin_of_width(&b, "dbg_", "ld_o", c->warps);
    s->dbg_st = pin_of_width(&b, "dbg_", "st_o", c->warps);
    if (c->stall_causes) {
        static const char *const names[] = {"cause0_o", "cause1_o", "cause2_o", "cause3_o"};
        s->want_stalls = true;
        for (unsigned k = 0; k < 4; k++)
            s->dbg_cause[k] = pin_of_width(&b, "dbg_", names[k], c->warps);
    }
    s->dbg_pipe = pin(&b, "dbg_", "pipe_o");
    s->dbg_credit_home = pin(&b, "dbg_", "credit_home_o");
    if (b.slice == NULL) {
        bind_out(&b, &s->up, "up_", 1, 2, flit_units);
        s->fixed_units = hd_fixed_units(c->line_bytes, word_bits / 32);
        bind_in(&b, &s->down, "dn_", 1, 1, s->fixed != NULL ? s->fixed_units : flit_units);
    }
    struct hd_pin sm_id = pin(&b, "", "sm_id_i");
    struct hd_pin policy = pin(&b, "", "policy_i");
    if (!b.ok)
        return false;
    if (s->overwritten != NULL && (s->lane_addr = calloc(s->warps * (s->slots + 1), sizeof *s->lane_addr)) == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        return false;
    }
    s->tile.progress_events = ~SM_WAITING;
    s->tile.level_events = 1ull << HD_EV_SM_STALL_PIPE;
    pin_set(&sm_id, id);
    pin_set(&policy, hd_config_policy(c));
    reset(&s->tile);
    return true;
}

static uint32_t *lane_addr(const struct hd_sm *s, unsigned warp, unsigned slot)
{
    return s->lane_addr[warp * (s->slots + 1) + slot];
}

/* Keeps book of an operation that is about to be driven. @return false when it must not be. */
static bool note_offer(struct hd_sm *s, uint64_t now, const struct hd_op *op)
{
    if (op->warp >= s->warps) {
        fault(&s->fault, "an operation of a warp slot that does not exist was offered");
        return false;
    }
    if (hd_op_class(op->kind) == HD_OPC_HOST) {
        s->flushing |= op->kind == HD_OP_FLUSH;
        s->launches += op->kind == HD_OP_LAUNCH;
        return true;
    }
    struct hd_warp *w = &s->warp[op->warp];
    if (w->buffer.active) {
        fault(&s->fault, "an operation was offered before the warp's last one was taken");
        return false;
    }
    uint32_t lanes = hd_op_memory(op->kind) ? op->mask : 0;
    w->buffer = (struct hd_warp_op){
        .active = true, .kind = op->kind, .fn = op->fn, .space = op->space, .lanes = lanes, .since = now};
    w->buffer.lanes_asked = (uint8_t)__builtin_popcount(lanes);
    if (lanes != 0)
        w->buffer.addr = op->addr[__builtin_ctz(lanes)];
    if (lanes != 0 && s->overwritten != NULL && op->kind == HD_OP_STORE)
        memcpy(lane_addr(s, op->warp, s->slots), op->addr, s->lanes * sizeof op->addr[0]);
    s->offered++;
    return true;
}

static void drive_op(struct hd_sm *s, const struct hd_op *op)
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
    if (op->kind == HD_OP_ATOMIC && op->fn == HD_AT_CAS)
        memcpy(s->op_cmp, op->cmp, bytes);
}

static void read_taken(struct hd_sm *s, uint64_t now, const struct hd_client *client)
{
    unsigned warp = (unsigned)pin_get(&s->taken_warp);
    unsigned slot = (unsigned)pin_get(&s->taken_slot);
    struct hd_warp *w = &s->warp[warp % HD_MAX_WARPS];

    s->tile.progress = now;
    if (warp >= s->warps || !w->buffer.active) {
        fault(&s->fault, "an operation was taken that had not been offered");
        return;
    }
    bool memory = hd_op_memory(w->buffer.kind);
    struct hd_warp_op *to = memory ? &w->slot[slot % HD_MAX_SLOTS] : &w->control;
    if ((memory && slot >= s->slots) || to->active) {
        fault(&s->fault, memory ? "an operation was taken into a scoreboard slot in use"
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
static void take_overwritten(struct hd_sm *s, unsigned warp, unsigned slot, uint32_t mask, uint32_t *data,
                             uint32_t *ghost)
{
    const uint32_t *addr = lane_addr(s, warp, slot);
    unsigned opid = slot << HD_WARP_W | warp;
    const uint32_t *line = hd_overwritten_take(s->overwritten, s->id, opid, addr[__builtin_ctz(mask)]);

    if (line == NULL) {
        fault(&s->fault, "a store was completed that no L2 had performed");
        return;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), word = addr[lane] / 4 % s->line_words;
        data[lane] = line[2 * word];
        ghost[lane] = line[2 * word + 1];
    }
}

static void read_completion(struct hd_sm *s, uint64_t now, const struct hd_client *client)
{
    static const uint32_t no_ghost[HD_MAX_LANES];
    unsigned warp = (unsigned)pin_get(&s->cpl_warp);
    unsigned slot = (unsigned)pin_get(&s->cpl_slot);
    bool last = pin_get(&s->cpl_last);
    uint32_t mask = (uint32_t)pin_get(&s->cpl_mask);
    struct hd_warp_op *op = &s->warp[warp % HD_MAX_WARPS].slot[slot % HD_MAX_SLOTS];

    s->tile.progress = now;
    if (warp >= s->warps || slot >= s->slots || !op->active) {
        fault(&s->fault, "a completion of an operation that is not outstanding");
        return;
    }
    if ((mask & ~op->lanes) != 0)
        fault(&s->fault, "a lane was completed twice, or was never asked for");
    op->lanes &= ~mask;
    if (last != (op->lanes == 0))
        fault(&s->fault, last ? "the last completion of an operation came while lanes were missing"
                              : "all lanes were completed without a last completion");
    if (last) {
        op->active = false;
        s->completed++;
    }
    if (s->tile.log.room > 0) {
        unsigned units = s->ghost ? 2 : 1; /* without ghosts a store returns no words */
        bool elsewhere = op->kind == HD_OP_STORE && op->space == HD_SPACE_GLOBAL && s->overwritten != NULL;
        uint32_t meant = elsewhere ? 0 : s->ghost || op->kind != HD_OP_STORE ? mask : 0;
        uint32_t sum = hd_port_log_sum(s->cpl_data, s->lanes * units, meant, units);
        hd_port_log_put(&s->tile.log, now, HD_PORT_COMPLETE, warp, slot << 1 | last, mask, sum);
    }
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

static void read_control_done(struct hd_sm *s, uint64_t now, const struct hd_client *client, uint64_t warps)
{
    bool read_clock = false;

    s->tile.progress = now;
    for (uint64_t rest = warps; rest != 0; rest &= rest - 1) {
        struct hd_warp_op *op = &s->warp[__builtin_ctzll(rest)].control;
        if (!op->active)
            fault(&s->fault, "a control operation was done that had not been taken");
        op->active = false;
        read_clock |= op->kind == HD_OP_CLOCK;
        s->done++;
    }
    uint32_t clock = (uint32_t)pin_get(&s->ctl_clock);
    hd_port_log_put(&s->tile.log, now, HD_PORT_CONTROL, warps, read_clock ? clock : 0, 0, 0);
    client->ctl_done(client->ctx, s->id, now, warps, clock);
}

static void read_state(struct hd_sm *s, uint64_t now)
{
    hd_port_log_put(&s->tile.log, now, HD_PORT_STATE, pin_get(&s->st_line), pin_get(&s->st_state), 0, 0);
    if (!s->want_states)
        return;
    s->states.event[s->states.count++] = (struct hd_st_event){
        .cycle = now, .line = (uint32_t)pin_get(&s->st_line), .state = (uint8_t)pin_get(&s->st_state)};
}

/* For @edges edges each warp had the cause the tile shows. */
static void count_stalls(struct hd_sm *s, uint64_t edges)
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

static inline void sm_skipped(struct hd_sm *s, uint64_t edges)
{
    count_skipped(&s->tile, edges);
    if (s->want_stalls)
        count_stalls(s, edges);
}

/* @return the operation to drive, or NULL. */
static inline const struct hd_op *next_op(struct hd_sm *s, uint64_t now, const struct hd_client *client)
{
    const struct hd_op *op = client->offer(client->ctx, s->id, now);

    if (op == NULL || !note_offer(s, now, op))
        return NULL;
    hd_port_log_put(&s->tile.log, now, HD_PORT_OFFER, op->warp, op->kind, 0, 0);
    return op;
}

static inline void sm_drive(struct hd_sm *s, const struct hd_op *op)
{
    bit_set(&s->op_valid, op != NULL);
    if (op != NULL)
        drive_op(s, op);
}

static inline void sm_read(struct hd_sm *s, uint64_t now, const struct hd_client *client)
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
static inline void drive_fixed(struct hd_sm *s, uint64_t now)
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
static ALWAYS_INLINE void sm_run(struct hd_sm *s, uint64_t from, uint64_t to, const struct hd_client *client, bool skip,
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

void hd_sm_run(struct hd_sm *s, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    if (s->fixed != NULL) {
        sm_run(s, from, to, client, skip, false, true);
        return;
    }
    if (s->tile.profile == NULL) {
        sm_run(s, from, to, client, skip, false, false);
        return;
    }
    hd_profile_enter(s->tile.profile, HD_SECTION_REST);
    sm_run(s, from, to, client, skip, true, false);
    hd_profile_enter(s->tile.profile, HD_SECTION_CHECKS);
}

void hd_sm_before(struct hd_sm *s, uint64_t now, const struct hd_client *client)
{
    sm_drive(s, next_op(s, now, client));
}

void hd_sm_after(struct hd_sm *s, uint64_t now, const struct hd_client *client)
{
    s->tile.evaluated++;
    sm_read(s, now, client);
}

bool hd_sm_outstanding(const struct hd_sm *s)
{
    return s->flushing || s->offered != s->ops_taken || s->memory != s->completed || s->control != s->done;
}

bool hd_sm_mshr_used(const struct hd_sm *s, unsigned entry)
{
    const uint8_t *bytes = (const uint8_t *)s->dbg_mshr; /* little endian, whatever type the port has */

    return bytes[entry / 8] >> entry % 8 & 1;
}

unsigned hd_sm_mshr_busy(const struct hd_sm *s)
{
    unsigned n = 0;

    for (unsigned entry = 0; entry < s->mshr; entry++)
        n += hd_sm_mshr_used(s, entry);
    return n;
}

uint64_t hd_sm_loads_pending(const struct hd_sm *s)
{
    return pin_get(&s->dbg_ld);
}

uint64_t hd_sm_stores_pending(const struct hd_sm *s)
{
    return pin_get(&s->dbg_st);
}

bool hd_sm_pipe_waits(const struct hd_sm *s)
{
    return pin_get(&s->dbg_pipe);
}

bool hd_sm_credits_home(const struct hd_sm *s)
{
    return pin_get(&s->dbg_credit_home);
}

/* ---- crossbar tile ------------------------------------------------------------------------------------------ */

bool hd_xbar_open(struct hd_xbar *x, struct hd_model *model, unsigned ins, unsigned outs, unsigned num_vn,
                  const struct hd_config *c)
{
    struct binder b = binder_of(&x->tile, model, "xbar_tile");

    x->ins = ins;
    x->outs = outs;
    x->num_vn = num_vn;
    x->flit_units = HD_FLIT_WORDS * (32 + c->ghost_bits) / 32;
    x->clk_ratio = c->clk_ratio;
    bind_tile(&b, &x->tile, HD_EV_XBAR_NUM, c);
    if (b.slice == NULL) {
        bind_in(&b, &x->in, "in_", ins, num_vn, x->flit_units);
        bind_out(&b, &x->out, "out_", outs, num_vn, x->flit_units);
    }
    if (!b.ok)
        return false;
    x->tile.progress_events = 1ull << HD_EV_XBAR_FLIT;
    x->tile.level_events = 1ull << HD_EV_XBAR_BLOCKED;
    reset(&x->tile);
    return true;
}

static uint64_t xbar_input_due(const struct hd_xbar *x)
{
    uint64_t due = HD_NEVER;

    for (unsigned i = 0; i < x->ins; i++)
        due = sooner(due, hd_link_due(&x->in_link[i]));
    for (unsigned o = 0; o < x->outs; o++)
        due = sooner(due, hd_link_credit_due(&x->out_link[o]));
    return due;
}

static void xbar_drive(struct hd_xbar *x, uint64_t now)
{
    uint64_t valid = 0, vns = 0, tails = 0, credits = 0;

    for (unsigned i = 0; i < x->ins; i++) {
        const struct hd_flit *f = hd_link_receive(&x->in_link[i], now);
        if (f == NULL)
            continue;
        valid |= UINT64_C(1) << i;
        vns |= (uint64_t)f->vn << i * HD_VN_W;
        tails |= (uint64_t)f->tail << i;
        hd_flit_copy(x->in.flit + i * x->flit_units, f->words, x->flit_units);
    }
    for (unsigned o = 0; o < x->outs; o++)
        credits |= (uint64_t)hd_link_credits(&x->out_link[o], now) << o * x->num_vn;
    pin_set(&x->in.valid, valid);
    pin_set(&x->in.vn, vns);
    pin_set(&x->in.tail, tails);
    pin_set(&x->out.credit, credits);
}

static void xbar_read(struct hd_xbar *x, uint64_t now)
{
    uint64_t valid = pin_get(&x->out.valid);
    uint64_t credits = pin_get(&x->in.credit);

    if (valid != 0) {
        uint64_t vns = pin_get(&x->out.vn), tails = pin_get(&x->out.tail);
        x->tile.progress = now;
        for (; valid != 0; valid &= valid - 1) {
            unsigned o = (unsigned)__builtin_ctzll(valid);
            hd_link_send(&x->out_link[o], now, vns >> o * HD_VN_W & ((1u << HD_VN_W) - 1), tails >> o & 1,
                         x->out.flit + o * x->flit_units);
        }
    }
    for (unsigned i = 0; credits != 0; i++, credits >>= x->num_vn) {
        uint32_t mine = credits & ((1u << x->num_vn) - 1);
        if (mine != 0)
            hd_link_send_credits(&x->in_link[i], now, mine);
    }
}

static ALWAYS_INLINE void xbar_run(struct hd_xbar *x, uint64_t from, uint64_t to, bool skip, bool profiled)
{
    for (uint64_t now = round_up(from, x->clk_ratio); now < to; now += x->clk_ratio) {
        if (skip && *x->tile.idle) {
            uint64_t due = round_up(sooner(xbar_input_due(x), to), x->clk_ratio);
            if (due > now) {
                count_skipped(&x->tile, (due - now) / x->clk_ratio);
                now = due;
            }
            if (now >= to)
                return;
        }
        begin(&x->tile, profiled, HD_SECTION_LINKS);
        xbar_drive(x, now);
        begin(&x->tile, profiled, HD_SECTION_XBAR);
        edge(&x->tile, now);
        begin(&x->tile, profiled, HD_SECTION_LINKS);
        xbar_read(x, now);
        begin(&x->tile, profiled, HD_SECTION_REST);
        count_events(&x->tile, now);
    }
}

void hd_xbar_run(struct hd_xbar *x, uint64_t from, uint64_t to, bool skip)
{
    if (x->tile.profile == NULL) {
        xbar_run(x, from, to, skip, false);
        return;
    }
    hd_profile_enter(x->tile.profile, HD_SECTION_REST);
    xbar_run(x, from, to, skip, true);
    hd_profile_enter(x->tile.profile, HD_SECTION_CHECKS);
}

void hd_xbar_after(struct hd_xbar *x, uint64_t now)
{
    x->tile.evaluated++;
    count_events(&x->tile, now);
}

/* ---- L2 tile ------------------------------------------------------------------------------------------------ */

bool hd_l2_open(struct hd_l2 *l, struct hd_model *model, unsigned id, const struct hd_config *c)
{
    struct binder b = binder_of(&l->tile, model, "l2_tile");
    unsigned word_units = (32 + c->ghost_bits) / 32;

    l->id = id;
    l->clk_ratio = c->clk_ratio;
    l->line_units = c->line_bytes / 4 * word_units;
    l->flush_at = HD_NEVER;
    l->clear_at = HD_NEVER;
    bind_tile(&b, &l->tile, HD_EV_L2_NUM, c);
    if (b.slice == NULL) {
        bind_in(&b, &l->up, "up_", 1, 2, HD_FLIT_WORDS * word_units);
        bind_out(&b, &l->down, "dn_", 1, 1, HD_FLIT_WORDS * word_units);
    }
    l->flush = pin_of_width(&b, "", "flush_i", 1);
    l->clear = pin_of_width(&b, "", "type_clear_i", 1);
    l->mreq_valid = pin_of_width(&b, "mreq_", "valid_o", 1);
    l->mreq_write = pin(&b, "mreq_", "write_o");
    l->mreq_addr = pin(&b, "mreq_", "addr_o");
    l->mreq_tid = pin(&b, "mreq_", "tid_o");
    l->mreq_credit = pin_of_width(&b, "mreq_", "credit_i", 1);
    l->mreq_data = port(&b, "mreq_", "data_o", l->line_units * 32);
    l->mrsp_valid = pin_of_width(&b, "mrsp_", "valid_i", 1);
    l->mrsp_tid = pin(&b, "mrsp_", "tid_i");
    l->mrsp_credit = pin_of_width(&b, "mrsp_", "credit_o", 1);
    l->mrsp_data = port(&b, "mrsp_", "data_i", l->line_units * 32);
    if (l->overwritten != NULL) {
        l->obs = pin_of_width(&b, "obs_", "valid_o", 1);
        l->obs_src = pin(&b, "obs_", "src_o");
        l->obs_opid = pin(&b, "obs_", "opid_o");
        l->obs_addr = pin(&b, "obs_", "addr_o");
        l->obs_data = port(&b, "obs_", "data_o", l->line_units * 32);
    }
    struct hd_pin part_id = pin(&b, "", "part_id_i");
    struct hd_pin policy = pin(&b, "", "policy_i");
    if (!b.ok)
        return false;
    l->tile.progress_events = ~(1ull << HD_EV_L2_STALL);
    l->tile.level_events = 1ull << HD_EV_L2_STALL;
    pin_set(&part_id, id);
    pin_set(&policy, hd_config_policy(c));
    reset(&l->tile);
    return true;
}

static void l2_drive_memory(struct hd_l2 *l, uint64_t now)
{
    uint8_t tid;
    const uint32_t *answer = hd_dram_answer(l->dram, now, &tid);

    bit_set(&l->mreq_credit, hd_dram_credit(l->dram));
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

static void l2_read_memory(struct hd_l2 *l, uint64_t now)
{
    if (l->overwritten != NULL && bit_get(&l->obs))
        hd_overwritten_tell(l->overwritten, l->id, (unsigned)pin_get(&l->obs_src), (unsigned)pin_get(&l->obs_opid),
                            (uint32_t)pin_get(&l->obs_addr), l->obs_data);
    if (bit_get(&l->mrsp_credit) && !hd_dram_answer_taken(l->dram))
        fault(&l->fault, "a credit came back for an answer never sent");
    if (!bit_get(&l->mreq_valid))
        return;
    bool write = pin_get(&l->mreq_write);
    if (!hd_dram_push(l->dram, now, write, (uint32_t)pin_get(&l->mreq_addr), (uint8_t)pin_get(&l->mreq_tid),
                      l->mreq_data))
        fault(&l->fault, "a request was sent without a credit");
    if (l->tile.log.room > 0) {
        uint32_t sum = hd_port_log_sum(l->mreq_data, l->line_units, write, l->line_units);
        hd_port_log_put(&l->tile.log, now, HD_PORT_REQUEST, write, pin_get(&l->mreq_addr), pin_get(&l->mreq_tid), sum);
    }
    l->mem_writes += write;
    l->mem_reads += !write;
    l->tile.progress = now;
}

void hd_l2_before(struct hd_l2 *l, uint64_t now)
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

void hd_l2_after(struct hd_l2 *l, uint64_t now)
{
    l->tile.evaluated++;
    l2_read_memory(l, now);
    count_events(&l->tile, now);
}

static ALWAYS_INLINE void l2_run(struct hd_l2 *l, uint64_t from, uint64_t to, bool skip, bool profiled)
{
    for (uint64_t now = round_up(from, l->clk_ratio); now < to; now += l->clk_ratio) {
        begin(&l->tile, profiled, HD_SECTION_DRAM);
        hd_dram_advance(l->dram, now);
        begin(&l->tile, profiled, HD_SECTION_REST);
        if (skip && *l->tile.idle) {
            uint64_t due = sooner(hd_link_due(l->up_link), hd_link_credit_due(l->down_link));
            due = sooner(due, sooner(sooner(l->flush_at, l->clear_at), hd_dram_next(l->dram, now)));
            due = round_up(sooner(due, to), l->clk_ratio);
            if (due > now) {
                count_skipped(&l->tile, (due - now) / l->clk_ratio);
                now = due - l->clk_ratio; /* the loop steps on; the channel must be advanced first */
                continue;
            }
        }
        begin(&l->tile, profiled, HD_SECTION_DRAM);
        hd_l2_before(l, now);
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

void hd_l2_run(struct hd_l2 *l, uint64_t from, uint64_t to, bool skip)
{
    if (l->tile.profile == NULL) {
        l2_run(l, from, to, skip, false);
        return;
    }
    hd_profile_enter(l->tile.profile, HD_SECTION_REST);
    l2_run(l, from, to, skip, true);
    hd_profile_enter(l->tile.profile, HD_SECTION_CHECKS);
}
