/* machine.h - tiles, links and memory composed into one machine and run in windows of cycles.
 *
 * A machine owns its models. It calls the warp port client (port.h) for each SM, cycle by cycle. */
#ifndef HD_MACHINE_H
#define HD_MACHINE_H
#include "check/evlog.h"
#include "config.h"
#include "counters.h"
#include "port.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why a run ended. CHECK also: ranks or a checkpoint failed, after a message on stderr (hd_machine_broken()). */
enum hd_end { HD_END_CLIENT, HD_END_DEADLOCK, HD_END_CHECK };

struct hd_machine;

/* Builds or finds the models of the structure (printing a line per build on stderr) and composes them.
 * @wave: NULL, or NAME.fst: each tile writes its own file NAME.TILE.fst (sm0, up, down, l2_0, ...), all on one
 * time axis of two units a core cycle; a flat machine writes NAME.gpu.fst. @return NULL after a message on stderr. */
struct hd_machine *hd_machine_new(const struct hd_config *c, const char *wave);

/* The same with models that hd_models_get() (models.h) gave for the same structure: saves the look whether they are
 * up to date, which costs more than a short run. */
struct hd_model_paths;
struct hd_machine *hd_machine_new_of(const struct hd_config *c, const char *wave, const struct hd_model_paths *paths);
void hd_machine_free(struct hd_machine *m);

/* Prints the names of the files of waveforms, a line each. */
void hd_machine_waves(const struct hd_machine *m, FILE *out);

/* @return their names, @n of them, as copies in one block that the caller frees, NULL if there are none (or no memory). They are
 * whole when the machine has been freed. */
char **hd_machine_wave_files(const struct hd_machine *m, unsigned *n);

/* Waveforms hold only cycles from..to. Before the first run. */
void hd_machine_wave_window(struct hd_machine *m, uint64_t from, uint64_t to);

/* Runs until the client ends it. Cycle numbers continue over several runs. */
enum hd_end hd_machine_run(struct hd_machine *m, const struct hd_client *client);

/* Runs without client until every operation is done, every tile idle and every link empty.
 * @return false on a deadlock or a broken rule (see the verdicts). */
bool hd_machine_settle(struct hd_machine *m);

/* Writes every dirty line back to memory: settles, FLUSH on all SMs, settles, flush of all L2 tiles, settles.
 * @return false on a deadlock. */
bool hd_machine_flush(struct hd_machine *m);

bool hd_machine_broken(const struct hd_machine *m);

/* Writes what happens at the C ports of all tiles from now on as text to *file (tb/portlog.h), which must outlive
 * the machine. @return false after a message on stderr. */
bool hd_machine_port_log(struct hd_machine *m, FILE *file);

uint64_t hd_machine_cycle(const struct hd_machine *m);

/* @return whether the run is to end because some rank was asked to: by c->ranks->stop. */
bool hd_machine_stopped(const struct hd_machine *m);

/* The run ended as it should: files that it could go on from are of no more use. */
void hd_machine_done(struct hd_machine *m);

/* Core cycles between two calls of client->window: the least latency of any link or of the dispatcher. */
unsigned hd_machine_window(const struct hd_machine *m);

/* The words that home @home (an L2) wrote, from the first call on; the caller empties the list between windows.
 * @return NULL: no such home, or the machine's stores tell by themselves what they overwrote. */
struct hd_evlist *hd_machine_performed(struct hd_machine *m, unsigned home);

/* Memory image access, only when flushed or before the first run. Addresses are word aligned. */
uint32_t hd_machine_peek(const struct hd_machine *m, uint32_t addr);
void hd_machine_poke(struct hd_machine *m, uint32_t addr, uint32_t value);

/* Non-volatile memory of partition @partition, with its durable image and (key nv_journal) its journal; owned by the
 * machine. @return NULL if the machine has none. */
struct hd_nvram;
struct hd_nvram *hd_machine_nvram(const struct hd_machine *m, unsigned partition);

/* Checks after settle/flush: conservation (credits home, links and tables empty, accesses add up), coherence,
 * watchdog, assertions of the RTL (models built with them). A flat machine (key `flat`) has no C links, hence
 * no conservation check and no link counters. Each verdict is NULL (not run), "pass" or a
 * one-line reason; owned by the machine, valid until the next call or free. */
struct hd_verdicts {
    const char *conservation, *coherence, *watchdog, *assertions;
};
void hd_machine_verdicts(struct hd_machine *m, struct hd_verdicts *v);

/* Counters: name/value pairs in a fixed order, sums over tiles ("l1.hit", "l2.miss", "dram.read_bytes",
 * "link.flits.read", ...). @return the number; *list stays owned by the machine. */
size_t hd_machine_counters(struct hd_machine *m, const struct hd_counter **list);

/* Link @i: its name, the flits sent over it, the least core cycles from one to the next. @return false
 * when there are not as many (a flat machine has none). */
bool hd_machine_link(const struct hd_machine *m, size_t i, char name[80], uint64_t *flits, unsigned *cycles);

/* Counters of what depends on how the run was made and not on the machine: tile evaluations made and skipped
 * ("host.sm_evaluated", "host.sm_skipped", ...). */
size_t hd_machine_host_counters(struct hd_machine *m, const struct hd_counter **list);

/* Transition coverage, of models made with count_pairs: calls see() for each pair of each table of each tile that
 * has one, with the cycles in which it occurred; nothing for a flat machine. @table: "l1" (a: mesi_e, b: l1_event_e) or "dir" (as in
 * rtl/l2/hd_l2_bank.sv). @return false after a message on stderr. */
bool hd_machine_pairs(const struct hd_machine *m,
                      void (*see)(void *ctx, const char *table, unsigned a, unsigned b, uint64_t count), void *ctx);

/* From the next cycle on, one flit or credit pulse in @one_in (at least 1) of each link that jitters is delayed; before: as the
 * configuration has it. For clients, between windows. */
void hd_machine_jitter_one_in(struct hd_machine *m, unsigned one_in);

/* From the next cycle on every flit and credit pulse of link number @link, below hd_machine_links(), takes @cycles cycles of its
 * receiver more, if links jitter. For clients, between windows. */
unsigned hd_machine_links(const struct hd_machine *m);
void hd_machine_slow_link(struct hd_machine *m, unsigned link, unsigned cycles);
/* The same for the links from and to an L2 partition. */
void hd_machine_slow_partition(struct hd_machine *m, unsigned partition, unsigned cycles);

/* Prints per warp and per table who waits for what (deadlock report). */
void hd_machine_explain(struct hd_machine *m, FILE *file);
#endif
