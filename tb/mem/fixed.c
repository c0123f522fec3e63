/* fixed.c - see fixed.h. */
#include "mem/fixed.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BITS = 12,
    PAGE_WORDS = (1 << PAGE_BITS) / 4,
    RING = 1 << 14,                     /* requests under way: more than any pending table has */
    MOST_HEAD_UNITS = 8,
    LINE_UNITS = 64                     /* 32 words with ghosts */
};
#define NEVER UINT64_MAX

struct request {
    uint64_t due;                       /* NEVER: its line is still to be given back */
    uint32_t addr, lanes[2];            /* lanes: of a head, as they are in it */
    uint16_t opid;
    uint8_t kind, tid;                  /* of the answer */
};

struct hd_fixed {
    struct hd_fixed_params p;
    struct request *ring;
    uint32_t head, tail;                /* taken out, put in */
    unsigned places;                    /* of the SM, free */
    uint32_t **page;                    /* contents */
    uint32_t **spare;                   /* zeroed pages for the cycle loop */
    unsigned spares, spare_room;
    uint8_t *held;                      /* a bit a line: the SM has it, or is about to */
    uint32_t put_addr, put_left;        /* give-back under way: its line, groups of words still to come */
    unsigned head_units;
    uint32_t packet[MOST_HEAD_UNITS + LINE_UNITS];
    const char *fault;
};

unsigned hd_fixed_units(unsigned line_bytes, unsigned word_units, unsigned lanes)
{
    return hd_head_units(lanes) + line_bytes / 4 * word_units;
}

struct hd_fixed *hd_fixed_new(const struct hd_fixed_params *p)
{
    struct hd_fixed *f = calloc(1, sizeof *f);

    if (f != NULL) {
        f->p = *p;
        f->places = p->depth;
        f->head_units = hd_head_units(p->lanes);
        f->ring = calloc(RING, sizeof *f->ring);
        f->page = calloc((size_t)1 << (32 - PAGE_BITS), sizeof(uint32_t *));
        f->held = calloc(((size_t)1 << 32) / p->line_bytes / 8, 1);
    }
    if (f == NULL || f->ring == NULL || f->page == NULL || f->held == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        hd_fixed_free(f);
        return NULL;
    }
    return f;
}

void hd_fixed_free(struct hd_fixed *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; f->page != NULL && i < (size_t)1 << (32 - PAGE_BITS); i++)
        free(f->page[i]);
    for (unsigned i = 0; i < f->spares; i++)
        free(f->spare[i]);
    free(f->spare);
    free(f->page);
    free(f->held);
    free(f->ring);
    free(f);
}

/* ---- contents --------------------------------------------------------------------------------------------- */

static uint32_t *new_page(const struct hd_fixed *f)
{
    return calloc((size_t)PAGE_WORDS * f->p.word_units, sizeof(uint32_t));
}

bool hd_fixed_reserve(struct hd_fixed *f, unsigned cycles)
{
    if (cycles > f->spare_room) {
        uint32_t **more = realloc(f->spare, cycles * sizeof(uint32_t *));
        if (more == NULL)
            return false;
        f->spare = more;
        f->spare_room = cycles;
    }
    while (f->spares < cycles) {
        uint32_t *page = new_page(f);
        if (page == NULL)
            return false;
        f->spare[f->spares++] = page;
    }
    return true;
}

/* @return the word in its page, or NULL if the page was never written (and @make is false) or there is no memory. */
static uint32_t *word_at(struct hd_fixed *f, uint32_t addr, bool make)
{
    uint32_t **page = &f->page[addr >> PAGE_BITS];

    if (*page == NULL && make)
        *page = f->spares > 0 ? f->spare[--f->spares] : new_page(f);
    return *page == NULL ? NULL : *page + (size_t)((addr >> 2) % PAGE_WORDS) * f->p.word_units;
}

uint32_t hd_fixed_peek(const struct hd_fixed *f, uint32_t addr)
{
    const uint32_t *page = f->page[addr >> PAGE_BITS];
    return page == NULL ? 0 : page[(size_t)((addr >> 2) % PAGE_WORDS) * f->p.word_units];
}

bool hd_fixed_poke(struct hd_fixed *f, uint32_t addr, uint32_t value)
{
    uint32_t *word = word_at(f, addr, true);

    if (word == NULL)
        return false;
    memset(word, 0, f->p.word_units * sizeof *word);
    *word = value;
    return true;
}

/* ---- what comes from the SM --------------------------------------------------------------------------------- */

static void fault(struct hd_fixed *f, const char *what)
{
    if (f->fault == NULL)
        f->fault = what;
}

static bool held(const struct hd_fixed *f, uint32_t addr)
{
    uint32_t line = addr / f->p.line_bytes;
    return f->held[line / 8] >> line % 8 & 1;
}

static void set_held(struct hd_fixed *f, uint32_t addr, bool value)
{
    uint32_t line = addr / f->p.line_bytes;
    uint8_t bit = (uint8_t)(1u << line % 8);

    f->held[line / 8] = (uint8_t)(value ? f->held[line / 8] | bit : f->held[line / 8] & ~bit);
}

/* A request that arrived at @now: its answer leaves so that it is at the SM `latency` after the request left it. */
static uint64_t answer_due(const struct hd_fixed *f, uint64_t now)
{
    return now - f->p.up->latency + f->p.latency;
}

static void request(struct hd_fixed *f, uint64_t now, const uint32_t *words)
{
    unsigned kind = hd_head_kind(words);
    uint32_t addr = hd_head_bits(words, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);

    if (kind != HD_MSG_GETS && kind != HD_MSG_GETM) {
        fault(f, "a request that a single cache never makes");
        return;
    }
    if (f->tail - f->head == RING) {
        fault(f, "more requests under way than a pending table can hold");
        return;
    }
    struct request *r = &f->ring[f->tail++ % RING];
    *r = (struct request){.due = answer_due(f, now), .addr = addr,
                          .lanes = {hd_head_bits(words, HD_HEAD_LANES_LSB, 32),
                                    f->p.lanes > 32 ? hd_head_bits(words, HD_HEAD_LANES_LSB + 32, 32) : 0},
                          .opid = (uint16_t)hd_head_bits(words, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W),
                          .kind = kind == HD_MSG_GETS ? HD_MSG_DATA_E : HD_MSG_DATA_M,
                          .tid = (uint8_t)hd_head_bits(words, HD_HEAD_TID_LSB, HD_HEAD_TID_W)};
    if (held(f, addr))
        r->due = NEVER;
    set_held(f, addr, true);
}

/* The line is back: a request that waits for it can be answered as if it had arrived now. */
static void given_back(struct hd_fixed *f, uint64_t now)
{
    for (uint32_t i = f->head; i != f->tail; i++) {
        struct request *r = &f->ring[i % RING];
        if (r->addr == f->put_addr) {
            if (r->due != NEVER)
                fault(f, "a line was given back that the SM has asked for and not got");
            r->due = answer_due(f, now);
            return;
        }
    }
    set_held(f, f->put_addr, false);
}

static void put_head(struct hd_fixed *f, uint64_t now, const uint32_t *words)
{
    unsigned kind = hd_head_kind(words);
    uint32_t wmask = hd_head_wmask(words);

    f->put_addr = hd_head_bits(words, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
    f->put_left = 0;
    if (kind != HD_MSG_PUTE && kind != HD_MSG_PUTM)
        fault(f, "an answer that was never asked for");
    else if (!held(f, f->put_addr))
        fault(f, "a line was given back that the SM did not have");
    for (unsigned group = 0; group < HD_MASK_W / HD_FLIT_WORDS; group++)
        if (wmask >> group * HD_FLIT_WORDS & ((1u << HD_FLIT_WORDS) - 1))
            f->put_left |= 1u << group;
    if (f->put_left == 0)
        given_back(f, now);
}

static void put_data(struct hd_fixed *f, uint64_t now, const uint32_t *words)
{
    unsigned group = (unsigned)__builtin_ctz(f->put_left);
    uint32_t *to = word_at(f, f->put_addr + group * HD_FLIT_WORDS * 4, true);

    if (to == NULL)
        fault(f, "out of memory");
    else
        memcpy(to, words, HD_FLIT_WORDS * f->p.word_units * sizeof *words);
    f->put_left &= f->put_left - 1;
    if (f->put_left == 0)
        given_back(f, now);
}

void hd_fixed_run(struct hd_fixed *f, uint64_t from, uint64_t to)
{
    for (uint64_t due = hd_link_due(f->p.up); due < to; due = hd_link_due(f->p.up)) {
        uint64_t now = due < from ? from : due;
        const struct hd_flit *flit = hd_link_receive(f->p.up, now);
        if (flit->vn == HD_UP_REQ)
            request(f, now, flit->words);
        else if (f->put_left == 0)
            put_head(f, now, flit->words);
        else
            put_data(f, now, flit->words);
        hd_link_send_credits(f->p.up, now, 1u << flit->vn);
    }
}

/* ---- what goes to the SM ------------------------------------------------------------------------------------ */

uint64_t hd_fixed_due(const struct hd_fixed *f)
{
    return f->head == f->tail || f->places == 0 ? NEVER : f->ring[f->head % RING].due;
}

static void put_bits(uint32_t *words, unsigned lsb, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++)
        if (value >> i & 1)
            words[(lsb + i) / 32] |= 1u << (lsb + i) % 32;
}

const uint32_t *hd_fixed_answer(struct hd_fixed *f, uint64_t now)
{
    if (hd_fixed_due(f) > now)
        return NULL;
    const struct request *r = &f->ring[f->head++ % RING];
    unsigned words = f->p.line_bytes / 4, units = words * f->p.word_units;
    const uint32_t *line = word_at(f, r->addr, false);

    f->places--;
    memset(f->packet, 0, sizeof f->packet);
    put_bits(f->packet, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, r->kind);
    put_bits(f->packet, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, r->addr);
    put_bits(f->packet, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, words == 32 ? UINT32_MAX : (1u << words) - 1);
    put_bits(f->packet, HD_HEAD_TID_LSB, HD_HEAD_TID_W, r->tid);
    put_bits(f->packet, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, r->opid);
    put_bits(f->packet, HD_HEAD_LANES_LSB, 32, r->lanes[0]);
    put_bits(f->packet, HD_HEAD_LANES_LSB + 32, 32, r->lanes[1]);
    if (line != NULL)
        memcpy(f->packet + f->head_units, line, units * sizeof *line);
    f->p.down->heads[r->kind]++;
    f->p.down->crossed[hd_flit_class_of(r->kind)]++;
    return f->packet;
}

void hd_fixed_credit(struct hd_fixed *f)
{
    if (f->places == f->p.depth)
        fault(f, "a place came back that was never taken");
    else
        f->places++;
}

bool hd_fixed_idle(const struct hd_fixed *f)
{
    return f->head == f->tail && f->places == f->p.depth && f->put_left == 0;
}

const char *hd_fixed_fault(const struct hd_fixed *f)
{
    return f->fault;
}

void hd_fixed_state(struct hd_fixed *f, struct hd_image *io)
{
    HD_IMAGE_MEMBERS(io, f, head, places);
    HD_IMAGE_MEMBERS(io, f, put_addr, put_left);
    hd_image_text(io, &f->fault);
    if (io->depth == HD_IMAGE_COUNTS)
        return;
    hd_image_pages(io, f->page, (size_t)1 << (32 - PAGE_BITS), (size_t)PAGE_WORDS * f->p.word_units * sizeof(uint32_t));
    if (io->depth == HD_IMAGE_SEEN)
        return;
    hd_image_bytes(io, f->ring, RING * sizeof *f->ring);
    hd_image_bytes(io, f->held, ((size_t)1 << 32) / f->p.line_bytes / 8);
}
