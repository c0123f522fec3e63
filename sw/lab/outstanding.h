/* outstanding.h - the experiment of paper 2: latency of a block's outstanding loads against its threads.
 *
 * curve.c measures curves and finds their spikes, curve_plot.c writes their files, one_curve.c is one with any settings,
 * outstanding.c the table of those in the paper. */
#ifndef HD_OUTSTANDING_H
#define HD_OUTSTANDING_H
#include "lab.h"

/* A pattern of the paper. @return neighbours that share a line, 0: there is no such pattern. */
unsigned hd_lab_merger(const char *pattern);

enum { HD_LAB_OFFSETS = 3, HD_LAB_MAX_THREADS = 1024 };
extern const unsigned hd_lab_offsets[HD_LAB_OFFSETS];

struct hd_lab_sample {
    unsigned threads;
    uint32_t run[HD_LAB_OFFSETS];  /* latency at each start offset */
    double latency, variance;      /* harmonic mean; of it and both neighbours, NAN without two at the least step */
};

struct hd_lab_spike {
    bool clear;                /* a step of at least a tenth of the latency */
    unsigned threads;          /* the last number of threads before the step */
    double before, after;      /* latency there and one step on */
};

struct hd_lab_curve {
    const struct hd_lab_machine *machine;
    char pattern[16];
    unsigned loads;
    struct hd_lab_sample *sample; /* rising in threads */
    size_t n;
    struct hd_lab_spike spike;
};

/* Adds numbers of threads that are not there yet. @return false after a message. */
bool hd_lab_add(struct hd_lab_curve *c, unsigned from, unsigned to, unsigned step);
void hd_lab_clear(struct hd_lab_curve *c);

/* Measures what is new in @n curves; fills in variances, of neighbours @step apart, and spikes. @return exit code. */
int hd_lab_curves(struct hd_lab_curve *c, size_t n, unsigned step, const struct hd_lab_way *way);

/* Writes FOLDER/NAME.csv, .gp, .svg and .png; @title stands above the plot. @return false after a message. */
bool hd_lab_write(const struct hd_lab_curve *c, const char *folder, const char *name, const char *title);

struct hd_lab_one_curve {
    const char *config, *const *set, *pattern;
    size_t sets;
    unsigned loads, from, to, step; /* to 0: as many as the SM holds */
    struct hd_lab_way way;
    const char *out;
    bool json;
};

/* Measures a curve, writes its files and prints its spike. @return the exit code. */
int hd_lab_one_curve(const struct hd_lab_one_curve *options);

struct hd_lab_paper {
    struct hd_lab_way way;
    const char *out;           /* folder, is there */
    bool quick, json;
};

/* All figures of paper 2 and their variants. @return the exit code: 1 when a spike is not where it must be. */
int hd_lab_paper(const struct hd_lab_paper *options);
#endif
