/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of accesses beyond the declared reach, and of children and residents that do not exist. */
#ifndef MASS_ENGINE_PARANOID_REACH_H
#define MASS_ENGINE_PARANOID_REACH_H

#include "device/device.h"

enum { NUMBERS_TEXT = 80 };

/* Writes "(3, 4)", with as many numbers as the space has axes, or more if they are not 0. Returns text. */
const char *mass_describe_numbers(const mass_launch *l, const mass_gidx at[3], char text[NUMBERS_TEXT]);

/* Returns MASS_BAD_PLUGIN, with the place and the offset, if the callback went beyond its reach; else MASS_OK. */
mass_status mass_check_reach(const mass_work *work, const mass_diagnostics *found, mass_error *error);

/* Passes ignored requests, no_number and no_point on to the run, as other devices do. What the run has already
 * stays. */
void mass_pass_on_ignored(const mass_work *work, const mass_diagnostics *found);

#endif
