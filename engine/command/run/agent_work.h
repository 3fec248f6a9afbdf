/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the agents over the steps of a run. A step counts the mean of the agents before and after it, in all
 * populations, worlds and ranks. A run on one CPU is counted after each step, which reads one number from memory for
 * each population. Other runs are counted when they stop anyway; counts between are interpolated. Main thread. */
#ifndef MASS_ENGINE_COMMAND_AGENT_WORK_H
#define MASS_ENGINE_COMMAND_AGENT_WORK_H

#include "state/domain.h"

typedef struct mass_agent_work {
    bool on, near; /* on: the model has populations; near: they are counted in this process's memory */
    uint64_t step; /* step of the last count, `agents` */
    double agents;
    double done;   /* sum over all steps so far */
} mass_agent_work;

/* Counts the first agents, and sets all of *w. Rank 0 calls all three functions, as it calls mass_population_count. */
mass_status mass_agent_work_begin(mass_agent_work *w, mass_domain *d, uint64_t step, mass_error *error);
/* Adds the steps since the last count, if there are any. Call it when the run stops. */
mass_status mass_agent_work_count(mass_agent_work *w, mass_domain *d, uint64_t step, mass_error *error);
/* Adds a step, if `near`. Call it after every step. */
void mass_agent_work_step(mass_agent_work *w, mass_domain *d, uint64_t step);

#endif
