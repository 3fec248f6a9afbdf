/* SPDX-License-Identifier: Apache-2.0 */
/* A team of threads that share the parts of a piece of work. A thread that waits spins for some 60 microseconds, then
 * sleeps. The team never waits for a thread that has not begun its part (another program may use its core): other
 * threads take the part. */
#ifndef MASS_KERNELS_CPU_TEAM_H
#define MASS_KERNELS_CPU_TEAM_H

/* Tells the core that this thread spins. */
static inline void mass_cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

typedef struct mass_cpu_team mass_cpu_team;
typedef void mass_cpu_part(void *context, int part);

/* Called when `threads` threads are first needed. Must start them with mass_cpu_team_grow. */
typedef void mass_cpu_team_grower(mass_cpu_team *, int threads);

/* Creates a team of `threads` threads, the caller included. A thread starts when it is first needed: `grow` starts it,
 * or the team itself if `grow` is NULL. Returns NULL if out of memory. The caller frees the team with
 * mass_cpu_team_stop. */
mass_cpu_team *mass_cpu_team_create(int threads, mass_cpu_team_grower *grow);
void mass_cpu_team_stop(mass_cpu_team *); /* waits until its threads have ended; NULL is allowed */

/* Starts threads until the team has `threads`. If one cannot be started, the team keeps its present size for good.
 * Returns its errno, or 0. Call it on the thread that created the team. */
int mass_cpu_team_grow(mass_cpu_team *, int threads);

/* Returns the size of the team: the caller, and threads that have not started yet, included. NULL is a team of one. */
int mass_cpu_team_threads(const mass_cpu_team *);

/* Runs each of the parts 0 to parts - 1 (at least one) once, and returns when all are done. Part p is offered to thread
 * p. A thread without work takes parts that no thread has begun; the caller takes all of these. Parts see what was
 * written before the call, and the caller sees what parts wrote. Returns the number of parts that other threads ran.
 * Call it on the thread that created the team, and not within a part. */
int mass_cpu_team_run(mass_cpu_team *, int parts, mass_cpu_part *work, void *context);

#endif
