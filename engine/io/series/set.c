/* SPDX-License-Identifier: Apache-2.0 */
/* The description of series: names, parameters and run. */
#include "base/memory_stream.h"
#include "io/checkpoint/layout.h"
#include "io/series/format.h"
#include "text/parameter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frees the columns and parameters; other members are borrowed or stay. */
void mass_series_set_free(mass_series_set *set)
{
    free(set->columns);
    set->columns = NULL;
    set->count = 0;
    mass_parameters_free(&set->parameters);
}

size_t mass_series_row_values(const mass_series_set *set)
{
    size_t values = 0;
    for (uint32_t i = 0; i < set->count; i++) values += mass_series_length(&set->columns[i]) * (size_t)set->worlds;
    return values;
}

mass_series_shape mass_series_shape_of(const mass_series_set *set, const mass_series_column *c, uint64_t rows)
{
    const hsize_t worlds = (hsize_t)set->worlds;
    if (!c) return (mass_series_shape){1, {rows}};
    const hsize_t length = mass_series_length(c);
    if (length == 1) return (mass_series_shape){2, {rows, worlds}};
    return worlds == 1 ? (mass_series_shape){2, {rows, length}} : (mass_series_shape){3, {rows, worlds, length}};
}

double mass_series_bin(const mass_series_column *c, uint32_t i)
{
    const double width = (c->hi - c->lo) / mass_series_length(c);
    return c->lo < c->hi ? c->lo + (i + 0.5) * width : i;
}

bool mass_series_same(const mass_series_set *a, const mass_series_set *b)
{
    if (a->count != b->count || a->every != b->every) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->columns[i].name, b->columns[i].name) != 0 ||
            strcmp(a->columns[i].expression, b->columns[i].expression) != 0)
            return false;
    return true;
}

void mass_series_parameter_name(const mass_series_set *set, const mass_parameter_slot *slot,
                                char out[MASS_SERIES_FULL_NAME])
{
    bool taken = strcmp(slot->name, "step") == 0 || strcmp(slot->name, "world") == 0;
    for (uint32_t i = 0; i < set->count; i++) taken |= strcmp(set->columns[i].name, slot->name) == 0;
    snprintf(out, MASS_SERIES_FULL_NAME, "%s%s", slot->name, taken ? MASS_SERIES_PARAMETER : "");
}

/* Prints a parameter and the bits of its value in each world, for a hash. */
static void describe_parameter(FILE *to, const mass_parameter_slot *p, int32_t worlds)
{
    char value[64];
    fprintf(to, "%s=%s\n", p->name, mass_parameter_format(p, value));
    for (int32_t w = 0; p->swept && w < worlds; w++) fprintf(to, "%llx\n", (unsigned long long)p->swept[w]);
}

mass_status mass_series_identify(const mass_model *m, const mass_inputs *inputs, uint64_t seed, int32_t worlds,
                                 int32_t first_world, mass_series_set *out, mass_error *error)
{
    char *text = NULL;
    size_t size = 0;
    snprintf(out->plugin, sizeof out->plugin, "%s", m->plugin);
    out->seed = seed;
    out->worlds = worlds;
    out->first_world = first_world;
    if (!mass_checkpoint_schema(m, out->schema)) return mass_error_memory(error, 1, "a run's description");
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return mass_error_memory(error, 1, "a run's description");
    fprintf(to, "%s %s %llu %d %d\n", m->plugin, out->schema, (unsigned long long)seed, worlds, first_world);
    for (uint32_t i = 0; i < m->space_count; i++)
        for (int a = 0; a < 3; a++) fprintf(to, "%lld ", (long long)m->spaces[i].size[a]);
    for (uint32_t i = 0; i < m->parameters.count; i++) describe_parameter(to, &m->parameters.slots[i], worlds);
    for (uint32_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->list[i].name, MASS_INPUT_PARAMETERS) != 0)
            fprintf(to, "%s:%s\n", inputs->list[i].name, inputs->list[i].hash);
    if (fclose(to) != 0) return mass_error_memory(error, 1, "a run's description");
    mass_checkpoint_hash_bytes(text, size, out->run);
    free(text);
    return mass_swept_copy(&m->parameters, &out->parameters, error);
}
