/* SPDX-License-Identifier: Apache-2.0 */
/* The tallies of several worlds as a table for people: a row for each world; for many worlds, the first and the
 * last. */
#ifndef MASS_ENGINE_REPORT_WORLDS_H
#define MASS_ENGINE_REPORT_WORLDS_H

#include "command/report/report.h"

enum { MASS_REPORT_NUMBER = 32 };

/* Writes a tally that is one number: "171", "0.25", or "none" if nothing contributed to it, or it has no value yet.
 * Returns out. */
const char *mass_report_number(const mass_result *r, const mass_tally_def *t, int32_t world,
                               char out[MASS_REPORT_NUMBER]);

/* Returns whether the report has a tally. Tallies of values outside of bins are left out if they are 0 in all
 * worlds. */
bool mass_report_has(const mass_result *r, const mass_tally_def *t);

/* Prints tables of the swept parameters and all tallies that are numbers. A table has as many columns as fit 80
 * characters; the others follow below. A tally that is the same in all worlds gets a line instead. Says where to find
 * the worlds that are left out. */
void mass_report_worlds(const mass_result *r);

#endif
