/* test_hd_dir_gpu.c - every message in every state of a line against the table in the module's header. */
/* dut: hd_dir_gpu */
#include "hd_unit.h"
#include "hd_dir_gpu_dut.h"
#include "hd_bits.h"

struct answer {
    uint8_t fetch, wait, back, recall, write, perform, send;
};

static void every_message_in_every_state(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_NONE, HD_MSG_GETS, HD_MSG_WT, HD_MSG_ATOMIC};
    struct hd_dir_gpu d;

    (void)state;
    hd_dir_gpu_open(&d);
    for (unsigned i = 0; i < 4 * 64; i++) {
        const unsigned kind = kinds[i % 4];
        const bool later = i / 4 & 1, here = i / 8 & 1, busy = i / 16 & 1, dirty = i / 32 & 1, shared = i / 64 & 1, en = i % 64 < 60 || i % 3;
        const bool now = later || (here && !busy);
        struct answer want = {0};

        if (kind == HD_MSG_NONE)
            want.back = dirty;
        else if (!now && !here && shared)
            want = (struct answer){.recall = 1, .wait = 1};
        else if (!now && !here)
            want = dirty ? (struct answer){.back = 1} : (struct answer){.fetch = 1, .wait = 1};
        else if (!now)
            want.wait = 1;
        else if (kind == HD_MSG_GETS)
            want.send = HD_MSG_DATA_S;
        else if (kind == HD_MSG_WT)
            want.write = 1, want.send = HD_MSG_WT_ACK;
        else
            want = later ? (struct answer){.perform = 1} : (struct answer){.wait = 1};
        if (!en)
            want = (struct answer){0};
        *d.en_i = en, *d.msg_i = (uint8_t)kind;
        HD_PUT(d.at_i, DIR_GPU_AT_LATER, later);
        HD_PUT(d.at_i, DIR_GPU_AT_HERE, here);
        HD_PUT(d.at_i, DIR_GPU_AT_BUSY, busy);
        HD_PUT(d.at_i, DIR_GPU_AT_DIRTY, dirty);
        HD_PUT(d.at_i, DIR_GPU_AT_SHARED, shared);
        hd_eval(d.m);
        const struct answer got = {
            .fetch = HD_GET(d.do_o, DIR_GPU_DO_FETCH),
            .wait = HD_GET(d.do_o, DIR_GPU_DO_WAITS),
            .back = HD_GET(d.do_o, DIR_GPU_DO_BACK),
            .recall = HD_GET(d.do_o, DIR_GPU_DO_RECALL),
            .write = HD_GET(d.do_o, DIR_GPU_DO_WRITE),
            .perform = HD_GET(d.do_o, DIR_GPU_DO_PERFORM),
            .send = *d.send_o,
        };
        if (memcmp(&got, &want, sizeof got) != 0)
            fail_msg("message %u later %d here %d busy %d dirty %d shared %d", kind, later, here, busy, dirty, shared);
        assert_int_equal(*d.bad_o, 0);
    }
    *d.en_i = 1, *d.msg_i = HD_MSG_INV; /* no message of this family */
    HD_PUT(d.at_i, DIR_GPU_AT_LATER, 1);
    HD_PUT(d.at_i, DIR_GPU_AT_SHARED, 0);
    hd_eval(d.m);
    assert_int_equal(*d.bad_o, 1);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_message_in_every_state)};

    return HD_UNIT_MAIN(argc, argv, t);
}
