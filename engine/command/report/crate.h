/* SPDX-License-Identifier: Apache-2.0 */
/* --crate: describes a finished run for people and programs that archive research data, in ro-crate-metadata.json. The
 * file is JSON-LD as RO-Crate 1.1 and the profile Process Run Crate 0.5 say (https://w3id.org/ro/wfrun/process/0.5).
 * Main thread. */
#ifndef MASS_ENGINE_COMMAND_CRATE_H
#define MASS_ENGINE_COMMAND_CRATE_H

#include "base/error.h"
#include "io/checkpoint/checkpoint.h"

#include <stdbool.h>

enum { MASS_CRATE_TABLES = 5, MASS_CRATE_FILES = MASS_CRATE_TABLES + MASS_POPULATIONS_MAX };

/* What a crate tells of a run. All texts are borrowed; NULL: there is none. */
typedef struct mass_crate {
    const char *folder; /* of the crate */
    bool force;         /* replaces a file of another program */
    const char *command; /* that repeats the run */
    const char *result;  /* mass_report_object */
    double seconds;      /* that the run took */
    const char *plugin;        /* the plugin's file */
    const mass_inputs *inputs; /* files that the run began with */
    const char *resumed;              /* checkpoint that it began from */
    const char *checkpoints, *fields; /* folders of output */
    const char *files[MASS_CRATE_FILES]; /* other files of output, tables of agents last; NULL: none */
} mass_crate;

/* Checks before a run that the crate can be written, and writes nothing. MASS_BAD_USAGE otherwise. */
mass_status mass_crate_check(const char *folder, bool force, mass_error *error);

/* Makes the folder if it is missing, and writes the file, with the size and the XXH3-128 of each file, as it is
 * now. It appears whole or not at all. MASS_BAD_USAGE if another program's file is there and not to be replaced. *error
 * has to be empty. */
mass_status mass_crate_write(const mass_crate *crate, mass_error *error);

#endif
