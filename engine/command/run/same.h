/* SPDX-License-Identifier: Apache-2.0 */
/* The options that all ranks of a run are given alike: those of the model, and of how ranks meet. The others concern
 * one rank, as --threads does, or rank 0, as what is written does. Main thread. */
#ifndef MASS_ENGINE_COMMAND_SAME_H
#define MASS_ENGINE_COMMAND_SAME_H

#include "base/error.h"

/* Those that this process was called with, as "--NAME VALUE" a line, in an order that is not the command line's, but
 * for an option that is repeated. The caller frees it; NULL without memory, or where the system does not tell. */
char *mass_same_options(void);

/* On another rank than 0: MASS_BAD_USAGE names the first that differs from rank 0's. NULL: nobody knows. */
mass_status mass_same_options_check(const char *of_rank_0, mass_error *error);

#endif
