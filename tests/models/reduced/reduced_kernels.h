/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that fill attributes of all number types. */
#ifndef MASS_TESTS_REDUCED_KERNELS_H
#define MASS_TESTS_REDUCED_KERNELS_H

#include <mass/callback.h>

extern const mass_callback reduced_places, reduced_floats, reduced_agents;

#endif
