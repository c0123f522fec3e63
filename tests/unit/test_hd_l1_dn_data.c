/* test_hd_l1_dn_data.c - accesses that are performed at once, when their READ has all its words, or when their word is registered:
 * each finds and leaves the values of an array in C, completes once and in order; READs bring their words in parts. */
/* dut: hd_l1_dn_data Rows=4 Lanes=4 LineWords=8 WordW=32 MshrEntries=3 MshrTargets=5 StoreData=4 CasData=4 MergeLanes=8 */
/* dut-rtl: hd_l1_dn_data Rows=4 Lanes=4 LineWords=8 WordW=64 SlotW=5 MshrEntries=2 MshrTargets=3 StoreData=3 CasData=3 MergeLanes=6 */
/* dut-rtl: hd_l1_dn_data Rows=8 Lanes=12 LineWords=16 WordW=32 MshrEntries=6 MshrTargets=9 StoreData=6 CasData=6 MergeLanes=64 */
#include "hd_unit.h"
#include "hd_l1_dn_data_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = HD_L1_DN_DATA_W_word_i, CNT_W = HD_L1_DN_DATA_W_counts_i / 2,
    LINE_W = HD_ADDR_W - (WORDS == 8 ? 5 : 6), DATA_W = (LANES > WORDS ? LANES : WORDS) * W, LINES = 3, QUEUE = 8,
    ENTRIES = P_MshrEntries, ALL = (1 << WORDS) - 1, WHO_W = HD_WARP_W + P_SlotW
};
/* l1_sync_s */
enum { ATOMIC = 1, STORE = 2, LOAD = 4, SYNC = 8, ACQUIRE = 16, FENCE = 64 };
#define SEL(name) (1u << HD_DN_SEL_##name##_LSB)
#define DO(name) (1u << HD_DN_DO_##name##_LSB)
#define DUE(name) (1u << HD_DN_DUE_##name##_LSB)
#define DID(name) (1u << HD_DN_DID_##name##_LSB)

/* An access, or lanes of one that wait. */
struct target {
    struct hd_access acc;
    uint64_t mask, data[LANES], cmp[LANES]; /* data: of a lane, of a store that of its word */
    unsigned off[LANES];
};
static struct read {
    bool used, old, ro;
    unsigned line, need, got, skip, retry, n, lanes;
    uint64_t data[WORDS];
    struct target t[P_MshrTargets];
} reads[ENTRIES], leaving;
static struct { /* what waits for a registration */
    unsigned n, lanes;
    struct target t[P_StoreData];
} at[ROWS][WORDS];
static struct { /* what will complete, in order */
    unsigned warp, slot, lanes;
    uint64_t mask, data[LANES], told;
    bool fence, plain; /* plain: without data */
} due_out[QUEUE], done;
static uint64_t mem[ROWS][WORDS];
static uint32_t number[LINES];
static unsigned outs, next_left, waiting, syncs, serve_row, serve_left, serve_next;
static bool serving, done_valid, done_last;
static struct hd_l1_dn_data d;

static uint64_t word_random(void)
{
    return W == 32 ? (uint32_t)hd_rand() : hd_rand() & ~(UINT64_C(1) << 63);
}

static void complete(const struct target *t, const uint64_t *data, uint64_t told, bool plain)
{
    assert_true(outs < QUEUE);
    due_out[outs].warp = t->acc.warp, due_out[outs].mask = t->mask, due_out[outs].lanes = t->mask ? hd_bits_count(t->mask) : 1;
    due_out[outs].slot = (t->acc.tag << HD_SLOT_W | t->acc.slot) & ((1u << P_SlotW) - 1);
    due_out[outs].told = told, due_out[outs].plain = plain, due_out[outs].fence = !t->mask;
    if (data)
        memcpy(due_out[outs].data, data, sizeof due_out[outs].data);
    outs++;
}

/* The lanes of @t are performed on @line, the words of which @held are dirty or registered. */
static void perform(const struct target *t, uint64_t *line, unsigned held)
{
    uint64_t data[LANES] = {0}, told = 0;

    for (unsigned l = 0; l < LANES; l++) {
        const bool kept = held >> t->off[l] & 1;
        if (!(t->mask >> l & 1))
            continue;
        data[l] = line[t->off[l]];
        if (t->acc.kind == HD_OP_LOAD)
            continue;
        told |= (uint64_t)kept << l;
        if (t->acc.kind == HD_OP_STORE)
            data[l] = kept ? data[l] : 0;
    }
    for (unsigned l = 0; l < LANES; l++) {
        if (!(t->mask >> l & 1) || t->acc.kind == HD_OP_LOAD)
            continue;
        if (t->acc.kind == HD_OP_STORE) {
            line[t->off[l]] = t->data[l];
            continue;
        }
        const uint64_t old = data[l] = line[t->off[l]];
        line[t->off[l]] = t->data[l] >> 32 << 32 | hd_amo_reference(t->acc.fn, (uint32_t)old, (uint32_t)t->data[l], (uint32_t)t->cmp[l]);
    }
    complete(t, data, told, t->acc.kind == HD_OP_STORE && W == 32);
}

static unsigned words_of(const struct target *t)
{
    unsigned words = 0;

    for (unsigned l = 0; l < LANES; l++)
        words |= (unsigned)(t->mask >> l & 1) << t->off[l];
    return words;
}

static void offer(const struct target *t)
{
    const uint64_t packed = hd_access_pack(t->acc);

    memcpy(d.la_acc_i, &packed, sizeof *d.la_acc_i);
    hd_bits_random(d.la_ops_i, HD_L1_DN_DATA_W_la_ops_i);
    hd_bits_put(d.la_place_i, 0, WORDS, hd_rand());
    hd_bits_put(d.la_place_i, WORDS + LANES * OFF_W, LANES, t->mask);
    for (unsigned l = 0; l < LANES; l++) {
        hd_bits_put(d.la_place_i, WORDS + l * OFF_W, OFF_W, t->off[l]);
        hd_bits_put(d.la_ops_i, DATA_W + 32 * l, 32, t->cmp[l]);
        if (t->mask >> l & 1 && t->acc.kind == HD_OP_STORE)
            hd_bits_put(d.la_ops_i, t->off[l] * W, W, t->data[l]);
        if (t->acc.kind == HD_OP_ATOMIC)
            hd_bits_put(d.la_ops_i, l * W, W, t->data[l]);
    }
}

/* An access of lanes in any words, or all in @word. */
static struct target draw(unsigned kind, unsigned word)
{
    struct target t = {.acc = hd_access_random(), .mask = hd_bits_random_mask(LANES)};

    t.acc.kind = kind, t.acc.fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS), t.acc.order = (unsigned)hd_rand_below(5);
    for (unsigned l = 0; l < LANES; l++) {
        t.off[l] = word < WORDS ? word : (unsigned)hd_rand_below(WORDS);
        t.data[l] = word_random(), t.cmp[l] = hd_rand_below(2) ? (uint32_t)mem[0][0] : (uint32_t)hd_rand();
        for (unsigned k = 0; kind == HD_OP_STORE && k < l; k++) /* one lane wins a word */
            if (t.off[k] == t.off[l])
                t.data[l] = t.data[k];
    }
    return t;
}

static void answer(unsigned kind, unsigned line, unsigned words, unsigned tid)
{
    hd_bits_random(d.rs_head_i, HD_HEAD_W);
    hd_bits_put(d.rs_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.rs_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, number[line] * WORDS * 4);
    hd_bits_put(d.rs_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(d.rs_head_i, HD_HEAD_WMASK_LSB, WORDS, words);
    hd_bits_random(d.rs_data_i, HD_L1_DN_DATA_W_rs_data_i);
    for (unsigned w = 0; w < WORDS; w++)
        hd_bits_put(d.rs_data_i, w * W, W, word_random());
}

/* The settled outputs of a cycle: what was performed, what completed. */
static void see(bool may_rmw, unsigned *rmws)
{
    assert_int_equal(*d.cpl_valid_o, done_valid);
    if (done_valid) {
        assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W), done.warp);
        assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W), done.slot & ((1u << HD_SLOT_W) - 1));
        assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_LAST_LSB, 1), done_last);
        assert_true(hd_bits_get(d.cpl_mask_o, 0, LANES) == done.mask);
        for (unsigned l = 0; l < LANES && !done.plain && !done.fence; l++)
            if (done.mask >> l & 1) {
                const uint64_t told = W == 64 ? (done.told >> l & 1) << 63 : 0;
                if (hd_bits_get(d.cpl_data_o, l * W, W) != (done.data[l] | told))
                    fail_msg("lane %u finds 0x%llx, not 0x%llx", l, (unsigned long long)hd_bits_get(d.cpl_data_o, l * W, W),
                             (unsigned long long)(done.data[l] | told));
            }
    }
    done_valid = *d.perf_valid_o;
    if (done_valid) {
        assert_true(outs > 0);
        done = due_out[0], done_last = *d.perf_last_i;
        assert_int_equal(hd_bits_get(d.perf_o, 0, HD_WARP_W), done.warp);
        assert_int_equal(hd_bits_get(d.perf_o, HD_WARP_W, P_SlotW), done.slot);
        assert_int_equal(hd_bits_get(d.perf_o, WHO_W, CNT_W), done.lanes);
        memmove(due_out, due_out + 1, --outs * sizeof *due_out);
    }
    assert_true(may_rmw || !(*d.did_o & DID(RMW)));
    *rmws += (*d.did_o & DID(RMW)) != 0;
}

enum what { NOTHING, PERFORM, READS, REGISTERS, PACKET, ACKS, RETRY, MARKER, A_FENCE, SENDS, WHATS };

static void accesses_are_performed_when_their_words_are_here(void **state)
{
    unsigned seen[WHATS] = {0}, rmws = 0, rmw_lanes = 0, replays = 0, served = 0, merges = 0, joined = 0, refused = 0, fetched = 0, idle = 0;
    unsigned left_tid = 0;     /* the READ whose accesses leave */
    unsigned second = ENTRIES; /* the READ whose last packet takes a second cycle */
    int sent = -1;             /* the row that is on line_o now */
    bool atomic = false;

    (void)state;
    memset(reads, 0, sizeof reads), memset(at, 0, sizeof at), memset(&leaving, 0, sizeof leaving);
    outs = next_left = waiting = syncs = serve_left = serve_next = 0;
    serving = done_valid = false;
    hd_l1_dn_data_open(&d);
    hd_reset(d.m);
    number[0] = (uint32_t)hd_rand_below(1u << (LINE_W - 2));
    for (unsigned i = 1; i < LINES; i++)
        number[i] = number[i - 1] ^ 1u << (LINE_W - i);
    for (unsigned n = 0; n < 60000; n++) {
        const bool scoped = n / 2000 % 2, read_only = n / 1000 % 2, drain = n % 1500 > 1350;
        const unsigned row = (unsigned)hd_rand_below(ROWS), line = (unsigned)hd_rand_below(LINES), word = (unsigned)hd_rand_below(WORDS);
        enum what what = (enum what)hd_rand_below(WHATS);
        unsigned sel = 0, act = 0, la = LOAD, hits = 0, asks = 0, writes = 0, served_words = 0, did = 0, tid = (unsigned)hd_rand_below(ENTRIES);
        unsigned held = (unsigned)hd_rand() & ALL;
        struct target t = draw(HD_OP_LOAD, WORDS);
        bool fence = false, marker = false, merge = false, start = false, old = hd_rand_below(40) == 0, send = false;
        const uint64_t who = hd_rand() & ((UINT64_C(1) << WHO_W) - 1);

        *d.mode_i = (uint8_t)(scoped << 1 | read_only), *d.perf_last_i = (uint8_t)hd_rand_below(2);
        *d.work_i = *d.act_i = 0, *d.what_i = LOAD, *d.send_i = 0, *d.old_i = 0;
        hd_bits_put(d.served_i, 0, WORDS, 0), hd_bits_random(d.says_i, 4 * WORDS), hd_bits_random(d.counts_i, 2 * CNT_W);
        hd_bits_put(d.row_i, 0, HD_L1_DN_DATA_W_row_i, row), hd_bits_put(d.word_i, 0, OFF_W, word);
        hd_bits_put(d.mk_who_i, 0, WHO_W, who), hd_bits_put(d.held_i, 0, WORDS, held), *d.line_i = number[line];
        if (second == ENTRIES)
            answer(HD_MSG_NACK, line, (unsigned)hd_rand() & ALL, tid);
        offer(&t);
        hd_eval(d.m);

        /* ---- what waits */
        unsigned retry = ENTRIES, used = 0;
        for (int i = ENTRIES - 1; i >= 0; i--)
            if (reads[i].used && reads[i].retry && !(reads[i].need & ~(reads[i].got | reads[i].retry)))
                retry = (unsigned)i;
        const unsigned due = *d.due_o;
        assert_int_equal((due & DUE(RP)) != 0, next_left < leaving.n);
        assert_int_equal((due & DUE(ST)) != 0, serving);
        assert_int_equal((due & DUE(SV)) != 0, serve_left != 0);
        assert_int_equal((due & DUE(RT)) != 0, retry < ENTRIES);
        for (unsigned i = 0; i < ENTRIES; i++) {
            assert_int_equal(hd_bits_get(d.busy_o, i, 1), reads[i].used || (next_left < leaving.n && i == left_tid));
            used += reads[i].used;
        }
        if (!(due & DUE(BUSY)))
            atomic = false;
        assert_true(!(due & DUE(BUSY)) || atomic);
        assert_int_equal(*d.idle_o, next_left == leaving.n && !serve_left && retry == ENTRIES && outs == 0 && !done_valid && !atomic);
        idle += *d.idle_o;
        if (retry < ENTRIES) {
            assert_int_equal(hd_bits_get(d.request_o, 0, HD_TID_W), retry);
            assert_int_equal(hd_bits_get(d.request_o, HD_TID_W, WORDS), reads[retry].retry);
            assert_int_equal(hd_bits_get(d.request_o, HD_TID_W + WORDS, LINE_W), number[reads[retry].line]);
        }
        if (sent >= 0)
            for (unsigned w = 0; w < WORDS; w++)
                assert_true(hd_bits_get(d.line_o, w * W, W) == mem[sent][w]);
        sent = -1;
        if (atomic) {
            see(true, &rmws);
            hd_edge(d.m);
            continue;
        }

        /* ---- what is chosen, in the order of hd_l1_dn_select */
        unsigned guard = 0, last = 0;
        struct read *r = NULL;
        if (n < ROWS) { /* all words get a value first */
            sel = SEL(RS), writes = ALL, what = NOTHING, hd_bits_put(d.row_i, 0, HD_L1_DN_DATA_W_row_i, n);
            answer(HD_MSG_REG_DATA, line, 0, tid);
            for (unsigned w = 0; w < WORDS; w++)
                mem[n][w] = hd_bits_get(d.rs_data_i, w * W, W);
            old = false;
        } else if (next_left < leaving.n) {
            what = NOTHING, sel = SEL(RP), old = false;
            const struct target *p = &leaving.t[next_left++];
            waiting--;
            if (p->mask)
                did |= DID(SERVE), perform(p, leaving.data, 0), replays++;
        } else if (serving) {
            const unsigned w = (unsigned)__builtin_ctz(serve_left);
            const struct target *p = &at[serve_row][w].t[serve_next++];
            const struct hd_access *a = &p->acc;
            const bool narrow = scoped && a->scope == HD_SCOPE_WG, marked = a->order != HD_ORD_RELAXED && a->scope != HD_SCOPE_WI && !narrow;

            what = NOTHING, sel = SEL(ST), did |= DID(SYNC);
            did |= marked && a->order != HD_ORD_RELEASE && a->kind != HD_OP_STORE ? DID(ACQUIRE) : 0;
            old = did & DID(ACQUIRE);
            perform(p, mem[serve_row], ALL), served++, syncs--;
            if (a->kind == HD_OP_ATOMIC)
                atomic = true, rmw_lanes += hd_bits_count(p->mask);
            if (serve_next == at[serve_row][w].n)
                at[serve_row][w].n = at[serve_row][w].lanes = serve_next = 0, serving = false, serve_left &= serve_left - 1;
        } else if (serve_left) {
            what = NOTHING, sel = SEL(SV), serving = true;
        } else if (second < ENTRIES) {
            what = PACKET, tid = second;
        } else if (drain && what != PACKET && what != ACKS && what != RETRY)
            what = NOTHING;
        for (unsigned i = 0; i < ENTRIES; i++)
            guard |= reads[i].used && reads[i].line == line ? reads[i].need : 0;
        switch (what) {
        case PERFORM: {
            static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC};
            t = draw(kinds[hd_rand_below(3)], WORDS);
            la = t.acc.kind == HD_OP_LOAD ? LOAD : t.acc.kind == HD_OP_STORE ? STORE : ATOMIC;
            la |= hd_rand_below(2) ? SYNC : 0, sel = SEL(FR), act = DO(HIT) | DO(PART), hits = words_of(&t);
            perform(&t, mem[row], held);
            if (la & ATOMIC)
                atomic = true, rmw_lanes += hd_bits_count(t.mask);
            break;
        }
        case READS: /* of words that nothing fetches, or that a READ fetches already */
            t = draw(HD_OP_LOAD, WORDS), sel = SEL(FR);
            if (hd_rand_below(4) == 0)
                la = ATOMIC, t.acc.kind = HD_OP_ATOMIC;
            asks = words_of(&t);
            break;
        case REGISTERS: {
            static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC};
            t = draw(kinds[hd_rand_below(3)], word);
            la = SYNC | (t.acc.kind == HD_OP_LOAD ? LOAD : t.acc.kind == HD_OP_STORE ? STORE : ATOMIC), sel = SEL(FR);
            break;
        }
        case PACKET: {
            r = &reads[tid];
            const unsigned missing = r->used ? r->need & ~r->got & ~r->retry : 0;
            if (second < ENTRIES)
                last = 1;
            else if (!missing)
                what = NOTHING;
            else {
                const unsigned m = (unsigned)hd_bits_random_mask(WORDS), extra = (unsigned)hd_rand() & ALL & ~r->need;
                const unsigned come = drain || hd_rand_below(2) ? missing : missing & m ? missing & m : missing & -missing;
                const unsigned kind = !drain && hd_rand_below(4) == 0 ? HD_MSG_NACK : HD_MSG_DATA_S;
                answer(kind, line, come | (kind == HD_MSG_DATA_S ? extra : 0), tid);
                last = (r->need & ~(r->got | come)) == 0;
            }
            if (what == NOTHING)
                break;
            sel = SEL(RS), writes = (unsigned)hd_rand() & ALL;
            break;
        }
        case ACKS: { /* a registration comes; accesses here may wait for its words */
            unsigned waited = 0, words = (unsigned)hd_bits_random_mask(WORDS);
            for (unsigned w = 0; w < WORDS; w++)
                waited |= (unsigned)(at[row][w].n > 0) << w;
            if (drain)
                words |= waited;
            answer(hd_rand_below(2) ? HD_MSG_REG_DATA : HD_MSG_REG_ACK, line, words, tid);
            sel = SEL(RS), writes = (unsigned)hd_rand() & words, served_words = waited & words;
            for (unsigned i = 0; i < ENTRIES; i++)
                if (reads[i].used && reads[i].line == line)
                    reads[i].skip |= words;
            break;
        }
        case RETRY:
            if (retry < ENTRIES)
                sel = SEL(RT), reads[retry].retry = 0;
            break;
        case MARKER:
            marker = due & DUE(DONE_OK), sel = marker ? SEL(MK) : 0;
            if (marker) {
                struct target m = {.acc.warp = who >> P_SlotW & ((1u << HD_WARP_W) - 1), .acc.slot = who & ((1u << HD_SLOT_W) - 1)};
                m.acc.tag = (unsigned)(who & ((1u << P_SlotW) - 1)) >> HD_SLOT_W;
                complete(&m, NULL, 0, true);
            }
            break;
        case A_FENCE:
            fence = due & DUE(DONE_OK), sel = fence ? SEL(FR) : 0;
            t.mask = 0, t.acc.kind = HD_OP_FENCE, la = FENCE | ACQUIRE;
            act = fence ? DO(ACCEPT) | (hd_rand_below(2) ? DO(MARKER) : 0) : 0;
            if (fence && !(act & DO(MARKER)))
                complete(&t, NULL, 0, true);
            break;
        case SENDS: sel = SEL(FW), send = true; break;
        default: break;
        }
        seen[what]++;
        hd_bits_put(d.says_i, 0, WORDS, hits), hd_bits_put(d.says_i, WORDS, WORDS, asks), hd_bits_put(d.says_i, 3 * WORDS, WORDS, writes);
        hd_bits_put(d.served_i, 0, WORDS, served_words);
        hd_bits_put(d.counts_i, 0, CNT_W, hd_bits_count(t.mask));
        offer(&t);
        *d.line_i = r ? number[r->line] : number[line];
        *d.work_i = (uint16_t)sel, *d.act_i = (uint16_t)act, *d.what_i = (uint8_t)la, *d.send_i = send;
        hd_eval(d.m);
        if (sel & SEL(FR) && !(la & FENCE))
            assert_int_equal(hd_bits_get(d.guard_o, 0, WORDS), guard);

        /* ---- who waits, and for what */
        if (what == READS) {
            const bool join = hd_bits_get(d.join_o, WORDS, 1), is_new = !join || la & ATOMIC;
            const unsigned join_words = (unsigned)hd_bits_get(d.join_o, 0, WORDS);
            unsigned can = 0;
            for (unsigned i = 0; i < ENTRIES; i++)
                can |= reads[i].used && reads[i].line == line && !reads[i].old ? reads[i].need & ~reads[i].skip & asks : 0;
            assert_int_equal(join, can != 0);
            if (la & ATOMIC || !join)
                t.mask = la & ATOMIC ? 0 : t.mask;
            else
                for (unsigned l = 0; l < LANES; l++)
                    t.mask &= ~((uint64_t)!(join_words >> t.off[l] & 1) << l);
            hd_bits_put(d.counts_i, CNT_W, CNT_W, hd_bits_count(t.mask));
            offer(&t);
            hd_eval(d.m);
            tid = (unsigned)hd_bits_get(d.request_o, HD_TID_W + WORDS + LINE_W, HD_TID_W);
            const bool room = *d.places_o >> HD_DN_PLACES_READ_ROOM_LSB & 1;
            const bool place = (*d.places_o >> HD_DN_PLACES_READ_WHY_LSB & 15) == HD_WHY_NONE;
            assert_int_equal(room, used < ENTRIES);
            if (!is_new) {
                assert_true(tid < ENTRIES && reads[tid].used && reads[tid].line == line && !reads[tid].old);
                assert_int_equal(join_words, reads[tid].need & ~reads[tid].skip & asks);
            }
            assert_int_equal(is_new ? room && place : place,
                             waiting < P_MshrTargets && (is_new ? room : reads[tid].lanes + hd_bits_count(t.mask) <= P_MergeLanes));
            if ((is_new ? room && place : place) && !(is_new && asks & guard)) {
                act = is_new ? DO(READ) | (la & ATOMIC ? DO(FETCH) : DO(PART)) : DO(MERGE) | DO(PART);
                struct read *const e = &reads[tid];
                if (is_new) {
                    assert_true(tid < ENTRIES && !e->used);
                    memset(e, 0, sizeof *e);
                    e->used = true, e->line = line, e->need = asks, e->ro = t.acc.ro && read_only && la & LOAD;
                } else
                    joined++;
                fetched += la & ATOMIC;
                t.acc.kind = HD_OP_LOAD; /* what waits brings no data */
                e->t[e->n++] = t, e->lanes += hd_bits_count(t.mask), waiting++;
            } else
                refused++;
        } else if (what == REGISTERS) {
            unsigned entries = 0;
            for (unsigned i = 0; i < ROWS * WORDS; i++)
                entries += at[i / WORDS][i % WORDS].n > 0;
            const bool room = (*d.places_o >> HD_DN_PLACES_SYNC_WHY_LSB & 15) == HD_WHY_NONE;
            assert_int_equal(room, syncs < P_StoreData && (at[row][word].n > 0 ? at[row][word].lanes + hd_bits_count(t.mask) <= P_MergeLanes
                                                                            : entries < P_StoreData));
            refused += !room;
            if (room) {
                act = DO(WAIT_REG) | DO(PART);
                at[row][word].t[at[row][word].n++] = t, at[row][word].lanes += hd_bits_count(t.mask), syncs++;
            }
        } else if (what == ACKS && served_words)
            serve_row = row, serve_left = served_words;
        if (sel & SEL(RS)) {
            const unsigned kind = (unsigned)hd_bits_get(d.rs_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
            const unsigned come = (unsigned)hd_bits_get(d.rs_head_i, HD_HEAD_WMASK_LSB, WORDS);
            uint64_t whole[WORDS];

            for (unsigned w = 0; w < WORDS; w++)
                whole[w] = r && second < ENTRIES && r->got >> w & 1 ? r->data[w] : hd_bits_get(d.rs_data_i, w * W, W);
            if (r) {
                bool more = false;
                for (unsigned i = 0; i < ENTRIES; i++)
                    more |= i != tid && reads[i].used && reads[i].line == r->line && !reads[i].old;
                if (kind == HD_MSG_DATA_S && last)
                    merge = r->got && second == ENTRIES, start = !merge;
                assert_int_equal(hd_bits_get(d.rd_o, 0, WORDS), r->need);
                assert_int_equal(hd_bits_get(d.rd_o, WORDS, WORDS), r->skip);
                assert_int_equal(hd_bits_get(d.rd_o, 2 * WORDS, 4), (unsigned)(r->old << 3 | r->ro << 2 | more << 1) | last);
                assert_int_equal(hd_bits_get(d.rd_o, 2 * WORDS + 4, LINE_W), number[r->line]);
                assert_int_equal(hd_bits_get(d.rd_o, 2 * WORDS + 4 + LINE_W, 1), merge);
            }
            assert_int_equal(*d.rs_ready_o, !merge);
            did |= kind == HD_MSG_DATA_S && !merge ? DID(FILL) : 0;
            if (kind != HD_MSG_NACK && !merge && n >= ROWS)
                for (unsigned w = 0; w < WORDS; w++)
                    mem[row][w] = writes >> w & 1 ? whole[w] : mem[row][w];
            merges += merge;
            second = merge ? tid : ENTRIES;
            if (kind == HD_MSG_NACK) {
                r->retry |= come & r->need;
            } else if (start) {
                leaving = *r, next_left = 0, left_tid = tid;
                memcpy(leaving.data, whole, sizeof whole);
                memset(r, 0, sizeof *r);
            } else if (r && !merge) {
                for (unsigned w = 0; w < WORDS; w++)
                    r->data[w] = (come & r->need) >> w & 1 ? whole[w] : r->data[w];
                r->got |= come & r->need;
            }
        } else
            assert_int_equal(*d.rs_ready_o, 0);
        if (sel & SEL(RS)) /* brings no acquire */
            old = false;
        *d.act_i = (uint16_t)act, *d.old_i = old;
        hd_eval(d.m);
        assert_int_equal(*d.did_o & ~DID(RMW), did);
        see(false, &rmws);
        hd_edge(d.m);
        for (unsigned i = 0; old && i < ENTRIES; i++)
            reads[i].old = reads[i].used;
        if (send)
            sent = (int)row;
    }
    for (unsigned i = 0; i < WHATS; i++)
        if (seen[i] < 100)
            fail_msg("%u: seen %u times", i, seen[i]);
    assert_true(replays > 100 && served > 100 && merges > 50 && joined > 50 && refused > 100 && fetched > 20 && idle > 500);
    assert_true(rmws <= rmw_lanes && rmws + LANES >= rmw_lanes && rmws > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(accesses_are_performed_when_their_words_are_here)};

    return HD_UNIT_MAIN(argc, argv, t);
}
