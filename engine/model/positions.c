/* SPDX-License-Identifier: Apache-2.0 */
#include "model/positions.h"

#include <mass/impl/points.h>
#include <math.h>
#include <string.h>

enum { STEPS_A_CELL = 256 }; /* floats that a cell has at least, along an axis */
static const double CELL_OF_FLOATS = 1e-30; /* the least edge of a cell, if positions are floats */

/* Returns the space of a population. */
static const mass_space_def *space_of(const mass_model *m, uint32_t population)
{
    return &m->spaces[m->populations[population].space];
}

/* Returns whether the positions of a population are floats, and not doubles. */
static bool is_of_floats(const mass_model *m, uint32_t population)
{
    return m->attributes[m->populations[population].position].type == MASS_F32;
}

mass_status mass_positions_declare(mass_model *m, uint32_t attribute, mass_error *error)
{
    const mass_attribute_def *a = &m->attributes[attribute];
    if (a->population < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has positions, and is none of agents: declare it "
                              "by MASS_POSITIONS", a->name);
    mass_population_def *p = &m->populations[a->population];
    const mass_space_def *s = &m->spaces[p->space];
    if (p->position >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' has positions twice: '%s' and '%s'", p->name,
                              m->attributes[p->position].name, a->name);
    if ((a->type != MASS_F32 && a->type != MASS_F64) || a->length != s->dimensions)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s': its positions are not %u numbers of type float "
                              "or double, as many as space '%s' has dimensions: MASS_POSITIONS(%s, %u, float)", p->name,
                              s->dimensions, s->name, p->name, s->dimensions);
    if (p->capacity)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' has positions, and a .capacity of %u: leave it "
                              "out, a cell of continuous space has any number of agents", p->name, p->capacity);
    p->position = (int)attribute;
    return MASS_OK;
}

/* Refuses a space at whose end neighbouring floats are far apart, for a population with positions of floats. */
static mass_status check_fineness(const mass_model *m, uint32_t population, mass_error *error)
{
    const mass_space_def *s = space_of(m, population);
    for (uint32_t a = 0; a < s->dimensions; a++) {
        const double length = (double)s->size[a] * s->cell;
        const float end = (float)length;
        const double apart = (double)end - (double)nextafterf(end, 0);
        if (is_of_floats(m, population) && !(isfinite(end) && s->cell >= CELL_OF_FLOATS &&
                                             apart <= s->cell / STEPS_A_CELL))
            return mass_error_set(error, MASS_BAD_USAGE, "population %s: space %s is %g long, where floats are too far "
                                  "apart for cells of %g: give it positions of double, or a smaller --size",
                                  m->populations[population].name, s->name, length, s->cell);
    }
    return MASS_OK;
}

/* Refuses a phase in turn that looks for agents within a distance, and meets those on the axes alone. The field of
 * WITHIN(birds) has the population's name. */
static mass_status check_shape(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; mass_phase_is_in_turn(p) && p->turn_scope.axes && i < p->callback->field_count; i++) {
        if (mass_phase_class(p, i) != MASS_CLASS_AGENTS) continue;
        const mass_attribute_def *a = &m->attributes[m->arrays[p->targets[i].index].attribute];
        const mass_population_def *of = &m->populations[a->population];
        if (of->position == (int)(a - m->attributes) && strcmp(p->callback->fields[i].name, of->name) == 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has WITHIN(%s), and the .shape of its phase is "
                                  "MASS_AXES, which leaves out agents that are not on an axis: leave .shape out",
                                  p->callback->name, of->name);
    }
    return MASS_OK;
}

/* Refuses fields that write positions. */
static mass_status check_fields(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_access_class class = mass_phase_class(p, i);
        if (class != MASS_CLASS_AGENTS && class != MASS_CLASS_REQUEST && class != MASS_CLASS_SPROUTS) continue;
        const mass_attribute_def *a = &m->attributes[m->arrays[p->targets[i].index].attribute];
        if (a->population < 0 || m->populations[a->population].position != (int)(a - m->attributes)) continue;
        if (mass_access_of(p->targets[i].access)->effect != MASS_EFFECT_READS)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has positions of population '%s' in %s: they "
                                  "are read, by READS, NEARBY or WITHIN, and change by MOVE_BY, CHILD_AT and BEAR_AT "
                                  "alone",
                                  p->callback->name, m->populations[a->population].name,
                                  mass_access_of(p->targets[i].access)->entry);
    }
    return MASS_OK;
}

mass_status mass_positions_check(mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    bool any = false;
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++) {
        const mass_population_def *p = &m->populations[i];
        if (p->position < 0) continue;
        any = true;
        m->arrays[m->attributes[p->position].first_array].child = p->children > 0;
        status = check_fineness(m, i, error);
    }
    for (uint32_t i = 0; any && status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].callback) {
            status = check_shape(m, &m->phases[i], error);
            if (status == MASS_OK) status = check_fields(m, &m->phases[i], error);
        }
    return status;
}

double mass_positions_coordinate(const mass_model *m, uint32_t population, const void *point, uint32_t axis)
{
    float single;
    double real;
    memcpy(&single, (const char *)point + axis * sizeof single, sizeof single);
    if (is_of_floats(m, population)) return (double)single;
    memcpy(&real, (const char *)point + axis * sizeof real, sizeof real);
    return real;
}

/* Is true if a coordinate is inside the space, in numbers of the population's type. */
static bool is_inside(const mass_model *m, uint32_t population, double v, uint32_t axis)
{
    const mass_space_def *s = space_of(m, population);
    const double length = (double)s->size[axis] * s->cell;
    return v >= 0 && (is_of_floats(m, population) ? (float)v < (float)length : v < length);
}

int mass_positions_find_place(const mass_model *m, uint32_t population, const void *point, int64_t *place)
{
    const mass_space_def *s = space_of(m, population);
    int64_t found = 0, stride = 1;
    for (uint32_t a = 0; a < s->dimensions; a++) {
        const double v = mass_positions_coordinate(m, population, point, a);
        if (!is_inside(m, population, v, a)) return (int)a;
        found += stride * mass_cell_along(v, s->cell, s->size[a]);
        stride *= s->size[a];
    }
    *place = found;
    return -1;
}

void mass_positions_in_places(const mass_model *m, uint32_t population, const void *points, uint64_t index,
                              double at[2])
{
    const mass_space_def *s = space_of(m, population);
    const char *const point =
        (const char *)points + index * mass_element_size(&m->attributes[m->populations[population].position]);
    for (uint32_t a = 0; a < 2; a++)
        at[a] = a < s->dimensions ? mass_positions_coordinate(m, population, point, a) / s->cell - 0.5 : 0;
}
