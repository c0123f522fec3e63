/* files.c - see files.h. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 600 };

bool hd_files_folder(const char *option, const char *path)
{
    char part[PATH_BYTES];
    struct stat st;

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

bool hd_files_gnuplot(const char *folder, const char *script)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
