/* SPDX-License-Identifier: Apache-2.0 */
/* The options that must be the same on all ranks: those of the model, and of how ranks connect. Others concern one
 * rank, as --threads does, or rank 0, as options for output do. Main thread. */
#ifndef MASS_ENGINE_COMMAND_RANK_OPTIONS_H
#define MASS_ENGINE_COMMAND_RANK_OPTIONS_H

#include "base/error.h"

/* Returns those options of this process, one line "--NAME VALUE" each. The order is fixed, except among repetitions of
 * an option. The caller frees the text. NULL: memory is short, or the system does not tell the command line. */
char *mass_same_options(void);

/* Compares the options with rank 0's, on another rank. Returns MASS_BAD_USAGE and names the first difference. NULL:
 * they are not known, and nothing is compared. Nor is it if this process's own options are not known. */
mass_status mass_same_options_check(const char *of_rank_0, mass_error *error);

#endif
