/* SPDX-License-Identifier: Apache-2.0 */
/* Teams: every part is done once, by whoever is there, and who waits leaves the cores to others. */
#include "teams.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { PARTS = 9, RUNS = 20000 };

typedef struct sheet {
    int run;
    int done[PARTS]; /* by part, in which run it was done last */
    atomic_int calls;
} sheet;

static void sign(void *context, int part)
{
    sheet *s = context;
    s->done[part] = s->run;
    atomic_fetch_add(&s->calls, 1);
}

Test(team, every_part_is_done_once_and_seen)
{
    for (int threads = 1; threads <= 5; threads++)
        for (int parts = 1; parts <= PARTS; parts += 2) {
            sheet s = {.run = 0};
            while (++s.run < RUNS / 20) {
                mass_cpu_team_run(team_of(threads), parts, sign, &s);
                for (int p = 0; p < parts; p++) cr_assert_eq(s.done[p], s.run, "%d threads, part %d", threads, p);
            }
            cr_assert_eq(atomic_load(&s.calls), parts * (s.run - 1), "%d threads, %d parts", threads, parts);
        }
}

Test(team, of_nobody_else_is_the_caller)
{
    sheet s = {.run = 1};
    cr_assert_eq(mass_cpu_team_threads(NULL), 1);
    mass_cpu_team_run(NULL, PARTS, sign, &s);
    cr_assert_eq(atomic_load(&s.calls), PARTS);
}

static int grown;

static void grow(mass_cpu_team *team, int threads)
{
    grown = threads;
    cr_assert_eq(mass_cpu_team_grow(team, threads), 0);
}

Test(team, threads_are_started_when_they_are_needed)
{
    sheet s = {.run = 1};
    mass_cpu_team *team = mass_cpu_team_create(5, grow);
    mass_cpu_team_run(team, 1, sign, &s);
    cr_assert_eq(grown, 0);
    mass_cpu_team_run(team, 3, sign, &s);
    cr_assert_eq(grown, 3);
    mass_cpu_team_run(team, 2, sign, &s);
    cr_assert_eq(grown, 3);
    mass_cpu_team_run(team, PARTS, sign, &s);
    cr_assert_eq(grown, 5);
    cr_assert_eq(atomic_load(&s.calls), 1 + 3 + 2 + PARTS);
    mass_cpu_team_stop(team);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(void *context, int part)
{
    (void)context;
    if (part == 0) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

/* Three threads wait for work, and for the one that takes its time over its part. */
Test(team, who_waits_sleeps)
{
    mass_cpu_team_run(team_of(4), 4, nap, NULL);
    const double before = processor_time();
    mass_cpu_team_run(team_of(4), 4, nap, NULL);
    nap(NULL, 0);
    cr_assert_lt(processor_time() - before, 0.02);
}

/* As where another program has the core of a thread: here all have one, and the caller need not wait for others. */
Test(team, nobody_waits_for_who_has_not_begun)
{
    struct rusage used;
    sheet s = {.run = 0};
    cpu_set_t one, all;
    CPU_ZERO(&one);
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    for (int core = 0; CPU_COUNT(&one) == 0; core++)
        if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    while (++s.run < RUNS) mass_cpu_team_run(team_of(4), 4, sign, &s);
    cr_assert_eq(getrusage(RUSAGE_SELF, &used), 0);
    cr_assert_eq(atomic_load(&s.calls), 4 * (s.run - 1));
    cr_assert_lt(used.ru_nvcsw, RUNS, "%ld times somebody gave way in %d runs", used.ru_nvcsw, RUNS);
}
