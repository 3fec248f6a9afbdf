/* SPDX-License-Identifier: Apache-2.0 */
/* Advises the system how large memory is used. */
#include "cpu/kernels.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 4 << 20 };

void mass_cpu_advise_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)memory + page - 1) / page * page;
    if (bytes >= LARGE) madvise((void *)first, ((uintptr_t)memory + bytes - first) / page * page, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}
