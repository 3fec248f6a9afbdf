/* SPDX-License-Identifier: Apache-2.0 */
/* What the operations of a run's steps took and moved. The device is waited for after each of them. Main thread. */
#ifndef MASS_ENGINE_PROFILE_H
#define MASS_ENGINE_PROFILE_H

#include "plan/plan.h"

typedef struct mass_profile_entry {
    uint64_t times;
    double seconds, bytes; /* of all times */
} mass_profile_entry;

typedef struct mass_profile {
    mass_domain *domain;       /* borrowed */
    const mass_plan_list *step; /* borrowed */
    mass_profile_entry *entries; /* [step->count] */
    double *agents;            /* [populations] in the step that runs */
    double mark;               /* when what runs now began */
} mass_profile;

mass_status mass_profile_create(mass_domain *d, const mass_plan_list *step, mass_profile **out, mass_error *error);
void mass_profile_free(mass_profile *); /* NULL is fine */

/* A step begins: waits for what came before it, and counts agents. */
mass_status mass_profile_begin(mass_profile *p, mass_error *error);
/* Operation `index` of it has been queued, and of an exchange so many layers: waits for it. */
mass_status mass_profile_add(mass_profile *p, uint32_t index, int32_t layers, mass_error *error);
/* Of all operations. */
double mass_profile_seconds(const mass_profile *p);

#endif
