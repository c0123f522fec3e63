/* srad.c - SRAD (the second version) of Rodinia: speckles out of an image. derive: a cell's differences to its four
 * neighbours and how much of them may flow; apply: what flows, by the coefficients of the cell and of those below and right
 * of it. A block is a tile, whose words and rims are in the LDS. The original's host computes the image's variance before
 * each step; here one is given. */
#include "work.h"

enum { MAX_TILE = 16, CENTRE = 0, NORTH, SOUTH, WEST, EAST, PLACES };
static const float VARIANCE = 0.25f, LAMBDA = 0.5f;

struct args {
    uint32_t n, tile;
    const struct hd_array *image, *c, *d[PLACES];
};

static float square(float x)
{
    return x * x;
}

/* How much may flow, from a cell and the differences to its neighbours. */
static float coefficient(float centre, const float *d) /* [PLACES] */
{
    float g = (square(d[NORTH]) + square(d[SOUTH]) + square(d[WEST]) + square(d[EAST])) / square(centre);
    float l = (d[NORTH] + d[SOUTH] + d[WEST] + d[EAST]) / centre;
    float q = (0.5f * g - 0.0625f * square(l)) / square(1.0f + 0.25f * l);
    float c = 1.0f / (1.0f + (q - VARIANCE) / (VARIANCE * (1.0f + VARIANCE)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static float flow(float image, float c, float south, float east, const float *d)
{
    return image + 0.25f * LAMBDA * (c * d[NORTH] + south * d[SOUTH] + c * d[WEST] + east * d[EAST]);
}

/* A cell's neighbours: at the edges itself. */
static void neighbours(const struct args *g, uint32_t row, uint32_t col, uint32_t *at) /* [PLACES] */
{
    uint32_t i = row * g->n + col;
    at[CENTRE] = i;
    at[NORTH] = row == 0 ? i : i - g->n;
    at[SOUTH] = row == g->n - 1 ? i : i + g->n;
    at[WEST] = col == 0 ? i : i - 1;
    at[EAST] = col == g->n - 1 ? i : i + 1;
}

struct place {
    uint32_t x[HD_MAX_LANES], y[HD_MAX_LANES], row[HD_MAX_LANES], col[HD_MAX_LANES], cell[HD_MAX_LANES];
};

static void places(const struct hd_warp *w, const struct args *g, struct place *p)
{
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        p->x[l] = hd_thread(w, l) % g->tile;
        p->y[l] = hd_thread(w, l) / g->tile;
        p->row[l] = hd_block_y(w) * g->tile + p->y[l];
        p->col[l] = hd_block_x(w) * g->tile + p->x[l];
        p->cell[l] = p->row[l] * g->n + p->col[l];
    }
}

/* Index of the word that a thread loads for @where: the rims' words are those of the tile's edge, whatever row or column
 * the thread is in. */
static uint32_t rim(const struct args *g, const struct place *p, unsigned l, unsigned where)
{
    uint32_t at[PLACES], top = p->row[l] - p->y[l], left = p->col[l] - p->x[l], end = g->tile - 1;
    neighbours(g, where == NORTH ? top : where == SOUTH ? top + end : p->row[l],
               where == WEST ? left : where == EAST ? left + end : p->col[l], at);
    return at[where];
}

/* Words of @a for @places into their parts of the LDS; two loads together, a barrier behind. */
static void take(struct hd_warp *w, const struct args *g, const struct place *p, const struct hd_array *a,
                 const unsigned *where, unsigned n)
{
    uint32_t at[HD_MAX_LANES], slot[HD_MAX_LANES];
    hd_tok token[2];
    for (unsigned i = 0; i < n; i++) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            at[l] = hd_at(a, rim(g, p, l, where[i]));
        token[i] = hd_ld(w, HD_ALL_LANES, at);
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            slot[l] = 4 * (where[i] * g->tile * g->tile + hd_thread(w, l));
        hd_lds_st(w, HD_ALL_LANES, slot, hd_use(w, token[i]), HD_ORD_RELAXED, HD_SCOPE_WG);
    }
    hd_bar(w);
}

/* The word of @where, from the tile or from the rim. */
static void pick(struct hd_warp *w, const struct args *g, const struct place *p, unsigned where, float *to)
{
    uint32_t at[HD_MAX_LANES], end = g->tile - 1, words = g->tile * g->tile;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t x = p->x[l], y = p->y[l], own = y * g->tile + x;
        at[l] = 4 * (where == NORTH   ? (y == 0 ? where * words + own : own - g->tile)
                     : where == SOUTH ? (y == end ? where * words + own : own + g->tile)
                     : where == WEST  ? (x == 0 ? where * words + own : own - 1)
                     : where == EAST  ? (x == end ? where * words + own : own + 1)
                                      : own);
    }
    memcpy(to, hd_use_f(w, hd_lds_ld(w, HD_ALL_LANES, at, HD_ORD_RELAXED, HD_SCOPE_WG)), hd_lanes(w) * sizeof *to);
}

static void store(struct hd_warp *w, const struct place *p, const struct hd_array *a, const float *value)
{
    uint32_t at[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        at[l] = hd_at(a, p->cell[l]);
    hd_st_f(w, HD_ALL_LANES, at, value);
}

static void derive(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    struct place p;
    float v[PLACES][HD_MAX_LANES] = {{0}}, d[PLACES][HD_MAX_LANES] = {{0}};
    places(w, g, &p);
    take(w, g, &p, g->image, (const unsigned[]){NORTH, SOUTH}, 2);
    take(w, g, &p, g->image, (const unsigned[]){WEST, EAST}, 2);
    take(w, g, &p, g->image, (const unsigned[]){CENTRE}, 1);
    for (unsigned i = 0; i < PLACES; i++)
        pick(w, g, &p, i, v[i]);
    hd_alu(w, 60);
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        float here[PLACES] = {0};
        if (!(hd_mask(w) & hd_lane(l)))
            continue;
        for (unsigned i = NORTH; i < PLACES; i++)
            here[i] = d[i][l] = v[i][l] - v[CENTRE][l];
        d[CENTRE][l] = coefficient(v[CENTRE][l], here);
    }
    hd_bar(w);
    store(w, &p, g->c, d[CENTRE]);
    for (unsigned i = NORTH; i < PLACES; i++)
        store(w, &p, g->d[i], d[i]);
}

static void apply(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    struct place p;
    uint32_t at[HD_MAX_LANES];
    float image[HD_MAX_LANES], c[HD_MAX_LANES], south[HD_MAX_LANES], east[HD_MAX_LANES], to[HD_MAX_LANES] = {0};
    float d[PLACES][HD_MAX_LANES];
    hd_tok token[PLACES];
    places(w, g, &p);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        at[l] = hd_at(g->image, p.cell[l]);
    memcpy(image, hd_use_f(w, hd_ld(w, HD_ALL_LANES, at)), hd_lanes(w) * sizeof *image);
    take(w, g, &p, g->c, (const unsigned[]){SOUTH}, 1);
    take(w, g, &p, g->c, (const unsigned[]){EAST}, 1);
    take(w, g, &p, g->c, (const unsigned[]){CENTRE}, 1);
    pick(w, g, &p, CENTRE, c);
    pick(w, g, &p, SOUTH, south);
    pick(w, g, &p, EAST, east);
    for (unsigned i = NORTH; i < PLACES; i++) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            at[l] = hd_at(g->d[i], p.cell[l]);
        token[i] = hd_ld(w, HD_ALL_LANES, at);
    }
    for (unsigned i = NORTH; i < PLACES; i++)
        memcpy(d[i], hd_use_f(w, token[i]), hd_lanes(w) * sizeof d[i][0]);
    hd_alu(w, 20);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        if (hd_mask(w) & hd_lane(l))
            to[l] = flow(image[l], c[l], south[l], east[l],
                         (const float[]){0, d[NORTH][l], d[SOUTH][l], d[WEST][l], d[EAST][l]});
    store(w, &p, g->image, to);
}

static const char *prepare(struct hd_work *k)
{
    static const char *const names[] = {[NORTH] = "north", [SOUTH] = "south", [WEST] = "west", [EAST] = "east"};
    struct args *g = hd_work_args(k, sizeof *g);
    g->n = hd_work_param(k, "n");
    g->tile = hd_work_param(k, "tile");
    uint64_t words = (uint64_t)g->n * g->n;
    if (g->n % g->tile)
        return "n: must be a multiple of tile";
    struct hd_array *image = hd_work_array(k, "image", words);
    hd_work_fill(k, image, g->n, g->n, g->n);
    for (uint32_t i = 0; i < image->words; i++)
        image->host[i] = hd_word(1.5f + hd_float(image->host[i])); /* the original's are exponentials, so above 0 */
    g->image = image;
    g->c = hd_work_array(k, "coefficient", words);
    for (unsigned i = NORTH; i < PLACES; i++)
        g->d[i] = hd_work_array(k, names[i], words);
    for (uint32_t i = 0; i < 2 * hd_work_param(k, "steps"); i++)
        hd_work_launch(k, &(struct hd_launch){.fn = i % 2 ? apply : derive, .args = g,
                                              .grid_x = g->n / g->tile, .grid_y = g->n / g->tile, .block_x = g->tile,
                                              .block_y = g->tile, .lds_bytes = 4 * PLACES * g->tile * g->tile});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    float *image = (float *)g->image->host, *c = (float *)g->c->host;
    for (uint32_t step = 0; step < hd_work_param(k, "steps"); step++)
        for (int grid = 0; grid < 2; grid++)
            for (uint32_t i = 0; i < g->image->words; i++) {
                uint32_t at[PLACES];
                float d[PLACES] = {0};
                neighbours(g, i / g->n, i % g->n, at);
                for (unsigned p = NORTH; p < PLACES; p++)
                    d[p] = grid ? hd_float(g->d[p]->host[i]) : image[at[p]] - image[i];
                for (unsigned p = NORTH; p < PLACES && !grid; p++)
                    g->d[p]->host[i] = hd_word(d[p]);
                if (grid)
                    image[i] = flow(image[i], c[i], c[at[SOUTH]], c[at[EAST]], d);
                else
                    c[i] = coefficient(image[i], d);
            }
}

static const struct hd_param params[] = {{"n", 64, 2, 1024, "rows and columns, a multiple of tile"},
                                         {"tile", 16, 2, MAX_TILE, "rows and columns of a tile"},
                                         {"steps", 1, 1, 64, "time steps"}, {0}};
static const struct hd_full full[] = {{"n", 256}, {NULL, 0}};
const struct hd_workload hd_work_srad = {
    .name = "srad", .doc = "paper 3, SRAD: speckles out of an image, two grids a step", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
