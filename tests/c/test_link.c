/* Links: arrival times, order, and every rule break named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

static void put_bits(uint32_t *words, unsigned lsb, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++)
        if (value >> i & 1)
            words[(lsb + i) / 32] |= UINT32_C(1) << (lsb + i) % 32;
}

static void head(uint32_t words[HD_FLIT_UNITS], unsigned kind, uint32_t addr, uint32_t wmask)
{
    memset(words, 0, HD_FLIT_UNITS * sizeof words[0]);
    put_bits(words, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    put_bits(words, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr);
    put_bits(words, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, wmask);
}

static struct hd_link make(void)
{
    struct hd_link l;
    const struct hd_flit_shape shape = hd_flit_shape(32, 0, 32);
    assert_true(hd_link_init(&l, 10, 6, &hd_nets_up, 4, &shape, 2));
    return l;
}

/* What hd_exchange_post() does for both ends. */
static void post(struct hd_link *l)
{
    hd_link_post_sender(l);
    hd_link_post_receiver(l);
}

static void a_head_is_read_bit_by_bit(void **state)
{
    uint32_t w[HD_FLIT_UNITS];

    (void)state;
    head(w, HD_MSG_FETCH_INV, 0xdeadbe80, 0x80000001);
    assert_int_equal(hd_head_kind(w), HD_MSG_FETCH_INV);
    assert_int_equal(hd_head_addr(w), 0xdeadbe80);
    assert_int_equal(hd_head_wmask(w), 0x80000001);
}

static void flits_and_credits_arrive_in_order_after_their_latency(void **state)
{
    struct hd_link l = make();
    uint32_t w[HD_FLIT_UNITS];

    (void)state;
    head(w, HD_MSG_GETS, 0x100, 0);
    assert_true(hd_link_empty(&l));
    hd_link_send(&l, 20, HD_UP_REQ, true, w);
    hd_link_send(&l, 22, HD_UP_RSP, false, (head(w, HD_MSG_PUTM, 0x200, 0xff00ff), w));
    assert_int_equal(hd_link_due(&l), UINT64_MAX); /* not seen before it is posted */
    post(&l);
    assert_int_equal(hd_link_due(&l), 30);
    assert_null(hd_link_receive(&l, 29));
    const struct hd_flit *f = hd_link_receive(&l, 30);
    assert_non_null(f);
    assert_int_equal(f->vn, HD_UP_REQ);
    assert_true(f->tail);
    assert_int_equal(hd_head_addr(f->words), 0x100);
    assert_null(hd_link_receive(&l, 30));
    assert_int_equal(hd_link_due(&l), 32);
    hd_link_send(&l, 24, HD_UP_RSP, false, w);
    hd_link_send(&l, 26, HD_UP_RSP, true, w);
    post(&l);
    assert_int_equal(hd_link_receive(&l, 32)->vn, HD_UP_RSP);
    assert_false(hd_link_receive(&l, 34)->tail);
    assert_true(hd_link_receive(&l, 36)->tail);
    assert_int_equal(hd_link_due(&l), UINT64_MAX);
    hd_link_send_credits(&l, 36, 3);
    hd_link_send_credits(&l, 38, 1u << HD_UP_RSP);
    hd_link_send_credits(&l, 40, 1u << HD_UP_RSP);
    assert_int_equal(hd_link_credit_due(&l), UINT64_MAX);
    post(&l);
    assert_int_equal(hd_link_credit_due(&l), 42);
    assert_int_equal(hd_link_credits(&l, 41), 0);
    /* credits that were not fetched in time come one pulse an edge */
    assert_int_equal(hd_link_credits(&l, 46), 3);
    assert_false(hd_link_empty(&l));
    assert_int_equal(hd_link_credits(&l, 48), 2);
    assert_int_equal(hd_link_credits(&l, 50), 2);
    assert_int_equal(hd_link_credits(&l, 52), 0);
    assert_true(hd_link_empty(&l));
    assert_null(hd_link_fault(&l));
    assert_int_equal(l.crossed[HD_CLASS_READ], 1);
    assert_int_equal(l.crossed[HD_CLASS_WRITEBACK], 3);
    assert_int_equal(l.heads[HD_MSG_PUTM], 1);
    hd_link_fini(&l);
}

static void every_message_of_the_table_is_whole(void **state)
{
    unsigned messages = 0;

    (void)state;
    for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
        const struct hd_msg *m = hd_msg(kind);
        if (m->name == NULL) {
            assert_int_equal(hd_flit_class_of(kind), HD_CLASS_BAD);
            assert_string_equal(hd_msg_name(kind), "?");
            continue;
        }
        messages++;
        assert_string_equal(hd_msg_name(kind), m->name);
        assert_true(m->nets != 0 && m->class < HD_CLASSES && m->text[0] != 0);
        for (unsigned answer = 0; answer < HD_LINK_KINDS; answer++) {
            if (!(m->answers >> answer & 1))
                continue;
            assert_non_null(hd_msg(answer)->name);
            assert_int_equal(hd_msg(answer)->answers, 0);
            unsigned lowest = m->nets & -m->nets, highest = hd_msg(answer)->nets;
            assert_true(highest > lowest || kind == HD_MSG_WB); /* what waits, waits for a higher network */
        }
    }
    assert_true(messages >= 37);
    assert_int_equal(hd_flit_class_of(HD_LINK_KINDS), HD_CLASS_BAD);
    assert_int_equal(hd_msg(HD_MSG_UPG)->class, HD_CLASS_WRITE);
    assert_true(hd_msg(HD_MSG_PUTM)->data && !hd_msg(HD_MSG_PUTE)->data);
}

/* 16 bytes: a head of 144 bits takes two flits, and a flit of data four words. */
static void short_flits_are_counted_by_their_words(void **state)
{
    const struct hd_flit_shape shape = hd_flit_shape(16, 32, 32), wide = hd_flit_shape(32, 0, 64);
    uint32_t w[HD_FLIT_UNITS];
    struct hd_link l;

    (void)state;
    assert_int_equal(shape.words, 4);
    assert_int_equal(shape.units, 8);
    assert_int_equal(shape.head, 2);
    assert_int_equal(wide.head, 1); /* 176 bits */
    assert_int_equal(hd_flit_shape(16, 0, 64).head, 2);
    assert_true(hd_link_init(&l, 10, 6, &hd_nets_up, 16, &shape, 2));
    head(w, HD_MSG_PUTM, 0x200, 0xf10);
    for (unsigned i = 0; i < 4; i++) /* two of the head, two with words */
        hd_link_send(&l, 2 * i, HD_UP_RSP, i == 3, w);
    head(w, HD_MSG_GETS, 0x200, 0);
    hd_link_send(&l, 8, HD_UP_REQ, false, w);
    hd_link_send(&l, 10, HD_UP_REQ, true, w);
    assert_null(hd_link_fault(&l));
    assert_int_equal(l.heads[HD_MSG_PUTM], 1);
    assert_int_equal(l.crossed[HD_CLASS_WRITEBACK], 4);
    hd_link_send(&l, 12, HD_UP_REQ, true, w);
    assert_non_null(strstr(hd_link_fault(&l), "longer or shorter"));
    hd_link_fini(&l);
}

static void every_rule_break_is_a_fault(void **state)
{
    uint32_t w[HD_FLIT_UNITS];

    (void)state;
    for (unsigned which = 0; which < 12; which++) {
        struct hd_link l = make();
        const char *expect = "";
        head(w, HD_MSG_GETS, 0, 0);
        switch (which) {
        case 0:
            for (unsigned i = 0; i < 5; i++)
                hd_link_send(&l, 2 * i, 0, true, w);
            expect = "without a credit";
            break;
        case 1:
            hd_link_send(&l, 0, 2, true, w);
            expect = "virtual network";
            break;
        case 2:
            hd_link_send(&l, 3, 0, true, w);
            expect = "between two slow edges";
            break;
        case 3:
            head(w, HD_MSG_NONE, 0, 0);
            hd_link_send(&l, 0, 0, true, w);
            expect = "unknown kind";
            break;
        case 4:
            hd_link_send(&l, 0, 0, false, w);
            expect = "longer or shorter";
            break;
        case 5:
            head(w, HD_MSG_PUTM, 0, 0xff);
            hd_link_send(&l, 0, 1, true, w);
            expect = "longer or shorter";
            break;
        case 6:
            head(w, HD_MSG_PUTM, 0, 0xff);
            hd_link_send(&l, 0, 1, false, w);
            hd_link_send(&l, 2, 1, false, w);
            expect = "longer or shorter";
            break;
        case 7:
            hd_link_send_credits(&l, 0, 1);
            post(&l);
            assert_int_equal(hd_link_credits(&l, 6), 1);
            expect = "never sent";
            break;
        case 8:
            hd_link_send_credits(&l, 1, 1);
            expect = "between two slow edges";
            break;
        case 9:
            head(w, HD_MSG_PUTE, 0, 0);
            hd_link_send(&l, 0, HD_UP_REQ, true, w);
            expect = "another network";
            break;
        case 10:
            head(w, HD_MSG_GETS, 0, 0xff);
            hd_link_send(&l, 0, HD_UP_REQ, false, w);
            expect = "longer or shorter";
            break;
        default:
            for (unsigned i = 0; i < 9; i++)
                hd_link_send_credits(&l, 2 * i, 1);
            expect = "more credits";
            break;
        }
        assert_non_null(hd_link_fault(&l));
        assert_non_null(strstr(hd_link_fault(&l), expect));
        hd_link_fini(&l);
    }
}

/* Arrival times of flits and credits, close then apart, under a jitter of 11 cycles of one in @one_in; @return their checksum. */
static uint64_t jittered(unsigned one_in, uint64_t seed)
{
    struct hd_link l = make();
    uint32_t w[HD_FLIT_UNITS], seen = 0;
    uint64_t last = 0, last_credit = 0, sum = 0, late = 0, sent = 0;

    hd_link_jitter(&l, 11, one_in, seed);
    head(w, HD_MSG_GETS, 0x100, 0);
    for (uint64_t now = 20; now < 2000; now += now < 220 ? 2 : 14) {
        hd_link_send(&l, now, HD_UP_REQ, true, w);
        post(&l);
        uint64_t due = hd_link_due(&l);
        assert_true(due >= now + 10 && due % 2 == 0 && due > last);
        assert_true(due <= now + 10 + 10 || due == last + 2);
        assert_non_null(hd_link_receive(&l, due));
        hd_link_send_credits(&l, now, 1u << HD_UP_REQ);
        post(&l);
        uint64_t credit = hd_link_credit_due(&l);
        assert_true(credit >= now + 6 && credit % 2 == 0 && credit > last_credit);
        assert_int_equal(hd_link_credits(&l, credit), 1u << HD_UP_REQ);
        post(&l);
        if (due > last + 2)
            seen |= 1u << (due - now - 10) / 2;
        late += due > now + 10 && due > last + 2;
        sent++;
        last = due;
        last_credit = credit;
        sum = sum * 31 + due * 3 + credit;
    }
    assert_true(one_in > 1 ? late > 0 && late * one_in < 2 * sent : seen == 0x3f);
    assert_true(hd_link_empty(&l));
    assert_null(hd_link_fault(&l));
    hd_link_fini(&l);
    return sum;
}

static void jitter_delays_keeps_order_and_depends_on_the_seed_alone(void **state)
{
    (void)state;
    uint64_t one = jittered(1, 1);
    assert_int_equal(one, jittered(1, 1));
    assert_int_not_equal(one, jittered(1, 2));
    assert_int_not_equal(one, jittered(8, 1));
}

static void a_slow_link_takes_longer_and_keeps_order(void **state)
{
    struct hd_link l = make();
    uint32_t w[HD_FLIT_UNITS];

    (void)state;
    head(w, HD_MSG_GETS, 0x100, 0);
    hd_link_jitter(&l, 11, 1u << 30, 1); /* of one in so many: none */
    for (unsigned late = 40; late > 0; late -= 20) { /* the second would arrive before the first */
        l.late = late - 20;
        hd_link_send(&l, 60 - late, HD_UP_REQ, true, w);
        hd_link_send_credits(&l, 60 - late, 1u << HD_UP_REQ);
    }
    post(&l);
    assert_int_equal(hd_link_due(&l), 20 + 10 + 20);
    assert_non_null(hd_link_receive(&l, 50));
    assert_int_equal(hd_link_due(&l), 50 + 2);
    assert_int_equal(hd_link_credit_due(&l), 20 + 6 + 20);
    hd_link_fini(&l);
}

/* The class is what the head says; words it names and atomics have as many flits of data as on other links. */
static void heads_of_denovo_name_their_class(void **state)
{
    static const struct {
        unsigned kind, vn, coh, words, data;
        enum hd_flit_class class;
    } packets[] = {{HD_MSG_GETS, HD_VN_REQ, HD_COH_READ, 0xffff, 0, HD_CLASS_READ},
                   {HD_MSG_DATA_S, HD_VN_RSP, HD_COH_READ, 0x00f1, 2, HD_CLASS_READ},
                   {HD_MSG_WB, HD_VN_RSP, HD_COH_WRITE, 0x8001, 2, HD_CLASS_WRITE},
                   {HD_MSG_REG, HD_VN_REQ, HD_COH_REGISTRATION, 0xffff, 0, HD_CLASS_REGISTRATION},
                   {HD_MSG_ATOMIC, HD_VN_REQ, HD_COH_ATOMIC, 0x0007, 3, HD_CLASS_ATOMIC}};
    const struct hd_flit_shape shape = hd_flit_shape_coh(16, 0);
    uint32_t w[HD_FLIT_UNITS];

    (void)state;
    assert_true(shape.coh && shape.words == 4 && shape.units == 4);
    assert_int_equal(shape.head, (HD_HEAD_W + 127) / 128);
    assert_int_equal(hd_flit_shape_coh(32, 0).head, (HD_HEAD_W + 255) / 256);
    for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        struct hd_link l;
        unsigned flits = shape.head + packets[i].data;

        assert_true(hd_link_init(&l, 10, 6, &hd_nets_mesh, 16, &shape, 1));
        head(w, packets[i].kind, 0x200, packets[i].coh << HD_COH_CLS | packets[i].words);
        for (unsigned k = 0; k < flits; k++)
            hd_link_send(&l, k, packets[i].vn, k == flits - 1, w);
        assert_null(hd_link_fault(&l));
        assert_int_equal(l.crossed[packets[i].class], flits);
        assert_int_equal(l.flits_on[packets[i].vn], flits);
        head(w, packets[i].kind, 0x200, 4u << HD_COH_CLS | packets[i].words);
        hd_link_send(&l, flits, packets[i].vn, flits == 1, w);
        assert_non_null(strstr(hd_link_fault(&l), "unknown kind"));
        hd_link_fini(&l);
    }
}

/* A link is home when its sender has all credits and no packet half sent; empty when nothing is under way either. */
static void a_link_is_empty_when_all_is_home(void **state)
{
    uint32_t w[HD_FLIT_UNITS];

    (void)state;
    for (unsigned vn = HD_UP_REQ; vn <= HD_UP_RSP; vn++) {
        struct hd_link l = make();

        assert_true(hd_link_home(&l) && hd_link_empty(&l));
        head(w, vn == HD_UP_REQ ? HD_MSG_GETS : HD_MSG_INV_ACK, 0x100, 0);
        hd_link_send(&l, 20, vn, true, w);
        post(&l);
        assert_true(!hd_link_home(&l) && !hd_link_empty(&l));
        assert_non_null(hd_link_receive(&l, 30));
        assert_false(hd_link_empty(&l));
        assert_int_equal(hd_link_credits_slow(&l, 40), 0); /* none are on their way */
        hd_link_send_credits(&l, 30, 1u << vn);
        post(&l);
        assert_false(hd_link_empty(&l));
        assert_int_equal(hd_link_credits_slow(&l, 35), 0);
        assert_int_equal(hd_link_credits(&l, 36), 1u << vn);
        assert_true(hd_link_home(&l) && hd_link_empty(&l));
        l.kind[vn] = HD_MSG_GETS; /* its other flits are to come */
        assert_true(!hd_link_home(&l) && !hd_link_empty(&l));
        l.kind[vn] = HD_MSG_NONE;
        l.flits_got--;
        assert_true(hd_link_home(&l) && !hd_link_empty(&l));
        l.flits_got++, l.credits_sent++;
        assert_true(hd_link_home(&l) && !hd_link_empty(&l));
        hd_link_fini(&l);
    }
}

/* An image of one link is loaded by another: @which(link, image). */
static void carry(struct hd_link *from, struct hd_link *to, void (*which)(struct hd_link *, struct hd_image *))
{
    struct hd_image out = {.depth = HD_IMAGE_ALL};

    which(from, &out);
    assert_false(out.bad);
    struct hd_image in = {.byte = out.byte, .count = out.count, .loading = true, .depth = HD_IMAGE_ALL};
    which(to, &in);
    assert_true(!in.bad && in.at == out.count);
    free(out.byte);
}

static uint32_t shown[2]; /* of flits, of credits: by the one that saves, by the one that loads */
static unsigned end;
static void sender_news(struct hd_link *l, struct hd_image *io)
{
    hd_link_sender_news(l, &shown[end++ % 2], io);
}
static void receiver_news(struct hd_link *l, struct hd_image *io)
{
    hd_link_receiver_news(l, &shown[end++ % 2], io);
}

/* The ends of a link in two processes: the sender works on @a, the receiver on @b. @news: only what is new crosses. */
static void far_ends(bool news)
{
    struct hd_link a = make(), b = make();
    uint32_t w[HD_FLIT_UNITS], flits[2] = {0}, credits[2] = {0};

    for (uint64_t now = 20; now < 200; now += 2) {
        unsigned vn = now % 3 == 0 ? HD_UP_RSP : HD_UP_REQ;
        bool sent = a.held[vn] < a.depth;

        if (sent) {
            head(w, vn == HD_UP_REQ ? HD_MSG_GETS : HD_MSG_INV_ACK, (uint32_t)now * 64, 0);
            hd_link_send(&a, now, vn, true, w);
        }
        hd_link_post_sender(&a);
        if (news) {
            memcpy(shown, flits, sizeof flits);
            carry(&a, &b, sender_news);
            memcpy(flits, shown, sizeof flits);
        } else {
            carry(&a, &b, hd_link_sender_state);
        }
        const struct hd_flit *f = hd_link_receive(&b, now);
        if (f != NULL) {
            assert_int_equal(f->due, now);
            assert_int_equal(hd_head_addr(f->words), (now - 10) * 64);
            assert_int_equal(f->vn, (now - 10) % 3 == 0 ? HD_UP_RSP : HD_UP_REQ);
            assert_true(f->tail);
            hd_link_send_credits(&b, now, 1u << f->vn);
        }
        hd_link_post_receiver(&b);
        if (news) {
            memcpy(shown, credits, sizeof credits);
            carry(&b, &a, receiver_news);
            memcpy(credits, shown, sizeof credits);
        } else {
            carry(&b, &a, hd_link_receiver_state);
        }
        hd_link_credits(&a, now);
    }
    assert_true(b.flits_got > 40 && a.credits_got > 30);
    assert_null(hd_link_fault(&a));
    assert_null(hd_link_fault(&b));
    b.receiver_fault = "something";
    carry(&b, &a, hd_link_receiver_state);
    assert_string_equal(hd_link_fault(&a), "something");
    a.sender_fault = "something else";
    carry(&a, &b, hd_link_sender_state);
    assert_string_equal(hd_link_fault(&b), "something else");
    hd_link_fini(&a);
    hd_link_fini(&b);
}

static void the_ends_of_a_link_may_be_far_apart(void **state)
{
    (void)state;
    far_ends(false);
    far_ends(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_is_read_bit_by_bit),
        cmocka_unit_test(jitter_delays_keeps_order_and_depends_on_the_seed_alone),
        cmocka_unit_test(a_slow_link_takes_longer_and_keeps_order),
        cmocka_unit_test(flits_and_credits_arrive_in_order_after_their_latency),
        cmocka_unit_test(every_message_of_the_table_is_whole),
        cmocka_unit_test(short_flits_are_counted_by_their_words),
        cmocka_unit_test(every_rule_break_is_a_fault),
        cmocka_unit_test(heads_of_denovo_name_their_class),
        cmocka_unit_test(a_link_is_empty_when_all_is_home),
        cmocka_unit_test(the_ends_of_a_link_may_be_far_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
