#include "waves.h"
#include "models.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char joiner[] = "tb/model/waves/join.sh";

bool hd_waves_join(const char *wave, char *const *file, unsigned n)
{
    char root[HD_ROOT_SIZE], script[HD_ROOT_SIZE + sizeof joiner + 1];
    const size_t stem = strlen(wave) - (strlen(wave) > 4 && strcmp(wave + strlen(wave) - 4, ".fst") == 0 ? 4 : 0);
    char **argv = calloc(n + 4, sizeof *argv);
    bool good = argv != NULL && hd_models_root(root);
    unsigned args = 0;
    pid_t pid = 0;
    int status = 0;

    for (int view = 0; good && view < 2; view++) {
        const size_t size = stem + sizeof ".gtkw";
        good = (argv[1 + view] = malloc(size)) != NULL;
        if (good)
            snprintf(argv[1 + view], size, "%.*s.%s", (int)stem, wave, view ? "gtkw" : "fst");
    }
    for (; good && args < n; args++) { /* NAME.TILE.fst: TILE=NAME.TILE.fst */
        const char *tile = file[args] + stem + 1;
        const size_t size = strlen(tile) + strlen(file[args]) + 2;
        good = (argv[3 + args] = malloc(size)) != NULL;
        if (good)
            snprintf(argv[3 + args], size, "%.*s=%s", (int)(strlen(tile) - 4), tile, file[args]);
    }
    if (good) {
        snprintf(script, sizeof script, "%s/%s", root, joiner);
        argv[0] = script;
        good = posix_spawn(&pid, script, NULL, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
               WEXITSTATUS(status) == 0;
        if (!good)
            fprintf(stderr, "heddle: %s: not written; the files of the tiles are whole\n", argv[1]);
        else if (access(argv[1], R_OK) == 0)
            fprintf(stderr, "%s has them all: gtkwave %s\n", argv[1], argv[2]);
    }
    for (unsigned i = 1; argv != NULL && i < n + 4; i++)
        free(argv[i]);
    free(argv);
    return good;
}
