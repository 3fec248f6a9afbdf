/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies whose values bodies read (TOTALS). Main thread. */
#ifndef MASS_ENGINE_TOTAL_H
#define MASS_ENGINE_TOTAL_H

#include "model/model.h"

/* Finds the tally of a field that reads it, and checks the field's type. Sets *out. Marks the tally as read, and as
 * needed in every step. */
mass_status mass_total_resolve(mass_model *m, const mass_phase_def *p, const mass_field *f, mass_target *out,
                               mass_error *error);

/* Checks that every tally that is read is counted, and has a value before that. Once all phases are resolved. */
mass_status mass_totals_check(const mass_model *m, mass_error *error);

/* Returns whether a phase counts a tally: its callback adds to it, or it is .born, .died, .unborn or .alive of a
 * population whose requests the phase applies (mass_phase_applies). Fields are resolved. */
bool mass_phase_counts(const mass_model *m, const mass_phase_def *p, uint32_t tally);
/* Returns whether a phase counts a tally that a body reads. */
bool mass_phase_counts_any_read(const mass_model *m, const mass_phase_def *p);

#endif
