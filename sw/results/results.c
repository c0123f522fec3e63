/* results.c - see results.h. */
#define _POSIX_C_SOURCE 200809L
#include "results_parts.h"
#include "hd_revision.h" /* generated: HD_REVISION, HD_SOURCES */
#include "report/files.h"
#include "run/report.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* APPLICATION marks the file as ours ("Hedl"); VERSION changes with the schema. */
#define APPLICATION "1214604396"
#define VERSION "2"

enum { HEADER = 100, VERSION_AT = 60, APPLICATION_AT = 68, BUSY_MS = 120000, PAUSE_MS = 20 };

static const char first_schema[] =
    "PRAGMA application_id=" APPLICATION ";"
    "CREATE TABLE config(hash TEXT PRIMARY KEY, settings TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, time TEXT NOT NULL, revision TEXT NOT NULL, build TEXT NOT NULL,"
    " config TEXT NOT NULL REFERENCES config(hash), name TEXT NOT NULL, workload TEXT NOT NULL,"
    " parameters TEXT NOT NULL, seed INTEGER NOT NULL, cycles INTEGER NOT NULL, instructions INTEGER NOT NULL,"
    " passed INTEGER NOT NULL, checked INTEGER NOT NULL, verdicts TEXT NOT NULL, counters TEXT NOT NULL,"
    " cpu_seconds REAL NOT NULL);"
    "CREATE TABLE point(experiment TEXT NOT NULL, config TEXT NOT NULL REFERENCES config(hash),"
    " build TEXT NOT NULL, pattern TEXT NOT NULL, loads INTEGER NOT NULL, threads INTEGER NOT NULL,"
    " offset INTEGER NOT NULL, latency INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES run(id),"
    " PRIMARY KEY(experiment, config, build, pattern, loads, threads, offset)) WITHOUT ROWID;";

/* What version 2 adds to version 1. docs/database.md explains every column. */
static const char second_schema[] =
    "CREATE TABLE IF NOT EXISTS study(experiment TEXT NOT NULL, options TEXT NOT NULL, rank INTEGER NOT NULL,"
    " time TEXT NOT NULL, revision TEXT NOT NULL, rtl TEXT NOT NULL, config TEXT NOT NULL, name TEXT NOT NULL,"
    " PRIMARY KEY(experiment, options)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS claim(experiment TEXT NOT NULL, options TEXT NOT NULL, at INTEGER NOT NULL,"
    " number TEXT NOT NULL, claim TEXT NOT NULL, paper TEXT NOT NULL, criterion TEXT NOT NULL, outcome TEXT NOT NULL,"
    " ours TEXT NOT NULL, PRIMARY KEY(experiment, options, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS figure(experiment TEXT NOT NULL, options TEXT NOT NULL, at INTEGER NOT NULL,"
    " name TEXT NOT NULL, title TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY(experiment, options, name)) WITHOUT ROWID;"
    "CREATE VIEW IF NOT EXISTS runs AS SELECT run.id, run.time, run.revision, run.name AS machine, run.workload,"
    " run.parameters, run.seed, run.cycles, run.instructions, run.passed = run.checked AS good, run.cpu_seconds,"
    " run.verdicts, run.counters, config.settings FROM run JOIN config ON config.hash = run.config;"
    "CREATE VIEW IF NOT EXISTS points AS SELECT point.experiment, run.name AS machine, point.pattern, point.loads,"
    " point.threads, point.offset, point.latency AS value, run.passed = run.checked AS good, run.revision, run.time,"
    " point.run, config.settings FROM point JOIN run ON run.id = point.run JOIN config ON config.hash = point.config;"
    "CREATE VIEW IF NOT EXISTS claims AS SELECT experiment, options, number, outcome, claim, paper, ours, criterion,"
    " study.time, study.revision FROM claim JOIN study USING(experiment, options) ORDER BY experiment, options, at;"
    "PRAGMA user_version=" VERSION ";";

/* A point whose run failed a check is as good as none: what needs it measures it again. */
#define GOOD_POINT " FROM point JOIN run ON run.id = point.run AND run.passed = run.checked" \
                   " WHERE experiment=?1 AND point.config=?2 AND point.build=?3 AND pattern=?4" \
                   " AND loads=?5 AND threads=?6 AND offset=?7"
static const char find_sql[] = "SELECT latency" GOOD_POINT;
static const char counters_sql[] = "SELECT run.counters, run.cpu_seconds" GOOD_POINT;
static const char each_sql[] = "SELECT run.counters FROM point JOIN run ON run.id = point.run AND run.passed = run.checked"
                               " WHERE experiment=?1 AND point.build=?2";
static const char measured_sql[] = "SELECT run.cycles, run.instructions, run.counters" GOOD_POINT;
static const char config_sql[] = "INSERT OR IGNORE INTO config VALUES(?1,?2)";
static const char run_sql[] = "INSERT INTO run VALUES(NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)";
static const char point_sql[] = "INSERT OR REPLACE INTO point VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)";

/* ---- hashes: 64-bit FNV-1a in hexadecimal ---------------------------------------------------------------------- */

static const uint64_t hash_start = 0xcbf29ce484222325u;

static uint64_t hash(uint64_t h, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h;
}

static void hex(uint64_t h, char text[HD_RESULTS_HASH])
{
    snprintf(text, HD_RESULTS_HASH, "%016llx", (unsigned long long)h);
}

void hd_results_config(const struct hd_config *c, char text[HD_RESULTS_HASH])
{
    char *settings = hd_report_settings(c);
    hex(settings ? hash(hash_start, settings, strlen(settings)) : 0, text);
    free(settings);
}

void hd_results_build(const struct hd_model_paths *models, char text[HD_RESULTS_HASH])
{
    uint64_t h = hash(hash_start, HD_SOURCES, strlen(HD_SOURCES));
    for (int role = 0; models && role < HD_MODEL_ROLES; role++) {
        const char *slash = strrchr(models->so[role], '/');
        char path[HD_PATH_SIZE], block[4096];
        size_t n;
        if (!slash)
            continue;
        snprintf(path, sizeof path, "%.*s/key", (int)(slash - models->so[role]), models->so[role]);
        FILE *f = fopen(path, "rb");
        while (f && (n = fread(block, 1, sizeof block, f)) > 0)
            h = hash(h, block, n);
        if (f)
            fclose(f);
    }
    hex(h, text);
}

const char *hd_results_revision(void)
{
    return HD_REVISION;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

void hd_results_complain(const struct hd_results *r, const char *what)
{
    fprintf(stderr, "heddle: --db %s: %s: %s\n", r->path, what, sqlite3_errmsg(r->db));
}

/* A new database is made aside and linked into place, so that nobody sees half of one. */
static bool make(const char *path)
{
    char aside[600];
    snprintf(aside, sizeof aside, "%.500s.%ld", path, (long)getpid());
    unlink(aside);
    sqlite3 *db;
    bool good = sqlite3_open_v2(aside, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK
                && sqlite3_exec(db, first_schema, NULL, NULL, NULL) == SQLITE_OK
                && sqlite3_exec(db, second_schema, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        fprintf(stderr, "heddle: --db %s: cannot be made: %s\n", path, sqlite3_errmsg(db));
    sqlite3_close(db);
    if (good && link(aside, path) != 0 && errno != EEXIST) { /* EEXIST: another process was faster */
        fprintf(stderr, "heddle: --db %s: cannot be made: %s\n", path, strerror(errno));
        good = false;
    }
    unlink(aside);
    return good;
}

static unsigned long big_endian(const unsigned char *p)
{
    return (unsigned long)p[0] << 24 | (unsigned long)p[1] << 16 | (unsigned long)p[2] << 8 | p[3];
}

/* Looks at the file without SQLite, which would write to some files it opens. @return 1: it is ours; 0: there is none;
 * -1 after a message. */
static int look(const char *path)
{
    unsigned char head[HEADER];
    if (!hd_files_input("--db", path, false)) /* opening a pipe waits */
        return -1;
    FILE *f = fopen(path, "rb");
    if (!f && errno == ENOENT)
        return 0;
    size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    bool failed = !f || ferror(f);
    if (failed)
        fprintf(stderr, "heddle: --db %s: cannot be read: %s\n", path, strerror(errno));
    if (f)
        fclose(f);
    if (failed)
        return -1;
    if (n < sizeof head || memcmp(head, "SQLite format 3", 16) != 0
        || big_endian(head + APPLICATION_AT) != strtoul(APPLICATION, NULL, 10)) {
        fprintf(stderr, "heddle: --db %s: is no results database; it is left as it is\n", path);
        return -1;
    }
    unsigned long version = big_endian(head + VERSION_AT);
    if (version < 1 || version > strtoul(VERSION, NULL, 10)) {
        fprintf(stderr, "heddle: --db %s: has schema version %lu, this program knows those up to " VERSION "; it is left "
                "as it is\n", path, version);
        return -1;
    }
    return 1;
}

/* Runs a statement whose only row must say @text. @return SQLITE_OK, an error, SQLITE_CORRUPT when it says else. */
static int says(sqlite3 *db, const char *sql, const char *text)
{
    sqlite3_stmt *s = NULL;
    int error = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (error == SQLITE_OK && (error = sqlite3_step(s)) == SQLITE_ROW)
        error = strcmp((const char *)sqlite3_column_text(s, 0), text) == 0 ? SQLITE_OK : SQLITE_CORRUPT;
    sqlite3_finalize(s);
    return error;
}

/* Has opening made the files beside @r->path? Then they go again. */
static void leave(struct hd_results *r, bool had_wal)
{
    static const char *const endings[] = {"-wal", "-shm"};
    char beside[520];
    sqlite3_close(r->db);
    r->db = NULL;
    for (size_t i = 0; !had_wal && i < 2; i++) {
        snprintf(beside, sizeof beside, "%s%s", r->path, endings[i]);
        unlink(beside);
    }
}

static bool prepare(struct hd_results *r)
{
    if (sqlite3_prepare_v2(r->db, find_sql, -1, &r->find, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(r->db, counters_sql, -1, &r->counters, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(r->db, measured_sql, -1, &r->measured, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(r->db, config_sql, -1, &r->config, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(r->db, run_sql, -1, &r->run, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(r->db, point_sql, -1, &r->point, NULL) == SQLITE_OK)
        return true;
    hd_results_complain(r, "cannot be used");
    return false;
}

/* Opens the file with @flags and reads all of it. @return false after a message, nothing changed or left behind. */
static bool connect(struct hd_results *r, int flags)
{
    char wal[520];
    snprintf(wal, sizeof wal, "%s-wal", r->path);
    bool had_wal = access(wal, F_OK) == 0;
    if (sqlite3_open_v2(r->path, &r->db, flags, NULL) != SQLITE_OK) {
        hd_results_complain(r, "cannot be opened");
        return false;
    }
    sqlite3_busy_timeout(r->db, BUSY_MS);
    sqlite3_db_config(r->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL); /* until it is known to be sound */
    int sound = says(r->db, "PRAGMA quick_check(1)", "ok");
    if (sound == SQLITE_CORRUPT || sound == SQLITE_NOTADB)
        fprintf(stderr, "heddle: --db %s: is damaged; it is left as it is (sqlite3's .recover may save its rows)\n",
                r->path);
    else if (sound != SQLITE_OK)
        hd_results_complain(r, "cannot be read");
    if (sound != SQLITE_OK) /* files of a database that only could not be read now are another process's */
        leave(r, had_wal || (sound != SQLITE_CORRUPT && sound != SQLITE_NOTADB));
    return sound == SQLITE_OK;
}

/* Adds what a database of version 1 does not have. */
static bool upgrade(struct hd_results *r)
{
    if (says(r->db, "PRAGMA user_version", VERSION) == SQLITE_OK)
        return true;
    if (sqlite3_exec(r->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_exec(r->db, second_schema, NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_exec(r->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return true;
    hd_results_complain(r, "cannot be brought to schema version " VERSION);
    return false;
}

/* @return a database that is not open yet, NULL after a message; @new: it may be made. */
static struct hd_results *begin(const char *path, bool new)
{
    struct hd_results *r = calloc(1, sizeof *r);
    int there = look(path);
    if (there == 0 && !new)
        fprintf(stderr, "heddle: --db %s: is not there; heddle lab and heddle run --db make one\n", path);
    if (!r || there < 0 || (there == 0 && !(new && make(path)))) {
        free(r);
        return NULL;
    }
    snprintf(r->path, sizeof r->path, "%s", path);
    return r;
}

/* Readers beside a writer. SQLite itself does not wait (BUSY_MS) for another process that does the same at the same moment. */
static bool share(sqlite3 *db)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    int error = SQLITE_BUSY;
    for (int i = 0; i < BUSY_MS / PAUSE_MS && (error & 0xff) == SQLITE_BUSY; i++) {
        if (i > 0)
            nanosleep(&pause, NULL);
        error = says(db, "PRAGMA journal_mode=WAL", "wal");
    }
    return error == SQLITE_OK && sqlite3_exec(db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL) == SQLITE_OK;
}

struct hd_results *hd_results_open(const char *path)
{
    struct hd_results *r = begin(path, true);
    if (!r || !connect(r, SQLITE_OPEN_READWRITE)) {
        hd_results_close(r);
        return NULL;
    }
    sqlite3_db_config(r->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    if (!share(r->db)) {
        hd_results_complain(r, "cannot be shared by processes");
        hd_results_close(r);
        return NULL;
    }
    if (upgrade(r) && prepare(r))
        return r;
    hd_results_close(r);
    return NULL;
}

struct hd_results *hd_results_read(const char *path)
{
    struct hd_results *r = begin(path, false);
    bool good = r && connect(r, SQLITE_OPEN_READONLY);
    if (good && says(r->db, "PRAGMA user_version", VERSION) != SQLITE_OK) {
        fprintf(stderr, "heddle: --db %s: has schema version 1; any heddle run --db or heddle lab brings it to " VERSION
                "\n", path);
        good = false;
    }
    if (good)
        return r;
    hd_results_close(r);
    return NULL;
}

void hd_results_close(struct hd_results *r)
{
    if (!r)
        return;
    sqlite3_finalize(r->find);
    sqlite3_finalize(r->counters);
    sqlite3_finalize(r->measured);
    sqlite3_finalize(r->config);
    sqlite3_finalize(r->run);
    sqlite3_finalize(r->point);
    sqlite3_close(r->db);
    free(r);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
    sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT);
}

static void bind_key(sqlite3_stmt *s, const struct hd_results_key *key)
{
    bind_text(s, 1, key->experiment);
    bind_text(s, 2, key->config);
    bind_text(s, 3, key->build);
    bind_text(s, 4, key->pattern);
    sqlite3_bind_int64(s, 5, key->loads);
    sqlite3_bind_int64(s, 6, key->threads);
    sqlite3_bind_int64(s, 7, key->offset);
}

bool hd_results_find(struct hd_results *db, const struct hd_results_key *key, uint32_t *value)
{
    bind_key(db->find, key);
    bool found = sqlite3_step(db->find) == SQLITE_ROW;
    if (found)
        *value = (uint32_t)sqlite3_column_int64(db->find, 0);
    sqlite3_reset(db->find);
    return found;
}

char *hd_results_counters(struct hd_results *db, const struct hd_results_key *key, double *cpu_seconds)
{
    char *text = NULL;
    bind_key(db->counters, key);
    if (sqlite3_step(db->counters) == SQLITE_ROW) {
        text = strdup((const char *)sqlite3_column_text(db->counters, 0));
        *cpu_seconds = sqlite3_column_double(db->counters, 1);
    }
    sqlite3_reset(db->counters);
    return text;
}

bool hd_results_each(struct hd_results *db, const char *experiment, const char build[HD_RESULTS_HASH],
                     void (*see)(void *ctx, const char *counters), void *ctx)
{
    sqlite3_stmt *all = NULL;
    int code = sqlite3_prepare_v2(db->db, each_sql, -1, &all, NULL);
    if (code == SQLITE_OK) {
        bind_text(all, 1, experiment);
        bind_text(all, 2, build);
        while ((code = sqlite3_step(all)) == SQLITE_ROW)
            see(ctx, (const char *)sqlite3_column_text(all, 0));
    }
    if (code != SQLITE_DONE)
        hd_results_complain(db, "cannot be read");
    sqlite3_finalize(all);
    return code == SQLITE_DONE;
}

/* Runs a statement that was bound. */
static bool done(sqlite3_stmt *s)
{
    bool good = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return good;
}

/* A run, and with @key the point measured in it, as one object: what a job leaves in a file, and what becomes rows. @return NULL when
 * there is no memory or a name is not in UTF-8. */
static json_t *row_of(const struct hd_result *r, const struct hd_results_key *key, uint32_t value)
{
    char config[HD_RESULTS_HASH], build[HD_RESULTS_HASH], time_text[32];
    char *settings = hd_report_settings(r->options->config), *parameters = hd_report_parameters(r), *verdicts = hd_report_verdicts(r),
         *counters = hd_report_counters(r);
    time_t now = time(NULL);
    struct tm parts;
    strftime(time_text, sizeof time_text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    hd_results_config(r->options->config, config);
    if (key)
        memcpy(build, key->build, sizeof build);
    else
        hd_results_build(r->options->models, build);
    json_t *row = json_pack("{sssssssssssssssssIsIsIsisisssssf}", "time", time_text, "revision", HD_REVISION, "build", build, "config",
                            config, "name", r->options->config->name, "workload", hd_result_name(r), "parameters", parameters,
                            "settings", settings, "seed", (json_int_t)r->options->seed, "cycles", (json_int_t)r->cycles, "instructions",
                            (json_int_t)r->instructions, "passed", hd_result_passed(r), "checked", hd_result_checked(r), "verdicts",
                            verdicts, "counters", counters, "cpu_seconds", r->cpu_seconds);
    if (row && key)
        json_object_set_new(row, "point", json_pack("{sssssIsIsIsI}", "experiment", key->experiment, "pattern", key->pattern, "loads",
                                                    (json_int_t)key->loads, "threads", (json_int_t)key->threads, "offset",
                                                    (json_int_t)key->offset, "value", (json_int_t)value));
    free(settings);
    free(parameters);
    free(verdicts);
    free(counters);
    return row;
}

static void bind_members(sqlite3_stmt *s, int at, const json_t *row, const char *const *name, size_t n)
{
    for (size_t i = 0; i < n; i++, at++) {
        const json_t *v = json_object_get(row, name[i]);
        if (json_is_string(v))
            bind_text(s, at, json_string_value(v));
        else if (json_is_real(v))
            sqlite3_bind_double(s, at, json_real_value(v));
        else
            sqlite3_bind_int64(s, at, json_integer_value(v));
    }
}

/* Inserts what row_of() has made, in a transaction of the caller's. */
static bool insert(struct hd_results *db, const json_t *row)
{
    static const char *const config[] = {"config", "settings"};
    static const char *const run[] = {"time", "revision", "build", "config", "name", "workload", "parameters", "seed", "cycles",
                                      "instructions", "passed", "checked", "verdicts", "counters", "cpu_seconds"};
    static const char *const point[] = {"experiment", "pattern", "loads", "threads", "offset", "value"};
    const json_t *p = json_object_get(row, "point");
    bind_members(db->config, 1, row, config, sizeof config / sizeof config[0]);
    bind_members(db->run, 1, row, run, sizeof run / sizeof run[0]);
    if (!done(db->config) || !done(db->run))
        return false;
    if (!p)
        return true;
    bind_members(db->point, 1, p, point, 1);
    bind_members(db->point, 2, row, (const char *const[]){"config", "build"}, 2);
    bind_members(db->point, 4, p, point + 1, 5);
    sqlite3_bind_int64(db->point, 9, sqlite3_last_insert_rowid(db->db));
    return done(db->point);
}

/* Rows of an interval, of the run added last; the table is there once a run has had some. */
static bool add_intervals(struct hd_results *db, const struct hd_timeline *t, sqlite3_int64 run)
{
    sqlite3_stmt *insert = NULL;
    uint64_t cycle;
    char *counters = hd_timeline_row(t, 0, &cycle);
    bool good = !counters
                || (sqlite3_exec(db->db, "CREATE TABLE IF NOT EXISTS interval(run INTEGER NOT NULL REFERENCES run(id),"
                                 " cycle INTEGER NOT NULL, counters TEXT NOT NULL, PRIMARY KEY(run, cycle)) WITHOUT ROWID",
                                 NULL, NULL, NULL) == SQLITE_OK
                    && sqlite3_prepare_v2(db->db, "INSERT INTO interval VALUES(?1,?2,?3)", -1, &insert, NULL) == SQLITE_OK);
    for (size_t i = 1; good && counters; i++) {
        sqlite3_bind_int64(insert, 1, run);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)cycle);
        bind_text(insert, 3, counters);
        good = done(insert);
        free(counters);
        counters = hd_timeline_row(t, i, &cycle);
    }
    free(counters);
    sqlite3_finalize(insert);
    return good;
}

bool hd_results_begin(struct hd_results *db)
{
    bool good = sqlite3_exec(db->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        hd_results_complain(db, "cannot be written");
    return good;
}

bool hd_results_end(struct hd_results *db, bool good)
{
    if (good && sqlite3_exec(db->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return true;
    hd_results_complain(db, "cannot be written");
    sqlite3_exec(db->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool hd_results_add(struct hd_results *db, const struct hd_result *r, const struct hd_results_key *key,
                    uint32_t value)
{
    json_t *row = row_of(r, key, value);
    bool good = hd_results_begin(db);
    if (good) {
        good = row && insert(db, row) && (!r->timeline || add_intervals(db, r->timeline, sqlite3_last_insert_rowid(db->db)));
        good = hd_results_end(db, good);
    }
    json_decref(row);
    return good;
}

/* ---- one file a job ---------------------------------------------------------------------------------------------- */

bool hd_results_measured(struct hd_results *db, const struct hd_results_key *key, struct hd_results_run *run)
{
    bind_key(db->measured, key);
    bool found = sqlite3_step(db->measured) == SQLITE_ROW;
    if (found)
        *run = (struct hd_results_run){.cycles = (uint64_t)sqlite3_column_int64(db->measured, 0),
                                       .instructions = (uint64_t)sqlite3_column_int64(db->measured, 1),
                                       .counters = strdup((const char *)sqlite3_column_text(db->measured, 2))};
    sqlite3_reset(db->measured);
    return found && run->counters;
}

void hd_results_name(const struct hd_results_key *key, char text[HD_RESULTS_HASH])
{
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%u %u %u", key->loads, key->threads, key->offset);
    const char *const part[] = {key->experiment, key->config, key->build, key->pattern, numbers};
    uint64_t h = hash_start;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        h = hash(h, part[i], strlen(part[i]) + 1);
    hex(h, text);
}

bool hd_results_write(const char *path, const struct hd_result *r, const struct hd_results_key *key, uint32_t value)
{
    char aside[700];
    snprintf(aside, sizeof aside, "%.640s.%ld.tmp", path, (long)getpid());
    json_t *row = row_of(r, key, value);
    bool good = row && json_dump_file(row, aside, JSON_COMPACT) == 0 && rename(aside, path) == 0;
    json_decref(row);
    if (!good) {
        fprintf(stderr, "heddle: %s: cannot be written: %s\n", path, strerror(errno));
        unlink(aside);
    }
    return good;
}

bool hd_results_take(struct hd_results *db, const char *path)
{
    json_t *row = json_load_file(path, 0, NULL);
    if (!json_is_object(row)) /* gone, or cut off by a power failure: it is as if it had never been */
        return true;
    bool good = insert(db, row);
    json_decref(row);
    if (!good)
        hd_results_complain(db, path);
    return good;
}
