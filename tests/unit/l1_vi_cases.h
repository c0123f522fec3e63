/* l1_vi_cases.h - the tests of hd_l1_vi: the write-through L1 against an L2 with other writers in C.
 *
 * Every word has a history of its values at the L2. A load must return a value the word had between the time it was
 * accepted, or the last store of this SM to the line before it was performed, and its completion, and none of a store
 * of this SM accepted after it. A store completes when it is performed, an atomic with the words it found. *
 * For a module with its ports and parameters. In front of it: `d`, the struct of its ports; open_l1(), which opens d; LA_OFFS_W and
 * DN_DATA_W, the widths of those ports. l1_cases[] are the tests. */
#ifndef L1_VI_CASES_H
#define L1_VI_CASES_H
#include "hd_bits.h"

#ifndef P_Pending
#define P_Pending 0
#endif
#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif

enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, GROUPS = (LANES + 7) / 8, FLIT = 8 * W,
    OFF_W = LA_OFFS_W / LANES, LINES = 10, WARPS = 8, SLOTS = 4, SM = 5, QUEUE = 64, STORES = 1 << 16,
    HISTORY = 1 << 12, CYCLES = 40000
};

struct access {
    bool active, prefetch, performed;
    unsigned kind, fn, line;
    uint32_t mask, offs[LANES], cmp[LANES];
    uint64_t operand[LANES], old[LANES];
    uint32_t accepted, before; /* cycle; stores of this SM to the line accepted before */
};

struct message {
    unsigned kind, line, tid, lanes;
    uint64_t data[16];
    uint32_t due;
};

struct value {
    uint64_t value;
    uint32_t from, to;         /* cycles at the L2 */
};

static struct {
    uint32_t now;
    struct value word[LINES][WORDS][HISTORY];
    unsigned values[LINES][WORDS];
    bool sharer[LINES], valid[LINES], locked[LINES], writing[LINES];
    uint32_t *performed[LINES], accepted[LINES], done[LINES]; /* own stores: cycles by number; counts */
    struct access op[WARPS][SLOTS];
    struct access *offered;
    unsigned offered_warp, offered_slot;
    struct message req[QUEUE], dn[QUEUE];
    unsigned reqs, dns, acks;
    bool dn_shown;
    uint64_t next;
    unsigned perf;             /* lanes announced in the last cycle */
    uint64_t seen[16], hits, late, forbidden, kept, refused, drops;
} s;

static unsigned line_number(unsigned line)
{
    return line * 3 + 1;
}

static unsigned line_of(uint32_t number)
{
    assert_true(number % 3 == 1 && number / 3 < LINES);
    return number / 3;
}

static uint64_t current(unsigned line, unsigned word)
{
    return s.word[line][word][(s.values[line][word] - 1) % HISTORY].value;
}

static void write_word(unsigned line, unsigned word, uint64_t value)
{
    unsigned n = s.values[line][word]++;

    if (n > 0)
        s.word[line][word][(n - 1) % HISTORY].to = s.now;
    s.word[line][word][n % HISTORY] = (struct value){value, s.now, UINT32_MAX};
}

static uint64_t fresh(void)
{
    s.next++;
    return W == 32 ? (uint32_t)s.next : s.next << 32 | (uint32_t)hd_rand();
}

/* ---- the L2 ------------------------------------------------------------------------------------------------------- */

static void send(struct message m)
{
    assert_true(s.dns < QUEUE);
    m.due = s.now + (uint32_t)hd_rand_below(12);
    s.dn[s.dns++] = m;
}

static struct access *find(unsigned opid)
{
    struct access *a = &s.op[opid % 64][opid >> HD_WARP_W];

    assert_true(opid % 64 < WARPS && opid >> HD_WARP_W < SLOTS && a->active);
    return a;
}

static void l2_request(const struct message *m)
{
    struct message answer = {.line = m->line, .tid = m->tid, .lanes = m->lanes};
    struct access *a = (struct access *)(uintptr_t)m->data[0];

    if (m->kind == HD_MSG_GETS) {
        answer.kind = HD_MSG_DATA_S;
        for (unsigned w = 0; w < WORDS; w++)
            answer.data[w] = current(m->line, w);
        s.sharer[m->line] = true;
    } else {
        s.performed[m->line][s.done[m->line]++] = s.now;
        a->performed = true;
        answer.kind = m->kind == HD_MSG_WT ? HD_MSG_WT_ACK : HD_MSG_AT_DATA;
        uint64_t before[WORDS];
        for (unsigned w = 0; w < WORDS; w++)
            before[w] = current(m->line, w);
        for (unsigned i = 0; i < LANES; i++) {
            if (!(a->mask >> i & 1))
                continue;
            unsigned w = a->offs[i];
            if (m->kind == HD_MSG_WT) {
                before[w] = a->operand[i];
            } else {
                a->old[i] = answer.data[i] = before[w];
                uint32_t v = hd_amo_reference(a->fn, (uint32_t)before[w], (uint32_t)a->operand[i], a->cmp[i]);
                before[w] = (a->operand[i] >> 32 << 32) | v;
            }
        }
        for (unsigned w = 0; w < WORDS; w++)
            if (before[w] != current(m->line, w))
                write_word(m->line, w, before[w]);
        if (m->kind == HD_MSG_ATOMIC)
            s.sharer[m->line] = false;
    }
    send(answer);
}

static void l2(void)
{
    for (unsigned i = 0; i < s.reqs; i++) { /* the oldest of a line that is not locked; lines pass each other */
        unsigned line = s.req[i].line;
        bool first = s.req[i].due <= s.now && !s.locked[line];
        for (unsigned j = 0; j < i; j++)
            first &= s.req[j].line != line;
        if (!first || hd_rand_below(2))
            continue;
        struct message m = s.req[i];
        memmove(&s.req[i], &s.req[i + 1], (--s.reqs - i) * sizeof s.req[0]);
        l2_request(&m);
        break;
    }
    unsigned line = (unsigned)hd_rand_below(LINES);
    if (hd_rand_below(12) == 0 && !s.locked[line]) { /* another SM writes, or the line is evicted */
        s.writing[line] = hd_rand_below(4) != 0;
        if (s.sharer[line]) {
            s.locked[line] = true;
            send((struct message){.kind = HD_MSG_INV, .line = line, .tid = line});
        } else if (s.writing[line]) {
            write_word(line, (unsigned)hd_rand_below(WORDS), fresh());
        }
    }
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

static void see_request(void)
{
    struct message m = {.kind = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                        .tid = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                        .lanes = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_LANES_LSB, HD_HEAD_LANES_W),
                        .due = s.now + (uint32_t)hd_rand_below(15)};
    uint32_t addr = (uint32_t)hd_bits_get(d.req_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
    unsigned opid = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W);
    uint32_t wmask = (uint32_t)hd_bits_get(d.req_head_o, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);

    m.line = line_of(addr / (WORDS * 4));
    s.seen[m.kind == HD_MSG_GETS ? 0 : m.kind == HD_MSG_WT ? 1 : 2]++;
    assert_true(m.kind == HD_MSG_GETS || m.kind == HD_MSG_WT || m.kind == HD_MSG_ATOMIC);
    if (m.kind != HD_MSG_GETS) {
        struct access *a = find(opid);
        uint32_t want = 0;
        m.data[0] = (uintptr_t)a;
        assert_int_equal(a->kind == HD_OP_STORE, m.kind == HD_MSG_WT);
        for (unsigned i = 0; i < LANES; i++) {
            if (!(a->mask >> i & 1))
                continue;
            want |= UINT32_C(1) << a->offs[i];
            if (m.kind == HD_MSG_WT)
                assert_true(hd_bits_get(d.req_body_o, a->offs[i] * W, W) == a->operand[i]);
            else
                assert_true(hd_bits_get(d.req_body_o, FLIT + i * W, W) == a->operand[i]);
        }
        assert_true(m.kind == HD_MSG_ATOMIC ? (wmask & 1) == 1 && m.lanes == a->mask : wmask == want);
    }
    assert_true(s.reqs < QUEUE);
    s.req[s.reqs++] = m;
}

static void see_ack(void)
{
    unsigned line = (unsigned)hd_bits_get(d.rsp_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W);

    assert_int_equal(hd_bits_get(d.rsp_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_INV_ACK);
    assert_int_equal(hd_bits_get(d.rsp_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), line_number(line) * WORDS * 4);
    assert_true(line < LINES && s.locked[line]);
    s.locked[line] = s.sharer[line] = false;
    s.acks++;
    if (s.writing[line])
        write_word(line, (unsigned)hd_rand_below(WORDS), fresh());
}

static void check_load(const struct access *a, unsigned lane)
{
    unsigned line = a->line, word = a->offs[lane], n = s.values[line][word];
    uint64_t got = hd_bits_get(d.cpl_data_o, lane * W, W);
    uint32_t low = a->accepted, high = s.now;

    assert_true(s.done[line] >= a->before); /* the stores before it are performed */
    if (a->before > 0 && s.performed[line][a->before - 1] > low)
        low = s.performed[line][a->before - 1], s.late++;
    if (s.done[line] > a->before && s.performed[line][a->before] < high)
        high = s.performed[line][a->before], s.forbidden++;
    for (unsigned k = n; k > 0 && k + HISTORY > n; k--) {
        const struct value *v = &s.word[line][word][(k - 1) % HISTORY];
        if (v->value == got && v->from <= high && v->to >= low)
            return;
        if (v->to < low)
            break;
    }
    fail_msg("cycle %u: line %u word %u: load accepted at %u, cycles %u..%u, read 0x%llx", s.now, line, word,
             a->accepted, low, high, (unsigned long long)got);
}

static void see_completion(void)
{
    assert_int_equal(*d.cpl_valid_o, s.perf != 0);
    if (!*d.cpl_valid_o)
        return;
    unsigned warp = *d.cpl_warp_o, slot = *d.cpl_slot_o;
    uint32_t mask = (uint32_t)hd_bits_get(d.cpl_mask_o, 0, LANES);
    assert_true(warp < WARPS && (slot & 3) < SLOTS && slot >> 3 == (P_SlotW > 3 ? warp % 4 : 0));
    struct access *a = &s.op[warp][slot & 7];
    assert_true(a->active && a->mask == mask && hd_bits_count(mask) == s.perf && *d.cpl_last_o);
    for (unsigned i = 0; i < LANES; i++) {
        if (!(mask >> i & 1) || a->kind == HD_OP_STORE)
            continue;
        if (a->kind == HD_OP_LOAD)
            check_load(a, i);
        else
            assert_true(hd_bits_get(d.cpl_data_o, i * W, W) == a->old[i]);
    }
    assert_true(a->kind == HD_OP_LOAD || a->performed);
    s.seen[4 + a->kind]++;
    a->active = false;
}

static void choose_access(bool quiet)
{
    static struct access prefetch;
    unsigned warp = (unsigned)hd_rand_below(WARPS), slot = (unsigned)hd_rand_below(SLOTS);

    if (s.offered != NULL || quiet || hd_rand_below(4) == 0)
        return;
    struct access *a = hd_rand_below(16) == 0 && P_Pending == 0 ? &prefetch : &s.op[warp][slot];
    if (a != &prefetch && a->active)
        return;
    *a = (struct access){.active = true, .prefetch = a == &prefetch};
    unsigned kind = (unsigned)hd_rand_below(8);
    a->kind = kind < 4 ? HD_OP_LOAD : kind < 7 || a->prefetch ? HD_OP_STORE : HD_OP_ATOMIC;
    a->fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    a->line = (unsigned)hd_rand_below(1 + s.now / 1000 % LINES);
    a->mask = a->prefetch ? 0 : hd_bits_random_mask(LANES);
    for (unsigned i = 0; i < LANES; i++) {
        a->offs[i] = (uint32_t)hd_rand_below(WORDS);
        a->operand[i] = fresh();
        a->cmp[i] = (uint32_t)current(a->line, a->offs[i]);
    }
    for (unsigned i = 0; a->kind == HD_OP_STORE && i < LANES; i++) /* one lane wins a word */
        for (unsigned j = 0; j < i; j++)
            if (a->offs[i] == a->offs[j])
                a->operand[i] = a->operand[j];
    s.offered = a, s.offered_warp = warp, s.offered_slot = slot;
}

static void drive_access(void)
{
    const struct access *a = s.offered;

    *d.la_valid_i = a != NULL;
    if (a == NULL)
        return;
    *d.la_warp_i = (uint8_t)s.offered_warp;
    *d.la_slot_i = (uint8_t)(s.offered_slot | (P_SlotW > 3 ? s.offered_warp % 4 << 3 : 0));
    *d.la_kind_i = (uint8_t)a->kind, *d.la_fn_i = (uint8_t)a->fn, *d.la_prefetch_i = a->prefetch;
    *d.la_line_i = line_number(a->line);
    hd_bits_put(d.la_mask_i, 0, LANES, a->mask);
    memset(d.la_wmask_i, 0, sizeof *d.la_wmask_i);
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.la_offs_i, i * OFF_W, OFF_W, a->offs[i]);
        hd_bits_put(d.la_cmp_i, i * 32, 32, a->cmp[i]);
        if (a->kind == HD_OP_ATOMIC)
            hd_bits_put(d.la_data_i, i * W, W, a->operand[i]);
        else if (a->mask >> i & 1) {
            hd_bits_put(d.la_data_i, a->offs[i] * W, W, a->operand[i]);
            hd_bits_put(d.la_wmask_i, a->offs[i], 1, 1);
        }
    }
}

static void drive_down(void)
{
    const struct message *m = s.dns > 0 && s.dn[0].due <= s.now ? &s.dn[0] : NULL;

    s.dn_shown = m != NULL && (s.dn_shown || hd_rand_below(3) != 0);
    *d.dn_valid_i = s.dn_shown;
    if (m == NULL)
        return;
    hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m->kind);
    hd_bits_put(d.dn_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, line_number(m->line) & ((1u << P_PartBits) - 1));
    hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, line_number(m->line) * WORDS * 4);
    hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m->tid);
    hd_bits_put(d.dn_head_i, HD_HEAD_LANES_LSB, HD_HEAD_LANES_W, m->lanes);
    for (unsigned w = 0; w < DN_DATA_W / W; w++)
        hd_bits_put(d.dn_data_i, w * W, W, w < 16 ? m->data[w] : 0);
}

static void see_events(bool taken_before, bool prefetch_before)
{
    uint32_t ev = (uint32_t)*d.ev_o;

    (void)prefetch_before;
    s.hits += ev >> HD_EV_SM_HIT & 1;
    s.refused += ev >> HD_EV_SM_REJECT & 1;
    s.drops += ev >> HD_EV_SM_PF_DROP & 1;
    if (ev >> HD_EV_SM_REJECT & 1)
        assert_false(taken_before);
    assert_int_equal(hd_bits_count(ev >> HD_EV_SM_REJ_ENTRY & 3) + (ev >> HD_EV_SM_REJ_CREDIT & 1)
                     + (ev >> HD_EV_SM_REJ_QUEUE & 1) + (ev >> HD_EV_SM_REJ_LINE & 1), ev >> HD_EV_SM_REJECT & 1);
    s.seen[10] += ev >> HD_EV_SM_REJ_LINE & 1;
    s.seen[11] += ev >> HD_EV_SM_MERGE & 1;
    if (!*d.st_valid_o)
        return;
    unsigned line = line_of(*d.st_line_o);
    assert_true(*d.st_state_o == HD_ST_I || *d.st_state_o == HD_ST_S);
    s.valid[line] = *d.st_state_o == HD_ST_S;
}

static bool busy(void)
{
    bool any = s.offered != NULL || s.reqs || s.dns;

    for (unsigned i = 0; i < WARPS * SLOTS; i++)
        any |= s.op[i / SLOTS][i % SLOTS].active;
    return any || !*d.idle_o;
}

static void cycle(bool quiet)
{
    bool req, rsp, dn, la;

    choose_access(quiet);
    drive_access();
    drive_down();
    *d.req_ready_i = hd_rand_below(4) > s.now / 700 % 3;
    *d.rsp_ready_i = hd_rand_below(4) > s.now / 900 % 3;
    *d.perf_last_i = 1;
    hd_eval(d.m);
    s.perf = *d.perf_valid_o ? *d.perf_lanes_o : 0;
    req = *d.req_valid_o && *d.req_ready_i, rsp = *d.rsp_valid_o && *d.rsp_ready_i;
    dn = *d.dn_valid_i && *d.dn_ready_o, la = *d.la_valid_i && *d.la_ready_o;
    if (req)
        see_request();
    if (rsp)
        see_ack();
    if (dn) {
        s.seen[8] += s.dn[0].kind == HD_MSG_INV;
        memmove(s.dn, s.dn + 1, --s.dns * sizeof s.dn[0]);
        s.dn_shown = false;
    }
    struct access *a = s.offered;
    bool prefetch = la && a->prefetch;
    if (la) {
        a->accepted = s.now;
        a->before = s.accepted[a->line];
        s.accepted[a->line] += a->kind != HD_OP_LOAD && !a->prefetch;
        s.offered = NULL;
    }
    l2();
    hd_edge(d.m);
    s.now++;
    see_completion();
    see_events(la, prefetch);
}

static void random_traffic_reads_what_the_l2_had(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    open_l1();
    hd_reset(d.m);
    *d.sm_id_i = SM;
    for (unsigned line = 0; line < LINES; line++) {
        s.performed[line] = calloc(STORES, sizeof *s.performed[line]);
        assert_non_null(s.performed[line]);
        for (unsigned w = 0; w < WORDS; w++)
            write_word(line, w, fresh());
    }
    for (unsigned round = 0; round < 4; round++) {
        while (s.now % (CYCLES / 4) != CYCLES / 4 - 1)
            cycle(false);
        for (unsigned n = 0; busy(); n++) {
            assert_true(n < 4000);
            cycle(true);
        }
        assert_int_equal(hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries), 0);
        if (round % 2) { /* flush: nothing is valid afterwards */
            *d.flush_i = 1;
            cycle(true);
            *d.flush_i = 0;
            while (*d.flushing_o || busy())
                cycle(true);
            for (unsigned line = 0; line < LINES; line++)
                assert_false(s.valid[line]);
        }
        cycle(true);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_true(s.seen[i] > 300);
    assert_true(s.seen[8] > 300 && s.hits > 300 && s.late > 50 && s.refused > 200 && s.seen[10] > 20);
    assert_true(s.seen[11] > 20 || P_MshrTargets == 1);
    assert_true((s.forbidden > 10 && s.drops > 20) || P_Pending == 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
    for (unsigned line = 0; line < LINES; line++)
        free(s.performed[line]);
    hd_close(d.m);
}

static const struct CMUnitTest l1_cases[] = {cmocka_unit_test(random_traffic_reads_what_the_l2_had)};
#endif
