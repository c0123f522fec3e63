/* The reader of litmus tests: the whole dialect, every message with its place, no crash on damaged files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sw/litmus/lisa.h"

#define SUITE "tests/litmus/open"

static struct hd_lisa *parse(const char *text)
{
    char error[512] = "";
    struct hd_lisa *t = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
    if (!t)
        print_error("%s\n", error);
    assert_non_null(t);
    return t;
}

static void refuses(const char *text, const char *message)
{
    char error[512] = "";
    assert_null(hd_lisa_parse(text, strlen(text), "T", error, sizeof error));
    assert_string_equal(error, message);
}

static void the_whole_dialect_is_read(void **state)
{
    (void)state;
    struct hd_lisa *t = parse("LISA A+b.c\n\"a {text}\"\nKey=a {b}\n(* a (* nested *) comment *)\n"
                              "{ x=3; 1:r1=-1; P0:%T1=7 }\n"
                              " P0 | P1 ;\n"
                              " L: r[] r0 x+r1 | b r1 E ;\n"
                              " w[ordinary,rlx,wi] x -2 | mov r2 (add r1 y) ;\n"
                              " M: N: | r[atomic,scacq,agent] r3 r2 ;\n"
                              " rmw[atomic,scar,wg] r0 (add r0 1) z | w[atomic,screl,system] y+4 r3 ;\n"
                              " f[scar,wave] | ;\n"
                              " b[] L | E: mov r4 (ne r1 x) ;\n"
                              "scopes: (system (agent (wg (wave 0))) (agent (wg P1)))\n"
                              "regions: z: group, x: global\n"
                              "locations [y; 1:r1; 0:r0;]\n"
                              "~exists (not (x=1) /\\ (1:r1=-1 \\/ true) /\\ 0:%T1=7)\n(* the end *)");
    assert_string_equal(t->name, "A+b.c");
    assert_int_equal(t->procs, 2);
    assert_int_equal(t->vars, 3);
    const struct hd_lisa_proc *p = &t->proc[0], *q = &t->proc[1];
    assert_int_equal(t->var[0].init, 3);
    assert_int_equal(p->init[0], 7);
    assert_int_equal((int32_t)q->init[0], -1);
    assert_int_equal(p->instrs, 5);
    assert_int_equal(p->instr[0].kind, HD_LISA_LOAD);
    assert_false(p->instr[0].atomic);
    assert_int_equal(p->instr[0].index.is, HD_LISA_IS_REG);
    assert_int_equal(p->instr[1].value.a.n, -2);
    assert_int_equal(p->instr[2].kind, HD_LISA_RMW);
    assert_int_equal(p->instr[2].scope, HD_LISA_WG);
    assert_int_equal(p->instr[2].value.fn, HD_LISA_ADD);
    assert_int_equal(p->instr[2].line, 10);
    assert_int_equal(p->instr[3].order, HD_LISA_SCAR);
    assert_int_equal(p->instr[4].target, 0);
    assert_int_equal(p->instr[4].reg, -1);
    assert_int_equal(q->instrs, 5);
    assert_int_equal(q->instr[0].target, 4);
    assert_int_equal(q->instr[1].value.b.is, HD_LISA_IS_VAR);
    assert_int_equal(q->instr[3].index.n, 4);
    assert_int_equal(q->instr[4].value.fn, HD_LISA_NE);
    assert_true(t->var[2].group && !t->var[0].group);
    assert_int_equal(hd_lisa_instances(t, HD_LISA_SYSTEM), 1);
    assert_int_equal(hd_lisa_instances(t, HD_LISA_AGENT), 2);
    assert_int_equal(t->quantifier, HD_LISA_NOT_EXISTS);
    /* registers by process and name, then variables */
    char text[HD_LISA_TEXT];
    uint32_t outcome[] = {7, 1, (uint32_t)-1, 2, hd_lisa_address(1)};
    assert_int_equal(t->items, 5);
    hd_lisa_outcome_text(t, outcome, text, sizeof text);
    assert_string_equal(text, "0:%T1=7;0:r0=1;1:r1=-1;x=2;y=y");
    assert_true(hd_lisa_holds(t, outcome));
    outcome[3] = 1;
    assert_false(hd_lisa_holds(t, outcome));
    free(t);
}

static void instances_follow_the_tree(void **state)
{
    (void)state;
    struct hd_lisa *t = parse("LISA a\n{}\nP0|P1|P2|P3;\nscopes: (agent (wg 0 1) 2) (wg (wave 3))\nexists (true)");
    assert_int_equal(t->instance[HD_LISA_WG][0], t->instance[HD_LISA_WG][1]);
    assert_int_not_equal(t->instance[HD_LISA_WAVE][0], t->instance[HD_LISA_WAVE][1]);
    assert_int_equal(t->instance[HD_LISA_AGENT][0], t->instance[HD_LISA_AGENT][2]);
    assert_int_not_equal(t->instance[HD_LISA_WG][0], t->instance[HD_LISA_WG][2]);
    assert_int_not_equal(t->instance[HD_LISA_AGENT][0], t->instance[HD_LISA_AGENT][3]);
    assert_int_equal(t->instance[HD_LISA_SYSTEM][0], t->instance[HD_LISA_SYSTEM][3]);
    free(t);
    t = parse("LISA a\n{}\nP0|P1;\nr[] r0 x|;\nexists (0:r0=1)"); /* no tree: blocks of one agent */
    assert_int_equal(hd_lisa_instances(t, HD_LISA_WG), 2);
    assert_int_equal(hd_lisa_instances(t, HD_LISA_AGENT), 1);
    free(t);
}

static void barriers_are_those_of_the_work_group(void **state)
{
    (void)state;
    struct hd_lisa *t = parse("LISA a\n{}\nP0|P1|P2;\nbar[]|L: bar [ ]|;\n|r[] r0 bars|bar[];\n"
                              "bar[]|bar[]|b E;\n||E:;\nscopes: (agent (wg 0 1) (wg 2))\nexists (bars=0)");
    assert_int_equal(hd_lisa_barriers(t, 0), 2);
    assert_int_equal(hd_lisa_barriers(t, 1), 2);
    assert_int_equal(hd_lisa_barriers(t, 2), 1);
    assert_int_equal(t->proc[1].instr[0].kind, HD_LISA_BARRIER);
    assert_string_equal(t->var[0].name, "bars");
    free(t);
#define B "LISA a\n{}\nP0|P1;\n"
    refuses(B "bar|;\n", "T:4:4: expected '[' in 'bar[]'");
    refuses(B "bar[x]|;\n", "T:4:5: expected ']' in 'bar[]'");
    refuses(B "bar[] x|;\n", "T:4:7: expected '|' and the cell of the next process");
    refuses(B "r[] r0 bar|;\n", "T:4:8: expected a variable; 'bar' is a reserved word");
    refuses(B "b[] r0 L|;\nbar[]|;\nL:|;\nexists (true)", "T:4:8: expected no barrier between this branch and 'L'");
    refuses(B "L:|;\nbar[]|;\nb[] r0 L|;\nexists (true)", "T:6:8: expected no barrier between this branch and 'L'");
    refuses(B "bar[]|;\nscopes: (wg 0 1)\nexists (true)",
            "T:3:1: expected as many barriers in P1 as in P0 of its work-group");
    free(parse(B "bar[]|;\nexists (true)")); /* each alone in its block */
    free(parse(B "L: b[] r0 L|;\nbar[]|;\nexists (true)"));
}

static void persistence_transactions_and_copies_are_read(void **state)
{
    (void)state;
    struct hd_lisa *t = parse("LISA a\n{}\nP0|P1;\nw[] x (add r1 2)|pb[kr];\npb[wi]|sb[kr];\npb[wg]|sb[wg];\n"
                              "w2[] x 1 y 2|w[] o 1;\nscopes: (agent (wg 0) (wg 1))\n"
                              "regions: x: nv, y: nv, o: host\nlines: (x z) (o)\ngrains: (x y)\ncrash\n~exists (x=1 /\\ y=0)");
    const struct hd_lisa_proc *p = &t->proc[0], *q = &t->proc[1];
    assert_true(t->crash);
    assert_int_equal(p->instr[0].value.fn, HD_LISA_ADD);
    assert_int_equal(p->instr[1].kind, HD_LISA_PERSIST);
    assert_int_equal(p->instr[1].scope, HD_LISA_WI);
    assert_int_equal(p->instr[2].scope, HD_LISA_WG);
    assert_int_equal(q->instr[0].scope, HD_LISA_AGENT);
    assert_int_equal(q->instr[1].kind, HD_LISA_BARRIER);
    assert_int_equal(q->instr[1].scope, HD_LISA_AGENT);
    assert_int_equal(q->instr[2].scope, HD_LISA_WG);
    assert_int_equal(p->instr[3].kind, HD_LISA_STORE2);
    assert_int_equal(p->instr[3].base.n, 0);
    assert_int_equal(p->instr[3].base2.n, 1);
    assert_int_equal(p->instr[3].value2.n, 2);
    assert_int_equal(t->var[0].region, HD_LISA_NV);
    assert_int_equal(t->var[2].region, HD_LISA_HOST);
    assert_int_equal(t->var[0].grain, t->var[1].grain);
    assert_int_equal(t->var[1].line, t->var[3].line); /* x y of a grain, x z of a line */
    assert_int_not_equal(t->var[2].line, t->var[0].line);
    assert_int_equal(t->var[3].region, HD_LISA_GLOBAL);
    assert_int_equal(t->items, 3); /* o too, which the condition does not name; z is lost */
    free(t);
    t = parse("LISA a\n{}\nP0|P1;\ntx[]|tx[];\nrmw[] r0 (add r0 1) b|r[] r0 f;\ncommit[]|commit[];\ncp[] b g|;\ncw[0]|;\n"
              "scopes: (wg (wave 0 1))\nregions: g: global\nrows: b: 0.1, f: 31.2\nexists (b=1)");
    assert_int_equal(t->proc[0].instr[0].kind, HD_LISA_TX);
    assert_true(t->proc[0].instr[1].atomic);
    assert_int_equal(t->proc[0].instr[2].kind, HD_LISA_COMMIT);
    assert_int_equal(t->proc[0].instr[2].row, 2);
    assert_int_equal(t->proc[0].instr[3].kind, HD_LISA_COPY);
    assert_int_equal(t->proc[0].instr[4].kind, HD_LISA_COPY_WAIT);
    assert_true(t->var[0].group && t->var[1].group && !t->var[2].group);
    assert_int_equal(t->var[1].bank, 31);
    assert_int_equal(t->var[1].row, 2);
    free(t);
#define T "LISA a\n{}\nP0|P1;\n"
    refuses(T "pb[agent]|;\n", "T:4:4: expected wi, wg or kr");
    refuses(T "sb[wi]|;\n", "T:4:4: expected wg or kr");
    refuses(T "cw[8]|;\n", "T:4:1: expected cw[0] to cw[7]");
    refuses(T "w2[] x 1|;\n", "T:4:9: expected a variable");
    refuses(T "tx[]|;\nexists (true)", "T:3:1: expected commit[] after the last tx[] of P0");
    refuses(T "commit[]|;\nexists (true)", "T:3:1: expected tx[] and commit[] in turn in P0");
    refuses(T "tx[]|;\ntx[]|;\nexists (true)", "T:3:1: expected tx[] and commit[] in turn in P0");
    refuses(T "tx[]|;\nbar[]|;\ncommit[]|;\nexists (true)", "T:3:1: expected no barrier in a transaction of P0");
    refuses(T "tx[]|;\nb[] L|;\ncommit[]|;\nL:|;\nexists (true)",
            "T:3:1: expected no branch into or out of a transaction of P0");
    refuses(T "tx[]|;\n|tx[];\ncommit[]|commit[];\nscopes: (wave 0 1)\nexists (true)",
            "T:3:1: expected P0 and P1, lanes of a wave, to begin and commit in the same rows");
    refuses(T "r[] r0 x|;\nrows: x: 64.0\nexists (true)", "T:5:7: expected banks 0 to 63 and rows 0 to 1023");
    refuses(T "r[] r0 x|r[] r0 y;\nrows: x: 1.0, y: 1.0\nexists (true)", "T:5:15: expected another place: 'x' has it");
    refuses(T "r[] r0 x|r[] r0 y;\ngrains: (x y z)\nexists (true)", "T:5:14: expected two variables in a grain");
    refuses(T "r[] r0 x|;\ncrash\nexists (0:r0=1)", "T:6:16: expected variables alone in the outcome of a crash test");
}

static void every_mistake_is_named_with_its_place(void **state)
{
    (void)state;
#define P "LISA a\n{}\nP0|P1;\n"
    refuses("", "T:1:1: expected 'LISA' and the name of the test");
    refuses("LISA \n{}", "T:1:6: expected the name of the test");
    refuses("LISA a\nhello\n{}", "T:2:1: expected '{', a \"text\" or key=value");
    refuses("LISA a\n\"hello", "T:2:1: expected \" to end this text");
    refuses("LISA a\n(* hello", "T:2:1: expected *) to end this comment");
    refuses("LISA a\n{ x 1; }", "T:2:5: expected '=' and an initial value");
    refuses("LISA a\n{ x=1 y=1; }", "T:2:7: expected '}' or ';' after the initial value");
    refuses("LISA a\n{ 9:r0=1; }", "T:2:3: expected a process from 0 to 7");
    refuses("LISA a\n{ x=1073741824; }", "T:2:5: expected an integer from -1073741823 to 1073741823");
    refuses("LISA a\n{ x=99999999999999; }", "T:2:5: expected an integer from -1073741823 to 1073741823");
    refuses("LISA a\n{ 0:x=1; }", "T:2:5: expected a register (r0, r1, ...), not 'x'");
    refuses("LISA a\n{ add=1; }", "T:2:3: expected a variable; 'add' is a reserved word");
    refuses("LISA a\n{ r1=1; }", "T:2:3: expected a variable, not the register 'r1'");
    refuses("LISA a\n{}\nP1;\n", "T:3:1: expected P0");
    refuses("LISA a\n{2:r0=1}\nP0;\n", "T:3:1: expected P0 to P2: the initial state names P2");
    refuses("LISA a\n{}\nP0 P1;\n", "T:3:4: expected ';' or '|' after the process");
    refuses(P "r[] r0 x;\n", "T:4:9: expected '|' and the cell of the next process");
    refuses(P "r[] r0 x|;\n", "T:5:1: expected scopes:, regions:, rows:, lines:, grains:, crash, locations, exists, ~exists or forall");
    refuses(P "r[ordinary,rlx,wi] r0 x|;\nexists (0:r0=1 /\\ 1:r0=0)",
            "T:5:21: expected a register that process 1 or its initial state writes, not 'r0'");
    refuses("\xef\xbb\xbfLISA \n{}", "T:1:6: expected the name of the test");
    refuses(P "q[] r0 x|;\n",
            "T:4:1: expected an instruction (r[], w[], rmw[], f[], b[], bar[], mov, pb[], sb[], w2[], tx[], commit[], cp[], cw[]), "
            "a label, '|' or ';'");
    refuses(P "r r0 x|;\n", "T:4:3: expected '[' and an annotation");
    refuses(P "r[foo] r0 x|;\n", "T:4:3: expected ']', atomic or ordinary");
    refuses(P "r[atomic,screl,wg] r0 x|;\n", "T:4:10: expected an order that fits: rlx, scacq or scar");
    refuses(P "w[atomic,scacq,wg] x 1|;\n", "T:4:10: expected an order that fits: rlx, screl or scar");
    refuses(P "w[ordinary,scar,wi] x 1|;\n", "T:4:12: expected an order that fits: rlx");
    refuses(P "w[ordinary,rlx,wg] x 1|;\n", "T:4:16: expected wi, the scope of an ordinary access");
    refuses(P "f[rlx,wg]|;\n", "T:4:3: expected an order that fits: scacq, screl or scar");
    refuses(P "f[scar,here]|;\n", "T:4:8: expected a scope: wi, wave, wg, agent or system");
    refuses(P "rmw[ordinary,rlx,wi] r0 1 x|;\n", "T:4:5: expected ']' or atomic");
    refuses(P "rmw[atomic,scar,wg] r0 (mul r0 1) x|;\n", "T:4:25: expected add, and, xor, eq, neq or ne");
    refuses(P "rmw[atomic,scar,wg] r0 (add r0 1 x|;\n", "T:4:34: expected ')' after the second operand");
    refuses(P "r[] x r0|;\n", "T:4:5: expected a register (r0, r1, ...), not 'x'");
    refuses(P "r[] r0 5|;\n", "T:4:8: expected an address (a variable or a register)");
    refuses(P "r[] r0 x+y|;\n", "T:4:10: expected a register or an integer");
    refuses(P "w[] x y|;\n", "T:4:7: expected a register, an integer or '(' to store");
    refuses(P "b[] r0 Nowhere|;\nexists (true)", "T:4:8: expected a label of P0; it has no 'Nowhere'");
    refuses(P "L: L: |;\n", "T:4:4: expected another label: 'L' stands twice in P0");
    refuses(P "|;\nscopes (wg 0 1)\n", "T:5:8: expected ':' after scopes");
    refuses(P "|;\nscopes: (wg 0 2)\n", "T:5:15: expected a process from 0 to 1");
    refuses(P "|;\nscopes: (wg 0 0)\n", "T:5:15: expected each process once; P0 is in the tree already");
    refuses(P "|;\nscopes: (wg 0)\nexists (true)", "T:6:1: expected P1 in the scope tree");
    refuses(P "|;\nscopes: (wg (agent 0) 1)\n", "T:5:14: expected a scope narrower than the one around it");
    refuses(P "|;\nscopes: (wg 0 1\nexists (true)", "T:6:1: expected a process, '(' or ')'");
    refuses(P "|;\nregions: x: local\n", "T:5:13: expected a region: global, group, nv or host");
    refuses(P "|;\nlocations [x y]\n", "T:5:14: expected ']' or ';' after a location");
    refuses(P "|;\nexists (x 1)\n", "T:5:11: expected '=' and a value");
    refuses(P "|;\nexists (x=1\n", "T:6:1: expected ')' after the condition");
    refuses(P "|;\nexists (x=1) y\n", "T:5:14: expected /\\, \\/ or the end of the file");
    refuses(P "|;\n~forall (x=1)\n", "T:5:2: expected exists");
    refuses(P "|;\nexists (/\\)\n", "T:5:9: expected a condition: a=v, not, true or '('");
}

static void files_beyond_the_limits_are_refused(void **state)
{
    (void)state;
    char text[4096], error[512];
    strcpy(text, "LISA a\n{}\nP0;\n");
    for (int i = 0; i < HD_LISA_INSTRS + 1; i++)
        strcat(text, "f[scar,wg];\n");
    assert_null(hd_lisa_parse(text, strlen(text), "T", error, sizeof error));
    assert_non_null(strstr(error, "at most 48 instructions in P0"));
    strcpy(text, "LISA a\n{}\nP0;\nexists ");
    for (int i = 0; i < 1000; i++)
        strcat(text, "(");
    assert_null(hd_lisa_parse(text, strlen(text), "T", error, sizeof error));
    assert_non_null(strstr(error, "nested"));
    strcpy(text, "LISA a\n{");
    for (char c = 'a'; c < 'a' + HD_LISA_VARS + 1; c++)
        sprintf(text + strlen(text), "v%c=1;", c);
    assert_null(hd_lisa_parse(text, strlen(text), "T", error, sizeof error));
    assert_non_null(strstr(error, "at most 16 variables"));
}

/* ---- damaged files ---------------------------------------------------------------------------------------- */

static uint64_t seed = 1;

static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

/* One random change. */
static size_t damage(char *text, size_t n, size_t room)
{
    static const char alphabet[] = "(){}[]|;:,+-=~\\/*\"' \n%P0129rwfbxyzL_\0\xff";
    size_t at = below((unsigned)n + 1), length = below(12);
    if (at + length > n)
        length = n - at;
    switch (below(4)) {
    case 0: /* delete */
        memmove(text + at, text + at + length, n - at - length);
        return n - length;
    case 1: /* copy a piece elsewhere */
        if (n + length > room)
            return n;
        {
            char piece[16];
            size_t to = below((unsigned)n + 1);
            memcpy(piece, text + at, length);
            memmove(text + to + length, text + to, n - to);
            memcpy(text + to, piece, length);
        }
        return n + length;
    case 2: /* cut */
        return below(20) == 0 ? at : n;
    default: /* change a character */
        if (at < n)
            text[at] = alphabet[below(sizeof alphabet - 1)];
        return n;
    }
}

static void no_damaged_file_crashes_the_reader(void **state)
{
    (void)state;
    enum { ROOM = 4096 };
    unsigned files = 0, good = 0, bad = 0;
    DIR *dir = opendir(SUITE);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[512], text[ROOM], error[512];
        snprintf(path, sizeof path, SUITE "/%s", e->d_name);
        FILE *f = strstr(e->d_name, ".litmus") ? fopen(path, "rb") : NULL;
        if (!f)
            continue;
        size_t length = fread(text, 1, ROOM / 2, f);
        fclose(f);
        files++;
        struct hd_lisa *t = hd_lisa_parse(text, length, path, error, sizeof error);
        assert_non_null(t);
        free(t);
        for (int i = 0; i < 300; i++) {
            char copy[ROOM];
            size_t n = length;
            memcpy(copy, text, length);
            for (unsigned k = below(4) + 1; k > 0; k--)
                n = damage(copy, n, ROOM);
            char *exact = malloc(n + 1); /* so that a sanitizer sees reads beyond the end */
            assert_non_null(exact);
            char *end = memcpy(exact, copy, n);
            exact = realloc(end, n ? n : 1);
            t = hd_lisa_parse(exact, n, "T", error, sizeof error);
            free(exact);
            good += t != NULL;
            bad += t == NULL;
            if (!t)
                assert_true(strncmp(error, "T:", 2) == 0 && strstr(error, "expected"));
            free(t);
        }
    }
    closedir(dir);
    assert_int_equal(files, 77);
    assert_true(good > 1000 && bad > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_dialect_is_read),
        cmocka_unit_test(instances_follow_the_tree),
        cmocka_unit_test(barriers_are_those_of_the_work_group),
        cmocka_unit_test(persistence_transactions_and_copies_are_read),
        cmocka_unit_test(every_mistake_is_named_with_its_place),
        cmocka_unit_test(files_beyond_the_limits_are_refused),
        cmocka_unit_test(no_damaged_file_crashes_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
