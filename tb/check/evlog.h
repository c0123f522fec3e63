/* evlog.h - the event log: one record for each memory operation of a lane, and for each fence and barrier.
 *
 * A log in memory is a list per SM, appended to while cycles run (no allocation) and emptied between windows.
 * A file holds the lists in blocks; each block carries the watermark that was true behind it and a checksum.
 *
 * Watermark W: every operation issued before cycle W has completed, and its record is in this block or an
 * earlier one. Cycles are counted modulo 2^32; a log must not be longer. */
#ifndef HD_EVLOG_H
#define HD_EVLOG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_EVK_LD, HD_EVK_ST, HD_EVK_RMW, HD_EVK_FENCE, HD_EVK_BAR, HD_EVK_NUM };
/* Not of an SM: of an L2 of a machine whose stores are complete before it hears of them; tid is an SM << 16, the cycles
 * those of the L2. In order for each word. l1 = gpu: write `id` took the place of `over`; rval and wval are the words.
 * l1 = denovo: the SM's L1 becomes the owner of the word, `id` is 0. */
enum { HD_EVK_PUT = 32 };
#define HD_EV_OWN UINT32_C(0x80000000) /* in `over`, l1 = denovo: the word was dirty in its L1, or owned by it */
enum { HD_EV_ATOMIC = 8 }; /* in `order`, added to hd_order_e: a synchronising or atomic access */

/* Appended when the operation of the lane completes. Fences and barriers: one record, of lane 0, for the warp. */
struct hd_event {
    uint32_t id;      /* (n * sms + sm) + 1; n = running number of the record in its SM, in program order of a warp */
    uint32_t tid;     /* sm << 16 | warp << 8 | lane */
    uint32_t po;      /* number of the instruction in its warp slot, the same for all its lanes */
    uint32_t addr;    /* byte address of the word */
    uint8_t kind;     /* HD_EVK_* */
    uint8_t order;    /* hd_order_e, + HD_EV_ATOMIC unless it is a plain access */
    uint8_t scope;    /* hd_scope_e */
    uint8_t space;    /* hd_space_e; local data share: that of the SM in tid */
    uint32_t rval;    /* word read; of a store: the word it overwrote, as the hardware told it */
    uint32_t wval;    /* word written */
    uint32_t src;     /* id of the store that wrote the word read; 0 = the initial value */
    uint32_t over;    /* id of the store that was overwritten. Lanes of one store on one word all tell the same. l1 = gpu:
                       * that of the dirty word it replaced in the L1, else 0; the HD_EVK_PUT records tell the rest. l1 = denovo: see HD_EV_OWN */
    uint32_t t_issue; /* cycles; a barrier has the cycle of its release in both */
    uint32_t t_done;
    uint32_t dep;     /* id of the youngest load of the lane this depends on, 0 none */
    uint32_t block;   /* running number of the thread block in the run */
};
_Static_assert(sizeof(struct hd_event) == 52, "records are written to files as they are");

/* Records of one SM since the log was emptied. */
struct hd_evlist {
    struct hd_event *event;
    size_t count, room;
};

/* What a log is of. */
struct hd_evlog_info {
    uint32_t sms, warps, lanes, line_bytes;
    uint32_t model;    /* hd_model_e the machine ran with */
    uint32_t protocol; /* hd_pkg FAMILY_*: 0 = MESI, 1 = VI */
    char config[48];   /* name of the configuration */
};

/* ---- in memory ------------------------------------------------------------------------------------------------ */

struct hd_evlog {
    struct hd_evlog_info info;
    struct hd_evlist *sm;   /* [info.sms] */
    size_t window;          /* most records an SM can append between two calls of hd_evlog_reserve() */
    size_t count;           /* records in the lists, as of the last reserve */
};

/* @return NULL when there is no memory. */
struct hd_evlog *hd_evlog_new(const struct hd_evlog_info *info, size_t window);
void hd_evlog_free(struct hd_evlog *log);

/* Makes room for one more window and counts the records. @return false when there is no memory. */
bool hd_evlog_reserve(struct hd_evlog *log);

static inline void hd_evlog_append(struct hd_evlist *list, const struct hd_event *e)
{
    if (list->count < list->room)
        list->event[list->count] = *e;
    list->count++; /* reserve() finds a list that is too long and says so */
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

struct hd_evlog_out;

/* @return NULL after a message on stderr. */
struct hd_evlog_out *hd_evlog_create(const char *path, const struct hd_evlog_info *info);

/* Writes @n records and the watermark that is true behind them; @epoch: a kernel has ended here. @return false
 * after a message on stderr. */
bool hd_evlog_write(struct hd_evlog_out *o, const struct hd_event *e, size_t n, uint64_t watermark, bool epoch);

/* Writes the end: how many ids each SM has given out. Closes. @return false after a message on stderr. */
bool hd_evlog_close(struct hd_evlog_out *o, const uint32_t *issued);

struct hd_evlog_in;

/* @return NULL after a message on stderr that names file, byte offset and what was expected. */
struct hd_evlog_in *hd_evlog_open(const char *path, struct hd_evlog_info *info);
void hd_evlog_end(struct hd_evlog_in *in);

/* A block as read; `event` is valid until the next call. */
struct hd_evlog_block {
    const struct hd_event *event;
    size_t count;
    uint64_t watermark;
    bool epoch;
    const uint32_t *issued;  /* not NULL: this is the end, [sms] */
};

/* @return 1: *b is a block; 0: the file ended where it must; -1: damaged, after a message on stderr that names
 * file, byte offset and what was expected. */
int hd_evlog_read(struct hd_evlog_in *in, struct hd_evlog_block *b);
#endif
