/* palette.h - the colour and the hatch of what figures compare: the same name looks the same in every figure. Colours are
 * those of Okabe and Ito, told apart without colour vision; the hatch tells apart what is printed in black and white. */
#ifndef HD_PALETTE_H
#define HD_PALETTE_H
#include <stddef.h>

enum hd_hatch { HD_PLAIN, HD_RISING, HD_FALLING, HD_LEVEL, HD_UPRIGHT, HD_CROSSED, HD_DOTTED, HD_HATCHES };

struct hd_paint {
    const char *colour;        /* "#rrggbb" */
    enum hd_hatch hatch;
};

/* The paint of series @name; a name that has none of its own gets one by its place @at in the figure. */
struct hd_paint hd_palette(const char *name, size_t at);
#endif
