/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of phases that share a turn on CPUs: the plain loop over the agents of all of them, in one order. Each phase
 * has its own order, and the loop merges these. It calls a body once for the agents of its phase that follow one
 * another. A thread has whole worlds. */
#ifndef MASS_ENGINE_DEVICE_CPU_TOGETHER_H
#define MASS_ENGINE_DEVICE_CPU_TOGETHER_H

#include "device/cpu/cpu.h"

/* Launches the callbacks of works[count]. Their agents have their orders (mass_turn.order). All works have the same
 * worlds and gates. checked: on one thread, by the forms that check what bodies reach. See
 * mass_launch_operations.together. */
mass_status mass_cpu_launch_together(mass_cpu *cpu, const mass_work *works, uint32_t count, bool checked,
                                     mass_error *error);

#endif
