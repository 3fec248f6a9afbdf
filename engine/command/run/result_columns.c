/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/result_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns an integer member of a result; 0 if it has none. */
static json_int_t whole(const json_t *run, const char *name) { return json_integer_value(json_object_get(run, name)); }

/* Adds a column of this kind, called `name` and then `end`, with memory for `width` values of each world, which are
 * bins if `binned`. Returns NULL if memory is short. */
static mass_results_column *add(mass_result_columns *c, const char *name, const char *end, mass_results_kind kind,
                                uint32_t width, bool binned)
{
    mass_results_column *larger = realloc(c->list, (c->count + 1) * sizeof *larger);
    if (!larger) return NULL;
    c->list = larger;
    mass_results_column *column = &larger[c->count];
    const size_t values = c->rows * width + 1;
    *column = (mass_results_column){.kind = kind, .width = width, .binned = binned};
    if (asprintf(&column->name, "%s%s", name, end) < 0) return NULL;
    c->count++;
    if (kind == MASS_RESULTS_INTEGER) column->integers = calloc(values, sizeof *column->integers);
    else if (kind == MASS_RESULTS_REAL) column->reals = calloc(values, sizeof *column->reals);
    else column->texts = calloc(values, sizeof *column->texts);
    return column->integers || column->reals || column->texts ? column : NULL;
}

/* Adds a coordinate of integers: `from`, and more by `step` for each world. */
static bool add_integers(mass_result_columns *c, const char *name, int64_t from, int64_t step)
{
    mass_results_column *column = add(c, name, "", MASS_RESULTS_INTEGER, 1, false);
    if (column) column->coordinate = true;
    for (uint64_t w = 0; column && w < c->rows; w++) column->integers[w] = from + (int64_t)w * step;
    return column != NULL;
}

/* Returns whether there is a column of a name. */
static bool has(const mass_result_columns *c, const char *name)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i].name, name) == 0) return true;
    return false;
}

/* Adds the column of the rows of the table that the worlds are of; 0 without a sweep. Returns false if memory is
 * short. */
static bool add_rows(mass_result_columns *c, json_t *run)
{
    const json_t *rows = json_object_get(run, "sweep_rows");
    if (!add_integers(c, "row", 0, 0)) return false;
    for (uint64_t w = 0; w < c->rows; w++)
        c->list[c->count - 1].integers[w] = json_integer_value(json_array_get(rows, w));
    return true;
}

/* Adds a swept parameter as a coordinate, with its values of all worlds, as integers, reals or texts by the first one.
 * Returns false if memory is short. */
static bool add_parameter(mass_result_columns *c, const json_t *sweep, const char *name, const json_t *first)
{
    const mass_results_kind kind = json_is_integer(first) ? MASS_RESULTS_INTEGER
                                 : json_is_number(first)  ? MASS_RESULTS_REAL : MASS_RESULTS_TEXT;
    mass_results_column *column = add(c, name, "", kind, 1, false);
    if (column) column->coordinate = true;
    for (uint64_t w = 0; column && w < c->rows; w++) {
        const json_t *value = json_object_get(json_array_get(sweep, w), name);
        if (kind == MASS_RESULTS_INTEGER) column->integers[w] = json_integer_value(value);
        else if (kind == MASS_RESULTS_REAL) column->reals[w] = json_is_number(value) ? json_number_value(value) : NAN;
        else column->texts[w] = json_is_string(value) ? json_string_value(value) : "";
    }
    return column != NULL;
}

/* Returns a number of a result; NaN if there is no value. */
static double number(const json_t *value) { return json_is_number(value) ? json_number_value(value) : NAN; }

/* Adds a quantity that is a number or bins; leaves out others. If a column has its name, it gets "-result" at the
 * end. several: the value is an array over the rows. Returns false if memory is short. */
static bool add_quantity(mass_result_columns *c, const char *name, const json_t *value, bool several)
{
    const json_t *first = several ? json_array_get(value, 0) : value;
    const bool bins = json_is_array(first), one = json_is_number(first) || json_is_null(first);
    const size_t width = bins ? json_array_size(first) : 1;
    if ((!bins && !one) || (bins && width > 0 && !json_is_number(json_array_get(first, 0)) &&
                            !json_is_null(json_array_get(first, 0))))
        return true;
    mass_results_column *column = add(c, name, has(c, name) ? "-result" : "", MASS_RESULTS_REAL, (uint32_t)width, bins);
    for (uint64_t w = 0; column && w < c->rows; w++) {
        const json_t *own = several ? json_array_get(value, w) : value;
        for (size_t i = 0; i < width; i++)
            column->reals[w * width + i] = number(bins ? json_array_get(own, i) : own);
    }
    return column != NULL;
}

/* Adds all parameters, renamed if another column has the name; and all quantities. */
static bool add_values(mass_result_columns *c, json_t *run)
{
    const char *name;
    json_t *value;
    json_t *sweep = json_object_get(run, "sweep"), *tallies = json_object_get(run, "tallies");
    json_t *agents = json_object_get(run, "agents");
    bool good = true;
    json_object_foreach(json_array_get(sweep, 0), name, value) {
        const bool taken = has(c, name) || json_object_get(tallies, name) || json_object_get(agents, name);
        good = good && add_parameter(c, sweep, name, value);
        if (!good || !taken) continue;
        mass_results_column *column = &c->list[c->count - 1];
        char *longer;
        good = asprintf(&longer, "%s-parameter", name) >= 0;
        if (!good) continue;
        free(column->name);
        column->name = longer;
    }
    json_object_foreach(tallies, name, value)
        good = good && add_quantity(c, name, value, c->rows > 1);
    json_object_foreach(agents, name, value)
        if (!json_object_get(tallies, name)) good = good && add_quantity(c, name, value, c->rows > 1);
    return good;
}

mass_status mass_result_columns_make(json_t *run, int64_t first, mass_result_columns *out, mass_error *error)
{
    *out = (mass_result_columns){.rows = (uint64_t)whole(run, "worlds")};
    const bool good = add_integers(out, "number", first, 1) && add_rows(out, run) &&
                      add_integers(out, "world", whole(run, "first_world"), 1) &&
                      add_integers(out, "seed", whole(run, "seed"), 0) &&
                      add_integers(out, "step", whole(run, "steps"), 0) && add_values(out, run);
    return good ? MASS_OK : mass_error_memory(error, out->rows * sizeof(double), "results");
}

void mass_result_columns_free(mass_result_columns *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        free(c->list[i].name);
        free(c->list[i].integers);
        free(c->list[i].reals);
        free(c->list[i].texts);
    }
    free(c->list);
    *c = (mass_result_columns){0};
}
