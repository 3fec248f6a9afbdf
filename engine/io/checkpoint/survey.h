/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a checkpoint folder belongs to a run, before the run writes there. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_SURVEY_H
#define MASS_ENGINE_IO_CHECKPOINT_SURVEY_H

#include "io/folder/ownership.h"

/* Another run's files in a folder, which --force replaces. */
typedef struct mass_others {
    uint64_t *steps; /* [count] of its checkpoints; owned */
    size_t count;
    bool series;
    bool begun; /* this run has files here, but no checkpoint: it can only start over */
} mass_others;

/* Compares all files in a folder with the run. MASS_BAD_USAGE if they belong to another run, unless --force is given;
 * *out, which starts as all zero, then lists what will be removed; the caller frees it. A run that starts again gets
 * its earlier identity. A resumed run ignores files that are damaged or foreign; a run that starts refuses them. */
mass_status mass_checkpoint_survey(const char *folder, mass_ownership *owner, mass_others *out, mass_error *error);
void mass_others_free(mass_others *); /* all zero is allowed */

#endif
