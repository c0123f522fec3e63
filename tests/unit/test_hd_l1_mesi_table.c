/* test_hd_l1_mesi_table.c - every (state, event) pair against the table in the module's header. */
/* dut: hd_l1_mesi_table */
#include "hd_unit.h"
#include "hd_l1_mesi_table_dut.h"
#include "hd_bits.h"

struct answer {
    uint8_t next, hit, req, rsp, data;
};
enum { EVENTS = HD_L1E_EVICT + 1, STATES = 4, NO = 0xff };
#define I HD_ST_I
#define S HD_ST_S
#define E HD_ST_E
#define M HD_ST_M
#define NEVER {NO, 0, 0, 0, 0}

/* next, hit, request, answer, data */
static const struct answer table[STATES][EVENTS] = {
    [I] = {
        [HD_L1E_LOAD] = {I, 0, HD_MSG_GETS, 0, 0},
        [HD_L1E_STORE] = {I, 0, HD_MSG_GETM, 0, 0},
        [HD_L1E_DATA_S] = {S, 0, 0, 0, 0},
        [HD_L1E_DATA_E] = {E, 0, 0, 0, 0},
        [HD_L1E_DATA_M] = {M, 0, 0, 0, 0},
        [HD_L1E_ACK_M] = {I, 0, HD_MSG_GETM, HD_MSG_PUTE, 0},
        [HD_L1E_INV] = {I, 0, 0, HD_MSG_INV_ACK, 0},
        [HD_L1E_FETCH] = {I, 0, 0, HD_MSG_RSP_NONE, 0},
        [HD_L1E_FETCH_INV] = {I, 0, 0, HD_MSG_RSP_NONE, 0},
        [HD_L1E_EVICT] = {I, 0, 0, 0, 0},
    },
    [S] = {
        [HD_L1E_LOAD] = {S, 1, 0, 0, 0},
        [HD_L1E_STORE] = {S, 0, HD_MSG_UPG, 0, 0},
        [HD_L1E_DATA_S] = NEVER,
        [HD_L1E_DATA_E] = NEVER,
        [HD_L1E_DATA_M] = NEVER,
        [HD_L1E_ACK_M] = {M, 0, 0, 0, 0},
        [HD_L1E_INV] = {I, 0, 0, HD_MSG_INV_ACK, 0},
        [HD_L1E_FETCH] = NEVER,
        [HD_L1E_FETCH_INV] = NEVER,
        [HD_L1E_EVICT] = {I, 0, 0, 0, 0},
    },
    [E] = {
        [HD_L1E_LOAD] = {E, 1, 0, 0, 0},
        [HD_L1E_STORE] = {M, 1, 0, 0, 0},
        [HD_L1E_DATA_S] = NEVER,
        [HD_L1E_DATA_E] = NEVER,
        [HD_L1E_DATA_M] = NEVER,
        [HD_L1E_ACK_M] = NEVER,
        [HD_L1E_INV] = NEVER,
        [HD_L1E_FETCH] = {S, 0, 0, HD_MSG_RSP_CLEAN, 0},
        [HD_L1E_FETCH_INV] = {I, 0, 0, HD_MSG_RSP_CLEAN, 0},
        [HD_L1E_EVICT] = {I, 0, 0, HD_MSG_PUTE, 0},
    },
    [M] = {
        [HD_L1E_LOAD] = {M, 1, 0, 0, 0},
        [HD_L1E_STORE] = {M, 1, 0, 0, 0},
        [HD_L1E_DATA_S] = NEVER,
        [HD_L1E_DATA_E] = NEVER,
        [HD_L1E_DATA_M] = NEVER,
        [HD_L1E_ACK_M] = NEVER,
        [HD_L1E_INV] = NEVER,
        [HD_L1E_FETCH] = {S, 0, 0, HD_MSG_RSP_DATA, 1},
        [HD_L1E_FETCH_INV] = {I, 0, 0, HD_MSG_RSP_DATA, 1},
        [HD_L1E_EVICT] = {I, 0, 0, HD_MSG_PUTM, 1},
    },
};

static struct hd_l1_mesi_table d;

static void look_up(unsigned st, unsigned ev)
{
    *d.state_i = (uint8_t)st;
    *d.ev_i = (uint8_t)ev;
    hd_eval(d.m);
}

static void every_pair_gives_the_answer_of_the_table(void **state)
{
    (void)state;
    hd_l1_mesi_table_open(&d);
    for (unsigned st = 0; st < STATES; st++) {
        for (unsigned ev = 0; ev < EVENTS; ev++) {
            const struct answer *want = &table[st][ev];

            look_up(st, ev);
            if (*d.legal_o != (want->next != NO))
                fail_msg("state %u event %u: legal %u", st, ev, *d.legal_o);
            if (want->next == NO)
                continue;
            if (*d.next_o != want->next || *d.hit_o != want->hit || *d.req_o != want->req ||
                *d.rsp_o != want->rsp || *d.data_o != want->data)
                fail_msg("state %u event %u: next %u hit %u req %u rsp %u data %u, want %u %u %u %u %u", st, ev,
                         *d.next_o, *d.hit_o, *d.req_o, *d.rsp_o, *d.data_o, want->next, want->hit, want->req,
                         want->rsp, want->data);
        }
    }
    hd_close(d.m);
}

static void codes_that_are_no_event_are_never_legal(void **state)
{
    (void)state;
    hd_l1_mesi_table_open(&d);
    for (unsigned st = 0; st < STATES; st++) {
        for (unsigned ev = EVENTS; ev < 16; ev++) {
            look_up(st, ev);
            assert_int_equal(*d.legal_o, 0);
        }
    }
    hd_close(d.m);
}

/* What the single-writer rule needs, whatever the table says. */
static void a_store_hits_only_owned_lines_and_only_modified_lines_send_data(void **state)
{
    (void)state;
    hd_l1_mesi_table_open(&d);
    for (unsigned st = 0; st < STATES; st++) {
        look_up(st, HD_L1E_STORE);
        assert_int_equal(*d.hit_o, st == E || st == M);
        assert_true(!*d.hit_o || *d.next_o == M);
        for (unsigned ev = 0; ev < EVENTS; ev++) {
            look_up(st, ev);
            assert_true(!*d.data_o || st == M);
            assert_true(st != M || !*d.legal_o || *d.next_o == M || *d.data_o); /* no modified line is lost */
            assert_true(!*d.data_o || *d.rsp_o == HD_MSG_RSP_DATA || *d.rsp_o == HD_MSG_PUTM);
        }
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_pair_gives_the_answer_of_the_table),
        cmocka_unit_test(codes_that_are_no_event_are_never_legal),
        cmocka_unit_test(a_store_hits_only_owned_lines_and_only_modified_lines_send_data),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
