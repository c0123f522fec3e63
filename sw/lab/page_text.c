/* page_text.c - see page_parts.h: pieces of the Markdown pages of docs/ and synth/ as HTML. */
#define _POSIX_C_SOURCE 200809L
#include "page_parts.h"
#include "report/svg.h"
#include <string.h>

enum { LINE = 2000, CELLS = 16 };

void hd_page_inline(FILE *f, const char *text)
{
    bool code = false, bold = false;
    for (; *text; text++) {
        const char *to = *text == '[' && !code ? strstr(text, "](") : NULL, *end = to ? strchr(to, ')') : NULL;
        char one[2] = {*text, '\0'};
        if (*text == '`') {
            code = !code;
            fputs(code ? "<code>" : "</code>", f);
        } else if (!code && strncmp(text, "**", 2) == 0) {
            bold = !bold;
            fputs(bold ? "<b>" : "</b>", f);
            text++;
        } else if (!code && *text == '\\' && text[1]) {
            one[0] = *++text;
            hd_svg_text(f, one);
        } else if (end) { /* a link leads nowhere from here: its words alone */
            for (text++; text < to; text++) {
                one[0] = *text;
                hd_svg_text(f, one);
            }
            text = end;
        } else
            hd_svg_text(f, one);
    }
    fputs(code ? "</code>" : "", f);
    fputs(bold ? "</b>" : "", f);
}

/* ---- why a claim does not hold ----------------------------------------------------------------------------------- */

/* What stands behind the mark of a list's item in a line, NULL when it begins none. */
static char *item_of(char *line)
{
    return (*line == '*' || *line == '-') && line[1] == ' ' ? line + 2 : NULL;
}

/* The items of @number in the section about the paper's machine, or in the others. */
static bool why_of(FILE *f, const char *path, const char *number, bool large)
{
    static const char section[] = "## On the machine of the paper";
    char line[LINE];
    bool in = false, any = false, here = !large;
    size_t n = strlen(number);
    FILE *page = fopen(path, "r");
    while (page && fgets(line, sizeof line, page)) {
        char *text = item_of(line);
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "## ", 3) == 0)
            here = (strcmp(line, section) == 0) == large;
        if (text && here) {
            const char *at = text + (strncmp(text, "**", 2) == 0 ? 2 : 0);
            in = strncmp(at, number, n) == 0 && at[n] && strchr(" *:,", at[n]);
            fputs(in && any ? " " : "", f);
        } else if (text || *line != ' ')
            in = false;
        if (!in)
            continue;
        any = true;
        hd_page_inline(f, text ? text : line + strspn(line, " ") - 1);
    }
    if (page)
        fclose(page);
    return any;
}

bool hd_page_why(FILE *f, const char *path, const char *number, bool large)
{
    return (large && why_of(f, path, number, true)) || why_of(f, path, number, false);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Cuts a row into its cells. @return their number. */
static size_t cells_of(char *line, char *cell[CELLS])
{
    size_t n = 0;
    char *at = line + 1;
    for (char *end; n < CELLS && (end = strchr(at, '|')); at = end + 1) {
        *end = '\0';
        at += strspn(at, " ");
        for (char *last = end; last > at && last[-1] == ' ';)
            *--last = '\0';
        cell[n++] = at;
    }
    return n;
}

/* Columns that a reader of the report does not need. */
static bool is_shown(const char *head)
{
    static const char *const not[] = {"bits stored", "logic um2, 180 nm", "SRAMs", "files", "memories um2, 180 nm", "register bits kept"};
    for (size_t i = 0; i < sizeof not / sizeof not[0]; i++)
        if (strcmp(head, not[i]) == 0)
            return false;
    return true;
}

/* Does @text hold a number? "-1,234 %" does. */
static bool is_number(const char *text)
{
    return *text && strspn(text, "+-0123456789,. %") == strlen(text);
}

/* @like: the cells that say which columns hold numbers. */
static void print_row(FILE *f, char *const *cell, char *const *like, size_t n, const bool *shown, const char *tag)
{
    fputs("<tr>", f);
    for (size_t i = 0; i < n; i++) {
        char text[LINE];
        if (!shown[i])
            continue;
        snprintf(text, sizeof text, "%s", cell[i]);
        char *path = strstr(text, " ns: "); /* a path's length, without its ends */
        if (path)
            path[3] = '\0';
        fprintf(f, is_number(like[i]) ? "<%s class=\"number\">" : "<%s>", tag);
        hd_page_inline(f, text);
        fprintf(f, "</%s>", tag);
    }
    fputs("</tr>\n", f);
}

/* @rows: words one of which a row must hold, with '/' between; after '!' none may; NULL: all rows. */
static bool is_taken(const char *line, const char *rows)
{
    bool not = rows && *rows == '!', found = !rows;
    for (const char *at = rows ? rows + not : NULL; at && *at;) {
        size_t n = strcspn(at, "/");
        char word[80];
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        found |= strstr(line, word) != NULL;
        at += n + (at[n] == '/');
    }
    return found != not || !rows;
}

bool hd_page_tables(FILE *f, const char *path, const char *section, const char *rows)
{
    char line[LINE], kept[LINE] = "", *head[CELLS], *cell[CELLS];
    bool in = false, table = false, open = false, any = false, shown[CELLS] = {false};
    size_t heads = 0;
    FILE *page = fopen(path, "r");
    while (page && fgets(line, sizeof line, page)) {
        if (strncmp(line, section, strlen(section)) == 0)
            in = true;
        else if (in && *line == '#')
            break;
        if (!in || *line != '|') {
            fputs(open ? "</tbody></table></div>\n" : "", f);
            open = table = false;
            continue;
        }
        if (!table) { /* the first row of a table names its columns */
            table = true;
            memcpy(kept, line, sizeof kept);
            heads = cells_of(kept, head);
            for (size_t i = 0; i < heads; i++)
                shown[i] = is_shown(head[i]);
            continue;
        }
        if (strncmp(line, "|--", 3) == 0 || !is_taken(line, rows))
            continue;
        size_t n = cells_of(line, cell);
        n = n < heads ? n : heads;
        if (!open) {
            fputs("<div class=\"wide\"><table><thead>", f);
            print_row(f, head, cell, n, shown, "th");
            fputs("</thead><tbody>\n", f);
        }
        open = any = true;
        print_row(f, cell, cell, n, shown, "td");
    }
    fputs(open ? "</tbody></table></div>\n" : "", f);
    if (page)
        fclose(page);
    return any;
}

/* ---- output in a fence ------------------------------------------------------------------------------------------- */

bool hd_page_fence(FILE *f, const char *path, const char *mark)
{
    char line[LINE];
    bool behind = false, in = false;
    FILE *page = fopen(path, "r");
    while (page && fgets(line, sizeof line, page)) {
        behind |= strncmp(line, mark, strlen(mark)) == 0;
        if (in && (*line == '\n' || strncmp(line, "```", 3) == 0))
            break;
        if (in)
            hd_svg_text(f, line);
        if (behind && !in && strncmp(line, "```", 3) == 0) {
            in = true;
            fputs("<div class=\"wide\"><pre>", f);
        }
    }
    fputs(in ? "</pre></div>\n" : "", f);
    if (page)
        fclose(page);
    return in;
}
