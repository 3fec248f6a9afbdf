/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/threads.h"
#include "process/limits.h"
#include "process/progress.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int sharers = 1;

void mass_threads_share(int processes) { sharers = processes; }

int mass_threads_default(void)
{
    const char *asked = getenv("OMP_NUM_THREADS");
    cpu_set_t cores;
    long count = asked ? strtol(asked, NULL, 10) : 0;
    if (count < 1) {
        const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
        count = (known ? CPU_COUNT(&cores) : sysconf(_SC_NPROCESSORS_ONLN)) / sharers;
    }
    return count < 1 ? 1 : count > MASS_THREADS_MAX ? MASS_THREADS_MAX : (int)count;
}

static void *do_nothing(void *unused) { return unused; }

/* Returns the bytes that threads must leave to the rest of the run: half of what is left, but no less than a run
 * needs. 0 if memory is not limited. */
static size_t bytes_kept(void)
{
    const size_t left = mass_limits_left(), least = MASS_LIMITS_KEPT + (2 << 20);
    if (left == SIZE_MAX) return 0;
    return left < least ? left : left / 2 < least ? least : left / 2;
}

/* Starts threads while the memory that they must leave to others is reserved. Returns 0, or the errno of a thread that
 * could not be started. */
static int grow_beside_others(mass_cpu_team *team, int threads)
{
    const size_t kept = bytes_kept();
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *rest = kept ? mmap(NULL, kept, PROT_READ | PROT_WRITE, flags, -1, 0) : MAP_FAILED;
    const int reason = mass_cpu_team_grow(team, threads);
    pthread_t other; /* the C library keeps its stack for the thread that writes checkpoints */
    if (pthread_create(&other, NULL, do_nothing, NULL) == 0) pthread_join(other, NULL);
    if (rest != MAP_FAILED) munmap(rest, kept);
    return reason;
}

/* Starts threads up to this number; says so if fewer can be started. The run goes on with those. */
static void grow(mass_cpu_team *team, int threads)
{
    const int reason = grow_beside_others(team, threads), count = mass_cpu_team_threads(team);
    if (reason != 0)
        mass_progress_say("mass-engine: only %d of %d threads could be started: %s (ulimit -u, ulimit -v and the "
                          "control group limit them); the run goes on with %d", count, threads, strerror(reason),
                          count);
}

mass_cpu_team *mass_threads_team(int wanted)
{
    if (wanted > MASS_THREADS_MAX) wanted = MASS_THREADS_MAX;
    mass_cpu_team *team = wanted > 1 ? mass_cpu_team_create(wanted, grow) : NULL;
    if (wanted > 1 && !team)
        mass_progress_say("mass-engine: the run goes on with 1 of %d threads: %s", wanted, strerror(ENOMEM));
    return team;
}
