/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the whole state to a snapshot and back, attribute by attribute. */
#include "population/gather.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"
#include "snapshot/chunks.h"
#include "snapshot/save.h"
#include "state/box.h"
#include "state/key_counts.h"
#include "state/stop_condition.h"
#include "state/tally.h"

#include <stdlib.h>

/* Copies all stored attributes of places, of all ranks, into the buffers. */
static mass_status read_places(mass_domain *d, void *const *attributes, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++) {
        const mass_attribute_def *a = &d->model->attributes[i];
        const mass_space_def *s = &d->model->spaces[a->space];
        const mass_rpc_box all = {i, 0, d->share.worlds, false, a->type == MASS_BIT, {0, 0, 0},
                                   {mass_stored_width(a, s), s->size[1], s->size[2]}};
        if (a->population < 0 && !a->streamed) status = mass_domain_move(d, &all, attributes[i], error);
    }
    return status;
}

/* Counts each population's agents over all ranks. */
static mass_status count_agents(mass_domain *d, uint64_t agents[MASS_POPULATIONS_MAX], mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t p = 0; status == MASS_OK && p < d->model->population_count; p++)
        status = mass_population_count(d, p, &agents[p], error);
    return status;
}

/* Fills in an allocated snapshot, except its attributes, stop condition and step: the seed, the number of its first
 * world, tallies and keys. */
static mass_status save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error)
{
    s->seed = d->seed;
    s->first_world = d->first_world - d->share.first_world;
    const mass_status status = mass_domain_read_tallies(d, s->tallies, error);
    return status == MASS_OK ? mass_domain_read_keys(d, s->keys, error) : status;
}

mass_status mass_domain_save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error)
{
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    *s = (mass_snapshot){0};
    mass_status status = count_agents(d, agents, error);
    if (status == MASS_OK) status = mass_snapshot_allocate_numbers(s, d->model, d->share.worlds, agents, error);
    if (status != MASS_OK) return status;
    status = save_numbers(d, s, error);
    if (status != MASS_OK) mass_snapshot_free(s);
    return status;
}

mass_status mass_domain_save(mass_domain *d, mass_snapshot *s, mass_error *error)
{
    const mass_model *m = d->model;
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    *s = (mass_snapshot){0};
    mass_status status = count_agents(d, agents, error);
    if (status == MASS_OK) status = mass_snapshot_allocate(s, m, d->share.worlds, agents, error);
    if (status != MASS_OK) return status;
    status = read_places(d, s->attributes, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (m->attributes[i].population >= 0) status = mass_population_read(d, i, s->attributes[i], error);
    if (status == MASS_OK) status = save_numbers(d, s, error);
    if (status == MASS_OK) status = mass_until_save(d, &s->until, error);
    if (status != MASS_OK) mass_snapshot_free(s);
    return status;
}

mass_status mass_domain_save_chunks(mass_domain *d, bool kept, mass_snapshot *s, mass_error *error)
{
    mass_status status = mass_domain_save_numbers(d, s, error);
    if (status != MASS_OK) return status;
    status = mass_until_save(d, &s->until, error);
    if (status == MASS_OK) status = mass_chunks_begin(d, kept ? MASS_CHUNKS_KEPT : MASS_CHUNKS_LIVE, error);
    if (status == MASS_OK) s->source = mass_chunks_source(d);
    else mass_snapshot_free(s);
    return status;
}

/* ---- restore ---- */

/* Writes one attribute of a snapshot to the ranks that own its elements, in parts that one transfer can hold. */
static mass_status give_attribute(mass_domain *d, const mass_snapshot *s, uint32_t attribute, mass_error *error)
{
    const size_t size = mass_element_size(&d->model->attributes[attribute]);
    const uint64_t count = mass_snapshot_size(s, attribute) / size, most = mass_transfer_elements(size);
    const char *values = s->attributes[attribute];
    mass_status status = MASS_OK;
    for (uint64_t first = 0; status == MASS_OK && first < count; first += most)
        status = mass_chunks_write(d, attribute, first, count - first < most ? count - first : most,
                                   values + first * size, error);
    return status;
}

/* Restores one population of a snapshot: counts its agents by owner first, then writes all its columns. */
static mass_status give_agents(mass_domain *d, const mass_snapshot *s, uint32_t population, mass_error *error)
{
    const uint32_t first = d->model->populations[population].first_attribute;
    mass_chunks_count_agents(d, population, s->attributes[first + MASS_AGENT_WORLD],
                             s->attributes[first + MASS_AGENT_PLACE], s->agents[population]);
    mass_status status = mass_chunks_begin_agents(d, population, error);
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++)
        if (d->model->attributes[i].population == (int32_t)population) status = give_attribute(d, s, i, error);
    return status == MASS_OK ? mass_chunks_end_agents(d, population, error) : status;
}

/* Restores the whole state of a snapshot on all ranks. The chunks are ended after a failure, too. */
static mass_status give_all(mass_domain *d, const mass_snapshot *s, mass_error *error)
{
    const mass_model *m = d->model;
    mass_error ignored = {0};
    mass_status status = mass_chunks_begin(d, MASS_CHUNKS_RESTORE, error);
    if (status != MASS_OK) return status;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (m->attributes[i].population < 0 && !m->attributes[i].streamed) status = give_attribute(d, s, i, error);
    for (uint32_t p = 0; status == MASS_OK && p < m->population_count; p++) status = give_agents(d, s, p, error);
    const mass_status ended = mass_chunks_end(d, status == MASS_OK ? error : &ignored);
    return status == MASS_OK ? ended : status;
}

mass_status mass_domain_restore(mass_domain *d, const mass_snapshot *s, mass_error *error)
{
    const mass_status status = give_all(d, s, error);
    return status == MASS_OK ? mass_domain_restore_numbers(d, s, error) : status;
}

mass_status mass_domain_restore_numbers(mass_domain *d, const mass_snapshot *s, mass_error *error)
{
    const mass_status status = mass_domain_write_keys(d, s->keys, error);
    return status == MASS_OK ? mass_domain_write_tallies(d, s->tallies, error) : status;
}
