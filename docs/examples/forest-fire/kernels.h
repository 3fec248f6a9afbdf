/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of the forest, and what its places can be. */
#ifndef FOREST_KERNELS_H
#define FOREST_KERNELS_H

#include <mass/callback.h>

enum { EMPTY, TREE, FIRE };

extern const mass_callback forest_plant, forest_step;

#endif
