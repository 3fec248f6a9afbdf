/* --info and --list: what plugins there are, and what one of them is and takes. */
#ifndef MASS_ENGINE_INFO_H
#define MASS_ENGINE_INFO_H

#include "core/model.h"

#include <mass/plugin.h>

/* On standard output, for people or as one JSON object. */
mass_status mass_info_print(const mass_model *m, const mass_plugin *entry, const char *path, int32_t partitions,
                            int32_t worlds, bool json, mass_error *error);
mass_status mass_list_print(bool json, mass_error *error);

#endif
