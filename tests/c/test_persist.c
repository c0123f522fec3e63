/* The persist checker passes what the reference machine of paper 4 does, in both models, finds the bugs built into that machine,
 * and tells the definition from the epoch model. The machine is walked at random: each step's events are what it changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>

#include "check/persist.h"

static int bug;
#define BUG bug
#define GO
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wpedantic"
#include "../reference/persistency/fifo.c"
#include "../reference/persistency/test.c"

enum { SUCCESSORS = 256, TESTS = 34 };
static struct st next[SUCCESSORS];
static unsigned nexts;
static uint64_t seed;
static struct test tests[TESTS];

static void go(const struct st *s)
{
    if (nexts < SUCCESSORS)
        next[nexts++] = *s;
}

static unsigned chance(unsigned n)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (unsigned)((seed >> 11) % n);
}

/* ---- events of a step ------------------------------------------------------------------------------------------------ */

static struct hd_persist *judge[3]; /* by model */
static bool stored[MAXL][16], usable;
static uint64_t now;

static uint32_t ghost(unsigned l, unsigned v) { return stored[l][v & 15] ? 1 + 16 * l + (v & 15) : 0; }
static unsigned bit(unsigned l) { return l == T->grain[l] ? 0 : 1; }
static uint32_t addr(unsigned l) { return 8u * T->grain[l]; }

#define TELL(f, ...)                                                                                                       \
    do {                                                                                                                   \
        hd_persist_##f(judge[0], __VA_ARGS__);                                                                             \
        hd_persist_##f(judge[1], __VA_ARGS__);                                                                             \
        hd_persist_##f(judge[2], __VA_ARGS__);                                                                             \
    } while (0)

static void tell_store(unsigned t, const struct op *o, int v)
{
    uint32_t g[2] = {0, 0};
    unsigned mask = 1u << bit(o->loc);
    if (T->region[o->loc] != NV)
        return;
    usable = usable && !stored[o->loc][v & 15] && v != T->init[o->loc];
    stored[o->loc][v & 15] = true;
    g[bit(o->loc)] = ghost(o->loc, (unsigned)v);
    if (o->kind == ST2) {
        usable = usable && !stored[o->loc2][o->val2 & 15] && T->grain[o->loc] == T->grain[o->loc2];
        stored[o->loc2][o->val2 & 15] = true;
        g[bit(o->loc2)] = ghost(o->loc2, (unsigned)o->val2);
        mask |= 1u << bit(o->loc2);
    }
    if (usable)
        TELL(store, now, t, addr(o->loc), mask, g);
}

static void tell_thread(const struct st *a, const struct st *b, unsigned t)
{
    const struct op *o = &T->op[t][a->pc[t]];
    unsigned cu = cu_of(t);
    if (b->np[t] < a->np[t]) {
        const struct op *s = &T->op[t][a->pipe[t][0].op];
        unsigned loc[2] = {s->loc, s->loc2};
        int v[2] = {a->pipe[t][0].v, s->val2};
        for (unsigned i = 0; i < (s->kind == ST2 ? 2 : 1); i++)
            if (T->region[loc[i]] == NV && a->d1[cu] >> loc[i] & 1)
                TELL(merged, now, ghost(loc[i], a->val1[cu][loc[i]]), ghost(loc[i], (unsigned)v[i]));
    }
    if (a->pc[t] < T->len[t] && o->kind == PB) {
        if (a->wait[t] == RUN && b->wait[t] == ARRIVED)
            TELL(arrive, now, t, (enum hd_persist_scope)o->scope);
        if (a->wait[t] == FLUSHING && b->wait[t] == RUN)
            TELL(return, now, t, (enum hd_persist_scope)o->scope);
    }
    if (b->pc[t] == a->pc[t])
        return;
    enum hd_persist_scope scope = (enum hd_persist_scope)o->scope;
    switch (o->kind) {
    case STREL:
        tell_store(t, o, o->from_reg ? a->reg[t][o->reg] : o->val);
        TELL(release, t, scope, o->loc, (uint32_t)b->val2[o->loc]);
        break;
    case ST:
    case ST2:
        tell_store(t, o, o->from_reg ? a->reg[t][o->reg] : o->val);
        break;
    case LD:
    case LDACQ:
        if (T->region[o->loc] == NV)
            TELL(load, now, t, addr(o->loc) + 4 * bit(o->loc), UINT32_MAX, ghost(o->loc, (unsigned)b->reg[t][o->reg]));
        if (o->kind == LDACQ)
            TELL(acquire, t, scope, o->loc, (uint32_t)b->reg[t][o->reg]);
        break;
    case SB:
        TELL(sync, t, scope);
        break;
    default:
        break;
    }
}

static void words_at(const uint8_t *val, unsigned unit, uint32_t g[2])
{
    g[0] = g[1] = 0;
    for (unsigned l = unit; l < T->locs; l++)
        if (T->grain[l] == unit && T->region[l] == NV)
            g[bit(l)] = ghost(l, val[l]);
}

static void tell_memory(const struct st *a, const struct st *b)
{
    uint32_t g[2];
    for (unsigned l = 0; l < T->locs; l++)
        if (T->region[l] == NV && a->val2[l] != b->val2[l])
            TELL(ordered, now, ghost(l, b->val2[l]));
    unsigned f = 0;
    while (b->nfly < a->nfly && f + 1 < a->nfly && memcmp(&a->fly[f + 1], &b->fly[f], sizeof a->fly[0]) != 0)
        f++;
    for (unsigned u = 0; u < T->locs; u++) {
        if (T->region[u] != NV || T->grain[u] != u)
            continue;
        for (unsigned k = a->nfly; k < b->nfly; k++)
            if (b->fly[k].line == T->line[u]) {
                words_at(b->fly[k].val, u, g);
                TELL(sent, now, addr(u), g);
            }
        if (b->nfly < a->nfly && a->fly[f].line == T->line[u]) {
            words_at(a->fly[f].val, u, g);
            TELL(durable, now, addr(u), g);
        }
    }
}

/* What is left when power goes: of each grain (bug 19: word) what one of the writes in flight holds, or none. */
static void cut(const struct st *s)
{
    uint8_t val[MAXL];
    uint32_t g[2];
    memcpy(val, s->img, sizeof val);
    for (unsigned u = 0; u < T->locs; u++)
        for (unsigned f = 0; f < s->nfly; f++)
            if (T->region[u] == NV && (bug == 19 || T->grain[u] == u) && s->fly[f].line == T->line[u] && chance(2))
                for (unsigned l = u; l < T->locs; l++)
                    if (l == u || (bug != 19 && T->grain[l] == u))
                        val[l] = s->fly[f].val[l];
    for (unsigned u = 0; u < T->locs; u++)
        if (T->region[u] == NV && T->grain[u] == u) {
            words_at(val, u, g);
            TELL(durable, now, addr(u), g);
        }
}

/* ---- walks ------------------------------------------------------------------------------------------------------------ */

/* @return whether the walk could be told: no value is stored twice. */
static bool walk(const struct test *t, bool one_cu)
{
    static struct st s;
    unsigned block[MAXT];
    T = t;
    shared_cu = one_cu;
    cus = one_cu ? 1 : t->wgs > 0 ? t->wgs : t->threads;
    memset(&s, 0, sizeof s);
    memset(stored, 0, sizeof stored);
    for (unsigned l = 0; l < t->locs; l++)
        s.val2[l] = s.img[l] = t->init[l];
    for (unsigned i = 0; i < MAXT; i++)
        block[i] = t->wg[i];
    for (unsigned m = 0; m < 3; m++) {
        hd_persist_free(judge[m]);
        judge[m] = hd_persist_new(m, t->threads, block);
        assert_non_null(judge[m]);
    }
    usable = true;
    for (now = 1; now < 400; now++) {
        nexts = 0;
        for (unsigned i = 0; i < t->threads; i++)
            thread_steps(&s, i);
        for (unsigned c = 0; c < cus; c++)
            cu_steps(&s, c);
        l2_steps(&s);
        if (nexts == 0)
            break;
        const struct st *n = &next[chance(nexts)];
        bool synced = false;
        for (unsigned i = 0; i < t->threads && usable; i++) {
            bool sync = n->pc[i] != s.pc[i] && T->op[i][s.pc[i]].kind == SB;
            if (!sync || !synced)      /* one of those that meet tells it */
                tell_thread(&s, n, i);
            synced = synced || sync;
        }
        if (!usable)
            return false;
        tell_memory(&s, n);
        for (unsigned i = 0; i < t->threads; i++)
            if (n->pc[i] == t->len[i] && s.pc[i] != t->len[i])
                TELL(exit, i);
        s = *n;
        if (hd_persist_error(judge[0]) != NULL)
            return true;
        if (s.nfly > 0 && chance(12) == 0) {
            cut(&s);
            return true;
        }
    }
    if (bug == 0)
        TELL(end, now);
    return true;
}

static int setup(void **state)
{
    const char *dir = "tests/litmus/persist";
    DIR *d = opendir(dir);
    unsigned n = 0;
    (void)state;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (strstr(e->d_name, ".litmus") != NULL && n < TESTS && test_read(&tests[n], path))
            n++;
    }
    closedir(d);
    return n != TESTS;
}

static void correct_machine_passes(void **state)
{
    unsigned told = 0;
    (void)state;
    bug = 0;
    seed = 12345;
    for (unsigned i = 0; i < TESTS; i++)
        for (unsigned k = 0; k < 300; k++) {
            told += walk(&tests[i], k & 1);
            for (unsigned m = 0; m < 3; m++)
                if (hd_persist_error(judge[m]) != NULL)
                    fail_msg("%s, model %u: %s", tests[i].name, m, hd_persist_error(judge[m]));
        }
    print_message("%u of %u walks told\n", told, TESTS * 300);
    assert_true(told > TESTS * 250);
}

/* Tests whose walks the epoch judge refuses when the machine has bug @n. */
static unsigned found_by(int n, char *first, size_t room)
{
    unsigned found = 0;
    bug = n;
    seed = 99;
    first[0] = 0;
    for (unsigned i = 0; i < TESTS; i++)
        for (unsigned k = 0; k < 3000 && found < 3; k++) {
            walk(&tests[i], k & 1);
            const char *e = hd_persist_error(judge[0]);
            if (e != NULL) {
                if (found++ == 0)
                    snprintf(first, room, "%.63s: %.400s", tests[i].name, e);
                break;
            }
        }
    bug = 0;
    return found;
}

static void every_bug_is_found(void **state)
{
    char first[512];
    unsigned missed = 0;
    (void)state;
    for (int n = 1; n <= 23; n++) {
        unsigned f = found_by(n, first, sizeof first);
        print_message("bug %d: %u tests; %s\n", n, f, first);
        missed += f == 0;
    }
    assert_int_equal(missed, 0);
}

/* Two warps of a block, no gathering: y of one behind its barrier, x of the other in front of its own. */
static struct hd_persist *two_warps(enum hd_persist_model m, enum hd_persist_scope s, bool x_first)
{
    const unsigned block[2] = {0, 0};
    const uint32_t x[2] = {1, 0}, y[2] = {2, 0};
    struct hd_persist *p = hd_persist_new(m, 2, block);
    hd_persist_store(p, 1, 0, 64, 1, x);
    hd_persist_arrive(p, 2, 0, s);
    hd_persist_arrive(p, 2, 1, s);
    hd_persist_return(p, 3, 0, s);
    hd_persist_return(p, 3, 1, s);
    hd_persist_store(p, 4, 1, 128, 1, y);
    hd_persist_ordered(p, 5, 1);
    hd_persist_ordered(p, 5, 2);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t at = (i == 0) == x_first ? 64 : 128;
        hd_persist_sent(p, 6 + 2 * i, at, at == 64 ? x : y);
        hd_persist_durable(p, 7 + 2 * i, at, at == 64 ? x : y);
    }
    return p;
}

/* Under the definition a barrier returns at once, and the order of the writes is what counts, in the scope that holds both. */
static void definition_orders(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * HD_PERSIST_SCOPES; i++) {
        unsigned s = i / 2, m = i % 2 ? HD_PERSIST_ALTERNATIVE : HD_PERSIST_DEFINITION;
        struct hd_persist *p = two_warps(m, s, true), *q = two_warps(m, s, false);
        assert_null(hd_persist_error(p));
        if (s == HD_PERSIST_WI)        /* it covers each warp by itself */
            assert_null(hd_persist_error(q));
        else
            assert_non_null(strstr(hd_persist_error(q), "cycle 6: may be durable: store 2 of warp 1 to 0x80"));
        hd_persist_free(p);
        hd_persist_free(q);
        p = two_warps(HD_PERSIST_EPOCH, s, true);
        assert_non_null(strstr(hd_persist_error(p), "cycle 3: warp 0 returns from"));
        hd_persist_free(p);
    }
}

/* A word stored on both sides of a barrier: the definition lets the second store be written alone, the alternative does not, since
 * a row of its caches never holds words of two epochs. A barrier that says it has waited is held to that in every model. */
static void alternative_keeps_epochs_apart(void **state)
{
    const unsigned block[1] = {0};
    (void)state;
    for (unsigned m = HD_PERSIST_DEFINITION; m <= HD_PERSIST_ALTERNATIVE; m++)
        for (unsigned apart = 0; apart < 2; apart++) {
            struct hd_persist *p = hd_persist_new(m, 1, block);
            hd_persist_store(p, 1, 0, 64, 1, (uint32_t[2]){1, 0});
            hd_persist_arrive(p, 2, 0, HD_PERSIST_WI);
            assert_true(hd_persist_return(p, 3, 0, HD_PERSIST_WI));
            hd_persist_store(p, 4, 0, 64, 1, (uint32_t[2]){2, 0});
            hd_persist_ordered(p, 5, 1);
            hd_persist_ordered(p, 6, 2);
            if (apart) {
                assert_true(hd_persist_sent(p, 6, 64, (uint32_t[2]){1, 0}));
                assert_true(hd_persist_durable(p, 7, 64, (uint32_t[2]){1, 0}));
            }
            bool good = m == HD_PERSIST_DEFINITION || apart;
            assert_int_equal(hd_persist_sent(p, 8, 64, (uint32_t[2]){2, 0}), good);
            if (!good)
                assert_non_null(strstr(hd_persist_error(p), "written with what its warp stored in front of a barrier: store 2"));
            hd_persist_arrive(p, 9, 0, HD_PERSIST_WI);
            assert_false(hd_persist_drained(p, 10, 0, HD_PERSIST_WI));
            hd_persist_free(p);
        }
}

/* A warp, or a block, that takes the number of one that is gone is not ordered behind that one's epochs. */
static void used_numbers_order_nothing(void **state)
{
    const unsigned block[1] = {0};
    (void)state;
    for (unsigned again = 0; again < 2; again++) {
        struct hd_persist *p = hd_persist_new(HD_PERSIST_ALTERNATIVE, 1, block);
        hd_persist_store(p, 1, 0, 64, 1, (uint32_t[2]){1, 0});
        hd_persist_arrive(p, 2, 0, HD_PERSIST_WG);
        assert_true(hd_persist_return(p, 3, 0, HD_PERSIST_WG));
        hd_persist_ordered(p, 3, 1);
        if (again) {
            hd_persist_exit(p, 0);
            hd_persist_launch(p, 0, 0, true);
        }
        hd_persist_store(p, 4, 0, 128, 1, (uint32_t[2]){2, 0});
        hd_persist_ordered(p, 5, 2);
        assert_int_equal(hd_persist_sent(p, 6, 128, (uint32_t[2]){2, 0}), again);
        hd_persist_free(p);
    }
}

/* What a long run remembers is what is not durable, not what it has stored. */
static void memory_is_bounded(void **state)
{
    const unsigned block[1] = {0};
    (void)state;
    for (unsigned m = 0; m < 3; m++) {
        struct hd_persist *p = hd_persist_new(m, 1, block);
        for (uint32_t i = 1; i < 200000; i++) {
            const uint32_t g[2] = {2 * i, 2 * i + 1};
            assert_true(hd_persist_store(p, i, 0, 8 * (i % 50), 3, g));
            hd_persist_ordered(p, i, 2 * i);
            hd_persist_ordered(p, i, 2 * i + 1);
            hd_persist_sent(p, i, 8 * (i % 50), g);
            assert_true(hd_persist_durable(p, i, 8 * (i % 50), g));
            if (i % 10 == 0) {
                hd_persist_arrive(p, i, 0, HD_PERSIST_WI);
                assert_true(hd_persist_return(p, i, 0, HD_PERSIST_WI));
            }
        }
        assert_true(hd_persist_end(p, 200000));
        assert_true(hd_persist_counts(p).most < 16);
        assert_int_equal(hd_persist_counts(p).returns, 19999);
        hd_persist_free(p);
    }
}

/* Lanes of one atomic write over each other before the L2 tells of the last, which the checker may hear of first; a store of two
 * words is written over word by word, so that the other word is there when the first is long gone. */
static void stores_written_over(void **state)
{
    const unsigned block[2] = {0, 1};
    struct hd_persist *p = hd_persist_new(HD_PERSIST_EPOCH, 2, block);
    (void)state;
    for (uint32_t g = 1; g <= 3; g++)
        hd_persist_store(p, 1, 0, 0, 1, (uint32_t[2]){g, 0});
    hd_persist_ordered(p, 2, 3);
    hd_persist_merged(p, 3, 1, 2);
    hd_persist_merged(p, 3, 2, 3);
    assert_true(hd_persist_durable(p, 4, 0, (uint32_t[2]){3, 0}));
    assert_true(hd_persist_end(p, 5));
    hd_persist_store(p, 6, 0, 8, 3, (uint32_t[2]){10, 11}); /* record 1 */
    hd_persist_store(p, 6, 0, 8, 1, (uint32_t[2]){12, 0});
    hd_persist_store(p, 6, 1, 8, 2, (uint32_t[2]){0, 13});
    hd_persist_merged(p, 6, 10, 12);
    hd_persist_merged(p, 6, 11, 13);
    hd_persist_ordered(p, 7, 12);
    assert_true(hd_persist_durable(p, 8, 8, (uint32_t[2]){12, 11}));
    assert_true(hd_persist_settled(p, 0));
    hd_persist_store(p, 9, 0, 8, 2, (uint32_t[2]){0, 14}); /* takes its place */
    hd_persist_ordered(p, 10, 13);
    assert_true(hd_persist_durable(p, 11, 8, (uint32_t[2]){12, 13}));
    hd_persist_ordered(p, 12, 14);
    assert_true(hd_persist_durable(p, 13, 8, (uint32_t[2]){12, 14}));
    assert_true(hd_persist_end(p, 14));
    hd_persist_free(p);
}

/* A persist barrier of the grid: nothing that anybody has stored is not durable. */
static void barriers_of_the_grid_cover_all(void **state)
{
    (void)state;
    static const unsigned block[2] = {0, 1};
    for (unsigned late = 0; late < 3; late++) {
        struct hd_persist *p = hd_persist_new(late == 2 ? HD_PERSIST_ALTERNATIVE : HD_PERSIST_EPOCH, 2, block);
        for (unsigned w = 0; w < 2; w++) {
            hd_persist_store(p, 1, w, 8 * w, 1, (uint32_t[2]){1 + w, 0});
            hd_persist_ordered(p, 2, 1 + w);
            hd_persist_exit(p, w); /* parked */
        }
        hd_persist_durable(p, 3, 0, (uint32_t[2]){1, 0});
        if (late == 0)
            hd_persist_durable(p, 4, 8, (uint32_t[2]){2, 0});
        assert_int_equal(hd_persist_all_drained(p, 5), late == 0);
        if (late > 0)
            assert_non_null(strstr(hd_persist_error(p), "not durable though in front of it: store 2"));
        hd_persist_free(p);
    }
}

/* Numbers of warps that are gone serve again: a barrier then covers nothing of the one before, unless its kernel has ended. */
static void numbers_serve_again(void **state)
{
    const unsigned block[2] = {0, 0};
    (void)state;
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        struct hd_persist *p = hd_persist_new(HD_PERSIST_EPOCH, 2, block);
        hd_persist_exit(p, 0);
        hd_persist_exit(p, 1);
        hd_persist_launch(p, 0, 1, true);
        hd_persist_store(p, 1, 0, 0, 1, (uint32_t[2]){1, 0});
        hd_persist_exit(p, 0);
        assert_false(hd_persist_settled(p, 0));
        if (kernel)
            hd_persist_kernel(p);
        hd_persist_launch(p, 1, 0, true);
        assert_true(hd_persist_arrive(p, 2, 1, HD_PERSIST_WG));
        assert_int_equal(hd_persist_return(p, 3, 1, HD_PERSIST_WG), !kernel);
        hd_persist_free(p);
    }
}

/* The error of @p, which must have @text in it; NULL: none. */
static void judged(struct hd_persist *p, const char *text)
{
    const char *error = hd_persist_error(p);
    if (text == NULL ? error != NULL : error == NULL || strstr(error, text) == NULL)
        fail_msg("\"%s\" instead of \"%s\"", error ? error : "none", text ? text : "none");
    hd_persist_free(p);
}

/* Warp 0 of two in blocks 0 and @second has stored 1, which the L2 has and memory has not. */
static struct hd_persist *one_store(enum hd_persist_model m, unsigned second)
{
    struct hd_persist *p = hd_persist_new(m, 2, (unsigned[2]){0, second});
    hd_persist_store(p, 1, 0, 64, 1, (uint32_t[2]){1, 0});
    hd_persist_ordered(p, 2, 1);
    return p;
}

static void each_rule_is_told_by_its_own_error(void **state)
{
    struct hd_persist *p;
    (void)state;

    for (unsigned late = 0; late < 2; late++) {
        p = one_store(HD_PERSIST_EPOCH, 0);
        if (!late)
            hd_persist_durable(p, 3, 64, (uint32_t[2]){1, 0});
        hd_persist_end(p, 4);
        judged(p, late ? "cycle 4: never durable: store 1 of warp 0" : NULL);
    }
    p = one_store(HD_PERSIST_EPOCH, 0);
    hd_persist_ordered(p, 3, 1);
    judged(p, "cycle 3: the L2 writes a second time store 1");

    p = hd_persist_new(HD_PERSIST_EPOCH, 2, (unsigned[2]){0, 0});
    hd_persist_arrive(p, 1, 0, HD_PERSIST_WG);
    hd_persist_return(p, 2, 0, HD_PERSIST_WG);
    judged(p, "returns from wg barrier 1, to which warp 1 has not come");

    /* a warp may not store in front of a barrier behind which a store may be durable, be it the next */
    p = hd_persist_new(HD_PERSIST_DEFINITION, 2, (unsigned[2]){0, 0});
    hd_persist_arrive(p, 1, 0, HD_PERSIST_WG);
    hd_persist_store(p, 2, 0, 64, 1, (uint32_t[2]){1, 0});
    hd_persist_ordered(p, 3, 1);
    hd_persist_sent(p, 4, 64, (uint32_t[2]){1, 0});
    hd_persist_store(p, 5, 1, 128, 1, (uint32_t[2]){2, 0});
    judged(p, "comes in front of barrier 1 of its group, and a store behind it may be durable");

    /* what was read is covered, also when the L2 has written it already */
    p = one_store(HD_PERSIST_EPOCH, 0);
    hd_persist_load(p, 3, 1, 64, 0, 1);
    hd_persist_arrive(p, 4, 1, HD_PERSIST_WI);
    hd_persist_return(p, 5, 1, HD_PERSIST_WI);
    judged(p, "not durable though in front of it (read): store 1 of warp 0");

    p = hd_persist_new(HD_PERSIST_EPOCH, 2, (unsigned[2]){0, 0});
    hd_persist_store(p, 1, 0, 64, 3, (uint32_t[2]){1, 2});
    hd_persist_ordered(p, 2, 1);
    hd_persist_durable(p, 3, 64, (uint32_t[2]){1, 7});
    judged(p, "the words durable at 0x40, of stores 1 and 7, are no prefix");

    /* an acquire orders what was released with its value, in its scope */
    const struct { enum hd_persist_scope released, acquired; unsigned block, value; bool orders; } syncs[] = {
        {HD_PERSIST_WG, HD_PERSIST_WG, 0, 1, true}, {HD_PERSIST_WG, HD_PERSIST_WG, 0, 0, false},
        {HD_PERSIST_WG, HD_PERSIST_WG, 1, 1, false}, {HD_PERSIST_KR, HD_PERSIST_KR, 1, 1, true},
        {HD_PERSIST_WG, HD_PERSIST_KR, 0, 1, false}};
    for (unsigned i = 0; i < sizeof syncs / sizeof *syncs; i++) {
        p = one_store(HD_PERSIST_EPOCH, syncs[i].block);
        hd_persist_release(p, 0, syncs[i].released, 5, 1);
        hd_persist_acquire(p, 1, syncs[i].acquired, 5, syncs[i].value);
        hd_persist_arrive(p, 3, 1, HD_PERSIST_WI);
        hd_persist_return(p, 4, 1, HD_PERSIST_WI);
        judged(p, syncs[i].orders ? "not durable though in front of it: store 1 of warp 0" : NULL);
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(alternative_keeps_epochs_apart),
        cmocka_unit_test(used_numbers_order_nothing),
        cmocka_unit_test(correct_machine_passes),
        cmocka_unit_test(every_bug_is_found),
        cmocka_unit_test(definition_orders),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(stores_written_over),
        cmocka_unit_test(barriers_of_the_grid_cover_all),
        cmocka_unit_test(numbers_serve_again),
        cmocka_unit_test(each_rule_is_told_by_its_own_error),
    };
    return cmocka_run_group_tests_name("persist", all, setup, NULL);
}
