/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks over places on the paranoid device. */
#ifndef MASS_ENGINE_PARANOID_TRY_PLACES_H
#define MASS_ENGINE_PARANOID_TRY_PLACES_H

#include "device/cpu/cpu.h"

/* Tries a callback out on copies of its memory, and writes its results to the engine's memory if it kept its promises;
 * else MASS_BAD_PLUGIN, with nothing written. `forgives` is what mass_paranoid_forgive asks for. */
mass_status mass_paranoid_places(const mass_work *work, mass_forgiveness forgives, mass_error *error);

#endif
