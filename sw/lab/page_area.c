/* page_area.c - see page_parts.h: two versions of the page on area. The database has no area, but the revision that measured,
 * and git has the page of that. */
#define _POSIX_C_SOURCE 200809L
#include "page_parts.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 2000 };

/* NAND2 equivalents by row of the tables, as an object. @return NULL when git has no such page. */
static json_t *areas(const char *revision)
{
    char command[160], line[LINE];
    int n = (int)strlen(revision);
    n -= n > 6 && strcmp(revision + n - 6, "-dirty") == 0 ? 6 : 0;
    for (int i = 0; i < n; i++)
        if (!isalnum((unsigned char)revision[i]) && !(i > 0 && strchr(".-", revision[i])))
            return NULL;
    snprintf(command, sizeof command, "git show '%.*s:synth/area.md' 2>/dev/null", n < 80 ? n : 80, revision);
    FILE *f = n > 0 ? popen(command, "r") : NULL;
    json_t *all = json_object();
    while (f && fgets(line, sizeof line, f)) {
        char *rest = NULL, *name = *line == '|' ? strtok_r(line, "|", &rest) : NULL;
        char *number = name ? strtok_r(NULL, "|", &rest) : NULL, digits[32];
        size_t k = 0;
        for (; number && *number && k + 1 < sizeof digits; number++)
            if (isdigit((unsigned char)*number) || *number == '-')
                digits[k++] = *number;
        digits[k] = '\0';
        if (k > 0 && isdigit((unsigned char)digits[k - 1]) && !json_object_get(all, name))
            json_object_set_new(all, name, json_real(strtod(digits, NULL)));
    }
    if (f)
        pclose(f);
    if (json_object_size(all) > 0)
        return all;
    json_decref(all);
    return NULL;
}

void hd_page_area(const char *before, const char *after, double percent)
{
    json_t *a = areas(before), *b = areas(after), *then;
    const char *name;
    size_t both = 0, moved = 0;
    if (!a || !b)
        printf("area: git has no synth/area.md of revision %s\n", a ? after : before);
    json_object_foreach(a && b ? a : NULL, name, then) {
        const json_t *now = json_object_get(b, name);
        double x = json_number_value(then), y = json_number_value(now), change = fabs(x) > 0 ? 100 * (y - x) / fabs(x) : 0;
        both += now != NULL;
        if (!now || fabs(change) <= percent)
            continue;
        moved++;
        printf("area     %12.0f %12.0f %+8.1f %% %s(NAND2 equivalents)\n", x, y, change, name);
    }
    if (a && b)
        printf("%zu areas of %zu in both pages moved by more than %g %%\n", moved, both, percent);
    json_decref(a);
    json_decref(b);
}
