/* judge.c - see judge.h. */
#include "judge.h"
#include "persists.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAIN_RECORDS = 8192, DRAIN_WINDOWS = 256 };

struct hd_judge {
    struct hd_simt *simt;
    struct hd_evlog *log;
    struct hd_mcm *mcm;
    struct hd_persists *persists;
    const char *durable;   /* verdict of the persist checker, NULL without */
    struct hd_evlog_out *file;
    struct hd_machine *machine;
    unsigned windows;      /* since the last drain */
    const char *broken;    /* why there is no verdict */
    bool unwritten;        /* the event log is not whole */
};

struct hd_judge *hd_judge_new(const struct hd_config *c, struct hd_simt *s, struct hd_machine *m, bool check,
                              const char *path)
{
    struct hd_evlog_info info = {.sms = c->sms, .warps = c->warps, .lanes = c->lanes, .line_bytes = c->line_bytes,
                                 .model = hd_mcm_of_order(c->order), .protocol = c->l1};
    size_t records = (size_t)hd_machine_window(m) * (c->lanes + 2) + 2 * c->warps; /* a completion a cycle, and control */
    struct hd_judge *j = calloc(1, sizeof *j);

    if (!j) {
        fprintf(stderr, "heddle: no memory\n");
        return NULL;
    }
    snprintf(info.config, sizeof info.config, "%.47s", c->name);
    j->simt = s;
    j->machine = m;
    for (unsigned i = 0; hd_machine_performed(m, i) != NULL; i++)
        continue; /* from now on they tell */
    j->log = hd_evlog_new(&info, records);
    const struct hd_mcm_options options = hd_mcm_options_of(&info);
    if (check)
        j->mcm = hd_mcm_new(&options);
    if (!j->log || (check && !j->mcm) || !hd_simt_record(s, j->log)
        || (hd_persists_on(c) && !(j->persists = hd_persists_new(c, s, m)))) {
        fprintf(stderr, "heddle: no memory\n");
        hd_judge_free(j);
        return NULL;
    }
    if (path && !(j->file = hd_evlog_create(path, &info))) {
        hd_judge_free(j);
        return NULL;
    }
    return j;
}

void hd_judge_free(struct hd_judge *j)
{
    if (!j)
        return;
    if (j->file)
        hd_evlog_close(j->file, hd_simt_issued(j->simt));
    hd_mcm_free(j->mcm);
    hd_persists_free(j->persists);
    hd_evlog_free(j->log);
    free(j);
}

/* Gives the records to the checker and the file. */
static bool drain(struct hd_judge *j, uint64_t watermark, bool epoch)
{
    uint32_t sms = j->log->info.sms;
    bool good = true, told = j->log->info.protocol != HD_FAMILY_VI; /* there operations say themselves what they wrote over */

    j->windows = 0;
    struct hd_evlist *l;
    if (j->persists && !hd_persists_judge(j->persists, hd_machine_performed(j->machine, 0), epoch))
        return false;
    for (unsigned i = 0; good && (l = hd_machine_performed(j->machine, i)) != NULL; i++) {
        if (told && j->file && !hd_evlog_write(j->file, l->event, l->count, 0, false)) {
            j->broken = "the event log cannot be written";
            j->unwritten = true;
            return false;
        }
        if (told && j->mcm)
            good = hd_mcm_add(j->mcm, l->event, l->count);
        l->count = 0;
    }
    for (uint32_t i = 0; i < sms; i++) {
        l = &j->log->sm[i];
        bool last = i + 1 == sms;
        if (j->file && !hd_evlog_write(j->file, l->event, l->count, last ? watermark : 0, last && epoch)) {
            j->broken = "the event log cannot be written";
            j->unwritten = true;
            return false;
        }
        if (j->mcm)
            good = good && hd_mcm_add(j->mcm, l->event, l->count);
        l->count = 0;
    }
    if (!j->mcm || !good)
        return good;
    return epoch ? hd_mcm_epoch(j->mcm, watermark) : hd_mcm_advance(j->mcm, watermark);
}

bool hd_judge_window(struct hd_judge *j)
{
    bool epoch = hd_simt_epoch(j->simt), good = true, full = false;

    if (!hd_evlog_reserve(j->log) || (j->persists && !hd_persists_reserve(j->persists, &full))) {
        j->broken = "no memory for the event log";
        return false;
    }
    if (epoch || full || j->log->count >= DRAIN_RECORDS || ++j->windows >= DRAIN_WINDOWS)
        good = drain(j, hd_simt_watermark(j->simt), epoch);
    return good && hd_evlog_reserve(j->log) && (!j->persists || hd_persists_reserve(j->persists, &full));
}

static uint32_t peek(void *ctx, uint32_t addr)
{
    return hd_machine_peek(ctx, addr);
}

const char *hd_judge_end(struct hd_judge *j, bool complete, const struct hd_machine *m)
{
    const uint32_t *issued = hd_simt_issued(j->simt);

    if (!j->broken && !hd_judge_violation(j) && hd_evlog_reserve(j->log))
        drain(j, UINT64_MAX, false);
    if (j->persists)
        j->durable = hd_persists_end(j->persists, complete && m != NULL && !hd_judge_violation(j));
    if (j->durable && !strcmp(j->durable, "pass") && (!complete || hd_judge_violation(j)))
        j->durable = NULL;
    if (j->file) {
        if (!hd_evlog_close(j->file, issued)) {
            j->broken = "the event log cannot be written";
            j->unwritten = true;
        }
        j->file = NULL;
    }
    if (j->broken || !j->mcm)
        return j->broken;
    if (complete && hd_mcm_finish(j->mcm, issued) && m) {
        struct hd_machine *machine = (struct hd_machine *)(uintptr_t)m; /* peek takes it as context, and only reads */
        hd_mcm_image(j->mcm, peek, machine);
    }
    const struct hd_mcm_violation *v = hd_judge_violation(j);
    return v ? v->text : complete ? "pass" : NULL;
}

bool hd_judge_unwritten(const struct hd_judge *j)
{
    return j->unwritten;
}

const char *hd_judge_persist(const struct hd_judge *j)
{
    return j->durable;
}

const struct hd_mcm_violation *hd_judge_violation(const struct hd_judge *j)
{
    return j && j->mcm ? hd_mcm_violation(j->mcm) : NULL;
}
