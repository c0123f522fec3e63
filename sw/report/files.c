/* files.c - see files.h. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 600 };

bool hd_files_folder(const char *option, const char *path)
{
    enum { MOST = 400 };     /* a file's name comes behind it */
    char part[PATH_BYTES];
    struct stat st;

    if (*path == '\0' || strlen(path) > MOST) {
        fprintf(stderr, "heddle: %s %s: expected a folder, its path of 1 to %d bytes\n", option, *path ? path : "''", MOST);
        return false;
    }
    for (const char *end = path; *end; end++)
        if (end[1] == '\0' || (end[1] == '/' && end + 1 > path)) {
            snprintf(part, sizeof part, "%.*s", (int)(end + 1 - path), path);
            if (mkdir(part, 0777) != 0 && (errno != EEXIST || stat(part, &st) != 0 || !S_ISDIR(st.st_mode))) {
                fprintf(stderr, "heddle: %s %s: %s: %s\n", option, path, part,
                        errno == EEXIST ? "is no folder" : strerror(errno));
                return false;
            }
        }
    return true;
}

FILE *hd_files_open_in(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%.400s/%.190s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f)
        fprintf(stderr, "heddle: %s: %s\n", path, strerror(errno));
    return f;
}

/* errno of the write that failed may be long gone: another try tells it anew. */
static void cannot_be_written(const char *path, int error)
{
    fprintf(stderr, "heddle: %s: cannot be written%s%s\n", path, error ? ": " : "", error ? strerror(error) : "");
}

bool hd_files_close(FILE *f, const char *path)
{
    bool failed = ferror(f);
    errno = 0;
    if (fclose(f) == 0 && !failed)
        return true;
    cannot_be_written(path, errno);
    return false;
}

bool hd_files_input(const char *option, const char *path, bool stream)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
        return true;
    if (stream && (strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0))
        return true;
    fprintf(stderr, "heddle: %s%s%s: expected a file, found a %s\n", option ? option : "", option ? " " : "", path,
            S_ISFIFO(st.st_mode) ? "pipe" : S_ISDIR(st.st_mode) ? "folder" : "device");
    return false;
}

bool hd_files_writable(const char *option, const char *path)
{
    char folder[PATH_BYTES] = ".";
    const char *end = strrchr(path, '/'), *what = path;
    struct stat st;
    int error = 0;

    if (*path == '\0') {
        fprintf(stderr, "heddle: %s '': expected the name of a file\n", option);
        return false;
    }
    if (stat(path, &st) == 0)
        error = S_ISDIR(st.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
    else {
        if (end)
            snprintf(folder, sizeof folder, "%.*s", (int)(end == path ? 1 : end - path), path);
        if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode) || access(folder, W_OK) != 0) {
            error = errno ? errno : ENOTDIR;
            what = folder;
        }
    }
    if (error)
        fprintf(stderr, "heddle: %s %s: %s cannot be written: %s\n", option, path, what, strerror(error));
    return !error;
}

bool hd_files_apart(const char *option, const char *path, const char *other, const char *other_path)
{
    struct stat a, b;

    if (path == NULL || other_path == NULL)
        return true;
    bool same = strcmp(path, other_path) == 0;
    if (stat(path, &a) == 0 && stat(other_path, &b) == 0) /* what is no file, as /dev/null, holds nothing */
        same = S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (same)
        fprintf(stderr, "heddle: %s %s: is the file of %s; expected another one\n", option, path, other);
    return !same;
}

static void ignore(int signal)
{
    (void)signal;
}

void hd_files_pipes(void)
{
    /* A handler, since programs started from here would inherit SIG_IGN. */
    struct sigaction a = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    sigaction(SIGPIPE, &a, NULL);
}

bool hd_files_printed(void)
{
    bool failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return true;
    cannot_be_written("standard output", errno);
    return false;
}

/* Runs a program in @folder. @return true when it was there and ended well. */
static bool run_in(const char *folder, const char *const *argv)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder) == 0)
            execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool hd_files_gnuplot(const char *folder, const char *script)
{
    return run_in(folder, (const char *const[]){"gnuplot", script, NULL});
}

bool hd_files_png(const char *folder, const char *name)
{
    char svg[160], png[160];
    snprintf(svg, sizeof svg, "%.150s.svg", name);
    snprintf(png, sizeof png, "%.150s.png", name);
    return run_in(folder, (const char *const[]){"rsvg-convert", "--zoom", "2", "-b", "white", "-o", png, svg, NULL});
}
