/* coherence.h - single writer or many readers, over the states the L1 caches report.
 *
 * At any cycle a line has either one holder in E or M and no other, or any number of holders in S.
 * Events of all SMs are judged in order of (cycle, what the event takes, SM): within one cycle, losses (I)
 * come before S and S before E and M, so a line may leave one SM and reach another in the same cycle.
 * Events of one SM must come in the order they happened, at most one a cycle. */
#ifndef HD_COHERENCE_H
#define HD_COHERENCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_st_event {
    uint64_t cycle;
    uint32_t line;  /* line number */
    uint8_t state;  /* hd_mesi_e */
};

/* The events of one SM since the last call, in order. */
struct hd_st_list {
    struct hd_st_event *event;
    size_t count, room;
};

struct hd_coherence;

/* @sms: 1..128. @return NULL after a message on stderr. */
struct hd_coherence *hd_coherence_new(unsigned sms);
void hd_coherence_free(struct hd_coherence *c); /* NULL is allowed */

/* Judges the events of @sms lists and empties them. May allocate. Stops at the first violation.
 * @return false when there is (or was) one. */
bool hd_coherence_window(struct hd_coherence *c, struct hd_st_list *const *lists);

/* @return NULL, or one line on the first violation; valid until free. */
const char *hd_coherence_violation(const struct hd_coherence *c);

/* Lines that some SM holds now / that were ever held. */
size_t hd_coherence_lines_held(const struct hd_coherence *c);
size_t hd_coherence_lines_seen(const struct hd_coherence *c);
#endif
