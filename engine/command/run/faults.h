/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has found its model to do against its own word: said as it is found, also with --quiet, and kept for
 * --json. With --strict it is a failure instead. Main thread. */
#ifndef MASS_ENGINE_COMMAND_FAULTS_H
#define MASS_ENGINE_COMMAND_FAULTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct mass_faults {
    bool strict;
    char **texts; /* [count], a sentence each; owned */
    size_t count;
} mass_faults;

/* Takes a sentence, as mass_ignored_listener does; `faults` is a mass_faults. */
void mass_faults_add(void *faults, const char *text);

/* With --strict, MASS_BAD_PLUGIN and the first sentence if there is one. */
mass_status mass_faults_check(const mass_faults *f, mass_error *error);

void mass_faults_free(mass_faults *f);

#endif
