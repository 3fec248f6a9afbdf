/* SPDX-License-Identifier: Apache-2.0 */
/* Whose fault it is that a plugin does not open: that of --size, where it opens without one. Main thread. */
#ifndef MASS_ENGINE_BLAME_SIZE_H
#define MASS_ENGINE_BLAME_SIZE_H

#include "plugin/host.h"

/* After mass_host_open has failed with this opening, whose size is the user's, and left *model: whether it is the size
 * that the model's first space cannot have. Then *error says so, and why; else it is untouched. */
bool mass_blame_size(const mass_plugin *plugin, const mass_opening *opening, const mass_model *model,
                     const mass_error *why, mass_error *error);

#endif
