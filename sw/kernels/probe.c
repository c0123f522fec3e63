/* probe.c - latencies of single loads from every SM to every bank (paper 3, Table 3): of lines that the L2 has, that another SM has
 * written, that only memory has, and of the word once it is in the L1. One SM measures at a time, a grid each; a grid before
 * them prepares the lines. A latency counts from the load's issue to that of who uses it, less what an L1 hit takes, plus the one
 * cycle of an L1 hit. */
#include "work.h"
#include <stdlib.h>

enum kind { L2, REMOTE, MEMORY };
enum { SAME = 4, READERS = 2 };       /* loads of a pair, at most, from lines that follow each other in the bank; a line that two have read is no one's */

struct args;
struct turn {                         /* SM that measures */
    const struct args *g;
    uint32_t sm;
};
struct args {
    enum kind kind;
    uint32_t sms, banks, line, owners; /* line: words; owners: SMs that have lines of their own for one that measures */
    uint32_t same;
    const struct hd_array *data;
    uint32_t l1[2], least, most, pairs; /* cycles */
    uint64_t sum;
    struct turn *turn;
};

/* Word that SM @sm asks of bank @bank, of those prepared by the @owner-th SM after it; words of an SM's stay together. */
static uint32_t place(const struct args *g, uint32_t sm, uint32_t owner, uint32_t i, uint32_t bank)
{
    return hd_at(g->data, (((sm * g->owners + owner) * g->same + i) * g->banks + bank) * g->line);
}

static void prepare_lines(struct hd_warp *w, void *args)
{
    const struct args *g = ((struct turn *)args)->g;
    uint32_t me = hd_block(w) % g->sms, value = 1;
    for (uint32_t owner = 0; owner < (g->kind == REMOTE ? g->owners : READERS); owner++) {
        uint32_t sm = (me + g->sms - 1 - owner) % g->sms;
        for (uint32_t i = 0; i < g->same; i++)
            for (uint32_t bank = 0; bank < g->banks; bank++)
                if (g->kind == REMOTE)
                    hd_st_row(w, 1, place(g, sm, owner, i, bank), &value);
                else
                    hd_use(w, hd_ld_all(w, 1, place(g, sm, 0, i, bank)));
    }
}

static uint32_t timed(struct hd_warp *w, uint32_t addr)
{
    uint32_t start = hd_clock(w);
    hd_use(w, hd_ld_all(w, 1, addr));
    return hd_clock(w) - start;
}

static void measure(struct hd_warp *w, void *args)
{
    const struct turn *turn = args;
    struct args *g = (struct args *)turn->g;
    if (hd_block(w) % g->sms != turn->sm)
        return;
    for (uint32_t owner = 0; owner < g->owners; owner++)
        for (uint32_t bank = 0; bank < g->banks; bank++)
            for (uint32_t i = 0; i < g->same; i++) {
                uint32_t addr = place(g, turn->sm, owner, i, bank), first = timed(w, addr), again = timed(w, addr), took = first - again + 1;
                g->l1[0] = again < g->l1[0] ? again : g->l1[0];
                g->l1[1] = again > g->l1[1] ? again : g->l1[1];
                g->least = took < g->least ? took : g->least;
                g->most = took > g->most ? took : g->most;
                g->sum += took;
                g->pairs++;
            }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g + (c->sms + 1) * sizeof *g->turn);
    g->turn = (struct turn *)(g + 1);
    g->kind = (enum kind)hd_work_param(k, "kind");
    g->sms = c->sms;
    g->banks = c->partitions;
    g->line = c->line_bytes / 4;
    g->owners = g->kind == REMOTE ? c->sms - 1 : 1;
    g->least = g->l1[0] = UINT32_MAX;
    if (c->sms < 3)
        return "sms: two prepare what a third measures";
    /* What an SM owns for the others and what it measures must be in its L1 together: an evicted line is the L2's again. */
    g->same = c->l1_sets * c->l1_ways / (2 * g->owners * g->banks);
    if (g->same == 0)
        return "kind: an L1 has fewer lines (l1_sets, l1_ways) than pairs of SM and bank, twice";
    g->same = g->same < SAME ? g->same : SAME;
    g->data = hd_work_array(k, "data", (uint64_t)g->sms * g->owners * g->same * g->banks * g->line);
    for (uint32_t i = 0; i <= g->sms; i++) {
        g->turn[i] = (struct turn){.g = g, .sm = i - 1};
        if (i > 0 || g->kind != MEMORY)
            hd_work_launch(k, &(struct hd_launch){.fn = i == 0 ? prepare_lines : measure, .args = &g->turn[i], .grid_x = g->sms,
                                                  .grid_y = 1, .block_x = c->lanes, .block_y = 1});
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 0; g->kind == REMOTE && i < g->data->words; i += g->line)
        g->data->host[i] = 1;
    hd_work_counter(k, "probe.l1_least", g->l1[0]);
    hd_work_counter(k, "probe.l1_most", g->l1[1]);
    hd_work_counter(k, "probe.least", g->least);
    hd_work_counter(k, "probe.most", g->most);
    hd_work_counter(k, "probe.mean", (g->sum + g->pairs / 2) / g->pairs);
}

static const struct hd_param params[] = {
    {"kind", 0, 0, 2, "lines that 0: the L2 has, 1: another SM has written, 2: only memory has"}, {0}};

const struct hd_workload hd_work_probe = {
    .name = "probe", .doc = "latencies of single loads from every SM to every bank", .params = params,
    .prepare = prepare, .reference = reference,
};
