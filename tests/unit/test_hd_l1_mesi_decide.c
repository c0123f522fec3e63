/* test_hd_l1_mesi_decide.c - what the MESI L1 does with each thing it decides about, row by row. */
/* dut: hd_l1_mesi_decide Pending=0 */
/* dut: hd_l1_mesi_decide Pending=1 */
#include "hd_unit.h"
#include "hd_l1_mesi_decide_dut.h"
#include "hd_bits.h"

/* Bits of hd_pkg::l1_sel_s and l1_do_s. */
enum { FL = 1, FR = 2, DN = 4, RP = 8 };
enum { TOUCH = 1, WE = 2, DATA = 8, RSP = 16, REQ = 32, STOP = 64, START = 128, REJECT = 256, PUSH = 1024,
       PERFORM = 2048 };
enum { PRT = P_Pending, I = HD_ST_I, S = HD_ST_S, E = HD_ST_E, M = HD_ST_M };
enum { ANY = 2 }; /* `pending`: both tables */
#define EV(name) (UINT64_C(1) << HD_EV_SM_##name)

struct row {
    const char *claim;
    unsigned pending; /* of which table */
    unsigned sel, kind, dn, state, why;
    bool prefetch, evict, fill, here /* line in the table */, full, no_request;
    unsigned act, next, req, rsp; /* what must be done */
    uint64_t ev;
};

static const struct row rows[] = {
    {"a load hits a shared copy", ANY, FR, .kind = HD_OP_LOAD, .state = S, .act = PERFORM | TOUCH, .next = S,
     .ev = EV(ACCESS) | EV(HIT)},
    {"a store to the only copy makes it modified", ANY, FR, .kind = HD_OP_STORE, .state = E,
     .act = PERFORM | TOUCH | WE, .next = M, .ev = EV(ACCESS) | EV(HIT) | EV(ACC_STORE)},
    {"an atomic hits a modified line", ANY, FR, .kind = HD_OP_ATOMIC, .state = M, .act = PERFORM | TOUCH, .next = M,
     .ev = EV(ACCESS) | EV(HIT) | EV(ACC_ATOMIC)},
    {"a load misses", ANY, FR, .kind = HD_OP_LOAD, .state = I, .act = PUSH | REQ, .next = I, .req = HD_MSG_GETS,
     .ev = EV(ACCESS) | EV(MISS)},
    {"a store misses", ANY, FR, .kind = HD_OP_STORE, .state = I, .act = PUSH | REQ, .next = I, .req = HD_MSG_GETM,
     .ev = EV(ACCESS) | EV(MISS) | EV(ACC_STORE)},
    {"a store to a shared copy upgrades it", HD_PENDING_MSHR, FR, .kind = HD_OP_STORE, .state = S, .act = PUSH | REQ,
     .next = S, .req = HD_MSG_UPG, .ev = EV(ACCESS) | EV(MISS) | EV(ACC_STORE) | EV(UPGRADE)},
    {"... or drops it and asks anew", HD_PENDING_PRT, FR, .kind = HD_OP_STORE, .state = S,
     .act = PUSH | REQ | WE, .next = I, .req = HD_MSG_GETM, .ev = EV(ACCESS) | EV(MISS) | EV(ACC_STORE)},
    {"an access joins its line's request though there is a copy", HD_PENDING_MSHR, FR, .kind = HD_OP_LOAD, .state = S,
     .here = true, .act = PUSH, .next = S, .ev = EV(ACCESS) | EV(MERGE)},
    {"... to store, too, and asks for no upgrade", HD_PENDING_MSHR, FR, .kind = HD_OP_STORE, .state = S, .here = true,
     .act = PUSH, .next = S, .ev = EV(ACCESS) | EV(MERGE) | EV(ACC_STORE)},
    {"without room in the table it is refused", ANY, FR, .kind = HD_OP_LOAD, .state = I, .full = true,
     .why = HD_WHY_ENTRY, .act = REJECT, .next = I, .req = HD_MSG_GETS,
     .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_ENTRY)},
    {"... an atomic to a shared copy, which stays and is not upgraded", ANY, FR, .kind = HD_OP_ATOMIC, .state = S, .full = true,
     .why = HD_WHY_CREDIT, .act = REJECT, .next = S, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_CREDIT)},
    {"... a store without room to join", HD_PENDING_MSHR, FR, .kind = HD_OP_STORE, .state = I, .here = true, .full = true,
     .why = HD_WHY_MERGE, .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_MERGE)},
    {"... without room for its data", HD_PENDING_MSHR, FR, .kind = HD_OP_STORE, .state = I, .full = true,
     .why = HD_WHY_QUEUE, .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_QUEUE)},
    {"... of a line on its way", HD_PENDING_PRT, FR, .kind = HD_OP_LOAD, .state = I, .here = true, .full = true,
     .why = HD_WHY_LINE, .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_LINE)},
    {"without room for its request, too", ANY, FR, .kind = HD_OP_LOAD, .state = I, .no_request = true, .act = REJECT,
     .next = I, .req = HD_MSG_GETS, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_QUEUE)},
    {"a prefetch asks for its line", ANY, FR, .kind = HD_OP_LOAD, .state = I, .prefetch = true, .act = PUSH | REQ,
     .next = I, .req = HD_MSG_GETS, .ev = EV(PREFETCH)},
    {"... is dropped where the line is, and uses it not", ANY, FR, .kind = HD_OP_LOAD, .state = S, .prefetch = true,
     .act = PERFORM, .next = S, .ev = EV(PF_DROP)},
    {"... where it is under way", ANY, FR, .kind = HD_OP_LOAD, .state = I, .prefetch = true, .here = true,
     .next = I, .req = HD_MSG_GETS, .ev = EV(PF_DROP)},
    {"... or without room", ANY, FR, .kind = HD_OP_LOAD, .state = I, .prefetch = true, .full = true, .why = HD_WHY_ENTRY,
     .next = I, .req = HD_MSG_GETS, .ev = EV(PF_DROP)},
    {"a store that waited is performed", ANY, RP, .kind = HD_OP_STORE, .state = E, .act = PERFORM | TOUCH | WE, .next = M,
     .ev = EV(REPLAY)},
    {"a prefetch that waited leaves without a trace", ANY, RP, .kind = HD_OP_STORE, .state = E, .prefetch = true,
     .act = PERFORM, .next = M},
    {"a store that finds a shared copy waits on for the right to write", HD_PENDING_MSHR, RP, .kind = HD_OP_STORE,
     .state = S, .act = STOP | REQ, .next = S, .req = HD_MSG_UPG, .ev = EV(UPGRADE)},
    {"data that come are served", ANY, DN, .dn = HD_MSG_DATA_E, .state = I, .fill = true, .act = START | WE | TOUCH,
     .next = E, .ev = EV(FILL)},
    {"... to read, as others do", ANY, DN, .dn = HD_MSG_DATA_S, .state = I, .fill = true, .act = START | WE | TOUCH,
     .next = S, .ev = EV(FILL)},
    {"... to write", ANY, DN, .dn = HD_MSG_DATA_M, .state = I, .fill = true, .act = START | WE | TOUCH, .next = M,
     .ev = EV(FILL)},
    {"an upgrade is granted", HD_PENDING_MSHR, DN, .dn = HD_MSG_ACK_M, .state = S, .act = START | WE, .next = M,
     .ev = EV(FILL)},
    {"... to a copy that has left: given back, asked for anew", HD_PENDING_MSHR, DN, .dn = HD_MSG_ACK_M, .state = I,
     .act = REQ | RSP, .next = I, .req = HD_MSG_GETM, .rsp = HD_MSG_PUTE, .ev = EV(LOST_COPY)},
    {"room for data: a clean line leaves first", ANY, DN, .dn = HD_MSG_DATA_S, .state = E, .evict = true,
     .act = RSP | WE, .next = I, .rsp = HD_MSG_PUTE, .ev = EV(EVICT_CLEAN)},
    {"... a shared one without a word", ANY, DN, .dn = HD_MSG_DATA_M, .state = S, .evict = true, .act = WE, .next = I,
     .ev = EV(EVICT_CLEAN)},
    {"... a modified one with its words", ANY, DN, .dn = HD_MSG_DATA_S, .state = M, .evict = true,
     .act = RSP | DATA | WE, .next = I, .rsp = HD_MSG_PUTM, .ev = EV(EVICT_DIRTY)},
    {"the directory invalidates", ANY, DN, .dn = HD_MSG_INV, .state = S, .act = RSP | WE, .next = I,
     .rsp = HD_MSG_INV_ACK, .ev = EV(INV)},
    {"... a line that has left", ANY, DN, .dn = HD_MSG_INV, .state = I, .act = RSP, .next = I, .rsp = HD_MSG_INV_ACK,
     .ev = EV(INV)},
    {"... fetches, a shared copy stays", ANY, DN, .dn = HD_MSG_FETCH, .state = M, .act = RSP | DATA | WE, .next = S,
     .rsp = HD_MSG_RSP_DATA, .ev = EV(FETCH)},
    {"... fetches, none stays", ANY, DN, .dn = HD_MSG_FETCH_INV, .state = E, .act = RSP | WE, .next = I,
     .rsp = HD_MSG_RSP_CLEAN, .ev = EV(FETCH)},
    {"... a line that was given back meanwhile", ANY, DN, .dn = HD_MSG_FETCH, .state = I, .act = RSP, .next = I,
     .rsp = HD_MSG_RSP_NONE, .ev = EV(FETCH)},
    {"the flush walk steps on an empty way", ANY, FL, .state = I, .evict = true, .next = I},
    {"... on a modified line", ANY, FL, .state = M, .evict = true, .act = RSP | DATA | WE, .next = I,
     .rsp = HD_MSG_PUTM, .ev = EV(EVICT_DIRTY)},
    {"... on a clean one", ANY, FL, .state = E, .evict = true, .act = RSP | WE, .next = I, .rsp = HD_MSG_PUTE,
     .ev = EV(EVICT_CLEAN)},
    {"nothing is decided about", ANY, 0, .kind = HD_OP_LOAD, .state = M, .next = M},
    {"... where a store would change the line", ANY, 0, .kind = HD_OP_STORE, .state = E, .next = M},
};

enum { ROWS = sizeof rows / sizeof *rows, TIMES = 50 };

static struct hd_l1_mesi_decide d;

static void drive(const struct row *r)
{
    *d.sel_i = (uint8_t)r->sel;
    *d.kind_i = (uint8_t)r->kind;
    *d.real_i = !r->prefetch;
    *d.dn_kind_i = (uint8_t)r->dn;
    *d.state_i = (uint8_t)r->state;
    *d.evict_i = r->evict;
    *d.fill_i = r->fill;
    *d.lk_hit_i = r->here;
    *d.lk_room_i = !r->full;
    *d.lk_why_i = (uint8_t)r->why;
    *d.req_room_i = !r->no_request;
}

/* Of a row: what stands there of things that are not decided about is anything. */
static void drive_with_others(const struct row *r)
{
    drive(r);
    if (!(r->sel & DN))
        *d.dn_kind_i = (uint8_t)hd_rand_below(1 << HD_HEAD_KIND_W);
    if (r->sel & (DN | FL))
        *d.kind_i = (uint8_t)hd_rand_below(1 << HD_OP_W);
    if (!(r->sel & (FR | RP)))
        *d.real_i = (uint8_t)hd_rand_below(2);
    if (!(r->sel & FR)) {
        *d.lk_hit_i = (uint8_t)hd_rand_below(2), *d.lk_room_i = (uint8_t)hd_rand_below(2);
        *d.lk_why_i = *d.lk_room_i ? HD_WHY_NONE : HD_WHY_ENTRY + (uint8_t)hd_rand_below(HD_WHY_LINE);
    }
}

static void every_row_is_done_as_it_says(void **state)
{
    (void)state;
    hd_l1_mesi_decide_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < TIMES * ROWS; n++) {
        const struct row *r = &rows[n % ROWS];
        const bool lane = hd_rand_below(2); /* an atomic's lane is performed meanwhile */
        const uint64_t ev = r->ev | (lane ? EV(RMW_LANE) : 0);
        uint64_t shown;

        if (r->pending != ANY && r->pending != PRT)
            continue;
        drive_with_others(r);
        *d.rmw_lane_i = lane;
        hd_eval(d.m);
        /* the line that would be sent counts with an answer only */
        if ((*d.do_o & (*d.do_o & RSP ? ~0u : ~(unsigned)DATA)) != r->act || *d.next_o != r->next)
            fail_msg("%s: does %x, next state %u; wanted %x, %u", r->claim, *d.do_o, *d.next_o, r->act, r->next);
        if (((r->act & REQ) && *d.req_kind_o != r->req) || ((r->act & RSP) && *d.rsp_kind_o != r->rsp))
            fail_msg("%s: request %u, answer %u", r->claim, *d.req_kind_o, *d.rsp_kind_o);
        hd_edge(d.m);
        shown = hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM);
        if (shown != ev)
            fail_msg("%s: events %llx, wanted %llx", r->claim, (unsigned long long)shown, (unsigned long long)ev);
    }
    *d.rst_i = 1;
    drive(&rows[0]);
    *d.rmw_lane_i = 1;
    hd_edge(d.m);
    assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == 0); /* none of a reset */
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void assertions_fire(void **state)
{
    static const struct row wrong[] = {
        {"data for a line that is here", ANY, DN, .dn = HD_MSG_DATA_S, .state = M, .fill = true},
        {"a kind that is no access", ANY, FR, .kind = HD_OP_FENCE, .state = M},
        {"a message that no directory sends", ANY, DN, .dn = HD_MSG_GETS, .state = I},
        {"an upgrade lost, without room to ask anew", ANY, DN, .dn = HD_MSG_ACK_M, .state = I, .no_request = true},
        {"what waited finds no line", ANY, RP, .kind = HD_OP_LOAD, .state = I},
    };

    (void)state;
    hd_l1_mesi_decide_open(&d);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong && hd_has_asserts(d.m); i++) {
        hd_reset(d.m);
        drive(&wrong[i]);
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fail_msg("%s: no assertion", wrong[i].claim);
        hd_assert_clear(d.m);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_done_as_it_says),
        cmocka_unit_test(assertions_fire),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
