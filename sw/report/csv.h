/* csv.h - tables with commas, a cell at a time. */
#ifndef HD_CSV_H
#define HD_CSV_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hd_csv {
    FILE *file;
    bool begun;                /* the row has a cell */
    char path[640];
};

/* FOLDER/NAME.csv. @return false after a message. */
bool hd_csv_open(struct hd_csv *c, const char *folder, const char *name);

void hd_csv_text(struct hd_csv *c, const char *text);     /* as it is: without comma, or several cells */
void hd_csv_name(struct hd_csv *c, const char *text);     /* in quotes if it has a comma */
void hd_csv_quoted(struct hd_csv *c, const char *text);
void hd_csv_count(struct hd_csv *c, uint64_t n);
void hd_csv_number(struct hd_csv *c, double x, int digits); /* NAN: an empty cell */
void hd_csv_end_row(struct hd_csv *c);

/* @return false after a message when something was not written. */
bool hd_csv_close(struct hd_csv *c);
#endif
