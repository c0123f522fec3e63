/* khronos.c - a test of the Vulkan memory model in the spelling of its Alloy tests: a line is an operation of the thread that
 * NEWQF, NEWWG, NEWSG, NEWTHREAD opened last, a load names the value that it finds, and lines at the end say whether the
 * model has such an execution, with a data race and without. */
#define _POSIX_C_SOURCE 200809L
#include "scoped_parts.h"
#include <ctype.h>
#include <string.h>

/* scopewg.sc0 are what wg.sc0 are in the other spelling of Vulkan. */
static void split(struct scoped *s, struct parts *p)
{
    static char device[] = "dv";
    hd_sc_split(s, p);
    for (unsigned i = 1; i < p->count; i++) {
        if (strncmp(p->part[i], "scope", 5) == 0)
            p->part[i] += 5;
        if (strcmp(p->part[i], "dev") == 0)
            p->part[i] = device;
    }
}

/* x = 1 2: @return the number of values. */
static unsigned take_values(struct scoped *s, char name[WORD], char value[2][WORD])
{
    unsigned n = 0;
    hd_sc_word(s, name, false, "a variable");
    if (!isalpha((unsigned char)*name))
        hd_sc_bad(s, "expected a variable, not '%s'", name);
    hd_sc_variable(name);
    if (!hd_sc_take(s, "="))
        return 0;
    for (hd_sc_space(s); n < 2 && isdigit((unsigned char)hd_sc_peek(s)); hd_sc_space(s))
        hd_sc_word(s, value[n++], false, "a value");
    if (n == 0)
        hd_sc_bad(s, "expected a value");
    return n;
}

/* The value that the next register must hold. */
static void expect_value(struct process *p, const char *value)
{
    const size_t n = strlen(p->s->outcome), room = sizeof p->s->outcome - n;
    const char *and = n ? " /\\ " : "";
    if (value && snprintf(p->s->outcome + n, room, "%s(%u:r%u=%s)", and, p->s->columns - 1, p->temps, value) >= (int)room)
        hd_sc_bad(p->s, "expected fewer values");
}

static void read_access(struct process *p, struct parts *parts)
{
    struct scoped *s = p->s;
    char name[WORD], value[2][WORD], access[WORD] = "";
    const char what = *parts->part[0];
    struct access a = hd_sc_access(s, parts, 1);
    const unsigned n = take_values(s, name, value), wanted = what == 'r' ? 2 : what == 's';
    if (n != wanted && (what != 'l' || n > 1))
        hd_sc_bad(s, what == 'r' ? "expected the value read and the value written" : "expected one value");
    if (what == 'r' && !a.scope)
        hd_sc_bad(s, "expected a scope");
    if ((what == 'l' && strcmp(a.order, "screl") == 0) || (what == 's' && strcmp(a.order, "scacq") == 0))
        hd_sc_bad(s, "expected a store that does not acquire, a load that does not release");
    if (what == 'r' || a.atomic || a.seen_by)
        snprintf(access, sizeof access, "atomic,%s,%s", a.order, a.scope);
    if (what != 's')
        expect_value(p, n > 0 ? value[0] : NULL);
    if (what == 's')
        hd_sc_row(p, "w[%s] %s %s", access, name, value[0]);
    else if (what == 'l')
        hd_sc_row(p, "r[%s] r%u %s", access, p->temps++, name);
    else
        hd_sc_row(p, "rmw[%s] r%u %s %s", access, p->temps++, value[1], name);
}

/* membar.acq.scopewg.semsc0, cbar.acq.rel.scopewg.semsc0 0 */
static void read_fence(struct process *p, struct parts *parts, bool barrier)
{
    struct scoped *s = p->s;
    bool acquires = false, releases = false;
    unsigned kept = 1;
    for (unsigned i = 1; i < parts->count; i++) {
        const bool acquire = strcmp(parts->part[i], "acq") == 0, release = strcmp(parts->part[i], "rel") == 0;
        acquires |= acquire;
        releases |= release;
        if (!acquire && !release)
            parts->part[kept++] = parts->part[i];
    }
    parts->count = kept;
    const struct access a = hd_sc_access(s, parts, 1);
    if (!a.scope || (!barrier && !acquires && !releases))
        hd_sc_bad(s, "expected an order and a scope");
    if (releases)
        hd_sc_row(p, "f[screl,%s]", a.scope);
    if (barrier) {
        char number[WORD];
        hd_sc_word(s, number, false, "the number of the barrier");
        hd_sc_number(s, number, "the number of the barrier");
        struct mark *m = hd_sc_mark(s, p->c, number);
        m->is = BAR;
        m->subgroup = strcmp(a.scope, "wave") == 0;
        hd_sc_row(p, "bar[]");
    }
    if (acquires)
        hd_sc_row(p, "f[scacq,%s]", a.scope);
}

static void read_operation(struct process *p, struct parts *parts)
{
    static const char *const accesses[] = {"ld", "st", "rmw", NULL};
    const char *what = parts->part[0];
    if (hd_sc_one_of(what, accesses))
        read_access(p, parts);
    else if (strcmp(what, "membar") == 0 || strcmp(what, "cbar") == 0)
        read_fence(p, parts, *what == 'c');
    else if (strcmp(what, "avdevice") == 0 || strcmp(what, "visdevice") == 0)
        hd_sc_row(p, "f[%s,agent]", *what == 'a' ? "screl" : "scacq");
    else
        hd_sc_bad(p->s, "expected an operation, not '%s'", what);
}

/* What the model must find: [NOCHAINS] [consistent[X]] [&& #dr=0]. Only executions that are consistent tell of a machine, and
 * NOCHAINS is of another version of the model. */
static void read_finding(struct scoped *s, bool possible)
{
    char line[128];
    size_t n = 0;
    for (; s->at < s->length && hd_sc_peek(s) != '\n'; s->at++)
        if (n + 1 < sizeof line)
            line[n++] = hd_sc_peek(s);
    line[n] = '\0';
    if (!strstr(line, "#dr") && !strstr(line, "consistent[X]"))
        hd_sc_bad(s, "expected consistent[X], #dr=0 or #dr>0");
    if (strstr(line, "NOCHAINS") || !strstr(line, "consistent[X]"))
        return;
    const bool one = strstr(line, "#dr") != NULL, race = strstr(line, "#dr>0") != NULL;
    for (unsigned k = 0; k < 2; k++)
        if (!one || race == (k == 1))
            s->found[k] = possible ? FOUND : NOT_FOUND;
}

void hd_sc_khronos(struct scoped *s)
{
    static const char *const levels[] = {"NEWQF", "NEWWG", "NEWSG", "NEWTHREAD", NULL};
    unsigned group = 0, wave = 0;
    struct process *p = NULL;
    for (hd_sc_space(s); s->at < s->length; hd_sc_space(s)) {
        struct parts parts;
        char word[WORD];
        hd_sc_word(s, parts.word, true, "an operation, NEWWG, NEWSG, NEWTHREAD, SATISFIABLE or NOSOLUTION");
        const char *what = parts.word;
        if (strcmp(what, "SATISFIABLE") == 0 || strcmp(what, "NOSOLUTION") == 0)
            read_finding(s, *what == 'S');
        else if (hd_sc_one_of(what, levels)) {
            hd_sc_space(s);
            if (isdigit((unsigned char)hd_sc_peek(s)))
                hd_sc_word(s, word, false, "a number");
            group += what[3] == 'W' || what[3] == 'Q';
            wave += what[3] != 'T';
            p = NULL;
            if (what[3] == 'T') {
                p = hd_sc_process(s);
                p->c->group = group;
                p->c->wave = wave;
            }
        } else if (strcmp(what, "SSW") == 0 || strcmp(what, "SLOC") == 0) {
            hd_sc_lacks(s, *(what + 1) == 'S' ? "system-synchronizes-with (ssw)" : "two names of a word (aliases, proxies)");
            hd_sc_word(s, word, false, "two operands");
            hd_sc_word(s, word, false, "a second operand");
        } else if (!p)
            hd_sc_bad(s, "expected NEWTHREAD before '%s'", what);
        else {
            split(s, &parts);
            read_operation(p, &parts);
        }
    }
    if (s->columns == 0)
        hd_sc_bad(s, "expected a thread (NEWWG, NEWSG, NEWTHREAD)");
    if (s->found[0] == UNKNOWN && s->found[1] == UNKNOWN)
        hd_sc_bad(s, "expected SATISFIABLE or NOSOLUTION");
    hd_sc_table(s);
}
