/* SPDX-License-Identifier: Apache-2.0 */
/* Records that a body requested something that the engine ignores (launch.h), so that the run can report it. Any
 * thread. It costs nothing if it does not happen. */
#ifndef MASS_IGNORED_H
#define MASS_IGNORED_H

#include <mass/arithmetic.h>
#include <mass/impl/launch.h>

/* Record that a body requested something that is ignored, of a kind MASS_IGNORED_..., and that an agent with a position
 * asked for a place. The first record is enough. A launch without diagnostics records nothing. */
#ifdef __CUDACC__
MASS_FN void mass_effects_ignored(const mass_launch *l, int kind)
{
    mass_diagnostics *diagnostics = l->diagnostics;
    asm volatile("" : "+l"(diagnostics)); /* keeps the pointer out of the registers of a loop */
    if (diagnostics && !diagnostics->ignored[kind]) diagnostics->ignored[kind] = 1;
}
MASS_FN void mass_report_no_point(const mass_launch *l)
{
    mass_diagnostics *diagnostics = l->diagnostics;
    asm volatile("" : "+l"(diagnostics));
    if (diagnostics && !diagnostics->no_point) diagnostics->no_point = 1;
}
#else
static void mass_effects_ignored(const mass_launch *l, int kind) __attribute__((noinline, cold, unused));
static void mass_effects_ignored(const mass_launch *l, int kind)
{
    if (!l->diagnostics || __atomic_load_n(&l->diagnostics->ignored[kind], __ATOMIC_RELAXED)) return;
    __atomic_store_n(&l->diagnostics->ignored[kind], 1, __ATOMIC_RELAXED);
}
static void mass_report_no_point(const mass_launch *l) __attribute__((noinline, cold, unused));
static void mass_report_no_point(const mass_launch *l)
{
    if (!l->diagnostics || __atomic_load_n(&l->diagnostics->no_point, __ATOMIC_RELAXED)) return;
    __atomic_store_n(&l->diagnostics->no_point, 1, __ATOMIC_RELAXED);
}
#endif

#endif
