/* test_hd_sm_links.c - packets of an L1 over both links: order, contents, credits, ticks, idle. */
/* dut: hd_sm_links LineWords=8 WordW=32 RxDepth=3 TxCredits=2 WideFill=0 */
/* dut: hd_sm_links LineWords=16 WordW=64 RxDepth=5 TxCredits=4 WideFill=0 */
/* dut-rtl: hd_sm_links LineWords=8 WordW=64 RxDepth=1 TxCredits=1 WideFill=1 */
/* src: tests/unit/mesi_env.c */
#include "mesi_env.h"
#include "hd_sm_links_dut.h"

enum { WORDS = P_LineWords, WORD_W = P_WordW, DATA_FLITS = WORDS / HD_FLIT_WORDS, PACKETS = 64, NETS = 2 };

/* Packets under way, oldest first. */
struct queue {
    struct me_msg m[PACKETS];
    unsigned head, count;
};

static struct hd_sm_links d;

static struct {
    struct queue up[NETS], down;
    unsigned up_out[NETS], up_back[NETS]; /* flits without credit; of them, taken by the receiver */
    unsigned up_next, dn_next;            /* data flits seen or sent of the packet in front */
    bool up_body, dn_body;
    unsigned dn_credits;
    struct me_msg sending;
    unsigned not_arrived;                 /* packets of down of which flits are still to be sent */
    bool req_now, rsp_now;
    struct me_msg req, rsp;
} s;

static int setup(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.dn_credits = P_RxDepth;
    hd_sm_links_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static struct me_msg random_packet(bool data)
{
    struct me_msg m = {.kind = 1 + (unsigned)hd_rand_below(16), .src = (unsigned)hd_rand_below(64),
                       .dst = (unsigned)hd_rand_below(64), .tid = (unsigned)hd_rand_below(256),
                       .opid = (unsigned)hd_rand_below(65536), .addr = (uint32_t)hd_rand(), .lanes = (uint32_t)hd_rand()};

    for (unsigned w = 0; data && w < WORDS; w++) {
        m.wmask |= UINT32_C(1) << w;
        m.data[w] = hd_rand() >> (64 - WORD_W);
    }
    return m;
}

static void check_head(const void *port, const struct me_msg *want)
{
    struct me_msg m = *want;

    me_get_head(port, &m);
    assert_memory_equal(&m, want, sizeof m);
}

static struct me_msg *front(struct queue *q)
{
    assert_true(q->count > 0);
    return &q->m[q->head];
}

static void pop(struct queue *q)
{
    q->head = (q->head + 1) % PACKETS;
    q->count--;
}

static void push(struct queue *q, const struct me_msg *m)
{
    assert_true(q->count < PACKETS);
    q->m[(q->head + q->count++) % PACKETS] = *m;
}

/* The flit on the up link, if there is one. */
static void see_up(bool ticked)
{
    const unsigned vn = *d.up_vn_o;

    if (!*d.up_valid_o)
        return;
    assert_true(ticked && vn < NETS && s.up_out[vn] < P_TxCredits);
    s.up_out[vn]++;
    s.up_back[vn]++;
    const struct me_msg *m = front(&s.up[vn]);
    if (vn == HD_VN_RSP && s.up_body) {
        for (unsigned w = 0; w < HD_FLIT_WORDS; w++)
            assert_true(me_get(d.up_flit_o, w * WORD_W, WORD_W) == m->data[s.up_next * HD_FLIT_WORDS + w]);
        s.up_next++;
    } else {
        check_head(d.up_flit_o, m);
        s.up_next = vn == HD_VN_RSP ? 0 : s.up_next;
    }
    const bool tail = vn == HD_VN_REQ || m->wmask == 0 || (s.up_body && s.up_next == DATA_FLITS);
    assert_int_equal(*d.up_tail_o, tail);
    if (vn == HD_VN_RSP)
        s.up_body = !tail;
    if (tail)
        pop(&s.up[vn]);
}

/* A flit for the down link; with WideFill a packet. */
static void drive_down(void)
{
    if (!s.dn_body) {
        s.sending = random_packet(hd_rand_below(2));
        s.dn_next = 0;
        s.not_arrived = 1;
    }
    s.dn_credits--;
    *d.dn_valid_i = 1;
    *d.dn_vn_i = HD_VN_DOWN;
    for (unsigned w = 0; w < HD_FLIT_WORDS; w++)
        me_put(d.dn_flit_i, w * WORD_W, WORD_W, s.dn_body ? s.sending.data[s.dn_next * HD_FLIT_WORDS + w] : 0);
    if (P_WideFill) {
        for (unsigned w = 0; w < WORDS; w++)
            me_put(d.dn_flit_i, (HD_HEAD_W + 31) / 32 * 32 + w * WORD_W, WORD_W, s.sending.data[w]);
        me_put_head(d.dn_flit_i, &s.sending);
    } else if (!s.dn_body) {
        me_put_head(d.dn_flit_i, &s.sending);
        s.dn_body = s.sending.wmask != 0;
    } else if (++s.dn_next == DATA_FLITS) {
        s.dn_body = false;
    }
    *d.dn_tail_i = !s.dn_body;
    if (!s.dn_body) {
        push(&s.down, &s.sending);
        s.not_arrived = 0;
    }
}

static void packets_arrive_whole_and_in_order(void **state)
{
    unsigned taken[NETS] = {0}, arrived = 0, idle = 0, home = 0, starved = 0;

    (void)state;
    for (unsigned t = 0; t < 30000; t++) {
        const unsigned phase = t / 1000 % 3;      /* fast, anything, nothing new */
        const bool tick = t % 2 == 0;
        const struct me_msg *m = &s.down.m[s.down.head];

        *d.tick_i = tick;
        if (!s.req_now && phase != 2 && hd_rand_below(2)) {
            s.req = random_packet(false);
            s.req_now = true;
        }
        if (!s.rsp_now && phase != 2 && hd_rand_below(2)) {
            s.rsp = random_packet(hd_rand_below(2));
            s.rsp_now = true;
        }
        *d.req_valid_i = s.req_now;
        *d.rsp_valid_i = s.rsp_now;
        me_put_head(d.req_head_i, &s.req);
        me_put_head(d.rsp_head_i, &s.rsp);
        for (unsigned w = 0; w < WORDS; w++)
            me_put(d.rsp_data_i, w * WORD_W, WORD_W, s.rsp.data[w]);
        *d.dn_ready_i = phase == 0 || hd_rand_below(3) == 0;
        *d.up_credit_i = 0;
        for (unsigned v = 0; v < NETS; v++) {
            starved += s.up_out[v] == P_TxCredits;
            if (tick && s.up_back[v] > 0 && (phase == 0 || hd_rand_below(4) == 0)) {
                s.up_back[v]--;
                s.up_out[v]--;
                *d.up_credit_i |= (uint8_t)(1u << v);
            }
        }
        *d.dn_valid_i = 0;
        if (tick && s.dn_credits > 0 && (s.dn_body || (phase != 2 && hd_rand_below(3))))
            drive_down();
        hd_eval(d.m);
        const bool req = s.req_now && *d.req_ready_o, rsp = s.rsp_now && *d.rsp_ready_o;
        const bool dn = *d.dn_valid_o && *d.dn_ready_i;
        const bool quiet = !s.req_now && !s.rsp_now && !*d.dn_valid_i && *d.up_credit_i == 0;

        if (*d.dn_valid_o) {
            assert_true(s.down.count > 0);
            check_head(d.dn_head_o, m);
            for (unsigned w = 0; w < WORDS && m->wmask != 0; w++)
                assert_true(me_get(d.dn_data_o, w * WORD_W, WORD_W) == m->data[w]);
        }
        if (*d.idle_o) {
            assert_true(*d.sent_o && !*d.dn_valid_o && !*d.dn_credit_o);
            idle++;
        }
        if (*d.idle_o && quiet) {
            size_t size, size2;
            void *before = hd_model_save(d.m, &size), *after;

            hd_edge(d.m);
            after = hd_model_save(d.m, &size2);
            assert_true(size == size2 && memcmp(before, after, size) == 0);
            free(before);
            free(after);
            assert_true(*d.idle_o);
        } else {
            hd_edge(d.m);
        }
        if (req) {
            push(&s.up[HD_VN_REQ], &s.req);
            s.req_now = false;
            taken[0]++;
        }
        if (rsp) {
            push(&s.up[HD_VN_RSP], &s.rsp);
            s.rsp_now = false;
            taken[1]++;
        }
        if (dn) {
            pop(&s.down);
            arrived++;
        }
        see_up(tick);
        hd_eval(d.m);
        assert_int_equal(*d.credit_home_o, s.up_out[0] + s.up_out[1] == 0);
        home += *d.credit_home_o;
        if (*d.dn_credit_o) {
            assert_true(tick && s.dn_credits < P_RxDepth);
            s.dn_credits++;
        }
    }
    assert_true(taken[0] > 500 && taken[1] > 500 && arrived > 500 && idle > 500 && home > 500 && starved > 500);
    assert_int_equal(s.up[0].count + s.up[1].count + s.down.count + s.not_arrived, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(packets_arrive_whole_and_in_order, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
