/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASS_TESTS_MODELS_GATHER_KERNELS_H
#define MASS_TESTS_MODELS_GATHER_KERNELS_H

#include <mass/mass.h>

extern const mass_callback gather_places, gather_bytes, gather_many, gather_walk, gather_crowds;

#endif
