/* Filling an array with one value, from the memory of the threads that will use it. */
#include "cpu/kernels.h"

#include <string.h>

static void fill_part(char *to, const void *element, size_t size, size_t count)
{
    if (count == 0) return;
    if (size == 1) {
        memset(to, *(const unsigned char *)element, count);
        return;
    }
    memcpy(to, element, size);
    for (size_t done = 1; done < count;) { /* double what is there */
        const size_t more = done < count - done ? done : count - done;
        memcpy(to + done * size, to, more * size);
        done += more;
        if (done * size >= 1 << 16) { /* then repeat a block that stays in cache */
            const size_t block = done;
            while (count - done >= block) memcpy(to + done * size, to, block * size), done += block;
        }
    }
}

void mass_cpu_fill(void *to, const void *element, size_t size, size_t count, int threads)
{
    enum { PART = 1 << 20 };
    const size_t part = PART / size + 1, parts = (count + part - 1) / part;
#pragma omp parallel for schedule(static) num_threads(threads) if (parts > 1)
    for (size_t i = 0; i < parts; i++) {
        const size_t first = i * part, rest = count - first;
        fill_part((char *)to + first * size, element, size, rest < part ? rest : part);
    }
}
