/* SPDX-License-Identifier: Apache-2.0 */
/* for fopencookie */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/memory_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef struct printed {
    char **text, *bytes; /* bytes has `room` */
    size_t *size, used, room;
    bool short_of_memory;
} printed;

/* Grows the memory so that `more` bytes and a zero byte fit. Returns false if memory is short. */
static bool make_room(printed *p, size_t more)
{
    if (p->room - p->used > more) return true;
    const size_t room = 2 * (p->used + more) + 256;
    char *larger = realloc(p->bytes, room);
    if (!larger) return false;
    p->bytes = larger;
    p->room = room;
    return true;
}

/* Appends to the memory. Returning 0 tells the C library that the write failed; then all later ones fail, too. */
static ssize_t add(void *cookie, const char *bytes, size_t size)
{
    printed *p = cookie;
    if (p->short_of_memory || !make_room(p, size)) {
        p->short_of_memory = true;
        return 0;
    }
    memcpy(p->bytes + p->used, bytes, size);
    p->used += size;
    return (ssize_t)size;
}

/* Closes the stream, and gives its text, ended by a zero byte, to the caller's variables; NULL if memory was short. */
static int end(void *cookie)
{
    printed *p = cookie;
    const bool whole = !p->short_of_memory && make_room(p, 0);
    if (whole) p->bytes[p->used] = '\0';
    else free(p->bytes);
    *p->text = whole ? p->bytes : NULL;
    *p->size = whole ? p->used : 0;
    free(p);
    return whole ? 0 : -1;
}

FILE *mass_memory_stream(char **text, size_t *size)
{
    printed *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    *p = (printed){.text = text, .size = size};
    FILE *stream = fopencookie(p, "w", (cookie_io_functions_t){.write = add, .close = end});
    if (!stream) free(p);
    return stream;
}
