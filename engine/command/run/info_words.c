/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/info_words.h"

#include <mass/plugin.h>

const char *const mass_info_parameter_types[7] = {"", "integer", "real", "text", "choice", "integers", "reals"};
const char *const mass_info_orders[3][3] = {
    {"spawn", "kill", "migrate"}, {"kill", "spawn", "migrate"}, {"kill", "migrate", "spawn"}};
const char *const mass_info_relations[5] = {"", "at most", "less than", "at least", "greater than"};
const char *const mass_info_keys[3] = {"", [MASS_KEYS_NUMBERS] = "numbers", [MASS_KEYS_TEXTS] = "texts"};
const char *const mass_info_axes[3] = {"x", "y", "z"};
