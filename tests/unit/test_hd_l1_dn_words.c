/* test_hd_l1_dn_words.c - rows of words against a model in C, as for hd_l1_dn_line, and what is around them: dirty rows and markers
 * leave in their order, words that are asked for have an entry until the last has come, and go to who waits for them. */
/* dut: hd_l1_dn_words Sets=2 Ways=2 LineWords=8 GenW=2 RegEntries=2 SbWords=16 SbRows=2 Markers=4 */
/* dut-rtl: hd_l1_dn_words Sets=4 Ways=4 LineWords=16 SlotW=5 GenW=3 RegEntries=6 SbWords=32 SbRows=8 Markers=3 */
#include "hd_unit.h"
#include "hd_l1_dn_words_dut.h"
#include "dn_line_ref.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum { FENCE = 64, RELEASE = 32, ACQUIRE = 16, WHO_W = HD_WARP_W + P_SlotW, NEXT_W = HD_COH_CLS_W + 2 + HD_NODE_W };
enum { LIST = SETS * WAYS + P_Markers, MOST = SETS * WAYS < P_SbRows ? SETS * WAYS : P_SbRows };
#define LEAVE(name) (1u << HD_DN_LEAVE_##name##_LSB)
#define FOUND(name) (1u << HD_DN_FOUND_##name##_LSB)

static struct hd_l1_dn_words d;
static enum { NO_READ, READ_OUT, READ_OLD } reads[LINES]; /* a READ of the line is out; an acquire came after it */
static struct entry {
    bool used;
    unsigned row, local, next, pass, who[WORDS];
} regs[P_RegEntries];
static struct {
    bool marker, acquires;
    unsigned row, who;
} list[LIST];
static unsigned len, dirty, out; /* of the list; dirty words, those of them that are being registered */

static void empty(void)
{
    memset(rows, 0, sizeof rows);
    memset(reads, 0, sizeof reads);
    memset(regs, 0, sizeof regs);
    gen = len = dirty = out = 0;
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

static struct entry *entry_of(unsigned row)
{
    for (unsigned i = 0; i < P_RegEntries; i++)
        if (regs[i].used && regs[i].row == row)
            return &regs[i];
    return NULL;
}

/* The free entry that is taken next, or NULL. */
static struct entry *entry_free(void)
{
    for (unsigned i = 0; i < P_RegEntries; i++)
        if (!regs[i].used)
            return &regs[i];
    return NULL;
}

/* The entry whose words leave next, and which: those that go to the one who waits for the lowest. */
static struct entry *entry_passing(unsigned *words, unsigned *who)
{
    for (unsigned i = 0; i < P_RegEntries; i++) {
        if (!regs[i].used || !regs[i].pass)
            continue;
        *who = regs[i].who[__builtin_ctz(regs[i].pass)], *words = 0;
        for (unsigned w = 0; w < WORDS; w++)
            *words |= (regs[i].pass >> w & 1 && regs[i].who[w] == *who) << w;
        return &regs[i];
    }
    return NULL;
}

static bool listed(unsigned row)
{
    for (unsigned i = 0; i < len; i++)
        if (!list[i].marker && list[i].row == row)
            return true;
    return false;
}

static unsigned markers(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < len; i++)
        n += list[i].marker;
    return n;
}

/* Kinds of the messages of RSP and FWD. */
static const unsigned answers[] = {HD_MSG_NACK, HD_MSG_DATA_S, HD_MSG_REG_ACK, HD_MSG_REG_DATA};
static const unsigned forwards[] = {HD_MSG_WB_ACK, HD_MSG_FWD_READ, HD_MSG_FWD_REG, HD_MSG_RECALL};

enum what { NOTHING, ACCESS, RELEASES, LEAVES, DATA, ACK, FORWARD, FLUSH, PASSES, WALK, BEGIN, WHATS };

static void words_are_found_registered_and_passed(void **state)
{
    unsigned seen[WHATS] = {0}, evicted = 0, refused = 0, old = 0, walked = 0, dropped = 0, begin = SETS * WAYS, waited = 0, served = 0;
    unsigned full = 0, no_entry = 0, puts = 0, all_out = 0, st_line = 0;
    bool pulse = false;
    struct words st = {0};

    (void)state;
    hd_l1_dn_words_open(&d);
    for (unsigned n = 0; n < 80000; n++) {
        if (n % 4000 == 0) {
            empty();
            begin = SETS * WAYS, pulse = false;
        }
        const bool stepped = begin < SETS * WAYS; /* the generation has come round: the L1 walks, nothing else */
        enum what what = stepped ? BEGIN : (enum what)hd_rand_below(WHATS);
        if (!stepped && hd_rand_below(3) == 0)
            what = hd_rand_below(2) ? ACCESS : ACK;
        const bool late = n / 4000 % 4 == 1; /* few lines are stored to, answers are late: all dirty words are on their way */
        if (late && what == ACK && hd_rand_below(64))
            what = hd_rand_below(2) ? ACCESS : FLUSH;
        unsigned line = (unsigned)hd_rand_below(LINES), sel = 0, act = 0, set = 0, way = 0, pass_words = 0, pass_who = 0;
        unsigned la = (unsigned)hd_rand_below(2 * FENCE); /* what is in front, looked at or not */
        const unsigned who = (unsigned)hd_rand_below(1u << WHO_W), next_who = (unsigned)hd_rand_below(1u << NEXT_W);
        const bool room = hd_rand_below(2), merge = hd_rand_below(4) == 0, more = hd_rand_below(2), last = hd_rand_below(2);
        struct entry *const passing = entry_passing(&pass_words, &pass_who);
        bool known = false, begins_ro = false, write = false, row_ok, join_kind = false;
        int here, vict;

        memset(&t, 0, sizeof t);
        t.guard = some(ALL) & some(ALL), t.skip = some(ALL) & some(ALL);
        t.need = some(ALL), t.keep = hd_rand_below(4) == 0, t.old = hd_rand_below(2);
        head(d.rs_head_i, answers[hd_rand_below(4)], (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL); /* not taken */
        head(d.fw_head_i, forwards[hd_rand_below(4)], (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL);
        hd_bits_random(d.rd_i, LINE_W + 5 + 2 * WORDS);
        give(d.la_words_i, (unsigned)hd_rand() & ALL), give(d.fw_left_i, (unsigned)hd_rand() & ALL);
        hd_bits_put(d.scan_i, 0, HD_L1_DN_WORDS_W_scan_i, hd_rand_below(SETS * WAYS) << 2);
        *d.what_i = LOAD, *d.la_line_i = number((unsigned)hd_rand_below(LINES));
        hd_bits_put(d.who_i, 0, WHO_W, who);
        switch (what) {
        case ACCESS: {
            static const uint8_t kinds[] = {LOAD, STORE, STORE, ATOMIC, SYNC | LOAD, SYNC | STORE, SYNC | ATOMIC};
            la = kinds[hd_rand_below(7)], sel = SEL(FR);
            if (late)
                la = STORE, line %= P_SbWords / WORDS;
            t.words = some(ALL), *d.la_line_i = number(line);
            give(d.la_words_i, t.words);
            break;
        }
        case RELEASES: /* a fence is taken */
            if (markers() == P_Markers)
                what = NOTHING;
            sel = SEL(FR), la = FENCE | RELEASE | (hd_rand_below(2) ? ACQUIRE : 0);
            give(d.la_words_i, 0);
            break;
        case LEAVES:
            sel = SEL(MK);
            if (len == 0 || !list[0].marker)
                what = NOTHING;
            break;
        case DATA: /* of a line whose READ is out; those that an acquire has overtaken may find the row gone */
            if (reads[line] == NO_READ)
                what = NOTHING;
            t.words = some(ALL), t.old = reads[line] == READ_OLD, sel = SEL(RS), t.ev = HD_DEV_FILL;
            head(d.rs_head_i, HD_MSG_DATA_S, (unsigned)hd_rand_below(LINES), t.words);
            hd_bits_put(d.rd_i, RD_LSB_LAST + 4, LINE_W, number(line));
            break;
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
            const int at = find(line);
            const struct words m = at >= 0 ? rows[line % SETS][at].m : (struct words){0};
            const struct entry *e = at >= 0 ? entry_of(line % SETS * WAYS + (unsigned)at) : NULL;

            sel = SEL(FW), t.ev = kind == HD_MSG_FWD_READ ? HD_DEV_FWD_READ : HD_DEV_FWD_REG, join_kind = kind != HD_MSG_FWD_READ;
            t.words = some(kind == HD_MSG_FWD_READ ? m.r | m.w : (m.r & ~m.w) | (m.w & ~m.r & ~(e ? e->next : 0)));
            head(d.fw_head_i, kind, line, (unsigned)hd_rand() & ALL);
            hd_bits_put(d.fw_head_i, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_NODE_W, next_who);
            hd_bits_put(d.fw_head_i, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, next_who >> HD_NODE_W);
            hd_bits_put(d.fw_head_i, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, next_who >> (HD_NODE_W + 2));
            give(d.fw_left_i, t.words);
            break;
        }
        case FLUSH: /* the row in front of the list */
            sel = SEL(FL), t.ev = HD_DEV_FLUSH, known = true;
            if (len == 0 || list[0].marker || !entry_free())
                what = NOTHING;
            else
                set = list[0].row / WAYS, way = list[0].row % WAYS;
            break;
        case PASSES:
            sel = SEL(PS), t.ev = HD_DEV_PASS, known = true;
            if (!passing)
                what = NOTHING;
            else
                set = passing->row / WAYS, way = passing->row % WAYS, t.words = pass_words;
            break;
        case WALK:
            sel = SEL(WRAP), t.ev = HD_DEV_EVICT, known = true;
            pick(any, &set, &way);
            if (rows[set][way].pin) /* a flush has no READ out */
                what = NOTHING;
            hd_bits_put(d.scan_i, 2, HD_L1_DN_WORDS_W_scan_i - 2, set * WAYS + way);
            break;
        case BEGIN:
            sel = SEL(WRAP), t.ev = HD_DEV_BEGIN, known = true, begins_ro = !stepped && hd_rand_below(2);
            if (stepped)
                set = begin / WAYS, way = begin % WAYS, begin++;
            else
                pick(any, &set, &way);
            hd_bits_put(d.scan_i, 0, HD_L1_DN_WORDS_W_scan_i, (set * WAYS + way) << 2 | 2 | begins_ro);
            break;
        default: break;
        }
        if (what == NOTHING) { /* or a message that leaves all words as they are */
            static const unsigned sels[] = {0, SEL(RS), SEL(FW)};

            sel = sels[hd_rand_below(3)], known = false, join_kind = false;
            head(d.rs_head_i, HD_MSG_NACK, (unsigned)hd_rand_below(LINES), (unsigned)hd_rand() & ALL);
            give(d.fw_left_i, 0);
            if (sel == SEL(FW) && pick(wants, &set, &way)) { /* which nobody waits for, though words of its line are wanted */
                line = rows[set][way].tag * SETS + set;
                give(d.fw_left_i, rows[set][way].m.w & ~rows[set][way].m.r);
            }
            head(d.fw_head_i, HD_MSG_WB_ACK, line, (unsigned)hd_rand() & ALL);
        }
        hd_bits_put(d.rd_i, 0, WORDS, t.need), hd_bits_put(d.rd_i, WORDS, WORDS, t.skip);
        hd_bits_put(d.rd_i, RD_LSB_LAST, 4, (unsigned)(t.old << 3 | t.keep << 2 | more << 1 | last));
        hd_bits_put(d.rd_i, RD_LSB_LAST + 4 + LINE_W, 1, merge);
        give(d.guard_i, t.guard);
        *d.work_i = (uint16_t)sel, *d.act_i = 0, *d.what_i = (uint8_t)la, *d.gen_i = (uint8_t)(gen << 1);
        *d.back_i = (uint8_t)(hd_rand_below(2) << 1 | room);
        hd_bits_put(d.word_i, 0, HD_L1_DN_WORDS_W_word_i, hd_rand());
        hd_eval(d.m);

        /* What waits, whatever is decided. */
        unsigned leave = 0;
        if (len > 0) {
            leave |= LEAVE(VALID) | (list[0].marker ? LEAVE(MARKER) : 0);
            if (list[0].marker) {
                assert_int_equal(hd_bits_get(d.mk_who_o, 0, WHO_W), list[0].who);
                leave |= list[0].acquires ? LEAVE(ACQUIRES) : 0;
            } else
                leave |= *d.leave_o & LEAVE(ACQUIRES); /* says nothing */
        } else
            leave |= *d.leave_o & LEAVE(ACQUIRES);
        leave |= markers() ? LEAVE(MARKED) : 0;
        leave |= dirty + WORDS > P_SbWords || len - markers() == MOST ? LEAVE(FULL) : 0;
        leave |= (out == 0 ? LEAVE(OUT_NONE) : 0) | (entry_free() ? LEAVE(REG_FREE) : 0) | (passing ? LEAVE(PASS) : 0);
        if (*d.leave_o != leave)
            fail_msg("cycle %u: 0x%x waits, not 0x%x", n, *d.leave_o, leave);
        if (passing) {
            assert_int_equal(hd_bits_get(d.pass_o, NEXT_W, WORDS), pass_words);
            assert_int_equal(hd_bits_get(d.pass_o, 0, NEXT_W), pass_who);
        }
        assert_int_equal(*d.st_valid_o, pulse);
        if (pulse) {
            assert_int_equal(hd_bits_get(d.st_o, 0, LINE_W), number(st_line));
            assert_int_equal(hd_bits_get(d.st_o, LINE_W, WORDS), st.v);
            assert_int_equal(hd_bits_get(d.st_o, LINE_W + WORDS, WORDS), st.d);
            assert_int_equal(hd_bits_get(d.st_o, LINE_W + 2 * WORDS, WORDS), st.r);
            assert_int_equal(hd_bits_get(d.st_o, LINE_W + 3 * WORDS, WORDS), st.ro);
        }
        pulse = false;
        seen[what]++, all_out += out == P_SbWords;
        if (what == NOTHING || what == RELEASES || what == LEAVES) {
            assert_int_equal(*d.put_o || *d.waits_o || hd_bits_get(d.served_o, 0, WORDS), 0);
            *d.act_i = what == RELEASES ? DO(ACCEPT) | DO(MARKER) : 0;
            hd_edge(d.m);
            if (what == RELEASES)
                list[len].marker = true, list[len].acquires = (la & ACQUIRE) != 0, list[len++].who = who;
            else if (what == LEAVES)
                memmove(list, list + 1, --len * sizeof *list);
            continue;
        }

        /* What is found. */
        if (!known)
            set = line % SETS;
        here = known ? (rows[set][way].holds ? (int)way : -1) : find(line);
        vict = victim(set);
        if (!known)
            assert_int_equal(*d.line_o, number(line));
        if (here >= 0)
            t.now = counts(&rows[set][here]), line = rows[set][here].tag * SETS + set;
        const bool leaves = what == ACCESS && here < 0 && vict >= 0 && counts(&rows[set][vict]).r != 0;
        const int at = here >= 0 ? here : vict;
        const unsigned row = set * WAYS + (unsigned)(known ? (int)way : at);
        struct entry *e = at >= 0 || known ? entry_of(row) : NULL;
        if (e)
            t.local = e->local, t.next = e->next;
        if (leaves)
            t.now = counts(&rows[set][vict]), t.ev = HD_DEV_EVICT;
        else if (what == ACCESS)
            t.ev = la & SYNC ? HD_DEV_SYNC : la & ATOMIC ? HD_DEV_LOCAL : la & LOAD ? HD_DEV_LOAD : HD_DEV_STORE;
        table();
        row_ok = t.now.w == 0 && t.now.d == 0 && (t.now.r == 0 || room);
        const unsigned found = *d.found_o, fit = what == ACCESS ? hd_bits_count(t.words & ~(t.now.d | t.now.r)) : 0;
        const bool list_room = dirty + fit <= P_SbWords && (listed(row) || len - markers() < MOST), reg_room = e || entry_free();
        assert_int_equal((found & FOUND(HERE)) != 0, here >= 0);
        assert_int_equal((found & FOUND(ROW_OK)) != 0, row_ok);
        assert_int_equal((found & FOUND(DIRTY)) != 0, (t.ask & t.now.d) != 0);
        assert_int_equal(found >> HD_DN_FOUND_WHY_LSB & 15, t.why);
        if (what == ACCESS && here < 0) {
            assert_int_equal((found & FOUND(WAY)) != 0, vict >= 0);
            if (vict >= 0)
                assert_int_equal((found & FOUND(VICT_R)) != 0, leaves);
        }
        if (what == ACCESS && at >= 0) {
            assert_int_equal((found & FOUND(LIST_ROOM)) != 0, list_room);
            assert_int_equal((found & FOUND(REG_ROOM)) != 0, reg_room);
        }
        assert_int_equal(hd_bits_get(d.says_o, 0, WORDS), t.hit);
        assert_int_equal(hd_bits_get(d.says_o, WORDS, WORDS), t.ask);
        assert_int_equal(hd_bits_get(d.says_o, 2 * WORDS, WORDS), t.join);
        assert_int_equal(hd_bits_get(d.says_o, 3 * WORDS, WORDS), here >= 0 ? t.write : 0);
        assert_int_equal(hd_bits_get(d.held_o, 0, WORDS), t.now.d);
        assert_int_equal(hd_bits_get(d.held_o, WORDS, WORDS), t.now.r);
        assert_int_equal(hd_bits_get(d.served_o, 0, WORDS), what == ACK ? t.local & t.words : 0);
        assert_int_equal(*d.waits_o, join_kind && t.join != 0);

        /* What is decided. */
        const bool data_here = what == DATA && here >= 0 && !merge;
        bool pin_we = data_here && last && !t.old, pin = more;
        const unsigned word = t.join | t.ask ? (unsigned)__builtin_ctz(t.join ? t.join : t.ask) : 0;
        if (what == ACCESS && at >= 0) {
            act = DO(REJECT);
            if (leaves) {
                act = room ? DO(EVICT) : act;
            } else if (t.why != HD_WHY_NONE) {
            } else if (t.hit != 0) {
                full += !list_room;
                act = la & (LOAD | SYNC) || list_room ? DO(HIT) | DO(PART) : act;
            } else if (la & SYNC) {
                no_entry += !t.join && !reg_room;
                act = t.join ? DO(WAIT_REG) | DO(PART) : t.ask && reg_room && !(t.ask & t.now.d && len > 0 && list[0].marker)
                      ? DO(ASK) | DO(WAIT_REG) | DO(PART) : act;
            } else if (t.ask != 0) {
                act = reads[line] != NO_READ ? DO(MERGE) | DO(PART) : DO(READ) | DO(PART);
            }
            refused += (act & DO(REJECT)) != 0;
        }
        if (act & DO(READ))
            pin_we = pin = true, reads[line] = READ_OUT;
        if (what == DATA && last && !merge)
            reads[line] = pin_we && pin ? reads[line] : NO_READ; /* those that wait too join the next */
        const bool moves = hd_rand_below(30) == 0, put = act & DO(EVICT) || (what == WALK && here >= 0 && row_ok && t.now.r);
        *d.act_i = (uint16_t)act, *d.gen_i = (uint8_t)(gen << 1 | moves);
        hd_bits_put(d.word_i, 0, HD_L1_DN_WORDS_W_word_i, word);
        write = (act & (DO(ASK) | DO(EVICT) | DO(READ))) || ((act & DO(HIT)) && !(la & LOAD)) || (data_here && t.write != 0)
                || what == ACK || what == PASSES || (what == FORWARD && t.hit != 0 && t.ev == HD_DEV_FWD_REG)
                || (what == FLUSH && t.ask != 0) || ((what == BEGIN || (what == WALK && row_ok)) && here >= 0);
        write = write && (what == ACCESS || here >= 0);
        hd_eval(d.m);
        assert_int_equal(*d.put_o, put);
        puts += put;
        if (at >= 0 && (what == ACCESS || here >= 0))
            assert_int_equal(*d.row_o, row);
        if (act & DO(EVICT))
            line = rows[set][vict].tag * SETS + set;
        if (what == ACCESS || here >= 0)
            assert_int_equal(*d.to_line_o, number(line));

        /* The edge: the list, who waits, the row. */
        hd_edge(d.m);
        if (what == FLUSH)
            memmove(list, list + 1, --len * sizeof *list);
        if (act & DO(HIT) && la & (STORE | ATOMIC)) {
            const unsigned made = t.then.d & ~t.now.d;
            dirty += hd_bits_count(made);
            if (made && !listed(row))
                list[len].marker = false, list[len++].row = row;
        }
        if (act & DO(ASK) || (what == FLUSH && t.ask)) {
            out += hd_bits_count(t.ask & t.now.d);
            if (!e)
                e = entry_free(), memset(e, 0, sizeof *e), e->used = true, e->row = row;
        }
        if (act & DO(WAIT_REG))
            e->local |= 1u << word;
        if (join_kind && t.join) {
            const bool recall = hd_bits_get(d.fw_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W) == HD_MSG_RECALL;
            e->next |= t.join, waited++;
            for (unsigned w = 0; w < WORDS; w++)
                if (t.join >> w & 1)
                    e->who[w] = (next_who & ~(1u << (HD_NODE_W + 1))) | (unsigned)recall << (HD_NODE_W + 1);
        }
        if (what == ACK) {
            dirty -= hd_bits_count(t.now.d & t.words), out -= hd_bits_count(t.now.d & t.words);
            served += (e->local & t.words) != 0;
            e->pass |= e->next & t.words, e->local &= ~t.words, e->next &= ~t.words;
        }
        if (what == PASSES)
            e->pass &= ~t.words;
        if ((what == ACK || what == PASSES) && t.then.w == 0)
            e->used = false;
        for (unsigned i = 0; moves && i < SETS * WAYS; i++)
            rows[i / WAYS][i % WAYS].pin = false;
        if (pin_we)
            rows[set][at].pin = pin;
        if (write) {
            struct row *r = &rows[set][at];
            if (what == BEGIN && !begins_ro)
                t.then.ro = t.now.ro;
            evicted += (act & DO(EVICT)) != 0, walked += what == WALK, old += what == DATA && t.old;
            r->holds = !(act & DO(EVICT)) && what != WALK, r->tag = line / SETS, r->gen = gen, r->m = t.then;
            pulse = what != BEGIN, st = t.then, st_line = line;
        }
        if (act & DO(PART)) {
            for (int w = 0; w < WAYS; w++)
                rows[set][w].age += rows[set][w].age < rows[set][at].age;
            rows[set][at].age = 0;
        }
        if (moves) {
            for (unsigned i = 0; i < LINES; i++)
                reads[i] = reads[i] != NO_READ ? READ_OLD : NO_READ;
            gen = (gen + 1) % (1u << P_GenW), dropped++;
            if (gen == 0)
                begin = 0;
        }
    }
    for (unsigned i = 0; i < WHATS; i++)
        if (seen[i] < 100)
            fail_msg("%u: seen %u times", i, seen[i]);
    assert_true(evicted > 50 && refused > 100 && old > 20 && walked > 50 && dropped > 500 && puts > 50);
    assert_true(waited > 50 && served > 50 && full > 20 && no_entry > 20 && all_out > 20);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_found_registered_and_passed)};

    return HD_UNIT_MAIN(argc, argv, tests);
}
