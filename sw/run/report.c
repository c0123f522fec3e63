/* report.c - see report.h. */
#include "report.h"
#include "report/json.h"
#include "report/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hd_report_key(const struct hd_config *c, const char *key, char buffer[32])
{
    const char *name, *value;
    for (size_t i = 0; (name = hd_config_key(c, i, buffer, &value)); i++)
        if (strcmp(name, key) == 0)
            return value;
    return "?";
}

/* Warm-up, links, latencies, where they were asked for. */
static void over_time_text(const struct hd_result *r)
{
    uint64_t instructions, flits, warm = r->timeline ? hd_timeline_warmup(r->timeline, &instructions) : 0;
    const char *name;
    double used;
    char a[32], b[32];
    if (warm)
        printf("  warm-up            %s cycles more, not counted above\n", hd_text_grouped(warm, a));
    for (size_t i = 0; r->timeline && hd_timeline_link(r->timeline, i, &name, &flits, &used); i++)
        printf("  %-40s %14s flits %6.1f %% used\n", name, hd_text_grouped(flits, a), 100 * used);
    const struct hd_timeline_options *t = &r->options->timeline;
    if (r->timeline && t->interval && !r->unwritten)
        printf("  over time          %s/%s.csv%s\n", t->folder, hd_result_name(r), t->plot ? " .svg .png" : "");
    struct hd_latency_level level[HD_LATENCY_LEVELS];
    if (!r->latency)
        return;
    hd_latency_get(r->latency, level);
    for (unsigned i = 0; i < HD_LATENCY_LEVELS; i++) {
        printf("  loads, %-11s %s that took %s cycles or more: mean %.1f, most %s\n", level[i].name,
               hd_text_grouped(level[i].loads, a),
               hd_text_grouped(level[i].from, b), level[i].loads ? (double)level[i].cycles / (double)level[i].loads : 0.0,
               hd_text_grouped(level[i].most, (char[32]){0}));
        for (unsigned bucket = 0; bucket < HD_LATENCY_BUCKETS; bucket++)
            if (level[i].bucket[bucket]) {
                char range[48];
                snprintf(range, sizeof range, "%u to %llu", bucket ? 1u << bucket : 0, (2ULL << bucket) - 1);
                printf("    %14s   %14s\n", range, hd_text_grouped(level[i].bucket[bucket], a));
            }
    }
}

void hd_report_text(const struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    const struct hd_config *c = o->config;
    char a[32], b[32];
    printf("%s on %s: %u SM%s, %u L2 partition%s, order %s, scheduler %s, seed %llu\n", hd_result_name(r), c->name,
           c->sms, c->sms == 1 ? "" : "s", c->partitions, c->partitions == 1 ? "" : "s", hd_report_key(c, "order", a),
           hd_report_key(c, "scheduler", b), (unsigned long long)o->seed);
    uint64_t every = 1;
    const char *kernels = r->replay ? hd_replay_chosen(r->replay, &every) : NULL;
    if (kernels)
        printf("  kernels            %s\n", kernels);
    if (every > 1)
        printf("  blocks             one of %s\n", hd_text_grouped(every, a));
    printf("  cycles             %s\n", hd_text_grouped(r->cycles, a));
    printf("  warp instructions  %s (%.3f a cycle)\n", hd_text_grouped(r->instructions, a),
           r->cycles ? (double)r->instructions / (double)r->cycles : 0.0);
    printf("  L1 miss rate       %.1f %% of accepted accesses; %.1f %% merged with a pending miss\n",
           100 * hd_result_miss_rate(r), 100 * hd_result_merge_rate(r));
    printf("  DRAM               %s read, %s written\n",
           hd_text_bytes((double)hd_result_counter(r, "dram.read_bytes"), a),
           hd_text_bytes((double)hd_result_counter(r, "dram.write_bytes"), b));
    const struct hd_counter *own;
    size_t n = hd_work_counters(r->work, &own);
    for (size_t i = 0; i < n; i++)
        printf("  %-18s %s\n", own[i].name, hd_text_grouped(own[i].value, a));
    over_time_text(r);
    const char *note = r->replay ? hd_replay_note(r->replay) : NULL;
    if (note)
        printf("  note               %s\n", note);
    printf("  host               %.2f CPU s, %s core cycles per CPU second\n", r->cpu_seconds,
           hd_text_grouped((uint64_t)hd_result_speed(r), a));
    printf("  checks             %u of %u passed:", hd_result_passed(r), hd_result_checked(r));
    for (int i = 0; i < HD_CHECKS; i++) {
        bool plain = strcmp(r->check[i].verdict, "pass") == 0;
        printf("%s %s%s%s", i ? "," : "", r->check[i].name, plain ? "" : " ", plain ? "" : r->check[i].verdict);
    }
    printf("\n");
}

static void put(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static json_t *settings(const struct hd_config *c)
{
    json_t *object = json_object();
    char buffer[32];
    const char *name, *value;
    for (size_t i = 0; (name = hd_config_key(c, i, buffer, &value)); i++) {
        if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
            json_object_set_new(object, name, json_boolean(value[0] == 't'));
        else if (value[0] >= '0' && value[0] <= '9')
            put(object, name, strtoull(value, NULL, 10));
        else
            json_object_set_new(object, name, json_string(value));
    }
    return object;
}

static json_t *parameters(const struct hd_result *r)
{
    json_t *object = json_object();
    uint32_t value;
    const char *name;
    for (size_t i = 0; (name = hd_work_param_at(r->work, i, &value)); i++)
        put(object, name, value);
    uint64_t every = 1;
    const char *kernels = r->replay ? hd_replay_chosen(r->replay, &every) : NULL;
    if (kernels)
        json_object_set_new(object, "kernels", json_string(kernels));
    if (every > 1)
        put(object, "every", every);
    return object;
}

static json_t *verdicts(const struct hd_result *r)
{
    json_t *object = json_object();
    for (int i = 0; i < HD_CHECKS; i++)
        json_object_set_new(object, r->check[i].name, json_string(r->check[i].verdict));
    return object;
}

/* Those of the machine and those of the workload. */
static json_t *counters(const struct hd_result *r, bool zeros)
{
    json_t *object = json_object();
    const struct hd_counter *own;
    size_t n = hd_work_counters(r->work, &own);
    for (size_t i = 0; i < r->counters; i++)
        if (zeros || r->counter[i].value != 0)
            put(object, r->counter[i].name, r->counter[i].value);
    for (size_t i = 0; i < n; i++)
        put(object, own[i].name, own[i].value);
    return object;
}

char *hd_report_settings(const struct hd_config *c)
{
    return hd_json_line(settings(c));
}

char *hd_report_parameters(const struct hd_result *r)
{
    json_t *object = parameters(r);
    uint64_t instructions, warm = r->timeline ? hd_timeline_warmup(r->timeline, &instructions) : 0;
    if (warm)
        put(object, "warmup_cycles", warm);
    return hd_json_line(object);
}

char *hd_report_verdicts(const struct hd_result *r)
{
    return hd_json_line(verdicts(r));
}

char *hd_report_counters(const struct hd_result *r)
{
    return hd_json_line(counters(r, false));
}

/* The same. */
static void over_time_json(const struct hd_result *r, json_t *all)
{
    uint64_t instructions = 0, flits, warm = r->timeline ? hd_timeline_warmup(r->timeline, &instructions) : 0;
    const char *name;
    double used;
    json_t *links = json_object(), *loads = json_object();
    if (warm) {
        put(all, "warmup_cycles", warm);
        put(all, "warmup_warp_instructions", instructions);
    }
    for (size_t i = 0; r->timeline && hd_timeline_link(r->timeline, i, &name, &flits, &used); i++) {
        json_t *link = json_object();
        put(link, "flits", flits);
        json_object_set_new(link, "used", json_real(used));
        json_object_set_new(links, name, link);
    }
    if (json_object_size(links))
        json_object_set(all, "links", links);
    json_decref(links);
    struct hd_latency_level level[HD_LATENCY_LEVELS];
    if (r->latency)
        hd_latency_get(r->latency, level);
    for (unsigned i = 0; r->latency && i < HD_LATENCY_LEVELS; i++) {
        json_t *of = json_object(), *buckets = json_object();
        char from[24];
        put(of, "from", level[i].from);
        put(of, "loads", level[i].loads);
        put(of, "cycles", level[i].cycles);
        put(of, "most", level[i].most);
        for (unsigned b = 0; b < HD_LATENCY_BUCKETS; b++) {
            snprintf(from, sizeof from, "%u", b ? 1u << b : 0);
            if (level[i].bucket[b])
                put(buckets, from, level[i].bucket[b]);
        }
        json_object_set_new(of, "histogram", buckets);
        json_object_set_new(loads, level[i].name, of);
    }
    if (r->latency)
        json_object_set(all, "load_latency", loads);
    json_decref(loads);
}

int hd_report_json(const struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    char buffer[32];
    json_t *all = json_object(), *policy = json_object(), *host = json_object();
    json_object_set_new(all, "config", json_string(o->config->name));
    json_object_set_new(all, "workload", json_string(hd_result_name(r)));
    json_object_set_new(all, "parameters", parameters(r));
    json_object_set_new(policy, "order", json_string(hd_report_key(o->config, "order", buffer)));
    json_object_set_new(policy, "scheduler", json_string(hd_report_key(o->config, "scheduler", buffer)));
    json_object_set_new(all, "policy", policy);
    put(all, "seed", o->seed);
    put(all, "cycles", r->cycles);
    put(all, "warp_instructions", r->instructions);
    json_object_set_new(all, "l1_miss_rate", json_real(hd_result_miss_rate(r)));
    json_object_set_new(all, "l1_merge_rate", json_real(hd_result_merge_rate(r)));
    json_object_set_new(all, "checks", verdicts(r));
    if (r->judge)
        put(all, "judged", hd_result_judged(r));
    json_object_set_new(all, "counters", counters(r, true));
    over_time_json(r, all);
    json_object_set_new(all, "settings", settings(o->config));
    const char *note = r->replay ? hd_replay_note(r->replay) : NULL;
    if (note)
        json_object_set_new(all, "note", json_string(note));
    json_object_set_new(host, "cpu_seconds", json_real(r->cpu_seconds));
    json_object_set_new(host, "wall_seconds", json_real(r->wall_seconds));
    json_object_set_new(host, "cycles_per_second", json_real(hd_result_speed(r)));
    for (size_t i = 0; i < r->host_counters; i++)
        put(host, r->host_counter[i].name + (strncmp(r->host_counter[i].name, "host.", 5) == 0 ? 5 : 0),
            r->host_counter[i].value);
    json_object_set_new(all, "host", host);
    return hd_json_print(all, 2, 6) ? 0 : -1;
}

void hd_report_failed(const struct hd_result *r)
{
    for (int i = 0; i < HD_CHECKS; i++) {
        const char *verdict = r->check[i].verdict;
        if (strcmp(verdict, "pass") != 0 && strcmp(verdict, "off") != 0)
            fprintf(stderr, "heddle: %s: check %s: %s\n", hd_result_name(r), r->check[i].name, verdict);
    }
}

struct hd_row hd_report_row(const struct hd_result *r)
{
    struct hd_row row = {.cycles = r->cycles,
                         .miss_rate = hd_result_miss_rate(r),
                         .merge_rate = hd_result_merge_rate(r),
                         .dram_bytes = hd_result_dram_bytes(r),
                         .speed = hd_result_speed(r),
                         .passed = hd_result_passed(r),
                         .checked = hd_result_checked(r)};
    char buffer[32];
    snprintf(row.order, sizeof row.order, "%.7s", hd_report_key(r->options->config, "order", buffer));
    for (char *p = row.order; *p; p++)
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
    return row;
}

void hd_report_table(const struct hd_config *c, const char *workload, uint64_t seed, const struct hd_row *rows,
                     size_t n)
{
    printf("%s on %s: %u SM%s, %u L2 partition%s, seed %llu\n\n", workload, c->name, c->sms, c->sms == 1 ? "" : "s", c->partitions,
           c->partitions == 1 ? "" : "s",
           (unsigned long long)seed);
    printf("%-6s%12s%9s%15s%9s%15s%18s%9s\n", "order", "cycles", "vs RMO", "L1 miss rate", "merged", "DRAM traffic",
           "cycles / CPU s", "checks");
    for (size_t i = 0; i < n; i++) {
        const struct hd_row *w = &rows[i];
        char cycles[32], traffic[32], speed[32], checks[32];
        snprintf(checks, sizeof checks, "%u/%u", w->passed, w->checked);
        printf("%-6s%12s%9.2f%13.1f %%%7.1f %%%15s%18s%9s\n", w->order, hd_text_grouped(w->cycles, cycles),
               rows[0].cycles ? (double)w->cycles / (double)rows[0].cycles : 0.0, 100 * w->miss_rate,
               100 * w->merge_rate,
               hd_text_bytes(w->dram_bytes, traffic), hd_text_grouped((uint64_t)w->speed, speed), checks);
    }
    printf("\nL1 miss rate: line accesses that took a miss entry; merged: that joined one; both of accepted accesses.\n"
           "Cycles are core cycles.\n");
}
