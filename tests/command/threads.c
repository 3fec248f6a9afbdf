/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and other programs: runs at once take hardly more of the machine than with one thread each. */
#include "command.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

TestSuite(threads, SCRATCH);

static double processor_time_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* On two cores, however many there are. */
static void take_two_cores(void)
{
    cpu_set_t all, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof all, &all) != 0) return;
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&two) < 2; core++)
        if (CPU_ISSET(core, &all)) CPU_SET(core, &two);
    sched_setaffinity(0, sizeof two, &two);
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("OMP_NUM_THREADS");
}

enum { RUNS_MAX = 3 };

static double time_of_runs(int runs, const char *threads)
{
    const double before = processor_time_of_children();
    process all[RUNS_MAX];
    for (int i = 0; i < runs; i++)
        all[i] = command_start(&(const setting){.prepare = take_two_cores},
                               ARGUMENTS("--plugin", "life", "--device", "cpu", "--size", "512x512", "--steps", "20000",
                                         "--seed", "1", "--quiet", threads));
    for (int i = 0; i < runs; i++) DONE(command_finish(&all[i]));
    return processor_time_of_children() - before;
}

Test(threads, of_several_runs_at_once_cost_little)
{
    for (int runs = 2; runs <= RUNS_MAX; runs++) {
        const double alone = time_of_runs(runs, "--threads=1"), shared = time_of_runs(runs, NULL);
        cr_assert_lt(shared, 1.3 * alone, "%d runs: %.3f s of the processors, with one thread each %.3f s", runs,
                     shared, alone);
    }
}
