/* counters.c - the machine's counters under stable names. */
#include "machine_parts.h"

/* A list being filled. */
struct filler {
    struct hd_counter *list;
    size_t count;
};

static void put(struct filler *f, const char *name, uint64_t value)
{
    if (f->count < HD_MAX_COUNTERS)
        f->list[f->count++] = (struct hd_counter){name, value};
}

static const struct {
    const char *name;
    unsigned event;
} sm_names[] = {
    {"sm.issue_alu", HD_EV_SM_ISSUE_ALU},       {"sm.issue_mem", HD_EV_SM_ISSUE_MEM},
    {"sm.issue_ctl", HD_EV_SM_ISSUE_CTL},       {"sm.stall_pipe", HD_EV_SM_STALL_PIPE},
    {"l1.access", HD_EV_SM_ACCESS},             {"l1.hit", HD_EV_SM_HIT},
    {"l1.miss", HD_EV_SM_MISS},                 {"l1.merge", HD_EV_SM_MERGE},
    {"l1.reject", HD_EV_SM_REJECT},             {"l1.reject_entry", HD_EV_SM_REJ_ENTRY},
    {"l1.reject_merge", HD_EV_SM_REJ_MERGE},    {"l1.reject_credit", HD_EV_SM_REJ_CREDIT},
    {"l1.reject_queue", HD_EV_SM_REJ_QUEUE},    {"l1.reject_line", HD_EV_SM_REJ_LINE},
    {"lds.access", HD_EV_SM_LDS},               {"lds.conflict_cycles", HD_EV_SM_LDS_CONFLICT},
    {"l1.store", HD_EV_SM_ACC_STORE},           {"l1.atomic", HD_EV_SM_ACC_ATOMIC},
    {"l1.fill", HD_EV_SM_FILL},
    {"l1.replay", HD_EV_SM_REPLAY},             {"l1.evict_clean", HD_EV_SM_EVICT_CLEAN},
    {"l1.evict_dirty", HD_EV_SM_EVICT_DIRTY},   {"l1.inv", HD_EV_SM_INV},
    {"l1.fetch", HD_EV_SM_FETCH},               {"l1.upgrade", HD_EV_SM_UPGRADE},
    {"l1.lost_copy", HD_EV_SM_LOST_COPY},       {"l1.rmw_lane", HD_EV_SM_RMW_LANE},
    {"l1.prefetch", HD_EV_SM_PREFETCH},         {"l1.prefetch_drop", HD_EV_SM_PF_DROP},
    {"l1.write_through", HD_EV_SM_WT},
    {"order.queued", HD_EV_SM_ORD_QUEUED},      {"order.safe", HD_EV_SM_ORD_SAFE},
    {"order.unsafe", HD_EV_SM_ORD_UNSAFE},      {"order.marker", HD_EV_SM_ORD_MARKER},
    {"order.type_request", HD_EV_SM_ORD_ASK},   {"order.invalidation", HD_EV_SM_ORD_INVAL},
    {"order.conflict", HD_EV_SM_ORD_CONFLICT},
}, l2_names[] = {
    {"l2.gets", HD_EV_L2_GETS},                 {"l2.getm", HD_EV_L2_GETM},
    {"l2.upg", HD_EV_L2_UPG},                   {"l2.hit", HD_EV_L2_HIT},
    {"l2.miss", HD_EV_L2_MISS},                 {"l2.chained", HD_EV_L2_CHAINED},
    {"l2.stall", HD_EV_L2_STALL},               {"l2.putm", HD_EV_L2_PUTM},
    {"l2.pute", HD_EV_L2_PUTE},                 {"l2.inv_sent", HD_EV_L2_INV_SENT},
    {"l2.fetch_sent", HD_EV_L2_FETCH_SENT},     {"l2.recall", HD_EV_L2_RECALL},
    {"l2.mem_read", HD_EV_L2_MEM_READ},         {"l2.mem_write", HD_EV_L2_MEM_WRITE},
    {"l2.grant", HD_EV_L2_GRANT},               {"l2.ack_m", HD_EV_L2_ACK_M},
    {"l2.wt", HD_EV_L2_WT},                     {"l2.atomic", HD_EV_L2_ATOMIC},
    {"mac.request", HD_EV_L2_TYPE_REQ},         {"mac.invalidation", HD_EV_L2_TYPE_INV},
    {"mac.recall", HD_EV_L2_TYPE_RECALL},
};

/* Of hd_stall_e: warp-cycles, of all SMs. */
static const char *const stall_names[HD_STALL_NUM] = {
    [HD_STALL_EMPTY] = "stall.empty",   [HD_STALL_ISSUED] = "stall.none_issued", [HD_STALL_FRONT] = "stall.front",
    [HD_STALL_DATA] = "stall.data",     [HD_STALL_QUEUED] = "stall.data_queued", [HD_STALL_BARRIER] = "stall.barrier",
    [HD_STALL_SELECT] = "stall.select", [HD_STALL_PIPE] = "stall.pipe",          [HD_STALL_SLOTS] = "stall.slots",
    [HD_STALL_HOLD] = "stall.hold",     [HD_STALL_ORDER] = "stall.order",        [HD_STALL_SYNC] = "stall.sync",
};

static void put_tiles(struct hd_machine *m, struct filler *f)
{
    uint64_t offered = 0, memory = 0, control = 0;

    for (unsigned i = 0; i < m->c.sms; i++) {
        offered += m->sm[i].ops_taken;
        memory += m->sm[i].memory;
        control += m->sm[i].control;
    }
    put(f, "sm.ops", offered);
    put(f, "sm.ops_memory", memory);
    put(f, "sm.ops_control", control);
    for (size_t n = 0; n < sizeof sm_names / sizeof sm_names[0]; n++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < m->c.sms; i++)
            sum += m->sm[i].tile.events[sm_names[n].event];
        put(f, sm_names[n].name, sum);
    }
    for (unsigned n = 0; m->c.stall_causes && n < HD_STALL_NUM; n++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < m->c.sms; i++)
            sum += m->sm[i].stalls[n];
        if (stall_names[n] != NULL) /* NULL: a cause that no hardware has yet */
            put(f, stall_names[n], sum);
    }
    for (size_t n = 0; n < sizeof l2_names / sizeof l2_names[0]; n++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < m->parts; i++)
            sum += m->l2[i].tile.events[l2_names[n].event];
        put(f, l2_names[n].name, sum);
    }
    put(f, "xbar.up_flit_cycles", m->up.tile.events[HD_EV_XBAR_FLIT]);
    put(f, "xbar.up_blocked_cycles", m->up.tile.events[HD_EV_XBAR_BLOCKED]);
    put(f, "xbar.down_flit_cycles", m->down.tile.events[HD_EV_XBAR_FLIT]);
    put(f, "xbar.down_blocked_cycles", m->down.tile.events[HD_EV_XBAR_BLOCKED]);
}

static void put_dram(struct hd_machine *m, struct filler *f)
{
    struct hd_dram_stats sum = {0};

    for (unsigned i = 0; i < m->parts; i++) {
        const struct hd_dram_stats *s = hd_dram_stats(m->l2[i].dram);
        sum.reads += s->reads;
        sum.writes += s->writes;
        sum.row_hits += s->row_hits;
        sum.busy += s->busy;
    }
    put(f, "dram.reads", sum.reads);
    put(f, "dram.writes", sum.writes);
    put(f, "dram.read_bytes", sum.reads * m->c.line_bytes);
    put(f, "dram.write_bytes", sum.writes * m->c.line_bytes);
    put(f, "dram.row_hits", sum.row_hits);
    put(f, "dram.busy_cycles", sum.busy);
}

static void add_flits(const struct hd_link *links, unsigned n, uint64_t by_class[HD_CLASSES], uint64_t *total)
{
    for (unsigned i = 0; i < n; i++) {
        for (unsigned c = 0; c < HD_CLASSES; c++) {
            by_class[c] += links[i].crossed[c];
            *total += links[i].crossed[c];
        }
    }
}

static void put_links(struct hd_machine *m, struct filler *f)
{
    static const char *const class_names[HD_CLASSES] = {"link.flits.read",  "link.flits.write", "link.flits.writeback",
                                                        "link.flits.fetch", "link.flits.inv",   "link.flits.atomic",
                                                        "link.flits.type",
                                                        "link.flits.bad"};
    uint64_t by_class[HD_CLASSES] = {0}, up_sm = 0, up_l2 = 0, down_l2 = 0, down_sm = 0;

    add_flits(m->up_sm, m->c.sms, by_class, &up_sm);
    add_flits(m->up_part, m->parts, by_class, &up_l2);
    add_flits(m->down_part, m->parts, by_class, &down_l2);
    add_flits(m->down_sm, m->c.sms, by_class, &down_sm);
    for (unsigned c = 0; c < HD_CLASS_BAD; c++)
        put(f, class_names[c], by_class[c]);
    put(f, "link.sm_xbar", up_sm);
    put(f, "link.xbar_l2", up_l2);
    put(f, "link.l2_xbar", down_l2);
    put(f, "link.xbar_sm", down_sm);
}

size_t hd_machine_counters(struct hd_machine *m, const struct hd_counter **list)
{
    struct filler f = {.list = m->counter};

    put_tiles(m, &f);
    put_dram(m, &f);
    if (m->flat == NULL)
        put_links(m, &f);
    *list = m->counter;
    return f.count;
}

size_t hd_machine_host_counters(struct hd_machine *m, const struct hd_counter **list)
{
    struct filler f = {.list = m->host};
    uint64_t slow_edges = (m->now + m->c.clk_ratio - 1) / m->c.clk_ratio;
    uint64_t sm = 0, l2 = 0, xbar = m->up.tile.evaluated + m->down.tile.evaluated;

    for (unsigned i = 0; i < m->c.sms; i++)
        sm += m->sm[i].tile.evaluated;
    for (unsigned i = 0; i < m->parts; i++)
        l2 += m->l2[i].tile.evaluated;
    put(&f, "host.sm_evaluated", sm);
    put(&f, "host.sm_skipped", m->now * m->c.sms - sm);
    put(&f, "host.l2_evaluated", l2);
    put(&f, "host.l2_skipped", slow_edges * m->parts - l2);
    put(&f, "host.xbar_evaluated", xbar);
    put(&f, "host.xbar_skipped", m->parts > 0 ? slow_edges * 2 - xbar : 0);
    *list = m->host;
    return f.count;
}
