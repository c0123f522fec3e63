/* same.c - see same.h. */
#define _POSIX_C_SOURCE 200809L
#include "same.h"
#include "ranks.h"
#include "wire/wire.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t mixed(uint64_t sum, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ b[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static const uint64_t basis = UINT64_C(0xcbf29ce484222325);

/* Of a file's bytes; of none if it cannot be read. */
static uint64_t file_sum(const char *path)
{
    static char buffer[1 << 16];
    uint64_t sum = basis;
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        sum = mixed(sum, buffer, n);
    if (f)
        fclose(f);
    return sum;
}

char *hd_same_text(const struct hd_run_options *o, const struct hd_model_paths *models)
{
    const struct hd_timeline_options *t = &o->timeline;
    char *text = NULL, buffer[32];
    const char *name, *value;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f, "program\t%016" PRIx64 "\n", file_sum("/proc/self/exe"));
    fprintf(f, "configuration\t%s\n", o->config->name);
    for (size_t i = 0; (name = hd_config_key(o->config, i, buffer, &value)); i++)
        fprintf(f, "%s\t%s\n", name, value);
    fprintf(f, "workload\t%s\n", o->workload ? o->workload->name : "-");
    for (size_t i = 0; i < o->num_params; i++)
        fprintf(f, "parameter\t%s\n", o->params[i]);
    fprintf(f, "--seed\t%" PRIu64 "\n", o->seed);
    if (o->trace)
        fprintf(f, "--trace\t%016" PRIx64 "\n", file_sum(o->trace));
    fprintf(f, "--log\t%d\n--port-log\t%d\n--wave\t%d\n--latency\t%d\n", o->log != NULL, o->port_log != NULL, o->wave != NULL,
            o->latency);
    fprintf(f, "--interval\t%" PRIu64 "\n--warmup\t%" PRIu64 " %u\n--links\t%d\n--plot\t%s\n", t->interval, t->warmup,
            t->warmup_kernels, t->links, t->plot ? t->plot : "");
    for (size_t i = 0; i < HD_MODEL_ROLES; i++)
        if (models->so[i][0])
            fprintf(f, "model %zu\t%016" PRIx64 "\n", i, file_sum(models->so[i]));
    return fclose(f) == 0 ? text : NULL;
}

uint64_t hd_same_sum(const char *text)
{
    return mixed(basis, text, strlen(text));
}

/* The first line in which two texts differ. */
static void say(unsigned rank, const char *own, const char *other)
{
    while (*own && *other) {
        size_t a = strcspn(own, "\n"), b = strcspn(other, "\n"), name = strcspn(own, "\t");
        if (a != b || memcmp(own, other, a) != 0) {
            int width = (int)(b > name ? b - name - 1 : b);
            fprintf(stderr, "heddle: the ranks are not of one run: %.*s is %.*s on rank 0 and %.*s on rank %u\n", (int)name, own,
                    (int)(a - name - 1), own + name + 1, width, other + b - width, rank);
            return;
        }
        own += a + 1;
        other += b + 1;
    }
    fprintf(stderr, "heddle: the ranks are not of one run: rank %u has other arguments than rank 0\n", rank);
}

bool hd_same_everywhere(const char *text)
{
    const unsigned ranks = hd_wire_ranks(), me = hd_wire_rank();
    bool same = true;
    for (unsigned k = 1; k < ranks; k++)
        hd_wire_send((me + k) % ranks, text, strlen(text) + 1);
    char *first = NULL; /* of rank 0 */
    for (unsigned i = 0; i < ranks && same; i++) {
        size_t n;
        const char *other = i == me ? text : hd_wire_receive(i, &n);
        if (!other)
            return false;
        if (i == 0 && !(first = strdup(other)))
            return false;
        if (strcmp(first, other) != 0) {
            say(i, first, other);
            same = false;
        }
    }
    hd_wire_sent();
    free(first);
    return same;
}
