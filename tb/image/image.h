/* image.h - state as bytes, there and back: one function of a thing both saves and restores it.
 *
 * A function that takes an image calls hd_image_bytes() for each piece of its state, in the same order both ways. Depth
 * says how much of the state is wanted. */
#ifndef HD_IMAGE_H
#define HD_IMAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_image_depth {
    HD_IMAGE_COUNTS, /* what counters are made of */
    HD_IMAGE_SEEN,   /* and all that can be seen from outside: ports, contents of memories */
    HD_IMAGE_ALL     /* and all that a run needs to go on */
};

struct hd_image {
    uint8_t *byte;      /* saved: owned; loaded: the caller's */
    size_t count, room; /* saved, or to be loaded */
    size_t at;          /* loaded so far */
    bool loading;
    bool bad;           /* no memory, or not the image that was expected */
    enum hd_image_depth depth;
};

void hd_image_bytes(struct hd_image *io, void *data, size_t n);

/* From member @first to member @last of *s, both included; nothing in between is a pointer. */
#define HD_IMAGE_MEMBERS(io, s, first, last) \
    hd_image_bytes((io), &(s)->first, (size_t)((char *)(&(s)->last + 1) - (char *)&(s)->first))

/* A message that is never freed, or NULL. */
void hd_image_text(struct hd_image *io, const char **text);

/* Pages of @bytes each, of which those that are NULL are all 0. */
void hd_image_pages(struct hd_image *io, uint32_t **page, size_t pages, size_t bytes);

/* @return @n bytes to be filled in (saving) or read (loading) in place, valid until the next call; NULL: bad. */
void *hd_image_place(struct hd_image *io, size_t n);
#endif
