/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders of the runs of a sweep, each its own: out/run-1, rows-1.csv, picture-1.png. */
#ifndef MASS_ENGINE_SWEEP_FILES_H
#define MASS_ENGINE_SWEEP_FILES_H

#include "command/options/options.h"

enum { MASS_SWEEP_FILES = 5 };

/* Gives the options the names of one run, which are in memory of *texts, and the caller's to free, also on failure. */
mass_status mass_sweep_files_name(mass_options *o, char *texts[MASS_SWEEP_FILES], mass_error *error);

/* Makes the folders that those of the runs are in, in folders that are there; another failure is left to the runs. */
void mass_sweep_files_make_folders(const mass_options *o);

#endif
