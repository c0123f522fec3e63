/* crash.h - power cuts at every moment of a run that has been journaled (paper 4; docs of the memory: tb/mem/nvram.h).
 *
 * One simulation gives all crash points: the journal is played over the initial contents, and after every cycle in which a
 * write was pushed or completed each image a power cut may leave is formed in place, recovered, checked and put back. Cycles
 * between have the same images. Durable are the completed writes and, of each grain (8 bytes), any prefix of those in flight
 * to it: all combinations when there are at most `all_up_to`, else none, all, each alone, all but one, and eight at random. */
#ifndef HD_CRASH_H
#define HD_CRASH_H
#include "mem/nvram.h"

/* Contents of the non-volatile memory, from `base` on, that remember what is written to them. */
struct hd_crash_image {
    uint32_t *word, words;       /* words: how many */
    uint32_t base;               /* byte address of word 0 */
    struct hd_crash_put { uint32_t at, old, now; } *put;
    size_t puts, room;
    /* The first words of the lines that became durable since the journal began, and how many words each has; beginnings so far.
     * What changed from one image to the next: the puts of both and the lines between. */
    uint32_t *durable;
    size_t durables;
    unsigned line_words, plays;
};

static inline uint32_t hd_crash_get(const struct hd_crash_image *m, uint32_t addr)
{
    return m->word[(addr - m->base) / 4];
}
/* Puts back on its own account at the end of the crash point. @addr: inside. Without memory the program ends. */
void hd_crash_put(struct hd_crash_image *m, uint32_t addr, uint32_t value);

/* What is made of an image. Both get @self. */
struct hd_crash_program {
    void *self;
    void (*recover)(void *self, struct hd_crash_image *m);             /* NULL: nothing to recover */
    /* NULL or which invariant does not hold, until the next call */
    const char *(*check)(void *self, const struct hd_crash_image *m);
    /* Of a recovered image that is good: the work that was cut off done to its end, on a copy. NULL or what is wrong then. */
    const char *(*resume)(void *self, const struct hd_crash_image *m); /* NULL: nothing to resume */
    const char *(*name)(void *self, uint32_t addr, char text[64]);     /* of what lies there, for messages; NULL: no names */
};

struct hd_crash_options {
    uint64_t points;             /* most images to look at, spread over the run; 0: all */
    unsigned all_up_to;          /* combinations tried in full, 1..4096 */
    bool in_recovery;            /* a quarter of the images also with recovery cut off one to three times */
    uint64_t seed;
    uint64_t only;               /* 0, or the number of the one image to look at, from 1 */
    uint64_t resume_every;       /* one image of so many is resumed, too; 0: none */
    /* Given every image looked at, before recovery: NULL, or gets @ctx. */
    void (*seen)(void *ctx, const struct hd_crash_image *m, uint64_t number, uint64_t cycle);
    void *ctx;
};

/* A grain in flight, with the words that are durable or lost. */
struct hd_crash_grain {
    uint32_t addr, word[2];
};

struct hd_crash_result {
    uint64_t moments, images;    /* cycles with other images than before; images looked at */
    uint64_t there;              /* images of the run, looked at or not */
    uint64_t cut_recoveries, resumed, bad;
    uint64_t first;              /* number of the first image that is bad, 0: none; what it is: */
    uint64_t cycle;
    unsigned in_flight, kept;    /* grains in flight, of them durable */
    struct hd_crash_grain kept_grain[8], lost_grain[8]; /* the first of them, address 0 behind the last */
    bool in_recovery, in_resume;
    char invariant[160];
};

/* @image: before the first write; as it was afterwards. @line_bytes: of a write. Times in the journal do not fall.
 * @return false after a message: no memory, a write outside the image. */
bool hd_crash_run(const struct hd_nvram_write *journal, size_t writes, unsigned line_bytes, struct hd_crash_image *image,
                  const struct hd_crash_program *program, const struct hd_crash_options *o, struct hd_crash_result *r);
#endif
