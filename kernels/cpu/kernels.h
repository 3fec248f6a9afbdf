/* Data-parallel algorithms on the CPU. Blocking; `threads` OpenMP threads at most, fewer where there
 * is little to do. */
#ifndef MASS_KERNELS_CPU_H
#define MASS_KERNELS_CPU_H

#include "manage.h"
#include "strided.h"

/* Writes `count` copies of an element of `size` bytes to `to`. */
void mass_cpu_fill(void *to, const void *element, size_t size, size_t count, int threads);

void mass_cpu_copy(const mass_strided *copy, int threads);

/* To each integer of the target adds that of the source, modulo 2^(8 * size); size is 4 or 8. */
void mass_cpu_add(const mass_strided *box, size_t size, int threads);

/* Memory of mass_cpu_manage, kept between calls and grown as needed; begins as all zeros. */
typedef struct mass_cpu_manage_scratch {
    void *memory;
    size_t size;
    uint64_t clean; /* so many list heads at its beginning are zero */
    uint64_t part;  /* least work worth a thread, in cells; 0: as measured */
} mass_cpu_manage_scratch;

/* Carries out a manage (manage.h). Returns the number of agents there would be afterwards; above w->room
 * nothing was changed, and the caller enlarges the arrays and calls again. UINT64_MAX: out of memory, and
 * nothing was changed. */
uint64_t mass_cpu_manage(const mass_manage_work *w, mass_cpu_manage_scratch *scratch, int threads);
void mass_cpu_manage_free(mass_cpu_manage_scratch *scratch);

/* Drops requests (manage.h). */
void mass_cpu_drop(const mass_drop_work *w, int threads);

#endif
