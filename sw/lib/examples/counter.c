/* counter.c - libheddle in 60 lines: warps of all SMs add to one counter and read a line of data; what it took.
 *     cc counter.c $(pkg-config --cflags --libs heddle) && ./a.out paper1-small */
#include <heddle.h>
#include <inttypes.h>
#include <stdio.h>

enum { ROUNDS = 8, COUNTER = 0x1000, TABLE = 0x2000 };

int main(int argc, char **argv)
{
    struct heddle *h = heddle_open(argc > 1 ? argv[1] : "min", (const char *const *)argv + 2, argc > 2 ? (size_t)argc - 2 : 0);
    if (!h)
        return 2;
    uint32_t lanes = heddle_lanes(h), submitted = 0, done = 0;
    uint64_t latency = 0;
    for (uint32_t i = 0; i < lanes; i++)
        heddle_poke(h, TABLE + 4 * i, 100 + i);

    struct heddle_op add = {.kind = HEDDLE_ATOMIC, .atomic = HEDDLE_ADD, .scope = HEDDLE_DEVICE, .mask = 1};
    struct heddle_op load = {.kind = HEDDLE_LOAD, .mask = UINT64_MAX >> (64 - lanes)};
    add.address[0] = COUNTER;
    add.data[0] = 1;
    for (uint32_t i = 0; i < lanes; i++)
        load.address[i] = TABLE + 4 * i;

    /* Each warp: an atomic and a load a round. Results are taken whenever windows have been run. */
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t sm = 0; sm < heddle_sms(h); sm++)
            for (uint32_t warp = 0; warp < heddle_warps(h); warp++) {
                add.sm = load.sm = sm;
                add.warp = load.warp = warp;
                submitted += heddle_submit(h, &add);
                submitted += heddle_submit(h, &load);
            }
        if (heddle_drain(h) != HEDDLE_OK)
            break;
        for (struct heddle_done d; heddle_next(h, &d); done++) {
            latency += d.done - d.issued;
            for (uint32_t i = 0; d.kind == HEDDLE_LOAD && i < lanes; i++)
                if (d.data[i] != 100 + i)
                    return fprintf(stderr, "lane %" PRIu32 " read %" PRIu32 "\n", i, d.data[i]), 1;
        }
    }
    if (heddle_flush(h) != HEDDLE_OK || heddle_verdict(h)) {
        fprintf(stderr, "check failed: %s\n", heddle_verdict(h));
        return 1;
    }
    uint64_t value;
    const char *name;
    for (size_t i = 0; (name = heddle_counter_at(h, i, &value)) != NULL; i++)
        if (value)
            printf("%-24s %" PRIu64 "\n", name, value);
    printf("counter %" PRIu32 ", %" PRIu32 " of %" PRIu32 " operations done by cycle %" PRIu64 ", mean latency %.1f\n",
           heddle_peek(h, COUNTER), done, submitted, heddle_cycle(h), (double)latency / done);
    bool good = done == submitted && heddle_peek(h, COUNTER) == submitted / 2;
    heddle_close(h);
    return !good;
}
