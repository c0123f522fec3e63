/* hd_unit.c - see hd_unit.h. */
#include "hd_unit.h"

uint64_t hd_seed = 1;
static uint64_t rand_state;
static const char *model_path; /* NULL: a test of C code */

/* What goes through the ports, see hd_unit.h. An instance is known by its address, the latest of that address. */
static FILE *record; /* NULL: nothing is recorded */
static struct recorded {
    const struct hd_model *m;
    uint8_t *clk; /* NULL: combinational */
    uint8_t last_clk;
    unsigned long lines;
} *instances;
static size_t num_instances;
static unsigned long record_limit = 8000;

static void record_port(const struct hd_model_port *p)
{
    unsigned digits = (p->width + 3) / 4;

    if (p->width > 64) {
        const uint32_t *words = p->value;

        for (; digits % 8 != 0; digits--)
            fputc("0123456789abcdef"[words[digits / 8] >> (digits % 8 - 1) * 4 & 15], record);
        for (; digits > 0; digits -= 8)
            fprintf(record, "%08x", (unsigned)words[digits / 8 - 1]);
    } else {
        const unsigned long long value = p->width > 32 ? *(const uint64_t *)p->value
            : p->width > 16                            ? *(const uint32_t *)p->value
            : p->width > 8                             ? *(const uint16_t *)p->value
                                                       : *(const uint8_t *)p->value;

        if (p->width < 64 && value >> p->width != 0) {
            fprintf(stderr, "hd_unit: port %s of %u bits is set to 0x%llx\n", p->name, p->width, value);
            exit(2);
        }
        fprintf(record, "%0*llx", (int)digits, value);
    }
}

static void record_open(struct hd_model *m)
{
    struct hd_model_port p;

    if (record == NULL) {
        const char *file = getenv("HD_RECORD"), *limit = getenv("HD_RECORD_LINES");

        if (file == NULL)
            return;
        record = fopen(file, "w");
        if (record == NULL)
            fprintf(stderr, "hd_unit: cannot write %s\n", file);
        hd_unit_require(record != NULL);
        if (limit != NULL)
            record_limit = strtoul(limit, NULL, 0);
        for (unsigned i = 0; hd_model_port_at(m, i, &p); i++)
            fprintf(record, "port %s %u %s\n", p.name, p.width, p.input ? "in" : "out");
    }
    instances = realloc(instances, (num_instances + 1) * sizeof *instances);
    hd_unit_require(instances != NULL);
    instances[num_instances++] = (struct recorded){.m = m, .clk = hd_model_port(m, "clk_i", NULL)};
}

static struct recorded *recorded_of(const struct hd_model *m)
{
    size_t n = num_instances;

    while (n > 0 && instances[n - 1].m != m)
        n--;
    hd_unit_require(n > 0);
    return &instances[n - 1];
}

static void record_line(struct recorded *r, struct hd_model *m)
{
    struct hd_model_port p;

    if (r->lines++ >= record_limit)
        return;
    fprintf(record, "%td", r - instances + 1);
    for (int outputs = 0; outputs <= 1; outputs++) {
        fputc(' ', record);
        for (unsigned i = 0; hd_model_port_at(m, i, &p); i++) {
            if (p.input != outputs)
                record_port(&p);
        }
    }
    fputc('\n', record);
}

void hd_eval(struct hd_model *m)
{
    hd_model_eval(m);
    if (record != NULL) {
        struct recorded *r = recorded_of(m);

        if (r->clk == NULL || *r->clk != r->last_clk)
            record_line(r, m);
        if (r->clk != NULL)
            r->last_clk = *r->clk;
    }
}

void hd_edge(struct hd_model *m)
{
    if (record == NULL) {
        hd_model_edge(m);
    } else {
        struct recorded *r = recorded_of(m);

        for (uint8_t phase = 0; phase < 2; phase++) {
            *r->clk = phase;
            hd_model_eval(m);
            record_line(r, m);
        }
        *r->clk = 0;
        hd_model_eval(m);
    }
}

struct hd_model *hd_unit_open(void)
{
    struct hd_model *m = NULL;

    if (model_path == NULL)
        fprintf(stderr, "usage: TEST MODEL.so [--seed N] [--only NAME] [--stop]\n");
    else
        m = hd_model_open(model_path, "dut");
    hd_unit_require(m != NULL);
    record_open(m);
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

void hd_assert_frozen(struct hd_model *m)
{
    void *image[2];
    size_t size[2];

    for (unsigned i = 0; i < 2; i++) {
        hd_edge(m);
        image[i] = hd_model_save(m, &size[i]);
        assert_non_null(image[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(image[0], image[1], size[0]);
    free(image[0]);
    free(image[1]);
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
    if (record != NULL && fclose(record) != 0) {
        fprintf(stderr, "hd_unit: the recording is not complete\n");
        failed = 1;
    }
    free(instances);
    free(setups);
    free(seeded);
    return failed != 0;
}
