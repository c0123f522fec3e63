/* findings.c - see findings.h. */
#define _XOPEN_SOURCE 700
#include "findings.h"
#include "results_parts.h"
#include "run/report.h"
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the RTL ----------------------------------------------------------------------------------------------------- */

static uint64_t all_files; /* nftw() hands no pointer on */

static uint64_t hash_of(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

/* Adds the hash of a file and its name: a sum, so that the order of a folder does not matter. */
static int add_file(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)at;
    char block[4096];
    FILE *f = kind == FTW_F ? fopen(path, "rb") : NULL;
    if (!f)
        return 0;
    uint64_t h = hash_of(0xcbf29ce484222325u, path, strlen(path) + 1);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
        h = hash_of(h, block, n);
    fclose(f);
    all_files += h;
    return 0;
}

void hd_findings_rtl(char hash[HD_RESULTS_HASH])
{
    all_files = 0;
    if (nftw("rtl", add_file, 16, FTW_PHYS) == 0 && all_files)
        snprintf(hash, HD_RESULTS_HASH, "%016llx", (unsigned long long)all_files);
    else
        *hash = '\0';
}

/* ---- what goes in ------------------------------------------------------------------------------------------------ */

void hd_findings_claim(json_t *claims, const char *number, const char *claim, const char *paper, const char *criterion,
                       const char *outcome, const char *ours)
{
    json_array_append_new(claims, json_pack("{ssssssssssss}", "number", number, "claim", claim, "paper", paper, "criterion",
                                            criterion, "outcome", outcome, "ours", ours));
}

const char *hd_findings_options(char text[HD_FINDINGS_OPTIONS], const char *tier, bool sensitivity, const char *only)
{
    snprintf(text, HD_FINDINGS_OPTIONS, "%s%s%s%.240s", tier, sensitivity ? " --sensitivity" : "", only ? " --only " : "",
             only ? only : "");
    return text;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static const char study_sql[] = "INSERT OR REPLACE INTO study "
                                "VALUES(?1,?2,?3,strftime('%Y-%m-%dT%H:%M:%SZ','now'),?4,?5,?6,?7)";
static const char claim_sql[] = "INSERT INTO claim VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)";
static const char figure_sql[] = "INSERT INTO figure VALUES(?1,?2,?3,?4,?5,?6)";
/* Outcomes stay, so that two revisions can be compared. */
static const char outcome_table[] =
    "CREATE TABLE IF NOT EXISTS outcome(id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, options TEXT NOT NULL,"
    " number TEXT NOT NULL, claim TEXT NOT NULL, outcome TEXT NOT NULL, time TEXT NOT NULL, revision TEXT NOT NULL)";
static const char outcome_sql[] =
    "INSERT INTO outcome(experiment, options, number, claim, outcome, time, revision)"
    " SELECT experiment, options, number, claim, outcome, time, revision FROM claims WHERE experiment=?1 AND options=?2";
enum { MOST = 9 };

/* Runs @sql with texts; SQLite turns them into numbers where the column is one. */
static bool insert(struct hd_results *db, const char *sql, const char *const *text, int n)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(db->db, sql, -1, &s, NULL) == SQLITE_OK;
    for (int i = 0; good && i < n; i++)
        good = sqlite3_bind_text(s, i + 1, text[i], -1, SQLITE_TRANSIENT) == SQLITE_OK;
    good = good && sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return good;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool put_lists(struct hd_results *db, const struct hd_study *study, const json_t *claims, const json_t *figures)
{
    bool good = true;
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *c = json_array_get(claims, i);
        char at[24];
        snprintf(at, sizeof at, "%zu", i);
        good &= insert(db, claim_sql, (const char *[MOST]){study->experiment, study->options, at, text_of(c, "number"),
                       text_of(c, "claim"), text_of(c, "paper"), text_of(c, "criterion"), text_of(c, "outcome"),
                       text_of(c, "ours")}, MOST);
    }
    for (size_t i = 0; good && i < json_array_size(figures); i++) {
        const json_t *f = json_array_get(figures, i);
        char at[24], *data = json_dumps(f, JSON_COMPACT | JSON_REAL_PRECISION(7));
        snprintf(at, sizeof at, "%zu", i);
        good = data && insert(db, figure_sql, (const char *[]){study->experiment, study->options, at, text_of(f, "name"),
                              text_of(f, "title"), data}, 6);
        free(data);
    }
    return good;
}

bool hd_findings_put(const char *path, const struct hd_study *study, json_t *claims, json_t *figures)
{
    struct hd_results *db = hd_results_open(path);
    char rtl[HD_RESULTS_HASH], config[HD_RESULTS_HASH], rank[24];
    const char *const key[] = {study->experiment, study->options};
    hd_findings_rtl(rtl);
    hd_results_config(study->config, config);
    snprintf(rank, sizeof rank, "%d", study->rank);
    bool good = db && sqlite3_exec(db->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    good = good && insert(db, "DELETE FROM claim WHERE experiment=?1 AND options=?2", key, 2)
           && insert(db, "DELETE FROM figure WHERE experiment=?1 AND options=?2", key, 2)
           && insert(db, study_sql, (const char *[]){study->experiment, study->options, rank, hd_results_revision(), rtl,
                                                     config,
                     study->config->name}, 7)
           && put_lists(db, study, claims, figures) && sqlite3_exec(db->db, outcome_table, NULL, NULL, NULL) == SQLITE_OK
           && insert(db, outcome_sql, key, 2) && sqlite3_exec(db->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (db && !good) {
        hd_results_complain(db, "cannot be written");
        sqlite3_exec(db->db, "ROLLBACK", NULL, NULL, NULL);
    }
    hd_results_close(db);
    json_decref(claims);
    json_decref(figures);
    return good;
}

bool hd_findings_ended(const char *path, const char *experiment, const char *options)
{
    char rtl[HD_RESULTS_HASH];
    struct hd_results *db = access(path, R_OK) == 0 ? hd_results_read(path) : NULL;
    sqlite3_stmt *s = NULL;
    bool ended = false;
    hd_findings_rtl(rtl);
    if (db && sqlite3_prepare_v2(db->db, "SELECT 1 FROM study WHERE experiment=?1 AND options=?2 AND rtl=?3", -1, &s, NULL) == SQLITE_OK) {
        const char *const text[] = {experiment, options, rtl};
        for (int i = 0; i < 3; i++)
            sqlite3_bind_text(s, i + 1, text[i], -1, SQLITE_TRANSIENT);
        ended = sqlite3_step(s) == SQLITE_ROW;
    }
    sqlite3_finalize(s);
    hd_results_close(db);
    return ended;
}
