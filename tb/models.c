/* models.c - see models.h. */
#include "models.h"
#include "hd_pkg.h"
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char builder[] = "tb/model/build_model.sh";
static const double MOMENT = 1.0; /* seconds: a check whether the model is up to date takes less */

enum { MAX_PARAMS = HD_MODEL_PARAMS, PARAM_SIZE = HD_MODEL_PARAM_SIZE };

/* One plug-in to get. */
struct job {
    const char *top;
    char param[MAX_PARAMS][PARAM_SIZE]; /* Name=value */
    unsigned params;
    char dir[HD_PATH_SIZE];
    pid_t pid;                  /* 0: not running */
    bool look;                  /* build nothing: is it up to date? */
    bool announced;
    double started;
};

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned log2_of(unsigned x)
{
    unsigned n = 0;

    while (x > 1) {
        x >>= 1;
        n++;
    }
    return n;
}

/* Roots are shorter than paths, so that what is appended to them fits. */
enum { ROOT_SIZE = HD_ROOT_SIZE };

bool hd_models_root(char root[HD_ROOT_SIZE])
{
    const char *given = getenv("HEDDLE_ROOT");
    char probe[ROOT_SIZE + sizeof builder + 1];

    if (given != NULL) {
        snprintf(root, ROOT_SIZE, "%s", given);
    } else {
        ssize_t n = readlink("/proc/self/exe", root, ROOT_SIZE - 1);
        root[n > 0 ? n : 0] = '\0';
    }
    for (;;) {
        snprintf(probe, sizeof probe, "%s/%s", root, builder);
        if (access(probe, X_OK) == 0)
            return true;
        char *slash = strrchr(root, '/');
        if (given != NULL || slash == NULL) {
            fprintf(stderr, "heddle: no %s %s; set HEDDLE_ROOT to the source tree\n", builder,
                    given != NULL ? "in HEDDLE_ROOT" : "above this program");
            return false;
        }
        *slash = '\0';
    }
}

static void param(struct job *j, const char *name, unsigned value)
{
    snprintf(j->param[j->params++], PARAM_SIZE, "%s=%u", name, value);
}

static void describe_sm(struct job *j, const struct hd_config *c)
{
    j->top = "hd_sm_tile";
    param(j, "Warps", c->warps);
    param(j, "Lanes", c->lanes);
    param(j, "LineWords", c->line_bytes / 4);
    param(j, "Slots", c->scoreboard);
    param(j, "Blocks", c->blocks);
    param(j, "Family", c->l1);
    param(j, "Pending", c->pending);
    param(j, "ReqCredits", c->pending == HD_PENDING_PRT ? c->prt_credits : 0);
    param(j, "MshrEntries", hd_config_pending_entries(c));
    param(j, "MshrTargets", c->mshr_targets);
    param(j, "StoreData", c->mshr_stores);
    param(j, "CasData", c->mshr_cas);
    param(j, "MergeLanes", c->merge_lanes);
    param(j, "L1Sets", c->l1_sets);
    param(j, "L1Ways", c->l1_ways);
    param(j, "LdsRows", c->lds_bytes / c->line_bytes);
    param(j, "LdsBanks", c->lds_banks);
    param(j, "WbEntries", c->wb_entries);
    param(j, "PartBits", log2_of(c->partitions));
    param(j, "RxDepth", c->queue_depth);
    param(j, "TxCredits", c->queue_depth);
    param(j, "ClkRatio", c->clk_ratio);
    param(j, "GhostW", c->ghost_bits);
    param(j, "WideFill", c->memory == HD_MEMORY_FIXED);
    if (c->stall_causes)
        param(j, "Stalls", 1);
    if (c->flit_bytes != 4 * HD_FLIT_WORDS)
        param(j, "FlitWords", c->flit_bytes / 4);
    switch (hd_config_hardware(c)) {
    case HD_ORDER_SB:
        param(j, "Order", HD_ORDER_SB);
        param(j, "BufferDepth", c->store_buffer);
        param(j, "Unified", c->unified_buffer);
        break;
    case HD_ORDER_PREFETCH:
        param(j, "Order", HD_ORDER_PREFETCH);
        param(j, "WaitDepth", c->wait_queue);
        param(j, "OrderStores", c->order_stores);
        break;
    case HD_ORDER_TYPE:
        param(j, "Order", HD_ORDER_TYPE);
        param(j, "WaitDepth", c->wait_queue);
        param(j, "UnsafeDepth", c->unsafe_queue);
        param(j, "SafeDepth", c->safe_queue);
        param(j, "SyncEntries", c->sync_entries);
        param(j, "TypeEntries", c->type_entries);
        param(j, "TypeWays", c->type_ways);
        param(j, "TypeReqs", c->type_requests);
        param(j, "OrderStores", c->order_stores);
        param(j, "AckEntries", c->mac_busy * c->partitions);
        param(j, "SectorBytes", c->sector_bytes);
        break;
    }
}

static void describe_mac(struct job *j, const struct hd_config *c)
{
    param(j, "MacEntries", c->mac_entries);
    param(j, "MacWays", c->mac_ways);
    param(j, "MacBusy", c->mac_busy);
}

static void describe_xbar(struct job *j, const struct hd_config *c, unsigned ins, unsigned outs, unsigned num_vn)
{
    j->top = "hd_xbar_tile";
    param(j, "Ins", ins);
    param(j, "Outs", outs);
    param(j, "NumVn", num_vn);
    param(j, "RxDepth", c->queue_depth);
    param(j, "TxCredits", c->queue_depth);
    param(j, "FlitW", c->flit_bytes / 4 * (32 + c->ghost_bits));
}

static void describe_l2(struct job *j, const struct hd_config *c)
{
    j->top = "hd_l2_tile";
    param(j, "Family", c->l1);
    param(j, "Sms", c->sms);
    param(j, "Lanes", c->lanes);
    if (c->l1 == HD_FAMILY_VI)
        param(j, "L2Writes", c->l2_writes);
    if (c->flit_bytes != 4 * HD_FLIT_WORDS)
        param(j, "FlitWords", c->flit_bytes / 4);
    param(j, "LineWords", c->line_bytes / 4);
    param(j, "L2Sets", c->l2_sets);
    param(j, "L2Ways", c->l2_ways);
    param(j, "L2Mshr", c->l2_mshr);
    param(j, "PartBits", log2_of(c->partitions));
    param(j, "RxDepth", c->queue_depth);
    param(j, "TxCredits", c->queue_depth);
    param(j, "MemCredits", c->mem_credits);
    param(j, "LaneMasks", c->pending == HD_PENDING_PRT);
    param(j, "GhostW", c->ghost_bits);
    if (c->order == HD_MODEL_TYPE) {
        param(j, "Mac", 1);
        param(j, "TypeReqs", c->type_requests);
        param(j, "SectorBytes", c->sector_bytes);
        describe_mac(j, c);
    }
}

static void describe_gpu(struct job *j, const struct hd_config *c)
{
    struct job sm = {0};

    describe_sm(&sm, c);
    j->top = "hd_gpu_top";
    param(j, "Sms", c->sms);
    for (unsigned i = 0; i < sm.params; i++) /* Depth stands for both ends of a link */
        if (strncmp(sm.param[i], "WideFill", 8) != 0 && strncmp(sm.param[i], "RxDepth", 7) != 0 && strncmp(sm.param[i], "TxCredits", 9) != 0)
            memcpy(j->param[j->params++], sm.param[i], PARAM_SIZE);
    param(j, "L2Sets", c->l2_sets);
    param(j, "L2Ways", c->l2_ways);
    param(j, "L2Mshr", c->l2_mshr);
    param(j, "L2Writes", c->l1 == HD_FAMILY_VI ? c->l2_writes : 1);
    param(j, "QueueDepth", c->queue_depth);
    param(j, "MemCredits", c->mem_credits);
    param(j, "LatSmXbar", c->lat_sm_xbar);
    param(j, "LatXbarL2", c->lat_xbar_l2);
    param(j, "LatL2Xbar", c->lat_l2_xbar);
    param(j, "LatXbarSm", c->lat_xbar_sm);
    param(j, "LatCredit", c->lat_credit);
    if (c->order == HD_MODEL_TYPE)
        describe_mac(j, c);
}

/* Appends to a string that was sized for it. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

/* The directory is named after the values, in the order of the parameters. */
static void name_dir(struct job *j, const char *root, const char *variant)
{
    j->dir[0] = '\0';
    append(j->dir, sizeof j->dir, "%s/build/models/%s", root, j->top + strlen("hd_"));
    for (unsigned i = 0; i < j->params; i++)
        append(j->dir, sizeof j->dir, "-%s", strchr(j->param[i], '=') + 1);
    append(j->dir, sizeof j->dir, "-%s", variant);
}

static void announce(struct job *j)
{
    char list[MAX_PARAMS * PARAM_SIZE] = "";

    for (unsigned i = 0; i < j->params; i++)
        append(list, sizeof list, "%s%s", i ? " " : "", j->param[i]);
    fprintf(stderr, "building %s (%s) ...\n", j->top + strlen("hd_"), list);
    j->announced = true;
}

static bool start(struct job *j, const char *root, const char *variant)
{
    char script[ROOT_SIZE + sizeof builder + 1], so[HD_PATH_SIZE + 16];
    char *argv[MAX_PARAMS + 6];
    unsigned n = 0;

    snprintf(script, sizeof script, "%s/%s", root, builder);
    argv[n++] = script;
    if (j->look)
        argv[n++] = (char *)(uintptr_t)"-n";
    argv[n++] = j->dir;
    argv[n++] = (char *)(uintptr_t)j->top; /* posix_spawn does not write to it */
    argv[n++] = (char *)(uintptr_t)variant;
    for (unsigned i = 0; i < j->params; i++)
        argv[n++] = j->param[i];
    argv[n] = NULL;
    snprintf(so, sizeof so, "%s/model.so", j->dir);
    if (access(so, R_OK) != 0 && !j->look)
        announce(j);
    j->started = seconds();
    int error = posix_spawn(&j->pid, script, NULL, NULL, argv, environ);
    if (error != 0) {
        j->pid = 0;
        fprintf(stderr, "heddle: cannot run %s: %s\n", script, strerror(error));
        return false;
    }
    return true;
}

/* Waits for one running job to end. */
static bool finish_one(struct job *jobs, unsigned n)
{
    const struct timespec nap = {.tv_nsec = 10 * 1000 * 1000};

    for (;;) {
        for (unsigned i = 0; i < n; i++) {
            struct job *j = &jobs[i];
            int status;
            if (j->pid == 0)
                continue;
            pid_t ended = waitpid(j->pid, &status, WNOHANG);
            double took = seconds() - j->started;
            if (ended == 0) {
                if (!j->announced && !j->look && took > MOMENT)
                    announce(j);
                continue;
            }
            j->pid = 0;
            if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
                if (!j->look)
                    fprintf(stderr, "heddle: building %s failed\n", j->top + strlen("hd_"));
                return false;
            }
            if (j->announced)
                fprintf(stderr, "built %s in %.0f s\n", j->top + strlen("hd_"), took);
            return true;
        }
        nanosleep(&nap, NULL);
    }
}

/* The tile or chip of @role. @return false when the structure has none. */
static bool describe(struct job *j, const struct hd_config *c, enum hd_model_role role)
{
    bool chip = c->memory == HD_MEMORY_CHIP;

    if (role == HD_MODEL_GPU && c->flat)
        describe_gpu(j, c);
    else if (role == HD_MODEL_SM && !c->flat)
        describe_sm(j, c);
    else if (role == HD_MODEL_UP && !c->flat && chip)
        describe_xbar(j, c, c->sms, c->partitions, HD_UP_NETS);
    else if (role == HD_MODEL_DOWN && !c->flat && chip)
        describe_xbar(j, c, c->partitions, c->sms, HD_DOWN_NETS);
    else if (role == HD_MODEL_L2 && !c->flat && chip)
        describe_l2(j, c);
    return j->top != NULL;
}

const char *hd_models_parameters(const struct hd_config *c, enum hd_model_role role,
                                 char param[HD_MODEL_PARAMS][HD_MODEL_PARAM_SIZE], unsigned *params)
{
    struct job j = {0};

    if (!describe(&j, c, role))
        return NULL;
    memcpy(param, j.param, sizeof j.param);
    *params = j.params;
    return j.top;
}

static bool get(const struct hd_config *c, bool wave, bool look, struct hd_model_paths *paths)
{
    const char *variant = wave ? "wave" : c->count_pairs ? "counted" : c->ghost_bits != 0 ? "checked" : "fast";
    struct job *jobs = calloc(HD_MODEL_ROLES, sizeof *jobs);
    char root[ROOT_SIZE];
    bool ok = jobs != NULL && hd_models_root(root);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned at_once = cpus > 1 ? (unsigned)cpus : 1, running = 0;

    for (unsigned i = 0; ok && i < HD_MODEL_ROLES; i++) {
        if (!describe(&jobs[i], c, (enum hd_model_role)i))
            continue;
        jobs[i].look = look;
        name_dir(&jobs[i], root, variant);
        snprintf(paths->so[i], sizeof paths->so[i], "%.*s/model.so", HD_PATH_SIZE - 16, jobs[i].dir);
        if (running == at_once) {
            ok = finish_one(jobs, HD_MODEL_ROLES);
            running--;
        }
        if (ok) {
            ok = start(&jobs[i], root, variant);
            running += ok;
        }
    }
    for (; running > 0 && jobs != NULL; running--)
        ok = finish_one(jobs, HD_MODEL_ROLES) && ok;
    free(jobs);
    return ok;
}

bool hd_models_get(const struct hd_config *c, bool wave, struct hd_model_paths *paths)
{
    return get(c, wave, false, paths);
}

bool hd_models_built(const struct hd_config *c, bool wave)
{
    struct hd_model_paths paths;

    return get(c, wave, true, &paths);
}
