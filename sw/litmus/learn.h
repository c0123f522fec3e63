/* learn.h - which circumstances show a test's outcomes with the least work.
 *
 * A run draws the circumstances of each round and bundle: how full the machine is, noise, late flits, what caches hold,
 * where words lie. One draw in two has fixed odds, as what has not been seen yet teaches nothing; the others weigh these
 * by what was learned in this run: how much of each outcome, rare ones like frequent ones, came by a way of the choice,
 * against its share of the work. Nothing but the seed and the machine's answers decides, so a run repeats exactly. */
#ifndef HD_LEARN_H
#define HD_LEARN_H
#include <stdbool.h>
#include <stdint.h>

enum hd_choice { HD_CHOOSE_LOAD, HD_CHOOSE_NOISE, HD_CHOOSE_JITTER, HD_CHOOSE_WARM, HD_CHOOSE_PLACE, HD_CHOICES };

enum { HD_LEARN_WAYS = 8, HD_LEARN_OUTCOMES = 128 };

/* What is known so far; all zero at first. Outcomes beyond the first HD_LEARN_OUTCOMES are not learned from. */
struct hd_learned {
    unsigned outcomes;
    uint64_t key[HD_LEARN_OUTCOMES];
    double met[HD_LEARN_OUTCOMES], seen[HD_LEARN_OUTCOMES];    /* instances; of these what is learned from */
    double by[HD_LEARN_OUTCOMES][HD_CHOICES][HD_LEARN_WAYS];   /* ... of each way */
    double work[HD_CHOICES][HD_LEARN_WAYS];                    /* in one unit for each choice */
    double weight[HD_CHOICES][HD_LEARN_WAYS];                  /* of hd_learned_draw(); see hd_learned_weigh() */
};

/* @return a way of @choice below @ways (at most HD_LEARN_WAYS) with the odds @odds, or those times what was learned. */
unsigned hd_learned_draw(const struct hd_learned *k, uint64_t *random, enum hd_choice choice, const uint8_t *odds, unsigned ways);

/* @way of @choice has cost @work (cycles, or accesses). */
void hd_learned_worked(struct hd_learned *k, enum hd_choice choice, unsigned way, double work);

/* @return a number for the @n words of an outcome. */
uint64_t hd_learned_key(const uint32_t *outcome, unsigned n);

/* @return how many instances ended with what @key stands for, 0 when it is not learned from. */
double hd_learned_seen(const struct hd_learned *k, uint64_t key);

/* An instance has ended with the @n registers @outcome; @way: what was drawn for it, of each choice, NULL: not to learn from. */
void hd_learned_saw(struct hd_learned *k, const uint32_t *outcome, unsigned n, const uint8_t way[HD_CHOICES]);

/* Makes what was seen and worked the weights of the draws to come. Nothing is learned from a single outcome. */
void hd_learned_weigh(struct hd_learned *k);
#endif
