/* opencl.c - the processes of a litmus test in OpenCL C: declarations, assignments, if, C11 atomics with scopes, fences and barriers.
 * An expression goes to a register; a label stands before the instruction it is followed by. */
#define _POSIX_C_SOURCE 200809L
#include "scoped_parts.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_label(struct process *p, const char *name)
{
    hd_sc_row(p, "%s:", name);
    p->open = true;
    hd_sc_mark(p->s, p->c, name)->is = LABEL;
}

static void add_jump(struct process *p, const char *condition, const char *name)
{
    hd_sc_row(p, "b[] %s%s%s", condition, *condition ? " " : "", name);
    hd_sc_mark(p->s, p->c, name)->is = JUMP;
}

const char *hd_sc_local(char word[WORD])
{
    if (hd_sc_is_register(word) || *word == '%')
        return word;
    memmove(word + 1, word, strlen(word) < WORD - 1 ? strlen(word) + 1 : WORD - 1);
    word[0] = '%';
    word[WORD - 1] = '\0';
    return word;
}

static bool is_pointer(const struct process *p, const char *word)
{
    for (unsigned i = 0; i < p->pointers; i++)
        if (strcmp(p->pointer[i], word) == 0)
            return true;
    return false;
}

static void take_pointer(struct process *p, char word[WORD])
{
    hd_sc_word(p->s, word, false, "a pointer");
    if (!is_pointer(p, word))
        hd_sc_bad(p->s, "expected a parameter, not '%s'", word);
    if (hd_sc_take(p->s, "+")) {
        char offset[WORD];
        hd_sc_word(p->s, offset, false, "an offset");
        hd_sc_lacks(p->s, "an address that is computed");
    }
    hd_sc_variable(word);
}

/* The rest of the arguments: [, memory_order_...]... [, memory_scope_...] */
static void take_order(struct process *p, const char **order, const char **scope)
{
    static const char *const names[][2] = {
        {"memory_order_relaxed", "rlx"},           {"memory_order_acquire", "scacq"},     {"memory_order_release", "screl"},
        {"memory_order_acq_rel", "scar"},          {"memory_order_seq_cst", "sc"},        {"memory_scope_work_item", "wi"},
        {"memory_scope_sub_group", "wave"},        {"memory_scope_work_group", "wg"},     {"memory_scope_device", "agent"},
        {"memory_scope_all_svm_devices", "system"}};
    char word[WORD];
    bool given = false;
    *order = "sc";
    *scope = "agent";
    while (hd_sc_take(p->s, ",")) {
        unsigned k = 0;
        hd_sc_word(p->s, word, false, "an order or a scope");
        while (k < 10 && strcmp(names[k][0], word) != 0)
            k++;
        if (k == 10)
            hd_sc_bad(p->s, "expected an order or a scope, not '%s'", word);
        if (k >= 5)
            *scope = names[k][1];
        else if (!given)
            *order = names[k][1];
        given |= k < 5;
    }
    hd_sc_expect(p->s, ")", "after the arguments");
}

static const char *lisa_order(const char *order)
{
    return strcmp(order, "sc") == 0 ? "scar" : order;
}

static void temporary(struct process *p, char to[WORD])
{
    snprintf(to, WORD, "%%t%u", p->temps++);
}

static void read_expression(struct process *p, char to[WORD]);

/* atomic_NAME( ... ) as a value; @to: the register or number with it. */
static void read_call(struct process *p, const char *name, char to[WORD])
{
    static const char *const fetch[][2] = {{"add", "add"}, {"and", "and"}, {"xor", "xor"}};
    char pointer[WORD], value[WORD];
    const char *order, *scope, *what = name + strlen("atomic_");
    hd_sc_expect(p->s, "(", "and the arguments");
    if (strncmp(what, "compare_exchange", 16) == 0) {
        hd_sc_lacks(p->s, "compare and exchange");
        for (unsigned depth = 1; depth > 0; p->s->at++) {
            if (p->s->at == p->s->length)
                hd_sc_bad(p->s, "expected ')'");
            depth += hd_sc_peek(p->s) == '(';
            depth -= hd_sc_peek(p->s) == ')';
            p->s->line += hd_sc_peek(p->s) == '\n';
        }
        strcpy(to, "0");
        return;
    }
    take_pointer(p, pointer);
    if (strncmp(what, "load", 4) == 0) {
        take_order(p, &order, &scope);
        temporary(p, to);
        if (strcmp(order, "screl") == 0)
            hd_sc_bad(p->s, "expected a load that does not release");
        hd_sc_row(p, "r[atomic,%s,%s] %s %s", lisa_order(order), scope, to, pointer);
        return;
    }
    hd_sc_expect(p->s, ",", "and a value");
    read_expression(p, value);
    take_order(p, &order, &scope);
    if (strncmp(what, "store", 5) == 0) {
        if (strcmp(order, "scacq") == 0)
            hd_sc_bad(p->s, "expected a store that does not acquire");
        hd_sc_row(p, "w[atomic,%s,%s] %s %s", lisa_order(order), scope, pointer, value);
        strcpy(to, "0");
        return;
    }
    temporary(p, to);
    for (unsigned i = 0; i < 3 && strncmp(what, "fetch_", 6) == 0; i++)
        if (strncmp(what + 6, fetch[i][0], 3) == 0) {
            hd_sc_row(p, "rmw[atomic,%s,%s] %s (%s %s %s) %s", lisa_order(order), scope, to, fetch[i][1], to, value, pointer);
            return;
        }
    if (strncmp(what, "exchange", 8) == 0)
        hd_sc_row(p, "rmw[atomic,%s,%s] %s %s %s", lisa_order(order), scope, to, value, pointer);
    else
        hd_sc_lacks(p->s, "an atomic beyond exchange, add, and, xor");
}

static void read_operand(struct process *p, char to[WORD])
{
    char word[WORD];
    if (hd_sc_take(p->s, "(")) {
        read_expression(p, to);
        hd_sc_expect(p->s, ")", "after the expression");
        return;
    }
    if (hd_sc_take(p->s, "*")) {
        take_pointer(p, word);
        temporary(p, to);
        hd_sc_row(p, "r[] %s %s", to, word);
        return;
    }
    hd_sc_word(p->s, word, false, "an expression");
    if (strncmp(word, "atomic_", 7) == 0)
        read_call(p, word, to);
    else {
        if (is_pointer(p, word))
            hd_sc_lacks(p->s, "an address as a value");
        snprintf(to, WORD, "%s", hd_sc_is_number(word) ? word : hd_sc_local(word));
    }
}

/* operand [(+ | == | !=) operand]; @to: a number or register. */
static void read_expression(struct process *p, char to[WORD])
{
    char right[WORD], left[WORD];
    if (++p->s->depth > MAX_DEPTH)
        hd_sc_bad(p->s, "expected at most %d parentheses", MAX_DEPTH);
    read_operand(p, to);
    for (;;) {
        const char *fn = hd_sc_take(p->s, "==") ? "eq" : hd_sc_take(p->s, "!=") ? "ne" : hd_sc_take(p->s, "+") ? "add" : NULL;
        if (!fn)
            break;
        strcpy(left, to);
        read_operand(p, right);
        temporary(p, to);
        hd_sc_row(p, "mov %s (%s %s %s)", to, fn, left, right);
    }
    p->s->depth--;
}

/* A value that was just loaded goes to its variable at once: a copy would wait for it. @return whether it did. */
static bool load_to(struct process *p, const char *value, const char *variable)
{
    char *row = p->rows > 0 ? p->row[p->rows - 1] : NULL, rest[PIECE];
    char *at = row && strncmp(value, "%t", 2) == 0 && strstr(row, "r[") && !strstr(row, "rmw[") ? strstr(row, value) : NULL;
    if (!at || at[strlen(value)] != ' ' || strlen(row) + strlen(variable) >= PIECE)
        return false;
    strcpy(rest, at + strlen(value));
    strcpy(at, variable);
    strcat(row, rest);
    return true;
}

static void read_block(struct process *p);

static void read_if(struct process *p)
{
    char value[WORD], otherwise[WORD], end[WORD];
    unsigned n = p->labels++;
    hd_sc_expect(p->s, "(", "and a condition");
    read_expression(p, value);
    hd_sc_expect(p->s, ")", "after the condition");
    snprintf(otherwise, sizeof otherwise, "ELSE%u", n);
    snprintf(end, sizeof end, "END%u", n);
    hd_sc_row(p, "mov %%b (eq %s 0)", value);
    add_jump(p, "%b", otherwise);
    read_block(p);
    char word[WORD];
    size_t at = p->s->at;
    unsigned line = p->s->line;
    hd_sc_space(p->s);
    bool more = isalpha((unsigned char)hd_sc_peek(p->s)) != 0;
    if (more)
        hd_sc_word(p->s, word, false, "a statement");
    if (more && strcmp(word, "else") == 0) {
        add_jump(p, "", end);
        add_label(p, otherwise);
        read_block(p);
        add_label(p, end);
        return;
    }
    p->s->at = at;
    p->s->line = line;
    add_label(p, otherwise);
}

static void read_barrier(struct process *p, const char *label)
{
    char word[WORD];
    hd_sc_expect(p->s, "(", "and the arguments");
    do
        hd_sc_word(p->s, word, false, "a memory");
    while (hd_sc_take(p->s, "|"));
    if (hd_sc_take(p->s, ","))
        hd_sc_word(p->s, word, false, "a scope");
    hd_sc_expect(p->s, ")", "after the arguments");
    hd_sc_expect(p->s, ";", "after the barrier");
    hd_sc_mark(p->s, p->c, label)->is = BAR;
    hd_sc_row(p, "f[screl,wg]");
    hd_sc_row(p, "bar[]");
    hd_sc_row(p, "f[scacq,wg]");
}

static void read_fence(struct process *p)
{
    char word[WORD];
    const char *order, *scope;
    hd_sc_expect(p->s, "(", "and the arguments");
    do
        hd_sc_word(p->s, word, false, "a memory");
    while (hd_sc_take(p->s, "|"));
    take_order(p, &order, &scope);
    hd_sc_expect(p->s, ";", "after the fence");
    if (strcmp(order, "scar") == 0) {
        hd_sc_row(p, "f[screl,%s]", scope);
        hd_sc_row(p, "f[scacq,%s]", scope);
    } else if (strcmp(order, "rlx") != 0)
        hd_sc_row(p, "f[%s,%s]", lisa_order(order), scope);
}

static void read_statement(struct process *p)
{
    static const char *const loops[] = {"while", "for", "do", "goto", NULL};
    char word[WORD], value[WORD];
    if (hd_sc_take(p->s, ";"))
        return;
    if (hd_sc_take(p->s, "*")) {
        take_pointer(p, word);
        hd_sc_expect(p->s, "=", "and a value");
        read_expression(p, value);
        hd_sc_expect(p->s, ";", "after the value");
        hd_sc_row(p, "w[] %s %s", word, value);
        return;
    }
    hd_sc_word(p->s, word, false, "a statement");
    if (hd_sc_one_of(word, loops)) {
        hd_sc_lacks(p->s, "a loop in C");
        while (p->s->at < p->s->length && hd_sc_peek(p->s) != '\n')
            p->s->at++;
    } else if (strcmp(word, "if") == 0)
        read_if(p);
    else if (strcmp(word, "atomic_work_item_fence") == 0)
        read_fence(p);
    else if (strcmp(word, "barrier") == 0 || strcmp(word, "work_group_barrier") == 0)
        read_barrier(p, "");
    else if (strncmp(word, "atomic_", 7) == 0) {
        read_call(p, word, value);
        hd_sc_expect(p->s, ";", "after the call");
    } else if (hd_sc_take(p->s, ":")) { /* B0: barrier(...) */
        hd_sc_word(p->s, value, false, "a barrier");
        if (strcmp(value, "barrier") != 0 && strcmp(value, "work_group_barrier") != 0)
            hd_sc_bad(p->s, "expected a barrier, not '%s'", value);
        read_barrier(p, word);
    } else {
        if (strcmp(word, "int") == 0)
            hd_sc_word(p->s, word, false, "a name");
        hd_sc_local(word);
        if (hd_sc_take(p->s, "=")) {
            read_expression(p, value);
            if (!load_to(p, value, word))
                hd_sc_row(p, "mov %s %s", word, value);
        }
        hd_sc_expect(p->s, ";", "after the value");
    }
}

static void read_block(struct process *p)
{
    if (++p->s->depth > MAX_DEPTH)
        hd_sc_bad(p->s, "expected at most %d blocks", MAX_DEPTH);
    if (!hd_sc_take(p->s, "{"))
        read_statement(p);
    else
        while (!hd_sc_take(p->s, "}")) {
            if (p->s->at >= p->s->length)
                hd_sc_bad(p->s, "expected '}' to end the block");
            read_statement(p);
        }
    p->s->depth--;
}

/* (global atomic_int* x, ...) */
static void read_parameters(struct process *p)
{
    struct scoped *s = p->s;
    char word[WORD];
    hd_sc_expect(s, "(", "and the parameters");
    if (hd_sc_take(s, ")"))
        return;
    do {
        bool local = false;
        do {
            hd_sc_word(s, word, false, "a type");
            local |= strcmp(word, "local") == 0;
        } while (!hd_sc_take(s, "*"));
        if (p->pointers == NAMES)
            hd_sc_bad(s, "expected at most %d parameters", NAMES);
        hd_sc_word(s, p->pointer[p->pointers], false, "a parameter");
        strcpy(word, p->pointer[p->pointers++]);
        hd_sc_variable(word);
        size_t n = strlen(s->group);
        if (local && (n == 0 || !strstr(s->group, word)) && n + strlen(word) + 24 < sizeof s->group)
            snprintf(s->group + n, sizeof s->group - n, "%s%s: group", n ? ", " : " regions: ", word);
    } while (hd_sc_take(s, ","));
    hd_sc_expect(s, ")", "after the parameters");
}

void hd_sc_opencl(struct scoped *s)
{
    char word[WORD];
    while (hd_sc_take(s, "P")) {
        struct process *p = hd_sc_process(s);
        hd_sc_word(s, word, false, "the number of a process");
        if (hd_sc_number(s, word, "the number of a process") != s->columns - 1)
            hd_sc_bad(s, "expected process %u", s->columns - 1);
        static const char *const levels[] = {"wg", "dev"};
        unsigned place[2] = {0};
        for (unsigned l = 0; l < 2; l++) {
            hd_sc_expect(s, l ? "," : "@", "and the place of the process");
            hd_sc_word(s, word, false, levels[l]);
            if (strcmp(word, levels[l]) != 0)
                hd_sc_bad(s, "expected %s, not '%s'", levels[l], word);
            hd_sc_word(s, word, false, "a number");
            place[l] = hd_sc_number(s, word, "a number");
        }
        p->c->wave = s->columns - 1;
        p->c->group = place[0];
        p->c->device = place[1];
        s->body = true;
        read_parameters(p);
        hd_sc_space(s);
        if (hd_sc_peek(s) != '{')
            hd_sc_bad(s, "expected '{' and the statements");
        read_block(p);
        s->body = false;
    }
    if (s->columns == 0)
        hd_sc_bad(s, "expected a process (P0@wg 0, dev 0 ...)");
    hd_sc_table(s);
}
