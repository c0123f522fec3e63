/* machine_parts.h - the inside of a machine, shared by machine.c and pairs.c only. */
#ifndef HD_MACHINE_PARTS_H
#define HD_MACHINE_PARTS_H
#include "build.h"
#include "check/watchdog.h"
#include "crew.h"
#include "machine.h"
#include "ranks.h"

enum { HD_WHY_SIZE = 200 };

struct hd_machine {
    struct hd_config c;
    struct hd_graph graph;
    unsigned step;              /* cycles a tile runs at once, <= graph.window */
    uint64_t now;               /* every tile stands here */

    struct hd_job *jobs;        /* as many as tiles at the most */
    struct hd_crew *crew;       /* runs the tiles */
    const struct hd_client *client; /* of the run */
    FILE *port_log;             /* NULL: not kept */

    struct hd_cut *cut;         /* NULL: this process runs all tiles, and keeps nothing to go on with */
    struct hd_ranks *ranks;     /* NULL: the same */
    struct hd_job *echoes;      /* warp ports run by others, and the crew that tells the client of them */
    struct hd_crew *echo;
    bool broken;                /* ranks have lost each other, or a checkpoint cannot be kept */

    struct hd_coherence *coherence; /* NULL: not checked */
    struct hd_st_list **view;   /* what it judges */
    bool *to_flush;             /* by warp port, of a flush */
    struct hd_watchdog watchdog;
    bool asserts;               /* the models have assertions */
    bool dead;
    char conservation[HD_WHY_SIZE], assertions[HD_WHY_SIZE], watchdog_why[HD_WHY_SIZE]; /* verdicts */

    struct hd_tile **of_kind;   /* for counters: tiles of a kind */
    struct hd_counters counters, host;
};

/* Any operation, packet or credit not home, or a tile at work. */
bool hd_machine_busy(const struct hd_machine *m);
#endif
