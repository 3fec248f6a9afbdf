/* SPDX-License-Identifier: Apache-2.0 */
#include "text/parameter.h"
#include "text/decimal.h"
#include "text/list.h"
#include "text/spelling.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mass_parameters_nearest(const mass_parameters *list, const char *name)
{
    mass_spelling nearest = mass_spelling_to(name);
    for (uint32_t i = 0; i < list->count; i++)
        if (!list->slots[i].constant) mass_spelling_try(&nearest, list->slots[i].name);
    return nearest.best;
}

/* Sets the slot to the text's integer. Refuses text that is none or is outside the slot's range; the slot is then
 * unchanged. */
static mass_status set_integer(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    int64_t value;
    double real;
    char range[MASS_RANGE_SIZE];
    if (!mass_read_whole(text, &value) && mass_read_f64(text, &real) && fabs(real) >= 0x1p63)
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: %s is not %s", slot->name, text,
                              mass_parameter_range(slot, range));
    if (!mass_read_whole(text, &value))
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: '%s' is not an integer", slot->name, text);
    if (value < slot->integer_min || value > slot->integer_max)
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: %" PRId64 " is not %s", slot->name, value,
                              mass_parameter_range(slot, range));
    slot->integer = value;
    return MASS_OK;
}

/* Sets the slot to the text's number. Refuses text that is none or is outside the slot's range; the slot is then
 * unchanged. */
static mass_status set_real(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    double value;
    if (!mass_read_f64(text, &value))
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: '%s' is not a number", slot->name, text);
    char range[MASS_RANGE_SIZE];
    if (value < slot->real_min || value > slot->real_max)
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: %.15g is not %s", slot->name, value,
                              mass_parameter_range(slot, range));
    slot->real = value;
    return MASS_OK;
}

/* Replaces the slot's text by a copy and frees the old one. Refuses an unknown choice. */
static mass_status set_text(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    if (slot->type == MASS_CHOICE && mass_parameter_choice_index(slot, text) < 0) {
        char list[400] = "";
        for (int i = 0; slot->choices[i]; i++) {
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", slot->choices[i]);
        }
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: '%s' is not one of %s", slot->name, text, list);
    }
    char *copy = strdup(text);
    if (!copy) return mass_error_memory(error, strlen(text), "a parameter");
    free(slot->text);
    slot->text = copy;
    return MASS_OK;
}

mass_status mass_parameter_set(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    const mass_status status = slot->list ? mass_list_set(slot, text, error)
                             : slot->type == MASS_INTEGER ? set_integer(slot, text, error)
                             : slot->type == MASS_REAL ? set_real(slot, text, error)
                             : set_text(slot, text, error);
    if (status == MASS_OK) slot->given = true;
    return status;
}

const char *mass_parameter_format(const mass_parameter_slot *slot, char buffer[64])
{
    if (slot->type == MASS_INTEGER) snprintf(buffer, 64, "%" PRId64, slot->integer);
    else if (slot->type == MASS_REAL) snprintf(buffer, 64, "%.17g", slot->real);
    else return slot->text;
    return buffer;
}
