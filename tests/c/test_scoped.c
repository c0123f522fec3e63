/* The reader of the PTX, Vulkan, OpenCL and Khronos spellings: what becomes of each form, what is not mapped, where a mistake is, no crash
 * on damaged files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sw/litmus/lisa.h"
#include "../../sw/litmus/scoped.h"

#define TWO "PTX T\n{ x=0; P1:r0=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
#define VULKAN "Vulkan T\n{ x=0; }\n P0@sg 0,wg 0,qf 0 | P1@sg 1,wg 0,qf 0 ;\n"

static struct hd_lisa *parse(const char *text)
{
    char error[512] = "";
    struct hd_lisa *t = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
    if (!t)
        print_error("%s\n", error);
    assert_non_null(t);
    assert_string_equal(t->unmapped, "");
    return t;
}

static void refuses(const char *text, const char *message)
{
    char error[512] = "";
    assert_null(hd_lisa_parse(text, strlen(text), "T", error, sizeof error));
    assert_string_equal(error, message);
}

static void lacks(const char *text, const char *what)
{
    char error[512] = "";
    struct hd_lisa *t = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
    if (!t)
        print_error("%s\n", error);
    assert_non_null(t);
    assert_string_equal(t->unmapped, what);
    free(t);
}

/* One access of a program. */
static void is_access(const struct hd_lisa_instr *i, enum hd_lisa_kind kind, bool atomic, enum hd_lisa_order order,
                      enum hd_lisa_scope scope, unsigned line)
{
    assert_int_equal(i->kind, kind);
    assert_int_equal(i->atomic || kind == HD_LISA_FENCE, atomic);
    assert_int_equal(i->order, order);
    assert_int_equal(i->line, line);
    if (atomic)
        assert_int_equal(i->scope, scope);
}

static void ptx_maps(void **state)
{
    (void)state;
    struct hd_lisa *t = parse("PTX MP+some.thing\n\"a text \"with\" quotes\"\n{ x=3; w=0;\n P0:r1=-1 }\n"
                              " P0@cta 0, gpu 0 | P1@cta 1,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 1 ;\n" /* line 5 */
                              " st.weak x, 1 | ld.acquire.gpu r0, w | | ;\n"
                              " fence.sc.cta | fence.acq_rel.sys | ld r0, 7 | ;\n"
                              " st.release.gpu w, r1 | bne r0, 0, E | add r2, r0, 1 | red.relaxed.cta.add x, 2 ;\n"
                              " atom.acq_rel.sys.exch r1, x, r1 | E: ld.relaxed.cta r2, x | | ;\n"
                              " atom.relaxed.gpu.sub r0, x, 1 | beq r2, 3, E | | ;\n"
                              "~exists (P1:r0 == 1 /\\ x != 2)");
    assert_string_equal(t->name, "MP+some.thing");
    assert_int_equal(t->procs, 4);
    assert_int_equal(t->var[0].init, 3);
    assert_string_equal(t->var[1].name, "w_");
    assert_int_equal((int32_t)t->proc[0].init[0], -1);
    assert_int_equal(t->quantifier, HD_LISA_NOT_EXISTS);
    const struct hd_lisa_instr *a = t->proc[0].instr, *b = t->proc[1].instr;
    assert_int_equal(t->proc[0].instrs, 6);
    is_access(&a[0], HD_LISA_STORE, false, HD_LISA_RLX, HD_LISA_WI, 6);
    is_access(&a[1], HD_LISA_FENCE, true, HD_LISA_SCAR, HD_LISA_WG, 7);
    is_access(&a[2], HD_LISA_STORE, true, HD_LISA_SCREL, HD_LISA_AGENT, 8);
    assert_int_equal(a[3].kind, HD_LISA_MOV); /* the register that is stored is not the old word */
    is_access(&a[4], HD_LISA_RMW, true, HD_LISA_SCAR, HD_LISA_SYSTEM, 9);
    assert_int_equal(a[4].value.fn, HD_LISA_VALUE);
    assert_int_not_equal(a[4].value.a.n, a[4].reg);
    is_access(&a[5], HD_LISA_RMW, true, HD_LISA_RLX, HD_LISA_AGENT, 10);
    assert_int_equal(a[5].value.b.n, -1);
    assert_int_equal(t->proc[1].instrs, 7);
    is_access(&b[0], HD_LISA_LOAD, true, HD_LISA_SCACQ, HD_LISA_AGENT, 6);
    is_access(&b[1], HD_LISA_FENCE, true, HD_LISA_SCREL, HD_LISA_SYSTEM, 7);
    is_access(&b[2], HD_LISA_FENCE, true, HD_LISA_SCACQ, HD_LISA_SYSTEM, 7);
    assert_int_equal(b[3].kind, HD_LISA_BRANCH);
    assert_int_equal(b[3].target, 4);
    is_access(&b[4], HD_LISA_LOAD, true, HD_LISA_RLX, HD_LISA_WG, 9);
    assert_int_equal(b[5].value.fn, HD_LISA_EQ);
    assert_int_equal(b[6].target, 4);
    is_access(&t->proc[3].instr[0], HD_LISA_RMW, true, HD_LISA_RLX, HD_LISA_WG, 8);
    const uint8_t *wg = t->instance[HD_LISA_WG], *agent = t->instance[HD_LISA_AGENT], *wave = t->instance[HD_LISA_WAVE];
    assert_true(wg[0] == wg[2] && wg[0] != wg[1] && wg[0] != wg[3]);
    assert_true(wave[0] != wave[2]);
    assert_true(agent[0] == agent[1] && agent[0] != agent[3]);
    free(t);
}

static void vulkan_maps(void **state)
{
    (void)state;
    struct hd_lisa *t = parse("VULKAN T\n{ x=0; }\n"
                              " P0@sg 0,wg 0, qf 0 | P1@sg 0, wg 0,qf 0 | P2@sg 1,wg 0,qf 1 ;\n"
                              " st.sc0 x, 1 | ld.vis.wg.sc0 r0, x | ld.nonpriv.sc0 r0, x ;\n"
                              " st.av.dv.sc0 x, 2 | membar.acq_rel.qf.semsc0.semvis | avdevice ;\n"
                              " st.atom.rel.dv.sc0.semsc0.semav x, 3 | rmw.atom.wg.sc0 r1, x, 4 | visdevice ;\n"
                              " cbar.acq_rel.wg.semsc0 1, 0 | cbar.acq_rel.wg.semsc0 1, 0 | cbar.acq_rel.wg.semsc0 1, 0, 3 ;\n"
                              " rmw.atom.acq.sg.sc0.semsc0.add r1, x, 4 | | ;\n"
                              "filter (P1:r0 == 1)\nforall (0==0)");
    const struct hd_lisa_instr *a = t->proc[0].instr, *b = t->proc[1].instr, *c = t->proc[2].instr;
    is_access(&a[0], HD_LISA_STORE, false, HD_LISA_RLX, HD_LISA_WI, 4);
    is_access(&a[1], HD_LISA_STORE, true, HD_LISA_RLX, HD_LISA_AGENT, 5);
    is_access(&a[2], HD_LISA_STORE, true, HD_LISA_SCREL, HD_LISA_AGENT, 6);
    is_access(&a[3], HD_LISA_FENCE, true, HD_LISA_SCREL, HD_LISA_WG, 7);
    assert_int_equal(a[4].kind, HD_LISA_BARRIER);
    is_access(&a[5], HD_LISA_FENCE, true, HD_LISA_SCACQ, HD_LISA_WG, 7);
    is_access(&a[6], HD_LISA_RMW, true, HD_LISA_SCACQ, HD_LISA_WAVE, 8);
    assert_int_equal(a[6].value.fn, HD_LISA_ADD);
    is_access(&b[0], HD_LISA_LOAD, true, HD_LISA_RLX, HD_LISA_WG, 4);
    is_access(&b[3], HD_LISA_RMW, true, HD_LISA_RLX, HD_LISA_WG, 6);
    assert_int_equal(b[3].value.fn, HD_LISA_VALUE);
    is_access(&c[0], HD_LISA_LOAD, false, HD_LISA_RLX, HD_LISA_WI, 4);
    is_access(&c[1], HD_LISA_FENCE, true, HD_LISA_SCREL, HD_LISA_AGENT, 5);
    is_access(&c[2], HD_LISA_FENCE, true, HD_LISA_SCACQ, HD_LISA_AGENT, 6);
    assert_int_equal(t->instance[HD_LISA_WAVE][0], t->instance[HD_LISA_WAVE][1]);
    assert_int_not_equal(t->instance[HD_LISA_WAVE][0], t->instance[HD_LISA_WAVE][2]);
    assert_int_equal(t->instance[HD_LISA_AGENT][0], t->instance[HD_LISA_AGENT][2]);
    assert_int_equal(t->quantifier, HD_LISA_FORALL);
    assert_int_equal(t->items, 1);
    assert_true(hd_lisa_holds(t, &(uint32_t){1}) && hd_lisa_holds(t, &(uint32_t){0}));
    free(t);
    t = parse(VULKAN " | ld.sc0 r0, x ;\nfilter (P1:r0 != 1)");
    assert_true(hd_lisa_holds(t, &(uint32_t){0}) && !hd_lisa_holds(t, &(uint32_t){1}));
    free(t);
}

#define OPENCL "OPENCL T\n(* { a comment } *)\n{ [x] = 1; }\nP0@wg 0, dev 0 (global atomic_int* x, global int* y) {\n"

static void opencl_maps(void **state)
{
    (void)state;
    struct hd_lisa *t = parse(OPENCL "  int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_work_group); // so\n"
                              "  *y = r0 + 2;\n"
                              "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"
                              "  int t = atomic_fetch_add_explicit(x, 3, memory_order_relaxed);\n"
                              "  B1: barrier(CLK_GLOBAL_MEM_FENCE);\n"
                              "  if (t == 4) { *y = 5; } else { if (*y != 6) atomic_store(x, 7); }\n}\n"
                              "P1@wg 0,dev 0 (global atomic_int* x) {\n  B1: barrier(CLK_GLOBAL_MEM_FENCE);\n"
                              "  int r0 = atomic_exchange(x, 9);\n}\n"
                              "(* and *)\nexists (0:t = 4 /\\ 1:r0 == 1)");
    const struct hd_lisa_instr *a = t->proc[0].instr;
    assert_int_equal(t->var[0].init, 1);
    assert_int_equal(a[0].kind, HD_LISA_LOAD);
    assert_int_equal(a[0].order, HD_LISA_SCACQ);
    assert_int_equal(a[0].scope, HD_LISA_WG);
    assert_string_equal(t->proc[0].reg[a[0].reg], "r0"); /* no copy waits for it */
    assert_int_equal(a[1].kind, HD_LISA_MOV);
    assert_int_equal(a[2].kind, HD_LISA_STORE);
    assert_false(a[2].atomic);
    assert_int_equal(a[3].order, HD_LISA_SCREL);
    assert_int_equal(a[4].order, HD_LISA_SCACQ);
    assert_int_equal(a[5].kind, HD_LISA_RMW);
    assert_int_equal(a[5].value.fn, HD_LISA_ADD);
    assert_int_equal(a[6].kind, HD_LISA_MOV); /* to %t */
    assert_int_equal(a[8].kind, HD_LISA_BARRIER);
    assert_int_equal(a[10].value.fn, HD_LISA_EQ);
    assert_int_equal(a[12].kind, HD_LISA_BRANCH);
    assert_int_equal(a[12].target, 15); /* else */
    assert_int_equal(a[13].kind, HD_LISA_STORE);
    assert_int_equal(a[14].kind, HD_LISA_BRANCH);
    assert_true(a[14].reg < 0 && a[14].target == t->proc[0].instrs);
    assert_int_equal(a[15].kind, HD_LISA_LOAD);
    assert_int_equal(a[19].order, HD_LISA_SCAR);
    assert_int_equal(t->proc[1].instr[3].scope, HD_LISA_AGENT);
    assert_int_equal(t->instance[HD_LISA_WG][0], t->instance[HD_LISA_WG][1]);
    free(t);
    t = parse("OPENCL T\n{}\nP0@wg 0, dev 0 (local atomic_int* l, global int* g) {\n atomic_store(l, 1);\n *g = 2;\n}\nexists (l=1)");
    assert_true(t->var[0].group && !t->var[1].group);
    free(t);
    lacks(OPENCL " while (1) {}\n}\nexists (x=1)", "a loop in C");
    lacks(OPENCL " int r0 = atomic_compare_exchange_strong(x, y, 1);\n}\nexists (x=1)", "compare and exchange");
    lacks(OPENCL " *y = x;\n}\nexists (x=1)", "an address as a value");
    lacks(OPENCL " atomic_fetch_max(x, 1);\n}\nexists (x=1)", "an atomic beyond exchange, add, and, xor");
    lacks(OPENCL " atomic_load(x + 1);\n}\nexists (x=1)", "an address that is computed");
    lacks(OPENCL " if (*y == 1) { barrier(CLK_LOCAL_MEM_FENCE); }\n}\nexists (x=1)", "a branch over a barrier");
    refuses(OPENCL " *z = 1;\n}\nexists (x=1)", "T:5:4: expected a parameter, not 'z'");
    refuses(OPENCL " *y = 1\n}\nexists (x=1)", "T:6:1: expected ';' after the value");
    refuses(OPENCL " *y = 1;\n", "T:6:1: expected '}' to end the block");
    refuses(OPENCL " atomic_store_explicit(x, 1, memory_order_acquire);\n}\nexists (x=1)",
            "T:5:51: expected a store that does not acquire");
    refuses("OPENCL T\n{}\nexists (x=1)", "T:3:1: expected a process (P0@wg 0, dev 0 ...)");
}

#define TEST "// a test\r\nNEWWG\nNEWSG\nNEWTHREAD\n"

static void khronos_maps(void **state)
{
    struct hd_lisa *t = parse(TEST "st.nonpriv.sc0 x = 1\nmembar.rel.scopewg.semsc0\nst.atom.rel.scopewg.sc0.semsc0 y = 2\ncbar.scopewg 0\n"
                              "NEWSG\nNEWTHREAD\nrmw.scopedev.sc0 y = 2 3\ncbar.scopewg 0\nld.sc0 x\nld.atom.acq.scopeqf.sc0.semsc0 y = 3\n"
                              "NEWTHREAD\ncbar.acq.rel.scopewg.semsc0 0\nNEWWG\nNEWSG 1\nNEWTHREAD 3\navdevice\n"
                              "NOSOLUTION consistent[X] && #dr=0\nSATISFIABLE consistent[X] && #dr>0\nNOSOLUTION NOCHAINS consistent[X]");
    (void)state;
    assert_string_equal(t->name, "T");
    assert_int_equal(t->procs, 4);
    const struct hd_lisa_instr *i = t->proc[0].instr;
    is_access(i, HD_LISA_STORE, false, HD_LISA_RLX, HD_LISA_WG, i->line);
    is_access(i + 1, HD_LISA_FENCE, true, HD_LISA_SCREL, HD_LISA_WG, i[1].line);
    is_access(i + 2, HD_LISA_STORE, true, HD_LISA_SCREL, HD_LISA_WG, i[2].line);
    i = t->proc[1].instr;
    is_access(i, HD_LISA_RMW, true, HD_LISA_RLX, HD_LISA_AGENT, i->line);
    assert_int_equal(i[1].kind, HD_LISA_BARRIER);
    is_access(i + 3, HD_LISA_LOAD, true, HD_LISA_SCACQ, HD_LISA_AGENT, i[3].line);
    assert_int_equal(t->proc[2].instrs, 3); /* a fence on each side of the barrier */
    assert_int_equal(t->instance[HD_LISA_WAVE][1], t->instance[HD_LISA_WAVE][2]);
    assert_int_not_equal(t->instance[HD_LISA_WAVE][0], t->instance[HD_LISA_WAVE][1]);
    assert_int_equal(t->instance[HD_LISA_WG][0], t->instance[HD_LISA_WG][2]);
    assert_int_not_equal(t->instance[HD_LISA_WG][0], t->instance[HD_LISA_WG][3]);
    assert_int_equal(t->items, 2); /* the load without a value is free */
    assert_true(t->stated.known && t->stated.possible && t->stated.race);
    assert_true(hd_lisa_holds(t, (uint32_t[]){2, 3}));
    assert_false(hd_lisa_holds(t, (uint32_t[]){2, 2}));
    free(t);
    t = parse(TEST "ld.sc0 x = 1\nNOSOLUTION consistent[X]\n");
    assert_true(t->stated.known && !t->stated.possible && !t->stated.race);
    free(t);
    t = parse(TEST "ld.sc0 x = 1\nSATISFIABLE consistent[X] && #dr=0\n");
    assert_false(t->stated.known);
    free(t);
    lacks(TEST "st.sc0 x = 1\nSLOC x y\nNOSOLUTION consistent[X]\n", "two names of a word (aliases, proxies)");
    lacks(TEST "st.sc0 x = 1\nSSW 0 1\nNOSOLUTION consistent[X]\n", "system-synchronizes-with (ssw)");
    refuses("NEWWG\nst.sc0 x = 1\n", "T:2:7: expected NEWTHREAD before 'st.sc0'");
    refuses(TEST "st.sc0 x\n", "T:6:1: expected one value");
    refuses(TEST "ld.sc7 x = 1\n", "T:5:7: expected an order or a scope, not 'sc7'");
    refuses(TEST "ld.sc0 x = 1\n", "T:6:1: expected SATISFIABLE or NOSOLUTION");
}

static void what_is_not_mapped_has_a_name(void **state)
{
    (void)state;
    lacks("PTX T\n{ x=0; y aliases x; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, y ;\nexists (P0:r0 == 0)",
          "two names of a word (aliases, proxies)");
    lacks("PTX T\n{ x=0; t @ texture aliases x; }\n P0@cta 0,gpu 0 ;\n tld.weak r0, t ;\nexists (P0:r0 == 0)",
          "two names of a word (aliases, proxies)");
    lacks(TWO " fence.proxy.alias | ;\nexists (x == 0)", "a fence of proxies");
    lacks(TWO " sust.weak x, 1 | ;\nexists (x == 0)", "texture, surface and constant memory");
    lacks(TWO " atom.relaxed.gpu.cas r0, x, 0, 1 | ;\nexists (x == 0)", "compare and exchange");
    lacks(TWO " atom.relaxed.gpu.max r0, x, 1 | ;\nexists (x == 0)",
          "an atomic beyond exchange, add, sub of a constant, and, xor");
    lacks(TWO " ld.weak r0, x | ;\nexists (P0:r0 == P1:r0)", "a condition that compares two registers");
    lacks(TWO " ld.weak r0, r1 | ;\nexists (x == 0)", "an address in a register");
    lacks(TWO " st.weak x, x | ;\nexists (x == 0)", "an address as a value");
    lacks(TWO " ld.weak r0, x[1] | ;\nexists (x == 0)", "an array");
    lacks(TWO " bar.cta.sync r0 | ;\nexists (x == 0)", "a barrier whose number is in a register");
    lacks(TWO " bar.cta.sync 1, 1, 2 | ;\nexists (x == 0)", "a barrier that only some of a work-group pass");
    lacks(TWO " L: | ;\n bar.cta.sync 1 | ;\n goto L | ;\nexists (x == 0)", "a branch over a barrier");
    lacks(VULKAN " cbar.wg 1 | ;\nexists (x == 0)", "a barrier that only some of a work-group pass");
    lacks(VULKAN " cbar.wg 1 | cbar.wg 2 ;\nexists (x == 0)", "a barrier that only some of a work-group pass");
    lacks(VULKAN " cbar.sg 1 | cbar.sg 1 ;\nexists (x == 0)", "a barrier that only some of a work-group pass");
    lacks("Vulkan T\n{ x=0; } { ssw 0 1; }\n P0@sg 0,wg 0,qf 0 ;\n avdevice ;\nexists (x == 0)",
          "system-synchronizes-with (ssw)");
}

static void a_mistake_has_its_place(void **state)
{
    (void)state;
    refuses("PTX T\n", "T:2:1: expected '{' to begin the initial state");
    refuses("PTX T\n{ x=0; }\n P0@sg 0,wg 0,qf 0 ;\n", "T:3:7: expected cta, not 'sg'");
    refuses("PTX T\n{ x=0; }\n P1@cta 0,gpu 0 ;\n", "T:3:4: expected process 0");
    refuses(TWO " frob x, 1 | ;\nexists (x == 0)", "T:4:7: expected an instruction, not 'frob'");
    refuses(TWO " st.relaxed x, 1 | ;\nexists (x == 0)", "T:4:13: expected a scope");
    refuses(TWO " st.acquire.gpu x, 1 | ;\nexists (x == 0)", "T:4:21: expected a store that does not acquire");
    refuses(TWO " ld.release.gpu r0, x | ;\nexists (x == 0)", "T:4:22: expected a load that does not release");
    refuses(TWO " ld.atom.gpu r0, x | ;\nexists (x == 0)", "T:4:14: expected an order or a scope, not 'atom'");
    refuses(TWO " st.weak x 1 | ;\nexists (x == 0)", "T:4:12: expected ',' and the next operand");
    refuses(TWO " st.weak x, 1 ;\nexists (x == 0)", "T:4:15: expected '|' after the cell");
    refuses(TWO " goto L | ;\nexists (x == 0)", "T:4:6: expected a label of P0; it has no 'L'");
    refuses(TWO " | ;\nexists (P2:r0 == 0)", "T:5:12: expected a process from 0 to 1");
    refuses(TWO " | ;\nexists (x == 0) more", "T:5:17: expected the end of the test");
    refuses(TWO " sust.weak x, 1 | frob ;\nexists (x == 0)", "T:4:24: expected an instruction, not 'frob'");
    refuses(VULKAN " | ;\nfilter (x == 0", "T:5:15: expected ')' after the condition");
}

/* Whatever is cut off or changed: an answer. */
static void damage_is_survived(void **state)
{
    (void)state;
    static const char good[] = VULKAN " st.av.dv.sc0 x, 1 | L: cbar.wg 1, 1, 2 ;\n cbar.wg 1 | bne r0, 1, L ;\n"
                                      "filter (x == 1 /\\ P1:r0 != 2)\nexists (not (x == 0) \\/ P1:r0 == 1)";
    static const char put[] = "|;:,.@{}()\"/~=r0P9 \n";
    char text[sizeof good], error[512];
    for (size_t n = 0; n < sizeof good; n++)
        for (size_t k = 0; k < sizeof put; k++) {
            size_t length = k == 0 ? n : sizeof good - 1;
            memcpy(text, good, sizeof good);
            text[n] = put[k];
            free(hd_lisa_parse(text, length, "T", error, sizeof error));
        }
    static const char c[] = OPENCL " int t = atomic_load(x) + 1;\n B: barrier(0);\n if (t == 4) { *y = 5; } else *y = *x;\n"
                                   " while (t) ;\n}\n(* *) exists (0:t=1)";
    char program[sizeof c];
    for (size_t n = 0; n < sizeof c; n++)
        for (size_t k = 0; k < sizeof put; k++) {
            size_t length = k == 0 ? n : sizeof c - 1;
            memcpy(program, c, sizeof c);
            program[n] = put[k];
            free(hd_lisa_parse(program, length, "T", error, sizeof error));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ptx_maps),
        cmocka_unit_test(vulkan_maps),
        cmocka_unit_test(opencl_maps),
        cmocka_unit_test(khronos_maps),
        cmocka_unit_test(what_is_not_mapped_has_a_name),
        cmocka_unit_test(a_mistake_has_its_place),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
