/* SPDX-License-Identifier: Apache-2.0 */
/* Services that read parameters and the sizes of spaces. */
#include "plugin/services.h"
#include "model/list.h"
#include "text/parameter.h"

#include <mass/impl/points.h>
#include <stdlib.h>
#include <string.h>

/* Returns a parameter by its name, if it fits the requested type; else NULL with an error. While load runs, a swept one
 * is returned, but sets an error, too. fits NULL: of any type. what: the type, for messages. */
static mass_parameter_slot *find_value(mass_host *host, const char *name, bool (*fits)(const mass_parameter_slot *),
                                       const char *what)
{
    mass_parameter_slot *slot = name ? mass_parameters_find(&self(host)->model->parameters, name) : NULL;
    if (slot && slot->swept && self(host)->loading)
        mass_error_set(self(host)->error, MASS_BAD_USAGE, "parameter %s cannot be swept: what it says is read once for "
                       "all worlds", name);
    if (slot && (!fits || fits(slot))) return slot;
    mass_error_set(self(host)->error, MASS_BAD_PLUGIN, "it asks for %s parameter '%s', which it did not declare",
                   what, name ? name : "");
    return NULL;
}

/* Types of parameters, for find_value. A choice is both an integer and a text. */
static bool is_choice(const mass_parameter_slot *s) { return s->type == MASS_CHOICE && !s->list; }
static bool is_integer(const mass_parameter_slot *s) { return s->type == MASS_INTEGER || is_choice(s); }
static bool is_real(const mass_parameter_slot *s) { return s->type == MASS_REAL; }
static bool is_text(const mass_parameter_slot *s) { return s->type == MASS_TEXT || is_choice(s); }
static bool is_list(const mass_parameter_slot *s) { return s->list != 0; }
static bool is_integer_list(const mass_parameter_slot *s) { return s->list == MASS_INTEGER; }
static bool is_real_list(const mass_parameter_slot *s) { return s->list == MASS_REAL; }

/* Returns an integer, or the index of a choice; 0, with an error set, if there is no such parameter. */
static int64_t value_integer(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_integer, "integer");
    return slot ? (int64_t)mass_parameter_bits(slot) : 0;
}

/* Returns a real; 0, with an error set, if there is no such parameter. */
static double value_real(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_real, "real");
    return slot ? slot->real : 0;
}

/* Returns a text or choice; "", with an error set, if there is no such parameter. */
static const char *value_text(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_text, "text");
    return slot ? slot->text : "";
}

/* Returns whether the parameter was set, by the user or by value_set_text; 0, with an error set, if there is none. */
static int value_given(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, NULL, "a");
    return slot && slot->given;
}

/* Sets a parameter that is a text or a choice, which open alone may do. value NULL: it stays. */
static mass_status value_set_text(mass_host *host, const char *name, const char *value)
{
    mass_parameter_slot *slot = find_value(host, name, is_text, "text");
    if (self(host)->domain)
        return mass_error_set(self(host)->error, MASS_BAD_PLUGIN, "it sets parameter '%s' after open",
                              name ? name : "");
    return slot && value ? mass_parameter_set(slot, value, self(host)->error) : self(host)->error->status;
}

/* Sets *dimensions and size[3] to those of a declared space. Refuses another one. */
static mass_status value_size(mass_host *host, const char *space, mass_gidx size[3], uint32_t *dimensions)
{
    mass_engine_host *h = self(host);
    const int index = mass_model_find_space(h->model, space);
    if (index < 0)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for the size of space '%s', which it did not "
                              "declare", space ? space : "");
    memcpy(size, h->model->spaces[index].size, sizeof h->model->spaces[index].size);
    *dimensions = h->model->spaces[index].dimensions;
    return MASS_OK;
}

/* Returns the number of values of a list; 0, with an error set, if there is no such list. */
static uint64_t value_count(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_list, "list");
    return slot ? mass_list_count(slot->text) : 0;
}

/* Returns the bits of a value of a list, 0 beyond the last, or if slot is NULL. */
static uint64_t bits_at(mass_host *host, const mass_parameter_slot *slot, uint64_t i)
{
    const uint64_t count = slot ? mass_list_count(slot->text) : 0;
    uint64_t *values = i < count ? malloc(count * sizeof *values) : NULL, bits = 0;
    if (i >= count) return 0;
    if (!values) return mass_error_memory(self(host)->error, count * sizeof *values, "a list"), 0;
    mass_list_values(slot, slot->text, values);
    bits = values[i];
    free(values);
    return bits;
}

/* Returns value i of a list of integers; 0 beyond the last, and, with an error set, if there is no such list. */
static int64_t value_integer_at(mass_host *host, const char *name, uint64_t i)
{
    return (int64_t)bits_at(host, find_value(host, name, is_integer_list, "integer list"), i);
}

/* Returns value i of a list of reals; 0 beyond the last, and, with an error set, if there is no such list. */
static double value_real_at(mass_host *host, const char *name, uint64_t i)
{
    const uint64_t bits = bits_at(host, find_value(host, name, is_real_list, "real list"), i);
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

/* Returns a declared space's extent along an axis, 1 above its dimensions; 1, with an error set, if there is none. */
static mass_gidx value_extent(mass_host *host, const char *space, uint32_t axis)
{
    mass_engine_host *h = self(host);
    const int index = mass_model_find_space(h->model, space);
    const mass_space_def *s = index >= 0 ? &h->model->spaces[index] : NULL;
    if (s && axis < 3) return axis < s->dimensions ? s->size[axis] : 1;
    if (index < 0)
        mass_error_set(h->error, MASS_BAD_PLUGIN, "EXTENT(%s, %u): there is no such space above it: declare the space "
                       "first", space ? space : "", axis);
    else
        mass_error_set(h->error, MASS_BAD_PLUGIN, "EXTENT(%s, %u): the axes are 0 to 2, for x, y and z", space, axis);
    return 1;
}

/* Returns how many places away an agent at a distance may stand, rounded up, and at least 1, since no phase has a reach
 * of 0. Sets an error, and returns 1, if the space is not declared yet, or if these are not 0 to MOST places. */
static int32_t value_cells(mass_host *host, const char *space, double distance)
{
    enum { MOST = 1024 };
    mass_engine_host *h = self(host);
    const int index = mass_model_find_space(h->model, space);
    const int64_t cells = index >= 0 ? mass_cells_within(distance, h->model->spaces[index].cell, MOST) : -1;
    if (cells >= 0 && cells <= MOST) return cells ? (int32_t)cells : 1; /* bodies that look for others need a reach */
    if (index < 0)
        mass_error_set(h->error, MASS_BAD_PLUGIN, "CELLS(%s, %g): there is no such space above it: declare the space "
                       "first", space ? space : "", distance);
    else
        mass_error_set(h->error, MASS_BAD_USAGE, "CELLS(%s, %g): with cells of %g, that is not a distance of 0 to %d "
                       "cells", space, distance, h->model->spaces[index].cell, (int)MOST);
    return 1;
}

/* Returns whether the run goes on from a checkpoint. */
static int value_resumed(mass_host *host) { return self(host)->opening->resumed; }

const mass_values_table mass_host_values_table = {sizeof mass_host_values_table, value_integer, value_real, value_text,
    value_given, value_set_text, value_size, value_resumed, value_integer_at, value_real_at, value_count, value_extent,
    value_cells};
