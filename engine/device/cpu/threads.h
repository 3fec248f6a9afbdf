/* SPDX-License-Identifier: Apache-2.0 */
/* The number of threads of a run. */
#ifndef MASS_ENGINE_DEVICE_THREADS_H
#define MASS_ENGINE_DEVICE_THREADS_H

#include "cpu/team.h"

/* Sets that `processes` ranks share the cores of this process. Main thread. */
void mass_threads_share(int processes);

/* Returns OMP_NUM_THREADS if it is 1 or more. Otherwise returns the number of cores of this process, or its share of
 * them. At most MASS_THREADS_MAX. */
int mass_threads_default(void);

/* Creates a team of `wanted` threads, which start when they are first needed. If fewer can be started, the run goes on
 * with these, and a message tells so. NULL is a team of the caller alone. If memory is limited (process/limits.h),
 * threads leave half of it to the rest of the run. The caller frees the team with mass_cpu_team_stop. Main thread. */
mass_cpu_team *mass_threads_team(int wanted);

#endif
