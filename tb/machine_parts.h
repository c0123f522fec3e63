/* machine_parts.h - the inside of a machine, shared by machine.c, counters.c and explain.c only. */
#ifndef HD_MACHINE_PARTS_H
#define HD_MACHINE_PARTS_H
#include "check/conserve.h"
#include "check/watchdog.h"
#include "crew.h"
#include "machine.h"
#include "tiles.h"

enum { HD_MAX_SMS = 32, HD_MAX_PARTS = 16, HD_MAX_COUNTERS = 96, HD_WHY_SIZE = 200 };

struct hd_machine {
    struct hd_config c;
    unsigned parts;             /* L2 tiles; none with an ideal memory, and no crossbars */
    unsigned window;            /* cycles between two client windows: least latency */
    unsigned step;              /* cycles a tile runs at once, <= window */
    uint64_t now;               /* every tile stands here */

    struct hd_sm sm[HD_MAX_SMS];
    struct hd_l2 l2[HD_MAX_PARTS];
    struct hd_xbar up, down;
    /* not used when flat; up: SM -> crossbar -> L2; down: L2 -> crossbar -> SM */
    struct hd_link up_sm[HD_MAX_SMS], up_part[HD_MAX_PARTS];
    struct hd_link down_part[HD_MAX_PARTS], down_sm[HD_MAX_SMS];
    struct hd_link_end sm_end[HD_MAX_SMS][2], l2_end[HD_MAX_PARTS][2];
    struct hd_link_end up_end[HD_MAX_SMS + HD_MAX_PARTS], down_end[HD_MAX_SMS + HD_MAX_PARTS];
    struct hd_crew *crew;       /* runs the tiles; NULL when flat */
    const struct hd_client *client; /* of the run */

    struct hd_fixed *fixed;     /* the ideal memory; NULL: the chip's */
    struct hd_flat *flat;       /* the chip in one model, every tile a slice of it; NULL: composed */
    FILE *port_log;             /* NULL: not kept */

    struct hd_overwritten *overwritten; /* l1 = vi in checked builds, else NULL */
    struct hd_coherence *coherence; /* NULL: not checked */
    struct hd_watchdog watchdog;
    bool asserts;               /* the models have assertions */
    bool dead;
    char conservation[HD_WHY_SIZE], assertions[HD_WHY_SIZE], watchdog_why[HD_WHY_SIZE]; /* verdicts */

    struct hd_counter counter[HD_MAX_COUNTERS], host[HD_MAX_COUNTERS];
};

/* Any operation, packet or credit not home, or a tile at work. */
bool hd_machine_busy(const struct hd_machine *m);
#endif
