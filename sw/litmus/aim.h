/* aim.h - circumstances in which one chosen outcome of a litmus test is likely.
 *
 * Orders of all accesses are drawn: processes interleaved by lot, and within a process what the machine may exchange
 * exchanged by lot. Memory that does the accesses in an order gives an outcome; the one is taken that was aimed at and
 * seen least often. From its order follow when each access should be issued and which caches should hold its word:
 * one that another overtakes must miss and that other hit. What really comes out the machine decides.
 *
 * Close together (span 0) the machine's latencies decide with; then the choice is among the outcomes of the orders just drawn. So far
 * apart that each access is done before the next is issued most instances end as aimed at, and a choice among all
 * outcomes known so far, each with the latest order that gave it, reaches those to which few orders lead. Only from an
 * access that overtakes to what it overtakes they are as close as ever: longer than a miss takes nothing can be late. */
#ifndef HD_AIM_H
#define HD_AIM_H
#include "learn.h"
#include "lisa.h"

enum hd_warm { HD_WARM_NOT, HD_WARM_LOAD, HD_WARM_OWN }; /* OWN: an atomic that adds 0 */

/* Which access of a process may be done before an earlier one to another word. */
enum hd_aim_may {
    HD_AIM_NONE,
    HD_AIM_LOAD_STORE,       /* a load before a store */
    HD_AIM_LOAD,             /* a load before any */
    HD_AIM_ANY
};

/* What may happen on a machine, in this round. */
struct hd_aim_can {
    enum hd_aim_may may;
    bool through;            /* stores are written through: no cache owns a word */
    bool old;                /* ... and a load may read its copy while the store that takes it away is on its way */
};

enum { HD_AIM_GOALS = 128, HD_AIM_ACCESSES = 24 };

/* How often was aimed at each outcome, and an order of accesses that gives it; all zero at first; of one kind of span. Outcomes
 * beyond the first HD_AIM_GOALS are not aimed at. */
struct hd_aims {
    unsigned goals;
    uint64_t key[HD_AIM_GOALS], registers[HD_AIM_GOALS];
    unsigned aimed[HD_AIM_GOALS];
    uint8_t order[HD_AIM_GOALS][HD_AIM_ACCESSES], hard[HD_AIM_GOALS]; /* hard: accesses that overtake, loads of old copies */
};

struct hd_aim {
    uint16_t due[HD_LISA_PROCS][HD_LISA_INSTRS]; /* cycles after the start of all before which it is not issued */
    uint8_t warm[HD_LISA_PROCS][HD_LISA_VARS];   /* enum hd_warm */
    uint32_t old;            /* variables of which an old copy is to be read: what takes that away should be late */
};

/* @return whether a test can be aimed at: without branches and barriers, each access to a variable that it names, 24 at most. */
bool hd_aim_can(const struct hd_lisa *t);

/* @return whether an outcome is known that has not been met, and has not been aimed at in vain for long. */
bool hd_aim_open(const struct hd_aims *aims, const struct hd_learned *seen);

/* Draws the circumstances of instances of a test that can be aimed at. @span: cycles from the first access to
 * the last, HD_AIM_ACCESSES at least; 0: few. */
void hd_aim_draw(struct hd_aims *aims, const struct hd_learned *seen, const struct hd_lisa *t, struct hd_aim_can can, unsigned span,
                 uint64_t *random, struct hd_aim *aim);
#endif
