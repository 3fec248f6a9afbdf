/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASS_TESTS_MODELS_WANDER_H
#define MASS_TESTS_MODELS_WANDER_H

#include <mass/callback.h>

/* Columns that are not of a machine's word. */
typedef struct wander_bag {
    uint32_t of[3];
} wander_bag;

extern const mass_callback wander_scent, wander_walk, wander_meet, wander_dig, wander_jump;

#endif
