/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of Life. */
#ifndef LIFE_KERNELS_H
#define LIFE_KERNELS_H

#include <mass/callback.h>

extern const mass_callback life_soup, life_census, life_conway, life_rule_step;

#endif
