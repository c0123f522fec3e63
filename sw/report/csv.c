/* csv.c - see csv.h. */
#include "csv.h"
#include "files.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

bool hd_csv_open(struct hd_csv *c, const char *folder, const char *name)
{
    char file[160];
    snprintf(file, sizeof file, "%.150s.csv", name);
    *c = (struct hd_csv){.file = hd_files_open_in(folder, file)};
    snprintf(c->path, sizeof c->path, "%.400s/%.190s", folder, file);
    return c->file != NULL;
}

/* What stands before the next cell. */
static const char *comma(struct hd_csv *c)
{
    const char *text = c->begun ? "," : "";
    c->begun = true;
    return text;
}

void hd_csv_text(struct hd_csv *c, const char *text)
{
    fprintf(c->file, "%s%s", comma(c), text);
}

void hd_csv_quoted(struct hd_csv *c, const char *text)
{
    fprintf(c->file, "%s\"", comma(c));
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', c->file);
        fputc(*text, c->file);
    }
    fputc('"', c->file);
}

void hd_csv_name(struct hd_csv *c, const char *text)
{
    (strchr(text, ',') ? hd_csv_quoted : hd_csv_text)(c, text);
}

void hd_csv_count(struct hd_csv *c, uint64_t n)
{
    fprintf(c->file, "%s%" PRIu64, comma(c), n);
}

void hd_csv_number(struct hd_csv *c, double x, int digits)
{
    if (isnan(x))
        fputs(comma(c), c->file);
    else
        fprintf(c->file, "%s%.*f", comma(c), digits, x);
}

void hd_csv_end_row(struct hd_csv *c)
{
    fputc('\n', c->file);
    c->begun = false;
}

bool hd_csv_close(struct hd_csv *c)
{
    return hd_files_close(c->file, c->path);
}
