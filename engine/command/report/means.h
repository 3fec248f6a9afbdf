/* SPDX-License-Identifier: Apache-2.0 */
/* --means: a table of what the worlds of each row of a sweep came to, in the mean and with its standard deviation.
 *
 *   row,seed,size,step,worlds,PARAMETER...,NAME.mean,NAME.deviation...
 *
 * A row is one of the sweep's table, or where a list or a range makes several of it, one of those. Names are those of
 * tallies of one number and of populations. A world in which one has no value does not count; a deviation takes two
 * worlds that do. Of a resumed run, worlds that follow each other and have the same parameters are a row. */
#ifndef MASS_ENGINE_REPORT_MEANS_H
#define MASS_ENGINE_REPORT_MEANS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the file may be written, before there is anything to write: its name ends in .csv, its folder is there, and
 * it is not, unless `force`. */
mass_status mass_means_check(const char *path, bool force, mass_error *error);

/* Writes it from the objects of --json of some runs of one model, one behind the other. It appears complete or not at
 * all. */
mass_status mass_means_write(const char *path, bool force, char *const *objects, uint32_t count, mass_error *error);

#endif
