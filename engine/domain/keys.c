/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/keys.h"

#include <stdlib.h>

mass_status mass_keys_of_domain_create(mass_domain *d, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    d->key_counts = calloc(m->tally_count + 1, sizeof *d->key_counts);
    if (!d->key_counts) return mass_error_memory(error, m->tally_count * sizeof *d->key_counts, "the keys of tallies");
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++)
        if (m->tallies[i].keys)
            status = d->device->table->keys->create(d->device, m->tallies[i].keys == MASS_KEYS_TEXTS, d->worlds,
                                                    &d->key_counts[i], error);
    return status;
}

void mass_keys_of_domain_free(mass_domain *d)
{
    for (uint32_t i = 0; d->key_counts && i < d->model->tally_count; i++)
        if (d->key_counts[i]) d->device->table->keys->free(d->device, d->key_counts[i]);
    free(d->key_counts);
}

mass_status mass_domain_read_keys(mass_domain *d, mass_key_list *lists, mass_error *error)
{
    const size_t worlds = (size_t)d->worlds;
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && i < d->model->tally_count * worlds; i++)
        if (d->key_counts[i / worlds])
            status = d->device->table->keys->read(d->device, d->key_counts[i / worlds], (int32_t)(i % worlds),
                                                  &lists[i], error);
    for (size_t i = 0; status != MASS_OK && i < d->model->tally_count * worlds; i++) mass_key_list_free(&lists[i]);
    return status;
}

mass_status mass_domain_write_keys(mass_domain *d, const mass_key_list *lists, mass_error *error)
{
    const size_t worlds = (size_t)d->worlds;
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && i < d->model->tally_count * worlds; i++)
        if (d->key_counts[i / worlds])
            status = d->device->table->keys->write(d->device, d->key_counts[i / worlds], (int32_t)(i % worlds),
                                                   &lists[i], error);
    return status;
}
