/* SPDX-License-Identifier: Apache-2.0 */
/* How threads that run slabs wait for each other (turn_slabs.h): they spin for a short time, then let others use the
 * core, and then sleep until they are woken. If there are more threads than cores, those that can act get the cores. */
#ifndef MASS_KERNELS_CPU_TURN_WAIT_H
#define MASS_KERNELS_CPU_TURN_WAIT_H

#include "cpu/turn_slabs.h"

enum { MASS_CPU_TURN_LOOKS = 136 }; /* how often a waiting thread looks before it sleeps */

/* Waits for a moment before look `looks`. Returns true, without waiting, if it is time to sleep. */
bool mass_cpu_turn_pause(int looks);

/* Sleeps until `waits` near agents of a side have had their turn, at most for a nap: the side's slab may be one that no
 * thread runs now. `acted`: how many have had it now. Returns at once if that is no longer true. */
void mass_cpu_turn_sleep(mass_cpu_turn_side *side, uint32_t waits, uint32_t acted);
/* Sleeps for a nap: half a millisecond. */
void mass_cpu_turn_nap(void);

/* Wakes the thread that sleeps until at most `acted` near agents of a side have had their turn. If this does not see
 * yet that it sleeps, it wakes after its nap. */
void mass_cpu_turn_wake(mass_cpu_turn_side *side, uint32_t acted);

#endif
