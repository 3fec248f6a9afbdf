/* SPDX-License-Identifier: Apache-2.0 */
#include "model/swept.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mass_is_swept(const mass_parameter_slot *slot) { return slot->swept && !slot->constant; }

/* Copies a value for each world into new memory. Returns false if memory is short. */
static bool copy_values(mass_parameter_slot *to, const mass_parameter_slot *from, int32_t worlds)
{
    to->swept = malloc(((size_t)worlds + 1) * sizeof *to->swept);
    if (to->swept) memcpy(to->swept, from->swept, (size_t)worlds * sizeof *to->swept);
    return to->swept != NULL;
}

mass_status mass_swept_copy(const mass_parameters *from, mass_parameters *to, mass_error *error)
{
    mass_status status = MASS_OK;
    to->worlds = from->worlds;
    for (uint32_t i = 0; status == MASS_OK && i < from->count; i++) {
        const mass_parameter_slot *slot = &from->slots[i];
        if (!mass_is_swept(slot)) continue;
        status = mass_parameters_add(to, &(mass_parameter){.struct_size = sizeof(mass_parameter), .name = slot->name,
                                         .type = slot->type, .unit = slot->unit,
                                         .choices = (const char *const *)slot->choices}, error);
        if (status == MASS_OK && !copy_values(&to->slots[to->count - 1], slot, from->worlds))
            status = mass_error_memory(error, (size_t)from->worlds * sizeof(uint64_t), "a sweep");
    }
    return status;
}

const char *mass_swept_value(const mass_parameter_slot *slot, int32_t world, char buffer[64])
{
    const uint64_t bits = slot->swept[world];
    double real;
    if (slot->type == MASS_CHOICE) return slot->choices[bits];
    if (slot->type == MASS_INTEGER) {
        snprintf(buffer, 64, "%" PRId64, (int64_t)bits);
        return buffer;
    }
    memcpy(&real, &bits, sizeof real);
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(buffer, 64, "%.*g", precision, real);
        if (strtod(buffer, NULL) == real) break;
    }
    return buffer;
}

void mass_swept_label(const mass_parameters *list, int32_t world, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < list->count && used < room; i++) {
        char value[64];
        const mass_parameter_slot *slot = &list->slots[i];
        if (mass_is_swept(slot))
            used += (size_t)snprintf(out + used, room - used, "%s%s = %s", used ? ", " : "", slot->name,
                                     mass_swept_value(slot, world, value));
    }
}

bool mass_swept_same(const mass_parameters *list, int32_t a, int32_t b)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (mass_is_swept(&list->slots[i]) && list->slots[i].swept[a] != list->slots[i].swept[b]) return false;
    return true;
}
