/* heartwall.c - the tracking kernel of Rodinia's heartwall, one frame: a block of 256 threads follows one point of the
 * heart's wall, on images of its own in global memory, in phases that a barrier ends:
 *
 *   copy of a window of the frame; template into the LDS; convolution of both, of which only `outputs` points in the
 *   middle are computed; copy with a rim; running sums down the columns, a thread a column, so each lane has a line
 *   of its own; difference of two windows; running sums along the rows, a thread a row. The sums end after `steps`.
 *
 * Images are stored column by column. What one warp stores another reads in the next phase: a fence before each
 * barrier orders it (`fenced`). */
#include "work.h"

enum {
    BLOCK = 256,
    FRAME_ROWS = 609, FRAME_COLS = 590,
    IN = 81,                       /* rows and columns of the window, */
    TEMPLATE = 51,                 /* of the template, */
    CONV = IN + TEMPLATE - 1,      /* of the convolution, */
    PAD = IN + 2 * TEMPLATE,       /* of the window with its rim; */
    SEL = PAD - TEMPLATE - 1       /* rows of the difference, which has PAD columns */
};

struct args {
    uint32_t blocks, outputs, steps;
    bool fenced;
    const struct hd_array *frame, *where, *templates, *in, *conv, *pad, *sel;
};

/* Elements from @first on, a lane each. @return the lanes whose element is below @count. */
static hd_mask_t elements(const struct hd_warp *w, uint32_t first, uint32_t count, uint32_t *e)
{
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        e[l] = first + hd_thread(w, l);
        mask |= (hd_mask_t)(e[l] < count) << l;
    }
    return mask & hd_mask(w);
}

static void copy_window(struct hd_warp *w, const struct args *g, uint32_t b)
{
    uint32_t e[HD_MAX_LANES], from[HD_MAX_LANES], to[HD_MAX_LANES];
    hd_mask_t mask;
    uint32_t place = hd_use(w, hd_ld_all(w, hd_mask(w), hd_at(g->where, b)))[0];
    for (uint32_t n = 0; (mask = elements(w, n, IN * IN, e)) != 0; n += BLOCK) {
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            from[l] = hd_at(g->frame, place + e[l] / IN * FRAME_ROWS + e[l] % IN);
            to[l] = hd_at(g->in, b * IN * IN + e[l]);
        }
        hd_alu(w, 4);
        hd_st(w, mask, to, hd_use(w, hd_ld(w, mask, from)));
    }
}

static void load_template(struct hd_warp *w, const struct args *g, uint32_t b)
{
    uint32_t e[HD_MAX_LANES], from[HD_MAX_LANES], to[HD_MAX_LANES];
    hd_mask_t mask;
    for (uint32_t n = 0; (mask = elements(w, n, TEMPLATE * TEMPLATE, e)) != 0; n += BLOCK) {
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            from[l] = hd_at(g->templates, b * TEMPLATE * TEMPLATE + e[l]);
            to[l] = 4 * e[l];
        }
        hd_lds_st(w, mask, to, hd_use(w, hd_ld(w, mask, from)), HD_ORD_RELAXED, HD_SCOPE_WG);
    }
}

/* The middle: its points overlap most of the template. */
static uint32_t first_output(const struct args *g)
{
    return (CONV * CONV - g->outputs) / 2;
}

static void convolve(struct hd_warp *w, const struct args *g, uint32_t b)
{
    const unsigned lanes = hd_lanes(w);
    uint32_t e[HD_MAX_LANES], addr[HD_MAX_LANES], lds[HD_MAX_LANES], first = first_output(g);
    hd_mask_t mask;
    for (uint32_t n = first; (mask = elements(w, n, first + g->outputs, e)) != 0; n += BLOCK) {
        float sum[HD_MAX_LANES] = {0};
        for (uint32_t x = 0; x < TEMPLATE * TEMPLATE; x++) {
            hd_mask_t part = 0;
            for (unsigned l = 0; l < lanes; l++) {
                uint32_t col = e[l] / CONV - x / TEMPLATE, row = e[l] % CONV - x % TEMPLATE;
                part |= (hd_mask_t)(col < IN && row < IN) << l; /* numbers below 0 wrap around */
                addr[l] = hd_at(g->in, (b * IN + col) * IN + row);
                lds[l] = 4 * x;
            }
            part &= mask;
            if (part == 0)
                continue;
            hd_tok tt = hd_lds_ld(w, part, lds, HD_ORD_RELAXED, HD_SCOPE_WG);
            hd_tok ti = hd_ld(w, part, addr);
            const float *t = hd_use_f(w, tt), *in = hd_use_f(w, ti);
            for (unsigned l = 0; l < lanes; l++) {
                float p = part >> l & 1 ? t[l] * in[l] : 0;
                sum[l] = sum[l] + p;
            }
            hd_alu(w, 4);
        }
        for (unsigned l = 0; l < lanes; l++)
            addr[l] = hd_at(g->conv, b * CONV * CONV + e[l]);
        hd_st_f(w, mask, addr, sum);
    }
}

static void copy_with_rim(struct hd_warp *w, const struct args *g, uint32_t b)
{
    uint32_t e[HD_MAX_LANES], from[HD_MAX_LANES], to[HD_MAX_LANES], value[HD_MAX_LANES];
    hd_mask_t mask;
    for (uint32_t n = 0; (mask = elements(w, n, PAD * PAD, e)) != 0; n += BLOCK) {
        hd_mask_t inside = 0;
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            uint32_t col = e[l] / PAD - TEMPLATE, row = e[l] % PAD - TEMPLATE;
            inside |= (hd_mask_t)(col < IN && row < IN) << l;
            from[l] = hd_at(g->in, (b * IN + col) * IN + row);
            to[l] = hd_at(g->pad, b * PAD * PAD + e[l]);
        }
        hd_alu(w, 6);
        inside &= mask;
        const uint32_t *in = hd_use(w, hd_ld(w, inside, from));
        for (unsigned l = 0; l < hd_lanes(w); l++)
            value[l] = inside >> l & 1 ? in[l] : 0;
        hd_st(w, mask, to, value);
    }
}

/* Running sums of @lines lines, a thread each, over g->steps words: word i of a line is at @base + line * @pitch + i *
 * @stride. */
static void running_sum(struct hd_warp *w, const struct args *g, uint32_t base, uint32_t lines, uint32_t pitch,
                        uint32_t stride)
{
    uint32_t line[HD_MAX_LANES], addr[HD_MAX_LANES];
    hd_mask_t mask = elements(w, 0, lines, line);
    float sum[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = base + 4 * line[l] * pitch;
    for (uint32_t i = 0; mask != 0 && i < g->steps; i++) {
        const float *v = hd_use_f(w, hd_ld(w, mask, addr));
        for (unsigned l = 0; l < hd_lanes(w); l++)
            sum[l] = sum[l] + v[l];
        hd_alu(w, 1);
        hd_st_f(w, mask, addr, sum);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            addr[l] += 4 * stride;
    }
}

static void subtract_windows(struct hd_warp *w, const struct args *g, uint32_t b)
{
    uint32_t e[HD_MAX_LANES], from[HD_MAX_LANES], to[HD_MAX_LANES];
    hd_mask_t mask;
    float difference[HD_MAX_LANES] = {0};
    for (uint32_t n = 0; (mask = elements(w, n, SEL * PAD, e)) != 0; n += BLOCK) {
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            from[l] = hd_at(g->pad, (b * PAD + e[l] / SEL) * PAD + e[l] % SEL);
            to[l] = hd_at(g->sel, b * SEL * PAD + e[l]);
        }
        hd_alu(w, 4);
        hd_tok ta = hd_ld(w, mask, from);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            from[l] += 4 * TEMPLATE;
        hd_tok tb = hd_ld(w, mask, from);
        const float *a = hd_use_f(w, ta), *c = hd_use_f(w, tb);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            difference[l] = c[l] - a[l];
        hd_st_f(w, mask, to, difference);
    }
}

static void heartwall(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t b = hd_block(w);
    copy_window(w, g, b);
    hd_sync_block(w, g->fenced);
    load_template(w, g, b);
    hd_sync_block(w, g->fenced);
    convolve(w, g, b);
    hd_sync_block(w, g->fenced);
    copy_with_rim(w, g, b);
    hd_sync_block(w, g->fenced);
    running_sum(w, g, hd_at(g->pad, b * PAD * PAD), PAD, PAD, 1);
    hd_sync_block(w, g->fenced);
    subtract_windows(w, g, b);
    hd_sync_block(w, g->fenced);
    running_sum(w, g, hd_at(g->sel, b * SEL * PAD), SEL, 1, SEL);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t n = g->blocks = hd_work_param(k, "blocks");
    g->outputs = hd_work_param(k, "outputs");
    g->steps = hd_work_param(k, "steps");
    g->fenced = hd_work_param(k, "fenced");
    struct hd_array *frame = hd_work_array(k, "frame", FRAME_ROWS * FRAME_COLS);
    struct hd_array *where = hd_work_array(k, "where", n);
    struct hd_array *templates = hd_work_array(k, "template", (uint64_t)n * TEMPLATE * TEMPLATE);
    g->in = hd_work_array(k, "in", (uint64_t)n * IN * IN);
    g->conv = hd_work_array(k, "conv", (uint64_t)n * CONV * CONV);
    g->pad = hd_work_array(k, "pad", (uint64_t)n * PAD * PAD);
    g->sel = hd_work_array(k, "sel", (uint64_t)n * SEL * PAD);
    hd_work_fill(k, frame, FRAME_COLS, FRAME_ROWS, FRAME_ROWS);
    hd_work_fill(k, templates, n, TEMPLATE * TEMPLATE, TEMPLATE * TEMPLATE);
    for (uint32_t b = 0; b < where->words; b++)
        where->host[b] = hd_work_random_below(k, FRAME_COLS - IN + 1) * FRAME_ROWS
                         + hd_work_random_below(k, FRAME_ROWS - IN + 1);
    g->frame = frame;
    g->where = where;
    g->templates = templates;
    hd_work_launch(k, &(struct hd_launch){.fn = heartwall, .args = g, .grid_x = n, .grid_y = 1, .block_x = BLOCK,
                                          .block_y = 1, .lds_bytes = 4 * TEMPLATE * TEMPLATE});
    return NULL;
}

/* The point of the convolution in column @col, row @row. */
static uint32_t conv_point(const uint32_t *in, const uint32_t *template, uint32_t col, uint32_t row)
{
    float sum = 0;
    for (uint32_t c = 0; c < TEMPLATE; c++)
        for (uint32_t r = 0; r < TEMPLATE; r++)
            if (c <= col && r <= row && col - c < IN && row - r < IN) {
                float p = hd_float(template[c * TEMPLATE + r]) * hd_float(in[(col - c) * IN + row - r]);
                sum = sum + p;
            }
    return hd_word(sum);
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t *in = &g->in->host[b * IN * IN], *pad = &g->pad->host[b * PAD * PAD];
        uint32_t *sel = &g->sel->host[b * SEL * PAD], first = first_output(g);
        for (uint32_t c = 0; c < IN; c++)
            for (uint32_t r = 0; r < IN; r++) {
                in[c * IN + r] = g->frame->host[g->where->host[b] + c * FRAME_ROWS + r];
                pad[(c + TEMPLATE) * PAD + r + TEMPLATE] = in[c * IN + r];
            }
        for (uint32_t e = first; e < first + g->outputs; e++)
            g->conv->host[b * CONV * CONV + e] =
                conv_point(in, &g->templates->host[b * TEMPLATE * TEMPLATE], e / CONV, e % CONV);
        for (uint32_t c = 0; c < PAD; c++)
            for (uint32_t r = 1; r < g->steps; r++)
                pad[c * PAD + r] = hd_word(hd_float(pad[c * PAD + r - 1]) + hd_float(pad[c * PAD + r]));
        for (uint32_t c = 0; c < PAD; c++)
            for (uint32_t r = 0; r < SEL; r++)
                sel[c * SEL + r] = hd_word(hd_float(pad[c * PAD + r + TEMPLATE]) - hd_float(pad[c * PAD + r]));
        for (uint32_t c = 1; c < g->steps; c++)
            for (uint32_t r = 0; r < SEL; r++)
                sel[c * SEL + r] = hd_word(hd_float(sel[(c - 1) * SEL + r]) + hd_float(sel[c * SEL + r]));
    }
}

static const struct hd_param params[] = {
    {"blocks", 13, 1, 256, "blocks, a point of the heart's wall each"},
    {"outputs", 268, 0, CONV * CONV, "points of the convolution that are computed, of 131 * 131"},
    {"steps", 64, 1, PAD, "words of each running sum, of 183"},
    {"fenced", 1, 0, 1, "1: a fence before each barrier; 0: barriers alone, as the paper's RMO has them"},
    {0},
};

static const struct hd_full full[] = {{"blocks", 51}, {0}};

const struct hd_workload hd_work_heartwall = {
    .name = "heartwall",
    .doc = "convolution and running sums on private images, in phases (Rodinia, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
