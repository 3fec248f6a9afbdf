/* SPDX-License-Identifier: Apache-2.0 */
#include "run/profile.h"
#include "population/in_turn.h"
#include "population/population.h"
#include "plan/traffic.h"
#include "process/progress.h"

#include <stdlib.h>

/* Allocates a profile with one entry for each operation of a step. On failure *out is unchanged. */
mass_status mass_profile_create(mass_domain *d, const mass_plan_list *step, mass_profile **out, mass_error *error)
{
    mass_profile *p = calloc(1, sizeof *p);
    if (!p) return mass_error_memory(error, sizeof *p, "the profile");
    *p = (mass_profile){.domain = d, .step = step, .entries = calloc(step->count + 1, sizeof *p->entries),
                        .agents = calloc(d->model->population_count + 1, sizeof *p->agents)};
    if (!p->entries || !p->agents) {
        mass_profile_free(p);
        return mass_error_memory(error, step->count * sizeof *p->entries, "the profile");
    }
    *out = p;
    return MASS_OK;
}

/* Frees a profile. NULL is allowed. */
void mass_profile_free(mass_profile *p)
{
    if (!p) return;
    free(p->entries);
    free(p->agents);
    free(p);
}

mass_status mass_profile_begin(mass_profile *p, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < p->domain->model->population_count; i++) {
        uint64_t agents = 0;
        status = mass_population_count_own(p->domain, i, &agents, error);
        p->agents[i] = (double)agents;
    }
    if (status == MASS_OK) status = p->domain->device->table->launch->synchronise(p->domain->device, error);
    p->mark = mass_seconds();
    return status;
}

/* Adds the rounds of a launch in turn to its entry, and raises its most rounds. */
static mass_status add_rounds(const mass_profile *p, mass_profile_entry *e, mass_error *error)
{
    uint64_t rounds, most;
    const mass_status status = mass_turn_take_rounds(p->domain, &rounds, &most, error);
    e->rounds += rounds;
    if (most > e->most_rounds) e->most_rounds = most;
    return status;
}

mass_status mass_profile_add(mass_profile *p, uint32_t index, int32_t layers, mass_error *error)
{
    const mass_plan_operation *op = &p->step->list[index];
    mass_profile_entry *e = &p->entries[index];
    const mass_traffic t = {p->agents, layers};
    mass_status status = p->domain->device->table->launch->synchronise(p->domain->device, error);
    e->times++;
    e->seconds += mass_seconds() - p->mark;
    e->bytes += mass_plan_bytes_read(p->domain, op, &t) + mass_plan_bytes_written(p->domain, op, &t);
    if (status == MASS_OK && op->kind == MASS_PLAN_LAUNCH &&
        mass_phase_is_in_turn(&p->domain->model->phases[op->phase]))
        status = add_rounds(p, e, error);
    p->mark = mass_seconds();
    return status;
}

double mass_profile_seconds(const mass_profile *p)
{
    double seconds = 0;
    for (uint32_t i = 0; i < p->step->count; i++) seconds += p->entries[i].seconds;
    return seconds;
}
