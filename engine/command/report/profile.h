/* SPDX-License-Identifier: Apache-2.0 */
/* --profile: what the operations of a run's steps took and moved, for people and for programs. */
#ifndef MASS_ENGINE_COMMAND_PROFILE_H
#define MASS_ENGINE_COMMAND_PROFILE_H

#include "run/profile.h"

#include <jansson.h>

/* copy_rate: bytes a second that a copy of the device's memory reads and writes. */
json_t *mass_profile_json(const mass_profile *p, double copy_rate);
/* Lines on standard error, for the operations that were done. */
void mass_profile_say(const mass_profile *p, double copy_rate);

#endif
