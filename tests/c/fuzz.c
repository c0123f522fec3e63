/* fuzz.c - damages an input: `fuzz KIND SEED FILE OUT` writes FILE with a few random faults to OUT. For fuzz.sh.
 *
 *   bytes  bytes changed, lost, doubled; the file cut off
 *   text   the same, and words of the litmus dialect and of configurations put in
 *   log    an event log whose records and header are wrong but whose checksums are right */
#include "check/evlog.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 1 << 22, MAX_FAULTS = 8 };

static const char *const words[] = {
    "0", "-1", "99999999999", "2147483648", "0x", "r[]", "w[]", "rmw[]", "f[]", "bar[]", "b[]", "mov", "(add", "|", ";", "{", "}",
    "(", ")", "exists", "~exists", "forall", "\"", "(*", "*)", "LISA", "P0", "r0", "scopes:", "regions:", "locations [", "agent",
    "wg", "wave", "group", "+",
    "PTX T", "@cta 0,gpu 0", "st.release.gpu", "ld.atom.acq.dv.sc0", "filter", "==", "L:",
    "/\\", "=", ":", "= 1;", "sms", "= true;", "[", "]", "null", "1e999", "\n", "@include \"x\"\n"};

static uint64_t state;

/* xorshift64* */
static uint32_t below(uint32_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static uint32_t odd_number(void)
{
    static const uint32_t odd[] = {0, 1, 2, 31, 32, 255, 256, 65535, 0x7fffffff, 0x80000000, 0xffffffff};
    const uint32_t k = below(sizeof odd / sizeof *odd + 2);

    return k < sizeof odd / sizeof *odd ? odd[k] : below(0x7fffffff);
}

static size_t splice(char *data, size_t n, size_t at, size_t lost, const char *with, size_t more)
{
    if (at + lost > n)
        lost = n - at;
    if (n - lost + more > MAX_FILE)
        return n;
    memmove(data + at + more, data + at + lost, n - at - lost);
    memcpy(data + at, with, more);
    return n - lost + more;
}

static size_t damage(char *data, size_t n, bool text)
{
    char piece[64];

    for (uint32_t k = 1 + below(MAX_FAULTS); k > 0 && n > 0; k--) {
        const size_t at = below((uint32_t)n), long_ = 1 + below(sizeof piece);
        const char *word = words[below(sizeof words / sizeof *words)];

        switch (below(text ? 7 : 5)) {
        case 0: data[at] = (char)below(256); break;
        case 1: data[at] ^= (char)(1u << below(8)); break;
        case 2: n = splice(data, n, at, long_, piece, 0); break;
        case 3:
            memset(piece, 0, sizeof piece);
            memcpy(piece, data + at, n - at < long_ ? n - at : long_);
            n = splice(data, n, below((uint32_t)n), 0, piece, long_);
            break;
        case 4:
            if (below(4) == 0)
                n = at;
            break;
        default: n = splice(data, n, at, below(2) * 3, word, strlen(word)); break;
        }
    }
    return n;
}

/* A field of a record: anything, or a little off. */
static void damage_event(struct hd_event *e)
{
    uint8_t *byte = (uint8_t *)e;
    uint32_t value;

    if (below(4) == 0) {
        byte[offsetof(struct hd_event, kind) + below(4)] = (uint8_t)odd_number(); /* kind, order, scope, space */
        return;
    }
    byte += sizeof value * below(sizeof *e / sizeof value);
    memcpy(&value, byte, sizeof value);
    value = below(3) ? odd_number() : value + below(5) - 2;
    memcpy(byte, &value, sizeof value);
}

static int damage_log(const char *from, const char *to)
{
    struct hd_evlog_info info;
    struct hd_evlog_in *in = hd_evlog_open(from, &info);
    struct hd_evlog_block b;
    struct hd_evlog_out *out;
    const bool header = below(8) == 0;

    if (in == NULL)
        return 1;
    const uint32_t sms = info.sms;
    if (header)
        memcpy((char *)&info + 4 * (1 + below(5)), &(uint32_t){odd_number()}, 4); /* all but `sms` */
    out = hd_evlog_create(to, &info);
    while (out != NULL && hd_evlog_read(in, &b) == 1) {
        if (b.issued != NULL) {
            uint32_t issued[256];

            memcpy(issued, b.issued, sms * sizeof *issued);
            if (below(16) == 0)
                issued[below(sms)] = odd_number();
            hd_evlog_end(in);
            return hd_evlog_close(out, issued) ? 0 : 1;
        }
        struct hd_event *e = malloc((b.count + 2) * sizeof *e);
        size_t n = b.count;
        if (e == NULL)
            return 1;
        memcpy(e, b.event, n * sizeof *e);
        for (uint32_t k = header ? 0 : below(3); k > 0 && n > 0; k--) {
            const size_t i = below((uint32_t)n);

            switch (below(8)) {
            case 0: memmove(e + i, e + i + 1, (--n - i) * sizeof *e); break; /* lost */
            case 1:                                                         /* doubled */
                if (n < b.count + 2) {
                    memmove(e + i + 1, e + i, (n - i) * sizeof *e);
                    n++;
                }
                break;
            default: damage_event(&e[i]); break;
            }
        }
        if (!hd_evlog_write(out, e, n, below(50) ? b.watermark : odd_number(), b.epoch))
            return 1;
        free(e);
    }
    return 1;
}

int main(int argc, char **argv)
{
    static char data[MAX_FILE + 64];
    FILE *f;
    size_t n;

    if (argc != 5) {
        fprintf(stderr, "usage: fuzz bytes|text|log SEED FILE OUT\n");
        return 2;
    }
    state = strtoull(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    below(2);
    if (strcmp(argv[1], "log") == 0)
        return damage_log(argv[3], argv[4]);
    if ((f = fopen(argv[3], "rb")) == NULL)
        return 1;
    n = fread(data, 1, MAX_FILE, f);
    fclose(f);
    n = damage(data, n, strcmp(argv[1], "text") == 0);
    if ((f = fopen(argv[4], "wb")) == NULL)
        return 1;
    return fwrite(data, 1, n, f) == n && fclose(f) == 0 ? 0 : 1;
}
