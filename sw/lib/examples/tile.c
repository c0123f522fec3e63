/* tile.c - an SM tile in the loop of another simulator, here the smallest: a list of events and a memory that answers after a
 * latency of its own. What is Heddle's: heddle_tile_*, ports by name (docs/tiles.md), numbers of hd_pkg.h.
 *     cc tile.c $(pkg-config --cflags --libs heddle) && ./a.out */
#include <hd_pkg.h>
#include <heddle.h>
#include <stdio.h>
#include <string.h>

enum { LATENCY = 100, HEAD_WORDS = 5, FLIT_WORDS = 8, LINE_WORDS = 32, BASE = 0x2000, END = 2000 };

/* The other simulator: what is to be sent to the tile, and when. */
struct event {
    unsigned long at;
    int tail;
    uint32_t flit[HEAD_WORDS + LINE_WORDS];
};
static struct event event[64];
static unsigned events, sent, width; /* width: words of a flit to the tile: 8, or with memory=fixed a whole packet */

static uint32_t memory(uint32_t address)
{
    return 3 * address;
}

/* A request of the tile becomes the flits of an answer: a head that says "all of this line, exclusive", then its words. */
static void request(unsigned long now, const uint32_t *head)
{
    const uint32_t kind = ((1u << HD_HEAD_KIND_W) - 1) << HD_HEAD_KIND_LSB, mask = UINT32_MAX;
    uint32_t address, packet[FLIT_WORDS + LINE_WORDS] = {0};
    unsigned line = width == FLIT_WORDS ? FLIT_WORDS : HEAD_WORDS, end = line + LINE_WORDS; /* a head fills its flit */

    memcpy(packet, head, HEAD_WORDS * sizeof *head);
    packet[0] = (head[0] & ~kind) | (uint32_t)HD_MSG_DATA_E << HD_HEAD_KIND_LSB;
    memcpy((char *)packet + HD_HEAD_WMASK_LSB / 8, &mask, sizeof mask);
    memcpy(&address, (char *)packet + HD_HEAD_ADDR_LSB / 8, sizeof address);
    for (unsigned i = 0; i < LINE_WORDS; i++)
        packet[line + i] = memory(address + 4 * i);
    for (unsigned at = 0; at < end && events < 64; at += width) {
        struct event *e = &event[events++];
        *e = (struct event){.at = now + LATENCY + at / width, .tail = at + width >= end};
        memcpy(e->flit, packet + at, width * sizeof *packet);
    }
}

int main(int argc, char **argv)
{
    struct heddle_tile *t = heddle_tile_open(argc > 1 ? argv[1] : "min", (const char *const *)argv + 2,
                                             argc > 2 ? (size_t)argc - 2 : 0, "sm");
    if (!t)
        return 2;
#define PORT(type, name) type *name = heddle_tile_port(t, #name, NULL)
    PORT(uint8_t, op_valid_i);
    PORT(uint8_t, op_kind_i);
    PORT(uint32_t, op_mask_i);
    PORT(uint32_t, op_addr_i);
    PORT(uint8_t, up_valid_o);
    PORT(uint8_t, up_vn_o);
    PORT(uint8_t, up_credit_i);
    PORT(uint32_t, up_flit_o);
    PORT(uint8_t, dn_valid_i);
    PORT(uint8_t, dn_tail_i);
    PORT(uint32_t, dn_flit_i);
    PORT(uint8_t, cpl_valid_o);
    PORT(uint8_t, cpl_last_o);
    PORT(uint32_t, cpl_mask_o);
    PORT(uint32_t, cpl_data_o);
    heddle_tile_port(t, "dn_flit_i", &width);
    width /= 32;
    for (unsigned long now = 0; now < END; now++) {
        /* Launch warp 0, then one load of 32 words in two lines: lane l reads the word at BASE + 8 l. */
        *op_valid_i = now < 2;
        *op_kind_i = now == 0 ? HD_OP_LAUNCH : HD_OP_LOAD;
        *op_mask_i = UINT32_MAX;
        for (unsigned l = 0; l < 32; l++)
            op_addr_i[l] = BASE + 8 * l;
        *dn_valid_i = sent < events && event[sent].at <= now;
        if (*dn_valid_i) {
            *dn_tail_i = (uint8_t)event[sent].tail;
            memcpy(dn_flit_i, event[sent++].flit, width * sizeof *dn_flit_i);
        }
        heddle_tile_edge(t);
        *up_credit_i = *up_valid_o ? (uint8_t)(1u << *up_vn_o) : 0; /* our buffer is as deep as it must be */
        if (*up_valid_o && *up_vn_o == HD_UP_REQ)
            request(now, up_flit_o);
        if (!*cpl_valid_o)
            continue;
        for (unsigned l = 0; l < 32; l++)
            if (*cpl_mask_o >> l & 1 && cpl_data_o[l] != memory(BASE + 8 * l))
                return fprintf(stderr, "lane %u read %u\n", l, (unsigned)cpl_data_o[l]), 1;
        printf("cycle %lu: lanes 0x%08x%s\n", now, (unsigned)*cpl_mask_o, *cpl_last_o ? ", all there" : "");
        if (*cpl_last_o) {
            heddle_tile_close(t);
            return 0;
        }
    }
    fprintf(stderr, "nothing by cycle %d\n", END);
    return 1;
}
