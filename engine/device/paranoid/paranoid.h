/* SPDX-License-Identifier: Apache-2.0 */
/* The paranoid device, for code that tries plugins. */
#ifndef MASS_ENGINE_PARANOID_H
#define MASS_ENGINE_PARANOID_H

#include "device/device.h"

/* From now on, this paranoid device accepts faults that depend on a model's initial values: non-canonical NaNs, and
 * moves and children over an edge. With `ranges`, also numbers outside their ranges. */
void mass_paranoid_forgive(mass_device *device, bool ranges);

#endif
