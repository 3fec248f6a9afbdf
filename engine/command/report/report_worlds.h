/* SPDX-License-Identifier: Apache-2.0 */
/* The tallies of several worlds as a table for people: a row for each world, of many worlds the first and the last. */
#ifndef MASS_ENGINE_REPORT_WORLDS_H
#define MASS_ENGINE_REPORT_WORLDS_H

#include "command/report/report.h"

enum { MASS_REPORT_NUMBER = 32 };

/* A tally that is one number, as the report has it: "171", "0.25", or "none" where nothing contributed to it, or it
 * has no value yet. Returns out. */
const char *mass_report_number(const mass_result *r, const mass_tally_def *t, int32_t world,
                               char out[MASS_REPORT_NUMBER]);

/* Whether the report has a tally at all: values outside of bins only where there are any, in one of the worlds. */
bool mass_report_has(const mass_result *r, const mass_tally_def *t);

/* The swept parameters and all tallies that are numbers, beside each other as far as 80 columns reach, the rest below;
 * one that is the same in all worlds has a line instead. Says where the worlds are that it leaves out. */
void mass_report_worlds(const mass_result *r);

#endif
