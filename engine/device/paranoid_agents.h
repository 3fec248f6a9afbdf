/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the paranoid device that runs callbacks over agents and residents. */
#ifndef MASS_ENGINE_DEVICE_PARANOID_AGENTS_H
#define MASS_ENGINE_DEVICE_PARANOID_AGENTS_H

#include "device/cpu.h"

mass_status mass_paranoid_agents(mass_device *device, const mass_work *work, mass_error *error);

#endif
