/* SPDX-License-Identifier: Apache-2.0 */
#include "state/domain.h"

#include <stdlib.h>
#include <string.h>

mass_status mass_array_initial(const mass_model *m, uint32_t array, uint8_t **out, mass_error *error)
{
    const mass_array_def *def = &m->arrays[array];
    const mass_attribute_def *a = &m->attributes[def->attribute];
    *out = malloc(def->element_size);
    if (!*out) return mass_error_memory(error, def->element_size, "a default value");
    for (size_t at = 0; at < def->element_size; at += a->component_size)
        memcpy(*out + at, a->initial, a->component_size);
    return MASS_OK;
}

mass_buffer mass_array_from(const mass_domain *d, const mass_partition *p, uint32_t array, bool next)
{
    const uint32_t buffer = d->current[array] ^ (next ? 1u : 0u);
    return mass_buffer_from(p->arrays[array].buffer[buffer],
                            (size_t)mass_array_bytes(&d->model->arrays[array], p->layout.first));
}

void *mass_array_at(const mass_domain *d, const mass_partition *p, uint32_t array, bool next)
{
    return mass_array_from(d, p, array, next).address;
}
