/* test_hd_sm_links.c - packets of an L1 and of ordering hardware over both links: order, contents, credits, ticks, idle. */
/* dut: hd_sm_links Family=0 Lanes=4 LineWords=8 WordW=32 RxDepth=3 TxCredits=2 WideFill=0 FlitWords=8 Noc=0 */
/* dut: hd_sm_links Family=0 Lanes=4 LineWords=16 WordW=64 RxDepth=5 TxCredits=4 WideFill=0 FlitWords=8 Noc=0 */
/* dut: hd_sm_links Family=1 Lanes=8 LineWords=8 WordW=32 RxDepth=4 TxCredits=3 WideFill=0 FlitWords=8 Noc=0 */
/* dut: hd_sm_links Family=0 Lanes=4 LineWords=16 WordW=32 RxDepth=3 TxCredits=3 WideFill=0 FlitWords=4 Noc=0 */
/* dut-rtl: hd_sm_links Family=1 Lanes=8 LineWords=8 WordW=64 RxDepth=4 TxCredits=2 WideFill=0 FlitWords=4 Noc=0 */
/* dut-rtl: hd_sm_links Family=0 Lanes=4 LineWords=8 WordW=64 RxDepth=1 TxCredits=1 WideFill=1 FlitWords=8 Noc=0 */
/* dut: hd_sm_links Family=0 Noc=1 Lanes=4 LineWords=16 WordW=32 RxDepth=3 TxCredits=3 WideFill=0 FlitWords=4 */
/* dut-rtl: hd_sm_links Family=1 Noc=1 Lanes=8 LineWords=8 WordW=32 RxDepth=2 TxCredits=2 WideFill=0 FlitWords=4 */
/* src: tests/unit/mesi_env.c */
#include "mesi_env.h"
#include "hd_sm_links_dut.h"

enum {
    WORDS = P_LineWords,
    WORD_W = P_WordW,
    PACKETS = 64,
    NETS = HD_UP_NETS,
    MESH = P_Noc == HD_NOC_MESH, /* all networks are on the wires, under the numbers VN_* */
    DOWN_WIRE = MESH ? HD_VN_FWD : HD_DOWN_FWD,
    FLIT_WORDS = P_FlitWords,
    HEAD_UNITS = (HD_HEAD_W + HD_LANE_W + 31) / 32,
    HEAD_FLITS = (HEAD_UNITS + FLIT_WORDS - 1) / FLIT_WORDS,
    VI = P_Family == HD_FAMILY_VI,
    DATA_NET = VI ? HD_UP_REQ : HD_UP_RSP, /* whose packets may have data */
    ATOM_FLITS = 1 + 2 * ((P_Lanes + FLIT_WORDS - 1) / FLIT_WORDS),
    BODY_FLITS = ATOM_FLITS > WORDS / FLIT_WORDS ? ATOM_FLITS : WORDS / FLIT_WORDS,
    DOWN_WORDS = VI && P_Lanes > WORDS ? (P_Lanes + FLIT_WORDS - 1) / FLIT_WORDS * FLIT_WORDS : WORDS
};

/* Who has packets to send: the L1 on both networks, the ordering hardware on both. */
enum { REQ, RSP, TYPE_REQ, TYPE_ACK, SENDERS };

/* Packets under way, oldest first. */
struct queue {
    struct me_msg m[PACKETS];
    unsigned head, count;
};

static struct hd_sm_links d;

static struct {
    struct queue up[NETS], down;
    unsigned up_out[NETS], up_back[NETS]; /* flits without credit; of them, taken by the receiver */
    uint64_t up_left[NETS], dn_left;      /* flits of the packet in front still to be seen or sent, a bit each */
    uint8_t up_head[NETS][4 * HEAD_FLITS * FLIT_WORDS]; /* its head */
    unsigned dn_credits;
    struct me_msg sending;
    unsigned not_arrived;                 /* packets of down of which flits are still to be sent */
    bool now[SENDERS];
    struct me_msg offered[SENDERS];
} s;

static int setup(void **state)
{
    (void)state;
    assert_true((unsigned)BODY_FLITS * FLIT_WORDS <= ME_WORDS && (unsigned)DOWN_WORDS <= ME_WORDS);
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

static bool is_type(const struct me_msg *m)
{
    return m->kind == HD_MSG_TYPE_REP || m->kind == HD_MSG_TYPE_INV || m->kind == HD_MSG_TYPE_RECALL;
}

/* The flits of a packet, a bit each: those of the head, then data. Up, an atomic's mask names flits instead of words. */
static uint64_t flits_of(const struct me_msg *m, bool up)
{
    uint64_t flits = 0;

    if (VI && up && m->kind == HD_MSG_ATOMIC)
        flits = m->wmask & ((1u << ATOM_FLITS) - 1);
    else
        for (unsigned k = 0; k < 32 / FLIT_WORDS; k++)
            flits |= (uint64_t)((m->wmask >> FLIT_WORDS * k & ((1u << FLIT_WORDS) - 1)) != 0) << k;
    return flits << HEAD_FLITS | ((1u << HEAD_FLITS) - 1);
}

static unsigned first_of(uint64_t set)
{
    unsigned k = 0;

    while (!(set >> k & 1))
        k++;
    return k;
}

static struct me_msg random_packet(bool data, bool up)
{
    struct me_msg m = {.kind = (unsigned)hd_rand_below(32), .src = (unsigned)hd_rand_below(128),
                       .dst = (unsigned)hd_rand_below(128), .tid = (unsigned)hd_rand_below(256),
                       .opid = (unsigned)hd_rand_below(65536), .addr = (uint32_t)hd_rand(), .lanes = (uint32_t)hd_rand()};
    const unsigned words = up ? WORDS : DOWN_WORDS;

    if (VI && up && data && hd_rand_below(4) == 0)
        m.kind = HD_MSG_ATOMIC;
    if (!up && hd_rand_below(4) == 0)
        m.kind = HD_MSG_TYPE_REP + (unsigned)hd_rand_below(3);
    if (data && (up || !is_type(&m)))
        m.wmask = (uint32_t)(hd_rand_below(2) ? hd_rand() : UINT64_MAX)
                  & (VI && up && m.kind == HD_MSG_ATOMIC ? (1u << ATOM_FLITS) - 1 : UINT32_MAX >> (32 - words));
    for (unsigned w = 0; w < ME_WORDS; w++)
        m.data[w] = hd_rand() >> (64 - WORD_W);
    return m;
}

/* What kind of tile a packet comes from and goes to is the network's: here any, told by its number. */
static void put_head(void *port, const struct me_msg *m)
{
    me_put_head(port, m);
    me_put(port, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, m->opid & 3);
    me_put(port, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, m->opid >> 2 & 3);
}

static void check_head(const void *port, const struct me_msg *want)
{
    struct me_msg m = *want;

    me_get_head(port, &m);
    assert_memory_equal(&m, want, sizeof m);
    assert_int_equal(me_get(port, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W), want->opid & 3);
    assert_int_equal(me_get(port, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W), want->opid >> 2 & 3);
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

static unsigned up_wire(unsigned vn)
{
    return MESH ? (vn == HD_UP_REQ ? HD_VN_REQ : HD_VN_RSP) : vn;
}

/* The flit on the up link, if there is one. */
static void see_up(bool ticked)
{
    const unsigned vn = *d.up_vn_o == up_wire(HD_UP_RSP) ? HD_UP_RSP : HD_UP_REQ;

    if (!*d.up_valid_o)
        return;
    assert_true(ticked && *d.up_vn_o == up_wire(vn) && s.up_out[vn] < P_TxCredits);
    s.up_out[vn]++;
    s.up_back[vn]++;
    const struct me_msg *m = front(&s.up[vn]);
    if (s.up_left[vn] == 0)
        s.up_left[vn] = flits_of(m, true);
    unsigned k = first_of(s.up_left[vn]);
    if (k < HEAD_FLITS) {
        memcpy(s.up_head[vn] + 4 * FLIT_WORDS * k, d.up_flit_o, 4 * FLIT_WORDS);
        if (k + 1 == HEAD_FLITS)
            check_head(s.up_head[vn], m);
    } else {
        assert_int_equal(vn, DATA_NET);
        for (unsigned w = 0; w < FLIT_WORDS; w++)
            assert_true(me_get(d.up_flit_o, w * WORD_W, WORD_W) == m->data[(k - HEAD_FLITS) * FLIT_WORDS + w]);
    }
    s.up_left[vn] &= s.up_left[vn] - 1;
    assert_int_equal(*d.up_tail_o, s.up_left[vn] == 0);
    if (s.up_left[vn] == 0)
        pop(&s.up[vn]);
}

/* A flit for the down link; with WideFill a packet. */
static void drive_down(void)
{
    uint8_t head[4 * HEAD_FLITS * FLIT_WORDS] = {0};

    if (s.dn_left == 0) {
        s.sending = random_packet(hd_rand_below(2), false);
        s.not_arrived = 1;
        s.dn_left = P_WideFill ? 1 : flits_of(&s.sending, false);
    }
    unsigned k = first_of(s.dn_left);
    s.dn_credits--;
    *d.dn_valid_i = 1;
    *d.dn_vn_i = DOWN_WIRE;
    put_head(head, &s.sending);
    for (unsigned w = 0; w < FLIT_WORDS; w++)
        me_put(d.dn_flit_i, w * WORD_W, WORD_W, k < HEAD_FLITS ? 0 : s.sending.data[(k - HEAD_FLITS) * FLIT_WORDS + w]);
    if (k < HEAD_FLITS)
        memcpy(d.dn_flit_i, head + 4 * FLIT_WORDS * k, 4 * FLIT_WORDS);
    for (unsigned w = 0; P_WideFill && w < WORDS; w++)
        me_put(d.dn_flit_i, HEAD_UNITS * 32 + w * WORD_W, WORD_W, s.sending.data[w]);
    s.dn_left &= s.dn_left - 1;
    *d.dn_tail_i = s.dn_left == 0;
    if (s.dn_left == 0) {
        push(&s.down, &s.sending);
        s.not_arrived = 0;
    }
}

static void drive_up(bool more)
{
    uint8_t *const valid[SENDERS] = {d.req_valid_i, d.rsp_valid_i, d.type_req_valid_i, d.type_ack_valid_i};
    uint8_t head[(HD_HEAD_W + HD_LANE_W) / 8];
    void *const port[SENDERS] = {d.req_head_i, d.rsp_head_i, d.type_req_head_i, d.type_ack_head_i};

    for (unsigned i = 0; i < SENDERS; i++) {
        if (!s.now[i] && more && hd_rand_below(i < TYPE_REQ ? 2 : 8) == 0) {
            s.offered[i] = random_packet(i == (VI ? REQ : RSP) && hd_rand_below(2), true);
            if (i >= TYPE_REQ) /* heads without lanes */
                s.offered[i].lanes = 0;
            s.now[i] = true;
        }
        *valid[i] = s.now[i];
        memset(head, 0, sizeof head);
        put_head(head, &s.offered[i]);
        memcpy(port[i], head, i < TYPE_REQ ? sizeof head : HD_HEAD_W / 8);
    }
    for (unsigned w = 0; VI && w < BODY_FLITS * FLIT_WORDS; w++)
        me_put(d.req_body_i, w * WORD_W, WORD_W, s.offered[REQ].data[w]);
    for (unsigned w = 0; w < WORDS; w++)
        me_put(d.rsp_data_i, w * WORD_W, WORD_W, s.offered[RSP].data[w]);
}

static void packets_arrive_whole_and_in_order(void **state)
{
    unsigned taken[SENDERS] = {0}, arrived = 0, types = 0, idle = 0, home = 0, starved = 0;

    (void)state;
    for (unsigned t = 0; t < 30000; t++) {
        const unsigned phase = t / 1000 % 3;      /* fast, anything, nothing new */
        const bool tick = t % 2 == 0;
        const struct me_msg *m = &s.down.m[s.down.head];

        *d.tick_i = tick;
        drive_up(phase != 2);
        *d.dn_ready_i = phase == 0 || hd_rand_below(3) == 0;
        *d.up_credit_i = 0;
        for (unsigned v = 0; v < NETS; v++) {
            starved += s.up_out[v] == P_TxCredits;
            if (tick && s.up_back[v] > 0 && (phase == 0 || hd_rand_below(4) == 0)) {
                s.up_back[v]--;
                s.up_out[v]--;
                *d.up_credit_i |= (uint8_t)(1u << up_wire(v));
            }
        }
        *d.dn_valid_i = 0;
        if (tick && s.dn_credits > 0 && (s.dn_left != 0 || (phase != 2 && hd_rand_below(3))))
            drive_down();
        hd_eval(d.m);
        const bool took[SENDERS] = {s.now[REQ] && *d.req_ready_o, s.now[RSP] && *d.rsp_ready_o,
                                    s.now[TYPE_REQ] && *d.type_req_ready_o, s.now[TYPE_ACK] && *d.type_ack_ready_o};
        const bool type = *d.type_dn_valid_o;
        const bool dn = (*d.dn_valid_o && *d.dn_ready_i) || type;
        const bool quiet = !s.now[REQ] && !s.now[RSP] && !s.now[TYPE_REQ] && !s.now[TYPE_ACK] && !*d.dn_valid_i
                           && *d.up_credit_i == 0;

        /* messages about types go first */
        assert_int_equal(*d.req_ready_o, !s.now[TYPE_REQ] && *d.type_req_ready_o);
        assert_int_equal(*d.rsp_ready_o, !s.now[TYPE_ACK] && *d.type_ack_ready_o);
        assert_false(*d.dn_valid_o && type);
        if (*d.dn_valid_o || type) {
            assert_true(s.down.count > 0);
            check_head(d.dn_head_o, m);
            assert_int_equal(type, is_type(m));
            for (unsigned w = 0; w < DOWN_WORDS; w++)
                assert_true(!(m->wmask >> w & 1) || me_get(d.dn_data_o, w * WORD_W, WORD_W) == m->data[w]);
        }
        if (*d.idle_o) {
            assert_true(*d.sent_o && !*d.dn_valid_o && !type && !*d.dn_credit_o);
            idle++;
        }
        if (*d.idle_o && quiet) {
            size_t size, size2;
            void *before, *after;

            hd_eval(d.m); /* assertions sample what was there before the last one */
            before = hd_model_save(d.m, &size);
            hd_edge(d.m);
            after = hd_model_save(d.m, &size2);
            assert_true(size == size2 && memcmp(before, after, size) == 0);
            free(before);
            free(after);
            assert_true(*d.idle_o);
        } else {
            hd_edge(d.m);
        }
        for (unsigned i = 0; i < SENDERS; i++) {
            if (took[i]) {
                push(&s.up[i % 2 == 0 ? HD_UP_REQ : HD_UP_RSP], &s.offered[i]);
                s.now[i] = false;
                taken[i]++;
            }
        }
        if (dn) {
            types += type;
            pop(&s.down);
            arrived++;
        }
        see_up(tick);
        hd_eval(d.m);
        assert_int_equal(*d.credit_home_o, s.up_out[0] + s.up_out[1] == 0);
        home += *d.credit_home_o;
        if (*d.dn_credit_o) {
            assert_int_equal(*d.dn_credit_o, 1u << DOWN_WIRE);
            assert_true(tick && s.dn_credits < P_RxDepth);
            s.dn_credits++;
        }
    }
    for (unsigned i = 0; i < SENDERS; i++)
        assert_true(taken[i] > 300);
    assert_true(arrived > 500 && types > 100 && idle > 300 && home > 300 && starved > 500);
    assert_int_equal(s.up[0].count + s.up[1].count + s.down.count + s.not_arrived, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(packets_arrive_whole_and_in_order, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
