/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of Sugarscape. */
#ifndef SUGARSCAPE_KERNELS_H
#define SUGARSCAPE_KERNELS_H

#include <mass/callback.h>

extern const mass_callback sugarscape_plant, sugarscape_settle, sugarscape_grow, sugarscape_look,
    sugarscape_look_again, sugarscape_eat, sugarscape_live, sugarscape_census;

#endif
