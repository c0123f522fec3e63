/* portlog.c - see portlog.h. */
#include "portlog.h"
#include <inttypes.h>
#include <stdlib.h>

bool hd_port_log_init(struct hd_port_log *l, size_t room)
{
    *l = (struct hd_port_log){.room = room, .record = calloc(room, sizeof *l->record)};
    return l->record != NULL;
}

void hd_port_log_fini(struct hd_port_log *l)
{
    free(l->record);
    *l = (struct hd_port_log){0};
}

void hd_port_log_put(struct hd_port_log *l, uint64_t cycle, enum hd_port_event event, uint64_t a, uint64_t b,
                     uint64_t c, uint64_t d)
{
    if (l->count < l->room)
        l->record[l->count++] = (struct hd_port_record){cycle, {a, b, c, d}, event};
}

void hd_port_log_write(struct hd_port_log *l, FILE *file, const char *name, unsigned number)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct hd_port_record *r = &l->record[i];
        const uint64_t *v = r->value;
        fprintf(file, "%" PRIu64 " %s %u ", r->cycle, name, number);
        switch (r->event) {
        case HD_PORT_OFFER:
            fprintf(file, "offer %" PRIu64 " %" PRIu64 "\n", v[0], v[1]);
            break;
        case HD_PORT_TAKEN:
            fprintf(file, "taken %" PRIu64 " %" PRIu64 "\n", v[0], v[1]);
            break;
        case HD_PORT_COMPLETE:
            fprintf(file, "complete %" PRIu64 " %" PRIu64 " %" PRIu64 " %08" PRIx64 " #%08" PRIx64 "\n", v[0],
                    v[1] >> 1, v[1] & 1, v[2], v[3]);
            break;
        case HD_PORT_CONTROL:
            fprintf(file, "control %016" PRIx64 " %" PRIu64 "\n", v[0], v[1]);
            break;
        case HD_PORT_FLUSHED:
            fprintf(file, "flushed\n");
            break;
        case HD_PORT_STATE:
            fprintf(file, "state %" PRIx64 " %" PRIu64 "\n", v[0], v[1]);
            break;
        case HD_PORT_REQUEST:
            fprintf(file, "request %" PRIu64 " %08" PRIx64 " %" PRIu64 " #%08" PRIx64 "\n", v[0], v[1], v[2], v[3]);
            break;
        case HD_PORT_ANSWER:
            fprintf(file, "answer %" PRIu64 " #%08" PRIx64 "\n", v[0], v[1]);
            break;
        }
    }
    l->count = 0;
}

uint32_t hd_port_log_sum(const uint32_t *words, unsigned n, hd_mask_t mask, unsigned group)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < n; i++) {
        if (!(mask >> i / group & 1))
            continue;
        sum = (sum ^ words[i] ^ (uint64_t)i << 32) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 29;
    }
    return (uint32_t)(sum ^ sum >> 32);
}
