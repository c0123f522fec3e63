/* waves.h - the waves of a run, one file a tile, joined to one. */
#ifndef HD_WAVES_H
#define HD_WAVES_H
#include <stdbool.h>

/* Prints the names of the @n files @file, NAME.TILE.fst of waves NAME.fst, and joins them to NAME.fst and NAME.gtkw
 * (tb/model/waves/join.c), whose names it prints too. @return false after a message on stderr. */
bool hd_waves_join(const char *wave, char *const *file, unsigned n);
#endif
