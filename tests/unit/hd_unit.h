/* hd_unit.h - what a unit test of an RTL module includes, before the generated <module>_dut.h.
 *
 * The harness (run_unit.sh) builds each test for each `dut:` line in its first lines and runs it on the
 * RTL model and on the netlist model, named on the command line:
 *   TEST MODEL.so [--seed N] [--only NAME] [--stop]      --stop: the first test that fails is the last
 *
 * HD_RECORD=FILE in the environment writes what went through the ports, for synth/replay.sh:
 *   port NAME WIDTH in|out    a line each
 *   N INPUTS OUTPUTS          the settled ports of the N-th instance opened: two lines per hd_edge, in front of the
 *                             rising edge and behind it, and one per hd_eval in which clk_i has changed or that has
 *                             no clk_i. Every port has hexadecimal digits of its own, in the order of the port lines.
 * HD_RECORD_LINES=N keeps the first N lines of each instance (default 8000). */
#ifndef HD_UNIT_H
#define HD_UNIT_H
/* cmocka.h needs these four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "hd_model.h"
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens one more instance of the model of this run; ends the program on an error. */
struct hd_model *hd_unit_open(void);
/* Ends the program (a failed run) if !ok; the reason was printed by the caller. */
void hd_unit_require(bool ok);

/* Closes what <module>_open() opened. */
#define hd_close(m) hd_model_close(m)
/* Settles combinational outputs for the present inputs. */
void hd_eval(struct hd_model *m);
/* One rising edge of clk_i; outputs settled afterwards. */
void hd_edge(struct hd_model *m);
/* Zeroes all inputs, then two edges with rst_i = 1; leaves rst_i = 0 and outputs settled. */
void hd_reset(struct hd_model *m);
/* Fails unless with these inputs an edge changes nothing at all. Two edges. */
void hd_assert_frozen(struct hd_model *m);

/* RTL assertions that fired since load or the last clear; always 0 on a netlist. */
#define hd_assert_failures(m) hd_model_assert_failures(m)
#define hd_assert_clear(m) hd_model_assert_clear(m)
#define hd_has_asserts(m) hd_model_has_asserts(m)

/* Seed of this run, and the generator: it starts anew from the seed in front of every test. */
extern uint64_t hd_seed;
uint64_t hd_rand(void);
uint64_t hd_rand_below(uint64_t n); /* 0..n-1; n > 0 */

/* Runs an array of struct CMUnitTest; the value for main to return. */
#define HD_UNIT_MAIN(argc, argv, tests) hd_unit_main(argc, argv, tests, sizeof(tests) / sizeof *(tests))
int hd_unit_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count);
#endif
