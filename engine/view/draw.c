/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing while the run is paused: a viewer sets places to a value, as events of the run (io/input/events.h). */
#include "text/json.h"
#include "view/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 20000 };

json_t *mass_view_brushes_json(const mass_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        char name[2 * MASS_NAME_SIZE + 16];
        if (!mass_event_suits(a)) continue;
        snprintf(name, sizeof name, "%s.%s", m->spaces[a->space].name, a->name);
        const bool bit = a->type == MASS_BIT;
        json_array_append_new(list, json_pack("{s:s, s:b, s:o, s:o}", "attribute", name, "real",
                                              mass_number_is_real(a->type), "least",
                                              bit ? json_integer(0) : a->ranged ? mass_view_number(a->least)
                                                                                : json_null(),
                                              "most", bit ? json_integer(1) : a->ranged ? mass_view_number(a->most)
                                                                                        : json_null()));
    }
    return list;
}

/* Returns the facts of the run by which events are checked. */
static mass_events_of run_of(const mass_view *v)
{
    return (mass_events_of){v->plan.model, v->domain->share.worlds, v->domain->share.first_world};
}

/* Reads a number, or a text with one that JavaScript cannot store. Returns false for anything else. */
static bool read_value(const json_t *value, mass_number *out)
{
    const char *text = json_string_value(value);
    if (text) return mass_number_read(text, false, out) || mass_number_read(text, true, out);
    if (json_is_real(value)) *out = (mass_number){.kind = MASS_NUMBER_REAL, .f = json_real_value(value)};
    else if (json_is_integer(value)) *out = (mass_number){.kind = MASS_NUMBER_SIGNED, .i = json_integer_value(value)};
    return json_is_number(value);
}

/* Reads x, y and z; those left out are 0. Returns false if they are no list of whole numbers. */
static bool read_place(const json_t *place, mass_event *e)
{
    const size_t axes = json_array_size(place);
    if (axes < 1 || axes > 3) return false;
    for (size_t k = 0; k < 3; k++) {
        const json_t *at = k < axes ? json_array_get(place, k) : NULL;
        if (at && !json_is_integer(at)) return false;
        e->at[k] = at ? json_integer_value(at) : 0;
    }
    return true;
}

/* Reads what all places get: attribute, value, and world, 0 if it is not given. A world that no run can have becomes
 * -1. */
static mass_status read_brush(const mass_view *v, const json_t *o, mass_event *e, mass_error *error)
{
    const char *name = json_string_value(json_object_get(o, "attribute"));
    const json_t *world = json_object_get(o, "world");
    mass_number value;
    if (!name || !read_value(json_object_get(o, "value"), &value) || (world && !json_is_integer(world)))
        return mass_error_set(error, MASS_BAD_USAGE, "draw needs attribute, a text, value, a number, and places; world "
                              "is a whole number");
    const json_int_t number = json_integer_value(world);
    e->world = number < 0 || number > INT32_MAX ? -1 : (int32_t)number;
    const mass_status status = mass_event_name(v->plan.model, name, e, error);
    return status == MASS_OK ? mass_event_value(v->plan.model, value, e, error) : status;
}

/* Makes an event for each place, a copy of `brush`, and checks that the place exists. */
static mass_status read_places(const mass_view *v, const json_t *places, const mass_event *brush, mass_event *out,
                               mass_error *error)
{
    const mass_events_of of = run_of(v);
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && i < json_array_size(places); i++) {
        out[i] = *brush;
        if (!read_place(json_array_get(places, i), &out[i]))
            return mass_error_set(error, MASS_BAD_USAGE, "places are lists of one to three whole numbers");
        status = mass_event_place(&of, &out[i], error);
    }
    return status;
}

/* Sets all places of an order to its value, or none if any is wrong. Refuses unless the run is paused. */
static mass_status draw(mass_view *v, const json_t *o, mass_error *error)
{
    const json_t *places = json_object_get(o, "places");
    const size_t count = json_array_size(places);
    mass_event brush = {0};
    if (v->phase != MASS_VIEW_PAUSED)
        return mass_error_set(error, MASS_BAD_USAGE, "places are drawn while the run is paused: pause it first");
    if (count == 0 || count > PLACES_MOST)
        return mass_error_set(error, MASS_BAD_USAGE, "draw takes from 1 to %d places", PLACES_MOST);
    mass_status status = read_brush(v, o, &brush, error);
    if (status != MASS_OK) return status;
    mass_event *list = calloc(count, sizeof *list);
    if (!list) return mass_error_memory(error, count * sizeof *list, "places");
    status = read_places(v, places, &brush, list, error);
    if (status == MASS_OK) status = v->plan.draw(v->plan.drawer, list, count, &v->plan.command, error);
    if (status == MASS_OK) v->redrawn = true;
    free(list);
    return status;
}

const char *mass_view_draw(mass_view *v, const json_t *o)
{
    static mass_error error; /* static, as its text is returned */
    error = (mass_error){0};
    return draw(v, o, &error) == MASS_OK ? NULL : error.text;
}
