/* page.h - the report: one HTML page of all papers from the results database, the data of each figure as CSV beside it. */
#ifndef HD_PAGE_H
#define HD_PAGE_H

/* Writes FOLDER/index.html and FOLDER/FIGURE.csv; says what is missing or older than the RTL. @return the exit code. */
int hd_lab_page(const char *db, const char *folder);

/* Prints what moved by more than @percent from @before to @after: points, traffic, claims, areas. Each is a database, or a
 * revision: the database @path as that one left it. @return the exit code. */
int hd_lab_compare(const char *before, const char *after, const char *path, double percent);
#endif
