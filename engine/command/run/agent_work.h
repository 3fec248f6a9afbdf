/* SPDX-License-Identifier: Apache-2.0 */
/* How many agents the steps of a run went through: of each step the mean of those before and after it, in all
 * populations, worlds and ranks. A run on one CPU is counted step by step, which reads one number in memory each.
 * Others are counted where they stop anyway, and steps between are taken to lie between. Main thread. */
#ifndef MASS_ENGINE_COMMAND_AGENT_WORK_H
#define MASS_ENGINE_COMMAND_AGENT_WORK_H

#include "state/domain.h"

typedef struct mass_agent_work {
    bool on, near; /* there are populations; and they are counted in this process's memory */
    uint64_t step; /* after which `agents` were there */
    double agents;
    double done;   /* agents of all steps so far */
} mass_agent_work;

/* All of it on rank 0, as mass_population_count. */
mass_status mass_agent_work_begin(mass_agent_work *w, mass_domain *d, uint64_t step, mass_error *error);
/* After a step, where the run stops. */
mass_status mass_agent_work_count(mass_agent_work *w, mass_domain *d, uint64_t step, mass_error *error);
/* After any step: nothing, unless `near`. */
void mass_agent_work_step(mass_agent_work *w, mass_domain *d, uint64_t step);

#endif
