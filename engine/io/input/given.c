/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/given.h"

#include <stdio.h>

/* The source of given values: loads, or the table of a population. */
typedef struct given {
    const mass_model *model;
    const mass_load *loads;
    uint32_t count;
    const mass_table *table; /* NULL: the source is loads */
    uint32_t population;
} given;

enum { WHAT_SIZE = MASS_NAME_SIZE + 40 };

/* Returns the first load that gives an array its values, or NULL. One of a whole attribute gives those of all its
 * components. */
static const mass_load *find_load(const given *g, const mass_array_def *a)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->loads[i].attribute == a->attribute &&
            (g->loads[i].component < 0 || (g->model->attributes[a->attribute].layout != MASS_INTERLEAVED &&
                                           (uint32_t)g->loads[i].component == a->component)))
            return &g->loads[i];
    return NULL;
}

/* Returns the name of the load or column that gives an array its values, or NULL. */
static const char *find(const given *g, uint32_t array)
{
    const mass_array_def *a = &g->model->arrays[array];
    if (!g->table) {
        const mass_load *load = find_load(g, a);
        return load ? load->name : NULL;
    }
    const mass_attribute_def *attribute = &g->model->attributes[a->attribute];
    const bool has = attribute->population == (int)g->population && g->table->values && g->table->values[a->attribute];
    return has ? attribute->name : NULL;
}

/* Describes an effect of a callback on an attribute, other than replacing the whole array: it writes or adds to some
 * of its values. NULL: none. */
static const char *other_effect(const mass_model *m, const mass_phase_def *p, uint32_t field, char what[WHAT_SIZE])
{
    const mass_target *t = &p->targets[field];
    const mass_access_traits *traits = mass_access_of(t->access);
    if (!mass_access_is_attribute(t->access, p->callback->over)) return NULL;
    if (!(traits->effect & (MASS_EFFECT_WRITES | MASS_EFFECT_ADDS)) || traits->buffer == MASS_BUFFER_NEW) return NULL;
    snprintf(what, WHAT_SIZE, "changes %s", m->attributes[m->arrays[t->index].attribute].name);
    return what;
}

/* Returns true if a manage phase at the start applies the requests of a population's agents. */
static bool is_managed(const mass_model *m, int population)
{
    for (uint32_t i = 0; population >= 0 && i < m->phase_count; i++)
        if (m->phases[i].schedule == MASS_START && !m->phases[i].callback && m->phases[i].population == population)
            return true;
    return false;
}

/* Returns the name of an array of the phase whose values are given, or NULL. Sets *other to another effect of the
 * phase, if it has one, and *way_out to advice. */
static const char *look_at(const given *g, const mass_phase_def *p, char what[WHAT_SIZE], const char **other,
                           const char **way_out)
{
    const char *first = NULL;
    *other = p->tallies ? "counts tallies" : NULL;
    *way_out = "the plugin has to count by another callback, which only READS it";
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const char *effect = other_effect(g->model, p, i, what);
        if (effect) *other = effect, *way_out = "the plugin has to do that by another callback";
        if (mass_access_of(p->targets[i].access)->buffer != MASS_BUFFER_NEW) continue;
        const char *name = find(g, p->targets[i].index);
        if (name) first = first ? first : name;
        else {
            const uint32_t attribute = g->model->arrays[p->targets[i].index].attribute;
            snprintf(what, WHAT_SIZE, "writes %s", g->model->attributes[attribute].name);
            *other = what;
            *way_out = g->table ? "give that a column, too" : "load that, too";
        }
    }
    if (first && !*other && p->callback->over == MASS_OVER_AGENTS && is_managed(g->model, p->population))
        *other = "may ask for moves", *way_out = "leave the column out";
    for (uint32_t k = 0; first && !*other && p->callback->over != MASS_OVER_AGENTS && k < p->population_count; k++)
        if (mass_phase_asks(p, p->populations[k]) && is_managed(g->model, (int)p->populations[k]))
            *other = "may ask agents to die or to have children",
            *way_out = "the plugin has to do that by another callback";
    return first;
}

/* Marks a phase as replaced if all it does is overwrite given values. MASS_BAD_USAGE if it also does more. by: what
 * gives them, for the message. */
static mass_status replace(const given *g, const char *by, mass_phase_def *p, mass_error *error)
{
    char what[WHAT_SIZE];
    const char *other, *way_out, *first = look_at(g, p, what, &other, &way_out);
    p->replaced |= first && !other;
    if (!first || !other) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "%s %s: callback %s of the start would overwrite it, and %s too, "
                          "so that it cannot be left out: %s", by, first, p->callback->name, other, way_out);
}

/* Marks the phases of the start that only overwrite given values as replaced. Skips callbacks over worlds. */
static mass_status replace_all(const given *g, const char *by, mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].schedule == MASS_START && m->phases[i].callback &&
            m->phases[i].callback->over != MASS_OVER_WORLDS)
            status = replace(g, by, &m->phases[i], error);
    return status;
}

mass_status mass_given_by_loads(const mass_load *loads, uint32_t count, mass_model *m, mass_error *error)
{
    const given g = {.model = m, .loads = loads, .count = count};
    return replace_all(&g, "--load", m, error);
}

mass_status mass_given_by_table(const mass_table *table, const char *path, uint32_t population, mass_model *m,
                                mass_error *error)
{
    const given g = {.model = m, .table = table, .population = population};
    char by[600];
    snprintf(by, sizeof by, "%.500s: column", path);
    return replace_all(&g, by, m, error);
}
