/* test_hd_mac.c - memory access classifier against a model in C that knows what happens in each cycle.
 *
 * The test is all SMs: it asks (one request for a sector at a time), gathers invalidations and recalls and acknowledges
 * them when it likes, in any order. */
/* mutants: Sms=3 Entries=4 Ways=2 Busy=2 Requests=6 PartBits=1 SectorBytes=16777216 */
/* dut: hd_mac Sms=3 Entries=4 Ways=2 Busy=2 Requests=6 PartBits=1 SectorBytes=16777216 */
/* dut: hd_mac Sms=2 Entries=1 Ways=1 Busy=1 Requests=4 PartBits=0 SectorBytes=67108864 */
/* dut: hd_mac Sms=4 Entries=4 Ways=4 Busy=3 Requests=16 PartBits=2 SectorBytes=16777216 */
/* dut: hd_mac Sms=16 Entries=64 Ways=8 Busy=8 Requests=64 PartBits=3 SectorBytes=16384 */
#include "hd_unit.h"
#include "hd_mac_dut.h"
#include "hd_bits.h"

enum {
    SMS = P_Sms,
    WAYS = P_Ways,
    SETS = P_Entries / P_Ways,
    BUSY = P_Busy,
    REQUESTS = P_Requests,
    PARTS = 1 << P_PartBits,
    SECTORS = 2 * P_Entries + 3, /* of the partition, that the test uses at a time */
    ALL_SECTORS = (int)((INT64_C(1) << 32) / P_SectorBytes / PARTS), /* of the partition */
};

struct entry {
    bool used, recent, locked;
    unsigned state, owner;
    uint32_t num;
};
struct transition {
    bool busy, recall;
    uint32_t num;
    unsigned way, left;
    uint64_t send, want; /* SMs */
};
struct request {
    uint32_t num;
    unsigned sm;
    bool write;
};

static struct hd_mac d;
static struct entry ways[SETS][WAYS];
static struct transition trans[BUSY];
static struct request queue[REQUESTS];
static unsigned num_requests, part;
static bool asked[SMS][ALL_SECTORS];
static struct { unsigned sm, tid; } to_ack[BUSY * SMS];
static unsigned num_acks;
/* the output register */
static bool dn_valid;
static uint32_t dn_head[(HD_HEAD_W + 31) / 32];
static bool ev_request, ev_inval, ev_recall;
/* how often things happened */
static unsigned answers, invals_owner, invals_all, recalls, recalls_all, remembered, no_busy, all_locked, set_waits;
static unsigned replies_late;

static void forget(void)
{
    memset(ways, 0, sizeof ways);
    memset(trans, 0, sizeof trans);
    memset(asked, 0, sizeof asked);
    num_requests = num_acks = 0;
    dn_valid = ev_request = ev_inval = ev_recall = false;
}

static void begin(void)
{
    hd_mac_open(&d);
    hd_reset(d.m);
    part = (part + 5) % PARTS;
    *d.part_id_i = (uint8_t)part;
    forget();
    answers = invals_owner = invals_all = recalls = recalls_all = remembered = no_busy = all_locked = set_waits = 0;
    replies_late = 0;
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static uint64_t address(uint32_t num)
{
    return ((uint64_t)num * PARTS + part) * P_SectorBytes & UINT32_MAX;
}

static void emit(unsigned kind, unsigned sm, uint32_t num, unsigned tid, unsigned flags)
{
    dn_valid = true;
    memset(dn_head, 0, sizeof dn_head);
    hd_bits_put(dn_head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(dn_head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, part);
    hd_bits_put(dn_head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, sm);
    hd_bits_put(dn_head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, address(num));
    hd_bits_put(dn_head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, kind == HD_MSG_TYPE_REP ? flags : tid);
    hd_bits_put(dn_head, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, HD_END_L2);
    hd_bits_put(dn_head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_SM);
}

static unsigned lowest(uint64_t set)
{
    unsigned i = 0;

    while (!(set >> i & 1))
        i++;
    return i;
}

static void start(bool recall, uint32_t num, unsigned way, uint64_t targets, uint64_t want)
{
    unsigned b = 0;

    while (trans[b].busy)
        b++;
    trans[b] = (struct transition){true, recall, num, way, hd_bits_count(targets), targets, want};
    ways[num % SETS][way].locked = true;
    ev_inval = !recall;
    ev_recall = recall;
}

static bool busy_free(void)
{
    for (unsigned b = 0; b < BUSY; b++)
        if (!trans[b].busy)
            return true;
    return false;
}

static void use(struct entry *set, unsigned w)
{
    bool all = true;

    set[w].recent = true;
    for (unsigned i = 0; i < WAYS; i++)
        all &= set[i].recent;
    for (unsigned i = 0; i < WAYS; i++)
        set[i].recent = all ? i == w : set[i].recent;
}

/* What happens to the first request (@go), or whether anything would. */
static bool serve(bool go)
{
    const uint64_t everybody = SMS == 64 ? UINT64_MAX : (UINT64_C(1) << SMS) - 1;
    const struct request r = queue[0];
    struct entry *set = ways[r.num % SETS], *e = NULL;
    unsigned w = 0;
    bool owner, pop = false;

    for (unsigned b = 0; b < BUSY; b++) {
        if (!trans[b].busy || trans[b].num != r.num)
            continue;
        if (trans[b].recall)
            return false;
        if (go) {
            trans[b].want |= UINT64_C(1) << r.sm;
            remembered++;
            goto done;
        }
        return true;
    }
    for (unsigned i = 0; i < WAYS && e == NULL; i++) {
        if (set[i].used && set[i].num == r.num) {
            e = &set[i];
            w = i;
        }
    }
    if (e == NULL) { /* a free way, or the recall of another sector */
        for (w = 0; w < WAYS && set[w].used; w++)
            continue;
        if (w < WAYS) {
            if (!go)
                return true;
            set[w].used = true;
            set[w].num = r.num;
            set[w].owner = r.sm;
            set[w].state = r.write ? HD_MAC_PRIVATE_RW : HD_MAC_PRIVATE_RO;
            use(set, w);
            emit(HD_MSG_TYPE_REP, r.sm, r.num, 0, r.write ? 3 : 1);
            answers++;
            goto done;
        }
        for (unsigned b = 0; b < BUSY; b++) {
            if (trans[b].busy && trans[b].recall && trans[b].num % SETS == r.num % SETS) {
                set_waits += go;
                return false;
            }
        }
        for (w = 0; w < WAYS && (set[w].locked || set[w].recent); w++)
            continue;
        if (w == WAYS)
            for (w = 0; w < WAYS && set[w].locked; w++)
                continue;
        if (w == WAYS || !busy_free()) {
            all_locked += go && w == WAYS;
            no_busy += go && w < WAYS;
            return false;
        }
        if (go) {
            const bool is_private = set[w].state == HD_MAC_PRIVATE_RO || set[w].state == HD_MAC_PRIVATE_RW;

            start(true, set[w].num, w, is_private ? UINT64_C(1) << set[w].owner : everybody, 0);
            recalls++;
            recalls_all += !is_private;
        }
        return true;
    }
    owner = e->owner == r.sm;
    if ((e->state == HD_MAC_SHARED_RO && r.write) || (e->state == HD_MAC_PRIVATE_RW && !owner) ||
        (e->state == HD_MAC_PRIVATE_RO && !owner && r.write)) {
        const bool all = e->state == HD_MAC_SHARED_RO;

        if (!busy_free()) {
            no_busy += go;
            return false;
        }
        if (!go)
            return true;
        start(false, r.num, w, all ? everybody : UINT64_C(1) << e->owner, UINT64_C(1) << r.sm);
        e->state = HD_MAC_SHARED_RW;
        use(set, w);
        invals_all += all;
        invals_owner += !all;
        goto done;
    }
    if (!go)
        return true;
    if (e->state == HD_MAC_PRIVATE_RO)
        e->state = !owner ? HD_MAC_SHARED_RO : r.write ? HD_MAC_PRIVATE_RW : HD_MAC_PRIVATE_RO;
    use(set, w);
    emit(HD_MSG_TYPE_REP, r.sm, r.num, 0,
         e->state == HD_MAC_SHARED_RW ? 0 : e->state == HD_MAC_PRIVATE_RW ? 3 : 1);
    answers++;
done:
    pop = true;
    num_requests--;
    memmove(queue, queue + 1, num_requests * sizeof *queue);
    ev_request = true;
    return pop;
}

/* One edge: messages that must be sent first, then transitions that ended, then the first request. */
static void step(bool ready)
{
    ev_request = ev_inval = ev_recall = false;
    if (dn_valid && !ready)
        return;
    dn_valid = false;
    for (unsigned b = 0; b < BUSY; b++) {
        if (trans[b].busy && trans[b].send != 0) {
            const unsigned sm = lowest(trans[b].send);

            trans[b].send &= ~(UINT64_C(1) << sm);
            emit(trans[b].recall ? HD_MSG_TYPE_RECALL : HD_MSG_TYPE_INV, sm, trans[b].num, b, 0);
            return;
        }
    }
    for (unsigned b = 0; b < BUSY; b++) {
        struct transition *x = &trans[b];

        if (!x->busy || x->left != 0)
            continue;
        if (x->want != 0) {
            const unsigned sm = lowest(x->want);

            x->want &= ~(UINT64_C(1) << sm);
            emit(HD_MSG_TYPE_REP, sm, x->num, 0, 0);
            replies_late++;
        }
        if (x->want == 0) {
            struct entry *e = &ways[x->num % SETS][x->way];

            x->busy = false;
            e->locked = false;
            if (x->recall)
                e->used = false;
        }
        return;
    }
    if (num_requests > 0)
        serve(true);
}

static bool idle(void)
{
    bool quiet = !dn_valid && !ev_request && !ev_inval && !ev_recall;

    for (unsigned b = 0; b < BUSY; b++)
        quiet &= !trans[b].busy || (trans[b].send == 0 && trans[b].left != 0);
    return quiet && !(num_requests > 0 && serve(false));
}

/* One cycle; ask or NULL, ack: number in the list or -1. */
static void cycle(const struct request *ask, int ack, bool ready)
{
    *d.req_valid_i = ask != NULL;
    hd_bits_random(d.req_head_i, HD_HEAD_W);
    hd_bits_random(d.ack_head_i, HD_HEAD_W);
    if (ask != NULL) {
        hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, ask->sm);
        hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, address(ask->num) + hd_rand_below(P_SectorBytes));
        hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB + HD_TYPE_WANTS_WRITE, 1, ask->write);
    }
    *d.ack_valid_i = ack >= 0;
    if (ack >= 0)
        hd_bits_put(d.ack_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, to_ack[ack].tid);
    *d.dn_ready_i = ready;
    hd_eval(d.m);
    assert_int_equal(*d.dn_valid_o, dn_valid);
    assert_int_equal(*d.idle_o, idle());
    if (dn_valid) {
        assert_memory_equal(d.dn_head_o, dn_head, sizeof dn_head);
        if (ready) {
            const unsigned kind = (unsigned)hd_bits_get(dn_head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
            const unsigned sm = (unsigned)hd_bits_get(dn_head, HD_HEAD_DST_LSB, HD_HEAD_DST_W);

            if (kind == HD_MSG_TYPE_REP) {
                const uint64_t addr = hd_bits_get(dn_head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);

                asked[sm][addr / P_SectorBytes / PARTS] = false;
            } else {
                to_ack[num_acks].sm = sm;
                to_ack[num_acks++].tid = (unsigned)hd_bits_get(dn_head, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
            }
        }
    }
    assert_int_equal(HD_GET(d.ev_o, MAC_EV_REQUEST), ev_request);
    assert_int_equal(HD_GET(d.ev_o, MAC_EV_INVAL), ev_inval);
    assert_int_equal(HD_GET(d.ev_o, MAC_EV_RECALL), ev_recall);
    hd_edge(d.m);
    step(ready);
    if (ack >= 0) {
        trans[to_ack[ack].tid].left--;
        to_ack[ack] = to_ack[--num_acks];
    }
    if (ask != NULL) {
        queue[num_requests++] = *ask;
        asked[ask->sm][ask->num] = true;
    }
}

static void quiesce(void)
{
    for (unsigned t = 0; t < 400 * REQUESTS && !(idle() && num_requests == 0 && num_acks == 0); t++)
        cycle(NULL, num_acks > 0 ? 0 : -1, true);
    assert_true(idle() && num_requests == 0 && num_acks == 0);
    cycle(NULL, -1, true);
}

static void ask_now(unsigned sm, uint32_t num, bool write)
{
    const struct request r = {num, sm, write};

    cycle(&r, -1, true);
    quiesce();
    assert_false(asked[sm][num]);
}

/* Figure 5: the arcs of a sector, one after the other, each from a table without sectors. */
static void every_arc_of_the_figure(void **state)
{
    (void)state;
    for (unsigned arc = 0; arc < 64; arc++) {
        begin();
        for (unsigned i = 0; i < 3; i++) /* three requests: each of SM 0 or 1, to read or write */
            ask_now(arc >> (2 * i) & 1, 1, arc >> (2 * i + 1) & 1);
        *d.clear_i = 1;
        cycle(NULL, -1, true);
        *d.clear_i = 0;
        memset(ways, 0, sizeof ways);
        ask_now(1, 1, arc & 1);
        end();
    }
}

static void a_request_of_a_sector_under_way_is_answered_at_its_end(void **state)
{
    struct request r = {0, 1, true};

    (void)state;
    begin();
    ask_now(0, 0, true);
    cycle(&r, -1, true);
    for (unsigned t = 0; t < 6; t++)
        cycle(NULL, -1, true);
    assert_int_equal(num_acks, 1);
    r.sm = 0;
    r.write = false;
    cycle(&r, -1, true);
    for (unsigned t = 0; t < 6; t++)
        cycle(NULL, -1, true);
    assert_int_equal(remembered, 1);
    quiesce();
    assert_int_equal(replies_late, 2);
    end();
}

static void random_traffic_matches_the_model(void **state)
{
    unsigned full = 0, quiet = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 60000; t++) {
        const unsigned phase = t / 600 % 4;
        const unsigned span = hd_rand_below(4) ? P_Entries / 4 + 1 : phase == 1 ? P_Entries : SECTORS;
        const uint32_t from = t / 1500 * 37 * SETS; /* so that every bit of a number is 0 and 1 */
        const struct request r = {(from + (uint32_t)hd_rand_below(span)) % ALL_SECTORS, (unsigned)hd_rand_below(SMS),
                                  hd_rand_below(4) == 0};
        const bool comes = num_requests < REQUESTS && !asked[r.sm][r.num] && hd_rand_below(phase == 3 ? 40 : 2) == 0;
        const int ack = num_acks > 0 && hd_rand_below(phase == 2 ? 40 : 3) == 0 ? (int)hd_rand_below(num_acks) : -1;

        cycle(comes ? &r : NULL, ack, hd_rand_below(phase == 0 ? 4 : 16) != 0);
        full += num_requests == REQUESTS;
        quiet += idle();
        if (t % 20000 == 19999) {
            quiesce();
            *d.clear_i = 1;
            cycle(NULL, -1, true);
            *d.clear_i = 0;
            memset(ways, 0, sizeof ways);
        }
    }
    quiesce();
    assert_true(answers > 300 && invals_owner > 50 && recalls > 100 && remembered > 5 && quiet > 100);
    assert_true(invals_all > 20 && recalls_all > 20 && replies_late > 100);
    assert_true(no_busy > 20 || BUSY != 2);
    assert_true(set_waits > 20 || SETS == 1);
    assert_true(full > 20 || REQUESTS > 16);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_arc_of_the_figure),
        cmocka_unit_test(a_request_of_a_sector_under_way_is_answered_at_its_end),
        cmocka_unit_test(random_traffic_matches_the_model),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
