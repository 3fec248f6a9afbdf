/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of the model "rivals". */
#ifndef MASS_TESTS_MODELS_RIVALS_H
#define MASS_TESTS_MODELS_RIVALS_H

#include <mass/mass.h>

extern const mass_callback rivals_seat, rivals_arm, rivals_push, rivals_sit, rivals_count, rivals_tell, rivals_fly,
    rivals_sing;

#endif
