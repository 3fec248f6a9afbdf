/* SPDX-License-Identifier: Apache-2.0 */
/* --means: a table of the results of a sweep. It has the mean and the standard deviation over the worlds of each row.
 *
 *   row,seed,size,step,worlds,PARAMETER...,NAME.mean,NAME.deviation...
 *
 * A row is one of the sweep's table, or one of its combinations if a list or a range makes several. Names are tallies
 * of one number, and populations. Worlds without a value do not count; a deviation needs two worlds with one. In a
 * resumed run, consecutive worlds with the same parameters are a row. */
#ifndef MASS_ENGINE_REPORT_MEANS_H
#define MASS_ENGINE_REPORT_MEANS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Checks beforehand that the file may be written: its name ends in .csv, its folder exists, and the file does not
 * exist, unless `force`. MASS_BAD_USAGE if not. */
mass_status mass_means_check(const char *path, bool force, mass_error *error);

/* Writes the table from the --json objects of some runs of one model, one run after the other. The file appears
 * complete or not at all. */
mass_status mass_means_write(const char *path, bool force, char *const *objects, uint32_t count, mass_error *error);

#endif
