/* page_papers.c - see page_parts.h: the papers, their experiments and what these draw. */
#include "experiments.h"
#include "page_parts.h"
#include <string.h>

const struct hd_paper hd_papers[HD_PAPERS] = {
    {"Efficiently Enforcing Strong Memory Ordering in GPUs", "paper1", "docs/ordering.md", "docs/results/ordering.md",
     {"ordering"}, {"lab ordering --reduced --sensitivity"}},
    {"Understanding Outstanding Memory Request Handling Resources in GPGPUs", "fermi-mshr", "docs/outstanding.md",
     "docs/results/outstanding.md", {"outstanding"}, {"lab outstanding --paper --quick"}},
    {"Efficient GPU Synchronization without Scopes", "paper3", "docs/heterosync.md", "docs/results/coherence.md",
     {"coherence", "latencies"}, {"lab coherence --quick", "lab latencies --quick"}},
    {"A Case for Scoped Persist Barriers in GPUs", "paper4", "docs/persistency.md", "docs/results/persistency.md",
     {"persistency"}, {"lab persistency --quick"}},
    {"Hardware Support for Local Memory Transactions on GPU Architectures", "paper5", "docs/localtm.md",
     "docs/results/localtm.md", {"localtm"}, {"lab localtm --quick"}},
};

static size_t grid_figures(const struct hd_grid *g, char name[HD_EXPECTED][64])
{
    size_t n = 0;
    for (size_t i = 0; i < g->figures && n < HD_EXPECTED; i++)
        snprintf(name[n++], 64, "%s-%s", g->name, g->figure[i].name);
    for (size_t i = 0; i < g->splits && n < HD_EXPECTED; i++)
        snprintf(name[n++], 64, "%s-%s", g->name, g->split[i].name);
    return n;
}

size_t hd_page_figures(const char *experiment, char name[HD_EXPECTED][64])
{
    enum { FIRST_CURVE = 2, CURVES = 8, FIRST_TM = 3 };
    size_t n = 0;
    for (const struct hd_grid *const *g = hd_lab_experiments; *g; g++)
        if (strcmp((*g)->name, experiment) == 0)
            return grid_figures(*g, name);
    if (strcmp(experiment, "outstanding") == 0)
        for (; n < CURVES; n++)
            snprintf(name[n], 64, "outstanding-figure%zu", FIRST_CURVE + n);
    if (strcmp(experiment, "localtm") == 0)
        for (; n < 9; n++)
            snprintf(name[n], 64, "localtm-figure%zu%c", FIRST_TM + n / 3, (char)('a' + n % 3));
    return n;
}
