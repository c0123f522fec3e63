/* guard.h - what a kernel does wrong as a C program: it leaves its stack, reads through NULL, never ends. The program
 * then ends with the warp's name and exit code 2, and not with a crash that looks like a fault of the simulator. */
#ifndef HD_GUARD_H
#define HD_GUARD_H
#include "coro.h"

/* Whose code runs. Filled in by the caller; one for each SM. */
struct hd_guarded {
    unsigned sm, warp, block, in_block;
    const struct hd_stacks *stacks; /* its coroutines run on these */
    unsigned seconds;               /* host CPU time that a warp may take between two operations */
};

/* Around each resumption of a coroutine, on the thread that does it. *g must stay while its thread lives or until
 * hd_guard_leave(). The first call of a thread sets a timer and a stack for signals up. */
void hd_guard_enter(const struct hd_guarded *g);
void hd_guard_leave(void);
#endif
