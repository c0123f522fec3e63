/* scoped_parts.h - what scoped.c and opencl.c share: the text, the place in it, the processes. */
#ifndef HD_SCOPED_PARTS_H
#define HD_SCOPED_PARTS_H
#include "scoped.h"
#include "test_size.h"
#include <setjmp.h>
#include <stdio.h>

enum { WORD = 64, PIECES = 3, PIECE = 224, PARTS = 12, MAX_DEPTH = 64, MARKS = HD_LISA_INSTRS };

/* What of a process's control flow says whether a branch leads over a barrier. */
struct mark {
    enum { LABEL, JUMP, BAR } is;
    char name[WORD];         /* of the label; operands of the barrier */
    unsigned quorum;         /* 0: not given */
    bool subgroup;
};

struct column {
    unsigned wave, group, device;
    unsigned marks, pieces;
    struct mark mark[MARKS];
    char piece[PIECES][PIECE]; /* of the current row */
};

struct scoped {
    const char *text;
    size_t length, at;
    const char *file;
    bool vulkan, opencl;
    bool body;               /* of a process in C: no comments in (* *) */
    FILE *out;
    unsigned line, written;  /* of the text, of the LISA text */
    char *message;
    size_t size, depth;
    const char *unmapped;    /* the first feature: reading goes on, so that a malformed file is never only skipped */
    unsigned columns;
    char group[256];         /* variables in local memory, as LISA's regions */
    struct column column[HD_LISA_PROCS];
    void *process;           /* of opencl.c */
    char *filter;            /* the formula behind `filter` */
    size_t filter_size;
    jmp_buf away;
};

/* The file is malformed here: back to hd_scoped_rewrite(). */
__attribute__((noreturn, format(printf, 2, 3))) void hd_sc_bad(struct scoped *s, const char *format, ...);
/* The machine lacks a feature; reading goes on. */
void hd_sc_lacks(struct scoped *s, const char *what);

/* Characters: the next one, 0 at the end; over spaces and comments; @return whether @symbol is next, and takes it; the same, or
 * the file is malformed. */
char hd_sc_peek(const struct scoped *s);
void hd_sc_space(struct scoped *s);
bool hd_sc_take(struct scoped *s, const char *symbol);
void hd_sc_expect(struct scoped *s, const char *symbol, const char *where);

/* A name or number; with @dots an instruction. */
void hd_sc_word(struct scoped *s, char word[WORD], bool dots, const char *what);
bool hd_sc_is_number(const char *word);
bool hd_sc_is_register(const char *word);
bool hd_sc_one_of(const char *word, const char *const *words);
unsigned hd_sc_number(struct scoped *s, const char *word, const char *what);

/* Changes a variable's name that LISA reserves. @return @word */
const char *hd_sc_variable(char word[WORD]);
/* A local variable of OpenCL as a register. @return @word */
const char *hd_sc_local(char word[WORD]);
struct mark *hd_sc_mark(struct scoped *s, struct column *c, const char *name);

/* opencl.c: the processes, written as a table. */
void hd_sc_opencl(struct scoped *s);
#endif
