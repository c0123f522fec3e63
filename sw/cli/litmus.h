/* litmus.h - `heddle litmus`: litmus tests on a machine, see docs/litmus.md. */
#ifndef HD_LITMUS_H
#define HD_LITMUS_H

/* argv[0] is the command's name. @return the exit code: 0 nothing forbidden was seen, 1 a forbidden outcome or a
 * failed check (printed), 2 bad arguments or a malformed file. */
int hd_litmus_command(int argc, char **argv);
#endif
