/* SPDX-License-Identifier: Apache-2.0 */
/* Series that a run keeps in memory: adds their rows, and hands them over. */
#include "library/run.h"
#include "io/series/row.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more row than `count`. On failure the rows so far stay. */
static mass_status make_room(mass_rows *r, uint64_t count, mass_error *error)
{
    if (count < r->room) return MASS_OK;
    const uint64_t room = 2 * r->room + 64;
    uint64_t *steps = realloc(r->steps, room * sizeof *steps);
    if (steps) r->steps = steps;
    double *values = realloc(r->values, (room * r->row + 1) * sizeof *values);
    if (values) r->values = values;
    if (!steps || !values) return mass_error_memory(error, room * (r->row + 1) * sizeof *values, "a series");
    r->room = room;
    return MASS_OK;
}

mass_status mass_library_add_row(mass_engine *run, uint64_t step, const int64_t *tallies, mass_error *error)
{
    mass_rows *r = &run->rows;
    const uint64_t count = run->now.rows;
    if (r->every == 0 || step % r->every != 0 || (count > 0 && r->steps[count - 1] >= step)) return MASS_OK;
    mass_status status = make_room(r, count, error);
    if (status == MASS_OK && !tallies) status = mass_domain_read_tallies(run->session.domain, r->tallies, error);
    if (status != MASS_OK) return status;
    mass_series_fill_row(&r->series.set, r->series.programs, &run->session.model, tallies ? tallies : r->tallies, step,
                         r->values + count * r->row);
    r->steps[count] = step;
    run->now.rows++;
    return MASS_OK;
}

void mass_library_free_rows(mass_rows *r)
{
    mass_run_series_free(&r->series);
    free(r->columns);
    free(r->steps);
    free(r->values);
    free(r->tallies);
    *r = (mass_rows){0};
}

/* Describes the columns for the program, and counts the values of a row in r->row, which is 0 before. */
static mass_status describe(mass_rows *r, mass_error *error)
{
    const mass_series_set *set = &r->series.set;
    r->columns = calloc(set->count + 1, sizeof *r->columns);
    if (!r->columns) return mass_error_memory(error, set->count * sizeof *r->columns, "a series");
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t length = mass_series_length(&set->columns[i]);
        r->columns[i] = (mass_engine_column){set->columns[i].name, set->columns[i].unit, r->row, length};
        r->row += (uint64_t)length * (uint64_t)set->worlds;
    }
    return MASS_OK;
}

/* Compiles the series, and makes the memory for the tallies of a step. Sets all of *out, {0} before, but steps and
 * values. The caller frees *out, on failure too. */
static mass_status collect(mass_engine *run, const char *const *series, size_t count, uint64_t every, mass_rows *out,
                           mass_error *error)
{
    const mass_session *s = &run->session;
    const mass_options o = {.logs = (char **)(uintptr_t)series, .log_count = (uint32_t)count, .log_every = every,
                            .log_every_given = true};
    out->every = every;
    out->series.set.worlds = mass_session_worlds(s);
    out->series.set.first_world = s->domain->first_world;
    mass_status status = mass_run_series_collect(&o, &s->model, &out->series, error);
    if (status == MASS_OK) status = describe(out, error);
    if (status != MASS_OK) return status;
    out->tallies = malloc((s->model.tally_words + 1) * (size_t)out->series.set.worlds * sizeof *out->tallies);
    return out->tallies ? MASS_OK : mass_error_memory(error, s->model.tally_words * sizeof(int64_t), "a series");
}

int mass_engine_log(mass_engine *run, const char *const *series, size_t count, uint64_t every)
{
    mass_error error;
    mass_rows rows = {0};
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    run->rows.every = 0;
    if (every == 0) return mass_library_leave(run, MASS_OK, &error);
    mass_status status = collect(run, series, count, every, &rows, &error);
    if (status == MASS_OK) {
        mass_library_free_rows(&run->rows);
        run->rows = rows;
        run->now.rows = 0;
        status = mass_library_add_row(run, run->session.run->step, NULL, &error);
    } else mass_library_free_rows(&rows);
    return mass_library_leave(run, status, &error);
}

int mass_engine_series_of(mass_engine *run, mass_engine_series *out)
{
    mass_error error;
    const int entered = mass_library_enter_here(run, &error);
    if (entered != MASS_OK) return entered;
    const mass_rows *r = &run->rows;
    *out = (mass_engine_series){.columns = r->columns, .column_count = r->series.set.count, .rows = run->now.rows,
                                .row_values = r->row, .steps = r->steps, .values = r->values};
    return mass_library_leave(run, MASS_OK, &error);
}
