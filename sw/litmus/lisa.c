/* lisa.c - the reader of the LISA dialect, see lisa.h. Recursive descent over characters; the first mistake
 * jumps back to hd_lisa_parse(). */
#include "lisa.h"
#include "scoped.h"
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 1 << 20, MAX_DEPTH = 64, MAX_LABELS = HD_LISA_INSTRS };

struct label {
    char name[HD_LISA_NAME];
    unsigned at;
};

/* A branch whose label is not known yet. */
struct jump {
    char name[HD_LISA_NAME];
    unsigned instr;
    size_t place;
};

struct reader {
    const char *text;
    size_t length, at;
    const char *file;
    char *error;
    size_t error_size;
    jmp_buf out;
    struct hd_lisa *t;
    struct label label[HD_LISA_PROCS][MAX_LABELS];
    unsigned labels[HD_LISA_PROCS];
    struct jump jump[HD_LISA_PROCS][HD_LISA_INSTRS];
    unsigned jumps[HD_LISA_PROCS];
    bool placed[HD_LISA_PROCS];  /* in the scope tree */
    bool local;                  /* `rows:` or a transaction: variables are group by default */
    bool told[HD_LISA_VARS];     /* `regions:` names the variable */
    bool begun[HD_LISA_VARS];    /* the initial state does */
    unsigned row;
    unsigned depth;
    size_t header;               /* where the processes are listed */
};

static const char *const scope_names[] = {"wi", "wave", "wg", "agent", "system"};
static const char *const order_names[] = {"rlx", "scacq", "screl", "scar"};

/* ---- characters and words ------------------------------------------------------------------------------- */

__attribute__((noreturn, format(printf, 3, 4))) static void fail(struct reader *r, size_t place, const char *format,
                                                                  ...)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0; i < place && i < r->length; i++) {
        column++;
        if (r->text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    int n = snprintf(r->error, r->error_size, "%s:%u:%u: ", r->file, line, column);
    if (n > 0 && (size_t)n < r->error_size) {
        va_list args;
        va_start(args, format);
        vsnprintf(r->error + n, r->error_size - (size_t)n, format, args);
        va_end(args);
    }
    longjmp(r->out, 1);
}

/* @return the character at the current place, 0 at the end. */
static char peek(const struct reader *r)
{
    return r->at < r->length ? r->text[r->at] : '\0';
}

static char peek_at(const struct reader *r, size_t ahead)
{
    return r->at + ahead < r->length ? r->text[r->at + ahead] : '\0';
}

static void skip_comment(struct reader *r)
{
    size_t start = r->at;
    unsigned depth = 0;
    do {
        if (r->at + 1 >= r->length)
            fail(r, start, "expected *) to end this comment");
        if (peek(r) == '(' && peek_at(r, 1) == '*') {
            depth++;
            r->at += 2;
        } else if (peek(r) == '*' && peek_at(r, 1) == ')') {
            depth--;
            r->at += 2;
        } else
            r->at++;
    } while (depth > 0);
}

static void skip_space(struct reader *r)
{
    for (;;) {
        if (isspace((unsigned char)peek(r)))
            r->at++;
        else if (peek(r) == '(' && peek_at(r, 1) == '*')
            skip_comment(r);
        else
            return;
    }
}

/* @return whether @symbol is next; takes it. */
static bool take(struct reader *r, const char *symbol)
{
    skip_space(r);
    size_t n = strlen(symbol);
    if (r->length - r->at < n || memcmp(r->text + r->at, symbol, n) != 0)
        return false;
    r->at += n;
    return true;
}

static void expect(struct reader *r, const char *symbol, const char *where)
{
    if (!take(r, symbol))
        fail(r, r->at, "expected '%s' %s", symbol, where);
}

static bool is_name(char c, bool first)
{
    return isalpha((unsigned char)c) || c == '_' || (first && c == '%') ||
           (!first && (isdigit((unsigned char)c) || c == '.' || c == '\''));
}

/* @return the length of the name that is next, 0 if none. */
static size_t name_length(const struct reader *r)
{
    size_t n = 0;
    while (is_name(peek_at(r, n), n == 0))
        n++;
    return n;
}

/* @return whether the word @word is next, without taking it. */
static bool next_is(struct reader *r, const char *word)
{
    skip_space(r);
    size_t n = name_length(r);
    return n == strlen(word) && memcmp(r->text + r->at, word, n) == 0;
}

static bool take_word(struct reader *r, const char *word)
{
    if (!next_is(r, word))
        return false;
    r->at += strlen(word);
    return true;
}

static void take_name(struct reader *r, char name[HD_LISA_NAME], const char *what)
{
    skip_space(r);
    size_t n = name_length(r);
    if (n == 0)
        fail(r, r->at, "expected %s", what);
    if (n >= HD_LISA_NAME)
        fail(r, r->at, "expected %s of at most %d characters", what, HD_LISA_NAME - 1);
    memcpy(name, r->text + r->at, n);
    name[n] = '\0';
    r->at += n;
}

/* @return which of @n words was taken. */
static unsigned take_one_of(struct reader *r, const char *const *words, unsigned n, const char *what)
{
    for (unsigned i = 0; i < n; i++)
        if (take_word(r, words[i]))
            return i;
    fail(r, r->at, "expected %s", what);
}

static bool at_number(struct reader *r)
{
    skip_space(r);
    return isdigit((unsigned char)peek(r)) || (peek(r) == '-' && isdigit((unsigned char)peek_at(r, 1)));
}

static int32_t take_number(struct reader *r, const char *what)
{
    if (!at_number(r))
        fail(r, r->at, "expected %s", what);
    size_t start = r->at;
    bool negative = peek(r) == '-';
    if (negative)
        r->at++;
    int32_t n = 0;
    for (; isdigit((unsigned char)peek(r)); r->at++) {
        n = n * 10 + (peek(r) - '0');
        if (n > HD_LISA_INT / 10 && isdigit((unsigned char)peek_at(r, 1)))
            fail(r, start, "expected an integer from -%d to %d", HD_LISA_INT, HD_LISA_INT);
    }
    if (n > HD_LISA_INT)
        fail(r, start, "expected an integer from -%d to %d", HD_LISA_INT, HD_LISA_INT);
    return negative ? -n : n;
}

/* ---- registers, variables, processes -------------------------------------------------------------------- */

static bool is_register(const char *name)
{
    if (name[0] == '%')
        return name[1] != '\0';
    if (name[0] != 'r' || name[1] == '\0')
        return false;
    return strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool next_is_register(struct reader *r)
{
    skip_space(r);
    size_t n = name_length(r);
    char name[HD_LISA_NAME];
    if (n == 0 || n >= sizeof name)
        return false;
    memcpy(name, r->text + r->at, n);
    name[n] = '\0';
    return is_register(name);
}

static unsigned take_register(struct reader *r, unsigned proc)
{
    struct hd_lisa_proc *p = &r->t->proc[proc];
    char name[HD_LISA_NAME];
    skip_space(r);
    size_t start = r->at;
    take_name(r, name, "a register (r0, r1, ...)");
    if (!is_register(name))
        fail(r, start, "expected a register (r0, r1, ...), not '%s'", name);
    for (unsigned i = 0; i < p->regs; i++)
        if (strcmp(p->reg[i], name) == 0)
            return i;
    if (p->regs == HD_LISA_REGS)
        fail(r, start, "expected at most %d registers in P%u", HD_LISA_REGS, proc);
    strcpy(p->reg[p->regs], name);
    return p->regs++;
}

static unsigned take_variable(struct reader *r)
{
    static const char *const reserved[] = {"r", "w", "bar", "rmw", "mov", "add", "and", "xor", "eq", "neq",
                                           "ne", "call", "scopes", "levels", "regions", "tx", "commit", "pb", "sb", "w2",
                                           "cp", "cw", "crash", "rows", "lines", "grains", "host", "nv"};
    struct hd_lisa *t = r->t;
    char name[HD_LISA_NAME];
    skip_space(r);
    size_t start = r->at;
    take_name(r, name, "a variable");
    if (is_register(name) || name[0] == '%')
        fail(r, start, "expected a variable, not the register '%s'", name);
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(name, reserved[i]) == 0)
            fail(r, start, "expected a variable; '%s' is a reserved word", name);
    for (unsigned i = 0; i < t->vars; i++)
        if (strcmp(t->var[i].name, name) == 0)
            return i;
    if (t->vars == HD_LISA_VARS)
        fail(r, start, "expected at most %d variables", HD_LISA_VARS);
    strcpy(t->var[t->vars].name, name);
    t->var[t->vars].line = t->var[t->vars].grain = t->vars;
    return t->vars++;
}

/* Process numbers stand before the header in the initial state: @limit is what may be named. */
static unsigned take_process(struct reader *r, unsigned limit)
{
    skip_space(r);
    size_t start = r->at;
    if (peek(r) == 'P')
        r->at++;
    if (!isdigit((unsigned char)peek(r)))
        fail(r, start, "expected a process (0, 1, ... or P0, P1, ...)");
    int32_t n = take_number(r, "a process");
    if (n < 0 || n >= (int32_t)limit)
        fail(r, start, "expected a process from 0 to %u", limit - 1);
    return (unsigned)n;
}

/* ---- head and initial state ----------------------------------------------------------------------------- */

static void skip_line(struct reader *r)
{
    while (r->at < r->length && peek(r) != '\n')
        r->at++;
}

static void read_head(struct reader *r)
{
    struct hd_lisa *t = r->t;
    if (!take_word(r, "LISA"))
        fail(r, r->at, "expected 'LISA' and the name of the test");
    while (peek(r) == ' ' || peek(r) == '\t')
        r->at++;
    size_t n = 0;
    while (isgraph((unsigned char)peek(r))) {
        if (n + 1 < sizeof t->name)
            t->name[n++] = peek(r);
        r->at++;
    }
    if (n == 0)
        fail(r, r->at, "expected the name of the test");
    for (;;) {
        skip_space(r);
        size_t start = r->at;
        if (peek(r) == '{')
            return;
        if (peek(r) == '"') {
            do
                r->at++;
            while (r->at < r->length && peek(r) != '"');
            if (r->at == r->length)
                fail(r, start, "expected \" to end this text");
            r->at++;
        } else {
            skip_line(r);
            if (r->at == start || !memchr(r->text + start, '=', r->at - start))
                fail(r, start, "expected '{', a \"text\" or key=value");
        }
    }
}

static void read_init(struct reader *r)
{
    expect(r, "{", "to begin the initial state");
    while (!take(r, "}")) {
        uint32_t *word;
        bool *begun;
        skip_space(r);
        size_t place = r->at;
        if (isdigit((unsigned char)peek(r)) || (peek(r) == 'P' && isdigit((unsigned char)peek_at(r, 1)))) {
            unsigned p = take_process(r, HD_LISA_PROCS);
            expect(r, ":", "after the process");
            unsigned reg = take_register(r, p);
            word = &r->t->proc[p].init[reg];
            begun = &r->t->proc[p].initial[reg];
        } else {
            if (name_length(r) == 0)
                fail(r, r->at, "expected a register (0:r0), a variable or '}'");
            unsigned v = take_variable(r);
            word = &r->t->var[v].init;
            begun = &r->begun[v];
        }
        expect(r, "=", "and an initial value");
        uint32_t value = (uint32_t)take_number(r, "an integer");
        if (*begun && *word != value)
            fail(r, place, "expected another name: this one already begins with %d", (int)*word);
        *begun = true;
        *word = value;
        if (!take(r, ";")) {
            expect(r, "}", "or ';' after the initial value");
            return;
        }
    }
}

/* ---- instructions --------------------------------------------------------------------------------------- */

static struct hd_lisa_arg take_arg(struct reader *r, unsigned proc, const char *what)
{
    if (at_number(r))
        return (struct hd_lisa_arg){HD_LISA_IS_INT, take_number(r, what)};
    if (next_is_register(r))
        return (struct hd_lisa_arg){HD_LISA_IS_REG, (int32_t)take_register(r, proc)};
    if (name_length(r) == 0)
        fail(r, r->at, "expected %s", what);
    return (struct hd_lisa_arg){HD_LISA_IS_VAR, (int32_t)take_variable(r)};
}

static struct hd_lisa_expr take_expr(struct reader *r, unsigned proc)
{
    static const char *const names[] = {"add", "and", "xor", "eq", "neq", "ne"};
    static const enum hd_lisa_fn fns[] = {HD_LISA_ADD, HD_LISA_AND, HD_LISA_XOR, HD_LISA_EQ, HD_LISA_NE, HD_LISA_NE};
    struct hd_lisa_expr e = {.fn = HD_LISA_VALUE};
    bool paren = take(r, "(");
    if (paren)
        e.fn = fns[take_one_of(r, names, 6, "add, and, xor, eq, neq or ne")];
    e.a = take_arg(r, proc, paren ? "an integer, a register or a variable"
                                  : "an integer, a register, a variable or '('");
    if (paren) {
        e.b = take_arg(r, proc, "an integer, a register or a variable");
        expect(r, ")", "after the second operand");
    }
    return e;
}

static void take_address(struct reader *r, unsigned proc, struct hd_lisa_instr *i)
{
    skip_space(r);
    if (at_number(r))
        fail(r, r->at, "expected an address (a variable or a register)");
    i->base = take_arg(r, proc, "an address (a variable or a register)");
    i->index = (struct hd_lisa_arg){HD_LISA_IS_INT, 0};
    if (take(r, "+")) {
        skip_space(r);
        size_t start = r->at;
        i->index = take_arg(r, proc, "a register or an integer");
        if (i->index.is == HD_LISA_IS_VAR)
            fail(r, start, "expected a register or an integer");
    }
}

/* The annotation "[...]" of a load, store, rmw or fence. */
static void take_annotation(struct reader *r, struct hd_lisa_instr *i)
{
    bool fence = i->kind == HD_LISA_FENCE;
    *i = (struct hd_lisa_instr){.kind = i->kind, .line = i->line, .scope = HD_LISA_WI, .reg = -1};
    expect(r, "[", "and an annotation");
    if (!fence && take(r, "]")) {
        i->atomic = i->kind == HD_LISA_RMW;
        return;
    }
    bool ordinary = false;
    if (!fence) {
        ordinary = i->kind != HD_LISA_RMW && take_word(r, "ordinary");
        if (!ordinary && !take_word(r, "atomic"))
            fail(r, r->at, i->kind == HD_LISA_RMW ? "expected ']' or atomic" : "expected ']', atomic or ordinary");
        expect(r, ",", "and an order");
    }
    i->atomic = !ordinary;
    skip_space(r);
    size_t start = r->at;
    i->order = (enum hd_lisa_order)take_one_of(r, order_names, 4, "an order: rlx, scacq, screl or scar");
    const char *orders = ordinary                                                           ? "rlx"
                         : fence && i->order == HD_LISA_RLX                                  ? "scacq, screl or scar"
                         : i->kind == HD_LISA_LOAD && i->order == HD_LISA_SCREL  ? "rlx, scacq or scar"
                         : i->kind == HD_LISA_STORE && i->order == HD_LISA_SCACQ ? "rlx, screl or scar"
                                                                                             : NULL;
    if (orders && !(ordinary && i->order == HD_LISA_RLX))
        fail(r, start, "expected an order that fits: %s", orders);
    expect(r, ",", "and a scope");
    skip_space(r);
    start = r->at;
    i->scope = (enum hd_lisa_scope)take_one_of(r, scope_names, HD_LISA_SCOPES,
                                               "a scope: wi, wave, wg, agent or system");
    if (ordinary && i->scope != HD_LISA_WI)
        fail(r, start, "expected wi, the scope of an ordinary access");
    expect(r, "]", "to end the annotation");
}

static void take_branch(struct reader *r, unsigned proc, struct hd_lisa_instr *i)
{
    if (take(r, "["))
        expect(r, "]", "in 'b[]'");
    i->reg = next_is_register(r) ? (int)take_register(r, proc) : -1;
    skip_space(r);
    struct jump *j = &r->jump[proc][r->jumps[proc]++];
    j->place = r->at;
    j->instr = r->t->proc[proc].instrs;
    take_name(r, j->name, i->reg < 0 ? "a register or a label" : "a label");
}

/* "[]" behind @word. */
static void take_brackets(struct reader *r, const char *word)
{
    char text[16];
    snprintf(text, sizeof text, "in '%s[]'", word);
    expect(r, "[", text);
    expect(r, "]", text);
}

/* "[wi]", "[wg]" or "[kr]": the work-items of a barrier. */
static void take_level(struct reader *r, struct hd_lisa_instr *i, bool group)
{
    static const char *const levels[] = {"wg", "kr", "wi"};
    static const enum hd_lisa_scope scopes[] = {HD_LISA_WG, HD_LISA_AGENT, HD_LISA_WI};
    expect(r, "[", "and whose barrier it is");
    i->scope = scopes[group ? take_one_of(r, levels, 2, "wg or kr") : take_one_of(r, levels, 3, "wi, wg or kr")];
    expect(r, "]", "behind it");
}

static struct hd_lisa_arg take_word_of(struct reader *r)
{
    return (struct hd_lisa_arg){HD_LISA_IS_VAR, (int32_t)take_variable(r)};
}

static void take_instruction(struct reader *r, unsigned proc)
{
    static const struct {
        const char *name;
        enum hd_lisa_kind kind;
    } names[] = {{"r", HD_LISA_LOAD},      {"w", HD_LISA_STORE},    {"rmw", HD_LISA_RMW},    {"f", HD_LISA_FENCE},
                 {"b", HD_LISA_BRANCH},    {"mov", HD_LISA_MOV},    {"bar", HD_LISA_BARRIER}, {"sb", HD_LISA_BARRIER},
                 {"pb", HD_LISA_PERSIST},  {"w2", HD_LISA_STORE2},  {"tx", HD_LISA_TX},      {"commit", HD_LISA_COMMIT},
                 {"cp", HD_LISA_COPY},     {"cw", HD_LISA_COPY_WAIT}};
    const size_t kinds = sizeof names / sizeof names[0];
    struct hd_lisa_proc *p = &r->t->proc[proc];
    skip_space(r);
    if (p->instrs == HD_LISA_INSTRS)
        fail(r, r->at, "expected at most %d instructions in P%u", HD_LISA_INSTRS, proc);
    struct hd_lisa_instr *i = &p->instr[p->instrs];
    *i = (struct hd_lisa_instr){.reg = -1, .line = (unsigned)r->at};
    size_t start = r->at;
    size_t k = 0;
    while (k < kinds && !take_word(r, names[k].name))
        k++;
    if (k == kinds)
        fail(r, start, "expected an instruction (r[], w[], rmw[], f[], b[], bar[], mov, pb[], sb[], w2[], tx[], commit[], cp[], cw[]), "
                       "a label, '|' or ';'");
    i->kind = names[k].kind;
    const char *word = names[k].name;
    if (i->kind <= HD_LISA_FENCE)
        take_annotation(r, i);
    i->row = r->row;
    i->line = 1;
    for (size_t c = 0; c < start; c++)
        i->line += r->text[c] == '\n';
    switch (i->kind) {
    case HD_LISA_LOAD:
        i->reg = (int)take_register(r, proc);
        take_address(r, proc, i);
        break;
    case HD_LISA_STORE:
        take_address(r, proc, i);
        if (!at_number(r) && !next_is_register(r) && peek(r) != '(')
            fail(r, r->at, "expected a register, an integer or '(' to store");
        i->value = take_expr(r, proc);
        break;
    case HD_LISA_RMW:
        i->reg = (int)take_register(r, proc);
        i->value = take_expr(r, proc);
        take_address(r, proc, i);
        break;
    case HD_LISA_BRANCH:
        take_branch(r, proc, i);
        break;
    case HD_LISA_MOV:
        i->reg = (int)take_register(r, proc);
        i->value = take_expr(r, proc);
        break;
    case HD_LISA_BARRIER:
        if (strcmp(word, "sb") == 0) {
            take_level(r, i, true);
            break;
        }
        i->scope = HD_LISA_WG;
        take_brackets(r, word);
        break;
    case HD_LISA_PERSIST:
        take_level(r, i, false);
        break;
    case HD_LISA_STORE2:
        take_brackets(r, word);
        i->base = take_word_of(r);
        i->value = (struct hd_lisa_expr){.fn = HD_LISA_VALUE, .a = take_arg(r, proc, "a value")};
        i->base2 = take_word_of(r);
        i->value2 = take_arg(r, proc, "a value");
        break;
    case HD_LISA_TX:
        r->local = true;
        take_brackets(r, word);
        break;
    case HD_LISA_COMMIT:
        take_brackets(r, word);
        break;
    case HD_LISA_COPY:
        take_brackets(r, word);
        i->base = take_word_of(r);
        i->index = take_word_of(r);
        break;
    case HD_LISA_COPY_WAIT:
        expect(r, "[", "in 'cw[n]'");
        i->value = (struct hd_lisa_expr){.fn = HD_LISA_VALUE, .a = {HD_LISA_IS_INT, take_number(r, "a number of copies")}};
        if (i->value.a.n < 0 || i->value.a.n > 7)
            fail(r, start, "expected cw[0] to cw[7]");
        expect(r, "]", "in 'cw[n]'");
        break;
    default:
        break;
    }
    p->instrs++;
}

/* @return whether a label "NAME:" is next; takes it. */
static bool take_label(struct reader *r, unsigned proc)
{
    skip_space(r);
    size_t start = r->at;
    if (name_length(r) == 0)
        return false;
    r->at += name_length(r);
    bool label = take(r, ":");
    r->at = start;
    if (!label)
        return false;
    char name[HD_LISA_NAME];
    take_name(r, name, "a label");
    for (unsigned i = 0; i < r->labels[proc]; i++)
        if (strcmp(r->label[proc][i].name, name) == 0)
            fail(r, start, "expected another label: '%s' stands twice in P%u", name, proc);
    if (r->labels[proc] == MAX_LABELS)
        fail(r, start, "expected at most %d labels in P%u", MAX_LABELS, proc);
    struct label *l = &r->label[proc][r->labels[proc]++];
    strcpy(l->name, name);
    l->at = r->t->proc[proc].instrs;
    expect(r, ":", "after the label");
    return true;
}

static bool at_section(struct reader *r)
{
    static const char *const words[] = {"scopes", "regions", "rows",   "lines", "grains",
                                        "crash",  "locations", "exists", "forall"};
    skip_space(r);
    if (peek(r) == '~' || r->at == r->length)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (next_is(r, words[i]))
            return true;
    return false;
}

static void read_program(struct reader *r)
{
    struct hd_lisa *t = r->t;
    unsigned named = 0; /* highest process of the initial state + 1 */
    for (unsigned p = 0; p < HD_LISA_PROCS; p++)
        if (t->proc[p].regs > 0)
            named = p + 1;
    skip_space(r);
    r->header = r->at;
    do {
        skip_space(r);
        size_t start = r->at;
        if (t->procs == HD_LISA_PROCS)
            fail(r, start, "expected at most %d processes", HD_LISA_PROCS);
        if (peek(r) != 'P' || !isdigit((unsigned char)peek_at(r, 1)))
            fail(r, start, "expected P%u", t->procs);
        if (take_process(r, HD_LISA_PROCS) != t->procs)
            fail(r, start, "expected P%u", t->procs);
        t->procs++;
    } while (take(r, "|"));
    expect(r, ";", "or '|' after the process");
    if (named > t->procs)
        fail(r, r->header, "expected P0 to P%u: the initial state names P%u", named - 1, named - 1);
    while (!at_section(r)) {
        for (unsigned p = 0; p < t->procs; p++) {
            while (take_label(r, p))
                ;
            skip_space(r);
            if (peek(r) != '|' && peek(r) != ';')
                take_instruction(r, p);
            if (p + 1 < t->procs)
                expect(r, "|", "and the cell of the next process");
        }
        expect(r, ";", "to end the row");
        r->row++;
    }
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned j = 0; j < r->jumps[p]; j++) {
            const struct jump *jump = &r->jump[p][j];
            unsigned l = 0;
            while (l < r->labels[p] && strcmp(r->label[p][l].name, jump->name) != 0)
                l++;
            if (l == r->labels[p])
                fail(r, jump->place, "expected a label of P%u; it has no '%s'", p, jump->name);
            unsigned from = jump->instr, to = r->label[p][l].at;
            for (unsigned i = from < to ? from : to; i < (from < to ? to : from); i++)
                if (t->proc[p].instr[i].kind == HD_LISA_BARRIER)
                    fail(r, jump->place, "expected no barrier between this branch and '%s'", jump->name);
            t->proc[p].instr[from].target = to;
        }
}

/* ---- sections ------------------------------------------------------------------------------------------- */

/* A process at @start is a leaf under nodes whose instances are @path (by scope, -1: the level is left out). */
static void place(struct reader *r, size_t start, unsigned p, const int path[HD_LISA_SCOPES])
{
    if (r->placed[p])
        fail(r, start, "expected each process once; P%u is in the tree already", p);
    r->placed[p] = true;
    for (int s = 0; s < HD_LISA_SCOPES; s++) {
        /* the widest node that is not wider than the scope; without one the process is alone */
        int node = -1;
        for (int n = 0; n <= s; n++)
            if (path[n] >= 0)
                node = path[n];
        r->t->instance[s][p] = (uint8_t)(node >= 0 ? node : 128 + (int)p);
    }
    if (path[HD_LISA_SYSTEM] < 0)
        r->t->instance[HD_LISA_SYSTEM][p] = 127;
}

static void take_tree(struct reader *r, const int outer[HD_LISA_SCOPES], int widest, unsigned *nodes)
{
    int path[HD_LISA_SCOPES];
    memcpy(path, outer, sizeof path);
    expect(r, "(", "to begin a scope");
    if (++r->depth > MAX_DEPTH)
        fail(r, r->at, "expected less than %d nested scopes", MAX_DEPTH);
    skip_space(r);
    size_t start = r->at;
    int level = (int)take_one_of(r, scope_names, HD_LISA_SCOPES, "a scope: wi, wave, wg, agent or system");
    if (level > widest)
        fail(r, start, "expected a scope narrower than the one around it");
    if (*nodes == 120)
        fail(r, start, "expected at most 120 scopes");
    path[level] = (int)(*nodes)++;
    while (!take(r, ")")) {
        skip_space(r);
        if (peek(r) == '(') {
            if (level == 0)
                fail(r, r->at, "expected a process: wi is the narrowest scope");
            take_tree(r, path, level - 1, nodes);
        } else if (peek(r) == 'P' || isdigit((unsigned char)peek(r))) {
            size_t here = r->at;
            place(r, here, take_process(r, r->t->procs), path);
        } else
            fail(r, r->at, "expected a process, '(' or ')'");
    }
    r->depth--;
}

static void read_scopes(struct reader *r)
{
    const int none[HD_LISA_SCOPES] = {-1, -1, -1, -1, -1};
    unsigned nodes = 0;
    expect(r, ":", "after scopes");
    do {
        take_tree(r, none, HD_LISA_SYSTEM, &nodes);
        skip_space(r);
    } while (peek(r) == '(');
    for (unsigned p = 0; p < r->t->procs; p++)
        if (!r->placed[p])
            fail(r, r->at, "expected P%u in the scope tree", p);
}

static void read_regions(struct reader *r)
{
    static const char *const names[] = {"global", "group", "nv", "host"};
    expect(r, ":", "after regions");
    do {
        skip_space(r);
        size_t place = r->at;
        unsigned v = take_variable(r);
        expect(r, ":", "and a region");
        enum hd_lisa_region region = (enum hd_lisa_region)take_one_of(r, names, 4, "a region: global, group, nv or host");
        if (r->told[v] && region != r->t->var[v].region)
            fail(r, place, "expected another variable: this one already has a region");
        r->t->var[v].region = region;
        r->told[v] = true;
    } while (take(r, ","));
    take(r, ";");
}

/* "x: 0.1, y: 2.0": bank and row of the local data share. */
static void read_rows(struct reader *r)
{
    expect(r, ":", "after rows");
    r->local = true;
    do {
        skip_space(r);
        size_t start = r->at;
        struct hd_lisa_var *v = &r->t->var[take_variable(r)];
        expect(r, ":", "and bank.row");
        int32_t bank = take_number(r, "a bank");
        expect(r, ".", "and a row");
        int32_t row = take_number(r, "a row");
        if (bank < 0 || bank > 63 || row < 0 || row > 1023)
            fail(r, start, "expected banks 0 to 63 and rows 0 to 1023");
        for (unsigned i = 0; i < r->t->vars; i++)
            if (r->t->var[i].placed && r->t->var[i].bank == (unsigned)bank && r->t->var[i].row == (unsigned)row)
                fail(r, start, "expected another place: '%s' has it", r->t->var[i].name);
        v->placed = true;
        v->bank = (unsigned)bank;
        v->row = (unsigned)row;
    } while (take(r, ","));
    take(r, ";");
}

/* "(x y) (z u)": variables that share a line, or a grain and so a line. */
static void read_groups(struct reader *r, bool grains)
{
    struct hd_lisa *t = r->t;
    expect(r, ":", grains ? "after grains" : "after lines");
    do {
        unsigned first = 0, n = 0;
        expect(r, "(", "to begin variables that lie together");
        while (!take(r, ")")) {
            skip_space(r);
            size_t start = r->at;
            unsigned v = take_variable(r);
            if (n++ == 0)
                first = v;
            if (grains && n > 2)
                fail(r, start, "expected two variables in a grain");
            for (unsigned i = 0, old = t->var[v].line; i < t->vars; i++)
                if (t->var[i].line == old)
                    t->var[i].line = t->var[first].line;
            if (grains)
                t->var[v].grain = t->var[first].grain;
        }
        skip_space(r);
    } while (peek(r) == '(' && peek_at(r, 1) != '*');
}

static bool is_written(const struct hd_lisa_proc *p, unsigned reg)
{
    for (unsigned i = 0; i < p->instrs; i++) {
        const struct hd_lisa_instr *in = &p->instr[i];
        if ((in->kind == HD_LISA_LOAD || in->kind == HD_LISA_RMW || in->kind == HD_LISA_MOV) && in->reg == (int)reg)
            return true;
    }
    return p->initial[reg];
}

/* @return the number of the item, which is added if it is not there. */
static unsigned add_item(struct reader *r, size_t start, struct hd_lisa_item item)
{
    struct hd_lisa *t = r->t;

    for (unsigned i = 0; i < t->items; i++)
        if (t->item[i].proc == item.proc && t->item[i].n == item.n)
            return i;
    if (t->items == HD_LISA_ITEMS)
        fail(r, start, "expected at most %d registers and variables", HD_LISA_ITEMS);
    t->item[t->items] = item;
    return t->items++;
}

/* @return the number of the item, which is new or old. */
static unsigned take_item(struct reader *r)
{
    struct hd_lisa *t = r->t;
    struct hd_lisa_item item = {.proc = -1};
    skip_space(r);
    size_t start = r->at;
    if (isdigit((unsigned char)peek(r)) || (peek(r) == 'P' && isdigit((unsigned char)peek_at(r, 1)))) {
        item.proc = (int)take_process(r, t->procs);
        expect(r, ":", "after the process");
        size_t at = r->at;
        item.n = take_register(r, (unsigned)item.proc);
        const struct hd_lisa_proc *p = &t->proc[item.proc];
        if (!is_written(p, item.n))
            fail(r, at, "expected a register that process %d or its initial state writes, not '%s'", item.proc,
                 p->reg[item.n]);
    } else {
        if (name_length(r) == 0)
            fail(r, start, "expected a register (0:r0) or a variable");
        item.n = take_variable(r);
    }
    return add_item(r, start, item);
}

static void read_locations(struct reader *r)
{
    expect(r, "[", "after locations");
    while (!take(r, "]")) {
        take_item(r);
        if (!take(r, ";")) {
            expect(r, "]", "or ';' after a location");
            return;
        }
    }
}

static unsigned new_term(struct reader *r, struct hd_lisa_term term)
{
    struct hd_lisa *t = r->t;
    if (t->terms == HD_LISA_TERMS)
        fail(r, r->at, "expected at most %d terms in the condition", HD_LISA_TERMS);
    t->term[t->terms] = term;
    return t->terms++;
}

static unsigned take_either(struct reader *r);

static unsigned take_term(struct reader *r)
{
    if (++r->depth > MAX_DEPTH)
        fail(r, r->at, "expected less than %d nested terms", MAX_DEPTH);
    unsigned term;
    if (take_word(r, "not") || take(r, "~"))
        term = new_term(r, (struct hd_lisa_term){.op = HD_LISA_NOT, .left = take_term(r)});
    else if (take_word(r, "true"))
        term = new_term(r, (struct hd_lisa_term){.op = HD_LISA_TRUE});
    else if (take(r, "(")) {
        term = take_either(r);
        expect(r, ")", "after the condition");
    } else {
        skip_space(r);
        if (name_length(r) == 0 && !isdigit((unsigned char)peek(r)))
            fail(r, r->at, "expected a condition: a=v, not, true or '('");
        unsigned item = take_item(r);
        expect(r, "=", "and a value");
        term = new_term(r, (struct hd_lisa_term){.op = HD_LISA_IS, .left = item,
                                                 .value = (uint32_t)take_number(r, "an integer")});
    }
    r->depth--;
    return term;
}

static unsigned take_both(struct reader *r)
{
    unsigned term = take_term(r);
    while (take(r, "/\\"))
        term = new_term(r, (struct hd_lisa_term){.op = HD_LISA_BOTH, .left = term, .right = take_term(r)});
    return term;
}

static unsigned take_either(struct reader *r)
{
    unsigned term = take_both(r);
    while (take(r, "\\/"))
        term = new_term(r, (struct hd_lisa_term){.op = HD_LISA_EITHER, .left = term, .right = take_both(r)});
    return term;
}

static void read_condition(struct reader *r)
{
    struct hd_lisa *t = r->t;
    bool negated = take(r, "~");
    if (take_word(r, "exists"))
        t->quantifier = negated ? HD_LISA_NOT_EXISTS : HD_LISA_EXISTS;
    else if (!negated && take_word(r, "forall"))
        t->quantifier = HD_LISA_FORALL;
    else
        fail(r, r->at, negated ? "expected exists"
                               : "expected scopes:, regions:, rows:, lines:, grains:, crash, locations, exists, ~exists or forall");
    take_either(r);
    skip_space(r);
    if (r->at != r->length)
        fail(r, r->at, "expected /\\, \\/ or the end of the file");
}

static void read_sections(struct reader *r)
{
    for (;;) {
        skip_space(r);
        size_t start = r->at;
        if (take_word(r, "scopes")) {
            if (r->placed[0])
                fail(r, start, "expected one scope tree");
            read_scopes(r);
        } else if (take_word(r, "regions"))
            read_regions(r);
        else if (take_word(r, "rows"))
            read_rows(r);
        else if (take_word(r, "lines"))
            read_groups(r, false);
        else if (take_word(r, "grains"))
            read_groups(r, true);
        else if (take_word(r, "crash"))
            r->t->crash = true;
        else if (take_word(r, "locations"))
            read_locations(r);
        else
            break;
    }
    read_condition(r);
}

/* ---- after reading -------------------------------------------------------------------------------------- */

/* Without a tree each process is alone in its block, all in one agent. */
static void default_scopes(struct reader *r)
{
    struct hd_lisa *t = r->t;
    if (r->placed[0])
        return;
    for (unsigned p = 0; p < t->procs; p++)
        for (int s = 0; s < HD_LISA_SCOPES; s++)
            t->instance[s][p] = (uint8_t)(s >= HD_LISA_AGENT ? 0 : 128 + p);
}

/* A barrier waits for every process of its work-group. */
static void check_barriers(struct reader *r)
{
    const struct hd_lisa *t = r->t;
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned q = 0; q < p; q++)
            if (t->instance[HD_LISA_WG][p] == t->instance[HD_LISA_WG][q] &&
                hd_lisa_barriers(t, p) != hd_lisa_barriers(t, q))
                fail(r, r->header, "expected as many barriers in P%u as in P%u of its work-group", p, q);
}

/* Variables without a region: the local data share if it is about transactions, else global memory. */
static void default_regions(struct reader *r)
{
    for (unsigned v = 0; v < r->t->vars; v++) {
        struct hd_lisa_var *x = &r->t->var[v];
        if (!r->told[v] && r->local)
            x->region = HD_LISA_GROUP;
        x->group = x->region == HD_LISA_GROUP;
    }
}

/* The @n-th transaction bound (tx[] or commit[]) of a process, or NULL. */
static const struct hd_lisa_instr *bound(const struct hd_lisa_proc *p, unsigned n)
{
    for (unsigned i = 0; i < p->instrs; i++)
        if ((p->instr[i].kind == HD_LISA_TX || p->instr[i].kind == HD_LISA_COMMIT) && n-- == 0)
            return &p->instr[i];
    return NULL;
}

static void check_rows(struct reader *r, unsigned p, unsigned q)
{
    for (unsigned n = 0;; n++) {
        const struct hd_lisa_instr *a = bound(&r->t->proc[p], n), *b = bound(&r->t->proc[q], n);
        if (!a && !b)
            return;
        if (a && b && (a->row != b->row || a->kind != b->kind))
            fail(r, r->header, "expected P%u and P%u, lanes of a wave, to begin and commit in the same rows", q, p);
        if (!a || !b)
            return; /* the other lanes are idle meanwhile */
    }
}

/* Transactions begin and commit in turn, hold no barrier, and no branch leads into or out of one; lanes of a wave begin
 * and commit in the same rows. */
static void check_transactions(struct reader *r)
{
    const struct hd_lisa *t = r->t;
    for (unsigned p = 0; p < t->procs; p++) {
        unsigned inside[HD_LISA_INSTRS + 1] = {0}, n = 0; /* number of the transaction before an instruction, 0: none */
        bool open = false;
        for (unsigned i = 0; i < t->proc[p].instrs; i++) {
            const struct hd_lisa_instr *x = &t->proc[p].instr[i];
            inside[i] = open ? n : 0;
            if (x->kind == HD_LISA_TX ? open : x->kind == HD_LISA_COMMIT ? !open : false)
                fail(r, r->header, "expected tx[] and commit[] in turn in P%u", p);
            if (open && (x->kind == HD_LISA_BARRIER || x->kind == HD_LISA_PERSIST))
                fail(r, r->header, "expected no barrier in a transaction of P%u", p);
            open = x->kind == HD_LISA_TX || (open && x->kind != HD_LISA_COMMIT);
            n += x->kind == HD_LISA_TX;
        }
        if (open)
            fail(r, r->header, "expected commit[] after the last tx[] of P%u", p);
        for (unsigned i = 0; i < t->proc[p].instrs; i++)
            if (t->proc[p].instr[i].kind == HD_LISA_BRANCH && inside[i] != inside[t->proc[p].instr[i].target])
                fail(r, r->header, "expected no branch into or out of a transaction of P%u", p);
        for (unsigned q = 0; q < p; q++)
            if (t->instance[HD_LISA_WAVE][p] == t->instance[HD_LISA_WAVE][q])
                check_rows(r, p, q);
    }
}

/* Registers are gone after a power cut; what is left is the outcome, whatever of it the condition names. */
static void check_crash(struct reader *r)
{
    for (unsigned v = 0; v < r->t->vars && r->t->crash; v++)
        if (r->t->var[v].region >= HD_LISA_NV)
            add_item(r, r->length, (struct hd_lisa_item){.proc = -1, .n = v});
    for (unsigned i = 0; i < r->t->items && r->t->crash; i++)
        if (r->t->item[i].proc >= 0)
            fail(r, r->length, "expected variables alone in the outcome of a crash test");
}

static const char *item_name(const struct hd_lisa *t, const struct hd_lisa_item *i)
{
    return i->proc < 0 ? t->var[i->n].name : t->proc[i->proc].reg[i->n];
}

/* @return whether @a stands before @b. */
static bool item_before(const struct hd_lisa *t, const struct hd_lisa_item *a, const struct hd_lisa_item *b)
{
    if (a->proc != b->proc)
        return a->proc >= 0 && (b->proc < 0 || a->proc < b->proc);
    return strcmp(item_name(t, a), item_name(t, b)) < 0;
}

static void sort_items(struct hd_lisa *t)
{
    unsigned now[HD_LISA_ITEMS], moved[HD_LISA_ITEMS]; /* now[new] = old */
    struct hd_lisa_item old[HD_LISA_ITEMS];
    memcpy(old, t->item, sizeof old);
    for (unsigned i = 0; i < t->items; i++) {
        unsigned j = i;
        for (; j > 0 && item_before(t, &old[i], &old[now[j - 1]]); j--)
            now[j] = now[j - 1];
        now[j] = i;
    }
    for (unsigned i = 0; i < t->items; i++) {
        t->item[i] = old[now[i]];
        moved[now[i]] = i;
    }
    for (unsigned i = 0; i < t->terms; i++)
        if (t->term[i].op == HD_LISA_IS)
            t->term[i].left = moved[t->term[i].left];
}

/* @return false after fail() */
static bool read_test(struct reader *r)
{
    if (setjmp(r->out) != 0)
        return false;
    read_head(r);
    read_init(r);
    read_program(r);
    read_sections(r);
    default_scopes(r);
    default_regions(r);
    check_barriers(r);
    check_transactions(r);
    check_crash(r);
    sort_items(r->t);
    return true;
}

struct hd_lisa *hd_lisa_parse(const char *text, size_t length, const char *name, char *error, size_t size)
{
    struct hd_lisa *t = calloc(1, sizeof *t);
    bool good = false;
    if (t && hd_scoped_is(text, length)) {
        char *lisa;
        struct hd_stated stated;
        switch (hd_scoped_rewrite(text, length, name, &lisa, &stated, error, size)) {
        case HD_SCOPED_DONE:
            free(t);
            t = hd_lisa_parse(lisa, strlen(lisa), name, error, size);
            free(lisa);
            if (t)
                t->stated = stated;
            return t;
        case HD_SCOPED_UNMAPPED:
            snprintf(t->unmapped, sizeof t->unmapped, "%s", error);
            snprintf(t->name, sizeof t->name, "%s", strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
            return t;
        default:
            free(t);
            return NULL;
        }
    }
    struct reader *r = calloc(1, sizeof *r);
    if (r && t) {
        bool marked = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* the byte-order mark of some editors */
        r->text = marked ? text + 3 : text;
        r->length = marked ? length - 3 : length;
        r->file = name;
        r->error = error;
        r->error_size = size;
        r->t = t;
        good = read_test(r);
    } else
        snprintf(error, size, "%s: no memory", name);
    free(r);
    if (!good) {
        free(t);
        return NULL;
    }
    return t;
}

struct hd_lisa *hd_lisa_read(const char *path)
{
    struct hd_lisa *t = NULL;
    char error[512];
    char *text = malloc(MAX_FILE + 1);
    FILE *f = fopen(path, "rb");
    if (!f || !text) {
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
        goto out;
    }
    size_t n = fread(text, 1, MAX_FILE + 1, f);
    if (ferror(f)) {
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
        goto out;
    }
    if (n > MAX_FILE) {
        fprintf(stderr, "heddle: %s:1:1: expected a file of at most %d bytes\n", path, MAX_FILE);
        goto out;
    }
    t = hd_lisa_parse(text, n, path, error, sizeof error);
    if (!t)
        fprintf(stderr, "heddle: %s\n", error);
out:
    if (f)
        fclose(f);
    free(text);
    return t;
}

unsigned hd_lisa_barriers(const struct hd_lisa *t, unsigned proc)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->proc[proc].instrs; i++)
        n += t->proc[proc].instr[i].kind == HD_LISA_BARRIER;
    return n;
}

unsigned hd_lisa_instances(const struct hd_lisa *t, enum hd_lisa_scope s)
{
    unsigned n = 0;
    for (unsigned p = 0; p < t->procs; p++) {
        unsigned q = 0;
        while (q < p && t->instance[s][q] != t->instance[s][p])
            q++;
        n += q == p;
    }
    return n;
}

static bool holds(const struct hd_lisa *t, unsigned term, const uint32_t *outcome)
{
    const struct hd_lisa_term *x = &t->term[term];
    switch (x->op) {
    case HD_LISA_IS:
        return outcome[x->left] == x->value;
    case HD_LISA_NOT:
        return !holds(t, x->left, outcome);
    case HD_LISA_BOTH:
        return holds(t, x->left, outcome) && holds(t, x->right, outcome);
    case HD_LISA_EITHER:
        return holds(t, x->left, outcome) || holds(t, x->right, outcome);
    default:
        return true;
    }
}

bool hd_lisa_holds(const struct hd_lisa *t, const uint32_t *outcome)
{
    return holds(t, t->terms - 1, outcome);
}

void hd_lisa_outcome_text(const struct hd_lisa *t, const uint32_t *outcome, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < t->items && n < size; i++) {
        const struct hd_lisa_item *item = &t->item[i];
        int var = hd_lisa_var_at(t, outcome[i]);
        n += (size_t)snprintf(text + n, size - n, i ? ";" : "");
        if (n < size && item->proc >= 0)
            n += (size_t)snprintf(text + n, size - n, "%d:", item->proc);
        if (n < size)
            n += (size_t)snprintf(text + n, size - n, "%s=", item_name(t, item));
        if (n < size)
            n += var >= 0 ? (size_t)snprintf(text + n, size - n, "%s", t->var[var].name)
                          : (size_t)snprintf(text + n, size - n, "%d", (int)(int32_t)outcome[i]);
    }
}
