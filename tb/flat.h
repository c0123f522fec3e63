/* flat.h - the whole chip as one verilated model (rtl/top/hd_gpu_top.sv), seen tile by tile.
 *
 * A slice is what one tile's warp or memory port is of the chip's port vectors. Its ports are copies of their
 * own, so that code written for a tile's own model drives a slice as well: inputs are packed into the vectors
 * before an edge, outputs taken out of them after it. There are no links: they are inside the model. */
#ifndef HD_FLAT_H
#define HD_FLAT_H
#include "config.h"
#include "model/hd_model.h"

/* What the chip calls the ports that each kind of tile has. */
struct hd_slice_kind {
    const char *idle, *events;
    bool slow;                  /* on the slow clock */
};

struct hd_flat;
struct hd_slice;

/* Resets the chip. @model: belongs to the flat model from then on, also on failure; @wave: write waves.
 * @return NULL after a message on stderr. */
struct hd_flat *hd_flat_new(const struct hd_config *c, struct hd_model *model, bool wave);
void hd_flat_free(struct hd_flat *f); /* NULL is allowed */

/* Waves hold the cycles from..to, both included; default: all. */
void hd_flat_wave_window(struct hd_flat *f, uint64_t from, uint64_t to);

/* @return slice @index of the @count of a kind, owned by *f; NULL after a message. */
struct hd_slice *hd_flat_slice(struct hd_flat *f, const struct hd_slice_kind *kind, unsigned index, unsigned count);
struct hd_model *hd_slice_model(struct hd_slice *s);

/* @return the copy of a tile's port (storage as hd_model_port()'s) and its width; NULL when there is none. Ports
 * that all tiles share or that the chip ties off (clk_i, now_i, sm_id_i, ...) give storage without effect. */
void *hd_slice_port(struct hd_slice *s, const char *name, unsigned *width);

/* One core edge; also one of the slow clock when @now is a multiple of clk_ratio. */
void hd_flat_edge(struct hd_flat *f, uint64_t now);
#endif
