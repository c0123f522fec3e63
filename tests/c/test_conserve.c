/* The conservation check passes a sound history; each number changed alone makes it fail with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "check/conserve.h"
#include "check/watchdog.h"

/* One SM, one partition: a load miss, a merge, a hit, an upgrade, a writeback, a fetch and an invalidation. */
struct history {
    uint64_t sm_events[HD_EV_SM_NUM], l2_events[HD_EV_L2_NUM], stalls[HD_STALL_NUM];
    struct hd_conserve_sm sm;
    struct hd_conserve_l2 l2;
    struct hd_link up_sm, up_part, down_part, down_sm;
    const char *port_fault, *memory_fault;
    bool up_idle, down_idle;
};

static void sound(struct history *h)
{
    memset(h, 0, sizeof *h);
    h->sm_events[HD_EV_SM_ACCESS] = 5;
    h->sm_events[HD_EV_SM_HIT] = 1;
    h->sm_events[HD_EV_SM_MISS] = 2;
    h->sm_events[HD_EV_SM_MERGE] = 1;
    h->sm_events[HD_EV_SM_REJECT] = 1;
    h->sm_events[HD_EV_SM_REJ_ENTRY] = 1;
    h->sm_events[HD_EV_SM_REPLAY] = 3;
    h->sm_events[HD_EV_SM_FILL] = 2;
    h->sm_events[HD_EV_SM_UPGRADE] = 1;
    h->sm_events[HD_EV_SM_EVICT_DIRTY] = 1;
    h->sm_events[HD_EV_SM_INV] = 1;
    h->sm_events[HD_EV_SM_FETCH] = 1;
    h->sm_events[HD_EV_SM_ISSUE_ALU] = 2;
    h->sm_events[HD_EV_SM_ISSUE_MEM] = 4;
    h->sm_events[HD_EV_SM_ISSUE_CTL] = 3;
    h->stalls[HD_STALL_EMPTY] = 6;
    h->stalls[HD_STALL_ISSUED] = 9;
    h->stalls[HD_STALL_ORDER] = 5;
    h->sm = (struct hd_conserve_sm){.events = h->sm_events, .stalls = h->stalls, .warp_cycles = 20,
                                     .offered = 7, .taken = 7, .memory = 4, .completed = 4,
                                    .control = 3, .done = 3, .idle = true, .credits_home = true,
                                    .up = &h->up_sm, .down = &h->down_sm};
    h->l2_events[HD_EV_L2_GETS] = 1;
    h->l2_events[HD_EV_L2_UPG] = 1;
    h->l2_events[HD_EV_L2_HIT] = 1;
    h->l2_events[HD_EV_L2_MISS] = 1;
    h->l2_events[HD_EV_L2_GRANT] = 2;
    h->l2_events[HD_EV_L2_INV_SENT] = 1;
    h->l2_events[HD_EV_L2_FETCH_SENT] = 1;
    h->l2_events[HD_EV_L2_PUTM] = 1;
    h->l2_events[HD_EV_L2_MEM_READ] = 1;
    h->l2_events[HD_EV_L2_MEM_WRITE] = 1;
    h->l2 = (struct hd_conserve_l2){.events = h->l2_events, .mem_reads = 1, .mem_writes = 1, .mem_answers = 1,
                                    .idle = true, .memory_idle = true, .up = &h->up_part, .down = &h->down_part};
    h->up_sm = (struct hd_link){.num_vn = 2, .depth = 4};
    h->up_sm.heads[HD_MSG_GETS] = h->up_sm.heads[HD_MSG_UPG] = h->up_sm.heads[HD_MSG_PUTM] = 1;
    h->up_sm.heads[HD_MSG_INV_ACK] = h->up_sm.heads[HD_MSG_RSP_CLEAN] = 1;
    h->up_part = h->up_sm;
    h->down_part = (struct hd_link){.num_vn = 1, .depth = 4};
    h->down_part.heads[HD_MSG_DATA_E] = h->down_part.heads[HD_MSG_ACK_M] = 1;
    h->down_part.heads[HD_MSG_INV] = h->down_part.heads[HD_MSG_FETCH_INV] = 1;
    h->down_sm = h->down_part;
    h->up_idle = h->down_idle = true;
}

/* As a machine asks: links and ports, tiles, links. */
static bool drained(struct history *h, char *why, size_t size)
{
    struct hd_verdict v = {.why = why, .size = size};
    struct hd_link *up_sm = &h->up_sm, *up_part = &h->up_part, *down_part = &h->down_part, *down_sm = &h->down_sm;
    const struct {
        const char *name;
        const struct hd_link *link;
    } links[] = {{"link 0 from SM to crossbar", up_sm}, {"link 0 from crossbar to L2", up_part},
                 {"link 0 from L2 to crossbar", down_part}, {"link 0 from crossbar to SM", down_sm}};

    for (unsigned i = 0; i < 4; i++)
        hd_conserve_link(&v, links[i].name, links[i].link);
    hd_conserve_port(&v, "SM 0", "warp port", h->port_fault);
    hd_conserve_port(&v, "L2 0", "memory port", h->memory_fault);
    hd_conserve_sm(&v, "SM 0", &h->sm);
    hd_conserve_through(&v, "up crossbar", h->up_idle, &up_sm, 1, &up_part, 1);
    hd_conserve_l2(&v, "L2 0", &h->l2);
    hd_conserve_through(&v, "down crossbar", h->down_idle, &down_part, 1, &down_sm, 1);
    for (unsigned i = 0; i < 4; i++)
        hd_conserve_empty(&v, links[i].name, links[i].link);
    return !v.failed;
}

static void a_sound_history_passes(void **state)
{
    struct history h;
    char why[200] = "";

    (void)state;
    sound(&h);
    bool pass = drained(&h, why, sizeof why);
    assert_string_equal(why, "");
    assert_true(pass);
}

static void expect(struct history *h, const char *reason)
{
    char why[200] = "";

    assert_false(drained(h, why, sizeof why));
    if (strstr(why, reason) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", reason, why);
    sound(h);
}

static void every_number_counts(void **state)
{
    static const unsigned sm_numbers[] = {HD_EV_SM_ACCESS, HD_EV_SM_HIT, HD_EV_SM_MISS, HD_EV_SM_MERGE,
        HD_EV_SM_REJECT, HD_EV_SM_REJ_ENTRY, HD_EV_SM_REJ_MERGE, HD_EV_SM_REJ_CREDIT, HD_EV_SM_REJ_QUEUE,
        HD_EV_SM_REJ_LINE, HD_EV_SM_REPLAY, HD_EV_SM_FILL, HD_EV_SM_LOST_COPY,
        HD_EV_SM_UPGRADE, HD_EV_SM_EVICT_DIRTY, HD_EV_SM_INV, HD_EV_SM_FETCH,
        HD_EV_SM_ISSUE_ALU, HD_EV_SM_ISSUE_MEM, HD_EV_SM_ISSUE_CTL};
    static const unsigned l2_numbers[] = {HD_EV_L2_GETS, HD_EV_L2_GETM, HD_EV_L2_UPG, HD_EV_L2_HIT, HD_EV_L2_MISS,
        HD_EV_L2_CHAINED, HD_EV_L2_PUTM, HD_EV_L2_PUTE, HD_EV_L2_INV_SENT, HD_EV_L2_FETCH_SENT, HD_EV_L2_MEM_READ,
        HD_EV_L2_MEM_WRITE, HD_EV_L2_GRANT};
    struct history h;

    (void)state;
    sound(&h);
    for (unsigned i = 0; i < sizeof sm_numbers / sizeof sm_numbers[0]; i++) {
        h.sm_events[sm_numbers[i]]++;
        expect(&h, "SM 0:");
    }
    for (unsigned cause = 0; cause < HD_STALL_NUM; cause++) {
        h.stalls[cause]++;
        expect(&h, "SM 0: 20 warp-cycles");
    }
    h.sm.stalls = NULL; /* not observed */
    h.stalls[HD_STALL_ISSUED]++;
    assert_true(drained(&h, (char[200]){""}, 200));
    sound(&h);
    for (unsigned i = 0; i < sizeof l2_numbers / sizeof l2_numbers[0]; i++) {
        h.l2_events[l2_numbers[i]]++;
        expect(&h, "L2 0:");
    }
    for (unsigned kind = HD_MSG_GETS; kind <= HD_MSG_FETCH_INV; kind++) {
        h.up_sm.heads[kind]++;
        expect(&h, "");
        h.up_part.heads[kind]++;
        expect(&h, "");
        h.down_part.heads[kind]++;
        expect(&h, "");
        h.down_sm.heads[kind]++;
        expect(&h, "");
    }
}

static void nvw_fifos_lose_and_make_no_line(void **state)
{
    struct history h;

    (void)state;
    sound(&h);
    h.sm_events[HD_EV_SM_NVW_PUSH] = 1;
    expect(&h, "SM 0: NVW-FIFO of 0 entries: 1 lines in, 0 out");
    h.sm_events[HD_EV_SM_NVW_STALE] = 1;
    expect(&h, "SM 0: NVW-FIFO of 0 entries: 0 lines in, 1 out");
    h.sm_events[HD_EV_SM_NVW_PUSH] = h.sm_events[HD_EV_SM_NVW_POP] = 1;
    expect(&h, "SM 0: NVW-FIFO: 1 lines written, of 0 in all");
    h.l2.nvw_entries = 2;
    h.l2_events[HD_EV_L2_NVW_PUSH] = 4, h.l2_events[HD_EV_L2_NVW_POP] = 1;
    expect(&h, "L2 0: NVW-FIFO of 2 entries: 4 lines in, 1 out");
    h.l2_events[HD_EV_L2_NVW_PUSH] = h.l2_events[HD_EV_L2_NVW_POP] = 2;
    expect(&h, "L2 0: NVW-FIFO: 2 lines written, of 1 in all");
    h.l2.nvw_entries = 2;
    h.l2_events[HD_EV_L2_NVW_PUSH] = 4, h.l2_events[HD_EV_L2_NVW_POP] = h.l2_events[HD_EV_L2_NVW_STALE] = 1;
    assert_true(drained(&h, (char[200]){""}, 200));
}

static void whatever_is_left_over_is_named(void **state)
{
    struct history h;

    (void)state;
    sound(&h);
    h.sm.taken--;
    expect(&h, "7 operations offered, 6 taken");
    h.sm.completed--;
    expect(&h, "4 memory operations taken, 3 completed");
    h.sm.done--;
    expect(&h, "3 control operations taken, 2 done");
    h.sm.idle = false;
    expect(&h, "SM 0: the tile is not idle");
    h.sm.mshr_busy = 1;
    expect(&h, "1 MSHR entries in use");
    h.sm.pending = true;
    expect(&h, "scoreboard");
    h.sm.credits_home = false;
    expect(&h, "lacks credits");
    h.port_fault = "something";
    expect(&h, "SM 0: warp port: something");
    h.memory_fault = "something";
    expect(&h, "L2 0: memory port: something");
    h.l2.idle = false;
    expect(&h, "L2 0: the tile is not idle");
    h.l2.memory_idle = false;
    expect(&h, "memory channel");
    h.l2.mem_answers = 0;
    expect(&h, "answered");
    h.up_idle = false;
    expect(&h, "the up crossbar is not idle");
    h.down_idle = false;
    expect(&h, "the down crossbar is not idle");
    h.up_part.held[1] = 1;
    expect(&h, "link 0 from crossbar to L2: network 1: 1 of 4 credits not home");
    h.down_sm.kind[0] = HD_MSG_DATA_S;
    h.down_sm.left[0] = 2;
    expect(&h, "a DATA_S packet lacks its last 2 flits");
    h.up_sm.flits_sent = 1;
    expect(&h, "flits or credits under way");
    h.down_part.sender_fault = "a rule";
    expect(&h, "link 0 from L2 to crossbar: a rule");
    h.up_part.heads[HD_MSG_INV_ACK] = 0; /* a lost acknowledgement */
    expect(&h, "up crossbar: 1 INV_ACK packets went in, 0 came out");
}

/* ---- sums of the other families, each by the tile that keeps it ---------------------------------------------------- */

/* Besides: a line to write, two stores written through and a dirty line, an atomic, a type request and a sector that becomes unsafe. */
static void sound_writes(struct history *h)
{
    sound(h);
    h->sm_events[HD_EV_SM_ACCESS] += 2;
    h->sm_events[HD_EV_SM_WT] = 2;
    h->sm_events[HD_EV_SM_WT_DIRTY] = 1;
    h->sm_events[HD_EV_SM_FILL]++;
    h->up_sm.heads[HD_MSG_GETM] = h->down_sm.heads[HD_MSG_DATA_M] = h->l2_events[HD_EV_L2_GETM] = 1;
    h->up_sm.heads[HD_MSG_WT] = 2;
    h->up_sm.heads[HD_MSG_ATOMIC] = h->up_sm.heads[HD_MSG_TYPE_REQ] = h->up_sm.heads[HD_MSG_TYPE_ACK] = 1;
    h->down_sm.heads[HD_MSG_WT_ACK] = 2;
    h->down_sm.heads[HD_MSG_AT_DATA] = h->down_sm.heads[HD_MSG_TYPE_REP] = h->down_sm.heads[HD_MSG_TYPE_INV] = 1;
    h->l2_events[HD_EV_L2_WT] = 2;
    h->l2_events[HD_EV_L2_ATOMIC] = h->l2_events[HD_EV_L2_TYPE_REQ] = 1;
    h->l2_events[HD_EV_L2_HIT] += 4;
    h->l2_events[HD_EV_L2_GRANT] += 4;
    h->up_part = h->up_sm;
    h->down_part = h->down_sm;
}

/* DeNovo: two lines read, two registrations, an atomic, a writeback, a forwarded read that is refused. */
static void sound_words(struct history *h)
{
    sound(h);
    memset(h->sm_events, 0, sizeof h->sm_events);
    memset(h->l2_events, 0, sizeof h->l2_events);
    h->sm.words = h->l2.words = true;
    h->sm.stalls = NULL;
    h->sm_events[HD_EV_SM_ACCESS] = h->sm_events[HD_EV_SM_HIT] = 4;
    h->sm_events[HD_EV_SM_FILL] = h->sm_events[HD_EV_SM_REG] = 2;
    h->sm_events[HD_EV_SM_WB] = h->sm_events[HD_EV_SM_NACK] = 1;
    h->sm_events[HD_EV_SM_WT] = 1;
    h->sm_events[HD_EV_SM_ACCESS]++;
    h->l2_events[HD_EV_L2_GETS] = h->l2_events[HD_EV_L2_REG] = 2;
    h->l2_events[HD_EV_L2_WB] = h->l2_events[HD_EV_L2_ATOMIC] = 1;
    h->l2_events[HD_EV_L2_HIT] = 3;
    h->l2_events[HD_EV_L2_MISS] = h->l2_events[HD_EV_L2_CHAINED] = 1;
    h->l2_events[HD_EV_L2_MEM_READ] = h->l2_events[HD_EV_L2_MEM_WRITE] = 1;
    h->up_sm = (struct hd_link){.num_vn = 2, .depth = 4};
    h->up_sm.heads[HD_MSG_GETS] = h->up_sm.heads[HD_MSG_REG] = 2;
    h->up_sm.heads[HD_MSG_WB] = h->up_sm.heads[HD_MSG_NACK] = h->up_sm.heads[HD_MSG_ATOMIC] = 1;
    h->down_sm = (struct hd_link){.num_vn = 1, .depth = 4};
    h->down_sm.heads[HD_MSG_DATA_S] = 2;
    h->down_sm.heads[HD_MSG_WB_ACK] = 1;
    h->up_part = h->up_sm;
    h->down_part = h->down_sm;
}

enum judge { THE_SM, THE_L2 };

static void judged(const struct history *h, enum judge judge, char *why, size_t size)
{
    struct hd_verdict v = {.why = why, .size = size};

    if (judge == THE_SM)
        hd_conserve_sm(&v, "SM 0", &h->sm);
    else
        hd_conserve_l2(&v, "L2 0", &h->l2);
}

/* One more of a number, and one less of another where that leaves a sum before it as it was. */
static void each_sum_is_told_by_its_own_reason(void **state)
{
#define MORE(number) offsetof(struct history, number), 0
#define FOR(number, other) offsetof(struct history, number), offsetof(struct history, other)
    static const struct {
        void (*sound)(struct history *h);
        enum judge judge;
        size_t more, less;
        const char *reason;
    } changes[] = {
        {sound_writes, THE_SM, MORE(sm_events[HD_EV_SM_WT_DIRTY]), "SM 0: 4 write-throughs, 3 sent"},
        {sound_writes, THE_SM, MORE(sm_events[HD_EV_SM_WT]), "SM 0: 7 line accesses, 8 hits, misses"},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_WT], sm_events[HD_EV_SM_HIT]), "SM 0: 4 write-throughs, 3 sent"},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_REJ_QUEUE], sm_events[HD_EV_SM_REJ_ENTRY]), NULL},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_REJ_MERGE], sm_events[HD_EV_SM_REJ_ENTRY]), NULL},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_REJ_CREDIT], sm_events[HD_EV_SM_REJ_ENTRY]), NULL},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_REJ_LINE], sm_events[HD_EV_SM_REJ_ENTRY]), NULL},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_LOST_COPY], sm_events[HD_EV_SM_FILL]), NULL},
        {sound_writes, THE_SM, FOR(sm_events[HD_EV_SM_MERGE], sm_events[HD_EV_SM_MISS]), NULL},
        {sound_writes, THE_SM, MORE(down_sm.heads[HD_MSG_WT_ACK]), "SM 0: 2 packets like WT, 3 answers"},
        {sound_writes, THE_SM, MORE(down_sm.heads[HD_MSG_AT_DATA]), "SM 0: 1 packets like ATOMIC, 2 answers"},
        {sound_writes, THE_SM, MORE(down_sm.heads[HD_MSG_TYPE_REP]), "SM 0: 1 packets like TYPE_REQ, 2 answers"},
        {sound_writes, THE_SM, MORE(down_sm.heads[HD_MSG_DATA_M]), "SM 0: 2 packets like GETM, 3 answers"},
        {sound_writes, THE_SM, FOR(down_sm.heads[HD_MSG_DATA_M], down_sm.heads[HD_MSG_ACK_M]), NULL},
        {sound_writes, THE_SM, FOR(down_sm.heads[HD_MSG_DATA_S], down_sm.heads[HD_MSG_DATA_E]), NULL},
        {sound_writes, THE_SM, MORE(up_sm.heads[HD_MSG_TYPE_ACK]), "SM 0: 1 packets like TYPE_INV, 2 answers"},
        {sound_writes, THE_SM, MORE(up_sm.heads[HD_MSG_INV_ACK]), "SM 0: 1 packets like INV, 2 answers"},
        {sound_writes, THE_SM, MORE(up_sm.heads[HD_MSG_RSP_NONE]), "SM 0: 1 packets like FETCH, 2 answers"},
        {sound_writes, THE_L2, MORE(up_part.heads[HD_MSG_WT]), "L2 0: 3 packets like WT, 2 answers"},
        {sound_writes, THE_L2, MORE(up_part.heads[HD_MSG_INV_ACK]), "L2 0: 1 packets like INV, 2 answers"},
        {sound_writes, THE_L2, MORE(up_part.heads[HD_MSG_TYPE_ACK]), "L2 0: 1 packets like TYPE_INV, 2 answers"},
        {sound_writes, THE_L2, FOR(l2_events[HD_EV_L2_ATOMIC], l2_events[HD_EV_L2_WT]), "L2 0: 1 atomics received, 2 accepted"},
        {sound_writes, THE_L2, MORE(l2_events[HD_EV_L2_TYPE_REQ]), "L2 0: 1 type requests received, 2 taken from the queue"},
        {sound_writes, THE_L2, MORE(l2_events[HD_EV_L2_GRANT]), "L2 0: 6 requests accepted, 7 granted"},
        {sound_words, THE_SM, MORE(up_sm.heads[HD_MSG_WB]), "SM 0: 2 WB packets, 1 WB_ACK"},
        {sound_words, THE_SM, MORE(sm_events[HD_EV_SM_WB]), "SM 0: 2 writebacks made, 1 sent"},
        {sound_words, THE_SM, MORE(sm_events[HD_EV_SM_REG]), "SM 0: 3 registrations made, 2 sent"},
        {sound_words, THE_SM, MORE(sm_events[HD_EV_SM_NACK]), "SM 0: 2 forwarded reads refused, 1 NACK packets"},
        {sound_words, THE_SM, MORE(sm_events[HD_EV_SM_FILL]), "SM 0: 3 fills, 2 DATA packets"},
        {sound_words, THE_L2, MORE(down_part.heads[HD_MSG_WB_ACK]), "L2 0: 1 WB packets, 2 WB_ACK"},
        {sound_words, THE_L2, MORE(up_part.heads[HD_MSG_REG]), "L2 0: 3 registrations received, 2 accepted"},
        {sound_words, THE_L2, MORE(l2_events[HD_EV_L2_WB]), "L2 0: 1 writebacks received, 2 counted"},
        {sound_words, THE_L2, MORE(l2_events[HD_EV_L2_HIT]), "L2 0: 5 requests accepted, 6 hits, misses and chained"},
        {sound_words, THE_L2, MORE(up_part.heads[HD_MSG_GETS]), "L2 0: 6 requests received, 5 accepted"},
        {sound_words, THE_L2, FOR(l2_events[HD_EV_L2_ATOMIC], l2_events[HD_EV_L2_GETS]), "L2 0: 1 atomics received, 2 accepted"},
        {sound_words, THE_L2, FOR(l2_events[HD_EV_L2_CHAINED], l2_events[HD_EV_L2_HIT]), NULL},
    };
    static struct history h;
    char why[200];

    (void)state;
    for (unsigned i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        changes[i].sound(&h);
        assert_true(drained(&h, why, sizeof why));
        ++*(uint64_t *)(void *)((char *)&h + changes[i].more);
        if (changes[i].less != 0)
            --*(uint64_t *)(void *)((char *)&h + changes[i].less);
        why[0] = '\0';
        judged(&h, changes[i].judge, why, sizeof why);
        if (changes[i].reason == NULL ? why[0] != '\0' : strncmp(why, changes[i].reason, strlen(changes[i].reason)) != 0)
            fail_msg("change %u: \"%s\" instead of \"%s\"", i, why, changes[i].reason ? changes[i].reason : "");
    }
#undef MORE
#undef FOR
}

/* Under persist = buffered most markers go unanswered, but none is answered twice. */
static void markers_are_answered_at_the_most(void **state)
{
    static struct history h;
    static const struct {
        bool buffered;
        unsigned marks, answers;
        bool good;
    } cases[] = {{false, 2, 2, true}, {false, 2, 1, false}, {false, 1, 2, false},
                 {true, 2, 2, true},  {true, 2, 1, true},   {true, 1, 2, false}};

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sound(&h);
        h.sm.buffered = h.l2.buffered = cases[i].buffered;
        h.up_sm.heads[HD_MSG_PMARK] = h.up_part.heads[HD_MSG_PMARK] = cases[i].marks;
        h.down_sm.heads[HD_MSG_PACK] = h.down_part.heads[HD_MSG_PACK] = cases[i].answers;
        for (enum judge j = THE_SM; j <= THE_L2; j++) {
            char why[200] = "";
            judged(&h, j, why, sizeof why);
            if ((why[0] == '\0') != cases[i].good)
                fail_msg("case %u: \"%s\"", i, why);
        }
        h.up_part.heads[HD_MSG_GETS]++; /* other messages are not excused */
        char why[200] = "";
        judged(&h, THE_L2, why, sizeof why);
        assert_true(why[0] != '\0');
    }
}

/* Several links in and out: what counts is the sum of each kind, and of each network. */
static void what_goes_through_is_added_up(void **state)
{
    static struct hd_link in[2], out[2];
    struct hd_link *ins[] = {&in[0], &in[1]}, *outs[] = {&out[0], &out[1]};
    const char *const reasons[] = {"router: 6 GETS packets went in, 5 came out", "router: 5 GETS packets went in, 6 came out",
                                   "router: 8 flits of network REQ went in, 7 came out",
                                   "router: 9 flits of network RSP went in, 10 came out"};

    (void)state;
    for (int change = -1; change < 4; change++) {
        struct hd_verdict v = {.why = (char[200]){""}, .size = 200};

        for (unsigned i = 0; i < 2; i++) {
            in[i] = out[i] = (struct hd_link){.num_vn = 2, .net = {HD_NET(REQ), HD_NET(RSP)}};
            in[i].heads[HD_MSG_GETS] = 2 + i;
            out[i].heads[HD_MSG_GETS] = 5 * i;
            in[i].flits_on[0] = 3 + i;
            out[i].flits_on[0] = 7 * i;
            in[i].flits_on[1] = 9 * i;
            out[i].flits_on[1] = 4 + i;
        }
        in[0].heads[HD_MSG_GETS] += change == 0;
        out[0].heads[HD_MSG_GETS] += change == 1;
        in[0].flits_on[0] += change == 2;
        out[0].flits_on[1] += change == 3;
        hd_conserve_through(&v, "router", true, ins, 2, outs, 2);
        assert_string_equal(v.why, change < 0 ? "" : reasons[change]);
    }
    struct hd_verdict v = {.why = (char[200]){""}, .size = 200};
    hd_conserve_port(&v, "L2 1", NULL, "something");
    assert_string_equal(v.why, "L2 1: something");
    v.failed = false;
    hd_conserve_journal(&v, 3, 0x40);
    assert_true(v.failed);
    assert_string_equal(v.why, "the journal of partition 3 says something else than the memory holds: line 0x00000040");
}

static void the_watchdog_tells_dead_from_waiting(void **state)
{
    struct hd_watchdog w = {.limit = 100};

    (void)state;
    hd_watchdog_progress(&w, 50);
    hd_watchdog_progress(&w, 40); /* tiles report in any order */
    assert_false(hd_watchdog_dead(&w, 149, true, UINT64_MAX));
    assert_true(hd_watchdog_dead(&w, 150, true, UINT64_MAX));
    assert_true(hd_watchdog_dead(&w, 150, false, UINT64_MAX)); /* nothing can ever happen */
    assert_false(hd_watchdog_dead(&w, 150, true, 151));        /* the client will offer */
    assert_true(hd_watchdog_dead(&w, 150, true, 150));         /* it could, and does not */
    assert_false(hd_watchdog_dead(&w, 150, false, 150));
    hd_watchdog_progress(&w, 60);
    assert_false(hd_watchdog_dead(&w, 150, true, UINT64_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_history_passes),
        cmocka_unit_test(every_number_counts),
        cmocka_unit_test(nvw_fifos_lose_and_make_no_line),
        cmocka_unit_test(whatever_is_left_over_is_named),
        cmocka_unit_test(each_sum_is_told_by_its_own_reason),
        cmocka_unit_test(markers_are_answered_at_the_most),
        cmocka_unit_test(what_goes_through_is_added_up),
        cmocka_unit_test(the_watchdog_tells_dead_from_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
