/* SPDX-License-Identifier: Apache-2.0 */
#define AXES 3
#include "veer.h"

MASS_PLUGIN(.name = "veer3", .version = "1.0.0", .help = "agents with positions in turn", .load = veer_load,
            .finish = veer_compare);
