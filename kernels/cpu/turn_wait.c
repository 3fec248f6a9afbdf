/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/turn_wait.h"
#include "cpu/kernels.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = MASS_CPU_TURN_LOOKS - 8 }; /* looks before it lets others use the core */

static const struct timespec nap = {.tv_nsec = 500000};

bool mass_cpu_turn_pause(int looks)
{
    if (looks >= MASS_CPU_TURN_LOOKS) return true;
    if (looks < SPINS) mass_cpu_relax();
    else sched_yield();
    return false;
}

void mass_cpu_turn_sleep(mass_cpu_turn_side *side, uint32_t waits, uint32_t acted)
{
    atomic_store(&side->awaited, waits);
    if (atomic_load(&side->acted) == acted)
        syscall(SYS_futex, &side->acted, FUTEX_WAIT_PRIVATE, acted, &nap, NULL, 0);
    atomic_store_explicit(&side->awaited, 0, memory_order_relaxed);
}

void mass_cpu_turn_nap(void) { nanosleep(&nap, NULL); }

void mass_cpu_turn_wake(mass_cpu_turn_side *side, uint32_t acted)
{
    const uint32_t awaited = atomic_load_explicit(&side->awaited, memory_order_relaxed);
    if (awaited && acted >= awaited) syscall(SYS_futex, &side->acted, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
