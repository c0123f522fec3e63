/* library.c - libheddle as installed: what it refuses, that a warp's operations keep their order, fences, a deadlock.
 * tests/system/install.sh compiles it against an installed tree. Arguments: configuration, key=value... */
#include <heddle.h>
#include <stdio.h>
#include <string.h>

static int failed;
#define CHECK(x) ((x) ? (void)0 : (void)(failed++, fprintf(stderr, "library.c:%d: %s\n", __LINE__, #x)))

static void refusals(struct heddle *h)
{
    struct heddle_op good = {.kind = HEDDLE_LOAD, .mask = 1}, op;
    struct heddle_done d;
#define REFUSED(change) (op = good, change, CHECK(!heddle_submit(h, &op)))
    REFUSED(op.sm = heddle_sms(h));
    REFUSED(op.warp = heddle_warps(h));
    REFUSED(op.mask = 0);
    REFUSED(op.mask = UINT64_C(1) << heddle_lanes(h));
    REFUSED(op.address[0] = 2);
    REFUSED(op.kind = HEDDLE_BARRIER + 1);
    REFUSED(op.wait = 70000);
    REFUSED((op.local = 1, op.address[0] = 1u << 30));
    CHECK(heddle_peek(h, 0x100) == 0 && !heddle_next(h, &d));
    for (uint32_t i = 0; i < heddle_depth(h); i++)
        CHECK(heddle_submit(h, &good));
    CHECK(!heddle_submit(h, &good)); /* no room */
    CHECK(heddle_drain(h) == HEDDLE_OK);
    CHECK(!heddle_submit(h, &good)); /* not fetched */
    for (uint32_t i = 0; i < heddle_depth(h); i++)
        CHECK(heddle_next(h, &d) && d.done > d.issued && d.issued >= d.submitted);
    CHECK(!heddle_next(h, &d) && heddle_submit(h, &good) && heddle_drain(h) == HEDDLE_OK && heddle_next(h, &d));
}

/* Windows are run one by one; a store, a fence and a load of the same word, by one warp. */
static void order(struct heddle *h)
{
    struct heddle_op op = {.kind = HEDDLE_STORE, .mask = 3, .tag = 1, .address = {0x300, 0x304}, .data = {7, 8}};
    struct heddle_done d = {0};
    unsigned got = 0;
    uint64_t begin = heddle_cycle(h);
    CHECK(heddle_submit(h, &op));
    op.kind = HEDDLE_FENCE, op.tag = 2, op.order = HEDDLE_ACQ_REL, op.scope = HEDDLE_DEVICE;
    CHECK(heddle_submit(h, &op));
    op.kind = HEDDLE_LOAD, op.tag = 3, op.order = HEDDLE_RELAXED;
    CHECK(heddle_submit(h, &op));
    while (got < 3 && heddle_cycle(h) < begin + 10000) {
        uint64_t before = heddle_cycle(h);
        CHECK(heddle_run(h, 1) == HEDDLE_OK && heddle_cycle(h) == before + heddle_window(h));
        for (; heddle_next(h, &d); got++)
            CHECK(d.tag == got + 1);
    }
    CHECK(got == 3 && d.data[0] == 7 && d.data[1] == 8);
    CHECK(heddle_flush(h) == HEDDLE_OK && !heddle_verdict(h) && heddle_peek(h, 0x304) == 8);
    CHECK(heddle_counter(h, "sm.ops") > 0 && heddle_counter(h, "no such") == 0);
}

int main(int argc, char **argv)
{
    const char *const *set = (const char *const *)argv + 2;
    struct heddle *h = heddle_open(argv[1], set, (size_t)argc - 2);
    if (!h)
        return 2;
    CHECK(strcmp(heddle_version(), HEDDLE_VERSION) == 0);
    refusals(h);
    order(h);
    struct heddle_op barrier = {.kind = HEDDLE_BARRIER, .order = HEDDLE_ACQ_REL, .scope = HEDDLE_WORK_GROUP};
    CHECK(heddle_submit(h, &barrier)); /* the other warps never come */
    CHECK(heddle_drain(h) == HEDDLE_DEADLOCK && heddle_verdict(h) && strstr(heddle_verdict(h), "deadlock"));
    CHECK(heddle_run(h, 1) == HEDDLE_DEADLOCK);
    heddle_close(h);
    struct heddle_tile *t = heddle_tile_open(argv[1], set, (size_t)argc - 2, "sm");
    uint32_t bits;
    CHECK(t && heddle_tile_port(t, "now_i", &bits) && bits == 32 && !heddle_tile_port(t, "no_such_i", NULL));
    CHECK(t && heddle_tile_port_name(t, 0) && !heddle_tile_port_name(t, 100000));
    heddle_tile_close(t);
    CHECK(!heddle_tile_open(argv[1], set, (size_t)argc - 2, "chip"));
    CHECK(!heddle_open("no_such_configuration", NULL, 0));
    return failed != 0;
}
