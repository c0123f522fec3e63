/* page.c - see page.h. Everything in the page comes from the database but area and energy, which come from their own pages;
 * what is not there, or was measured over other RTL, is named with the command that measures it. */
#define _POSIX_C_SOURCE 200809L
#include "page.h"
#include "page_parts.h"
#include "report/figure.h"
#include "report/files.h"
#include "report/svg.h"
#include "results/findings.h"
#include "results/query.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2 };

struct page {
    FILE *f;
    const char *db, *folder;
    char rtl[HD_RESULTS_HASH];
    json_t *studies, *claims, *figures; /* all rows of these tables */
    unsigned missing, old;
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static const char *text(const json_t *row, const char *column)
{
    const char *t = json_string_value(json_object_get(row, column));
    return t ? t : "";
}

static bool current(const struct page *p, const json_t *study)
{
    return !*p->rtl || strcmp(text(study, "rtl"), p->rtl) == 0;
}

static bool belongs(const json_t *row, const json_t *study)
{
    return strcmp(text(row, "experiment"), text(study, "experiment")) == 0
           && strcmp(text(row, "options"), text(study, "options")) == 0;
}

/* What is shown of an experiment: over this RTL if there is one, then the one that measured most. */
static const json_t *study_of(const struct page *p, const char *experiment)
{
    const json_t *best = NULL;
    size_t i;
    json_t *s;
    json_array_foreach(p->studies, i, s) {
        if (strcmp(text(s, "experiment"), experiment) != 0)
            continue;
        bool now = current(p, s), then = best && current(p, best);
        if (!best || now > then || (now == then && json_integer_value(json_object_get(s, "rank"))
                                    > json_integer_value(json_object_get(best, "rank"))))
            best = s;
    }
    return best;
}

static bool load(struct page *p)
{
    struct hd_results *db = hd_results_read(p->db);
    if (!db)
        return false;
    p->studies = hd_query_json(db, "SELECT study.*, settings FROM study LEFT JOIN config ON config.hash = study.config");
    p->claims = hd_query_json(db, "SELECT * FROM claim ORDER BY experiment, options, at");
    p->figures = hd_query_json(db, "SELECT * FROM figure ORDER BY experiment, options, at");
    hd_results_close(db);
    hd_findings_rtl(p->rtl);
    return p->studies && p->claims && p->figures;
}

/* ---- parts of the page ------------------------------------------------------------------------------------------- */

static void tagged(FILE *f, const char *tag, const char *words)
{
    fprintf(f, "<%s>", tag);
    hd_svg_text(f, words);
    fprintf(f, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

static void missing(struct page *p, const char *what, const char *command)
{
    fputs("<p class=\"missing\">Missing: ", p->f);
    hd_svg_text(p->f, what);
    fprintf(p->f, ". <code>build/heddle %s</code></p>\n", command);
    fprintf(stderr, "report: missing: %s: build/heddle %s\n", what, command);
    p->missing++;
}

/* The command for a figure that @study does not have, although it ran: the next larger one. */
static const char *larger(const json_t *study, const char *fill, char command[400])
{
    if (!study || strcmp(text(study, "options"), "--quick") != 0)
        return fill;
    snprintf(command, 400, "lab %s %s", text(study, "experiment"), strcmp(text(study, "experiment"), "localtm") == 0 ? "--paper"
                                                                                                        : "--reduced");
    return command;
}

/* The command of a study. */
static const char *command_of(const json_t *study, char command[400])
{
    snprintf(command, 400, "lab %s %s", text(study, "experiment"), text(study, "options"));
    return command;
}

static void machine(struct page *p, const json_t *study)
{
    static const char *const shown[] = {"sms", "partitions", "warps", "lanes", "l1", "mshr", "order", "coherence", "noc"};
    json_t *settings = json_loads(text(study, "settings"), 0, NULL);
    fputs("<p>Machine (of the base): ", p->f);
    tagged(p->f, "b", text(study, "name"));
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        json_t *v = json_object_get(settings, shown[i]);
        char *value = v ? json_dumps(v, JSON_ENCODE_ANY) : NULL;
        if (value)
            fprintf(p->f, " &#183; %s ", shown[i]);
        hd_svg_text(p->f, json_is_string(v) ? json_string_value(v) : value);
        free(value);
    }
    fputs("</p>\n<details><summary>All keys of the configuration</summary><p class=\"keys\">", p->f);
    const char *key;
    json_t *v;
    json_object_foreach(settings, key, v) {
        char *value = json_dumps(v, JSON_ENCODE_ANY);
        fprintf(p->f, "<span>%s = ", key);
        hd_svg_text(p->f, value);
        fputs("</span> ", p->f);
        free(value);
    }
    fputs("</p></details>\n", p->f);
    json_decref(settings);
}

static bool figure(struct page *p, const json_t *row, const char *command)
{
    const char *name = text(row, "name");
    json_t *data = json_loads(text(row, "data"), 0, NULL);
    fprintf(p->f, "<figure id=\"%s\"><figcaption>", name);
    hd_svg_text(p->f, text(row, "title"));
    fputs("</figcaption>\n", p->f);
    hd_svg_figure(p->f, data, false);
    bool curve = json_object_get(data, "points") != NULL; /* it says in the drawing what the paper states */
    const json_t *stated = curve ? NULL : json_object_get(data, "stated");
    size_t i;
    json_t *s;
    json_array_foreach((json_t *)stated, i, s) {
        if (i == 0)
            fputs("<p class=\"note\">The paper: ", p->f);
        static const char *const part[] = {"group", "series", "text"};
        fputs(i ? "; " : "", p->f);
        for (size_t k = 0; k < 3; k++) {
            hd_svg_text(p->f, text(s, part[k]));
            fputs(k == 2 ? "" : k == 1 ? ": " : " ", p->f);
        }
    }
    bool good = data && hd_figure_write(data, p->folder, name);
    char png[600];
    snprintf(png, sizeof png, "%.400s/%.100s.png", p->folder, name);
    fprintf(p->f, "%s<p class=\"note\"><a href=\"%s.csv\">CSV</a> <a href=\"%s.svg\">SVG</a> ", stated ? "</p>\n" : "", name, name);
    if (access(png, R_OK) == 0)
        fprintf(p->f, "<a href=\"%s.png\">PNG</a> ", name);
    fprintf(p->f, "&#183; <code>build/heddle %s</code></p></figure>\n", command);
    json_decref(data);
    return good;
}

static bool figures(struct page *p, const char *experiment, const json_t *study, const char *fill)
{
    char expected[HD_EXPECTED][64], command[400], absent[80];
    size_t n = hd_page_figures(experiment, expected), i;
    bool good = true;
    json_t *row;
    fputs("<div class=\"figures\">\n", p->f);
    for (size_t k = 0; k < n; k++) {
        const json_t *found = NULL;
        json_array_foreach(p->figures, i, row)
            if (study && belongs(row, study) && strcmp(text(row, "name"), expected[k]) == 0)
                found = row;
        snprintf(absent, sizeof absent, "figure %s", expected[k]);
        if (found)
            good &= figure(p, found, command_of(study, command));
        else
            missing(p, absent, larger(study, fill, command));
    }
    fputs("</div>\n", p->f);
    return good;
}

/* Why it is as it is: what the page of results says of the claim, or that it says nothing of one that does not hold. */
static void why(struct page *p, const json_t *row, const struct hd_paper *paper, bool large)
{
    const char *number = text(row, "number");
    char *words = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&words, &length);
    bool said = f && hd_page_why(f, paper->results, number, large), broken = strcmp(text(row, "outcome"), "does not hold") == 0;
    if (f)
        fclose(f);
    if (said)
        fprintf(p->f, "<tr class=\"why\"><td></td><td colspan=\"5\"><b>Why:</b> %s</td></tr>\n", words);
    else if (broken) {
        fprintf(p->f, "<tr class=\"why\"><td></td><td colspan=\"5\"><p class=\"missing\">Missing: why; %s has no item %s.</p></td></tr>\n",
                paper->results, number);
        fprintf(stderr, "report: missing: why claim %s does not hold: an item of %s\n", number, paper->results);
    }
    free(words);
}

static void claims(struct page *p, const json_t *study, const struct hd_paper *paper)
{
    static const char *const column[] = {"number", "claim", "paper", "ours", "criterion", "outcome"};
    static const char *const label[] = {"", "claim", "the paper", "our runs", "criterion", "verdict"};
    size_t i;
    json_t *row;
    fputs("<div class=\"wide\"><table class=\"claims\"><thead><tr>", p->f);
    for (size_t k = 0; k < sizeof label / sizeof label[0]; k++)
        tagged(p->f, "th", label[k]);
    fputs("</tr></thead><tbody>\n", p->f);
    json_array_foreach(p->claims, i, row) {
        const char *outcome = text(row, "outcome");
        if (!belongs(row, study))
            continue;
        fprintf(p->f, "<tr class=\"%s\">", strcmp(outcome, "holds") == 0 ? "held"
                                                : strcmp(outcome, "open") == 0 ? "open" : "broken");
        for (size_t k = 0; k < sizeof column / sizeof column[0]; k++) {
            fprintf(p->f, "<td data-label=\"%s\">", label[k]);
            hd_svg_text(p->f, text(row, column[k]));
            fputs("</td>", p->f);
        }
        fputs("</tr>\n", p->f);
        why(p, row, paper, strstr(text(study, "options"), "--paper") != NULL);
    }
    fprintf(p->f, "</tbody></table></div>\n<p>The explanations are those of <code>%s</code>, whose runs may be larger; the experiment: "
                  "<code>%s</code>.</p>\n",
            paper->results, paper->manual);
}

static bool experiment(struct page *p, const struct hd_paper *paper, size_t k)
{
    const json_t *study = study_of(p, paper->study[k]);
    char command[400], what[80];
    fprintf(p->f, "<h3>%s</h3>\n", paper->study[k]);
    if (!study) {
        snprintf(what, sizeof what, "all claims of %s", paper->study[k]);
        missing(p, what, paper->command[k]);
        return figures(p, paper->study[k], NULL, paper->command[k]);
    }
    fprintf(p->f, "<p><code>build/heddle %s</code>, ended %s at revision %s.</p>\n", command_of(study, command),
            text(study, "time"), text(study, "revision"));
    if (!current(p, study)) {
        fprintf(p->f, "<p class=\"missing\">Older than the RTL: measured over other files of rtl/. Again: <code>build/heddle "
                      "%s</code></p>\n",
                command);
        fprintf(stderr, "report: older than the RTL: %s: build/heddle %s\n", paper->study[k], command);
        p->old++;
    }
    machine(p, study);
    bool good = figures(p, paper->study[k], study, paper->command[k]);
    claims(p, study, paper);
    return good;
}

/* Claims of a paper by outcome. */
static void summary(struct page *p)
{
    fputs("<table class=\"summary\"><thead><tr><th>paper</th><th>held</th><th>not "
          "held</th><th>open</th></tr></thead><tbody>\n", p->f);
    for (unsigned n = 0; n < HD_PAPERS; n++) {
        unsigned held = 0, broken = 0, open = 0;
        for (size_t k = 0; k < HD_PAPER_STUDIES && hd_papers[n].study[k]; k++) {
            const json_t *study = study_of(p, hd_papers[n].study[k]);
            size_t i;
            json_t *row;
            json_array_foreach(p->claims, i, row) {
                const char *outcome = text(row, "outcome");
                if (!study || !belongs(row, study))
                    continue;
                held += strcmp(outcome, "holds") == 0;
                broken += strcmp(outcome, "does not hold") == 0;
                open += strcmp(outcome, "open") == 0;
            }
        }
        fprintf(p->f, "<tr><td><a href=\"#paper%u\">%u. ", n + 1, n + 1);
        hd_svg_text(p->f, hd_papers[n].title);
        fprintf(p->f, "</a></td><td>%u</td><td>%u</td><td>%u</td></tr>\n", held, broken, open);
    }
    fputs("</tbody></table>\n<p>open: not measured by the runs that are there, or shown by other means, which the claim "
          "names.</p>\n", p->f);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool write_page(struct page *p)
{
    bool good = true;
    hd_page_head(p->f);
    summary(p);
    for (unsigned n = 0; n < HD_PAPERS; n++) {
        fprintf(p->f, "<section id=\"paper%u\"><h2>%u. ", n + 1, n + 1);
        hd_svg_text(p->f, hd_papers[n].title);
        fputs("</h2>\n", p->f);
        for (size_t k = 0; k < HD_PAPER_STUDIES && hd_papers[n].study[k]; k++)
            good &= experiment(p, &hd_papers[n], k);
        hd_page_cost(p->f, n + 1);
        fputs("</section>\n", p->f);
    }
    fputs("</main></body></html>\n", p->f);
    return good;
}

int hd_lab_page(const char *db, const char *folder)
{
    struct page p = {.db = db, .folder = folder};
    bool good = load(&p);
    if (good && (p.f = hd_files_open_in(folder, "index.html"))) {
        good = write_page(&p);
        good &= hd_files_close(p.f, "index.html");
        printf("%s/index.html: %u missing, %u older than the RTL\n", folder, p.missing, p.old);
    } else
        good = false;
    json_decref(p.studies);
    json_decref(p.claims);
    json_decref(p.figures);
    return good ? GOOD : REFUSED;
}
