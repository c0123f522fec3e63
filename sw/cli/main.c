/* main.c - the heddle command: arguments, configurations, exit codes. */
#include "bench/bench.h"
#include "commands.h"
#include "help.h"
#include "report/files.h"
#include "stress/stress.h"
#include "wire/wire.h"
#include "work.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2 };

/* @return a value that follows option @argv[*i], or NULL after a message. */
static const char *option_value(int argc, char **argv, int *i)
{
    if (*i + 1 < argc)
        return argv[++*i];
    fprintf(stderr, "heddle: %s needs a value; see heddle help\n", argv[*i]);
    return NULL;
}

/* A positive number. @return false after a message. */
static bool number(const char *option, const char *value, const char *digits, uint64_t most, uint64_t *n)
{
    char *end;
    errno = 0;
    *n = strtoull(digits, &end, 10);
    if (*digits >= '0' && *digits <= '9' && !*end && !errno && *n >= 1 && *n <= most)
        return true;
    fprintf(stderr, "heddle: %s %s: must be 1..%llu\n", option, value, (unsigned long long)most);
    return false;
}

static int parse(int argc, char **argv, struct hd_arguments *a)
{
    *a = (struct hd_arguments){.seed = 1};
    for (int i = 2; i < argc; i++) {
        const char *arg = argv[i], *value = NULL;
        bool takes = strcmp(arg, "--config") == 0 || strcmp(arg, "--set") == 0 || strcmp(arg, "--seed") == 0 ||
                     strcmp(arg, "--wave") == 0 || strcmp(arg, "--port-log") == 0 || strcmp(arg, "--log") == 0 ||
                     strcmp(arg, "--wave-around-violation") == 0 || strcmp(arg, "--db") == 0 ||
                     strcmp(arg, "--trace") == 0 || strcmp(arg, "--record") == 0 ||
                     strcmp(arg, "--warmup") == 0 || strcmp(arg, "--interval") == 0 || strcmp(arg, "--plot") == 0 ||
                     strcmp(arg, "--out") == 0 || strcmp(arg, "--cut") == 0 || strcmp(arg, "--checkpoint") == 0 ||
                     strcmp(arg, "--every") == 0;
        if (takes && !(value = option_value(argc, argv, &i)))
            return -1;
        if (a->sets == HD_MAX_ITEMS || a->words == HD_MAX_ITEMS) {
            fprintf(stderr, "heddle: more than %d settings\n", HD_MAX_ITEMS);
            return -1;
        }
        if (strcmp(arg, "--config") == 0)
            a->config = value;
        else if (strcmp(arg, "--wave") == 0)
            a->wave = value;
        else if (strcmp(arg, "--port-log") == 0)
            a->port_log = value;
        else if (strcmp(arg, "--log") == 0)
            a->log = value;
        else if (strcmp(arg, "--db") == 0)
            a->db = value;
        else if (strcmp(arg, "--trace") == 0)
            a->trace = value;
        else if (strcmp(arg, "--record") == 0)
            a->record = value;
        else if (strcmp(arg, "--wave-around-violation") == 0)
            a->wave_around = value;
        else if (strcmp(arg, "--plot") == 0)
            a->timeline.plot = value;
        else if (strcmp(arg, "--out") == 0)
            a->timeline.folder = value;
        else if (strcmp(arg, "--cut") == 0)
            a->cut = value;
        else if (strcmp(arg, "--checkpoint") == 0)
            a->checkpoint = value;
        else if (strcmp(arg, "--every") == 0) {
            if (!number(arg, value, value, INT64_MAX, &a->every))
                return -1;
        } else if (strcmp(arg, "--interval") == 0) {
            if (!number(arg, value, value, INT64_MAX, &a->timeline.interval))
                return -1;
        } else if (strcmp(arg, "--warmup") == 0) {
            bool kernels = strncmp(value, "kernels=", 8) == 0;
            uint64_t n;
            if (!number(arg, value, kernels ? value + 8 : value, kernels ? UINT32_MAX : INT64_MAX, &n))
                return -1;
            a->timeline.warmup = kernels ? 0 : n;
            a->timeline.warmup_kernels = kernels ? (unsigned)n : 0;
        } else if (strcmp(arg, "--links") == 0)
            a->timeline.links = true;
        else if (strcmp(arg, "--latency") == 0)
            a->latency = true;
        else if (strcmp(arg, "--set") == 0)
            a->set[a->sets++] = value;
        else if (strcmp(arg, "--json") == 0)
            a->json = true;
        else if (strcmp(arg, "--seed") == 0) {
            char *end;
            errno = 0;
            a->seed = strtoull(value, &end, 0);
            if (*value < '0' || *value > '9' || *end || errno || a->seed > INT64_MAX) {
                fprintf(stderr, "heddle: --seed %s: must be 0..%lld\n", value, (long long)INT64_MAX);
                return -1;
            }
        } else if (arg[0] == '-') {
            fprintf(stderr, "heddle: unknown option '%s'; see heddle help\n", arg);
            return -1;
        } else
            a->word[a->words++] = arg;
    }
    return 0;
}

/* The commands: each of those with `parsed` gets its arguments parsed by parse(), the others read them themselves. */
static const struct command {
    const char *name;
    int (*parsed)(const struct hd_arguments *a);
    int (*own)(int argc, char **argv); /* argv[0] is the command's name */
} commands[] = {
    {.name = "list", .own = hd_list_command},
    {.name = "run", .parsed = hd_run_command},
    {.name = "firstlight", .parsed = hd_firstlight_command},
    {.name = "check", .own = hd_check_command},
    {.name = "trace", .own = hd_trace_command},
    {.name = "litmus", .own = hd_litmus_command},
    {.name = "crash", .own = hd_crash_command},
    {.name = "stress", .own = hd_stress_command},
    {.name = "bench", .own = hd_bench_command},
    {.name = "lab", .own = hd_lab_command},
    {.name = "sweep", .own = hd_sweep_command},
    {.name = "area", .own = hd_area_command},
    {.name = "query", .own = hd_query_command},
    {.name = "report", .own = hd_report_command},
    {.name = "help", .own = hd_help_command},
};

static int command(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--version") == 0) {
        puts("heddle " HEDDLE_VERSION);
        return GOOD;
    }
    if (strcmp(name, "--help") == 0) {
        hd_help_print(NULL, stdout);
        return GOOD;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        for (int k = 2; k < argc; k++)
            if (strcmp(argv[k], "--help") == 0) {
                hd_help_print(hd_help_find(name), stdout);
                return GOOD;
            }
        if (commands[i].own)
            return commands[i].own(argc - 1, argv + 1);
        struct hd_arguments a;
        return parse(argc, argv, &a) == 0 ? commands[i].parsed(&a) : REFUSED;
    }
    if (*name)
        fprintf(stderr, "heddle: unknown command '%s'\n", name);
    hd_help_print(NULL, stderr);
    return REFUSED;
}

int main(int argc, char **argv)
{
    hd_files_pipes();
    if (!hd_wire_open(&argc, &argv))
        return REFUSED;
    int code = REFUSED;
    if (hd_wire_ranks() > 1 && (argc < 2 || strcmp(argv[1], "run") != 0))
        fprintf(stderr, "heddle: %u ranks were started; of the commands, run alone takes more than one\n", hd_wire_ranks());
    else
        code = command(argc, argv);
    return hd_wire_close(hd_files_printed() ? code : REFUSED);
}
