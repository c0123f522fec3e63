/* dn_packet.h - a packet that an L1 of family DENOVO sends, in unit tests: its head against what it was made of. Include behind the
 * module's header. */
#ifndef DN_PACKET_H
#define DN_PACKET_H
#include "hd_head.h"

struct packet {
    unsigned kind, tid, line, opid, words, cls, to, sm;
    bool sync, home;        /* home: to the line's partition, else to SM @to */
    int from;               /* writeback entry whose words it brings, -1: data_i of the next cycle */
    uint64_t data[P_LineWords];
};

/* All bits of it: what a message does not use is 0. */
static void same(const void *head, const struct packet *p)
{
    uint8_t wanted[HD_HEAD_BYTES(HD_HEAD_W)] = {0};

    hd_head_put(wanted, p->kind, HD_SM(p->sm), p->home ? HD_L2(p->line & ((1u << P_PartBits) - 1)) : HD_SM(p->to));
    hd_bits_put(wanted, HD_HEAD_TID_LSB, HD_HEAD_TID_W, p->tid);
    hd_bits_put(wanted, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, p->opid);
    hd_bits_put(wanted, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, p->line * P_LineWords * 4);
    hd_bits_put(wanted, HD_HEAD_WMASK_LSB, P_LineWords, p->words);
    hd_bits_put(wanted, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, p->sync);
    hd_bits_put(wanted, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, p->cls);
    hd_head_same(head, wanted, HD_HEAD_W);
}
#endif
