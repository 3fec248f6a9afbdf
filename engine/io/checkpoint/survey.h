/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a folder of checkpoints is a run's, before the run writes there. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_SURVEY_H
#define MASS_ENGINE_IO_CHECKPOINT_SURVEY_H

#include "io/folder/ownership.h"

/* What another run has in a folder, which --force replaces. */
typedef struct mass_others {
    uint64_t *steps; /* of checkpoints; [count], owned */
    size_t count;
    bool series;
    bool begun; /* what there is of this run is no checkpoint: it can only be begun again */
} mass_others;

/* Compares all that is in a folder with the run. MASS_BAD_USAGE if it belongs to another one and nobody said --force;
 * then *out is what goes. A run that starts anew where it was before gets the identity that it had. What is damaged or
 * foreign is passed over by a run that is resumed, and refused by one that starts. */
mass_status mass_checkpoint_survey(const char *folder, mass_ownership *owner, mass_others *out, mass_error *error);
void mass_others_free(mass_others *); /* all zero is fine */

#endif
