/* SPDX-License-Identifier: Apache-2.0 */
#include "state/partition.h"

#include <stdlib.h>

/* Sets the layout of this rank's partition `index` of a space; its arrays have no memory yet. */
static mass_status create_partition(const mass_domain *d, uint32_t space, int32_t index, mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[space];
    mass_partition *p = &d->partitions[space][index];
    const int32_t number = d->share.first_partition + index;
    const mass_gidx first = mass_share_row(&d->share, s, number), end = mass_share_row(&d->share, s, number + 1);
    p->arrays = calloc(d->model->array_count ? d->model->array_count : 1, sizeof *p->arrays);
    if (!p->arrays || !mass_layout_make(d->model, space, first, end - first, d->worlds, &p->layout))
        return mass_error_memory(error, SIZE_MAX / 2, "the space");
    return MASS_OK;
}

mass_status mass_partitions_create(mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t s = 0; status == MASS_OK && s < d->model->space_count; s++) {
        d->partitions[s] = calloc((size_t)d->partition_count, sizeof **d->partitions);
        if (!d->partitions[s]) return mass_error_memory(error, sizeof **d->partitions, "partitions");
        for (int32_t p = 0; status == MASS_OK && p < d->partition_count; p++) status = create_partition(d, s, p, error);
    }
    return status;
}

void mass_partitions_free(mass_domain *d)
{
    for (uint32_t s = 0; s < d->model->space_count; s++) {
        for (int32_t p = 0; d->partitions[s] && p < d->partition_count; p++) {
            mass_array *arrays = d->partitions[s][p].arrays;
            for (uint32_t i = 0; arrays && i < d->model->array_count; i++)
                for (int b = 0; b < 2; b++) mass_buffer_release(&arrays[i].buffer[b]);
            free(arrays);
        }
        free(d->partitions[s]);
        d->partitions[s] = NULL;
    }
}

/* Returns the space of an array. */
static uint32_t space_of(const mass_domain *d, uint32_t array)
{
    return d->model->attributes[d->model->arrays[array].attribute].space;
}

/* Allocates an array of a partition, both buffers if it has two, and fills all with one element. Marks its ghosts as
 * valid. */
static mass_status allocate_one(mass_domain *d, mass_partition *p, uint32_t array, const uint8_t *element,
                                mass_error *error)
{
    const mass_array_def *def = &d->model->arrays[array];
    const uint8_t all = element[0] ? UINT8_MAX : 0; /* eight bits */
    const size_t size = def->bits ? 1 : def->element_size;
    const size_t count = (size_t)mass_array_bytes(def, p->layout.elements) / size;
    mass_status status = MASS_OK;
    for (int b = 0; status == MASS_OK && b < (def->buffered ? 2 : 1); b++) {
        mass_buffer *buffer = &p->arrays[array].buffer[b];
        status = mass_buffer_allocate(d->device, count * size, buffer, error);
        if (status == MASS_OK) status = mass_buffer_fill(*buffer, def->bits ? &all : element, size, count, error);
    }
    p->arrays[array].valid = MASS_AXES_ALL; /* all values are equal */
    p->arrays[array].valid_depth = 0;
    return status;
}

mass_status mass_partitions_allocate(mass_domain *d, uint32_t array, mass_error *error)
{
    uint8_t *element;
    mass_status status = mass_array_initial(d->model, array, &element, error);
    if (status != MASS_OK) return status;
    for (int32_t p = 0; status == MASS_OK && p < d->partition_count; p++)
        status = allocate_one(d, &d->partitions[space_of(d, array)][p], array, element, error);
    free(element);
    return status;
}

void mass_partitions_release(mass_domain *d, uint32_t array)
{
    for (int32_t p = 0; p < d->partition_count; p++)
        for (int b = 0; b < 2; b++) mass_buffer_release(&d->partitions[space_of(d, array)][p].arrays[array].buffer[b]);
}
