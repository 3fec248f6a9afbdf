/* SPDX-License-Identifier: Apache-2.0 */
/* --list: what plugins there are. */
#ifndef MASS_ENGINE_LIST_H
#define MASS_ENGINE_LIST_H

#include "base/error.h"

#include <stdbool.h>

/* On standard output, for people in lines of 80 columns or as one JSON list. verbose: with where they are. */
mass_status mass_list_print(bool verbose, bool json, mass_error *error);

#endif
