/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses beyond the declared reach, and children and residents that do not exist, as the paranoid device reports
 * them. */
#ifndef MASS_ENGINE_PARANOID_REACH_H
#define MASS_ENGINE_PARANOID_REACH_H

#include "device/device.h"

enum { NUMBERS_TEXT = 80 };

/* "(3, 4)", of as many numbers as the space has axes. Returns text. */
const char *mass_describe_numbers(const mass_launch *l, const mass_gidx at[3], char text[NUMBERS_TEXT]);

/* MASS_OK, or MASS_BAD_PLUGIN with the place and the offset if the callback went beyond its reach. */
mass_status mass_check_reach(const mass_work *work, const mass_stray *found, mass_error *error);

/* Hands requests that were ignored on to the run, as other devices do. */
void mass_pass_on_ignored(const mass_work *work, const mass_stray *found);

#endif
