/* configure.c - see configure.h. */
#define _DEFAULT_SOURCE 1
#include "configure.h"
#include "models.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_CONFIGS = 64, PATH_BYTES = HD_ROOT_SIZE + 16 };

/* Puts "<root>/configs" into @path. @return false after a message on stderr. */
static bool config_folder(char path[PATH_BYTES])
{
    char root[HD_ROOT_SIZE];
    if (!hd_models_root(root))
        return false;
    snprintf(path, PATH_BYTES, "%s/configs", root);
    return true;
}

int hd_configure(struct hd_config *c, const char *name, const char *const *set, size_t sets)
{
    char path[PATH_BYTES + 128], folder[PATH_BYTES];
    size_t length = strlen(name);
    if (strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".cfg") == 0))
        snprintf(path, sizeof path, "%.600s", name);
    else {
        if (!config_folder(folder))
            return -1;
        snprintf(path, sizeof path, "%s/%.100s.cfg", folder, name);
    }
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        fprintf(stderr, "heddle: --config %s: no file %s; `heddle list` prints the configurations\n", name, path);
        return -1;
    }
    hd_config_default(c);
    if (hd_config_file(c, path) != 0)
        return -1;
    for (size_t i = 0; i < sets; i++)
        if (hd_config_set(c, set[i], "--set") != 0)
            return -1;
    return hd_config_check(c, path);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void hd_configure_each(void (*each)(const void *to, const char *name, const char *about), const void *to)
{
    char folder[PATH_BYTES];
    if (!config_folder(folder))
        return;
    DIR *dir = opendir(folder);
    char *names[MAX_CONFIGS];
    size_t n = 0;
    for (struct dirent *e; dir && n < MAX_CONFIGS && (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        bool machine = strcmp(e->d_name, "energy.cfg") != 0; /* the other table in this folder */
        if (machine && length > 4 && strcmp(e->d_name + length - 4, ".cfg") == 0 && (names[n] = strndup(e->d_name, length - 4)))
            n++;
    }
    if (dir)
        closedir(dir);
    qsort(names, n, sizeof names[0], compare_names);
    for (size_t i = 0; i < n; i++) {
        char path[PATH_BYTES + 256], line[128] = "";
        snprintf(path, sizeof path, "%s/%.200s.cfg", folder, names[i]);
        FILE *f = fopen(path, "r");
        if (f) {
            if (!fgets(line, sizeof line, f))
                line[0] = '\0';
            fclose(f);
        }
        line[strcspn(line, "\n")] = '\0';
        each(to, names[i], line + strspn(line, "# "));
        free(names[i]);
    }
}
