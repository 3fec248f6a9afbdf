/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series/row.h"

#include <math.h>

/* Computes the values of a column in one world: one, or all bins of a tally with bins. */
static void fill_values(const mass_model *m, const mass_expression *e, const int64_t *tallies, int32_t worlds,
                        int32_t world, uint64_t step, uint32_t length, double *to)
{
    const mass_instruction *i = e->program;
    if (i->bin != MASS_ALL_BINS) {
        *to = mass_evaluate(i, e->count, tallies, worlds, world, step, NULL);
        return;
    }
    const int64_t *bins = tallies + mass_tally_at(&m->tallies[i->index], worlds, world);
    for (uint32_t k = 0; k < length; k++) to[k] = i->late && step == 0 ? NAN : mass_number_of_tally(i, bins + k);
}

void mass_series_fill_row(const mass_series_set *set, const mass_expression *programs, const mass_model *m,
                          const int64_t *tallies, uint64_t step, double *row)
{
    double *to = row;
    for (uint32_t c = 0; c < set->count; c++) {
        const uint32_t length = mass_series_length(&set->columns[c]);
        for (int32_t w = 0; w < set->worlds; w++, to += length)
            fill_values(m, &programs[c], tallies, set->worlds, w, step, length, to);
    }
}
