/* The end of requests that no manage has carried out, or ever would. */
#include "cpu/kernels.h"

#include <mass/launch.h>

void mass_cpu_drop(const mass_drop_work *w, int threads)
{
    enum { PART = 1 << 16 }; /* agents worth a thread */
    const uint32_t count = *w->count;
    uint32_t asked = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (w->room > PART) reduction(| : asked)
    for (uint32_t i = 0; i < w->room; i++) {
        asked |= i < count && (w->move[i] != MASS_CELL_STAY || w->asked[i] != 0);
        w->move[i] = MASS_CELL_STAY;
        w->asked[i] = 0;
    }
    if (asked && !*w->vain) *w->vain = 1;
}
