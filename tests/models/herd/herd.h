/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASS_TESTS_MODELS_HERD_H
#define MASS_TESTS_MODELS_HERD_H

#include <mass/callback.h>

extern const mass_callback herd_smooth, herd_live, herd_graze, herd_hunt, herd_again, herd_roll, herd_dream, herd_trace;

#endif
