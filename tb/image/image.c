/* image.c - see image.h. */
#include "image.h"
#include <stdlib.h>
#include <string.h>

void *hd_image_place(struct hd_image *io, size_t n)
{
    if (io->bad)
        return NULL;
    if (io->loading) {
        if (io->count - io->at < n) {
            io->bad = true;
            return NULL;
        }
        io->at += n;
        return io->byte + io->at - n;
    }
    if (io->room - io->count < n) {
        size_t room = 2 * io->room + n + 4096;
        uint8_t *more = realloc(io->byte, room);
        if (more == NULL) {
            io->bad = true;
            return NULL;
        }
        io->byte = more;
        io->room = room;
    }
    io->count += n;
    return io->byte + io->count - n;
}

void hd_image_bytes(struct hd_image *io, void *data, size_t n)
{
    void *place = hd_image_place(io, n);

    if (place != NULL && n > 0)
        memcpy(io->loading ? data : place, io->loading ? place : data, n);
}

/* Faults are string constants, and of the few that may be loaded none is loaded twice into memory of its own. */
static const char *kept(const char *text)
{
    static struct kept {
        struct kept *next;
        char text[];
    } *all;
    for (struct kept *k = all; k != NULL; k = k->next)
        if (strcmp(k->text, text) == 0)
            return k->text;
    struct kept *k = malloc(sizeof *k + strlen(text) + 1);
    if (k == NULL)
        return "a fault";
    strcpy(k->text, text);
    k->next = all;
    all = k;
    return k->text;
}

void hd_image_text(struct hd_image *io, const char **text)
{
    uint32_t n = io->loading || *text == NULL ? 0 : (uint32_t)strlen(*text) + 1;

    hd_image_bytes(io, &n, sizeof n);
    if (!io->loading) {
        void *to = hd_image_place(io, n);
        if (to != NULL && n > 0)
            memcpy(to, *text, n);
        return;
    }
    const char *place = n > 0 && !io->bad ? hd_image_place(io, n) : NULL;
    *text = place != NULL ? kept(place) : NULL;
}

void hd_image_pages(struct hd_image *io, uint32_t **page, size_t pages, size_t bytes)
{
    uint64_t i = 0;

    for (; !io->loading && i < pages; i++) {
        if (page[i] == NULL)
            continue;
        hd_image_bytes(io, &i, sizeof i);
        hd_image_bytes(io, page[i], bytes);
    }
    if (!io->loading) {
        hd_image_bytes(io, &i, sizeof i);
        return;
    }
    for (size_t k = 0; k < pages; k++) /* a page that is there stays, as if all of it were 0 */
        if (page[k] != NULL)
            memset(page[k], 0, bytes);
    for (hd_image_bytes(io, &i, sizeof i); !io->bad && i < pages; hd_image_bytes(io, &i, sizeof i)) {
        if (page[i] == NULL)
            page[i] = calloc(1, bytes);
        if (page[i] == NULL)
            io->bad = true;
        else
            hd_image_bytes(io, page[i], bytes);
    }
}
