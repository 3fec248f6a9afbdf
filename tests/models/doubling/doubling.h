/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASS_TESTS_MODELS_DOUBLING_H
#define MASS_TESTS_MODELS_DOUBLING_H

#include <mass/callback.h>

extern const mass_callback doubling_split;

#endif
