/* SPDX-License-Identifier: Apache-2.0 */
/* Finds whether --size is why a plugin does not open: it opens without one. Main thread. */
#ifndef MASS_ENGINE_BLAME_SIZE_H
#define MASS_ENGINE_BLAME_SIZE_H

#include "plugin/host.h"

/* Returns whether the model's first space cannot have the size of `opening`, the user's. Call it after mass_host_open
 * has failed with it and left *model. If so, *error says it, and why; else *error is unchanged. why: that failure; only
 * MASS_BAD_USAGE can be due to a size. */
bool mass_blame_size(const mass_plugin *plugin, const mass_opening *opening, const mass_model *model,
                     const mass_error *why, mass_error *error);

#endif
