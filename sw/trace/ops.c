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
enum {
    NEARER = 1 << 11,   /* words: no other stream is looked at */
    NEAR = 1 << 14      /* an address further from all streams begins a new one */
};

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

/* Have lanes 0 to @lanes - 1, a multiple of 4, all base + step * lane? */
static bool all_stride(const uint32_t *word, unsigned lanes, uint32_t base, uint32_t step)
{
#ifdef __SSE2__
    __m128i next = _mm_set_epi32((int)(base + 3 * step), (int)(base + 2 * step), (int)(base + step), (int)base);
    __m128i bad = _mm_setzero_si128(), four = _mm_set1_epi32((int)(4 * step));
    for (unsigned l = 0; l < lanes; l += 4) {
        bad = _mm_or_si128(bad, _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)(word + l)), next));
        next = _mm_add_epi32(next, four);
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi32(bad, _mm_setzero_si128())) == 0xffff;
#else
    uint32_t bad = 0;
    for (unsigned l = 0; l < lanes; l++)
        bad |= word[l] ^ (base + step * l);
    return bad == 0;
#endif
}

/* Do all lanes have first + stride * (lane - first lane)? */
static bool is_stride(hd_mask_t mask, const uint32_t *word, uint32_t *stride)
{
    const unsigned first = first_lane(mask);
    hd_mask_t rest = mask & (mask - 1);

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
    if ((mask & (mask + 1)) == 0 && lanes % 4 == 0) /* the usual: all lanes */
        return all_stride(word, lanes, word[0], step);
    for (; rest != 0; rest &= rest - 1)
        if (word[first_lane(rest)] != word[first] + step * (first_lane(rest) - first))
            return false;
    return true;
}

static uint32_t distance(const struct hd_trace_state *s, unsigned stream, uint32_t word)
{
    int32_t d = (int32_t)(word - s->stream[stream]);

    return d < 0 ? 0 - (uint32_t)d : (uint32_t)d;
}

/* The stream whose last address is nearest to @word, or the one that came next the last time, if that is near. */
static unsigned nearest(struct hd_trace_state *s, uint32_t word)
{
    unsigned best = s->after[s->last];
    uint32_t least = distance(s, best, word);

    if (least >= NEARER) {
        for (unsigned i = 0; i < HD_TRACE_STREAMS; i++) {
            uint32_t far = distance(s, i, word);
            if (far < least) {
                least = far;
                best = i;
            }
        }
        if (least >= NEAR) {
            best = s->next;
            s->next = (s->next + 1) % HD_TRACE_STREAMS;
        }
        s->after[s->last] = (uint8_t)best;
    }
    s->last = (uint8_t)best;
    return best;
}

/* Four lanes of distances to signed words before them, as the bytes of a varint each, and how many these are. @return false
 * when one takes more than four. */
#ifdef __SSE2__
static inline __m128i load4(const uint32_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline void store4(uint32_t *to, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)to, v);
}

static inline bool four_varints(const uint32_t *word, const uint32_t *before, uint32_t *bytes, uint32_t *length)
{
    __m128i d = _mm_sub_epi32(load4(word), load4(before));
    __m128i v = _mm_xor_si128(_mm_slli_epi32(d, 1), _mm_srai_epi32(d, 31));
    __m128i two = _mm_cmpgt_epi32(v, _mm_set1_epi32((1 << 7) - 1)), three = _mm_cmpgt_epi32(v, _mm_set1_epi32((1 << 14) - 1)),
            four = _mm_cmpgt_epi32(v, _mm_set1_epi32((1 << 21) - 1));
    __m128i over = _mm_srli_epi32(v, 28);
    __m128i low = _mm_or_si128(_mm_and_si128(v, _mm_set1_epi32(0x7f)),
                               _mm_slli_epi32(_mm_and_si128(v, _mm_set1_epi32(0x3f80)), 1));
    __m128i high = _mm_or_si128(_mm_slli_epi32(_mm_and_si128(v, _mm_set1_epi32(0x1fc000)), 2),
                                _mm_slli_epi32(_mm_and_si128(v, _mm_set1_epi32(0xfe00000)), 3));
    __m128i more = _mm_or_si128(_mm_and_si128(two, _mm_set1_epi32(0x80)),
                                _mm_or_si128(_mm_and_si128(three, _mm_set1_epi32(0x8000)),
                                             _mm_and_si128(four, _mm_set1_epi32(0x800000))));
    store4(bytes, _mm_or_si128(_mm_or_si128(low, high), more));
    store4(length, _mm_sub_epi32(_mm_set1_epi32(1), _mm_add_epi32(two, _mm_add_epi32(three, four))));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(over, _mm_setzero_si128())) == 0xffff;
}
#endif

/* Distances of word[1], word[2] ... word[n - 1], each to the one before it, as varints. @word has room for three more, @to
 * for 5 n bytes. */
static size_t put_distances(const uint32_t *word, unsigned n, uint8_t *to)
{
    size_t m = 0;
    unsigned i = 1;

#ifdef __SSE2__
    uint32_t bytes[4], length[4];
    for (; i < n && four_varints(word + i, word + i - 1, bytes, length); i += 4)
        for (unsigned k = 0; k < 4 && i + k < n; k++) {
            memcpy(to + m, &bytes[k], sizeof bytes[k]);
            m += length[k];
        }
#endif
    for (; i < n; i++)
        m += hd_trace_varint(to + m, hd_trace_zigzag((int32_t)(word[i] - word[i - 1])));
    return m;
}

/* Without the bits that say whether words follow. */
static size_t put_addresses(struct hd_trace_state *s, hd_mask_t mask, const uint32_t *addr, uint8_t *to)
{
    unsigned first = first_lane(mask), lanes = lanes_of(mask), form;
    uint32_t stride, word = addr[first] / 4;
    unsigned stream = nearest(s, word);
    size_t n = 1 + hd_trace_varint(to + 1, hd_trace_zigzag((int32_t)(word - s->stream[stream])));

    s->stream[stream] = word;
    if (is_stride(mask, addr, &stride) && stride % 4 == 0) {
        form = stride == 0 ? SAME : STRIDE;
        if (stride != 0)
            n += hd_trace_varint(to + n, hd_trace_zigzag((int32_t)stride / 4));
    } else {
        uint32_t list[HD_MAX_LANES + 4];
        unsigned i = 0;
        if ((mask & (mask + 1)) == 0)
            for (; i < lanes; i++)
                list[i] = addr[i] / 4;
        else
            for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1)
                list[i++] = addr[first_lane(rest)] / 4;
        memset(list + lanes, 0, 4 * sizeof *list);
        size_t m = put_distances(list, lanes, to + n);
        form = DELTAS;
        if (m > 4 * (size_t)(lanes - 1)) {
            form = LIST;
            m = 0;
            for (i = 1; i < lanes; i++)
                m += put32(to + n + m, list[i]);
        }
        n += m;
    }
    to[0] = (uint8_t)(stream | form << 4);
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

size_t hd_trace_put_memory(struct hd_trace_state *s, const struct hd_trace_op *op, const uint32_t *addr, const uint32_t *data,
                           const uint32_t *cmp, uint8_t *to)
{
    uint8_t attributes = (uint8_t)(op->order | op->scope << 3 | op->space << 5 | op->plain << 6 | op->ro << 7);
    uint8_t *known = s->attributes[op->kind], head = op->kind;
    size_t n = 1;

    if (op->alu != 0) {
        head |= HAS_ALU;
        n += hd_trace_varint(to + n, op->alu);
    }
    if (attributes != known[0] || op->fn != known[1]) {
        head |= HAS_ATTRIBUTES;
        to[n++] = known[0] = attributes;
        to[n++] = known[1] = op->fn;
    }
    if (is_memory(op->kind) || is_transaction(op->kind)) {
        if (op->mask != s->mask) {
            head |= HAS_MASK;
            n += hd_trace_varint(to + n, s->mask = op->mask);
        }
        if (op->mask != 0 && is_memory(op->kind)) {
            uint8_t *how = to + n;
            n += put_addresses(s, op->mask, addr, how);
            *how |= (uint8_t)((data != NULL) << 6 | (cmp != NULL) << 7);
            if (data)
                n += put_words(op->mask, data, to + n);
            if (cmp)
                n += put_words(op->mask, cmp, to + n);
        }
    }
    to[0] = head;
    return n;
}

size_t hd_trace_put(struct hd_trace_state *s, const struct hd_trace_op *op, uint8_t *to)
{
    size_t n = 1;

    if (op->kind != HD_TRACE_WAIT && op->kind != HD_TRACE_SLEEP)
        return hd_trace_put_memory(s, op, op->addr, op->has_data ? op->data : NULL, op->has_cmp ? op->cmp : NULL, to);
    to[0] = op->kind;
    if (op->alu != 0) {
        to[0] |= HAS_ALU;
        n += hd_trace_varint(to + n, op->alu);
    }
    if (op->kind == HD_TRACE_SLEEP)
        return n + hd_trace_varint(to + n, op->cycles);
    n += hd_trace_varint(to + n, op->back);
    return n + hd_trace_varint(to + n, op->count);
}

/* A bit for each of 64 bytes that ends a number. */
static inline uint64_t ends_of(const uint8_t *data)
{
#ifdef __SSE2__
    const __m128i *v = (const __m128i *)(const void *)data;
    unsigned more[4]; /* 16 bytes each */
    for (int i = 0; i < 4; i++)
        more[i] = (unsigned)_mm_movemask_epi8(_mm_loadu_si128(v + i));
    return ~((more[0] | more[1] << 16) | (uint64_t)(more[2] | more[3] << 16) << 32);
#else
    uint64_t more = 0;
    for (int i = 0; i < 64; i++)
        more |= (uint64_t)(data[i] >> 7) << i;
    return ~more;
#endif
}

/* The bytes of numbers of at most four, @n of them, to raw[0], raw[1] ... as long as there are 64 bytes and more to look at at
 * once, and three in front of them: so many hold 16 numbers, or one that is longer. @return how many. */
static unsigned get_short(const uint8_t *data, size_t size, size_t *at, unsigned n, uint32_t *raw)
{
    enum { WINDOW = 64, NUMBER = 4 };
    unsigned i = 0;

    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && i < n && size - *at >= WINDOW && *at >= NUMBER - 1) {
        const uint8_t *from = data + *at;
        uint64_t ends = ends_of(from), more = ~ends;
        const unsigned some = n - i < WINDOW / NUMBER ? n - i : WINDOW / NUMBER;
        uint32_t *to = raw + i;
        size_t end = 0, off = 8 * (NUMBER - 1); /* off: bits that a number's end is behind what its window ends with */
        if ((more & more >> 1 & more >> 2 & more >> 3) != 0) /* longer ones, here or behind what is looked for */
            break;
#pragma GCC unroll 4
        for (unsigned k = some; k != 0; k--, ends &= ends - 1) {
            uint32_t v;
            end = (unsigned)__builtin_ctzll(ends);
            memcpy(&v, from - (NUMBER - 1) + end, NUMBER);
            *to++ = v >> (off - 8 * end);
            off = 8 * NUMBER + 8 * end;
        }
        i += some;
        *at += end + 1;
    }
    return i;
}

/* Numbers of @n distances as get_short() leaves them: word[i] = @word and the first i + 1 of them, in bytes. Both have room for
 * three more. */
static void add_up(const uint32_t *raw, unsigned n, uint32_t word, uint32_t *to)
{
#ifdef __SSE2__
    __m128i sum = _mm_set1_epi32((int)word);
    for (unsigned i = 0; i < n; i += 4) {
        __m128i x = load4(raw + i);
        __m128i low = _mm_or_si128(_mm_and_si128(x, _mm_set1_epi32(0x7f)),
                                   _mm_and_si128(_mm_srli_epi32(x, 1), _mm_set1_epi32(0x3f80)));
        __m128i high = _mm_or_si128(_mm_and_si128(_mm_srli_epi32(x, 2), _mm_set1_epi32(0x1fc000)),
                                    _mm_and_si128(_mm_srli_epi32(x, 3), _mm_set1_epi32(0xfe00000)));
        x = _mm_or_si128(low, high);
        x = _mm_xor_si128(_mm_srli_epi32(x, 1), _mm_sub_epi32(_mm_setzero_si128(), _mm_and_si128(x, _mm_set1_epi32(1))));
        x = _mm_add_epi32(x, _mm_slli_si128(x, 4));
        x = _mm_add_epi32(x, _mm_slli_si128(x, 8));
        x = _mm_add_epi32(x, sum);
        sum = _mm_shuffle_epi32(x, 0xff);
        store4(to + i, _mm_slli_epi32(x, 2));
    }
#else
    for (unsigned i = 0; i < n; i++) {
        uint32_t v = raw[i];
        v = (v & 0x7f) | (v >> 1 & 0x3f80) | (v >> 2 & 0x1fc000) | (v >> 3 & 0xfe00000);
        word += v >> 1 ^ (0 - (v & 1));
        to[i] = word * 4;
    }
#endif
}

/* Distances to lanes from the second on. @word: that of the first. */
static bool get_distances(const uint8_t *data, size_t n, size_t *at, uint32_t word, struct hd_trace_op *op)
{
    const unsigned lanes = lanes_of(op->mask);
    const bool all = (op->mask & (op->mask + 1)) == 0;
    uint32_t raw[HD_MAX_LANES + 4], list[HD_MAX_LANES + 4], *there = all ? op->addr : list;
    size_t in = *at;
    uint64_t v;

    raw[0] = 0; /* of the first lane */
    unsigned i = 1 + get_short(data, n, &in, lanes - 1, raw + 1);
    memset(raw + i, 0, 4 * sizeof *raw);
    add_up(raw, i, word, there);
    for (word = there[i - 1] / 4; i < lanes; i++) { /* close to the end, or longer */
        if (in < n && data[in] < 0x80)
            v = data[in++];
        else if (!hd_trace_unvarint(data, n, &in, &v))
            return false;
        word += (uint32_t)hd_trace_unzigzag(v);
        there[i] = word * 4;
    }
    *at = in;
    i = 0;
    for (hd_mask_t rest = all ? 0 : op->mask; rest != 0; rest &= rest - 1)
        op->addr[first_lane(rest)] = list[i++];
    return true;
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
    return get_distances(data, n, at, word, op);
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
    if (op->mask == 0 || is_transaction(op->kind))
        return true;
    return get_addresses(s, data, n, at, op) && (!op->has_data || get_words(op->mask, data, n, at, op->data)) &&
           (!op->has_cmp || get_words(op->mask, data, n, at, op->cmp));
}
