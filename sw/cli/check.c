/* check.c - see commands.h. */
#include "commands.h"
#include "check/mcm.h"
#include "report/files.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2 };

/* @return 0 after the whole file was read, -1 when it is damaged, after a message. A violation ends the reading. */
static int judge(struct hd_evlog_in *in, struct hd_mcm *m)
{
    struct hd_evlog_block b;
    int got;

    while ((got = hd_evlog_read(in, &b)) == 1) {
        if (hd_mcm_violation(m) != NULL)
            continue; /* a damaged file is bad input whatever its first half says */
        if (b.issued != NULL)
            hd_mcm_finish(m, b.issued);
        else if (hd_mcm_add(m, b.event, b.count))
            (void)(b.epoch ? hd_mcm_epoch(m, b.watermark) : hd_mcm_advance(m, b.watermark));
    }
    return got;
}

static int check_file(const char *path, const char *model_name)
{
    struct hd_evlog_info info;
    struct hd_evlog_in *in = hd_evlog_open(path, &info);
    if (in == NULL)
        return REFUSED;
    struct hd_mcm_options options = hd_mcm_options_of(&info);
    if (model_name != NULL)
        options.model = hd_mcm_find(model_name);
    struct hd_mcm *m = NULL;
    int code = REFUSED;
    if (options.model >= HD_MCM_MODELS)
        fprintf(stderr, "heddle: %s: the machine ran with order %" PRIu32 ", which has no model; give --model\n", path,
                info.model);
    else if ((m = hd_mcm_new(&options)) == NULL)
        fprintf(stderr, "heddle: no memory\n");
    else if (judge(in, m) == 0) {
        const struct hd_mcm_violation *v = hd_mcm_violation(m);
        struct hd_mcm_stats s;
        hd_mcm_stats(m, &s);
        if (v != NULL)
            hd_mcm_print(v, stdout);
        else
            printf("%s: allowed by %s: %" PRIu64 " operations on %zu words, machine %s\n", path, hd_mcm_name(options.model),
                   s.events, s.words, info.config);
        code = v == NULL ? GOOD : FAILED;
    }
    hd_mcm_free(m);
    hd_evlog_end(in);
    return code;
}

int hd_check_command(int argc, char **argv)
{
    const char *model = NULL, *path = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--model") == 0 && i + 1 < argc) {
            model = argv[++i];
            if (hd_mcm_find(model) == HD_MCM_MODELS) {
                fprintf(stderr, "heddle: --model %s: must be rmo, tso, sc, drf, hrf-direct, hrf-indirect, env or env-indirect\n", model);
                return REFUSED;
            }
        } else if (argv[i][0] != '-' && path == NULL)
            path = argv[i];
        else {
            fprintf(stderr, "heddle: check: unexpected '%s'; see heddle check --help\n", argv[i]);
            return REFUSED;
        }
    }
    if (path == NULL) {
        fprintf(stderr, "heddle: check needs an event log (heddle run --log FILE writes one)\n");
        return REFUSED;
    }
    return hd_files_input(NULL, path, true) ? check_file(path, model) : REFUSED;
}
