/* lds_cases.h - plain accesses of hd_lds, and of hd_lds_tm, whose plain accesses are those of hd_lds cycle by cycle, against an
 * array in C. The includer defines DUT(x), name x of the module under test, and WIDTH_BODY, that of its accesses. */
enum {
    LANES = P_Lanes,
    WORDS = P_Words,
    BANKS = P_Banks,
    WORD_W = P_WordW,
    IN_DATA = LANES * 32, /* of in_body_i */
    IN_WORD = IN_DATA + LANES * WORD_W,
    IN_MASK = WIDTH_BODY - LANES,
    ADDR_W = (IN_MASK - IN_WORD) / LANES,
    CPL_MASK = LANES * WORD_W, /* of cpl_body_o */
    CPL = CPL_MASK + LANES,
    GHOSTS = P_WordW > 32,
    WARPS = 1 << HD_WARP_W,
    SLOTS = 1 << HD_SLOT_W,
    FLIGHT = 4
};

struct access {
    unsigned warp, slot, kind, fn;
    uint64_t mask, data[LANES];
    uint32_t word[LANES], cmp[LANES];
    bool last, copy; /* a store that comes as a copy */
};

static struct DUT() d;
static uint64_t ref[WORDS];
static bool known[WORDS];

/* What is in the pipe: accesses that have made their last pass. */
static struct {
    struct access a[FLIGHT];
    uint64_t old[FLIGHT][LANES]; /* words each lane must get */
    bool old_known[FLIGHT][LANES];
    unsigned head, count;
} pipe;

static uint64_t every_lane(void)
{
    return UINT64_MAX >> (64 - LANES);
}

static uint64_t random_word(void)
{
    const uint64_t r = hd_rand();

    return GHOSTS ? r : (uint32_t)r;
}

static int setup(void **state)
{
    (void)state;
    memset(&pipe, 0, sizeof pipe);
    memset(known, 0, sizeof known);
    DUT(_open)(&d);
    hd_reset(d.m);
    HD_PUT(d.perf_i, LDS_ANSWER_READY, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* Cycles the access takes: of its worst bank the words, or the lanes if it is atomic. */
static unsigned passes(const struct access *a)
{
    unsigned count[BANKS] = {0}, most = 0;

    for (unsigned l = 0; l < LANES; l++) {
        bool counts = a->mask >> l & 1;

        for (unsigned k = 0; k < l && counts && a->kind != HD_OP_ATOMIC; k++)
            counts = !(a->mask >> k & 1) || a->word[k] != a->word[l];
        count[a->word[l] % BANKS] += counts;
        most = count[a->word[l] % BANKS] > most ? count[a->word[l] % BANKS] : most;
    }
    return most;
}

static void drive(const struct access *a)
{
    *d.in_valid_i = 1;
    hd_bits_put(d.in_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
        .warp = a->warp, .slot = a->slot, .tag = a->slot >> HD_SLOT_W, .kind = a->copy ? HD_OP_COPY : a->kind, .fn = a->fn}));
    hd_bits_put(d.in_body_i, IN_MASK, LANES, a->mask);
    for (unsigned l = 0; l < LANES; l++) {
        hd_bits_put(d.in_body_i, IN_WORD + l * ADDR_W, ADDR_W, a->word[l]);
        hd_bits_put(d.in_body_i, IN_DATA + l * WORD_W, WORD_W, a->data[l]);
        hd_bits_put(d.in_body_i, l * 32, 32, a->cmp[l]);
    }
}

/* The access takes effect on the reference and is on its way out. */
static void perform(const struct access *a)
{
    const unsigned n = (pipe.head + pipe.count++) % FLIGHT;

    assert_true(pipe.count <= FLIGHT);
    pipe.a[n] = *a;
    for (unsigned l = 0; l < LANES; l++) { /* all lanes of a store replace what was there before it */
        pipe.old[n][l] = ref[a->word[l]];
        pipe.old_known[n][l] = known[a->word[l]];
    }
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t *word = &ref[a->word[l]];

        if (!(a->mask >> l & 1) || a->kind == HD_OP_LOAD)
            continue;
        if (a->kind == HD_OP_ATOMIC) {
            pipe.old[n][l] = *word;
            pipe.old_known[n][l] = known[a->word[l]];
            *word = a->data[l] >> 32 << 32 | hd_amo_reference(a->fn, (uint32_t)*word, (uint32_t)a->data[l], a->cmp[l]);
            known[a->word[l]] = known[a->word[l]] || a->fn == HD_AT_EXCH;
        } else {
            *word = a->data[l];
            known[a->word[l]] = true;
        }
    }
}

/* Words whose contents nobody has written are not judged; what a test stores first makes them known. */
static void see_completion(bool expected)
{
    const struct access *a = &pipe.a[pipe.head];

    assert_int_equal(*d.cpl_valid_o, expected);
    if (!expected)
        return;
    assert_true(pipe.count > 0);
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL, HD_COMPLETION_W),
                     a->warp | (a->slot % (1u << HD_SLOT_W)) << HD_COMPLETION_SLOT_LSB |
                         (uint64_t)a->last << HD_COMPLETION_LAST_LSB |
                         (uint64_t)a->copy << (HD_COMPLETION_STATUS_LSB + HD_STATUS_COPY));
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL_MASK, LANES), a->mask);
    for (unsigned l = 0; l < LANES; l++)
        if ((a->mask >> l & 1) && (GHOSTS || a->kind != HD_OP_STORE) && pipe.old_known[pipe.head][l])
            assert_int_equal(hd_bits_get(d.cpl_body_o, l * WORD_W, WORD_W), pipe.old[pipe.head][l]);
    pipe.head = (pipe.head + 1) % FLIGHT;
    pipe.count--;
}

/* perf of the access that leaves next, taken in this cycle. */
static void see_perf(void)
{
    struct access *a = &pipe.a[pipe.head];

    assert_true(pipe.count > 0);
    assert_int_equal(HD_GET(d.perf_o, LDS_PERF_WARP), a->warp);
    assert_int_equal(HD_GET(d.perf_o, LDS_PERF_SLOT), a->slot);
    assert_int_equal(HD_GET(d.perf_o, LDS_PERF_LANES), hd_bits_count(a->mask));
    a->last = hd_rand_below(2);
    HD_PUT(d.perf_i, LDS_ANSWER_LAST, a->last);
}

/* The pulses of this cycle; plain accesses have none of transactions. */
static void see_events(bool access, bool conflict)
{
    assert_int_equal(HD_GET(d.ev_o, LDS_EV_ACCESS), access);
    assert_int_equal(HD_GET(d.ev_o, LDS_EV_CONFLICT), conflict);
    assert_int_equal(HD_GET(d.ev_o, LDS_EV_TM), 0);
}

/* One access alone: checks every cycle of it. @return its passes. */
static unsigned run(const struct access *a)
{
    const unsigned n = passes(a);

    assert_int_equal(*d.idle_o, 1);
    drive(a);
    for (unsigned i = 0; i < n; i++) {
        hd_eval(d.m);
        assert_int_equal(*d.in_ready_o, i == n - 1);
        assert_int_equal(*d.perf_valid_o, 0);
        see_events(false, i > 0);
        hd_edge(d.m);
    }
    *d.in_valid_i = 0;
    perform(a);
    hd_eval(d.m);
    assert_int_equal(*d.perf_valid_o, 1);
    see_events(true, false);
    see_perf();
    hd_edge(d.m);
    see_completion(true);
    see_events(false, false);
    assert_int_equal(*d.idle_o, 0);
    hd_edge(d.m);
    assert_int_equal(*d.idle_o, 1);
    return n;
}

/* An access of the first @lanes lanes, lane l at word first + l * step, as far as there are words. */
static struct access make(unsigned kind, unsigned fn, unsigned lanes, unsigned first, unsigned step)
{
    struct access a = {.warp = 1, .slot = 2, .kind = kind, .fn = fn};

    for (unsigned l = 0; l < LANES; l++) {
        a.word[l] = (first + l * step) % WORDS;
        a.data[l] = random_word();
        a.cmp[l] = (uint32_t)hd_rand();
        a.mask |= (l < lanes ? UINT64_C(1) : 0) << l;
    }
    return a;
}

static void write_all(void)
{
    for (unsigned w = 0; w < WORDS; w += LANES) {
        const unsigned left = WORDS - w;
        const struct access a = make(HD_OP_STORE, 0, left < LANES ? left : LANES, w, 1);

        run(&a);
    }
}

static void every_word_has_a_place_of_its_own(void **state)
{
    (void)state;
    write_all();
    for (unsigned w = 0; w < WORDS; w += LANES) {
        const unsigned left = WORDS - w;
        const struct access a = make(HD_OP_LOAD, 0, left < LANES ? left : LANES, w, 1);

        run(&a);
    }
}

static void an_access_takes_as_many_cycles_as_its_worst_bank_has_words(void **state)
{
    (void)state;
    write_all();
    for (unsigned kind = HD_OP_LOAD; kind <= HD_OP_ATOMIC; kind++) {
        for (unsigned step = 0; step <= 2 * BANKS; step++) {
            struct access a = make(kind, HD_AT_ADD, LANES, 0, step);
            const unsigned n = run(&a);

            if (step == 0)
                assert_int_equal(n, kind == HD_OP_ATOMIC ? LANES : 1); /* one word for all lanes */
            if (step % 2 == 1 && WORDS >= LANES * step)
                assert_int_equal(n, (LANES + BANKS - 1) / BANKS); /* an odd step visits all banks */
            if (step == BANKS && WORDS >= LANES * step)
                assert_int_equal(n, LANES); /* all in one bank */
        }
    }
}

static void lanes_on_one_word(void **state)
{
    struct access a;
    uint32_t sum;

    (void)state;
    write_all();
    a = make(HD_OP_STORE, 0, LANES, 3, 0); /* the highest wins */
    run(&a);
    assert_true(ref[3] == a.data[LANES - 1]);
    a = make(HD_OP_LOAD, 0, LANES, 3, 0);
    run(&a);
    sum = (uint32_t)ref[3];
    a = make(HD_OP_ATOMIC, HD_AT_ADD, LANES, 3, 0); /* in ascending order, each sees the one before */
    run(&a);
    for (unsigned l = 0; l < LANES; l++)
        sum += (uint32_t)a.data[l];
    assert_true((uint32_t)ref[3] == sum);
    a = make(HD_OP_LOAD, 0, 1, 3, 0);
    run(&a);
}

static void a_store_and_a_load_behind_it_follow_each_other_at_once(void **state)
{
    const struct access a[] = {make(HD_OP_STORE, 0, 2, 0, 1), make(HD_OP_LOAD, 0, 2, 0, 1),
                               make(HD_OP_ATOMIC, HD_AT_XOR, 2, 0, 1), make(HD_OP_ATOMIC, HD_AT_UMAX, 2, 0, 1),
                               make(HD_OP_STORE, 0, 1, 1, 1), make(HD_OP_LOAD, 0, 2, 0, 1)};
    enum { N = sizeof a / sizeof *a };

    (void)state;
    write_all();
    for (unsigned i = 0; i < N + 2; i++) {
        *d.in_valid_i = 0;
        if (i < N)
            drive(&a[i]);
        hd_eval(d.m);
        assert_int_equal(*d.in_ready_o, i < N);
        assert_int_equal(*d.perf_valid_o, i > 0 && i <= N);
        if (*d.perf_valid_o)
            see_perf();
        hd_edge(d.m);
        if (i < N)
            perform(&a[i]);
        see_completion(i > 0 && i <= N);
    }
}

static void an_access_that_may_not_complete_stops_those_behind_it(void **state)
{
    const struct access a = make(HD_OP_ATOMIC, HD_AT_ADD, 1, 0, 0);

    (void)state;
    write_all();
    drive(&a);
    hd_edge(d.m);
    perform(&a);
    HD_PUT(d.perf_i, LDS_ANSWER_READY, 0);
    for (unsigned i = 0; i < 4; i++) {
        hd_eval(d.m);
        assert_int_equal(*d.perf_valid_o, 1);
        assert_int_equal(*d.in_ready_o, 0);
        assert_int_equal(*d.idle_o, 0);
        hd_edge(d.m);
        see_completion(false);
    }
    HD_PUT(d.perf_i, LDS_ANSWER_READY, 1);
    hd_eval(d.m);
    assert_int_equal(*d.in_ready_o, 1);
    see_perf();
    hd_edge(d.m);
    perform(&a);
    *d.in_valid_i = 0;
    see_completion(true);
    hd_eval(d.m);
    see_perf();
    hd_edge(d.m);
    see_completion(true);
}

static struct access random_access(unsigned spread)
{
    const unsigned base = (unsigned)hd_rand_below(WORDS), shape = (unsigned)hd_rand_below(4);
    const unsigned step = (unsigned)hd_rand_below(BANKS + 2), first = (unsigned)hd_rand_below(3);
    struct access a = {.warp = (unsigned)hd_rand_below(WARPS), .slot = (unsigned)hd_rand_below(SLOTS)};
    const unsigned dice = (unsigned)hd_rand_below(8);

    a.kind = dice < 3 ? HD_OP_LOAD : dice < 5 ? HD_OP_STORE : HD_OP_ATOMIC;
    a.copy = a.kind == HD_OP_STORE && hd_rand_below(2);
    a.fn = (unsigned)hd_rand_below(HD_AT_UMAX + 1);
    a.mask = (hd_rand_below(2) ? hd_rand() : UINT64_MAX) & every_lane();
    a.mask = a.mask != 0 ? a.mask : UINT64_C(1) << hd_rand_below(LANES);
    for (unsigned l = 0; l < LANES; l++) {
        a.word[l] = shape == 0   ? (base + l * step) % WORDS
                    : shape == 1 ? (unsigned)hd_rand_below(spread)
                    : shape == 2 ? (base + (unsigned)hd_rand_below(3) * BANKS) % WORDS
                                 : first;
        a.data[l] = random_word();
        a.cmp[l] = (uint32_t)(hd_rand_below(4) ? ref[a.word[l]] : hd_rand());
    }
    return a;
}

/* Also: while idle nothing changes. */
static void random_accesses_match_an_array_in_c_cycle_by_cycle(void **state)
{
    const unsigned cycles = hd_has_asserts(d.m) || LANES < 32 ? 30000 : 8000; /* the large netlist is slow */
    uint64_t fn[16] = {0}, kinds[3] = {0}, stalls = 0, back_to_back = 0, conflicts = 0, worst = 0, idle = 0;
    uint64_t cas_hit = 0, one_word = 0;
    struct access a = {0};
    unsigned left = 0;                 /* passes of the access on the port */
    bool leaves = false, done = false; /* the access in front of the pipe has made its last pass; it has completed */
    bool ev_access = false, ev_conflict = false;

    (void)state;
    write_all();
    for (unsigned t = 0; t < cycles; t++) {
        const unsigned phase = t / 500 % 4;

        if (left == 0 && hd_rand_below(4) < (phase == 0 ? 4u : 2u)) {
            a = random_access(phase == 1 ? WORDS : WORDS < 6 ? WORDS : 6);
            left = passes(&a);
            back_to_back += leaves;
            worst = left > worst ? left : worst;
            kinds[a.kind]++;
            fn[a.fn] += a.kind == HD_OP_ATOMIC;
            drive(&a);
        }
        *d.in_valid_i = left != 0;
        HD_PUT(d.perf_i, LDS_ANSWER_READY, hd_rand_below(4) < (phase == 3 ? 1u : 3u));
        hd_eval(d.m);
        const bool stall = leaves && !HD_GET(d.perf_i, LDS_ANSWER_READY), pass = left != 0 && !stall, last = pass && left == 1;

        assert_int_equal(*d.perf_valid_o, leaves);
        assert_int_equal(*d.in_ready_o, last);
        see_events(ev_access, ev_conflict);
        assert_int_equal(*d.idle_o, left == 0 && !leaves && !done && !ev_access && !ev_conflict);
        if (leaves)
            see_perf();
        stalls += stall;
        conflicts += pass && !last;
        if (*d.idle_o && idle++ % 16 == 0) {
            size_t size, size2;
            void *before = hd_model_save(d.m, &size), *after;

            hd_edge(d.m);
            after = hd_model_save(d.m, &size2);
            assert_true(size == size2 && memcmp(before, after, size) == 0);
            free(before);
            free(after);
        } else {
            hd_edge(d.m);
        }
        done = leaves && !stall;
        if (last) {
            for (unsigned l = 1; l < LANES && a.kind != HD_OP_ATOMIC; l++)
                one_word += (a.mask >> l & 1) && (a.mask & 1) && a.word[l] == a.word[0];
            for (unsigned l = 0; l < LANES && a.kind == HD_OP_ATOMIC && a.fn == HD_AT_CAS; l++)
                cas_hit += (a.mask >> l & 1) && a.cmp[l] == (uint32_t)ref[a.word[l]];
        }
        see_completion(done);
        if (last)
            perform(&a);
        left -= pass;
        leaves = stall || last;
        ev_access = last;
        ev_conflict = pass && !last;
    }
    for (unsigned i = 0; i <= HD_AT_UMAX; i++)
        assert_true(fn[i] > 10);
    assert_true(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100 && stalls > 200 && back_to_back > 100);
    assert_true(conflicts > 200 && worst == LANES && idle > 100 && cas_hit > 20 && one_word > 100);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    for (unsigned misuse = 0; misuse < 4; misuse++) {
        struct access a = make(HD_OP_LOAD, 0, 1, 0, 0);

        if (misuse == 0 && (WORDS & (WORDS - 1)) == 0)
            continue;
        hd_reset(d.m);
        switch (misuse) {
        case 0: a.word[0] = WORDS; break;
        case 1: a.mask = 0; break;
        case 2: a.kind = HD_OP_FENCE; break;
        default: /* goes away before its last pass */
            a = make(HD_OP_ATOMIC, HD_AT_ADD, LANES, 0, 0);
            drive(&a);
            hd_edge(d.m);
            *d.in_valid_i = 0;
        }
        if (misuse < 3)
            drive(&a);
        hd_eval(d.m);
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fail_msg("misuse %u was not noticed", misuse);
        hd_assert_clear(d.m);
    }
}

#define LDS_CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define LDS_CASES \
    LDS_CASE(every_word_has_a_place_of_its_own), \
    LDS_CASE(an_access_takes_as_many_cycles_as_its_worst_bank_has_words), \
    LDS_CASE(lanes_on_one_word), \
    LDS_CASE(a_store_and_a_load_behind_it_follow_each_other_at_once), \
    LDS_CASE(an_access_that_may_not_complete_stops_those_behind_it), \
    LDS_CASE(random_accesses_match_an_array_in_c_cycle_by_cycle), \
    LDS_CASE(every_misuse_trips_an_assertion)
