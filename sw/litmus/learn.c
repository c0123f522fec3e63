/* learn.c - see learn.h. */
#include "learn.h"
#include "lot.h"
#include <stddef.h>

/* An outcome seen KNOWN times is half believed; greatest weight, and the least is its inverse. */
enum { KNOWN = 8, MOST = 4 };

unsigned hd_learned_draw(const struct hd_learned *k, uint64_t *random, enum hd_choice choice, const uint8_t *odds, unsigned ways)
{
    double chance[HD_LEARN_WAYS], sum = 0;
    bool learned = hd_lot_below(random, 2) > 0;
    for (unsigned i = 0; i < ways; i++) {
        double weight = k->weight[choice][i];
        chance[i] = odds[i] * (learned && weight > 0 ? weight * weight : 1);
        sum += chance[i];
    }
    double at = (double)(hd_lot(random) >> 11) * 0x1p-53 * sum;
    for (unsigned i = 0; i + 1 < ways; i++) {
        if (at < chance[i])
            return i;
        at -= chance[i];
    }
    return ways - 1;
}

void hd_learned_worked(struct hd_learned *k, enum hd_choice choice, unsigned way, double work)
{
    k->work[choice][way] += work;
}

uint64_t hd_learned_key(const uint32_t *outcome, unsigned n)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < n; i++)
        key = (key ^ outcome[i]) * UINT64_C(0x100000001b3);
    return key;
}

void hd_learned_saw(struct hd_learned *k, const uint32_t *outcome, unsigned n, const uint8_t way[HD_CHOICES])
{
    uint64_t key = hd_learned_key(outcome, n);
    unsigned o = 0;
    while (o < k->outcomes && k->key[o] != key)
        o++;
    if (o == HD_LEARN_OUTCOMES)
        return;
    if (o == k->outcomes)
        k->key[k->outcomes++] = key;
    k->met[o]++;
    k->seen[o] += way != NULL;
    for (unsigned c = 0; way && c < HD_CHOICES; c++)
        k->by[o][c][way[c]]++;
}

double hd_learned_seen(const struct hd_learned *k, uint64_t key)
{
    for (unsigned o = 0; o < k->outcomes; o++)
        if (k->key[o] == key)
            return k->met[o];
    return 0;
}

void hd_learned_weigh(struct hd_learned *k)
{
    unsigned outcomes = 0;
    for (unsigned o = 0; o < k->outcomes; o++)
        outcomes += k->seen[o] > 0;
    if (outcomes < 2)
        return;
    for (unsigned c = 0; c < HD_CHOICES; c++) {
        double all = 0;
        for (unsigned w = 0; w < HD_LEARN_WAYS; w++)
            all += k->work[c][w];
        for (unsigned w = 0; w < HD_LEARN_WAYS; w++) {
            double share = k->work[c][w] / all, sum = 0;
            if (k->work[c][w] <= 0)
                continue;
            for (unsigned o = 0; o < k->outcomes; o++)
                if (k->seen[o] > 0)
                    sum += (k->by[o][c][w] + KNOWN * share) / (k->seen[o] + KNOWN);
            double weight = sum / outcomes / share;
            k->weight[c][w] = weight > MOST ? MOST : weight < 1.0 / MOST ? 1.0 / MOST : weight;
        }
    }
}
