/* SPDX-License-Identifier: Apache-2.0 */
#include "view/rows.h"
#include "population/gather.h"
#include "state/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_WORDS = 1 << 15 /* most words for which all tallies are read at once */ };

/* ---- columns ---- */

/* Returns the smaller number. */
static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* Returns whether a column shows the tally of that name. */
static bool is_tallied(const mass_view_rows *r, const mass_model *m, const char *name)
{
    for (uint32_t c = 0; c < r->tally_count; c++)
        if (strcmp(m->tallies[r->tallies[c]].name, name) == 0) return true;
    return false;
}

/* Finds the tallies that are one number, and the populations whose size none of these counts. */
static void find_columns(mass_view_rows *r, const mass_model *m)
{
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].hidden && mass_tally_values(&m->tallies[i]) == 1 && !m->tallies[i].bins)
            r->tallies[r->tally_count++] = i;
    r->columns = r->tally_count;
    for (uint32_t p = 0; p < m->population_count; p++)
        if (m->populations[p].alive < 0 && !is_tallied(r, m, m->populations[p].name))
            r->populations[r->columns++ - r->tally_count] = p;
}

/* Returns the most words that one tally without bins has in a world. */
static uint32_t words_of_one(const mass_model *m)
{
    uint32_t words = 1;
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].bins && m->tallies[i].words > words) words = m->tallies[i].words;
    return words;
}

/* Sizes the rows for the domain and allocates them. Returns false if memory is short. */
static bool allocate(mass_view_rows *r, const mass_domain *d)
{
    const size_t worlds = (size_t)d->share.worlds, all = (size_t)d->model->tally_words * worlds;
    r->whole = all <= WHOLE_WORDS;
    r->worlds = least(d->share.worlds, MASS_VIEW_WORLDS_MOST);
    r->counted = r->whole ? least(d->share.worlds, MASS_VIEW_WORLDS_COUNTED) : r->worlds;
    r->pens = worlds > 1 ? (uint32_t)r->worlds + 3 : 1;
    r->row = r->columns * r->pens;
    r->most = worlds > 1 ? MASS_VIEW_ROWS_OF_WORLDS : MASS_VIEW_ROWS_MOST;
    r->steps = malloc(r->most * sizeof *r->steps);
    r->spans = malloc(r->most * (size_t)(r->row + 1) * sizeof *r->spans);
    r->words = malloc(((r->whole ? all : 0) + words_of_one(d->model)) * sizeof *r->words);
    r->sizes = malloc(worlds * sizeof *r->sizes);
    r->now = malloc((size_t)r->counted * sizeof *r->now);
    return r->steps && r->spans && r->words && r->sizes && r->now;
}

mass_status mass_view_rows_create(const mass_domain *d, uint64_t first, mass_view_rows *out, mass_error *error)
{
    const mass_model *m = d->model;
    mass_view_rows r = {.tallies = calloc(m->tally_count + 1, sizeof *r.tallies),
                        .populations = calloc(m->population_count + 1, sizeof *r.populations), .first = first,
                        .width = 1};
    const bool room = r.tallies && r.populations;
    if (room) find_columns(&r, m);
    if (room && allocate(&r, d)) {
        *out = r;
        return MASS_OK;
    }
    mass_view_rows_free(&r);
    return mass_error_memory(error, r.most * (size_t)(r.row + 1) * sizeof *r.spans, "--view");
}

void mass_view_rows_free(mass_view_rows *r)
{
    free(r->tallies);
    free(r->populations);
    free(r->steps);
    free(r->spans);
    free(r->words);
    free(r->sizes);
    free(r->now);
    r->tallies = r->populations = NULL;
    r->steps = r->sizes = NULL;
    r->spans = NULL;
    r->words = NULL;
    r->now = NULL;
}

/* ---- rows ---- */

/* Returns the number of the row that contains a step. */
static uint64_t number_of(const mass_view_rows *r, uint64_t step) { return (step - r->first) / r->width; }

/* Joins the values of a later row to those of `to`: least, greatest and last. */
static void widen(mass_view_span *to, const mass_view_span *later)
{
    if (!(to->low <= later->low)) to->low = isnan(later->low) ? to->low : later->low;
    if (!(to->high >= later->high)) to->high = isnan(later->high) ? to->high : later->high;
    to->last = later->last;
}

/* Doubles the width, in steps, and joins the rows that get the same number. A joined row has the later step, and the
 * least and greatest values of both. */
static void thin(mass_view_rows *r)
{
    uint32_t left = 0;
    r->width *= 2;
    for (uint32_t i = 0; i < r->count; i++) {
        const bool joins = left > 0 && number_of(r, r->steps[left - 1]) == number_of(r, r->steps[i]);
        mass_view_span *from = r->spans + (size_t)i * r->row, *to = r->spans + (size_t)(left - joins) * r->row;
        for (uint32_t k = 0; joins && k < r->row; k++) widen(&to[k], &from[k]);
        if (!joins && to != from) memmove(to, from, r->row * sizeof *to);
        left += !joins;
        r->steps[left - 1] = r->steps[i];
    }
    r->count = left;
}

/* Returns the row of a later step. *begins: the row is new and empty. If there is no room for a new row, it thins
 * the others first. Notes steps that were left out. */
static mass_view_span *row_for(mass_view_rows *r, uint64_t step, bool *begins)
{
    *begins = !r->count || number_of(r, r->steps[r->count - 1]) != number_of(r, step);
    r->gaps |= r->count && r->steps[r->count - 1] + 1 < step;
    while (*begins && r->count == r->most) {
        thin(r);
        *begins = number_of(r, r->steps[r->count - 1]) != number_of(r, step);
    }
    r->count += *begins;
    r->steps[r->count - 1] = step;
    return r->spans + (size_t)(r->count - 1) * r->row;
}

/* Sets a value in a row that begins, or joins it to the row's values: least, greatest and last. */
static void put(mass_view_span *to, double value, bool begins)
{
    const mass_view_span one = {value, value, value};
    if (begins) *to = one;
    else widen(to, &one);
}

/* Adds the mean, the lowest and the highest over the worlds that have a value, NaN if none has, to three pens from `to`
 * on. begins: the row is new. */
static void put_band(mass_view_span *to, const double *now, int32_t count, bool begins)
{
    double sum = 0, low = NAN, high = NAN;
    int32_t there = 0;
    for (int32_t w = 0; w < count; w++) {
        if (isnan(now[w])) continue;
        sum += now[w];
        there++;
        if (!(low <= now[w])) low = now[w];
        if (!(high >= now[w])) high = now[w];
    }
    put(&to[0], there ? sum / there : NAN, begins);
    put(&to[1], low, begins);
    put(&to[2], high, begins);
}

/* Adds r->now to the pens of a column: one for each world and, if there are several worlds, the band of all. begins:
 * the row is new. */
static void put_column(const mass_view_rows *r, mass_view_span *to, bool begins)
{
    for (int32_t w = 0; w < r->worlds; w++) put(&to[w], r->now[w], begins);
    if (r->pens > 1) put_band(to + r->worlds, r->now, r->counted, begins);
}

/* ---- a step ---- */

/* Returns a tally's value; NaN: it has none at this step. */
static double value_of(const mass_tally_def *t, uint64_t step, const int64_t *words)
{
    return mass_tally_is_unknown(t, step) || mass_tally_is_empty(t, words) ? NAN : mass_tally_value(t, words);
}

/* Returns whether a step is after all rows. */
static bool is_later(const mass_view_rows *r, uint64_t step) { return !r->count || r->steps[r->count - 1] < step; }

/* Adds the sizes of populations, as the domain has them between steps. */
static mass_status put_sizes(mass_view_rows *r, mass_domain *d, mass_view_span *row, bool begins, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t c = r->tally_count; status == MASS_OK && c < r->columns; c++) {
        status = mass_population_count_worlds(d, mass_view_rows_population(r, c), r->sizes, error);
        for (int32_t w = 0; status == MASS_OK && w < r->counted; w++) r->now[w] = (double)r->sizes[w];
        if (status == MASS_OK) put_column(r, row + (size_t)c * r->pens, begins);
    }
    return status;
}

/* Adds tallies of a step to its row. */
static void put_tallies(mass_view_rows *r, const mass_domain *d, uint64_t step, const int64_t *tallies,
                        mass_view_span *row, bool begins)
{
    for (uint32_t c = 0; c < r->tally_count; c++) {
        const mass_tally_def *t = &d->model->tallies[r->tallies[c]];
        for (int32_t w = 0; w < r->counted; w++)
            r->now[w] = value_of(t, step, tallies + mass_tally_at(t, d->share.worlds, w));
        put_column(r, row + (size_t)c * r->pens, begins);
    }
}

/* Adds tallies that are too many to be read at once, world by world. After a failure the row lacks the rest, or
 * keeps those of the steps before. */
static mass_status put_each(mass_view_rows *r, mass_domain *d, uint64_t step, mass_view_span *row, bool begins,
                            mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t c = 0; status == MASS_OK && c < r->tally_count; c++) {
        const mass_tally_def *t = &d->model->tallies[r->tallies[c]];
        for (int32_t w = 0; status == MASS_OK && w < r->counted; w++) {
            status = mass_domain_read_tally(d, r->tallies[c], w, 0, t->words, r->words, error);
            r->now[w] = status == MASS_OK ? value_of(t, step, r->words) : NAN;
        }
        if (status == MASS_OK) put_column(r, row + (size_t)c * r->pens, begins);
    }
    return status;
}

mass_status mass_view_rows_add(mass_view_rows *r, mass_domain *d, uint64_t step, mass_error *error)
{
    bool begins;
    if (!is_later(r, step)) return MASS_OK;
    mass_status status = r->whole ? mass_domain_read_tallies(d, r->words, error) : MASS_OK;
    if (status != MASS_OK) return status;
    mass_view_span *row = row_for(r, step, &begins);
    if (r->whole) put_tallies(r, d, step, r->words, row, begins);
    else status = put_each(r, d, step, row, begins, error);
    if (status == MASS_OK) status = put_sizes(r, d, row, begins, error);
    if (status != MASS_OK && begins) r->count--;
    return status;
}

/* Only for models without agents: tallies come later than their step, but the domain has only its current agents. */
void mass_view_rows_put(mass_view_rows *r, const mass_domain *d, uint64_t step, const int64_t *tallies)
{
    bool begins;
    if (!is_later(r, step)) return;
    mass_view_span *row = row_for(r, step, &begins);
    put_tallies(r, d, step, tallies, row, begins);
    for (int32_t w = 0; w < r->counted; w++) r->now[w] = NAN;
    for (uint32_t c = r->tally_count; c < r->columns; c++) put_column(r, row + (size_t)c * r->pens, begins);
}
