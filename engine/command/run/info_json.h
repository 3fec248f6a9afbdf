/* SPDX-License-Identifier: Apache-2.0 */
/* The description of a plugin for --info, as JSON. */
#ifndef MASS_ENGINE_INFO_JSON_H
#define MASS_ENGINE_INFO_JSON_H

#include "split/share.h"

#include <jansson.h>
#include <mass/plugin.h>

/* Returns one object, which the caller releases, without constants and hidden tallies. NULL: memory is short. share:
 * the parts of the run. path: the plugin's file. bytes: memory of the state. */
json_t *mass_info_json(const mass_model *m, const mass_share *share, const mass_plugin *entry, const char *path,
                       double bytes);

#endif
