/* SPDX-License-Identifier: Apache-2.0 */
/* A team of threads that shares out work and meets politely: whoever waits spins for a few microseconds and then
 * sleeps, and nobody waits for a thread that has not begun, as where other programs have its core. */
#ifndef MASS_KERNELS_CPU_TEAM_H
#define MASS_KERNELS_CPU_TEAM_H

typedef struct mass_cpu_team mass_cpu_team;
typedef void mass_cpu_part(void *context, int part);

/* A team of `threads` with the caller, or of as many as can be started; then *reason, an errno, says why. NULL: there
 * is no memory for it. The caller frees it with mass_cpu_team_stop. */
mass_cpu_team *mass_cpu_team_start(int threads, int *reason);
void mass_cpu_team_stop(mass_cpu_team *); /* NULL is fine */

/* With the caller. NULL is a team of one. */
int mass_cpu_team_threads(const mass_cpu_team *);

/* Does the parts 0 to parts - 1, at least one, each once, one of them or more on each thread, and returns when all are
 * done. Part p is for thread p, but whoever has nothing left to do takes those that nobody has begun, the caller all of
 * them. What was written before is seen by all parts, and what they write by the caller afterwards. Returns how many
 * parts others did. Of the thread that started the team, and not within a part. */
int mass_cpu_team_run(mass_cpu_team *, int parts, mass_cpu_part *work, void *context);

#endif
