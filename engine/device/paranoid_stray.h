/* SPDX-License-Identifier: Apache-2.0 */
/* What a callback names beyond its reach, and children and residents that are none, on the paranoid device. */
#ifndef MASS_ENGINE_PARANOID_STRAY_H
#define MASS_ENGINE_PARANOID_STRAY_H

#include "device/device.h"

enum { NUMBERS_TEXT = 80 };

/* "(3, 4)", of as many numbers as the space has axes. Returns text. */
const char *mass_describe_numbers(const mass_launch *l, const mass_gidx at[3], char text[NUMBERS_TEXT]);

/* MASS_OK, or MASS_BAD_PLUGIN and the words for it if there was a stray. */
mass_status mass_check_stray(const mass_work *work, const mass_stray *stray, mass_error *error);

/* What a callback asked for in vain is known to the run, as on other devices. */
void mass_pass_on_vain(const mass_work *work, const mass_stray *stray);

#endif
