/* SPDX-License-Identifier: Apache-2.0 */
#include "view/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_AT_ONCE = 1 << 16 }; /* of all worlds that are read for those of the first */

mass_status mass_view_rows_create(const mass_model *m, mass_view_rows *out, mass_error *error)
{
    mass_view_rows r = {.tallies = calloc(m->tally_count + 1, sizeof *r.tallies)};
    for (uint32_t i = 0; r.tallies && i < m->tally_count; i++)
        if (!m->tallies[i].hidden && mass_tally_values(&m->tallies[i]) == 1 && !m->tallies[i].bins)
            r.tallies[r.columns++] = i;
    r.steps = malloc(MASS_VIEW_ROWS_MOST * sizeof *r.steps);
    r.values = malloc(MASS_VIEW_ROWS_MOST * (r.columns + 1) * sizeof *r.values);
    r.words = calloc(m->tally_words + 1, sizeof *r.words);
    const bool room = r.tallies && r.steps && r.values && r.words;
    if (room) *out = r;
    else mass_view_rows_free(&r);
    return room ? MASS_OK : mass_error_memory(error, MASS_VIEW_ROWS_MOST * sizeof *r.values, "--view");
}

void mass_view_rows_free(mass_view_rows *r)
{
    free(r->tallies);
    free(r->steps);
    free(r->values);
    free(r->words);
    *r = (mass_view_rows){0};
}

static mass_status read_all(mass_domain *d, int64_t *to, mass_error *error)
{
    const mass_model *m = d->model;
    const size_t worlds = (size_t)d->share.worlds;
    int64_t *all = malloc((size_t)(m->tally_words + 1) * worlds * sizeof *all);
    if (!all) return mass_error_memory(error, (size_t)m->tally_words * worlds * sizeof *all, "--view");
    const mass_status status = mass_domain_read_tallies(d, all, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++)
        memcpy(to + mass_tally_at(&m->tallies[i], 1, 0), all + mass_tally_at(&m->tallies[i], d->share.worlds, 0),
               m->tallies[i].words * sizeof *all);
    free(all);
    return status;
}

static mass_status read_words(mass_domain *d, int64_t *to, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    if (m->tally_words * (uint64_t)d->share.worlds <= WORDS_AT_ONCE) return read_all(d, to, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++) {
        const mass_tally_def *t = &m->tallies[i];
        if (t->words) status = mass_domain_read_tally(d, i, 0, 0, t->words, to + mass_tally_at(t, 1, 0), error);
    }
    return status;
}

static void thin(mass_view_rows *r)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->count; i += 2, left++) {
        r->steps[left] = r->steps[i];
        memmove(r->values + (size_t)left * r->columns, r->values + (size_t)i * r->columns,
                r->columns * sizeof *r->values);
    }
    r->count = left;
}

mass_status mass_view_rows_add(mass_view_rows *r, mass_domain *d, uint64_t step, mass_error *error)
{
    if (r->count && r->steps[r->count - 1] >= step) return MASS_OK;
    const mass_status status = read_words(d, r->words, error);
    if (status != MASS_OK) return status;
    if (r->count == MASS_VIEW_ROWS_MOST) thin(r);
    for (uint32_t c = 0; c < r->columns; c++) {
        const mass_tally_def *t = &d->model->tallies[r->tallies[c]];
        const int64_t *words = r->words + mass_tally_at(t, 1, 0);
        r->values[(size_t)r->count * r->columns + c] = mass_tally_is_empty(t, words) ? NAN : mass_tally_value(t, words);
    }
    r->steps[r->count++] = step;
    return MASS_OK;
}
