/* scoped.c - see scoped.h. One pass over the characters; what is not understood or not mapped jumps back to
 * hd_scoped_rewrite(). An instruction may become several of LISA: they follow each other in the same line. */
#define _POSIX_C_SOURCE 200809L
#include "scoped_parts.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters and words ------------------------------------------------------------------------------- */

void hd_sc_bad(struct scoped *s, const char *format, ...)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0; i < s->at && i < s->length; i++) {
        column = s->text[i] == '\n' ? 1 : column + 1;
        line += s->text[i] == '\n';
    }
    int n = snprintf(s->message, s->size, "%s:%u:%u: ", s->file, line, column);
    if (n > 0 && (size_t)n < s->size) {
        va_list args;
        va_start(args, format);
        vsnprintf(s->message + n, s->size - (size_t)n, format, args);
        va_end(args);
    }
    longjmp(s->away, 1);
}

void hd_sc_lacks(struct scoped *s, const char *what)
{
    if (!s->unmapped)
        s->unmapped = what;
}

char hd_sc_peek(const struct scoped *s)
{
    return s->at < s->length ? s->text[s->at] : '\0';
}

void hd_sc_space(struct scoped *s)
{
    while (s->at < s->length) {
        if (hd_sc_peek(s) == '\n')
            s->line++;
        else if (s->length - s->at >= 2 && memcmp(s->text + s->at, "//", 2) == 0) {
            while (s->at < s->length && hd_sc_peek(s) != '\n')
                s->at++;
            continue;
        } else if (s->opencl && !s->body && s->length - s->at >= 2 && memcmp(s->text + s->at, "(*", 2) == 0) {
            for (; s->at < s->length && (s->length - s->at < 2 || memcmp(s->text + s->at, "*)", 2) != 0); s->at++)
                s->line += hd_sc_peek(s) == '\n';
            s->at += s->at < s->length; /* the other character is stepped over below */
        } else if (!isspace((unsigned char)hd_sc_peek(s)))
            return;
        s->at++;
    }
}

bool hd_sc_take(struct scoped *s, const char *symbol)
{
    size_t n = strlen(symbol);
    hd_sc_space(s);
    if (s->length - s->at < n || memcmp(s->text + s->at, symbol, n) != 0)
        return false;
    s->at += n;
    return true;
}

void hd_sc_expect(struct scoped *s, const char *symbol, const char *where)
{
    if (!hd_sc_take(s, symbol))
        hd_sc_bad(s, "expected '%s' %s", symbol, where);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A name or number; with @dots an instruction. */
void hd_sc_word(struct scoped *s, char word[WORD], bool dots, const char *what)
{
    size_t n = 0;
    hd_sc_space(s);
    if (hd_sc_peek(s) == '-' && !dots)
        word[n++] = '-', s->at++;
    for (; in_word(hd_sc_peek(s)) || (dots && n > 0 && hd_sc_peek(s) == '.'); s->at++) {
        if (n == WORD - 1)
            hd_sc_bad(s, "expected %s of at most %d characters", what, WORD - 1);
        word[n++] = hd_sc_peek(s);
    }
    word[n] = '\0';
    if (n == 0 || strcmp(word, "-") == 0)
        hd_sc_bad(s, "expected %s", what);
}

bool hd_sc_is_number(const char *word)
{
    word += *word == '-';
    return *word && strspn(word, "0123456789") == strlen(word);
}

bool hd_sc_is_register(const char *word)
{
    return word[0] == 'r' && word[1] && strspn(word + 1, "0123456789") == strlen(word + 1);
}

unsigned hd_sc_number(struct scoped *s, const char *word, const char *what)
{
    if (!hd_sc_is_number(word) || *word == '-' || strlen(word) > 4)
        hd_sc_bad(s, "expected %s, not '%s'", what, word);
    return (unsigned)atoi(word);
}

bool hd_sc_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* The next line written stands in the line that was read. */
static void in_step(struct scoped *s)
{
    for (; s->written < s->line; s->written++)
        fputc('\n', s->out);
}

/* ---- head and initial state ----------------------------------------------------------------------------- */

/* Behind blanks and comments. */
static bool begins(const char *text, size_t length, const char *with)
{
    while (length > 0 && (isspace((unsigned char)*text) || (length > 1 && memcmp(text, "//", 2) == 0))) {
        const char *end = *text == '/' ? memchr(text, '\n', length) : text + 1;
        length -= end ? (size_t)(end - text) : length;
        text = end;
    }
    return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

bool hd_scoped_is(const char *text, size_t length)
{
    static const char *const word[] = {"PTX ",  "VULKAN ",  "Vulkan ",  "OPENCL ", "PTX\t",
                                       "VULKAN\t", "Vulkan\t", "OPENCL\t", "NEW"};
    for (unsigned i = 0; i < sizeof word / sizeof word[0]; i++)
        if (begins(text, length, word[i]))
            return true;
    return false;
}

static void read_head(struct scoped *s)
{
    char word[WORD];
    hd_sc_word(s, word, false, "PTX, Vulkan or OPENCL");
    s->opencl = strcmp(word, "OPENCL") == 0;
    s->vulkan = !s->opencl && strcmp(word, "PTX") != 0;
    fputs("LISA ", s->out);
    while (isblank((unsigned char)hd_sc_peek(s)))
        s->at++;
    if (!isgraph((unsigned char)hd_sc_peek(s)))
        hd_sc_bad(s, "expected the name of the test");
    for (; isgraph((unsigned char)hd_sc_peek(s)); s->at++)
        fputc(hd_sc_peek(s), s->out);
    for (; s->at < s->length && hd_sc_peek(s) != '\n'; s->at++)
        ;
    while (s->at < s->length && !hd_sc_take(s, "{")) /* texts, which may hold quotes */
        for (; s->at < s->length && hd_sc_peek(s) != '\n'; s->at++)
            ;
    if (s->at == s->length)
        hd_sc_bad(s, "expected '{' to begin the initial state");
}

/* Writes a variable's name, also one that LISA reserves. */
const char *hd_sc_variable(char word[WORD])
{
    static const char *const reserved[] = {"w",  "bar", "mov", "and", "xor", "eq", "ne", "tx",   "pb", "sb",
                                           "cp", "cw",  "not", "b",   "f",   "h",  "true", NULL};
    if (hd_sc_one_of(word, reserved) && strlen(word) + 2 < WORD)
        strcat(word, "_");
    return word;
}

static void read_init(struct scoped *s)
{
    char who[WORD], word[WORD], value[WORD];
    while (!hd_sc_take(s, "}")) {
        bool element = hd_sc_take(s, "[");
        hd_sc_word(s, who, false, "a variable, a register or '}'");
        if (element)
            hd_sc_expect(s, "]", "after the variable");
        hd_sc_space(s);
        if (s->opencl && isalpha((unsigned char)hd_sc_peek(s))) /* that was its type */
            hd_sc_word(s, who, false, "a variable");
        if (hd_sc_take(s, ":")) {
            hd_sc_word(s, word, false, "a register");
            hd_sc_expect(s, "=", "and an initial value");
            hd_sc_word(s, value, false, "an integer");
            const char *process = who + (*who == 'P');
            hd_sc_number(s, process, "a process");
            if (!hd_sc_is_number(value) && hd_sc_is_number(process) && hd_sc_is_register(word))
                hd_sc_lacks(s, "a register that begins with an address");
            else if (!s->unmapped)
                in_step(s), fprintf(s->out, " %s:%s=%s;", process, word, value);
        } else if (strcmp(who, "ssw") == 0) {
            hd_sc_word(s, word, false, "two processes");
            hd_sc_word(s, value, false, "a second process");
            hd_sc_lacks(s, "system-synchronizes-with (ssw)");
        } else if (hd_sc_take(s, "[")) {
            hd_sc_word(s, word, false, "a length");
            hd_sc_expect(s, "]", "after the length");
            hd_sc_lacks(s, "an array");
            if (hd_sc_take(s, "=")) {
                hd_sc_expect(s, "{", "and the words of the array");
                while (!hd_sc_take(s, "}")) {
                    hd_sc_word(s, word, false, "an integer or '}'");
                    hd_sc_take(s, ",");
                }
            }
        } else {
            bool proxy = hd_sc_take(s, "@");
            if (proxy)
                hd_sc_word(s, word, false, "a proxy");
            if (proxy || !hd_sc_take(s, "=")) {
                hd_sc_word(s, word, false, "= or aliases");
                if (strcmp(word, "aliases") != 0)
                    hd_sc_bad(s, "expected '=' or 'aliases', not '%s'", word);
                hd_sc_lacks(s, "two names of a word (aliases, proxies)");
                hd_sc_word(s, word, false, "a variable");
            } else {
                hd_sc_word(s, value, false, "an integer");
                if (!hd_sc_is_number(value))
                    hd_sc_lacks(s, "a variable that begins with an address");
                else
                    in_step(s), fprintf(s->out, " %s=%s;", hd_sc_variable(who), value);
            }
        }
        if (!hd_sc_take(s, ";")) {
            hd_sc_expect(s, "}", "or ';' after the initial value");
            break;
        }
    }
}

static void read_columns(struct scoped *s)
{
    static const char *const levels[2][3] = {{"cta", "gpu", NULL}, {"sg", "wg", "qf"}};
    char word[WORD];
    do {
        if (s->columns == HD_LISA_PROCS)
            hd_sc_bad(s, "expected at most %d processes", HD_LISA_PROCS);
        struct column *c = &s->column[s->columns];
        unsigned place[3] = {0};
        hd_sc_expect(s, "P", "and the number of a process");
        hd_sc_word(s, word, false, "the number of a process");
        if (hd_sc_number(s, word, "the number of a process") != s->columns)
            hd_sc_bad(s, "expected process %u", s->columns);
        hd_sc_expect(s, "@", "and the place of the process");
        for (unsigned l = 0; l < 3 && levels[s->vulkan][l]; l++) {
            if (l)
                hd_sc_expect(s, ",", "and the next level");
            hd_sc_word(s, word, false, levels[s->vulkan][l]);
            if (strcmp(word, levels[s->vulkan][l]) != 0)
                hd_sc_bad(s, "expected %s, not '%s'", levels[s->vulkan][l], word);
            hd_sc_word(s, word, false, "a number");
            place[l] = hd_sc_number(s, word, "a number");
        }
        c->wave = s->vulkan ? place[0] : s->columns;
        c->group = place[s->vulkan];
        c->device = s->vulkan ? 0 : place[1];
        s->columns++;
    } while (hd_sc_take(s, "|"));
    hd_sc_expect(s, ";", "or '|' after the place of a process");
    in_step(s);
    for (unsigned p = 0; p < s->columns; p++)
        fprintf(s->out, "%s P%u", p ? " |" : "", p);
    fputs(" ;", s->out);
}

/* ---- instructions --------------------------------------------------------------------------------------- */

void hd_sc_split(struct scoped *s, struct parts *p)
{
    p->count = 0;
    for (char *c = p->word; c;) {
        if (p->count == PARTS)
            hd_sc_bad(s, "expected an instruction of at most %d parts", PARTS);
        p->part[p->count++] = c;
        c = strchr(c, '.');
        if (c)
            *c++ = '\0';
    }
}

/* Reads the parts from number @from on. */
struct access hd_sc_access(struct scoped *s, const struct parts *p, unsigned from)
{
    static const char *const pairs[][2] = {
        {"relaxed", "rlx"}, {"acquire", "scacq"}, {"release", "screl"}, {"acq_rel", "scar"}, {"sc", "scar"},
        {"acq", "scacq"},   {"rel", "screl"}};
    static const char *const places[][2] = {{"cta", "wg"}, {"gpu", "agent"}, {"sys", "system"}, {"sg", "wave"},
                                            {"wg", "wg"},  {"qf", "agent"},  {"dv", "agent"}};
    static const char *const ops[] = {"exch", "add", "sub", "and", "xor", "or", "min", "max", "inc", "dec", "cas", NULL};
    static const char *const classes[] = {"sc0", "sc1", "sc2", "semsc0", "semsc1", "semsc2", "semav", "semvis", "nonpriv",
                                          NULL};
    struct access a = {.order = "rlx", .scope = NULL};
    for (unsigned i = from; i < p->count; i++) {
        const char *w = p->part[i];
        unsigned k = 0, m = 0;
        while (k < 7 && (strcmp(w, pairs[k][0]) != 0 || (k < 3 || k == 4 ? s->vulkan : k > 4 && !s->vulkan)))
            k++;
        while (m < 7 && (strcmp(w, places[m][0]) != 0 || (m < 3) == s->vulkan))
            m++;
        if (k < 7) {
            if (a.named)
                hd_sc_bad(s, "expected one order, not '%s' too", w);
            a.order = pairs[k][1];
            a.named = true;
            a.atomic |= !s->vulkan;
        } else if (m < 7 && !a.scope)
            a.scope = places[m][1];
        else if (s->vulkan && strcmp(w, "atom") == 0)
            a.atomic = true;
        else if (s->vulkan && (strcmp(w, "av") == 0 || strcmp(w, "vis") == 0))
            a.seen_by = true;
        else if (!a.op && hd_sc_one_of(w, ops))
            a.op = w;
        else if (strcmp(w, "weak") == 0 ? s->vulkan || a.named : !s->vulkan || !hd_sc_one_of(w, classes))
            hd_sc_bad(s, "expected an order or a scope, not '%s'", w);
    }
    if (!a.scope && (a.atomic || a.seen_by))
        hd_sc_bad(s, "expected a scope");
    return a;
}

__attribute__((format(printf, 3, 4))) static void emit(struct scoped *s, struct column *c, const char *format, ...)
{
    char text[PIECE];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bool label = n > 0 && text[n - 1] == ':'; /* joins what follows */
    unsigned at = c->pieces > 0 && c->piece[c->pieces - 1][strlen(c->piece[c->pieces - 1]) - 1] == ':' ? c->pieces - 1
                                                                                                        : c->pieces;
    size_t used = at < c->pieces ? strlen(c->piece[at]) : 0;
    if (at == PIECES || (label && at < c->pieces) || used + (size_t)n + 2 > PIECE)
        hd_sc_bad(s, "expected a shorter cell");
    if (at == c->pieces)
        c->piece[c->pieces++][0] = '\0';
    snprintf(c->piece[at] + used, PIECE - used, "%s%s", used ? " " : "", text);
}

struct mark *hd_sc_mark(struct scoped *s, struct column *c, const char *name)
{
    if (c->marks == MARKS)
        hd_sc_bad(s, "expected at most %d labels, branches and barriers in a process", MARKS);
    struct mark *m = &c->mark[c->marks++];
    memset(m, 0, sizeof *m);
    strcpy(m->name, name);
    return m;
}

static void take_reg(struct scoped *s, char word[WORD])
{
    hd_sc_word(s, word, false, "a register");
    if (!hd_sc_is_register(word))
        hd_sc_bad(s, "expected a register, not '%s'", word);
}

static void take_variable(struct scoped *s, char word[WORD])
{
    hd_sc_word(s, word, false, "a variable");
    if (hd_sc_is_register(word))
        hd_sc_lacks(s, "an address in a register");
    else if (hd_sc_is_number(word) || isdigit((unsigned char)*word))
        hd_sc_bad(s, "expected a variable, not '%s'", word);
    hd_sc_variable(word);
    if (hd_sc_take(s, "["))
        hd_sc_lacks(s, "an array"), hd_sc_word(s, word, false, "an index"), hd_sc_expect(s, "]", "after the index");
}

static void take_value(struct scoped *s, char word[WORD])
{
    hd_sc_word(s, word, false, "a register or an integer");
    if (!hd_sc_is_register(word) && !hd_sc_is_number(word))
        hd_sc_lacks(s, "an address as a value");
}

static void comma(struct scoped *s)
{
    hd_sc_expect(s, ",", "and the next operand");
}

static void read_load(struct scoped *s, struct column *c, const struct parts *p)
{
    char reg[WORD], from[WORD];
    const struct access a = hd_sc_access(s, p, 1);
    take_reg(s, reg);
    comma(s);
    hd_sc_word(s, from, false, "a variable, a register or an integer");
    if (p->count == 1 && (hd_sc_is_number(from) || hd_sc_is_register(from)))
        emit(s, c, "mov %s %s", reg, from);
    else if (hd_sc_is_number(from))
        hd_sc_bad(s, "expected a variable, not '%s'", from);
    else if (a.atomic || a.seen_by)
        emit(s, c, "r[atomic,%s,%s] %s %s", a.order, a.scope, reg, hd_sc_variable(from));
    else
        emit(s, c, "r[] %s %s", reg, hd_sc_variable(from));
    if (hd_sc_is_register(from) && p->count > 1)
        hd_sc_lacks(s, "an address in a register");
    if (strcmp(a.order, "screl") == 0)
        hd_sc_bad(s, "expected a load that does not release");
    if (hd_sc_take(s, "["))
        hd_sc_lacks(s, "an array"), hd_sc_word(s, from, false, "an index"), hd_sc_expect(s, "]", "after the index");
}

static void read_store(struct scoped *s, struct column *c, const struct parts *p)
{
    char variable[WORD], value[WORD];
    const struct access a = hd_sc_access(s, p, 1);
    take_variable(s, variable);
    comma(s);
    take_value(s, value);
    if (strcmp(a.order, "scacq") == 0)
        hd_sc_bad(s, "expected a store that does not acquire");
    if (a.atomic || a.seen_by)
        emit(s, c, "w[atomic,%s,%s] %s %s", a.order, a.scope, variable, value);
    else
        emit(s, c, "w[] %s %s", variable, value);
}

/* atom r0, x, 1; rmw without a name of an operation exchanges; red has no register. */
static void read_atomic(struct scoped *s, struct column *c, const struct parts *p, bool has_register)
{
    char reg[WORD] = "%s", variable[WORD], value[WORD];
    const struct access a = hd_sc_access(s, p, 1);
    const char *op = a.op ? a.op : s->vulkan ? "exch" : "";
    if (!a.scope || *op == '\0')
        hd_sc_bad(s, "expected an operation and a scope");
    if (has_register) {
        take_reg(s, reg);
        comma(s);
    }
    take_variable(s, variable);
    comma(s);
    take_value(s, value);
    if (strcmp(op, "cas") == 0) {
        comma(s);
        take_value(s, value);
        hd_sc_lacks(s, "compare and exchange");
        return;
    }
    if (strcmp(value, reg) == 0) { /* in LISA the register is the old word there */
        emit(s, c, "mov %%v %s", value);
        strcpy(value, "%v");
    }
    if (strcmp(op, "exch") == 0)
        emit(s, c, "rmw[atomic,%s,%s] %s %s %s", a.order, a.scope, reg, value, variable);
    else if (strcmp(op, "sub") == 0 && hd_sc_is_number(value))
        emit(s, c, "rmw[atomic,%s,%s] %s (add %s %s%s) %s", a.order, a.scope, reg, reg, *value == '-' ? "" : "-",
             value + (*value == '-'), variable);
    else if (strcmp(op, "add") == 0 || strcmp(op, "and") == 0 || strcmp(op, "xor") == 0)
        emit(s, c, "rmw[atomic,%s,%s] %s (%s %s %s) %s", a.order, a.scope, reg, op, reg, value, variable);
    else
        hd_sc_lacks(s, "an atomic beyond exchange, add, sub of a constant, and, xor");
}

static void emit_fence(struct scoped *s, struct column *c, const char *order, const char *scope, bool both)
{
    if (both) {
        emit(s, c, "f[screl,%s]", scope);
        emit(s, c, "f[scacq,%s]", scope);
    } else
        emit(s, c, "f[%s,%s]", order, scope);
}

static void read_fence(struct scoped *s, struct column *c, const struct parts *p)
{
    if (p->count > 1 && strcmp(p->part[1], "proxy") == 0) {
        hd_sc_lacks(s, "a fence of proxies");
        return;
    }
    const struct access a = hd_sc_access(s, p, 1);
    if (!a.named || !a.scope || strcmp(a.order, "rlx") == 0)
        hd_sc_bad(s, "expected an order and a scope of the fence");
    bool sequential = false;
    for (unsigned i = 1; i < p->count; i++)
        sequential |= strcmp(p->part[i], "sc") == 0;
    emit_fence(s, c, a.order, a.scope, strcmp(a.order, "scar") == 0 && !sequential);
}

/* bar.cta.sync id [, logical id [, quorum]], cbar[.acq_rel].scope... id [, ...] */
static void read_barrier(struct scoped *s, struct column *c, struct parts *p)
{
    char name[WORD] = "", operand[WORD];
    unsigned quorum = 0;
    const char *const wanted[] = {"bar", "cta", "sync"};
    if (!s->vulkan)
        for (unsigned i = 0; i < 3; i++)
            if (p->count != 3 || strcmp(p->part[i], wanted[i]) != 0)
                hd_sc_bad(s, "expected bar.cta.sync");
    const struct access a = s->vulkan ? hd_sc_access(s, p, 1) : (struct access){.named = true, .scope = "wg"};
    if (!a.scope)
        hd_sc_bad(s, "expected a scope of the barrier");
    for (unsigned i = 0; i < 3 && (i == 0 || hd_sc_take(s, ",")); i++) {
        hd_sc_word(s, operand, false, "a barrier");
        if (i < 2 && strlen(name) + strlen(operand) + 2 < sizeof name)
            strcat(strcat(name, ","), operand);
        if (i < 2 && !hd_sc_is_number(operand))
            hd_sc_lacks(s, "a barrier whose number is in a register");
        if (i == 2)
            quorum = hd_sc_number(s, operand, "a quorum");
    }
    struct mark *m = hd_sc_mark(s, c, name);
    m->is = BAR;
    m->quorum = quorum;
    m->subgroup = strcmp(a.scope, "wave") == 0;
    if (a.named)
        emit(s, c, "f[screl,%s]", a.scope);
    emit(s, c, "bar[]");
    if (a.named)
        emit(s, c, "f[scacq,%s]", a.scope);
}

/* goto L, bne r, v, L, beq r, v, L */
static void read_branch(struct scoped *s, struct column *c, const char *word)
{
    char reg[WORD] = "", value[WORD], label[WORD];
    bool always = strcmp(word, "goto") == 0, equal = strcmp(word, "beq") == 0;
    if (!always) {
        take_reg(s, reg);
        comma(s);
        take_value(s, value);
        comma(s);
        if (equal || strcmp(value, "0") != 0) {
            emit(s, c, "mov %%b (%s %s %s)", equal ? "eq" : "ne", reg, value);
            strcpy(reg, "%b");
        }
    }
    hd_sc_word(s, label, false, "a label");
    hd_sc_mark(s, c, label)->is = JUMP;
    emit(s, c, "b[] %s%s%s", reg, always ? "" : " ", label);
}

static void read_instruction(struct scoped *s, struct column *c, struct parts *p)
{
    static const char *const proxies[] = {"sust", "suld", "tld", "tst", "cold", NULL};
    const char *what = p->part[0];
    char a[WORD], b[WORD], d[WORD];
    if (strcmp(what, "ld") == 0)
        read_load(s, c, p);
    else if (strcmp(what, "st") == 0)
        read_store(s, c, p);
    else if (strcmp(what, s->vulkan ? "rmw" : "atom") == 0)
        read_atomic(s, c, p, true);
    else if (strcmp(what, "red") == 0 && !s->vulkan)
        read_atomic(s, c, p, false);
    else if (strcmp(what, s->vulkan ? "membar" : "fence") == 0)
        read_fence(s, c, p);
    else if (strcmp(what, s->vulkan ? "cbar" : "bar") == 0)
        read_barrier(s, c, p);
    else if (s->vulkan && (strcmp(what, "avdevice") == 0 || strcmp(what, "visdevice") == 0))
        emit(s, c, "f[%s,agent]", *what == 'a' ? "screl" : "scacq");
    else if (strcmp(what, "goto") == 0 || strcmp(what, "bne") == 0 || strcmp(what, "beq") == 0)
        read_branch(s, c, what);
    else if (strcmp(what, "add") == 0) {
        take_reg(s, a);
        comma(s);
        take_value(s, b);
        comma(s);
        take_value(s, d);
        emit(s, c, "mov %s (add %s %s)", a, b, d);
    } else if (!s->vulkan && hd_sc_one_of(what, proxies)) {
        hd_sc_lacks(s, "texture, surface and constant memory");
        for (; s->at < s->length && !strchr("|;\n", hd_sc_peek(s)); s->at++)
            ;
    } else
        hd_sc_bad(s, "expected an instruction, not '%s'", what);
}

static void read_row(struct scoped *s)
{
    unsigned rows = 0;
    const unsigned line = s->line;
    for (unsigned p = 0; p < s->columns; p++) {
        struct column *c = &s->column[p];
        c->pieces = 0;
        hd_sc_space(s);
        while (hd_sc_peek(s) != '|' && hd_sc_peek(s) != ';') {
            struct parts parts;
            hd_sc_word(s, parts.word, true, "an instruction, a label, '|' or ';'");
            if (hd_sc_take(s, ":")) {
                hd_sc_mark(s, c, parts.word)->is = LABEL;
                emit(s, c, "%s:", parts.word);
                hd_sc_space(s);
                continue;
            }
            hd_sc_split(s, &parts);
            read_instruction(s, c, &parts);
            hd_sc_space(s);
            break;
        }
        rows = c->pieces > rows ? c->pieces : rows;
        if (p + 1 < s->columns)
            hd_sc_expect(s, "|", "after the cell");
    }
    hd_sc_expect(s, ";", "after the last cell");
    const unsigned now = s->line;
    s->line = line;
    in_step(s);
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned p = 0; p < s->columns; p++)
            fprintf(s->out, "%s %s", p ? " |" : "", r < s->column[p].pieces ? s->column[p].piece[r] : "");
        fputs(" ;", s->out);
    }
    s->line = now;
}

/* ---- processes one after the other -------------------------------------------------------------------------- */

struct process *hd_sc_process(struct scoped *s)
{
    if (!s->process)
        s->process = calloc(HD_LISA_PROCS, sizeof *s->process);
    if (!s->process)
        hd_sc_bad(s, "expected memory");
    if (s->columns == HD_LISA_PROCS)
        hd_sc_bad(s, "expected at most %d processes", HD_LISA_PROCS);
    struct process *p = &s->process[s->columns];
    p->s = s;
    p->c = &s->column[s->columns++];
    return p;
}

void hd_sc_row(struct process *p, const char *format, ...)
{
    char text[PIECE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!p->open && p->rows == ROWS)
        hd_sc_bad(p->s, "expected at most %d operations in a process", ROWS);
    if (!p->open)
        p->row[p->rows++][0] = '\0';
    char *row = p->row[p->rows - 1];
    size_t used = strlen(row);
    if (used + strlen(text) + 2 > PIECE)
        hd_sc_bad(p->s, "expected fewer labels in a row");
    strcat(strcat(row, used ? " " : ""), text);
    p->open = false;
}

void hd_sc_table(struct scoped *s)
{
    unsigned rows = 0;
    for (unsigned p = 0; p < s->columns; p++) {
        rows = s->process[p].rows > rows ? s->process[p].rows : rows;
        fprintf(s->out, "%s P%u", p ? " |" : "", p);
    }
    fputs(" ;", s->out);
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned p = 0; p < s->columns; p++)
            fprintf(s->out, "%s %s", p ? " |" : "", r < s->process[p].rows ? s->process[p].row[r] : "");
        fputs(" ;", s->out);
    }
}

/* ---- barriers, scopes, condition ------------------------------------------------------------------------ */

static bool same_group(const struct column *a, const struct column *b)
{
    return a->group == b->group && a->device == b->device;
}

/* The barrier number @n of a process, NULL. */
static const struct mark *barrier(const struct column *c, unsigned n)
{
    for (unsigned i = 0; i < c->marks; i++)
        if (c->mark[i].is == BAR && n-- == 0)
            return &c->mark[i];
    return NULL;
}

static bool jumps_over(const struct column *c)
{
    for (unsigned j = 0; j < c->marks; j++)
        for (unsigned l = 0; c->mark[j].is == JUMP && l < c->marks; l++)
            for (unsigned b = j < l ? j : l; c->mark[l].is == LABEL && strcmp(c->mark[l].name, c->mark[j].name) == 0 &&
                                             b < (j < l ? l : j); b++)
                if (c->mark[b].is == BAR)
                    return true;
    return false;
}

/* The machine's barrier joins a work-group. */
static void check_barriers(struct scoped *s)
{
    for (unsigned p = 0; p < s->columns; p++) {
        const struct column *c = &s->column[p];
        unsigned size = 0, waves = 0;
        for (unsigned q = 0; q < s->columns; q++) {
            size += same_group(c, &s->column[q]);
            waves += same_group(c, &s->column[q]) && s->column[q].wave == c->wave;
        }
        if (jumps_over(c))
            hd_sc_lacks(s, "a branch over a barrier");
        for (unsigned n = 0; barrier(c, n); n++) {
            const struct mark *m = barrier(c, n);
            bool all = (m->quorum == 0 || m->quorum == size) && (!m->subgroup || waves == size);
            for (unsigned q = 0; q < s->columns; q++) {
                const struct mark *other = barrier(&s->column[q], n);
                all &= !same_group(c, &s->column[q]) || (other && strcmp(other->name, m->name) == 0);
            }
            if (!all)
                hd_sc_lacks(s, "a barrier that only some of a work-group pass");
        }
    }
}

static void write_tree(struct scoped *s)
{
    bool done[HD_LISA_PROCS] = {false};
    fputs(" scopes: (system", s->out);
    for (unsigned d = 0; d < s->columns; d++) {
        if (done[d])
            continue;
        fputs(" (agent", s->out);
        for (unsigned g = d; g < s->columns; g++) {
            if (done[g] || s->column[g].device != s->column[d].device)
                continue;
            fputs(" (wg", s->out);
            for (unsigned w = g; w < s->columns; w++) {
                if (done[w] || !same_group(&s->column[w], &s->column[g]))
                    continue;
                fputs(" (wave", s->out);
                for (unsigned p = w; p < s->columns; p++)
                    if (same_group(&s->column[p], &s->column[g]) && s->column[p].wave == s->column[w].wave) {
                        fprintf(s->out, " %u", p);
                        done[p] = true;
                    }
                fputs(")", s->out);
            }
            fputs(")", s->out);
        }
        fputs(")", s->out);
    }
    fputs(")", s->out);
}

/* One side of a comparison, as LISA writes it. @return whether it is an integer. */
static bool take_side(struct scoped *s, char side[2 * WORD])
{
    char word[WORD], name[WORD];
    hd_sc_word(s, word, false, "a register, a variable or an integer");
    if (hd_sc_take(s, ":")) {
        const char *process = word + (*word == 'P');
        if (hd_sc_number(s, process, "a process") >= s->columns)
            hd_sc_bad(s, "expected a process from 0 to %u", s->columns - 1);
        if (s->opencl)
            hd_sc_word(s, name, false, "a variable of the process");
        else
            take_reg(s, name);
        snprintf(side, 2 * WORD, "%s:%s", process, hd_sc_local(name));
        return false;
    }
    if (hd_sc_take(s, "["))
        hd_sc_lacks(s, "an array"), hd_sc_word(s, name, false, "an index"), hd_sc_expect(s, "]", "after the index");
    snprintf(side, 2 * WORD, "%s", hd_sc_variable(word));
    return hd_sc_is_number(word);
}

static void read_either(struct scoped *s);

static void read_term(struct scoped *s)
{
    char left[2 * WORD], right[2 * WORD];
    if (hd_sc_take(s, "(")) {
        if (++s->depth > MAX_DEPTH)
            hd_sc_bad(s, "expected at most %d parentheses", MAX_DEPTH);
        fputs("(", s->out);
        read_either(s);
        hd_sc_expect(s, ")", "after the condition");
        fputs(")", s->out);
        s->depth--;
        return;
    }
    bool not = hd_sc_take(s, "~") || hd_sc_take(s, "not ") || hd_sc_take(s, "!");
    if (not) {
        if (++s->depth > MAX_DEPTH)
            hd_sc_bad(s, "expected at most %d negations", MAX_DEPTH);
        fputs("not (", s->out);
        read_term(s);
        fputs(")", s->out);
        s->depth--;
        return;
    }
    bool constant = take_side(s, left), unequal = hd_sc_take(s, "!=");
    if (!unequal && !hd_sc_take(s, "=="))
        hd_sc_expect(s, "=", "or '!=' and a value");
    bool value = take_side(s, right);
    if (constant && value)
        fputs((strcmp(left, right) == 0) != unequal ? "true" : "(not true)", s->out);
    else if (!constant && !value)
        hd_sc_lacks(s, "a condition that compares two registers");
    else
        fprintf(s->out, "%s(%s=%s)", unequal ? "not " : "", constant ? right : left, constant ? left : right);
}

static void read_both(struct scoped *s)
{
    for (read_term(s); hd_sc_take(s, "/\\") || hd_sc_take(s, "&&"); read_term(s))
        in_step(s), fputs(" /\\ ", s->out);
}

static void read_either(struct scoped *s)
{
    for (read_both(s); hd_sc_take(s, "\\/") || hd_sc_take(s, "||"); read_both(s))
        in_step(s), fputs(" \\/ ", s->out);
}

/* Executions that a filter leaves out do not count: exists (filter /\ c), forall (not filter \/ c). */
static void read_condition(struct scoped *s)
{
    enum { NONE, ALL, SOME } what = SOME;
    if (hd_sc_take(s, "filter")) {
        FILE *out = s->out;
        s->out = open_memstream(&s->filter, &s->filter_size);
        if (!s->out) {
            s->out = out;
            hd_sc_bad(s, "expected memory");
        }
        const unsigned written = s->written;
        s->written = s->line + s->length; /* no line ends in there */
        read_either(s);
        fclose(s->out);
        s->out = out;
        s->written = written;
    }
    hd_sc_space(s);
    in_step(s);
    if (s->at == s->length) {
        what = NONE;
        fputs(" exists (", s->out);
    } else if (hd_sc_take(s, "forall")) {
        what = ALL;
        fputs(" forall (", s->out);
    } else {
        bool never = hd_sc_take(s, "~");
        hd_sc_expect(s, "exists", "or forall and a condition");
        fputs(never ? " ~exists (" : " exists (", s->out);
    }
    if (s->filter)
        fprintf(s->out, what == ALL ? "not (%s) \\/ " : what == NONE ? "(%s)" : "(%s) /\\ ", s->filter);
    else if (what == NONE)
        fputs("true", s->out);
    if (what != NONE) {
        fputs("(", s->out);
        read_either(s);
        fputs(")", s->out);
    }
    fputs(")\n", s->out);
    hd_sc_space(s);
    if (s->at < s->length)
        hd_sc_bad(s, "expected the end of the test");
}

/* These tests have no name and no initial state; an outcome is possible with a race, without, or not at all. */
static void read_khronos(struct scoped *s, struct hd_stated *stated)
{
    const char *name = strrchr(s->file, '/') ? strrchr(s->file, '/') + 1 : s->file;
    fprintf(s->out, "LISA %.*s { }", (int)strcspn(name, "."), name);
    s->vulkan = true;
    hd_sc_khronos(s);
    check_barriers(s);
    write_tree(s);
    fprintf(s->out, " exists (%s)\n", *s->outcome ? s->outcome : "true");
    stated->possible = s->found[0] == FOUND || s->found[1] == FOUND;
    stated->race = s->found[1] == FOUND;
    stated->known = s->found[0] != UNKNOWN && s->found[1] != UNKNOWN;
}

/* @return false after hd_sc_bad() */
static bool read_all(struct scoped *s, struct hd_stated *stated)
{
    if (setjmp(s->away) != 0)
        return false;
    if (begins(s->text, s->length, "NEW")) {
        read_khronos(s, stated);
        return true;
    }
    read_head(s);
    in_step(s);
    fputs(" {", s->out);
    do
        read_init(s);
    while (hd_sc_take(s, "{"));
    fputs(" }", s->out);
    if (s->opencl)
        hd_sc_opencl(s);
    else
        read_columns(s);
    while (!s->opencl) {
        hd_sc_space(s);
        size_t n = 0;
        static const char *const end[] = {"exists", "~", "forall", "filter"};
        while (n < 4 && (s->length - s->at < strlen(end[n]) || memcmp(s->text + s->at, end[n], strlen(end[n])) != 0))
            n++;
        if (n < 4 || s->at == s->length)
            break;
        read_row(s);
    }
    check_barriers(s);
    write_tree(s);
    fputs(s->group, s->out);
    read_condition(s);
    return true;
}

enum hd_scoped_end hd_scoped_rewrite(const char *text, size_t length, const char *name, char **lisa, struct hd_stated *stated,
                                     char *message, size_t size)
{
    struct scoped *s = calloc(1, sizeof *s);
    FILE *out = NULL;
    char *written = NULL;
    size_t bytes = 0;
    enum hd_scoped_end end = HD_SCOPED_BAD;
    *lisa = NULL;
    *stated = (struct hd_stated){0};
    if (s) {
        *s = (struct scoped){.text = text, .length = length, .file = name, .message = message, .size = size};
        s->out = out = open_memstream(&written, &bytes);
    }
    if (!out)
        snprintf(message, size, "%s: no memory", name);
    else if (read_all(s, stated)) {
        end = s->unmapped ? HD_SCOPED_UNMAPPED : HD_SCOPED_DONE;
        snprintf(message, size, "%s", s->unmapped ? s->unmapped : "");
    }
    if (out)
        fclose(out);
    if (s && s->out != out && s->out)
        fclose(s->out); /* of a filter that is malformed */
    if (end == HD_SCOPED_DONE)
        *lisa = written;
    else
        free(written);
    if (s)
        free(s->filter), free(s->process);
    free(s);
    return end;
}
