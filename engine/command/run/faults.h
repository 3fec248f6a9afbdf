/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that a run finds in its model, which breaks its own promises. They are printed when found, also with --quiet,
 * and kept for --json. With --strict they are a failure instead. Main thread. */
#ifndef MASS_ENGINE_COMMAND_FAULTS_H
#define MASS_ENGINE_COMMAND_FAULTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct mass_faults {
    bool strict;
    char **texts; /* [count], one sentence each; owned */
    size_t count;
} mass_faults;

/* Adds a copy of a sentence, and prints it, unless --strict is given. If memory is short, only prints it. It is a
 * mass_ignored_listener's function; `faults` is a mass_faults. */
void mass_faults_add(void *faults, const char *text);

/* Adds a copy of a sentence for --json alone: the caller reports it. */
void mass_faults_note(mass_faults *f, const char *text);

/* Returns MASS_BAD_PLUGIN with the first sentence, if --strict is given and there is one. */
mass_status mass_faults_check(const mass_faults *f, mass_error *error);

/* Frees the sentences. */
void mass_faults_free(mass_faults *f);

#endif
