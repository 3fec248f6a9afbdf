#include "device/threads.h"
#include "device/device.h"
#include "run/limits.h"
#include "run/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static pthread_mutex_t counted = PTHREAD_MUTEX_INITIALIZER;

static void *wait_until_counted(void *unused)
{
    pthread_mutex_lock(&counted);
    pthread_mutex_unlock(&counted);
    return unused;
}

/* Of a team, as libgomp and libomp read it: a number of KiB, or with a unit; 0: the default of all threads. */
static size_t stack_of_team(void)
{
    const char *text = getenv("OMP_STACKSIZE");
    char *unit = NULL;
    const unsigned long long number = text ? strtoull(text, &unit, 10) : 0;
    if (number == 0) return 0;
    unit += strspn(unit, " ");
    const int shift = strchr("Bb", *unit) && *unit ? 0 : strchr("Mm", *unit) && *unit ? 20
                    : strchr("Gg", *unit) && *unit ? 30 : 10;
    return (size_t)number << shift;
}

/* Threads of this process as the kernel counts them, or 0. */
static int threads_here(void)
{
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Threads: %d", &count) == 1) break;
    if (file) fclose(file);
    return count;
}

/* Threads that are joined still count against limits until the kernel has put them away. */
static void wait_for_their_end(int before)
{
    for (int i = 0; i < 1000 && threads_here() > before; i++) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Bytes that threads leave to the rest of the run. */
static size_t bytes_kept(void)
{
    const size_t left = mass_limits_left(), least = MASS_LIMITS_KEPT + (2 << 20);
    if (left == SIZE_MAX) return 0;
    return left < least ? left : left / 2 < least ? least : left / 2;
}

/* Starts threads until there are `wanted` with the caller, and ends them again; and one more, as checkpoints are
 * written by another one. The C library keeps their stacks for those to come. */
static int count_threads(int wanted, int *reason)
{
    static pthread_t threads[MASS_THREADS_MAX + 1];
    const int before = threads_here();
    const size_t kept = bytes_kept(), stack = stack_of_team();
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *rest = kept ? mmap(NULL, kept, PROT_READ | PROT_WRITE, flags, -1, 0) : MAP_FAILED;
    pthread_attr_t kind;
    int count = 1;
    pthread_attr_init(&kind);
    if (stack) pthread_attr_setstacksize(&kind, stack);
    pthread_mutex_lock(&counted);
    while (count <= wanted && (*reason = pthread_create(&threads[count], &kind, wait_until_counted, NULL)) == 0)
        count++;
    pthread_mutex_unlock(&counted);
    for (int i = 1; i < count; i++) pthread_join(threads[i], NULL);
    pthread_attr_destroy(&kind);
    if (rest != MAP_FAILED) munmap(rest, kept);
    if (count > 1) wait_for_their_end(before);
    return count < wanted ? count : wanted;
}

int mass_threads_startable(int wanted)
{
    int reason = 0;
    if (wanted > MASS_THREADS_MAX) wanted = MASS_THREADS_MAX;
    const int count = wanted > 1 ? count_threads(wanted, &reason) : 1;
    if (count < wanted)
        mass_progress_say("mass-engine: only %d of %d threads could be started: %s (ulimit -u, ulimit -v and the "
                          "control group limit them); the run goes on with %d", count, wanted, strerror(reason), count);
    return count;
}
