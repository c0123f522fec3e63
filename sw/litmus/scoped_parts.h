/* scoped_parts.h - what scoped.c, opencl.c and khronos.c share: the text, the place in it, the processes. */
#ifndef HD_SCOPED_PARTS_H
#define HD_SCOPED_PARTS_H
#include "scoped.h"
#include "test_size.h"
#include <setjmp.h>
#include <stdio.h>

enum { WORD = 64, PIECES = 3, PIECE = 224, PARTS = 12, MAX_DEPTH = 64, MARKS = HD_LISA_INSTRS,
       ROWS = 2 * HD_LISA_INSTRS, NAMES = HD_LISA_VARS };

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

/* A process that is read as a whole, not in rows of all. */
struct process {
    struct scoped *s;
    struct column *c;
    char row[ROWS][PIECE];
    unsigned rows, labels, temps;
    bool open;               /* the last row is a label that waits for its instruction */
    char pointer[NAMES][WORD]; /* parameters */
    unsigned pointers;
};

/* The parts of an instruction: st.relaxed.gpu. */
struct parts {
    char word[WORD], *part[PARTS];
    unsigned count;
};

/* What those of a memory access, fence or barrier say. */
struct access {
    bool atomic, seen_by, named; /* seen_by: an availability or visibility operation; named: an order was given */
    const char *order, *scope;
    const char *op;          /* of an atomic */
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
    struct process *process; /* of opencl.c and khronos.c, HD_LISA_PROCS */
    char *filter;            /* the formula behind `filter` */
    size_t filter_size;
    char outcome[1024];      /* of khronos.c */
    enum { UNKNOWN, FOUND, NOT_FOUND } found[2]; /* by its last lines: without and with a race */
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

/* Parts of an instruction, in their place; what they say from number @from on. */
void hd_sc_split(struct scoped *s, struct parts *p);
struct access hd_sc_access(struct scoped *s, const struct parts *p, unsigned from);

/* The next process; its rows; all of them as a table. */
struct process *hd_sc_process(struct scoped *s);
__attribute__((format(printf, 2, 3))) void hd_sc_row(struct process *p, const char *format, ...);
void hd_sc_table(struct scoped *s);

/* opencl.c: the processes, written as a table. */
void hd_sc_opencl(struct scoped *s);

/* khronos.c: the whole test. The processes go out as a table, the outcome to @outcome. */
void hd_sc_khronos(struct scoped *s);
#endif
