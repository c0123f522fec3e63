/* test_hd_l1_dn_send.c - random decisions of an L1 and random forwards: which packets leave, in which order, with which data;
 * words on their way back are given from the writeback buffer, once each; a READ's words may leave in parts. */
/* dut: hd_l1_dn_send WbEntries=2 ReqDepth=3 PartBits=1 LineWords=8 WordW=32 */
/* dut-rtl: hd_l1_dn_send WbEntries=1 ReqDepth=1 PartBits=0 LineWords=16 WordW=64 */
#include "hd_unit.h"
#include "hd_l1_dn_send_dut.h"
#include "dn_packet.h"

enum { WORDS = P_LineWords, W = P_WordW, QUEUE = 16, LINES = 3, LINE_W = HD_ADDR_W - (WORDS == 8 ? 5 : 6) };
enum { RETRY_WORDS = HD_TID_W, RETRY_LINE = RETRY_WORDS + WORDS };
enum { PASS_SYNC = HD_NODE_W, PASS_HOME, PASS_CLS, PASS_WORDS = PASS_CLS + HD_COH_CLS_W };
#define SEL(name) (1u << HD_DN_SEL_##name##_LSB)
#define DO(name) (1u << HD_DN_DO_##name##_LSB)

static struct packet req[QUEUE], rsp[QUEUE];
static unsigned lines[LINES]; /* their numbers: other ones after a while, neighbours differ in one bit */
static unsigned reqs, rsps;

static struct {
    bool valid;
    unsigned line, words;
    uint64_t data[WORDS];
} wb[P_WbEntries];

/* What is decided in a cycle. */
enum what { NOTHING, READ, FETCH, RETRY, ASK, FLUSH, FLUSH_NONE, EVICT, WALK, PASS, FORWARD, WHATS };

/* A forward of FWD that waits to be taken. */
static struct {
    bool valid;
    unsigned kind, line, words, cls, to, tid, done;
    bool sync;
} fw;

static void forward(struct hd_l1_dn_send *d)
{
    static const unsigned kinds[] = {HD_MSG_FWD_READ, HD_MSG_FWD_READ, HD_MSG_FWD_REG, HD_MSG_RECALL};
    const unsigned e = (unsigned)hd_rand_below(P_WbEntries);

    if (!fw.valid && hd_rand_below(3) == 0) {
        const bool back = wb[e].valid && hd_rand_below(3) == 0;
        fw.valid = true, fw.done = 0;
        fw.kind = back ? HD_MSG_WB_ACK : kinds[hd_rand_below(4)];
        fw.line = back ? wb[e].line : lines[hd_rand_below(LINES)];
        fw.tid = back ? e : (unsigned)hd_rand_below(1u << HD_TID_W);
        fw.words = (unsigned)hd_bits_random_mask(WORDS), fw.cls = (unsigned)hd_rand_below(1u << HD_COH_CLS_W);
        fw.to = (unsigned)hd_rand_below(1u << HD_NODE_W), fw.sync = hd_rand_below(2);
    }
    *d->fw_valid_i = fw.valid;
    hd_bits_random(d->fw_head_i, HD_HEAD_W);
    if (!fw.valid)
        return;
    hd_bits_put(d->fw_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, fw.kind);
    hd_bits_put(d->fw_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, fw.line * WORDS * 4);
    hd_bits_put(d->fw_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, fw.tid);
    hd_bits_put(d->fw_head_i, HD_HEAD_WMASK_LSB, WORDS, fw.words);
    hd_bits_put(d->fw_head_i, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, fw.sync);
    hd_bits_put(d->fw_head_i, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, fw.cls);
    hd_bits_put(d->fw_head_i, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_NODE_W, fw.to);
}

static int entry_of(unsigned line)
{
    for (int e = 0; e < P_WbEntries; e++)
        if (wb[e].valid && wb[e].line == line)
            return e;
    return -1;
}

static void decisions_become_packets(void **state)
{
    struct hd_l1_dn_send d;
    unsigned seen[WHATS] = {0}, nacks = 0, parts = 0, given_back = 0, from_back = 0, both_full = 0;
    int put = -1;               /* the entry whose values are on data_i now */
    bool coming = false;        /* the last answer gets its data now */

    (void)state;
    hd_l1_dn_send_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 40000; n++) {
        enum what what = put >= 0 ? NOTHING : (enum what)hd_rand_below(WHATS); /* the L1 decides nothing behind a put */
        const bool slow = n / 600 % 3 == 0;
        if (n % 300 == 0) {
            lines[0] = (unsigned)hd_rand_below(1u << LINE_W);
            for (unsigned i = 1; i < LINES; i++)
                lines[i] = lines[i - 1] ^ 1u << (hd_rand_below(LINE_W / LINES) + i * (LINE_W / LINES));
        }
        if (reqs == 0 && rsps == 0)
            *d.sm_id_i = (uint8_t)hd_rand_below(1u << HD_NODE_W);
        const unsigned at = (unsigned)hd_rand_below(LINES);
        unsigned line = lines[at], to_line = line, sel = 0, act = 0;
        unsigned hits = (unsigned)hd_bits_random_mask(WORDS), asks = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned put_words = (unsigned)hd_bits_random_mask(WORDS), tid = (unsigned)hd_rand_below(1u << HD_TID_W);
        const unsigned retry_words = (unsigned)hd_bits_random_mask(WORDS), retry_tid = (unsigned)hd_rand_below(1u << HD_TID_W);
        const unsigned retry_line = (unsigned)hd_rand_below(1u << LINE_W), pass_words = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned pass_to = (unsigned)hd_rand_below(1u << HD_NODE_W);
        const unsigned pass_cls = (unsigned)hd_rand_below(1u << HD_COH_CLS_W);
        const unsigned pass_sync = (unsigned)hd_rand_below(2), pass_home = (unsigned)hd_rand_below(2);
        struct packet p = {.home = true, .from = -1, .opid = (unsigned)hd_rand_below(1u << HD_OPID_W), .sm = *d.sm_id_i};
        bool request = false, answer = false, tells[3] = {false};
        int e;

        forward(&d);
        *d.req_ready_i = hd_rand_below(4) > (slow ? 2 : 0), *d.rsp_ready_i = hd_rand_below(4) > (n / 900 % 3 == 0 ? 2 : 0);
        hd_bits_random(d.data_i, WORDS * W);
        *d.sel_i = 0, *d.act_i = 0, *d.put_i = 0;
        *d.line_i = fw.valid ? fw.line : line;
        hd_eval(d.m);
        /* Values that were promised in the cycle before. */
        if (put >= 0)
            for (unsigned w = 0; w < WORDS; w++)
                wb[put].data[w] = hd_bits_get(d.data_i, w * W, W);
        if (coming)
            for (unsigned w = 0; w < WORDS; w++)
                rsp[rsps - 1].data[w] = rsp[rsps - 1].from < 0 ? hd_bits_get(d.data_i, w * W, W) : wb[rsp[rsps - 1].from].data[w];
        /* Rooms. */
        unsigned used = 0;
        for (unsigned i = 0; i < P_WbEntries; i++)
            used += wb[i].valid;
        assert_int_equal(*d.wb_room_o, used < P_WbEntries);
        assert_int_equal(*d.wb_empty_o, used == 0);
        assert_int_equal(*d.req_room_o, reqs < P_ReqDepth);
        assert_int_equal(*d.rsp_room_o, rsps < 4);
        assert_int_equal(*d.idle_o, reqs == 0 && rsps == 0);
        assert_int_equal(*d.req_valid_o, reqs > 0);
        assert_int_equal(*d.rsp_valid_o, rsps > coming);
        both_full += reqs == P_ReqDepth && rsps == 4;
        if (reqs > 0)
            same(d.req_head_o, &req[0]);
        if (rsps > coming) {
            same(d.rsp_head_o, &rsp[0]);
            for (unsigned w = 0; w < WORDS; w++)
                assert_true(hd_bits_get(d.rsp_data_o, w * W, W) == rsp[0].data[w]);
        }

        /* A decision that fits, and the packet it must cause. */
        if (what == FORWARD && !fw.valid)
            what = NOTHING;
        if ((what == READ || what == FETCH || what == RETRY || what == ASK || what == FLUSH) && !*d.req_room_o)
            what = NOTHING;
        if ((what == EVICT || what == WALK || what == PASS || what == FORWARD) && !*d.rsp_room_o)
            what = NOTHING;
        if ((what == EVICT || what == WALK) && !*d.wb_room_o)
            what = NOTHING;
        if (what == EVICT)
            to_line = lines[(at + 1) % LINES];
        if ((what == EVICT || what == WALK) && entry_of(to_line) >= 0)
            what = NOTHING;
        if (what == FORWARD)
            line = to_line = fw.line;
        e = entry_of(line);
        seen[what]++;
        p.line = to_line, p.words = asks, p.tid = tid, p.cls = HD_COH_READ, p.kind = HD_MSG_GETS;
        switch (what) {
        case READ:
        case FETCH:
            sel = SEL(FR), act = DO(READ) | (what == FETCH ? DO(FETCH) : DO(PART)), request = true;
            p.cls = what == FETCH ? HD_COH_ATOMIC : HD_COH_READ;
            break;
        case RETRY:
            sel = SEL(RT), request = true;
            p.line = retry_line, p.words = retry_words, p.tid = retry_tid;
            break;
        case ASK:
        case FLUSH:
            sel = what == ASK ? SEL(FR) : SEL(FL), act = what == ASK ? DO(ASK) | DO(WAIT_REG) | DO(PART) : 0, request = true;
            p.kind = HD_MSG_REG, p.tid = 0, p.sync = what == ASK, p.cls = what == ASK ? HD_COH_ATOMIC : HD_COH_REGISTRATION;
            tells[2] = true;
            break;
        case FLUSH_NONE:
            sel = SEL(FL), asks = 0;
            break;
        case EVICT:
        case WALK:
            sel = what == EVICT ? SEL(FR) : SEL(WRAP), act = what == EVICT ? DO(EVICT) : 0, answer = true;
            for (put = 0; wb[put].valid; put++)
                ;
            p.kind = HD_MSG_WB, p.words = put_words, p.tid = (unsigned)put, p.cls = HD_COH_WRITE;
            break;
        case PASS:
            sel = SEL(PS), answer = true;
            p.kind = pass_home ? HD_MSG_RECALL_DATA : pass_sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK;
            p.words = pass_words, p.tid = 0, p.cls = pass_cls, p.sync = pass_sync, p.home = pass_home, p.to = pass_to;
            break;
        case FORWARD: {
            const unsigned left = fw.words & ~fw.done, back = e >= 0 ? wb[e].words & left : 0;
            const bool read = fw.kind == HD_MSG_FWD_READ;

            sel = SEL(FW);
            hits = back != 0 || hd_rand_below(4) == 0 ? 0 : hits & left;
            if (fw.kind == HD_MSG_WB_ACK) {
                hits = 0;
                break;
            }
            p.words = back | hits, p.tid = fw.tid, p.cls = fw.cls, p.sync = fw.sync, p.to = fw.to;
            p.home = fw.kind == HD_MSG_RECALL, p.from = back != 0 ? e : -1;
            p.kind = p.home ? HD_MSG_RECALL_DATA : read ? HD_MSG_DATA_S : fw.sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK;
            answer = p.words != 0 || read;
            tells[0] = p.words != 0, tells[1] = p.words == 0 && read;
            if (tells[1])
                p.kind = HD_MSG_NACK, p.words = asks;
            from_back += back != 0;
            break;
        }
        default: break;
        }
        if (what == NOTHING || what == FORWARD || what == PASS || what == RETRY || what == WALK || what == FLUSH)
            p.opid = 0;
        *d.sel_i = (uint16_t)sel, *d.act_i = (uint16_t)act, *d.line_i = line, *d.to_line_i = to_line;
        hd_bits_put(d.hits_i, 0, WORDS, hits);
        hd_bits_put(d.asks_i, 0, WORDS, asks);
        *d.put_i = what == EVICT || what == WALK;
        hd_bits_put(d.put_words_i, 0, WORDS, put_words);
        *d.tid_i = (uint8_t)tid, *d.opid_i = (uint16_t)p.opid;
        hd_bits_put(d.retry_i, 0, HD_TID_W, retry_tid);
        hd_bits_put(d.retry_i, RETRY_WORDS, WORDS, retry_words);
        hd_bits_put(d.retry_i, RETRY_LINE, LINE_W, retry_line);
        hd_bits_put(d.pass_i, 0, HD_NODE_W, pass_to);
        hd_bits_put(d.pass_i, PASS_SYNC, 1, pass_sync);
        hd_bits_put(d.pass_i, PASS_HOME, 1, pass_home);
        hd_bits_put(d.pass_i, PASS_CLS, HD_COH_CLS_W, pass_cls);
        hd_bits_put(d.pass_i, PASS_WORDS, WORDS, pass_words);
        hd_eval(d.m);
        assert_int_equal(*d.wb_hit_o, e >= 0);
        assert_int_equal(*d.push_rsp_o, answer);
        assert_int_equal(*d.tells_o, tells[2] << 2 | tells[1] << 1 | tells[0]);
        if (what == FORWARD) {
            const unsigned left = fw.words & ~fw.done, back = e >= 0 ? wb[e].words & left : 0;
            const bool all = fw.kind != HD_MSG_FWD_READ || tells[1] || (left & ~(back | hits)) == 0;

            assert_int_equal(hd_bits_get(d.fw_left_o, 0, WORDS), fw.kind == HD_MSG_WB_ACK ? 0 : left & ~back);
            assert_int_equal(*d.fw_ready_o, all);
        } else {
            assert_int_equal(*d.fw_ready_o, 0);
        }

        /* The edge. */
        if (*d.req_valid_o && *d.req_ready_i)
            memmove(req, req + 1, --reqs * sizeof *req);
        if (*d.rsp_valid_o && *d.rsp_ready_i)
            memmove(rsp, rsp + 1, --rsps * sizeof *rsp);
        if (request)
            req[reqs++] = p;
        if (answer)
            rsp[rsps++] = p;
        coming = answer;
        if (what == EVICT || what == WALK) {
            wb[put].valid = true, wb[put].line = to_line, wb[put].words = put_words;
        } else {
            put = -1;
        }
        if (what == FORWARD) {
            nacks += tells[1];
            if (fw.kind == HD_MSG_WB_ACK)
                wb[fw.tid].valid = false, given_back++;
            if (*d.fw_ready_o)
                fw.valid = false, parts += fw.done != 0;
            else
                fw.done |= p.words;
        }
        hd_edge(d.m);
    }
    for (unsigned i = 0; i < WHATS; i++)
        assert_true(seen[i] > 100);
    assert_true(nacks > 100 && parts > 100 && given_back > 100 && from_back > 100 && both_full > 10);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(decisions_become_packets)};

    return HD_UNIT_MAIN(argc, argv, t);
}
