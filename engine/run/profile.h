/* SPDX-License-Identifier: Apache-2.0 */
/* The time and traffic of each operation in a run's steps. The profiler waits for the device after each operation.
 * Main thread. */
#ifndef MASS_ENGINE_PROFILE_H
#define MASS_ENGINE_PROFILE_H

#include "plan/plan.h"

typedef struct mass_profile_entry {
    uint64_t times;
    double seconds, bytes; /* totals of all steps */
    uint64_t rounds, most_rounds; /* of a launch in turn on a GPU: of all times, and the most of one */
} mass_profile_entry;

typedef struct mass_profile {
    mass_domain *domain;       /* borrowed */
    const mass_plan_list *step; /* borrowed */
    mass_profile_entry *entries; /* [step->count] */
    double *agents;            /* [populations] in the present step */
    double mark;               /* the time when the present operation began */
} mass_profile;

mass_status mass_profile_create(mass_domain *d, const mass_plan_list *step, mass_profile **out, mass_error *error);
void mass_profile_free(mass_profile *); /* accepts NULL */

/* Begins a step: counts agents, waits for earlier work, and starts the clock. */
mass_status mass_profile_begin(mass_profile *p, mass_error *error);
/* Waits for operation `index`, which the caller has queued, and adds to its entry: the time since the operation before,
 * bytes, and rounds. layers: those of an exchange. */
mass_status mass_profile_add(mass_profile *p, uint32_t index, int32_t layers, mass_error *error);
/* Returns the seconds of all operations. */
double mass_profile_seconds(const mass_profile *p);

#endif
