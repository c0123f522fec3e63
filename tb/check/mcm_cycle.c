/* mcm_cycle.c - see mcm_parts.h: what does not drain has a cycle; a shortest one is the report.
 *
 * Tarjan's algorithm on the nodes that are left gives the strongly connected components; within the smallest one
 * that has a cycle a breadth-first search from each of its operations (at most STARTS) finds the cycle with the
 * fewest communication edges: those of program order count nothing. */
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdlib.h>

enum { STARTS = 1024 };

/* All arrays have one entry for each place of a node. */
struct search {
    struct hd_mcm *m;
    unsigned g;
    uint32_t *index, *low, *at, *stack, *component; /* index 0: not visited; at: the edge to follow next */
    uint32_t *distance, *stamp, *parent, *via, *queue;
    uint32_t *memory;
};

static bool search_new(struct search *s, struct hd_mcm *m)
{
    size_t n = m->nodes.used;
    uint32_t **const part[] = {&s->index, &s->low, &s->at, &s->stack, &s->component,
                               &s->distance, &s->stamp, &s->parent, &s->via};
    enum { PARTS = sizeof part / sizeof part[0] };

    *s = (struct search){.m = m};
    s->memory = calloc(n * PARTS + 2 * m->edges.used + 2 * n + 2, sizeof *s->memory);
    if (s->memory == NULL)
        return false;
    for (size_t i = 0; i < PARTS; i++)
        *part[i] = s->memory + i * n;
    s->queue = s->memory + PARTS * n;
    return true;
}

static bool alive(const struct search *s, uint32_t i)
{
    return s->m->node[i].serial != 0 && (s->m->node[i].retired >> s->g & 1) == 0;
}

/* Tarjan's algorithm without recursion. Numbers the components in `component`, from 1; @return the number of the
 * smallest component of more than one node, 0 if there is none. (No node has an edge to itself.) */
static uint32_t components(struct search *s)
{
    const struct node *node = s->m->node;
    const struct edge *edge = s->m->edge;
    uint32_t count = 0, components = 0, top = 0, best = 0, best_size = NONE;
    uint32_t *path = s->queue, depth = 0; /* the nodes being visited */

    for (uint32_t root = 0; root < s->m->nodes.used; root++) {
        if (!alive(s, root) || s->index[root] != 0)
            continue;
        path[depth++] = root;
        while (depth > 0) {
            uint32_t v = path[depth - 1];
            if (s->index[v] == 0) {
                s->index[v] = s->low[v] = ++count;
                s->stack[top++] = v;
                s->at[v] = node[v].g[s->g].out;
            } else {
                uint32_t w = edge[s->at[v]].to; /* the visit of w has just ended, or w was visited before */
                if (s->component[w] == 0 && s->low[w] < s->low[v])
                    s->low[v] = s->low[w];
                s->at[v] = edge[s->at[v]].next;
            }
            while (s->at[v] != NONE && s->index[edge[s->at[v]].to] != 0) {
                uint32_t w = edge[s->at[v]].to;
                if (s->component[w] == 0 && s->index[w] < s->low[v])
                    s->low[v] = s->index[w];
                s->at[v] = edge[s->at[v]].next;
            }
            if (s->at[v] != NONE) {
                path[depth++] = edge[s->at[v]].to;
                continue;
            }
            depth--;
            if (s->low[v] != s->index[v])
                continue;
            uint32_t size = 0, w;
            components++;
            do {
                w = s->stack[--top];
                s->component[w] = components;
                size++;
            } while (w != v);
            if (size > 1 && size < best_size) {
                best = components;
                best_size = size;
            }
        }
    }
    return best;
}

static bool communicates(uint32_t kind)
{
    return kind >= HD_MCM_RF;
}

/* Shortest way from @start back to it within component @c. @return its communication edges, or @limit if it has
 * that many or more. Then parent[] and via[] lead back from @start. */
static uint32_t shortest(struct search *s, uint32_t start, uint32_t c, uint32_t limit)
{
    const struct edge *edge = s->m->edge;
    size_t middle = s->m->edges.used + s->m->nodes.used, head = middle, tail = middle;
    uint32_t found = limit;

    s->queue[tail++] = start;
    s->distance[start] = 0;
    s->stamp[start] = start + 1;
    while (head < tail) {
        uint32_t v = s->queue[head++];
        uint32_t d = s->distance[v];
        if (d >= found)
            break;
        for (uint32_t e = s->m->node[v].g[s->g].out; e != NONE; e = edge[e].next) {
            uint32_t w = edge[e].to, there = d + communicates(edge[e].kind);
            if (s->component[w] != c)
                continue;
            if (w == start) {
                if (there < found) {
                    found = there;
                    s->parent[start] = v;
                    s->via[start] = edge[e].kind;
                }
                continue;
            }
            if (s->stamp[w] == start + 1 && s->distance[w] <= there)
                continue;
            s->stamp[w] = start + 1;
            s->distance[w] = there;
            s->parent[w] = v;
            s->via[w] = edge[e].kind;
            if (there == d && head > 0)
                s->queue[--head] = w;
            else
                s->queue[tail++] = w;
        }
    }
    return found;
}

/* Writes the cycle through @start into the violation. Of a piece of program order only both ends are kept. */
static void report(struct search *s, uint32_t start)
{
    struct hd_mcm *m = s->m;
    uint32_t n = 0, *path = s->stack, *kind = s->low; /* no longer needed for Tarjan */

    for (uint32_t v = start;;) { /* backwards: kind[k] is the edge into path[k], from path[k + 1] */
        path[n] = v;
        kind[n++] = s->via[v];
        v = s->parent[v];
        if (v == start)
            break;
    }
    for (uint32_t k = n; k > 0; k--) {
        uint32_t i = k % n; /* forwards, beginning with start */
        uint32_t into = kind[i], out = kind[i > 0 ? i - 1 : n - 1];
        const struct hd_event *e = &m->node[path[i]].ev;
        bool inside = !communicates(into) && !communicates(out) && e->kind != HD_EVK_BAR;
        if (!m->node[path[i]].helper && !inside)
            mcm_step(m, e, (enum hd_mcm_edge)out);
    }
}

bool mcm_find_cycle(struct hd_mcm *m)
{
    struct search s;

    for (unsigned g = 0; g < m->graphs; g++) {
        if (!search_new(&s, m)) {
            mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
            return true;
        }
        s.g = g;
        uint32_t c = components(&s), best = NONE, best_start = NONE, starts = 0;
        for (uint32_t i = 0; c != 0 && i < m->nodes.used && starts < STARTS && best > 1; i++) {
            if (s.component[i] != c || m->node[i].helper)
                continue;
            starts++;
            uint32_t length = shortest(&s, i, c, best);
            if (length < best) {
                best = length;
                best_start = i;
            }
        }
        if (best_start != NONE) {
            static const char *const names[] = {"sequential consistency", "SC of warps",  "TSO",
                                                "RMO",                    "RMO within a thread block",
                                                "coherence of one word",  "no value out of thin air",
                                                "order of synchronization", "full fences",
                                                "full fences within a thread block"};
            shortest(&s, best_start, c, best + 1);
            report(&s, best_start);
            mcm_fail(m, HD_MCM_CYCLE, "%s: a cycle of %u operations, cycles %" PRIu32 "..%" PRIu32, names[m->kind[g]],
                     m->violation.length, m->violation.first, m->violation.last);
        }
        free(s.memory);
        if (best_start != NONE)
            return true;
    }
    return false;
}

/* ---- printing --------------------------------------------------------------------------------------------------- */

void hd_mcm_print(const struct hd_mcm_violation *v, FILE *file)
{
    static const char *const kinds[] = {[HD_MCM_ALLOWED] = "allowed",      [HD_MCM_LOG] = "event log",
                                        [HD_MCM_DATA] = "data",            [HD_MCM_STALE] = "stale",
                                        [HD_MCM_CYCLE] = "order violated", [HD_MCM_RACE] = "data race",
                                        [HD_MCM_NO_MEMORY] = "not judged"};
    static const char *const edges[] = {"po", "dep", "bar", "rf", "co", "fr", "done before issue", "hb"};
    static const char *const orders[] = {"", ".acq", ".rel", ".acqrel", ".sc", "", "", ""};
    static const char *const scopes[] = {".wi", ".wg", "", ""};
    static const char *const names[] = {"load", "store", "rmw", "fence", "barrier"};
    bool cycle = v->kind == HD_MCM_CYCLE || v->kind == HD_MCM_STALE;

    fprintf(file, "memory model: %s: %s\n", kinds[v->kind], v->text);
    for (unsigned i = 0; i < v->steps; i++) {
        const struct hd_event *e = &v->step[i].op;
        bool access = e->kind <= HD_EVK_RMW;
        const char *name = e->kind < HD_EVK_NUM ? names[e->kind] : "unknown"; /* a fault of the log is printed too */
        fprintf(file, "  SM %-2" PRIu32 " warp %-2" PRIu32 " lane %-2" PRIu32 " #%-6" PRIu32 " %s%s%s%s", e->tid >> 16,
                e->tid >> 8 & 0xff, e->tid & 0xff, e->po, name,
                access && (e->order & HD_EV_ATOMIC) && e->kind != HD_EVK_RMW ? ".atomic" : "", orders[e->order & 7],
                (e->order & 7) ? scopes[e->scope & 3] : "");
        if (access)
            fprintf(file, " %s[0x%08" PRIx32 "]", e->space != 0 ? "lds" : "", e->addr);
        if (e->kind == HD_EVK_LD || e->kind == HD_EVK_RMW)
            fprintf(file, " reads 0x%" PRIx32 " of %" PRIu32, e->rval, e->src);
        if (e->kind == HD_EVK_ST || e->kind == HD_EVK_RMW)
            fprintf(file, " writes 0x%" PRIx32, e->wval);
        fprintf(file, "  id %" PRIu32 ", cycles %" PRIu32 "..%" PRIu32 "%s%s\n", e->id, e->t_issue, e->t_done,
                cycle ? "  --> " : "", cycle ? edges[v->step[i].next] : "");
    }
    if (v->length > v->steps)
        fprintf(file, "  ... and %u more\n", v->length - v->steps);
}
