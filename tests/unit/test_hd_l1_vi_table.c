/* test_hd_l1_vi_table.c - every (state, event) pair against the table in the module's header. */
/* dut: hd_l1_vi_table */
#include "hd_unit.h"
#include "hd_l1_vi_table_dut.h"
#include "hd_bits.h"

struct answer {
    bool legal;
    uint8_t next, hit, req, rsp, write;
};
enum { STATES = 4, EVENTS = 16, I = HD_ST_I, V = HD_ST_S };

/* next, hit, request, answer, write; what is not here is not legal */
static const struct answer table[STATES][EVENTS] = {
    [I] = {
        [HD_L1E_LOAD] = {1, I, 0, HD_MSG_GETS, 0, 0},
        [HD_L1E_LOAD_OUT] = {1, I, 0, HD_MSG_GETS, 0, 0},
        [HD_L1E_STORE] = {1, I, 0, HD_MSG_WT, 0, 0},
        [HD_L1E_ATOMIC] = {1, I, 0, HD_MSG_ATOMIC, 0, 0},
        [HD_L1E_DATA_S] = {1, V, 0, 0, 0, 0},
        [HD_L1E_INV] = {1, I, 0, 0, HD_MSG_INV_ACK, 0},
        [HD_L1E_EVICT] = {1, I, 0, 0, 0, 0},
    },
    [V] = {
        [HD_L1E_LOAD] = {1, V, 1, 0, 0, 0},
        [HD_L1E_LOAD_OUT] = {1, V, 0, HD_MSG_GETS, 0, 0},
        [HD_L1E_STORE] = {1, V, 0, HD_MSG_WT, 0, 1},
        [HD_L1E_ATOMIC] = {1, I, 0, HD_MSG_ATOMIC, 0, 0},
        [HD_L1E_DATA_S] = {1, V, 0, 0, 0, 0},
        [HD_L1E_LAST] = {1, I, 1, 0, 0, 0},
        [HD_L1E_INV] = {1, I, 0, 0, HD_MSG_INV_ACK, 0},
        [HD_L1E_EVICT] = {1, I, 0, 0, 0, 0},
    },
};

static void every_pair_gives_the_answer_of_the_table(void **state)
{
    struct hd_l1_vi_table d;

    (void)state;
    hd_l1_vi_table_open(&d);
    for (unsigned st = 0; st < STATES; st++) {
        for (unsigned ev = 0; ev < EVENTS; ev++) {
            const struct answer *want = &table[st][ev];

            *d.state_i = (uint8_t)st;
            *d.ev_i = (uint8_t)ev;
            hd_eval(d.m);
            if (*d.legal_o != want->legal)
                fail_msg("state %u event %u: legal %u", st, ev, *d.legal_o);
            if (!want->legal)
                continue;
            if (*d.next_o != want->next || *d.hit_o != want->hit || *d.req_o != want->req || *d.rsp_o != want->rsp ||
                *d.write_o != want->write)
                fail_msg("state %u event %u: next %u hit %u req %u rsp %u write %u, want %u %u %u %u %u", st, ev,
                         *d.next_o, *d.hit_o, *d.req_o, *d.rsp_o, *d.write_o, want->next, want->hit, want->req,
                         want->rsp, want->write);
        }
    }
    hd_close(d.m);
}

/* What coherence needs, whatever the table says. */
static void no_access_and_no_message_makes_a_line_valid_but_data(void **state)
{
    struct hd_l1_vi_table d;

    (void)state;
    hd_l1_vi_table_open(&d);
    for (unsigned ev = 0; ev < EVENTS; ev++) {
        *d.ev_i = (uint8_t)ev;
        *d.state_i = I;
        hd_eval(d.m);
        assert_true(!*d.legal_o || *d.next_o == I || ev == HD_L1E_DATA_S);
        assert_true(!*d.legal_o || !*d.hit_o);
        *d.state_i = V;
        hd_eval(d.m);
        assert_true(*d.rsp_o == 0 || *d.next_o == I); /* what is acknowledged is gone */
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_pair_gives_the_answer_of_the_table),
        cmocka_unit_test(no_access_and_no_message_makes_a_line_valid_but_data),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
