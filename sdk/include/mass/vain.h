/* SPDX-License-Identifier: Apache-2.0 */
/* Notes that a body asked for what nobody carries out (launch.h), so that the run can say it. Any thread; costs nothing
 * where it does not happen. */
#ifndef MASS_VAIN_H
#define MASS_VAIN_H

#include <mass/arithmetic.h>
#include <mass/launch.h>

#ifdef __CUDACC__
MASS_FN void mass_note_vain(const mass_launch *l, int kind)
{
    mass_stray *stray = l->stray;
    asm volatile("" : "+l"(stray)); /* keeps it out of the registers of a loop */
    if (stray && !stray->vain[kind]) stray->vain[kind] = 1;
}
#else
static void mass_note_vain(const mass_launch *l, int kind) __attribute__((noinline, cold, unused));
static void mass_note_vain(const mass_launch *l, int kind)
{
    if (!l->stray || __atomic_load_n(&l->stray->vain[kind], __ATOMIC_RELAXED)) return;
    __atomic_store_n(&l->stray->vain[kind], 1, __ATOMIC_RELAXED);
}
#endif

#endif
