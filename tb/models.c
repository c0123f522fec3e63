/* models.c - see models.h. */
#define _GNU_SOURCE 1 /* dladdr */
#include "models.h"
#include "hd_pkg.h"
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char builder[] = "tb/model/build_model.sh", cached[] = "tb/cached.sh"; /* this in an installed tree */
static const double MOMENT = 1.0; /* seconds: what takes no longer is not spoken of */

enum { MAX_PARAMS = HD_MODEL_PARAMS, PARAM_SIZE = HD_MODEL_PARAM_SIZE };

/* One plug-in to get. */
struct job {
    const char *top;
    char param[MAX_PARAMS][PARAM_SIZE]; /* Name=value */
    unsigned params;
    char tag[MAX_PARAMS * sizeof "-4294967295"]; /* the values of all parameters, nothing for a default */
    char dir[HD_PATH_SIZE];
    pid_t pid;                  /* 0: not running */
    const char *root, *variant;
    bool look;                  /* build nothing yet: is it up to date? */
    bool build;                 /* ... if not, build it */
    bool announced;
    double started;
};

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Roots are shorter than paths, so that what is appended to them fits. */
enum { ROOT_SIZE = HD_ROOT_SIZE, FOLDER_SIZE = ROOT_SIZE + 32 };

/* @return whether @root, or with @above a folder above it, has the builder; then it is cut to that. */
static bool has_builder(char root[ROOT_SIZE], bool above)
{
    char probe[ROOT_SIZE + sizeof builder + 1];

    for (;;) {
        snprintf(probe, sizeof probe, "%s/%s", root, builder);
        if (access(probe, X_OK) == 0)
            return true;
        char *slash = strrchr(root, '/');
        if (!above || slash == NULL)
            return false;
        *slash = '\0';
    }
}

/* Puts into @root where an installed library keeps its tree: heddle/ beside it. */
static bool beside_library(char root[ROOT_SIZE])
{
    static const char mark = 0;
    Dl_info in;
    char *slash;

    if (dladdr(&mark, &in) == 0 || strstr(in.dli_fname, ".so") == NULL || strlen(in.dli_fname) + sizeof "heddle" > ROOT_SIZE)
        return false;
    snprintf(root, ROOT_SIZE, "%s", in.dli_fname);
    slash = strrchr(root, '/');
    if (slash == NULL)
        return false;
    memcpy(slash + 1, "heddle", sizeof "heddle");
    return has_builder(root, false);
}

bool hd_models_root(char root[HD_ROOT_SIZE])
{
    const char *given = getenv("HEDDLE_ROOT");

    if (given != NULL) {
        snprintf(root, ROOT_SIZE, "%s", given);
    } else {
        if (beside_library(root))
            return true;
        ssize_t n = readlink("/proc/self/exe", root, ROOT_SIZE - 1);
        root[n > 0 ? n : 0] = '\0';
    }
    if (has_builder(root, given == NULL))
        return true;
    fprintf(stderr, "heddle: no %s %s; set HEDDLE_ROOT to the source tree\n", builder,
            given != NULL ? "in HEDDLE_ROOT" : "above this program");
    return false;
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

/* Adds a parameter to the name of the model and, if its value is not the default, to those it is built with. */
static void param(struct job *j, const char *name, unsigned value, unsigned def)
{
    if (value == def) {
        append(j->tag, sizeof j->tag, "-");
        return;
    }
    if (j->params == MAX_PARAMS || strlen(name) + sizeof "=4294967295" > PARAM_SIZE) {
        fprintf(stderr, "heddle: %s: no room for parameter %s\n", j->top, name);
        abort();
    }
    append(j->tag, sizeof j->tag, "-%u", value);
    snprintf(j->param[j->params++], PARAM_SIZE, "%s=%u", name, value);
}

static void describe_links(struct job *j, const struct hd_config *c)
{
    param(j, "RxDepth", c->queue_depth, 0);
    param(j, "TxCredits", c->queue_depth, 0);
    param(j, "FlitW", c->flit_bytes / 4 * (32 + c->ghost_bits), 0);
}

/* A crossbar's parameters are those of the direction, each of its own. */
static void describe_xbar(struct job *j, const struct hd_config *c, unsigned ins, unsigned outs, unsigned num_vn)
{
    param(j, "Ins", ins, 0);
    param(j, "Outs", outs, 0);
    param(j, "NumVn", num_vn, 0);
    describe_links(j, c);
}

static void describe_router(struct job *j, const struct hd_config *c)
{
    param(j, "MeshX", c->mesh_x, 0);
    param(j, "MeshY", c->mesh_y, 0);
    describe_links(j, c);
}

static void describe_tile(struct job *j, const struct hd_config *c, enum hd_model_role role)
{
#define PARAM(name, key, def, sm, l2, gpu) \
    param(j, #name, (role == HD_MODEL_SM ? (sm) : role == HD_MODEL_L2 ? (l2) : (gpu)) ? c->key : def, def);
    HD_PARAM_LIST(PARAM)
}

static bool is_installed(const char *root)
{
    char path[ROOT_SIZE + sizeof "/tree.id"];

    snprintf(path, sizeof path, "%s/tree.id", root);
    return access(path, F_OK) == 0;
}

/* Where models are kept: $HEDDLE_MODELS, or build/models of the source tree, or, as nothing is written to an installed one,
 * the user's cache. */
static bool model_folder(const char *root, char folder[FOLDER_SIZE])
{
    const char *given = getenv("HEDDLE_MODELS"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n;

    if (given != NULL && *given)
        n = snprintf(folder, FOLDER_SIZE, "%s", given);
    else if (!is_installed(root))
        n = snprintf(folder, FOLDER_SIZE, "%s/build/models", root);
    else if (cache != NULL && *cache == '/')
        n = snprintf(folder, FOLDER_SIZE, "%s/heddle/models", cache);
    else if (home != NULL && *home)
        n = snprintf(folder, FOLDER_SIZE, "%s/.cache/heddle/models", home);
    else {
        fprintf(stderr, "heddle: no folder for models: none of HEDDLE_MODELS, XDG_CACHE_HOME and HOME is set\n");
        return false;
    }
    if (n >= FOLDER_SIZE)
        fprintf(stderr, "heddle: the folder for models has a name of more than %d bytes\n", FOLDER_SIZE - 1);
    return n < FOLDER_SIZE;
}

/* The directory is named after the values, in the order of the parameters: nothing stands for a default. */
static void name_dir(struct job *j, const char *folder, const char *variant)
{
    j->dir[0] = '\0';
    append(j->dir, sizeof j->dir, "%s/%s%s-%s", folder, j->top + strlen("hd_"), j->tag, variant);
}

static void announce(struct job *j)
{
    char list[MAX_PARAMS * PARAM_SIZE] = "";

    if (getenv("HEDDLE_VERBOSE"))
        for (unsigned i = 0; i < j->params; i++)
            append(list, sizeof list, "%s%s", i ? " " : "", j->param[i]);
    else
        snprintf(list, sizeof list, "%u parameter%s", j->params, j->params == 1 ? "" : "s");
    fprintf(stderr, "building %s (%s) ...\n", j->top + strlen("hd_"), list);
    j->announced = true;
}

static bool start(struct job *j)
{
    char script[ROOT_SIZE + sizeof builder + 1];
    char *argv[MAX_PARAMS + 6];
    unsigned n = 0;

    snprintf(script, sizeof script, "%s/%s", j->root, is_installed(j->root) ? cached : builder);
    argv[n++] = script;
    if (j->look)
        argv[n++] = (char *)(uintptr_t)"-n";
    argv[n++] = j->dir;
    argv[n++] = (char *)(uintptr_t)j->top; /* posix_spawn does not write to it */
    argv[n++] = (char *)(uintptr_t)j->variant;
    for (unsigned i = 0; i < j->params; i++)
        argv[n++] = j->param[i];
    argv[n] = NULL;
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
                if (j->look && j->build) {
                    j->look = false;
                    if (!start(j))
                        return false;
                    continue;
                }
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
    static const char *const tops[HD_MODEL_ROLES] = {
        [HD_MODEL_SM] = "hd_sm_tile", [HD_MODEL_UP] = "hd_xbar_tile", [HD_MODEL_DOWN] = "hd_xbar_tile",
        [HD_MODEL_L2] = "hd_l2_tile", [HD_MODEL_ROUTER] = "hd_router_tile", [HD_MODEL_GPU] = "hd_gpu_top",
    };
    const bool mesh = c->noc == HD_NOC_MESH, xbar = role == HD_MODEL_UP || role == HD_MODEL_DOWN;
    struct hd_config whole = *c;

    if (c->flat != (role == HD_MODEL_GPU) || (c->memory == HD_MEMORY_FIXED && role != HD_MODEL_SM)
        || (mesh ? xbar : role == HD_MODEL_ROUTER) || (role == HD_MODEL_DOWN && c->l1 == HD_FAMILY_DENOVO))
        return false;
    if (mesh)
        hd_config_mesh(c, &whole.mesh_x, &whole.mesh_y);
    j->top = tops[role];
    if (role == HD_MODEL_UP && c->l1 == HD_FAMILY_DENOVO) {
        describe_xbar(j, c, c->sms + c->partitions, c->sms + c->partitions, HD_NETS);
        param(j, "Sms", c->sms, 0);
    } else if (role == HD_MODEL_UP)
        describe_xbar(j, c, c->sms, c->partitions, HD_UP_NETS);
    else if (role == HD_MODEL_DOWN)
        describe_xbar(j, c, c->partitions, c->sms, HD_DOWN_NETS);
    else if (role == HD_MODEL_ROUTER)
        describe_router(j, &whole);
    else
        describe_tile(j, &whole, role);
    return true;
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

/* Tests run thousands of short runs of one source tree: a model built since the file HEDDLE_CURRENT was written is taken as it is. */
static bool is_current(const struct job *j)
{
    const char *since = getenv("HEDDLE_CURRENT");
    char key[HD_PATH_SIZE + 16];
    struct stat then, built;

    snprintf(key, sizeof key, "%s/key", j->dir);
    return since != NULL && stat(since, &then) == 0 && stat(key, &built) == 0 && built.st_mtime > then.st_mtime;
}

static bool get(const struct hd_config *c, bool wave, bool look, struct hd_model_paths *paths)
{
    const char *variant = wave ? "wave" : c->count_pairs ? "counted" : c->ghost_bits != 0 ? "checked" : "fast";
    struct job *jobs = calloc(HD_MODEL_ROLES, sizeof *jobs);
    char root[ROOT_SIZE], folder[FOLDER_SIZE];
    bool ok = jobs != NULL && hd_models_root(root) && model_folder(root, folder);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned at_once = cpus > 1 ? (unsigned)cpus : 1, running = 0;

    for (unsigned i = 0; ok && i < HD_MODEL_ROLES; i++) {
        if (!describe(&jobs[i], c, (enum hd_model_role)i))
            continue;
        name_dir(&jobs[i], folder, variant);
        snprintf(paths->so[i], sizeof paths->so[i], "%.*s/model.so", HD_PATH_SIZE - 16, jobs[i].dir);
        jobs[i].root = root;
        jobs[i].variant = variant;
        jobs[i].build = !look;
        jobs[i].look = look || access(paths->so[i], R_OK) == 0;
        if (is_current(&jobs[i]))
            continue;
        if (running == at_once) {
            ok = finish_one(jobs, HD_MODEL_ROLES);
            running--;
        }
        if (ok && !jobs[i].look)
            announce(&jobs[i]);
        if (ok) {
            ok = start(&jobs[i]);
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
