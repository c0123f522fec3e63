/* test_hd_l1_dn_line.c - lines that accesses, answers, forwards, flushes and walks name, against rows of words in C: which row is
 * meant, what is found there, what is written, which victim leaves; valid words of an older generation count as gone. */
/* dut: hd_l1_dn_line Sets=2 Ways=2 LineWords=8 GenW=2 */
/* dut-rtl: hd_l1_dn_line Sets=4 Ways=4 LineWords=16 GenW=3 */
#include "hd_unit.h"
#include "hd_l1_dn_line_dut.h"
#include "dn_line_ref.h"

static struct hd_l1_dn_line d;
static enum { NO_READ, READ_OUT, READ_OLD } reads[LINES]; /* a READ of the line is out; an acquire came after it */

/* An empty L1, other lines. */
static void empty(void)
{
    memset(rows, 0, sizeof rows);
    memset(reads, 0, sizeof reads);
    gen = 0;
    for (unsigned i = 0; i <= LINES / SETS; i++) { /* neighbours differ in one bit */
        high[i] = i % 2 ? high[i - 1] ^ 1u << hd_rand_below(LINE_W - (SETS == 2 ? 1 : 2)) : (uint32_t)hd_rand_below((1u << LINE_W) / SETS);
        for (unsigned k = 0; k < i; k++)
            if (high[k] == high[i])
                high[i]++, k = (unsigned)-1;
    }
    for (unsigned i = 0; i < SETS * WAYS; i++)
        rows[i / WAYS][i % WAYS].age = i % WAYS;
    hd_reset(d.m);
}

/* Kinds of the messages of RSP and FWD. */
static const unsigned answers[] = {HD_MSG_NACK, HD_MSG_DATA_S, HD_MSG_REG_ACK, HD_MSG_REG_DATA};
static const unsigned forwards[] = {HD_MSG_WB_ACK, HD_MSG_FWD_READ, HD_MSG_FWD_REG, HD_MSG_RECALL};

enum what { NOTHING, ACCESS, DATA, ACK, FORWARD, FLUSH, PASS, WALK, BEGIN, WHATS };

static void words_are_found_and_written(void **state)
{
    unsigned seen[WHATS] = {0}, evicted = 0, refused = 0, old = 0, walked = 0, stays = 0, dropped = 0, begin = SETS * WAYS;
    bool pulse = false, kept = false;
    unsigned st_line = 0;
    struct words st = {0};

    (void)state;
    hd_l1_dn_line_open(&d);
    for (unsigned n = 0; n < 60000; n++) {
        if (n % 4000 == 0) {
            empty();
            begin = SETS * WAYS, pulse = false;
        }
        const bool stepped = begin < SETS * WAYS; /* the generation has come round: the L1 walks, nothing else */
        enum what what = stepped ? BEGIN : (enum what)hd_rand_below(WHATS);
        unsigned line = (unsigned)hd_rand_below(LINES), sel = 0, act = 0, la = 0, set = 0, way = 0;
        const bool room = hd_rand_below(2), merge = hd_rand_below(4) == 0, more = hd_rand_below(2), last = hd_rand_below(2);
        bool known = false, begins_ro = false, write = false, row_ok;
        int here, vict;

        memset(&t, 0, sizeof t);
        t.guard = some(ALL) & some(ALL), t.next = some(ALL), t.local = some(ALL) & some(ALL), t.skip = some(ALL) & some(ALL);
        t.need = some(ALL), t.keep = hd_rand_below(4) == 0, t.old = hd_rand_below(2);
        head(d.rs_head_i, answers[hd_rand_below(4)], (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL); /* not taken */
        head(d.fw_head_i, forwards[hd_rand_below(4)], (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL);
        hd_bits_random(d.rd_i, LINE_W + 4 + 2 * WORDS);
        *d.fl_row_i = (uint8_t)hd_rand_below(SETS * WAYS), *d.wrap_row_i = (uint8_t)hd_rand_below(SETS * WAYS);
        *d.pass_row_i = (uint8_t)hd_rand_below(SETS * WAYS);
        give(d.la_words_i, (unsigned)hd_rand() & ALL), give(d.fw_left_i, (unsigned)hd_rand() & ALL);
        give(d.pass_words_i, (unsigned)hd_rand() & ALL);
        *d.what_i = (uint8_t)hd_rand_below(SYNC << 1), *d.walk_i = 0, *d.la_line_i = number((unsigned)hd_rand_below(LINES));
        switch (what) {
        case ACCESS: {
            static const uint8_t kinds[] = {LOAD, STORE, ATOMIC, SYNC | LOAD, SYNC | STORE, SYNC | ATOMIC};
            la = kinds[hd_rand_below(6)], sel = SEL(FR);
            t.words = some(ALL), *d.what_i = (uint8_t)la, *d.la_line_i = number(line);
            give(d.la_words_i, t.words);
            break;
        }
        case DATA: { /* of a line whose READ is out; those that an acquire has overtaken may find the row gone */
            if (reads[line] == NO_READ)
                what = NOTHING;
            t.words = some(ALL), t.old = reads[line] == READ_OLD, sel = SEL(RS), t.ev = HD_DEV_FILL;
            head(d.rs_head_i, HD_MSG_DATA_S, (unsigned)hd_rand_below(LINES), t.words);
            hd_bits_put(d.rd_i, RD_LSB_LAST + 4, LINE_W, number(line));
            break;
        }
        case ACK:
            t.ev = HD_DEV_ACK, sel = SEL(RS), t.data = hd_rand_below(2);
            if (!pick(wants, &set, &way)) {
                what = NOTHING;
                break;
            }
            line = rows[set][way].tag * SETS + set;
            t.words = some(rows[set][way].m.w & ~rows[set][way].m.r) & (t.data ? ALL : (int)rows[set][way].m.d);
            head(d.rs_head_i, t.data ? HD_MSG_REG_DATA : HD_MSG_REG_ACK, line, t.words);
            break;
        case FORWARD: {
            static const unsigned kinds[] = {HD_MSG_FWD_READ, HD_MSG_FWD_REG, HD_MSG_RECALL};
            const unsigned kind = kinds[hd_rand_below(3)];
            const struct words m = find(line) >= 0 ? rows[line % SETS][find(line)].m : (struct words){0};

            sel = SEL(FW), t.ev = kind == HD_MSG_FWD_READ ? HD_DEV_FWD_READ : HD_DEV_FWD_REG;
            t.words = some(kind == HD_MSG_FWD_READ ? m.r | m.w : (m.r & ~m.w) | (m.w & ~m.r));
            head(d.fw_head_i, kind, line, (unsigned)hd_rand() & ALL);
            give(d.fw_left_i, t.words);
            break;
        }
        case FLUSH:
            sel = SEL(FL), t.ev = HD_DEV_FLUSH, known = true;
            pick(any, &set, &way);
            *d.fl_row_i = (uint8_t)(set * WAYS + way);
            break;
        case PASS:
            sel = SEL(PS), t.ev = HD_DEV_PASS, known = true;
            if (!pick(passes, &set, &way))
                what = NOTHING;
            t.words = some(rows[set][way].m.w & rows[set][way].m.r);
            *d.pass_row_i = (uint8_t)(set * WAYS + way);
            give(d.pass_words_i, t.words);
            break;
        case WALK:
            sel = SEL(WRAP), t.ev = HD_DEV_EVICT, known = true;
            pick(any, &set, &way);
            if (rows[set][way].pin) /* a flush has no READ out */
                what = NOTHING;
            *d.wrap_row_i = (uint8_t)(set * WAYS + way);
            break;
        case BEGIN:
            sel = SEL(WRAP), t.ev = HD_DEV_BEGIN, known = true, begins_ro = !stepped && hd_rand_below(2);
            if (stepped)
                set = begin / WAYS, way = begin % WAYS, begin++;
            else
                pick(any, &set, &way);
            *d.wrap_row_i = (uint8_t)(set * WAYS + way), *d.walk_i = (uint8_t)(2 | begins_ro);
            break;
        default: break;
        }
        if (what == NOTHING) { /* or a message that leaves all words as they are */
            static const unsigned sels[] = {0, SEL(RS), SEL(FW)};

            sel = sels[hd_rand_below(3)], known = false;
            head(d.rs_head_i, HD_MSG_NACK, (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL);
            head(d.fw_head_i, HD_MSG_WB_ACK, (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL);
            give(d.fw_left_i, 0);
        }
        hd_bits_put(d.rd_i, 0, WORDS, t.need), hd_bits_put(d.rd_i, WORDS, WORDS, t.skip);
        hd_bits_put(d.rd_i, RD_LSB_LAST, 4, (unsigned)(t.old << 3 | t.keep << 2 | more << 1 | last));
        give(d.guard_i, t.guard), give(d.next_i, t.next), give(d.local_i, t.local);
        *d.sel_i = (uint16_t)sel, *d.act_i = 0, *d.gen_i = (uint8_t)gen, *d.room_i = room, *d.merge_i = merge, *d.moves_i = 0;
        hd_eval(d.m);

        /* What is found. */
        assert_int_equal(*d.st_valid_o, pulse);
        if (pulse) {
            assert_int_equal(*d.st_line_o, number(st_line));
            assert_int_equal(hd_bits_get(d.st_words_o, 0, WORDS), st.v);
            assert_int_equal(hd_bits_get(d.st_words_o, WORDS, WORDS), st.d);
            assert_int_equal(hd_bits_get(d.st_words_o, 2 * WORDS, WORDS), st.r);
            assert_int_equal(hd_bits_get(d.st_words_o, 3 * WORDS, WORDS), st.ro);
        }
        pulse = false;
        seen[what]++;
        if (what == NOTHING) {
            assert_true(sel != 0 || (!*d.hit_o && !*d.vict_ok_o)); /* no line is looked up, none is found */
            hd_edge(d.m);
            continue;
        }
        if (!known)
            set = line % SETS;
        here = known ? (rows[set][way].holds ? (int)way : -1) : find(line);
        vict = victim(set);
        assert_int_equal(*d.hit_o, here >= 0);
        if (!known)
            assert_int_equal(*d.line_o, number(line));
        if (here >= 0)
            t.now = counts(&rows[set][here]), line = rows[set][here].tag * SETS + set;
        if (what == ACCESS && here < 0) {
            assert_int_equal(*d.vict_ok_o, vict >= 0);
            if (vict >= 0)
                assert_int_equal(*d.vict_r_o, counts(&rows[set][vict]).r != 0);
        }
        const bool leaves = what == ACCESS && here < 0 && vict >= 0 && counts(&rows[set][vict]).r != 0;
        if (leaves)
            t.now = counts(&rows[set][vict]), t.ev = HD_DEV_EVICT;
        else if (what == ACCESS)
            t.ev = la & SYNC ? HD_DEV_SYNC : la & ATOMIC ? HD_DEV_LOCAL : la & LOAD ? HD_DEV_LOAD : HD_DEV_STORE;
        table();
        row_ok = t.now.w == 0 && t.now.d == 0 && (t.now.r == 0 || room);
        assert_int_equal(hd_bits_get(d.hits_o, 0, WORDS), t.hit);
        assert_int_equal(hd_bits_get(d.asks_o, 0, WORDS), t.ask);
        assert_int_equal(hd_bits_get(d.joins_o, 0, WORDS), t.join);
        assert_int_equal(hd_bits_get(d.writes_o, 0, WORDS), t.write);
        assert_int_equal(*d.why_o, t.why);
        assert_int_equal(hd_bits_get(d.masks_o, 0, WORDS), t.now.d);
        assert_int_equal(hd_bits_get(d.masks_o, WORDS, WORDS), t.now.r);
        assert_int_equal(hd_bits_get(d.masks_o, 2 * WORDS, WORDS), t.then.d);
        assert_int_equal(*d.wanted_o, t.then.w != 0);
        assert_int_equal(*d.row_ok_o, row_ok);

        /* What is decided. */
        const bool data_here = what == DATA && here >= 0 && !merge;
        int at = here >= 0 ? here : vict;
        bool pin_we = data_here && last && !t.old, pin = more;
        if (what == ACCESS && (here >= 0 || vict >= 0)) {
            if (leaves) {
                act = room ? DO(EVICT) : DO(REJECT);
            } else if (t.why != HD_WHY_NONE) {
                act = DO(REJECT);
            } else if (t.hit != 0) {
                act = DO(HIT) | DO(PART);
            } else if (la & SYNC) {
                act = t.join ? DO(WAIT_REG) | DO(PART) : t.ask ? DO(ASK) | DO(WAIT_REG) | DO(PART) : DO(REJECT);
            } else if (t.ask != 0) {
                act = reads[line] != NO_READ ? DO(MERGE) | DO(PART) : DO(READ) | DO(PART);
            }
            refused += (act & DO(REJECT)) != 0;
        }
        if (act & DO(READ))
            pin_we = pin = true, reads[line] = READ_OUT;
        if (what == DATA && last && !merge)
            reads[line] = pin_we && pin ? reads[line] : NO_READ; /* those that wait too join the next */
        *d.act_i = (uint16_t)act, *d.moves_i = hd_rand_below(30) == 0;
        kept = (act & DO(EVICT)) == 0 && what != WALK;
        write = (act & (DO(ASK) | DO(EVICT) | DO(READ))) || ((act & DO(HIT)) && !(la & LOAD)) || (data_here && t.write != 0)
                || what == ACK || what == PASS || (what == FORWARD && t.hit != 0 && t.ev == HD_DEV_FWD_REG)
                || (what == FLUSH && t.ask != 0) || ((what == BEGIN || (what == WALK && row_ok)) && here >= 0);
        write = write && (what == ACCESS || here >= 0);
        hd_eval(d.m);
        if (at >= 0 && (what == ACCESS || here >= 0))
            assert_int_equal(*d.row_o, set * WAYS + (unsigned)at);
        if (act & DO(EVICT))
            line = rows[set][vict].tag * SETS + set;
        if (what == ACCESS || here >= 0)
            assert_int_equal(*d.to_line_o, number(line));

        /* The edge. */
        hd_edge(d.m);
        for (unsigned i = 0; *d.moves_i && i < SETS * WAYS; i++)
            rows[i / WAYS][i % WAYS].pin = false;
        if (pin_we)
            rows[set][at].pin = pin;
        if (write) {
            struct row *r = &rows[set][at];
            if (what == BEGIN && !begins_ro)
                t.then.ro = t.now.ro;
            if (act & DO(EVICT))
                evicted++;
            walked += what == WALK, stays += r->holds && r->gen != gen, old += what == DATA && t.old;
            r->holds = kept, r->tag = line / SETS, r->gen = gen, r->m = t.then;
            pulse = what != BEGIN, st = t.then, st_line = line;
        }
        if (act & DO(PART)) {
            for (int w = 0; w < WAYS; w++)
                rows[set][w].age += rows[set][w].age < rows[set][at].age;
            rows[set][at].age = 0;
        }
        if (*d.moves_i) {
            for (unsigned i = 0; i < LINES; i++)
                reads[i] = reads[i] != NO_READ ? READ_OLD : NO_READ;
            gen = (gen + 1) % (1u << P_GenW), dropped++;
            if (gen == 0)
                begin = 0;
        }
    }
    for (unsigned i = 0; i < WHATS; i++)
        assert_true(seen[i] > 300);
    assert_true(evicted > 100 && refused > 100 && old > 20 && walked > 100 && stays > 100 && dropped > 500);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_found_and_written)};

    return HD_UNIT_MAIN(argc, argv, tests);
}
