/* test_hd_l2_directory.c - what the directory is asked, of whom, and whom a packet goes to. */
/* dut: hd_l2_directory Family=0 Sms=4 */
/* dut: hd_l2_directory Family=1 Sms=5 */
/* dut-rtl: hd_l2_directory Family=0 Sms=32 */
/* mutants: Family=0 Sms=32 */
#include "hd_unit.h"
#include "hd_l2_directory_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"
#include "dir_mesi_ref.h"

enum { SMS = P_Sms, VI = P_Family == HD_FAMILY_VI };

static struct hd_l2_directory d;

static unsigned lowest(unsigned set)
{
    unsigned i = 0;

    while (!(set >> i & 1))
        i++;
    return i;
}

static unsigned some_sms(void)
{
    return hd_rand_below(8) ? (unsigned)hd_bits_random_mask(SMS) : 0;
}

/* Some SM, often one of @set. */
static unsigned some_of(unsigned set)
{
    return set && hd_rand_below(2) ? lowest(set) : (unsigned)hd_rand_below(SMS);
}

static void the_directory_is_asked_about_the_work_at_hand(void **state)
{
    static const unsigned works[] = {HD_L2_WORK_RSP_LSB,   HD_L2_WORK_MEM_LSB, HD_L2_WORK_DONE_LSB, HD_L2_WORK_FILL_LSB,
                                     HD_L2_WORK_SERVE_LSB, HD_L2_WORK_REQ_LSB, HD_L2_WORK_WALK_LSB};
    static const unsigned answers[] = {HD_MSG_PUTM,      HD_MSG_PUTE,     HD_MSG_RSP_DATA,
                                       HD_MSG_RSP_CLEAN, HD_MSG_RSP_NONE, HD_MSG_INV_ACK};
    static const unsigned of_role[2][4] = {
        [false] = {HD_MSG_GETS, HD_MSG_GETM, HD_MSG_UPG, HD_MSG_GETS}, [true] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_GETS, HD_MSG_ATOMIC}};
    unsigned asks = 0, goes_on = 0, grants = 0;

    (void)state;
    hd_l2_directory_open(&d);
    for (unsigned t = 0; t < 20000; t++) {
        const unsigned which = (unsigned)hd_rand_below(8), work = which < 7 ? 1u << works[which] : 0;
        const bool rsp = which == 0, entry = which == 2 || which == 4, req = which == 5;
        const unsigned roles[3] = {HD_ROLE_READ, HD_ROLE_WRITE, VI ? HD_ROLE_RMW : HD_ROLE_UPGRADE};
        const unsigned role = roles[hd_rand_below(3)], sharers = some_sms();
        /* Any other kind is asked about as well, with the same SMs: the table says which are BAD. */
        const bool other = !VI && hd_rand_below(8) == 0;
        const unsigned any_kind = 1 + (unsigned)hd_rand_below(hd_rand_below(2) ? (1u << HD_HEAD_KIND_W) - 1 : HD_MSG_UPG);
        const unsigned rsp_kind = VI ? (unsigned)HD_MSG_INV_ACK : other ? any_kind : answers[hd_rand_below(6)];
        const unsigned req_kind = other ? any_kind : of_role[VI][roles[hd_rand_below(3)]];
        const unsigned rsp_src = some_of(sharers), req_src = some_of(sharers), m_src = some_of(sharers);
        const unsigned todo = hd_rand_below(2) ? some_sms() : 0;
        const bool valid = hd_rand_below(4) != 0, excl = !VI && sharers != 0 && (sharers & (sharers - 1)) == 0 && hd_rand_below(2);

        const bool dirty = hd_rand_below(2) != 0;

        *d.work_i = (uint8_t)work;
        hd_bits_random(d.line_i, HD_L2_LINE_HIT_LSB + 1);
        HD_PUT(d.line_i, L2_LINE_VALID, valid), HD_PUT(d.line_i, L2_LINE_DIRTY, dirty), HD_PUT(d.line_i, L2_LINE_EXCL, excl);
        hd_bits_put(d.sharers_i, 0, SMS, sharers), hd_bits_put(d.todo_i, 0, SMS, todo);
        HD_PUT(d.rsp_i, L2_MSG_KIND, rsp_kind), HD_PUT(d.rsp_i, L2_MSG_SM, rsp_src);
        HD_PUT(d.req_i, L2_MSG_KIND, req_kind), HD_PUT(d.req_i, L2_MSG_SM, req_src);
        HD_PUT(d.m_i, L2_ENTRY_ROLE, role), HD_PUT(d.m_i, L2_ENTRY_SRC, m_src);
        *d.m_recall_i = !other && hd_rand_below(4) == 0;
        hd_eval(d.m);
        const unsigned msg = rsp ? rsp_kind : entry ? of_role[VI][role] : req ? req_kind : (unsigned)HD_MSG_NONE;
        const unsigned who = rsp ? 1u << rsp_src : entry ? 1u << m_src : req ? 1u << req_src : 0;
        const bool put = rsp_kind == HD_MSG_PUTM || rsp_kind == HD_MSG_PUTE;
        const unsigned self = !rsp ? who : put || *d.m_recall_i ? 0 : 1u << m_src;
        const unsigned dir = *d.dir_o;
        const bool inv = L2_GET(DIR, INV, dir), fetch = L2_GET(DIR, FETCH, dir), grant = L2_GET(DIR, GRANT, dir);
        const bool en = valid && which < 7 && which != 1;
        const unsigned sent = (unsigned)HD_GET(d.send_o, L2_MSG_KIND);
        assert_int_equal(HD_GET(d.asked_o, L2_ASKED_EN), en);
        assert_int_equal(HD_GET(d.asked_o, L2_ASKED_KIND), msg);
        assert_int_equal(HD_GET(d.asked_o, L2_ASKED_SM), rsp ? rsp_src : entry ? m_src : req ? req_src : 0);
        if (!VI && en) { /* the table of the family, asked as the work says */
            const struct dir_mesi_say o = dir_mesi_ref((struct dir_mesi_ask){
                .msg = msg, .self = self, .from = rsp ? 1u << rsp_src : 0, .keep = role == HD_ROLE_READ && !*d.m_recall_i,
                .dirty = dirty, .excl = excl, .sharers = sharers});
            const unsigned said = (grant ? GRANT : 0) | (fetch ? FETCH : 0) | (inv ? INV : 0) | (L2_GET(DIR, WAIT_PUT, dir) ? WAIT : 0)
                                  | (L2_GET(DIR, EVICT, dir) ? EVICT : 0) | (L2_GET(DIR, MERGE, dir) ? MERGE : 0)
                                  | (L2_GET(DIR, DONE, dir) ? DONE : 0) | (L2_GET(DIR, BAD, dir) ? BAD : 0);
            assert_int_equal(said, o.does);
            assert_int_equal(L2_GET(DIR, DIRTY, dir), o.dirty);
            assert_int_equal(L2_GET(DIR, EXCL, dir), o.excl);
            assert_int_equal(*d.sharers_o, o.sharers);
            assert_int_equal(sent, o.send);
        }
        if (inv || fetch) {
            const unsigned copies = inv && msg != HD_MSG_NONE ? sharers & ~self : sharers;
            const unsigned targets = todo ? todo : copies;
            assert_int_equal(HD_GET(d.send_o, L2_MSG_SM), lowest(targets));
            assert_int_equal(*d.rest_o, targets & (targets - 1));
            assert_true(sent == HD_MSG_INV ? inv : fetch && (sent == HD_MSG_FETCH || sent == HD_MSG_FETCH_INV));
            asks++, goes_on += todo != 0;
        }
        if (grant && !other) { /* never while another SM holds what it may not */
            assert_true((entry || req) && en && (msg == HD_MSG_GETS ? !excl : (sharers & ~who) == 0));
            grants++;
        }
        if (!en)
            assert_false(inv || fetch || grant);
        if (rsp && valid && !VI && put)
            assert_int_equal(L2_GET(DIR, BAD, dir), !(excl && sharers == who));
    }
    assert_true(asks > 500 && goes_on > 200 && grants > 500);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(the_directory_is_asked_about_the_work_at_hand)};

    return HD_UNIT_MAIN(argc, argv, t);
}
