/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between a run and the one that a file is of, in words for the user. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_DIFFERENCE_H
#define MASS_ENGINE_IO_CHECKPOINT_DIFFERENCE_H

#include "model/model.h"
#include "io/folder/made.h"
#include "io/folder/ownership.h"

struct mass_inputs;

/* All that a run is made of. Borrowed. */
typedef struct mass_run_made {
    const mass_model *model;
    const struct mass_inputs *inputs;
    uint64_t seed;
    int32_t worlds, first_world;
} mass_run_made;

/* The same as text (made.h), which the caller frees. A run and a checkpoint of it have the same. */
mass_status mass_run_made_print(const mass_run_made *made, char **text, mass_error *error);

/* A file that is another run's, and why, as mass_ownership_has says it: replaces `why` by what that run has otherwise,
 * then and now: "with edges=torus, and this has edges=bounded". The file tells, or another one of that run in its
 * folder. `why` stays if that cannot be found out. made: the file's text, or NULL: it is looked for. */
void mass_tell_apart(const char *path, const mass_run_facts *file, const char *made, const mass_ownership *owner,
                     char why[MASS_WHY_ANOTHER]);

#endif
