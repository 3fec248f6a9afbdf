/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/agent_work.h"
#include "population/gather.h"

/* Counts the agents of all populations in all worlds. Waits for the device. */
static mass_status count(mass_domain *d, double *agents, mass_error *error)
{
    mass_status status = MASS_OK;
    *agents = 0;
    for (uint32_t p = 0; status == MASS_OK && p < d->model->population_count; p++) {
        uint64_t own = 0;
        status = mass_population_count(d, p, &own, error);
        *agents += (double)own;
    }
    return status;
}

mass_status mass_agent_work_begin(mass_agent_work *w, mass_domain *d, uint64_t step, mass_error *error)
{
    const mass_device_table *t = d->device->table;
    *w = (mass_agent_work){.on = d->model->population_count > 0, .step = step};
    w->near = w->on && d->share.comm->size == 1 && (t == &mass_cpu_table || t == &mass_paranoid_table);
    return w->on ? count(d, &w->agents, error) : MASS_OK;
}

mass_status mass_agent_work_count(mass_agent_work *w, mass_domain *d, uint64_t step, mass_error *error)
{
    double now;
    if (!w->on || step == w->step) return MASS_OK;
    const mass_status status = count(d, &now, error);
    if (status != MASS_OK) return status;
    w->done += (w->agents + now) / 2 * (double)(step - w->step);
    w->agents = now;
    w->step = step;
    return MASS_OK;
}

void mass_agent_work_step(mass_agent_work *w, mass_domain *d, uint64_t step)
{
    mass_error ignored = {0}; /* counting in this process's memory cannot fail */
    if (w->near) mass_agent_work_count(w, d, step, &ignored);
}
