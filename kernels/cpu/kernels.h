/* Data-parallel algorithms on the CPU. Blocking; `threads` OpenMP threads at most, fewer where there
 * is little to do. */
#ifndef MASS_KERNELS_CPU_H
#define MASS_KERNELS_CPU_H

#include "strided.h"

/* Writes `count` copies of an element of `size` bytes to `to`. */
void mass_cpu_fill(void *to, const void *element, size_t size, size_t count, int threads);

void mass_cpu_copy(const mass_strided *copy, int threads);

#endif
