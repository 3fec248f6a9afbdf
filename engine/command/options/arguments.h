/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of this process, read from the system, with the options of --run in its place. Main thread. */
#ifndef MASS_ENGINE_COMMAND_ARGUMENTS_H
#define MASS_ENGINE_COMMAND_ARGUMENTS_H

#include "command/options/options.h"

typedef struct mass_arguments {
    char *bytes;  /* owned; words point to it */
    char **words; /* [count], the program's name first; owned */
    int count;
} mass_arguments;

/* Makes the words after the program's name those of all later calls: a list that ends with NULL, which has to stay.
 * NULL: the system's again. */
void mass_arguments_use(char *const words[]);

/* Reads the command line. Returns false, with *out empty, if memory is short or the system does not tell. */
bool mass_arguments_read(mass_arguments *out);
void mass_arguments_free(mass_arguments *);

/* Returns the option that word i is, or NULL; word 0, the program's name, is none. *taken becomes the number of words
 * including the value, *value the value or "". */
const mass_option *mass_arguments_option(const mass_arguments *a, int i, int *taken, const char **value);

#endif
