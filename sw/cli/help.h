/* help.h - the texts of all commands, and what is made of them: --help, the man page, completion. */
#ifndef HD_HELP_H
#define HD_HELP_H
#include "lib/heddle.h"
#include <stdbool.h>
#include <stdio.h>

enum { HD_HELP_WIDTH = 100 /* columns */ };

/* One line of help: an option and its meaning; without a meaning a heading. */
struct hd_help_item {
    const char *left, *right;
};

struct hd_help {
    const char *name, *args, *brief; /* of the command; its arguments; in a few words what it does */
    const char *about;               /* more of it, NULL if there is none */
    const struct hd_help_item *items; /* the last has no `left` */
    const char *ends;                /* exit codes */
};

/* The commands, the last without a name; in the order of heddle --help. */
extern const struct hd_help hd_helps[];

/* @return the help of command @name, NULL if there is none. */
const struct hd_help *hd_help_find(const char *name);

/* Prints the help of a command to @to; NULL: what `heddle --help` says. Bold where @to is a terminal and NO_COLOR is not set. */
void hd_help_print(const struct hd_help *h, FILE *to);

void hd_help_man(FILE *to);  /* heddle(1), for man */
void hd_help_bash(FILE *to); /* completion for bash; it asks `heddle list --names` */

/* Prints @text from column @at on, where the cursor stands in column @now; lines end before HD_HELP_WIDTH. */
void hd_help_wrap(FILE *to, int now, int at, const char *text);

/* Prints @text as a heading. */
void hd_help_heading(FILE *to, const char *text);

/* heddle help [COMMAND | --man | --bash]. @return the exit code. */
int hd_help_command(int argc, char **argv);
#endif
