/* SPDX-License-Identifier: Apache-2.0 */
/* --list: the available plugins. */
#ifndef MASS_ENGINE_LIST_H
#define MASS_ENGINE_LIST_H

#include "base/error.h"

#include <stdbool.h>

/* Prints them on standard output, for people in lines of 80 columns, or as one JSON list. verbose: with version and
 * path. */
mass_status mass_list_print(bool verbose, bool json, mass_error *error);

#endif
