/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files and folders for each run of a sweep: out/run-1, rows-1.csv, picture-1.png. */
#ifndef MASS_ENGINE_SWEEP_FILES_H
#define MASS_ENGINE_SWEEP_FILES_H

#include "command/options/options.h"

enum { MASS_SWEEP_FILES = 7 + MASS_POPULATIONS_MAX };

/* Sets the options to the names of run o->sweep_run. Names that are not given stay NULL. Their memory is in texts[],
 * NULL before, which the caller frees, also on failure. */
mass_status mass_sweep_files_name(mass_options *o, char *texts[MASS_SWEEP_FILES], mass_error *error);

/* Makes the folders that contain those of the runs. The runs report any failure. */
void mass_sweep_files_make_folders(const mass_options *o);

#endif
