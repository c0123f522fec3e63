/* stated.c - see stated.h. */
#include "stated.h"
#include <stddef.h>
#include <string.h>

static const struct {
    const char *figure, *group, *series, *text;
    double value;
} numbers[] = {
    {"ordering-figure6", "gemm", "SC", "up to 2.93", 2.93},
    {"ordering-figure6", "gemm", "TSO", "up to 1.84", 1.84},
    {"coherence-figure2a", "geometric mean", "D*", "time +0.5 %", 1.005},
    {"coherence-figure2b", "mean", "D*", "energy +0.5 %", 100.5},
    {"coherence-figure2c", "mean", "D*", "traffic -5 %", 95},
    {"coherence-figure3a", "geometric mean", "D*", "time -28 %", 0.72},
    {"coherence-figure3b", "mean", "D*", "energy -51 %", 49},
    {"coherence-figure3c", "mean", "D*", "traffic -81 %", 19},
    {"coherence-figure4a", "geometric mean", "GH", "time -46 %", 0.54},
    {"coherence-figure4b", "mean", "GH", "energy -42 %", 58},
#define BARRIERS(size)                                                                   \
    {"persistency-figure5", size " wg", "NVRAM 75/250", "8 to 10 % more", 1.09},         \
    {"persistency-figure5", size " kr", "NVRAM 75/250", "about 25 % more", 1.25}
    BARRIERS("1.6 MB"),
    BARRIERS("3.3 MB"),
    BARRIERS("6.6 MB"),
    BARRIERS("13 MB"),
    {"persistency-figure6", "1.6 MB wg", "25/25", "below 3 to 4 % more", 1.035},
    {"persistency-figure6", "1.6 MB wg", "75/250", "8 to 10 % more", 1.09},
    {"persistency-figure6", "1.6 MB wg", "75/500", "up to 20 % more", 1.2},
    {"localtm-figure3a", "HT256", "transactions", "up to 80", 80},
    {"localtm-figure3c", "HT2", "transactional", "189 of 3801 serialised", 95.0},
    {"localtm-figure3c", "HT32", "transactional", "9 of 36 serialised", 75},
    {"localtm-figure3c", "HT256", "transactional", "none serialised", 100},
    {"localtm-figure4a", "KM64", "transactions", "1.5 at 64 centres and more", 1.5},
    {"localtm-figure4a", "KM128", "transactions", "1.5", 1.5},
    {"localtm-figure4a", "KM256", "transactions", "1.5", 1.5},
};

json_t *hd_lab_stated(const char *figure)
{
    json_t *all = NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(numbers[i].figure, figure) != 0)
            continue;
        all = all ? all : json_array();
        json_array_append_new(all, json_pack("{sssssfss}", "group", numbers[i].group, "series", numbers[i].series, "value",
                                             numbers[i].value, "text", numbers[i].text));
    }
    return all;
}
