/* page_cost.c - see page_parts.h: tables of the pages on area and energy, as HTML. */
#define _POSIX_C_SOURCE 200809L
#include "page_parts.h"
#include "report/svg.h"
#include <string.h>

enum { SHOWN = 6, LINE = 2000 };

/* A row of a Markdown table; its first SHOWN cells. */
static void row(FILE *f, const char *line, const char *cell)
{
    char copy[LINE], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    fputs("<tr>", f);
    int i = 0;
    for (char *c = strtok_r(copy, "|\n", &rest); c && i < SHOWN; c = strtok_r(NULL, "|\n", &rest), i++) {
        fprintf(f, "<%s>", cell);
        hd_svg_text(f, c);
        fprintf(f, "</%s>", cell);
    }
    fputs("</tr>\n", f);
}

/* What the mechanisms of paper @n add to their tile: rows whose last column names it, and those of their parts. */
static bool area(FILE *f, FILE *page, unsigned n)
{
    char line[LINE], mark[24];
    bool table = false, take = false, any = false;
    snprintf(mark, sizeof mark, "| paper %u", n);
    while (fgets(line, sizeof line, page)) {
        bool head = strncmp(line, "| mechanism |", 13) == 0;
        table = head || (table && *line == '|');
        if (!table || strncmp(line, "|---", 4) == 0)
            continue;
        if (!head)
            take = strstr(line, mark) || (take && strncmp(line, "| of it:", 8) == 0);
        static char kept[LINE];
        if (head)
            memcpy(kept, line, sizeof kept);
        if (head || !take)
            continue;
        if (!any) {
            fputs("<div class=\"wide\"><table><thead>", f);
            row(f, kept, "th");
            fputs("</thead><tbody>\n", f);
        }
        any = true;
        row(f, line, "td");
    }
    if (any)
        fputs("</tbody></table></div>\n", f);
    return any;
}

/* The first table of a page in a fence. */
static bool fence(FILE *f, FILE *page)
{
    char line[LINE];
    bool in = false, any = false;
    while (fgets(line, sizeof line, page)) {
        if (strncmp(line, "```", 3) == 0 || (in && *line == '\n')) {
            if (in)
                break;
            in = any = true;
            fputs("<pre>", f);
        } else if (in)
            hd_svg_text(f, line);
    }
    if (any)
        fputs("</pre>\n", f);
    return any;
}

void hd_page_cost(FILE *f, unsigned n)
{
    FILE *page = fopen("synth/area.md", "r");
    fputs("<h3>Area and energy</h3>\n<p>What the paper's mechanisms add to their tile (180 nm standard cells; a tile with "
          "less the "
          "tile without). <code>make area</code></p>\n", f);
    bool found = page && area(f, page, n);
    if (page)
        fclose(page);
    if (!found)
        fprintf(f, "<p class=\"missing\">No mechanism of paper %u is measured in synth/area.md: <code>build/heddle area "
                "--mechanisms</code></p>\n", n);
    if (n != 1) {
        fprintf(f, n == 3 ? "<p>Energy: figures 2b, 3b and 4b above.</p>\n"
                          : "<p>Energy of a run: <code>build/heddle area --energy RUN.json</code></p>\n");
        return;
    }
    page = fopen("docs/results/energy.md", "r");
    fputs("<p>Energy of gemm by component, of RMO's (ratios). <code>make energy</code></p>\n<div class=\"wide\">", f);
    if (!page || !fence(f, page))
        fputs("<p class=\"missing\">docs/results/energy.md is missing: <code>make energy</code></p>", f);
    fputs("</div>\n", f);
    if (page)
        fclose(page);
}
