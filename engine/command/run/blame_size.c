/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/blame_size.h"

#include <inttypes.h>
#include <stdio.h>

bool mass_blame_size(const mass_plugin *plugin, const mass_opening *opening, const mass_model *model,
                     const mass_error *why, mass_error *error)
{
    if (why->status != MASS_BAD_USAGE || opening->dimensions == 0 || model->space_count > 0) return false;
    mass_opening sizeless = *opening;
    mass_engine_host host;
    mass_model other;
    mass_error ignored = {0};
    sizeless.dimensions = 0;
    mass_host_open(&host, plugin, &sizeless, &other, &ignored);
    mass_model_free(&other);
    if (!host.opened) return false;
    char size[80];
    int used = 0;
    for (uint32_t a = 0; a < opening->dimensions; a++)
        used += snprintf(size + used, sizeof size - (size_t)used, "%s%" PRId64, a ? "x" : "", opening->size[a]);
    mass_error_set(error, MASS_BAD_USAGE, "--size %s: %s", size, why->text);
    return true;
}
