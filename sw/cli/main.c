/* main.c - the heddle command: arguments, configurations, exit codes. */
#include "bench/bench.h"
#include "commands.h"
#include "report/files.h"
#include "run/configure.h"
#include "stress/stress.h"
#include "work.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HD_VERSION
#define HD_VERSION "0.1"
#endif

enum { GOOD = 0, REFUSED = 2 };

static const char usage[] =
    "heddle - GPU memory systems in RTL, run by warps written in C\n"
    "\n"
    "  heddle list                        workloads, configurations, configuration keys\n"
    "  heddle run [option]... WORKLOAD [key=value]...\n"
    "  heddle firstlight [option]... [CONFIG] [key=value]...\n"
    "                                     gemm under RMO, TSO and SC, and one table\n"
    "  heddle check [--model rmo|tso|sc|drf|hrf-direct|hrf-indirect|env|env-indirect] FILE\n"
    "                                     the memory-model checker on a saved event log\n"
    "  heddle crash [option]... WORKLOAD [key=value]...\n"
    "                                     power cuts at every moment of a run, what is left recovered and checked\n"
    "  heddle litmus [option]... FILE|FOLDER...\n"
    "                                     litmus tests: what a machine shows against what its order allows\n"
    "  heddle stress [--seconds N] [--seed N] [STRUCTURE]...\n"
    "                                     random testers over random configurations (docs/stress.md)\n"
    "  heddle bench [--quick] [--only GROUP] [--json FILE] [--out DIR]\n"
    "                                     how fast the simulator is\n"
    "  heddle lab outstanding [option]...\n"
    "                                     outstanding memory requests, MSHR against pending request table\n"
    "  heddle lab ordering --quick|--reduced|--paper [option]...\n"
    "                                     execution time under six memory orderings\n"
    "  heddle lab infer [option]...       an unknown machine's table of outstanding requests, from latencies\n"
    "  heddle sweep FILE [option]...      a table of runs: configurations x keys x workloads x seeds: heddle sweep --help\n"
    "  heddle trace info|import|check ... traces of other GPUs and of this program: heddle trace --help\n"
    "  heddle run --trace FILE.hdt [option]... [kernels=1,3-5,NAME] [every=N] [resident=N]\n"
    "                                     a trace instead of a workload (docs/traces.md)\n"
    "  heddle area [option]... [MODULE]...\n"
    "                                     area, storage, longest paths, energy: heddle area --help\n"
    "  heddle --help | --version\n"
    "\n"
    "options\n"
    "  --config NAME|FILE   configs/NAME.cfg or a file (default paper1-small)\n"
    "  --set key=value      overrides a configuration key, e.g. order=sc, scheduler=lrr\n"
    "  --seed N             input data and every random choice (default 1)\n"
    "  --json               one JSON object on stdout instead of text (run)\n"
    "  --wave FILE.fst      writes waveforms (run)\n"
    "  --port-log FILE      writes every event at the tiles' ports with its cycle, as text (run)\n"
    "  --log FILE           writes the event log, for heddle check (run; needs --set ghost_bits=32)\n"
    "  --wave-around-violation FILE.fst\n"
    "                       when the memory model is violated, runs again and writes the waveforms around it (run)\n"
    "  --record FILE.hdt    writes the run as a trace, which replays it cycle by cycle (run)\n"
    "  --db FILE            adds the run to a results database (run)\n"
    "\n"
    "exit code: 0 all checks passed, 1 a check failed, 2 bad input\n";

/* @return a value that follows option @argv[*i], or NULL after a message. */
static const char *option_value(int argc, char **argv, int *i)
{
    if (*i + 1 < argc)
        return argv[++*i];
    fprintf(stderr, "heddle: %s needs a value; see heddle --help\n", argv[*i]);
    return NULL;
}

static int parse(int argc, char **argv, struct hd_arguments *a)
{
    *a = (struct hd_arguments){.seed = 1};
    for (int i = 2; i < argc; i++) {
        const char *arg = argv[i], *value = NULL;
        bool takes = strcmp(arg, "--config") == 0 || strcmp(arg, "--set") == 0 || strcmp(arg, "--seed") == 0 ||
                     strcmp(arg, "--wave") == 0 || strcmp(arg, "--port-log") == 0 || strcmp(arg, "--log") == 0 ||
                     strcmp(arg, "--wave-around-violation") == 0 || strcmp(arg, "--db") == 0 ||
                     strcmp(arg, "--trace") == 0 || strcmp(arg, "--record") == 0;
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
            fprintf(stderr, "heddle: unknown option '%s'; see heddle --help\n", arg);
            return -1;
        } else
            a->word[a->words++] = arg;
    }
    return 0;
}

static int list(const struct hd_arguments *a)
{
    if (a->words > 0) {
        fprintf(stderr, "heddle: list takes no arguments\n");
        return REFUSED;
    }
    printf("workloads, with their keys (heddle run WORKLOAD key=value; each also takes resident=0..8, the blocks at\n"
           "a time on an SM, 0 = as many as fit)\n");
    for (const struct hd_workload *const *w = hd_workloads(); *w; w++)
        hd_workload_print(*w);
    printf("\nconfigurations (--config NAME)\n");
    hd_configure_list();
    printf("\nconfiguration keys (in a file or with --set key=value)\n");
    hd_config_print_keys();
    return GOOD;
}

/* The commands: each of those with `parsed` gets its arguments parsed by parse(), the others read them themselves. */
static const struct command {
    const char *name;
    int (*parsed)(const struct hd_arguments *a);
    int (*own)(int argc, char **argv); /* argv[0] is the command's name */
    bool helps;                        /* has a --help of its own */
} commands[] = {
    {.name = "list", .parsed = list},
    {.name = "run", .parsed = hd_run_command},
    {.name = "firstlight", .parsed = hd_firstlight_command},
    {.name = "check", .own = hd_check_command},
    {.name = "trace", .own = hd_trace_command, .helps = true},
    {.name = "litmus", .own = hd_litmus_command, .helps = true},
    {.name = "crash", .own = hd_crash_command, .helps = true},
    {.name = "stress", .own = hd_stress_command},
    {.name = "bench", .own = hd_bench_command, .helps = true},
    {.name = "lab", .own = hd_lab_command, .helps = true},
    {.name = "sweep", .own = hd_sweep_command, .helps = true},
    {.name = "area", .own = hd_area_command, .helps = true},
};

static int command(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--version") == 0) {
        puts("heddle " HD_VERSION);
        return GOOD;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        fputs(usage, stdout);
        return GOOD;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        if (argc > 2 && strcmp(argv[2], "--help") == 0 && !commands[i].helps) {
            fputs(usage, stdout);
            return GOOD;
        }
        if (commands[i].own)
            return commands[i].own(argc - 1, argv + 1);
        struct hd_arguments a;
        return parse(argc, argv, &a) == 0 ? commands[i].parsed(&a) : REFUSED;
    }
    if (*name)
        fprintf(stderr, "heddle: unknown command '%s'\n", name);
    fputs(usage, stderr);
    return REFUSED;
}

int main(int argc, char **argv)
{
    hd_files_pipes();
    int code = command(argc, argv);
    return hd_files_printed() ? code : REFUSED;
}
