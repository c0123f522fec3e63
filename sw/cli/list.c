/* list.c - see commands.h: `heddle list`, for people and, with --names, for completion. */
#include "commands.h"
#include "lab/experiments.h"
#include "help.h"
#include "run/configure.h"
#include "work.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2, DEEP = 62 /* column of a key's meaning */ };

struct filter {
    char **text;
    int texts;
    bool names;
};

static bool holds(const char *in, const char *text)
{
    for (; *in; in++) {
        size_t n = 0;
        while (text[n] && tolower((unsigned char)in[n]) == tolower((unsigned char)text[n]))
            n++;
        if (!text[n])
            return true;
    }
    return *text == 0;
}

static bool wanted(const struct filter *f, const char *name, const char *about)
{
    for (int i = 0; i < f->texts; i++)
        if (!holds(name, f->text[i]) && !holds(about, f->text[i]))
            return false;
    return true;
}

/* One line: a name from column @indent, its meaning from @at on; the name alone for programs. */
static void line(const struct filter *f, int indent, int at, const char *name, const char *about)
{
    if (f->names)
        puts(name);
    else
        hd_help_wrap(stdout, printf("%*s%s", indent, "", name), at, about);
}

static void workloads(const struct filter *f, bool keys)
{
    for (const struct hd_workload *const *w = hd_workloads(); *w; w++) {
        const struct hd_param *p;
        if (!wanted(f, (*w)->name, (*w)->doc))
            continue;
        line(f, 2, 16, (*w)->name, (*w)->doc);
        if (f->names || !keys)
            continue;
        for (size_t i = 0; (*w)->params[i].name; i++) {
            p = &(*w)->params[i];
            hd_help_wrap(stdout, printf("    %-13s%-9u%10u..%-10u", p->name, p->def, p->min, p->max), 50, p->doc);
        }
        if ((*w)->full) {
            char full[256] = "reduced: as above; full:";
            for (const struct hd_full *u = (*w)->full; u->name; u++)
                snprintf(full + strlen(full), sizeof full - strlen(full), " %s=%u", u->name, u->value);
            hd_help_wrap(stdout, printf("    %-13s%-9s%21s", "size", "reduced", "reduced, full"), 50, full);
        }
    }
}

static void configuration(const void *f, const char *name, const char *about)
{
    if (wanted(f, name, about))
        line(f, 2, 18, name, about);
}

static void keys(const struct filter *f)
{
    struct hd_config c;
    const char *name, *value, *about;
    char buffer[32], range[HD_CONFIG_RANGE];
    hd_config_default(&c);
    if (!f->names)
        printf("  %-20s %-11s%-28s%s\n", "key", "default", "range", "meaning");
    for (size_t i = 0; (name = hd_config_key(&c, i, buffer, &value)); i++) {
        about = hd_config_key_about(i, range);
        if (wanted(f, name, about) && f->names)
            puts(name);
        else if (wanted(f, name, about))
            hd_help_wrap(stdout, printf("  %-20s %-10s %-27s", name, value, range), DEEP, about);
    }
    const char *coherence = "sets l1, order and read_only: the configurations of paper 3";
    if (wanted(f, "coherence", coherence) && f->names)
        puts("coherence");
    else if (wanted(f, "coherence", coherence))
        hd_help_wrap(stdout, printf("  %-20s %-10s %-27s", "coherence", "", "gd/gh/dd/dd-ro/dh"), DEEP, coherence);
}

/* The values of a key that has names, one a line. */
static void values(const char *key)
{
    struct hd_config c;
    const char *name;
    char buffer[32], range[HD_CONFIG_RANGE];
    hd_config_default(&c);
    if (strcmp(key, "coherence") == 0)
        puts("gd\ngh\ndd\ndd-ro\ndh");
    if (strcmp(key, "size") == 0)
        puts("reduced\nfull");
    for (size_t i = 0; (name = hd_config_key(&c, i, buffer, NULL)); i++) {
        if (strcmp(name, key) != 0)
            continue;
        hd_config_key_about(i, range);
        if (strcmp(range, "true or false") == 0)
            puts("true\nfalse");
        if (!strchr(range, '|'))
            continue;
        for (char *s = range; *s; s++)
            if (*s == '|')
                *s = '\n';
            else if (*s == ' ')
                *s = '\0';
        puts(range);
    }
}

static void options(const char *command)
{
    const struct hd_help *h = hd_help_find(command);
    for (const struct hd_help_item *i = h ? h->items : NULL; i && i->left; i++)
        if (i->right && i->left[0] == '-')
            printf("%.*s\n", (int)strcspn(i->left, " "), i->left);
        else if (i->right)
            printf("%.*s\n", (int)strcspn(i->left, "=") + 1, i->left);
}

static void parameters(const char *workload)
{
    const struct hd_workload *w = hd_workload_find(workload);
    for (size_t i = 0; w && w->params[i].name; i++)
        puts(w->params[i].name);
    if (w)
        printf("resident\n%s", w->full ? "size\n" : "");
}

/* What `heddle lab` runs. */
static void experiments(void)
{
    puts("all\noutstanding\ninfer\nlocaltm");
    for (const struct hd_grid *const *g = hd_lab_experiments; *g; g++)
        puts((*g)->name);
}

int hd_list_command(int argc, char **argv)
{
    struct filter f = {0};
    int n = 1;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--names") == 0)
            f.names = true;
        else if (argv[i][0] == '-') {
            fprintf(stderr, "heddle: list: unknown option '%s'; see heddle list --help\n", argv[i]);
            return REFUSED;
        } else
            argv[n++] = argv[i];
    const char *what = n > 1 ? argv[1] : "";
    void (*const one)(const char *) = strcmp(what, "values") == 0 ? values : strcmp(what, "options") == 0 ? options
                                      : strcmp(what, "parameters") == 0 ? parameters : NULL;
    if (one && n == 3)
        return one(argv[2]), GOOD;
    if (f.names && strcmp(what, "experiments") == 0)
        return experiments(), GOOD;
    bool all = n == 1, w = strcmp(what, "workloads") == 0, c = strcmp(what, "configurations") == 0,
         k = strcmp(what, "keys") == 0, h = strcmp(what, "commands") == 0;
    if (!all && !w && !c && !k && !h) {
        fprintf(stderr, "heddle: list: '%s': must be workloads, configurations, keys or commands, and then what to look for\n", what);
        return REFUSED;
    }
    f.text = argv + 2;
    f.texts = all ? 0 : n - 2;
    if (all)
        hd_help_heading(stdout, "workloads, with their keys (heddle run WORKLOAD key=value; each also takes resident=0..8, the\n"
                                "blocks at a time on an SM, 0 = as many as fit)");
    if (all || w)
        workloads(&f, all || f.texts > 0);
    if (all)
        hd_help_heading(stdout, "\nconfigurations (--config NAME)");
    if (all || c)
        hd_configure_each(configuration, &f);
    if (all)
        hd_help_heading(stdout, "\nconfiguration keys (in a file or with --set key=value)");
    if (all || k)
        keys(&f);
    for (const struct hd_help *i = hd_helps; h && i->name; i++)
        if (wanted(&f, i->name, i->brief))
            line(&f, 2, 16, i->name, i->brief);
    return GOOD;
}
