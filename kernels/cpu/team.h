/* SPDX-License-Identifier: Apache-2.0 */
/* A team of threads that share the parts of a piece of work. A thread that waits for others spins for some
 * 60 microseconds and then sleeps. Nobody waits for a thread that has not begun, perhaps as another program has its
 * core: the others take its parts. */
#ifndef MASS_KERNELS_CPU_TEAM_H
#define MASS_KERNELS_CPU_TEAM_H

typedef struct mass_cpu_team mass_cpu_team;
typedef void mass_cpu_part(void *context, int part);

/* Called when `threads` threads are needed for the first time, to start them with mass_cpu_team_grow. */
typedef void mass_cpu_team_grower(mass_cpu_team *, int threads);

/* A team of `threads` with the caller, each of which is started when it is first needed: by `grow`, or without further
 * ado if that is NULL. NULL: there is no memory for it. The caller frees it with mass_cpu_team_stop. */
mass_cpu_team *mass_cpu_team_create(int threads, mass_cpu_team_grower *grow);
void mass_cpu_team_stop(mass_cpu_team *); /* NULL is fine */

/* Starts what `threads` threads lack. If one cannot be started, the team stays as small as it is then, and the errno
 * that says why is returned; else 0. Of the thread that created the team. */
int mass_cpu_team_grow(mass_cpu_team *, int threads);

/* With the caller, and with those that were not needed yet. NULL is a team of one. */
int mass_cpu_team_threads(const mass_cpu_team *);

/* Does the parts 0 to parts - 1, at least one, each once, one of them or more on each thread, and returns when all are
 * done. Part p is for thread p, but whoever has nothing left to do takes those that nobody has begun, the caller all of
 * them. What was written before is seen by all parts, and what they write by the caller afterwards. Returns how many
 * parts others did. Of the thread that created the team, and not within a part. */
int mass_cpu_team_run(mass_cpu_team *, int parts, mass_cpu_part *work, void *context);

#endif
