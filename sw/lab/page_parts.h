/* page_parts.h - what the files of the report share. */
#ifndef HD_PAGE_PARTS_H
#define HD_PAGE_PARTS_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { HD_PAPERS = 5, HD_PAPER_STUDIES = 2, HD_EXPECTED = 16 };

struct hd_paper {
    const char *title, *config, *manual, *results;
    const char *study[HD_PAPER_STUDIES];  /* experiments */
    const char *command[HD_PAPER_STUDIES]; /* that fills the database, quickly */
};
extern const struct hd_paper hd_papers[HD_PAPERS];

/* Names of the figures that an experiment draws, in @name. @return their number. */
size_t hd_page_figures(const char *experiment, char name[HD_EXPECTED][64]);

/* Area and energy of paper @n (1..), from the pages that `make area` and `make energy` write. */
void hd_page_cost(FILE *f, unsigned n);

/* Text of a line of Markdown: code, bold, links as their words. */
void hd_page_inline(FILE *f, const char *text);

/* What a page says of claim @number: items of its lists that begin with it. @large: of the machine of the paper, if its section says
 * something; else what other sections say. @return false when there is none. */
bool hd_page_why(FILE *f, const char *path, const char *number, bool large);

/* The tables of a page from the line that begins with @section to the next heading, without columns of detail. @rows: words one
 * of which a row must hold, with '/' between; after '!' none may; NULL: all rows. @return false when there is no such row. */
bool hd_page_tables(FILE *f, const char *path, const char *section, const char *rows);

/* The first block in a fence behind the line that begins with @mark, to its first empty line. @return false when there is none. */
bool hd_page_fence(FILE *f, const char *path, const char *mark);

/* Prints what modules of synth/area.md, as it was at two revisions of git, differ by more than @percent in their area. */
void hd_page_area(const char *before, const char *after, double percent);

/* The beginning of the page, up to its first heading. */
void hd_page_head(FILE *f);
#endif
