/* net_look.h - what a network shows at every edge, behind net_cases.h: all bits of each flit come out as they went in, and it is idle
 * only when nothing is inside and no credit is on its way. */
#ifndef NET_LOOK_H
#define NET_LOOK_H
static struct {
    bool tail;
    uint32_t word[WORDS];
} on_way[ENDS][ENDS][VNS][256][LONGEST];
static unsigned inside, alone; /* flits; cycles in which there was one at most */
enum { LONG = 40 };            /* whatever was held up before has gone after as many */

static void look(void)
{
    unsigned sends = 0, held = 0;

    if (*d.rst_i) {
        inside = alone = 0;
        return;
    }
    for (unsigned e = 0; e < ENDS; e++) {
        const unsigned i = is_sm(e) ? e : e - SMS;
        const uint32_t *const flit[2] = {(uint32_t *)PORT(e, flit_i) + WORDS * i, (uint32_t *)PORT(e, flit_o) + WORDS * i};

        if (get_bits(PORT(e, valid_o), i, 1)) { /* see_flit() knows that it is for @e, and which one */
            const uint32_t who = flit[1][WHO] ^ flit[1][0];
            const unsigned v = (unsigned)get_bits(PORT(e, vn_o), i * HD_VN_W, HD_VN_W);
            assert_memory_equal(flit[1], on_way[who >> 24][e][v][who >> 8 & 0xff][who & 0xff].word, WORDS * 4);
            assert_int_equal(get_bits(PORT(e, tail_o), i, 1), on_way[who >> 24][e][v][who >> 8 & 0xff][who & 0xff].tail);
            assert_false(*d.idle_o);
            inside--;
        }
        if (get_bits(PORT(e, valid_i), i, 1)) {
            const uint32_t who = flit[0][WHO] ^ flit[0][0];
            const unsigned v = (unsigned)get_bits(PORT(e, vn_i), i * HD_VN_W, HD_VN_W);
            memcpy(on_way[e][who >> 16 & 0xff][v][who >> 8 & 0xff][who & 0xff].word, flit[0], WORDS * 4);
            on_way[e][who >> 16 & 0xff][v][who >> 8 & 0xff][who & 0xff].tail = get_bits(PORT(e, tail_i), i, 1);
            sends++;
        }
        for (unsigned v = 0; v < wires(e, false); v++)
            held += end[e][v].held;
        for (unsigned v = 0; v < wires(e, true); v++) {
            assert_false(*d.idle_o && get_bits(PORT(e, credit_o), i * wires(e, true) + v, 1));
            assert_true(!*d.idle_o || end[e][v].credits == DEPTH || sends > 0);
        }
    }
    assert_true(!*d.idle_o || inside == 0);
    inside += sends;
    alone = inside + held > 1 ? 0 : alone + 1;
}
#endif
