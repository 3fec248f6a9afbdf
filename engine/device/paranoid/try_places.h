/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks over places on the paranoid device. */
#ifndef MASS_ENGINE_PARANOID_TRY_PLACES_H
#define MASS_ENGINE_PARANOID_TRY_PLACES_H

#include "device/cpu/cpu.h"

/* Tries a callback on copies of its memory. If it kept its promises, copies its results to the engine's memory.
 * Otherwise returns MASS_BAD_PLUGIN, with nothing written. `forgives`: see mass_paranoid_forgive. */
mass_status mass_paranoid_places(const mass_work *work, mass_forgiveness forgives, mass_error *error);

#endif
