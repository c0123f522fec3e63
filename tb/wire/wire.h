/* wire.h - messages between the processes (ranks) that run a machine together. MPI is behind it in build/heddle-mpi
 * (wire_mpi.c); build/heddle has wire_none.c, which is always alone.
 *
 * Each pair of ranks has one queue each way; messages arrive in the order in which they were sent. A rank that is gone is
 * found at once, whatever the others are doing: they say which one and what it had (hd_wire_label()), and end with exit
 * code 2. */
#ifndef HD_WIRE_H
#define HD_WIRE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_MAX_RANKS = 256 };

/* Joins the other ranks that were started with this process. @return false after a message on stderr. */
bool hd_wire_open(int *argc, char ***argv);

/* Leaves them. All ranks must come here; the exit code of rank 0 is that of all. @return it. */
int hd_wire_close(int code);

unsigned hd_wire_ranks(void); /* 1: alone */
unsigned hd_wire_rank(void);

/* What is said of rank @rank when it is gone. */
void hd_wire_label(unsigned rank, const char *text);

/* Sends @n bytes to @to. They must stay as they are until the next hd_wire_sent(), which waits until all have left. */
void hd_wire_send(unsigned to, const void *bytes, size_t n);
void hd_wire_sent(void);

/* The next message of @from, its length in *n; valid until the next call for the same rank. NULL: it has called
 * hd_wire_close(). */
void *hd_wire_receive(unsigned from, size_t *n);

/* Messages and bytes sent so far. */
void hd_wire_count(uint64_t *messages, uint64_t *bytes);
#endif
