/* SPDX-License-Identifier: Apache-2.0 */
/* What --info says of a plugin as JSON. */
#ifndef MASS_ENGINE_INFO_JSON_H
#define MASS_ENGINE_INFO_JSON_H

#include "model/model.h"

#include <jansson.h>
#include <mass/plugin.h>

/* One object, which the caller releases. path: of the plugin; bytes: what the state takes. */
json_t *mass_info_json(const mass_model *m, const mass_plugin *entry, const char *path, double bytes);

#endif
