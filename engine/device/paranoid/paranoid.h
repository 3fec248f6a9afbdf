/* SPDX-License-Identifier: Apache-2.0 */
/* The paranoid device, as who tries plugins sees it. */
#ifndef MASS_ENGINE_PARANOID_H
#define MASS_ENGINE_PARANOID_H

#include "device/device.h"

/* From here on, this device, which is paranoid, lets pass what depends on the values that a model starts with: odd
 * NaNs, and moves and children over an edge; and with `ranges` numbers out of their ranges. */
void mass_paranoid_forgive(mass_device *device, bool ranges);

#endif
