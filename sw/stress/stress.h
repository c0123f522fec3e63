/* stress.h - `heddle stress`: the random testers over random configurations, see docs/stress.md. */
#ifndef HD_STRESS_H
#define HD_STRESS_H

/* argv[0] is the command's name. @return the exit code: 0 all runs passed, 1 one failed (its command is printed),
 * 2 bad arguments. */
int hd_stress_command(int argc, char **argv);
#endif
