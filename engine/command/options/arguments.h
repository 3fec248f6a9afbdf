/* SPDX-License-Identifier: Apache-2.0 */
/* What this process was called with, as it stands in the system. Main thread. */
#ifndef MASS_ENGINE_COMMAND_ARGUMENTS_H
#define MASS_ENGINE_COMMAND_ARGUMENTS_H

#include "command/options/options.h"

typedef struct mass_arguments {
    char *bytes;  /* owned; words point into it */
    char **words; /* [count], the program's name first; owned */
    int count;
} mass_arguments;

/* False without memory, or where the system does not tell; *out is then empty. */
bool mass_arguments_read(mass_arguments *out);
void mass_arguments_free(mass_arguments *);

/* The option that word i is, or NULL; *taken: how many words it takes with its value, and *value what that is, "" for
 * none. */
const mass_option *mass_arguments_option(const mass_arguments *a, int i, int *taken, const char **value);

#endif
