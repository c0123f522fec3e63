/* palette.c - see palette.h. */
#include "palette.h"
#include <string.h>

#define BLUE "#0072b2"
#define SKY "#56b4e9"
#define GREEN "#009e73"
#define YELLOW "#d8b800"
#define ORANGE "#e69f00"
#define RED "#d55e00"
#define PINK "#cc79a7"
#define GREY "#8c8c8c"

static const struct {
    const char *name;
    struct hd_paint paint;
} names[] = {
    /* orders */
    {"RMO", {GREY, HD_PLAIN}},
    {"TSO", {SKY, HD_PLAIN}},
    {"TSO, store buffer", {SKY, HD_RISING}},
    {"SC", {RED, HD_PLAIN}},
    {"SC, prefetching", {RED, HD_FALLING}},
    {"SC, type-aware", {GREEN, HD_PLAIN}},
    {"... fetching while it asks (ours)", {GREEN, HD_RISING}},
    /* protocols */
    {"GD", {GREY, HD_PLAIN}},
    {"G*", {GREY, HD_PLAIN}},
    {"D*", {BLUE, HD_PLAIN}},
    {"GH", {ORANGE, HD_PLAIN}},
    {"DD", {BLUE, HD_PLAIN}},
    {"DD+RO", {BLUE, HD_RISING}},
    {"DH", {PINK, HD_PLAIN}},
    {"MESI", {GREEN, HD_PLAIN}},
    {"VI", {SKY, HD_PLAIN}},
    /* atomicity */
    {"transactions", {GREEN, HD_PLAIN}},
    {"perfect", {YELLOW, HD_RISING}},
    {"a lock each", {PINK, HD_FALLING}},
    {"one lock", {GREY, HD_LEVEL}},
};

struct hd_paint hd_palette(const char *name, size_t at)
{
    static const char *const turn[] = {BLUE, ORANGE, GREEN, PINK, SKY, RED, YELLOW, GREY};
    static const size_t colours = sizeof turn / sizeof turn[0];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].paint;
    return (struct hd_paint){turn[at % colours], (enum hd_hatch)((at + at / colours) % HD_HATCHES)};
}
