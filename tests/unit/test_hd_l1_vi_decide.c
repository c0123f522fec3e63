/* test_hd_l1_vi_decide.c - what the write-through L1 does with each thing it decides about, row by row. */
/* dut: hd_l1_vi_decide */
#include "hd_unit.h"
#include "hd_l1_vi_decide_dut.h"
#include "hd_bits.h"

/* Bits of hd_pkg::l1_sel_s and l1_do_s. */
enum { FL = 1, FR = 2, DN = 4, RP = 8 };
enum { TOUCH = 1, WE = 2, WRITE = 4, RSP = 16, REQ = 32, REJECT = 256, SEND = 512, PUSH = 1024, PERFORM = 2048 };
enum { I = HD_ST_I, V = HD_ST_S };
#define EV(name) (UINT64_C(1) << HD_EV_SM_##name)

struct row {
    const char *claim;
    unsigned sel, kind, dn, state, why;
    bool prefetch, st_out, no_lanes, last, evict, fill, here /* line in the table */, full, busy, no_request, no_store, no_send;
    unsigned act, next, req, rsp; /* what must be done */
    uint64_t ev;
};

static const struct row rows[] = {
    {"a load hits", FR, .kind = HD_OP_LOAD, .state = V, .act = PERFORM | TOUCH, .next = V, .ev = EV(ACCESS) | EV(HIT)},
    {"a load misses", FR, .kind = HD_OP_LOAD, .state = I, .act = PUSH | REQ, .next = I, .req = HD_MSG_GETS,
     .ev = EV(ACCESS) | EV(MISS)},
    {"a load behind a store of its line does not hit", FR, .kind = HD_OP_LOAD, .state = V, .st_out = true,
     .act = PUSH | REQ, .next = V, .req = HD_MSG_GETS, .ev = EV(ACCESS) | EV(MISS)},
    {"a load joins its line's request though there is a copy", FR, .kind = HD_OP_LOAD, .state = V, .here = true,
     .act = PUSH, .next = V, .ev = EV(ACCESS) | EV(MERGE)},
    {"... but not behind a store that follows the request", FR, .kind = HD_OP_LOAD, .state = I, .here = true,
     .busy = true, .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_LINE)},
    {"a load without room in the table is refused", FR, .kind = HD_OP_LOAD, .state = I, .full = true, .why = HD_WHY_ENTRY,
     .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_ENTRY)},
    {"... to join, too", FR, .kind = HD_OP_LOAD, .state = I, .here = true, .full = true, .why = HD_WHY_MERGE, .act = REJECT,
     .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_MERGE)},
    {"... with as many requests out as may be, too", FR, .kind = HD_OP_LOAD, .state = I, .full = true, .why = HD_WHY_CREDIT,
     .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_CREDIT)},
    {"... without a place to wait, too", FR, .kind = HD_OP_LOAD, .state = I, .full = true, .why = HD_WHY_QUEUE, .act = REJECT,
     .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_QUEUE)},
    {"... without room for its request, too", FR, .kind = HD_OP_LOAD, .state = I, .no_request = true, .act = REJECT,
     .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_QUEUE)},
    {"a store writes the copy and leaves", FR, .kind = HD_OP_STORE, .state = V, .act = SEND | REQ | WRITE | TOUCH,
     .next = V, .req = HD_MSG_WT, .ev = EV(ACCESS) | EV(ACC_STORE) | EV(WT)},
    {"a store without a copy leaves", FR, .kind = HD_OP_STORE, .state = I, .act = SEND | REQ, .next = I,
     .req = HD_MSG_WT, .ev = EV(ACCESS) | EV(ACC_STORE) | EV(WT)},
    {"an atomic takes the copy away and leaves", FR, .kind = HD_OP_ATOMIC, .state = V, .act = SEND | REQ | WE,
     .next = I, .req = HD_MSG_ATOMIC, .ev = EV(ACCESS) | EV(ACC_ATOMIC) | EV(WT)},
    {"a store without a place for it is refused", FR, .kind = HD_OP_STORE, .state = V, .no_store = true, .no_send = true,
     .act = REJECT, .next = V, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_ENTRY)},
    {"... without room for its data, too", FR, .kind = HD_OP_STORE, .state = V, .no_send = true, .act = REJECT,
     .next = V, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_QUEUE)},
    {"an atomic that is refused takes no copy away", FR, .kind = HD_OP_ATOMIC, .state = V, .no_send = true, .act = REJECT,
     .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_QUEUE)},
    {"a store to a line on its way that nothing may pass is refused", FR, .kind = HD_OP_STORE, .state = I, .here = true,
     .busy = true, .act = REJECT, .next = I, .ev = EV(ACCESS) | EV(REJECT) | EV(REJ_LINE)},
    {"a prefetch to read asks for the line", FR, .kind = HD_OP_LOAD, .state = I, .prefetch = true, .act = PUSH | REQ,
     .next = I, .req = HD_MSG_GETS, .ev = EV(PREFETCH)},
    {"... is dropped where it is", FR, .kind = HD_OP_LOAD, .state = V, .prefetch = true, .next = V, .ev = EV(PF_DROP)},
    {"... or is under way", FR, .kind = HD_OP_LOAD, .state = I, .prefetch = true, .here = true, .next = I,
     .ev = EV(PF_DROP)},
    {"a prefetch to write is dropped", FR, .kind = HD_OP_STORE, .state = I, .prefetch = true, .next = I,
     .ev = EV(PF_DROP)},
    {"a load that waited is performed", RP, .state = V, .act = PERFORM | TOUCH, .next = V, .ev = EV(REPLAY)},
    {"... and the line leaves where a store followed", RP, .state = V, .last = true, .act = PERFORM | TOUCH | WE,
     .next = I, .ev = EV(REPLAY)},
    {"a prefetch that waited performs nothing", RP, .state = V, .no_lanes = true, .next = V},
    {"data that come are installed", DN, .dn = HD_MSG_DATA_S, .state = I, .fill = true, .act = WE | TOUCH, .next = V,
     .ev = EV(FILL)},
    {"... after another line has left", DN, .dn = HD_MSG_DATA_S, .state = V, .evict = true, .act = WE, .next = I,
     .ev = EV(EVICT_CLEAN)},
    {"the directory invalidates", DN, .dn = HD_MSG_INV, .state = V, .act = RSP | WE, .next = I, .rsp = HD_MSG_INV_ACK,
     .ev = EV(INV)},
    {"... a line that has left", DN, .dn = HD_MSG_INV, .state = I, .act = RSP, .next = I, .rsp = HD_MSG_INV_ACK,
     .ev = EV(INV)},
    {"the flush walk drops a line", FL, .state = V, .evict = true, .act = WE, .next = I, .ev = EV(EVICT_CLEAN)},
    {"... steps on an empty way", FL, .state = I, .evict = true, .next = I},
    {"nothing is decided about", 0, .state = V, .next = V},
};

enum { ROWS = sizeof rows / sizeof *rows, TIMES = 50 };

static struct hd_l1_vi_decide d;

static void drive(const struct row *r)
{
    *d.sel_i = (uint8_t)r->sel;
    *d.kind_i = (uint8_t)r->kind;
    *d.prefetch_i = r->prefetch;
    *d.st_out_i = r->st_out;
    *d.real_i = !r->no_lanes;
    *d.last_i = r->last;
    *d.dn_kind_i = (uint8_t)r->dn;
    *d.state_i = (uint8_t)r->state;
    *d.evict_i = r->evict;
    *d.fill_i = r->fill;
    *d.lk_hit_i = r->here;
    *d.lk_room_i = !r->full;
    *d.lk_why_i = (uint8_t)r->why;
    *d.line_busy_i = r->busy;
    *d.req_room_i = !r->no_request;
    *d.st_room_i = !r->no_store;
    *d.send_room_i = !r->no_send;
}

/* Of a row: what stands there of things that are not decided about is anything. */
static void drive_with_others(const struct row *r)
{
    const bool access = r->sel & FR, load = r->kind == HD_OP_LOAD;

    drive(r);
    if (!(r->sel & DN))
        *d.dn_kind_i = (uint8_t)hd_rand_below(1 << HD_HEAD_KIND_W);
    if (!(r->sel & RP))
        *d.real_i = (uint8_t)hd_rand_below(2), *d.last_i = (uint8_t)hd_rand_below(2);
    if (!access) {
        *d.kind_i = (uint8_t)hd_rand_below(1 << HD_OP_W), *d.prefetch_i = (uint8_t)hd_rand_below(2);
        *d.line_busy_i = (uint8_t)hd_rand_below(2);
    }
    if (!access || !load) {
        *d.lk_hit_i = *d.line_busy_i || hd_rand_below(2);
        *d.st_out_i = (uint8_t)hd_rand_below(2), *d.lk_room_i = (uint8_t)hd_rand_below(2);
        *d.lk_why_i = *d.lk_room_i ? HD_WHY_NONE : HD_WHY_ENTRY + (uint8_t)hd_rand_below(HD_WHY_LINE);
        *d.req_room_i = (uint8_t)hd_rand_below(2);
    }
    if (!access || load)
        *d.st_room_i = (uint8_t)hd_rand_below(2), *d.send_room_i = (uint8_t)hd_rand_below(2);
}

static void every_row_is_done_as_it_says(void **state)
{
    (void)state;
    hd_l1_vi_decide_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < TIMES * ROWS; n++) {
        const struct row *r = &rows[n % ROWS];
        uint64_t shown;
        bool changes;

        drive_with_others(r);
        hd_eval(d.m);
        changes = r->sel == RP || r->sel == DN || r->sel == FL || (r->act & SEND);
        if (*d.do_o != r->act || (changes && *d.next_o != r->next))
            fail_msg("%s: does %x, next state %u; wanted %x, %u", r->claim, *d.do_o, *d.next_o, r->act, r->next);
        if (((r->act & REQ) && *d.req_kind_o != r->req) || ((r->act & RSP) && *d.rsp_kind_o != r->rsp))
            fail_msg("%s: request %u, answer %u", r->claim, *d.req_kind_o, *d.rsp_kind_o);
        hd_edge(d.m);
        shown = hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM);
        if (shown != r->ev)
            fail_msg("%s: events %llx, wanted %llx", r->claim, (unsigned long long)shown, (unsigned long long)r->ev);
    }
    *d.rst_i = 1;
    drive(&rows[0]);
    hd_edge(d.m);
    assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == 0); /* none of a reset */
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void assertions_fire(void **state)
{
    static const struct row wrong[] = {
        {"a load behind a store that is the last of a line that is not here", RP, .state = I, .last = true},
        {"what waited finds no line", RP, .kind = HD_OP_LOAD, .state = I},
    };

    (void)state;
    hd_l1_vi_decide_open(&d);
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
