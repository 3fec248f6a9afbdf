/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASS_ENGINE_DEVICE_PARANOID_TRY_TURNS_H
#define MASS_ENGINE_DEVICE_PARANOID_TRY_TURNS_H

#include "device/cpu/cpu.h"

/* Runs a callback over agents in turn once, on the engine's memory, by loops that check what it reaches. */
mass_status mass_paranoid_turns(mass_cpu *cpu, const mass_work *work, mass_error *error);

#endif
