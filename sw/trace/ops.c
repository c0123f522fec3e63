/* ops.c - see ops.h. An operation:
 *
 *   kind 5 bits, then bits 5 an ALU count follows, 6 attributes follow (else those of the kind's last), 7 a mask follows
 *   [ALU count] [order 3, scope 2, space 1, plain 1, read-only 1; function] [mask]
 *   a transaction's beginning and end have a mask, too: lanes that are in it
 *   memory operation: stream 4, form of addresses 2, words 1, words to compare 1; distance of the first lane's word address
 *     from the stream's last; stride, or a distance a further lane, or 4 bytes a lane; words
 *   words: form 0 all the same, 1 stride, 3 four bytes a lane */
#include "ops.h"
#include "hd_pkg.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SAME, STRIDE, DELTAS, LIST };
enum { HAS_ALU = 1 << 5, HAS_ATTRIBUTES = 1 << 6, HAS_MASK = 1 << 7 };
enum { NEAR = 1 << 14 }; /* words: an address further from all streams begins a new one */

static bool is_memory(unsigned kind)
{
    return kind == HD_OP_LOAD || kind == HD_OP_STORE || kind == HD_OP_ATOMIC || kind == HD_OP_COPY;
}

static bool is_transaction(unsigned kind)
{
    return kind == HD_OP_TX_BEGIN || kind == HD_OP_TX_COMMIT;
}

static unsigned put32(uint8_t *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> 8 * i);
    return 4;
}

static uint32_t get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static unsigned first_lane(hd_mask_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

static inline unsigned lanes_of(hd_mask_t mask)
{
    return mask == UINT32_MAX ? 32 : (unsigned)__builtin_popcountll(mask);
}

/* Do all lanes have first + stride * (lane - first lane)? */
static bool is_stride(hd_mask_t mask, const uint32_t *word, uint32_t *stride)
{
    enum { CHUNK = 8 };
    unsigned first = first_lane(mask);
    hd_mask_t rest = mask & (mask - 1);
    uint32_t bad = 0;

    *stride = 0;
    if (rest == 0)
        return true;
    unsigned second = first_lane(rest), lanes = lanes_of(mask);
    int32_t d = (int32_t)(word[second] - word[first]);
    if (second - first > 1 && d % (int32_t)(second - first) != 0)
        return false;
    const uint32_t step = *stride = second - first > 1 ? (uint32_t)(d / (int32_t)(second - first)) : (uint32_t)d;
    rest &= rest - 1;
    if (rest != 0 && word[first_lane(rest)] != word[first] + step * (first_lane(rest) - first))
        return false;
    if ((mask & (mask + 1)) == 0 && lanes % CHUNK == 0) { /* the usual: all lanes */
        uint32_t base = word[0];
        for (unsigned l = 0; l < lanes; l += CHUNK)
            for (unsigned k = 0; k < CHUNK; k++)
                bad |= word[l + k] ^ (base + step * (l + k));
        return bad == 0;
    }
    for (; rest != 0; rest &= rest - 1) {
        unsigned l = first_lane(rest);
        bad |= word[l] ^ (word[first] + step * (l - first));
    }
    return bad == 0;
}

/* The stream whose last address is nearest to @word. */
static unsigned nearest(struct hd_trace_state *s, uint32_t word)
{
    unsigned best = 0;
    uint32_t least = UINT32_MAX;

    for (unsigned i = 0; i < HD_TRACE_STREAMS; i++) {
        int32_t d = (int32_t)(word - s->stream[i]);
        uint32_t far = d < 0 ? 0 - (uint32_t)d : (uint32_t)d;
        if (far < least) {
            least = far;
            best = i;
        }
    }
    if (least >= NEAR) {
        best = s->next;
        s->next = (s->next + 1) % HD_TRACE_STREAMS;
    }
    return best;
}

/* The same bytes as hd_trace_varint(), and perhaps one behind them. */
static inline unsigned short_varint(uint8_t *to, uint64_t v)
{
    if (v >= 1 << 14)
        return hd_trace_varint(to, v);
    bool two = v >= 1 << 7;
    to[0] = (uint8_t)((v & 0x7f) | (uint64_t)two << 7);
    to[1] = (uint8_t)(v >> 7);
    return 1u + two;
}

static size_t put_addresses(struct hd_trace_state *s, const struct hd_trace_op *op, uint8_t *to)
{
    const uint32_t *addr = op->addr;
    unsigned first = first_lane(op->mask), lanes = lanes_of(op->mask), form;
    uint32_t stride, word = addr[first] / 4;
    unsigned stream = nearest(s, word);
    size_t n = 1 + hd_trace_varint(to + 1, hd_trace_zigzag((int32_t)(word - s->stream[stream])));

    s->stream[stream] = word;
    if (is_stride(op->mask, addr, &stride) && stride % 4 == 0) {
        form = stride == 0 ? SAME : STRIDE;
        if (stride != 0)
            n += hd_trace_varint(to + n, hd_trace_zigzag((int32_t)stride / 4));
    } else {
        size_t m = n;
        form = DELTAS;
        const bool all = (op->mask & (op->mask + 1)) == 0;
        for (unsigned l = 1; all && l < lanes; l++)
            m += short_varint(to + m, hd_trace_zigzag((int32_t)(addr[l] / 4 - addr[l - 1] / 4)));
        for (hd_mask_t rest = all ? 0 : op->mask & (op->mask - 1); rest != 0; rest &= rest - 1) {
            uint32_t next = addr[first_lane(rest)] / 4;
            m += short_varint(to + m, hd_trace_zigzag((int32_t)(next - word)));
            word = next;
        }
        if (m - n > 4 * (size_t)(lanes - 1)) {
            form = LIST;
            m = n;
            for (hd_mask_t rest = op->mask & (op->mask - 1); rest != 0; rest &= rest - 1)
                m += put32(to + m, addr[first_lane(rest)] / 4);
        }
        n = m;
    }
    to[0] = (uint8_t)(stream | form << 4 | (unsigned)op->has_data << 6 | (unsigned)op->has_cmp << 7);
    return n;
}

static size_t put_words(hd_mask_t mask, const uint32_t *word, uint8_t *to)
{
    uint32_t stride;
    size_t n = 1;

    if (is_stride(mask, word, &stride)) {
        to[0] = stride == 0 ? SAME : STRIDE;
        n += put32(to + n, word[first_lane(mask)]);
        return stride == 0 ? n : n + put32(to + n, stride);
    }
    to[0] = LIST;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && (mask & (mask + 1)) == 0) {
        memcpy(to + 1, word, 4 * (size_t)__builtin_popcountll(mask));
        return 1 + 4 * (size_t)__builtin_popcountll(mask);
    }
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1)
        n += put32(to + n, word[first_lane(rest)]);
    return n;
}

size_t hd_trace_put(struct hd_trace_state *s, const struct hd_trace_op *op, uint8_t *data)
{
    uint8_t attributes = (uint8_t)(op->order | op->scope << 3 | op->space << 5 | op->plain << 6 | op->ro << 7);
    uint8_t *known = s->attributes[op->kind];
    size_t n = 1;

    data[0] = op->kind;
    if (op->alu != 0) {
        data[0] |= HAS_ALU;
        n += hd_trace_varint(data + n, op->alu);
    }
    if (op->kind == HD_TRACE_WAIT) {
        n += hd_trace_varint(data + n, op->back);
        return n + hd_trace_varint(data + n, op->count);
    }
    if (op->kind == HD_TRACE_SLEEP)
        return n + hd_trace_varint(data + n, op->cycles);
    if (attributes != known[0] || op->fn != known[1]) {
        data[0] |= HAS_ATTRIBUTES;
        data[n++] = known[0] = attributes;
        data[n++] = known[1] = op->fn;
    }
    if (!is_memory(op->kind) && !is_transaction(op->kind))
        return n;
    if (op->mask != s->mask) {
        data[0] |= HAS_MASK;
        n += hd_trace_varint(data + n, s->mask = op->mask);
    }
    if (op->mask == 0 || is_transaction(op->kind))
        return n;
    n += put_addresses(s, op, data + n);
    if (op->has_data)
        n += put_words(op->mask, op->data, data + n);
    if (op->has_cmp)
        n += put_words(op->mask, op->cmp, data + n);
    return n;
}

/* A bit for each of 64 bytes that ends a number. */
static inline uint64_t ends_of(const uint8_t *data)
{
    uint64_t more = 0;

#ifdef __SSE2__
    for (int i = 0; i < 4; i++) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(data + 16 * i));
        more |= (uint64_t)(unsigned)_mm_movemask_epi8(some) << 16 * i;
    }
#else
    for (int i = 0; i < 64; i++)
        more |= (uint64_t)(data[i] >> 7) << i;
#endif
    return ~more;
}

/* Distances of at most four bytes to lanes from the second on, as long as there are 64 bytes and more to look at at once.
 * @word: that of the first lane, then of the last that is there. @return lanes that are there. */
static unsigned get_short(const uint8_t *data, size_t n, size_t *at, unsigned lanes, uint32_t *word, uint32_t *addr)
{
    enum { WINDOW = 64, NUMBER = 4 };
    unsigned l = 1;
    uint32_t w = *word;

    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && l < lanes && n - *at >= WINDOW + NUMBER) {
        const uint8_t *from = data + *at;
        unsigned start = 0;
        for (uint64_t ends = ends_of(from); ends != 0 && l < lanes; ends &= ends - 1, l++) {
            unsigned end = (unsigned)__builtin_ctzll(ends), more = end - start;
            uint32_t v;
            if (more >= NUMBER)
                break;
            memcpy(&v, from + start, NUMBER);
            v &= UINT32_MAX >> 8 * (NUMBER - 1 - more);
            v = (v & 0x7f) | (v >> 1 & 0x3f80) | (v >> 2 & 0x1fc000) | (v >> 3 & 0xfe00000);
            w += v >> 1 ^ (0 - (v & 1));
            addr[l] = w * 4;
            start = end + 1;
        }
        if (start == 0)
            break;
        *at += start;
    }
    *word = w;
    return l;
}

static bool get_addresses(struct hd_trace_state *s, const uint8_t *data, size_t n, size_t *at, struct hd_trace_op *op)
{
    unsigned first = first_lane(op->mask);
    hd_mask_t rest = op->mask & (op->mask - 1);
    uint64_t v;

    if (*at >= n)
        return false;
    uint8_t how = data[(*at)++];
    unsigned form = how >> 4 & 3;
    if (!hd_trace_unvarint(data, n, at, &v))
        return false;
    uint32_t *stream = &s->stream[how & 15], word = *stream + (uint32_t)hd_trace_unzigzag(v), stride = 0;
    op->has_data = how >> 6 & 1;
    op->has_cmp = how >> 7;
    *stream = word;
    op->addr[first] = word * 4;
    if (form == STRIDE) {
        if (!hd_trace_unvarint(data, n, at, &v))
            return false;
        stride = (uint32_t)hd_trace_unzigzag(v);
    }
    if (form == LIST && n - *at < 4 * (size_t)__builtin_popcountll(rest))
        return false;
    if (form <= STRIDE) {
        if (op->mask == UINT32_MAX) /* the usual */
            for (uint32_t l = 0; l < 32; l++)
                op->addr[l] = (word + stride * l) * 4;
        else
            for (; rest != 0; rest &= rest - 1)
                op->addr[first_lane(rest)] = (word + stride * (first_lane(rest) - first)) * 4;
        return true;
    }
    if (form == LIST) {
        for (; rest != 0; rest &= rest - 1, *at += 4)
            op->addr[first_lane(rest)] = get32(data + *at) * 4;
        return true;
    }
    size_t in = *at;
    if ((op->mask & (op->mask + 1)) == 0) { /* the usual */
        unsigned lanes = lanes_of(op->mask), done = get_short(data, n, &in, lanes, &word, op->addr);
        rest = done == lanes ? 0 : rest & ~(hd_mask_t)0 << done;
    }
    for (; rest != 0; rest &= rest - 1) {
        if (n - in >= 2 && data[in] < 0x80) /* short ones */
            v = data[in++];
        else if (n - in >= 2 && data[in + 1] < 0x80) {
            v = (data[in] & 0x7fu) | (uint32_t)data[in + 1] << 7;
            in += 2;
        } else if (!hd_trace_unvarint(data, n, &in, &v))
            return false;
        word += (uint32_t)hd_trace_unzigzag(v);
        op->addr[first_lane(rest)] = word * 4;
    }
    *at = in;
    return true;
}

static bool get_words(hd_mask_t mask, const uint8_t *data, size_t n, size_t *at, uint32_t *word)
{
    unsigned first = first_lane(mask);

    if (*at >= n)
        return false;
    unsigned form = data[(*at)++];
    size_t need = form == SAME ? 4 : form == STRIDE ? 8 : 4 * (size_t)__builtin_popcountll(mask);
    if ((form != SAME && form != STRIDE && form != LIST) || n - *at < need)
        return false;
    const uint8_t *from = data + *at;
    uint32_t base = get32(from), stride = form == STRIDE ? get32(from + 4) : 0;
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = first_lane(rest);
        word[l] = form == LIST ? get32(from) : base + stride * (l - first);
        from += 4;
    }
    *at += need;
    return true;
}

bool hd_trace_get(struct hd_trace_state *s, const uint8_t *data, size_t n, size_t *at, unsigned lanes, struct hd_trace_op *op)
{
    uint64_t v;

    if (*at >= n)
        return false;
    uint8_t head = data[(*at)++];
    op->kind = head & 31;
    op->alu = 0;
    if (head & HAS_ALU) {
        if (!hd_trace_unvarint(data, n, at, &v) || v > UINT32_MAX)
            return false;
        op->alu = (uint32_t)v;
    }
    if (op->kind == HD_TRACE_WAIT) {
        if (!hd_trace_unvarint(data, n, at, &v) || v == 0 || v > UINT32_MAX)
            return false;
        op->back = (uint32_t)v;
        if (!hd_trace_unvarint(data, n, at, &v) || v == 0 || v > op->back)
            return false;
        op->count = (uint32_t)v;
        return true;
    }
    if (op->kind == HD_TRACE_SLEEP)
        return hd_trace_unvarint(data, n, at, &op->cycles);
    uint8_t *known = s->attributes[op->kind];
    if (head & HAS_ATTRIBUTES) {
        if (n - *at < 2)
            return false;
        known[0] = data[(*at)++];
        known[1] = data[(*at)++];
    }
    op->order = known[0] & 7;
    op->scope = known[0] >> 3 & 3;
    op->space = known[0] >> 5 & 1;
    op->plain = known[0] >> 6 & 1;
    op->ro = known[0] >> 7;
    op->fn = known[1];
    op->has_data = op->has_cmp = false;
    if (op->order > HD_ORD_SEQ_CST || op->fn > (op->kind == HD_OP_COPY_CTL ? 15 : HD_AT_READ))
        return false;
    if (!is_memory(op->kind) && !is_transaction(op->kind))
        return op->kind == HD_OP_FENCE || op->kind == HD_OP_BARRIER || op->kind == HD_OP_CLOCK || op->kind == HD_OP_NOP
               || op->kind == HD_OP_PBARRIER || op->kind == HD_OP_COPY_CTL;
    if (head & HAS_MASK) {
        if (!hd_trace_unvarint(data, n, at, &v) || (lanes < 64 && v >> lanes != 0))
            return false;
        s->mask = v;
    }
    op->mask = s->mask;
    return op->mask == 0 || is_transaction(op->kind) || (get_addresses(s, data, n, at, op) && (!op->has_data || get_words(op->mask, data, n, at, op->data)) &&
                             (!op->has_cmp || get_words(op->mask, data, n, at, op->cmp)));
}
