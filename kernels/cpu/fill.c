/* SPDX-License-Identifier: Apache-2.0 */
/* Fills an array with one value. Each thread of the team writes a share. */
#include "cpu/kernels.h"

#include <string.h>

/* Writes `count` copies of an element of `size` bytes, in the calling thread. */
static void fill_part(char *to, const void *element, size_t size, size_t count)
{
    if (count == 0) return;
    if (size == 1) {
        memset(to, *(const unsigned char *)element, count);
        return;
    }
    memcpy(to, element, size);
    for (size_t done = 1; done < count;) { /* doubles the part that is filled */
        const size_t more = done < count - done ? done : count - done;
        memcpy(to + done * size, to, more * size);
        done += more;
        if (done * size >= 1 << 16) { /* then repeats a block that fits into the cache */
            const size_t block = done;
            while (count - done >= block) memcpy(to + done * size, to, block * size), done += block;
        }
    }
}

typedef struct job {
    char *to;
    const void *element;
    size_t size, count, worth; /* worth: elements worth a thread */
    int parts;
} job;

/* Fills one thread's share of an array, in pieces of j->worth elements. */
static void fill_share(void *context, int part)
{
    const job *j = context;
    const size_t each = (j->count + (size_t)j->parts - 1) / (size_t)j->parts, first = each * (size_t)part;
    for (size_t i = first; i < first + each && i < j->count; i += j->worth) {
        const size_t end = first + each < j->count ? first + each : j->count;
        fill_part(j->to + i * j->size, j->element, j->size, end - i < j->worth ? end - i : j->worth);
    }
}

void mass_cpu_fill(void *to, const void *element, size_t size, size_t count, mass_cpu_team *team)
{
    enum { PART = 1 << 20 };
    job j = {to, element, size, count, PART / size + 1, mass_cpu_team_threads(team)};
    const size_t worth = 1 + count / j.worth;
    if (worth < (size_t)j.parts) j.parts = (int)worth;
    mass_cpu_team_run(team, j.parts, fill_share, &j);
}
