/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks in turn on the paranoid device. */
#ifndef MASS_ENGINE_DEVICE_PARANOID_TRY_TURNS_H
#define MASS_ENGINE_DEVICE_PARANOID_TRY_TURNS_H

#include "device/cpu/cpu.h"

/* Runs a callback in turn on the engine's memory, by loops that check what it reaches. If few agents or places act,
 * runs it again in another order, which must give the same (late_order.h). If not, returns MASS_BAD_PLUGIN. The
 * engine's memory may have changed then. */
mass_status mass_paranoid_turns(mass_cpu *cpu, const mass_work *work, mass_error *error);

/* Runs the callbacks of phases that share a turn once, by loops that check what they reach. If one reaches too far,
 * returns MASS_BAD_PLUGIN. The engine's memory may have changed then. */
mass_status mass_paranoid_together(mass_cpu *cpu, const mass_work *works, uint32_t count, mass_error *error);

#endif
