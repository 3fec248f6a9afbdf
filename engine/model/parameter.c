/* SPDX-License-Identifier: Apache-2.0 */
#include "model/parameter.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mass_name_valid(const char *name)
{
    if (!name || !(isalpha((unsigned char)name[0]) || name[0] == '_')) return false;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return name[length] == '\0' && length < MASS_NAME_SIZE;
}

mass_parameter_slot *mass_parameters_find(const mass_parameters *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->slots[i].name, name) == 0) return &list->slots[i];
    return NULL;
}

/* Makes a slot at the end of the list, without counting it. Refuses a bad or a used name. */
static mass_status add_slot(mass_parameters *list, const char *name, uint32_t type,
                            mass_parameter_slot **out, mass_error *error)
{
    if (!mass_name_valid(name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' is not named by letters, digits and "
                              "'_' (at most 63)", name ? name : "");
    if (mass_parameters_find(list, name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' is declared twice", name);
    mass_parameter_slot *slots = realloc(list->slots, (list->count + 1) * sizeof *slots);
    if (!slots) return mass_error_memory(error, sizeof *slots, "a parameter");
    list->slots = slots;
    mass_parameter_slot *slot = &slots[list->count];
    memset(slot, 0, sizeof *slot);
    snprintf(slot->name, sizeof slot->name, "%s", name);
    slot->type = type;
    *out = slot;
    return MASS_OK;
}

/* Returns a copy, for NULL that of ""; NULL if memory is short. */
static char *copy_text(const char *text) { return strdup(text ? text : ""); }

/* Returns a copy, ended by NULL; NULL if memory is short. */
static char **copy_choices(const char *const *choices)
{
    size_t count = 0;
    while (choices[count]) count++;
    char **copy = calloc(count + 1, sizeof *copy);
    bool complete = copy != NULL;
    for (size_t i = 0; complete && i < count; i++) complete = (copy[i] = copy_text(choices[i])) != NULL;
    if (complete) return copy;
    for (size_t i = 0; copy && i < count; i++) free(copy[i]);
    free(copy);
    return NULL;
}

int mass_parameter_choice_index(const mass_parameter_slot *slot, const char *text)
{
    for (int i = 0; slot->choices && slot->choices[i]; i++)
        if (strcmp(slot->choices[i], text) == 0) return i;
    return -1;
}

/* Refuses a parameter's default that is outside its range or no choice: MASS_BAD_PLUGIN. */
static mass_status refuse_default(const mass_parameter_slot *slot, mass_error *error)
{
    char value[64], least[64] = "", most[64] = "";
    if (slot->type == MASS_CHOICE)
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' has the default '%s', which is not one of its "
                              "choices", slot->name, slot->text);
    if (slot->type == MASS_INTEGER) {
        snprintf(value, sizeof value, "%" PRId64, slot->integer);
        if (slot->integer_min > INT64_MIN) snprintf(least, sizeof least, "%" PRId64, slot->integer_min);
        if (slot->integer_max < INT64_MAX) snprintf(most, sizeof most, "%" PRId64, slot->integer_max);
    } else {
        snprintf(value, sizeof value, "%.15g", slot->real);
        if (slot->real_min > -HUGE_VAL) snprintf(least, sizeof least, "%.15g", slot->real_min);
        if (slot->real_max < HUGE_VAL) snprintf(most, sizeof most, "%.15g", slot->real_max);
    }
    if (!least[0] && !most[0])
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' has the default %s, which is not a number",
                              slot->name, value);
    return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' has the default %s, outside its range: %s%s%s%s",
                          slot->name, value, least[0] && most[0] ? "" : least[0] ? "at least " : "at most ", least,
                          least[0] && most[0] ? " to " : "", most);
}

mass_status mass_parameters_add(mass_parameters *parameters, const mass_parameter *p, mass_error *error)
{
    static const char *const no_list[] = {"", NULL};
    const uint32_t list = p->type == MASS_INTEGER_LIST ? MASS_INTEGER : p->type == MASS_REAL_LIST ? MASS_REAL : 0;
    if (p->type < MASS_INTEGER || p->type > MASS_REAL_LIST)
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' has unknown type %u",
                              p->name ? p->name : "", p->type);
    if (p->type == MASS_CHOICE && (!p->choices || !p->choices[0]))
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' is a choice without choices",
                              p->name ? p->name : "");
    if (list && (p->length < 1 || p->length > MASS_LIST_MAX))
        return mass_error_set(error, MASS_BAD_PLUGIN, "list '%s' has a length of %" PRIu64 ", not 1 to %d",
                              p->name ? p->name : "", p->length, MASS_LIST_MAX);
    if (((p->type == MASS_INTEGER || list == MASS_INTEGER) && p->integer_min > p->integer_max) ||
        ((p->type == MASS_REAL || list == MASS_REAL) && p->real_min > p->real_max))
        return mass_error_set(error, MASS_BAD_PLUGIN, "parameter '%s' has a range that ends before it begins: an "
                              "open end is INT64_MIN, INT64_MAX, -INFINITY or INFINITY", p->name ? p->name : "");
    mass_parameter_slot *slot;
    mass_status status = add_slot(parameters, p->name, list ? MASS_CHOICE : p->type, &slot, error);
    if (status != MASS_OK) return status;
    slot->list = list;
    slot->length = list ? p->length : 0;
    slot->by_step = list && p->by_step;
    slot->help = copy_text(p->help);
    slot->unit = copy_text(p->unit);
    slot->by_default = copy_text(p->by_default);
    slot->integer = p->integer;
    slot->integer_min = p->integer_min < p->integer_max ? p->integer_min : INT64_MIN;
    slot->integer_max = p->integer_min < p->integer_max ? p->integer_max : INT64_MAX;
    slot->real = p->real;
    slot->real_min = p->real_min < p->real_max ? p->real_min : -HUGE_VAL;
    slot->real_max = p->real_min < p->real_max ? p->real_max : HUGE_VAL;
    if (slot->type == MASS_CHOICE) slot->choices = copy_choices(list ? no_list : p->choices);
    slot->text = copy_text(list ? "" : p->text || p->type != MASS_CHOICE ? p->text : p->choices[0]);
    parameters->count++;
    if (!slot->help || !slot->unit || !slot->by_default || !slot->text ||
        (slot->type == MASS_CHOICE && !slot->choices))
        return mass_error_memory(error, sizeof *slot, "a parameter");
    const bool inside = p->type == MASS_INTEGER ? p->integer >= slot->integer_min && p->integer <= slot->integer_max
                      : p->type == MASS_REAL ? p->real >= slot->real_min && p->real <= slot->real_max
                      : p->type == MASS_CHOICE ? mass_parameter_choice_index(slot, slot->text) >= 0 : true;
    return inside ? MASS_OK : refuse_default(slot, error);
}

mass_status mass_parameters_add_constant(mass_parameters *list, const mass_constant *c, mass_error *error)
{
    if (c->type != MASS_INTEGER && c->type != MASS_REAL)
        return mass_error_set(error, MASS_BAD_PLUGIN, "constant '%s' is neither an integer nor a real",
                              c->name ? c->name : "");
    if (c->type == MASS_REAL && !isfinite(c->real))
        return mass_error_set(error, MASS_BAD_PLUGIN, "constant '%s' is not a finite number", c->name ? c->name : "");
    mass_parameter_slot *slot;
    mass_status status = add_slot(list, c->name, c->type, &slot, error);
    if (status != MASS_OK) return status;
    slot->constant = true;
    slot->integer = c->integer;
    slot->integer_min = INT64_MIN;
    slot->integer_max = INT64_MAX;
    slot->real = c->real;
    slot->real_min = -HUGE_VAL;
    slot->real_max = HUGE_VAL;
    slot->help = copy_text(NULL);
    slot->unit = copy_text(NULL);
    slot->by_default = copy_text(NULL);
    slot->text = copy_text(NULL);
    list->count++;
    const bool whole = slot->help && slot->unit && slot->by_default && slot->text;
    return whole ? MASS_OK : mass_error_memory(error, sizeof *slot, "a constant");
}

void mass_parameters_free(mass_parameters *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        mass_parameter_slot *slot = &list->slots[i];
        for (int c = 0; slot->choices && slot->choices[c]; c++) free(slot->choices[c]);
        free(slot->choices);
        free(slot->help);
        free(slot->unit);
        free(slot->by_default);
        free(slot->text);
        free(slot->swept);
    }
    free(list->slots);
    *list = (mass_parameters){0};
}

uint32_t mass_parameter_number(const mass_parameter_slot *slot) { return slot->list ? slot->list : slot->type; }

bool mass_parameter_has_least(const mass_parameter_slot *slot)
{
    const uint32_t type = mass_parameter_number(slot);
    return type == MASS_INTEGER ? slot->integer_min > INT64_MIN : type == MASS_REAL && slot->real_min > -HUGE_VAL;
}

bool mass_parameter_has_most(const mass_parameter_slot *slot)
{
    const uint32_t type = mass_parameter_number(slot);
    return type == MASS_INTEGER ? slot->integer_max < INT64_MAX : type == MASS_REAL && slot->real_max < HUGE_VAL;
}

const char *mass_parameter_range(const mass_parameter_slot *slot, char buffer[MASS_RANGE_SIZE])
{
    char least[32], most[32];
    if (mass_parameter_number(slot) == MASS_INTEGER) {
        snprintf(least, sizeof least, "%" PRId64, slot->integer_min);
        snprintf(most, sizeof most, "%" PRId64, slot->integer_max);
    } else {
        snprintf(least, sizeof least, "%.15g", slot->real_min);
        snprintf(most, sizeof most, "%.15g", slot->real_max);
    }
    const bool from = mass_parameter_has_least(slot), to = mass_parameter_has_most(slot);
    if (from && to) snprintf(buffer, MASS_RANGE_SIZE, "between %s and %s", least, most);
    else if (from) snprintf(buffer, MASS_RANGE_SIZE, "at least %s", least);
    else if (to) snprintf(buffer, MASS_RANGE_SIZE, "at most %s", most);
    else buffer[0] = '\0';
    return buffer;
}

uint64_t mass_parameter_bits(const mass_parameter_slot *slot)
{
    uint64_t bits = 0;
    if (slot->type == MASS_INTEGER) bits = (uint64_t)slot->integer;
    if (slot->type == MASS_REAL) memcpy(&bits, &slot->real, sizeof bits);
    if (slot->type == MASS_CHOICE) bits = (uint64_t)mass_parameter_choice_index(slot, slot->text);
    return bits;
}

uint64_t mass_parameter_bits_in(const mass_parameter_slot *slot, int32_t world)
{
    return slot->swept ? slot->swept[world] : mass_parameter_bits(slot);
}
