/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lists of numbers from files, for parameters that are lists. */
#ifndef MASS_ENGINE_IO_INPUT_LIST_H
#define MASS_ENGINE_IO_INPUT_LIST_H

#include "base/error.h"

/* Reads a .csv file of one row, or of one column with or without a name at its begin; or a .npy file of at most one
 * axis that is longer than 1. Puts the numbers as a text "1,2,3", which the caller frees. Whether the fields of a .csv
 * are numbers is not checked. Faults are MASS_BAD_INPUT, as is a name with another end. On failure *out is
 * untouched. */
mass_status mass_list_file_read(const char *path, char **out, mass_error *error);

#endif
