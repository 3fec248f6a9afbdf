/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads a run has. */
#ifndef MASS_ENGINE_DEVICE_THREADS_H
#define MASS_ENGINE_DEVICE_THREADS_H

#include "cpu/team.h"

/* `processes` ranks share the cores of this one from here on. Main thread. */
void mass_threads_share(int processes);

/* As many as OMP_NUM_THREADS says, or else as there are cores for this process, or its share of them; at most
 * MASS_THREADS_MAX. */
int mass_threads_default(void);

/* A team of `wanted` threads, started when they are first needed, or of as many as can be started then, which is said;
 * NULL is a team of the caller alone. Where memory is limited (process/limits.h), threads leave half of it to the rest
 * of the run. The caller frees it with mass_cpu_team_stop. Main thread. */
mass_cpu_team *mass_threads_team(int wanted);

#endif
