/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lists of numbers as users write them. Main thread. */
#ifndef MASS_ENGINE_TEXT_LIST_H
#define MASS_ENGINE_TEXT_LIST_H

#include "model/list.h"

#include <jansson.h>

/* Sets a list to the user's text: "1, 2, 3", "[1; 2; 3]", or "@FILE". MASS_BAD_USAGE if the text has no numbers, too
 * many, or one outside of the slot's range; MASS_BAD_INPUT if a file has. On failure the slot is unchanged. */
mass_status mass_list_set(mass_parameter_slot *slot, const char *text, mass_error *error);

/* Sets a list to its default: numbers. NULL or "" leaves the slot as it is. A fault is MASS_BAD_PLUGIN. */
mass_status mass_list_set_default(mass_parameter_slot *slot, const char *text, mass_error *error);

/* Returns a list's text, in the form that slots hold, as JSON: [1, 2, 3]. NULL: out of memory. */
json_t *mass_list_json(const mass_parameter_slot *slot, const char *text);

/* Reads the numbers of a file into a text "1,2,3", which the caller frees. Faults are MASS_BAD_INPUT. main() sets it
 * before any parameter is set; NULL: lists take no files. */
typedef mass_status mass_list_reader(const char *path, char **out, mass_error *error);
extern mass_list_reader *mass_list_read_file;

#endif
