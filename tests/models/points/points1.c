/* SPDX-License-Identifier: Apache-2.0 */
#define AXES 1
#include "points.h"

MASS_PLUGIN(.name = "points1", .version = "1.0.0", .help = "agents with positions", .finish = points_compare);
