/* source.c - see source.h. */
#include "source.h"
#include "tracez.h"
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PACKED = 1 << 16,   /* bytes of an xz file at a time */
    TEXT = 1 << 17,     /* bytes of text at a time, at least two lines; no more than a small file has */
    XZ_MEMORY = 56 << 20,   /* for liblzma, so that all is less than 64 MiB; the usual xz -6 wants 9 MiB, -8 33 MiB */
    XZ_MOST = 96 << 20      /* with a warning: -9 wants 65 MiB */
};

struct hd_source {
    const char *path;
    struct hd_diag *diag;
    int fd;
    uint64_t size, taken;       /* of the file; bytes of it read */
    bool xz, ended, failed, again;
    lzma_stream lzma;
    uint8_t *packed;            /* [PACKED] xz only */
    struct hd_tracez *tracez;
    char *text;                 /* [room + HD_SOURCE_BEHIND] */
    size_t room;
    size_t begin, end;          /* what of it is not yet given */
    size_t line, length, given; /* the last line: where in text, with its end, without it and blanks before it */
    uint64_t at, number;        /* the last line: its place in the file's text, its number from 1 */
};

static bool failed(struct hd_source *s, const char *what)
{
    s->failed = true;
    return hd_diag_error(s->diag, "%s:%llu: %s", s->path, (unsigned long long)s->taken, what);
}

static bool ready_xz(struct hd_source *s)
{
    s->lzma = (lzma_stream)LZMA_STREAM_INIT;
    s->packed = malloc(PACKED);
    if (!s->packed || lzma_stream_decoder(&s->lzma, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
        return failed(s, "no memory");
    return true;
}

struct hd_source *hd_source_open(const char *path, struct hd_diag *d)
{
    static const uint8_t xz[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    uint8_t magic[6] = {0};
    struct stat st;
    struct hd_source *s = calloc(1, sizeof *s);

    if (!s) {
        hd_diag_error(d, "%s: no memory", path);
        return NULL;
    }
    s->path = path;
    s->diag = d;
    s->fd = open(path, O_RDONLY | O_NONBLOCK); /* a pipe, which is refused, is not waited for */
    if (s->fd < 0 || fstat(s->fd, &st) != 0) {
        hd_diag_error(d, "%s: %s", path, strerror(errno));
        hd_source_close(s);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        hd_diag_error(d, "%s: not a file", path);
        hd_source_close(s);
        return NULL;
    }
    s->size = (uint64_t)st.st_size;
    s->xz = pread(s->fd, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, xz, sizeof xz) == 0;
    size_t n = strlen(path);
    bool tracez = !s->xz && n > 7 && strcmp(path + n - 7, ".tracez") == 0;
    s->room = !s->xz && !tracez && s->size < TEXT ? (size_t)s->size : TEXT;
    s->text = calloc(1, s->room + HD_SOURCE_BEHIND);
    if (!s->text)
        failed(s, "no memory");
    else if (s->xz)
        ready_xz(s);
    else if (tracez && !(s->tracez = hd_tracez_open(s->fd, path, s->size, d)))
        s->failed = true;
    if (s->failed) {
        hd_source_close(s);
        return NULL;
    }
    return s;
}

void hd_source_close(struct hd_source *s)
{
    if (!s)
        return;
    if (s->xz)
        lzma_end(&s->lzma);
    hd_tracez_close(s->tracez);
    if (s->fd >= 0)
        close(s->fd);
    free(s->packed);
    free(s->text);
    free(s);
}

/* @return bytes read, 0 at the end, -1 after an error. */
static long take(struct hd_source *s, void *to, size_t room)
{
    ssize_t n;

    do
        n = read(s->fd, to, room);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        failed(s, strerror(errno));
        return -1;
    }
    s->taken += (uint64_t)n;
    return n;
}

static const char *xz_error(lzma_ret r)
{
    switch (r) {
    case LZMA_MEMLIMIT_ERROR:
        return "xz: takes more than 96 MiB to unpack; pack it again with xz -6";
    case LZMA_OPTIONS_ERROR:
        return "xz: packed in a way that this liblzma does not know";
    case LZMA_BUF_ERROR:
        return "xz: the file is cut off";
    case LZMA_MEM_ERROR:
        return "no memory";
    default:
        return "xz: the file is damaged";
    }
}

static long unpack(struct hd_source *s, char *to, size_t room)
{
    s->lzma.next_out = (uint8_t *)to;
    s->lzma.avail_out = room;
    while (s->lzma.avail_out == room) {
        bool last = false;
        if (s->lzma.avail_in == 0) {
            long n = take(s, s->packed, PACKED);
            if (n < 0)
                return -1;
            s->lzma.next_in = s->packed;
            s->lzma.avail_in = (size_t)n;
            last = n == 0;
        }
        lzma_ret r = lzma_code(&s->lzma, last ? LZMA_FINISH : LZMA_RUN);
        if (r == LZMA_MEMLIMIT_ERROR && lzma_memusage(&s->lzma) <= XZ_MOST) {
            hd_diag_warn(s->diag, s->path,
                         "xz: unpacking takes more than the 64 MiB of an import; packed by xz -8 it would not");
            r = lzma_memlimit_set(&s->lzma, XZ_MOST);
            if (r == LZMA_OK)
                continue;
        }
        if (r == LZMA_STREAM_END)
            break;
        if (r != LZMA_OK) {
            s->taken -= s->lzma.avail_in;
            failed(s, xz_error(r));
            return -1;
        }
    }
    return (long)(room - s->lzma.avail_out);
}

/* Makes room behind the text that is left and fills it. @return false when there is no more. */
static bool fill(struct hd_source *s)
{
    if (s->ended || s->failed)
        return false;
    memmove(s->text, s->text + s->begin, s->end - s->begin);
    s->end -= s->begin;
    s->begin = 0;
    char *to = s->text + s->end;
    size_t room = s->room - s->end;
    long n = s->xz ? unpack(s, to, room) : s->tracez ? hd_tracez_read(s->tracez, to, room) : take(s, to, room);
    if (n < 0)
        s->failed = true;
    s->ended = n == 0;
    if (n > 0)
        s->end += (size_t)n;
    return n > 0;
}

const char *hd_source_line(struct hd_source *s, size_t *n)
{
    char *end;

    if (s->again) {
        s->again = false;
    } else {
        size_t looked = 0;
        while (!(end = memchr(s->text + s->begin + looked, '\n', s->end - s->begin - looked))) {
            looked = s->end - s->begin;
            if (looked > HD_SOURCE_LINE) {
                s->at += s->length;
                s->number++;
                s->length = 0;
                hd_diag_error(s->diag, "%s:%llu: line %llu: expected a line of at most %d bytes, found a longer one",
                              s->path, (unsigned long long)s->at, (unsigned long long)s->number, HD_SOURCE_LINE);
                s->failed = true;
                return NULL;
            }
            if (fill(s))
                continue;
            if (s->failed || s->begin == s->end)
                return NULL;
            end = s->text + s->end; /* a last line without an end */
            *end = '\n';
            break;
        }
        s->at += s->length;
        s->number++;
        s->line = s->begin;
        s->length = (size_t)(end - s->text) - s->line + 1;
        s->begin = s->line + s->length < s->end ? s->line + s->length : s->end;
        char *line = s->text + s->line, *last = line + s->length - 1;
        last -= last > line && last[-1] == '\r';
        while (last > line && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        *last = '\n'; /* who looks for a number's end or skips blanks ends here, too */
        s->given = (size_t)(last - line);
    }
    *n = s->given;
    return s->text + s->line;
}

void hd_source_again(struct hd_source *s)
{
    s->again = true;
}

const char *hd_source_place(const struct hd_source *s, size_t column, char text[HD_DIAG_TEXT])
{
    int n = snprintf(text, HD_DIAG_TEXT, "%.250s:%llu: line %llu", s->path, (unsigned long long)(s->at + column),
                     (unsigned long long)s->number);
    if ((s->xz || s->tracez) && n > 0)
        snprintf(text + n, HD_DIAG_TEXT - (size_t)n, " (of the unpacked text; packed byte %llu)",
                 (unsigned long long)(s->tracez ? hd_tracez_place(s->tracez) : s->taken));
    return text;
}

uint64_t hd_source_text(const struct hd_source *s)
{
    return s->at + s->length;
}

uint64_t hd_source_progress(const struct hd_source *s, uint64_t *all)
{
    *all = s->size;
    return s->tracez ? hd_tracez_place(s->tracez) : s->taken;
}
