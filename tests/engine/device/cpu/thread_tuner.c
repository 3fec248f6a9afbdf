/* SPDX-License-Identifier: Apache-2.0 */
/* The number of threads is chosen by what work takes, on a clock that is moved by hand. */
#include "device/cpu/thread_tuner.h"

#include "../../../extended.h"

#include <criterion/criterion.h>
#include <math.h>

static int64_t time_now;
static int64_t read_clock(void) { return time_now; }

/* The time of a unit of work, in nanoseconds: a part that the threads share, and a part that grows with their number.
 * A busy machine adds a pause to every `pause_every`-th work of more than one thread. */
typedef struct machine {
    double shared, each;
    int cores, pause_every;
    uint64_t works;
    double cold; /* what the first work takes beyond that */
} machine;

static double time_of(machine *m, int threads)
{
    const double together = threads < m->cores ? threads : m->cores;
    const double time = m->shared / together + m->each * (threads - 1);
    const bool pauses = m->pause_every && threads > 1 && ++m->works % (uint64_t)m->pause_every == 0;
    const double cold = m->cold;
    m->cold = 0;
    return time + cold + (pauses ? 3e6 : 0);
}

enum { FEW = 1000, MANY = 1000000 }; /* units of a work */

/* Works for so long; returns the mean time of a unit over the second half. */
static double work_for(mass_thread_tuner *p, machine *m, int most, double units, double duration)
{
    const double begin = (double)time_now;
    double sum = 0, count = 0;
    p->clock = read_clock;
    while ((double)time_now - begin < duration) {
        const double taken = time_of(m, mass_thread_tuner_begin(p, most, units));
        time_now += (int64_t)taken;
        mass_thread_tuner_end(p, true);
        if ((double)time_now - begin > duration / 2) sum += taken, count++;
    }
    return sum / count;
}

static double least_of(machine m, int most)
{
    double least = INFINITY;
    m.pause_every = 0;
    m.cold = 0;
    for (int threads = 1; threads < 2 * most; threads *= 2) {
        const double time = time_of(&m, threads < most ? threads : most);
        if (time < least) least = time;
    }
    return least;
}

/* What is won by more threads may be a little too little to be taken. */
Test(pace, any_work_comes_close_to_its_best)
{
    static const double shared[] = {3e3, 5e3, 2e4, 3e5, 5e6, 1e8}, each[] = {0, 100, 2000, 50000};
    static const int most[] = {1, 2, 3, 4, 6, 16, 100};
    for (int s = 0; s < 6; s++)
        for (int e = 0; e < 4; e++)
            for (int k = 0; k < 14; k++) {
                if (!takes_part((size_t)(s + e + k), 3)) continue;
                const double units = k < 7 ? MANY : FEW;
                mass_thread_tuner p = {0};
                machine m = {.shared = shared[s], .each = each[e], .cores = most[k % 7], .cold = 1e5};
                const double mean = work_for(&p, &m, most[k % 7], units, 1e9 + 200 * shared[s]);
                const double least = least_of(m, most[k % 7]);
                cr_assert_lt(mean, 1.2 * least, "%g shared, %g each, %d threads: %g, and %g is the least", shared[s],
                             each[e], most[k % 7], mean, least);
            }
}

/* A run alone: two threads from the first milliseconds on, and nearly always. */
Test(pace, work_alone_takes_the_cores)
{
    mass_thread_tuner p = {0};
    machine m = {.shared = 2e4, .each = 500, .cores = 2, .cold = 2e5};
    work_for(&p, &m, 2, MANY, 2e6);
    cr_assert_lt(work_for(&p, &m, 2, MANY, 1e9), 1.02 * time_of(&m, 2));
}

/* So that no thread is started for it. */
Test(pace, brief_work_is_never_shared)
{
    mass_thread_tuner p = {.clock = read_clock};
    machine m = {.shared = 500, .cores = 16};
    for (int i = 0; i < 100000; i++) {
        cr_assert_eq(mass_thread_tuner_begin(&p, 16, FEW), 1, "work %d", i);
        time_now += (int64_t)time_of(&m, 1);
        mass_thread_tuner_end(&p, false);
    }
}

/* Long work begins on all threads, and what a trial takes is earned before. */
Test(pace, long_work_loses_nothing)
{
    mass_thread_tuner p = {0};
    machine m = {.shared = 4e8, .each = 0, .cores = 16};
    for (int i = 0; i < 20; i++) {
        p.clock = read_clock;
        cr_assert_eq(mass_thread_tuner_begin(&p, 16, MANY), 16);
        time_now += (int64_t)time_of(&m, 16);
        mass_thread_tuner_end(&p, true);
    }
}

Test(pace, a_busy_machine_gets_one_thread_and_a_quiet_one_all)
{
    mass_thread_tuner p = {0};
    machine quiet = {.shared = 2e4, .each = 500, .cores = 2}, busy = quiet;
    busy.pause_every = 100; /* 30 µs a work on average, more than it takes alone */
    for (int turn = 0; turn < 3; turn++) {
        cr_assert_lt(work_for(&p, &quiet, 2, MANY, 3e9), 1.1 * time_of(&quiet, 2), "turn %d", turn);
        cr_assert_lt(work_for(&p, &busy, 2, MANY, 3e9), 1.1 * time_of(&busy, 1), "turn %d", turn);
    }
}

/* Agents and models change: what was measured long ago does not bind. */
Test(pace, work_that_becomes_heavier_gets_more_threads)
{
    mass_thread_tuner p = {0};
    machine light = {.shared = 2e3, .each = 3000, .cores = 8}, heavy = {.shared = 2e5, .each = 3000, .cores = 8};
    cr_assert_lt(work_for(&p, &light, 8, MANY, 5e8), 1.1 * time_of(&light, 1));
    cr_assert_lt(work_for(&p, &heavy, 8, MANY, 3e9), 1.2 * least_of(heavy, 8));
    cr_assert_lt(work_for(&p, &light, 8, MANY, 3e9), 1.1 * time_of(&light, 1));
}
