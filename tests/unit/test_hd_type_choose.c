/* test_hd_type_choose.c - random accesses, messages and answers about types: what is looked up, tried, queued and asked for, cycle by
 * cycle against queues in C. The test plays what is known of sectors (hd_type_known) and what lets accesses go (hd_type_pass). */
/* mutants: Warps=3 LineW=12 CtlW=8 Depth=2 SectorW=6 */
/* dut: hd_type_choose Warps=3 LineW=12 CtlW=8 Depth=2 SectorW=6 */
/* dut: hd_type_choose Warps=2 LineW=12 CtlW=8 Depth=1 SectorW=6 */
/* dut-rtl: hd_type_choose Warps=8 LineW=12 CtlW=40 Depth=4 SectorW=10 */
/* dut-rtl: hd_type_choose Warps=48 LineW=12 CtlW=20 Depth=4 SectorW=6 */
#include "hd_unit.h"
#include "hd_type_choose_dut.h"
#include "hd_access.h"

enum { WARPS = P_Warps, DEPTH = P_Depth, LINE_W = P_LineW, CTL_W = P_CtlW, SHIFT = P_LineW - P_SectorW, SECTORS = 4 };
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_CHOOSE_W_##port, (uint64_t)(value))
#define GET(port) hd_bits_get(d.port, 0, HD_TYPE_CHOOSE_W_##port)
#define FIELD(value, name) ((value) >> HD_TYPE_##name##_LSB & 1)

struct entry {
    bool known, safe, asked, write, lds;
    struct hd_access acc;
    uint32_t line;
    uint64_t ctl;
};
struct queue {
    struct entry e[DEPTH];
    unsigned num;
    bool blocked;
};

static struct hd_type_choose d;
static struct queue queues[WARPS];
static uint32_t sectors[SECTORS]; /* that are accessed, each another one */
static unsigned last[2]; /* whose head was worked on last: of a known type, of those that must ask */
static unsigned late;    /* heads of a known type that were tried before one that must ask */
static struct entry offered;
static bool offering;
static struct {
    unsigned heads, passed, pushed, unknown, looked, asked, refused, blocked, messages, readers, both, first, turns;
} seen;

static bool cand(const struct queue *q, bool asks)
{
    return q->num > 0 && !q->blocked && (asks ? !q->e[0].known && !q->e[0].asked : q->e[0].known);
}

/* @return the warp behind the last one of its kind, or -1 */
static int next(bool asks)
{
    for (unsigned i = 1; i <= WARPS; i++)
        if (cand(&queues[(last[asks] + i) % WARPS], asks))
            return (int)((last[asks] + i) % WARPS);
    return -1;
}

static void draw_access(unsigned span)
{
    static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_COPY};
    struct entry *o = &offered;

    memset(o, 0, sizeof *o);
    o->acc = hd_access_random();
    o->acc.warp = (unsigned)hd_rand_below(span);
    o->acc.kind = kinds[hd_rand_below(5)];
    o->acc.fn = hd_rand_below(2) ? HD_AT_CAS : (unsigned)hd_rand_below(1 << HD_ACCESS_FN_W);
    o->acc.space = hd_rand_below(4) == 0 ? HD_SPACE_LDS : HD_SPACE_GLOBAL;
    o->write = o->acc.kind != HD_OP_LOAD && o->acc.kind != HD_OP_COPY;
    o->lds = o->acc.space == HD_SPACE_LDS;
    o->line = (uint32_t)(sectors[hd_rand_below(SECTORS)] << SHIFT | hd_rand_below(1u << SHIFT));
    o->ctl = hd_rand() & ((UINT64_C(1) << CTL_W) - 1);
    offering = true;
}

/* A message about @sector reaches what waits. */
static void message(uint32_t sector, bool reply, bool safe, bool write, bool again)
{
    for (unsigned w = 0; w < WARPS; w++) {
        queues[w].blocked = false;
        for (unsigned i = 0; i < queues[w].num; i++) {
            struct entry *e = &queues[w].e[i];
            const bool was_known = e->known;

            if (e->lds || e->line >> SHIFT != sector)
                continue;
            if (!reply) {
                e->known = e->asked = false;
                continue;
            }
            seen.readers += !was_known && safe && !write;
            if (!safe)
                e->safe = false; /* whatever was known of it */
            else if (!was_known)
                e->safe = true;
            e->known = was_known || !(safe && !write && e->write);
            if (!was_known && !again)
                e->asked = false;
        }
    }
}

/* One cycle with the access that is offered. go, known, ask: how often in 4 accesses go, types are known, requests find room. */
static void cycle(bool dn, unsigned go_in_4, unsigned known_in_4, unsigned ask_in_4, bool moved)
{
    const unsigned room = hd_rand_below(4) ? 3 : (unsigned)hd_rand_below(4);
    const unsigned warp = offered.acc.warp;
    const bool cas = (offered.acc.kind == HD_OP_ATOMIC && offered.acc.fn == HD_AT_CAS) || offered.acc.kind == HD_OP_COPY;
    const bool data = offered.acc.kind == HD_OP_LOAD || ((room & 1) && (!cas || (room & 2)));
    const uint32_t up_sector = sectors[hd_rand_below(SECTORS)];
    const bool reply = hd_rand_below(2), up_safe = hd_rand_below(2), up_write = hd_rand_below(2), again = hd_rand_below(2);
    const int known_head = next(false), ask_head_of = next(true);
    const int pick = known_head < 0 || (ask_head_of >= 0 && late == 15) ? ask_head_of : known_head;
    struct entry *head = pick >= 0 ? &queues[pick].e[0] : NULL;
    const bool use = pick >= 0 && !dn, try_head = use && head->known, look = use && !head->known;

    *d.la_valid_i = offering;
    SET(la_acc_i, hd_access_pack(offered.acc));
    SET(la_line_i, offered.line);
    SET(la_ctl_i, offered.ctl);
    *d.room_i = (uint8_t)room;
    *d.dn_valid_i = dn;
    *d.up_i = (uint8_t)(reply << HD_TYPE_UP_REPLY_LSB | up_safe << HD_TYPE_UP_SAFE_LSB | up_write << HD_TYPE_UP_WRITE_LSB |
                        again << HD_TYPE_UP_AGAIN_LSB);
    SET(up_sector_i, up_sector);
    *d.go_i = 0;
    *d.moved_i = moved;
    hd_eval(d.m);
    assert_int_equal(GET(lk_sector_o), (look ? head->line : offered.line) >> SHIFT);
    assert_int_equal(*d.lk_write_o, look ? head->write : offered.write);
    assert_int_equal(*d.waits_o, pick >= 0);
    for (unsigned w = 0; w < WARPS; w++) {
        assert_int_equal(hd_bits_get(d.full_o, w, 1), queues[w].num == DEPTH);
        assert_int_equal(hd_bits_get(d.empty_o, w, 1), queues[w].num == 0);
    }

    /* what is known of it */
    const bool lk_known = hd_rand_below(4) < known_in_4, lk_safe = hd_rand_below(2), ask_ok = hd_rand_below(4) < ask_in_4;
    const bool known = offered.lds || lk_known, safe = offered.lds || lk_safe;
    const bool try_front = offering && !dn && !look && !try_head && known && queues[warp].num == 0;
    *d.lk_i = (uint8_t)(lk_known << HD_TYPE_LOOK_KNOWN_LSB | lk_safe << HD_TYPE_LOOK_SAFE_LSB | ask_ok << HD_TYPE_LOOK_ASK_OK_LSB);
    hd_eval(d.m);
    assert_int_equal(FIELD(*d.t_o, TRY_VALID), try_head || try_front);
    assert_int_equal(FIELD(*d.t_o, TRY_QUEUED), try_head);
    if (try_head || try_front) {
        const struct entry *t = try_head ? head : &offered;
        const struct hd_access acc = hd_access_unpack(GET(t_acc_o));
        const uint64_t kept = (UINT64_C(1) << HD_QUEUED_W) - 1;

        assert_int_equal(FIELD(*d.t_o, TRY_SAFE), try_head ? head->safe : safe);
        assert_int_equal(FIELD(*d.t_o, TRY_DATA_OK), try_head || data);
        assert_int_equal(acc.warp, t->acc.warp);
        assert_int_equal(acc.slot, t->acc.slot);
        assert_true((hd_access_pack(acc) & kept) == (hd_access_pack(t->acc) & kept));
        assert_int_equal(GET(t_line_o), t->line);
        assert_true(GET(t_ctl_o) == t->ctl);
    }

    /* may it go? */
    const bool go = (try_head || try_front) && hd_rand_below(4) < go_in_4;
    const bool push = offering && !dn && !look && !(go && try_front) && queues[warp].num < DEPTH && data;
    const bool ask_head = look && !lk_known && ask_ok, ask_front = push && !known && ask_ok;
    *d.go_i = go;
    hd_eval(d.m);
    assert_int_equal(*d.push_o, push);
    assert_int_equal(*d.unknown_o, push && !known);
    assert_int_equal(*d.la_ready_o, push || (go && try_front));
    assert_int_equal(*d.ask_o, ask_head || ask_front);
    seen.heads += go && try_head;
    seen.passed += go && try_front;
    seen.pushed += push;
    seen.both += push && go;
    seen.unknown += push && !known;
    seen.looked += look && lk_known;
    seen.asked += ask_head;
    seen.messages += dn;
    seen.first += try_head && ask_head_of >= 0;
    seen.turns += look && known_head >= 0;
    hd_edge(d.m);

    /* the edge */
    if (use)
        last[look] = (unsigned)pick;
    if (look)
        late = 0;
    else if (try_head && ask_head_of >= 0)
        late++;
    if (dn) {
        message(up_sector, reply, up_safe, up_write, again);
    } else {
        if ((try_head && !go) || (look && !lk_known && !ask_ok)) {
            queues[pick].blocked = true;
            seen.refused++;
        }
        if (look && lk_known) {
            head->known = true;
            head->safe = lk_safe;
        }
        head = NULL;
        if (ask_head)
            queues[pick].e[0].asked = true;
        if (push) {
            struct entry *e = &queues[warp].e[queues[warp].num];

            *e = offered;
            e->known = known;
            e->safe = safe;
            e->asked = ask_front;
            queues[warp].num++;
        }
        if (go && try_head) {
            queues[pick].num--;
            memmove(queues[pick].e, queues[pick].e + 1, queues[pick].num * sizeof *queues[pick].e);
        }
    }
    if (moved)
        for (unsigned w = 0; w < WARPS; w++) {
            seen.blocked += queues[w].blocked;
            queues[w].blocked = false;
        }
    if (push || (go && try_front))
        offering = false;
}

static void begin(void)
{
    hd_type_choose_open(&d);
    hd_reset(d.m);
    memset(queues, 0, sizeof queues);
    memset(&seen, 0, sizeof seen);
    last[0] = last[1] = WARPS - 1;
    late = 0;
    offering = false;
    for (unsigned i = 0; i < SECTORS; i++) /* numbers with other low bits */
        sectors[i] = (uint32_t)hd_rand_below(1u << (P_SectorW - 2)) << 2 | i;
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void what_is_known_goes_at_once_and_what_is_not_waits(void **state)
{
    (void)state;
    begin();
    draw_access(1);
    offered.acc.kind = HD_OP_LOAD;
    offered.write = false;
    cycle(false, 4, 4, 4, false);
    assert_int_equal(seen.passed, 1);
    draw_access(1);
    offered.acc.kind = HD_OP_LOAD;
    offered.acc.space = HD_SPACE_GLOBAL;
    offered.lds = offered.write = false;
    cycle(false, 4, 0, 4, false);
    assert_int_equal(seen.unknown, 1);
    cycle(false, 4, 4, 4, false); /* it has asked: it waits, and does not look again */
    assert_int_equal(seen.looked, 0);
    end();
}

static void what_must_ask_has_its_turn(void **state)
{
    (void)state;
    begin();
    draw_access(1);
    offered.acc.kind = HD_OP_LOAD;
    offered.acc.space = HD_SPACE_GLOBAL;
    offered.lds = offered.write = false;
    cycle(false, 0, 0, 0, false); /* it waits and has not asked */
    draw_access(1);
    offered.acc.warp = 1;
    offered.acc.kind = HD_OP_LOAD;
    offered.acc.space = HD_SPACE_LDS;
    offered.write = false;
    offered.lds = true;
    cycle(false, 0, 0, 0, false); /* looks in vain */
    cycle(false, 0, 0, 0, true);  /* the one of the LDS is refused */
    assert_int_equal(queues[0].num + queues[1].num, 2);
    for (unsigned i = 0; i < 15; i++) { /* and again, as something moves in every cycle */
        assert_int_equal(seen.turns, 0);
        assert_int_equal(seen.first, i);
        cycle(false, 0, 0, 0, true);
    }
    cycle(false, 0, 0, 0, true);
    assert_int_equal(seen.turns, 1);
    end();
}

static void random_accesses_match_queues(void **state)
{
    /* go, known, ask, moved, dn: how often */
    static const struct { unsigned go, known, ask, moved, dn; } phases[] = {
        {3, 3, 3, 2, 8}, {4, 1, 4, 2, 3}, {1, 3, 1, 12, 6}, {2, 2, 2, 3, 20}, {4, 4, 4, 1, 50}, {0, 2, 1, 8, 10},
    };

    (void)state;
    begin();
    for (unsigned t = 0; t < 30000; t++) {
        const unsigned p = t / 300 % 6;

        if (!offering && hd_rand_below(4))
            draw_access(WARPS > 4 && t / 1800 % 2 ? 4 : WARPS);
        cycle(hd_rand_below(phases[p].dn) == 0, phases[p].go, phases[p].known, phases[p].ask, hd_rand_below(phases[p].moved) == 0);
    }
    assert_true(seen.heads > 500 && seen.passed > 500 && seen.pushed > 1000 && seen.unknown > 200 && seen.looked > 100);
    assert_true(seen.asked > 100 && seen.refused > 300 && seen.blocked > 100 && seen.messages > 1000 && seen.readers > 50);
    assert_true(seen.both > 50 && seen.first > 50);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(what_is_known_goes_at_once_and_what_is_not_waits),
        cmocka_unit_test(what_must_ask_has_its_turn),
        cmocka_unit_test(random_accesses_match_queues),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
