/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that memory suffices for the agents that the next steps could create, so that no step fails in its middle. */
#include "population/growth.h"
#include "population/population.h"

#include <inttypes.h>
#include <math.h>

bool mass_population_can_grow(const mass_model *m)
{
    for (uint32_t p = 0; p < m->population_count; p++)
        if (m->populations[p].children) return true;
    return false;
}

/* Returns the most agents that all places together can hold; 2^63 without a capacity. */
static double seats_of(const mass_domain *d, const mass_population_def *p)
{
    const double places = (double)mass_space_places(&d->model->spaces[p->space]);
    return p->capacity ? p->capacity * places * d->worlds : 0x1p63;
}

/* Returns the most agents after some steps, if every agent has as many children as it can; sprouts are left out. *held:
 * the most that arrays hold in between. In a phase in turn they hold the dead too. */
static double most_after(const mass_domain *d, uint32_t population, double agents, int steps, double *held)
{
    const mass_model *m = d->model;
    const mass_population_def *p = &m->populations[population];
    const double seats = seats_of(d, p);
    *held = agents;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *phase = &m->phases[i];
        const bool turn = mass_phase_is_in_turn(phase);
        if ((phase->callback && !turn) || phase->population != (int32_t)population || phase->schedule != MASS_STEP)
            continue;
        for (int k = 0; k < steps; k++) {
            const double all = agents * (1 + p->children);
            agents = fmin(all, seats);
            *held = fmax(*held, turn ? all : agents);
        }
    }
    return agents;
}

/* Returns the memory of arrays for so many agents; 0 if the present ones have room, more than any machine has beyond
 * 2^32. */
static double bytes_to_hold(const mass_domain *d, uint32_t population, double agents)
{
    if (agents <= d->populations[population].room) return 0;
    return agents < UINT32_MAX - 1 ? agents * mass_population_bytes_of_agent(d->model, population) : 0x1p63;
}

/* Factor on that memory: growth allocates new buffers, half as large again as needed, while the old ones still
 * exist. */
static const double MARGIN = 3;

/* Returns true if memory suffices for two steps that begin with `spare` times the present agents. Then it sets the
 * safe counts to that number, or to UINT32_MAX if no number is too large. Raises the domain's `changes` if one no
 * longer is UINT32_MAX. */
static bool set_safe_counts(mass_domain *d, const uint64_t *agents, unsigned spare, size_t available)
{
    const mass_model *m = d->model;
    double need = 0, held;
    for (uint32_t p = 0; p < m->population_count; p++) {
        if (!m->populations[p].children) continue;
        most_after(d, p, (double)agents[p] * spare, 2, &held);
        need += MARGIN * bytes_to_hold(d, p, held);
    }
    if (need > (double)available) return false;
    for (uint32_t p = 0; p < m->population_count; p++) {
        if (!m->populations[p].children) continue;
        const double now = (double)agents[p] * spare;
        const bool full = most_after(d, p, now, 2, &held) >= seats_of(d, &m->populations[p]);
        const bool any = full && !m->populations[p].in_turn;
        const uint32_t most = any || now >= UINT32_MAX ? UINT32_MAX : (uint32_t)now;
        if (d->populations[p].safe_count == UINT32_MAX && most < UINT32_MAX) d->changes++;
        d->populations[p].safe_count = most;
    }
    return true;
}

/* Returns an error if one step could need more memory than is available. It names the population that needs most. */
static mass_status check_step(mass_domain *d, const uint64_t *agents, uint64_t step, size_t available,
                              mass_error *error)
{
    double all = 0, largest = 0, held;
    uint32_t neediest = 0;
    for (uint32_t p = 0; p < d->model->population_count; p++) {
        if (!d->model->populations[p].children) continue;
        most_after(d, p, (double)agents[p], 1, &held);
        const double bytes = bytes_to_hold(d, p, held);
        all += bytes;
        if (bytes <= largest) continue;
        largest = bytes;
        neediest = p;
    }
    if (all <= (double)available) return MASS_OK;
    const mass_population_def *p = &d->model->populations[neediest];
    const double most = most_after(d, neediest, (double)agents[neediest], 1, &held);
    char need[32], have[32];
    mass_format_bytes(need, held * mass_population_bytes_of_agent(d->model, neediest));
    return mass_error_set(error, MASS_NO_DEVICE, "the run stops before step %" PRIu64 ": population %s, now of %" PRIu64
                          " agents, could grow to %.0f, which takes %s, and %s has %s free", step, p->name,
                          agents[neediest], most, need, d->device->table->name(d->device),
                          mass_format_bytes(have, (double)available));
}

mass_status mass_population_check_room(mass_domain *d, uint64_t step, bool *scarce, mass_error *error)
{
    const uint32_t count = d->model->population_count;
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    size_t available;
    bool safe = true;
    mass_status status = MASS_OK;
    *scarce = false;
    if (mass_share_is_split(&d->share)) return MASS_OK; /* manage enlarges arrays, as agents also come from other
                                                           ranks */
    for (uint32_t p = 0; status == MASS_OK && p < count; p++) {
        if (!d->model->populations[p].children) continue;
        status = mass_population_count_own(d, p, &agents[p], error);
        safe &= agents[p] <= d->populations[p].safe_count;
    }
    if (status != MASS_OK || safe) return status;
    status = d->device->table->memory->available(d->device, &available, error);
    if (status != MASS_OK) return status;
    *scarce = !set_safe_counts(d, agents, 2, available) && !set_safe_counts(d, agents, 1, available);
    if (*scarce) return check_step(d, agents, step, available, error);
    for (uint32_t p = 0; status == MASS_OK && p < count; p++) {
        const mass_population_state *s = &d->populations[p];
        status = mass_buffer_upload(s->safe_count_on_device, &s->safe_count, sizeof s->safe_count, error);
    }
    return status;
}

mass_status mass_population_guard_memory(mass_domain *d, uint64_t step, mass_error *error)
{
    mass_status status = MASS_OK;
    if (mass_share_is_split(&d->share)) return MASS_OK; /* manage enlarges arrays */
    for (uint32_t p = 0; status == MASS_OK && p < d->model->population_count; p++) {
        const mass_population_state *s = &d->populations[p];
        if (!d->model->populations[p].children || s->safe_count == UINT32_MAX) continue;
        const mass_memory_guard_work w = {.count = s->count.address, .limit = s->safe_count_on_device.address,
            .step = step,
                                   .clock = d->clock.address, .closed = d->closed.address, .worlds = d->worlds};
        status = d->device->table->record->guard(d->device, &w, error);
    }
    return status;
}
