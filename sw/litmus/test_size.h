/* test_size.h - how large a litmus test may be, in any spelling. */
#ifndef HD_TEST_SIZE_H
#define HD_TEST_SIZE_H

enum {
    HD_LISA_PROCS = 8,
    HD_LISA_REGS = 16,       /* of a process */
    HD_LISA_VARS = 16,
    HD_LISA_INSTRS = 48,     /* of a process */
    HD_LISA_ITEMS = 64,      /* words of an outcome */
    HD_LISA_TERMS = 128,     /* nodes of the condition */
    HD_LISA_NAME = 24,       /* bytes of a register's, variable's or label's name */
    HD_LISA_INT = 0x3fffffff /* largest integer, the smallest is its negative */
};

#endif
