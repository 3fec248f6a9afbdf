/* SPDX-License-Identifier: Apache-2.0 */
/* Explains to the user how a run differs from the run that wrote a file. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_DIFFERENCE_H
#define MASS_ENGINE_IO_CHECKPOINT_DIFFERENCE_H

#include "model/model.h"
#include "io/folder/made.h"
#include "io/folder/ownership.h"

struct mass_inputs;

/* Everything that determines a run. Borrowed. */
typedef struct mass_run_made {
    const mass_model *model;
    const struct mass_inputs *inputs; /* not NULL */
    uint64_t seed;
    int32_t worlds, first_world;
} mass_run_made;

/* Prints what determines a run as text (made.h), which the caller frees. It is cut if it is too long. A run and its
 * checkpoints give the same text. */
mass_status mass_run_made_print(const mass_run_made *made, char **text, mass_error *error);

/* Improves the reason why a file belongs to another run. `why`, as mass_ownership_has wrote it, becomes the first
 * difference, then and now: "with edges=torus, and this has edges=bounded". The difference comes from the file, or from
 * another file of that run in its folder. If none is found, or if the plugin or the seed differs, `why` stays. made:
 * the file's text; NULL: it is read from the file. */
void mass_tell_apart(const char *path, const mass_run_facts *file, const char *made, const mass_ownership *owner,
                     char why[MASS_WHY_ANOTHER]);

#endif
