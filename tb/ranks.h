/* ranks.h - a machine whose tiles are run by several processes, and a machine that goes on from a file: docs/ranks.md.
 *
 * Every rank has the whole machine and runs the tiles that are its own. What is in flight on a link between two ranks is
 * exchanged after each window, as threads do (exchange.h); and every rank is told what happened at all warp ports, so that
 * every rank runs the warps of all SMs, the dispatcher and the checkers, and decides the same. Memory, models, counters of
 * a tile are with its rank, and are gathered in rank 0 when they are asked for.
 *
 * A checkpoint is the state of all tiles, and what happened at the warp ports until then: warps are coroutines, which
 * cannot be saved, so they are run once more, from those answers and without the machine. */
#ifndef HD_RANKS_H
#define HD_RANKS_H
#include "cut.h"
#include "graph.h"
#include <signal.h>

struct hd_ranks_options {
    const char *cut;         /* hd_cut_new() */
    const char *checkpoint;  /* file to go on from, if it is there, and to write; NULL: none */
    uint64_t every;          /* cycles from one to the next; 0: only when the run is stopped */
    uint64_t run;            /* checksum of all that determines the run: another one's file is refused */
    const volatile sig_atomic_t *stop; /* of this rank; NULL: nobody stops it */
};

/* Of a window, of all ranks. */
struct hd_ranks_news {
    uint64_t from;
    uint64_t progress;       /* cycle of the last one */
    uint32_t fault, stop, busy;
    uint32_t tiles_ns;       /* processor time of this rank's tiles; of all: the most */
};

struct hd_ranks;

/* @g, @c, @cut must outlive it. The file of a checkpoint is opened. @return NULL after a message on stderr. */
struct hd_ranks *hd_ranks_new(struct hd_graph *g, const struct hd_config *c, const struct hd_cut *cut);
void hd_ranks_free(struct hd_ranks *r); /* NULL is allowed */

/* Is tile @i of the graph run by this rank? */
bool hd_ranks_mine(const struct hd_ranks *r, size_t i);
/* Does this rank run tiles in the next window? Not while a file is gone through. */
bool hd_ranks_live(const struct hd_ranks *r);

/* The client for the SMs of this rank: @client, and what it is told is kept for the others. */
const struct hd_client *hd_ranks_client(struct hd_ranks *r, const struct hd_client *client);

/* After this rank's tiles were run in window [from, to): post says what is new in them (@own), wait what is new in all. */
bool hd_ranks_post(struct hd_ranks *r, const struct hd_ranks_news *own);
bool hd_ranks_wait(struct hd_ranks *r);
/* Tells the client what happened at the warp port of SM @sm, which another rank or another time ran. May be called for two
 * SMs at once. */
void hd_ranks_replay(struct hd_ranks *r, const struct hd_client *client, unsigned sm, uint64_t from, uint64_t to);
/* The window is done and the client does not know yet: writes a checkpoint, if it is time; or at the end of the file, loads it.
 * @return false after a message on stderr. */
bool hd_ranks_keep(struct hd_ranks *r, uint64_t now);

/* Where the time of a rank went: its tiles; writing and sending messages; waiting for those of others; reading them; warps of
 * the other ranks' SMs; dispatcher and checkers. */
enum hd_ranks_part {
    HD_RANKS_TILES, HD_RANKS_POST, HD_RANKS_WAIT, HD_RANKS_READ, HD_RANKS_ECHO, HD_RANKS_CONTROL, HD_RANKS_PARTS
};

/* The time since the last call is @part's: processor time of the calling thread. @return it, in nanoseconds. */
uint64_t hd_ranks_spent(struct hd_ranks *r, enum hd_ranks_part part);
/* Host counters: of rank 0 those of all ranks. Called by all. */
bool hd_ranks_counters(struct hd_ranks *r, struct hd_counters *out);

/* Of the last window. */
const struct hd_ranks_news *hd_ranks_last(const struct hd_ranks *r);

/* Rank 0 gets the state of all tiles and links. Called by all ranks. */
bool hd_ranks_gather(struct hd_ranks *r, enum hd_image_depth depth);

/* The run has ended as it should: there is nothing to go on with. */
void hd_ranks_done(struct hd_ranks *r);
#endif
