/* SPDX-License-Identifier: Apache-2.0 */
/* --profile: time and traffic of the operations of a run's steps, for people and for programs. */
#ifndef MASS_ENGINE_COMMAND_PROFILE_H
#define MASS_ENGINE_COMMAND_PROFILE_H

#include "run/profile.h"

#include <jansson.h>

/* Returns the profile as a new object: `seconds`, `copy_bytes_per_s`, and a list `operations` of those that were
 * executed. copy_rate: bytes a second that a copy of device memory reads and writes. */
json_t *mass_profile_json(const mass_profile *p, double copy_rate);
/* Prints headings on standard error, and a line for each operation that was executed; and how many rounds it took, if
 * it is one in turn. copy_rate: as above. */
void mass_profile_say(const mass_profile *p, double copy_rate);

#endif
