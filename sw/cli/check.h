/* check.h - `heddle check`: the memory-model checker on a saved event log. */
#ifndef HD_CHECK_H
#define HD_CHECK_H

/* argv[0] is the command's name. @return the exit code: 0 allowed, 1 a violation or a race (printed), 2 bad
 * arguments or a damaged file. */
int hd_check_command(int argc, char **argv);
#endif
