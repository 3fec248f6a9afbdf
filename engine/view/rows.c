/* SPDX-License-Identifier: Apache-2.0 */
#include "view/rows.h"
#include "process/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int32_t worlds_shown(int32_t worlds)
{
    return worlds < MASS_VIEW_WORLDS_MOST ? worlds : MASS_VIEW_WORLDS_MOST;
}

mass_status mass_view_rows_create(const mass_model *m, int32_t worlds, mass_view_rows *out, mass_error *error)
{
    mass_view_rows r = {.tallies = calloc(m->tally_count + 1, sizeof *r.tallies), .worlds = worlds_shown(worlds)};
    uint32_t words = 1;
    for (uint32_t i = 0; r.tallies && i < m->tally_count; i++) {
        const mass_tally_def *t = &m->tallies[i];
        if (t->hidden || mass_tally_values(t) != 1 || t->bins) continue;
        r.tallies[r.columns++] = i;
        if (t->words > words) words = t->words;
    }
    r.row = r.columns * (uint32_t)r.worlds;
    r.steps = malloc(MASS_VIEW_ROWS_MOST * sizeof *r.steps);
    r.values = malloc(MASS_VIEW_ROWS_MOST * (size_t)(r.row + 1) * sizeof *r.values);
    r.words = malloc(words * sizeof *r.words);
    const bool room = r.tallies && r.steps && r.values && r.words;
    if (room) *out = r;
    else mass_view_rows_free(&r);
    return room ? MASS_OK : mass_error_memory(error, MASS_VIEW_ROWS_MOST * (size_t)(r.row + 1) * sizeof *r.values,
                                              "--view");
}

void mass_view_rows_free(mass_view_rows *r)
{
    free(r->tallies);
    free(r->steps);
    free(r->values);
    free(r->words);
    *r = (mass_view_rows){0};
}

static const double INTERVAL = 0.2; /* from row to row, once there were too many */

static void thin(mass_view_rows *r)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->count; i += 2, left++) {
        r->steps[left] = r->steps[i];
        memmove(r->values + (size_t)left * r->row, r->values + (size_t)i * r->row, r->row * sizeof *r->values);
    }
    r->count = left;
    r->interval = r->interval > 0 ? 2 * r->interval : INTERVAL;
}

/* Where the next row goes: behind the last one, or in place of it where that came too soon. */
static void make_place(mass_view_rows *r)
{
    if (r->count == MASS_VIEW_ROWS_MOST) thin(r);
    if (r->count > 1 && r->last - r->kept < r->interval) r->count--;
    else r->kept = r->last;
    r->last = mass_seconds();
}

mass_status mass_view_rows_add(mass_view_rows *r, mass_domain *d, uint64_t step, mass_error *error)
{
    if (r->count && r->steps[r->count - 1] >= step) return MASS_OK;
    make_place(r);
    double *value = r->values + (size_t)r->count * r->row;
    for (uint32_t c = 0; c < r->columns; c++)
        for (int32_t world = 0; world < r->worlds; world++) {
            const mass_tally_def *t = &d->model->tallies[r->tallies[c]];
            const mass_status status = mass_domain_read_tally(d, r->tallies[c], world, 0, t->words, r->words, error);
            if (status != MASS_OK) return status;
            const bool none = mass_tally_is_unknown(t, step) || mass_tally_is_empty(t, r->words);
            *value++ = none ? NAN : mass_tally_value(t, r->words);
        }
    r->steps[r->count++] = step;
    return MASS_OK;
}
