/* tiles.h - drives one verilated tile over a span of cycles: its clock, its links, its C neighbour.
 *
 * A tile is run from cycle `from` up to (not including) `to`; everything it exchanges with other tiles goes
 * through links, so tiles may be run in any order as long as the span is not longer than any link latency.
 * With `skip`, edges at which the tile is idle and has no input are left out; by the idle rule of
 * docs/tiles.md nothing would change, so results are the same with and without: an event that counts cycles
 * of waiting and is high at an idle tile is counted for the edges left out as well. Nothing here allocates,
 * locks or prints while cycles run. */
#ifndef HD_TILES_H
#define HD_TILES_H
#include "check/coherence.h"
#include "check/overwritten.h"
#include "flat.h"
#include "link.h"
#include "port.h"
#include "mem/dram.h"
#include "mem/fixed.h"
#include "model/hd_model.h"
#include "portlog.h"
#include "profile.h"

/* A port of at most 64 bits. */
struct hd_pin {
    void *at;
    unsigned bytes;
};

/* What all tiles have. A line of the host holds nothing of two tiles, which two threads may run. */
struct hd_tile {
    alignas(HD_CACHE_LINE) struct hd_model *model;
    struct hd_slice *slice;     /* the tile is a part of the flat model `model`; NULL: has a model of its own */
    struct hd_port_log log;     /* kept when it has room */
    struct hd_profile *profile; /* NULL: time is not measured */
    uint8_t *clk, *rst;
    const uint8_t *idle;
    struct hd_pin now, ev;
    uint64_t progress_events;   /* mask: events that are progress for the watchdog */
    uint64_t level_events;      /* mask: events that may stay high while the tile is idle ("waits for ...") */
    uint64_t events[64];        /* how often each event pulsed */
    uint64_t evaluated;         /* edges */
    uint64_t progress;          /* cycle of the last progress, 0 at the start */
    bool wave;
    uint64_t wave_from, wave_to; /* cycles dumped: both included */
};

/* A sending or receiving link port of a tile (docs/tiles.md, Links). */
struct hd_tile_out {
    struct hd_pin valid, vn, tail, credit;
    const uint32_t *flit;
};
struct hd_tile_in {
    struct hd_pin valid, vn, tail, credit;
    uint32_t *flit;
};

/* An operation of a warp the C side waits for. */
struct hd_warp_op {
    bool active;
    uint8_t kind;               /* hd_op_e */
    uint8_t fn;
    uint8_t space;              /* hd_space_e */
    uint8_t lanes_asked;        /* number of lanes at the start */
    uint32_t lanes;             /* still to be performed */
    uint32_t addr;              /* of the lowest lane */
    uint64_t since;             /* cycle offered (buffer) or taken */
};

enum { HD_MAX_WARPS = 64, HD_MAX_SLOTS = 8 };

struct hd_warp {
    struct hd_warp_op buffer;   /* offered, not taken */
    struct hd_warp_op control;  /* fence, barrier, ... taken, not done */
    struct hd_warp_op slot[HD_MAX_SLOTS];
};

struct hd_sm {
    struct hd_tile tile;
    unsigned id, warps, lanes, slots, mshr; /* mshr: entries of its pending table */
    unsigned line_words;
    bool ghost, want_states;
    struct hd_pin op_valid, op_warp, op_kind, op_fn, op_space, op_order, op_scope, op_ro, op_alu, op_block, op_mask;
    uint32_t *op_addr, *op_data, *op_cmp;
    struct hd_pin taken, taken_warp, taken_slot;
    struct hd_pin cpl, cpl_warp, cpl_slot, cpl_last, cpl_mask;
    const uint32_t *cpl_data;
    struct hd_pin ctl_done, ctl_clock, flush_done;
    struct hd_pin st, st_line, st_state;
    const uint32_t *dbg_mshr;   /* mshr bits */
    struct hd_pin dbg_ld, dbg_st, dbg_pipe, dbg_credit_home;
    struct hd_pin dbg_cause[4];
    bool want_stalls;
    uint64_t stalls[HD_STALL_NUM], warp_cycles; /* by hd_stall_e, and all; with want_stalls */
    struct hd_tile_out up;
    struct hd_tile_in down;
    struct hd_link *up_link, *down_link;
    struct hd_fixed *fixed;     /* an ideal memory at the other end of the links; NULL: the chip */
    unsigned fixed_units;       /* 32-bit units of one of its answers */

    struct hd_overwritten *overwritten; /* tells what its stores overwrote; NULL: their completions do */
    uint32_t (*lane_addr)[HD_MAX_LANES]; /* then: by warp and slot, the buffer behind the slots */

    struct hd_warp warp[HD_MAX_WARPS];
    bool flushing;              /* FLUSH offered, flush_done not seen */
    uint64_t offered, ops_taken, memory, completed, control, done, launches;
    const char *fault;          /* first broken rule of the warp port */
    struct hd_st_list states;   /* since the last coherence check */
};

struct hd_xbar {
    struct hd_tile tile;
    unsigned ins, outs, num_vn, flit_units, clk_ratio;
    struct hd_tile_in in;       /* vectors over the links */
    struct hd_tile_out out;
    struct hd_link *in_link, *out_link; /* arrays of ins and outs */
};

struct hd_l2 {
    struct hd_tile tile;
    unsigned id, clk_ratio, line_units;
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
    struct hd_dram *dram;
    uint64_t flush_at;          /* first edge at or after it gets the flush pulse; HD_NEVER: none wanted */
    uint64_t clear_at;          /* the same of the pulse that makes the classifier forget its sectors */
    uint64_t mem_reads, mem_writes, mem_answers;
    const char *fault;
};

/* Bind a model's ports and reset it (two edges). The links (and dram) must be set before. The model then
 * belongs to the tile. When tile.slice was set before, the tile is bound to that slice: no links, no reset. @return false after a message on stderr: a port is missing or has another width. */
bool hd_sm_open(struct hd_sm *s, struct hd_model *model, unsigned id, const struct hd_config *c);
bool hd_xbar_open(struct hd_xbar *x, struct hd_model *model, unsigned ins, unsigned outs, unsigned num_vn,
                  const struct hd_config *c);
bool hd_l2_open(struct hd_l2 *l, struct hd_model *model, unsigned id, const struct hd_config *c);

/* Runs the edges of cycles [from, to). */
void hd_sm_run(struct hd_sm *s, uint64_t from, uint64_t to, const struct hd_client *client, bool skip);
void hd_xbar_run(struct hd_xbar *x, uint64_t from, uint64_t to, bool skip);
void hd_l2_run(struct hd_l2 *l, uint64_t from, uint64_t to, bool skip);

/* The two halves of a cycle of a slice (only if tile.slice is set): inputs before, outputs after the edge of @now,
 * which hd_flat_edge() makes. Xbar and L2: only at slow edges; hd_dram_advance() comes first. */
void hd_sm_before(struct hd_sm *s, uint64_t now, const struct hd_client *client);
void hd_sm_after(struct hd_sm *s, uint64_t now, const struct hd_client *client);
void hd_xbar_after(struct hd_xbar *x, uint64_t now);
void hd_l2_before(struct hd_l2 *l, uint64_t now);
void hd_l2_after(struct hd_l2 *l, uint64_t now);

/* The tile's own view, for the conservation check and the deadlock report. */
unsigned hd_sm_mshr_busy(const struct hd_sm *s);    /* entries in use */
bool hd_sm_mshr_used(const struct hd_sm *s, unsigned entry);
uint64_t hd_sm_loads_pending(const struct hd_sm *s); /* a bit a warp */
uint64_t hd_sm_stores_pending(const struct hd_sm *s);
bool hd_sm_pipe_waits(const struct hd_sm *s);       /* an access waits in front of the L1 */
bool hd_sm_credits_home(const struct hd_sm *s);

/* Any operation of any warp offered, taken or flushing and not done. */
bool hd_sm_outstanding(const struct hd_sm *s);
#endif
