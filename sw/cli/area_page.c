/* area_page.c - placeholder */
#include "area.h"
int hd_area_mechanisms(FILE *out, bool markdown) { (void)out; (void)markdown; return 0; }
int hd_area_page(FILE *out) { (void)out; return 0; }
