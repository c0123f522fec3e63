/* hd_unit.c - see hd_unit.h. */
#include "hd_unit.h"

uint64_t hd_seed = 1;
static uint64_t rand_state;
static const char *model_path; /* NULL: a test of C code */

struct hd_model *hd_unit_open(void)
{
    struct hd_model *m = NULL;

    if (model_path == NULL)
        fprintf(stderr, "usage: TEST MODEL.so [--seed N] [--only NAME] [--stop]\n");
    else
        m = hd_model_open(model_path, "dut");
    hd_unit_require(m != NULL);
    return m;
}

void hd_unit_require(bool ok)
{
    if (!ok)
        exit(2);
}

void hd_reset(struct hd_model *m)
{
    uint8_t *rst = hd_model_port_of_width(m, "rst_i", 1);

    hd_unit_require(rst != NULL);
    hd_model_zero_inputs(m);
    *rst = 1;
    hd_edge(m);
    hd_edge(m);
    *rst = 0;
    hd_eval(m);
}

/* splitmix64: good from any seed, 0 included */
uint64_t hd_rand(void)
{
    uint64_t z = rand_state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t hd_rand_below(uint64_t n)
{
    return hd_rand() % n;
}

/* The tests' own set-up functions, in the order in which the tests run. */
static CMFixtureFunction *own_setup;

static int seeded_setup(void **state)
{
    CMFixtureFunction own = *own_setup++;

    rand_state = hd_seed;
    return own ? own(state) : 0;
}

int hd_unit_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    struct CMUnitTest *seeded = calloc(count, sizeof *seeded);
    CMFixtureFunction *setups = calloc(count, sizeof *setups);
    size_t selected = 0, ran = 0;
    const char *only = NULL;
    bool stop = false;
    int failed = 0;

    hd_unit_require(seeded != NULL && setups != NULL);
    own_setup = setups;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            hd_seed = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && strcmp(argv[i], "--only") == 0)
            only = argv[++i];
        else if (strcmp(argv[i], "--stop") == 0)
            stop = true;
        else
            model_path = argv[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (only != NULL && strcmp(only, tests[i].name) != 0)
            continue;
        seeded[selected] = tests[i];
        setups[selected] = tests[i].setup_func;
        seeded[selected++].setup_func = seeded_setup;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t step = stop ? 1 : selected; failed == 0 && ran < selected; ran += step)
        failed = _cmocka_run_group_tests(model_path ? model_path : "C code", seeded + ran, step, NULL, NULL);
    if (failed != 0)
        fprintf(stderr, "replay: --seed %llu\n", (unsigned long long)hd_seed);
    printf("hd_unit: %zu passed, %d failed\n", ran - (size_t)failed, failed);
    free(setups);
    free(seeded);
    return failed != 0;
}
