/* SPDX-License-Identifier: Apache-2.0 */
/* The command line that gives a run again. Main thread. */
#ifndef MASS_ENGINE_COMMAND_AGAIN_H
#define MASS_ENGINE_COMMAND_AGAIN_H

#include "command/options/options.h"

/* What this program was called with, without --view, with the seed where it was drawn, with so many steps in place of
 * what was said of them, or 0: with that; and with the file of its events where there is another one than it was called
 * with (or NULL); as words of a shell. The caller frees it; NULL without memory. */
char *mass_again(const mass_options *o, uint64_t seed, bool seedless, uint64_t steps, const char *events);

#endif
