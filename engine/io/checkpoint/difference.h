/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between a run and another one that has a checkpoint, in words for the user. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_DIFFERENCE_H
#define MASS_ENGINE_IO_CHECKPOINT_DIFFERENCE_H

#include "model/model.h"
#include "io/folder/ownership.h"

enum { MASS_WHY_ANOTHER = 600 };

struct mass_inputs;

/* All that a run is made of, beside its plugin and seed. Borrowed. */
typedef struct mass_run_made {
    const mass_model *model;
    const struct mass_inputs *inputs;
    int32_t worlds, first_world;
} mass_run_made;

/* Replaces `why` by what the other run has otherwise, then and now: "with edges=torus, and this has edges=bounded". It
 * stays if that cannot be found out, or `made` is NULL. */
void mass_checkpoint_tell_apart(const char *path, const mass_run_made *made, char why[MASS_WHY_ANOTHER]);

/* The same by a checkpoint in a folder whose run has this hash, if there is one. */
void mass_checkpoint_tell_apart_in(const char *folder, const char run[33], const mass_run_made *made,
                                   char why[MASS_WHY_ANOTHER]);

#endif
