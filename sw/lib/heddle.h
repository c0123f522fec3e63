/* heddle.h - libheddle: machines and tiles of Heddle as C calls, without the command. docs/library.md explains it.
 *
 * One handle is used by one thread at a time; different handles by any. Functions that fail say why in a line on stderr.
 * Models are found or built as by `heddle run` (Verilator and a C++ compiler are needed for that). Nothing allocates between
 * heddle_open() and heddle_close(). Cycles are core cycles. Addresses are bytes, of whole words of 32 bits. */
#ifndef HEDDLE_H
#define HEDDLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define HEDDLE_VERSION "0.1"
#define HEDDLE_LANES 64 /* most lanes of a warp */

/* ---- a machine ------------------------------------------------------------------------------------------------ */

struct heddle; /* SMs, network, L2, memory; its warp ports are the caller's */

enum heddle_kind { HEDDLE_LOAD, HEDDLE_STORE, HEDDLE_ATOMIC, HEDDLE_FENCE, HEDDLE_BARRIER };
enum heddle_order { HEDDLE_RELAXED, HEDDLE_ACQUIRE, HEDDLE_RELEASE, HEDDLE_ACQ_REL, HEDDLE_SEQ_CST };
enum heddle_scope { HEDDLE_WORK_ITEM, HEDDLE_WORK_GROUP, HEDDLE_DEVICE, HEDDLE_SYSTEM };
enum heddle_atomic {
    HEDDLE_ADD, HEDDLE_MIN, HEDDLE_MAX, HEDDLE_AND, HEDDLE_OR, HEDDLE_XOR, HEDDLE_EXCHANGE, HEDDLE_CAS, HEDDLE_INC,
    HEDDLE_DEC, HEDDLE_UMIN, HEDDLE_UMAX, HEDDLE_READ
};

/* An operation of a warp. Members that its kind has no use for are ignored; 0: relaxed, of one work item, in global memory. */
struct heddle_op {
    uint64_t tag;                 /* the caller's: comes back with the result */
    uint64_t mask;                /* lanes of a LOAD, STORE or ATOMIC, bit l for lane l; at least one */
    uint32_t sm, warp;
    uint32_t kind, order, scope;  /* enums above */
    uint32_t atomic;              /* of an ATOMIC */
    uint32_t local;               /* 1: address is one of the SM's local data share */
    uint32_t wait;                /* cycles that the warp computes before it */
    uint32_t address[HEDDLE_LANES], data[HEDDLE_LANES], compare[HEDDLE_LANES]; /* compare: of a CAS */
};

struct heddle_done {
    uint64_t tag, mask;
    uint64_t submitted, issued, done; /* cycles: known to the machine from; taken by the SM; complete */
    uint32_t sm, warp, kind;
    uint32_t data[HEDDLE_LANES];      /* of a LOAD or ATOMIC: what was read */
};

enum heddle_end {
    HEDDLE_OK,
    HEDDLE_DEADLOCK, /* nothing moves although operations are outstanding; what waits for what is on stderr */
    HEDDLE_BROKEN    /* a rule of the protocol or an assertion of the RTL failed: heddle_verdict() says which */
};

/* @config: a configuration's name or a libconfig file; @set: @sets texts "key=value" over it (`heddle list` prints both).
 * All warps of an SM are one block, there from the start. @return NULL after a message. */
struct heddle *heddle_open(const char *config, const char *const *set, size_t sets);
void heddle_close(struct heddle *h); /* NULL is allowed */

uint32_t heddle_sms(const struct heddle *h);
uint32_t heddle_warps(const struct heddle *h);   /* of an SM */
uint32_t heddle_lanes(const struct heddle *h);
uint32_t heddle_window(const struct heddle *h);  /* cycles: heddle_run() runs a multiple of them */
uint64_t heddle_cycle(const struct heddle *h);

/* Operations that a warp may have that are not yet fetched by heddle_next(). */
uint32_t heddle_depth(const struct heddle *h);

/* Queues *op, copied, behind those of its warp; those of a warp begin in order. @return false when heddle_depth() of this
 * warp's are outstanding (without a message), or *op is none (with one). */
bool heddle_submit(struct heddle *h, const struct heddle_op *op);

/* Runs at least @cycles, rounded up to windows. */
enum heddle_end heddle_run(struct heddle *h, uint64_t cycles);

/* Runs until every operation is complete; the way to see a deadlock. */
enum heddle_end heddle_drain(struct heddle *h);

/* Takes the next result: by SM, of one SM as they completed. @return false when there is none. */
bool heddle_next(struct heddle *h, struct heddle_done *d);

/* Drains, then writes every dirty line back to memory. */
enum heddle_end heddle_flush(struct heddle *h);

/* Memory itself, caches not looked into: before the first run and after heddle_flush(). */
uint32_t heddle_peek(const struct heddle *h, uint32_t address);
void heddle_poke(struct heddle *h, uint32_t address, uint32_t value);

/* After heddle_flush(), or an end that is not HEDDLE_OK: the checks. @return NULL when all passed, or what is wrong, until
 * the next call. */
const char *heddle_verdict(struct heddle *h);

/* Counter number @i, or called @name (0: no such name); those of `heddle run --json`. @return NULL behind the last. */
const char *heddle_counter_at(struct heddle *h, size_t i, uint64_t *value);
uint64_t heddle_counter(struct heddle *h, const char *name);

/* ---- one tile ------------------------------------------------------------------------------------------------- */

struct heddle_tile; /* the RTL of one tile, for the loop of another simulator; docs/tiles.md says what its ports mean */

/* @kind: "sm", "up", "down" (crossbars), "l2" or "router", as the configuration's machine has it. It has been reset, all other
 * inputs are 0 but the policy, which is the configuration's. @return NULL after a message. */
struct heddle_tile *heddle_tile_open(const char *config, const char *const *set, size_t sets, const char *kind);
void heddle_tile_close(struct heddle_tile *t); /* NULL is allowed */

/* @return where the value of port @name is, for as long as the tile is open, or NULL: uint8_t, uint16_t, uint32_t or uint64_t
 * for up to 8, 16, 32, 64 bits, else uint32_t[], low word first. *bits, unless NULL: its width. Bits above must stay 0. */
void *heddle_tile_port(struct heddle_tile *t, const char *name, uint32_t *bits);

/* @return the name of port number @i, NULL behind the last. */
const char *heddle_tile_port_name(struct heddle_tile *t, size_t i);

/* A rising edge of the clock with the inputs as they are; then outputs can be read. now_i counts by itself. */
void heddle_tile_edge(struct heddle_tile *t);

/* @return HEDDLE_VERSION of the library itself. */
const char *heddle_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
