/* plot.c - see plot.h: what all plots share. */
#include "plot.h"
#include "files.h"

static const char *script_of(const char *name, char file[160])
{
    snprintf(file, 160, "%.150s.gp", name);
    return file;
}

FILE *hd_plot_begin(const char *folder, const char *name, const char *kind, const char *title)
{
    char file[160];
    FILE *f = hd_files_open_in(folder, script_of(name, file));
    if (f)
        fprintf(f, "# %s: gnuplot %s\nname = '%s'\nheading = '%s'\n", kind, file, name, title);
    return f;
}

bool hd_plot_end(FILE *script, const char *folder, const char *name)
{
    char file[160];
    if (!hd_files_close(script, script_of(name, file)))
        return false;
    if (!hd_files_gnuplot(folder, script_of(name, file)))
        fprintf(stderr, "heddle: lab: no plot: gnuplot is missing or failed; the numbers are in %s/%s.csv\n", folder,
                name);
    return true;
}
